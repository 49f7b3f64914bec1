/* What the worlds look like to a seat, given what the others did. */
#ifndef SAL_BOTS_BELIEF_H
#define SAL_BOTS_BELIEF_H

#include "habits.h"

enum { WORLDS_MAX = 96 };

/* A world comes with a guess at what kind of people sit in it: their habit. */
struct belief {
  const struct sal_question *q;
  size_t count; /* 0: nothing is known but the view */
  double weight[WORLDS_MAX];
  habit_fn *habit[WORLDS_MAX];
  union sal_state_box world[WORLDS_MAX];
};

/* Weighs worlds by how likely their owners would have acted as they did. */
void belief_form(struct belief *b, const struct sal_question *q,
                 struct sal_rng *rng);
/* A world that fits the view, drawn by belief, and the others' habit in it. */
habit_fn *belief_draw(const struct belief *b, struct sal_rng *rng,
                      sal_state *out);

#endif
