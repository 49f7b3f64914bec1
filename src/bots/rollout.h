/* Rollouts: a world is played to the end of the deal, everybody by a
 * heuristic. */
#ifndef SAL_BOTS_ROLLOUT_H
#define SAL_BOTS_ROLLOUT_H

#include "belief.h"

enum { BREADTH = 16 };

/* What a rollout needs besides the world. */
struct rollout {
  const struct sal_question *q;
  heuristic_fn *by[PICTURES];  /* the regular first */
  uint8_t kind[SAL_SEATS_MAX]; /* by which of them each seat plays */
  struct prospect prospect;
  bool by_round;
  int (*round_of)(const sal_view *view);
  int round; /* at the question */
  sal_action legal[LEGAL_MAX];
  double weight[LEGAL_MAX];
};

void rollout_begin(struct rollout *r, const struct sal_question *q,
                   struct sal_rng *rng);
/* Lets the question's seat do `first` in the world, plays on from there, and
 * tells how each seat stands then. The world is used up. */
void rollout_play(struct rollout *r, sal_state *world, sal_action first,
                  struct sal_rng *rng, float *value);

/* The actions that are worth a look: all of them, or those that the heuristic
 * likes best. Fills in their numbers and returns how many; `weight` is the
 * heuristic's. */
size_t favourites(const struct sal_question *q, const double *weight,
                  size_t most, size_t *out);

/* Bends a policy to the temper of whoever is asked: what is about as good is
 * done more or less often. */
void temper_policy(const struct sal_question *q, struct sal_policy *out);

/* The beliefs of the seat that is asked. */
void belief_of_seat(struct belief *b, const struct sal_question *q,
                    const struct trust *trust, const struct timer *timer,
                    struct sal_rng *rng);

#endif
