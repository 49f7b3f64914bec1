/* Leduc poker as a game of the tests: six cards of three ranks, two rounds of
 * bets (2, then 4), at most two raises a round, one open card between them.
 * Only what a solver asks for is there. Its value to the first player is known:
 * -0.0856 chips. */
#ifndef SAL_TESTS_LEDUC_H
#define SAL_TESTS_LEDUC_H

#include "salotto/game.h"

#include <string.h>

enum { LEDUC_RANKS = 3, LEDUC_NONE = 3 };
enum { LEDUC_FOLD = 1, LEDUC_CALL = 2, LEDUC_RAISE = 3, LEDUC_DEAL = 4 };

struct leduc_state {
  uint8_t card[3]; /* of the seats, then the open one */
  uint8_t dealt;   /* cards; the third when the first round is over */
  uint8_t chips[2];
  uint8_t seat, acted, raises;
  uint8_t round_over, folded; /* folded: 1 + seat */
};

struct leduc_view {
  struct leduc_state s;
  int32_t viewer;
};

static struct leduc_state *leduc_of(sal_state *s) {
  return (struct leduc_state *)s;
}
static const struct leduc_state *leduc_in(const sal_state *s) {
  return (const struct leduc_state *)s;
}

static bool leduc_over(const struct leduc_state *l) {
  return l->folded || (l->round_over && l->dealt == 3);
}

static void leduc_init(sal_state *s, const struct sal_setup *setup) {
  (void)setup;
  *leduc_of(s) = (struct leduc_state){
      .card = {LEDUC_NONE, LEDUC_NONE, LEDUC_NONE}, .chips = {1, 1}};
}

static unsigned leduc_to_act(const sal_state *s) {
  const struct leduc_state *l = leduc_in(s);
  if (leduc_over(l))
    return 0;
  return l->dealt < 2 || l->round_over ? SAL_CHANCE_BIT : 1u << l->seat;
}

static size_t leduc_legal(const sal_state *s, int seat, sal_action *out) {
  const struct leduc_state *l = leduc_in(s);
  size_t n = 0;
  if (!(leduc_to_act(s) >> seat & 1))
    return 0;
  if (l->chips[0] != l->chips[1])
    out[n++] = LEDUC_FOLD;
  out[n++] = LEDUC_CALL;
  if (l->raises < 2)
    out[n++] = LEDUC_RAISE;
  return n;
}

static void leduc_deal(struct leduc_state *l, sal_action a) {
  l->card[l->dealt++] = (uint8_t)(a & 3);
  if (l->dealt == 3)
    l->round_over = l->seat = l->acted = l->raises = 0;
}

static void leduc_apply(sal_state *s, int seat, sal_action a,
                        struct sal_log *log) {
  struct leduc_state *l = leduc_of(s);
  (void)log;
  if (seat == SAL_CHANCE) {
    leduc_deal(l, a);
    return;
  }
  const uint8_t other = l->chips[!seat];
  if (a == LEDUC_FOLD)
    l->folded = (uint8_t)(1 + seat);
  else
    l->chips[seat] = (uint8_t)(other + (a != LEDUC_RAISE ? 0
                                        : l->dealt == 3  ? 4
                                                         : 2));
  l->round_over = a == LEDUC_CALL && l->acted > 0;
  l->raises = (uint8_t)(l->raises + (a == LEDUC_RAISE));
  l->acted++;
  l->seat ^= 1;
}

static void leduc_chance(const sal_state *s, struct sal_chance *c) {
  const struct leduc_state *l = leduc_in(s);
  *c = (struct sal_chance){.index = l->dealt};
  for (unsigned rank = 0; rank < LEDUC_RANKS; rank++) {
    uint32_t left = 2;
    for (int i = 0; i < l->dealt; i++)
      left -= l->card[i] == rank;
    if (left)
      c->outcome[c->count++] = (struct sal_outcome){LEDUC_DEAL | rank, left};
  }
}

/* What the first player wins. */
static int leduc_payoff(const struct leduc_state *l) {
  const uint8_t *c = l->card;
  if (l->folded)
    return l->folded == 1 ? -l->chips[0] : l->chips[1];
  if (c[0] == c[1])
    return 0;
  const bool first = c[0] == c[2] || (c[1] != c[2] && c[0] > c[1]);
  return first ? l->chips[0] : -l->chips[0];
}

static void leduc_scores(const sal_state *s, int32_t *out) {
  out[0] = leduc_over(leduc_in(s)) ? leduc_payoff(leduc_in(s)) : 0;
  out[1] = -out[0];
}

static void leduc_see(const sal_state *s, int viewer, sal_view *out) {
  struct leduc_view *v = (struct leduc_view *)out;
  memset(v, 0, sizeof *v);
  v->s = *leduc_in(s);
  v->viewer = viewer;
  for (int i = 0; i < 2; i++)
    if (i != viewer && viewer != SAL_EVERYTHING && !leduc_over(&v->s))
      v->s.card[i] = LEDUC_NONE;
}

static const struct sal_game leduc_game = {
    .info = {.id = "leduc",
             .players_min = 2,
             .players_max = 2,
             .state_size = sizeof(struct leduc_state),
             .view_size = sizeof(struct leduc_view),
             .legal_max = 3},
    .init = leduc_init,
    .to_act = leduc_to_act,
    .legal = leduc_legal,
    .apply = leduc_apply,
    .chance = leduc_chance,
    .scores = leduc_scores,
    .view = leduc_see,
};

#endif
