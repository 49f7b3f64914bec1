/* The walk of check.h. Main invariant: nothing here comes from the solver but
 * the policy's answers, and what its blueprint promises where that is asked
 * for. */
#include "check.h"

#include <math.h>
#include <string.h>

enum { SET_SIZE = 4, TEST_EVERY = 4096 /* of the fifth turns */ };

/* ---- Rules ----------------------------------------------------------------- */

void table_deal(struct table *t, const uint8_t *offer) {
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
bool table_has_set(const struct table *t, int identity) {
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
double check_met(const struct four *reach, int identity) {
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

struct sal_doors_chances check_ask(struct check *c, const struct table *t) {
  struct sal_doors_chances out;
  if (!sal_doors_player_ask(c->player, c->blueprint, &t->history, c->collector,
                            &c->effort, &out))
    c->broken = true;
  return out;
}

/* An answer is chances of cards that are there, and they are all. */
void check_picks_sound(struct check *c, const struct table *t,
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
      if (!(x >= 0) ||
          (x > 1e-6 && k == SAL_DOORS_CLAIM && !table_has_set(t, i)))
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

void add_scaled(struct four *to, const struct four *from, double scale) {
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
void check_choose(const struct check *c, struct four *best,
                  const struct four *v) {
  for (int i = 0; i < PEOPLE; i++)
    if (c->collector ? v->of[i] < best->of[i] : v->of[i] > best->of[i])
      best->of[i] = v->of[i];
}

struct four check_worst(const struct check *c) {
  const double x = c->collector ? HUGE_VAL : -HUGE_VAL;
  return (struct four){{x, x, x, x}};
}

static struct four all_win(const struct four *reach, double worth) {
  struct four v;
  for (int i = 0; i < PEOPLE; i++)
    v.of[i] = check_met(reach, i) * worth;
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
  const struct sal_doors_chances p = check_ask(c, t);
  test_sayings(c, t, &p);
  const struct four on = played(reach, p.say[SAL_DOORS_END]);
  const struct four claim = played(reach, p.say[SAL_DOORS_CLAIM]);
  struct four v = all_win(&claim, (double)c->worth.guesser_set);
  for (int guess = 0; guess < SAL_DOORS_GUESSES; guess++) {
    const struct four who = played(reach, p.say[guess]);
    for (int i = 0; i < PEOPLE; i++)
      v.of[i] += check_met(&who, i) * guess_pays(c, guess, i);
  }
  if (!nobody(&on)) {
    const struct four rest = next_turn(c, t, &on);
    add_scaled(&v, &rest, 1);
  }
  return v;
}

struct four check_say(struct check *c, struct table *t, int saying,
                      const struct four *reach) {
  if (saying == SAL_DOORS_END)
    return next_turn(c, t, reach);
  if (saying == SAL_DOORS_CLAIM)
    return all_win(reach, (double)c->worth.guesser_set);
  struct four v = {{0}};
  for (int g = 0; g < PEOPLE; g++)
    for (int i = 0; i < PEOPLE; i++)
      v.of[g] += i == g ? 0 : reach->of[i] * guess_pays(c, saying, i);
  return v;
}

/* The best Guesser speaks. */
static struct four say_best(struct check *c, struct table *t,
                            const struct four *reach) {
  struct four best = check_say(c, t, SAL_DOORS_END, reach);
  const struct four claim = check_say(c, t, SAL_DOORS_CLAIM, reach);
  for (int i = 0; i < PEOPLE; i++)
    if (table_has_set(t, i) && claim.of[i] < best.of[i])
      best.of[i] = claim.of[i];
  for (int guess = 0; guess < SAL_DOORS_GUESSES; guess++) {
    const struct four v = check_say(c, t, guess, reach);
    check_choose(c, &best, &v);
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
  const struct sal_doors_chances p = check_ask(c, t);
  struct four sum = {{0}};
  check_picks_sound(c, t, &p);
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
                             const struct four *reach) {
  struct four best = check_worst(c);
  for (int k = 0; k < CARD_KINDS; k++)
    if (t->offer[k]) {
      const struct four v = check_pick(c, t, k, reach);
      check_choose(c, &best, &v);
    }
  return best;
}

/* What the blueprint promises the opponent of each identity, who meets the
 * policy's own as they come here. */
static struct four promise(struct check *c, const struct table *t,
                           const struct four *reach) {
  struct four v;
  if (!player_promise(c->player, c->blueprint, &t->history, c->collector, v.of))
    c->broken = true;
  for (int i = 0; i < PEOPLE; i++)
    v.of[i] *= check_met(reach, i);
  return v;
}

struct four check_discard(struct check *c, struct table *t,
                          const struct four *reach) {
  if (c->promised && t->history.picks == 3)
    return promise(c, t, reach);
  return c->collector ? pick_best(c, t, reach)
                      : pick_by_policy(c, t, reach, false, value_of_name);
}

/* A Collector who plays by the policy claims; the best one need not. */
struct four check_claim(struct check *c, struct table *t,
                        const struct four *reach) {
  if (c->collector) {
    struct four rest = *reach, claimed = {{0}};
    for (int i = 0; i < PEOPLE; i++)
      if (table_has_set(t, i)) {
        claimed.of[i] = reach->of[i];
        rest.of[i] = 0;
      }
    struct four v = all_win(&claimed, (double)c->worth.set);
    if (!nobody(&rest)) {
      const struct four on = check_discard(c, t, &rest);
      add_scaled(&v, &on, 1);
    }
    return v;
  }
  struct four v = check_discard(c, t, reach);
  for (int i = 0; i < PEOPLE; i++) {
    const double set = check_met(reach, i) * (double)c->worth.set;
    if (table_has_set(t, i) && set > v.of[i])
      v.of[i] = set;
  }
  return v;
}

struct four check_pick(struct check *c, struct table *t, int kind,
                       const struct four *reach) {
  if (c->collector)
    return pick(c, t, kind, reach, value_of_name);
  t->taken[kind]++;
  const struct four v = pick(c, t, kind, reach, check_claim);
  t->taken[kind]--;
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
        const double set = check_met(reach, i) * (double)c->worth.set;
        if (table_has_set(t, i) && set > v.of[i])
          v.of[i] = set;
      }
      t->taken[k]--;
    }
  return v;
}

static struct four value_of_take(struct check *c, struct table *t,
                                 const struct four *reach) {
  if (c->collector)
    return pick_by_policy(c, t, reach, true, check_claim);
  if (t->turn < LAST_TURN)
    return pick_best(c, t, reach);
  const struct four quick = short_fifth(c, t, reach);
  if (c->fifths++ % TEST_EVERY == 0) {
    const struct four full = pick_best(c, t, reach);
    if (!same(&quick, &full))
      c->broken = true;
  }
  return quick;
}

void table_at(struct table *t, const struct sal_doors_history *h) {
  *t = (struct table){.turn = (h->picks + 1) / 2, .history = *h};
  table_deal(t, h->offer);
  for (int i = 0; i < h->picks; i++) {
    t->offer[h->pick[i]]--;
    t->offer[h->refill[i]]++;
    t->deck[h->refill[i]]--;
    t->cards--;
    if (i % 2 == 0)
      t->taken[h->pick[i]]++;
  }
}
