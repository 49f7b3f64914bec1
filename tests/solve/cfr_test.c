/* The solver of small games where the answer is known, and where it must
 * refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "../bots/kuhn.h"
#include "leduc.h"
#include "salotto/cfr.h"

static sal_cfr *solver(const struct sal_game *g, enum sal_cfr_goal goal) {
  const struct sal_setup two = {.players = 2};
  enum sal_cfr_problem problem;
  sal_cfr *c = sal_cfr_new(g, &two, goal, 100000, &problem);
  assert_non_null(c);
  assert_int_equal(problem, SAL_CFR_FINE);
  return c;
}

static struct sal_cfr_bounds after(sal_cfr *c, int iterations) {
  for (int i = 0; i < iterations; i++)
    sal_cfr_iterate(c);
  return sal_cfr_bounds(c);
}

static void holds(struct sal_cfr_bounds b, double value, double within) {
  assert_true(b.low <= value + 1e-9 && value - 1e-9 <= b.high);
  assert_true(b.high - b.low < within);
}

static void close_to(double a, double b, double within) {
  assert_true(fabs(a - b) <= within);
}

static void test_kuhn(void **state) {
  (void)state;
  sal_cfr *c = solver(&kuhn, SAL_CFR_SCORE);
  const struct sal_cfr_size size = sal_cfr_size(c);
  /* 1 + 3 + 6 deals, then 9 nodes a deal, the first of them that of the deal */
  assert_int_equal(size.nodes, 1 + 3 + 6 * 9);
  assert_int_equal(size.sets, 12);
  assert_int_equal(size.depth, 5);
  holds(after(c, 3000), -1.0 / 18, 5e-4);
  sal_cfr_free(c);
}

/* The first player's best play is a family with one number: how often a jack
 * bets. A king bets three times as often, a queen never; the second player's
 * is the only one. */
static void test_kuhn_strategy(void **state) {
  (void)state;
  double bet[2][3][8] = {{{0}}};
  sal_cfr *c = solver(&kuhn, SAL_CFR_SCORE);
  after(c, 10000);
  for (size_t i = 0; i < sal_cfr_size(c).sets; i++) {
    const struct sal_cfr_set s = sal_cfr_set(c, i);
    const struct kuhn *k = &((const struct kuhn_view *)s.view)->s;
    assert_int_equal(s.count, 2);
    assert_int_equal(k->card[!s.seat], KUHN_NONE);
    bet[s.seat][k->card[s.seat]][k->acted * 2 + (k->bets != 0)] =
        sal_cfr_average(c, i, 1);
  }
  const double jack = bet[0][JACK][0];
  assert_true(jack <= 1.0 / 3 + 0.01);
  close_to(bet[0][KING][0], 3 * jack, 0.03);
  close_to(bet[0][QUEEN][0], 0, 0.01);
  close_to(bet[0][QUEEN][5], jack + 1.0 / 3, 0.03);
  close_to(bet[1][JACK][2], 1.0 / 3, 0.01);
  close_to(bet[1][QUEEN][3], 1.0 / 3, 0.01);
  close_to(bet[1][KING][3], 1, 0.01);
  close_to(bet[1][JACK][3], 0, 0.01);
  sal_cfr_free(c);
}

static void test_leduc(void **state) {
  (void)state;
  sal_cfr *c = solver(&leduc_game, SAL_CFR_SCORE);
  assert_int_equal(sal_cfr_size(c).sets, 288);
  holds(after(c, 400), -0.085606, 0.01);
  sal_cfr_free(c);
}

/* Bounds are true from the beginning, and each is a best response: they hold
 * the value also before anything is learned. */
static void test_bounds(void **state) {
  (void)state;
  sal_cfr *c = solver(&leduc_game, SAL_CFR_SCORE);
  struct sal_cfr_bounds b = sal_cfr_bounds(c);
  assert_true(b.low < -2 && b.high > 2); /* nobody plays at random for long */
  for (int i = 0; i < 5; i++)
    holds(after(c, 5), -0.0856, b.high - b.low + 1e-9);
  sal_cfr_free(c);
}

/* ---- Refusals -------------------------------------------------------------- */

static enum sal_cfr_problem problem_of(const struct sal_game *g, int players,
                                       size_t nodes) {
  struct sal_setup setup;
  enum sal_cfr_problem problem = SAL_CFR_FINE;
  sal_setup_default(g, players, &setup);
  sal_cfr *c = sal_cfr_new(g, &setup, SAL_CFR_WIN, nodes, &problem);
  assert_true((c == NULL) == (problem != SAL_CFR_FINE));
  sal_cfr_free(c);
  return problem;
}

static void test_too_large(void **state) {
  (void)state;
  const struct sal_setup two = {.players = 2};
  enum sal_cfr_problem problem;
  for (size_t i = 0; sal_games[i]; i++)
    assert_int_equal(problem_of(sal_games[i], 2, 2000), SAL_CFR_TOO_LARGE);
  assert_null(sal_cfr_new(&kuhn, &two, SAL_CFR_SCORE, 57, &problem));
  assert_int_equal(problem, SAL_CFR_TOO_LARGE);
}

static void test_not_two(void **state) {
  (void)state;
  assert_int_equal(problem_of(sal_game_find("traps"), 3, 2000),
                   SAL_CFR_NOT_TWO);
}

/* A king may not bet: an action tells what the view hides. */
static size_t telling_legal(const sal_state *s, int seat, sal_action *out) {
  const size_t n = kuhn_legal(s, seat, out);
  return n && kuhn_in(s)->card[!seat] == KING ? 1 : n;
}

static void test_unsound(void **state) {
  (void)state;
  const struct sal_setup two = {.players = 2};
  struct sal_game telling = kuhn;
  enum sal_cfr_problem problem;
  telling.legal = telling_legal;
  assert_null(sal_cfr_new(&telling, &two, SAL_CFR_SCORE, 1000, &problem));
  assert_int_equal(problem, SAL_CFR_UNSOUND);
}

/* ---- Games for the win ------------------------------------------------------- */

extern const struct sal_game sal_null;

/* In the null game heads are shown, and then both or one win. */
static void test_win(void **state) {
  (void)state;
  sal_cfr *c = solver(&sal_null, SAL_CFR_WIN);
  holds(after(c, 200), 0.5, 1e-3);
  sal_cfr_free(c);
}

/* ---- Registering --------------------------------------------------------------- */

static void test_register(void **state) {
  (void)state;
  struct sal_game odd = sal_null;
  static struct sal_game fine;
  size_t count = 0;
  while (sal_games[count])
    count++;
  odd.info.id = "Null";
  assert_non_null(sal_game_register(&odd));
  odd.info.id = "doors";
  assert_non_null(sal_game_register(&odd));
  odd.info.id = "odd";
  odd.tensor = NULL;
  assert_non_null(sal_game_register(&odd));
  odd.tensor = sal_null.tensor;
  odd.info.players_max = SAL_SEATS_MAX + 1;
  assert_non_null(sal_game_register(&odd));
  odd.info.players_max = 2;
  odd.info.state_size = SAL_STATE_MAX + 1;
  assert_non_null(sal_game_register(&odd));
  assert_null(sal_games[count]);
  fine = sal_null;
  fine.info.id = "null-2";
  for (int i = 0; i < 2; i++) {
    assert_null(sal_game_register(i ? &sal_null : &fine));
    assert_ptr_equal(sal_games[count + (size_t)i], i ? &sal_null : &fine);
    assert_null(sal_games[count + (size_t)i + 1]);
  }
  assert_ptr_equal(sal_game_find("null-2"), &fine);
  assert_non_null(sal_game_register(&fine));
  assert_ptr_equal(sal_game_find("doors"), sal_games[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      {"Kuhn poker is worth -1/18", test_kuhn, NULL, NULL, NULL},
      {"Kuhn poker is played as it is known to be", test_kuhn_strategy, NULL,
       NULL, NULL},
      {"Leduc poker is worth -0.0856", test_leduc, NULL, NULL, NULL},
      {"bounds hold the value from the beginning", test_bounds, NULL, NULL,
       NULL},
      {"a game for the win", test_win, NULL, NULL, NULL},
      {"games that are too large are refused", test_too_large, NULL, NULL,
       NULL},
      {"a game for three is refused", test_not_two, NULL, NULL, NULL},
      {"actions that tell what is hidden are found", test_unsound, NULL, NULL,
       NULL},
      {"games are registered, and bad ones refused", test_register, NULL, NULL,
       NULL}};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
