/* The small solver where the answer is known. */
#include "poker.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>
#include <cmocka.h>

static struct tree_bounds solved(struct tree *t, int iterations) {
  assert_true(tree_sound(t));
  for (int i = 0; i < iterations; i++)
    tree_iterate(t);
  return tree_bounds(t);
}

static void test_kuhn_value(void **state) {
  (void)state;
  struct tree *t = kuhn_tree();
  const struct tree_bounds b = solved(t, 4000);
  assert_true(b.low <= -1.0 / 18 + 1e-12 && b.high >= -1.0 / 18 - 1e-12);
  assert_true(b.high - b.low < 1e-4);
  tree_free(t);
}

/* In every equilibrium the Jack bets a third as often as the King, and the
 * Queen never opens. */
static void test_kuhn_strategy(void **state) {
  (void)state;
  struct tree *t = kuhn_tree();
  solved(t, 4000);
  const double king = tree_average(t, 0, 1, 2);
  const double jack = tree_average(t, 0, 1, 0);
  assert_true(fabs(king - 3 * jack) < 0.02); /* bluffs a third as often */
  assert_true(tree_average(t, 0, 1, 1) < 0.01);
  tree_free(t);
}

/* Nothing played yet: the bounds are those of the uniform strategies. */
static void test_kuhn_uniform(void **state) {
  (void)state;
  struct tree *t = kuhn_tree();
  const struct tree_bounds b = solved(t, 0);
  assert_true(fabs(b.high - 0.5) < 1e-12);
  assert_true(fabs(b.high - b.low - 11.0 / 12) < 1e-12);
  tree_free(t);
}

static void test_leduc_value(void **state) {
  (void)state;
  struct tree *t = leduc_tree();
  const clock_t from = clock();
  int n = 0;
  struct tree_bounds b;
  do {
    b = solved(t, 16);
    n += 16;
  } while (b.high - b.low > 0.001 && n < 4000);
  printf("# Leduc: NashConv %.2g after %d iterations, %.3f s\n", b.high - b.low,
         n, (double)(clock() - from) / CLOCKS_PER_SEC);
  assert_true(b.high - b.low <= 0.001);
  assert_true(b.low <= -0.085606 && b.high >= -0.085607);
  b = solved(t, 4000);
  assert_true(fabs((b.low + b.high) / 2 + 0.0856064) < 1e-5);
  tree_free(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      {"Kuhn: worth -1/18", test_kuhn_value, NULL, NULL, NULL},
      {"Kuhn: bluffs a third as often as it bets for value", test_kuhn_strategy,
       NULL, NULL, NULL},
      {"Kuhn: best responses to uniform play", test_kuhn_uniform, NULL, NULL,
       NULL},
      {"Leduc: worth -0.0856", test_leduc_value, NULL, NULL, NULL},
  };
  return cmocka_run_group_tests_name("solve", tests, NULL, NULL);
}
