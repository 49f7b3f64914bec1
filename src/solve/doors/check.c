/* How much can be won against somebody who plays by a policy: an independent
 * check of the whole pipeline, blueprints and solving at the table included.
 *
 * Main invariant: nothing here comes from the solver. The rules are written
 * once more, as counts of cards; of the policy only its answers are known; the
 * opponent may do whatever the rules allow, and every history is walked. One
 * thing is taken from the player's promise and tested on a part of the
 * histories: what is said on the Guesser's fifth turn does not depend on the
 * cards of that turn. */
#include "player.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
  CARD_KINDS = 6,
  PEOPLE = 4,
  LAST_TURN = 5,
  SET_SIZE = 4,
  CHECK_DEALS = 12,
  MOST_CHECK_PARTS = 64,
  MOST_CHECK_THREADS = 256,
  TEST_EVERY = 4096 /* of the fifth turns */
};

struct table {
  uint8_t deck[CARD_KINDS], offer[CARD_KINDS], taken[CARD_KINDS];
  unsigned cards; /* in the deck */
  int turn;
  struct sal_doors_history history;
};

/* A number for each identity. */
struct four {
  double of[PEOPLE];
};

struct check {
  const sal_doors_policy *policy;
  sal_doors_player *player;
  struct sal_doors_worth worth;
  struct sal_doors_effort effort;
  int blueprint;
  bool collector; /* which side the policy plays */
  bool broken;    /* the policy gave no sound answer */
  unsigned fifths;
};

/* ---- Rules ----------------------------------------------------------------- */

static void deal(struct table *t, const uint8_t *offer) {
  static const uint8_t clues[CARD_KINDS] = {3, 3, 3, 3, 1, 1};
  for (int k = 0; k < CARD_KINDS; k++) {
    t->offer[k] = offer[k];
    t->deck[k] = (uint8_t)(clues[k] - offer[k]);
    t->cards += t->deck[k];
  }
}

/* Does the collection hold four cards of a trait of this identity? Bit 0 of an
 * identity is its colour, bit 1 its role; BR counts for any colour, LT for any
 * role. */
static bool has_set(const struct table *t, int identity) {
  int colour = t->taken[4], role = t->taken[5];
  for (int k = 0; k < PEOPLE; k++) {
    colour += (k & 1) == (identity & 1) ? t->taken[k] : 0;
    role += (k >> 1) == (identity >> 1) ? t->taken[k] : 0;
  }
  return colour >= SET_SIZE || role >= SET_SIZE;
}

static bool is_right(int guess, int identity) {
  if (guess < 2)
    return guess == (identity & 1);
  if (guess < 4)
    return guess - 2 == identity >> 1;
  return guess - 4 == identity;
}

/* What the Collector wins by a guess. */
static double guess_pays(const struct check *c, int guess, int collector) {
  if (!is_right(guess, collector))
    return (double)c->worth.wrong;
  return guess < 4 ? (double)c->worth.trait : (double)c->worth.both;
}

/* Everybody but this identity. */
static double met(const struct four *reach, int identity) {
  double sum = 0;
  for (int i = 0; i < PEOPLE; i++)
    sum += i == identity ? 0 : reach->of[i];
  return sum;
}

static bool nobody(const struct four *reach) {
  for (int i = 0; i < PEOPLE; i++)
    if (reach->of[i] > 0)
      return false;
  return true;
}

/* ---- The policy's answers --------------------------------------------------- */

static struct sal_doors_chances ask_policy(struct check *c,
                                           const struct table *t) {
  struct sal_doors_chances out;
  if (!sal_doors_player_ask(c->player, c->blueprint, &t->history, c->collector,
                            &c->effort, &out))
    c->broken = true;
  return out;
}

/* An answer is chances of cards that are there, and they are all. */
static void test_picks(struct check *c, const struct table *t,
                       const struct sal_doors_chances *p) {
  for (int i = 0; i < PEOPLE; i++) {
    double sum = 0;
    for (int k = 0; k < CARD_KINDS; k++) {
      const double x = (double)p->pick[k][i];
      if (!(x >= 0) || (x > 0 && !t->offer[k]))
        c->broken = true;
      sum += x;
    }
    if (!(fabs(sum - 1) < 1e-3))
      c->broken = true;
  }
}

static void test_sayings(struct check *c, const struct table *t,
                         const struct sal_doors_chances *p) {
  for (int i = 0; i < PEOPLE; i++) {
    double sum = 0;
    for (int k = 0; k <= SAL_DOORS_END; k++) {
      const double x = (double)p->say[k][i];
      if (!(x >= 0) || (x > 1e-6 && k == SAL_DOORS_CLAIM && !has_set(t, i)))
        c->broken = true;
      sum += x;
    }
    if (!(fabs(sum - 1) < 1e-3))
      c->broken = true;
  }
}

static struct four played(const struct four *reach, const float *chance) {
  struct four out;
  for (int i = 0; i < PEOPLE; i++)
    out.of[i] = reach->of[i] * (double)chance[i];
  return out;
}

/* ---- Walking ------------------------------------------------------------------ */

/* Values are what the Collector wins, by the identity of the opponent of the
 * policy; reaches are those of the policy's own side. */
typedef struct four step_fn(struct check *c, struct table *t,
                            const struct four *reach);

static void add_scaled(struct four *to, const struct four *from, double scale) {
  for (int i = 0; i < PEOPLE; i++)
    to->of[i] += from->of[i] * scale;
}

/* Picks a card, and goes on after each card that can come. */
static struct four pick(struct check *c, struct table *t, int kind,
                        const struct four *reach, step_fn *next) {
  struct four sum = {{0}};
  struct sal_doors_history *h = &t->history;
  const double cards = t->cards;
  t->offer[kind]--;
  h->pick[h->picks] = (uint8_t)kind;
  for (int k = 0; k < CARD_KINDS; k++) {
    const double chance = t->deck[k] / cards;
    if (!t->deck[k])
      continue;
    t->deck[k]--;
    t->cards--;
    t->offer[k]++;
    h->refill[h->picks++] = (uint8_t)k;
    const struct four v = next(c, t, reach);
    add_scaled(&sum, &v, chance);
    h->picks--;
    t->offer[k]--;
    t->cards++;
    t->deck[k]++;
  }
  t->offer[kind]++;
  return sum;
}

static struct four value_of_take(struct check *c, struct table *t,
                                 const struct four *reach);

/* The better for the opponent: the Collector wants more, the Guesser less. */
static void choose(const struct check *c, struct four *best,
                   const struct four *v) {
  for (int i = 0; i < PEOPLE; i++)
    if (c->collector ? v->of[i] < best->of[i] : v->of[i] > best->of[i])
      best->of[i] = v->of[i];
}

static struct four worst(const struct check *c) {
  const double x = c->collector ? HUGE_VAL : -HUGE_VAL;
  return (struct four){{x, x, x, x}};
}

static struct four all_win(const struct four *reach, double worth) {
  struct four v;
  for (int i = 0; i < PEOPLE; i++)
    v.of[i] = met(reach, i) * worth;
  return v;
}

/* ---- The Guesser's guess ------------------------------------------------------ */

static struct four next_turn(struct check *c, struct table *t,
                             const struct four *reach) {
  if (t->turn == LAST_TURN)
    return all_win(reach, (double)c->worth.deck_out);
  t->turn++;
  const struct four v = value_of_take(c, t, reach);
  t->turn--;
  return v;
}

/* The policy speaks: what a Collector of each identity wins. */
static struct four say_by_policy(struct check *c, struct table *t,
                                 const struct four *reach) {
  const struct sal_doors_chances p = ask_policy(c, t);
  test_sayings(c, t, &p);
  const struct four on = played(reach, p.say[SAL_DOORS_END]);
  const struct four claim = played(reach, p.say[SAL_DOORS_CLAIM]);
  struct four v = all_win(&claim, (double)c->worth.guesser_set);
  for (int guess = 0; guess < SAL_DOORS_GUESSES; guess++) {
    const struct four who = played(reach, p.say[guess]);
    for (int i = 0; i < PEOPLE; i++)
      v.of[i] += met(&who, i) * guess_pays(c, guess, i);
  }
  if (!nobody(&on)) {
    const struct four rest = next_turn(c, t, &on);
    add_scaled(&v, &rest, 1);
  }
  return v;
}

/* The best Guesser speaks. */
static struct four say_best(struct check *c, struct table *t,
                            const struct four *reach) {
  struct four best = next_turn(c, t, reach);
  const struct four claim = all_win(reach, (double)c->worth.guesser_set);
  for (int i = 0; i < PEOPLE; i++)
    if (has_set(t, i) && claim.of[i] < best.of[i])
      best.of[i] = claim.of[i];
  for (int guess = 0; guess < SAL_DOORS_GUESSES; guess++) {
    struct four v = {{0}};
    for (int g = 0; g < PEOPLE; g++)
      for (int i = 0; i < PEOPLE; i++)
        v.of[g] += i == g ? 0 : reach->of[i] * guess_pays(c, guess, i);
    choose(c, &best, &v);
  }
  return best;
}

static struct four value_of_name(struct check *c, struct table *t,
                                 const struct four *reach) {
  return c->collector ? say_best(c, t, reach) : say_by_policy(c, t, reach);
}

/* ---- Picks ---------------------------------------------------------------------- */

static struct four pick_by_policy(struct check *c, struct table *t,
                                  const struct four *reach, bool collection,
                                  step_fn *next) {
  const struct sal_doors_chances p = ask_policy(c, t);
  struct four sum = {{0}};
  test_picks(c, t, &p);
  for (int k = 0; k < CARD_KINDS; k++) {
    const struct four who = played(reach, p.pick[k]);
    if (!t->offer[k] || nobody(&who))
      continue;
    t->taken[k] = (uint8_t)(t->taken[k] + collection);
    const struct four v = pick(c, t, k, &who, next);
    t->taken[k] = (uint8_t)(t->taken[k] - collection);
    add_scaled(&sum, &v, 1);
  }
  return sum;
}

static struct four pick_best(struct check *c, struct table *t,
                             const struct four *reach, bool collection,
                             step_fn *next) {
  struct four best = worst(c);
  for (int k = 0; k < CARD_KINDS; k++)
    if (t->offer[k]) {
      t->taken[k] = (uint8_t)(t->taken[k] + collection);
      const struct four v = pick(c, t, k, reach, next);
      t->taken[k] = (uint8_t)(t->taken[k] - collection);
      choose(c, &best, &v);
    }
  return best;
}

static struct four discard(struct check *c, struct table *t,
                           const struct four *reach) {
  return c->collector ? pick_best(c, t, reach, false, value_of_name)
                      : pick_by_policy(c, t, reach, false, value_of_name);
}

/* A Collector who plays by the policy claims; the best one need not. */
static struct four claim(struct check *c, struct table *t,
                         const struct four *reach) {
  if (c->collector) {
    struct four rest = *reach, claimed = {{0}};
    for (int i = 0; i < PEOPLE; i++)
      if (has_set(t, i)) {
        claimed.of[i] = reach->of[i];
        rest.of[i] = 0;
      }
    struct four v = all_win(&claimed, (double)c->worth.set);
    if (!nobody(&rest)) {
      const struct four on = discard(c, t, &rest);
      add_scaled(&v, &on, 1);
    }
    return v;
  }
  struct four v = discard(c, t, reach);
  for (int i = 0; i < PEOPLE; i++) {
    const double set = met(reach, i) * (double)c->worth.set;
    if (has_set(t, i) && set > v.of[i])
      v.of[i] = set;
  }
  return v;
}

static bool same(const struct four *a, const struct four *b) {
  for (int i = 0; i < PEOPLE; i++)
    if (fabs(a->of[i] - b->of[i]) > 1e-6)
      return false;
  return true;
}

/* The fifth turn of a Guesser who says the same whatever comes in it: the
 * first card is taken, discarded, and comes; a set pays whoever can complete
 * it. */
static struct four short_fifth(struct check *c, struct table *t,
                               const struct four *reach) {
  struct table end = *t;
  for (int picks = 0; picks < 2; picks++) {
    int gone = 0, comes = 0;
    while (!end.offer[gone])
      gone++;
    while (!end.deck[comes])
      comes++;
    end.offer[gone]--;
    end.taken[gone] = (uint8_t)(end.taken[gone] + (picks == 0));
    end.offer[comes]++;
    end.deck[comes]--;
    end.history.pick[end.history.picks] = (uint8_t)gone;
    end.history.refill[end.history.picks++] = (uint8_t)comes;
  }
  struct four v = say_by_policy(c, &end, reach);
  for (int k = 0; k < CARD_KINDS; k++)
    if (t->offer[k]) {
      t->taken[k]++;
      for (int i = 0; i < PEOPLE; i++) {
        const double set = met(reach, i) * (double)c->worth.set;
        if (has_set(t, i) && set > v.of[i])
          v.of[i] = set;
      }
      t->taken[k]--;
    }
  return v;
}

static struct four value_of_take(struct check *c, struct table *t,
                                 const struct four *reach) {
  if (c->collector)
    return pick_by_policy(c, t, reach, true, claim);
  if (t->turn < LAST_TURN)
    return pick_best(c, t, reach, true, claim);
  const struct four quick = short_fifth(c, t, reach);
  if (c->fifths++ % TEST_EVERY == 0) {
    const struct four full = pick_best(c, t, reach, true, claim);
    if (!same(&quick, &full))
      c->broken = true;
  }
  return quick;
}

/* ---- Parts ------------------------------------------------------------------------ */

/* The first take and what comes cut the histories; each part is walked by one
 * thread with a player of its own. */
struct part {
  struct table table;
  int kind; /* that was taken */
  struct four reach, value;
  double chance;
};

struct job {
  struct check check;
  struct part part[MOST_CHECK_PARTS];
  int parts;
  atomic_int next;
  atomic_bool broken;
};

static void cut(struct job *j, struct table *t) {
  struct check *c = &j->check;
  struct sal_doors_chances p = {0};
  if (c->collector) {
    p = ask_policy(c, t);
    test_picks(c, t, &p);
  }
  for (int k = 0; k < CARD_KINDS; k++)
    for (int r = 0; t->offer[k] && r < CARD_KINDS; r++) {
      if (!t->deck[r])
        continue;
      struct part *part = &j->part[j->parts++];
      *part = (struct part){.table = *t, .kind = k};
      part->chance = t->deck[r] / (double)t->cards;
      part->table.offer[k]--;
      part->table.taken[k]++;
      part->table.offer[r]++;
      part->table.deck[r]--;
      part->table.cards--;
      part->table.history.pick[0] = (uint8_t)k;
      part->table.history.refill[0] = (uint8_t)r;
      part->table.history.picks = 1;
      for (int i = 0; i < PEOPLE; i++)
        part->reach.of[i] = c->collector ? (double)p.pick[k][i] : 1;
    }
}

static void *check_parts(void *context) {
  struct job *j = context;
  struct check c = j->check;
  c.player = sal_doors_player_new(c.policy);
  c.broken = c.player == NULL;
  if (c.player)
    player_note_all(c.player);
  for (int i; !c.broken && (i = atomic_fetch_add(&j->next, 1)) < j->parts;)
    j->part[i].value = claim(&c, &j->part[i].table, &j->part[i].reach);
  if (c.broken)
    atomic_store(&j->broken, true);
  sal_doors_player_free(c.player);
  return NULL;
}

static void work_together(struct job *j, int threads) {
  pthread_t thread[MOST_CHECK_THREADS];
  int started = 0;
  while (started < threads - 1 && started < MOST_CHECK_THREADS &&
         pthread_create(&thread[started], NULL, check_parts, j) == 0)
    started++;
  check_parts(j);
  while (started > 0)
    pthread_join(thread[--started], NULL);
}

/* The policy's Collector mixes the takes; the best Collector chooses one. */
static double sum_up(const struct job *j) {
  struct four by_kind[CARD_KINDS] = {{{0}}}, total;
  bool some[CARD_KINDS] = {false};
  for (int i = 0; i < j->parts; i++) {
    add_scaled(&by_kind[j->part[i].kind], &j->part[i].value, j->part[i].chance);
    some[j->part[i].kind] = true;
  }
  total = j->check.collector ? (struct four){{0}} : worst(&j->check);
  for (int k = 0; k < CARD_KINDS; k++)
    if (some[k] && j->check.collector)
      add_scaled(&total, &by_kind[k], 1);
    else if (some[k])
      choose(&j->check, &total, &by_kind[k]);
  return (total.of[0] + total.of[1] + total.of[2] + total.of[3]) / CHECK_DEALS;
}

bool policy_check_from(const sal_doors_policy *p, int blueprint,
                       const struct sal_doors_history *h, bool collector,
                       uint32_t iterations, const double reach[PEOPLE],
                       double value[PEOPLE]) {
  struct check c = {.policy = p,
                    .player = sal_doors_player_new(p),
                    .worth = sal_doors_policy_worth(p, blueprint),
                    .effort = {.iterations = iterations},
                    .blueprint = blueprint,
                    .collector = collector};
  struct table t = {.turn = (h->picks + 1) / 2, .history = *h};
  struct four r;
  if (!c.player)
    return false;
  player_note_all(c.player);
  deal(&t, h->offer);
  for (int i = 0; i < h->picks; i++) {
    t.offer[h->pick[i]]--;
    t.offer[h->refill[i]]++;
    t.deck[h->refill[i]]--;
    t.cards--;
    if (i % 2 == 0)
      t.taken[h->pick[i]]++;
  }
  memcpy(r.of, reach, sizeof r.of);
  const struct four v = discard(&c, &t, &r);
  memcpy(value, v.of, sizeof v.of);
  sal_doors_player_free(c.player);
  return !c.broken;
}

bool sal_doors_policy_check(const sal_doors_policy *p, int blueprint,
                            const uint8_t offer[SAL_DOORS_KINDS],
                            bool collector, uint32_t iterations, int threads,
                            double *wins) {
  struct job *j = calloc(1, sizeof *j);
  struct table t = {.turn = 1};
  if (!j)
    return false;
  deal(&t, offer);
  memcpy(t.history.offer, offer, CARD_KINDS);
  j->check = (struct check){.policy = p,
                            .player = sal_doors_player_new(p),
                            .worth = sal_doors_policy_worth(p, blueprint),
                            .effort = {.iterations = iterations},
                            .blueprint = blueprint,
                            .collector = collector};
  bool ok = j->check.player != NULL;
  if (ok) {
    cut(j, &t);
    sal_doors_player_free(j->check.player);
    work_together(j, threads);
    ok = !j->check.broken && !atomic_load(&j->broken);
    *wins = sum_up(j);
  }
  free(j);
  return ok;
}
