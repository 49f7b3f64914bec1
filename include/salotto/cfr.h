/* Equilibria of any game for two that is small enough, by CFR+ over its game
 * tree, with exact best responses.
 *
 * The tree is made through the game interface alone: chance by `chance`,
 * actions by `legal`. What a seat knows is all it has seen: the bytes of its
 * view after every step, and its own actions (perfect recall). Seats that are
 * asked at once are asked one after the other, the lower first; the view keeps
 * the first one's answer from the second.
 *
 * Threads: one at a time on a solver; different solvers at once.
 * Memory: a solver is freed with sal_cfr_free; what it hands out lives as long
 * as it does. */
#ifndef SALOTTO_CFR_H
#define SALOTTO_CFR_H

#include "salotto/game.h"

SAL_BEGIN

/* What seat 0 plays for, and seat 1 against. */
enum sal_cfr_goal {
  SAL_CFR_SCORE, /* half the difference of the scores */
  SAL_CFR_WIN    /* 1 alone, 0 if the other wins, half if both or nobody does */
};

typedef struct sal_cfr sal_cfr;

enum sal_cfr_problem {
  SAL_CFR_FINE,
  SAL_CFR_NOT_TWO,   /* the set-up has not two players */
  SAL_CFR_TOO_LARGE, /* more nodes than were allowed */
  SAL_CFR_UNSOUND,   /* a seat that sees the same has other actions */
  SAL_CFR_NO_MEMORY
};

/* Makes the tree, of at most so many nodes; NULL and the problem if it cannot.
 * To free with sal_cfr_free. */
SAL_API sal_cfr *sal_cfr_new(const struct sal_game *g,
                             const struct sal_setup *setup,
                             enum sal_cfr_goal goal, size_t nodes_max,
                             enum sal_cfr_problem *problem);
SAL_API void sal_cfr_free(sal_cfr *c);

struct sal_cfr_size {
  size_t nodes, sets; /* of information */
  size_t depth;       /* most steps of a game */
};
SAL_API struct sal_cfr_size sal_cfr_size(const sal_cfr *c);

/* One iteration of CFR+ for each seat in turn; the average weighs iteration
 * number n by n. */
SAL_API void sal_cfr_iterate(sal_cfr *c);

/* What seat 0 gets at least with its average strategy, and at most against the
 * average strategy of seat 1. The value of the game lies between them; their
 * difference is the exploitability of both together (NashConv). */
struct sal_cfr_bounds {
  double low, high;
};
SAL_API struct sal_cfr_bounds sal_cfr_bounds(sal_cfr *c);

/* What a seat knows where it is asked, and its average strategy there. Sets
 * have numbers from 0 in the order of the depth of the tree. */
struct sal_cfr_set {
  int seat;
  const sal_view *view; /* of the seat, until the solver is freed */
  size_t count;
  const sal_action *action;
  double reach; /* by its own average strategy, at the last sal_cfr_bounds */
};
SAL_API struct sal_cfr_set sal_cfr_set(const sal_cfr *c, size_t number);
/* The probability of its action number `i`. */
SAL_API double sal_cfr_average(const sal_cfr *c, size_t number, size_t i);

SAL_END

#endif
