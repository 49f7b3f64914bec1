/* SHA-1 of a short text, as FIPS 180-4 writes it. */
#include "sha1.h"

#include <assert.h>
#include <string.h>

static uint32_t rotl(uint32_t x, int k) { return x << k | x >> (32 - k); }

static void block(uint32_t h[5], const uint8_t *p) {
  uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 |
           (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
  for (int i = 16; i < 80; i++)
    w[i] = rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  for (int i = 0; i < 80; i++) {
    const uint32_t f = i < 20   ? ((b & c) | (~b & d)) + 0x5a827999u
                       : i < 40 ? (b ^ c ^ d) + 0x6ed9eba1u
                       : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdcu
                                : (b ^ c ^ d) + 0xca62c1d6u;
    const uint32_t t = rotl(a, 5) + f + e + w[i];
    e = d;
    d = c;
    c = rotl(b, 30);
    b = a;
    a = t;
  }
  h[0] += a;
  h[1] += b;
  h[2] += c;
  h[3] += d;
  h[4] += e;
}

void sha1(const void *data, size_t length, uint8_t out[SHA1_SIZE]) {
  uint8_t padded[128] = {0};
  uint32_t h[5] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u,
                   0xc3d2e1f0u};
  assert(length <= SHA1_INPUT_MAX);
  const size_t size = length <= 55 ? 64 : 128;
  memcpy(padded, data, length);
  padded[length] = 0x80;
  padded[size - 2] = (uint8_t)(length >> 5);
  padded[size - 1] = (uint8_t)(length << 3);
  for (size_t at = 0; at < size; at += 64)
    block(h, padded + at);
  for (int i = 0; i < SHA1_SIZE; i++)
    out[i] = (uint8_t)(h[i / 4] >> (24 - 8 * (i % 4)));
}
