/* A multiset of up to 16 kinds of things in one word: nibble k counts the
 * things of kind k. Cards of one name are all alike, so a hand, a deck or an
 * open pile is a bag, and taking, counting and drawing need no loop.
 *
 * At most 15 things are of one kind, at most 128 in a bag. */
#ifndef SAL_GAMES_BAG_H
#define SAL_GAMES_BAG_H

#include <stdint.h>

typedef uint64_t bag;

#define BAG_BYTES UINT64_C(0x0101010101010101)

static inline bag bag_one(unsigned kind) { return UINT64_C(1) << (4 * kind); }

static inline unsigned bag_count(bag b, unsigned kind) {
  return (unsigned)(b >> (4 * kind)) & 15;
}

/* The first kind of which there is one. */
static inline unsigned bag_first(bag b) {
  return (unsigned)__builtin_ctzll(b) / 4;
}

/* Byte i counts the things of kinds 2i and 2i + 1. */
static inline uint64_t bag_pairs(bag b) {
  return (b & (15 * BAG_BYTES)) + (b >> 4 & (15 * BAG_BYTES));
}

static inline unsigned bag_total(bag b) {
  return (unsigned)((bag_pairs(b) * BAG_BYTES) >> 56);
}

/* The kind at place n when all lies sorted in a row. The product holds the
 * running sums of the pairs, all of them larger by 127 - n, which lifts exactly
 * those above n into the top bit of their byte. */
static inline unsigned bag_pick(bag b, unsigned n) {
  const uint64_t sums = bag_pairs(b) * BAG_BYTES;
  const uint64_t above = (sums + (127 - n) * BAG_BYTES) & (BAG_BYTES << 7);
  const unsigned bits = (unsigned)__builtin_ctzll(above) & 56;
  const unsigned before = (unsigned)((sums << 8) >> bits) & 255;
  const unsigned kind = bits / 4;
  return kind + (n - before >= bag_count(b, kind));
}

/* Whether `part` is in `whole`, as often in each kind. */
static inline int bag_holds(bag whole, bag part) {
  for (; part; part &= part - 1) {
    const unsigned kind = (unsigned)__builtin_ctzll(part) / 4;
    if (bag_count(whole, kind) < bag_count(part, kind))
      return 0;
  }
  return 1;
}

#endif
