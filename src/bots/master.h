/* What the three games that the master plays by a policy share: players that
 * keep what they solved, and how chances become an answer. */
#ifndef SAL_BOTS_MASTER_H
#define SAL_BOTS_MASTER_H

#include "salotto/solve_favor.h"
#include "search.h"

#include <stdatomic.h>

/* Players of a policy, one for each thread that thinks. A player keeps what it
 * solved for the next question of the same round. Who asks gets the one that
 * knows the round, else the one that was not needed for longest, and if all are
 * busy a new one: nobody waits. */
enum { POOL_MAX = 32 };
struct pool_slot {
  void *player;
  uint64_t round, used; /* when last, in questions */
  bool busy;
};
struct player_pool {
  void *(*make)(const void *policy); /* NULL without memory */
  void (*release)(void *player);
  int size;           /* slots in use, POOL_MAX at most */
  const void *policy; /* NULL: none yet */
  uint64_t questions;
  atomic_flag held;
  struct pool_slot slot[POOL_MAX];
};

/* Forgets all players; from now on they play by this policy. */
void pool_teach(struct player_pool *pool, const void *policy);
/* A slot whose player is NULL if there is no memory; `new` has room for one more
 * and is given back with it. */
struct pool_slot *pool_borrow(struct player_pool *pool, uint64_t round,
                              struct pool_slot *new);
void pool_give_back(struct player_pool *pool, struct pool_slot *slot,
                    struct pool_slot *new);

/* How many iterations a question's budget allows, at most so many; `timer`
 * begins to run. */
uint32_t iterations_within(const struct sal_question *q, uint32_t most,
                           struct timer *timer);
/* For solvers that ask after each iteration: whether the time is not up. */
bool time_is_left(void *timer);

/* The chances of best play, in any unit, as a policy. */
void conclude_mixed(const struct sal_question *q, uint64_t iterations,
                    struct sal_policy *out);

/* At a table of Doors, or of Favor or Traps for two. False where there is no
 * policy, no memory, or another game. */
bool policy_master_doors(const struct sal_question *q, struct sal_policy *out);
bool policy_master_favor(const struct sal_question *q, struct sal_policy *out);
bool policy_master_traps(const struct sal_question *q, struct sal_policy *out);

/* Optimal play where it is known, in Doors and in Traps for two: there as for a
 * fresh deal, since to solve a later round takes longer than who looks has. */
bool policy_optimal(const struct sal_question *q, struct sal_policy *out);

/* The ending of a game of Favor for two, by the solver; the timer has begun.
 * False elsewhere, without memory, and where time is too short: `timer` is as
 * before, but it is later. */
bool policy_ending_favor(const struct sal_question *q,
                         const struct timer *timer, struct sal_policy *out);

/* Favor with more than two, to the end of the lot. False elsewhere, and without
 * time. */
bool policy_lots_favor(const struct sal_question *q, struct timer *timer,
                       struct sal_rng *rng, struct sal_policy *out);

/* What the two that solve Favor share: a table as the solver sees it, without
 * ranges; a step; and its answer as a policy. */
struct favor;
void read_favor(const struct favor *s, struct sal_favor_ending *out);
struct sal_favor_step step_favor(const struct sal_seen *seen);
void conclude_favor(const struct sal_question *q,
                    const struct sal_favor_answer *a, uint64_t iterations,
                    struct sal_policy *out);

#endif
