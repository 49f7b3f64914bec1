/* Where connections come from: how many there are of one address.
 *
 * Main invariant: an address is in the table as long as it has connections. */
#ifndef SAL_SERVER_ADDRESSES_H
#define SAL_SERVER_ADDRESSES_H

#include "base/context.h"

struct address;

struct addresses *addresses_new(struct server *srv);
void addresses_free(struct addresses *a);

/* The place of an address that has connections; of IPv6, of its first 64 bits, since a
 * household has all the others. Or NULL. */
struct address *address_find(struct addresses *a, const char *text);
/* One more connection; NULL: it has as many as one may have, or memory is short. */
struct address *address_enter(struct addresses *a, const char *text);
void address_leave(struct addresses *a, struct address *from);

#endif
