/* A server that waits for its turn: of those that share a store one has the lease
 * (store/lease.h) and serves; the others hand whatever is sent to them on to it,
 * byte for byte, and look whether the lease is free.
 *
 * So a person may be connected to any of them, and all that a server knows and the
 * store does not (who listens, chat, who may do how much) is in one place. */
#ifndef SAL_SERVER_FORWARD_H
#define SAL_SERVER_FORWARD_H

#include "base/ending.h"
#include "base/options.h"
#include "store/lease.h"

/* Hands on what comes to `listening`, a socket that listens, until this server has
 * the lease; `address` is where the others reach it then. `blind`: the database has not
 * answered for a while, so whoever comes is told until it does. NULL: it was asked to
 * end, and why->code is 0; or it could not begin, with a sentence. */
struct lease *forward_until_turn(const struct server_options *o, int listening,
                                 const char *address, bool blind,
                                 struct ending *ending,
                                 struct sal_refusal *why);

#endif
