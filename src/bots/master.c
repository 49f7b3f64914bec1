/* The master: plays Doors, and Traps and Favor for two, by policies, for the
 * match and not only for the round, and mixes its actions as best play does. Where
 * there is no policy or another game, it is the expert. */
#include "master.h"

#include <string.h>

/* ---- Players ------------------------------------------------------------- */

/* Only for a look along the slots, so nobody waits long. */
static void hold_pool(struct player_pool *pool) {
  while (atomic_flag_test_and_set(&pool->held))
    ;
}

void pool_teach(struct player_pool *pool, const void *policy) {
  for (int i = 0; i < pool->size; i++)
    pool->release(pool->slot[i].player);
  memset(pool->slot, 0, sizeof pool->slot);
  pool->policy = policy;
}

static struct pool_slot *slot_for(struct player_pool *pool, uint64_t round) {
  struct pool_slot *best = NULL;
  for (struct pool_slot *s = pool->slot; s < pool->slot + pool->size; s++) {
    if (s->busy)
      continue;
    if (s->round == round && s->player)
      return s;
    if (!best || s->used < best->used)
      best = s;
  }
  return best;
}

struct pool_slot *pool_borrow(struct player_pool *pool, uint64_t round,
                              struct pool_slot *new) {
  hold_pool(pool);
  struct pool_slot *s = slot_for(pool, round);
  if (!s)
    s = new;
  s->busy = true;
  s->used = ++pool->questions;
  s->round = round;
  atomic_flag_clear(&pool->held);
  if (!s->player)
    s->player = pool->make(pool->policy);
  return s;
}

void pool_give_back(struct player_pool *pool, struct pool_slot *slot,
                    struct pool_slot *new) {
  hold_pool(pool);
  slot->busy = false;
  atomic_flag_clear(&pool->held);
  pool->release(new->player);
}

/* ---- Budgets and answers ------------------------------------------------- */

uint32_t iterations_within(const struct sal_question *q, uint32_t most,
                           struct timer *timer) {
  timer_start(timer, &q->budget, most);
  const uint32_t cap = timer->budget.simulations;
  return cap && cap < most ? cap : most;
}

bool time_is_left(void *timer) { return !timer_over(timer); }

void conclude_mixed(const struct sal_question *q, uint64_t iterations,
                    struct sal_policy *out) {
  double sum = 0;
  for (size_t i = 0; i < q->count; i++)
    sum += out->chance[i];
  for (size_t i = 0; i < q->count; i++)
    out->value[i] = out->chance[i] =
        sum > 0 ? out->chance[i] / sum : 1 / (double)q->count;
  out->mixed = true;
  out->simulations = iterations;
}

bool policy_optimal(const struct sal_question *q, struct sal_policy *out) {
  struct sal_question fresh = *q;
  fresh.budget = sal_budget_simulations(1);
  return policy_master_doors(q, out) || policy_master_traps(&fresh, out);
}

void policy_master(const struct sal_question *q, struct sal_rng *rng,
                   struct sal_policy *out) {
  if (!policy_master_doors(q, out) && !policy_master_traps(q, out) &&
      !policy_master_favor(q, out))
    policy_expert(q, rng, out);
}
