/* The master of Doors.
 *
 * What it needs is public but for its own identity: the order of the cards in
 * this round, which its seat remembers, and the score. Main invariant: chances
 * are computed for all four identities and only then looked up for its own, so
 * nothing it gives away by the way it thinks differs between them. */
#include "master.h"

#include "doors.h"
#include "salotto/solve.h"

static void *make_player(const void *policy) {
  return sal_doors_player_new(policy);
}
static void release_player(void *player) { sal_doors_player_free(player); }

static struct player_pool pool = {.make = make_player,
                                  .release = release_player,
                                  .size = POOL_MAX,
                                  .held = ATOMIC_FLAG_INIT};

void sal_master_teach(const sal_doors_policy *p) { pool_teach(&pool, p); }

/* ---- What the seat knows ------------------------------------------------- */

static void read_counts(hand h, uint8_t *n) {
  for (unsigned k = 0; k < KINDS; k++)
    n[k] = (uint8_t)count(h, k);
}

/* Follows one step of the round; false if it does not fit. */
static bool follow_doors(const struct sal_seen *step,
                         struct sal_doors_history *h, bool *due) {
  const sal_action verb = verb_of(step->action);
  const uint8_t card = (uint8_t)number_of(step->action);
  if (step->seat == SAL_CHANCE) {
    if (!*due || verb != DRAW || card >= KINDS)
      return false;
    h->refill[h->picks++] = card;
    *due = false;
    return true;
  }
  if (verb != TAKES && verb != DISCARDS)
    return !*due; /* the turn goes on */
  if (*due || h->picks == SAL_DOORS_PICKS || card >= KINDS)
    return false;
  h->pick[h->picks] = card;
  *due = true;
  return true;
}

/* Does the history lead to the cards on the table? */
static bool fits(const struct sal_doors_history *h, const struct doors *now) {
  hand offer = 0, taken = 0, discarded = 0, discards = 0;
  for (unsigned k = 0; k < KINDS; k++)
    offer += one(k) * h->offer[k];
  for (int i = 0; i < h->picks; i++) {
    offer += one(h->refill[i]) - one(h->pick[i]);
    *(i % 2 ? &discarded : &taken) += one(h->pick[i]);
  }
  for (int i = 0; i < now->discarded; i++)
    discards += one(now->discards[i]);
  return offer == now->offer && taken == now->collection &&
         discarded == discards;
}

static bool remember(const struct sal_question *q,
                     struct sal_doors_history *h) {
  const struct sal_memory *m = q->memory;
  bool due = false;
  if (!m || !m->begun)
    return false;
  memset(h, 0, sizeof *h);
  read_counts(as_view((const sal_view *)m->start.bytes)->s.offer, h->offer);
  for (size_t i = 0; i < m->count; i++)
    if (!follow_doors(&m->step[i], h, &due))
      return false;
  return !due && fits(h, &as_view(q->view)->s);
}

/* ---- Answers ------------------------------------------------------------- */

/* How likely best play does an action. */
static double offer_chance(const struct doors *v, unsigned identity,
                           const struct sal_doors_chances *c, sal_action a) {
  const unsigned card = number_of(a);
  switch (verb_of(a)) {
  case TAKES:
  case DISCARDS: return (double)c->pick[card][identity];
  case GUESSES: return (double)c->say[card][identity];
  case CLAIMS:
    return v->phase == CLAIM ? 2 /* nothing pays a Collector more */
                             : (double)c->say[SAL_DOORS_CLAIM][identity];
  default:
    return v->phase == CLAIM ? 1e-9 : (double)c->say[SAL_DOORS_END][identity];
  }
}

static uint64_t round_key(int blueprint, bool collector,
                          const struct sal_doors_history *h) {
  uint64_t key = 2 * (uint64_t)blueprint + collector;
  for (int k = 0; k < KINDS; k++)
    key = key << 2 | h->offer[k];
  return key;
}

static bool ask_solver(const struct sal_question *q,
                       const struct sal_doors_history *h,
                       struct sal_doors_chances *out, uint64_t *iterations) {
  const struct doors *v = &as_view(q->view)->s;
  const bool collecting = v->collector == q->seat;
  const int blueprint = sal_doors_policy_score(tokens_to_10(v, v->collector),
                                               tokens_to_10(v, !v->collector));
  struct timer timer;
  const struct sal_doors_effort effort = {
      .iterations = iterations_within(q, SAL_DOORS_ITERATIONS, &timer),
      .more = q->budget.seconds > 0 ? time_is_left : NULL,
      .context = &timer};
  struct pool_slot new = {.player = NULL};
  struct pool_slot *slot =
      pool_borrow(&pool, round_key(blueprint, collecting, h), &new);
  const bool ok =
      slot->player && sal_doors_player_ask(slot->player, blueprint, h,
                                           collecting, &effort, out);
  *iterations = ok ? sal_doors_player_effort(slot->player) : 0;
  pool_give_back(&pool, slot, &new);
  return ok;
}

/* A game to 5 is the second half of one to 10. What lies before a game to 10, and
 * a best of three, were not solved. */
static bool solved(const struct doors *v) {
  return tokens_to_10(v, 0) >= 0 && tokens_to_10(v, 1) >= 0;
}

bool policy_master_doors(const struct sal_question *q, struct sal_policy *out) {
  struct sal_doors_history history;
  struct sal_doors_chances chances;
  uint64_t iterations = 0;
  if (!pool.policy || strcmp(q->game->info.id, "doors") != 0)
    return false;
  const struct doors *v = &as_view(q->view)->s;
  if (!solved(v))
    return false;
  if (v->phase != CLAIM && (!remember(q, &history) ||
                            !ask_solver(q, &history, &chances, &iterations)))
    return false;
  for (size_t i = 0; i < q->count; i++)
    out->chance[i] =
        offer_chance(v, v->identity[q->seat], &chances, q->legal[i]);
  conclude_mixed(q, iterations, out);
  return true;
}
