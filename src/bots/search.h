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

/* How good a state is for a seat, 0 to 1: who has won, or who is ahead when a
 * deal is over. */
double outlook(const struct sal_question *q, const sal_state *s);

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

/* Fills in the candidates from values and shares of each legal action. */
void report(const struct sal_question *q, const double *value,
            const double *share, struct sal_thought *out);

#endif
