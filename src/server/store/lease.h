/* A server's lease on a store that several share: a row of `server` with the time
 * until when it counts as alive, by the clock of the database, and a number.
 *
 * Main invariants: nothing is written by a server whose lease is out; that is
 * checked in the transaction that writes. A lease that was out goes on under
 * another number: so whoever had it knows that others may have gone on without
 * it, and reads the log again. A server has one as long as it lives: it is
 * renewed every second, on the writer's thread.
 *
 * docs/scale.md has the protocol, and `model/lease.pml` its model; the names of its
 * steps are in capitals here and there. */
#ifndef SAL_SERVER_LEASE_H
#define SAL_SERVER_LEASE_H

#include "sql.h"

enum { LEASE_MS = 3000, LEASE_RENEW_MS = 1000 };

struct lease {
  int64_t id, fence; /* id 0: there is none */
  uint64_t renewed;  /* by uv_hrtime, in milliseconds */
};

/* TAKE: a new one; false: it could not. */
bool lease_take(store_db *db, struct lease *l);
/* Whether it is time to renew it. */
bool lease_is_due(const struct lease *l);
/* RENEW: outside of a transaction; false: it could not. Its number is another one
 * if it was out. */
bool lease_renew(store_db *db, struct lease *l);
/* CHECK: first in a transaction, which fails if the lease is out. */
bool lease_check(store_db *db, const struct lease *l);
/* LEAVE: others need not wait until it is out. */
void lease_leave(store_db *db, struct lease *l);
/* How many servers live, without that one; -1: it could not be read. */
int lease_others(store_db *db, const struct lease *l);

#endif
