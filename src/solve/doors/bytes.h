/* Numbers in files: low byte first. */
#ifndef SAL_SOLVE_BYTES_H
#define SAL_SOLVE_BYTES_H

#include <stddef.h>
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

/* Changes with every bit. */
static inline uint64_t checksum(const unsigned char *bytes, size_t n) {
  uint64_t h = UINT64_C(0xcbf29ce484222325) ^ n;
  for (size_t i = 0; i < n; i++) {
    h = (h ^ bytes[i]) * UINT64_C(0x100000001b3);
    h ^= h >> 29;
  }
  return h;
}

#endif
