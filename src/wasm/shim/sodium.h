/* The little that the engine asks of libsodium, which is not packaged for
 * WebAssembly. sodium.c has it; a test compares it with the library. */
#ifndef SAL_WASM_SODIUM_H
#define SAL_WASM_SODIUM_H

#include <stddef.h>
#include <stdint.h>

enum { crypto_stream_chacha20_IETF_NONCEBYTES = 12 };

typedef struct {
  uint64_t h[8];
  uint64_t length;
  size_t held;
  size_t size;
  uint8_t block[128];
} crypto_generichash_state;

int sodium_init(void);
int sodium_memcmp(const void *a, const void *b, size_t size);
void randombytes_buf(void *out, size_t size);

/* BLAKE2b. */
int crypto_generichash(unsigned char *out, size_t size, const unsigned char *in,
                       unsigned long long length, const unsigned char *key,
                       size_t key_size);
int crypto_generichash_init(crypto_generichash_state *s,
                            const unsigned char *key, size_t key_size,
                            size_t size);
int crypto_generichash_update(crypto_generichash_state *s,
                              const unsigned char *in,
                              unsigned long long length);
int crypto_generichash_final(crypto_generichash_state *s, unsigned char *out,
                             size_t size);

/* ChaCha20 as in RFC 8439, from block `counter` on. */
int crypto_stream_chacha20_ietf_xor_ic(
    unsigned char *out, const unsigned char *in, unsigned long long length,
    const unsigned char *nonce, uint32_t counter, const unsigned char *key);

#endif
