/* The one measure of a position: the chance of each seat to win the game, or
 * with more than two at the table its part of the win.
 *
 * A position is played out many times with the regular's heuristics at every
 * seat, each from its own view, to the end of the deal or round; from there on
 * the game's table of chances says the rest. Without such a table, and with more
 * than two at the table, it is played to its end. */
#ifndef SAL_REVIEW_MEASURE_H
#define SAL_REVIEW_MEASURE_H

#include "rollout.h"

/* Where a playout began: it ends with that deal or round. */
struct mark {
  int closed, round;
};
#define MARK_NONE ((struct mark){-1, -1}) /* before the first deal */

struct measure {
  const struct sal_game *game;
  int players;
  const struct heuristics *heuristics;
  chances_fn *chances; /* NULL: none is known */
  sal_action *legal;   /* room for what a playout's seats may do */
  double *weight;
  struct belief belief;
};

/* NULL without memory. */
struct measure *measure_new(const struct sal_game *g, int players);
void measure_free(struct measure *m);

/* How often the habitual player does each action of a question. */
void measure_habit(const struct sal_question *q, double *chance);

struct mark measure_mark(const struct measure *m, const sal_state *s);
/* Plays on from a state, which is used up. */
void measure_playout(struct measure *m, struct mark mark, sal_state *s,
                     struct sal_rng *rng, double *share);
/* The mean of so many playouts. Where a draw is due, it is made and the deal or
 * round that it leads to is played out: so what cards may be worth is measured
 * before they are drawn as it is afterwards. */
void measure_state(struct measure *m, struct mark mark, const sal_state *s,
                   uint32_t playouts, struct sal_rng *rng, double *share);

/* ---- Decisions ------------------------------------------------------------ */

/* An action that was looked at, in worlds that the seat can believe in. */
struct option_value {
  size_t number; /* in the list of legal actions */
  size_t slot;   /* where its worlds are, while it is compared */
  double habit;  /* how often the habitual player does it, of those looked at */
  double often;  /* how often best play does it; -1: nobody has solved this */
  double share[SAL_SEATS_MAX]; /* the chances after it */
  double value; /* what is told: the seat's own chance, the best first */
  double error; /* standard error of the distance to the best */
  double ahead, behind; /* parts of the worlds in which the first option does
                           better than this one, and worse */
  double gain, loss;    /* and by how much, on the mean of these */
  uint32_t worlds;
};

struct decision {
  bool mixed;                /* best play is known: `often` */
  double par[SAL_SEATS_MAX]; /* if the habitual player decides */
  double best;               /* the value of best play */
  double error;              /* standard error of `best` */
  size_t count;
  struct option_value option[BREADTH + 1];
};

/* Best play does it at least so often: then it is as good as the best. */
#define MEASURE_SUPPORT 0.05

/* Forms the beliefs of the question's seat. Actions are compared in beliefs that
 * trust little, for nobody should be judged by how well they exploit a habit;
 * how good the position is, is told by those that trust in habits, which are
 * calibrated. */
void measure_believe(struct measure *m, const struct sal_question *q,
                     const struct trust *trust, struct sal_rng *rng);
/* The chances of all seats where a question is asked, if all play on by habit:
 * the mean of so many playouts; the standard error of the seat's own, unless
 * NULL. */
void measure_question(struct measure *m, const struct sal_question *q,
                      uint32_t playouts, struct sal_rng *rng, double *share,
                      double *error);

/* Compares what a seat can do in `worlds` worlds, all actions in the same ones
 * with the same luck. `played` (0: none) is looked at in any case. */
void measure_decision(struct measure *m, const struct sal_question *q,
                      sal_action played, uint32_t worlds, struct sal_rng *rng,
                      struct decision *out);

#endif
