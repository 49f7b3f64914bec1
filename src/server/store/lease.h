/* The lease on a store that several servers share: who has it serves, the others
 * hand on to it and wait (forward.h).
 *
 * It is a row of `server` with the time until when it counts, by the clock of the
 * database, and a number that is never given twice. A thread renews it every
 * second.
 *
 * Main invariants: there is one row at most; every transaction that writes finds
 * its own row there and holds it until it ends, or it fails. Whoever takes a lease
 * that is out removes that row first, and so waits for the last transaction of
 * who had it; what is in the log then is all that is ever in it from there. So a
 * server that was stopped, and comes back believing that it still serves, writes
 * nothing.
 *
 * `tests/model/lease.pml` is a model of this, and names its steps as the functions
 * here are named. */
#ifndef SAL_SERVER_LEASE_H
#define SAL_SERVER_LEASE_H

#include "sql.h"

enum { LEASE_MS = 3000, LEASE_RENEW_MS = 1000, LEASE_ADDRESS = 256 };

struct lease;

/* Takes the lease of the store at `where`, if nobody has it; `address` is where
 * other servers reach this one. NULL: somebody has it, and is at `holder`; or it
 * could not be looked at, and `holder` is "". */
struct lease *lease_take(store_db *db, const char *where, const char *address,
                         char holder[LEASE_ADDRESS]);
/* Whether it is known that somebody else has taken it. On any thread. */
bool lease_is_lost(const struct lease *l);
/* Whether a commit has happened is not known: what this server knows of the log may
 * be wrong, and it goes on only after it has read it again. */
void lease_doubt(struct lease *l);
/* First in a transaction, which fails if the lease is not there any more. */
bool lease_check(store_db *db, const struct lease *l);
/* Gives it up, so that others need not wait until it is out. */
void lease_leave(struct lease *l);

/* Whether somebody has it; -1: it could not be read. */
int lease_is_held(store_db *db);

#endif
