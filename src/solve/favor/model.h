/* The rules of Favor for two that the solver needs, written from docs/rules:
 * scoring, paying, lots. Also compiled for graphics cards. */
#ifndef SAL_SOLVE_FAVOR_MODEL_H
#define SAL_SOLVE_FAVOR_MODEL_H

#include "salotto/solve_favor.h"

#include <string.h>

#ifdef __CUDACC__
#define MODEL static inline __host__ __device__
#else
#define MODEL static inline
#endif

enum { TYPES = SAL_FAVOR_TYPES, KINDS = SAL_FAVOR_KINDS };

/* Of the range of a side that is offered something instead of coming, the part
 * that is as it came; the rest is as the side likes. */
#define PRIOR 0.5f

/* What both players see and what can still change in a day. */
struct position {
  uint8_t deck[KINDS], lot[KINDS], collection[2][KINDS];
  uint8_t gems[2], turn;
};

/* Points of a collection for an identity, gems not counted: favor.score.exact,
 * .one, .none, .special, .best */
MODEL int model_points(const uint8_t *n, int type, bool english) {
  enum { BR = 4, LT = 5 };
  const int role = n[type ^ 1], colour = n[type ^ 2], none = n[type ^ 3];
  const int plain = 3 * n[type] + role + colour - 2 * none;
  const int both = n[BR] && n[LT];
  if (english && none > 0)
    return plain + (both ? (none > 1 ? 6 : 5) : 3 * (n[BR] + n[LT]));
  return plain + (n[BR] && role ? 2 : 0) + (n[LT] && colour ? 2 : 0);
}

MODEL int model_cards(const uint8_t *cards) {
  int sum = 0;
  for (int k = 0; k < KINDS; k++)
    sum += cards[k];
  return sum;
}

/* The highest bid that makes sense to who speaks first: more than the other
 * can beat only gives gems away. */
MODEL int model_top_bid(const struct position *p, int speaker) {
  const int own = p->gems[speaker], theirs = p->gems[!speaker];
  const int enough = theirs > 1 ? theirs : 1;
  return own < enough ? own : enough;
}

/* The lot goes to `winner` (-1: nobody) for so many gems; in a called auction
 * they go to the other player, in the final one out of play:
 * favor.auction.pay-caller, .caller-wins with one opponent, favor.final.pay */
MODEL void model_sell(struct position *p, int winner, int price, bool final) {
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

/* A new lot, by kind, and how likely it is. */
struct lot {
  uint8_t cards[KINDS];
  float chance;
};
enum { LOTS_MAX = 56 }; /* three cards of six kinds */
/* All lots of so many cards of the deck; returns how many. */
int model_lots(const uint8_t *deck, int cards, struct lot *out);

/* favor.score.gems */
MODEL int model_bonus(const uint8_t *gems) {
  return 3 * ((gems[0] >= gems[1]) - (gems[1] >= gems[0]));
}

/* favor.win.gems, favor.win.earliest */
MODEL int model_wins_tie(const struct sal_favor_ending *e,
                         const struct position *p) {
  return p->gems[0] != p->gems[1] ? p->gems[1] > p->gems[0] : e->first;
}

/* What the end of the day is worth to side 0 as type i against type j. `next`:
 * who begins the day after. */
MODEL float model_worth(const struct sal_favor_ending *e,
                        const struct sal_favor_worth *w,
                        const struct position *p, int next, int i, int j) {
  const int lead = e->lead + model_bonus(p->gems) +
                   model_points(p->collection[0], i, e->english) -
                   model_points(p->collection[1], j, e->english);
  const int edge = (e->last ? model_wins_tie(e, p) : next) == 0;
  return w->of[edge][lead + SAL_FAVOR_LEAD];
}

#endif
