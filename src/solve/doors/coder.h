/* An adaptive binary range coder: few bits where the next bit is likely.
 *
 * Main invariant: reader and writer adapt their chances by the same bits in the
 * same order. The reader never leaves its bytes: past their end it reads
 * zeros. */
#ifndef SAL_SOLVE_CODER_H
#define SAL_SOLVE_CODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The chance of a 0, in 2048ths. */
typedef uint16_t odds;
enum { ODDS_BITS = 11, ODDS_EVEN = 1 << (ODDS_BITS - 1), ODDS_SHIFT = 5 };

struct coder {
  unsigned char *out;      /* when writing */
  const unsigned char *in; /* when reading */
  size_t at, size;
  uint64_t low;
  uint32_t range, code;
  uint64_t waiting;
  unsigned char held;
  bool full; /* there was no room to write */
};

static inline void coder_put(struct coder *c, unsigned char byte) {
  if (c->at < c->size)
    c->out[c->at] = byte;
  else
    c->full = true;
  c->at++;
}

/* A carry can still run through bytes that wait. */
static inline void coder_shift(struct coder *c) {
  if (c->low < 0xff000000u || c->low >> 32) {
    const unsigned char carry = (unsigned char)(c->low >> 32);
    for (; c->waiting; c->waiting--, c->held = 0xff)
      coder_put(c, (unsigned char)(c->held + carry));
    c->held = (unsigned char)(c->low >> 24);
  }
  c->waiting++;
  c->low = (c->low & 0x00ffffff) << 8;
}

static inline void coder_write_begin(struct coder *c, unsigned char *out,
                                     size_t room) {
  *c = (struct coder){
      .out = out, .size = room, .range = UINT32_MAX, .waiting = 1};
}

/* Returns the number of bytes. */
static inline size_t coder_write_end(struct coder *c) {
  for (int i = 0; i < 5; i++)
    coder_shift(c);
  return c->at;
}

static inline unsigned char coder_get(struct coder *c) {
  return c->at < c->size ? c->in[c->at++] : 0;
}

static inline void coder_read_begin(struct coder *c, const unsigned char *in,
                                    size_t size) {
  *c = (struct coder){.in = in, .size = size, .range = UINT32_MAX};
  for (int i = 0; i < 5; i++)
    c->code = c->code << 8 | coder_get(c);
}

/* One bit, written or read. */
static inline unsigned coder_bit(struct coder *c, odds *o, unsigned bit) {
  const uint32_t bound = (c->range >> ODDS_BITS) * *o;
  if (c->in)
    bit = c->code >= bound;
  if (bit) {
    c->low += bound;
    c->code -= c->in ? bound : 0;
    c->range -= bound;
    *o = (odds)(*o - (*o >> ODDS_SHIFT));
  } else {
    c->range = bound;
    *o = (odds)(*o + (((1 << ODDS_BITS) - *o) >> ODDS_SHIFT));
  }
  while (c->range < 1u << 24) {
    c->range <<= 8;
    if (c->in)
      c->code = c->code << 8 | coder_get(c);
    else
      coder_shift(c);
  }
  return bit;
}

/* A number of so many bits, the high ones first; `tree` has 1 << bits odds. */
static inline unsigned coder_tree(struct coder *c, odds *tree, int bits,
                                  unsigned value) {
  unsigned node = 1;
  for (int i = bits - 1; i >= 0; i--)
    node = node << 1 | coder_bit(c, &tree[node], value >> i & 1);
  return node - (1u << bits);
}

#endif
