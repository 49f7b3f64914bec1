/* The measure of a position where a draw is due: it is that of what comes behind
 * the draw, wherever the draw leads. So luck is nothing on the whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "salotto/salotto.h"

#include "measure.h"

enum { PLAYOUTS = 2, GAMES = 2 };

static void measure_from(struct measure *m, struct mark mark,
                         const sal_state *s, double *share) {
  struct sal_rng rng;
  sal_rng_seed(&rng, 5);
  measure_state(m, mark, s, PLAYOUTS, &rng, share);
}

/* The measure does not depend on the round in which the last action was. */
static void check_draw(struct measure *m, struct mark mark,
                       const sal_state *s) {
  double told[SAL_SEATS_MAX], anew[SAL_SEATS_MAX];
  measure_from(m, mark, s, told);
  measure_from(m, MARK_NONE, s, anew);
  for (int i = 0; i < m->players; i++)
    assert_true(told[i] == anew[i]);
}

/* What the habitual player does: only who wins tiles draws at the end of a
 * round. */
static void act(struct measure *m, sal_state *s, struct sal_rng *rng) {
  const struct sal_game *g = m->game;
  const int seat = __builtin_ctz(g->to_act(s));
  union sal_view_box box;
  g->view(s, seat, (sal_view *)box.bytes);
  const struct sal_question q = {.game = g,
                                 .players = m->players,
                                 .seat = seat,
                                 .view = (const sal_view *)box.bytes,
                                 .legal = m->legal,
                                 .count = g->legal(s, seat, m->legal)};
  measure_habit(&q, m->weight);
  g->apply(s, seat, m->legal[draw_weighted(m->weight, q.count, rng)], NULL);
}

static void check_game(struct measure *m, uint64_t seed) {
  union sal_state_box box;
  sal_state *s = (sal_state *)box.bytes;
  struct sal_setup setup;
  struct sal_rng rng;
  sal_setup_default(m->game, m->players, &setup);
  sal_rng_seed(&rng, seed);
  m->game->init(s, &setup);
  for (struct mark mark = MARK_NONE; m->game->to_act(s);) {
    if (m->game->to_act(s) != SAL_CHANCE_BIT) {
      mark = measure_mark(m, s);
      act(m, s, &rng);
      continue;
    }
    check_draw(m, mark, s);
    while (m->game->to_act(s) == SAL_CHANCE_BIT)
      m->game->sample(s, &rng);
  }
}

static void test_draws(void **state) {
  (void)state;
  static const char *const games[] = {"doors", "favor", "traps", "louis"};
  for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
    struct measure *m = measure_new(sal_game_find(games[g]), 2);
    assert_non_null(m);
    for (uint64_t seed = 0; seed < GAMES; seed++)
      check_game(m, seed);
    measure_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_draws)};
  return cmocka_run_group_tests_name("measure", tests, NULL, NULL);
}
