/* Where connections come from: how many there are of one address, and how often
 * it may do what others pay for.
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
/* Whether that address may do such a thing once more now: get into the log, make
 * guests, accounts and sessions, read what is stored. */
enum address_limit {
  ADDRESS_LOGS,
  ADDRESS_MAKES,
  ADDRESS_READS,
  ADDRESS_LIMITS
};
bool address_may(struct addresses *a, const char *text,
                 enum address_limit what);

/* Once in a while: forgets addresses that have gone. */
void addresses_sweep(struct addresses *a);

#endif
