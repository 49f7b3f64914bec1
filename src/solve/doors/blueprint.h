/* A blueprint strategy: all that is kept of one solution of the round, for one
 * worth of its ends. The rest is solved again at the table.
 *
 * Main invariant: the nodes of the first turns are numbered in the order of a
 * depth-first walk over the 15 offers, kinds of cards rising; of histories that
 * a symmetry of the offer carries into each other from the first refill after a
 * discard on only the first has a number. */
#ifndef SAL_SOLVE_DOORS_BLUEPRINT_H
#define SAL_SOLVE_DOORS_BLUEPRINT_H

#include "model.h"

enum {
  BOOK_POSITIONS = 4948, /* of the Collector's takes, as far as they differ */
  OFFERS = 15,
  FIRST_DISCARDS = 221,
  FIRST_GUESSES = 2087,
  SECOND_DISCARDS = 28854,
  GUESS_KINDS = 5 /* see guess.h; the rest is to go on */
};

struct blueprint {
  /* The Collector without memory: the chances of picks in 255ths, positions by
   * their key and picks by their kind. */
  uint8_t book[BOOK_POSITIONS][IDENTITIES][OFFER];
  /* The Collector's first two takes. */
  uint8_t first_take[OFFERS][OFFER][IDENTITIES];
  uint8_t second_take[FIRST_GUESSES][OFFER][IDENTITIES];
  /* The Guesser's first turn. */
  uint8_t discard[FIRST_DISCARDS][OFFER][IDENTITIES];
  uint8_t guess[FIRST_GUESSES][GUESS_KINDS][IDENTITIES];
  /* Counterfactual values before the second discard: what a best Collector of
   * each identity gets, on average over the Guesser's range, and what a best
   * Guesser gives, on average over the Collector's. From the worth of both traits (0) to that of a
   * set (65535). */
  uint16_t collector[SECOND_DISCARDS][IDENTITIES];
  uint16_t guesser[SECOND_DISCARDS][IDENTITIES];
};

#endif
