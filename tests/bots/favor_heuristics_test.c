/* Heuristics of Favor at work: positions in which any sensible player knows
 * what to do. */
#include "../../src/games/favor.c"
#include "salotto/bot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

/* Two players; seat 0 is asked and is the Red Tiger. */
static struct favor position(enum phase phase, hand lot, unsigned mine,
                             unsigned theirs) {
  struct sal_setup setup;
  struct favor s;
  sal_setup_default(&sal_favor, 2, &setup);
  init((sal_state *)&s, &setup);
  s.identity[0] = RT;
  s.identity[1] = BL;
  s.phase = (uint8_t)phase;
  s.lot = lot;
  s.deck = phase == FINAL ? 0 : s.deck - lot;
  s.discards = ALL_CLUES - s.deck - s.lot;
  s.turn = 0;
  s.caller = phase == BID ? 0 : NO_SEAT;
  s.left = phase == TURN ? 0 : 1;
  s.gems[0] = (uint8_t)mine;
  s.gems[1] = (uint8_t)theirs;
  s.out_of_play = (uint8_t)(2 * GEMS - mine - theirs);
  return s;
}

static void give(struct favor *s, int seat, hand cards) {
  s->collection[seat] += cards;
  s->discards -= cards;
}

static void high_bid(struct favor *s, unsigned bid) {
  s->high_bid = (uint8_t)bid;
  s->high_bidder = 1;
}

/* How often the bot does this here. */
static double how_often(const char *bot, const struct favor *s,
                        const char *action) {
  sal_action list[GEMS_MAX + 1];
  struct sal_thought thought;
  struct sal_rng rng;
  struct view v;
  assert_null(selfcheck((const sal_state *)s));
  memset(&v, 0, sizeof v);
  view((const sal_state *)s, 0, (sal_view *)&v);
  sal_rng_seed(&rng, 1);
  const struct sal_question q = {.game = &sal_favor,
                                 .players = s->players,
                                 .view = (const sal_view *)&v,
                                 .legal = list,
                                 .count = legal((const sal_state *)s, 0, list)};
  sal_bot_find(bot)->think(&q, &rng, &thought);
  for (size_t i = 0; i < thought.count; i++)
    if (thought.candidate[i].action == action_parse(action))
      return thought.candidate[i].share;
  return 0;
}

#define OFTEN(bot, s, action) assert_true(how_often(bot, s, action) > 0.8)
#define SELDOM(bot, s, action) assert_true(how_often(bot, s, action) < 0.1)

static void test_bargain(void **state) {
  (void)state;
  struct favor s = position(BID, 2 * one(RT), 5, 5);
  OFTEN("regular", &s, "bid 1");
  s = position(FINAL, 3 * one(RT), 5, 5);
  high_bid(&s, 2);
  OFTEN("regular", &s, "bid 3");
}

static void test_burden(void **state) {
  (void)state;
  struct favor s = position(BID, 2 * one(BL), 5, 5);
  OFTEN("regular", &s, "pass");
  assert_true(how_often("novice", &s, "pass") > 0.5);
}

static void test_bonus(void **state) {
  (void)state;
  /* a point for the card, three for staying the richest */
  struct favor s = position(FINAL, one(RL), 5, 5);
  OFTEN("regular", &s, "pass");
  s = position(FINAL, one(RL), 5, 2);
  OFTEN("regular", &s, "bid 1");
  s = position(FINAL, 2 * one(RT), 5, 5);
  OFTEN("regular", &s, "bid 1");
}

static void test_denies(void **state) {
  (void)state;
  /* no points for me, but who holds two Blue Ladies wants a third */
  struct favor s = position(FINAL, one(BL) + one(RT), 5, 2);
  give(&s, 1, 2 * one(BL));
  high_bid(&s, 1);
  OFTEN("regular", &s, "bid 2");
}

static void test_first_word(void **state) {
  (void)state;
  /* the other caller can go up to two: three takes the lot for sure */
  struct favor s = position(BID, 3 * one(RT), 8, 2);
  s.caller = 1;
  s.left = 2;
  SELDOM("regular", &s, "pass");
  SELDOM("regular", &s, "bid 4");
}

static void test_editions(void **state) {
  (void)state;
  /* Blue/Red helps a Blue Lady only in the English edition */
  struct favor s = position(FINAL, one(BR) + one(BL), 5, 3);
  give(&s, 0, one(BL));
  OFTEN("regular", &s, "pass");
  s.edition = ENGLISH;
  OFTEN("regular", &s, "bid 1");
}

static void test_mixes(void **state) {
  (void)state;
  /* whatever is allowed may happen, even to a regular */
  struct favor s = position(TURN, one(RT), 5, 5);
  assert_true(how_often("regular", &s, "add") > 0);
  assert_true(how_often("regular", &s, "auction") > 0);
  s = position(BID, 3 * one(BL), 5, 5);
  assert_true(how_often("regular", &s, "bid 5") > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bargain),    cmocka_unit_test(test_burden),
      cmocka_unit_test(test_bonus),      cmocka_unit_test(test_denies),
      cmocka_unit_test(test_first_word), cmocka_unit_test(test_editions),
      cmocka_unit_test(test_mixes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
