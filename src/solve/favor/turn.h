/* One turn of Favor for two, or the final auction, solved by CFR+ over the
 * events that may follow. What the events are worth is for whoever asks: a net,
 * a payoff, turns behind them.
 *
 * Side 0 is who is on turn, or who speaks first in the final auction; side 1
 * the other. Rows of eight numbers are four types of side 0, then of side 1.
 * After any event side 1 is on turn. Also compiled for graphics cards. */
#ifndef SAL_SOLVE_FAVOR_TURN_H
#define SAL_SOLVE_FAVOR_TURN_H

#include "net.h"

/* Options of one type of one side: to add, to call; first bids; then to pass or
 * to bid one more after each first bid. */
enum { FIRST = 2, LAST = FIRST + BIDS, OPTIONS = LAST + 2 * BIDS };

struct turn {
  float regret[2][TYPES][OPTIONS], sum[2][TYPES][OPTIONS],
      chance[2][TYPES][OPTIONS]; /* of the present strategy */
  float reach[EVENTS][2 * TYPES], value[EVENTS][2 * TYPES];
  uint8_t kind[EVENTS], final;
};

MODEL int turn_bids(const struct turn *t) {
  int n = 0;
  while (n < BIDS && t->kind[1 + 2 * n] != NO_EVENT)
    n++;
  return n;
}

MODEL bool turn_can_raise(const struct turn *t, int bid) {
  return bid + 1 < BIDS && t->kind[2 + 2 * bid] != NO_EVENT;
}

/* Side 0 speaks last in a called auction, for it called, and first in the final
 * one. */
MODEL bool turn_speaks_last(const struct turn *t, int side) {
  return (side == 0) != t->final;
}

/* Whether the side chooses between adding and calling. */
MODEL bool turn_chooses(const struct turn *t, int side) {
  return side == 0 && !t->final;
}

/* ---- Strategies ------------------------------------------------------------ */

/* The chances of `count` options in proportion to their weights; `chance` stays
 * as it is if they have none. */
MODEL void turn_match(const float *weight, int count, float *chance) {
  float sum = 0;
  for (int i = 0; i < count; i++)
    sum += weight[i];
  for (int i = 0; i < count && sum > 1e-30f; i++)
    chance[i] = weight[i] / sum;
}

MODEL void turn_choose(const struct turn *t, int side, const float *weight,
                       float *chance) {
  const int bids = turn_bids(t);
  if (turn_chooses(t, side))
    turn_match(weight, 2, chance);
  if (!turn_speaks_last(t, side))
    turn_match(weight + FIRST, bids, chance + FIRST);
  else
    for (int b = 0; b < bids; b++)
      turn_match(weight + LAST + 2 * b, turn_can_raise(t, b) ? 2 : 1,
                 chance + LAST + 2 * b);
}

/* Everything alike. */
MODEL void turn_begin(const struct turn *t, float *chance) {
  const int bids = turn_bids(t);
  chance[0] = chance[1] = 0.5f;
  for (int b = 0; b < bids; b++) {
    const int n = turn_can_raise(t, b) ? 2 : 1;
    chance[FIRST + b] = 1 / (float)bids;
    chance[LAST + 2 * b] = 1 / (float)n;
    chance[LAST + 2 * b + 1] = n == 2 ? 0.5f : 0;
  }
}

/* How likely a type does its part of what leads to an event. */
MODEL float turn_part(const struct turn *t, int side, int type, int event) {
  const float *c = t->chance[side][type];
  const float call = turn_chooses(t, side) ? c[1] : 1;
  if (event == 0)
    return turn_chooses(t, side) ? c[0] : 1;
  return call * (turn_speaks_last(t, side) ? c[LAST + event - 1]
                                           : c[FIRST + (event - 1) / 2]);
}

/* How likely a type comes to each event. */
MODEL void turn_spread(struct turn *t, int side, int type, float range) {
  for (int e = 0; e < EVENTS; e++)
    if (t->kind[e] != NO_EVENT)
      t->reach[e][TYPES * side + type] = range * turn_part(t, side, type, e);
}

/* ---- Regrets --------------------------------------------------------------- */

MODEL float turn_improve(float *regret, const float *chance, const float *value,
                         int count) {
  float mean = 0;
  for (int i = 0; i < count; i++)
    mean += chance[i] * value[i];
  for (int i = 0; i < count; i++) {
    const float r = regret[i] + value[i] - mean;
    regret[i] = r > 0 ? r : 0;
  }
  return mean;
}

/* Takes the values of all events, improves the type's strategy, and tells what
 * the turn was worth to it. `weight`: of this iteration, times how likely the
 * type itself comes here. */
MODEL float turn_update(struct turn *t, int side, int type, float weight) {
  float *regret = t->regret[side][type], *sum = t->sum[side][type];
  float *c = t->chance[side][type], value[BIDS], call = 0;
  const int bids = turn_bids(t), at = TYPES * side + type;
  const float own = turn_chooses(t, side) ? weight * c[1] : weight;
  for (int b = 0; b < bids; b++) {
    const int n = turn_can_raise(t, b) ? 2 : 1;
    const float v[2] = {t->value[1 + 2 * b][at],
                        n == 2 ? t->value[2 + 2 * b][at] : 0};
    if (turn_speaks_last(t, side)) {
      for (int r = 0; r < n; r++)
        sum[LAST + 2 * b + r] += own * c[LAST + 2 * b + r];
      call += turn_improve(regret + LAST + 2 * b, c + LAST + 2 * b, v, n);
    } else {
      value[b] = v[0] + v[1];
      sum[FIRST + b] += own * c[FIRST + b];
    }
  }
  if (!turn_speaks_last(t, side))
    call = turn_improve(regret + FIRST, c + FIRST, value, bids);
  const float both[2] = {t->final ? 0 : t->value[0][at], call};
  float all = both[0] + both[1];
  if (turn_chooses(t, side)) {
    sum[0] += weight * c[0];
    sum[1] += weight * c[1];
    all = turn_improve(regret, c, both, 2);
  }
  turn_choose(t, side, regret, c);
  return all;
}

/* ---- Values ---------------------------------------------------------------- */

/* The ranges at an event as a net reads them: who is on turn then comes
 * first. */
MODEL void turn_ranges(const float *reach, float *out) {
  float sum[2] = {0, 0};
  for (int k = 0; k < 2 * TYPES; k++)
    sum[k / TYPES] += reach[k];
  for (int k = 0; k < 2 * TYPES; k++) {
    const int from = k ^ TYPES;
    out[k] = sum[from / TYPES] > 1e-20f ? reach[from] / sum[from / TYPES]
                                        : 1.0f / TYPES;
  }
}

/* The values of both sides, not divided by how likely the other is there, from
 * those of pairs, which are of who is `mine`. */
MODEL void turn_values(const float *pairs, const float *mine,
                       const float *theirs, float *my_value,
                       float *their_value) {
  for (int i = 0; i < TYPES; i++)
    my_value[i] = their_value[i] = 0;
  for (int i = 0; i < TYPES; i++)
    for (int j = 0; j < TYPES; j++)
      if (i != j) {
        my_value[i] += theirs[j] * pairs[net_pair(i, j)];
        their_value[j] -= mine[i] * pairs[net_pair(i, j)];
      }
}

/* What each pair is paid at the end of the day, to `me`; `p->turn` begins the
 * next. */
MODEL void turn_pays(const struct sal_favor_ending *e,
                     const struct sal_favor_worth *w, const struct position *p,
                     int me, float *pairs) {
  for (int a = 0; a < TYPES; a++)
    for (int b = 0; b < TYPES; b++)
      if (a != b) {
        const float u = model_worth(e, w, p, p->turn, me ? b : a, me ? a : b);
        pairs[net_pair(a, b)] = me ? -u : u;
      }
}

#endif
