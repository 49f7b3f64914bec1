/* The lease on a store that several servers share: who has it serves, the others
 * hand on to it and wait (forward.h).
 *
 * It is a row of `server` with the time until when it counts, by the clock of the
 * database, and a number that is never given twice. A thread renews it every
 * second. When it is taken or given up, those who wait are told (NOTIFY).
 *
 * Main invariants: there is one row at most; every transaction that writes finds
 * its own row there and holds it until it ends, or it fails. Held, it can be renewed
 * but not removed, so a long transaction does not cost the lease. Whoever takes a lease
 * that is out removes that row first, and so waits for the last transaction of
 * who had it; what is in the log then is all that is ever in it from there. So a
 * server that was stopped, and comes back believing that it still serves, writes
 * nothing.
 *
 * `tests/model/lease.pml` is a model of this, and names its steps as the functions
 * here are named. */
#ifndef SAL_SERVER_LEASE_H
#define SAL_SERVER_LEASE_H

#include "base/sealed.h"
#include "sql.h"

enum {
  LEASE_MS = 3000,
  LEASE_RENEW_MS = 1000,
  LEASE_SILENCE_MS = 6000, /* not renewed for so long, it is taken for lost */
  LEASE_ADDRESS = 256
};

struct lease;

/* Who has it. */
struct lease_holder {
  char address[LEASE_ADDRESS];    /* "": nobody, or it could not be looked at */
  char secret[SEALED_SECRET + 1]; /* "": of a version that had none */
  int left;                       /* milliseconds until it is out */
  bool out;                       /* that of another was out, and is removed */
  bool known;                     /* the database has answered */
};

/* Takes the lease, if nobody has it; `address` is where other servers reach this one.
 * The connection is the lease's then. NULL: `who` has it, and from then on sql_wait
 * wakes when it is taken or given up. */
struct lease *lease_take(store_db *db, const char *address,
                         struct lease_holder *who);
/* What only those who can read the store know; another with every lease. */
const char *lease_secret(const struct lease *l);
/* Whether somebody else has taken it, or may have: the database has not answered for
 * longer than it counts. On any thread. */
bool lease_is_lost(const struct lease *l);
/* Whether that is for its silence: then the lease is out, too. On any thread. */
bool lease_is_silent(const struct lease *l);
/* Something could not be written: looks at once whether it is still there. */
void lease_look(struct lease *l);
/* Whether a commit has happened is not known: what this server knows of the log may
 * be wrong, and it goes on only after it has read it again. */
void lease_doubt(struct lease *l);
/* First in a transaction, which fails if the lease is not there any more. */
bool lease_check(store_db *db, const struct lease *l);
/* Gives it up, so that others need not wait until it is out: from now on nothing can
 * be written. The first does not wait until that is done; the second does, and frees
 * it. */
void lease_let_go(struct lease *l);
void lease_leave(struct lease *l);

/* Whether somebody has it; -1: it could not be read. */
int lease_is_held(store_db *db);

#endif
