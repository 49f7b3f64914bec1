/* Opponents with one idea each: the regular, bent. They read the view through
 * its tensor and the actions through their text, as heuristics do. */
#include "kinds.h"

#include "salotto/tensor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 6, IDENTITIES = 4, BR = 4, LT = 5 };

/* What a style makes of one action; 0: never, unless there is nothing else. */
typedef double style_fn(const float *tensor, const char *text, double usual);

static bool game_is(const struct sal_question *q, const char *id) {
  return strcmp(q->game->info.id, id) == 0;
}

/* The regular's weights, each changed by the style. */
static void bend(const struct sal_question *q, const float *tensor,
                 style_fn *style, struct sal_policy *out) {
  double sum = 0;
  heuristics_of(q->game)->regular(q, tensor, out->chance);
  for (size_t i = 0; i < q->count; i++)
    sum += out->chance[i];
  double all = 0;
  for (size_t i = 0; i < q->count; i++) {
    struct phrase p;
    phrase_of(q, i, &p);
    all += out->value[i] = style(tensor, p.text, out->chance[i] / sum);
  }
  for (size_t i = 0; i < q->count; i++) {
    if (all > 0)
      out->chance[i] = out->value[i] / all;
    else
      out->chance[i] /= sum;
    out->value[i] = out->chance[i];
  }
}

static void bend_view(const struct sal_question *q, style_fn *style,
                      struct sal_policy *out) {
  float tensor[TENSOR_MAX];
  q->game->tensor(q->view, tensor);
  bend(q, tensor, style, out);
}

static int one_of(const float *t, int n) {
  int i = 0;
  while (i < n - 1 && t[i] <= 0)
    i++;
  return i;
}

/* How many traits of the identity a card shows; a special counts as one. */
static int match(int card, int identity) {
  if (card >= BR)
    return 1;
  return 2 - ((card ^ identity) & 1) - ((card ^ identity) >> 1 & 1);
}

/* The number after a verb; -1: another verb. */
static int number_after(const char *text, const char *verb) {
  const char *rest = sal_skip(text, verb);
  return rest ? atoi(rest) : -1;
}

/* ---- Doors --------------------------------------------------------------- */

/* Never guesses: waits for the end of the deck. */
static double shy(const float *t, const char *text, double usual) {
  (void)t;
  return sal_skip(text, "guess ") ? 0 : usual;
}

void policy_shy(const struct sal_question *q, struct sal_rng *rng,
                struct sal_policy *out) {
  (void)rng;
  bend_view(q, shy, out);
}

/* Takes what fits, always. */
static double honest_in_doors(const float *t, const char *text, double usual) {
  const char *card = sal_skip(text, "take ");
  const int fits =
      card ? match(doors_card(card), one_of(t + SAL_DOORS_ME, IDENTITIES)) : 0;
  return card ? pow(20, fits) : usual;
}

static double as_usual(const float *t, const char *text, double usual) {
  (void)t;
  (void)text;
  return usual;
}

/* Takes as if it were the opposite of what it is. */
static void bluff_in_doors(const struct sal_question *q,
                           struct sal_policy *out) {
  float t[TENSOR_MAX];
  q->game->tensor(q->view, t);
  const int me = one_of(t + SAL_DOORS_ME, IDENTITIES);
  if (t[SAL_DOORS_COLLECTING] > 0 && t[SAL_DOORS_PHASE] > 0) {
    t[SAL_DOORS_ME + me] = 0;
    t[SAL_DOORS_ME + (3 - me)] = 1;
  }
  bend(q, t, as_usual, out);
}

/* ---- Traps --------------------------------------------------------------- */

static int worth_of(const float *t, int card) {
  return card == LT ? 0 : match(card, one_of(t + SAL_TRAPS_TARGET, IDENTITIES));
}

/* The points on top of the own pile, above its first trap. */
static int own_points(const float *t) {
  int points = 0;
  for (int c = (int)(t[SAL_TRAPS_DOWN] * 6 + 0.5f) - 1; c >= 0; c--) {
    const int w = worth_of(t, one_of(t + SAL_TRAPS_PILE + KINDS * c, KINDS));
    if (w == 0)
      break;
    points += w;
  }
  return points;
}

/* A trap below, points above it, and no bet that the own pile does not hold. */
static double honest_in_traps(const float *t, const char *text, double usual) {
  const char *card = sal_skip(text, "place ");
  if (card)
    return worth_of(t, doors_card(card)) == 0 ? 100 : 1;
  if ((card = sal_skip(text, "build ")))
    return own_points(t) >= 3 ? 0.01 : pow(10, worth_of(t, doors_card(card)));
  const int bet = number_after(text, "bet ");
  if (bet > 0)
    return bet <= own_points(t) ? pow(3, bet) : 1e-6;
  return strcmp(text, "pass") == 0 ? 1 : usual;
}

/* Lays traps and bets on them. */
static double bluff_in_traps(const float *t, const char *text, double usual) {
  const char *card = sal_skip(text, "place ");
  if (card)
    return worth_of(t, doors_card(card)) == 0 ? 20 : 1;
  if (sal_skip(text, "build "))
    return 0.1;
  const int now = (int)(t[SAL_TRAPS_BET] * 99 + 0.5f);
  const int bet = number_after(text, "bet ");
  if (bet > 0)
    return now == 0 ? (bet == 2) : (bet == now + 1 && bet <= 4) ? 1.2 : 0;
  return strcmp(text, "pass") == 0 ? 1 : usual;
}

/* ---- Favor --------------------------------------------------------------- */

/* Points of the lot for an identity, specials at one. */
static double lot_for(const float *t, int identity) {
  static const int points[] = {-2, 1, 3};
  double sum = 0;
  for (int c = 0; c < KINDS; c++)
    sum +=
        3.0 * t[SAL_FAVOR_LOT + c] * (c < BR ? points[match(c, identity)] : 1);
  return sum;
}

/* Bids up to `most`, one above the last. */
static double bid_up_to(const float *t, const char *text, double most) {
  const int now = (int)(t[SAL_FAVOR_BID] * 5 + 0.5f);
  const int bid = number_after(text, "bid ");
  const double worth = lot_for(t, one_of(t + SAL_FAVOR_IDENTITY, IDENTITIES));
  if (bid > 0)
    return bid == now + 1 && bid <= most ? 100 : 1e-6;
  if (strcmp(text, "auction") == 0)
    return worth >= 3 ? 10 : worth > 0 ? 1 : 0.1;
  return 1;
}

/* Shades: bids half of what a lot is worth to it. */
static double shade(const float *t, const char *text, double usual) {
  (void)usual;
  const int me = one_of(t + SAL_FAVOR_IDENTITY, IDENTITIES);
  return bid_up_to(t, text, 0.5 * lot_for(t, me));
}

/* Denies: bids also for what somebody else may want. */
static double deny(const float *t, const char *text, double usual) {
  double most = 0;
  (void)usual;
  for (int id = 0; id < IDENTITIES; id++)
    most = fmax(most, lot_for(t, id));
  return bid_up_to(t, text, 0.5 * most);
}

void policy_shader(const struct sal_question *q, struct sal_rng *rng,
                   struct sal_policy *out) {
  (void)rng;
  bend_view(q, shade, out);
}

void policy_denier(const struct sal_question *q, struct sal_rng *rng,
                   struct sal_policy *out) {
  (void)rng;
  bend_view(q, deny, out);
}

/* ---- Louis XIV ----------------------------------------------------------- */

/* Markers that the action lays on tiles up to `last`. */
static int markers_laid(const char *text, int last) {
  int sum = 0;
  if (!sal_skip(text, "play ") && !sal_skip(text, "jump "))
    return 0;
  for (const char *at = strchr(text, ':'); at; at = strchr(at + 1, ':')) {
    const char *tile = at;
    while (tile[-1] != ' ')
      tile--;
    if (atoi(tile) <= last)
      sum += atoi(at + 1);
  }
  return sum;
}

/* Chips that missions ask for come from tiles 1 to 4. */
static double rush(const float *t, const char *text, double usual) {
  (void)t;
  return sal_skip(text, "fulfil ") ? 1e6
                                   : usual * pow(6, markers_laid(text, 4));
}

/* As many markers as possible, always. */
static double flood(const float *t, const char *text, double usual) {
  (void)t;
  return usual * pow(6, markers_laid(text, 12));
}

void policy_rusher(const struct sal_question *q, struct sal_rng *rng,
                   struct sal_policy *out) {
  (void)rng;
  bend_view(q, rush, out);
}

void policy_flooder(const struct sal_question *q, struct sal_rng *rng,
                    struct sal_policy *out) {
  (void)rng;
  bend_view(q, flood, out);
}

/* ---- In more than one game ----------------------------------------------- */

void policy_honest(const struct sal_question *q, struct sal_rng *rng,
                   struct sal_policy *out) {
  (void)rng;
  bend_view(q, game_is(q, "doors") ? honest_in_doors : honest_in_traps, out);
}

void policy_bluffer(const struct sal_question *q, struct sal_rng *rng,
                    struct sal_policy *out) {
  (void)rng;
  if (game_is(q, "doors"))
    bluff_in_doors(q, out);
  else
    bend_view(q, bluff_in_traps, out);
}
