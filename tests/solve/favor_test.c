/* Favor for two: the solver's endings against the engine, its reductions and
 * bounds against the solver of small games, its best response against brute
 * force, its answers along a game.
 *
 * SAL_PLAYS is how many random plays are compared with the engine (4000). */
#include "favor_engine.h"

#include "tree.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct sal_rng rng;
static union sal_state_box box;
static sal_state *const state = (sal_state *)&box;

static const struct sal_favor_effort no_end = {.nodes = 2000000};

static unsigned below(unsigned n) { return sal_rng_below(&rng, n); }

/* A worth that tells every lead and both edges apart. */
static void tell_apart(struct sal_favor_worth *w) {
  for (int edge = 0; edge < 2; edge++)
    for (int lead = -SAL_FAVOR_LEAD; lead <= SAL_FAVOR_LEAD; lead++)
      w->of[edge][lead + SAL_FAVOR_LEAD] = (float)(2 * lead + edge) / 256;
}

/* ---- Model and engine ------------------------------------------------------- */

static struct tree tree;
static struct sal_favor_ending ending;
static struct sal_favor_worth worth;

/* Of the final auction: to play it again with other identities. */
static union sal_state_box final_box;
static sal_action final_action[2];
static int final_actions;

static void act_seat(int seat, sal_action a) {
  assert_null(sal_favor.check(state, seat, a));
  if (engine_in_final(state)) {
    if (final_actions == 0)
      final_box = box;
    final_action[final_actions++] = a;
  }
  sal_favor.apply(state, seat, a, NULL);
}

static int asked(void) {
  const unsigned who = sal_favor.to_act(state);
  return who && who != SAL_CHANCE_BIT ? __builtin_ctz(who) : -1;
}

/* Whoever cannot but pass has no node. */
static void pass_forced(void) {
  sal_action legal[64];
  while (!engine_day_over(state, ending.day) && asked() >= 0 &&
         sal_favor.legal(state, asked(), legal) == 1)
    act_seat(asked(), legal[0]);
}

/* The engine draws; returns the outcome of the node that is this lot. */
static const struct node *draw_lot(const struct node *n) {
  const struct node *child = tree.node + n->child;
  uint8_t cards[KINDS] = {0};
  double chance = 1, sum = 0;
  int size = 0;
  do {
    struct sal_chance c;
    double all = 0, own = 0;
    sal_favor.chance(state, &c);
    const sal_action a = sal_chance_draw(&c, &rng);
    for (size_t i = 0; i < c.count; i++) {
      all += c.outcome[i].weight;
      own += c.outcome[i].action == a ? c.outcome[i].weight : 0;
    }
    const unsigned kind = engine_step(0, a).number;
    cards[kind]++;
    size++;
    chance *= own / all * size / cards[kind]; /* in any order */
    sal_favor.apply(state, SAL_CHANCE, a, NULL);
  } while (sal_favor.to_act(state) == SAL_CHANCE_BIT);
  const struct node *found = NULL;
  for (int i = 0; i < n->count; i++) {
    sum += (double)child[i].chance;
    if (child[i].drawn == pack_cards(cards))
      found = &child[i];
  }
  assert_non_null(found);
  assert_float_equal(found->chance, chance, 1e-6);
  assert_float_equal(sum, 1, 1e-5);
  return found;
}

static void compare_end(const struct node *n) {
  const struct payoff *pay = &tree.payoff[n->child];
  assert_true(engine_day_over(state, ending.day));
  for (int i = 0; i < TYPES; i++)
    for (int j = 0; j < TYPES; j++) {
      if (i == j) {
        assert_float_equal(pay->of[0][j][i], 0, 0);
        continue;
      }
      box = final_box;
      engine_set_identities(state, i, j);
      for (int k = 0; k < final_actions; k++)
        sal_favor.apply(state, asked(), final_action[k], NULL);
      float u = sal_favor.winners(state) == 1 ? 1 : -1;
      if (!ending.last)
        u = worth.of[engine_first(state) == 0]
                    [engine_lead(state) + SAL_FAVOR_LEAD];
      assert_float_equal(pay->of[0][j][i], u, 0);
      assert_float_equal(pay->of[1][i][j], -u, 0);
    }
}

/* How many bids the reduction keeps: who speaks first up to what the other
 * cannot beat, who speaks last just one. */
static void compare_options(const struct node *n) {
  sal_action legal[64];
  const int all = (int)sal_favor.legal(state, n->actor, legal);
  assert_int_equal(asked(), n->actor);
  if (n->kind == TURN_NODE)
    assert_int_equal(n->count, 2);
  assert_in_range(n->count, 2, all);
}

static void random_play(void) {
  const struct node *n = tree.node;
  final_actions = 0;
  for (;;) {
    pass_forced();
    if (n->kind == END_NODE)
      break;
    if (n->kind == DRAW_NODE) {
      n = draw_lot(n);
      continue;
    }
    compare_options(n);
    const int i = (int)below(n->count);
    if (n->kind == TURN_NODE)
      act_seat(n->actor,
               engine_action(i ? SAL_FAVOR_CALLED : SAL_FAVOR_ADDED, 0));
    else
      act_seat(n->actor, i ? engine_action(SAL_FAVOR_BIDDED, n->high + i)
                           : engine_action(SAL_FAVOR_PASSED, 0));
    n = tree.node + n->child + i;
  }
  compare_end(n);
}

static void plays_agree(void **unused) {
  (void)unused;
  enum { PLAYS = 20 }; /* an ending */
  const char *wish = getenv("SAL_PLAYS");
  const long plays = wish ? atol(wish) : 4000;
  sal_rng_seed(&rng, 1);
  for (long done = 0; done < plays; done += PLAYS) {
    const int day = 1 + (int)below(3);
    engine_ending((int)below(2), day,
                  day == 1   ? 3
                  : day == 2 ? 4
                             : 5,
                  &rng, state);
    const union sal_state_box start = box;
    ending = engine_read(state);
    if (ending.last)
      sal_favor_worth_last(&worth);
    else
      tell_apart(&worth);
    assert_true(favor_tree_make(&tree, &ending, &worth, &no_end));
    for (int i = 0; i < PLAYS; i++) {
      box = start;
      random_play();
    }
    favor_tree_free(&tree);
  }
}

/* ---- Bounds ------------------------------------------------------------------ */

static sal_favor_solver *solved(int iterations) {
  sal_favor_solver *s = sal_favor_solver_new(&ending, &worth, &no_end);
  assert_non_null(s);
  for (int i = 0; i < iterations; i++)
    sal_favor_solver_iterate(s);
  return s;
}

/* The same ending, with every bid and by the engine alone. */
static struct sal_cfr_bounds engine_bounds(const int range[2][4]) {
  const struct sal_setup setup = {2, {0}};
  enum sal_cfr_problem problem;
  sal_cfr *c = sal_cfr_new(engine_from(state, range), &setup, SAL_CFR_WIN,
                           3000000, &problem);
  assert_non_null(c);
  struct sal_cfr_bounds b = {0, 1};
  for (int i = 0; i < 2000 && b.high - b.low > 0.002; i++) {
    sal_cfr_iterate(c);
    if (i % 20 == 19)
      b = sal_cfr_bounds(c);
  }
  sal_cfr_free(c);
  return b;
}

/* The value must lie in both intervals. */
static void reductions_lose_nothing(void **unused) {
  (void)unused;
  int contested = 0;
  sal_rng_seed(&rng, 2);
  sal_favor_worth_last(&worth);
  for (int n = 0; n < 24 || contested < 6; n++) {
    int range[2][4];
    engine_ending(n % 2, 3, n % 4 ? 1 : 2, &rng, state);
    ending = engine_read(state);
    for (int side = 0; side < 2; side++)
      for (int i = 0; i < TYPES; i++) {
        range[side][i] = 1 + (int)below(4);
        ending.range[side][i] = (float)range[side][i];
      }
    sal_favor_solver *s = solved(200);
    const struct sal_favor_bounds b = sal_favor_solver_bounds(s);
    const struct sal_cfr_bounds e = engine_bounds((const int(*)[4])range);
    assert_true(b.high - b.low < 0.002);
    assert_true(e.high - e.low <= 0.004);
    assert_true((b.low + 1) / 2 <= e.high + 1e-4);
    assert_true((b.high + 1) / 2 >= e.low - 1e-4);
    contested += fabs(b.low) < 0.95;
    sal_favor_solver_free(s);
  }
}

/* ---- Best response ----------------------------------------------------------- */

enum { STEPS_MAX = 64 };
struct search {
  const sal_favor_solver *s;
  int side, type;
  struct sal_favor_step step[STEPS_MAX];
  size_t steps;
};

static double best(struct search *h, const sal_state *s, const double *theirs);

static double best_after(struct search *h, const sal_state *s, int seat,
                         sal_action a, const double *theirs) {
  union sal_state_box copy;
  memcpy(&copy, s, sal_favor.info.state_size);
  sal_favor.apply((sal_state *)&copy, seat, a, NULL);
  h->step[h->steps++] = engine_step(seat, a);
  const double v = best(h, (const sal_state *)&copy, theirs);
  h->steps--;
  return v;
}

/* Of the bids above the highest that the solver knows, the first is enough:
 * in a called auction others would lead out of the ending. */
static bool is_reduced(const struct search *h, const sal_state *s,
                       sal_action a) {
  const struct sal_favor_step step = engine_step(0, a);
  struct sal_favor_answer answer;
  return step.did != SAL_FAVOR_BIDDED || engine_in_final(s) ||
         (sal_favor_solver_ask(h->s, h->side, h->type, h->step, h->steps,
                               &answer) &&
          step.number - answer.least + 1 < answer.options);
}

static double best_own(struct search *h, const sal_state *s,
                       const double *theirs) {
  sal_action legal[64];
  const size_t n = sal_favor.legal(s, h->side, legal);
  double most = -1e9;
  for (size_t i = 0; i < n; i++)
    if (n == 1 || is_reduced(h, s, legal[i]))
      most = fmax(most, best_after(h, s, h->side, legal[i], theirs));
  return most;
}

static double chance_to(const struct sal_favor_answer *a,
                        struct sal_favor_step step) {
  int i = step.did == SAL_FAVOR_CALLED;
  if (step.did == SAL_FAVOR_BIDDED)
    i = step.number - a->least + 1;
  return i < a->options ? (double)a->chance[i] : 0;
}

/* The other plays the average of the solver, type by type. */
static double best_theirs(struct search *h, const sal_state *s,
                          const double *theirs) {
  sal_action legal[64];
  struct sal_favor_answer answer[TYPES];
  const size_t n = sal_favor.legal(s, !h->side, legal);
  double sum = 0;
  if (n == 1)
    return best_after(h, s, !h->side, legal[0], theirs);
  for (int j = 0; j < TYPES; j++)
    assert_true(
        sal_favor_solver_ask(h->s, !h->side, j, h->step, h->steps, &answer[j]));
  for (size_t i = 0; i < n; i++) {
    double then[TYPES], all = 0;
    for (int j = 0; j < TYPES; j++)
      all += then[j] =
          theirs[j] * chance_to(&answer[j], engine_step(0, legal[i]));
    if (all > 0)
      sum += best_after(h, s, !h->side, legal[i], then);
  }
  return sum;
}

static double best_end(const struct search *h, const sal_state *before,
                       sal_action last, int seat, const double *theirs) {
  double sum = 0;
  for (int j = 0; j < TYPES; j++) {
    union sal_state_box copy;
    if (j == h->type)
      continue;
    memcpy(&copy, before, sal_favor.info.state_size);
    engine_set_identities((sal_state *)&copy, h->side ? j : h->type,
                          h->side ? h->type : j);
    sal_favor.apply((sal_state *)&copy, seat, last, NULL);
    const bool won = sal_favor.winners((const sal_state *)&copy) >> h->side & 1;
    sum += theirs[j] * (won ? 1 : -1);
  }
  return sum;
}

static double best(struct search *h, const sal_state *s, const double *theirs) {
  const unsigned who = sal_favor.to_act(s);
  if (who == 0) { /* the same again, with each identity of the other's */
    const struct sal_favor_step last = h->step[h->steps - 1];
    union sal_state_box before = box;
    for (size_t i = 0; i + 1 < h->steps; i++)
      sal_favor.apply((sal_state *)&before,
                      h->step[i].did == SAL_FAVOR_DREW ? SAL_CHANCE
                                                       : h->step[i].seat,
                      engine_action(h->step[i].did, h->step[i].number), NULL);
    return best_end(h, (const sal_state *)&before,
                    engine_action(last.did, last.number), last.seat, theirs);
  }
  if (who != SAL_CHANCE_BIT)
    return __builtin_ctz(who) == h->side ? best_own(h, s, theirs)
                                         : best_theirs(h, s, theirs);
  struct sal_chance c;
  double sum = 0, all = 0;
  sal_favor.chance(s, &c);
  for (size_t i = 0; i < c.count; i++)
    all += c.outcome[i].weight;
  for (size_t i = 0; i < c.count; i++)
    sum += c.outcome[i].weight / all *
           best_after(h, s, SAL_CHANCE, c.outcome[i].action, theirs);
  return sum;
}

static void best_response_is_best(void **unused) {
  (void)unused;
  sal_rng_seed(&rng, 3);
  sal_favor_worth_last(&worth);
  for (int n = 0; n < 20; n++) {
    engine_ending(n % 2, 3, n % 5 ? 1 : 2, &rng, state);
    ending = engine_read(state);
    sal_favor_solver *s = solved(1 + n % 7); /* far from best play */
    const struct sal_favor_bounds b = sal_favor_solver_bounds(s);
    for (int side = 0; side < 2; side++) {
      double sum = 0;
      for (int type = 0; type < TYPES; type++) {
        const double theirs[TYPES] = {1, 1, 1, 1};
        struct search h = {.s = s, .side = side, .type = type};
        sum += best(&h, state, theirs) / 12;
      }
      assert_true(fabs(sum - (side ? -b.low : b.high)) < 1e-4);
    }
    sal_favor_solver_free(s);
  }
}

/* ---- Convergence and refusals ------------------------------------------------ */

static void endings_are_solved(void **unused) {
  (void)unused;
  sal_rng_seed(&rng, 4);
  for (int n = 0; n < 12; n++) {
    const int day = 1 + n % 3;
    engine_ending(n % 2, day, day == 1 ? 2 : 4, &rng, state);
    ending = engine_read(state);
    if (ending.last)
      sal_favor_worth_last(&worth);
    else
      tell_apart(&worth);
    sal_favor_solver *s = solved(100);
    const struct sal_favor_bounds b = sal_favor_solver_bounds(s);
    assert_true(b.low <= b.high + 1e-5);
    assert_true(b.high - b.low < 0.004);
    sal_favor_solver_free(s);
  }
}

static bool refused(const struct sal_favor_ending *e,
                    const struct sal_favor_effort *effort) {
  sal_favor_solver *s = sal_favor_solver_new(e, &worth, effort);
  sal_favor_solver_free(s);
  return s == NULL;
}

static bool no_time(void *context) {
  ++*(int *)context;
  return false;
}

static void bad_endings_are_refused(void **unused) {
  (void)unused;
  int looks = 0;
  const struct sal_favor_effort little = {.nodes = 10};
  const struct sal_favor_effort hurry = {
      .nodes = 1000000, .more = no_time, .context = &looks};
  sal_rng_seed(&rng, 5);
  sal_favor_worth_last(&worth);
  do {
    engine_ending(0, 3, 5, &rng, state);
    ending = engine_read(state);
  } while (model_cards(ending.deck) < 5);
  struct sal_favor_ending e = ending;
  assert_false(refused(&e, &no_end));
  assert_true(refused(&e, &little));
  assert_true(refused(&e, &hurry));
  assert_int_equal(looks, 1);
  e.deck[4] = 2;
  assert_true(refused(&e, &no_end));
  e = ending;
  e.turn = 2;
  assert_true(refused(&e, &no_end));
  e = ending;
  e.lead = 100;
  assert_true(refused(&e, &no_end));
  e = ending;
  memset(e.lot, 0, sizeof e.lot);
  assert_true(refused(&e, &no_end));
  e = ending;
  for (int i = 0; i < TYPES; i++)
    e.range[0][i] = e.range[1][i] = i == 2; /* both the same */
  assert_true(refused(&e, &no_end));
  e.range[1][0] = NAN;
  assert_true(refused(&e, &no_end));
}

/* Steps that cannot be, and a bid above what wins for certain. */
static void steps_are_followed(void **unused) {
  (void)unused;
  struct sal_favor_answer a, b;
  sal_rng_seed(&rng, 6);
  sal_favor_worth_last(&worth);
  do {
    engine_ending(0, 3, 4, &rng, state);
    ending = engine_read(state);
  } while (model_cards(ending.deck) != 4 || ending.gems[0] < 3 ||
           ending.gems[1] < 3);
  sal_favor_solver *s = solved(20);
  const int me = ending.turn, other = !me;
  const int8_t mine = (int8_t)me, theirs = (int8_t)other;
  const struct sal_favor_step call = {SAL_FAVOR_CALLED, 0, mine},
                              pass = {SAL_FAVOR_PASSED, 0, theirs},
                              wrong = {SAL_FAVOR_PASSED, 0, mine};
  assert_true(sal_favor_solver_ask(s, me, 0, NULL, 0, &a));
  assert_int_equal(a.options, 2);
  assert_float_equal(a.chance[0] + a.chance[1], 1, 1e-5);
  assert_false(sal_favor_solver_ask(s, other, 0, NULL, 0, &a));
  assert_false(sal_favor_solver_ask(s, me, 4, NULL, 0, &a));
  assert_false(sal_favor_solver_ask(s, me, 0, &wrong, 1, &a));
  assert_true(sal_favor_solver_ask(s, other, 1, &call, 1, &a));
  assert_int_equal(a.least, 1);
  const struct sal_favor_step asked_last[] = {call, pass};
  assert_true(sal_favor_solver_ask(s, me, 1, asked_last, 2, &b));
  assert_int_equal(b.options, 2);
  for (int i = 0; i < a.options; i++)
    assert_in_range((int)((a.value[i] + 1) * 1000), 0, 2000);
  sal_favor_solver_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(plays_agree),
                                     cmocka_unit_test(reductions_lose_nothing),
                                     cmocka_unit_test(best_response_is_best),
                                     cmocka_unit_test(endings_are_solved),
                                     cmocka_unit_test(bad_endings_are_refused),
                                     cmocka_unit_test(steps_are_followed)};
  return cmocka_run_group_tests_name("solve_favor", tests, NULL, NULL);
}
