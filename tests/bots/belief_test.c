/* Whom the expert of Traps takes for what: what somebody did in the rounds
 * before tells, seat by seat, and nothing else does. And its worlds fit what was
 * shown. */
#include "rollout.h"
#include "salotto/salotto.h"
#include "traps.h"

#include <math.h>
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

static void begin(struct play *p, uint64_t seed) {
  struct sal_setup setup;
  p->g = sal_game_find("traps");
  sal_setup_default(p->g, SEATS, &setup);
  memset(&p->box, 0, sizeof p->box);
  p->g->init(state(p), &setup);
  sal_rng_seed(&p->rng, seed);
  sal_memory_clear(&p->memory);
}

static int face_up(const sal_view *view) {
  const struct traps *s = &as_view(view)->s;
  int count = 0;
  for (int seat = 0; seat < SEATS; seat++)
    count += (int)(laid(s->piles[seat]) - down(s->piles[seat]));
  return count;
}

/* Plays until so many rounds are over and seat 0 is asked, `shown` or more cards
 * being face up; false if the game is over before. `kind` says by which of the
 * expert's pictures each seat plays. */
static bool play_rounds(struct play *p, size_t rounds, int shown,
                        const int *kind) {
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
    if (seat == 0 && p->memory.rounds >= rounds && face_up(q.view) >= shown)
      return true;
    (kind[seat] ? heuristics_traps.other[kind[seat] - 1]
                : heuristics_traps.regular)(&q, p->weight);
    step(p, seat, p->legal[draw_weighted(p->weight, q.count, &p->rng)]);
  }
  return false;
}

/* For each seat, how likely seat 0 thinks after so many rounds that it plays by
 * which picture, on average. */
static void believe(size_t rounds, const int *kind, struct people *mean) {
  static struct play p;
  static struct belief b;
  int games = 0;
  memset(mean, 0, sizeof *mean);
  for (uint64_t seed = 0; games < GAMES; seed++) {
    struct timer timer;
    union sal_view_box seen;
    begin(&p, seed);
    if (!play_rounds(&p, rounds, 0, kind))
      continue;
    const struct sal_question q = question(&p, 0, &seen);
    timer_start(&timer, &q.budget, 1000);
    belief_of_seat(&b, &q, &trust_watchful, &timer, &p.rng);
    games++;
    for (int i = 0; i < SEATS; i++)
      for (int k = 0; k < PICTURES; k++)
        mean->kind[i][k] += b.before.kind[i][k] / GAMES;
  }
}

static const int regulars[SEATS];

static void test_before_anything(void **unused) {
  (void)unused;
  struct people mean;
  believe(0, regulars, &mean);
  assert_true(fabs(mean.kind[0][0] - 1) < 1e-9);
  for (int i = 1; i < SEATS; i++)
    for (int k = 0; k < PICTURES; k++)
      assert_true(fabs(mean.kind[i][k] - (k ? 1.0 / 6 : 0.5)) < 1e-9);
}

static void check_told_apart(size_t rounds, const int *kind) {
  struct people mean;
  believe(rounds, kind, &mean);
  assert_true(fabs(mean.kind[0][0] - 1) < 1e-9);
  for (int i = 1; i < SEATS; i++) {
    print_message("# %zu rounds, picture %d: %.2f\n", rounds, kind[i],
                  mean.kind[i][kind[i]]);
    assert_true(mean.kind[i][kind[i]] > 0.5);
  }
}

/* A deal has four rounds: after six some lie in a deal before. */
static void test_told_apart(void **unused) {
  (void)unused;
  check_told_apart(4, (const int[SEATS]){0, 1, 0, 1});
  check_told_apart(4, (const int[SEATS]){0, 2, 3, 0});
  check_told_apart(6, (const int[SEATS]){0, 3, 1, 2});
}

/* Where others laid several cards unseen and some cards are face up now. */
static void test_worlds_fit(void **unused) {
  (void)unused;
  static struct play p;
  static struct belief b;
  for (uint64_t seed = 0, fit = 0; fit < GAMES; seed++) {
    bool built = false;
    struct timer timer;
    union sal_view_box seen, worlds;
    union sal_state_box world;
    begin(&p, seed);
    if (!play_rounds(&p, 1, 2, (const int[SEATS]){0, 2, 2, 3}))
      continue;
    const struct sal_question q = question(&p, 0, &seen);
    for (int i = 1; i < SEATS; i++)
      built |= laid(as_view(q.view)->s.piles[i]) > 1;
    if (!built)
      continue;
    timer_start(&timer, &q.budget, 1000);
    belief_of_seat(&b, &q, &trust_watchful, &timer, &p.rng);
    assert_true(b.count > 0);
    fit++;
    memset(&world, 0, sizeof world);
    memset(&worlds, 0, sizeof worlds);
    belief_draw(&b, &p.rng, (sal_state *)world.bytes, NULL);
    assert_null(p.g->selfcheck((sal_state *)world.bytes));
    p.g->view((sal_state *)world.bytes, 0, (sal_view *)worlds.bytes);
    assert_memory_equal(worlds.bytes, seen.bytes, p.g->info.view_size);
  }
}

/* What is kept is what the rounds began with and what was done, the oldest
 * forgotten first. */
static void test_rounds_kept(void **unused) {
  (void)unused;
  static struct play p;
  for (uint64_t seed = 0;; seed++) {
    begin(&p, seed);
    assert_int_equal(p.memory.rounds, 0);
    if (play_rounds(&p, SAL_ROUNDS_KEPT + 2, 0, (const int[SEATS]){0, 1, 1, 1}))
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
      cmocka_unit_test(test_worlds_fit),
      cmocka_unit_test(test_rounds_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
