/* All the games of a tournament, over all the threads.
 *
 * Main invariant: a thread writes nothing but the results of the games it has
 * taken, each in the game's own place; whoever reads them afterwards reads
 * them in order. */
#include "match.h"

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
static void choose(const struct arena_plan *p, int pick, size_t index,
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
  choose(p, (int)pick, within / pick, chosen);
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

/* Marks a game as played and tells of it. */
static void finish(struct tournament *t, const struct desk *d, size_t n) {
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
    if (l->played &&
        !l->played(l->self, n, g, l->records ? d->record.at : NULL)) {
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
        finish(t, d, n);
    }
    atomic_fetch_add(&t->done, 1);
  }
  desk_free(d);
  return NULL;
}

/* Tells the progress until the games are done, or nobody plays any more. */
static void watch(const struct tournament *t) {
  const double from = program_clock();
  const struct timespec nap = {0, 50000000};
  while (t->plan->progress && t->done < t->count && going_on(t)) {
    t->plan->progress(t->done, t->count, program_clock() - from);
    nanosleep(&nap, NULL);
  }
}

enum arena_end arena_run(const struct arena_plan *p, struct arena_game *games) {
  struct tournament t = {.plan = p, .games = games};
  pthread_t thread[ARENA_THREADS_MAX];
  int started = 0;
  t.count = p->deals * arena_games_per_deal(p);
  if (p->listener)
    tell_deals(&t); /* those that were played before */
  if (t.enough)
    return ARENA_ENOUGH;
  if (pthread_mutex_init(&t.lock, NULL) != 0)
    return ARENA_NO_MEMORY;
  while (started < p->threads && (size_t)started < t.count &&
         pthread_create(&thread[started], NULL, play_pairs, &t) == 0)
    started++;
  if (started == 0) {
    pthread_mutex_destroy(&t.lock);
    return ARENA_NO_THREAD;
  }
  watch(&t);
  for (int i = 0; i < started; i++)
    pthread_join(thread[i], NULL);
  pthread_mutex_destroy(&t.lock);
  if (t.enough)
    return ARENA_ENOUGH;
  if (t.trouble != ARENA_DONE)
    return (enum arena_end)(int)t.trouble;
  return t.done == t.count ? ARENA_DONE : ARENA_STOPPED;
}
