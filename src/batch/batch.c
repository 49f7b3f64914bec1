/* Many games stepped together. See salotto/batch.h.
 *
 * Every game has its own state and its own random numbers, so that which thread
 * plays it changes nothing. Main invariant: between calls each game waits for
 * the decision of the seat in `asked`. */
#include "salotto/batch.h"

#include "workers.h"

#include <stdlib.h>
#include <string.h>

struct game {
  struct sal_rng rng;
  int32_t asked;
};

struct sal_batch {
  const struct sal_game *game;
  struct sal_setup setup;
  size_t count, stride;
  struct game *games;
  unsigned char *states;
  sal_action *actions; /* those of the step being played */
  sal_action *legal;   /* `legal_max` for each worker */
  struct workers *workers;
  int threads;
};

static sal_state *state_at(const sal_batch *b, size_t i) {
  return (sal_state *)(b->states + i * b->stride);
}

/* ---- One game ------------------------------------------------------------ */

/* Plays chance until a seat is asked; of several the first. True: the game is
 * over instead. */
static bool play_chance(const sal_batch *b, size_t i) {
  const struct sal_game *g = b->game;
  sal_state *s = state_at(b, i);
  unsigned asked;
  while ((asked = g->to_act(s)) == SAL_CHANCE_BIT)
    g->sample(s, &b->games[i].rng);
  b->games[i].asked = asked ? __builtin_ctz(asked) : -1;
  return asked == 0;
}

static void start_game(const sal_batch *b, size_t i) {
  b->game->init(state_at(b, i), &b->setup);
  play_chance(b, i);
}

void sal_returns(const struct sal_game *g, const sal_state *s, int players,
                 double *out) {
  const unsigned winners = g->winners(s);
  const int n = __builtin_popcount(winners), others = players - n;
  for (int seat = 0; seat < players; seat++)
    out[seat] = !n || !others         ? 0
                : winners >> seat & 1 ? 1.0 / n
                                      : -1.0 / others;
}

/* Plays chance after a decision, and tells how it went; a game that ends is paid
 * and starts anew. */
static void end_step(const sal_batch *b, size_t i,
                     const struct sal_batch_out *out) {
  const size_t players = (size_t)b->setup.players;
  float *reward = out->reward ? out->reward + i * players : NULL;
  const bool over = play_chance(b, i);
  if (reward)
    memset(reward, 0, players * sizeof *reward);
  if (out->over)
    out->over[i] = over;
  if (!over)
    return;
  double returns[SAL_SEATS_MAX];
  sal_returns(b->game, state_at(b, i), b->setup.players, returns);
  for (size_t seat = 0; reward && seat < players; seat++)
    reward[seat] = (float)returns[seat];
  start_game(b, i);
}

static void write_out(const sal_batch *b, size_t i, sal_action *legal,
                      const struct sal_batch_out *out) {
  const struct sal_game *g = b->game;
  const sal_state *s = state_at(b, i);
  const int seat = b->games[i].asked;
  if (out->seat)
    out->seat[i] = seat;
  if (out->observation) {
    union sal_view_box box;
    g->view(s, seat, (sal_view *)box.bytes);
    g->tensor((const sal_view *)box.bytes,
              out->observation + i * g->info.tensor_size);
  }
  if (out->mask) {
    uint8_t *mask = out->mask + i * g->info.action_count;
    memset(mask, 0, g->info.action_count);
    const size_t n = g->legal(s, seat, legal);
    for (size_t k = 0; k < n; k++)
      mask[g->action_index(s, seat, legal[k])] = 1;
  }
}

static sal_action any_legal(const sal_batch *b, size_t i, sal_action *legal) {
  const size_t n = b->game->legal(state_at(b, i), b->games[i].asked, legal);
  return legal[sal_rng_below(&b->games[i].rng, (uint32_t)n)];
}

/* ---- All games, by several threads --------------------------------------- */

struct round {
  sal_batch *b;
  const struct sal_batch_out *out;
  const int32_t *number; /* sal_batch_step */
  int32_t *choice;       /* sal_batch_choose */
  size_t steps;          /* sal_batch_random */
  size_t *bad;           /* by worker: the first game with no such action */
};

/* Games [from, to) of a worker. */
typedef void part_fn(const struct round *r, size_t from, size_t to,
                     sal_action *legal, int worker);

struct task {
  const struct round *round;
  part_fn *part;
};

static void run_part(void *context, int worker) {
  const struct task *t = context;
  const sal_batch *b = t->round->b;
  const size_t n = (size_t)b->threads, w = (size_t)worker;
  t->part(t->round, b->count * w / n, b->count * (w + 1) / n,
          b->legal + w * b->game->info.legal_max, worker);
}

static void together(const struct round *r, part_fn *part) {
  struct task t = {r, part};
  workers_run(r->b->workers, run_part, &t);
}

static void part_start(const struct round *r, size_t from, size_t to,
                       sal_action *legal, int worker) {
  (void)worker;
  for (size_t i = from; i < to; i++) {
    start_game(r->b, i);
    write_out(r->b, i, legal, r->out);
  }
}

static void part_look(const struct round *r, size_t from, size_t to,
                      sal_action *legal, int worker) {
  (void)worker;
  for (size_t i = from; i < to; i++)
    write_out(r->b, i, legal, r->out);
}

static void part_read(const struct round *r, size_t from, size_t to,
                      sal_action *legal, int worker) {
  sal_batch *b = r->b;
  (void)legal;
  for (size_t i = from; i < to; i++) {
    b->actions[i] = r->number[i] < 0
                        ? 0
                        : b->game->action_at(state_at(b, i), b->games[i].asked,
                                             (size_t)r->number[i]);
    if (!b->actions[i]) {
      r->bad[worker] = i;
      return;
    }
  }
}

static void part_step(const struct round *r, size_t from, size_t to,
                      sal_action *legal, int worker) {
  const sal_batch *b = r->b;
  (void)worker;
  for (size_t i = from; i < to; i++) {
    b->game->apply(state_at(b, i), b->games[i].asked, b->actions[i], NULL);
    end_step(b, i, r->out);
    write_out(b, i, legal, r->out);
  }
}

static void part_random(const struct round *r, size_t from, size_t to,
                        sal_action *legal, int worker) {
  static const struct sal_batch_out nowhere = {0};
  const sal_batch *b = r->b;
  (void)worker;
  for (size_t i = from; i < to; i++) {
    for (size_t left = r->steps; left > 0;) {
      left -=
          sal_playout(b->game, state_at(b, i), &b->games[i].rng, left, legal);
      end_step(b, i, left > 0 ? &nowhere : r->out);
    }
    write_out(b, i, legal, r->out);
  }
}

static void part_choose(const struct round *r, size_t from, size_t to,
                        sal_action *legal, int worker) {
  const sal_batch *b = r->b;
  (void)worker;
  for (size_t i = from; i < to; i++)
    r->choice[i] = (int32_t)b->game->action_index(
        state_at(b, i), b->games[i].asked, any_legal(b, i, legal));
}

/* ---- The interface ------------------------------------------------------- */

static sal_batch *allocate(const struct sal_batch_plan *plan, int threads) {
  const struct sal_info *info = &plan->game->info;
  sal_batch *b = calloc(1, sizeof *b);
  if (!b)
    return NULL;
  b->game = plan->game;
  b->setup = plan->setup;
  b->count = plan->count;
  b->stride = (info->state_size + 15) / 16 * 16;
  b->threads = threads;
  b->games = calloc(b->count, sizeof *b->games);
  b->states = calloc(b->count, b->stride);
  b->actions = calloc(b->count, sizeof *b->actions);
  b->legal = calloc((size_t)threads, info->legal_max * sizeof *b->legal);
  b->workers = workers_new(threads);
  if (b->games && b->states && b->actions && b->legal && b->workers)
    return b;
  sal_batch_free(b);
  return NULL;
}

sal_batch *sal_batch_new(const struct sal_batch_plan *plan,
                         struct sal_refusal *why) {
  static const struct sal_batch_out nowhere = {0};
  if (sal_setup_check(plan->game, &plan->setup, why))
    return NULL;
  if (!plan->game->info.action_count) {
    sal_refuse(why, SAL_BAD_REQUEST, NULL, "The game has no dense actions.");
    return NULL;
  }
  if (plan->count < 1 || plan->threads < 0) {
    sal_refuse(why, SAL_BAD_REQUEST, NULL,
               "A batch has at least one game, and no negative threads.");
    return NULL;
  }
  size_t threads = plan->threads ? (size_t)plan->threads : 1;
  if (threads > plan->count)
    threads = plan->count;
  if (threads > WORKERS_MAX)
    threads = WORKERS_MAX;
  sal_batch *b = allocate(plan, (int)threads);
  if (!b) {
    sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
    return NULL;
  }
  uint64_t seed = plan->seed;
  for (size_t i = 0; i < b->count; i++)
    sal_rng_seed(&b->games[i].rng, sal_splitmix(&seed));
  sal_batch_reset(b, &nowhere);
  return b;
}

void sal_batch_free(sal_batch *b) {
  if (!b)
    return;
  workers_free(b->workers);
  free(b->games);
  free(b->states);
  free(b->actions);
  free(b->legal);
  free(b);
}

void sal_batch_reset(sal_batch *b, const struct sal_batch_out *out) {
  if (out->over)
    memset(out->over, 0, b->count);
  if (out->reward)
    memset(out->reward, 0,
           b->count * (size_t)b->setup.players * sizeof *out->reward);
  together(&(struct round){.b = b, .out = out}, part_start);
}

void sal_batch_look(sal_batch *b, const struct sal_batch_out *out) {
  together(&(struct round){.b = b, .out = out}, part_look);
}

int sal_batch_step(sal_batch *b, const int32_t *action,
                   const struct sal_batch_out *out, struct sal_refusal *why) {
  size_t bad[WORKERS_MAX];
  for (int w = 0; w < b->threads; w++)
    bad[w] = b->count;
  const struct round r = {.b = b, .out = out, .number = action, .bad = bad};
  together(&r, part_read);
  for (int w = 0; w < b->threads; w++)
    if (bad[w] < b->count) {
      char message[SAL_MESSAGE_MAX];
      struct sal_text text;
      sal_text_init(&text, message, sizeof message);
      sal_text_add(&text, "Game ");
      sal_text_int(&text, (int64_t)bad[w]);
      sal_text_add(&text, " has no legal action ");
      sal_text_int(&text, action[bad[w]]);
      sal_text_add(&text, "; nothing was played.");
      return sal_refuse(why, SAL_BAD_ACTION, NULL, message);
    }
  together(&r, part_step);
  return SAL_OK;
}

uint64_t sal_batch_random(sal_batch *b, size_t steps,
                          const struct sal_batch_out *out) {
  together(&(struct round){.b = b, .out = out, .steps = steps}, part_random);
  return (uint64_t)b->count * steps;
}

void sal_batch_choose(sal_batch *b, int32_t *action) {
  together(&(struct round){.b = b, .choice = action}, part_choose);
}

const sal_state *sal_batch_state(const sal_batch *b, size_t i) {
  return state_at(b, i);
}
