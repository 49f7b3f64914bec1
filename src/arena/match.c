/* One game: cards by address, bots that see their own view, faults.
 *
 * Main invariant: only actions that `legal` lists are ever applied. A bot that
 * fails is out of the game; while two others are still in it a stand-in plays
 * its seat on, so that it spoils nothing but its own result. */
#include "match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A game that is not over after so many actions is a draw. */
enum { LENGTH_MAX = 20000 };

/* ---- Seeds --------------------------------------------------------------- */

enum { FOR_DEAL = 1, FOR_SEAT, FOR_DRAW };

uint64_t arena_seed(uint64_t seed, uint64_t value) {
  seed ^= (value + 1) * UINT64_C(0xd1342543de82ef95);
  return sal_splitmix(&seed);
}

uint64_t match_seat_seed(const struct desk *d, int seat) {
  return arena_seed(arena_seed(d->deal, FOR_SEAT), (uint64_t)seat);
}

/* The outcome of a draw by its address alone: in every rotation of a deal the
 * same cards come, however the games go. */
static sal_action draw_outcome(const struct desk *d,
                               const struct sal_chance *c) {
  struct sal_rng rng;
  uint64_t h = arena_seed(d->deal, FOR_DRAW);
  h = arena_seed(h, (uint64_t)c->entry);
  h = arena_seed(h, (uint64_t)c->pile);
  h = arena_seed(h, (uint64_t)c->list);
  h = arena_seed(h, (uint64_t)c->index);
  sal_rng_seed(&rng, h);
  return sal_chance_draw(c, &rng);
}

/* ---- Steps --------------------------------------------------------------- */

struct listener {
  struct sal_log log; /* first, so that `keep` can find the rest */
  struct desk *desk;
};

static void keep_event(struct sal_log *log, const struct sal_event *e) {
  struct desk *d = ((struct listener *)log)->desk;
  void *events = d->events;
  if (!sal_array_grow(&events, d->event_count, &d->event_cap, sizeof *e)) {
    d->trouble = ARENA_NO_MEMORY;
    return;
  }
  d->events = events;
  d->events[d->event_count++] = *e;
}

/* Events are wanted by outside programs only: played on a copy first, so that
 * the usual way stays short. */
static void listen(struct desk *d, int seat, sal_action a) {
  union sal_state_box copy = d->state;
  struct listener l = {{keep_event}, d};
  d->plan->game->apply((sal_state *)copy.bytes, seat, a, &l.log);
}

static void step_game(struct desk *d, int seat, sal_action a) {
  const struct sal_game *g = d->plan->game;
  sal_state *s = (sal_state *)d->state.bytes;
  record_step(d, seat, a);
  if (d->outside)
    listen(d, seat, a);
  const unsigned hidden = sal_memory_apply(g, s, seat, a);
  for (int i = 0; i < d->plan->setup.players; i++)
    if (!d->program[i])
      sal_memory_note(&d->memory[i], g, i, s, seat, a, hidden >> i & 1);
}

static void play_chance(struct desk *d) {
  while (d->plan->game->to_act(desk_state(d)) == SAL_CHANCE_BIT) {
    struct sal_chance c;
    d->plan->game->chance(desk_state(d), &c);
    step_game(d, SAL_CHANCE, draw_outcome(d, &c));
  }
}

/* ---- Moves --------------------------------------------------------------- */

static sal_action think(struct desk *d, int seat, const struct sal_bot *bot,
                        size_t count) {
  const struct arena_bot *as = desk_bot(d, seat);
  union sal_view_box view;
  struct sal_thought thought;
  memset(&view, 0, sizeof view);
  d->plan->game->view(desk_state(d), seat, (sal_view *)view.bytes);
  const struct sal_question q = {.game = d->plan->game,
                                 .players = d->plan->setup.players,
                                 .seat = seat,
                                 .view = (const sal_view *)view.bytes,
                                 .legal = d->legal,
                                 .count = count,
                                 .memory = &d->memory[seat],
                                 .budget = as->budget,
                                 .temper = as->temper};
  bot->think(&q, &d->rng[seat], &thought);
  return thought.action;
}

static bool listed(const struct desk *d, size_t count, sal_action a) {
  for (size_t i = 0; i < count; i++)
    if (d->legal[i] == a)
      return true;
  return false;
}

/* The action of a seat, or 0 when its bot has failed just now. */
static sal_action ask_seat(struct desk *d, int seat) {
  const struct arena_bot *bot = desk_bot(d, seat);
  const size_t count = d->plan->game->legal(desk_state(d), seat, d->legal);
  enum arena_fault fault = ARENA_FINE;
  sal_action a = 0;
  d->answer[0] = '\0';
  const double from = program_clock();
  if (d->game->fault[seat])
    a = think(d, seat, d->stand_in, count);
  else if (d->program[seat])
    fault = talk_move(d, seat, count, &a);
  else
    a = think(d, seat, bot->inside, count);
  if (fault == ARENA_FINE && listed(d, count, a)) {
    if (d->time && count > 1 && !d->game->fault[seat]) {
      const double took = program_clock() - from;
      d->time->seconds[seat] += took;
      d->time->longest[seat] = fmax(d->time->longest[seat], took);
      d->time->moves[seat]++;
    }
    return a;
  }
  d->game->fault[seat] = (uint8_t)(fault ? fault : ARENA_ILLEGAL);
  note_fault(d, seat, d->game->fault[seat], a);
  return 0;
}

/* How many bots are still in the game. */
static int standing(const struct desk *d) {
  int n = 0;
  for (int i = 0; i < d->plan->setup.players; i++)
    n += d->game->fault[i] == ARENA_FINE;
  return n;
}

/* ---- A game -------------------------------------------------------------- */

/* Forgets how bots have failed. */
static void forget_notes(struct desk *d) {
  while (d->notes > 0)
    free(d->note[--d->notes].position);
}

static void set_up(struct desk *d, size_t number, struct arena_game *out) {
  const struct arena_plan *p = d->plan;
  int copies[ARENA_BOTS_MAX] = {0};
  memset(out, 0, sizeof *out);
  arena_seating(p, number, out->bot);
  d->game = out;
  d->time = p->times ? &p->times[number] : NULL;
  d->deal = arena_seed(arena_seed(p->seed, FOR_DEAL),
                       number / arena_games_per_deal(p));
  d->outside = false;
  d->event_count = 0;
  for (int i = 0; i < p->setup.players; i++) {
    const int bot = out->bot[i];
    struct program *own = &d->programs[bot * SAL_SEATS_MAX + copies[bot]++];
    own->stop = p->stop;
    d->program[i] = p->bot[bot].command ? own : NULL;
    d->outside |= d->program[i] != NULL;
    d->told[i] = 0;
    sal_memory_clear(&d->memory[i]);
    sal_rng_seed(&d->rng[i], match_seat_seed(d, i));
  }
  memset(&d->state, 0, sizeof d->state);
  p->game->init((sal_state *)d->state.bytes, &p->setup);
  forget_notes(d);
  record_begin(d);
  play_chance(d);
}

/* Whoever failed comes last. The others stand as the game says: winners first,
 * then by score; if it was not played to its end, they share the win. */
static void rank_seats(struct desk *d) {
  const struct sal_game *g = d->plan->game;
  const int players = d->plan->setup.players;
  struct arena_game *out = d->game;
  const bool over = g->to_act(desk_state(d)) == 0;
  const unsigned winners = g->winners(desk_state(d));
  int64_t standard[SAL_SEATS_MAX];
  g->scores(desk_state(d), out->score);
  out->whole = over && standing(d) == players;
  for (int i = 0; i < players; i++) {
    standard[i] = over ? out->score[i] : 0;
    if (over && (winners >> i & 1))
      standard[i] += INT64_C(1) << 40;
    if (out->fault[i])
      standard[i] = INT64_MIN;
  }
  for (int i = 0; i < players; i++)
    for (int k = 0; k < players; k++)
      out->rank[i] = (uint8_t)(out->rank[i] + (standard[k] > standard[i]));
}

static bool stopped(const struct desk *d) {
  return d->trouble != ARENA_DONE || (d->plan->stop && *d->plan->stop);
}

void match_play(struct desk *d, size_t number, struct arena_game *out) {
  const struct sal_game *g = d->plan->game;
  set_up(d, number, out);
  for (int i = 0; i < d->plan->setup.players; i++)
    if (d->program[i] &&
        (out->fault[i] = (uint8_t)talk_new(d, i)) != ARENA_FINE)
      note_fault(d, i, out->fault[i], 0);
  unsigned asked;
  while ((asked = g->to_act(desk_state(d))) != 0 && standing(d) > 1 &&
         out->length < LENGTH_MAX && !stopped(d)) {
    const int seat = __builtin_ctz(asked);
    const sal_action a = ask_seat(d, seat);
    if (!a)
      continue; /* somebody else answers for the seat now */
    step_game(d, seat, a);
    out->length++;
    play_chance(d);
  }
  rank_seats(d);
  record_end(d);
  for (int i = 0; i < d->plan->setup.players; i++)
    if (d->program[i])
      talk_over(d, i);
}

/* ---- Desks --------------------------------------------------------------- */

struct desk *desk_new(const struct arena_plan *p) {
  struct desk *d = calloc(1, sizeof *d);
  if (!d)
    return NULL;
  d->plan = p;
  d->stand_in = sal_bot_find("regular");
  d->legal = calloc(p->game->info.legal_max, sizeof *d->legal);
  d->programs = calloc((size_t)p->bots * SAL_SEATS_MAX, sizeof *d->programs);
  if (!d->legal || !d->programs) {
    desk_free(d);
    return NULL;
  }
  return d;
}

void desk_free(struct desk *d) {
  if (!d)
    return;
  forget_notes(d);
  sal_buffer_free(&d->record);
  const int programs = d->programs ? d->plan->bots * SAL_SEATS_MAX : 0;
  for (int i = 0; i < programs; i++) /* first, so that all end meanwhile */
    program_dismiss(&d->programs[i]);
  for (int i = 0; i < programs; i++)
    program_stop(&d->programs[i], 0.5);
  free(d->programs);
  free(d->legal);
  free(d->events);
  sal_buffer_free(&d->message);
  free(d);
}
