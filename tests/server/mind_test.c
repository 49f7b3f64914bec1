/* What a bot thinks about, as bytes; and what passes for an answer. */
#include "rooms/mind.h"

#include "salotto/memory.h"
#include "salotto/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct mind *mind;
static size_t size;

/* Of whoever is asked first in Traps. */
static int open_mind(void **state) {
  struct sal_plan plan = {.game = sal_game_find("traps")};
  (void)state;
  sal_setup_default(plan.game, 3, &plan.setup);
  sal_key_number(7, &plan.seed);
  sal_table *t = sal_table_new(&plan);
  mind = mind_new(plan.game, sal_bot_find("expert"));
  if (!t || !mind)
    return -1;
  mind->players = 3;
  mind->seat = __builtin_ctz(sal_table_to_act(t));
  mind->seconds = 0.01;
  sal_rng_seed(&mind->rng, 7);
  sal_table_view(t, mind->seat, (sal_view *)mind->view.bytes);
  sal_table_memory(t, mind->seat, &mind->memory);
  mind->count = sal_table_legal(t, mind->seat, mind->legal);
  size = mind_size(mind);
  sal_table_free(t);
  return 0;
}

static int close_mind(void **state) {
  (void)state;
  free(mind);
  minds_hurry(false);
  return 0;
}

/* A copy of its bytes is as good. */
static void copied(void **state) {
  (void)state;
  struct sal_thought thought = {0};
  struct mind *copy = malloc(size);
  memcpy(copy, mind, size);
  assert_true(mind_is_whole(copy, size));
  mind_think(copy, &thought);
  assert_true(mind_accepts(mind, &thought));
  assert_true(thought.count > 0);
  copy->bot[0] = '\0'; /* advice */
  assert_true(mind_is_whole(copy, size));
  mind_think(copy, &thought);
  assert_true(mind_accepts(mind, &thought));
  free(copy);
}

static void not_whole(void **state) {
  (void)state;
  struct mind *copy = malloc(size + sizeof *copy->legal);
  for (size_t n = 0; n < size; n++)
    assert_false(mind_is_whole(mind, n));
#define BROKEN(change)                                                         \
  memcpy(copy, mind, size);                                                    \
  change;                                                                      \
  assert_false(mind_is_whole(copy, size));
  BROKEN(copy->count++)
  BROKEN(copy->count = SIZE_MAX / sizeof *copy->legal + 1)
  BROKEN(strcpy(copy->game, "chess"))
  BROKEN(strcpy(copy->bot, "nobody"))
  BROKEN(memset(copy->game, 'x', sizeof copy->game))
  BROKEN(memset(copy->bot, 'x', sizeof copy->bot))
  BROKEN(copy->seat = -1)
  BROKEN(copy->seat = copy->players)
  BROKEN(copy->players = SAL_SEATS_MAX + 1)
#undef BROKEN
  memcpy(copy, mind, size);
  assert_false(mind_is_whole(copy, size + sizeof *copy->legal));
  free(copy);
}

static void no_answer(void **state) {
  (void)state;
  struct sal_thought good = {0}, bad;
  mind_think(mind, &good);
  assert_true(mind_accepts(mind, &good));
#define BAD(change)                                                            \
  bad = good;                                                                  \
  change;                                                                      \
  assert_false(mind_accepts(mind, &bad));
  BAD(bad.action = (sal_action)-1)
  BAD(bad.count = SAL_CANDIDATES + 1)
  BAD(bad.candidate[0].action = (sal_action)-1)
  BAD(bad.candidate[0].value = (double)NAN)
  BAD(bad.candidate[0].share = (double)INFINITY)
  BAD(bad.viewer = mind->players)
  BAD(bad.viewer = -1)
  BAD(bad.here = (double)NAN)
  BAD(bad.there = (double)INFINITY)
#undef BAD
}

/* With all the time of the world the expert would not end by itself; and it does more
 * when there is time again. */
static void hurried(void **state) {
  (void)state;
  struct sal_thought hasty = {0}, thought = {0};
  mind->seconds = 1e9;
  minds_hurry(true);
  mind_think(mind, &hasty);
  assert_true(mind_accepts(mind, &hasty));
  minds_hurry(false);
  for (mind->seconds = 0.01; thought.simulations <= hasty.simulations;
       mind->seconds *= 2)
    mind_think(mind, &thought);
}

int main(void) {
#define CASE(f) cmocka_unit_test_setup_teardown(f, open_mind, close_mind)
  const struct CMUnitTest tests[] = {CASE(copied), CASE(not_whole),
                                     CASE(no_answer), CASE(hurried)};
  return cmocka_run_group_tests_name("mind", tests, NULL, NULL);
}
