/* SHA-1, which the WebSocket handshake asks for and libsodium rightly lacks.
 * It protects nothing here. */
#ifndef SAL_SERVER_SHA1_H
#define SAL_SERVER_SHA1_H

#include <stddef.h>
#include <stdint.h>

enum { SHA1_SIZE = 20, SHA1_INPUT_MAX = 119 };

/* Of at most SHA1_INPUT_MAX bytes. */
void sha1(const void *data, size_t length, uint8_t out[SHA1_SIZE]);

#endif
