/* How a round of Doors ends after the Collector's fourth take, in closed form.
 *
 * From there on only the Guesser still decides anything. A Collector with a
 * set claims it; one who can complete a set with the fifth take does; the
 * others can only look alike. So all that matters is which identities have a
 * set now, and for each discard and refill of the fourth turn which could
 * complete one: their mask. The Guesser's fifth turn is a name or the end.
 *
 * Main invariant: an ending depends on the cards through its masks and their
 * chances alone, so that many positions share one. */
#ifndef SAL_SOLVE_ENDING_H
#define SAL_SOLVE_ENDING_H

#include "model.h"
#include "vec.h"

#include <stdbool.h>

/* The most there are of each: the test makes every ending there is. */
enum { MASKS = 3, SCENES = 2, DISCARDS = 2 };

/* A refill of the offer after which discards differ: the chance of each mask
 * after each sensible discard. */
struct scene {
  float chance;
  uint8_t discards;
  float mask_chance[DISCARDS][MASKS];
};

struct ending {
  uint8_t owners; /* who holds a set already */
  uint8_t masks, scenes;
  uint8_t mask[MASKS];
  /* The chances of masks where only one discard is sensible. */
  float settled[MASKS];
  struct scene scene[SCENES];
};

/* The ending after a take of `kind` at the Collector's fourth turn. */
void ending_make(struct ending *e, const struct position *p, unsigned kind);

/* What the Collector of identity g ^ e wins from the Guesser of identity g,
 * who answers the Collector's reach `seen` almost as well as can be: an action
 * that is worse by d (a token a deal) keeps a weight of `softness` - d. */
struct others ending_play(const struct ending *e, const struct worth *w,
                          vec seen, float softness);

/* The Guesser's answers of many iterations added up, each times the share of
 * those who give it. All that a guess pays does not depend on the mask, and a
 * mask not on how it came about, so sums over these lose nothing. */
enum { ENDING_GUESSES = 6, ENDING_LASTS = 4 };
struct ending_sums {
  vec guess[ENDING_GUESSES]; /* as in guess.h; then the claim */
  vec mask[MASKS];
  vec last[MASKS][ENDING_LASTS]; /* names and the end, after ending the turn */
  vec discard[SCENES][DISCARDS];
};
void ending_note(const struct ending *e, const struct worth *w, vec seen,
                 float softness, vec share, struct ending_sums *sums);

/* The chances of the Guesser's fourth discard, at a position of the ending. */
void ending_discards(const struct ending *e, const struct ending_sums *sums,
                     const struct position *p, vec chance[KINDS]);
/* What follows it where `mask` can complete a set; if the turn is ended, the
 * fifth turn is a name or the end. */
struct ending_choice {
  vec guess[ENDING_GUESSES], end;
  vec last[ENDING_LASTS];
};
void ending_guesses(const struct ending *e, const struct ending_sums *sums,
                    unsigned mask, struct ending_choice *out);

/* What the Collector who reaches the ending so wins from the best Guesser. */
vec ending_best(const struct ending *e, const struct worth *w, vec reach);

#endif
