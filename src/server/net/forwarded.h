/* What proxies say about who asks: X-Forwarded-For. Pure. */
#ifndef SAL_SERVER_FORWARDED_H
#define SAL_SERVER_FORWARDED_H

#include <stdbool.h>

enum { FORWARDED_MAX = 46 };

/* The address that the farthest of `hops` trusted proxies has seen, without its
 * port. Each of them adds one at the end of the list, so it is the last but
 * hops - 1; whatever stands before it the client may have made up. False: there
 * is no sound address in that place. */
bool forwarded_client(const char *list, int hops, char out[FORWARDED_MAX]);

#endif
