/* The searchers. */
#ifndef SAL_BOTS_SEARCH_H
#define SAL_BOTS_SEARCH_H

#include "habits.h"

/* The expert: search.c. */
void think_expert(const struct sal_question *q, struct sal_rng *rng,
                  struct sal_thought *out);
/* The textbook: ismcts.c. */
void think_ismcts(const struct sal_question *q, struct sal_rng *rng,
                  struct sal_thought *out);

/* How good the end of a simulation is for a seat, 0 to 1: who has won, or who
 * has gained on the others since `before` (the scores at the question). */
double outlook(const struct sal_question *q, const int32_t *before,
               const sal_state *s, int seat);
/* The scores at the question, which are public. */
void scores_now(const struct sal_question *q, struct sal_rng *rng,
                int32_t *out);

/* Whether a budget still lasts after so many simulations; the clock is only
 * looked at now and then. */
struct timer {
  struct sal_budget budget;
  double until;
  uint64_t done, checked;
};
void timer_start(struct timer *t, const struct sal_budget *b,
                 uint32_t otherwise);
bool timer_more(struct timer *t);
/* Whether the time is up, by the clock. */
bool timer_over(const struct timer *t);

/* What a bot answers by habit alone. */
void think_habit(habit_fn *habit, const struct sal_question *q,
                 struct sal_rng *rng, struct sal_thought *out);

/* Fills in the candidates from values and shares of each legal action. */
void report(const struct sal_question *q, const double *value,
            const double *share, struct sal_thought *out);

#endif
