/* The Guesser's five sensible guesses, as rows over the Guesser's identities:
 * the three other names, the other colour, the other role. The guesses left
 * out are never better: one's own name is wrong for sure, and a trait of one's own
 * is right for one other identity only, whose name pays more. */
#ifndef SAL_SOLVE_GUESS_H
#define SAL_SOLVE_GUESS_H

#include "model.h"
#include "vec.h"

enum { NAMES = 3, OTHER_COLOUR = NAMES, OTHER_ROLE, GUESS_WAYS };

/* What the Collector wins by each guess; `p` is how the Collector of each
 * other identity gets here, `sum` their sum. */
static inline void guess_values(const struct worth *w, const struct others *p,
                                vec sum, vec *value) {
  const vec wrong = sum * w->wrong;
  const float name = w->both - w->wrong, trait = w->trait - w->wrong;
  for (int i = 0; i < NAMES; i++)
    value[i] = wrong + p->of[i] * name;
  value[OTHER_COLOUR] = wrong + (p->of[0] + p->of[2]) * trait;
  value[OTHER_ROLE] = wrong + (p->of[1] + p->of[2]) * trait;
}

/* What the Collector of each other identity wins when the guesses are made
 * with these weights. */
static inline struct others guess_pays(const struct worth *w,
                                       const vec *weight) {
  const float name = w->both - w->wrong, trait = w->trait - w->wrong;
  const vec colour = weight[OTHER_COLOUR] * trait;
  const vec role = weight[OTHER_ROLE] * trait;
  const vec wrong = (weight[0] + weight[1] + weight[2] + weight[OTHER_COLOUR] +
                     weight[OTHER_ROLE]) *
                    w->wrong;
  return (struct others){{wrong + weight[0] * name + colour,
                          wrong + weight[1] * name + role,
                          wrong + weight[2] * name + colour + role}};
}

/* Row over the Collector's identities: what each wins from Guessers who get
 * here with `reach` and pay so. */
static inline vec from_guessers(vec reach, const struct others *pays) {
  return turned_1(reach * pays->of[0]) + turned_2(reach * pays->of[1]) +
         turned_3(reach * pays->of[2]);
}

/* Row over the Guesser's identities: what each pays to Collectors who get here
 * with `reach`. */
static inline vec to_collectors(vec reach, const struct others *pays) {
  const struct others p = others_of(reach);
  return p.of[0] * pays->of[0] + p.of[1] * pays->of[1] + p.of[2] * pays->of[2];
}

#endif
