/* One walk over the histories of a round of Doors, depth first over memory
 * that lies in the same order: a pass of CFR+ for one side, or its best
 * response to the other's average.
 *
 * Main invariant: numbers are what the Collector wins, for both sides, without
 * the chance of the draws above; rows are over the identities of the side that
 * the walk is for. Reaches are products of strategies alone. */
#ifndef SAL_SOLVE_WALK_H
#define SAL_SOLVE_WALK_H

#include "board.h"

enum side { COLLECTOR, GUESSER };

/* A subtree that is walked apart from the top of the tree above it: everything after
 * the Guesser's discard of the first turn. A mirrored task has no memory; its
 * result is that of an earlier one with the identities renamed. */
struct task {
  const struct public_state *state;
  vec *memory;
  uint32_t source;             /* number of the task that is walked for it */
  uint8_t renamed[IDENTITIES]; /* where the result of an identity lies */
  vec collector, guesser;      /* reaches, set by spreading */
  vec result;
};

/* In the top of the tree: first the reaches are spread to the tasks, then, when these
 * are done, the results gathered. A task is walked like any subtree. */
enum stage { SPREAD, GATHER, SUBTREE };

struct walk {
  const struct board *board;
  const struct worth *worth;
  enum side side;
  enum stage stage;
  float weight;   /* of this iteration in the averages */
  float present;  /* of the Collector's present strategy, not yet in them */
  float softness; /* of the Guesser's endings */
  vec *at;        /* memory of the next node */
  struct task *tasks;
  uint32_t next; /* task, in the top of the tree */
  /* Of last takes `from` to `to` the Guesser's answers are noted, OFFER a take;
   * `last` counts the takes. */
  struct ending_sums *notes;
  uint32_t last, from, to;
};

/* How far from best the Guesser's endings may be: found by trial in tokens,
 * and in proportion where the worth is another. */
float softness_at(const struct worth *w, uint32_t iteration);

/* CFR+ below a take, a discard, and a guess. */
vec learn_take(struct walk *w, const struct public_state *s, vec collector,
               vec guesser);
vec learn_discard(struct walk *w, const struct public_state *s, vec collector,
                  vec guesser);
vec learn_guess(struct walk *w, const struct public_state *next, vec collector,
                vec guesser);

/* The same for a best response; `reach` is the Collector's average and only
 * the Guesser's response needs it. Sums are not divided by their weights. */
vec best_take(struct walk *w, const struct public_state *s);
vec best_discard(struct walk *w, const struct public_state *s, vec reach);
vec best_guess(struct walk *w, const struct public_state *next, vec reach);

#endif
