/* The explorer of Doors: lines as text, chances and beliefs held against the
 * policy's own answers, worths against the check by the rules. */
#include "../teach.h"
#include "player.h"

#include "salotto/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

enum { EFFORT = 8 };

static const sal_doors_policy *policy;
static struct sal_rng rng;

/* ---- Lines ------------------------------------------------------------------ */

static void check_line(const char *text, const char *again) {
  struct sal_doors_line line;
  char buffer[256];
  struct sal_text out;
  assert_true(sal_doors_line_read(text, &line, NULL));
  sal_text_init(&out, buffer, sizeof buffer);
  sal_doors_line_write(&line, &out);
  assert_string_equal(buffer, again);
}

static void test_lines(void **state) {
  (void)state;
  check_line("RL,BL,RT,BR", "RL,BL,RT,BR");
  check_line("BR,RT,BL,RL", "RL,BL,RT,BR");
  check_line("RL,BL,RT,BR RL", "RL,BL,RT,BR RL");
  check_line("RL,BL,RT,BR.RL:BT.BL:RT.end.BR:LT",
             "RL,BL,RT,BR RL:BT BL:RT BR:LT");
  check_line("RL,BL,RT,BR RL:BT BL:RT end", "RL,BL,RT,BR RL:BT BL:RT end");
  check_line("RL,BL,RT,BR RL:BT BL:RT guess:BT",
             "RL,BL,RT,BR RL:BT BL:RT guess:BT");
  static const struct {
    const char *text;
    size_t at;
  } wrong[] = {{"", 0},
               {"RL,XX", 0},
               {"RL,BL,RT,BR RL:BT end", 2},
               {"RL,BL,RT,BR RL BL", 2},
               {"RL,BL,RT,BR RL:BT BL:RT guess:green", 3},
               {"RL,BL,RT,BR RL:BT BL:RT guess:red BR", 4}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct sal_doors_line line;
    size_t at = 99;
    assert_false(sal_doors_line_read(wrong[i].text, &line, &at));
    assert_int_equal(at, wrong[i].at);
  }
}

/* ---- Places -------------------------------------------------------------------- */

static void explore(sal_doors_explorer *e, const char *text, int blueprint,
                    bool worth, struct sal_doors_explored *out) {
  struct sal_doors_line line;
  assert_true(sal_doors_line_read(text, &line, NULL));
  assert_true(sal_doors_explore(e, blueprint, &line, EFFORT, worth, out));
}

static void check_sums(const struct sal_doors_explored *x) {
  if (x->place == SAL_DOORS_AT_END)
    return;
  for (int i = 0; i < (x->place == SAL_DOORS_AT_DRAW ? 1 : 4); i++) {
    double sum = 0;
    for (size_t k = 0; k < x->count; k++) {
      assert_true(x->option[k].chance[i] >= 0);
      sum += (double)x->option[k].chance[i];
    }
    assert_true(fabs(sum - 1) < 1e-3);
  }
}

static void check_beliefs(const struct sal_doors_explored *x) {
  for (int side = 0; side < 2; side++) {
    double by[4][4];
    const double *reach = side ? x->reach_collector : x->reach_guesser;
    sal_doors_explored_beliefs(x, side, by);
    for (int own = 0; own < 4; own++)
      for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
          assert_true(own != i || by[own][i] == 0);
          /* Bayes: beliefs stand to each other as the reaches do */
          if (i != own && k != own)
            assert_true(fabs(by[own][i] * reach[k] - by[own][k] * reach[i]) <
                        1e-12);
        }
  }
}

/* A random walk; the reaches are the products of the policy's answers. */
static void test_walk(void **state) {
  (void)state;
  sal_doors_explorer *e = sal_doors_explorer_new(policy);
  struct sal_doors_line line;
  double reach[2][4] = {{1, 1, 1, 1}, {1, 1, 1, 1}};
  assert_non_null(e);
  assert_true(sal_doors_line_read("RL,BL,RT,BR", &line, NULL));
  for (;;) {
    struct sal_doors_explored x;
    assert_true(sal_doors_explore(e, 0, &line, EFFORT, false, &x));
    check_sums(&x);
    check_beliefs(&x);
    for (int i = 0; i < 4; i++) {
      if (x.place == SAL_DOORS_AT_DISCARD && x.sets >> i & 1)
        reach[1][i] = 0;
      assert_true(fabs(x.reach_collector[i] - reach[1][i]) < 1e-12);
      assert_true(fabs(x.reach_guesser[i] - reach[0][i]) < 1e-12);
    }
    if (x.place == SAL_DOORS_AT_END)
      break;
    size_t n = sal_rng_below(&rng, (uint32_t)x.count);
    if (x.place == SAL_DOORS_AT_SAY) /* go on */
      n = x.count - 1;
    const struct sal_doors_option *o = &x.option[n];
    for (int i = 0; i < 4 && x.place != SAL_DOORS_AT_DRAW; i++)
      reach[x.collector][i] *= (double)o->chance[i];
    if (x.place == SAL_DOORS_AT_SAY) {
      line.said = SAL_DOORS_END;
    } else if (x.place == SAL_DOORS_AT_DRAW) {
      line.history.pick[line.history.picks] = line.picked;
      line.history.refill[line.history.picks++] = o->what;
      line.due = false;
      line.said = SAL_DOORS_SILENT;
    } else {
      line.due = true;
      line.picked = o->what;
    }
  }
  assert_int_equal(line.history.picks, SAL_DOORS_PICKS);
  sal_doors_explorer_free(e);
}

/* What a player who is asked the same says. */
static void test_policy(void **state) {
  (void)state;
  sal_doors_explorer *e = sal_doors_explorer_new(policy);
  sal_doors_player *player = sal_doors_player_new(policy);
  struct sal_doors_explored x;
  struct sal_doors_chances c;
  struct sal_doors_line line;
  static const char text[] = "RL,BL,RT,BR RL:BT BL:RT BR:LT RT:RL";
  const struct sal_doors_effort effort = {.iterations = EFFORT};
  explore(e, text, 34, false, &x);
  assert_true(sal_doors_line_read(text, &line, NULL));
  player_note_all(player);
  assert_true(
      sal_doors_player_ask(player, 34, &line.history, false, &effort, &c));
  assert_int_equal(x.place, SAL_DOORS_AT_SAY);
  for (size_t k = 0; k < x.count; k++)
    assert_memory_equal(x.option[k].chance, c.say[x.option[k].what],
                        sizeof c.say[0]);
  sal_doors_player_free(player);
  sal_doors_explorer_free(e);
}

/* The best option is worth what the check by the rules finds. */
static void test_worth(void **state) {
  (void)state;
  sal_doors_explorer *e = sal_doors_explorer_new(policy);
  struct sal_doors_explored x;
  struct sal_doors_line line;
  double value[4];
  static const char text[] = "RL,BL,RT,BR RL:BT BL:RT BR:LT RT:RL RL:BL";
  explore(e, text, 0, true, &x);
  assert_int_equal(x.place, SAL_DOORS_AT_DISCARD);
  assert_true(sal_doors_line_read(text, &line, NULL));
  assert_true(policy_check_from(policy, 0, &line.history, true, EFFORT,
                                x.reach_collector, value));
  for (int i = 0; i < 4; i++) {
    double best = -100, met = 0;
    for (size_t k = 0; k < x.count; k++)
      best = fmax(best, (double)x.option[k].worth[i]);
    for (int k = 0; k < 4; k++)
      met += k == i ? 0 : x.reach_collector[k];
    assert_true(fabs(-best * met - value[i]) < 1e-5);
  }
  sal_doors_explorer_free(e);
}

/* Early in a round what optimal play does loses next to nothing, and chances to
 * win lie between 0 and 1. */
static void test_early(void **state) {
  (void)state;
  sal_doors_explorer *e = sal_doors_explorer_new(policy);
  struct sal_doors_explored x;
  for (int blueprint = 0; blueprint < 2; blueprint++) {
    explore(e, "RL,BL,RT,BR RL:BT", blueprint, true, &x);
    for (int i = 0; i < 4; i++) {
      double best = -100, got = 0;
      for (size_t k = 0; k < x.count; k++) {
        const double worth = (double)x.option[k].worth[i];
        assert_true(blueprint == 0 || (worth > 0 && worth < 1));
        best = fmax(best, worth);
        got += worth * (double)x.option[k].chance[i];
      }
      assert_true(best - got < (blueprint ? 0.01 : 0.05));
    }
  }
  sal_doors_explorer_free(e);
}

/* What each end pays, and that the identities who claim are gone. */
static void test_ends(void **state) {
  (void)state;
  sal_doors_explorer *e = sal_doors_explorer_new(policy);
  struct sal_doors_explored x;
  explore(e, "RL,BL,RT,BR RL:BT BL:RT guess:red", 0, false, &x);
  assert_int_equal(x.place, SAL_DOORS_AT_END);
  const float red[4] = {-1, 4, -1, 4};
  assert_memory_equal(x.wins, red, sizeof red);
  explore(e, "RL,BL,RT,BR RL:BT BL:RT guess:BT", 0, false, &x);
  const float name[4] = {4, 4, 4, -5};
  assert_memory_equal(x.wins, name, sizeof name);
  explore(e, "RL,RL,RT,RT RL:BT BT:RL RL:BT BT:BL RT:BT BT:BL RT:LT", 0, false,
          &x);
  assert_int_equal(x.place, SAL_DOORS_AT_DISCARD);
  assert_int_equal(x.sets, 1 << 0 | 1 << 2);
  assert_true(x.collector_is[0] == 0 && x.collector_is[2] == 0);
  sal_doors_explorer_free(e);
}

static void test_refused(void **state) {
  (void)state;
  sal_doors_explorer *e = sal_doors_explorer_new(policy);
  static const char *const wrong[] = {
      "RL,BL,RT",          /* three cards */
      "BR,BR,RL,RL",       /* two of the one there is */
      "RL,BL,RT,BR BT",    /* not in the offer */
      "RL,BL,RT,BR RL:BR", /* not in the deck */
      "RL,RL,RL,BL RL:BT BL:RL BT" /* a fourth RL */};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct sal_doors_line line;
    struct sal_doors_explored x;
    assert_true(sal_doors_line_read(wrong[i], &line, NULL));
    assert_false(sal_doors_explore(e, 0, &line, EFFORT, false, &x));
  }
  sal_doors_explorer_free(e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      {"lines as text", test_lines, NULL, NULL, NULL},
      {"chances are all, beliefs are by Bayes", test_walk, NULL, NULL, NULL},
      {"what the policy answers", test_policy, NULL, NULL, NULL},
      {"what the check says it is worth", test_worth, NULL, NULL, NULL},
      {"optimal play loses next to nothing early", test_early, NULL, NULL,
       NULL},
      {"ends and sets", test_ends, NULL, NULL, NULL},
      {"lines that cannot be", test_refused, NULL, NULL, NULL},
  };
  policy = shipped_policy();
  sal_rng_seed(&rng, 5);
  if (!policy) {
    fprintf(stderr, "SALOTTO_POLICY names no sound policy\n");
    return 2;
  }
  return cmocka_run_group_tests_name("explore", tests, NULL, NULL);
}
