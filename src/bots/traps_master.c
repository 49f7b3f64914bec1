/* The master of Traps for two: reads the deal from what its seat remembers and
 * asks the solver's player.
 *
 * A player keeps the round that it solved for the next question of the same
 * round. Who asks gets the one that knows the round, else the one that was not
 * needed for longest, and if all are busy a new one: nobody waits. */
#include "search.h"

#include "salotto/solve_traps.h"
#include "salotto/tensor.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = SAL_TRAPS_KINDS, GOAL = SAL_TRAPS_GOAL, HAND = 6, TARGETS = 4 };

/* ---- Players ------------------------------------------------------------------ */

enum { PLAYERS = 16 };
static struct slot {
  sal_traps_player *player;
  uint64_t round, used; /* when last, in questions */
  bool busy;
} slots[PLAYERS];
static atomic_flag slots_held = ATOMIC_FLAG_INIT;
static uint64_t questions;
static const sal_traps_policy *policy;

void sal_master_teach_traps(const sal_traps_policy *p) {
  for (int i = 0; i < PLAYERS; i++)
    sal_traps_player_free(slots[i].player);
  memset(slots, 0, sizeof slots);
  policy = p;
}

/* Only for a look along the slots, so nobody waits long. */
static void hold_slots(void) {
  while (atomic_flag_test_and_set(&slots_held))
    ;
}

static struct slot *slot_for(uint64_t round) {
  struct slot *best = NULL;
  for (struct slot *s = slots; s < slots + PLAYERS; s++) {
    if (s->busy)
      continue;
    if (s->round == round && s->player)
      return s;
    if (!best || s->used < best->used)
      best = s;
  }
  return best;
}

/* The slot has no player if there is no memory. */
static struct slot *borrow(uint64_t round, struct slot *new) {
  hold_slots();
  struct slot *s = slot_for(round);
  if (!s)
    s = new;
  s->busy = true;
  s->used = ++questions;
  s->round = round;
  atomic_flag_clear(&slots_held);
  if (!s->player)
    s->player = sal_traps_player_new(policy);
  return s;
}

static void give_back(struct slot *s, struct slot *new) {
  hold_slots();
  s->busy = false;
  atomic_flag_clear(&slots_held);
  sal_traps_player_free(new->player);
}

/* ---- What the seat knows --------------------------------------------------------- */

static void read_counts(const float *t, uint8_t *n) {
  for (int k = 0; k < KINDS; k++)
    n[k] = (uint8_t)lrintf(t[k] * 3);
}

static int read_one(const float *t, int n) {
  for (int i = 0; i < n; i++)
    if (t[i] > 0)
      return i;
  return n;
}

static const float *seat_block(const float *t, int i) {
  return t + i * SAL_TRAPS_SEAT;
}

static int cards_in(const float *block, int field) {
  return (int)lrintf(block[field] * HAND);
}

/* The score and the target of a round from a view at its start. */
static void read_start(const struct sal_question *q, const void *view,
                       struct sal_traps_deal *d, int n) {
  float t[SAL_TRAPS_TENSOR];
  q->game->tensor(view, t);
  d->me[n] = seat_block(t, 0)[SAL_TRAPS_FIRST] > 0 ? 0 : 1;
  d->round[n].target = (uint8_t)read_one(t + SAL_TRAPS_TARGET, TARGETS);
  for (int i = 0; i < 2; i++)
    d->round[n].tokens[d->me[n] ^ i] =
        (uint8_t)lrintf(seat_block(t, i)[SAL_TRAPS_TOKENS] * GOAL);
}

static void read_piles(const float *t, struct sal_traps_deal *d) {
  const float *mine = seat_block(t, 0), *theirs = seat_block(t, 1);
  const int laid = cards_in(theirs, SAL_TRAPS_LAID);
  const int down = cards_in(theirs, SAL_TRAPS_DOWN);
  read_counts(t + SAL_TRAPS_HAND, d->hand);
  d->laid = (uint8_t)cards_in(mine, SAL_TRAPS_LAID);
  for (int i = 0; i < d->laid; i++) {
    d->pile[i] = (uint8_t)read_one(mine + SAL_TRAPS_PILE + KINDS * i, KINDS);
    d->hand[d->pile[i] % KINDS]++;
  }
  for (int i = laid - 1; i >= down; i--)
    d->seen[laid - 1 - i] =
        (uint8_t)read_one(theirs + SAL_TRAPS_PILE + KINDS * i, KINDS);
  read_counts(mine + SAL_TRAPS_KNOWN, d->shown[0]);
  read_counts(theirs + SAL_TRAPS_KNOWN, d->shown[1]);
}

/* Follows the steps of the deal. */
struct walk {
  const struct sal_question *q;
  struct sal_traps_deal *d;
  int placed, bettor;
};

static bool next_round(struct walk *w, const char *door) {
  struct sal_traps_deal *d = w->d;
  if (d->rounds == SAL_TRAPS_ROUNDS || w->bettor < 0)
    return false;
  d->round[d->rounds].target = (uint8_t)doors_card(door);
  d->me[d->rounds++] = w->bettor == w->q->seat ? 0 : 1;
  w->placed = 0;
  w->bettor = -1;
  return true;
}

/* A card that the seat did not see is an action of 0. */
static void lay(struct walk *w, struct sal_traps_round *r) {
  if (w->placed < 2)
    w->placed++;
  else
    r->builds++;
}

static bool follow(struct walk *w, const struct sal_seen *step) {
  struct sal_traps_round *r = &w->d->round[w->d->rounds - 1];
  const int me = w->d->me[w->d->rounds - 1];
  char text[SAL_ACTION_TEXT_MAX] = "";
  struct sal_text out;
  const char *rest;
  int32_t number;
  sal_text_init(&out, text, sizeof text);
  if (step->action)
    w->q->game->action_text(step->action, &out);
  if (step->seat == SAL_CHANCE)
    return next_round(w, text);
  if (!step->action || sal_skip(text, "place ") || sal_skip(text, "build ")) {
    lay(w, r);
  } else if ((rest = sal_skip(text, "bet ")) &&
             sal_number_read(rest, &number)) {
    if (r->bets == SAL_TRAPS_BETS)
      return false;
    r->bet[r->bets++] = (uint8_t)number;
    w->bettor = step->seat;
  } else if ((rest = sal_skip(text, "reveal ")) &&
             sal_number_read(rest, &number)) {
    r->turned[me ^ (number != w->q->seat)]++;
  } else if (strcmp(text, "pass") == 0) {
    r->passed = true;
  } else if (strcmp(text, "stop") == 0) {
    r->stopped = true;
  }
  return true;
}

static bool read_deal(const struct sal_question *q, struct sal_traps_deal *d) {
  const struct sal_memory *m = q->memory;
  float t[SAL_TRAPS_TENSOR];
  struct walk w = {q, d, 0, -1};
  memset(d, 0, sizeof *d);
  if (!m || !m->begun || m->count == SAL_MEMORY_MAX)
    return false;
  read_start(q, m->start.bytes, d, 0);
  d->rounds = 1;
  for (size_t i = 0; i < m->count; i++)
    if (!follow(&w, &m->step[i]))
      return false;
  read_start(q, m->round.bytes, d, d->rounds - 1);
  q->game->tensor(q->view, t);
  read_piles(t, d);
  return true;
}

/* ---- Answers ------------------------------------------------------------------------- */

static double chance_of(const struct sal_question *q,
                        const struct sal_traps_chances *c, const char *text) {
  const char *rest;
  int32_t number = 0;
  if ((rest = sal_skip(text, "place ")) || (rest = sal_skip(text, "build ")))
    return (double)c->card[doors_card(rest)];
  if ((rest = sal_skip(text, "bet ")) && sal_number_read(rest, &number))
    return (double)c->bet[number];
  if ((rest = sal_skip(text, "reveal ")) && sal_number_read(rest, &number))
    return (double)(number == q->seat ? c->own : c->theirs);
  if (strcmp(text, "pass") == 0)
    return (double)c->pass;
  return strcmp(text, "stop") == 0 ? (double)c->stop : 1;
}

static bool time_is_left(void *timer) { return !timer_over(timer); }

/* What is the same for all questions of a round, and for no other by chance. */
static uint64_t round_hash(const struct sal_traps_deal *d) {
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

static bool ask(const struct sal_question *q, const struct sal_traps_deal *d,
                struct sal_traps_chances *out, uint64_t *iterations) {
  struct timer timer;
  timer_start(&timer, &q->budget, SAL_TRAPS_ITERATIONS);
  const uint32_t cap = timer.budget.simulations;
  const struct sal_traps_effort effort = {
      .iterations =
          cap && cap < SAL_TRAPS_ITERATIONS ? cap : SAL_TRAPS_ITERATIONS,
      .more = q->budget.seconds > 0 ? time_is_left : NULL,
      .context = &timer};
  struct slot new = {.player = NULL};
  struct slot *slot = borrow(round_hash(d), &new);
  const bool ok =
      slot->player && sal_traps_player_ask(slot->player, d, &effort, out);
  *iterations = ok ? sal_traps_player_effort(slot->player) : 0;
  give_back(slot, &new);
  return ok;
}

bool policy_traps_master(const struct sal_question *q, struct sal_policy *out) {
  struct sal_traps_deal d;
  struct sal_traps_chances chances;
  uint64_t iterations = 0;
  if (!policy || q->players != 2 || strcmp(q->game->info.id, "traps") != 0 ||
      !read_deal(q, &d) || (q->count > 1 && !ask(q, &d, &chances, &iterations)))
    return false;
  double sum = 0;
  for (size_t i = 0; i < q->count; i++) {
    struct phrase p;
    phrase_of(q, i, &p);
    out->chance[i] = q->count > 1 ? chance_of(q, &chances, p.text) : 1;
    sum += out->chance[i];
  }
  for (size_t i = 0; i < q->count; i++)
    out->value[i] = out->chance[i] =
        sum > 0 ? out->chance[i] / sum : 1 / (double)q->count;
  out->mixed = true;
  out->simulations = iterations;
  return true;
}
