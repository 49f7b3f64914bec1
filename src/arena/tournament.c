/* All the games of a tournament, over all the threads, and over the ranks where
 * mpirun has started several.
 *
 * Main invariant: a thread writes nothing but the results of the games it has
 * taken, each in the game's own place; whoever reads them afterwards reads
 * them in order. */
#include "ranked.h"
#include "ranks.h"

#include <pthread.h>
#include <time.h>

const char *arena_fault_id(enum arena_fault f) {
  static const char *const ids[] = {[ARENA_FINE] = "",
                                    [ARENA_ILLEGAL] = "illegal",
                                    [ARENA_LATE] = "late",
                                    [ARENA_ENDED] = "ended",
                                    [ARENA_GARBLED] = "garbled"};
  return ids[f];
}

/* ---- Seating ------------------------------------------------------------- */

/* How many different bots sit in a game. */
static int company(const struct arena_plan *p) {
  return p->bots < p->setup.players ? p->bots : p->setup.players;
}

static size_t choices(int from, int pick) {
  size_t n = 1;
  for (int i = 1; i <= pick; i++)
    n = n * (size_t)(from - pick + i) / (size_t)i;
  return n;
}

size_t arena_games_per_deal(const struct arena_plan *p) {
  return choices(p->bots, company(p)) * (size_t)company(p);
}

/* The choice of `pick` bots that stands at `index` in alphabetical order. */
static void choose_bots(const struct arena_plan *p, int pick, size_t index,
                        uint8_t *out) {
  int bot = 0;
  for (int i = 0; i < pick; i++, bot++) {
    for (;; bot++) {
      const size_t with = choices(p->bots - bot - 1, pick - i - 1);
      if (index < with)
        break;
      index -= with;
    }
    out[i] = (uint8_t)bot;
  }
}

void arena_seating(const struct arena_plan *p, size_t game, uint8_t *bot) {
  const size_t pick = (size_t)company(p);
  const size_t within = game % arena_games_per_deal(p);
  uint8_t chosen[SAL_SEATS_MAX];
  choose_bots(p, (int)pick, within / pick, chosen);
  for (size_t seat = 0; seat < (size_t)p->setup.players; seat++)
    bot[seat] = chosen[(seat + within) % pick];
}

/* ---- Threads ------------------------------------------------------------- */

struct tournament {
  const struct arena_plan *plan;
  struct arena_game *games;
  size_t count;
  atomic_size_t next; /* game that nobody has taken yet */
  atomic_size_t done;
  atomic_int trouble;
  atomic_bool enough;
  pthread_mutex_t lock; /* of the listener, and of `deals` */
  size_t deals;         /* those at the beginning that were played whole */
};

static bool going_on(const struct tournament *t) {
  return t->trouble == ARENA_DONE && !t->enough &&
         !(t->plan->stop && *t->plan->stop);
}

/* Tells of the deals that have become whole, in their order. */
static void tell_deals(struct tournament *t) {
  const struct arena_listener *l = t->plan->listener;
  const size_t each = arena_games_per_deal(t->plan);
  while (!t->enough && t->deals < t->plan->deals) {
    const struct arena_game *games = t->games + t->deals * each;
    for (size_t i = 0; i < each; i++)
      if (!games[i].played)
        return;
    t->deals++;
    t->enough = l->dealt && l->dealt(l->self, games);
  }
}

/* What a game has left besides its result. */
struct trail {
  const struct arena_note *note;
  int notes;
  const char *record;
};

/* Marks a game as played and tells of it. */
static void finish_game(struct tournament *t, size_t n, const struct trail *d) {
  const struct arena_listener *l = t->plan->listener;
  struct arena_game *g = &t->games[n];
  if (!l) {
    g->played = true;
    return;
  }
  pthread_mutex_lock(&t->lock);
  if (going_on(t)) {
    for (int i = 0; l->failed && i < d->notes; i++) {
      struct arena_note note = d->note[i];
      note.game = n;
      l->failed(l->self, &note);
    }
    g->played = true;
    if (l->played && !l->played(l->self, n, g, l->records ? d->record : NULL)) {
      g->played = false;
      t->trouble = ARENA_NO_KEEPING;
    }
    tell_deals(t);
  }
  pthread_mutex_unlock(&t->lock);
}

static void *play_pairs(void *argument) {
  struct tournament *t = argument;
  struct desk *d = desk_new(t->plan);
  if (!d)
    t->trouble = ARENA_NO_MEMORY;
  while (d && going_on(t)) {
    const size_t n = atomic_fetch_add(&t->next, 1);
    if (n >= t->count)
      break;
    if (!t->games[n].played) {
      match_play(d, n, &t->games[n]);
      if (d->trouble != ARENA_DONE)
        t->trouble = (int)d->trouble;
      if (going_on(t))
        finish_game(t, n, &(struct trail){d->note, d->notes, d->record.at});
    }
    atomic_fetch_add(&t->done, 1);
  }
  desk_free(d);
  return NULL;
}

/* ---- Ranks --------------------------------------------------------------- */

static size_t block_size(const struct tournament *t) {
  return ranked_block(t->count, ranks_count());
}

/* How many games the block has that begins with this one. */
static size_t block_from(const struct tournament *t, size_t first) {
  const size_t size = block_size(t), left = t->count - first;
  return left < size ? left : size;
}

static bool block_played(const struct tournament *t, size_t first) {
  for (size_t i = 0; i < block_from(t, first); i++)
    if (!t->games[first + i].played)
      return false;
  return true;
}

/* The first game of a block for another rank. */
static size_t next_block(void *self) {
  struct tournament *t = self;
  while (going_on(t)) {
    const size_t first = atomic_fetch_add(&t->next, block_size(t));
    if (first >= t->count)
      break;
    if (!block_played(t, first))
      return first;
    atomic_fetch_add(&t->done, block_from(t, first));
  }
  return RANKS_NONE;
}

static void take_game(struct tournament *t, const struct ranked_game *g) {
  if (g->trouble != ARENA_DONE)
    t->trouble = (int)g->trouble;
  if (g->number >= t->count || t->games[g->number].played || !going_on(t))
    return;
  t->games[g->number] = g->game;
  if (t->plan->times)
    t->plan->times[g->number] = g->time;
  finish_game(t, g->number, &(struct trail){g->note, g->notes, g->record});
}

static void take_block(void *self, size_t first, const char *bytes, size_t n) {
  struct tournament *t = self;
  struct ranked_game g;
  while (n > 0 && ranked_unpack(&bytes, &n, &g)) {
    take_game(t, &g);
    ranked_free(&g);
  }
  if (n > 0)
    t->trouble = ARENA_NO_MEMORY;
  atomic_fetch_add(&t->done, block_from(t, first));
}

static bool interrupted(void *self) {
  const struct tournament *t = self;
  return t->plan->stop && *t->plan->stop;
}

/* A thread of rank 0. */
static void *hand_out(void *argument) {
  const struct ranks_office office = {argument, next_block, take_block,
                                      interrupted};
  ranks_hand_out(&office);
  return NULL;
}

static bool play_block(struct tournament *t, struct desk *d, size_t first,
                       struct sal_buffer *out) {
  bool ok = true;
  sal_buffer_clear(out);
  for (size_t i = 0; ok && i < block_from(t, first); i++) {
    match_play(d, first + i, &t->games[first + i]);
    ok = ranked_pack(d, first + i, out) && d->trouble == ARENA_DONE;
  }
  return !out->failed;
}

/* A thread of another rank. */
static void *play_blocks(void *argument) {
  struct tournament *t = argument;
  struct desk *d = desk_new(t->plan);
  struct sal_buffer out = {0};
  size_t first = ranks_next(RANKS_NONE, NULL, 0);
  while (first != RANKS_NONE) {
    static const char none[1];
    if (d && play_block(t, d, first, &out))
      first = ranks_next(first, out.at, out.len);
    else /* no game at all: rank 0 ends with a word */
      first = ranks_next(first, none, sizeof none);
  }
  sal_buffer_free(&out);
  desk_free(d);
  return NULL;
}

/* ---- All of it ----------------------------------------------------------- */

/* Tells the progress until the games are done, or nobody plays any more. */
static void watch(const struct tournament *t) {
  const double from = program_clock();
  const struct timespec nap = {0, 50000000};
  while (t->plan->progress && t->done < t->count && going_on(t)) {
    t->plan->progress(t->done, t->count, program_clock() - from);
    nanosleep(&nap, NULL);
  }
}

/* How it ended, for all ranks. */
static enum arena_end ended(const struct tournament *t) {
  if (t->enough)
    return ARENA_ENOUGH;
  if (t->trouble != ARENA_DONE)
    return (enum arena_end)(int)t->trouble;
  return t->done == t->count ? ARENA_DONE : ARENA_STOPPED;
}

/* Plays on this rank's threads; false: none could be started. */
static bool play_here(struct tournament *t) {
  const bool first = ranks_number() == 0;
  pthread_t thread[ARENA_THREADS_MAX], office;
  int started = 0;
  while (started < t->plan->threads && (size_t)started < t->count &&
         pthread_create(&thread[started], NULL,
                        first ? play_pairs : play_blocks, t) == 0)
    started++;
  const bool shared = first && ranks_count() > 1 &&
                      pthread_create(&office, NULL, hand_out, t) == 0;
  if (first && started)
    watch(t);
  for (int i = 0; i < started; i++)
    pthread_join(thread[i], NULL);
  if (shared)
    pthread_join(office, NULL);
  if (!first)
    ranks_leave();
  return started > 0 && (shared || !first || ranks_count() == 1);
}

enum arena_end arena_run(const struct arena_plan *p, struct arena_game *games) {
  struct tournament t = {.plan = p, .games = games};
  enum arena_end end = ARENA_NO_MEMORY;
  t.count = p->deals * arena_games_per_deal(p);
  if (pthread_mutex_init(&t.lock, NULL) != 0)
    return end;
  if (p->listener && ranks_number() == 0)
    tell_deals(&t); /* those that were played before */
  end = play_here(&t) ? ended(&t) : ARENA_NO_THREAD;
  pthread_mutex_destroy(&t.lock);
  if (ranks_number() > 0 || end != ARENA_STOPPED) /* then nobody listens */
    ranks_share(&end, sizeof end);
  return end;
}
