/* Styles of Favor. */
#include "styles.h"

#include "favor.h"

#include <math.h>

/* Points of the lot for an identity, specials at one. */
static double lot_for(const struct favor *v, unsigned identity) {
  static const int by_traits[] = {PAY_NONE, PAY_ONE, PAY_EXACT};
  double sum = 0;
  for (unsigned c = 0; c < KINDS; c++)
    sum += count(v->lot, c) * (c < BR ? by_traits[match(c, identity)] : 1.0);
  return sum;
}

static double own_lot(const struct sal_question *q) {
  const struct favor *v = &as_view(q->view)->s;
  return lot_for(v, v->identity[q->seat]);
}

/* Bids up to `most`, one above the last. */
static double bid_up_to(const struct sal_question *q, sal_action a,
                        double most) {
  const unsigned bid = number_of(a), now = as_view(q->view)->s.high_bid;
  if (verb_of(a) == BIDS)
    return bid == now + 1 && bid <= most ? 100 : 1e-6;
  if (verb_of(a) == CALLS)
    return own_lot(q) >= 3 ? 10 : own_lot(q) > 0 ? 1 : 0.1;
  return 1;
}

/* Shades: bids half of what a lot is worth to it. */
static double shade(const struct sal_question *q, sal_action a, double usual) {
  (void)usual;
  return bid_up_to(q, a, 0.5 * own_lot(q));
}

/* Denies: bids also for what somebody else may want. */
static double deny(const struct sal_question *q, sal_action a, double usual) {
  double most = 0;
  (void)usual;
  for (unsigned id = 0; id < DOORS; id++)
    most = fmax(most, lot_for(&as_view(q->view)->s, id));
  return bid_up_to(q, a, 0.5 * most);
}

void policy_shader(const struct sal_question *q, struct sal_rng *rng,
                   struct sal_policy *out) {
  (void)rng;
  bend(q, shade, out);
}

void policy_denier(const struct sal_question *q, struct sal_rng *rng,
                   struct sal_policy *out) {
  (void)rng;
  bend(q, deny, out);
}
