/* A local best response: it knows whom it plays against.
 *
 * For every hidden type that the other may have it asks that bot's policy what
 * it would have done, and so keeps exact beliefs where the types can be counted
 * (Doors, Favor and Traps for two). In Louis XIV they are too many: there it
 * draws some that fit what was seen since the last draw. It then does what is
 * best against those beliefs if both play on by the heuristics. What it wins
 * above one half is a lower bound on what a bot loses to whoever has studied it. */
#include "kinds.h"

#include "salotto/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
  PLAYOUTS = 400,
  ASKS = 2,     /* times that a policy is asked; searchers differ a little */
  TRIES = 160,  /* worlds that are drawn, to find every type */
  TYPES = 32,   /* different ones; where there are more: */
  FITTING = 8,  /* those that fit, each asked once, and */
  DRAWS = 2000, /* worlds that are drawn to find them */
  KNOWN = 1 << 13
};

/* Even who is known errs now and then. */
static const double slip = 0.02;

static const struct sal_bot *subject;
static struct sal_budget subject_budget;
static uint64_t studied; /* how many subjects there were */

void reader_study(const struct sal_bot *bot, const struct sal_budget *budget) {
  studied++;
  subject = bot;
  subject_budget = *budget;
}

heuristic_fn *studied_heuristic(const struct sal_game *g) {
  const struct heuristics *h = heuristics_of(g);
  return subject == sal_bot_find("novice") ? h->novice : h->regular;
}

const char *studied_level(void) { return subject ? subject->id : ""; }

struct reading {
  const struct sal_question *q;
  int other;
  int asks; /* 0: only whether a world fits */
  struct sal_rng *rng;
  struct sal_memory memory; /* the other's, in the world at hand */
  sal_action legal[LEGAL_MAX];
  double chance[LEGAL_MAX], once[LEGAL_MAX], value[LEGAL_MAX];
};

/* What the other would do in this world, on average. The luck of the asking
 * follows from the question, so that the same one is answered alike. */
static size_t ask_other(struct reading *r, const sal_state *s) {
  union sal_view_box box;
  struct sal_question q = {.game = r->q->game,
                           .players = r->q->players,
                           .seat = r->other,
                           .view = (const sal_view *)box.bytes,
                           .legal = r->legal,
                           .memory = &r->memory,
                           .budget = subject_budget};
  struct sal_rng luck;
  memset(&box, 0, sizeof box);
  q.game->view(s, r->other, (sal_view *)box.bytes);
  q.count = q.game->legal(s, r->other, r->legal);
  memset(r->chance, 0, q.count * sizeof *r->chance);
  sal_rng_seed(&luck, hash_bytes(&box, q.game->info.view_size));
  for (int ask = 0; ask < r->asks; ask++) {
    struct sal_policy p = {.chance = r->once, .value = r->value};
    subject->policy(&q, &luck, &p);
    for (size_t i = 0; i < q.count; i++)
      r->chance[i] += r->once[i] / r->asks;
  }
  for (size_t i = 0; i < q.count; i++)
    r->chance[i] = (1 - slip) * r->chance[i] + slip / (double)q.count;
  return q.count;
}

/* How likely the other was to do what it did, as remembered from an earlier
 * question of the same deal. A key is of one subject. */
static _Thread_local struct {
  uint64_t key;
  double likely;
} known[KNOWN];

/* Plays a step of the other; its likelihood, 0 if it cannot be. */
static double step_other(struct reading *r, sal_state *s, sal_action *seen,
                         uint64_t key) {
  if (*seen) {
    const size_t at = (size_t)(key >> 20) % KNOWN;
    if (r->q->game->check(s, r->other, *seen))
      return 0;
    if (r->asks == 0)
      return 1;
    if (known[at].key == key)
      return known[at].likely;
    const size_t count = ask_other(r, s);
    for (size_t i = 0; i < count; i++)
      if (r->legal[i] == *seen) {
        known[at].key = key;
        return known[at].likely = r->chance[i];
      }
    return 0;
  }
  const size_t count = ask_other(r, s);
  *seen = r->legal[draw_weighted(r->chance, count, r->rng)];
  return 1;
}

static double step_chance(struct reading *r, const sal_state *s,
                          sal_action *seen) {
  struct sal_chance c;
  double sum = 0, mine = 0;
  if (r->q->game->to_act(s) != SAL_CHANCE_BIT)
    return 0;
  r->q->game->chance(s, &c);
  if (!*seen) {
    *seen = sal_chance_draw(&c, r->rng);
    return 1;
  }
  for (size_t i = 0; i < c.count; i++) {
    sum += c.outcome[i].weight;
    mine += c.outcome[i].action == *seen ? c.outcome[i].weight : 0;
  }
  return mine / sum;
}

/* Plays the world along what was seen; how likely that was. */
static double follow_world(struct reading *r, sal_state *s, size_t from) {
  const struct sal_game *g = r->q->game;
  const struct sal_memory *m = r->q->memory;
  uint64_t key = hash_bytes(s, g->info.state_size) + studied;
  double likely = 1;
  sal_memory_clear(&r->memory);
  r->memory.begun = true;
  r->memory.closed = g->closed(s);
  g->view(s, r->other, (sal_view *)r->memory.start.bytes);
  r->memory.round = r->memory.start;
  for (size_t i = from; i < m->count && likely > 0; i++) {
    const int seat = m->step[i].seat;
    sal_action seen = m->step[i].action;
    key = hash_bytes(&(uint64_t[]){key, seen, i}, 3 * sizeof key);
    if (seat == SAL_CHANCE)
      likely *= step_chance(r, s, &seen);
    else if (!(g->to_act(s) >> seat & 1))
      likely = 0;
    else if (seat == r->other)
      likely *= step_other(r, s, &seen, key);
    else if (g->check(s, seat, seen))
      likely = 0;
    if (likely <= 0)
      break;
    const unsigned hidden = sal_memory_apply(g, s, seat, seen);
    sal_memory_note(&r->memory, g, r->other, s, seat, seen,
                    hidden >> r->other & 1);
  }
  union sal_view_box now;
  memset(&now, 0, sizeof now);
  g->view(s, r->q->seat, (sal_view *)now.bytes);
  return memcmp(now.bytes, r->q->view, g->info.view_size) == 0 ? likely : 0;
}

/* The types that were met so far, by the world they began in. */
struct types {
  uint64_t seen[TYPES];
  size_t count;
};

/* Draws a world of the beginning; whether its type is new. */
static bool draw_new(const struct reading *r, const sal_view *start,
                     struct types *t, struct sal_rng *rng,
                     union sal_state_box *world) {
  const struct sal_game *g = r->q->game;
  size_t i = 0;
  memset(world, 0, sizeof *world);
  g->resample(start, rng, (sal_state *)world->bytes);
  t->seen[t->count] = hash_bytes(world, g->info.state_size);
  while (t->seen[i] != t->seen[t->count])
    i++;
  const bool is_new = i == t->count;
  t->count += is_new;
  return is_new;
}

/* Whether there are more types than can be counted. */
static bool are_many(const struct reading *r, const sal_view *start) {
  struct types t = {.count = 0};
  struct sal_rng luck = *r->rng;
  union sal_state_box world;
  for (int tries = 0; tries < TRIES && t.count < TYPES; tries++)
    draw_new(r, start, &t, &luck, &world);
  return t.count == TYPES;
}

/* Types are too many to count: some of those that fit, weighed. */
static void draw_types(struct reading *r, struct belief *b,
                       const sal_view *start, size_t from) {
  const struct sal_game *g = r->q->game;
  for (int draws = 0; draws < DRAWS && b->count < FITTING; draws++) {
    union sal_state_box trial, *world = &b->world[b->count];
    memset(world, 0, sizeof *world);
    g->resample(start, r->rng, (sal_state *)world->bytes);
    trial = *world;
    r->asks = 0;
    double likely = follow_world(r, (sal_state *)trial.bytes, from);
    r->asks = 1;
    if (likely > 0)
      likely = follow_world(r, (sal_state *)world->bytes, from);
    if (likely > 0)
      b->weight[b->count++] = likely;
  }
}

/* Whether the other did anything from that step on. */
static bool has_acted(const struct reading *r, size_t from) {
  const struct sal_memory *m = r->q->memory;
  for (size_t i = from; i < m->count; i++)
    if (m->step[i].seat == r->other)
      return true;
  return false;
}

/* Fills in what the seat can believe of somebody it knows. */
static void read_other(struct reading *r, struct belief *b) {
  const struct sal_question *q = r->q;
  const struct sal_memory *m = q->memory;
  const bool by_round = heuristics_of(q->game)->by_round;
  const sal_view *start =
      (const sal_view *)(by_round ? &m->round : &m->start)->bytes;
  const size_t from = by_round ? m->since : 0;
  struct types t = {.count = 0};
  if (are_many(r, start)) {
    if (has_acted(r, from))
      draw_types(r, b, start, from);
    return;
  }
  r->asks = ASKS;
  for (int tries = 0; tries < TRIES && t.count < TYPES; tries++) {
    union sal_state_box *world = &b->world[b->count];
    if (!draw_new(r, start, &t, r->rng, world))
      continue;
    const double likely = follow_world(r, (sal_state *)world->bytes, from);
    if (likely > 0)
      b->weight[b->count++] = likely;
  }
}

void policy_reader(const struct sal_question *q, struct sal_rng *rng,
                   struct sal_policy *out) {
  struct timer timer;
  struct reading *r = malloc(sizeof *r);
  struct belief *b = calloc(1, sizeof *b); /* whom it plays is known */
  timer_start(&timer, &q->budget, PLAYOUTS);
  policy_heuristic(heuristics_of(q->game)->regular, q, out);
  if (r && b && q->count > 1 && q->game->info.legal_max <= LEGAL_MAX) {
    *r = (struct reading){.q = q, .other = !q->seat, .rng = rng};
    b->game = q->game;
    b->view = q->view;
    b->viewer = q->seat;
    if (subject && q->players == 2 && q->memory && q->memory->begun &&
        q->memory->count < SAL_MEMORY_MAX)
      read_other(r, b);
    flat_search(q, b, studied_heuristic(q->game), &timer, rng, out);
  }
  free(r);
  free(b);
}
