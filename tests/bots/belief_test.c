/* Whom the expert of Traps takes for a bluffer: what somebody did in the rounds
 * before tells, seat by seat, and nothing else does. */
#include "rollout.h"
#include "salotto/salotto.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

enum { SEATS = 4, GAMES = 40 };

struct play {
  const struct sal_game *g;
  union sal_state_box box;
  struct sal_rng rng;
  struct sal_memory memory; /* of seat 0 */
  sal_action legal[LEGAL_MAX];
  double weight[LEGAL_MAX];
};

static sal_state *state(struct play *p) { return (sal_state *)p->box.bytes; }

static void step(struct play *p, int seat, sal_action a) {
  const unsigned hidden = sal_memory_apply(p->g, state(p), seat, a);
  sal_memory_note(&p->memory, p->g, 0, state(p), seat, a, hidden & 1);
}

static struct sal_question question(struct play *p, int seat,
                                    union sal_view_box *seen) {
  memset(seen, 0, sizeof *seen);
  p->g->view(state(p), seat, (sal_view *)seen->bytes);
  return (struct sal_question){.game = p->g,
                               .players = SEATS,
                               .seat = seat,
                               .view = (const sal_view *)seen->bytes,
                               .legal = p->legal,
                               .count = p->g->legal(state(p), seat, p->legal),
                               .memory = &p->memory};
}

/* Plays until so many rounds are over and seat 0 is asked; false if the game is
 * over before. Seats of the mask bluff, the others play like regulars. */
static bool play_rounds(struct play *p, size_t rounds, unsigned bluffers) {
  unsigned asked;
  while ((asked = p->g->to_act(state(p))) != 0) {
    if (asked == SAL_CHANCE_BIT) {
      struct sal_chance c;
      p->g->chance(state(p), &c);
      step(p, SAL_CHANCE, sal_chance_draw(&c, &p->rng));
      continue;
    }
    const int seat = __builtin_ctz(asked);
    union sal_view_box seen;
    const struct sal_question q = question(p, seat, &seen);
    if (seat == 0 && p->memory.rounds >= rounds)
      return true;
    (bluffers >> seat & 1 ? heuristics_traps.other
                          : heuristics_traps.regular)(&q, p->weight);
    step(p, seat, p->legal[draw_weighted(p->weight, q.count, &p->rng)]);
  }
  return false;
}

/* For each seat, how likely seat 0 thinks after so many rounds that it bluffs,
 * on average. */
static void believe(size_t rounds, unsigned bluffers, double *mean) {
  static struct play p;
  static struct belief b;
  int games = 0;
  memset(mean, 0, SEATS * sizeof *mean);
  for (uint64_t seed = 0; games < GAMES; seed++) {
    struct sal_setup setup;
    struct timer timer;
    union sal_view_box seen;
    p.g = sal_game_find("traps");
    sal_setup_default(p.g, SEATS, &setup);
    memset(&p.box, 0, sizeof p.box);
    p.g->init(state(&p), &setup);
    sal_rng_seed(&p.rng, seed);
    sal_memory_clear(&p.memory);
    if (!play_rounds(&p, rounds, bluffers))
      continue;
    const struct sal_question q = question(&p, 0, &seen);
    timer_start(&timer, &q.budget, 1000);
    belief_of_seat(&b, &q, &trust_watchful, &timer, &p.rng);
    games++;
    for (int i = 0; i < SEATS; i++)
      mean[i] += b.before[i] / GAMES;
  }
}

static void test_before_anything(void **unused) {
  (void)unused;
  double mean[SEATS];
  believe(0, 0, mean);
  assert_true(mean[0] == 0);
  for (int i = 1; i < SEATS; i++)
    assert_true(mean[i] > 0.333 && mean[i] < 0.334);
}

static void check_told_apart(size_t rounds) {
  double mean[SEATS];
  believe(rounds, 1 << 1 | 1 << 3, mean);
  print_message("# %zu rounds: %.2f %.2f %.2f\n", rounds, mean[1], mean[2],
                mean[3]);
  assert_true(mean[0] == 0);
  assert_true(mean[1] > 0.75 && mean[3] > 0.75);
  assert_true(mean[2] < 0.2);
}

/* A deal has four rounds: after six some lie in a deal before. */
static void test_told_apart(void **unused) {
  (void)unused;
  check_told_apart(4);
  check_told_apart(6);
}

/* What is kept is what the rounds began with and what was done, the oldest
 * forgotten first. */
static void test_rounds_kept(void **unused) {
  (void)unused;
  static struct play p;
  struct sal_setup setup;
  p.g = sal_game_find("traps");
  sal_setup_default(p.g, SEATS, &setup);
  for (uint64_t seed = 0;; seed++) {
    memset(&p.box, 0, sizeof p.box);
    p.g->init(state(&p), &setup);
    sal_rng_seed(&p.rng, seed);
    sal_memory_clear(&p.memory);
    assert_int_equal(p.memory.rounds, 0);
    if (play_rounds(&p, SAL_ROUNDS_KEPT + 2, 0xe))
      break;
  }
  const int now = heuristics_traps.number((sal_view *)p.memory.round.bytes);
  for (size_t n = p.memory.rounds - SAL_ROUNDS_KEPT; n < p.memory.rounds; n++) {
    const struct sal_round_seen *kept = &p.memory.kept[n % SAL_ROUNDS_KEPT];
    assert_int_equal(
        heuristics_traps.number((const sal_view *)kept->start.bytes),
        now - (int)(p.memory.rounds - n));
    assert_in_range(kept->count, SEATS + 1, SAL_ROUND_STEPS);
    for (size_t i = 0; i < SEATS; i++) { /* everybody lays a card first */
      assert_int_not_equal(kept->step[i].seat, SAL_CHANCE);
      assert_true((kept->step[i].action != 0) == (kept->step[i].seat == 0));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_before_anything),
      cmocka_unit_test(test_told_apart),
      cmocka_unit_test(test_rounds_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
