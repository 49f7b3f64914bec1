/* The library where memory runs short: whichever allocation fails, the call
 * says so and changes nothing; tried again it works, and all comes out as if
 * there had always been enough. */
#include "salotto/ask.h"
#include "salotto/batch.h"
#include "salotto/table.h"

#include "../short_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Runs it with the first allocation failing, then the second, and so on until
 * it does not come to the one that would fail. It says whether it was done, or
 * refused for want of memory. */
static void survive(bool (*scenario)(const struct sal_game *),
                    const struct sal_game *g) {
  bool short_of_memory = true;
  long n = 0;
  while (short_of_memory) {
    atomic_store(&until_failure, ++n);
    const bool done = scenario(g);
    short_of_memory = atomic_exchange(&until_failure, 0) == 0;
    assert_true(done || short_of_memory);
  }
  assert_true(n > 2);
}

static void each_game(bool (*scenario)(const struct sal_game *)) {
  for (size_t i = 0; sal_games[i]; i++)
    survive(scenario, sal_games[i]);
}

static int first_asked(const sal_table *t) {
  return __builtin_ctz(sal_table_to_act(t));
}

/* ---- Tables -------------------------------------------------------------- */

static struct sal_plan plan_of(const struct sal_game *g) {
  struct sal_plan p = {.game = g};
  sal_setup_default(g, g->info.players_min, &p.setup);
  sal_key_number(11, &p.seed);
  return p;
}

static sal_action first_choice(const sal_table *t, int seat) {
  size_t count;
  const sal_action *list = sal_table_choices(t, seat, &count);
  if (!list)
    list = sal_table_choices(t, seat, &count);
  assert_true(list && count > 0);
  return *list;
}

/* Plays the first choice; where there is no memory nothing has happened, and
 * the second attempt succeeds. */
static void play_first(sal_table *t) {
  struct sal_refusal why = {0};
  const int seat = first_asked(t);
  const sal_action a = first_choice(t, seat);
  const size_t length = sal_table_length(t), events = sal_table_event_count(t);
  if (sal_table_play(t, seat, a, &why) == 0)
    return;
  assert_int_equal(why.code, SAL_NO_MEMORY);
  assert_int_equal(sal_table_length(t), length);
  assert_int_equal(sal_table_event_count(t), events);
  assert_int_equal(sal_table_play(t, seat, a, &why), 0);
}

static void rewind_last(sal_table *t, int seat) {
  struct sal_refusal why = {0};
  const size_t length = sal_table_length(t);
  if (sal_table_rewind(t, seat, &why) == 0)
    return;
  assert_int_equal(why.code, SAL_NO_MEMORY);
  assert_int_equal(sal_table_length(t), length);
  assert_int_equal(sal_table_rewind(t, seat, &why), 0);
}

static char *record_of(const sal_table *t) {
  char *text = sal_table_record(t, true);
  return text ? text : sal_table_record(t, true);
}

/* A game of some steps with a decision taken back: its record, and how many
 * events it had. NULL: it did not begin. */
static char *short_game(const struct sal_game *g, size_t *events) {
  const struct sal_plan p = plan_of(g);
  sal_table *t = sal_table_new(&p);
  if (!t)
    return NULL;
  const int seat = first_asked(t);
  for (int i = 0; i < 24 && sal_table_to_act(t); i++)
    play_first(t);
  rewind_last(t, seat);
  char *text = record_of(t);
  assert_non_null(text);
  *events = sal_table_event_count(t);
  sal_table_free(t);
  return text;
}

static char *expected; /* where memory was never short */
static size_t expected_events;

static bool plays(const struct sal_game *g) {
  size_t events;
  char *text = short_game(g, &events);
  if (text) {
    assert_string_equal(text, expected);
    assert_int_equal(events, expected_events);
  }
  free(text);
  return text != NULL;
}

static bool loads(const struct sal_game *g) {
  struct sal_refusal why = {0};
  (void)g;
  sal_table *t = sal_table_load(expected, strlen(expected), NULL, &why);
  if (!t) {
    assert_int_equal(why.code, SAL_NO_MEMORY);
    return false;
  }
  char *text = record_of(t);
  assert_string_equal(text, expected);
  free(text);
  sal_table_free(t);
  return true;
}

static void test_tables(void **state) {
  (void)state;
  for (size_t i = 0; sal_games[i]; i++) {
    expected = short_game(sal_games[i], &expected_events);
    assert_non_null(expected);
    survive(plays, sal_games[i]);
    survive(loads, sal_games[i]);
    free(expected);
  }
}

/* ---- Deals --------------------------------------------------------------- */

static bool deals_in(struct sal_deals *d) {
  static const char *const cards[] = {"RL", "RL", "BL", "BL", "RT",
                                      "RT", "BT", "BT", "BR", "LT"};
  struct sal_refusal why = {0};
  for (int entry = 0; entry < 12; entry++) {
    if (sal_deals_open(d, entry, "deck", 0, &why)) {
      assert_int_equal(why.code, SAL_NO_MEMORY);
      return false;
    }
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++)
      if (sal_deals_card(d, cards[i], &why)) {
        assert_int_equal(why.code, SAL_NO_MEMORY);
        return false;
      }
  }
  assert_int_equal(sal_deals_check(d, &why), 0);
  return true;
}

static bool deals(const struct sal_game *g) {
  struct sal_plan p = plan_of(g);
  p.deals = sal_deals_new(g, &p.setup);
  if (!p.deals)
    return false;
  if (!deals_in(p.deals)) {
    sal_deals_free(p.deals);
    return false;
  }
  sal_table *t =
      sal_table_new(&p); /* the deals are its own, also if it fails */
  sal_table_free(t);
  return t != NULL;
}

static void test_deals(void **state) {
  (void)state;
  survive(deals, sal_game_find("doors"));
}

/* ---- Batches and bots ---------------------------------------------------- */

static bool steps_batch(const struct sal_game *g) {
  struct sal_batch_plan plan = {.game = g, .count = 5, .seed = 3, .threads = 2};
  struct sal_refusal why = {0};
  sal_setup_default(g, g->info.players_min, &plan.setup);
  sal_batch *b = sal_batch_new(&plan, &why);
  if (!b) {
    assert_int_equal(why.code, SAL_NO_MEMORY);
    return false;
  }
  const struct sal_batch_out nowhere = {0};
  assert_true(sal_batch_random(b, 8, &nowhere) > 0);
  sal_batch_free(b);
  return true;
}

static void test_batches(void **state) {
  (void)state;
  each_game(steps_batch);
}

/* A bot without memory plays worse, but by the rules. */
static bool asks_expert(const struct sal_game *g) {
  const struct sal_plan p = plan_of(g);
  const struct sal_budget budget = sal_budget_simulations(20);
  struct sal_refusal why = {0};
  struct sal_thought thought;
  struct sal_rng rng;
  sal_rng_seed(&rng, 1);
  sal_table *t = sal_table_new(&p);
  if (!t)
    return false;
  const int seat = first_asked(t);
  const int error = sal_table_ask(t, seat, sal_bot_find("expert"), &budget,
                                  &rng, &thought, &why);
  if (error)
    assert_int_equal(error, SAL_NO_MEMORY);
  else
    assert_int_equal(sal_table_play(t, seat, thought.action, &why) == 0 ||
                         why.code == SAL_NO_MEMORY,
                     true);
  sal_table_free(t);
  return !error;
}

static void test_bots(void **state) {
  (void)state;
  each_game(asks_expert);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      {"shortage: tables and records", test_tables, NULL, NULL, NULL},
      {"shortage: deals", test_deals, NULL, NULL, NULL},
      {"shortage: batches", test_batches, NULL, NULL, NULL},
      {"shortage: bots", test_bots, NULL, NULL, NULL},
  };
  return cmocka_run_group_tests_name("shortage", tests, NULL, NULL);
}
