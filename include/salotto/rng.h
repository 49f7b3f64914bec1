/* The fast generator for simulation: xoshiro256** seeded by SplitMix64.
 *
 * The stream is specified: the same seed gives the same numbers on every
 * machine (tests/core/rng_test.c has the vectors). It is not for real tables:
 * whoever sees some output can compute the rest. Tables draw from ChaCha20,
 * see salotto/fair.h.
 *
 * Threads: one at a time on a generator.
 * Memory: nothing is allocated; a generator is the caller's, and copying is
 * assignment. */
#ifndef SALOTTO_RNG_H
#define SALOTTO_RNG_H

#include "salotto/api.h"

SAL_BEGIN

struct sal_rng {
  uint64_t s[4];
};

static inline uint64_t sal_splitmix(uint64_t *x) {
  uint64_t z = (*x += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static inline void sal_rng_seed(struct sal_rng *r, uint64_t seed) {
  for (int i = 0; i < 4; i++)
    r->s[i] = sal_splitmix(&seed);
}

static inline uint64_t sal_rotl(uint64_t x, int k) {
  return (x << k) | (x >> (64 - k));
}

static inline uint64_t sal_rng_next(struct sal_rng *r) {
  uint64_t *s = r->s;
  const uint64_t result = sal_rotl(s[1] * 5, 7) * 9;
  const uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = sal_rotl(s[3], 45);
  return result;
}

/* Uniform in [0, n), n > 0, without bias: multiply the upper 32 bits by n and
 * throw away the few values that would favour some results. */
static inline uint32_t sal_rng_below(struct sal_rng *r, uint32_t n) {
  uint64_t m = (sal_rng_next(r) >> 32) * n;
  if ((uint32_t)m < n) {
    const uint32_t reject = (0u - n) % n;
    while ((uint32_t)m < reject)
      m = (sal_rng_next(r) >> 32) * n;
  }
  return (uint32_t)(m >> 32);
}

SAL_END

#endif
