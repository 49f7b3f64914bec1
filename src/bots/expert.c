/* The expert: tries what is worth trying in worlds it believes in, and sees how
 * the deal ends when everybody then plays by the heuristic.
 *
 * All actions meet the same worlds and the same luck (common random numbers),
 * so that what differs is the action. The worse half is dropped by and by
 * (sequential halving): the time goes where the choice is hard. What is told of
 * an action is the mean chance to win after it. Among actions that are nearly as
 * good as the best the expert mixes where being read costs (`heat`). The endings
 * of Favor for two it has solved; with more it looks through auctions.
 *
 * In Doors and in Traps for two, where optimal play is known, it compares only
 * what optimal play does, and leans from its mixture to what does better against
 * people who play by habit. It watches for people of another kind: for bluffers in
 * Traps, in Doors for those who never guess. */
#include "master.h"
#include "rollout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  FEWEST = 2,      /* actions that are compared to the end */
  CLEAR_LEAST = 96 /* playouts of an action before anything is clear */
};
/* So many standard errors behind the best is clearly behind. */
static const double CLEAR = 4;
/* What optimal play does at least so often is as good as anything. Finding out
 * may take such a part of the time. */
static const double SUPPORT = 0.05, SOLVING = 0.5;
/* Where optimal play is known: an action that is better by so much against
 * people who play by habit is done e times as often as in the mixture. */
static const double LEAN = 0.15;

struct arm {
  size_t number; /* in the list of legal actions */
  double share;  /* how often optimal play does it, or 1 */
  uint32_t count;
  double sum, squares;
};

struct comparison {
  const struct sal_question *q;
  struct sal_rng *rng;
  struct timer timer;
  struct belief belief;
  struct rollout rollout;
  uint8_t (*manner)(const uint8_t *kind, int players);
  double heat;
  size_t arms, alive; /* those that are alive come first */
  struct arm arm[BREADTH];
};

static double arm_mean(const struct arm *a) {
  return a->count ? a->sum / a->count : 0;
}

/* Squared standard error. */
static double doubt(const struct arm *a) {
  const double m = arm_mean(a);
  const double v = (a->squares / a->count - m * m) / a->count;
  return v > 0 ? v : 0;
}

/* ---- Playing ------------------------------------------------------------- */

/* One world for all that are alive; false when the budget is spent. */
static bool compare_once(struct comparison *s) {
  union sal_state_box world, copy;
  struct sal_rng luck;
  float value[SAL_SEATS_MAX];
  memset(&world, 0, s->q->game->info.state_size);
  belief_draw(&s->belief, s->rng, (sal_state *)world.bytes, s->rollout.kind);
  if (s->manner)
    s->rollout.kind[s->q->seat] = s->manner(s->rollout.kind, s->q->players);
  const uint64_t seed = sal_rng_next(s->rng);
  for (size_t i = 0; i < s->alive; i++) {
    struct arm *a = &s->arm[i];
    if (!timer_more(&s->timer))
      return false;
    memcpy(&copy, &world, s->q->game->info.state_size);
    sal_rng_seed(&luck, seed);
    rollout_play(&s->rollout, (sal_state *)copy.bytes, s->q->legal[a->number],
                 &luck, value);
    const double v = value[s->q->seat];
    a->count++;
    a->sum += v;
    a->squares += v * v;
  }
  return true;
}

/* The best first. */
static void rank(struct comparison *s) {
  for (size_t i = 1; i < s->alive; i++) {
    const struct arm a = s->arm[i];
    size_t at = i;
    for (; at > 0 && arm_mean(&s->arm[at - 1]) < arm_mean(&a); at--)
      s->arm[at] = s->arm[at - 1];
    s->arm[at] = a;
  }
}

/* Whether more playouts would hardly change the answer: the best is clear. */
static bool clear(struct comparison *s) {
  if (s->timer.budget.seconds <= 0 || s->arm[0].count < CLEAR_LEAST)
    return false; /* a count is taken at its word */
  rank(s);
  for (size_t i = 1; i < s->alive; i++) {
    const double behind = arm_mean(&s->arm[0]) - arm_mean(&s->arm[i]);
    const double sure = sqrt(doubt(&s->arm[0]) + doubt(&s->arm[i]));
    if (behind < CLEAR * (sure + s->heat))
      return false;
  }
  return true;
}

/* How much of the budget is spent, from 0 to 1. */
static double spent(const struct timer *t) {
  double part = 0;
  if (t->budget.simulations)
    part = (double)t->done / t->budget.simulations;
  if (t->budget.seconds > 0 && (t->now - t->from) / t->budget.seconds > part)
    part = (t->now - t->from) / t->budget.seconds;
  return part;
}

static void halve(struct comparison *s) {
  rank(s);
  size_t keep = (s->alive + 1) / 2;
  while (keep < s->alive &&
         arm_mean(&s->arm[keep]) > arm_mean(&s->arm[0]) - 2 * s->heat)
    keep++;
  s->alive = keep;
}

static void compare_worlds(struct comparison *s) {
  int stages = 1, stage = 1;
  for (size_t n = s->arms; n > FEWEST; n = (n + 1) / 2)
    stages++;
  const double from = spent(&s->timer);
  for (uint64_t rows = 1; compare_once(s); rows++) {
    if (rows % 32 == 0 && clear(s))
      return;
    while (stage < stages &&
           spent(&s->timer) >= from + (1 - from) * stage / stages) {
      halve(s);
      stage++;
    }
  }
}

/* ---- Concluding ---------------------------------------------------------- */

/* Values of those that were dropped come from few playouts: none is told to be
 * better than one that outlived it. */
static void conclude_comparison(struct comparison *s, struct sal_policy *out) {
  double sum = 0, least = 1;
  if (s->arm[0].count == 0)
    return; /* no time: the heuristic stands */
  rank(s);
  for (size_t i = 0; i < s->q->count; i++) {
    out->value[i] = -1;
    out->chance[i] = 0;
  }
  for (size_t i = 0; i < s->arms && s->arm[i].count; i++) {
    const double v = arm_mean(&s->arm[i]);
    least = v < least ? v : least;
    out->value[s->arm[i].number] = least;
    if (i > 0 && (i >= s->alive || s->heat <= 0))
      continue;
    const double x = s->heat > 0 ? (v - arm_mean(&s->arm[0])) / s->heat : 0;
    sum += out->chance[s->arm[i].number] = s->arm[i].share * exp(x);
  }
  for (size_t i = 0; i < s->q->count; i++)
    out->chance[i] /= sum;
  out->valued = true;
  out->mixed = false;
  out->simulations = s->timer.done;
}

/* Where no heuristic prefers any: some drawn by lot. */
static size_t any_actions(const struct sal_question *q, size_t most,
                          struct sal_rng *rng, size_t *out) {
  size_t count = 0;
  for (size_t i = 0; i < q->count; i++) {
    const size_t at =
        count < most ? count++ : sal_rng_below(rng, (uint32_t)(i + 1));
    if (at < most)
      out[at] = i;
  }
  return count;
}

/* What is compared: the heuristic's favourites. */
static void list_favourites(struct comparison *s, const double *chance) {
  const struct heuristics *h = heuristics_of(s->q->game);
  size_t number[BREADTH];
  const bool fewer = s->q->players > 2 && h->breadth;
  const size_t most = fewer ? h->breadth : BREADTH;
  double *weight = s->rollout.weight;
  memcpy(weight, chance, s->q->count * sizeof *weight);
  if (fewer && h->consider)
    h->consider(s->q, weight);
  s->heat = fewer ? 0 : h->heat;
  s->arms = h->game ? favourites(s->q, weight, most, number)
                    : any_actions(s->q, most, s->rng, number);
  while (s->arms > 1 && weight[number[s->arms - 1]] < 0)
    s->arms--;
  s->alive = s->arms;
  for (size_t i = 0; i < s->arms; i++)
    s->arm[i] = (struct arm){.number = number[i], .share = 1};
}

/* What is compared: what optimal play does. */
static void list_optimal(struct comparison *s, const double *chance) {
  size_t number[BREADTH];
  const size_t count = favourites(s->q, chance, BREADTH, number);
  s->heat = LEAN;
  for (s->arms = 0; s->arms < count; s->arms++) {
    const size_t i = number[s->arms];
    if (s->arms > 0 && chance[i] < SUPPORT)
      break;
    s->arm[s->arms] = (struct arm){.number = i, .share = chance[i]};
  }
  s->alive = s->arms;
}

/* `out` has the chances of optimal play if they are known, else the heuristic's:
 * the answer if time is short. */
static void search_worlds(const struct sal_question *q, bool optimal,
                          const struct timer *timer, struct sal_rng *rng,
                          struct sal_policy *out) {
  const struct heuristics *h = heuristics_of(q->game);
  if (q->count == 1 || q->game->info.legal_max > LEGAL_MAX)
    return;
  struct comparison *s = malloc(sizeof *s);
  if (!s)
    return;
  s->q = q;
  s->rng = rng;
  s->timer = *timer;
  (optimal ? list_optimal : list_favourites)(s, out->chance);
  if (s->arms > 1 || !optimal) {
    rollout_begin(&s->rollout, q, rng);
    s->rollout.prospect.evaluate = h->evaluate;
    s->manner = h->manner;
    belief_of_seat(&s->belief, q, h->other[0] ? &trust_watchful : &trust_little,
                   timer, rng);
    compare_worlds(s);
    conclude_comparison(s, out);
  }
  free(s);
}

enum { PLAYOUTS = 4000 }; /* without a budget */

void policy_rollout(const struct sal_question *q, struct sal_rng *rng,
                    struct sal_policy *out) {
  struct timer timer;
  timer_start(&timer, &q->budget, PLAYOUTS);
  policy_heuristic(heuristics_of(q->game)->regular, q, out);
  search_worlds(q, false, &timer, rng, out);
}

/* Optimal play, if it is known here and there is time to look it up. */
static bool known(const struct sal_question *q, struct sal_policy *out) {
  struct sal_question asked = *q;
  asked.budget.seconds *= SOLVING;
  return policy_optimal(&asked, out);
}

void policy_expert(const struct sal_question *q, struct sal_rng *rng,
                   struct sal_policy *out) {
  struct timer timer;
  timer_start(&timer, &q->budget, PLAYOUTS);
  if (q->count > 1 && (policy_ending_favor(q, &timer, out) ||
                       policy_lots_favor(q, &timer, rng, out)))
    return;
  const bool optimal = q->count > 1 && known(q, out);
  if (!optimal)
    policy_heuristic(heuristics_of(q->game)->regular, q, out);
  if (!optimal || !timer_over(&timer))
    search_worlds(q, optimal, &timer, rng, out);
}
