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
  heuristic_fn *by[PICTURES]; /* the usual one first */
  int kinds;
  struct people people;
  bool (*hides)(sal_action a); /* NULL: what is hidden is any action */
  const sal_view *now; /* that shows what was hidden; NULL: nothing does */
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

/* By which heuristic somebody plays; what is certain is not drawn. */
static size_t draw_kind(const double *likely, struct sal_rng *rng) {
  for (size_t k = 0; k < PICTURES; k++)
    if (likely[k] >= 1)
      return k;
  return draw_weighted(likely, PICTURES, rng);
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

/* Leaves of a heuristic's weights only those of actions that are hidden from the
 * others; how likely it is one of these. */
static double hidden_part(struct filter *f, heuristic_fn *heuristic,
                          const struct sal_question *q) {
  double sum = 0, hidden = 0, count = 0;
  heuristic(q, f->weight);
  for (size_t i = 0; i < q->count; i++) {
    sum += f->weight[i];
    if (f->hides(q->legal[i]))
      count++;
    else
      f->weight[i] = 0;
    hidden += f->weight[i];
  }
  return f->faith * hidden / sum + (1 - f->faith) * count / (double)q->count;
}

/* An action that the viewer did not see; false if there is none. */
static bool draw_hidden(struct filter *f, const struct sal_question *q,
                        size_t *number, double *likely) {
  double kind[PICTURES], all = 0;
  memcpy(kind, f->people.kind[q->seat], sizeof kind);
  f->drawn = true;
  if (f->hides) {
    for (int k = 0; k < f->kinds; k++)
      if (kind[k] > 0)
        all += kind[k] *= hidden_part(f, f->by[k], q);
    if (all <= 0)
      return false;
    for (int k = 0; k < f->kinds; k++)
      kind[k] /= all;
    *likely *= all;
  }
  heuristic_fn *by = f->by[draw_kind(kind, f->rng)];
  if (f->hides)
    hidden_part(f, by, q);
  else
    by(q, f->weight);
  *number = draw_weighted(f->weight, q->count, f->rng);
  return true;
}

/* The number of the action that was seen; false if it is not possible here. */
static bool find_action(const struct sal_question *q, sal_action seen,
                        size_t *number) {
  for (*number = 0; *number < q->count; ++*number)
    if (q->legal[*number] == seen)
      return true;
  return false;
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
  if (!seen && f->now)
    seen = heuristics_of(g)->shown(s, f->now, seat);
  if (!(seen ? find_action(&theirs, seen, &i)
             : draw_hidden(f, &theirs, &i, likely)))
    return false;
  double *kind = f->people.kind[seat], all = 0;
  for (int k = 0; k < f->kinds; k++)
    if (kind[k] > 0)
      all += kind[k] *= chance_of(f, f->by[k], &theirs, i);
  for (int k = 0; k < f->kinds; k++)
    kind[k] /= all;
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

/* ---- Who plays by which heuristic ---------------------------------------- */

enum { KIND_WORLDS = 6 }; /* for each of the rounds before */
/* All rounds together, and a single one, speak for or against one by no more
 * than so many to one. */
static const double KIND_ODDS = 100, ROUND_ODDS = 1e15;

static double within(double odds, double most) {
  return fmin(fmax(odds, 1 / most), most);
}

/* Follows a round as far as its actions tell who plays how, in a world of which
 * nothing is known but its start. Adds up, for each seat, how likely what it did
 * is by each heuristic. */
static void follow_round(struct filter *f, const struct sal_round_seen *round,
                         struct people *sum) {
  const struct sal_game *g = f->q->game;
  bool (*tells)(sal_action) = heuristics_of(g)->tells;
  double likely[SAL_SEATS_MAX];
  union sal_state_box world;
  memset(&world, 0, sizeof world);
  g->resample((const sal_view *)round->start.bytes, f->rng,
              (sal_state *)world.bytes);
  for (int i = 0; i < SAL_SEATS_MAX; i++) {
    likely[i] = 1;
    for (int k = 0; k < f->kinds; k++)
      f->people.kind[i][k] = 1.0 / f->kinds;
  }
  for (size_t i = 0; i < round->count; i++) {
    const struct sal_seen *seen = &round->step[i];
    if (seen->seat == SAL_CHANCE || (seen->action && !tells(seen->action)) ||
        !step_seat(f, (sal_state *)world.bytes, seen->seat, seen->action,
                   &likely[seen->seat]))
      break;
  }
  for (int i = 0; i < SAL_SEATS_MAX; i++)
    for (int k = 0; k < f->kinds; k++)
      sum->kind[i][k] += likely[i] * f->people.kind[i][k];
}

/* How likely each seat plays by which heuristic, by what it did in the rounds
 * before; without any, the regular is as likely as all others together. */
static void know_people(struct filter *f, const struct timer *timer,
                        struct people *before) {
  const struct sal_memory *m = f->q->memory;
  const size_t over = m ? m->rounds : 0;
  const size_t rounds = over < SAL_ROUNDS_KEPT ? over : SAL_ROUNDS_KEPT;
  double odds[SAL_SEATS_MAX][PICTURES];
  for (int i = 0; i < SAL_SEATS_MAX; i++)
    for (int k = 1; k < f->kinds; k++)
      odds[i][k] = 1.0 / (f->kinds - 1);
  for (size_t r = 0; r < rounds && !timer_over(timer); r++) {
    struct people seen = {0};
    for (int n = 0; n < KIND_WORLDS; n++)
      follow_round(f, &m->kept[r], &seen);
    for (int i = 0; i < SAL_SEATS_MAX; i++)
      for (int k = 1; k < f->kinds; k++)
        odds[i][k] *= within(seen.kind[i][k] / seen.kind[i][0], ROUND_ODDS);
  }
  for (int i = 0; i < f->q->players; i++) {
    if (i == f->viewer)
      continue;
    double most = 1, sum = 0;
    odds[i][0] = 1;
    for (int k = 1; k < f->kinds; k++)
      most = fmax(most, odds[i][k]);
    for (int k = 0; k < f->kinds; k++)
      sum += odds[i][k] = fmax(odds[i][k] / most, 1 / KIND_ODDS);
    for (int k = 0; k < f->kinds; k++)
      before->kind[i][k] = odds[i][k] / sum;
  }
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

static void begin_world(struct filter *f, enum manner m,
                        const struct people *before) {
  const struct heuristics *h = heuristics_of(f->q->game);
  f->by[0] = m == NOVICE ? h->novice : h->regular;
  f->drawn = false;
  f->people = *before;
  for (int i = 0; m == OTHER && i < SAL_SEATS_MAX; i++)
    if (i != f->viewer) {
      f->people.kind[i][0] = 0;
      f->people.kind[i][1] = 1;
    }
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
  const struct heuristics *h = heuristics_of(q->game);
  const bool watched = trust->watch && q->players > 2;
  b->game = q->game;
  b->view = view;
  b->viewer = viewer;
  b->count = 0;
  memset(&b->before, 0, sizeof b->before);
  for (int i = 0; i < SAL_SEATS_MAX; i++)
    b->before.kind[i][0] = 1;
  static _Thread_local struct filter f;
  f.q = q;
  f.viewer = viewer;
  f.faith = trust->faith;
  f.rng = rng;
  f.now = NULL;
  f.hides = watched ? h->hides : NULL;
  f.by[0] = h->regular;
  memcpy(f.by + 1, h->other, sizeof h->other);
  for (f.kinds = 1; f.kinds < PICTURES && f.by[f.kinds];)
    f.kinds++;
  if (watched)
    know_people(&f, timer, &b->before);
  if (!start || q->memory->count == from || q->memory->count == SAL_MEMORY_MAX)
    return;
  if (f.hides)
    f.now = view;
  union sal_state_box now;
  struct origin known[WORLDS_MAX];
  size_t tried = 0, fits = 0, origins = 0, replayed = 0;
  /* The same beginning again costs next to nothing, and makes the law of few
   * beginnings exact. */
  for (; replayed < worlds_for(timer) && tried < AGAIN * WORLDS_MAX &&
         !timer_over(timer);
       tried++) {
    union sal_state_box *world = &b->world[b->count];
    memset(world, 0, sizeof *world);
    double before = 1;
    q->game->resample(f.now ? view : start, rng, (sal_state *)world->bytes);
    if (f.now) {
      now = *world;
      before = h->rewind(start, (const sal_state *)now.bytes,
                         (sal_state *)world->bytes);
    }
    const enum manner manner = manner_of(trust, q->players, tried);
    const uint64_t hash =
        hash_bytes(world, q->game->info.state_size) + 2 * (uint64_t)manner;
    const struct origin *same = find_origin(known, origins, hash);
    if (same) {
      fits += same->likely > 0;
      b->weight[same->world] += same->likely;
      continue;
    }
    begin_world(&f, manner, &b->before);
    replayed++;
    const double likely =
        before * replay(&f, (sal_state *)world->bytes, view, from);
    if (!f.drawn)
      known[origins++] = (struct origin){hash, likely, b->count};
    if (likely > 0) {
      b->people[b->count] = f.people;
      b->weight[b->count++] = likely;
      fits++;
    }
    if (replayed == WORLDS_LEAST && fits < WORLDS_LEAST / 4)
      break; /* this game's worlds cannot be guessed from the start */
  }
  if (fits < WORLDS_LEAST / 4 || 4 * fits < tried)
    b->count = 0;
}

void belief_draw(const struct belief *b, struct sal_rng *rng, sal_state *out,
                 uint8_t *kind) {
  const struct people *people = &b->before;
  if (b->count == 0) {
    b->game->resample(b->view, rng, out);
  } else {
    const size_t i = draw_weighted(b->weight, b->count, rng);
    memcpy(out, &b->world[i], b->game->info.state_size);
    people = &b->people[i];
  }
  for (int seat = 0; kind && seat < SAL_SEATS_MAX; seat++)
    kind[seat] = (uint8_t)draw_kind(people->kind[seat], rng);
}
