/* Doors-S, the game of the speed figures: the interface and the bare loop play
 * the same game, and the textbook search understands it. */
#include "../../src/solve/doors/doors_bare.h"
#include "../../src/solve/doors/doors_s.c"

#include "salotto/bot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* A match to 10 tokens through the interface, at random. */
static uint64_t match_through_interface(struct sal_rng *rng) {
  int tokens[2] = {0, 0};
  uint64_t decisions = 0;
  for (int collector = 0; tokens[0] < WIN && tokens[1] < WIN; collector ^= 1) {
    struct round round;
    sal_state *s = (sal_state *)&round;
    int32_t paid[2];
    doors_s.init(s, NULL);
    for (unsigned asked; (asked = doors_s.to_act(s)) != 0;) {
      sal_action list[OFFER];
      if (asked == SAL_CHANCE_BIT) {
        doors_s.sample(s, rng);
        continue;
      }
      const int seat = __builtin_ctz(asked);
      const size_t n = doors_s.legal(s, seat, list);
      doors_s.apply(s, seat, list[sal_rng_below(rng, (uint32_t)n)], NULL);
      decisions++;
    }
    doors_s.scores(s, paid);
    tokens[collector] += paid[0];
    tokens[!collector] += paid[1];
  }
  return decisions;
}

static void test_same_game(void **unused) {
  (void)unused;
  enum { MATCHES = 20000 };
  struct sal_rng rng;
  uint64_t bare = 0, through = 0;
  sal_rng_seed(&rng, 1);
  for (int i = 0; i < MATCHES; i++) {
    bare += doors_s_match(&rng);
    through += match_through_interface(&rng);
  }
  const double ratio = (double)through / (double)bare;
  assert_true(ratio > 0.99 && ratio < 1.01);
}

/* The Collector's fourth take: one slot completes a set, the others do not. */
static void test_search_sees_a_set(void **unused) {
  (void)unused;
  for (uint8_t slot = 0; slot < OFFER; slot++) {
    struct round round = {.deck = {0, 1, 1, 2, 2, 3},
                          .left = 6,
                          .offer = {3, 3, 3, 3},
                          .collection = {2, 0, 0, 0, 1, 0},
                          .identity = {0, 3},
                          .turn = 6,
                          .gap = OFFER,
                          .dealt = true};
    struct view seen;
    sal_action list[OFFER];
    struct sal_rng rng;
    struct sal_thought thought;
    round.offer[slot] = 2; /* a fourth red one */
    sal_rng_seed(&rng, slot);
    doors_s.view((const sal_state *)&round, 0, (sal_view *)&seen);
    assert_int_equal(seen.s.identity[1], 0); /* hidden */
    const struct sal_question q = {
        .game = &doors_s,
        .players = 2,
        .view = (const sal_view *)&seen,
        .legal = list,
        .count = doors_s.legal((const sal_state *)&round, 0, list),
        .budget = sal_budget_simulations(400)};
    sal_bot_find("ismcts")->think(&q, &rng, &thought);
    assert_int_equal(thought.simulations, 400);
    assert_int_equal(thought.action, 1 + slot);
  }
}

/* ---- The whole of Doors --------------------------------------------------- */

/* The bare loop of the bench plays Doors: as long, and as often won by whoever
 * collects first. Bounds of six standard errors. */
static void test_bare(void **state) {
  (void)state;
  enum { MATCHES = 20000 };
  const struct sal_game *g = sal_game_find("doors");
  struct sal_setup setup;
  struct sal_rng rng;
  double bare = 0, through = 0, won = 0, won_there = 0;
  sal_setup_default(g, 2, &setup);
  setup.option[sal_option_find(g, "first")] = 0;
  sal_rng_seed(&rng, 4);
  for (int i = 0; i < MATCHES; i++) {
    bool first;
    union sal_state_box box;
    sal_state *s = (sal_state *)box.bytes;
    bare += (double)doors_bare_match(&rng, &first);
    won += first;
    g->init(s, &setup);
    for (unsigned asked; (asked = g->to_act(s)) != 0;) {
      sal_action list[16];
      if (asked == SAL_CHANCE_BIT) {
        g->sample(s, &rng);
        continue;
      }
      const int seat = __builtin_ctz(asked);
      const size_t n = g->legal(s, seat, list);
      g->apply(s, seat, list[sal_rng_below(&rng, (uint32_t)n)], NULL);
      through++;
    }
    won_there += g->winners(s) & 1;
  }
  assert_in_range((long)(bare + 0.03 * bare - through), 0, (long)(0.06 * bare));
  assert_in_range((long)(won - won_there + 600), 0, 1200);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bare),
      {"Doors-S: the interface and the bare loop play alike", test_same_game,
       NULL, NULL, NULL},
      {"Doors-S: the textbook search completes a set", test_search_sees_a_set,
       NULL, NULL, NULL},
  };
  return cmocka_run_group_tests_name("doors-s", tests, NULL, NULL);
}
