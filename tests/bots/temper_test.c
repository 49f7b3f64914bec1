/* Tempers: what each does more or less often than who has none, in games that
 * are played out; and that best play has none. */
#include "heuristics.h"
#include "rollout.h"
#include "salotto/salotto.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { GAMES = 12, COUNT_MAX = 4096 };

struct chances {
  double chance[COUNT_MAX], value[COUNT_MAX];
};

static void ask(const struct sal_question *q, const char *level,
                enum sal_temper temper, struct chances *out) {
  struct sal_question asked = *q;
  struct sal_rng rng;
  asked.temper = temper;
  memset(out, 0, sizeof *out);
  struct sal_policy o = {.chance = out->chance, .value = out->value};
  sal_rng_seed(&rng, 1);
  sal_bot_find(level)->policy(&asked, &rng, &o);
}

/* What is shown of a seat by what it does, on average, summed over all
 * questions. */
static void add_shown(const struct sal_question *q, enum sal_temper temper,
                      struct traits *sum) {
  static struct chances c;
  double all = 0;
  ask(q, "regular", temper, &c);
  for (size_t i = 0; i < q->count; i++) {
    const struct traits t = heuristics_of(q->game)->traits(q, q->legal[i]);
    assert_true(t.risk >= -1 && t.risk <= 1 && t.deceit >= -1 &&
                t.deceit <= 1 && t.spending >= -1 && t.spending <= 1);
    assert_true(c.chance[i] >= 0);
    all += c.chance[i];
    sum->risk += c.chance[i] * t.risk;
    sum->deceit += c.chance[i] * t.deceit;
    sum->spending += c.chance[i] * t.spending;
  }
  assert_true(all > 0.999999 && all < 1.000001);
}

typedef void question_fn(const struct sal_question *q, void *context);

/* Random play, and what happens at every question. */
static void play_out(const struct sal_game *g, uint64_t seed, question_fn *each,
                     void *context) {
  union sal_state_box box;
  static sal_action legal[COUNT_MAX];
  struct sal_setup setup;
  struct sal_rng rng;
  sal_state *s = (sal_state *)box.bytes;
  memset(&box, 0, sizeof box);
  sal_setup_default(g, 2, &setup);
  g->init(s, &setup);
  sal_rng_seed(&rng, seed);
  for (unsigned asked; (asked = g->to_act(s)) != 0;) {
    if (asked == SAL_CHANCE_BIT) {
      g->sample(s, &rng);
      continue;
    }
    union sal_view_box view;
    const int seat = __builtin_ctz(asked);
    memset(&view, 0, sizeof view);
    g->view(s, seat, (sal_view *)view.bytes);
    const struct sal_question q = {.game = g,
                                   .players = 2,
                                   .seat = seat,
                                   .view = (const sal_view *)view.bytes,
                                   .legal = legal,
                                   .count = g->legal(s, seat, legal)};
    each(&q, context);
    g->apply(s, seat, legal[sal_rng_below(&rng, (uint32_t)q.count)], NULL);
  }
}

static void ask_each(const struct sal_question *q, void *context) {
  struct traits *sum = context;
  for (int t = 0; t < SAL_TEMPERS; t++)
    add_shown(q, (enum sal_temper)t, &sum[t]);
}

static void tempers_differ(const char *game, bool spends) {
  const struct sal_game *g = sal_game_find(game);
  struct traits sum[SAL_TEMPERS] = {{0}};
  for (uint64_t seed = 1; seed <= GAMES; seed++)
    play_out(g, seed, ask_each, sum);
  assert_true(sum[SAL_CAUTIOUS].risk < sum[SAL_EVEN].risk);
  assert_true(sum[SAL_DARING].risk > sum[SAL_EVEN].risk);
  if (spends)
    assert_true(sum[SAL_MISER].spending < sum[SAL_EVEN].spending);
  else
    assert_true(sum[SAL_BLUFFER].deceit > sum[SAL_EVEN].deceit);
}

static void in_doors(void **state) {
  (void)state;
  tempers_differ("doors", false);
}

static void in_favor(void **state) {
  (void)state;
  tempers_differ("favor", true);
}

static void in_traps(void **state) {
  (void)state;
  tempers_differ("traps", true);
  tempers_differ("traps", false);
}

static void in_louis(void **state) {
  (void)state;
  tempers_differ("louis", true);
  tempers_differ("louis", false);
}

/* The first action is worse than the others, which are as good as each other. */
static void like_the_good_ones(const struct sal_question *q, void *context) {
  struct chances c;
  size_t *differing = context;
  struct sal_policy o = {.chance = c.chance, .value = c.value, .valued = true};
  struct sal_question asked = *q;
  double all = 0;
  asked.temper = SAL_MISER;
  for (size_t i = 0; i < q->count; i++) {
    c.chance[i] = 1 / (double)q->count;
    c.value[i] = i > 0 ? 0.5 : 0.1;
  }
  temper_policy(&asked, &o);
  traits_fn *traits = heuristics_of(q->game)->traits;
  for (size_t i = 0; i < q->count; i++) {
    all += c.chance[i];
    if (i < 2)
      continue;
    const double more =
        traits(q, q->legal[i]).spending - traits(q, q->legal[i - 1]).spending;
    assert_true((more > 0) == (c.chance[i] < c.chance[i - 1]));
    assert_true((more < 0) == (c.chance[i] > c.chance[i - 1]));
    *differing += more != 0;
  }
  assert_true(q->count == 1 || c.chance[0] == 1 / (double)q->count);
  assert_true(all > 0.999999 && all < 1.000001);
}

/* Where a search has told what actions are worth, a temper chooses among the
 * good ones. */
static void only_among_the_good(void **state) {
  (void)state;
  static const char *const games[] = {"favor", "traps"};
  for (int i = 0; i < 2; i++) {
    size_t differing = 0;
    for (uint64_t seed = 1; seed <= GAMES; seed++)
      play_out(sal_game_find(games[i]), seed, like_the_good_ones, &differing);
    assert_true(differing > 0);
  }
}

/* Who plays as well as can be, or does anything at all, has no temper; of the
 * others not everybody is alike, and all have names of their own. */
static void people(void **state) {
  (void)state;
  for (size_t i = 0; sal_bots[i]; i++) {
    const struct sal_bot *b = sal_bots[i];
    unsigned met = 0;
    for (int seat = 0; b->people && seat < SAL_SEATS_MAX; seat++) {
      met |= 1u << sal_bot_temper(b, seat);
      for (int other = 0; other < seat; other++)
        assert_string_not_equal(sal_bot_name(b, seat), sal_bot_name(b, other));
    }
    if (b->people && (!strcmp(b->id, "random") || !strcmp(b->id, "master")))
      assert_int_equal(met, 1u << SAL_EVEN);
    else if (b->people)
      assert_int_equal(met, (1u << SAL_TEMPERS) - 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(in_doors),
                                     cmocka_unit_test(in_favor),
                                     cmocka_unit_test(in_traps),
                                     cmocka_unit_test(in_louis),
                                     cmocka_unit_test(only_among_the_good),
                                     cmocka_unit_test(people)};
  return cmocka_run_group_tests_name("temper", tests, NULL, NULL);
}
