/* Heuristics of Traps in typical positions: which way the regular leans. */
#include "salotto/salotto.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

struct position {
  const struct sal_game *g;
  union sal_state_box box;
  int players;
};

static sal_state *state(struct position *p) {
  return (sal_state *)p->box.bytes;
}

/* Two players, seat 0 first; the hands one after the other, then the Door. */
static void deal(struct position *p, const char *const *cards) {
  struct sal_setup setup;
  memset(p, 0, sizeof *p);
  p->g = sal_game_find("traps");
  p->players = 2;
  sal_setup_default(p->g, 2, &setup);
  setup.option[0] = 0;
  p->g->init(state(p), &setup);
  for (; *cards; cards++) {
    struct sal_chance c;
    assert_true(p->g->to_act(state(p)) == SAL_CHANCE_BIT);
    p->g->chance(state(p), &c);
    bool found = false;
    for (size_t i = 0; i < c.count && !found; i++) {
      char name[SAL_ACTION_TEXT_MAX];
      struct sal_text t;
      sal_text_init(&t, name, sizeof name);
      p->g->action_text(c.outcome[i].action, &t);
      if (strcmp(name, *cards) == 0) {
        p->g->apply(state(p), SAL_CHANCE, c.outcome[i].action, NULL);
        found = true;
      }
    }
    assert_true(found);
  }
}

static void play(struct position *p, int seat, const char *text) {
  const sal_action a = p->g->action_parse(text);
  assert_true(a != 0);
  assert_null(p->g->check(state(p), seat, a));
  p->g->apply(state(p), seat, a, NULL);
}

/* How often of 400 times the bot does just this. */
static int often(struct position *p, const char *bot, int seat,
                 const char *text) {
  union sal_view_box box;
  sal_action legal[128];
  int n = 0;
  memset(&box, 0, sizeof box);
  p->g->view(state(p), seat, (sal_view *)box.bytes);
  struct sal_question q = {.game = p->g,
                           .players = p->players,
                           .seat = seat,
                           .view = (const sal_view *)box.bytes,
                           .legal = legal,
                           .budget = sal_budget_simulations(20)};
  q.count = p->g->legal(state(p), seat, legal);
  for (int i = 0; i < 400; i++) {
    struct sal_rng rng;
    struct sal_thought t;
    sal_rng_seed(&rng, (uint64_t)i);
    sal_bot_find(bot)->think(&q, &rng, &t);
    n += t.action == p->g->action_parse(text);
  }
  return n;
}

/* The target is the Red Tiger: RT is a two, RL, BT and BR are ones. */
static const char *const cards[] = {"RT", "RT", "RL", "BT", "BL", "LT", /* 0 */
                                    "RT", "RL", "RL", "BT", "BL", "BR", /* 1 */
                                    "RT", NULL};

static void test_bets_what_is_sure(void **unused) {
  struct position p;
  (void)unused;
  deal(&p, cards);
  play(&p, 0, "place RT");
  play(&p, 1, "place BL");
  int absurd = often(&p, "regular", 0, "bet 9");
  assert_true(often(&p, "regular", 0, "bet 2") > 150);
  assert_int_equal(absurd, 0);
}

static void test_turns_up_sure_points(void **unused) {
  struct position p;
  (void)unused;
  deal(&p, cards);
  play(&p, 0, "place RT");
  play(&p, 1, "place BL");
  play(&p, 0, "bet 2");
  play(&p, 1, "pass");
  assert_true(often(&p, "regular", 0, "reveal 0") > 380);
  assert_true(often(&p, "novice", 0, "reveal 0") > 200);
}

/* With the own trap turned up last, nothing can meet the bet any more. */
static void test_stops_in_time(void **unused) {
  struct position p;
  (void)unused;
  deal(&p, cards);
  play(&p, 0, "place BL");
  play(&p, 1, "place BL");
  play(&p, 0, "bet 3");
  play(&p, 1, "pass");
  assert_true(often(&p, "regular", 0, "stop") > 380);
}

/* Whoever is offered the own trap as bait lets the others dig. */
static void test_lets_them_dig(void **unused) {
  struct position p;
  (void)unused;
  deal(&p, cards);
  play(&p, 0, "place RL");
  play(&p, 1, "place BL");
  play(&p, 0, "bet 3");
  assert_true(often(&p, "regular", 1, "pass") > 300);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bets_what_is_sure),
      cmocka_unit_test(test_turns_up_sure_points),
      cmocka_unit_test(test_stops_in_time),
      cmocka_unit_test(test_lets_them_dig),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
