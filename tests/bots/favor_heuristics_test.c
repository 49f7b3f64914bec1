/* Heuristics of Favor at work: positions in which any sensible player knows
 * what to do. */
#include "../../src/games/favor.c"
#include "evaluate.h"
#include "salotto/bot.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

/* So many players; seat 0 is asked and is the Red Tiger. */
static struct favor position_of(int players, enum phase phase, hand lot,
                                unsigned mine, unsigned theirs) {
  static const uint8_t identity[SEATS] = {RT, BL, RL, BT};
  struct sal_setup setup;
  struct favor s;
  sal_setup_default(&sal_favor, players, &setup);
  init((sal_state *)&s, &setup);
  memcpy(s.identity, identity, (size_t)players);
  s.phase = (uint8_t)phase;
  s.lot = lot;
  s.deck = phase == FINAL ? 0 : s.deck - lot;
  s.discards = ALL_CLUES - s.deck - s.lot;
  s.turn = 0;
  s.caller = phase == BID ? 0 : NO_SEAT;
  s.left = phase == TURN ? 0 : 1;
  s.gems[0] = (uint8_t)mine;
  s.out_of_play = (uint8_t)(players * GEMS - (int)mine);
  for (int i = 1; i < players; i++) {
    s.gems[i] = (uint8_t)theirs;
    s.out_of_play = (uint8_t)(s.out_of_play - theirs);
  }
  return s;
}

static struct favor position(enum phase phase, hand lot, unsigned mine,
                             unsigned theirs) {
  return position_of(2, phase, lot, mine, theirs);
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

/* The expert of three and four, which looks to the end of the lot. */
static void test_expert_of_more(void **state) {
  (void)state;
  for (int players = 3; players <= SEATS; players++) {
    struct favor s = position_of(players, FINAL, 3 * one(RT), 5, 5);
    high_bid(&s, 2);
    SELDOM("expert", &s, "pass");
    /* three points for staying the richest, one for the card */
    s = position_of(players, FINAL, one(RL), 5, 5);
    s.day = DAYS;
    OFTEN("expert", &s, "pass");
    s = position_of(players, FINAL, one(RL), 5, 2);
    SELDOM("expert", &s, "pass");
    s = position_of(players, BID, 3 * one(BL), 5, 5);
    OFTEN("expert", &s, "pass");
    /* the last to speak bids no more than it must */
    s = position_of(players, BID, 3 * one(RT), 8, 2);
    s.caller = 1;
    OFTEN("expert", &s, "bid 1");
  }
}

/* What it reckons with there: shares of one win, even for seats that own the
 * same, and more for whoever owns more. */
static void test_what_a_seat_owns_counts(void **state) {
  (void)state;
  for (int players = 3; players <= SEATS; players++)
    for (uint8_t day = 1; day <= DAYS; day++) {
      struct favor s = position_of(players, OPEN_LOT, 0, 5, 5);
      double even[SEATS], gem[SEATS], card[SEATS], sum = 0;
      s.day = day;
      evaluate_favor(&sal_favor, (const sal_state *)&s, players, even);
      for (int seat = 0; seat < players; seat++)
        sum += even[seat];
      assert_true(fabs(sum - 1) < 1e-9);
      s.gems[1]++;
      evaluate_favor(&sal_favor, (const sal_state *)&s, players, gem);
      assert_true(gem[1] > even[1] && gem[0] < even[0]);
      give(&s, 1, one(BL));
      evaluate_favor(&sal_favor, (const sal_state *)&s, players, card);
      assert_true(card[1] > gem[1] && card[0] < gem[0]);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bargain),
      cmocka_unit_test(test_burden),
      cmocka_unit_test(test_bonus),
      cmocka_unit_test(test_denies),
      cmocka_unit_test(test_first_word),
      cmocka_unit_test(test_editions),
      cmocka_unit_test(test_mixes),
      cmocka_unit_test(test_expert_of_more),
      cmocka_unit_test(test_what_a_seat_owns_counts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
