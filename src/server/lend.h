/* A server that waits lends its threads to the one that serves, for bots to think on.
 * It calls there as often as it has threads; net/lenders.h is the other side. */
#ifndef SAL_SERVER_LEND_H
#define SAL_SERVER_LEND_H

#include "base/options.h"
#include "store/lease.h"

struct lending;

/* NULL: no memory or no threads, and nothing is lent. */
struct lending *lending_new(uv_loop_t *loop, const struct server_options *o);
/* Now and then: that one serves, and is there. Calls it again where a line is lost. */
void lending_to(struct lending *l, const struct lease_holder *serving,
                const struct sockaddr *there);
/* Closes all lines and ends the threads; whatever is being thought about ends at once.
 * The loop must have run dry before it is freed. Either may be given NULL. */
void lending_end(struct lending *l);
void lending_free(struct lending *l);

#endif
