/* Questions to the store whose answer goes out as it is: JSON, made on the
 * reader's thread.
 *
 * Main invariant: every function here is a `call` for `store_ask`; it changes
 * nothing but its own job. */
#ifndef SAL_SERVER_QUERIES_H
#define SAL_SERVER_QUERIES_H

#include "store.h"

struct query_job {
  struct store_job job;     /* first, so that `done` finds the rest */
  int64_t person;           /* who asks; 0: nobody known */
  uint8_t hash[STORE_HASH]; /* of their session */
  int64_t before;
  int64_t about; /* another person */
  char game[16];
  char *text; /* what came of it; to be freed */
};

/* Games of `person` with numbers under `before`. */
store_call query_history;
/* Leaders and bots of `game`, and how `person` stands. */
store_call query_leaders;
/* Sessions of `person`. */
store_call query_sessions;
/* All that is stored about `person`, without secrets. */
store_call query_export;

#endif
