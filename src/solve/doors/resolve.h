/* The rest of a round from the Guesser's second discard, solved at the table by
 * one side.
 *
 * This is safe re-solving: that side must not become worse than its blueprint.
 * So before the discard the opponent of each identity may stop and take the
 * counterfactual value that the blueprint gives: a strategy that leaves nobody
 * a reason to play on gives no more than that away. Main invariant: the same history, worth and number of
 * iterations give the same strategy, whoever asks and when. */
#ifndef SAL_SOLVE_RESOLVE_H
#define SAL_SOLVE_RESOLVE_H

#include "history.h"
#include "walk.h"

struct resolve {
  struct board board;
  struct worth worth;
  enum side side;     /* who solves */
  vec own;            /* its reach probabilities at the discard: its range */
  vec counterfactual; /* to the opponent, against those */
  vec play, stop;     /* the opponent's regrets */
  vec *memory;
  uint32_t done;
  float scale; /* of `own`, before it was made one size */
  /* Which endings are noted: see walk.h. */
  struct ending_sums *notes;
  uint32_t from, to;
};

/* `at` is the position of the discard, `mean` the opponent's counterfactual
 * value in the blueprint, by identity, averaged over this side's range. False without
 * memory. */
bool resolve_begin(struct resolve *r, const struct position *at,
                   const struct worth *w, enum side side, vec own, vec mean);
void resolve_free(struct resolve *r);
void resolve_iterate(struct resolve *r);
/* Back to no iterations. */
void resolve_forget(struct resolve *r);

/* Where a turned history of three picks or more has come to: the sums of the
 * next pick and, after a discard, of the guess before it; from the fourth take
 * on, the ending and the number of its notes. */
struct resolve_place {
  const struct public_state *state; /* of the next pick */
  const vec *picks, *guesses;       /* sums */
  const struct ending *ending;      /* or NULL */
  uint32_t last;                    /* number of the last take */
  unsigned choice;                  /* of it */
};
struct resolve_place resolve_seek(const struct resolve *r,
                                  const struct history *h);

/* Notes the endings of a last take, or of all of them; begins anew. False
 * without memory. */
bool resolve_note(struct resolve *r, uint32_t from, uint32_t to);

/* What the best opponent of each identity wins or leaves, in the units of
 * `own` (as it was given, so as to add up with other histories). */
vec resolve_best(const struct resolve *r);

#endif
