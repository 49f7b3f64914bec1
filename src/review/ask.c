/* Questions put to bots at a table; see salotto/ask.h. */
#include "asking.h"
#include "salotto/ask.h"
#include "salotto/memory.h"

#include <stdlib.h>
#include <string.h>

struct asking *asking_new(const sal_table *t, int seat,
                          const struct sal_budget *budget, int *error,
                          struct sal_refusal *why) {
  *error = sal_table_asks(t, seat, why);
  if (*error)
    return NULL;
  struct asking *a = calloc(1, sizeof *a);
  size_t count;
  const sal_action *legal = sal_table_choices(t, seat, &count);
  if (!a || count == 0) {
    free(a);
    *error = sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
    return NULL;
  }
  sal_table_view(t, seat, (sal_view *)a->view.bytes);
  sal_table_memory(t, seat, &a->memory);
  a->q = (struct sal_question){.game = sal_table_game(t),
                               .players = sal_table_players(t),
                               .seat = seat,
                               .view = (const sal_view *)a->view.bytes,
                               .legal = legal,
                               .count = count,
                               .memory = &a->memory};
  if (budget)
    a->q.budget = *budget;
  return a;
}

int sal_table_ask(const sal_table *t, int seat, const struct sal_bot *bot,
                  const struct sal_budget *budget, struct sal_rng *rng,
                  struct sal_thought *out, struct sal_refusal *why) {
  int error;
  struct asking *a = asking_new(t, seat, budget, &error, why);
  if (!a)
    return error;
  a->q.temper = sal_bot_temper(bot, seat);
  bot->think(&a->q, rng, out);
  free(a);
  return 0;
}

int sal_table_policy(const sal_table *t, int seat, const struct sal_bot *bot,
                     const struct sal_budget *budget, struct sal_rng *rng,
                     struct sal_policy *out, struct sal_refusal *why) {
  int error;
  struct asking *a = asking_new(t, seat, budget, &error, why);
  if (!a)
    return error;
  a->q.temper = sal_bot_temper(bot, seat);
  *out = (struct sal_policy){.chance = out->chance, .value = out->value};
  memset(out->chance, 0, a->q.count * sizeof *out->chance);
  memset(out->value, 0, a->q.count * sizeof *out->value);
  bot->policy(&a->q, rng, out);
  free(a);
  return 0;
}

int sal_table_worlds(const sal_table *t, int seat, struct sal_rng *rng,
                     union sal_state_box *world, double *weight, size_t *count,
                     struct sal_refusal *why) {
  int error;
  struct asking *a = asking_new(t, seat, NULL, &error, why);
  if (!a)
    return error;
  *count = sal_worlds(&a->q, *count, rng, world, weight);
  free(a);
  return *count ? 0 : sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
}
