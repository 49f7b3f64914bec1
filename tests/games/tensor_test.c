/* The tensors of Favor and Traps, number by number: written a second time from
 * what the protocol tells of a view (docs/protocol.md), at the places that
 * salotto/tensor.h names, in games of random play. */
#include "salotto/salotto.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { GAMES = 12, SIZE = 400 };

static const char *const cards[] = {"RL", "BL", "RT", "BT", "BR", "LT"};

static json_t *at(const json_t *view, const char *key) {
  return json_object_get(view, key);
}
static json_t *of_seat(const json_t *view, const char *key, int seat) {
  return json_array_get(at(view, key), (size_t)seat);
}
static int number(const json_t *v) { return (int)json_integer_value(v); }
static bool is(const json_t *v, const char *word) {
  return json_is_string(v) && strcmp(json_string_value(v), word) == 0;
}
static bool is_seat(const json_t *v, int seat) {
  return json_is_integer(v) && number(v) == seat;
}

static bool holds(const json_t *list, int seat) {
  for (size_t i = 0; i < json_array_size(list); i++)
    if (is_seat(json_array_get(list, i), seat))
      return true;
  return false;
}

/* How many of each card, in `unit`. */
static void put_cards(float *t, const json_t *list, int kinds, float unit) {
  for (size_t i = 0; i < json_array_size(list); i++)
    for (int k = 0; k < kinds; k++)
      if (is(json_array_get(list, i), cards[k]))
        t[k] += 1 / unit;
}

static void put_card(float *t, const json_t *card, int kinds) {
  for (int k = 0; k < kinds; k++)
    if (is(card, cards[k]))
      t[k] = 1;
}

static void put_phase(float *t, const json_t *view, const char *const *names) {
  for (int i = 0; names[i]; i++)
    if (is(at(view, "phase"), names[i]))
      t[i] = 1;
}

/* `spoken`: how many have had their chance in the auction. */
static void favor(const json_t *view, int me, int players, int spoken,
                  float *t) {
  static const char *const phases[] = {"turn", "bid", "final", NULL};
  for (int i = 0; i < players; i++) {
    const int seat = (me + i) % players;
    float *s = t + i * SAL_FAVOR_SEAT;
    s[SAL_FAVOR_THERE] = 1;
    put_card(s + SAL_FAVOR_IDENTITY, of_seat(view, "identities", seat), 4);
    put_card(s + SAL_FAVOR_LAST, of_seat(view, "last", seat), 4);
    put_cards(s + SAL_FAVOR_COLLECTION, of_seat(view, "collections", seat), 6,
              3);
    s[SAL_FAVOR_GEMS] = (float)number(of_seat(view, "gems", seat)) / 5;
    s[SAL_FAVOR_POINTS] = (float)number(of_seat(view, "points", seat)) / 10;
    s[SAL_FAVOR_ASKED] = holds(at(view, "to_act"), seat);
    s[SAL_FAVOR_CALLER] = is_seat(at(view, "caller"), seat);
    s[SAL_FAVOR_BIDDER] = is_seat(at(view, "high_bidder"), seat);
    s[SAL_FAVOR_FIRST] = is_seat(at(view, "first"), seat);
  }
  put_cards(t + SAL_FAVOR_DECK, at(view, "deck_left"), 6, 3);
  put_cards(t + SAL_FAVOR_LOT, at(view, "lot"), 6, 3);
  put_cards(t + SAL_FAVOR_DISCARDS, at(view, "discards"), 6, 3);
  put_phase(t + SAL_FAVOR_PHASE, view, phases);
  t[SAL_FAVOR_DAY + number(at(view, "day")) - 1] = 1;
  t[SAL_FAVOR_BID] = (float)number(at(view, "high_bid")) / 5;
  if (!is(at(view, "phase"), "turn"))
    t[SAL_FAVOR_LEFT] = (float)(players - spoken) / 4;
  t[SAL_FAVOR_ENGLISH] = is(at(at(view, "options"), "edition"), "en");
}

static void traps(const json_t *view, int me, int players, int spoken,
                  float *t) {
  static const char *const phases[] = {"place",  "build", "bet",
                                       "reveal", "give",  NULL};
  (void)spoken;
  for (int i = 0; i < players; i++) {
    const int seat = (me + i) % players;
    float *s = t + i * SAL_TRAPS_SEAT;
    const json_t *down = of_seat(view, "piles", seat);
    const json_t *up = of_seat(view, "revealed", seat);
    const size_t below = json_array_size(down), above = json_array_size(up);
    s[SAL_TRAPS_THERE] = 1;
    s[SAL_TRAPS_TOKENS] = (float)number(of_seat(view, "tokens", seat)) / 5;
    s[SAL_TRAPS_HELD] =
        (float)json_array_size(of_seat(view, "hands", seat)) / 6;
    s[SAL_TRAPS_LAID] = (float)(below + above) / 6;
    s[SAL_TRAPS_DOWN] = (float)below / 6;
    s[SAL_TRAPS_PASSED] = holds(at(view, "passed"), seat);
    s[SAL_TRAPS_FIRST] = is_seat(at(view, "first"), seat);
    s[SAL_TRAPS_BETTOR] = is_seat(at(view, "high_bettor"), seat);
    s[SAL_TRAPS_ASKED] = holds(at(view, "to_act"), seat);
    put_cards(s + SAL_TRAPS_KNOWN, of_seat(view, "known", seat), 6, 3);
    for (size_t k = 0; k < below + above; k++)
      put_card(s + SAL_TRAPS_PILE + 6 * k,
               k < below ? json_array_get(down, k)
                         : json_array_get(up, above + below - 1 - k),
               6);
  }
  put_cards(t + SAL_TRAPS_HAND, of_seat(view, "hands", me), 6, 3);
  put_card(t + SAL_TRAPS_TARGET, at(view, "target"), 4);
  put_cards(t + SAL_TRAPS_DOORS_LEFT, at(view, "doors_left"), 4, 1);
  put_phase(t + SAL_TRAPS_PHASE, view, phases);
  t[SAL_TRAPS_POT] = (float)number(at(view, "pot")) / 6;
  t[SAL_TRAPS_SUPPLY] = (float)number(at(view, "supply")) / 25;
  t[SAL_TRAPS_BET] = (float)number(at(view, "high_bet")) / 99;
  t[SAL_TRAPS_POINTS] = (float)number(at(view, "points")) / 99;
}

typedef void write_fn(const json_t *view, int me, int players, int spoken,
                      float *t);

static json_t *view_of(const sal_table *t, int viewer) {
  static char text[1 << 16];
  struct sal_text out;
  struct sal_json j;
  sal_text_init(&out, text, sizeof text);
  sal_json_init(&j, &out);
  sal_table_facts(t, viewer, &j, NULL);
  json_t *view = json_loads(text, 0, NULL);
  assert_non_null(view);
  return view;
}

static void compare(const sal_table *t, int spoken, write_fn *write) {
  const struct sal_game *g = sal_table_game(t);
  for (int viewer = SAL_SPECTATOR; viewer < sal_table_players(t); viewer++) {
    float made[SIZE], expected[SIZE] = {0};
    union sal_view_box box;
    json_t *view = view_of(t, viewer);
    sal_table_view(t, viewer, (sal_view *)box.bytes);
    memset(made, 0xff, sizeof made);
    g->tensor((const sal_view *)box.bytes, made);
    write(view, viewer < 0 ? 0 : viewer, sal_table_players(t), spoken,
          expected);
    for (size_t i = 0; i < g->info.tensor_size; i++)
      if (!(fabsf(made[i] - expected[i]) < 1e-5f))
        fail_msg("%s, viewer %d: number %zu is %g, not %g", g->info.id, viewer,
                 i, (double)made[i], (double)expected[i]);
    json_decref(view);
  }
}

static bool in_phase(const sal_table *t, char *phase) {
  json_t *view = view_of(t, SAL_SPECTATOR);
  const bool same = is(at(view, "phase"), phase);
  strcpy(phase, json_string_value(at(view, "phase")));
  json_decref(view);
  return same;
}

static void play(const char *game, int players, int option, uint64_t seed,
                 write_fn *write) {
  struct sal_plan plan = {.game = sal_game_find(game)};
  struct sal_rng rng;
  char phase[16] = "";
  int spoken = 0;
  sal_setup_default(plan.game, players, &plan.setup);
  if (option)
    plan.setup.option[sal_option_find(plan.game, "edition")] = 1;
  sal_key_number(seed, &plan.seed);
  sal_rng_seed(&rng, seed);
  sal_table *t = sal_table_new(&plan);
  unsigned asked;
  for (int steps = 0; steps < 90 && (asked = sal_table_to_act(t)) != 0;
       steps++) {
    size_t count;
    const int seat = __builtin_ctz(asked);
    const sal_action *list = sal_table_choices(t, seat, &count);
    spoken = in_phase(t, phase) ? spoken + 1 : 0;
    compare(t, spoken, write);
    /* low bets, and the last choice often: rounds go on to their reveals */
    const size_t most = count < 9 ? count : 9;
    const size_t k = sal_rng_below(&rng, 4)
                         ? sal_rng_below(&rng, (uint32_t)most)
                         : count - 1;
    assert_int_equal(sal_table_play(t, seat, list[k], NULL), 0);
  }
  sal_table_free(t);
}

static void test_favor(void **state) {
  (void)state;
  for (uint64_t i = 0; i < GAMES; i++)
    play("favor", 2 + (int)i % 3, i % 2, i, favor);
}

static void test_traps(void **state) {
  (void)state;
  for (uint64_t i = 0; i < GAMES; i++)
    play("traps", 2 + (int)i % 5, 0, i, traps);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_favor),
                                     cmocka_unit_test(test_traps)};
  return cmocka_run_group_tests_name("tensor", tests, NULL, NULL);
}
