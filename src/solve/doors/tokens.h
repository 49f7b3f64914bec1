/* What the ends of a round of Doors pay, in tokens: the one list of this folder.
 *
 * The game itself (src/games/doors.h) has a list of its own, and that is on
 * purpose: the solver is written from the rules alone, and a test plays the two
 * against each other. */
#ifndef SAL_SOLVE_DOORS_TOKENS_H
#define SAL_SOLVE_DOORS_TOKENS_H

/* To the Collector: doors.claim.collector, doors.guess.wrong. */
enum { TOKENS_SET = 6, TOKENS_WRONG = 4 };
/* To the Guesser: a trait or both guessed, a set, the deck run out. */
enum {
  TOKENS_TRAIT = 1,
  TOKENS_BOTH = 5,
  TOKENS_GUESSER_SET = 2,
  TOKENS_DECK_OUT = 3
};

/* As a worth: to the Collector, in the order of struct worth. */
/* clang-format off */
#define TOKENS_WORTH                                                           \
  {                                                                            \
    TOKENS_SET, TOKENS_WRONG, -TOKENS_TRAIT, -TOKENS_GUESSER_SET,              \
        -TOKENS_DECK_OUT, -TOKENS_BOTH                                         \
  }
/* clang-format on */

#endif
