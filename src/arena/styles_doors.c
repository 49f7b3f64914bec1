/* Styles of Doors. */
#include "styles.h"

#include "doors.h"

#include <math.h>

/* Never guesses: waits for the end of the deck. */
static double shy(const struct sal_question *q, sal_action a, double usual) {
  (void)q;
  return verb_of(a) == GUESSES ? 0 : usual;
}

void policy_shy(const struct sal_question *q, struct sal_rng *rng,
                struct sal_policy *out) {
  (void)rng;
  bend(q, shy, out);
}

/* Takes what fits, always; a special fits a little. */
double style_honest_doors(const struct sal_question *q, sal_action a,
                          double usual) {
  const unsigned card = number_of(a);
  if (verb_of(a) != TAKES)
    return usual;
  const unsigned me = as_view(q->view)->s.identity[q->seat];
  return pow(20, card >= BR ? 1 : match(card, me));
}

static double as_usual(const struct sal_question *q, sal_action a,
                       double usual) {
  (void)q;
  (void)a;
  return usual;
}

/* Takes as if it were the opposite of what it is. */
void bluff_in_doors(const struct sal_question *q, struct sal_policy *out) {
  struct view pretended = *as_view(q->view);
  struct sal_question asked = *q;
  if (pretended.s.phase == TAKE) {
    uint8_t *me = &pretended.s.identity[q->seat];
    *me = (uint8_t)(DOORS - 1 - *me);
  }
  asked.view = (const sal_view *)&pretended;
  bend(&asked, as_usual, out);
}
