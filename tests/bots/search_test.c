/* The expert where the answer is known: Kuhn poker, and end positions of Doors by
 * full enumeration; and what holds for every policy. */
#include "../../src/games/doors.c"

#include "kuhn.h"

#include "salotto/bot.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

/* ---- Kuhn poker ---------------------------------------------------------- */

static struct sal_thought ask_with(const struct kuhn *k,
                                   struct sal_budget budget, uint64_t seed) {
  union sal_view_box box;
  sal_action list[2];
  struct sal_rng rng;
  struct sal_thought thought;
  const int seat = k->acted & 1;
  memset(&box, 0, sizeof box);
  kuhn.view((const sal_state *)k, seat, (sal_view *)box.bytes);
  const struct sal_question q = {
      .game = &kuhn,
      .players = 2,
      .seat = seat,
      .view = (const sal_view *)box.bytes,
      .legal = list,
      .count = kuhn.legal((const sal_state *)k, seat, list),
      .budget = budget};
  sal_rng_seed(&rng, seed);
  sal_bot_find("expert")->think(&q, &rng, &thought);
  return thought;
}

static struct sal_thought ask_expert(const struct kuhn *k, uint32_t simulations,
                                     uint64_t seed) {
  return ask_with(k, sal_budget_simulations(simulations), seed);
}

static double share_of_bet(const struct sal_thought *t) {
  for (size_t i = 0; i < t->count; i++)
    if (t->candidate[i].action == KUHN_BET)
      return t->candidate[i].share;
  return 0;
}

static void test_kuhn_dominated(void **state) {
  (void)state;
  const struct kuhn king = {
      .card = {QUEEN, KING}, .dealt = 2, .acted = 1, .bets = 1};
  const struct kuhn jack = {
      .card = {QUEEN, JACK}, .dealt = 2, .acted = 1, .bets = 1};
  const struct sal_thought calls = ask_expert(&king, 5000, 1);
  const struct sal_thought folds = ask_expert(&jack, 5000, 1);
  assert_true(share_of_bet(&calls) > 0.9);
  assert_true(share_of_bet(&folds) < 0.1);
  assert_true(calls.action == KUHN_BET && folds.action == KUHN_PASS);
}

static double standing_still(void) { return 0; }

/* With all the time in the world, by a clock that stands still, the expert
 * answers all the same where the answer is clear. */
static void test_stops_when_clear(void **state) {
  (void)state;
  const struct kuhn king = {
      .card = {QUEEN, KING}, .dealt = 2, .acted = 1, .bets = 1};
  const struct sal_thought t = ask_with(
      &king, (struct sal_budget){.seconds = 3600, .clock = standing_still}, 1);
  assert_true(t.action == KUHN_BET);
  assert_true(t.simulations > 100 && t.simulations < 100000);
  /* a count is taken at its word */
  assert_int_equal(ask_expert(&king, 100000, 1).simulations, 100000);
}

/* ---- A game without heuristics ------------------------------------------- */

static sal_action choice(const char *level, const struct sal_game *g,
                         const sal_state *s, int seat, sal_action *list,
                         struct sal_rng *rng) {
  union sal_view_box box;
  struct sal_thought thought;
  memset(&box, 0, sizeof box);
  g->view(s, seat, (sal_view *)box.bytes);
  const struct sal_question q = {.game = g,
                                 .players = 2,
                                 .seat = seat,
                                 .view = (const sal_view *)box.bytes,
                                 .legal = list,
                                 .count = g->legal(s, seat, list)};
  sal_bot_find(level)->think(&q, rng, &thought);
  return thought.action;
}

/* Chips a hand that a level wins from another, in both seats. */
static double kuhn_match(const char *level, const char *other, int hands) {
  struct sal_rng rng;
  sal_action list[2];
  int sum = 0;
  sal_rng_seed(&rng, 11);
  for (int n = 0; n < hands; n++) {
    union sal_state_box box;
    sal_state *s = (sal_state *)box.bytes;
    int32_t chips[2];
    memset(&box, 0, sizeof box);
    kuhn.init(s, NULL);
    for (unsigned on_turn; (on_turn = kuhn.to_act(s)) != 0;) {
      if (on_turn == SAL_CHANCE_BIT) {
        kuhn.sample(s, &rng);
        continue;
      }
      const int seat = __builtin_ctz(on_turn);
      kuhn.apply(
          s, seat,
          choice(seat == n % 2 ? level : other, &kuhn, s, seat, list, &rng),
          NULL);
    }
    kuhn.scores(s, chips);
    sum += chips[n % 2];
  }
  return (double)sum / hands;
}

/* The levels differ although nobody wrote a heuristic: the novice is better
 * than chance, the regular better than the novice. */
static void test_levels_without_heuristics(void **state) {
  (void)state;
  assert_true(kuhn_match("novice", "random", 2000) > 0.15);
  assert_true(kuhn_match("regular", "random", 2000) > 0.35);
  assert_true(kuhn_match("regular", "novice", 2000) > 0.05);
}

/* One of forty actions wins. */
enum { MANY = 40, LUCKY = MANY };
struct many {
  uint8_t done, chosen;
};
static unsigned many_to_act(const sal_state *s) {
  return ((const struct many *)s)->done ? 0 : 1;
}
static size_t many_legal(const sal_state *s, int seat, sal_action *out) {
  (void)s;
  (void)seat;
  for (unsigned i = 0; i < MANY; i++)
    out[i] = i + 1;
  return MANY;
}
static void many_apply(sal_state *s, int seat, sal_action a,
                       struct sal_log *log) {
  (void)seat;
  (void)log;
  *(struct many *)s = (struct many){1, (uint8_t)a};
}
static int many_closed(const sal_state *s) {
  return ((const struct many *)s)->done;
}
static void many_scores(const sal_state *s, int32_t *out) {
  out[0] = ((const struct many *)s)->chosen == LUCKY;
  out[1] = 0;
}
static unsigned many_winners(const sal_state *s) {
  const struct many *m = (const struct many *)s;
  return !m->done ? 0 : m->chosen == LUCKY ? 1 : 2;
}
static void many_view(const sal_state *s, int viewer, sal_view *out) {
  (void)viewer;
  memcpy(out, s, sizeof(struct many));
}
static void many_resample(const sal_view *v, struct sal_rng *rng,
                          sal_state *s) {
  (void)rng;
  memcpy(s, v, sizeof(struct many));
}
static const struct sal_game many = {.info = {.id = "many",
                                              .state_size = sizeof(struct many),
                                              .view_size = sizeof(struct many),
                                              .legal_max = MANY,
                                              .score_max = 1},
                                     .to_act = many_to_act,
                                     .legal = many_legal,
                                     .apply = many_apply,
                                     .closed = many_closed,
                                     .scores = many_scores,
                                     .winners = many_winners,
                                     .view = many_view,
                                     .resample = many_resample};

/* A search cannot look at all of many actions, but at any. */
static void test_any_of_many_actions(void **state) {
  (void)state;
  const struct many start = {0};
  union sal_state_box box = {{0}};
  sal_action list[MANY];
  int found = 0;
  memcpy(&box, &start, sizeof start);
  for (uint64_t seed = 0; seed < 40; seed++) {
    struct sal_rng rng;
    sal_rng_seed(&rng, seed);
    found += choice("regular", &many, (const sal_state *)box.bytes, 0, list,
                    &rng) == LUCKY;
  }
  assert_true(found > 5); /* sixteen of forty are looked at */
}

/* ---- End positions of Doors ---------------------------------------------- */

static struct sal_thought think_within(const struct doors *s, int seat,
                                       sal_action *list,
                                       struct sal_budget budget) {
  union sal_view_box box;
  struct sal_rng rng;
  struct sal_thought thought;
  memset(&box, 0, sizeof box);
  view((const sal_state *)s, seat, (sal_view *)box.bytes);
  const struct sal_question q = {.game = &sal_doors,
                                 .players = 2,
                                 .seat = seat,
                                 .view = (const sal_view *)box.bytes,
                                 .legal = list,
                                 .count =
                                     legal((const sal_state *)s, seat, list),
                                 .budget = budget};
  sal_rng_seed(&rng, 3);
  sal_bot_find("expert")->think(&q, &rng, &thought);
  return thought;
}

static struct sal_thought think(const struct doors *s, int seat,
                                sal_action *list) {
  return think_within(s, seat, list, sal_budget_simulations(4000));
}

static bool completes(const struct doors *s, unsigned identity) {
  for (unsigned k = 0; k < KINDS; k++)
    if (count(s->offer, k) &&
        (sets(s->collection + one(k)) & traits(identity)) != 0)
      return true;
  return (sets(s->collection) & traits(identity)) != 0;
}

/* What the Guesser gets from each choice after the fourth discard, when the
 * three identities are equally likely and the Collector completes a set if
 * possible. */
static double exact(const struct doors *s, int seat, sal_action a) {
  double sum = 0;
  for (unsigned id = 0; id < DOORS; id++) {
    if (id == s->identity[seat])
      continue;
    const unsigned guess = a & 15;
    switch (a & ~(sal_action)15) {
    case CLAIMS: sum += 2; break;
    case ENDS: sum += completes(s, id) ? -6 : 3; break;
    default: {
      const unsigned named =
          guess < 4 ? 1u << guess : traits((unsigned)guess - 4);
      const bool right = (named & ~traits(id)) == 0;
      sum += !right ? -4 : guess < 4 ? 1 : 5;
    }
    }
  }
  return sum / 3;
}

static void random_ending(struct doors *s, int turn, enum phase phase,
                          struct sal_rng *rng) {
  do {
    init((sal_state *)s, &(struct sal_setup){.players = 2});
    while (!(s->phase == phase && s->turn == turn)) {
      if (s->phase < TAKE) {
        sample((sal_state *)s, rng);
        continue;
      }
      sal_action list[GUESS_COUNT + 2];
      const int seat = __builtin_ctz(to_act((const sal_state *)s));
      const size_t n = legal((const sal_state *)s, seat, list);
      const bool decline = s->phase == GUESS || s->phase == CLAIM;
      apply((sal_state *)s, seat,
            decline ? (sal_action)ENDS : list[sal_rng_below(rng, (uint32_t)n)],
            NULL);
    }
  } while (s->round > 1);
}

static void test_fourth_guess(void **state) {
  (void)state;
  struct sal_rng rng;
  sal_rng_seed(&rng, 12);
  double lost = 0;
  enum { POSITIONS = 60 };
  for (int i = 0; i < POSITIONS; i++) {
    struct doors s;
    sal_action list[GUESS_COUNT + 2];
    random_ending(&s, 4, GUESS, &rng);
    const int seat = __builtin_ctz(to_act((const sal_state *)&s));
    const struct sal_thought t = think(&s, seat, list);
    double best = -10;
    const size_t n = legal((const sal_state *)&s, seat, list);
    for (size_t k = 0; k < n; k++)
      best = fmax(best, exact(&s, seat, list[k]));
    lost += best - exact(&s, seat, t.action);
  }
  printf("# Doors, fourth guess: %.3f tokens lost a decision\n",
         lost / POSITIONS);
  assert_true(lost / POSITIONS < 0.1);
}

static void test_fifth_take(void **state) {
  (void)state;
  struct sal_rng rng;
  sal_rng_seed(&rng, 13);
  int could = 0;
  for (int i = 0; i < 80; i++) {
    struct doors s;
    sal_action list[GUESS_COUNT + 2];
    random_ending(&s, 5, TAKE, &rng);
    const int seat = s.collector;
    if (!completes(&s, s.identity[seat]) ||
        (sets(s.collection) & traits(s.identity[seat])))
      continue;
    could++;
    const struct sal_thought t = think(&s, seat, list);
    apply((sal_state *)&s, seat, t.action, NULL);
    assert_true(sets(s.collection) & traits(s.identity[seat]));
  }
  assert_true(could > 20);
}

/* A clock that goes on by a millisecond each time somebody looks. */
static int looks;
static double ticking(void) { return 1e-3 * looks++; }

/* Two cards that are worth the same to the Collector, by the symmetry of colours
 * and roles. */
static bool alike(const struct doors *s) {
  const unsigned me = s->identity[s->collector];
  return (me == 0 || me == 3) && count(s->offer, 1) == 2 &&
         count(s->offer, 2) == 2;
}

/* More time is more playouts: nothing is clear there, and the expert thinks
 * about it until its time is up. */
static void test_uses_its_time(void **state) {
  (void)state;
  struct sal_rng rng;
  struct doors s;
  sal_action list[GUESS_COUNT + 2];
  uint64_t before = 0;
  sal_rng_seed(&rng, 14);
  do
    random_ending(&s, 1, TAKE, &rng);
  while (!alike(&s));
  for (double seconds = 0.01; seconds < 2; seconds *= 10) {
    looks = 0;
    const struct sal_thought t =
        think_within(&s, s.collector, list,
                     (struct sal_budget){.seconds = seconds, .clock = ticking});
    assert_true(looks >= 900 * seconds);
    assert_true(t.simulations > 5 * before);
    before = t.simulations;
  }
}

/* ---- What holds for every policy ----------------------------------------- */

enum { WALK = 400 };

/* A random walk through a game; each bot is asked at each step, with few
 * simulations. */
static void check_policies(const struct sal_game *g, int players) {
  union sal_state_box box;
  sal_state *s = (sal_state *)box.bytes;
  struct sal_setup setup;
  struct sal_rng rng;
  sal_action *list = calloc(g->info.legal_max, sizeof *list);
  double *room = calloc(2 * g->info.legal_max, sizeof *room);
  assert_true(list && room);
  sal_setup_default(g, players, &setup);
  sal_rng_seed(&rng, 5);
  g->init(s, &setup);
  for (int step = 0; step < WALK; step++) {
    if (g->to_act(s) == 0)
      g->init(s, &setup);
    if (g->to_act(s) == SAL_CHANCE_BIT) {
      g->sample(s, &rng);
      continue;
    }
    union sal_view_box seen;
    const int seat = __builtin_ctz(g->to_act(s));
    memset(&seen, 0, sizeof seen);
    g->view(s, seat, (sal_view *)seen.bytes);
    struct sal_question q = {.game = g,
                             .players = players,
                             .seat = seat,
                             .view = (const sal_view *)seen.bytes,
                             .legal = list,
                             .count = g->legal(s, seat, list),
                             .budget = sal_budget_simulations(30)};
    for (size_t b = 0; sal_bots[b] && step % 5 == 0; b++) {
      struct sal_policy p = {.chance = room, .value = room + q.count};
      struct sal_rng once, again;
      struct sal_thought t, same, hint;
      double sum = 0, best = 0;
      sal_rng_seed(&once, (uint64_t)step);
      sal_rng_seed(&again, (uint64_t)step);
      sal_bots[b]->policy(&q, &once, &p);
      sal_bots[b]->think(&q, &again, &t);
      sal_rng_seed(&again, (uint64_t)step);
      sal_bots[b]->think(&q, &again, &same);
      for (size_t i = 0; i < q.count; i++) {
        assert_true(p.chance[i] >= 0 && p.chance[i] <= 1 && p.value[i] <= 1);
        sum += p.chance[i];
        best = fmax(best, p.valued ? p.value[i] : p.chance[i]);
        /* what cannot be played is not played */
        assert_true(q.legal[i] != t.action || p.chance[i] > 0);
      }
      assert_true(fabs(sum - 1) < 1e-9);
      /* the same luck, the same answer */
      assert_memory_equal(&t, &same, sizeof t);
      /* advice names the best, and nothing is told to be better */
      q.advice = true;
      sal_rng_seed(&again, (uint64_t)step);
      sal_bots[b]->think(&q, &again, &hint);
      q.advice = false;
      assert_true(hint.action == hint.candidate[0].action);
      assert_true(
          fabs((p.valued ? hint.candidate[0].value : hint.candidate[0].share) -
               best) < 1e-12);
    }
    g->apply(s, seat, list[sal_rng_below(&rng, (uint32_t)q.count)], NULL);
  }
  free(list);
  free(room);
}

static void test_policies(void **state) {
  (void)state;
  for (size_t i = 0; sal_games[i]; i++)
    for (int n = sal_games[i]->info.players_min;
         n <= sal_games[i]->info.players_max; n++)
      check_policies(sal_games[i], n);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      {"Kuhn: a King calls, a Jack folds", test_kuhn_dominated, NULL, NULL,
       NULL},
      {"Kuhn: the expert stops when the best is clear", test_stops_when_clear,
       NULL, NULL, NULL},
      {"without heuristics the levels are shallow searches",
       test_levels_without_heuristics, NULL, NULL, NULL},
      {"without heuristics any of many actions is found",
       test_any_of_many_actions, NULL, NULL, NULL},
      {"Doors: the expert uses its time where the choice is hard",
       test_uses_its_time, NULL, NULL, NULL},
      {"every policy: chances, values, advice and seeds agree", test_policies,
       NULL, NULL, NULL},
      {"Doors: the fourth guess against full enumeration", test_fourth_guess,
       NULL, NULL, NULL},
      {"Doors: the fifth take completes a set when it can", test_fifth_take,
       NULL, NULL, NULL},
  };
  return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
