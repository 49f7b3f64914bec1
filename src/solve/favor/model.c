/* Scoring, paying and lots of Favor for two; see model.h. */
#include "model.h"

#include <string.h>

/* favor.score.exact, .one, .none, .special, .best */
int model_points(const uint8_t *n, int type, bool english) {
  enum { BR = 4, LT = 5 };
  const int role = n[type ^ 1], colour = n[type ^ 2], none = n[type ^ 3];
  const int plain = 3 * n[type] + role + colour - 2 * none;
  const int both = n[BR] && n[LT];
  if (english && none > 0)
    return plain + (both ? (none > 1 ? 6 : 5) : 3 * (n[BR] + n[LT]));
  return plain + (n[BR] && role ? 2 : 0) + (n[LT] && colour ? 2 : 0);
}

int model_cards(const uint8_t *cards) {
  int sum = 0;
  for (int k = 0; k < KINDS; k++)
    sum += cards[k];
  return sum;
}

int model_top_bid(const struct position *p, int speaker) {
  const int own = p->gems[speaker], theirs = p->gems[!speaker];
  const int enough = theirs > 1 ? theirs : 1;
  return own < enough ? own : enough;
}

/* favor.auction.pay-caller, .caller-wins with one opponent, favor.final.pay */
void model_sell(struct position *p, int winner, int price, bool final) {
  if (winner >= 0) {
    p->gems[winner] = (uint8_t)(p->gems[winner] - price);
    if (!final)
      p->gems[!winner] = (uint8_t)(p->gems[!winner] + price);
    for (int k = 0; k < KINDS; k++)
      p->collection[winner][k] =
          (uint8_t)(p->collection[winner][k] + p->lot[k]);
  }
  memset(p->lot, 0, sizeof p->lot);
}

/* ---- Lots ------------------------------------------------------------------ */

/* How many ways there are to choose so many of at most 14 cards. */
static double ways(int of, int chosen) {
  double n = 1;
  for (int i = 0; i < chosen; i++)
    n = n * (of - i) / (i + 1);
  return n;
}

struct lister {
  const uint8_t *deck;
  struct lot *out;
  int count;
  double all;
  uint8_t cards[KINDS];
};

static void list_lots(struct lister *l, int kind, int missing, double chances) {
  if (kind == KINDS) {
    if (missing == 0) {
      struct lot *lot = &l->out[l->count++];
      memcpy(lot->cards, l->cards, sizeof lot->cards);
      lot->chance = (float)(chances / l->all);
    }
    return;
  }
  for (int n = 0; n <= l->deck[kind] && n <= missing; n++) {
    l->cards[kind] = (uint8_t)n;
    list_lots(l, kind + 1, missing - n, chances * ways(l->deck[kind], n));
  }
}

int model_lots(const uint8_t *deck, int cards, struct lot *out) {
  struct lister l = {
      .deck = deck, .out = out, .all = ways(model_cards(deck), cards)};
  list_lots(&l, 0, cards, 1);
  return l.count;
}

/* ---- Worths ---------------------------------------------------------------- */

void sal_favor_worth_last(struct sal_favor_worth *out) {
  for (int edge = 0; edge < 2; edge++)
    for (int lead = -SAL_FAVOR_LEAD; lead <= SAL_FAVOR_LEAD; lead++)
      out->of[edge][lead + SAL_FAVOR_LEAD] =
          lead > 0 || (lead == 0 && edge) ? 1 : -1;
}

/* favor.win.gems, favor.win.earliest */
static int wins_tie(const struct sal_favor_ending *e,
                    const struct position *p) {
  return p->gems[0] != p->gems[1] ? p->gems[1] > p->gems[0] : e->first;
}

float model_worth(const struct sal_favor_ending *e,
                  const struct sal_favor_worth *w, const struct position *p,
                  int next, int i, int j) {
  const int bonus = 3 * ((p->gems[0] >= p->gems[1]) - /* favor.score.gems */
                         (p->gems[1] >= p->gems[0]));
  const int lead = e->lead + bonus +
                   model_points(p->collection[0], i, e->english) -
                   model_points(p->collection[1], j, e->english);
  const int edge = (e->last ? wins_tie(e, p) : next) == 0;
  return w->of[edge][lead + SAL_FAVOR_LEAD];
}
