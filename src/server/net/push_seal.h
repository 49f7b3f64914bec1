/* The cryptography of Web Push: messages that only one browser can read (RFC
 * 8291), and tokens by which a push service knows the server (RFC 8292). All of
 * it is OpenSSL's; here it is only put together. */
#ifndef SAL_SERVER_PUSH_SEAL_H
#define SAL_SERVER_PUSH_SEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  PUSH_POINT = 65,       /* bytes of a public key: a point, uncompressed */
  PUSH_AUTH = 16,        /* of the secret of a subscription */
  PUSH_PLAIN_MAX = 1024, /* of a message */
  PUSH_SEALED_MAX = PUSH_PLAIN_MAX + 200,
  PUSH_TOKEN_MAX = 700
};

/* The key pair of a server; NULL: there is none in the file, or no memory. */
struct push_keys;
struct push_keys *push_keys_read(const char *path);
void push_keys_free(struct push_keys *k);
/* Makes one and writes it to a file that must not be there; false: it could
 * not, and errno says why. */
bool push_keys_make(const char *path);
/* The public key in base64url. */
const char *push_keys_public(const struct push_keys *k);

/* The header that proves who sends: for that origin of a push service, from
 * `contact`, good until that time (Unix, in seconds). */
bool push_token(const struct push_keys *k, const char *audience,
                const char *contact, int64_t until, char out[PUSH_TOKEN_MAX]);

/* Whether a subscription's key is a point of the curve. */
bool push_is_point(const uint8_t point[PUSH_POINT]);
/* Seals a message for a subscription. */
bool push_seal(const uint8_t point[PUSH_POINT], const uint8_t auth[PUSH_AUTH],
               const char *plain, size_t length, uint8_t out[PUSH_SEALED_MAX],
               size_t *sealed);

#endif
