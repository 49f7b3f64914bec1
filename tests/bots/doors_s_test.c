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

/* A view is the same whoever the other is. */
static void test_the_other_is_hidden(void **unused) {
  (void)unused;
  for (int viewer = 0; viewer < 2; viewer++) {
    struct round round = {.left = 1, .identity = {1, 2}, .dealt = true};
    struct view before = {0}, after = {0};
    doors_s.view((const sal_state *)&round, viewer, (sal_view *)&before);
    assert_int_equal(before.s.identity[viewer], 1 + viewer);
    round.identity[!viewer] = 3;
    doors_s.view((const sal_state *)&round, viewer, (sal_view *)&after);
    assert_memory_equal(&before, &after, sizeof before);
  }
}

/* Who is paid when this identity of Collector and Guesser, with these cards
 * collected, plays a red card: nobody in mid-round, and both loops use it. */
static struct round after_red(unsigned turn, unsigned collector,
                              unsigned guesser, unsigned reds) {
  struct round s = {.offer = {2, 3, 3, 3},
                    .identity = {(uint8_t)collector, (uint8_t)guesser},
                    .turn = (uint8_t)turn};
  s.collection[0] = 2;
  s.collection[2] = (uint8_t)(reds - 2);
  s.collection[3] = (uint8_t)(4 - reds);
  const bool over = play_slot(&s, 0);
  assert_true(over == (s.paid[0] || s.paid[1]));
  return s;
}

static void test_payments(void **unused) {
  (void)unused;
  enum { RED_LADY = 0, BLUE_TIGER = 3 };
  struct round s = after_red(6, RED_LADY, BLUE_TIGER, 3);
  assert_true(s.paid[0] == TOKENS_SET && s.paid[1] == 0);
  for (unsigned turn = 7; turn <= LAST_TURN; turn += 2) {
    s = after_red(turn, BLUE_TIGER, RED_LADY, 4);
    assert_true(s.paid[0] == 0 && s.paid[1] == TOKENS_GUESSER_SET);
    s = after_red(turn, RED_LADY, BLUE_TIGER, 2);
    assert_true(s.paid[0] == 0 &&
                s.paid[1] == (turn == LAST_TURN ? TOKENS_DECK_OUT : 0));
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
      {"Doors-S: what each end of a round pays", test_payments, NULL, NULL,
       NULL},
      {"Doors-S: nobody sees who the other is", test_the_other_is_hidden, NULL,
       NULL, NULL},
      {"Doors-S: the textbook search completes a set", test_search_sees_a_set,
       NULL, NULL, NULL},
  };
  return cmocka_run_group_tests_name("doors-s", tests, NULL, NULL);
}
