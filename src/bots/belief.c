/* Beliefs: worlds from the start of the deal, played forward along what was
 * seen, each weighed by how well the heuristics explain what people did.
 *
 * A world that no longer looks like the view is dropped; if too few are left,
 * the belief is empty and worlds come from the view alone.
 *
 * With more than two at the table each seat may play by either of two
 * heuristics, and what it did in earlier rounds tells by which. */
#include "belief.h"

#include <math.h>
#include <string.h>

const struct trust trust_little = {.faith = 0.2};
const struct trust trust_habit = {.faith = 0.95, .habit = true};
const struct trust trust_watchful = {.faith = 0.9, .watch = 3};

enum { AGAIN = 16 }; /* times WORLDS_MAX tries, most of them known */

struct filter {
  bool drawn; /* the last world depends on luck along the way */
  const struct sal_question *q;
  int viewer;
  double faith;
  heuristic_fn *usual, *other;
  double likely_other[SAL_SEATS_MAX]; /* each seat plays by the other */
  struct sal_rng *rng;
  sal_action legal[LEGAL_MAX];
  double weight[LEGAL_MAX];
};

static bool step_chance(struct filter *f, sal_state *s, sal_action seen,
                        double *likely) {
  struct sal_chance c;
  if (f->q->game->to_act(s) != SAL_CHANCE_BIT)
    return false;
  f->q->game->chance(s, &c);
  if (!seen) {
    f->drawn = true;
    f->q->game->apply(s, SAL_CHANCE, sal_chance_draw(&c, f->rng), NULL);
    return true;
  }
  double sum = 0, mine = 0;
  for (size_t i = 0; i < c.count; i++) {
    sum += c.outcome[i].weight;
    if (c.outcome[i].action == seen)
      mine = c.outcome[i].weight;
  }
  if (mine == 0)
    return false;
  *likely *= mine / sum;
  f->q->game->apply(s, SAL_CHANCE, seen, NULL);
  return true;
}

/* A lot that comes up so often; a certain one is not drawn. */
static bool lot(double often, struct sal_rng *rng) {
  return often >= 1 ||
         (often > 0 && (double)(sal_rng_next(rng) >> 11) * 0x1p-53 < often);
}

/* How likely somebody who plays by a heuristic does the action of this
 * number. */
static double chance_of(struct filter *f, heuristic_fn *heuristic,
                        const struct sal_question *q, size_t number) {
  double sum = 0;
  heuristic(q, f->weight);
  for (size_t i = 0; i < q->count; i++)
    sum += f->weight[i];
  return f->faith * f->weight[number] / sum + (1 - f->faith) / (double)q->count;
}

/* The action that was seen, or one drawn; false if it is not possible here. */
static bool find_action(struct filter *f, const struct sal_question *q,
                        sal_action seen, size_t *number) {
  size_t i = 0;
  if (seen) {
    while (i < q->count && q->legal[i] != seen)
      i++;
  } else {
    f->drawn = true;
    (lot(f->likely_other[q->seat], f->rng) ? f->other : f->usual)(q, f->weight);
    i = draw_weighted(f->weight, q->count, f->rng);
  }
  *number = i;
  return i < q->count;
}

static bool step_seat(struct filter *f, sal_state *s, int seat, sal_action seen,
                      double *likely) {
  const struct sal_game *g = f->q->game;
  union sal_view_box box;
  if (!(g->to_act(s) >> seat & 1))
    return false;
  if (seat == f->viewer) {
    if (!seen || g->check(s, seat, seen))
      return false;
    g->apply(s, seat, seen, NULL); /* the viewer knows why */
    return true;
  }
  g->view(s, seat, (sal_view *)box.bytes);
  struct sal_question theirs = {.game = g,
                                .players = f->q->players,
                                .seat = seat,
                                .view = (const sal_view *)box.bytes,
                                .legal = f->legal};
  theirs.count = g->legal(s, seat, f->legal);
  size_t i;
  if (!find_action(f, &theirs, seen, &i))
    return false;
  double *other = &f->likely_other[seat];
  const double by_other = *other > 0 ? chance_of(f, f->other, &theirs, i) : 0;
  const double by_usual = *other < 1 ? chance_of(f, f->usual, &theirs, i) : 0;
  const double all = *other * by_other + (1 - *other) * by_usual;
  *other *= by_other / all;
  if (seen)
    *likely *= all;
  g->apply(s, seat, f->legal[i], NULL);
  return true;
}

/* How likely this world is after all that was seen; 0 if it does not fit. */
static double replay(struct filter *f, sal_state *s, const sal_view *view,
                     size_t from) {
  const struct sal_memory *m = f->q->memory;
  double likely = 1;
  for (size_t i = from; i < m->count; i++) {
    const struct sal_seen *seen = &m->step[i];
    const bool fits = seen->seat == SAL_CHANCE
                          ? step_chance(f, s, seen->action, &likely)
                          : step_seat(f, s, seen->seat, seen->action, &likely);
    if (!fits)
      return 0;
  }
  union sal_view_box now;
  memset(&now, 0, sizeof now);
  f->q->game->view(s, f->viewer, (sal_view *)now.bytes);
  return memcmp(now.bytes, view, f->q->game->info.view_size) == 0 ? likely : 0;
}

/* A world's beginning, if what follows is certain, and what came of it. */
struct origin {
  uint64_t hash;
  double likely; /* 0: it does not fit */
  size_t world;
};

static const struct origin *find_origin(const struct origin *known,
                                        size_t count, uint64_t hash) {
  for (size_t i = 0; i < count; i++)
    if (known[i].hash == hash)
      return &known[i];
  return NULL;
}

/* ---- Who plays by the other heuristic ------------------------------------ */

enum { KIND_WORLDS = 6 }; /* for each of the rounds before */
/* All rounds together, and a single one, speak for or against it by no more than
 * so many to one. */
static const double KIND_ODDS = 100, ROUND_ODDS = 1e15;

static double within(double odds, double most) {
  return fmin(fmax(odds, 1 / most), most);
}

/* Follows a round as far as its actions tell who plays how, in a world of which
 * nothing is known but its start. Adds up, for each seat, how likely what it did
 * is by either heuristic. */
static void follow_round(struct filter *f, const struct sal_round_seen *round,
                         double *by_other, double *by_usual) {
  const struct sal_game *g = f->q->game;
  bool (*tells)(sal_action) = heuristics_of(g)->tells;
  double likely[SAL_SEATS_MAX];
  union sal_state_box world;
  memset(&world, 0, sizeof world);
  g->resample((const sal_view *)round->start.bytes, f->rng,
              (sal_state *)world.bytes);
  for (int i = 0; i < SAL_SEATS_MAX; i++) {
    likely[i] = 1;
    f->likely_other[i] = 0.5;
  }
  for (size_t i = 0; i < round->count; i++) {
    const struct sal_seen *seen = &round->step[i];
    if (seen->seat == SAL_CHANCE || (seen->action && !tells(seen->action)) ||
        !step_seat(f, (sal_state *)world.bytes, seen->seat, seen->action,
                   &likely[seen->seat]))
      break;
  }
  for (int i = 0; i < SAL_SEATS_MAX; i++) {
    by_other[i] += likely[i] * f->likely_other[i];
    by_usual[i] += likely[i] * (1 - f->likely_other[i]);
  }
}

/* How likely each seat plays by the other heuristic, by what it did in the
 * rounds before; without any, one in `watch`. */
static void know_people(struct filter *f, int watch, const struct timer *timer,
                        double *before) {
  const struct sal_memory *m = f->q->memory;
  const size_t over = m ? m->rounds : 0;
  const size_t rounds = over < SAL_ROUNDS_KEPT ? over : SAL_ROUNDS_KEPT;
  double odds[SAL_SEATS_MAX];
  for (int i = 0; i < SAL_SEATS_MAX; i++)
    odds[i] = 1.0 / (watch - 1);
  for (size_t r = 0; r < rounds && !timer_over(timer); r++) {
    double by_other[SAL_SEATS_MAX] = {0}, by_usual[SAL_SEATS_MAX] = {0};
    for (int n = 0; n < KIND_WORLDS; n++)
      follow_round(f, &m->kept[r], by_other, by_usual);
    for (int i = 0; i < SAL_SEATS_MAX; i++)
      odds[i] *= within(by_other[i] / by_usual[i], ROUND_ODDS);
  }
  for (int i = 0; i < f->q->players; i++)
    if (i != f->viewer)
      before[i] = 1 / (1 + 1 / within(odds[i], KIND_ODDS));
}

/* ---- Worlds -------------------------------------------------------------- */

/* By which heuristic all play in the world that is tried now. */
enum manner { REGULAR, NOVICE, OTHER };

static enum manner manner_of(const struct trust *trust, int players,
                             size_t tried) {
  if (trust->habit || (trust->watch && players > 2))
    return REGULAR; /* or as `before` says */
  if (trust->watch)
    return tried % (size_t)trust->watch == 0 ? OTHER : REGULAR;
  return tried % 2 ? NOVICE : REGULAR;
}

static void begin_world(struct filter *f, enum manner m, const double *before) {
  const struct heuristics *h = heuristics_of(f->q->game);
  f->usual = m == NOVICE ? h->novice : h->regular;
  f->drawn = false;
  for (int i = 0; i < SAL_SEATS_MAX; i++)
    f->likely_other[i] = m == OTHER ? i != f->viewer : before[i];
}

/* Beliefs may not cost more than a small part of the thought. */
static size_t worlds_for(const struct timer *t) {
  const size_t part = t->budget.simulations / 8;
  if (t->budget.simulations == 0 || part > WORLDS_MAX)
    return WORLDS_MAX;
  return part < WORLDS_LEAST ? WORLDS_LEAST : part;
}

void belief_form(struct belief *b, const struct sal_question *q,
                 const struct trust *trust, int viewer, const sal_view *view,
                 const sal_view *start, size_t from, const struct timer *timer,
                 struct sal_rng *rng) {
  b->game = q->game;
  b->view = view;
  b->viewer = viewer;
  b->count = 0;
  memset(b->before, 0, sizeof b->before);
  static _Thread_local struct filter f;
  f.q = q;
  f.viewer = viewer;
  f.faith = trust->faith;
  f.rng = rng;
  f.usual = heuristics_of(q->game)->regular;
  f.other = heuristics_of(q->game)->other;
  if (trust->watch && q->players > 2)
    know_people(&f, trust->watch, timer, b->before);
  if (!start || q->memory->count == from || q->memory->count == SAL_MEMORY_MAX)
    return;
  struct origin known[WORLDS_MAX];
  size_t tried = 0, fits = 0, origins = 0, replayed = 0;
  /* The same beginning again costs next to nothing, and makes the law of few
   * beginnings exact. */
  for (; replayed < worlds_for(timer) && tried < AGAIN * WORLDS_MAX &&
         !timer_over(timer);
       tried++) {
    union sal_state_box *world = &b->world[b->count];
    memset(world, 0, sizeof *world);
    q->game->resample(start, rng, (sal_state *)world->bytes);
    const enum manner manner = manner_of(trust, q->players, tried);
    const uint64_t hash =
        hash_bytes(world, q->game->info.state_size) + 2 * (uint64_t)manner;
    const struct origin *same = find_origin(known, origins, hash);
    if (same) {
      fits += same->likely > 0;
      b->weight[same->world] += same->likely;
      continue;
    }
    begin_world(&f, manner, b->before);
    replayed++;
    const double likely = replay(&f, (sal_state *)world->bytes, view, from);
    if (!f.drawn)
      known[origins++] = (struct origin){hash, likely, b->count};
    if (likely > 0) {
      memcpy(b->other[b->count], f.likely_other, sizeof f.likely_other);
      b->weight[b->count++] = likely;
      fits++;
    }
    if (replayed == WORLDS_LEAST && fits < WORLDS_LEAST / 4)
      break; /* this game's worlds cannot be guessed from the start */
  }
  if (fits < WORLDS_LEAST / 4 || 4 * fits < tried)
    b->count = 0;
}

unsigned belief_draw(const struct belief *b, struct sal_rng *rng,
                     sal_state *out) {
  const double *other = b->before;
  unsigned mask = 0;
  if (b->count == 0) {
    b->game->resample(b->view, rng, out);
  } else {
    const size_t i = draw_weighted(b->weight, b->count, rng);
    memcpy(out, &b->world[i], b->game->info.state_size);
    other = b->other[i];
  }
  for (int seat = 0; seat < SAL_SEATS_MAX; seat++)
    mask |= (unsigned)lot(other[seat], rng) << seat;
  return mask;
}
