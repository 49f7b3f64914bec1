/* The master: plays Doors by the solved policy, for the match and not only for
 * the round, and mixes its actions as best play does. (Traps for two is in
 * traps_master.c.)
 *
 * What it needs is public but for its own identity: the order of the cards in
 * this round, which its seat remembers, and the score. Main invariant: chances
 * are computed for all four identities and only then looked up for its own, so
 * nothing it gives away by the way it thinks differs between them. Where there
 * is no policy, no memory, or another game, the master is the expert. */
#include "search.h"

#include "salotto/solve.h"
#include "salotto/tensor.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 6, IDENTITIES = 4, WIN = 10, TURNS = 5 };
enum phase { TAKE, CLAIM, DISCARD, GUESS, PHASES };

/* ---- Players ---------------------------------------------------------------- */

/* A player keeps what it solved for the next question of the same round. Who
 * asks gets the one that knows the round, else the one that was not needed for
 * longest, and if all are busy a new one: nobody waits. */
enum { PLAYERS = 32 };
static struct slot {
  sal_doors_player *player;
  uint64_t round, used; /* when last, in questions */
  bool busy;
} slots[PLAYERS];
static atomic_flag slots_held = ATOMIC_FLAG_INIT;
static uint64_t questions;
static const sal_doors_policy *policy;

void sal_master_teach(const sal_doors_policy *p) {
  for (int i = 0; i < PLAYERS; i++)
    sal_doors_player_free(slots[i].player);
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
static struct slot *borrow(int blueprint, const struct sal_doors_history *h,
                           bool collector, struct slot *new) {
  uint64_t round = 2 * (uint64_t)blueprint + collector;
  for (int k = 0; k < KINDS; k++)
    round = round << 2 | h->offer[k];
  hold_slots();
  struct slot *s = slot_for(round);
  if (!s)
    s = new;
  s->busy = true;
  s->used = ++questions;
  s->round = round;
  atomic_flag_clear(&slots_held);
  if (!s->player)
    s->player = sal_doors_player_new(policy);
  return s;
}

static void give_back(struct slot *s, struct slot *new) {
  hold_slots();
  s->busy = false;
  atomic_flag_clear(&slots_held);
  sal_doors_player_free(new->player);
}

/* ---- What the seat knows ------------------------------------------------------ */

struct situation {
  int me, mine, theirs; /* identity and tokens */
  bool collecting;
  enum phase phase;
  uint8_t offer[KINDS], taken[KINDS], discarded[KINDS];
  struct sal_doors_history history;
};

static void read_counts(const float *t, uint8_t *n) {
  for (int k = 0; k < KINDS; k++)
    n[k] = (uint8_t)lrintf(t[k] * 3);
}

static int read_one(const float *t, int n) {
  int found = -1;
  for (int i = 0; i < n; i++)
    if (t[i] > 0)
      found = i;
  return found;
}

static bool read_view(const struct sal_question *q, struct situation *s) {
  float t[SAL_DOORS_TENSOR];
  q->game->tensor(q->view, t);
  s->me = read_one(t + SAL_DOORS_ME, IDENTITIES);
  s->phase = (enum phase)read_one(t + SAL_DOORS_PHASE, PHASES);
  s->collecting = t[SAL_DOORS_COLLECTING] > 0;
  s->mine = (int)lrintf(t[SAL_DOORS_TOKENS] * WIN);
  s->theirs = (int)lrintf(t[SAL_DOORS_TOKENS + 1] * WIN);
  read_counts(t + SAL_DOORS_OFFER, s->offer);
  read_counts(t + SAL_DOORS_COLLECTION, s->taken);
  read_counts(t + SAL_DOORS_DISCARDED, s->discarded);
  return s->me >= 0 && s->mine < WIN && s->theirs < WIN;
}

/* Follows one step of the round; false if it does not fit. */
static bool follow(const struct sal_game *g, const struct sal_seen *step,
                   struct sal_doors_history *h, bool *due) {
  char text[SAL_ACTION_TEXT_MAX];
  struct sal_text out;
  const char *card;
  sal_text_init(&out, text, sizeof text);
  g->action_text(step->action, &out);
  if (step->seat == SAL_CHANCE) {
    const int kind = doors_card(text);
    if (!*due || kind < 0)
      return false;
    h->refill[h->picks++] = (uint8_t)kind;
    *due = false;
    return true;
  }
  if ((card = sal_skip(text, "take ")) == NULL &&
      (card = sal_skip(text, "discard ")) == NULL)
    return !*due; /* the turn goes on */
  if (*due || h->picks == SAL_DOORS_PICKS || doors_card(card) < 0)
    return false;
  h->pick[h->picks] = (uint8_t)doors_card(card);
  *due = true;
  return true;
}

/* Does the history lead to the cards on the table? */
static bool fits(const struct situation *s) {
  const struct sal_doors_history *h = &s->history;
  uint8_t offer[KINDS], taken[2][KINDS] = {{0}};
  memcpy(offer, h->offer, sizeof offer);
  for (int i = 0; i < h->picks; i++) {
    offer[h->pick[i]]--;
    offer[h->refill[i]]++;
    taken[i % 2][h->pick[i]]++;
  }
  return memcmp(offer, s->offer, KINDS) == 0 &&
         memcmp(taken[0], s->taken, KINDS) == 0 &&
         memcmp(taken[1], s->discarded, KINDS) == 0;
}

static bool remember(const struct sal_question *q, struct situation *s) {
  const struct sal_memory *m = q->memory;
  float t[SAL_DOORS_TENSOR];
  bool due = false;
  if (!m || !m->begun)
    return false;
  memset(&s->history, 0, sizeof s->history);
  q->game->tensor((const sal_view *)m->start.bytes, t);
  read_counts(t + SAL_DOORS_OFFER, s->history.offer);
  for (size_t i = 0; i < m->count; i++)
    if (!follow(q->game, &m->step[i], &s->history, &due))
      return false;
  return !due && fits(s);
}

/* ---- Answers -------------------------------------------------------------------- */

static int guess_named(const char *s) {
  static const char *const names[SAL_DOORS_GUESSES] = {
      "red",      "blue",      "lady",      "tiger",
      "red lady", "blue lady", "red tiger", "blue tiger"};
  for (int i = 0; i < SAL_DOORS_GUESSES; i++)
    if (strcmp(s, names[i]) == 0)
      return i;
  return -1;
}

/* How likely best play does an action. */
static double chance_of(const struct situation *s,
                        const struct sal_doors_chances *c, const char *text) {
  const char *rest;
  if ((rest = sal_skip(text, "take ")) || (rest = sal_skip(text, "discard ")))
    return (double)c->pick[doors_card(rest)][s->me];
  if ((rest = sal_skip(text, "guess ")))
    return (double)c->say[guess_named(rest)][s->me];
  const bool claim = strcmp(text, "claim") == 0;
  if (s->phase == CLAIM)
    return claim ? 2 : 1e-9; /* nothing pays a Collector more */
  return (double)c->say[claim ? SAL_DOORS_CLAIM : SAL_DOORS_END][s->me];
}

static bool time_is_left(void *timer) { return !timer_over(timer); }

static bool ask(const struct sal_question *q, const struct situation *s,
                struct sal_doors_chances *out, uint64_t *iterations) {
  const int blueprint = s->collecting
                            ? sal_doors_policy_score(s->mine, s->theirs)
                            : sal_doors_policy_score(s->theirs, s->mine);
  struct timer timer;
  timer_start(&timer, &q->budget, SAL_DOORS_ITERATIONS);
  const uint32_t cap = timer.budget.simulations;
  const struct sal_doors_effort effort = {
      .iterations =
          cap && cap < SAL_DOORS_ITERATIONS ? cap : SAL_DOORS_ITERATIONS,
      .more = q->budget.seconds > 0 ? time_is_left : NULL,
      .context = &timer};
  struct slot new = {.player = NULL};
  struct slot *slot = borrow(blueprint, &s->history, s->collecting, &new);
  const bool ok =
      slot->player && sal_doors_player_ask(slot->player, blueprint, &s->history,
                                           s->collecting, &effort, out);
  *iterations = ok ? sal_doors_player_effort(slot->player) : 0;
  give_back(slot, &new);
  return ok;
}

void policy_master(const struct sal_question *q, struct sal_rng *rng,
                   struct sal_policy *out) {
  struct situation s;
  struct sal_doors_chances chances;
  uint64_t iterations = 0;
  if (policy_traps_master(q, out))
    return;
  if (!policy || strcmp(q->game->info.id, "doors") != 0 || !read_view(q, &s) ||
      (s.phase != CLAIM &&
       (!remember(q, &s) || !ask(q, &s, &chances, &iterations)))) {
    policy_expert(q, rng, out);
    return;
  }
  double sum = 0;
  for (size_t i = 0; i < q->count; i++) {
    struct phrase p;
    phrase_of(q, i, &p);
    out->chance[i] = chance_of(&s, &chances, p.text);
    sum += out->chance[i];
  }
  for (size_t i = 0; i < q->count; i++)
    out->value[i] = out->chance[i] =
        sum > 0 ? out->chance[i] / sum : 1 / (double)q->count;
  out->mixed = true;
  out->simulations = iterations;
}
