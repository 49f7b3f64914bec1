/* Reviews: the sum is exact, the same seed gives the same bytes, and nobody can
 * review a game in play. */
#include <math.h>
#include <inttypes.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "salotto/salotto.h"

static const char *const games[] = {"doors", "favor", "traps", "louis"};

/* Bots play a table for so many actions, or to the end. */
static sal_table *play(const char *game, int players, const char *const *level,
                       uint64_t seed, int actions) {
  struct sal_plan plan = {.game = sal_game_find(game)};
  struct sal_rng rng;
  static struct sal_memory memory;
  sal_setup_default(plan.game, players, &plan.setup);
  sal_key_number(seed, &plan.seed);
  sal_rng_seed(&rng, seed);
  sal_table *t = sal_table_new(&plan);
  sal_action *legal = calloc(plan.game->info.legal_max, sizeof *legal);
  assert_true(t && legal);
  unsigned asked;
  while ((asked = sal_table_to_act(t)) != 0 && actions-- != 0) {
    const int seat = __builtin_ctz(asked);
    union sal_view_box view = {{0}};
    char text[SAL_ACTION_TEXT_MAX];
    struct sal_text out;
    struct sal_thought thought;
    sal_table_view(t, seat, (sal_view *)view.bytes);
    sal_table_memory(t, seat, &memory);
    const struct sal_question q = {.game = plan.game,
                                   .players = players,
                                   .seat = seat,
                                   .view = (const sal_view *)view.bytes,
                                   .legal = legal,
                                   .count = sal_table_legal(t, seat, legal),
                                   .memory = &memory,
                                   .budget = sal_budget_simulations(40)};
    sal_bot_find(level[seat])->think(&q, &rng, &thought);
    sal_text_init(&out, text, sizeof text);
    plan.game->action_text(thought.action, &out);
    assert_int_equal(sal_table_act(t, seat, text, NULL), 0);
  }
  free(legal);
  return t;
}

static const char *const regulars[] = {"regular", "regular", "regular",
                                       "regular", "regular", "regular"};

static sal_review *review(const sal_table *t, uint64_t seed,
                          uint32_t playouts) {
  const struct sal_review_wish wish = {seed, playouts, (playouts + 1) / 2};
  struct sal_refusal why;
  sal_review *r = sal_review_new(t, &wish, &why);
  assert_non_null(r);
  while (sal_review_next(r))
    ;
  assert_int_equal(sal_review_done(r), sal_review_steps(r));
  return r;
}

/* ---- The sum ----------------------------------------------------------------- */

static void check_sum(const sal_review *r, int players) {
  for (int seat = 0; seat < players; seat++) {
    int64_t sum = 0;
    struct sal_review_seat s;
    sal_review_seat(r, seat, &s);
    for (size_t i = 0; i < sal_review_done(r); i++) {
      const struct sal_review_step *step = sal_review_at(r, i);
      sum += step->luck[seat] + step->hidden[seat] + step->play[seat];
      assert_true(step->kind == SAL_REVIEW_DRAW ? step->hidden[seat] == 0
                                                : step->luck[seat] == 0);
    }
    const int32_t moved =
        sal_review_result(r)[seat] - sal_review_start(r)[seat];
    assert_int_equal(sum, moved);
    assert_int_equal(s.luck + s.hidden + s.play + s.others, moved);
    assert_int_equal(s.deserved,
                     sal_review_result(r)[seat] - s.luck - s.hidden);
  }
}

/* What was earned by cause is the score, and follows rules of the game; also if
 * it ended by resigning. */
static void check_earned(const sal_review *r, int players) {
  const struct sal_game *g = sal_table_game(sal_review_table(r));
  const struct sal_cause *cause = sal_causes(g);
  int32_t score[SAL_SEATS_MAX];
  sal_table_scores(sal_review_table(r), score);
  assert_non_null(sal_causes_title(g));
  for (int seat = 0; seat < players; seat++) {
    struct sal_review_seat s;
    int32_t sum = 0;
    sal_review_seat(r, seat, &s);
    for (int i = 0; cause[i].rule; i++) {
      assert_non_null(sal_rule_find(g, cause[i].rule));
      sum += s.earned[i];
    }
    assert_int_equal(sum, score[seat]);
  }
}

/* Bluffs that worked are those after which somebody has less of the truth. */
static void check_bluffs(const sal_review *r, int players) {
  size_t worked[SAL_SEATS_MAX] = {0};
  for (size_t i = 0; i < sal_review_done(r); i++) {
    const struct sal_review_step *s = sal_review_at(r, i);
    int32_t least = 0;
    for (size_t k = 0; k < s->inferences; k++)
      if (s->inference[k].model == SAL_BY_HABIT && s->inference[k].bits < least)
        least = s->inference[k].bits;
    assert_int_equal(sal_review_bluffed(s), least <= -SAL_BLUFF_BITS);
    if (least <= -SAL_BLUFF_BITS)
      worked[s->seat]++;
  }
  for (int seat = 0; seat < players; seat++) {
    struct sal_review_seat s;
    sal_review_seat(r, seat, &s);
    assert_int_equal(s.bluffs, worked[seat]);
  }
}

static void check_decision(const struct sal_review_step *s) {
  bool played = false;
  for (size_t i = 0; i < s->count; i++) {
    assert_true(i == 0 || s->weighed[i].value <= s->weighed[i - 1].value);
    played |= s->weighed[i].action == s->action;
  }
  assert_true(played && s->count > 1);
  assert_in_range(s->lost, 0, SAL_SURE);
  assert_true(s->lost >= sal_mark_threshold(s->mark));
  assert_true(s->mark == SAL_MARK_BLUNDER ||
              s->lost < sal_mark_threshold(s->mark + 1));
  for (size_t i = 0; i < s->inferences; i++) {
    int64_t before = 0, after = 0;
    for (int x = 0; x < SAL_SECRETS; x++) {
      before += s->inference[i].before[x];
      after += s->inference[i].after[x];
    }
    assert_in_range(before, SAL_SURE - 4, SAL_SURE + 4);
    assert_in_range(after, SAL_SURE - 4, SAL_SURE + 4);
    assert_int_not_equal(s->inference[i].by, s->seat);
  }
}

static void check_steps(const sal_review *r, int players) {
  for (size_t i = 0; i < sal_review_done(r); i++) {
    const struct sal_review_step *s = sal_review_at(r, i);
    int64_t all = 0;
    for (int seat = 0; seat < players; seat++)
      all += s->value[seat];
    assert_in_range(all, SAL_SURE - players, SAL_SURE + players);
    if (s->kind == SAL_REVIEW_DRAW)
      for (int seat = 0; seat < players; seat++)
        assert_int_equal(s->play[seat], 0);
    else if (s->kind == SAL_REVIEW_MOVE && s->mark != SAL_MARK_FORCED)
      check_decision(s);
  }
}

static void test_sum(void **state) {
  (void)state;
  for (size_t g = 0; g < 4; g++) {
    const struct sal_info *info = &sal_game_find(games[g])->info;
    for (int players = info->players_min; players <= info->players_max;
         players++) {
      sal_table *t = play(games[g], players, regulars, 7, -1);
      sal_review *r = review(t, 3, 6);
      check_sum(r, players);
      check_earned(r, players);
      check_bluffs(r, players);
      check_steps(r, players);
      sal_review_free(r);
      sal_table_free(t);
    }
  }
}

/* In many games of each there is every cause, but for sets, which are rare. */
static void test_earned(void **state) {
  (void)state;
  static const struct sal_review_wish wish = {1, 1, 1};
  static const char *const levels[] = {"random", "random", "regular",
                                       "regular"};
  for (size_t g = 0; g < 4; g++) {
    const struct sal_game *game = sal_game_find(games[g]);
    int32_t met[SAL_CAUSES_MAX] = {0};
    for (uint64_t n = 0; n < 90; n++) {
      sal_table *t = play(games[g], 2, levels + n % 3, 300 + n, -1);
      sal_review *r = sal_review_new(t, &wish, NULL);
      struct sal_review_seat s;
      check_earned(r, 2);
      for (int seat = 0; seat < 2; seat++) {
        sal_review_seat(r, seat, &s);
        for (int i = 0; i < SAL_CAUSES_MAX; i++)
          met[i] += s.earned[i] != 0;
      }
      sal_review_free(r);
      sal_table_free(t);
    }
    for (int i = 0; sal_causes(game)[i].rule; i++)
      if (met[i] == 0 && !strstr(sal_causes(game)[i].rule, ".claim."))
        fail_msg("%s: never seen", sal_causes(game)[i].rule);
  }
}

static void test_resigned(void **state) {
  (void)state;
  sal_table *t = play("favor", 2, regulars, 9, 20);
  assert_int_equal(sal_table_resign(t, 1, NULL), 0);
  sal_review *r = review(t, 3, 10);
  const struct sal_review_step *last = sal_review_at(r, sal_review_done(r) - 1);
  check_sum(r, 2);
  check_earned(r, 2);
  assert_int_equal(last->kind, SAL_REVIEW_RESIGNED);
  assert_int_equal(last->seat, 1);
  assert_int_equal(last->value[0], SAL_SURE);
  assert_int_equal(last->hidden[0], 0);
  assert_true(last->lost > 0);
  sal_review_free(r);
  sal_table_free(t);
}

/* ---- The same bytes ------------------------------------------------------------ */

static void write_all(struct sal_json *j, const void *what) {
  sal_json_object(j, NULL);
  sal_review_tell(what, 0, &sal_words_plain, j);
  sal_json_end(j, '}');
}

static char *told(const sal_table *t, uint64_t seed) {
  struct sal_buffer b = {0};
  sal_review *r = review(t, seed, 8);
  assert_true(sal_buffer_compose(&b, write_all, r, SIZE_MAX));
  sal_review_free(r);
  return sal_buffer_take(&b);
}

static void test_same_bytes(void **state) {
  (void)state;
  for (size_t g = 0; g < 4; g++) {
    sal_table *t = play(games[g], 2, regulars, 11, -1);
    char *one = told(t, 5), *two = told(t, 5), *other = told(t, 6);
    assert_string_equal(one, two);
    assert_string_not_equal(one, other);
    free(one);
    free(two);
    free(other);
    sal_table_free(t);
  }
}

/* ---- Games in play --------------------------------------------------------------- */

static void test_in_play(void **state) {
  (void)state;
  for (size_t g = 0; g < 4; g++)
    for (int actions = 0; actions < 12; actions += 3) {
      struct sal_refusal why;
      sal_table *t = play(games[g], 2, regulars, 13, actions);
      assert_int_equal(sal_table_steps(t), 0);
      assert_null(sal_review_new(t, NULL, &why));
      assert_int_equal(why.code, SAL_NOT_ALLOWED);
      sal_table_free(t);
    }
}

/* ---- What it finds --------------------------------------------------------------- */

/* At seat 0 against a regular, over some games: what part of the stake was kept,
 * and what luck did to the seat. */
static double accuracy(const char *game, const char *level, int count) {
  const char *const levels[] = {level, "regular"};
  double sum = 0;
  for (int n = 0; n < count; n++) {
    struct sal_review_seat s;
    sal_table *t = play(game, 2, levels, (uint64_t)(100 + n), -1);
    sal_review *r = review(t, 1, strcmp(game, "traps") == 0 ? 160 : 40);
    sal_review_seat(r, 0, &s);
    sum += s.accuracy;
    sal_review_free(r);
    sal_table_free(t);
  }
  return sum / count / SAL_SURE;
}

static void test_random_is_found_out(void **state) {
  (void)state;
  for (size_t g = 0; g < 4; g++) {
    const int count = strcmp(games[g], "louis") == 0   ? 2
                      : strcmp(games[g], "traps") == 0 ? 16
                                                       : 4;
    const double random = accuracy(games[g], "random", count);
    const double regular = accuracy(games[g], "regular", count);
    print_message("# %s: random %.3f, regular %.3f\n", games[g], random,
                  regular);
    assert_true(random + 0.05 < regular);
  }
}

/* Luck is nothing on the whole, also where the one plays much better. */
static void test_luck(void **state) {
  (void)state;
  enum { COUNT = 150 };
  static const char *const levels[] = {"regular", "novice"};
  double sum = 0, squares = 0;
  for (int n = 0; n < COUNT; n++) {
    struct sal_review_seat s;
    sal_table *t = play("traps", 2, levels, (uint64_t)(700 + n), -1);
    sal_review *r = review(t, (uint64_t)n, 16);
    sal_review_seat(r, 0, &s);
    sum += 1e-4 * s.luck;
    squares += 1e-8 * s.luck * s.luck;
    sal_review_free(r);
    sal_table_free(t);
  }
  const double mean = sum / COUNT;
  const double error = sqrt((squares / COUNT - mean * mean) / (COUNT - 1));
  print_message("# luck in traps: %.2f ± %.2f points\n", mean, error);
  assert_true(error < 3 && fabs(mean) < 3 * error);
}

/* What habitual players do tells the truth about them, on the whole. */
static void test_information(void **state) {
  (void)state;
  for (size_t g = 0; g < 4; g++) {
    int64_t bits = 0, inferences = 0, gave = 0, read = 0;
    for (uint64_t n = 0; n < 4; n++) {
      sal_table *t = play(games[g], 2, regulars, 40 + n, -1);
      sal_review *r = review(t, 2, 2);
      for (int seat = 0; seat < 2; seat++) {
        struct sal_review_seat s;
        sal_review_seat(r, seat, &s);
        gave += s.gave;
        read += s.read;
      }
      for (size_t i = 0; i < sal_review_done(r); i++) {
        const struct sal_review_step *s = sal_review_at(r, i);
        for (size_t k = 0; k < s->inferences; k++)
          if (s->inference[k].model == SAL_BY_HABIT) {
            bits += s->inference[k].bits;
            inferences++;
          }
      }
      sal_review_free(r);
      sal_table_free(t);
    }
    print_message("# %s: %" PRId64 " thousandths of a bit in %" PRId64
                  " inferences\n",
                  games[g], bits, inferences);
    assert_true(inferences > 20 && bits > 0);
    assert_true(gave == bits &&
                read == bits); /* whose they were is summed up */
  }
}

/* The short form adds up to the summary of the seat. */
static void test_progress(void **state) {
  (void)state;
  static const char *const levels[] = {"random", "regular"};
  sal_table *t = play("doors", 2, levels, 8, -1);
  sal_review *r = review(t, 4, 20);
  char text[8000];
  struct sal_text out;
  struct sal_json j;
  struct sal_review_seat s;
  sal_review_seat(r, 0, &s);
  sal_text_init(&out, text, sizeof text);
  sal_json_init(&j, &out);
  sal_json_object(&j, NULL);
  sal_review_tell_progress(r, 0, &j);
  sal_json_end(&j, '}');
  json_t *got = json_loads(text, 0, NULL), *one;
  size_t i, decisions = 0, mistakes = 0, bad = 0;
  assert_non_null(got);
  json_array_foreach(json_object_get(got, "roles"), i, one) decisions +=
      (size_t)json_integer_value(json_object_get(one, "decisions"));
  json_array_foreach(json_object_get(got, "mistakes"), i, one) mistakes +=
      (size_t)json_integer_value(json_object_get(one, "count"));
  for (int m = SAL_MARK_INACCURACY; m < SAL_MARKS; m++)
    bad += s.marks[m];
  assert_int_equal(json_array_size(json_object_get(got, "roles")), 2);
  assert_int_equal(decisions, s.decisions);
  assert_int_equal(mistakes, bad);
  assert_true(bad > 0);
  json_decref(got);
  sal_review_free(r);
  sal_table_free(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_sum),
                                     cmocka_unit_test(test_earned),
                                     cmocka_unit_test(test_resigned),
                                     cmocka_unit_test(test_same_bytes),
                                     cmocka_unit_test(test_in_play),
                                     cmocka_unit_test(test_random_is_found_out),
                                     cmocka_unit_test(test_luck),
                                     cmocka_unit_test(test_information),
                                     cmocka_unit_test(test_progress)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
