/* Tempers: among things that are about as good, people differ. */
#include "rollout.h"

#include <math.h>

/* What each likes and dislikes in an action. */
static const struct traits likes[SAL_TEMPERS] = {
    [SAL_CAUTIOUS] = {.risk = -1, .deceit = -0.5},
    [SAL_DARING] = {.risk = 1, .spending = 0.5},
    [SAL_BLUFFER] = {.risk = 0.3, .deceit = 1},
    [SAL_MISER] = {.spending = -1}};

/* So much likelier, as a power of e, is what somebody likes wholly; and actions
 * with so little between their chances to win are about as good. */
static const double strength = 0.7, about = 0.01;

static double liking(const struct sal_question *q, traits_fn *traits,
                     sal_action a) {
  const struct traits *l = &likes[q->temper], t = traits(q, a);
  return exp(strength * (l->risk * t.risk + l->deceit * t.deceit +
                         l->spending * t.spending));
}

void temper_policy(const struct sal_question *q, struct sal_policy *out) {
  traits_fn *traits = heuristics_of(q->game)->traits;
  double best = 0, before = 0, after = 0;
  if (q->temper == SAL_EVEN || !traits || out->mixed)
    return;
  for (size_t i = 0; i < q->count; i++)
    best = out->valued ? fmax(best, out->value[i]) : 0;
  for (size_t i = 0; i < q->count; i++)
    if (!out->valued || out->value[i] >= best - about) {
      before += out->chance[i];
      /* A search has put nearly all on one of several that are as good. */
      if (out->valued)
        out->chance[i] += 0.5;
      out->chance[i] *= liking(q, traits, q->legal[i]);
      after += out->chance[i];
    }
  for (size_t i = 0; i < q->count; i++)
    if (!out->valued || out->value[i] >= best - about)
      out->chance[i] *= before / after;
}
