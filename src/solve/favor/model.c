/* Lots and worths of Favor for two; see model.h. */
#include "model.h"

#include <string.h>

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
