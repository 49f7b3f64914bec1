/* Weighing: what a seat can do is compared as told, a choice that wins for sure is
 * known to, and what makes a problem stands at its margins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "salotto/ask.h"
#include "salotto/salotto.h"

static const char *const games[] = {"doors", "favor", "traps", "louis"};
enum { WORLDS = 24 };

static sal_table *new_table(const char *game, const char *goal, uint64_t seed) {
  struct sal_plan plan = {.game = sal_game_find(game)};
  sal_setup_default(plan.game, plan.game->info.players_min, &plan.setup);
  if (goal)
    assert_true(sal_option_parse(
        plan.game, sal_option_find(plan.game, "goal"), 2, goal,
        plan.setup.option + sal_option_find(plan.game, "goal")));
  sal_key_number(seed, &plan.seed);
  sal_table *t = sal_table_new(&plan);
  assert_non_null(t);
  return t;
}

static int asked(const sal_table *t) {
  return __builtin_ctz(sal_table_to_act(t));
}

/* What an intermediate does. */
static void move_on(sal_table *t, struct sal_rng *rng) {
  const struct sal_budget budget = sal_budget_simulations(10);
  struct sal_thought thought;
  const int seat = asked(t);
  assert_int_equal(sal_table_ask(t, seat, sal_bot_find("regular"), &budget, rng,
                                 &thought, NULL),
                   0);
  assert_int_equal(sal_table_play(t, seat, thought.action, NULL), 0);
}

static int weigh(const sal_table *t, sal_action also, uint64_t seed,
                 struct sal_weighing *out) {
  struct sal_rng rng;
  sal_rng_seed(&rng, seed);
  memset(out, 0, sizeof *out);
  return sal_table_weigh(t, asked(t), also, WORLDS, &rng, out, NULL);
}

static size_t place_of(const struct sal_weighing *w, sal_action a) {
  size_t i = 0;
  while (i < w->count && w->weighed[i].action != a)
    i++;
  return i;
}

/* ---- What is told ------------------------------------------------------------- */

/* The reason speaks for the first, against the best that is wrong. */
static void check_reason(const struct sal_weighing *w) {
  assert_int_equal(w->other, sal_weighing_right(w));
  if (w->other == w->count)
    assert_int_equal(w->reason, SAL_REASON_NONE);
  else if (w->reason == SAL_REASON_TELLS)
    assert_true(w->here < w->there && w->there <= 1);
  else
    assert_true(w->reason != SAL_REASON_NONE && w->here > w->there &&
                w->there >= 0);
}

static void check_weighing(const sal_table *t, sal_action also,
                           const struct sal_weighing *w) {
  size_t choices;
  const sal_action *legal = sal_table_choices(t, asked(t), &choices);
  assert_int_equal(w->choices, choices);
  assert_in_range(w->count, choices > 1 ? 2 : 1, SAL_WEIGHED);
  assert_true(place_of(w, also) < w->count);
  assert_int_equal(w->weighed[0].error, 0);
  for (size_t i = 0; i < w->count; i++) {
    const struct sal_weighed *one = &w->weighed[i];
    size_t at = 0;
    while (at < choices && legal[at] != one->action)
      at++;
    assert_true(at < choices && place_of(w, one->action) == i);
    assert_in_range(one->value, 0, SAL_SURE);
    assert_true(i == 0 || one->value <= one[-1].value);
    assert_int_equal(sal_weighing_lost(w, i), w->weighed[0].value - one->value);
  }
  check_reason(w);
}

/* All decisions of a game, each time with the last choice in any case; again with
 * the same seed it is the same. */
static void test_told(void **state) {
  (void)state;
  for (size_t g = 0; g < 4; g++) {
    struct sal_rng rng;
    sal_table *t = new_table(games[g], NULL, 3);
    sal_rng_seed(&rng, 3);
    for (int n = 0; n < 40 && sal_table_to_act(t); n++) {
      size_t choices;
      const sal_action *legal = sal_table_choices(t, asked(t), &choices);
      const sal_action also = legal[choices - 1];
      struct sal_weighing one, again;
      if (choices > 1) {
        assert_int_equal(weigh(t, also, 5, &one), 0);
        check_weighing(t, also, &one);
        assert_int_equal(weigh(t, also, 5, &again), 0);
        assert_memory_equal(&one, &again, sizeof one);
      }
      move_on(t, &rng);
    }
    sal_table_free(t);
  }
}

/* ---- What is known ------------------------------------------------------------ */

/* Played to five tokens a set of the Collector wins the game, in every world:
 * nothing is better, ever. Nobody guesses here, so that there are sets. */
static bool claim_wins(uint64_t seed) {
  struct sal_rng rng;
  struct sal_weighing w;
  bool won = false;
  sal_table *t = new_table("doors", "5", seed);
  sal_rng_seed(&rng, seed);
  while (!won && sal_table_to_act(t)) {
    const int seat = asked(t);
    const sal_action claim = sal_table_read(t, seat, "claim", NULL);
    if (claim)
      assert_int_equal(weigh(t, claim, seed, &w), 0);
    if (sal_table_act(t, seat, claim ? "claim" : "end", NULL) != 0)
      move_on(t, &rng);
    won = claim && w.count == 2 && sal_table_to_act(t) == 0 &&
          sal_table_winners(t) == 1u << seat;
    if (won) {
      assert_int_equal(place_of(&w, claim), 0);
      assert_int_equal(w.reason, SAL_REASON_WORLDS);
      assert_true(w.there == 0);
    }
  }
  sal_table_free(t);
  return won;
}

static void test_sure_win(void **state) {
  (void)state;
  int found = 0;
  for (uint64_t seed = 1; seed <= 12; seed++)
    found += claim_wins(seed);
  print_message("# %d games were won by a claim\n", found);
  assert_true(found >= 3);
}

/* ---- Refused ------------------------------------------------------------------ */

static void test_refused(void **state) {
  (void)state;
  struct sal_rng rng;
  struct sal_weighing w;
  struct sal_refusal why;
  sal_table *t = new_table("doors", NULL, 4);
  sal_rng_seed(&rng, 4);
  const int seat = asked(t);
  assert_int_not_equal(sal_table_weigh(t, 1 - seat, 0, WORLDS, &rng, &w, &why),
                       0);
  const sal_action none = 9999;
  assert_int_equal(sal_table_weigh(t, seat, none, WORLDS, &rng, &w, &why),
                   SAL_BAD_ACTION);
  while (sal_table_to_act(t))
    move_on(t, &rng);
  assert_int_not_equal(sal_table_weigh(t, seat, 0, WORLDS, &rng, &w, &why), 0);
  sal_table_free(t);
}

/* ---- Margins ------------------------------------------------------------------ */

/* A best choice, one that loses so much, and one far behind. */
static struct sal_weighing weighing(int32_t lost, int32_t error) {
  return (struct sal_weighing){
      .count = 3,
      .weighed = {{.value = 600000},
                  {.value = 600000 - lost, .error = error},
                  {.value = 100000}}};
}

static void test_margins(void **state) {
  (void)state;
  static const struct {
    int32_t lost, error;
    size_t right;
    bool clear;
  } cases[] = {
      {0, 0, 2, true},
      {SAL_PROBLEM_CLOSE, 0, 2, true},
      {SAL_PROBLEM_CLOSE + 1, 0, 2, false},
      {SAL_PROBLEM_MARGIN - 1, 0, 2, false},
      {SAL_PROBLEM_MARGIN, 0, 1, false},
      {SAL_PROBLEM_CLEAR - 1, 0, 1, false},
      {SAL_PROBLEM_CLEAR, 0, 1, true},
      {SAL_PROBLEM_CLEAR, (SAL_PROBLEM_CLEAR - SAL_PROBLEM_MARGIN) / 2, 1,
       true},
      {SAL_PROBLEM_CLEAR, (SAL_PROBLEM_CLEAR - SAL_PROBLEM_MARGIN) / 2 + 1, 1,
       false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct sal_weighing w = weighing(cases[i].lost, cases[i].error);
    assert_int_equal(sal_weighing_lost(&w, 1), cases[i].lost);
    assert_int_equal(sal_weighing_right(&w), cases[i].right);
    assert_int_equal(sal_weighing_clear(&w), cases[i].clear);
  }
  struct sal_weighing equal = weighing(0, 0);
  equal.count = 2; /* nothing is wrong: no problem */
  assert_false(sal_weighing_clear(&equal));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_told), cmocka_unit_test(test_sure_win),
      cmocka_unit_test(test_refused), cmocka_unit_test(test_margins)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
