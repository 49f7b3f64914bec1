/* What a match of Doors is worth between two rounds, in all its lengths. */
#include "doors.h"
#include "heuristics.h"
#include "salotto/salotto.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

/* Of the Collector, before a round with these tokens. */
static double chance(enum goal goal, int collector, int guesser) {
  const struct sal_game *g = sal_game_find("doors");
  union sal_state_box box;
  struct sal_setup setup;
  double out[2];
  sal_setup_default(g, 2, &setup);
  setup.option[sal_option_find(g, "goal")] = goal;
  memset(&box, 0, sizeof box);
  g->init((sal_state *)box.bytes, &setup);
  struct doors *s = (struct doors *)box.bytes;
  s->tokens[s->collector] = (uint8_t)collector;
  s->tokens[!s->collector] = (uint8_t)guesser;
  heuristics_of(g)->chances(g, (const sal_state *)box.bytes, 2, out);
  assert_true(out[0] > 0 && out[1] > 0 && out[0] + out[1] > 0.999999 &&
              out[0] + out[1] < 1.000001);
  return out[s->collector];
}

static void test_more_is_better(void **unused) {
  (void)unused;
  for (enum goal goal = TO_10; goal <= BEST_OF_THREE; goal++)
    for (int other = 0; other < (int)goals[goal].tokens; other++) {
      double before = 0;
      for (int own = 0; own < (int)goals[goal].tokens; own++) {
        const double now = chance(goal, own, other);
        assert_true(now > before - 0.011); /* solved to about a hundredth */
        before = now;
      }
    }
}

/* What is missing counts: three against three is the same whatever the goal. */
static void test_what_is_missing(void **unused) {
  (void)unused;
  for (int own = 0; own < 5; own++)
    for (int other = 0; other < 5; other++) {
      const double usual = chance(TO_10, own + 5, other + 5);
      assert_true(chance(TO_5, own, other) == usual);
      assert_true(chance(TO_15, own + 10, other + 10) == usual);
    }
}

/* Far from the end a lead is worth less than near it, but it is worth something. */
static void test_early_lead(void **unused) {
  (void)unused;
  const double even = chance(TO_15, 0, 0), ahead = chance(TO_15, 4, 0);
  assert_true(even == chance(TO_10, 0, 0));
  assert_true(ahead > even + 0.1 && ahead < chance(TO_10, 4, 0));
}

/* With 0.4 for a round: of who collects first, and of who has won one. */
static void test_best_of_three(void **unused) {
  (void)unused;
  const double known[2][2] = {{0.448, 0.24}, {0.76, 0.4}};
  for (int own = 0; own < 2; own++)
    for (int other = 0; other < 2; other++) {
      const double off = chance(BEST_OF_THREE, own, other) - known[own][other];
      assert_true(off > -1e-9 && off < 1e-9);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_more_is_better),
      cmocka_unit_test(test_what_is_missing),
      cmocka_unit_test(test_early_lead),
      cmocka_unit_test(test_best_of_three),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
