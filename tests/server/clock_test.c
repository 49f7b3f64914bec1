/* Clocks, with time made up. */
#include "rooms/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void none_never_runs(void **state) {
  (void)state;
  struct clock c;
  clock_start(&c, &(struct clock_rule){0}, 100);
  clock_ask(&c, 3, 3);
  clock_pass(&c, 1000000);
  assert_int_equal(clock_left(&c, 0, 2000000), -1);
  assert_int_equal(clock_out(&c, 2000000), 0);
}

static void by_move(void **state) {
  (void)state;
  struct clock c;
  clock_start(&c, &(struct clock_rule){CLOCK_MOVE, 1000, 0}, 0);
  clock_ask(&c, 1, 1);
  assert_int_equal(clock_left(&c, 0, 400), 600);
  assert_int_equal(clock_left(&c, 1, 400), 1000);
  clock_pass(&c, 400);
  clock_acted(&c, 0);
  clock_ask(&c, 2, 2);
  assert_int_equal(clock_left(&c, 0, 900), 600); /* it stands still */
  assert_int_equal(clock_out(&c, 1399), 0);
  assert_int_equal(clock_out(&c, 1400), 2);
  assert_int_equal(clock_left(&c, 1, 5000), 0);
  clock_pass(&c, 900);
  clock_ask(&c, 1, 1); /* a new decision: the whole time again */
  assert_int_equal(clock_left(&c, 0, 900), 1000);
  clock_pass(&c, 1000);
  clock_ask(&c, 1, 0); /* the same question: the time goes on */
  assert_int_equal(clock_left(&c, 0, 1000), 900);
}

static void by_game(void **state) {
  (void)state;
  struct clock c;
  clock_start(&c, &(struct clock_rule){CLOCK_GAME, 10000, 2000}, 0);
  clock_ask(&c, 3, 3); /* both at once */
  clock_pass(&c, 3000);
  clock_acted(&c, 0);
  clock_ask(&c, 2, 0);
  assert_int_equal(clock_left(&c, 0, 4000), 9000);
  assert_int_equal(clock_left(&c, 1, 4000), 6000);
  clock_pass(&c, 4000);
  clock_undone(&c, 0);
  clock_ask(&c, 3, 1);
  assert_int_equal(clock_left(&c, 0, 4000), 7000);
  assert_int_equal(clock_out(&c, 10000), 2);
  assert_int_equal(clock_out(&c, 11000), 3);
}

static void back_finds_some_time(void **state) {
  (void)state;
  struct clock c;
  clock_start(&c, &(struct clock_rule){CLOCK_GAME, 600000, 0}, 0);
  clock_ask(&c, 1, 1);
  clock_pass(&c, 700000);
  clock_ask(&c, 0, 0);
  clock_back(&c, 0);
  assert_int_equal(clock_left(&c, 0, 700000), 30000);
  clock_back(&c, 1); /* who has more keeps it */
  assert_int_equal(clock_left(&c, 1, 700000), 600000);
}

static void time_never_runs_backwards(void **state) {
  (void)state;
  struct clock c;
  clock_start(&c, &(struct clock_rule){CLOCK_GAME, 1000, 0}, 5000);
  clock_ask(&c, 1, 1);
  clock_pass(&c, 5500);
  clock_pass(&c, 5200);
  assert_int_equal(clock_left(&c, 0, 5100), 500);
  assert_int_equal(clock_left(&c, 0, 5600), 400);
  clock_skip(&c, 9000); /* nobody is charged */
  assert_int_equal(clock_left(&c, 0, 9100), 400);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(none_never_runs),
      cmocka_unit_test(by_move),
      cmocka_unit_test(by_game),
      cmocka_unit_test(back_finds_some_time),
      cmocka_unit_test(time_never_runs_backwards),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
