/* The master of Traps for two: reads the deal from what its seat remembers and
 * asks the solver's player. */
#include "master.h"

#include "salotto/solve_traps.h"
#include "traps.h"

static void *make_player(const void *policy) {
  return sal_traps_player_new(policy);
}
static void release_player(void *player) { sal_traps_player_free(player); }

/* A round that was solved is large, so there are fewer. */
static struct player_pool pool = {.make = make_player,
                                  .release = release_player,
                                  .size = POOL_MAX / 2,
                                  .held = ATOMIC_FLAG_INIT};

void sal_master_teach_traps(const sal_traps_policy *p) { pool_teach(&pool, p); }

/* ---- What the seat knows ------------------------------------------------- */

static void read_counts(hand h, uint8_t *n) {
  for (unsigned k = 0; k < KINDS; k++)
    n[k] = (uint8_t)count(h, k);
}

/* The score and the target of a round from a view at its start. */
static void read_start(const struct sal_question *q, const void *view,
                       struct sal_traps_deal *d, int n) {
  const struct traps *v = &as_view(view)->s;
  d->me[n] = v->first == q->seat ? 0 : 1;
  d->round[n].target = v->target;
  for (int i = 0; i < 2; i++)
    d->round[n].tokens[d->me[n] ^ i] = v->tokens[q->seat ^ i];
}

static void read_piles(const struct sal_question *q, struct sal_traps_deal *d) {
  const struct traps *v = &as_view(q->view)->s;
  const int me = q->seat, them = !q->seat;
  const pile mine = v->piles[me], theirs = v->piles[them];
  read_counts(v->hands[me], d->hand);
  d->laid = (uint8_t)laid(mine);
  for (unsigned i = 0; i < laid(mine); i++) {
    d->pile[i] = (uint8_t)card_at(mine, i);
    d->hand[d->pile[i]]++;
  }
  for (unsigned i = down(theirs); i < laid(theirs); i++)
    d->seen[laid(theirs) - 1 - i] = (uint8_t)card_at(theirs, i);
  read_counts(widen(v->known[me]), d->shown[0]);
  read_counts(widen(v->known[them]), d->shown[1]);
}

/* Follows the steps of the deal. */
struct walk {
  const struct sal_question *q;
  struct sal_traps_deal *d;
  int placed, bettor;
};

static bool next_round(struct walk *w, sal_action drawn) {
  struct sal_traps_deal *d = w->d;
  if (d->rounds == SAL_TRAPS_ROUNDS || w->bettor < 0)
    return false;
  d->round[d->rounds].target = (uint8_t)number_of(drawn);
  d->me[d->rounds++] = w->bettor == w->q->seat ? 0 : 1;
  w->placed = 0;
  w->bettor = -1;
  return true;
}

static void lay(struct walk *w, struct sal_traps_round *r) {
  if (w->placed < 2)
    w->placed++;
  else
    r->builds++;
}

static bool follow_traps(struct walk *w, const struct sal_seen *step) {
  struct sal_traps_round *r = &w->d->round[w->d->rounds - 1];
  const int me = w->d->me[w->d->rounds - 1];
  const unsigned number = number_of(step->action);
  if (step->seat == SAL_CHANCE)
    return next_round(w, step->action);
  if (!step->action) { /* a card that the seat did not see */
    lay(w, r);
    return true;
  }
  switch (verb_of(step->action)) {
  case PLACES:
  case BUILDS: lay(w, r); break;
  case BETS:
    if (r->bets == SAL_TRAPS_BETS)
      return false;
    r->bet[r->bets++] = (uint8_t)number;
    w->bettor = step->seat;
    break;
  case REVEALS: r->turned[me ^ (number != (unsigned)w->q->seat)]++; break;
  case PASSES: r->passed = true; break;
  case STOPS: r->stopped = true; break;
  default: break;
  }
  return true;
}

static bool read_deal(const struct sal_question *q, struct sal_traps_deal *d) {
  const struct sal_memory *m = q->memory;
  struct walk w = {q, d, 0, -1};
  memset(d, 0, sizeof *d);
  if (!m || !m->begun || m->count == SAL_MEMORY_MAX)
    return false;
  read_start(q, m->start.bytes, d, 0);
  d->rounds = 1;
  for (size_t i = 0; i < m->count; i++)
    if (!follow_traps(&w, &m->step[i]))
      return false;
  read_start(q, m->round.bytes, d, d->rounds - 1);
  read_piles(q, d);
  return true;
}

/* ---- Answers ------------------------------------------------------------- */

static double action_chance(const struct sal_question *q,
                            const struct sal_traps_chances *c, sal_action a) {
  const unsigned number = number_of(a);
  switch (verb_of(a)) {
  case PLACES:
  case BUILDS: return (double)c->card[number];
  case BETS: return (double)c->bet[number];
  case REVEALS:
    return (double)(number == (unsigned)q->seat ? c->own : c->theirs);
  case PASSES: return (double)c->pass;
  case STOPS: return (double)c->stop;
  default: return 1;
  }
}

/* What is the same for all questions of a round, and for no other by chance. */
static uint64_t round_key(const struct sal_traps_deal *d) {
  struct sal_traps_deal same = *d;
  struct sal_traps_round *last = &same.round[same.rounds - 1];
  const uint8_t first = last->tokens[0], second = last->tokens[1];
  const uint8_t target = last->target;
  memset(last, 0, sizeof *last);
  last->tokens[0] = first;
  last->tokens[1] = second;
  last->target = target;
  memset(same.pile, 0, sizeof same.pile);
  memset(same.seen, 0, sizeof same.seen);
  same.laid = 0;
  return hash_bytes(&same, sizeof same);
}

static bool ask_solver(const struct sal_question *q,
                       const struct sal_traps_deal *d,
                       struct sal_traps_chances *out, uint64_t *iterations) {
  struct timer timer;
  const struct sal_traps_effort effort = {
      .iterations = iterations_within(q, SAL_TRAPS_ITERATIONS, &timer),
      .more = q->budget.seconds > 0 ? time_is_left : NULL,
      .context = &timer};
  struct pool_slot new = {.player = NULL};
  struct pool_slot *slot = pool_borrow(&pool, round_key(d), &new);
  const bool ok =
      slot->player && sal_traps_player_ask(slot->player, d, &effort, out);
  *iterations = ok ? sal_traps_player_effort(slot->player) : 0;
  pool_give_back(&pool, slot, &new);
  return ok;
}

bool policy_master_traps(const struct sal_question *q, struct sal_policy *out) {
  struct sal_traps_deal d;
  struct sal_traps_chances chances;
  uint64_t iterations = 0;
  if (!pool.policy || q->players != 2 ||
      strcmp(q->game->info.id, "traps") != 0 || !read_deal(q, &d) ||
      (q->count > 1 && !ask_solver(q, &d, &chances, &iterations)))
    return false;
  for (size_t i = 0; i < q->count; i++)
    out->chance[i] = q->count > 1 ? action_chance(q, &chances, q->legal[i]) : 1;
  conclude_mixed(q, iterations, out);
  return true;
}
