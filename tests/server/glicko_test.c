/* Ratings: the worked example of the paper, and what must hold anyway. */
#include "base/glicko.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void near(double got, double want, double within) {
  assert_true(fabs(got - want) <= within);
}

/* Glickman, "Example of the Glicko-2 system". */
static void example_of_the_paper(void **state) {
  (void)state;
  const struct glicko player = {1500, 200, 0.06};
  const struct glicko_meeting met[] = {{{1400, 30, 0.06}, 1, 1},
                                       {{1550, 100, 0.06}, 0, 1},
                                       {{1700, 300, 0.06}, 0, 1}};
  const struct glicko after = glicko_after(&player, met, 3, 0.5);
  near(after.rating, 1464.06, 0.01);
  near(after.deviation, 151.52, 0.01);
  near(after.volatility, 0.05999, 0.00001);
}

static void alike_stay_alike(void **state) {
  (void)state;
  const struct glicko p = {1600, 80, 0.06};
  const struct glicko_meeting drawn = {p, 0.5, 1}, won = {p, 1, 1},
                              lost = {p, 0, 1};
  near(glicko_after(&p, &drawn, 1, 0.5).rating, 1600, 1e-9);
  const double up = glicko_after(&p, &won, 1, 0.5).rating - 1600;
  const double down = 1600 - glicko_after(&p, &lost, 1, 0.5).rating;
  assert_true(up > 0);
  near(up, down, 1e-9);
}

/* A result against all odds makes the volatility grow. */
static void surprises_unsettle(void **state) {
  (void)state;
  const struct glicko weak = {1200, 50, 0.06};
  struct glicko_meeting met[8];
  for (int i = 0; i < 8; i++)
    met[i] = (struct glicko_meeting){{2200, 50, 0.06}, 1, 1};
  const struct glicko after = glicko_after(&weak, met, 8, 0.5);
  assert_true(after.volatility > weak.volatility);
  assert_true(after.rating > 1300);
}

static void idle_is_less_sure(void **state) {
  (void)state;
  const struct glicko p = {1700, 60, 0.06};
  const struct glicko once = glicko_idle(&p, 1), long_ = glicko_idle(&p, 1e9);
  assert_true(once.deviation > 60 && once.deviation < 62);
  near(long_.deviation, 350, 0);
  near(long_.rating, 1700, 0);
  near(glicko_idle(&p, 0).deviation, 60, 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(example_of_the_paper),
      cmocka_unit_test(alike_stay_alike),
      cmocka_unit_test(surprises_unsettle),
      cmocka_unit_test(idle_is_less_sure),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
