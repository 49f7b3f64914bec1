/* The nets that tell what an auction or an added card leads to in Favor for
 * two, one net a day.
 *
 * Asked before cards are drawn: what are the types of both sides worth, given
 * the ranges? A net has a trunk, which reads what both players see, and a small
 * head, which also reads the ranges: a solver asks the trunk once and the head
 * in each iteration. What comes out is a number for each pair of types, from
 * which the values of both sides follow, so that they always sum to nothing.
 *
 * The net sees the table from who is on turn next, here side *me*. Also
 * compiled for graphics cards. */
#ifndef SAL_SOLVE_FAVOR_NET_H
#define SAL_SOLVE_FAVOR_NET_H

#include "model.h"

enum {
  NET_IN = 100,    /* what both see, as numbers */
  NET_WIDTH = 384, /* of the trunk's two layers */
  NET_HEAD = 64,   /* of the head's two layers */
  NET_RANGES = 8,  /* of me, then of the other */
  NET_PAIRS = 12,  /* of types that differ */
  NET_TRUNK_OUT = NET_HEAD + NET_PAIRS,
  NET_DAYS = 3
};

/* In the order of the file. Matrices are rows of what goes in. */
enum net_part {
  IN_WEIGHTS,
  IN_BIAS,
  MIDDLE_WEIGHTS,
  MIDDLE_BIAS,
  OUT_WEIGHTS,
  OUT_BIAS,
  RANGE_WEIGHTS,
  HEAD_WEIGHTS,
  HEAD_BIAS,
  PAIR_WEIGHTS,
  NET_PARTS
};
MODEL int net_rows(int part) {
  const int rows[NET_PARTS] = {NET_WIDTH, 1,        NET_WIDTH, 1, NET_TRUNK_OUT,
                               1,         NET_HEAD, NET_HEAD,  1, NET_PAIRS};
  return rows[part];
}
MODEL int net_columns(int part) {
  const int columns[NET_PARTS] = {
      NET_IN,        NET_WIDTH,  NET_WIDTH, NET_WIDTH, NET_WIDTH,
      NET_TRUNK_OUT, NET_RANGES, NET_HEAD,  NET_HEAD,  NET_HEAD};
  return columns[part];
}
/* Where a part begins among all weights; NET_PARTS: how many there are. */
MODEL int net_begins(int part) {
  int at = 0;
  for (int i = 0; i < part; i++)
    at += net_rows(i) * net_columns(i);
  return at;
}

/* The number of a pair of types. */
MODEL int net_pair(int mine, int theirs) {
  return 3 * mine + theirs - (theirs > mine);
}

/* ---- What goes in ---------------------------------------------------------- */

MODEL float net_clamp(float x) { return x < -1 ? -1 : x > 1 ? 1 : x; }

MODEL float *net_put_cards(float *x, const uint8_t *cards) {
  for (int k = 0; k < KINDS; k++)
    *x++ = (float)cards[k] / (k < TYPES ? 3 : 1);
  return x;
}

MODEL float *net_put_one(float *x, int of, int which) {
  for (int i = 0; i < of; i++)
    *x++ = i == which;
  return x;
}

/* Points of a side by type, and what the lot would add. */
MODEL void net_points(const struct position *p, int side, bool english,
                      int *points, int *gain) {
  uint8_t with[KINDS];
  for (int k = 0; k < KINDS; k++)
    with[k] = (uint8_t)(p->collection[side][k] + p->lot[k]);
  for (int i = 0; i < TYPES; i++) {
    points[i] = model_points(p->collection[side], i, english);
    gain[i] = model_points(with, i, english) - points[i];
  }
}

MODEL float *net_put_points(float *x, const struct position *p, int lead,
                            bool english) {
  int points[2][TYPES], gain[2][TYPES];
  for (int s = 0; s < 2; s++)
    net_points(p, s ? !p->turn : p->turn, english, points[s], gain[s]);
  for (int s = 0; s < 2; s++)
    for (int i = 0; i < TYPES; i++) {
      *x++ = (float)points[s][i] / 8;
      *x++ = (float)gain[s][i] / 6;
    }
  for (int i = 0; i < TYPES; i++)
    for (int j = 0; j < TYPES; j++)
      if (i != j) {
        const int margin = lead + points[0][i] - points[1][j];
        *x++ = (float)margin / 10;
        *x++ = net_clamp((float)margin / 4);
      }
  return x;
}

/* `lead`: of side 0, from former days; `first`: who began the day. */
MODEL void net_input(const struct position *p, int lead, int first,
                     bool english, float *x) {
  const int me = p->turn, sign = me ? -1 : 1;
  const int bonus = sign * model_bonus(p->gems);
  x = net_put_cards(x, p->deck);
  x = net_put_cards(x, p->lot);
  x = net_put_cards(x, p->collection[me]);
  x = net_put_cards(x, p->collection[!me]);
  x = net_put_one(x, 15, model_cards(p->deck));
  x = net_put_one(x, 11, p->gems[me]);
  *x++ = (float)(sign * lead) / 10;
  *x++ = net_clamp((float)(sign * lead) / 3);
  x = net_put_points(x, p, sign * lead + bonus, english);
  for (int i = 0; i < TYPES; i++)
    *x++ = (float)(3 * p->deck[i] + p->deck[i ^ 1] + p->deck[i ^ 2] -
                   2 * p->deck[i ^ 3]) /
           8;
  *x++ = first == me;
  *x++ = (float)bonus / 3;
  *x++ = english;
  *x++ = model_cards(p->lot) == 0;
}

/* ---- Endings of an event --------------------------------------------------- */

/* A turn is followed by an added card, event 0, or by one of the outcomes of an
 * auction: 1 + 2 * bid where who spoke first bid so much and the other passed,
 * 2 + 2 * bid where the other bid one more. */
enum { EVENTS = 12, BIDS = 6 };
enum event { NO_EVENT, BEFORE_DRAW, DAY_OVER };

/* Who speaks first in an auction at this turn, or in the final one. */
MODEL int model_speaks_first(const struct position *p, bool final) {
  return final ? p->turn : !p->turn;
}

/* What the table looks like after it. On the end of a day `turn` is who begins
 * the next. */
MODEL enum event model_event(const struct position *p, bool final, int number,
                             struct position *out) {
  const int speaker = model_speaks_first(p, final);
  const int bid = (number - 1) / 2, raised = (number - 1) & 1;
  *out = *p;
  out->turn = !p->turn;
  if (number == 0)
    return final ? NO_EVENT : BEFORE_DRAW;
  if (bid > model_top_bid(p, speaker) || (raised && p->gems[!speaker] <= bid))
    return NO_EVENT;
  const int winner = raised ? !speaker : bid ? speaker : -1;
  model_sell(out, winner, bid + raised, final);
  if (final)
    out->turn = winner < 0 ? p->turn : (uint8_t)winner; /* favor.setup.first */
  return final ? DAY_OVER : BEFORE_DRAW;
}

/* How many cards are turned up next: favor.lot.next, favor.lot.short */
MODEL int model_draws(const struct position *p, int day) {
  const int deck = model_cards(p->deck), n = model_cards(p->lot) ? 1 : day;
  return n < deck ? n : deck;
}

#endif
