/* One round of Doors as the solver sees it, written from the rules alone (the
 * ids are those of docs/rules/doors.en.md) and sharing nothing with the game
 * in src/games; a test plays one against the other.
 *
 * Main invariant: what is in neither deck, offer nor collection is discarded,
 * so these three bags and the step are a whole public position. */
#ifndef SAL_SOLVE_MODEL_H
#define SAL_SOLVE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* Kinds of cards; the first four are also the identities. Of an identity bit 0
 * is the colour (1: blue), bit 1 the role (1: tiger). */
enum { RL, BL, RT, BT, BR, LT, KINDS, IDENTITIES = 4 };
enum { TURNS = 5, OFFER = 4, SET = 4, EVERYONE = 15 };

/* Cards without order, two bits a kind: no kind has more than three. */
typedef uint32_t bag;
enum { ALL_CLUES = 0x5ff };

static inline bag one(unsigned kind) { return 1u << (2 * kind); }

static inline unsigned count(bag b, unsigned kind) {
  return b >> (2 * kind) & 3;
}
/* How many kinds before this one there are any of; KINDS: of all. */
static inline unsigned kinds_before(bag b, unsigned kind) {
  unsigned n = 0;
  for (unsigned k = 0; k < kind; k++)
    n += count(b, k) != 0;
  return n;
}

static inline unsigned total(bag b) {
  return (unsigned)__builtin_popcount(b & 0x555) +
         2 * (unsigned)__builtin_popcount(b & 0xaaa);
}

/* The steps of a round in their order. */
enum step { TAKE, REFILL_TAKE, CLAIM, DISCARD, REFILL_DISCARD, GUESS, STEPS };

struct position {
  bag deck, offer, collection;
  uint8_t turn; /* 1 to TURNS */
  uint8_t step;
};

/* What the Collector wins in each way a round can end, the Guesser's tokens
 * counted as losses; also any other worth with the same order. */
struct worth {
  float set, wrong, trait, guesser_set, deck_out, both;
};
struct sal_doors_worth;
struct worth worth_of(const struct sal_doors_worth *w);

/* The eight guesses: a mask of the identities that make each right. */
enum { GUESSES = 8, TRAIT_GUESSES = 4 };
extern const uint8_t guess_right[GUESSES];

/* doors.setup.deck: the beginning of a round. */
struct position position_first(bag offer);

/* The position of a start that has no problem. */
struct sal_doors_start;
struct position start_position(const struct sal_doors_start *s);

/* doors.set.*: the identities that the collection holds a set for. */
unsigned set_owners(bag collection);
/* Those that have none yet, but would with one card of the offer. */
unsigned set_seekers(bag collection, bag offer);

/* The position after a take or a discard, after a refill, and after a turn
 * that goes on (the Collector's `end` or the Guesser's). */
struct position position_pick(struct position p, unsigned kind);
struct position position_refill(struct position p, unsigned kind);
struct position position_end(struct position p);

/* The 8 symmetries of the game: bit 0 swaps the colours, bit 1 the roles,
 * bit 2 exchanges colour and role (and is applied last). */
enum { SYMMETRIES = 8 };
unsigned symmetry_kind(unsigned symmetry, unsigned kind);
bag symmetry_bag(unsigned symmetry, bag b);

#endif
