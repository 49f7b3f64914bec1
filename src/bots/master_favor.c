/* The master of Favor for two: tells the solver's player what happened in the
 * day, all of it public, and reads the row of its own identity. */
#include "master.h"

#include "favor.h"

static void *make_player(const void *policy) {
  return sal_favor_player_new(policy);
}
static void release_player(void *player) { sal_favor_player_free(player); }

static struct player_pool pool = {.make = make_player,
                                  .release = release_player,
                                  .size = POOL_MAX / 4,
                                  .held = ATOMIC_FLAG_INIT};

void sal_master_teach_favor(const sal_favor_policy *p) { pool_teach(&pool, p); }

/* ---- What the seat knows ------------------------------------------------- */

enum {
  FEWEST = 25, /* with fewer iterations the expert's is the better guess */
  STEPS_MAX = 128
};
struct day {
  struct sal_favor_ending start;
  struct sal_favor_step step[STEPS_MAX];
  size_t steps;
};

/* The day from its first turn on. */
static bool read_day(const struct sal_question *q, struct day *d) {
  const struct sal_memory *m = q->memory;
  if (!m || !m->begun || m->count == SAL_MEMORY_MAX || m->count > STEPS_MAX)
    return false;
  const struct favor *s = &as_view((const sal_view *)m->start.bytes)->s;
  if (s->phase != TURN || s->one_day)
    return false;
  read_favor(s, &d->start);
  d->steps = 0;
  for (size_t i = 0; i < m->count; i++) {
    if (!m->step[i].action || verb_of(m->step[i].action) == BEGINS)
      return false;
    d->step[d->steps++] = step_favor(&m->step[i]);
  }
  return true;
}

/* ---- Answers ------------------------------------------------------------- */

/* The same for all questions of a day from one seat. */
static uint64_t day_key(const struct sal_question *q, const struct day *d) {
  return hash_bytes(&d->start, sizeof d->start) + 2 * (uint64_t)q->seat;
}

static bool ask_player(const struct sal_question *q, const struct day *d,
                       struct timer *timer, struct sal_favor_answer *out,
                       uint64_t *iterations) {
  struct sal_favor_thought thought = {
      .iterations = iterations_within(q, SAL_FAVOR_ITERATIONS, timer),
      .more = q->budget.seconds > 0 ? time_is_left : NULL,
      .context = timer};
  struct pool_slot new = {.player = NULL};
  if (thought.iterations < FEWEST)
    return false;
  struct pool_slot *slot = pool_borrow(&pool, day_key(q, d), &new);
  const int me = as_view(q->view)->s.identity[q->seat];
  const bool ok = slot->player &&
                  sal_favor_player_ask(slot->player, &d->start, d->step,
                                       d->steps, q->seat, me, &thought, out);
  *iterations = thought.done;
  pool_give_back(&pool, slot, &new);
  return ok;
}

bool policy_master_favor(const struct sal_question *q, struct sal_policy *out) {
  struct day d;
  struct sal_favor_answer answer;
  struct timer timer;
  uint64_t iterations = 0;
  if (!pool.policy || q->players != 2 ||
      strcmp(q->game->info.id, "favor") != 0 || !read_day(q, &d))
    return false;
  if (q->count == 1) {
    out->chance[0] = out->value[0] = 1;
    return true;
  }
  if (ask_player(q, &d, &timer, &answer, &iterations)) {
    conclude_favor(q, &answer, iterations, out);
    return true;
  }
  if (q->budget.seconds <= 0 || !timer_over(&timer))
    return false;
  policy_heuristic(heuristics_favor.regular, q, out); /* no time for more */
  return true;
}
