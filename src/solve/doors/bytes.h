/* Numbers in files: low byte first. */
#ifndef SAL_SOLVE_BYTES_H
#define SAL_SOLVE_BYTES_H

#include <stdint.h>

static inline void put(unsigned char *out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++)
    out[i] = (unsigned char)(value >> (8 * i));
}

static inline uint64_t get(const unsigned char *in, int bytes) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; i++)
    value |= (uint64_t)in[i] << (8 * i);
  return value;
}

#endif
