/* Doors without an interface; see doors_bare.h. Byte k of a word counts the
 * cards of kind k, as in the game; nothing else is shared with it, so that each
 * can be held against the other. */
#include "doors_bare.h"

typedef uint64_t cards;

static const cards all = UINT64_C(0x0000010103030303);
static const cards bytes = UINT64_C(0x0101010101010101);

static inline cards one(unsigned kind) { return UINT64_C(1) << 8 * kind; }

/* The n-th card when all lie in a row. */
static inline unsigned nth(cards c, unsigned n) {
  const cards above = ((c + 127 - n) * bytes) & (bytes << 7);
  return (unsigned)__builtin_ctzll(above) >> 3;
}

/* A kind that is there, each as likely. */
static inline unsigned any_kind(cards c, struct sal_rng *rng) {
  const cards there = (c + 127 * bytes) >> 7 & bytes & 0xffffffffffff;
  const uint32_t kinds = (uint32_t)__builtin_popcountll(there);
  return nth(there, sal_rng_below(rng, kinds));
}

static inline cards draw(cards *deck, uint32_t left, struct sal_rng *rng) {
  const cards c = one(nth(*deck, sal_rng_below(rng, left)));
  *deck -= c;
  return c;
}

/* The traits of which the cards have four: red, blue, lady, tiger. */
static inline unsigned sets(cards c) {
  const unsigned rl = c & 255, bl = c >> 8 & 255, rt = c >> 16 & 255,
                 bt = c >> 24 & 255, br = c >> 32 & 255, lt = c >> 40 & 255;
  return (unsigned)(rl + rt + br >= 4) | (unsigned)(bl + bt + br >= 4) << 1 |
         (unsigned)(rl + bl + lt >= 4) << 2 |
         (unsigned)(rt + bt + lt >= 4) << 3;
}

static inline unsigned traits(unsigned door) {
  return 1u << (door & 1) | 4u << (door >> 1);
}

/* What the Collector (0) or the Guesser (1) earns. */
struct pay {
  unsigned to, tokens;
};

static inline struct pay guessed(unsigned guess, unsigned mine) {
  static const uint8_t named[] = {1, 2, 4, 8, 5, 6, 9, 10};
  const bool right = (named[guess] & ~mine) == 0;
  return (struct pay){right, right ? (guess < 4 ? 1 : 5) : 4};
}

static struct pay play_round(struct sal_rng *rng, uint64_t *decisions) {
  cards deck = all, offer = 0, kept = 0;
  const unsigned door = sal_rng_below(rng, 4);
  const unsigned theirs = traits((door + 1 + sal_rng_below(rng, 3)) & 3);
  const unsigned mine = traits(door);
  uint32_t left = 14;
  for (; left > 10; left--)
    offer += draw(&deck, left, rng);
  for (int turn = 1; turn <= 5; turn++) {
    const cards taken = one(any_kind(offer, rng));
    kept += taken;
    offer += draw(&deck, left--, rng) - taken;
    ++*decisions;
    const unsigned full = turn >= 4 ? sets(kept) : 0;
    if (full) {
      ++*decisions;
      if ((full & mine) && sal_rng_below(rng, 2) == 0)
        return (struct pay){0, 6};
    }
    offer -= one(any_kind(offer, rng));
    offer += draw(&deck, left--, rng);
    *decisions += 2;
    const unsigned claims = (full & theirs) != 0;
    const unsigned choice = sal_rng_below(rng, 9 + claims);
    if (choice < 8)
      return guessed(choice, mine);
    if (choice == 8 && claims)
      return (struct pay){1, 2};
  }
  return (struct pay){1, 3};
}

uint64_t doors_bare_match(struct sal_rng *rng, bool *first) {
  unsigned tokens[2] = {0, 0};
  uint64_t decisions = 0;
  for (unsigned collector = 0; tokens[0] < 10 && tokens[1] < 10;
       collector ^= 1) {
    const struct pay p = play_round(rng, &decisions);
    tokens[collector ^ p.to] += p.tokens;
  }
  *first = tokens[0] >= 10;
  return decisions;
}
