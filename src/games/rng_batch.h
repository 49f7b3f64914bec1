/* Several draws for the price of one, for the games that draw most. */
#ifndef SAL_GAMES_RNG_BATCH_H
#define SAL_GAMES_RNG_BATCH_H

#include "salotto/rng.h"

/* Several uniform numbers out of one draw: out[i] in [0, base[i]). `product` is
 * the product of the bases and fits 32 bits. Each multiplication yields a
 * number in its upper word and leaves the rest of the randomness in the lower;
 * the few draws that would favour some results are thrown away at the end. */
static inline void rng_batch(struct sal_rng *r, const uint32_t *base,
                             uint32_t product, uint32_t *out, int count) {
  for (;;) {
    uint64_t x = sal_rng_next(r);
    for (int i = 0; i < count; i++) {
      const unsigned __int128 m = (unsigned __int128)x * base[i];
      out[i] = (uint32_t)(m >> 64);
      x = (uint64_t)m;
    }
    if (x >= product || x >= (0u - (uint64_t)product) % product)
      return;
  }
}

#endif
