/* The expert in endings of Favor for two, and the master in whole days: they
 * play them by the solver, whoever sits there and whatever was bid, within their
 * budget, and nobody else's questions change their answers. Hints are the
 * master's. */
#include "../teach.h"

#include "favor.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { SIMS = 30 };

static const struct sal_game *game;
static union sal_state_box box;
static sal_state *const state = (sal_state *)&box;
static struct sal_memory memory[2];
static struct sal_rng rng;
static sal_action legal[64];
static int day = 3;                  /* whose ending is looked at */
static const char *level = "expert"; /* who is asked */

/* What was done so far, and which step last dealt each seat its identity. */
enum { STEPS_MAX = 600 };
static struct sal_seen done[STEPS_MAX];
static size_t steps, dealt[2];

static const struct favor *now(void) { return (const struct favor *)&box; }

static void step(int seat, sal_action a) {
  if (now()->phase == DEAL_IDENTITY)
    dealt[now()->identity[0] != NO_CARD] = steps;
  assert_true(steps < STEPS_MAX);
  done[steps++] = (struct sal_seen){a, (int8_t)seat};
  const unsigned hidden = sal_memory_apply(game, state, seat, a);
  for (int i = 0; i < 2; i++)
    sal_memory_note(&memory[i], game, i, state, seat, a, hidden >> i & 1);
}

static struct sal_setup setup;

static void restart(void) {
  memset(&box, 0, sizeof box);
  game->init(state, &setup);
  for (int i = 0; i < 2; i++)
    sal_memory_clear(&memory[i]);
  steps = 0;
}

static void begin(int edition, uint64_t seed) {
  setup = (struct sal_setup){2, {edition, (int)(seed % 2)}};
  game = sal_game_find("favor");
  sal_rng_seed(&rng, seed);
  restart();
}

/* The same game, in which a step was another. */
static void replay(size_t at, sal_action instead) {
  const size_t count = steps;
  done[at].action = instead;
  for (restart(); steps < count;)
    step(done[steps].seat, done[steps].action);
}

/* Who is asked next, chance having drawn; -1: the game is over. */
static int asked(void) {
  unsigned who;
  while ((who = game->to_act(state)) == SAL_CHANCE_BIT) {
    struct sal_chance c;
    game->chance(state, &c);
    step(SAL_CHANCE, sal_chance_draw(&c, &rng));
  }
  return who ? __builtin_ctz(who) : -1;
}

struct answer {
  struct sal_policy policy;
  double chance[64], value[64];
  size_t count;
};

/* What a seat is asked; `view` holds what it sees. */
static struct sal_question question_to(int seat, struct sal_budget budget,
                                       union sal_view_box *view) {
  memset(view, 0, sizeof *view);
  game->view(state, seat, (sal_view *)view);
  return (struct sal_question){.game = game,
                               .players = 2,
                               .seat = seat,
                               .view = (const sal_view *)view,
                               .legal = legal,
                               .count = game->legal(state, seat, legal),
                               .memory = &memory[seat],
                               .budget = budget};
}

static void ask(int seat, struct sal_budget budget, bool remembers,
                struct answer *out) {
  union sal_view_box view;
  struct sal_rng own;
  struct sal_question q = question_to(seat, budget, &view);
  memset(out, 0, sizeof *out);
  sal_rng_seed(&own, 1);
  out->policy.chance = out->chance;
  out->policy.value = out->value;
  out->count = q.count;
  if (!remembers)
    q.memory = NULL;
  sal_bot_find(level)->policy(&q, &own, &out->policy);
}

static bool in_ending(void) {
  return now()->day == day && (int)total(now()->deck) <= day + 2;
}

static void act_as(const char *who, int seat) {
  union sal_view_box view;
  struct sal_thought t;
  const struct sal_question q =
      question_to(seat, sal_budget_simulations(SIMS), &view);
  sal_bot_find(who)->think(&q, &rng, &t);
  assert_null(game->check(state, seat, t.action));
  step(seat, t.action);
}

/* Regulars play up to a decision in the ending. */
static int to_ending(void) {
  int seat;
  while ((seat = asked()) >= 0 && !in_ending())
    act_as("regular", seat);
  return seat;
}

static void check_sound(const struct answer *a) {
  double sum = 0;
  for (size_t i = 0; i < a->count; i++) {
    sum += a->chance[i];
    assert_true(a->chance[i] >= 0);
    assert_true(a->value[i] <= 1);
    assert_true(a->value[i] >= 0 || a->value[i] == -1);
    assert_true(a->chance[i] == 0 || a->value[i] >= 0);
  }
  assert_true(fabs(sum - 1) < 1e-4);
}

/* Every choice of an ending is solved, whatever the others do: also bids that
 * give gems away, after which another ending begins. */
static void test_endings_are_solved(void **unused) {
  (void)unused;
  static const char *const others[] = {"regular", "random", "expert"};
  int solved = 0;
  for (uint64_t seed = 1; seed <= 18; seed++) {
    int seat;
    struct answer a;
    day = 1 + (int)seed % 3;
    begin(seed % 2, seed);
    to_ending();
    while ((seat = asked()) >= 0 && now()->day == day) {
      ask(seat, sal_budget_simulations(SIMS), true, &a);
      if (a.count > 1) {
        assert_true(a.policy.mixed && a.policy.valued);
        check_sound(&a);
        solved++;
      }
      act_as(seat == (int)(seed % 2) ? "expert" : others[seed / 3 % 3], seat);
    }
  }
  day = 3;
  assert_true(solved > 30);
}

/* Twins, in which the other is somebody else, get the same answer; so does who
 * asks again after other questions. */
static void check_alone(int seat, uint32_t sims) {
  struct answer before, after;
  ask(seat, sal_budget_simulations(sims), true, &before);
  const union sal_state_box here = box;
  struct favor *s = (struct favor *)&box;
  for (unsigned id = 0; id < DOORS; id++)
    if (id != s->identity[seat]) {
      s->identity[!seat] = (uint8_t)id;
      ask(seat, sal_budget_simulations(sims), true, &after);
      assert_memory_equal(before.chance, after.chance, sizeof after.chance);
      assert_memory_equal(before.value, after.value, sizeof after.value);
    }
  box = here;
  ask(seat, sal_budget_simulations(sims + 20), true, &after);
  ask(seat, sal_budget_simulations(sims), true, &after);
  assert_memory_equal(before.chance, after.chance, sizeof after.chance);
}

static void test_answers_stand_alone(void **unused) {
  (void)unused;
  for (uint64_t seed = 20; seed < 26; seed++) {
    begin(seed % 2, seed);
    check_alone(to_ending(), SIMS);
  }
}

/* Each look at the clock takes a millisecond. */
static int looks;
static double ticking(void) { return 1e-3 * looks++; }

static void test_budgets(void **unused) {
  (void)unused;
  struct answer a;
  begin(0, 30);
  const int seat = to_ending();
  ask(seat, sal_budget_simulations(1), true, &a);
  assert_false(a.policy.mixed);
  assert_true(a.policy.simulations <= 1);
  ask(seat, sal_budget_simulations(SIMS), false, &a);
  assert_false(a.policy.mixed); /* nothing remembered */
  for (int ms = 1; ms < 100; ms += 7) {
    looks = 0;
    ask(seat, (struct sal_budget){.seconds = 1e-3 * ms, .clock = ticking}, true,
        &a);
    assert_true(looks <= ms + 4);
    check_sound(&a);
  }
}

/* ---- The master ---------------------------------------------------------- */

enum { FEW = 25 }; /* iterations; with fewer it is the expert */

/* The first day of one edition and the last of the other, one side doing
 * anything: every choice of the other is solved, and sound; once twins are asked
 * too. */
static void test_master_plays_whole_days(void **unused) {
  (void)unused;
  sal_master_teach_favor(shipped_favor());
  level = "master";
  for (int edition = 0; edition < 2; edition++) {
    int seat, choices = 0;
    struct answer a;
    begin(edition, 1);
    day = edition ? 1 : 3;
    while ((seat = asked()) >= 0 && now()->day < day)
      act_as("regular", seat);
    for (; (seat = asked()) >= 0 && now()->day == day;
         act_as(seat ? "random" : "regular", seat)) {
      if (seat != 0)
        continue;
      ask(seat, sal_budget_simulations(FEW), true, &a);
      check_sound(&a);
      assert_true(a.count == 1 || (a.policy.mixed && a.policy.valued));
      choices += a.count > 1;
      if (choices == 2 && a.count > 1)
        check_alone(seat, FEW);
    }
    assert_true(choices > 3);
  }
  day = 3;
  sal_master_teach_favor(NULL);
  level = "expert";
}

/* What the master offers the other side when it begins to solve an ending. */
static float offer[SAL_FAVOR_TYPES];
static int offered = -1; /* the side; -1: none since it was reset */

void __real_sal_favor_solver_offer(sal_favor_solver *s, int side,
                                   const float worth[SAL_FAVOR_TYPES]);
void __wrap_sal_favor_solver_offer(sal_favor_solver *s, int side,
                                   const float worth[SAL_FAVOR_TYPES]);
void __wrap_sal_favor_solver_offer(sal_favor_solver *s, int side,
                                   const float worth[SAL_FAVOR_TYPES]) {
  offered = side;
  memcpy(offer, worth, sizeof offer);
  __real_sal_favor_solver_offer(s, side, worth);
}

/* What a seat expects of the ending that begins with its turn, from -1 to 1. */
static double expected(int seat) {
  struct answer a;
  double sum = 0;
  ask(seat, sal_budget_simulations(FEW), true, &a);
  for (size_t i = 0; i < a.count; i++)
    sum += a.chance[i] * a.value[i];
  return 2 * sum - 1;
}

/* Whoever solves an ending offers the other what that side can expect there:
 * neither side's solving knows of the other's. */
static void test_offers_are_fair(void **unused) {
  (void)unused;
  double wrong = 0;
  int offers = 0;
  sal_master_teach_favor(shipped_favor());
  level = "master";
  for (uint64_t seed = 40; seed < 52; seed++) {
    begin(seed % 2, seed);
    day = 1 + (int)seed % 3;
    const int seat = to_ending(), other = !seat;
    const double hoped = expected(seat);
    step(seat, legal[0]);
    offered = -1;
    if (asked() != other)
      continue;
    expected(other);
    if (offered < 0)
      continue;
    assert_int_equal(offered, seat);
    wrong += fabs(hoped - (double)offer[now()->identity[seat]]);
    offers++;
  }
  print_message("# offers: %d, off by %.3f\n", offers, wrong / offers);
  assert_true(offers > 8);
  assert_true(wrong / offers < 0.2);
  day = 3;
  sal_master_teach_favor(NULL);
  level = "expert";
}

/* ---- Hints ---------------------------------------------------------------- */

enum { WORLDS = 20 };

static void hint(int seat, struct sal_thought *out) {
  union sal_view_box view;
  struct sal_rng own;
  const struct sal_question q =
      question_to(seat, sal_budget_simulations(WORLDS), &view);
  sal_rng_seed(&own, 1);
  sal_advise(&q, &own, out);
}

/* In a world in which the other side was dealt another identity, and all that
 * happened is the same, the hint is the same. */
static void check_twin(int seat, const struct sal_thought *told) {
  struct sal_thought twin;
  const size_t at = dealt[!seat];
  const sal_action was = done[at].action;
  const unsigned mine = now()->identity[seat];
  for (unsigned id = 0; id < DOORS; id++)
    if (id != mine && id != number_of(was)) {
      replay(at, act(DRAWS, id));
      assert_int_equal(now()->identity[!seat], id);
      hint(seat, &twin);
      assert_memory_equal(&twin, told, sizeof twin);
    }
  replay(at, was);
}

/* The shares are the master's, what is named is what he does most often, and
 * nothing has a higher value. */
static void check_hint(int seat) {
  struct answer a;
  struct sal_thought t;
  double most = 0;
  ask(seat, sal_budget_simulations(SAL_FAVOR_ITERATIONS), true, &a);
  if (a.count == 1)
    return;
  hint(seat, &t);
  assert_true(t.mixed && t.count > 1);
  for (size_t i = 0; i < t.count; i++) {
    size_t at = 0;
    while (legal[at] != t.candidate[i].action)
      at++;
    assert_true(t.candidate[i].share == a.chance[at]);
    assert_true(t.candidate[i].value <= t.candidate[0].value);
    most = fmax(most, t.candidate[i].share);
  }
  assert_true(t.candidate[0].action == t.action);
  assert_true(t.candidate[0].share == most);
  check_twin(seat, &t);
}

/* A day of each edition, between two regulars. */
static void test_hints_are_the_masters(void **unused) {
  (void)unused;
  sal_master_teach_favor(shipped_favor());
  level = "master";
  for (int edition = 0; edition < 2; edition++) {
    int seat;
    begin(edition, 60);
    while ((seat = asked()) >= 0 && now()->day == 1)
      act_as("regular", seat);
    for (; (seat = asked()) >= 0 && now()->day == 2; act_as("regular", seat))
      check_hint(seat);
  }
  sal_master_teach_favor(NULL);
  level = "expert";
}

/* What was thought in haste is not taken for what was thought through. */
static void test_haste_is_not_kept(void **unused) {
  (void)unused;
  struct answer after, alone;
  level = "master";
  begin(0, 70);
  const int seat = asked();
  sal_master_teach_favor(shipped_favor());
  looks = 0;
  ask(seat, (struct sal_budget){.seconds = 0.04, .clock = ticking}, true,
      &after);
  assert_true(after.policy.mixed && after.policy.simulations < 50);
  ask(seat, sal_budget_simulations(SAL_FAVOR_ITERATIONS), true, &after);
  sal_master_teach_favor(shipped_favor()); /* forgets */
  ask(seat, sal_budget_simulations(SAL_FAVOR_ITERATIONS), true, &alone);
  assert_memory_equal(after.chance, alone.chance, sizeof alone.chance);
  sal_master_teach_favor(NULL);
  level = "expert";
}

/* A file is whole, or it is refused. */
static void test_damaged_policies(void **unused) {
  (void)unused;
  size_t size = 0;
  unsigned char *bytes = file_named("SALOTTO_FAVOR", &size);
  assert_non_null(bytes);
  assert_true(size < 1000000);
  sal_favor_policy *p = sal_favor_policy_open(bytes, size);
  assert_non_null(p);
  assert_memory_equal(sal_favor_policy_note(p), "favor-train ", 12);
  sal_favor_policy_close(p);
  assert_null(sal_favor_policy_open(bytes, size - 1));
  assert_null(sal_favor_policy_open(bytes, 0));
  for (size_t at = 0; at < size; at += at < 20 ? 1 : size / 7) {
    bytes[at] ^= 16;
    assert_null(sal_favor_policy_open(bytes, size));
    bytes[at] ^= 16;
  }
  free(bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_endings_are_solved),
      cmocka_unit_test(test_answers_stand_alone),
      cmocka_unit_test(test_budgets),
      cmocka_unit_test(test_damaged_policies),
      cmocka_unit_test(test_master_plays_whole_days),
      cmocka_unit_test(test_offers_are_fair),
      cmocka_unit_test(test_hints_are_the_masters),
      cmocka_unit_test(test_haste_is_not_kept)};
  return cmocka_run_group_tests_name("ending_favor", tests, NULL, NULL);
}
