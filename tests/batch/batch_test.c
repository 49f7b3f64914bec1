/* Batches: the same games for any number of threads, what is written where,
 * refusals that change nothing. */
#include "salotto/batch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { COUNT = 37, STEPS = 400 };

struct arrays {
  struct sal_batch_out out;
  size_t observed, masked, paid;
};

static struct arrays arrays_for(const struct sal_game *g, int players) {
  struct arrays a = {.observed = COUNT * g->info.tensor_size,
                     .masked = COUNT * g->info.action_count,
                     .paid = COUNT * (size_t)players};
  a.out.seat = calloc(COUNT, sizeof(int32_t));
  a.out.observation = calloc(a.observed, sizeof(float));
  a.out.mask = calloc(a.masked, 1);
  a.out.reward = calloc(a.paid, sizeof(float));
  a.out.over = calloc(COUNT, 1);
  return a;
}

static void arrays_free(struct arrays *a) {
  free(a->out.seat);
  free(a->out.observation);
  free(a->out.mask);
  free(a->out.reward);
  free(a->out.over);
}

static sal_batch *batch_of(const struct sal_game *g, int players, int threads) {
  struct sal_batch_plan plan = {
      .game = g, .count = COUNT, .seed = 7, .threads = threads};
  struct sal_refusal why;
  sal_setup_default(g, players, &plan.setup);
  sal_batch *b = sal_batch_new(&plan, &why);
  assert_non_null(b);
  return b;
}

/* The first and the last number of players of every game. */
static void each_setup(void (*look)(const struct sal_game *g, int players)) {
  for (size_t i = 0; sal_games[i]; i++) {
    look(sal_games[i], sal_games[i]->info.players_min);
    look(sal_games[i], sal_games[i]->info.players_max);
  }
}

/* ---- Any number of threads ---------------------------------------------- */

static void same_arrays(const struct arrays *a, const struct arrays *b) {
  assert_memory_equal(a->out.seat, b->out.seat, COUNT * sizeof(int32_t));
  assert_memory_equal(a->out.observation, b->out.observation,
                      a->observed * sizeof(float));
  assert_memory_equal(a->out.mask, b->out.mask, a->masked);
  assert_memory_equal(a->out.reward, b->out.reward, a->paid * sizeof(float));
  assert_memory_equal(a->out.over, b->out.over, COUNT);
}

static void compare_threads(const struct sal_game *g, int players) {
  struct arrays one = arrays_for(g, players), four = arrays_for(g, players);
  sal_batch *a = batch_of(g, players, 1), *b = batch_of(g, players, 4);
  int32_t choice[COUNT], again[COUNT];
  struct sal_refusal why;
  for (int i = 0; i < STEPS; i++) {
    sal_batch_choose(a, choice);
    sal_batch_choose(b, again);
    assert_memory_equal(choice, again, sizeof choice);
    assert_int_equal(sal_batch_step(a, choice, &one.out, &why), 0);
    assert_int_equal(sal_batch_step(b, again, &four.out, &why), 0);
    same_arrays(&one, &four);
  }
  sal_batch_random(a, 5, &one.out);
  sal_batch_random(b, 5, &four.out);
  same_arrays(&one, &four);
  sal_batch_free(a);
  sal_batch_free(b);
  arrays_free(&one);
  arrays_free(&four);
}

static void test_threads(void **state) {
  (void)state;
  each_setup(compare_threads);
}

/* ---- What is written ---------------------------------------------------- */

/* The arrays say what the game itself says of the state. */
static void check_game(const struct sal_game *g, const sal_batch *b, size_t i,
                       const struct arrays *a) {
  const sal_state *s = sal_batch_state(b, i);
  const int seat = a->out.seat[i];
  sal_action *legal = calloc(g->info.legal_max, sizeof *legal);
  float *tensor = calloc(g->info.tensor_size, sizeof *tensor);
  union sal_view_box box;
  assert_true(g->to_act(s) >> seat & 1);
  g->view(s, seat, (sal_view *)box.bytes);
  g->tensor((const sal_view *)box.bytes, tensor);
  assert_memory_equal(a->out.observation + i * g->info.tensor_size, tensor,
                      g->info.tensor_size * sizeof *tensor);
  const size_t n = g->legal(s, seat, legal);
  size_t marked = 0;
  for (size_t k = 0; k < g->info.action_count; k++)
    marked += a->out.mask[i * g->info.action_count + k];
  assert_int_equal(marked, n);
  for (size_t k = 0; k < n; k++)
    assert_int_equal(a->out.mask[i * g->info.action_count +
                                 g->action_index(s, seat, legal[k])],
                     1);
  free(legal);
  free(tensor);
}

static void follow(const struct sal_game *g, int players) {
  struct arrays a = arrays_for(g, players);
  sal_batch *b = batch_of(g, players, 2);
  int32_t choice[COUNT];
  size_t ended = 0;
  sal_batch_look(b, &a.out);
  for (int step = 0; step < 20 * STEPS && ended < COUNT; step++) {
    check_game(g, b, (size_t)step % COUNT, &a);
    sal_batch_choose(b, choice);
    assert_int_equal(sal_batch_step(b, choice, &a.out, NULL), 0);
    for (size_t i = 0; i < COUNT; i++) {
      float sum = 0, most = 0;
      for (int k = 0; k < players; k++) {
        const float r = a.out.reward[i * (size_t)players + (size_t)k];
        sum += r;
        most = r > most ? r : most;
      }
      assert_true(sum < 1e-5f && sum > -1e-5f);
      if (!a.out.over[i])
        assert_true(most == 0);
      ended += a.out.over[i];
    }
  }
  assert_true(ended > 0);
  sal_batch_free(b);
  arrays_free(&a);
}

static void test_arrays(void **state) {
  (void)state;
  each_setup(follow);
}

/* ---- Refusals ------------------------------------------------------------ */

static void test_refused(void **state) {
  (void)state;
  const struct sal_game *g = sal_game_find("doors");
  struct arrays before = arrays_for(g, 2), after = arrays_for(g, 2);
  sal_batch *b = batch_of(g, 2, 3);
  int32_t choice[COUNT];
  struct sal_refusal why;
  static const int32_t bad[] = {-1, 22, 1 << 30};
  sal_batch_look(b, &before.out);
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    sal_batch_choose(b, choice);
    choice[COUNT - 2] = bad[k];
    assert_int_equal(sal_batch_step(b, choice, &after.out, &why),
                     SAL_BAD_ACTION);
    assert_non_null(strstr(why.message, "Game 35 has no legal action"));
    sal_batch_look(b, &after.out);
    same_arrays(&before, &after);
  }
  sal_batch_free(b);
  arrays_free(&before);
  arrays_free(&after);
}

static void test_plans(void **state) {
  (void)state;
  struct sal_batch_plan plan = {.game = sal_game_find("doors"), .count = 1};
  struct sal_refusal why;
  sal_setup_default(plan.game, 5, &plan.setup);
  assert_null(sal_batch_new(&plan, &why));
  assert_string_equal(why.message, "Doors is for 2 players, not 5.");
  plan.game = sal_game_find("favor");
  sal_setup_default(plan.game, 4, &plan.setup);
  plan.setup.option[sal_option_find(plan.game, "first")] = 4;
  assert_null(sal_batch_new(&plan, &why));
  assert_string_equal(why.message, "The option first has no value 4.");
  sal_setup_default(plan.game, 7, &plan.setup);
  assert_null(sal_batch_new(&plan, &why));
  assert_string_equal(why.message, "Favor is for 2 to 4 players, not 7.");
  sal_setup_default(plan.game, 2, &plan.setup);
  plan.count = 0;
  assert_null(sal_batch_new(&plan, &why));
  assert_int_equal(why.code, SAL_BAD_REQUEST);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_threads), cmocka_unit_test(test_arrays),
      cmocka_unit_test(test_refused), cmocka_unit_test(test_plans)};
  return cmocka_run_group_tests_name("batch", tests, NULL, NULL);
}
