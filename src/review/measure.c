/* Playouts, and comparing actions by them. See measure.h. */
#include "measure.h"
#include "master.h"
#include "standing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 4000, FIRST_LOOK = 4 };
/* Of the solver of Doors: for a quick look, and for a long one. */
enum { SOLVER_QUICK = 64, SOLVER_LONG = 256, LONG_LOOK = 1000 };
/* So many standard errors behind the best after the first look: dropped. */
static const double HOPELESS = 3;

struct measure *measure_new(const struct sal_game *g, int players) {
  struct measure *m = calloc(1, sizeof *m);
  if (!m)
    return NULL;
  m->game = g;
  m->players = players;
  m->heuristics = heuristics_of(g);
  if (players == 2)
    m->chances = standing_of(g) ? chances_by_standing : m->heuristics->chances;
  m->legal = calloc(g->info.legal_max, sizeof *m->legal);
  m->weight = calloc(g->info.legal_max, sizeof *m->weight);
  if (m->legal && m->weight)
    return m;
  measure_free(m);
  return NULL;
}

void measure_free(struct measure *m) {
  if (!m)
    return;
  free(m->legal);
  free(m->weight);
  free(m);
}

void measure_habit(const struct sal_question *q, double *chance) {
  double sum = 0;
  heuristics_of(q->game)->regular(q, chance);
  for (size_t i = 0; i < q->count; i++)
    sum += chance[i];
  for (size_t i = 0; i < q->count; i++)
    chance[i] /= sum;
}

/* ---- Playouts ------------------------------------------------------------- */

struct mark measure_mark(const struct measure *m, const sal_state *s) {
  return (struct mark){
      m->game->closed(s),
      m->heuristics->round ? round_seen(m->heuristics->round, m->game, s) : 0};
}

/* Whether a draw is due that begins another deal or round than the mark's, or
 * the game is over: then the chances are known without a playout. */
static bool is_settled(const struct measure *m, struct mark mark,
                       const sal_state *s) {
  const unsigned asked = m->game->to_act(s);
  if (asked == 0)
    return true;
  if (!m->chances)
    return false;
  if (m->game->closed(s) != mark.closed)
    return true;
  return asked == SAL_CHANCE_BIT && m->heuristics->by_round &&
         (!m->heuristics->round ||
          round_seen(m->heuristics->round, m->game, s) != mark.round);
}

static void known_chances(const struct measure *m, const sal_state *s,
                          double *share) {
  const unsigned winners = m->game->winners(s);
  if (!winners && m->chances && m->game->to_act(s) != 0) {
    m->chances(m->game, s, m->players, share);
    return;
  }
  const unsigned among = winners ? winners : (1u << m->players) - 1;
  for (int i = 0; i < m->players; i++)
    share[i] = (double)(among >> i & 1) / (double)__builtin_popcount(among);
}

static void act_by_habit(struct measure *m, sal_state *s, int seat,
                         struct sal_rng *rng) {
  const struct sal_game *g = m->game;
  const size_t count = g->legal(s, seat, m->legal);
  size_t chosen = 0;
  if (count > 1) {
    union sal_view_box box;
    g->view(s, seat, (sal_view *)box.bytes);
    const struct sal_question asked = {.game = g,
                                       .players = m->players,
                                       .seat = seat,
                                       .view = (const sal_view *)box.bytes,
                                       .legal = m->legal,
                                       .count = count};
    m->heuristics->regular(&asked, m->weight);
    chosen = draw_weighted(m->weight, count, rng);
  }
  g->apply(s, seat, m->legal[chosen], NULL);
}

void measure_playout(struct measure *m, struct mark mark, sal_state *s,
                     struct sal_rng *rng, double *share) {
  for (int steps = 0; steps < STEPS && !is_settled(m, mark, s); steps++) {
    const unsigned asked = m->game->to_act(s);
    if (asked == SAL_CHANCE_BIT)
      m->game->sample(s, rng);
    else
      act_by_habit(m, s, __builtin_ctz(asked), rng);
  }
  known_chances(m, s, share);
}

/* Draws what is due, and marks anew: a draw may end a round and begin the
 * next. */
static struct mark deal_on(const struct measure *m, struct mark mark,
                           sal_state *s, struct sal_rng *rng) {
  if (m->game->to_act(s) != SAL_CHANCE_BIT && !is_settled(m, mark, s))
    return mark;
  while (m->game->to_act(s) == SAL_CHANCE_BIT)
    m->game->sample(s, rng);
  return measure_mark(m, s);
}

void measure_state(struct measure *m, struct mark mark, const sal_state *s,
                   uint32_t playouts, struct sal_rng *rng, double *share) {
  double sum[SAL_SEATS_MAX] = {0}, one[SAL_SEATS_MAX];
  if (m->game->to_act(s) == 0) {
    known_chances(m, s, share);
    return;
  }
  for (uint32_t n = 0; n < playouts; n++) {
    union sal_state_box box;
    sal_state *copy = (sal_state *)box.bytes;
    memcpy(&box, s, m->game->info.state_size);
    measure_playout(m, deal_on(m, mark, copy, rng), copy, rng, one);
    for (int i = 0; i < m->players; i++)
      sum[i] += one[i];
  }
  for (int i = 0; i < m->players; i++)
    share[i] = sum[i] / playouts;
}

/* ---- Decisions ------------------------------------------------------------ */

void measure_believe(struct measure *m, const struct sal_question *q,
                     const struct trust *trust, struct sal_rng *rng) {
  static const struct timer no_limit;
  if (m->game->info.legal_max <= LEGAL_MAX)
    belief_of_seat(&m->belief, q, trust, &no_limit, rng);
  else /* more than the bots have room for: any world that fits */
    m->belief =
        (struct belief){.game = q->game, .view = q->view, .viewer = q->seat};
}

void measure_question(struct measure *m, const struct sal_question *q,
                      uint32_t playouts, struct sal_rng *rng, double *share,
                      double *error) {
  double one[SAL_SEATS_MAX], squares = 0;
  memset(share, 0, SAL_SEATS_MAX * sizeof *share);
  measure_believe(m, q, &trust_habit, rng);
  for (uint32_t n = 0; n < playouts; n++) {
    union sal_state_box box;
    sal_state *s = (sal_state *)box.bytes;
    memset(&box, 0, sizeof box);
    belief_draw(&m->belief, rng, s, NULL);
    measure_playout(m, measure_mark(m, s), s, rng, one);
    squares += one[q->seat] * one[q->seat] / playouts;
    for (int i = 0; i < m->players; i++)
      share[i] += one[i] / playouts;
  }
  const double spread = squares - share[q->seat] * share[q->seat];
  if (error)
    *error = spread > 0 ? sqrt(spread / playouts) : 0;
}

struct comparison {
  struct measure *m;
  const struct sal_question *q;
  struct decision *out;
  uint32_t worlds, first; /* all of them, and those of the first look */
  uint32_t done;          /* those that were tried before the time was up */
  float *value;           /* of the seat, by option and world */
  double sum[BREADTH + 1][SAL_SEATS_MAX], early[BREADTH + 1][SAL_SEATS_MAX];
  bool dropped[BREADTH + 1];
};

/* The actions worth a look; the habitual player's chances among them. */
static bool choose_options(const struct sal_question *q, sal_action played,
                           struct decision *out) {
  size_t number[BREADTH];
  double sum = 0, *chance = calloc(q->count, sizeof *chance);
  if (!chance)
    return false;
  measure_habit(q, chance);
  out->count = favourites(q, chance, BREADTH, number);
  bool there = played == 0;
  for (size_t i = 0; i < out->count; i++)
    there |= q->legal[number[i]] == played;
  for (size_t i = 0; i < out->count; i++)
    out->option[i] = (struct option_value){
        .number = number[i], .habit = chance[number[i]], .often = -1};
  for (size_t i = 0; !there && i < q->count; i++)
    if (q->legal[i] == played)
      out->option[out->count++] =
          (struct option_value){.number = i, .habit = chance[i], .often = -1};
  for (size_t i = 0; i < out->count; i++)
    sum += out->option[i].habit;
  for (size_t i = 0; i < out->count; i++)
    out->option[i].habit /= sum;
  free(chance);
  return true;
}

/* One world for all options that are left. */
static void compare_once(struct comparison *c, uint32_t n,
                         struct sal_rng *rng) {
  const struct sal_game *g = c->q->game;
  union sal_state_box world, copy;
  memset(&world, 0, g->info.state_size);
  belief_draw(&c->m->belief, rng, (sal_state *)world.bytes, NULL);
  const uint64_t seed = sal_rng_next(rng);
  const struct mark mark = measure_mark(c->m, (const sal_state *)world.bytes);
  for (size_t i = 0; i < c->out->count; i++) {
    struct sal_rng luck;
    double share[SAL_SEATS_MAX];
    if (c->dropped[i])
      continue;
    memcpy(&copy, &world, g->info.state_size);
    sal_rng_seed(&luck, seed);
    g->apply((sal_state *)copy.bytes, c->q->seat,
             c->q->legal[c->out->option[i].number], NULL);
    measure_playout(c->m, mark, (sal_state *)copy.bytes, &luck, share);
    c->value[i * c->worlds + n] = (float)share[c->q->seat];
    for (int s = 0; s < c->m->players; s++)
      c->sum[i][s] += share[s];
    c->out->option[i].worlds++;
  }
}

/* Mean and standard error of what option b has on option a where both were
 * tried. */
static double distance(const struct comparison *c, size_t a, size_t b,
                       double *error) {
  const uint32_t wa = c->out->option[a].worlds, wb = c->out->option[b].worlds;
  const uint32_t n = wa < wb ? wa : wb;
  double sum = 0, squares = 0;
  for (uint32_t i = 0; i < n; i++) {
    const double d = (double)c->value[b * c->worlds + i] -
                     (double)c->value[a * c->worlds + i];
    sum += d;
    squares += d * d;
  }
  const double mean = sum / n, spread = squares / n - mean * mean;
  *error = n > 1 && spread > 0 ? sqrt(spread / (n - 1)) : 0;
  return mean;
}

static size_t leader(const struct comparison *c) {
  const int me = c->q->seat;
  size_t best = 0;
  while (c->dropped[best])
    best++;
  for (size_t i = best + 1; i < c->out->count; i++)
    if (!c->dropped[i] && c->sum[i][me] > c->sum[best][me])
      best = i;
  return best;
}

/* After the first look: what is clearly behind is not tried any more. */
static void drop_hopeless(struct comparison *c) {
  const size_t best = leader(c);
  memcpy(c->early, c->sum, sizeof c->sum);
  for (size_t i = 0; i < c->out->count; i++) {
    double error;
    const double behind = distance(c, i, best, &error);
    c->dropped[i] = i != best && behind > HOPELESS * error + 1e-9;
  }
}

/* Those that were dropped keep their distance to the best from the first
 * look. */
static void conclude_shares(struct comparison *c) {
  const size_t best = leader(c);
  const double all = c->done, some = c->first;
  for (size_t i = 0; i < c->out->count; i++) {
    struct option_value *o = &c->out->option[i];
    for (int s = 0; s < c->m->players; s++)
      o->share[s] = c->dropped[i]
                        ? c->sum[best][s] / all +
                              (c->early[i][s] - c->early[best][s]) / some
                        : c->sum[i][s] / all;
    o->value = o->share[c->q->seat];
    distance(c, i, best, &o->error);
  }
}

static double spread_of(const struct comparison *c, size_t i) {
  double sum = 0, squares = 0;
  const uint32_t n = c->out->option[i].worlds;
  for (uint32_t k = 0; k < n; k++) {
    const double v = (double)c->value[i * c->worlds + k];
    sum += v;
    squares += v * v;
  }
  const double mean = sum / n, spread = squares / n - mean * mean;
  return n > 1 && spread > 0 ? sqrt(spread / (n - 1)) : 0;
}

/* As the master plays. */
static bool policy_known(const struct sal_question *q, uint32_t worlds,
                         struct sal_policy *out) {
  struct sal_question asked = *q;
  asked.budget =
      sal_budget_simulations(worlds < LONG_LOOK ? SOLVER_QUICK : SOLVER_LONG);
  if (policy_optimal(&asked, out))
    return true;
  asked.budget = sal_budget_simulations(SAL_FAVOR_ITERATIONS);
  return policy_master_favor(&asked, out);
}

/* How often best play does each, where it is known. */
static void ask_master(const struct sal_question *q, uint32_t worlds,
                       struct decision *out) {
  double *room = calloc(2 * q->count, sizeof *room);
  struct sal_policy o = {.value = room,
                         .chance = room ? room + q->count : NULL};
  if (room && policy_known(q, worlds, &o)) {
    out->mixed = true;
    for (size_t i = 0; i < out->count; i++)
      out->option[i].often = room[q->count + out->option[i].number];
  }
  free(room);
}

/* What best play mixes is equally good, and nothing is better. */
static void level_mixed(struct decision *out) {
  double sum = 0, mix = 0;
  for (size_t i = 0; i < out->count; i++) {
    sum += out->option[i].often;
    mix += out->option[i].often * out->option[i].value;
  }
  mix /= sum > 0 ? sum : 1;
  for (size_t i = 0; i < out->count; i++) {
    struct option_value *o = &out->option[i];
    if (o->often >= MEASURE_SUPPORT || o->value > mix)
      o->value = mix;
  }
  out->best = mix;
}

/* Whether one is told before another. */
static bool is_better(const struct option_value *a,
                      const struct option_value *b) {
  if (a->value != b->value)
    return a->value > b->value;
  return a->often != b->often ? a->often > b->often : a->habit > b->habit;
}

static void sort_options(struct decision *out) {
  for (size_t i = 1; i < out->count; i++) {
    const struct option_value o = out->option[i];
    size_t at = i;
    for (; at > 0 && is_better(&o, &out->option[at - 1]); at--)
      out->option[at] = out->option[at - 1];
    out->option[at] = o;
  }
}

/* How often the first is better than another in the worlds of both, and by how
 * much. */
static void face(const struct comparison *c, struct option_value *other) {
  const struct option_value *first = &c->out->option[0];
  const uint32_t n =
      first->worlds < other->worlds ? first->worlds : other->worlds;
  for (uint32_t i = 0; i < n; i++) {
    const float a = c->value[first->slot * c->worlds + i];
    const float b = c->value[other->slot * c->worlds + i];
    other->ahead += (a > b) / (double)n;
    other->behind += (a < b) / (double)n;
    *(a > b ? &other->gain : &other->loss) += fabs((double)(a - b)) / n;
  }
  other->gain /= other->ahead > 0 ? other->ahead : 1;
  other->loss /= other->behind > 0 ? other->behind : 1;
}

/* What is told is the calibrated chance of the position, and by how much each
 * option is better or worse than habit: all shares move by the same. */
static void calibrate(struct comparison *c, struct sal_rng *rng) {
  struct decision *out = c->out;
  double share[SAL_SEATS_MAX];
  measure_question(c->m, c->q, c->done, rng, share, NULL);
  for (size_t i = 0; i < out->count; i++) {
    struct option_value *o = &out->option[i];
    for (int s = 0; s < c->m->players; s++)
      o->share[s] += share[s] - out->par[s];
    o->value = fmin(1, fmax(0, o->share[c->q->seat]));
  }
  memcpy(out->par, share, sizeof share);
}

static void conclude_measure(struct comparison *c, struct sal_rng *rng) {
  struct decision *out = c->out;
  conclude_shares(c);
  out->error = spread_of(c, leader(c));
  memset(out->par, 0, sizeof out->par);
  for (size_t i = 0; i < out->count; i++)
    for (int s = 0; s < c->m->players; s++)
      out->par[s] += out->option[i].habit * out->option[i].share[s];
  calibrate(c, rng);
  out->best = out->option[leader(c)].value;
  if (out->mixed)
    level_mixed(out);
  for (size_t i = 0; i < out->count; i++)
    out->option[i].slot = i;
  sort_options(out);
  for (size_t i = 1; i < out->count; i++)
    face(c, &out->option[i]);
}

void measure_decision(struct measure *m, const struct sal_question *q,
                      sal_action played, uint32_t worlds, struct sal_rng *rng,
                      struct decision *out) {
  memset(out, 0, sizeof *out);
  struct comparison *c = calloc(1, sizeof *c);
  if (c)
    c->value = calloc((BREADTH + 1) * (size_t)worlds, sizeof *c->value);
  if (c && c->value && choose_options(q, played, out)) {
    c->m = m;
    c->q = q;
    c->out = out;
    c->worlds = worlds;
    c->first = worlds / FIRST_LOOK ? worlds / FIRST_LOOK : 1;
    struct timer timer;
    timer_start(&timer, &q->budget, worlds);
    ask_master(q, worlds, out);
    measure_believe(m, q, &trust_little, rng);
    uint32_t n = 0;
    for (; n < worlds && (n <= c->first || !timer_over(&timer)); n++) {
      compare_once(c, n, rng);
      if (n + 1 == c->first)
        drop_hopeless(c);
    }
    c->done = n;
    conclude_measure(c, rng);
  }
  if (c)
    free(c->value);
  free(c);
}
