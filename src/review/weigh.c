/* What a seat at a table can do, weighed; and what makes a problem of it. See
 * salotto/problem.h. */
#include "asking.h"
#include "inside.h"
#include "salotto/problem.h"

#include <stdlib.h>
#include <string.h>

static bool is_choice(const struct sal_question *q, sal_action a) {
  for (size_t i = 0; i < q->count; i++)
    if (q->legal[i] == a)
      return true;
  return a == 0;
}

static void fill_weighing(const struct sal_question *q, struct measure *m,
                          const struct decision *d, struct sal_rng *rng,
                          struct sal_weighing *out) {
  *out = (struct sal_weighing){
      .choices = q->count, .mixed = d->mixed, .count = d->count};
  for (size_t i = 0; i < d->count; i++)
    out->weighed[i] = weighed_of(q, &d->option[i]);
  struct sal_thought thought = {0};
  out->other = sal_weighing_right(out);
  if (out->other < out->count)
    advice_reason(q, m, d, out->other, rng, &thought);
  out->reason = thought.reason;
  out->viewer = thought.viewer;
  out->here = thought.here;
  out->there = thought.there;
}

int sal_table_weigh(const sal_table *t, int seat, sal_action also,
                    uint32_t worlds, struct sal_rng *rng,
                    struct sal_weighing *out, struct sal_refusal *why) {
  int error;
  struct decision d;
  struct sal_review_wish usual;
  struct asking *a = asking_new(t, seat, NULL, &error, why);
  if (!a)
    return error;
  if (!is_choice(&a->q, also)) {
    free(a);
    return sal_refuse(why, SAL_BAD_ACTION, NULL, NULL);
  }
  sal_review_wish_default(a->q.game, &usual);
  struct measure *m = measure_new(a->q.game, a->q.players);
  d.count = 0;
  if (m)
    measure_decision(m, &a->q, also, worlds ? worlds : usual.worlds, rng, &d);
  if (d.count)
    fill_weighing(&a->q, m, &d, rng, out);
  measure_free(m);
  free(a);
  return d.count ? 0 : sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
}

int32_t sal_weighing_lost(const struct sal_weighing *w, size_t i) {
  return w->weighed[0].value - w->weighed[i].value;
}

size_t sal_weighing_right(const struct sal_weighing *w) {
  size_t n = 0;
  while (n < w->count && sal_weighing_lost(w, n) < SAL_PROBLEM_MARGIN)
    n++;
  return n;
}

bool sal_weighing_clear(const struct sal_weighing *w) {
  const size_t right = sal_weighing_right(w);
  if (right == 0 || right == w->count)
    return false;
  for (size_t i = 0; i < w->count; i++) {
    const int32_t lost = sal_weighing_lost(w, i);
    if (i < right ? lost > SAL_PROBLEM_CLOSE
                  : lost < SAL_PROBLEM_CLEAR ||
                        lost - 2 * w->weighed[i].error < SAL_PROBLEM_MARGIN)
      return false;
  }
  return true;
}
