/* The origin of the public URL, as browsers write it. */
#ifndef SAL_SERVER_ORIGIN_H
#define SAL_SERVER_ORIGIN_H

#include <stdbool.h>

enum { ORIGIN_MAX = 256 };

/* scheme://host[:port]: small letters, the host in ASCII, no port that goes
 * without saying, no path. False if the text is not such a URL. */
bool origin_of(const char *url, char out[ORIGIN_MAX]);

#endif
