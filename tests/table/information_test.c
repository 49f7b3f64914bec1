/* Information states: histories that lead to the same table are told apart, by
 * the steps themselves and not only by the digest. */
#include "salotto/salotto.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct line {
  int seat;
  const char *action;
};

/* A table with its first cards fixed, after these actions. */
static sal_table *table_after(const char *game, int players,
                              const char *const *deck, const char *pile,
                              const struct line *lines) {
  struct sal_plan plan = {.game = sal_game_find(game)};
  struct sal_refusal why;
  sal_setup_default(plan.game, players, &plan.setup);
  plan.setup.option[sal_option_find(plan.game, "first")] = 0;
  sal_key_number(5, &plan.seed);
  plan.deals = sal_deals_new(plan.game, &plan.setup);
  assert_int_equal(sal_deals_open(plan.deals, 0, pile, 0, &why), 0);
  for (; *deck; deck++)
    assert_int_equal(sal_deals_card(plan.deals, *deck, &why), 0);
  sal_table *t = sal_table_new(&plan);
  assert_non_null(t);
  for (; lines->action; lines++)
    assert_int_equal(sal_table_act(t, lines->seat, lines->action, &why), 0);
  return t;
}

static float *information(const sal_table *t, int viewer) {
  const struct sal_game *g = sal_table_game(t);
  float *out = calloc(sal_information_size(g), sizeof *out);
  struct sal_recall recall;
  union sal_view_box box;
  sal_table_recall(t, viewer, &recall);
  sal_table_view(t, viewer, (sal_view *)box.bytes);
  sal_information(g, sal_table_players(t), viewer, &recall,
                  (const sal_view *)box.bytes, out);
  return out;
}

/* Both tables look the same to every viewer; their observations are the same,
 * and the steps and the digests are not. */
static void told_apart(sal_table *a, sal_table *b) {
  const struct sal_game *g = sal_table_game(a);
  const size_t seen = g->info.tensor_size, from = seen + SAL_DIGEST;
  const size_t all = sal_information_size(g);
  for (int v = SAL_SPECTATOR; v < sal_table_players(a); v++) {
    float *x = information(a, v), *y = information(b, v);
    assert_memory_equal(x, y, seen * sizeof *x);
    assert_memory_not_equal(x + seen, y + seen, SAL_DIGEST * sizeof *x);
    assert_memory_not_equal(x + from, y + from, (all - from) * sizeof *x);
    free(x);
    free(y);
  }
  sal_table_free(a);
  sal_table_free(b);
}

static void test_doors(void **state) {
  (void)state;
  static const char *const deck[] = {"RL", "BL", "RT", "BT",
                                     "RT", "BT", "LT", NULL};
  static const struct line one[] = {
      {0, "take RL"}, {1, "discard RT"}, {1, "end"}, {0, "take BL"}, {0, NULL}};
  static const struct line two[] = {
      {0, "take BL"}, {1, "discard RT"}, {1, "end"}, {0, "take RL"}, {0, NULL}};
  told_apart(table_after("doors", 2, deck, "deck", one),
             table_after("doors", 2, deck, "deck", two));
}

static void test_favor(void **state) {
  (void)state;
  static const char *const deck[] = {"RL", "BL", "RT", NULL};
  static const struct line bid[] = {
      {0, "auction"}, {1, "bid 1"}, {2, "bid 2"}, {0, "pass"}, {0, NULL}};
  static const struct line passed[] = {
      {0, "auction"}, {1, "pass"}, {2, "bid 2"}, {0, "pass"}, {0, NULL}};
  told_apart(table_after("favor", 3, deck, "deck", bid),
             table_after("favor", 3, deck, "deck", passed));
}

static void test_traps(void **state) {
  (void)state;
  static const char *const hand[] = {"RL", "RL", "BL", "BL", "RT", "BT", NULL};
  static const struct line raised[] = {
      {0, "bet 1"}, {1, "bet 2"}, {0, "bet 3"}, {1, "pass"}, {0, NULL}};
  static const struct line at_once[] = {{0, "bet 3"}, {1, "pass"}, {0, NULL}};
  sal_table *t[2];
  for (int i = 0; i < 2; i++) {
    static const struct line none[] = {{0, NULL}};
    t[i] = table_after("traps", 2, hand, "hands", none);
    size_t count;
    assert_int_equal(sal_table_act(t[i], 0, "place RL", NULL), 0);
    const sal_action *theirs = sal_table_choices(t[i], 1, &count);
    assert_int_equal(sal_table_play(t[i], 1, theirs[0], NULL), 0);
    for (const struct line *l = i ? at_once : raised; l->action; l++)
      assert_int_equal(sal_table_act(t[i], l->seat, l->action, NULL), 0);
  }
  told_apart(t[0], t[1]);
}

/* Where each number stands: who acted, that it was hidden, which bits. */
static void test_step(void **state) {
  (void)state;
  static const char *const hand[] = {"RL", "RL", "BL", "BL", NULL};
  static const struct line lines[] = {{0, "place BL"}, {0, NULL}};
  sal_table *t = table_after("traps", 3, hand, "hands", lines);
  const struct sal_game *g = sal_table_game(t);
  const size_t size = sal_step_size(g);
  assert_int_equal(size, SAL_STEP_ACTION + 4 + 7);
  for (int v = 0; v < 3; v++) {
    struct sal_recall recall;
    float *all = information(t, v);
    sal_table_recall(t, v, &recall);
    const float *step =
        all + g->info.tensor_size + SAL_DIGEST + (recall.count - 1) * size;
    assert_true(step[SAL_STEP_SEAT + (3 - v) % 3] == 1);
    assert_true(step[SAL_STEP_CHANCE] == 0 && step[-(int)size + 6] == 1);
    assert_true(step[SAL_STEP_HIDDEN] == (v != 0));
    /* place is verb 3, the Blue Lady card 1 */
    assert_true(step[SAL_STEP_ACTION] == (v == 0));
    assert_true(step[SAL_STEP_ACTION + 7] == (v == 0));
    assert_true(step[SAL_STEP_ACTION + 8] == (v == 0));
    assert_true(step[SAL_STEP_ACTION + 9] == 0);
    for (size_t i = 0; i < size; i++)
      assert_true(step[size + i] == 0);
    free(all);
  }
  sal_table_free(t);
}

/* Of more steps than there is room for the last ones are told, oldest first. */
static void test_many(void **state) {
  (void)state;
  struct sal_plan plan = {.game = sal_game_find("louis")};
  sal_setup_default(plan.game, 2, &plan.setup);
  sal_key_number(5, &plan.seed);
  sal_table *t = sal_table_new(&plan);
  struct sal_recall r;
  do {
    size_t count;
    const int seat = __builtin_ctz(sal_table_to_act(t));
    const sal_action *list = sal_table_choices(t, seat, &count);
    assert_int_equal(sal_table_play(t, seat, list[0], NULL), 0);
    sal_table_recall(t, 0, &r);
  } while (r.count < 3 * SAL_RECALL_USUAL / 2);
  const size_t size = sal_step_size(plan.game);
  float *all = information(t, 0);
  const float *steps = all + plan.game->info.tensor_size + SAL_DIGEST;
  for (size_t i = 0; i < SAL_RECALL_USUAL; i++) {
    const struct sal_seen *seen =
        &r.step[(r.count - SAL_RECALL_USUAL + i) % SAL_RECALL_USUAL];
    assert_true(steps[i * size + SAL_STEP_CHANCE] == (seen->seat < 0));
    assert_true(steps[i * size + SAL_STEP_HIDDEN] == (seen->action == 0));
    assert_true(steps[i * size + SAL_STEP_ACTION] == (seen->action & 1));
  }
  free(all);
  sal_table_free(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_doors), cmocka_unit_test(test_favor),
      cmocka_unit_test(test_traps), cmocka_unit_test(test_step),
      cmocka_unit_test(test_many)};
  return cmocka_run_group_tests_name("information", tests, NULL, NULL);
}
