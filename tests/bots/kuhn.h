/* Kuhn poker as a game of the tests: three cards, one chip each, one bet. Only
 * what a searcher asks for is there. Its equilibrium is known: worth -1/18 to
 * the first player. */
#ifndef SAL_TESTS_KUHN_H
#define SAL_TESTS_KUHN_H

#include "salotto/game.h"

#include <string.h>

enum { JACK, QUEEN, KING, KUHN_NONE };
enum { KUHN_PASS = 1, KUHN_BET = 2, KUHN_DEAL = 4 };

/* History: how many acted, and bits of who bet. */
struct kuhn {
  uint8_t card[2];
  uint8_t dealt, acted, bets; /* bets: bit i, the i-th action was a bet */
};

struct kuhn_view {
  struct kuhn s;
  int32_t viewer;
};

static const struct kuhn *kuhn_in(const sal_state *s) {
  return (const struct kuhn *)s;
}

static bool kuhn_over(const struct kuhn *k) {
  switch (k->acted) {
  case 2: return k->bets != 2; /* pass bet goes on */
  case 3: return true;
  default: return false;
  }
}

static void kuhn_init(sal_state *s, const struct sal_setup *setup) {
  (void)setup;
  *(struct kuhn *)s = (struct kuhn){.card = {KUHN_NONE, KUHN_NONE}};
}

static unsigned kuhn_to_act(const sal_state *s) {
  const struct kuhn *k = kuhn_in(s);
  if (k->dealt < 2)
    return SAL_CHANCE_BIT;
  return kuhn_over(k) ? 0 : 1u << (k->acted & 1);
}

static size_t kuhn_legal(const sal_state *s, int seat, sal_action *out) {
  if (!(kuhn_to_act(s) >> seat & 1))
    return 0;
  out[0] = KUHN_PASS;
  out[1] = KUHN_BET;
  return 2;
}

static const char *kuhn_check(const sal_state *s, int seat, sal_action a) {
  (void)s;
  (void)seat;
  return a == KUHN_PASS || a == KUHN_BET ? NULL : "kuhn.turn";
}

static void kuhn_apply(sal_state *s, int seat, sal_action a,
                       struct sal_log *log) {
  struct kuhn *k = (struct kuhn *)s;
  (void)log;
  if (seat == SAL_CHANCE) {
    k->card[k->dealt++] = (uint8_t)(a & 3);
  } else {
    k->bets |= (uint8_t)((a == KUHN_BET) << k->acted);
    k->acted++;
  }
}

static void kuhn_chance(const sal_state *s, struct sal_chance *c) {
  const struct kuhn *k = kuhn_in(s);
  *c = (struct sal_chance){.index = k->dealt};
  for (unsigned card = 0; card < KUHN_NONE; card++)
    if (card != k->card[0])
      c->outcome[c->count++] = (struct sal_outcome){KUHN_DEAL | card, 1};
}

static void kuhn_sample(sal_state *s, struct sal_rng *rng) {
  while (kuhn_to_act(s) == SAL_CHANCE_BIT) {
    struct sal_chance c;
    kuhn_chance(s, &c);
    kuhn_apply(s, SAL_CHANCE, sal_chance_draw(&c, rng), NULL);
  }
}

static int kuhn_closed(const sal_state *s) { return kuhn_to_act(s) == 0; }

/* What the first player wins. */
static int kuhn_payoff(const struct kuhn *k) {
  const int higher = k->card[0] > k->card[1] ? 1 : -1;
  if (k->acted == 2)
    return k->bets == 3 ? 2 * higher : k->bets == 1 ? 1 : higher;
  return k->bets == 6 ? 2 * higher : -1; /* pass bet, then call or fold */
}

static void kuhn_scores(const sal_state *s, int32_t *out) {
  const struct kuhn *k = kuhn_in(s);
  out[0] = kuhn_over(k) ? kuhn_payoff(k) : 0;
  out[1] = -out[0];
}

/* Nobody "wins": the chips are what counts. */
static unsigned kuhn_winners(const sal_state *s) {
  (void)s;
  return 0;
}

static void kuhn_see(const sal_state *s, int viewer, sal_view *out) {
  struct kuhn_view *v = (struct kuhn_view *)out;
  v->s = *kuhn_in(s);
  v->viewer = viewer;
  for (int i = 0; i < 2; i++)
    if (i != viewer && viewer != SAL_EVERYTHING && !kuhn_over(&v->s))
      v->s.card[i] = KUHN_NONE;
}

static void kuhn_resample(const sal_view *out, struct sal_rng *rng,
                          sal_state *s) {
  struct kuhn *k = (struct kuhn *)s;
  *k = ((const struct kuhn_view *)out)->s;
  for (int i = 0; i < 2; i++)
    while (k->dealt == 2 &&
           (k->card[i] == KUHN_NONE || k->card[i] == k->card[!i]))
      k->card[i] = (uint8_t)sal_rng_below(rng, 3);
}

static void kuhn_tensor(const sal_view *v, float *out) {
  (void)v;
  out[0] = 0;
}

static const struct sal_game kuhn = {
    .info = {.id = "kuhn",
             .players_min = 2,
             .players_max = 2,
             .state_size = sizeof(struct kuhn),
             .view_size = sizeof(struct kuhn_view),
             .legal_max = 2,
             .tensor_size = 1,
             .longest = 5,
             .score_min = -2,
             .score_max = 2},
    .init = kuhn_init,
    .to_act = kuhn_to_act,
    .legal = kuhn_legal,
    .check = kuhn_check,
    .apply = kuhn_apply,
    .chance = kuhn_chance,
    .sample = kuhn_sample,
    .closed = kuhn_closed,
    .scores = kuhn_scores,
    .winners = kuhn_winners,
    .view = kuhn_see,
    .resample = kuhn_resample,
    .tensor = kuhn_tensor,
};

#endif
