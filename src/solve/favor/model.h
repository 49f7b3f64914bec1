/* The rules of Favor for two that the solver needs, written from docs/rules:
 * scoring, paying, lots. */
#ifndef SAL_SOLVE_FAVOR_MODEL_H
#define SAL_SOLVE_FAVOR_MODEL_H

#include "salotto/solve_favor.h"

enum { TYPES = SAL_FAVOR_TYPES, KINDS = SAL_FAVOR_KINDS };

/* What both players see and what can still change in a day. */
struct position {
  uint8_t deck[KINDS], lot[KINDS], collection[2][KINDS];
  uint8_t gems[2], turn;
};

/* Points of a collection for an identity, gems not counted. */
int model_points(const uint8_t *cards, int type, bool english);

int model_cards(const uint8_t *cards);

/* The highest bid that makes sense to who speaks first: more than the other
 * can beat only gives gems away. */
int model_top_bid(const struct position *p, int speaker);

/* The lot goes to `winner` (-1: nobody) for so many gems; in a called auction
 * they go to the other player, in the final one out of play. */
void model_sell(struct position *p, int winner, int price, bool final);

/* A new lot, by kind, and how likely it is. */
struct lot {
  uint8_t cards[KINDS];
  float chance;
};
enum { LOTS_MAX = 56 }; /* three cards of six kinds */
/* All lots of so many cards of the deck; returns how many. */
int model_lots(const uint8_t *deck, int cards, struct lot *out);

/* What the end of the day is worth to side 0 as type i against type j. `next`:
 * who begins the day after. */
float model_worth(const struct sal_favor_ending *e,
                  const struct sal_favor_worth *w, const struct position *p,
                  int next, int i, int j);

#endif
