/* Favor for three and four when a lot is gone, and between two days, as the expert
 * sees it. See evaluate.h. */
#include "evaluate.h"

#include "favor.h"

#include <math.h>

/* What is counted of each seat. */
enum {
  POINTS, /* of the days before, and of its cards */
  MEAN,   /* what a card of the deck would bring it on average */
  KEEN,   /* likewise if those that cost points bring nothing */
  PURSE,  /* gems */
  BUYS,   /* both */
  RICH,   /* how far ahead it is by gems, from -1 to 1 */
  MOST,   /* whether it has the most */
  NEXT,   /* whether it is on turn */
  LAST,   /* or will be last */
  NUMBERS
};
/* Each has a weight at so many cards in the deck, and in between what lies in
 * between. */
static const double KNOT[] = {1, 5, 13};
enum { KNOTS = sizeof KNOT / sizeof *KNOT };
_Static_assert((int)NUMBERS *KNOTS == (int)FAVOR_HOLDINGS,
               "fitted.c has a weight for each");

static bool between_days(const struct favor *s) {
  return s->phase == DEAL_IDENTITY;
}

int favor_stage(const sal_state *state) {
  const struct favor *s = as_const_state(state);
  return (s->players - 3) * (FAVOR_STAGES / 2) +
         (between_days(s) ? DAYS + s->day - 2 : s->day - 1);
}

static void read_hand(hand h, int *n) {
  for (unsigned k = 0; k < KINDS; k++)
    n[k] = (int)count(h, k);
}

static void count_cards(const struct favor *s, int seat, double *x) {
  int own[KINDS], deck[KINDS];
  const int id = s->identity[seat], cards = (int)total(s->deck);
  const bool english = s->edition == ENGLISH;
  read_hand(s->collection[seat], own);
  read_hand(s->deck, deck);
  const double now = favor_points(own, id, english, 0);
  x[POINTS] += now;
  for (int k = 0; k < KINDS; k++) {
    own[k]++;
    const double more = deck[k] ? favor_points(own, id, english, 0) - now : 0;
    own[k]--;
    x[MEAN] += deck[k] * more / cards;
    x[KEEN] += deck[k] * fmax(0, more) / cards;
  }
}

static void count_gems(const struct favor *s, int seat, double *x) {
  int most = 0;
  for (int i = 0; i < s->players; i++)
    if (i != seat && s->gems[i] > most)
      most = s->gems[i];
  const double ahead =
      (s->gems[seat] - most + 0.3) / (1.6 + 0.26 * total(s->deck));
  x[PURSE] = s->gems[seat];
  x[BUYS] = x[PURSE] * x[KEEN];
  x[RICH] = ahead / (1 + fabs(ahead));
  x[MOST] = ahead > 0;
}

/* The knots that so many cards lie between: the part of each. */
static void place(double cards, double *part) {
  int k = 0;
  while (k + 2 < KNOTS && cards > KNOT[k + 1])
    k++;
  const double x =
      fmin(1, fmax(0, (cards - KNOT[k]) / (KNOT[k + 1] - KNOT[k])));
  for (int i = 0; i < KNOTS; i++)
    part[i] = i == k ? 1 - x : i == k + 1 ? x : 0;
}

void favor_holdings(const sal_state *state, int seat, double *number) {
  const struct favor *s = as_const_state(state);
  double x[NUMBERS] = {0}, part[KNOTS];
  x[POINTS] = points(s, seat);
  if (!between_days(s)) {
    count_cards(s, seat, x);
    count_gems(s, seat, x);
  }
  x[NEXT] = seat == s->turn;
  x[LAST] = (seat + 1) % s->players == s->turn;
  place(total(s->deck), part);
  for (int i = 0; i < NUMBERS; i++)
    for (int k = 0; k < KNOTS; k++)
      number[i * KNOTS + k] = x[i] * part[k];
}

void evaluate_favor(const struct sal_game *g, const sal_state *s, int players,
                    double *out) {
  (void)g;
  evaluate_by(s, players, favor_holdings,
              fitted_lots + favor_stage(s) * FAVOR_HOLDINGS, FAVOR_HOLDINGS,
              out);
}
