/* Styles of Traps. */
#include "styles.h"

#include "traps.h"

#include <math.h>

/* Against the target; 0: a trap. */
static int card_worth(const struct traps *v, unsigned card) {
  return card == LT ? 0 : card == BR ? 1 : match(card, v->target);
}

/* The points on top of the own pile, above its first trap. */
static int own_points(const struct traps *v, int seat) {
  int points = 0;
  for (unsigned c = down(v->piles[seat]); c > 0; c--) {
    const int w = card_worth(v, card_at(v->piles[seat], c - 1));
    if (w == 0)
      break;
    points += w;
  }
  return points;
}

/* A trap below, points above it, and no bet that the own pile does not hold. */
double style_honest_traps(const struct sal_question *q, sal_action a,
                          double usual) {
  const struct traps *v = &as_view(q->view)->s;
  const unsigned number = number_of(a);
  const int own = own_points(v, q->seat);
  switch (verb_of(a)) {
  case PLACES: return card_worth(v, number) == 0 ? 100 : 1;
  case BUILDS: return own >= 3 ? 0.01 : pow(10, card_worth(v, number));
  case BETS: return (int)number <= own ? pow(3, number) : 1e-6;
  case PASSES: return 1;
  default: return usual;
  }
}

/* Lays traps and bets on them. */
double style_bluff_traps(const struct sal_question *q, sal_action a,
                         double usual) {
  const struct traps *v = &as_view(q->view)->s;
  const unsigned number = number_of(a), now = v->high_bet;
  switch (verb_of(a)) {
  case PLACES: return card_worth(v, number) == 0 ? 20 : 1;
  case BUILDS: return 0.1;
  case BETS:
    return now == 0 ? number == 2 : number == now + 1 && number <= 4 ? 1.2 : 0;
  case PASSES: return 1;
  default: return usual;
  }
}
