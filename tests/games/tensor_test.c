/* The tensors of the games, number by number: written a second time from what the protocol tells of a view (docs/protocol.md), at the places
 * that salotto/tensor.h names, in games of random play. What the protocol does
 * not tell of Louis XIV comes from the state. */
#include "louis.h"
#include "salotto/salotto.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { GAMES = 12, SIZE = 800 };

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

/* A position as somebody sees it. */
struct moment {
  const sal_table *table;
  const json_t *view;
  bool seated; /* else a spectator */
  int me;      /* the seat whose side it is told from */
  int players;
  int spoken; /* how many have had their chance in an auction */
};

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

static void doors(const struct moment *m, float *t) {
  static const char *const phases[] = {"take", "claim", "discard", "guess",
                                       NULL};
  const json_t *view = m->view, *options = at(view, "options");
  const json_t *discards = at(view, "discards");
  const int goal = is(at(options, "goal"), "5")    ? 5
                   : is(at(options, "goal"), "15") ? 15
                                                   : 10;
  for (int i = 0; i < 2; i++) {
    const int seat = i ? 1 - m->me : m->me;
    put_card(t + (i ? SAL_DOORS_THEM : SAL_DOORS_ME),
             of_seat(view, "identities", seat), 4);
    put_card(t + (i ? SAL_DOORS_LAST_THEM : SAL_DOORS_LAST_ME),
             of_seat(view, "last", seat), 4);
    t[SAL_DOORS_TOKENS + i] =
        (float)(number(of_seat(view, "tokens", seat)) + 10 - goal) / 10;
  }
  put_cards(t + SAL_DOORS_DECK, at(view, "deck_left"), 6, 3);
  put_cards(t + SAL_DOORS_OFFER, at(view, "offer"), 6, 3);
  put_cards(t + SAL_DOORS_COLLECTION, at(view, "collection"), 6, 3);
  put_cards(t + SAL_DOORS_DISCARDED, discards, 6, 3);
  for (size_t i = 0; i < json_array_size(discards); i++)
    put_card(t + SAL_DOORS_DISCARDS + 6 * i, json_array_get(discards, i), 6);
  put_phase(t + SAL_DOORS_PHASE, view, phases);
  t[SAL_DOORS_TURN] = (float)number(at(view, "guesser_turn")) / 5;
  t[SAL_DOORS_COLLECTING] = is_seat(at(view, "collector"), m->me);
}

static void favor(const struct moment *m, float *t) {
  static const char *const phases[] = {"turn", "bid", "final", NULL};
  const json_t *view = m->view;
  for (int i = 0; i < m->players; i++) {
    const int seat = (m->me + i) % m->players;
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
  if (is(at(view, "phase"), "bid") || is(at(view, "phase"), "final"))
    t[SAL_FAVOR_LEFT] = (float)(m->players - m->spoken) / 4;
  t[SAL_FAVOR_ENGLISH] = is(at(at(view, "options"), "edition"), "en");
}

static void traps(const struct moment *m, float *t) {
  static const char *const phases[] = {"place",  "build", "bet",
                                       "reveal", "give",  NULL};
  const json_t *view = m->view;
  for (int i = 0; i < m->players; i++) {
    const int seat = (m->me + i) % m->players;
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
  put_cards(t + SAL_TRAPS_HAND, of_seat(view, "hands", m->me), 6, 3);
  put_card(t + SAL_TRAPS_TARGET, at(view, "target"), 4);
  put_cards(t + SAL_TRAPS_DOORS_LEFT, at(view, "doors_left"), 4, 1);
  put_phase(t + SAL_TRAPS_PHASE, view, phases);
  t[SAL_TRAPS_POT] = (float)number(at(view, "pot")) / 6;
  t[SAL_TRAPS_SUPPLY] = (float)number(at(view, "supply")) / 25;
  t[SAL_TRAPS_BET] = (float)number(at(view, "high_bet")) / 99;
  t[SAL_TRAPS_POINTS] = (float)number(at(view, "points")) / 99;
}

/* ---- Louis XIV ------------------------------------------------------------- */

/* Numbers from 1 on, as ones at their places; one alone, a list, or null. */
static void put_places(float *t, const json_t *list) {
  if (json_is_integer(list))
    t[number(list) - 1] = 1;
  for (size_t i = 0; i < json_array_size(list); i++)
    t[number(json_array_get(list, i)) - 1] = 1;
}

/* Influence or intrigue cards that are seen. */
static void put_hand(float *t, const json_t *list, float unit) {
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *card = json_array_get(list, i);
    if (!is(card, "??"))
      t[is(card, "J") ? JOKER : number(card) - 1] += 1 / unit;
  }
}

static void put_missions(float *t, const json_t *list) {
  const struct court *court = court_at(0);
  for (unsigned k = 0; k < court->mission_count; k++) {
    char id[ID_LENGTH + 1];
    struct sal_text text;
    sal_text_init(&text, id, sizeof id);
    mission_id(court->mission[k].code, &text);
    for (size_t i = 0; i < json_array_size(list); i++)
      if (is(json_array_get(list, i), id))
        t[k] = 1;
  }
}

static void put_named(float *t, const json_t *object, const char *const *names,
                      float unit) {
  for (int i = 0; names[i]; i++)
    t[i] = (float)number(at(object, names[i])) / unit;
}

static const char *const chips[] = {"crown", "sceptre", "helmet",
                                    "ring",  "letter",  NULL};
static const char *const tiers[] = {"light", "medium", "dark", NULL};

static void louis_seat(const json_t *view, int seat, float *t) {
  static const char *const powers[] = {"tie", "recoup", "wild", NULL};
  t[SAL_LOUIS_GOLD] = (float)number(of_seat(view, "gold", seat)) / 10;
  t[SAL_LOUIS_READY] = (float)number(of_seat(view, "personal", seat)) / 10;
  t[SAL_LOUIS_GENERAL] = (float)number(of_seat(view, "general", seat)) / 10;
  for (size_t i = 0; i < 4; i++)
    t[SAL_LOUIS_BOARD + i] =
        json_is_true(json_array_get(of_seat(view, "boards", seat), i));
  put_places(t + SAL_LOUIS_WITHDRAWN, of_seat(view, "withdrawn", seat));
  put_named(t + SAL_LOUIS_CHIPS, of_seat(view, "chips", seat), chips, 1);
  t[SAL_LOUIS_SIZES] =
      (float)json_array_size(of_seat(view, "influence", seat)) / 5;
  t[SAL_LOUIS_SIZES + 1] =
      (float)json_array_size(of_seat(view, "intrigue", seat));
  t[SAL_LOUIS_SIZES + 2] =
      (float)json_array_size(of_seat(view, "shields", seat)) / 10;
  const json_t *held = of_seat(view, "tiers", seat);
  for (size_t i = 0; i < json_array_size(held); i++)
    for (int k = 0; tiers[k]; k++)
      t[SAL_LOUIS_TIERS + k] += is(json_array_get(held, i), tiers[k]);
  for (size_t i = 0; i < 12; i++)
    t[SAL_LOUIS_MARKERS + i] =
        (float)number(
            of_seat(json_array_get(at(view, "tiles"), i), "markers", seat)) /
        3;
  put_named(t + SAL_LOUIS_USED, of_seat(view, "used", seat), powers, 1);
  put_missions(t + SAL_LOUIS_LAID, of_seat(view, "fulfilled", seat));
  t[SAL_LOUIS_ASKED] = holds(at(view, "to_act"), seat);
}

static void louis_mine(const json_t *view, int me, float *t) {
  const json_t *shields = of_seat(view, "shields", me);
  put_hand(t + SAL_LOUIS_HAND, of_seat(view, "influence", me), 2);
  put_hand(t + SAL_LOUIS_INTRIGUE, of_seat(view, "intrigue", me), 1);
  put_missions(t + SAL_LOUIS_MISSIONS, of_seat(view, "missions", me));
  for (size_t i = 0; i < json_array_size(shields); i++) {
    const json_t *kind = json_array_get(shields, i);
    if (json_is_integer(kind) && number(kind) > 0)
      t[SAL_LOUIS_SHIELDS + number(kind) - 1] += 0.5f;
  }
}

/* What the protocol does not tell: from the state itself, where a card that I
 * have not seen is in a deck or in a hand that is not mine. */
static void louis_state(const struct moment *m, float *t) {
  union sal_view_box box;
  sal_table_view(m->table, SAL_EVERYTHING, (sal_view *)box.bytes);
  const struct louis *s = &as_view((const sal_view *)box.bytes)->s;
  const bool over = s->station == AT_OVER;
  for (unsigned k = 0; k < CARD_KINDS; k++) {
    unsigned unseen = bag_count(s->influence_deck.cards, k);
    unsigned plots = bag_count(s->intrigue_deck.cards, k);
    for (int seat = 0; seat < m->players; seat++) {
      if (over || (m->seated && seat == m->me))
        continue;
      unseen += bag_count(s->influence[seat], k);
      plots += bag_count(s->intrigue[seat], k);
    }
    t[SAL_LOUIS_UNSEEN + k] = (float)unseen / 2;
    if (k < TILES)
      t[SAL_LOUIS_PLOTS + k] = (float)plots;
  }
  for (int i = 0; i < 16; i++)
    t[SAL_LOUIS_MONEY + i] = s->money_deck >> i & 1;
  for (int i = 0; i < MISSIONS_MAX; i++)
    t[SAL_LOUIS_TRADED + i] = (m->seated || over) && s->traded[m->me] >> i & 1;
  for (int i = 0; i < m->players; i++)
    t[SAL_LOUIS_SEATS + i * SAL_LOUIS_SEAT + SAL_LOUIS_COUNTED] =
        (float)s->counted[(m->me + i) % m->players] / 3;
  /* a short game is the end of a long one */
  t[SAL_LOUIS_ROUND] =
      (float)(s->round + 4 - number(at(m->view, "rounds"))) / 4;
  t[SAL_LOUIS_NTH] = s->nth;
}

static void louis(const struct moment *m, float *t) {
  static const char *const phases[] = {
      "setup",    "withdraw", "swap", "exchange", "foothold",  "influence",
      "intrigue", "tie",      "pay",  "put",      "favourite", "recoup",
      "mission",  "draw",     "keep", NULL};
  static const char *const decks[] = {"influence", "intrigue", "shields", NULL};
  const json_t *view = m->view, *options = at(view, "options");
  put_phase(t + SAL_LOUIS_PHASE, view, phases);
  put_places(t + SAL_LOUIS_LOUIS, at(view, "louis"));
  put_places(t + SAL_LOUIS_FAVOURITE, at(view, "favourite"));
  put_places(t + SAL_LOUIS_TILE, at(view, "evaluating"));
  for (size_t i = 0; i < 12; i++) {
    const json_t *tile = json_array_get(at(view, "tiles"), i);
    t[SAL_LOUIS_BLACK + i] = is(at(tile, "side"), "black");
    t[SAL_LOUIS_NEUTRAL + i] = (float)number(at(tile, "neutral")) / 4;
  }
  put_named(t + SAL_LOUIS_STOCK, at(view, "stock"), chips, 6);
  put_named(t + SAL_LOUIS_STACKS, at(view, "decks"), tiers, 10);
  put_named(t + SAL_LOUIS_DECKS, at(view, "decks"), decks, 10);
  put_hand(t + SAL_LOUIS_OPEN, at(at(view, "discards"), "influence"), 2);
  put_hand(t + SAL_LOUIS_PLAYED, at(at(view, "discards"), "intrigue"), 1);
  t[SAL_LOUIS_PLAIN] = is(at(options, "favorita"), "off");
  louis_mine(view, m->me, t);
  louis_state(m, t);
  for (int i = 0; i < m->players; i++)
    louis_seat(view, (m->me + i) % m->players,
               t + SAL_LOUIS_SEATS + i * SAL_LOUIS_SEAT);
}

/* ---- Games ------------------------------------------------------------------ */

typedef void write_fn(const struct moment *m, float *t);

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
    const struct moment m = {.table = t,
                             .view = view,
                             .seated = viewer >= 0,
                             .me = viewer < 0 ? 0 : viewer,
                             .players = sal_table_players(t),
                             .spoken = spoken};
    sal_table_view(t, viewer, (sal_view *)box.bytes);
    memset(made, 0xff, sizeof made);
    g->tensor((const sal_view *)box.bytes, made);
    write(&m, expected);
    for (size_t i = 0; i < g->info.tensor_size; i++)
      if (!(fabsf(made[i] - expected[i]) <= 1e-5f * fabsf(expected[i])))
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

/* An option of the game with its second value, or NULL; at most so many steps. */
static void play(const char *game, int players, const char *option, int most,
                 uint64_t seed, write_fn *write) {
  struct sal_plan plan = {.game = sal_game_find(game)};
  struct sal_rng rng;
  char phase[16] = "";
  int spoken = 0;
  sal_setup_default(plan.game, players, &plan.setup);
  if (option)
    plan.setup.option[sal_option_find(plan.game, option)] = 1;
  sal_key_number(seed, &plan.seed);
  sal_rng_seed(&rng, seed);
  sal_table *t = sal_table_new(&plan);
  unsigned asked;
  for (int steps = 0; steps < most && (asked = sal_table_to_act(t)) != 0;
       steps++) {
    size_t count;
    const int seat = __builtin_ctz(asked);
    const sal_action *list = sal_table_choices(t, seat, &count);
    spoken = in_phase(t, phase) ? spoken + 1 : 0;
    compare(t, spoken, write);
    /* low bets, and the last choice often: rounds go on to their reveals */
    const size_t few = count < 9 ? count : 9;
    const size_t k =
        sal_rng_below(&rng, 4) ? sal_rng_below(&rng, (uint32_t)few) : count - 1;
    assert_int_equal(sal_table_play(t, seat, list[k], NULL), 0);
  }
  if (!sal_table_to_act(t))
    compare(t, spoken, write);
  sal_table_free(t);
}

static void test_doors(void **state) {
  (void)state;
  for (uint64_t i = 0; i < GAMES; i++)
    play("doors", 2, i % 2 ? "goal" : NULL, 200, i, doors);
}

static void test_favor(void **state) {
  (void)state;
  for (uint64_t i = 0; i < GAMES; i++)
    play("favor", 2 + (int)i % 3, i % 2 ? "edition" : NULL, 90, i, favor);
}

static void test_traps(void **state) {
  (void)state;
  for (uint64_t i = 0; i < GAMES; i++)
    play("traps", 2 + (int)i % 5, NULL, 90, i, traps);
}

static void test_louis(void **state) {
  /* in the first three, missions decide a tie, recoup and stand for a chip */
  static const uint64_t seeds[] = {22, 39, 20, 1, 2, 3};
  static const char *const options[] = {NULL,       NULL,     NULL,
                                        "favorita", "rounds", "rounds"};
  (void)state;
  for (int i = 0; i < 6; i++)
    play("louis", 2 + (int)seeds[i] % 3, options[i], 400, seeds[i], louis);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_doors), cmocka_unit_test(test_favor),
      cmocka_unit_test(test_traps), cmocka_unit_test(test_louis)};
  return cmocka_run_group_tests_name("tensor", tests, NULL, NULL);
}
