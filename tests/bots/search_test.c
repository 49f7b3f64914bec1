/* The expert where the answer is known: Kuhn poker by exact exploitability, and
 * end positions of Doors by full enumeration. */
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

/* The probability to bet (or call) for each card and history: first to act,
 * after a pass, after a bet, after pass and bet. */
typedef double policy[3][4];

static const policy equilibrium = {
    {0, 1.0 / 3, 0, 0}, {0, 0, 1.0 / 3, 1.0 / 3}, {0, 1, 1, 1}};

static int history_of(const struct kuhn *k) {
  if (k->acted == 0)
    return 0;
  if (k->acted == 1)
    return k->bets ? 2 : 1;
  return 3;
}

/* What the first player gets when `one` meets `two`. */
static double expected(struct kuhn k, const policy one, const policy two) {
  if (kuhn_over(&k))
    return kuhn_payoff(&k);
  const int seat = k.acted & 1;
  const double bet = (seat ? two : one)[k.card[seat]][history_of(&k)];
  struct kuhn pass = k, raise = k;
  kuhn_apply((sal_state *)&pass, seat, KUHN_PASS, NULL);
  kuhn_apply((sal_state *)&raise, seat, KUHN_BET, NULL);
  return bet * expected(raise, one, two) + (1 - bet) * expected(pass, one, two);
}

/* The same for one card of the first player. */
static double worth_of_card(uint8_t card, const policy one, const policy two) {
  double sum = 0;
  for (uint8_t other = 0; other < 3; other++)
    if (other != card)
      sum +=
          expected((struct kuhn){.card = {card, other}, .dealt = 2}, one, two) /
          2;
  return sum;
}

static double over_deals(const policy one, const policy two) {
  double sum = 0;
  for (uint8_t card = 0; card < 3; card++)
    sum += worth_of_card(card, one, two) / 3;
  return sum;
}

/* The best of all 64 pure answers against a policy, for either seat. */
static double best_answer(const policy p, bool first) {
  double best = -10;
  for (unsigned code = 0; code < 64; code++) {
    policy answer = {{0}};
    for (int card = 0; card < 3; card++) {
      answer[card][first ? 0 : 1] = code >> (2 * card) & 1;
      answer[card][first ? 3 : 2] = code >> (2 * card + 1) & 1;
    }
    const double v = first ? over_deals(answer, p) : -over_deals(p, answer);
    if (v > best)
      best = v;
  }
  return best;
}

static void test_equilibrium_is_known(void **state) {
  (void)state;
  assert_true(fabs(over_deals(equilibrium, equilibrium) + 1.0 / 18) < 1e-9);
  assert_true(best_answer(equilibrium, true) + best_answer(equilibrium, false) <
              1e-9);
}

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

/* How far the expert's estimate of the opening is from the truth, in chips: the
 * lead of 2 chips for each chip won, in fractions of the range of 4. */
static double error_of_opening(uint8_t card, uint32_t simulations,
                               double *bets) {
  const struct kuhn k = {.card = {card, (uint8_t)((card + 1) % 3)}, .dealt = 2};
  const double truth = worth_of_card(card, equilibrium, equilibrium);
  double error = 0;
  *bets = 0;
  enum { TRIES = 8 };
  for (uint64_t seed = 0; seed < TRIES; seed++) {
    const struct sal_thought t = ask_expert(&k, simulations, 5 * seed + 1);
    const double value = t.candidate[0].value * t.candidate[0].share +
                         t.candidate[1].value * t.candidate[1].share;
    error += fabs((value - 0.5) / 0.4 * 2 - truth) / TRIES;
    *bets += share_of_bet(&t) / TRIES;
  }
  return error;
}

static void test_kuhn_converges(void **state) {
  (void)state;
  double rough = 0, fine = 0, bets[3], any;
  for (uint8_t card = 0; card < 3; card++) {
    rough += error_of_opening(card, 40, &any) / 3;
    fine += error_of_opening(card, 40000, &bets[card]) / 3;
  }
  printf("# Kuhn: %.3f chips off after 40 simulations, %.3f after 40000\n",
         rough, fine);
  assert_true(fine < rough / 2);
  assert_true(fine < 0.1);
  assert_true(bets[QUEEN] < 0.15); /* a Queen never opens */
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
static void test_stops_when_settled(void **state) {
  (void)state;
  const struct kuhn king = {
      .card = {QUEEN, KING}, .dealt = 2, .acted = 1, .bets = 1};
  const struct sal_thought t = ask_with(
      &king, (struct sal_budget){.seconds = 3600, .clock = standing_still}, 1);
  assert_true(t.action == KUHN_BET);
  assert_true(t.simulations > 100 && t.simulations < 100000);
  /* a count is taken at its word */
  assert_true(ask_expert(&king, 100000, 1).simulations > t.simulations);
}

/* ---- End positions of Doors ---------------------------------------------- */

static struct sal_thought think(const struct doors *s, int seat,
                                sal_action *list) {
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
                                 .budget = sal_budget_simulations(4000)};
  sal_rng_seed(&rng, 3);
  sal_bot_find("expert")->think(&q, &rng, &thought);
  return thought;
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

int main(void) {
  const struct CMUnitTest tests[] = {
      {"Kuhn: the known equilibrium is one", test_equilibrium_is_known, NULL,
       NULL, NULL},
      {"Kuhn: the expert's opening approaches the equilibrium",
       test_kuhn_converges, NULL, NULL, NULL},
      {"Kuhn: a King calls, a Jack folds", test_kuhn_dominated, NULL, NULL,
       NULL},
      {"Kuhn: the expert stops when the answer is settled",
       test_stops_when_settled, NULL, NULL, NULL},
      {"Doors: the fourth guess against full enumeration", test_fourth_guess,
       NULL, NULL, NULL},
      {"Doors: the fifth take completes a set when it can", test_fifth_take,
       NULL, NULL, NULL},
  };
  return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
