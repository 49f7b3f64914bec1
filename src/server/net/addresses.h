/* Where connections come from: how many there are of one address, and how often
 * it gets into the log.
 *
 * Main invariant: an address with open connections is in the table; one without
 * goes a while after its last. So the memory follows the connections. */
#ifndef SAL_SERVER_ADDRESSES_H
#define SAL_SERVER_ADDRESSES_H

#include "base/context.h"

struct address;

struct addresses *addresses_new(struct server *srv);
void addresses_free(struct addresses *a);

/* The place of an address; of IPv6, of its first 64 bits, since a household has
 * all the others. NULL: memory is short. */
struct address *address_find(struct addresses *a, const char *text);
/* One more connection; false: it has as many as one may have. */
bool address_enter(struct addresses *a, struct address *from);
void address_leave(struct addresses *a, struct address *from);
/* Whether it may have one more line in the log. */
bool address_may_log(struct addresses *a, struct address *from);

/* Once in a while: forgets addresses that have gone. */
void addresses_sweep(struct addresses *a);

#endif
