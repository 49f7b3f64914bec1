/* Inferences. See secret.h. */
#include "secret.h"
#include "master.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 128, SOLVER_ITERATIONS = 64 };
/* So much of the probability is spread evenly: nobody is sure of a habit. */
static const double doubt = 0.1;

const struct secret_kind *secret_of(const struct sal_game *g) {
  static const struct secret_kind *const all[] = {&secret_doors, &secret_favor,
                                                  &secret_traps, &secret_louis};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(all[i]->game, g->info.id) == 0)
      return all[i];
  return NULL;
}

const char *sal_secret_name(const struct sal_game *g) {
  const struct secret_kind *k = secret_of(g);
  return k ? k->name : NULL;
}

const char *sal_secret_title(const struct sal_game *g) {
  const struct secret_kind *k = secret_of(g);
  return k ? k->title : NULL;
}

const char *sal_secret_label(const struct sal_game *g, int i) {
  const struct secret_kind *k = secret_of(g);
  return k && i < k->count ? k->label[i] : NULL;
}

/* ---- By exchanging the secret --------------------------------------------- */

static void normalise(double *p, int count) {
  double sum = 0;
  for (int x = 0; x < count; x++)
    sum += p[x];
  for (int x = 0; x < count; x++)
    p[x] = sum > 0 ? p[x] / sum : 1.0 / count;
}

static void believe_rules(const struct secret_kind *k, const struct observed *o,
                          struct beliefs *b) {
  for (int by = 0; by < o->m->players; by++)
    for (int of = 0; of < o->m->players; of++)
      for (int x = 0; x < k->count && by != of; x++) {
        union sal_state_box box;
        memcpy(&box, o->state, o->m->game->info.state_size);
        const bool possible =
            k->suppose((sal_state *)box.bytes, by, of, x, o->rng);
        b->p[by][of][0][x] = b->p[by][of][1][x] = possible;
      }
  for (int by = 0; by < o->m->players; by++)
    for (int of = 0; of < o->m->players; of++)
      for (int model = 0; model < 2; model++)
        normalise(b->p[by][of][model], k->count);
  b->fresh = false;
}

/* How likely the seat's action is in a state, by habit and in best play (below
 * 0: nobody has solved it). */
static void likelihood(const struct observed *o, const sal_state *s,
                       double *chance) {
  const struct sal_game *g = o->m->game;
  union sal_view_box box;
  struct sal_question q = *o->q;
  sal_action *legal = o->m->legal;
  size_t i = 0;
  g->view(s, q.seat, (sal_view *)box.bytes);
  q.view = (const sal_view *)box.bytes;
  q.legal = legal;
  q.count = g->legal(s, q.seat, legal);
  q.budget = sal_budget_simulations(SOLVER_ITERATIONS);
  while (i < q.count && legal[i] != o->action)
    i++;
  chance[SAL_BY_HABIT] = chance[SAL_BY_BEST_PLAY] = 0;
  if (i == q.count)
    return; /* such a secret would not allow it */
  measure_habit(&q, o->m->weight);
  chance[SAL_BY_HABIT] =
      (1 - doubt) * o->m->weight[i] + doubt / (double)q.count;
  double *room = calloc(2 * q.count, sizeof *room);
  struct sal_policy p = {.value = room, .chance = room ? room + q.count : NULL};
  chance[SAL_BY_BEST_PLAY] = -1;
  if (room && policy_master_doors(&q, &p))
    chance[SAL_BY_BEST_PLAY] =
        (1 - doubt) * p.chance[i] + doubt / (double)q.count;
  free(room);
}

/* The same for what a secret may look like: the mean over what is drawn. False:
 * the action itself shows a part of it (a mission is laid open), so that there is
 * nothing to infer. */
static bool likelihood_of(const struct secret_kind *k, const struct observed *o,
                          int x, double *chance) {
  const int of = o->q->seat, draws = k->draws ? k->draws : 1;
  int there = 0;
  chance[SAL_BY_HABIT] = 0;
  chance[SAL_BY_BEST_PLAY] = k->draws ? -1 : 0;
  for (int n = 0; n < draws; n++) {
    union sal_state_box box;
    double one[2];
    memcpy(&box, o->state, o->m->game->info.state_size);
    /* as if nobody looked: what is impossible for a viewer has no weight */
    const bool possible = k->suppose((sal_state *)box.bytes, of, of, x, o->rng);
    if (k->draws && !possible)
      continue;
    likelihood(o, (const sal_state *)box.bytes, one);
    if (k->draws && one[SAL_BY_HABIT] <= 0)
      return false;
    there++;
    chance[SAL_BY_HABIT] += one[SAL_BY_HABIT];
    if (!k->draws)
      chance[SAL_BY_BEST_PLAY] = one[SAL_BY_BEST_PLAY];
  }
  chance[SAL_BY_HABIT] /= there ? there : 1;
  return true;
}

/* A secret that was exchanged is believed in anew. */
static void believe_anew(const struct secret_kind *k, const struct observed *o,
                         struct beliefs *b) {
  const int of = o->q->seat;
  const uint64_t stamp = k->stamp(o->state, of);
  if (b->stamp[of] == stamp)
    return;
  b->stamp[of] = stamp;
  for (int by = 0; by < o->m->players; by++)
    k->prior(o->state, of, o->rng, b->p[by][of][SAL_BY_HABIT]);
}

static struct sal_inference *add_inference(struct sal_review_step *out, int by,
                                           int model, int truth) {
  struct sal_inference *n = &out->inference[out->inferences++];
  memset(n, 0, sizeof *n);
  n->by = (int8_t)by;
  n->model = (uint8_t)model;
  n->truth = (uint8_t)truth;
  return n;
}

static void put_parts(const double *p, int count, int32_t *out) {
  for (int x = 0; x < count; x++)
    out[x] = (int32_t)lround(SAL_SURE * p[x]);
}

/* Learned of the truth: how many times it has halved what was left to guess. */
static void count_bits(struct sal_inference *n, double before, double after) {
  const double least = 1e-4;
  before = before > least ? before : least;
  after = after > least ? after : least;
  n->bits = (int32_t)lround(1000 * log2(after / before));
}

static void exchange_beliefs(struct beliefs *b, const struct secret_kind *k,
                             const struct observed *o,
                             struct sal_review_step *out) {
  const int of = o->q->seat, truth = k->truth(o->state, of);
  double chance[SAL_SECRETS][2];
  bool solved = true;
  if (truth < 0)
    return;
  if (k->stamp)
    believe_anew(k, o, b);
  else if (b->fresh)
    believe_rules(k, o, b);
  for (int x = 0; x < k->count; x++) {
    if (!likelihood_of(k, o, x, chance[x]))
      return;
    solved &= chance[x][SAL_BY_BEST_PLAY] >= 0;
  }
  for (int by = 0; by < o->m->players; by++)
    for (int model = 0; model < (solved ? 2 : 1) && by != of; model++) {
      double *p = b->p[by][of][model];
      const double before = p[truth];
      struct sal_inference *n = add_inference(out, by, model, truth);
      put_parts(p, k->count, n->before);
      for (int x = 0; x < k->count; x++)
        p[x] *= chance[x][model];
      normalise(p, k->count);
      put_parts(p, k->count, n->after);
      count_bits(n, before, p[truth]);
    }
}

/* ---- By sampling worlds ---------------------------------------------------- */

/* The seat does one of the actions that look like its own, whichever. */
static void do_covered(const struct secret_kind *k, const struct observed *o,
                       sal_state *s) {
  const struct sal_game *g = o->m->game;
  const int of = o->q->seat;
  sal_action *legal = o->m->legal;
  const size_t count = g->legal(s, of, legal);
  size_t alike = 0;
  for (size_t i = 0; i < count; i++)
    if (k->covered(legal[i]))
      legal[alike++] = legal[i];
  if (alike)
    g->apply(s, of, legal[sal_rng_below(o->rng, (uint32_t)alike)], NULL);
}

/* What `by` believes; with `covered`, as if the seat had then done any of the
 * actions that look like its own. */
static void sample_beliefs(const struct secret_kind *k,
                           const struct observed *o, int by, bool covered,
                           double *p) {
  const struct sal_game *g = o->m->game;
  union sal_view_box box;
  memset(&box, 0, sizeof box);
  g->view(o->state, by, (sal_view *)box.bytes);
  const struct sal_question q = {.game = g,
                                 .players = o->m->players,
                                 .seat = by,
                                 .view = (const sal_view *)box.bytes,
                                 .memory = &o->memory[by]};
  measure_believe(o->m, &q, &trust_little, o->rng);
  memset(p, 0, SAL_SECRETS * sizeof *p);
  for (int i = 0; i < SAMPLES; i++) {
    union sal_state_box world;
    memset(&world, 0, sizeof world);
    belief_draw(&o->m->belief, o->rng, (sal_state *)world.bytes, NULL);
    if (covered)
      do_covered(k, o, (sal_state *)world.bytes);
    const int x = k->truth((const sal_state *)world.bytes, o->q->seat);
    if (x >= 0)
      p[x] += 1;
  }
  for (int x = 0; x < k->count; x++)
    p[x] += 0.25; /* what was not met is not impossible */
  normalise(p, k->count);
}

/* What the secret is once the action was done. */
static int made_truth(const struct secret_kind *k, const struct observed *o) {
  union sal_state_box box;
  memcpy(&box, o->state, o->m->game->info.state_size);
  o->m->game->apply((sal_state *)box.bytes, o->q->seat, o->action, NULL);
  return k->truth((const sal_state *)box.bytes, o->q->seat);
}

void beliefs_before(struct beliefs *b, const struct observed *o,
                    struct sal_review_step *out) {
  const struct secret_kind *k = secret_of(o->m->game);
  if (!k)
    return;
  if (k->suppose) {
    exchange_beliefs(b, k, o, out);
    return;
  }
  const bool covered = k->covered && k->covered(o->action);
  b->truth = covered ? made_truth(k, o) : k->truth(o->state, o->q->seat);
  for (int by = 0; by < o->m->players; by++)
    if (by != o->q->seat)
      sample_beliefs(k, o, by, covered, b->p[by][o->q->seat][SAL_BY_HABIT]);
}

void beliefs_after(struct beliefs *b, const struct observed *o,
                   struct sal_review_step *out) {
  const struct secret_kind *k = secret_of(o->m->game);
  const int of = o->q->seat;
  if (!k || k->suppose)
    return;
  const int truth = k->truth(o->state, of);
  for (int by = 0; by < o->m->players && truth >= 0 && b->truth >= 0; by++) {
    double *p = b->p[by][of][SAL_BY_HABIT];
    if (by == of)
      continue;
    struct sal_inference *n = add_inference(out, by, SAL_BY_HABIT, truth);
    put_parts(p, k->count, n->before);
    const double before = p[b->truth];
    sample_beliefs(k, o, by, false, p);
    put_parts(p, k->count, n->after);
    count_bits(n, before, p[truth]);
  }
}
