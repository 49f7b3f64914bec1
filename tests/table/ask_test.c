/* What a program that builds on the library asks of it: plans with a reason,
 * moves by action and by number, bots at a table, beliefs, values, rounds, packed
 * views, outcomes read back, the offer. */
#include "salotto/salotto.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static sal_table *table_of(const char *game, int players, uint64_t seed) {
  struct sal_plan plan = {.game = sal_game_find(game)};
  sal_setup_default(plan.game, players, &plan.setup);
  sal_key_number(seed, &plan.seed);
  sal_table *t = sal_table_new(&plan);
  assert_non_null(t);
  return t;
}

static int asked(const sal_table *t) {
  return __builtin_ctz(sal_table_to_act(t));
}

/* Plays at random for a while; false: the game is over. */
static bool play_on(sal_table *t, int steps, struct sal_rng *rng) {
  while (steps-- > 0 && sal_table_to_act(t)) {
    size_t count;
    const int seat = asked(t);
    const sal_action *list = sal_table_choices(t, seat, &count);
    const sal_action a = list[sal_rng_below(rng, (uint32_t)count)];
    assert_int_equal(sal_table_play(t, seat, a, NULL), 0);
  }
  return sal_table_to_act(t) != 0;
}

static void test_version(void **state) {
  (void)state;
  char text[32];
  assert_string_equal(sal_version(), SAL_VERSION);
  assert_int_equal(sal_version_number(), SAL_VERSION_NUMBER);
  snprintf(text, sizeof text, "%d.%d.%d", SAL_VERSION_MAJOR, SAL_VERSION_MINOR,
           SAL_VERSION_PATCH);
  assert_string_equal(text, sal_version());
}

static void test_plans(void **state) {
  (void)state;
  struct sal_plan plan = {.game = sal_game_find("doors")};
  struct sal_refusal why;
  sal_setup_default(plan.game, 5, &plan.setup);
  assert_int_equal(sal_plan_check(&plan, &why), SAL_BAD_OPTION);
  assert_string_equal(why.message, "Doors is for 2 players, not 5.");
  plan.deals = sal_deals_new(plan.game, &plan.setup); /* freed all the same */
  assert_null(sal_table_new(&plan));
  plan.deals = NULL;
  plan.game = NULL;
  assert_int_equal(sal_plan_check(&plan, &why), SAL_UNKNOWN_GAME);
  assert_null(sal_table_new(&plan));
  plan.game = sal_game_find("favor");
  sal_setup_default(plan.game, 3, &plan.setup);
  plan.parts = 2;
  assert_int_equal(sal_plan_check(&plan, &why), SAL_BAD_REQUEST);
  plan.parts = 3;
  assert_int_equal(sal_plan_check(&plan, NULL), 0);
}

static void test_actions(void **state) {
  (void)state;
  sal_table *t = table_of("doors", 2, 3);
  const struct sal_game *g = sal_table_game(t);
  struct sal_refusal why;
  size_t count;
  const int seat = asked(t);
  const sal_action *list = sal_table_choices(t, seat, &count);
  const sal_action first = list[0];
  static const sal_action bad[] = {0, 1, UINT64_MAX, UINT64_C(1) << 40};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_int_equal(sal_table_play(t, seat, bad[i], &why), SAL_BAD_ACTION);
  assert_int_equal(sal_table_play(t, !seat, first, &why), SAL_NOT_YOUR_TURN);
  assert_int_equal(sal_table_play(t, 2, first, &why), SAL_BAD_REQUEST);
  assert_int_equal(sal_table_play(t, -1, first, &why), SAL_BAD_REQUEST);
  assert_int_equal(sal_table_length(t), 0);
  assert_true(sal_table_numbered(t, seat, g->info.action_count, &why) == 0);
  assert_int_equal(why.code, SAL_BAD_ACTION);
  assert_true(sal_table_numbered(t, !seat, 0, &why) == 0);
  assert_int_equal(why.code, SAL_NOT_YOUR_TURN);
  for (size_t i = 0; i < count; i++) {
    const size_t number = sal_table_number(t, seat, list[i]);
    assert_true(sal_table_numbered(t, seat, number, NULL) == list[i]);
  }
  assert_int_equal(sal_table_play(t, seat, first, &why), 0);
  assert_int_equal(sal_table_length(t), 1);
  struct sal_rng rng;
  sal_rng_seed(&rng, 1);
  assert_false(play_on(t, 10000, &rng));
  assert_int_equal(sal_table_play(t, 0, first, &why), SAL_GAME_OVER);
  sal_table_free(t);
}

/* Every bot answers what the seat may do, the same again with the same luck; a
 * policy has a chance for each choice. */
static void test_ask(void **state) {
  (void)state;
  static const char *const names[] = {"doors", "favor", "traps", "louis"};
  for (size_t k = 0; k < 4; k++) {
    sal_table *t =
        table_of(names[k], sal_game_find(names[k])->info.players_min, k + 1);
    struct sal_rng rng;
    sal_rng_seed(&rng, k);
    assert_true(play_on(t, 7, &rng));
    const int seat = asked(t);
    const struct sal_budget budget = sal_budget_simulations(30);
    size_t count;
    const sal_action *list = sal_table_choices(t, seat, &count);
    struct sal_policy p = {.chance = calloc(count, sizeof(double)),
                           .value = calloc(count, sizeof(double))};
    for (size_t i = 0; sal_bots[i]; i++) {
      struct sal_thought thought, again;
      struct sal_rng one, two;
      sal_rng_seed(&one, 9);
      sal_rng_seed(&two, 9);
      assert_int_equal(
          sal_table_ask(t, seat, sal_bots[i], &budget, &one, &thought, NULL),
          0);
      assert_int_equal(
          sal_table_ask(t, seat, sal_bots[i], &budget, &two, &again, NULL), 0);
      assert_true(thought.action == again.action);
      assert_int_equal(
          sal_table_policy(t, seat, sal_bots[i], &budget, &one, &p, NULL), 0);
      double sum = 0;
      bool listed = false;
      for (size_t a = 0; a < count; a++) {
        sum += p.chance[a];
        listed |= list[a] == thought.action;
      }
      assert_true(listed);
      assert_true(sum > 0.999 && sum < 1.001);
    }
    free(p.chance);
    free(p.value);
    struct sal_thought out;
    struct sal_refusal why;
    const unsigned others = ~sal_table_to_act(t);
    const int other = __builtin_ctz(others);
    if (other < sal_table_players(t))
      assert_int_equal(
          sal_table_ask(t, other, sal_bots[0], &budget, &rng, &out, &why),
          SAL_NOT_YOUR_TURN);
    assert_int_equal(sal_table_ask(t, 6, sal_bots[0], NULL, &rng, &out, &why),
                     SAL_BAD_REQUEST);
    sal_table_free(t);
  }
}

/* Worlds look to the seat as the table does, and are weighed. */
static void test_worlds(void **state) {
  (void)state;
  static const char *const names[] = {"doors", "favor", "traps", "louis"};
  enum { ROOM = 24 };
  static union sal_state_box world[ROOM];
  for (size_t k = 0; k < 4; k++) {
    sal_table *t =
        table_of(names[k], sal_game_find(names[k])->info.players_min, k + 1);
    const struct sal_game *g = sal_table_game(t);
    struct sal_rng rng;
    sal_rng_seed(&rng, k);
    for (int round = 0; round < 6 && play_on(t, 3, &rng); round++) {
      double weight[ROOM], sum = 0;
      size_t count = round % 2 ? ROOM : 2;
      const size_t room = count;
      union sal_view_box here, there;
      const int seat = asked(t);
      sal_table_view(t, seat, (sal_view *)here.bytes);
      assert_int_equal(
          sal_table_worlds(t, seat, &rng, world, weight, &count, NULL), 0);
      assert_in_range(count, 1, room);
      for (size_t i = 0; i < count; i++) {
        g->view((const sal_state *)world[i].bytes, seat,
                (sal_view *)there.bytes);
        assert_memory_equal(here.bytes, there.bytes, g->info.view_size);
        assert_null(g->selfcheck((const sal_state *)world[i].bytes));
        sum += weight[i];
      }
      assert_true(sum > 0.999 && sum < 1.001);
    }
    sal_table_free(t);
  }
}

/* What was done tells: who collects Red Ladies is rather one than a Blue Tiger. */
static void test_belief(void **state) {
  (void)state;
  sal_table *t = table_of("doors", 2, 4);
  enum { ROOM = 64 };
  static union sal_state_box world[ROOM];
  double weight[ROOM];
  size_t count = ROOM, other = 0;
  struct sal_rng rng;
  sal_rng_seed(&rng, 1);
  assert_true(play_on(t, 1, &rng));
  assert_int_equal(
      sal_table_worlds(t, asked(t), &rng, world, weight, &count, NULL), 0);
  for (size_t i = 1; i < count; i++)
    other += weight[i] > 1.001 * weight[0] || weight[i] < 0.999 * weight[0];
  assert_true(other > 0);
  sal_table_free(t);
}

static void test_values(void **state) {
  (void)state;
  for (size_t k = 0; sal_games[k]; k++) {
    const struct sal_game *g = sal_games[k];
    const int players = g->info.players_max;
    struct sal_setup setup;
    struct sal_rng rng;
    union sal_state_box box;
    sal_state *s = (sal_state *)box.bytes;
    sal_action *legal = calloc(g->info.legal_max, sizeof *legal);
    memset(&box, 0, sizeof box);
    sal_setup_default(g, players, &setup);
    sal_rng_seed(&rng, 3);
    g->init(s, &setup);
    int round = 0; /* Louis XIV is set up in round 0 */
    unsigned seats;
    while ((seats = g->to_act(s)) != 0) {
      double value[SAL_SEATS_MAX], sum = 0;
      if (seats == SAL_CHANCE_BIT) {
        g->sample(s, &rng);
        continue;
      }
      const int now = sal_round(g, s);
      assert_in_range(now, round, round + 1);
      round = now;
      sal_value(g, s, players, value);
      for (int i = 0; i < players; i++) {
        assert_true(value[i] >= 0);
        sum += value[i];
      }
      assert_true(sum > 0.999 && sum < 1.001);
      const int seat = __builtin_ctz(seats);
      const size_t n = g->legal(s, seat, legal);
      g->apply(s, seat, legal[sal_rng_below(&rng, (uint32_t)n)], NULL);
    }
    double value[SAL_SEATS_MAX];
    assert_true(round > 1);
    sal_value(g, s, players, value);
    for (int i = 0; i < players; i++)
      assert_true((value[i] > 0) == (g->winners(s) >> i & 1));
    free(legal);
  }
}

static void test_pack(void **state) {
  (void)state;
  static char text[SAL_PACKED_MAX], damaged[SAL_PACKED_MAX];
  for (size_t k = 0; sal_games[k]; k++) {
    const struct sal_game *g = sal_games[k];
    sal_table *t = table_of(g->info.id, g->info.players_max, 2);
    union sal_view_box here, there;
    struct sal_text out;
    struct sal_refusal why;
    for (int v = SAL_SPECTATOR; v < g->info.players_max; v++) {
      sal_table_view(t, v, (sal_view *)here.bytes);
      sal_text_init(&out, text, sizeof text);
      sal_view_pack(g, (const sal_view *)here.bytes, &out);
      assert_int_equal(out.lost, 0);
      assert_int_equal(sal_view_unpack(g, text, &there, &why), 0);
      assert_memory_equal(here.bytes, there.bytes, g->info.view_size);
    }
    for (size_t i = 0; i < out.len; i += 7) {
      strcpy(damaged, text);
      damaged[i] = damaged[i] == '1' ? '2' : '1';
      assert_int_equal(sal_view_unpack(g, damaged, &there, &why),
                       SAL_BAD_RECORD);
      strcpy(damaged, text);
      damaged[i] = '\0';
      assert_int_equal(sal_view_unpack(g, damaged, &there, &why),
                       SAL_BAD_RECORD);
    }
    const struct sal_game *other = sal_games[k ? 0 : 1];
    assert_int_equal(sal_view_unpack(other, text, &there, &why),
                     SAL_BAD_RECORD);
    assert_string_equal(why.message, "This is a view of another game.");
    assert_int_equal(sal_view_unpack(g, "9.9.9:doors:00:00", &there, &why),
                     SAL_BAD_RECORD);
    assert_string_equal(why.message,
                        "This view was packed by another version of the "
                        "library.");
    sal_table_free(t);
  }
}

static void test_outcomes(void **state) {
  (void)state;
  for (size_t k = 0; sal_games[k]; k++) {
    const struct sal_game *g = sal_games[k];
    struct sal_setup setup;
    struct sal_chance c;
    union sal_state_box box;
    sal_state *s = (sal_state *)box.bytes;
    memset(&box, 0, sizeof box);
    sal_setup_default(g, g->info.players_min, &setup);
    g->init(s, &setup);
    while (g->to_act(s) == SAL_CHANCE_BIT) {
      g->chance(s, &c);
      for (size_t i = 0; i < c.count; i++) {
        char name[SAL_ACTION_TEXT_MAX];
        struct sal_text text;
        sal_text_init(&text, name, sizeof name);
        g->action_text(c.outcome[i].action, &text);
        assert_true(sal_chance_read(g, &c, name) == c.outcome[i].action);
      }
      assert_true(sal_chance_read(g, &c, "no such card") == 0);
      g->apply(s, SAL_CHANCE, c.outcome[c.count - 1].action, NULL);
    }
  }
}

/* Bots of a level play to the end. */
static void play_out(sal_table *t, const char *level, struct sal_rng *rng) {
  const struct sal_budget none = {0};
  for (int n = 0; sal_table_to_act(t) && n < 4000; n++) {
    struct sal_thought thought;
    const int seat = asked(t);
    assert_int_equal(
        sal_table_ask(t, seat, sal_bot_find(level), &none, rng, &thought, NULL),
        0);
    assert_int_equal(sal_table_play(t, seat, thought.action, NULL), 0);
  }
  assert_int_equal(sal_table_to_act(t), 0);
}

/* The last event names who has won, and nobody else. */
static void test_last_event(void **state) {
  (void)state;
  for (size_t k = 0; sal_games[k]; k++)
    for (uint64_t seed = 1; seed <= 6; seed++) {
      const struct sal_game *g = sal_games[k];
      const int players = seed % 2 ? g->info.players_min : g->info.players_max;
      sal_table *t = table_of(g->info.id, players, seed);
      struct sal_rng rng;
      struct sal_event last;
      char told[2000], wanted[100];
      struct sal_text out, list;
      struct sal_json j, w;
      sal_rng_seed(&rng, seed);
      play_out(t, "regular", &rng);
      sal_table_event(t, sal_table_event_count(t) - 1, SAL_SPECTATOR, &last);
      sal_text_init(&out, told, sizeof told);
      sal_json_init(&j, &out);
      sal_json_object(&j, NULL);
      g->event_facts(&last, &j);
      sal_json_end(&j, '}');
      sal_text_init(&list, wanted, sizeof wanted);
      sal_json_init(&w, &list);
      sal_json_object(&w, NULL);
      sal_json_list(&w, "winners");
      for (int seat = 0; seat < players; seat++)
        if (sal_table_winners(t) >> seat & 1)
          sal_json_int(&w, NULL, seat);
      sal_json_end(&w, ']');
      sal_json_end(&w, '}');
      wanted[strlen(wanted) - 1] = '\0';
      if (!strstr(told, wanted + 1))
        print_message("# %s: %s, not %s\n", g->info.id, told, wanted + 1);
      assert_non_null(strstr(told, wanted + 1));
      sal_table_free(t);
    }
}

static char *offer(bool rules) {
  static char text[400000];
  struct sal_text out;
  struct sal_json j;
  sal_text_init(&out, text, sizeof text);
  sal_json_init(&j, &out);
  sal_json_object(&j, NULL);
  sal_offer_tell(&sal_words_plain, rules, &j);
  sal_json_end(&j, '}');
  assert_true(out.len < sizeof text);
  return text;
}

/* After `at`: where this is told next. */
static const char *told(const char *at, const char *format, const char *what) {
  char wanted[400];
  snprintf(wanted, sizeof wanted, format, what);
  const char *found = strstr(at, wanted);
  if (!found)
    print_message("# not told: %s\n", wanted);
  assert_non_null(found);
  return found;
}

/* Every game and every level is told, once and in order; rules by their ids or
 * with their sentences; a game's levels are those that are offered in it. */
static void test_offer(void **state) {
  (void)state;
  for (int rules = 0; rules < 2; rules++) {
    const char *at = offer(rules);
    for (size_t i = 0; sal_games[i]; i++) {
      const struct sal_info *info = &sal_games[i]->info;
      at = told(at, "{\"game\":\"%s\",", info->id);
      const char *levels = told(at, "%s", "\"levels\":[");
      for (size_t b = 0; sal_bots[b]; b++)
        if (sal_bot_offered(sal_bots[b], sal_games[i]))
          levels = told(levels + 1, "\"%s\"", sal_bots[b]->id);
      for (const struct sal_rule *r = info->rules; r->id; r++)
        at = told(at, rules ? "{\"id\":\"%s\",\"text\":\"" : "\"%s\"", r->id);
      for (const struct sal_help *h = info->help; rules && h && h->phase; h++)
        at = told(at, "\"%s\":\"", h->phase);
    }
    at = told(at, "%s", "\"levels\":[{");
    for (size_t b = 0; sal_bots[b]; b++) {
      at = told(at, "{\"level\":\"%s\",", sal_bots[b]->id);
      for (int s = 0; sal_bots[b]->people && s < SAL_SEATS_MAX; s++)
        told(at, "\"%s\"", sal_bot_name(sal_bots[b], s));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_version),   cmocka_unit_test(test_plans),
      cmocka_unit_test(test_actions),   cmocka_unit_test(test_ask),
      cmocka_unit_test(test_worlds),    cmocka_unit_test(test_belief),
      cmocka_unit_test(test_values),    cmocka_unit_test(test_pack),
      cmocka_unit_test(test_outcomes),  cmocka_unit_test(test_offer),
      cmocka_unit_test(test_last_event)};
  return cmocka_run_group_tests_name("ask", tests, NULL, NULL);
}
