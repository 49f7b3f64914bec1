/* BLAKE2b (RFC 7693) and ChaCha20 (RFC 8439), small rather than fast: a game
 * draws a few dozen cards a minute. */
#include <sodium.h>

#include <string.h>
#include <unistd.h>

int sodium_init(void) { return 0; }

int sodium_memcmp(const void *a, const void *b, size_t size) {
  const unsigned char *x = a, *y = b;
  unsigned differs = 0;
  for (size_t i = 0; i < size; i++)
    differs |= (unsigned)(x[i] ^ y[i]);
  return differs ? -1 : 0;
}

void randombytes_buf(void *out, size_t size) {
  unsigned char *at = out;
  for (size_t n; size; at += n, size -= n) {
    n = size < 256 ? size : 256;
    if (getentropy(at, n) != 0)
      __builtin_trap(); /* nothing drawn from here on would be fair */
  }
}

/* ---- BLAKE2b ------------------------------------------------------------- */

static const uint64_t iv[8] = {0x6a09e667f3bcc908u, 0xbb67ae8584caa73bu,
                               0x3c6ef372fe94f82bu, 0xa54ff53a5f1d36f1u,
                               0x510e527fade682d1u, 0x9b05688c2b3e6c1fu,
                               0x1f83d9abfb41bd6bu, 0x5be0cd19137e2179u};

static const uint8_t order[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

static uint64_t right(uint64_t x, int n) { return x >> n | x << (64 - n); }

static void blake_mix(uint64_t v[16], int a, int b, int c, int d, uint64_t x,
                      uint64_t y) {
  v[a] += v[b] + x;
  v[d] = right(v[d] ^ v[a], 32);
  v[c] += v[d];
  v[b] = right(v[b] ^ v[c], 24);
  v[a] += v[b] + y;
  v[d] = right(v[d] ^ v[a], 16);
  v[c] += v[d];
  v[b] = right(v[b] ^ v[c], 63);
}

static void compress(crypto_generichash_state *s, int last) {
  uint64_t v[16], m[16];
  memcpy(m, s->block, sizeof m); /* both are little-endian */
  memcpy(v, s->h, sizeof s->h);
  memcpy(v + 8, iv, sizeof iv);
  v[12] ^= s->length;
  if (last)
    v[14] = ~v[14];
  for (int round = 0; round < 12; round++) {
    const uint8_t *o = order[round % 10];
    for (int i = 0; i < 4; i++)
      blake_mix(v, i, i + 4, i + 8, i + 12, m[o[2 * i]], m[o[2 * i + 1]]);
    for (int i = 0; i < 4; i++)
      blake_mix(v, i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12,
                m[o[8 + 2 * i]], m[o[9 + 2 * i]]);
  }
  for (int i = 0; i < 8; i++)
    s->h[i] ^= v[i] ^ v[i + 8];
}

int crypto_generichash_update(crypto_generichash_state *s,
                              const unsigned char *in,
                              unsigned long long length) {
  for (; length; in++, length--) {
    if (s->held == sizeof s->block) {
      s->length += s->held;
      compress(s, 0);
      s->held = 0;
    }
    s->block[s->held++] = *in;
  }
  return 0;
}

int crypto_generichash_init(crypto_generichash_state *s,
                            const unsigned char *key, size_t key_size,
                            size_t size) {
  memset(s, 0, sizeof *s);
  memcpy(s->h, iv, sizeof iv);
  s->h[0] ^= 0x01010000u ^ (uint64_t)key_size << 8 ^ (uint64_t)size;
  s->size = size;
  if (key_size) {
    memcpy(s->block, key, key_size);
    s->held = sizeof s->block;
  }
  return 0;
}

int crypto_generichash_final(crypto_generichash_state *s, unsigned char *out,
                             size_t size) {
  s->length += s->held;
  memset(s->block + s->held, 0, sizeof s->block - s->held);
  compress(s, 1);
  memcpy(out, s->h, size);
  return 0;
}

int crypto_generichash(unsigned char *out, size_t size, const unsigned char *in,
                       unsigned long long length, const unsigned char *key,
                       size_t key_size) {
  crypto_generichash_state s;
  crypto_generichash_init(&s, key, key_size, size);
  crypto_generichash_update(&s, in, length);
  return crypto_generichash_final(&s, out, size);
}

/* ---- ChaCha20 ------------------------------------------------------------ */

static uint32_t left(uint32_t x, int n) { return x << n | x >> (32 - n); }

static void quarter(uint32_t x[16], int a, int b, int c, int d) {
  x[a] += x[b];
  x[d] = left(x[d] ^ x[a], 16);
  x[c] += x[d];
  x[b] = left(x[b] ^ x[c], 12);
  x[a] += x[b];
  x[d] = left(x[d] ^ x[a], 8);
  x[c] += x[d];
  x[b] = left(x[b] ^ x[c], 7);
}

static void block(const uint32_t in[16], unsigned char out[64]) {
  uint32_t x[16];
  memcpy(x, in, sizeof x);
  for (int i = 0; i < 10; i++) {
    for (int k = 0; k < 4; k++)
      quarter(x, k, k + 4, k + 8, k + 12);
    for (int k = 0; k < 4; k++)
      quarter(x, k, (k + 1) % 4 + 4, (k + 2) % 4 + 8, (k + 3) % 4 + 12);
  }
  for (int i = 0; i < 16; i++)
    x[i] += in[i];
  memcpy(out, x, sizeof x);
}

int crypto_stream_chacha20_ietf_xor_ic(
    unsigned char *out, const unsigned char *in, unsigned long long length,
    const unsigned char *nonce, uint32_t counter, const unsigned char *key) {
  uint32_t x[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  unsigned char stream[64];
  memcpy(x + 4, key, 32);
  memcpy(x + 13, nonce, 12);
  for (unsigned long long i = 0; i < length; i++) {
    if (i % 64 == 0) {
      x[12] = counter++;
      block(x, stream);
    }
    out[i] = in[i] ^ stream[i % 64];
  }
  return 0;
}
