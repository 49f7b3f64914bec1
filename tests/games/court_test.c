/* Courts of Louis XIV: the built-in one, every fault of a file, the limits. */
#include "louis.h"
#include "salotto/salotto.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static char text[SAL_OPTION_TEXT_MAX];

/* The built-in court as a line of JSON, in `text`. */
static void write_default(void) {
  struct sal_text out;
  sal_text_init(&out, text, sizeof text);
  court_write(&court_default, &out);
  assert_int_equal(out.lost, 0);
}

/* What is wrong, a line a problem. */
struct problems {
  char lines[1 << 14];
  size_t count;
};

static void note(void *context, const char *where, const char *sentence,
                 const struct sal_place *places, size_t count) {
  struct problems *p = context;
  struct sal_text out;
  const size_t n = strlen(p->lines);
  sal_text_init(&out, p->lines + n, sizeof p->lines - n);
  sal_text_add(&out, where);
  sal_text_add(&out, ": ");
  sal_say(&out, &sal_words_plain, false, sentence, places, count);
  sal_text_char(&out, '\n');
  p->count++;
}

static bool check(const char *court, struct problems *p) {
  p->lines[0] = '\0';
  p->count = 0;
  return sal_court_check(court, strlen(court), note, p);
}

/* ---- The built-in court ------------------------------------------------- */

static void test_default_is_sound(void **state) {
  (void)state;
  struct problems p;
  write_default();
  if (!check(text, &p))
    fail_msg("%s", p.lines);
}

/* What tools/court made of the file is what court_read makes of it. */
static void test_default_is_read_the_same(void **state) {
  (void)state;
  struct problems p = {{0}, 0};
  struct court c;
  write_default();
  assert_true(
      court_read(text, strlen(text), &c, &(struct court_report){note, &p}));
  assert_memory_equal(c.tile, court_default.tile, sizeof c.tile);
  assert_memory_equal(c.neighbours, court_default.neighbours,
                      sizeof c.neighbours);
  assert_memory_equal(c.reach, court_default.reach, sizeof c.reach);
  assert_memory_equal(c.plays, court_default.plays, sizeof c.plays);
  assert_memory_equal(c.jumps, court_default.jumps, sizeof c.jumps);
  assert_memory_equal(c.mission, court_default.mission, sizeof c.mission);
  assert_memory_equal(c.tier, court_default.tier, sizeof c.tier);
  assert_memory_equal(c.money, court_default.money, sizeof c.money);
  assert_memory_equal(c.opposite, court_default.opposite, sizeof c.opposite);
  assert_memory_equal(c.personal, court_default.personal, sizeof c.personal);
  static char again[SAL_OPTION_TEXT_MAX];
  struct sal_text out;
  sal_text_init(&out, again, sizeof again);
  court_write(&c, &out);
  assert_string_equal(again, text);
}

/* 90 cards, 34 chips, 60 shields. */
static void test_default_counts(void **state) {
  (void)state;
  const struct court *c = &court_default;
  unsigned chips = 0;
  for (int k = 0; k < CHIP_KINDS; k++)
    chips += c->chips[k];
  assert_int_equal(chips, 34);
  assert_int_equal(bag_total(court_influence(c)), 30);
  assert_int_equal(bag_total(court_intrigue(c)), 12);
  assert_int_equal(bag_total(court_shields(c)), 60);
  assert_int_equal(c->mission_count, 40);
  assert_int_equal(__builtin_popcountll(c->tier[LIGHT]), 20);
  assert_int_equal(__builtin_popcountll(c->tier[MEDIUM]), 12);
  assert_int_equal(__builtin_popcountll(c->tier[DARK]), 8);
  assert_int_equal(30 + 12 + 40 + c->money_count, 90);
}

/* louis.mission.cost: light one and any, medium two different, dark two alike */
static void test_default_costs(void **state) {
  (void)state;
  for (int i = 0; i < court_default.mission_count; i++) {
    const struct court_mission *m = &court_default.mission[i];
    assert_int_equal(m->cost[1] == ANY_CHIP, m->tier == LIGHT);
    assert_int_equal(m->cost[0] == m->cost[1], m->tier == DARK);
    assert_true(m->cost[0] != CROWN && m->cost[1] != CROWN);
  }
}

/* ---- Faults ------------------------------------------------------------- */

/* One change of the built-in court, and what is said of it. `more` is how many
 * further problems come of it. */
struct fault {
  const char *find, *put, *said;
  size_t more;
};

#define TILE_1                                                                 \
  "\"id\":1,\"name\":\"Anne d'Autriche\",\"pos\":[1,2],"                       \
  "\"reward\":\"chip:sceptre\",\"amount\":1,\"red\":{\"type\":\"pay\",\"n\":3}"

static const struct fault faults[] = {
    {"\"counts\":", "\"count\":", "counts: this is missing.", 0},
    {"\"setup\":", "\"set\":", "setup: this is missing.", 0},
    {"\"tiles\":[{", "\"tile\":[{", "tiles: this is missing.", 0},
    {"\"adjacency\":", "\"near\":", "adjacency: this is missing.", 0},
    {"\"diagonals\":", "\"lines\":", "diagonals: this is missing.", 0},
    {"\"opposite\":", "\"other\":", "opposite: this is missing.", 0},
    {"\"money_cards\":", "\"cash\":", "money_cards: this is missing.", 0},
    {"\"missions\":[{", "\"quests\":[{", "missions: this is missing.", 0},
    {"\"neutral_2p\":", "\"neutral\":", "neutral_2p: this is missing.", 0},
    {"\"endgame\":", "\"end\":", "endgame: this is missing.", 0},
    {"\"rounds\":4", "\"rounds\":0",
     "setup.rounds: this is not a whole number from 1 to 8.", 0},
    {"\"rounds\":4", "\"rounds\":9",
     "setup.rounds: this is not a whole number from 1 to 8.", 0},
    {"\"rounds\":4", "\"rounds\":4.5",
     "setup.rounds: this is not a whole number from 1 to 8.", 0},
    {"\"rounds\":4", "\"rounds\":\"4\"",
     "setup.rounds: this is not a whole number from 1 to 8.", 0},
    {"\"rounds\":4,", "", "setup.rounds: this is missing.", 0},
    {"\"rounds\":4", "\"rounds\":4,\"rounds\":4", ": this is not JSON: ", 0},
    {"\"markers_per_color\":16", "\"markers_per_color\":61",
     "counts.markers_per_color: this is not a whole number from 1 to 60.", 0},
    {"\"shields_per_kind\":10", "\"shields_per_kind\":-1",
     "counts.shields_per_kind: this is not a whole number from 0 to 15.", 0},
    {"\"letter\":6}", "\"letter\":6,\"spoon\":1}",
     "counts.chips.spoon: there is no such kind of chip.", 0},
    {"\"letter\":6}", "\"l\":6}", "counts.chips.letter: this is missing.", 1},
    {"\"chips\":{\"crown\":10,\"sceptre\":6,\"helmet\":6,\"ring\":6,\"letter\":"
     "6}",
     "\"chips\":34", "counts.chips: this is not an object.", 0},
    {"\"2\":[11,11]", "\"2\":[11]",
     "setup.personal_markers_by_seat.2: this is not a list of 2 entries.", 0},
    {"\"4\":[11,11,10,9]", "\"4\":[11,11,10,16]",
     "setup.personal_markers_by_seat.4[3]: this is not a whole number from 0 to "
     "15.",
     0},
    {"\"missions\":[\"light\",\"medium\"]", "\"missions\":[\"light\",\"grey\"]",
     "setup.missions[1]: this must be one of: light, medium, dark.", 0},
    {"\"missions\":[\"light\",\"medium\"]", "\"missions\":[]",
     "setup.missions: this is not a list of 1 to 3 entries.", 0},
    {"\"missions\":[\"light\",\"medium\"]",
     "\"missions\":[\"dark\",\"dark\",\"dark\"]",
     "missions: four players need 12 missions of the tier dark to start with.",
     0},
    {"\"id\":1,", "\"id\":13,",
     "tiles[0].id: this is not a tile: tiles are the whole numbers 1 to 12.",
     0},
    {"\"id\":1,", "\"id\":2,", "tiles[1].id: this tile appears twice.", 0},
    {"\"name\":\"Anne d'Autriche\"", "\"name\":\"\"",
     "tiles[0].name: this is not a name of at most 40 bytes.", 0},
    {"\"name\":\"Anne d'Autriche\"",
     "\"name\":\"A name that is much too long for the board of a court\"",
     "tiles[0].name: this is not a name of at most 40 bytes.", 0},
    {"\"name\":\"Anne d'Autriche\"", "\"name\":\"a\\tb\"",
     "tiles[0].name: this is not a name of at most 40 bytes.", 0},
    {"\"pos\":[1,2]", "\"pos\":[1]",
     "tiles[0].pos: this is not a list of 2 entries.", 0},
    {"\"pos\":[1,2]", "\"pos\":[1,5]",
     "tiles[0].pos[1]: this is not a whole number from 0 to 4.", 0},
    {"\"pos\":[1,2]", "\"pos\":[2,3]",
     "tiles: tiles 1 and 2 stand on the same place.", 11},
    {"\"pos\":[1,2]", "\"pos\":[9,2]",
     "tiles[0].pos[0]: this is not a whole number from 0 to 4.", 0},
    {"\"reward\":\"chip:sceptre\"", "\"reward\":\"chip:spoon\"",
     "tiles[0].reward: there is no such kind of chip.", 0},
    {"\"reward\":\"chip:sceptre\"", "\"reward\":\"chip\"",
     "tiles[0].reward: which chip? Write, for example, chip:ring.", 0},
    {"\"reward\":\"gold\"", "\"reward\":\"silver\"",
     "tiles[6].reward: this must be one of: chip, shield, gold, place_marker, "
     "influence_card, intrigue_card.",
     0},
    {"\"reward\":\"place_marker\",\"amount\":2",
     "\"reward\":\"place_marker\",\"amount\":3",
     "tiles[7].amount: this is not a whole number from 1 to 2.", 0},
    {"\"type\":\"pay\",\"n\":3", "\"type\":\"bribe\",\"n\":3",
     "tiles[0].red.type: this must be one of: most, pay, min.", 0},
    {TILE_1, "\"id\":1", "tiles[0].amount: this is missing.", 4},
    {"\"red\":{\"type\":\"pay\",\"n\":3}", "\"red\":{\"type\":\"pay\"}",
     "tiles[0].red.n: this is missing.", 0},
    {"\"red\":{\"type\":\"pay\",\"n\":3}", "\"red\":\"pay 3\"",
     "tiles[0].red: this is not an object.", 0},
    {"\"1\":[2,4,6,7]", "\"13\":[2,4,6,7]",
     "adjacency.13: this is not a tile: tiles are the whole numbers 1 to 12.",
     1},
    {"\"1\":[2,4,6,7],", "", "adjacency: tile 1 is missing.", 0},
    {"\"1\":[2,4,6,7]", "\"1\":[2,4,6,0]",
     "adjacency.1[3]: this is not a tile: tiles are the whole numbers 1 to 12.",
     0},
    {"\"1\":[2,4,6,7]", "\"1\":[2,3,4,6,7]",
     "adjacency: tile 1 has 3 as a neighbour, which is not next to it on a "
     "diagonal.",
     0},
    {"\"1\":[2,4,6,7]", "\"1\":[2,4,6]",
     "adjacency: tile 1 does not have 7 as a neighbour, which is next to it on a "
     "diagonal.",
     0},
    {",[11,12]]", "]",
     "adjacency: tile 11 has 12 as a neighbour, which is not next to it on a "
     "diagonal.",
     1},
    {"\"diagonals\":[[12,4,1,7]", "\"diagonals\":[[12,1,4,7]",
     "diagonals[0]: tiles 12 and 1 do not touch at a corner.", 10},
    {"\"diagonals\":[[12,4,1,7]", "\"diagonals\":[[12,4,3],[4,1,7]",
     "diagonals[0]: the line bends at tile 4.", 0},
    {"\"diagonals\":[[12,4,1,7]", "\"diagonals\":[[12],[12,4,1,7]",
     "diagonals[0]: this is not a list of 2 to 5 entries.", 0},
    {"\"diagonals\":[[12,4,1,7]", "\"diagonals\":[[12,4,1,17]",
     "diagonals[0][3]: this is not a tile: tiles are the whole numbers 1 to 12.",
     0},
    {"\"opposite\":{\"1\":3", "\"opposite\":{\"1\":1",
     "opposite.1: a tile is not opposite itself.", 0},
    {"\"opposite\":{\"1\":3,", "\"opposite\":{",
     "money_cards[0]: Louis goes to tile 1, which has no opposite.", 1},
    {"\"louis\":1,\"gold\":3", "\"louis\":0,\"gold\":3",
     "money_cards[0].louis: this is not a tile: tiles are the whole numbers 1 to "
     "12.",
     0},
    {"\"louis\":1,\"gold\":3", "\"louis\":1,\"gold\":21",
     "money_cards[0].gold: this is not a whole number from 0 to 20.", 0},
    {"{\"louis\":1,\"gold\":3},{\"louis\":1,\"gold\":6},{\"louis\":2,\"gold\":4}"
     ",{\"louis\":2,\"gold\":5},{\"louis\":3,\"gold\":4},",
     "", "money_cards: there are fewer money cards (3) than rounds (4).", 0},
    {"\"id\":\"L01\"", "\"id\":\"L02\"",
     "missions[9]: another mission has the same id.", 0},
    {"\"id\":\"L01\"", "\"id\":\"L 1\"",
     "missions[8].id: this is not a text of 1 to 5 letters and digits.", 0},
    {"\"id\":\"L01\"", "\"id\":\"LIGHT1\"",
     "missions[8].id: this is not a text of 1 to 5 letters and digits.", 0},
    {"\"id\":\"L01\",\"tier\":\"light\"", "\"id\":\"L01\",\"tier\":\"pale\"",
     "missions[8].tier: this must be one of: light, medium, dark.", 0},
    {"\"cost\":[\"sceptre\",\"any\"]", "\"cost\":[\"sceptre\"]",
     "missions[8].cost: this is not a list of 2 entries.", 0},
    {"\"cost\":[\"sceptre\",\"any\"]", "\"cost\":[\"sceptre\",\"all\"]",
     "missions[8].cost[1]: this must be one of: crown, sceptre, helmet, ring, letter, "
     "any.",
     0},
    {"\"power\":\"gold2\"", "\"power\":\"gold4\"",
     "missions[8].power: this must be one of: gold2, gold3, mark2, mark3, card, "
     "intr, swap, foothold, inner, any2, bribe1, tie, recoup, wild, shield.",
     0},
    {"\"tiles\":[6,7]", "\"tiles\":[6,6]",
     "missions[10].tiles[1]: this appears twice.", 0},
    {",\"tiles\":[6,7]", "",
     "missions[10].tiles: this is not a list of 2 entries.", 0},
    {"\"joker_target\":\"louis\"", "\"joker_target\":\"nobody\"",
     "neutral_2p.joker_target: this must be one of: louis.", 0},
    {"\"marker_on_tile\"]", "\"tile\"]",
     "endgame.per_item[3]: this must be one of: influence_card, intrigue_card, "
     "mission_chip, marker_on_tile.",
     0},
    {"\"marker_on_tile\"]", "\"mission_chip\"]",
     "endgame.per_item[3]: this appears twice.", 0},
    {"\"gold_per_shield\":3", "\"gold_per_shield\":0",
     "endgame.gold_per_shield: this is not a whole number from 1 to 99.", 0},
    {"\"hand_size\":5", "\"hand_size\":8",
     "setup: hand_size, the missions with the power card and the influence cards "
     "of the tiles may give a hand of 11; 10 is the limit.",
     0},
};

/* `text` with the first `find` replaced. */
static void change(const char *find, const char *put, char *out) {
  char *at = strstr(text, find);
  if (!at)
    fail_msg("the built-in court has no %s", find);
  snprintf(out, SAL_OPTION_TEXT_MAX, "%.*s%s%s", (int)(at - text), text, put,
           at + strlen(find));
}

static void test_faults(void **state) {
  (void)state;
  static char changed[SAL_OPTION_TEXT_MAX];
  write_default();
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    struct problems p;
    change(faults[i].find, faults[i].put, changed);
    if (check(changed, &p))
      fail_msg("%s is not found wrong", faults[i].put);
    if (!strstr(p.lines, faults[i].said) || p.count != 1 + faults[i].more)
      fail_msg("%s: said %s(%zu problems), not: %s", faults[i].put, p.lines,
               p.count, faults[i].said);
  }
}

static void test_no_court(void **state) {
  (void)state;
  static const struct {
    const char *text, *said;
  } cases[] = {{"", ": this is not JSON: "},
               {"{", ": this is not JSON: "},
               {"{} {}", ": this is not JSON: "},
               {"[]", ": a court is an object."},
               {"{\"counts\":\"\xff\"}", ": this is not JSON: "}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct problems p;
    assert_false(check(cases[i].text, &p));
    assert_non_null(strstr(p.lines, cases[i].said));
  }
  struct problems p;
  assert_false(check("{}", &p));
  assert_int_equal(p.count, 10); /* every part is missing, and all are told */
}

/* The option gives the first problem as one sentence. */
static void test_option_refuses(void **state) {
  (void)state;
  static char changed[SAL_OPTION_TEXT_MAX];
  char said[SAL_MESSAGE_MAX];
  struct sal_text out;
  int32_t value = 77;
  write_default();
  change("\"rounds\":4", "\"rounds\":0", changed);
  sal_text_init(&out, said, sizeof said);
  assert_false(
      sal_louis.option_read(1, changed, strlen(changed), &value, &out));
  assert_int_equal(value, 77);
  assert_string_equal(said,
                      "The court file is invalid: setup.rounds: this is not "
                      "a whole number from 1 to 8.");
}

/* ---- Other courts ------------------------------------------------------- */

static int32_t option_of(const char *court) {
  char said[SAL_MESSAGE_MAX];
  struct sal_text out;
  int32_t value = -1;
  sal_text_init(&out, said, sizeof said);
  if (!sal_louis.option_read(1, court, strlen(court), &value, &out))
    fail_msg("%s", said);
  return value;
}

static void test_registry(void **state) {
  (void)state;
  static char changed[SAL_OPTION_TEXT_MAX];
  write_default();
  change("\"gold\":5", "\"gold\":6", changed);
  const int32_t a = option_of(changed), b = option_of(text);
  assert_true(a > 0 && b > 0 && a != b);
  assert_int_equal(option_of(changed), a);
  assert_int_equal(court_at(a)->gold, 6);
  assert_int_equal(court_at(b)->gold, 5);
  /* unknown members are ignored */
  change("{\"counts\"", "{\"note\":\"mine\",\"counts\"", changed);
  assert_int_equal(option_of(changed), b);
}

/* A record holds the whole court, and plays with it again. */
static void test_record(void **state) {
  (void)state;
  static char changed[SAL_OPTION_TEXT_MAX];
  struct sal_refusal why;
  write_default();
  change("\"gold\":5", "\"gold\":7", changed);
  struct sal_plan plan = {.game = &sal_louis};
  sal_setup_default(&sal_louis, 3, &plan.setup);
  plan.setup.option[1] = option_of(changed);
  sal_table *t = sal_table_new(&plan);
  char *record = sal_table_record(t, true);
  sal_table *copy = sal_table_load(record, strlen(record), NULL, &why);
  if (!copy)
    fail_msg("%s", why.message);
  union sal_view_box v;
  sal_table_view(copy, SAL_SPECTATOR, (sal_view *)v.bytes);
  assert_int_equal(as_view((const sal_view *)v.bytes)->s.gold[0], 7);
  assert_non_null(strstr(record, "\noption court {\"counts\":"));
  free(record);
  sal_table_free(copy);
  sal_table_free(t);
}

/* Every value at its limit, names and ids as long as they may be. */
static void largest(struct court *c) {
  memcpy(c, &court_default, sizeof *c);
  c->markers = MARKERS_MAX;
  c->shield_kinds = SHIELD_KINDS_MAX;
  c->shields_each = SHIELDS_EACH_MAX;
  memset(c->chips, CHIPS_MAX, sizeof c->chips);
  c->influence_each = c->intrigue_each = CARDS_EACH_MAX;
  c->jokers = JOKERS_MAX;
  c->gold = GOLD_MAX;
  c->hand = HAND_MAX;
  c->rounds = ROUNDS_MAX;
  c->dealt_count = DEALT_MAX;
  memset(c->dealt, LIGHT, sizeof c->dealt);
  for (int p = 0; p < SEATS - 1; p++)
    for (int i = 0; i < p + 2; i++)
      c->personal[p][i] = 40;
  for (int t = 0; t < TILES; t++) {
    memset(c->tile[t].name, '"', NAME_SIZE - 1);
    c->tile[t].reward = t % 2 ? GOLD_REWARD : INTRIGUE_REWARD;
    c->tile[t].amount = t % 2 ? GOLD_MAX : AMOUNT_MAX;
    c->tile[t].side[RED] = (struct court_side){MIN, 1};
    c->tile[t].side[BLACK] = (struct court_side){PAY, GOLD_MAX};
  }
  for (c->line_count = 8; c->line_count < LINES_MAX; c->line_count++) {
    c->line_length[c->line_count] = 4;
    memcpy(c->line[c->line_count], c->line[0], LINE_MAX);
  }
  c->money_count = MONEY_MAX;
  for (int i = 0; i < MONEY_MAX; i++)
    c->money[i] = (struct court_money){3, GOLD_MAX};
  c->mission_count = MISSIONS_MAX;
  memset(c->tier, 0, sizeof c->tier);
  for (int i = 0; i < MISSIONS_MAX; i++) {
    char id[ID_LENGTH + 1];
    snprintf(id, sizeof id, "LLL%02d", i);
    c->mission[i] = (struct court_mission){mission_code(id, ID_LENGTH),
                                           LIGHT,
                                           i % 2 ? GOLD3 : FOOTHOLD,
                                           {SCEPTRE, SCEPTRE},
                                           i % 2 ? 0 : 0xc00};
    c->tier[LIGHT] |= UINT64_C(1) << i;
  }
  c->neutral_cards = NEUTRAL_CARDS_MAX;
  c->neutral_markers = NEUTRAL_MARKERS_MAX;
  c->mission_points = MISSION_POINTS_MAX;
  c->shield_points = SHIELD_POINTS_MAX;
  c->gold_a_shield = c->favour_a_shield = 1;
}

/* Nothing of anything: empty decks, no stock, a tile that pays nobody. */
static void smallest(struct court *c) {
  memcpy(c, &court_default, sizeof *c);
  c->markers = 2;
  for (int p = 0; p < SEATS - 1; p++)
    memset(c->personal[p], 1, sizeof c->personal[p]);
  c->shield_kinds = 1;
  c->shields_each = 1;
  memset(c->chips, 0, sizeof c->chips);
  c->chips[RING] = 1;
  c->influence_each = 0;
  c->jokers = 3;
  c->intrigue_each = 0;
  c->gold = 0;
  c->gold_a_shield = 1;
}

static void plays(const struct court *c) {
  static sal_action legal[4096];
  static char json[1 << 16];
  for (int players = 2; players <= 4; players++)
    for (uint64_t seed = 0; seed < 15; seed++) {
      struct sal_setup setup;
      union sal_state_box box;
      union sal_view_box view_box;
      sal_state *s = (sal_state *)box.bytes;
      struct sal_rng rng;
      size_t steps = 0;
      sal_setup_default(&sal_louis, players, &setup);
      setup.option[0] = seed % 3 == 0;
      setup.option[1] = court_add(c);
      assert_true(setup.option[1] > 0);
      sal_rng_seed(&rng, seed);
      sal_louis.init(s, &setup);
      for (unsigned asked; (asked = sal_louis.to_act(s)) != 0; steps++) {
        struct sal_chance chance;
        sal_action a;
        int seat = SAL_CHANCE;
        if (asked == SAL_CHANCE_BIT) {
          sal_louis.chance(s, &chance);
          a = sal_chance_draw(&chance, &rng);
        } else {
          seat = __builtin_ctz(asked);
          const size_t n = sal_louis.legal(s, seat, legal);
          assert_in_range(n, 1, sal_louis.info.legal_max);
          a = legal[sal_rng_below(&rng, (uint32_t)n)];
        }
        sal_louis.apply(s, seat, a, NULL);
        const char *problem = sal_louis.selfcheck(s);
        if (problem)
          fail_msg("%s", problem);
      }
      assert_true(steps <= sal_louis.info.longest);
      int32_t scores[SAL_SEATS_MAX];
      sal_louis.scores(s, scores);
      for (int i = 0; i < players; i++)
        assert_in_range(scores[i], 0, sal_louis.info.score_max);
      struct sal_text out;
      struct sal_json j;
      sal_text_init(&out, json, sizeof json);
      sal_json_init(&j, &out);
      sal_json_object(&j, NULL);
      sal_louis.view(s, SAL_SPECTATOR, (sal_view *)view_box.bytes);
      sal_louis.facts((const sal_view *)view_box.bytes, &j);
      assert_int_equal(out.lost, 0);
    }
}

static void test_largest(void **state) {
  (void)state;
  static struct court c, again;
  static char line[SAL_OPTION_TEXT_MAX];
  struct problems p = {{0}, 0};
  struct sal_text out;
  largest(&c);
  sal_text_init(&out, line, sizeof line - sizeof "court ");
  court_write(&c, &out);
  assert_int_equal(out.lost, 0);
  if (!court_read(line, strlen(line), &again, &(struct court_report){note, &p}))
    fail_msg("%s", p.lines);
  assert_memory_equal(c.mission, again.mission, sizeof c.mission);
  plays(&again);
}

static void test_smallest(void **state) {
  (void)state;
  static struct court c, again;
  static char line[SAL_OPTION_TEXT_MAX];
  struct problems p = {{0}, 0};
  struct sal_text out;
  smallest(&c);
  sal_text_init(&out, line, sizeof line);
  court_write(&c, &out);
  if (!court_read(line, strlen(line), &again, &(struct court_report){note, &p}))
    fail_msg("%s", p.lines);
  plays(&again);
  c.jokers = 0;
  plays(&c);
}

static void test_show(void **state) {
  (void)state;
  static char shown[1 << 14];
  static struct court c;
  struct sal_text out;
  largest(&c);
  const int32_t values[] = {0, court_add(&c)};
  for (int i = 0; i < 2; i++) {
    sal_text_init(&out, shown, sizeof shown);
    sal_court_show(values[i], &sal_words_plain, &out);
    assert_int_equal(out.lost, 0);
    size_t columns = 0;
    for (const char *s = shown; *s; s++) {
      columns = *s == '\n' ? 0 : columns + (((unsigned char)*s & 0xC0) != 0x80);
      assert_true(columns <= 80);
    }
  }
  assert_non_null(strstr(shown, "LLL00"));
}

/* The last test: it fills the registry. */
static void test_registry_full(void **state) {
  (void)state;
  struct court c;
  memcpy(&c, &court_default, sizeof c);
  int32_t value = 0;
  for (int i = 0; i <= COURTS_MAX && value >= 0; i++) {
    c.items = (uint8_t)(i % 16);
    c.gold = (uint8_t)(100 + i / 16); /* as no file has it */
    value = court_add(&c);
  }
  assert_int_equal(value, -1);
  char said[SAL_MESSAGE_MAX];
  static char changed[SAL_OPTION_TEXT_MAX];
  struct sal_text out;
  write_default();
  change("\"gold\":5", "\"gold\":19", changed);
  sal_text_init(&out, said, sizeof said);
  assert_false(
      sal_louis.option_read(1, changed, strlen(changed), &value, &out));
  assert_string_equal(said, "There are too many different courts in use.");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      {"the built-in court is sound", test_default_is_sound, NULL, NULL, NULL},
      {"the built-in court is what is read from its file",
       test_default_is_read_the_same, NULL, NULL, NULL},
      {"90 cards, 34 chips, 60 shields", test_default_counts, NULL, NULL, NULL},
      {"louis.mission.cost: the pattern of the built-in court",
       test_default_costs, NULL, NULL, NULL},
      {"each fault is found, with its place", test_faults, NULL, NULL, NULL},
      {"what is no court", test_no_court, NULL, NULL, NULL},
      {"the option tells the first fault", test_option_refuses, NULL, NULL,
       NULL},
      {"the same court has the same number", test_registry, NULL, NULL, NULL},
      {"a record holds its court", test_record, NULL, NULL, NULL},
      {"a court at all limits can be written, read and played", test_largest,
       NULL, NULL, NULL},
      {"a court with next to nothing can be played", test_smallest, NULL, NULL,
       NULL},
      {"tables fit 80 columns", test_show, NULL, NULL, NULL},
      {"there is room for so many courts", test_registry_full, NULL, NULL,
       NULL},
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
