/* Addresses, networks and lines of the internet. */
#ifndef SAL_SERVER_NETWORK_H
#define SAL_SERVER_NETWORK_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

/* A network: an address and how many of its 128 bits count. IPv4 lies in
 * ::ffff:0:0/96. */
struct network {
  uint8_t bytes[16];
  int bits;
};

/* Reads "192.0.2.7", "2001:db8::1", or either with "/BITS". */
bool network_read(const char *text, struct network *out);
/* The bytes by which limits count an address: of IPv6 the first 64 bits, since
 * a household has all the others. What is no address counts as "::". */
void network_key(const char *text, uint8_t out[16]);
bool network_holds(const struct network *n, const struct network *address);

/* Who is cut off says nothing. So a line to another server that is quiet is tried, and
 * lost if nobody answers for some seconds. */
void network_watch_line(uv_tcp_t *line);
/* Writes a copy; `done` frees the request. False: it could not. */
bool network_send(uv_tcp_t *line, const void *bytes, size_t size,
                  uv_write_cb done);

#endif
