/* Rate limits, as leaky buckets: how much of what costs others something a person or
 * an address has used lately. That leaks away at an even rate; while it is less than
 * the limit allows, they may have more.
 *
 * Main invariants: what nothing is known of has used nothing, and what is forgotten is
 * given back; so the memory follows what is being tried, and nobody can be told apart
 * by being in it. What takes longer than some seconds to be forgotten is in the store
 * as it was a moment ago, and counts for the process that serves next; what takes less
 * is forgotten by the time that one serves. */
#ifndef SAL_SERVER_LIMITS_H
#define SAL_SERVER_LIMITS_H

#include "base/context.h"

enum limit {
  LIMIT_LOGS,       /* lines in the log that an address causes */
  LIMIT_MAKES,      /* guests, accounts, names and sessions from an address */
  LIMIT_READS,      /* of what is stored, from an address */
  LIMIT_WRONG_FROM, /* wrong passwords from an address, */
  LIMIT_WRONG_FOR,  /* and for a name */
  LIMIT_RIGHT,   /* right ones: a name from an address; of this process alone */
  LIMIT_CHAT,    /* of a person: what they say, */
  LIMIT_TABLES,  /* set up, */
  LIMIT_REPORTS, /* report, */
  LIMIT_COURTS,  /* hand in, */
  LIMIT_CALLS,   /* and how often they are called by push */
  LIMITS
};

enum { LIMIT_KEY = 16 };

struct limits;

struct limits *limits_new(struct server *srv);
void limits_free(struct limits *l);
/* Reads what the store has; 0 or an error. */
int limits_load(struct limits *l);
/* Often: hands what has changed to the store, and forgets. */
void limits_tick(struct limits *l);
/* For tests and fuzzing: nobody has used anything. */
void limits_forget(struct limits *l);

/* One more, if it is allowed; false: it is not, or memory is short. Of an address IPv6
 * counts by its first 64 bits. */
bool limits_may(struct limits *l, enum limit what, const uint8_t *key);
bool limits_address_may(struct limits *l, enum limit what, const char *address);
bool limits_person_may(struct limits *l, enum limit what, int64_t person);

/* How much of it is not forgotten; and one more, whatever is allowed. */
double limits_used(struct limits *l, enum limit what, const uint8_t *key);
void limits_use(struct limits *l, enum limit what, const uint8_t *key);

#endif
