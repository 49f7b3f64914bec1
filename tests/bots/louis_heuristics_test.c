/* Heuristics of Louis XIV: the regular plays whole games, takes what is free,
 * and knows what a chip is for. */
#include "evaluate.h"
#include "louis.h"
#include "salotto/salotto.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const struct sal_game *g;
static sal_action legal[4096];

static void name_of(sal_action a, char *out) {
  struct sal_text t;
  sal_text_init(&t, out, SAL_ACTION_TEXT_MAX);
  g->action_text(a, &t);
}

/* What the bot does for the seat that is asked; `legal` holds its choices. */
static sal_action answer(const sal_state *s, int players, int seat,
                         const char *bot, size_t *count, struct sal_rng *rng) {
  union sal_view_box box;
  struct sal_thought thought;
  memset(&box, 0, sizeof box);
  g->view(s, seat, (sal_view *)box.bytes);
  const struct sal_question q = {.game = g,
                                 .players = players,
                                 .seat = seat,
                                 .view = (const sal_view *)box.bytes,
                                 .legal = legal,
                                 .count = g->legal(s, seat, legal)};
  sal_bot_find(bot)->think(&q, rng, &thought);
  *count = q.count;
  return thought.action;
}

/* Markers, ties and missions that cost nothing but the asking. */
static bool is_free(sal_action a) {
  static const char *const verbs[] = {"foothold ", "tie", "recoup", "fulfil "};
  char name[SAL_ACTION_TEXT_MAX];
  name_of(a, name);
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
    if (sal_skip(name, verbs[i]))
      return true;
  return false;
}

static void test_takes_what_is_free(void **unused) {
  (void)unused;
  int offered = 0;
  for (int players = 2; players <= 4; players++)
    for (uint64_t seed = 0; seed < 20; seed++) {
      union sal_state_box box;
      sal_state *s = (sal_state *)box.bytes;
      struct sal_setup setup;
      struct sal_rng rng;
      sal_setup_default(g, players, &setup);
      setup.option[0] = seed % 2 == 1;
      sal_rng_seed(&rng, seed);
      g->init(s, &setup);
      for (unsigned asked; (asked = g->to_act(s)) != 0;) {
        if (asked == SAL_CHANCE_BIT) {
          g->sample(s, &rng);
          continue;
        }
        const int seat = __builtin_ctz(asked);
        size_t n;
        bool free = false;
        const sal_action a = answer(s, players, seat, "regular", &n, &rng);
        for (size_t i = 0; i < n; i++)
          free |= is_free(legal[i]);
        offered += free;
        if (free)
          assert_true(is_free(a));
        g->apply(s, seat, a, NULL);
      }
      assert_true(g->winners(s) != 0);
    }
  assert_true(offered > 500);
}

/* Points of two players, the first a bot and the second another. */
static void match(const char *first, const char *second, uint64_t seed,
                  int32_t *sums) {
  const char *const bots[] = {first, second};
  union sal_state_box box;
  sal_state *s = (sal_state *)box.bytes;
  struct sal_setup setup;
  struct sal_rng rng;
  int32_t scores[SAL_SEATS_MAX];
  sal_setup_default(g, 2, &setup);
  sal_rng_seed(&rng, seed);
  g->init(s, &setup);
  for (unsigned asked; (asked = g->to_act(s)) != 0;) {
    if (asked == SAL_CHANCE_BIT) {
      g->sample(s, &rng);
      continue;
    }
    const int seat = __builtin_ctz(asked);
    size_t n;
    g->apply(s, seat, answer(s, 2, seat, bots[seat], &n, &rng), NULL);
  }
  g->scores(s, scores);
  sums[0] += scores[0];
  sums[1] += scores[1];
}

static void test_levels(void **unused) {
  (void)unused;
  int32_t a[2] = {0, 0}, b[2] = {0, 0};
  for (uint64_t seed = 0; seed < 30; seed++) {
    match("regular", "novice", seed, a);
    match("novice", "random", seed, b);
  }
  assert_true(a[0] > a[1] + 30 * 8);
  assert_true(b[0] > b[1] + 30 * 8);
}

/* ---- Typical positions --------------------------------------------------- */

/* Plays a record up to where it ends, and asks the regular there. */
static int often(const char *record, int seat, const char *wanted) {
  struct sal_refusal why;
  union sal_view_box box;
  int times = 0;
  sal_table *t = sal_table_load(record, strlen(record), NULL, &why);
  if (!t)
    fail_msg("%s", why.message);
  memset(&box, 0, sizeof box);
  sal_table_view(t, seat, (sal_view *)box.bytes);
  const struct sal_question q = {.game = g,
                                 .players = sal_table_players(t),
                                 .seat = seat,
                                 .view = (const sal_view *)box.bytes,
                                 .legal = legal,
                                 .count = sal_table_legal(t, seat, legal)};
  for (uint64_t i = 0; i < 200; i++) {
    struct sal_thought thought;
    struct sal_rng rng;
    char name[SAL_ACTION_TEXT_MAX];
    sal_rng_seed(&rng, i);
    sal_bot_find("regular")->think(&q, &rng, &thought);
    name_of(thought.action, name);
    times += sal_skip(name, wanted) != NULL;
  }
  sal_table_free(t);
  return times;
}

#define HEAD                                                                   \
  "salotto record 1\ngame louis\nplayers 3\noption favorita off\n"             \
  "option first 0\n"                                                           \
  "seed 0000000000000000000000000000000000000000000000000000000000000007\n"

/* B is present on tile 1, where the sceptre costs 3, and a mission of B asks for
 * it: it is bought. */
static void test_buys_what_a_mission_asks_for(void **unused) {
  (void)unused;
  assert_true(often(HEAD
                    "deal 1 money 0 3:4\n"
                    "deal 1 light 0 L16 L01 L17\ndeal 1 medium 0 M11 M03 M12\n"
                    "deal 1 influence 0 1 5 5 6 6 1 7 7 8 8 2 9 9 10 10\n"
                    "0 play 1 1:3\n1 play 1 1:1\n2 recover 2\n0 recover 5\n"
                    "1 recover 7\n2 recover 9\n0 recover 5\n1 recover 7\n"
                    "2 recover 9\n0 recover 6\n1 recover 8\n2 recover 10\n",
                    1, "pay") > 190);
}

/* With markers on nothing and a card of Louis's tile in hand, that is played. */
static void test_goes_where_louis_is(void **unused) {
  (void)unused;
  assert_true(often(HEAD "deal 1 money 0 3:4\n"
                         "deal 1 light 0 L11 L01 L02\n"
                         "deal 1 influence 0 3 7 8 11 12\n",
                    0, "play 3 3:") > 150);
}

/* What the expert reckons with between two rounds: shares of one win, even for
 * seats that own the same, and more for whoever owns more. */
static void test_what_a_seat_owns_counts(void **unused) {
  (void)unused;
  for (int players = 2; players <= 4; players++)
    for (unsigned round = 1; round <= 4; round++) {
      union sal_state_box box;
      sal_state *state = (sal_state *)box.bytes;
      struct louis *s = as_state(state);
      struct sal_setup setup;
      double even[SEATS], gold[SEATS], power[SEATS], sum = 0;
      sal_setup_default(g, players, &setup);
      g->init(state, &setup);
      s->round = (uint8_t)round;
      memset(s->general, 5, sizeof s->general); /* the fourth seat has more */
      evaluate_louis(g, state, players, NULL, even);
      for (int seat = 0; seat < players; seat++) {
        assert_true(fabs(even[seat] * players - 1) < 1e-9);
        sum += even[seat];
      }
      assert_true(fabs(sum - 1) < 1e-9);
      s->gold[1] += 3;
      evaluate_louis(g, state, players, NULL, gold);
      assert_true(gold[1] > even[1] && gold[0] < even[0]);
      s->power[1][CARD] = 1;
      evaluate_louis(g, state, players, NULL, power);
      assert_true(power[1] > gold[1]);
    }
}

static int find_game(void **unused) {
  (void)unused;
  g = sal_game_find("louis");
  return g == NULL;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_takes_what_is_free),
      cmocka_unit_test(test_levels),
      cmocka_unit_test(test_buys_what_a_mission_asks_for),
      cmocka_unit_test(test_goes_where_louis_is),
      cmocka_unit_test(test_what_a_seat_owns_counts),
  };
  return cmocka_run_group_tests(tests, find_game, NULL);
}
