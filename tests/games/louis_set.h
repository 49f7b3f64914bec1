/* Louis XIV set up directly, for the tests: positions that play reaches too
 * rarely. */
#ifndef SAL_TESTS_LOUIS_SET_H
#define SAL_TESTS_LOUIS_SET_H

#include "louis_moves.h"
#include "salotto/salotto.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const struct sal_game *const g = &sal_louis;

/* ---- Tools -------------------------------------------------------------- */

static struct sal_setup setup_of(int players, bool plain, int first) {
  struct sal_setup setup;
  sal_setup_default(g, players, &setup);
  setup.option[0] = plain;
  setup.option[2] = first;
  return setup;
}

static void name_of(sal_action a, char *out) {
  struct sal_text text;
  sal_text_init(&text, out, SAL_ACTION_TEXT_MAX);
  g->action_text(a, &text);
}

static void facts_of(const sal_state *s, char *out, size_t size) {
  union sal_view_box box;
  struct sal_text text;
  struct sal_json j;
  sal_text_init(&text, out, size);
  sal_json_init(&j, &text);
  sal_json_object(&j, NULL);
  g->view(s, SAL_EVERYTHING, (sal_view *)box.bytes);
  g->facts((const sal_view *)box.bytes, &j);
  sal_json_end(&j, '}');
}

/* ---- Positions set up directly ------------------------------------------ */

/* A table in round 1 with nothing on the tiles, all cards but the missions in
 * their decks, and Louis on 3; seat 0 starts. */
static void set_table(struct louis *s, int players, bool plain) {
  struct sal_rng rng;
  const struct sal_setup setup = setup_of(players, plain, 0);
  sal_rng_seed(&rng, 5);
  g->init((sal_state *)s, &setup);
  while (s->station == AT_MISSIONS_DEALT)
    g->sample((sal_state *)s, &rng);
  const struct court *c = court_of(s);
  s->influence_deck = (struct deck){.cards = court_influence(c), .left = 30};
  memset(s->influence, 0, sizeof s->influence);
  memset(s->influence_size, 0, sizeof s->influence_size);
  memset(s->neutral, 0, sizeof s->neutral);
  s->round = 1;
  s->louis = 2;
  s->favourite = plain ? NOBODY : 0;
  s->asked = NOBODY;
}

static void put_on(struct louis *s, unsigned tile, unsigned seat, unsigned n) {
  s->markers[tile - 1][seat] = (uint8_t)n;
  s->personal[seat] = (uint8_t)(s->personal[seat] - n);
}

/* Moves markers so that the supplies are these; the rest goes to tile 12. */
static void set_supplies(struct louis *s, unsigned seat, unsigned personal,
                         unsigned general) {
  unsigned n = 16 - personal - general;
  for (int t = 0; t < TILES - 1; t++)
    n -= s->markers[t][seat];
  n -= (unsigned)__builtin_popcount(s->board[seat]);
  s->personal[seat] = (uint8_t)personal;
  s->general[seat] = (uint8_t)general;
  s->markers[TILES - 1][seat] = (uint8_t)n;
}

static void lay_open(struct louis *s, unsigned seat, const char *id) {
  const uint32_t code = mission_code(id, strlen(id));
  const struct court *c = court_of(s);
  unsigned m = 0;
  while (c->mission[m].code != code)
    m++;
  const uint64_t bit = UINT64_C(1) << m;
  const unsigned tier = c->mission[m].tier;
  for (unsigned who = 0; who < s->players; who++)
    if (s->missions[who] & bit) {
      s->missions[who] &= ~bit;
      s->tiers[who][tier]--;
    }
  if (s->mission_deck & bit) {
    s->mission_deck &= ~bit;
    s->missions_left[tier]--;
  }
  s->laid[s->laid_count++] = (uint8_t)(seat * MISSIONS_MAX + m);
  s->fulfilled[seat]++;
  s->power[seat][c->mission[m].power]++;
}

static void hold_mission(struct louis *s, unsigned seat, const char *id) {
  lay_open(s, seat, id);
  const unsigned m = s->laid[--s->laid_count] % MISSIONS_MAX;
  const struct court_mission *mission = &court_of(s)->mission[m];
  s->fulfilled[seat]--;
  s->power[seat][mission->power]--;
  s->missions[seat] |= UINT64_C(1) << m;
  s->tiers[seat][mission->tier]++;
}

static void take_chip(struct louis *s, unsigned seat, unsigned chip,
                      unsigned n) {
  s->chips[seat][chip] = (uint8_t)(s->chips[seat][chip] + n);
  s->stock[chip] = (uint8_t)(s->stock[chip] - n);
}

static void start_at(struct louis *s, enum station station) {
  go(s, station);
  louis_advance(s, NULL);
}

/* Evaluates from the count of a tile on. */
static void evaluate(struct louis *s, unsigned tile) {
  assert_null(g->selfcheck((sal_state *)s));
  s->tile = (uint8_t)(tile - 1);
  start_at(s, AT_COUNT);
}

static void do_action(struct louis *s, int seat, const char *text) {
  const sal_action a = g->action_parse(text);
  assert_int_not_equal(a, 0);
  assert_int_equal(g->to_act((sal_state *)s), 1u << seat);
  const char *rule = g->check((sal_state *)s, seat, a);
  if (rule)
    fail_msg("'%s' is refused by %s", text, rule);
  g->apply((sal_state *)s, seat, a, NULL);
  assert_null(g->selfcheck((sal_state *)s));
}

static void refused(const struct louis *s, int seat, const char *text,
                    const char *rule) {
  const char *found =
      g->check((const sal_state *)s, seat, g->action_parse(text));
  assert_non_null(found);
  assert_string_equal(found, rule);
}

static void draw_all(struct louis *s, uint64_t seed) {
  struct sal_rng rng;
  sal_rng_seed(&rng, seed);
  g->sample((sal_state *)s, &rng);
}

#endif
