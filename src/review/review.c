/* The walk over a finished game. See salotto/review.h.
 *
 * Main invariant: each position has one value, by one kind of playout, and each
 * step moves it: a draw by `luck`; an action by `play`, what it gains in the
 * mover's own view on what the habitual player would do there, and by `hidden`,
 * the rest, which the mover could not know. */
#include "inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Marks ----------------------------------------------------------------- */

static const struct {
  const char *name, *title;
  int32_t least;
} marks[SAL_MARKS] = {
    {"forced", N_("forced"), 0},       {"best", N_("best"), 0},
    {"good", N_("good"), 10000},       {"inaccuracy", N_("inaccuracy"), 25000},
    {"mistake", N_("mistake"), 50000}, {"blunder", N_("blunder"), 100000}};

const char *sal_mark_name(enum sal_mark m) { return marks[m].name; }
const char *sal_mark_title(enum sal_mark m) { return marks[m].title; }
int32_t sal_mark_threshold(enum sal_mark m) { return marks[m].least; }

static enum sal_mark mark_for(int32_t lost) {
  enum sal_mark m = SAL_MARK_BLUNDER;
  while (m > SAL_MARK_BEST && lost < marks[m].least)
    m--;
  return m;
}

/* ---- Setting up ------------------------------------------------------------ */

/* With more than two at the table each playout goes to the end of the game: there
 * are fewer of them, by a factor. */
static const struct usual {
  const char *game;
  uint32_t playouts, worlds, fewer;
} usual[] = {{"doors", 600, 150, 1},
             {"favor", 1600, 400, 4},
             {"traps", 2000, 500, 6},
             {"louis", 600, 150, 2},
             {NULL, 200, 50, 6}};

static const struct usual *usual_of(const struct sal_game *g) {
  size_t i = 0;
  while (usual[i].game && strcmp(usual[i].game, g->info.id) != 0)
    i++;
  return &usual[i];
}

void sal_review_wish_default(const struct sal_game *g,
                             struct sal_review_wish *out) {
  const struct usual *u = usual_of(g);
  *out = (struct sal_review_wish){1, u->playouts, u->worlds};
}

/* Draws in a row are one step. */
static size_t count_steps(const sal_table *t) {
  size_t count = sal_table_resigned(t) >= 0;
  bool drawing = false;
  for (size_t i = 0; i < sal_table_steps(t); i++) {
    const bool draw = sal_table_step(t, i).seat == SAL_CHANCE;
    count += !draw || !drawing;
    drawing = draw;
  }
  return count;
}

static sal_state *state_of(sal_review *r) {
  return (sal_state *)r->state.bytes;
}

/* Every step has luck of its own, so that one is not changed by another. */
static void seed_step(const sal_review *r, size_t step, struct sal_rng *rng) {
  uint64_t x = r->wish.seed + UINT64_C(0x9e3779b97f4a7c15) * step;
  sal_rng_seed(rng, sal_splitmix(&x));
}

static void round_shares(int players, const double *share, int32_t *out) {
  for (int i = 0; i < players; i++)
    out[i] = (int32_t)lround(SAL_SURE * share[i]);
}

/* Before the first card. */
static void measure_start(sal_review *r) {
  double share[SAL_SEATS_MAX];
  struct sal_rng rng;
  seed_step(r, 0, &rng);
  measure_state(r->measure, MARK_NONE, state_of(r), r->wish.playouts, &rng,
                share);
  round_shares(r->players, share, r->start);
}

static void set_result(sal_review *r) {
  const unsigned winners = sal_table_winners(r->table);
  for (int i = 0; i < r->players; i++)
    r->result[i] =
        winners >> i & 1 ? SAL_SURE / __builtin_popcount(winners) : 0;
}

static bool make_room(sal_review *r) {
  const struct sal_info *info = &r->game->info;
  r->steps = calloc(r->count + 1, sizeof *r->steps);
  r->views = calloc(r->count + 1, sizeof *r->views);
  r->memory = calloc((size_t)r->players, sizeof *r->memory);
  r->legal = calloc(info->legal_max, sizeof *r->legal);
  r->measure = measure_new(r->game, r->players);
  return r->steps && r->views && r->memory && r->legal && r->measure;
}

sal_review *sal_review_new(const sal_table *t,
                           const struct sal_review_wish *wish,
                           struct sal_refusal *why) {
  if (sal_table_to_act(t) != 0) {
    sal_refuse(why, SAL_NOT_ALLOWED, NULL,
               N_("The game is not over: only finished games are reviewed."));
    return NULL;
  }
  sal_review *r = calloc(1, sizeof *r);
  if (r) {
    r->table = t;
    r->game = sal_table_game(t);
    r->players = sal_table_players(t);
    r->count = count_steps(t);
  }
  if (!r || !make_room(r)) {
    sal_review_free(r);
    sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
    return NULL;
  }
  sal_review_wish_default(r->game, &r->wish);
  if (r->players > 2) {
    const uint32_t fewer = usual_of(r->game)->fewer;
    r->wish.playouts /= fewer;
    r->wish.worlds /= fewer;
  }
  if (wish) {
    r->wish.seed = wish->seed;
    r->wish.playouts = wish->playouts ? wish->playouts : r->wish.playouts;
    r->wish.worlds = wish->worlds ? wish->worlds : r->wish.worlds;
  }
  r->game->init(state_of(r), sal_table_setup(t));
  for (int i = 0; i < r->players; i++)
    sal_memory_clear(&r->memory[i]);
  r->beliefs.fresh = true;
  measure_start(r);
  set_result(r);
  return r;
}

void sal_review_free(sal_review *r) {
  if (!r)
    return;
  measure_free(r->measure);
  free(r->steps);
  free(r->views);
  free(r->memory);
  free(r->legal);
  free(r);
}

size_t sal_review_steps(const sal_review *r) { return r->count; }
size_t sal_review_done(const sal_review *r) { return r->done; }
const sal_table *sal_review_table(const sal_review *r) { return r->table; }
struct sal_review_wish sal_review_wish_of(const sal_review *r) {
  return r->wish;
}
const int32_t *sal_review_start(const sal_review *r) { return r->start; }
const int32_t *sal_review_result(const sal_review *r) { return r->result; }

const struct sal_review_step *sal_review_at(const sal_review *r, size_t i) {
  return &r->steps[i];
}

/* ---- Steps ------------------------------------------------------------------ */

/* Plays the next step of the table, and everybody notes it. */
static void advance(sal_review *r) {
  const struct sal_step step = sal_table_step(r->table, r->at++);
  const unsigned hidden =
      sal_memory_apply(r->game, state_of(r), step.seat, step.action);
  for (int i = 0; i < r->players; i++)
    sal_memory_note(&r->memory[i], r->game, i, state_of(r), step.seat,
                    step.action, hidden >> i & 1);
}

/* The first event of the next step; resigning is the last event of all. */
static size_t next_event(const sal_review *r, size_t done) {
  if (r->at < sal_table_steps(r->table))
    return sal_table_step(r->table, r->at).event;
  return sal_table_event_count(r->table) - (done < r->count);
}

/* What the position is worth now; the last one is the result. */
static void measure_now(sal_review *r, struct mark mark, struct sal_rng *rng,
                        struct sal_review_step *out) {
  double share[SAL_SEATS_MAX];
  if (r->done + 1 == r->count) {
    memcpy(out->value, r->result, sizeof r->result);
    return;
  }
  measure_state(r->measure, mark, state_of(r), r->wish.playouts, rng, share);
  round_shares(r->players, share, out->value);
}

static void divide(const sal_review *r, struct sal_review_step *out) {
  const int32_t *before = r->done ? r->steps[r->done - 1].value : r->start;
  int32_t *rest = out->kind == SAL_REVIEW_DRAW ? out->luck : out->hidden;
  for (int i = 0; i < r->players; i++)
    rest[i] = out->value[i] - before[i] - out->play[i];
}

static void review_draw(sal_review *r, struct sal_rng *rng,
                        struct sal_review_step *out) {
  const int closed = r->game->closed(state_of(r));
  out->kind = SAL_REVIEW_DRAW;
  out->seat = SAL_CHANCE;
  while (r->at < sal_table_steps(r->table) &&
         sal_table_step(r->table, r->at).seat == SAL_CHANCE)
    advance(r);
  if (r->deal != closed || r->done == 0)
    r->beliefs.fresh = true;
  r->deal = closed;
  measure_now(r, measure_mark(r->measure, state_of(r)), rng, out);
}

struct sal_weighed weighed_of(const struct sal_question *q,
                              const struct option_value *o) {
  return (struct sal_weighed){
      q->legal[o->number], (int32_t)lround(SAL_SURE * o->value),
      (int32_t)lround(SAL_SURE * o->error),
      (int32_t)lround(SAL_SURE * o->habit),
      o->often < 0 ? -1 : (int32_t)lround(SAL_SURE * o->often)};
}

/* What is lost is told only where the worlds tell it apart from nothing. */
static void weigh_decision(const sal_review *r, const struct decision *d,
                           const struct sal_question *q, sal_action played,
                           struct sal_review_step *out) {
  out->mixed = d->mixed;
  out->best = (int32_t)lround(SAL_SURE * d->best);
  out->known = (int32_t)lround(SAL_SURE * d->par[q->seat]);
  out->error = (int32_t)lround(SAL_SURE * d->error);
  out->count = d->count;
  for (size_t i = 0; i < d->count; i++) {
    const struct option_value *o = &d->option[i];
    struct sal_weighed *w = &out->weighed[i];
    *w = weighed_of(q, o);
    if (w->action != played)
      continue;
    const int32_t behind = out->best - w->value;
    out->lost = behind > w->error ? behind : 0;
    for (int s = 0; s < r->players; s++)
      out->play[s] = (int32_t)lround(SAL_SURE * (o->share[s] - d->par[s]));
  }
  out->mark = mark_for(out->lost);
}

static void review_move(sal_review *r, const struct sal_step *step,
                        struct sal_rng *rng, struct sal_review_step *out) {
  sal_view *view = (sal_view *)r->views[r->done].bytes;
  struct decision d;
  r->game->view(state_of(r), step->seat, view);
  const struct sal_question q = {
      .game = r->game,
      .players = r->players,
      .seat = step->seat,
      .view = view,
      .legal = r->legal,
      .count = r->game->legal(state_of(r), step->seat, r->legal),
      .memory = &r->memory[step->seat]};
  const struct observed seen = {r->measure, state_of(r),  r->memory,
                                &q,         step->action, rng};
  const struct mark mark = measure_mark(r->measure, state_of(r));
  out->kind = SAL_REVIEW_MOVE;
  out->seat = step->seat;
  out->action = step->action;
  out->choices = q.count;
  if (q.count > 1) {
    measure_decision(r->measure, &q, step->action, r->wish.worlds, rng, &d);
    weigh_decision(r, &d, &q, step->action, out);
    beliefs_before(&r->beliefs, &seen, out);
  }
  advance(r);
  if (q.count > 1)
    beliefs_after(&r->beliefs, &seen, out);
  measure_now(r, mark, rng, out);
}

/* Whoever resigns gives away the chance that they could see. */
static void review_resigned(sal_review *r, struct sal_review_step *out) {
  const int seat = sal_table_resigned(r->table);
  const int32_t *before = r->done ? r->steps[r->done - 1].value : r->start;
  out->kind = SAL_REVIEW_RESIGNED;
  out->seat = seat;
  out->best = out->known = out->lost = before[seat];
  out->mark = mark_for(out->lost);
  memcpy(out->value, r->result, sizeof r->result);
  for (int i = 0; i < r->players; i++)
    out->play[i] = out->value[i] - before[i];
}

bool sal_review_next(sal_review *r) {
  struct sal_rng rng;
  if (r->done == r->count)
    return false;
  struct sal_review_step *out = &r->steps[r->done];
  memset(out, 0, sizeof *out);
  seed_step(r, r->done + 1, &rng);
  out->actions = r->actions;
  out->event = next_event(r, r->done);
  if (r->at == sal_table_steps(r->table)) {
    review_resigned(r, out);
  } else {
    const struct sal_step step = sal_table_step(r->table, r->at);
    if (step.seat == SAL_CHANCE)
      review_draw(r, &rng, out);
    else
      review_move(r, &step, &rng, out);
    r->actions += step.seat != SAL_CHANCE;
  }
  out->events = next_event(r, r->done + 1) - out->event;
  divide(r, out);
  r->done++;
  return true;
}
