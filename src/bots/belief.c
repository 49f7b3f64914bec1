/* Beliefs: worlds from the start of the deal, played forward along what was
 * seen, each weighed by how well the heuristics explain what people did.
 *
 * A world that no longer looks like the view is dropped; if too few are left,
 * the belief is empty and worlds come from the view alone. */
#include "belief.h"

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
  heuristic_fn *heuristic;
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
  f->heuristic(&theirs, f->weight);
  size_t i = 0;
  double sum = 0;
  for (size_t k = 0; k < theirs.count; k++)
    sum += f->weight[k];
  if (!seen) {
    f->drawn = true;
    i = draw_weighted(f->weight, theirs.count, f->rng);
  } else {
    while (i < theirs.count && f->legal[i] != seen)
      i++;
    if (i == theirs.count)
      return false;
    *likely *=
        f->faith * f->weight[i] / sum + (1 - f->faith) / (double)theirs.count;
  }
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

/* By which heuristic people play in the world that is tried now. */
enum manner { REGULAR, NOVICE, OTHER };

static enum manner manner_of(const struct trust *trust, size_t tried) {
  if (trust->habit)
    return REGULAR;
  if (trust->watch)
    return tried % (size_t)trust->watch == 0 ? OTHER : REGULAR;
  return tried % 2 ? NOVICE : REGULAR;
}

static heuristic_fn *heuristic_for(const struct heuristics *h, enum manner m) {
  return m == OTHER ? h->other : m == NOVICE ? h->novice : h->regular;
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
  if (!start || q->memory->count == from || q->memory->count == SAL_MEMORY_MAX)
    return;
  static _Thread_local struct filter f;
  struct origin known[WORLDS_MAX];
  size_t tried = 0, fits = 0, origins = 0, replayed = 0;
  f.q = q;
  f.viewer = viewer;
  f.faith = trust->faith;
  f.rng = rng;
  /* The same beginning again costs next to nothing, and makes the law of few
   * beginnings exact. */
  for (; replayed < worlds_for(timer) && tried < AGAIN * WORLDS_MAX &&
         !timer_over(timer);
       tried++) {
    union sal_state_box *world = &b->world[b->count];
    memset(world, 0, sizeof *world);
    q->game->resample(start, rng, (sal_state *)world->bytes);
    const enum manner manner = manner_of(trust, tried);
    const uint64_t hash =
        hash_bytes(world, q->game->info.state_size) + 2 * (uint64_t)manner;
    const struct origin *same = find_origin(known, origins, hash);
    if (same) {
      fits += same->likely > 0;
      b->weight[same->world] += same->likely;
      continue;
    }
    f.heuristic = heuristic_for(heuristics_of(q->game), manner);
    b->other[b->count] = manner == OTHER;
    f.drawn = false;
    replayed++;
    const double likely = replay(&f, (sal_state *)world->bytes, view, from);
    if (!f.drawn)
      known[origins++] = (struct origin){hash, likely, b->count};
    if (likely > 0) {
      b->weight[b->count++] = likely;
      fits++;
    }
    if (replayed == WORLDS_LEAST && fits < WORLDS_LEAST / 4)
      break; /* this game's worlds cannot be guessed from the start */
  }
  if (fits < WORLDS_LEAST / 4 || 4 * fits < tried)
    b->count = 0;
}

bool belief_draw(const struct belief *b, struct sal_rng *rng, sal_state *out) {
  if (b->count == 0) {
    b->game->resample(b->view, rng, out);
    return false;
  }
  const size_t i = draw_weighted(b->weight, b->count, rng);
  memcpy(out, &b->world[i], b->game->info.state_size);
  return b->other[i];
}
