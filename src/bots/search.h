/* The searchers. */
#ifndef SAL_BOTS_SEARCH_H
#define SAL_BOTS_SEARCH_H

#include "habits.h"

/* The expert: search.c. */
void think_expert(const struct sal_question *q, struct sal_rng *rng,
                  struct sal_thought *out);
/* The master: master.c. */
void think_master(const struct sal_question *q, struct sal_rng *rng,
                  struct sal_thought *out);
/* The textbook: ismcts.c. */
void think_ismcts(const struct sal_question *q, struct sal_rng *rng,
                  struct sal_thought *out);

/* From where a question looks ahead: how good the end of a simulation is for
 * each seat, 0 to 1, by who has won, or by who has gained on the others since
 * the question. */
struct prospect {
  const struct sal_game *game;
  int players;
  double swing;               /* the lead that counts as all or nothing */
  double lead[SAL_SEATS_MAX]; /* of each seat at the question */
  const struct habits *habits;
};
void prospect_at(struct prospect *p, const struct sal_question *q,
                 struct sal_rng *rng);
void prospects(const struct prospect *p, const sal_state *s, float *out);

/* What a viewer would see of a state, as numbers. */
void see_tensor(const struct sal_game *g, const sal_state *s, int viewer,
                float *out);

/* Never 0, and always odd. */
uint64_t hash_bytes(const void *bytes, size_t n);

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
