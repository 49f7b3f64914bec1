/* Solving a round of Traps for two: vector CFR+ over the public tree.
 *
 * All that both players see is who builds and what is bet, so the solver walks
 * the public histories and computes with rows, a number for each type (hand and
 * pile) of who is to act. Building ends at a position, the `cut`: there the
 * actor must bet. If that is the first player (an even cut), `low` holds in the
 * whole game, for the first player alone decided not to build further; at an
 * odd cut `high` does.
 *
 * A history is a position of building and the set of bets made there, as a
 * mask: bit b - 1 is a bet of b. A bet that nobody can meet is one action, the
 * overbid, and leaves the other nothing but to pass. */
#ifndef SAL_SOLVE_TRAPS_ROUND_H
#define SAL_SOLVE_TRAPS_ROUND_H

#include "dig.h"
#include "salotto/solve_traps.h"

/* ---- Histories ------------------------------------------------------------ */

/* The options at a history, in this order: at first, without bets, build a
 * trap, a one, a two; else pass; then the bets that are higher, and the
 * overbid. At the cut, building is there but never done. */
enum { BUILDS = 3, OPTIONS_MAX = BUILDS + BET_TOP + 1 };

static inline int bet_high(unsigned bets) {
  int b = 0;
  while (bets >> b)
    b++;
  return b;
}
static inline int history_actor(int p, unsigned bets) {
  return (position_actor(p) + __builtin_popcount(bets)) & 1;
}
static inline int history_lead(unsigned bets) { return bets ? 1 : BUILDS; }
static inline int history_options(int p, unsigned bets) {
  return history_lead(bets) + position_top(p) - bet_high(bets) + 1;
}

/* ---- The solver ----------------------------------------------------------- */

struct task {
  struct pay pay[2]; /* by the side that digs */
  /* The chances of two hands: [first's][second's]; any sum. */
  double deals[HANDS][HANDS];
  int cut;
  unsigned keep; /* mask of sides whose digging is kept, to be played */
};

struct round;

/* NULL without memory. */
struct round *round_new(const struct task *t);
void round_free(struct round *r);
void round_iterate(struct round *r);
/* Several processes solve one together: sal_traps_solver_divide and …_gather. */
void round_divide(struct round *r, const struct sal_solve_team *team);
void round_gather(struct round *r);
uint32_t round_done(const struct round *r);

/* What the first player gets at least with the average strategy, and at most
 * against the second's, in what `pay` counts. */
struct bounds {
  double low, high;
};
struct bounds round_bounds(struct round *r);

/* ---- The average strategies ------------------------------------------------ */

/* Sums of weighed chances, a row for each option, `*stride` numbers from one to
 * the next; a number for each type of the actor, and of the types with one card
 * for the card that a side places. */
const float *round_sums(const struct round *r, int p, unsigned bets,
                        int *stride);
const float *round_placed(const struct round *r, int side);

/* Of the digging after a pass: the plan, and sums for each point; NULL if the
 * digger's side is not kept. */
const struct plan *round_plan(const struct round *r, int p, unsigned bets);
const shares *round_dug(const struct round *r, int p, unsigned bets);

/* How often a round ends in each way when both play their averages, by the side
 * that digs; both sides must be kept. Also by the position of the first bet.
 * False without memory. */
struct ends {
  double of[2][OUTCOMES];
  double over[2]; /* of these, after an overbid */
  double opened[POSITIONS];
};
bool round_ends(const struct round *r, const struct task *t, struct ends *out);

#endif
