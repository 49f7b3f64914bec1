/* A thread pool and the queue before it. See crew.h. */
#define _GNU_SOURCE
#include "crew.h"
#include "hash.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { NICE = 10, FORGOTTEN_MS = 60000 };

/* A task counts as so many seconds until its cost is known. */
static const double guess = 0.2;
/* How far before the others somebody may start who has not asked lately. */
static const double credit = 0.5;

/* Those who pay: an address, and under it the persons there, who have the
 * tasks that wait. */
struct crew_party {
  struct hash_link link;
  struct party_key {
    struct crew_payer payer;
    int64_t is_person; /* else an address, and nobody */
  } key;
  struct crew_party *address; /* of a person; NULL: it is one */
  double start;               /* how far it is: seconds of virtual time */
  double clock;               /* of an address: how far its persons are */
  uint64_t at; /* when it last had anything open, by the loop's clock */
  size_t waiting[CREW_RANKS], running;
  size_t persons; /* of an address */
  struct crew_task *first[CREW_RANKS], *last[CREW_RANKS];
  /* Of a person: in the list of those with tasks that wait. */
  struct crew_party *next_active, *prev_active;
};

struct crew {
  uv_loop_t *loop;
  struct hash_table parties;
  struct crew_party *active;
  double clock;    /* how far those are who were served last */
  uint64_t posted; /* ever */
  size_t open;
  size_t addresses[CREW_RANKS]; /* with tasks of that rank that wait */
  bool stopping;
  bool pumping; /* tasks are being handed out further up the stack */
  int threads, busy;
  struct crew_helper *helpers;
  int helper_count;
  bool idle;
  int urgent;
  /* Shared with the threads, under the lock. */
  uv_mutex_t lock;
  uv_cond_t more;
  struct crew_task *handed, *finished;
  bool quit;
  uv_async_t wake;
  uv_thread_t thread[];
};

/* ---- Who pays -------------------------------------------------------------- */

_Static_assert(sizeof(struct party_key) == CREW_NETWORK + 2 * sizeof(int64_t),
               "a key without gaps");

static struct party_key party_key_of(const struct crew_payer *p, bool person) {
  struct party_key key = {*p, person};
  if (!person)
    key.payer.person = 0;
  return key;
}

/* The party with that key, made if there is none; NULL: no memory. */
static struct crew_party *find_party(struct crew *c, const struct crew_payer *p,
                                     struct crew_party *address) {
  const struct party_key key = party_key_of(p, address != NULL);
  struct crew_party *found = hash_find(&c->parties, &key);
  if (found || !(found = calloc(1, sizeof *found)))
    return found;
  found->key = key;
  found->address = address;
  if (!hash_add(&c->parties, found)) {
    free(found);
    return NULL;
  }
  if (address)
    address->persons++;
  return found;
}

/* The address comes first, so that a person always has one. NULL: no memory. */
static struct crew_party *party_of(struct crew *c, const struct crew_payer *p) {
  struct crew_party *address = find_party(c, p, NULL);
  return address ? find_party(c, p, address) : NULL;
}

static size_t open_of(const struct crew_party *p) {
  size_t n = p->running;
  for (int r = 0; r < CREW_RANKS; r++)
    n += p->waiting[r];
  return n;
}

void crew_sweep(struct crew *c) {
  const uint64_t now = uv_now(c->loop);
  for (struct crew_party *p = hash_next(&c->parties, NULL), *next; p;
       p = next) {
    next = hash_next(&c->parties, p);
    if (open_of(p) > 0 || p->persons > 0 || now - p->at < FORGOTTEN_MS)
      continue;
    if (p->address)
      p->address->persons--;
    hash_remove(&c->parties, p);
    free(p);
  }
}

/* ---- The line -------------------------------------------------------------- */

/* Who comes back is forgiven as many seconds as they were away. */
static void catch_up(const struct crew *c, struct crew_party *p, double clock) {
  const uint64_t now = uv_now(c->loop);
  const double away = 1e-3 * (double)(now - p->at);
  if (open_of(p) == 0)
    p->start = fmax(p->start - away, clock - credit);
  p->at = now;
}

static void enlist(struct crew *c, struct crew_task *t) {
  struct crew_party *p = t->party;
  const int r = t->rank;
  catch_up(c, p->address, c->clock);
  catch_up(c, p, p->address->clock);
  if (open_of(p) == p->running) { /* it has none in the line yet */
    p->prev_active = NULL;
    p->next_active = c->active;
    if (c->active)
      c->active->prev_active = p;
    c->active = p;
  }
  t->waiting = true;
  t->next = NULL;
  t->prev = p->last[r];
  *(t->prev ? &t->prev->next : &p->first[r]) = t;
  p->last[r] = t;
  p->waiting[r]++;
  if (p->address->waiting[r]++ == 0)
    c->addresses[r]++;
}

static void unlist(struct crew *c, struct crew_task *t) {
  struct crew_party *p = t->party;
  const int r = t->rank;
  *(t->prev ? &t->prev->next : &p->first[r]) = t->next;
  *(t->next ? &t->next->prev : &p->last[r]) = t->prev;
  t->waiting = false;
  p->waiting[r]--;
  if (--p->address->waiting[r] == 0)
    c->addresses[r]--;
  if (open_of(p) > p->running)
    return;
  *(p->prev_active ? &p->prev_active->next_active : &c->active) =
      p->next_active;
  if (p->next_active)
    p->next_active->prev_active = p->prev_active;
}

static int rank_of(const struct crew_party *p) {
  int r = 0;
  while (!p->first[r])
    r++;
  return r;
}

/* Whether a is served before b. */
static bool goes_before(const struct crew_party *a,
                        const struct crew_party *b) {
  const int rank = rank_of(a) - rank_of(b);
  if (rank != 0)
    return rank < 0;
  const bool same = a->address == b->address;
  const double x = same ? a->start : a->address->start;
  const double y = same ? b->start : b->address->start;
  return x != y ? x < y
                : a->first[rank_of(a)]->number < b->first[rank_of(b)]->number;
}

/* The last thread is kept for what is urgent. */
static bool has_thread_for(const struct crew *c, const struct crew_task *t) {
  const bool keep = t->rank > c->urgent && c->threads > 1;
  return c->busy + keep < c->threads;
}

static struct crew_helper *free_helper(const struct crew *c) {
  struct crew_helper *h = c->helpers;
  while (h && h->task)
    h = h->next;
  return h;
}

static struct crew_task *choose_task(const struct crew *c) {
  const bool helped = free_helper(c) != NULL;
  struct crew_party *best = NULL;
  if (c->busy == c->threads && !helped)
    return NULL;
  for (struct crew_party *p = c->active; p; p = p->next_active) {
    const struct crew_task *t = p->first[rank_of(p)];
    if ((has_thread_for(c, t) || (helped && t->travels)) &&
        (!best || goes_before(p, best)))
      best = p;
  }
  return best ? best->first[rank_of(best)] : NULL;
}

static void finish_task(struct crew *c, struct crew_task *t) {
  c->open--;
  t->done(t, t->ran);
}

static void hand_to_thread(struct crew *c, struct crew_task *t) {
  c->busy++;
  uv_mutex_lock(&c->lock);
  t->next = c->handed;
  c->handed = t;
  uv_cond_signal(&c->more);
  uv_mutex_unlock(&c->lock);
}

static void hand_to_helper(struct crew_helper *h, struct crew_task *t) {
  h->task = t;
  h->run(h, t);
}

static void hand(struct crew *c, struct crew_task *t) {
  struct crew_party *p = t->party, *address = p->address;
  c->clock = fmax(c->clock, address->start);
  address->clock = fmax(address->clock, p->start);
  p->running++;
  address->running++;
  p->start += guess;
  address->start += guess;
  t->ran = true;
  if (has_thread_for(c, t))
    hand_to_thread(c, t);
  else
    hand_to_helper(free_helper(c), t);
}

/* It runs no longer, and has cost so much. */
static void charge(struct crew *c, struct crew_task *t, double seconds) {
  struct crew_party *p = t->party;
  for (int i = 0; i < 2; i++, p = p->address) {
    p->running--;
    p->at = uv_now(c->loop);
    p->start += seconds - guess;
  }
}

/* Hands out what there are threads and helpers for. `done` may post more: that is seen by
 * the call that is under way. */
static void pump(struct crew *c) {
  if (c->pumping)
    return;
  c->pumping = true;
  for (struct crew_task *t; !c->stopping && (t = choose_task(c));) {
    unlist(c, t);
    if (!t->begin || t->begin(t))
      hand(c, t);
    else
      finish_task(c, t);
  }
  c->pumping = false;
}

void crew_post(struct crew *c, struct crew_task *t) {
  assert(t->rank >= 0 && t->rank < CREW_RANKS);
  c->open++;
  t->number = c->posted++;
  t->ran = t->waiting = false;
  t->party = c->stopping ? NULL : party_of(c, &t->payer);
  if (!t->party) {
    finish_task(c, t);
    return;
  }
  enlist(c, t);
  pump(c);
}

void crew_move(struct crew *c, struct crew_task *t, int rank) {
  if (!t->waiting) /* it may wait again */
    t->rank = rank;
  if (t->rank == rank)
    return;
  unlist(c, t);
  t->rank = rank;
  enlist(c, t);
  pump(c);
}

bool crew_take_back(struct crew *c, struct crew_task *t) {
  if (!t->waiting)
    return false;
  unlist(c, t);
  c->open--;
  return true;
}

size_t crew_open(const struct crew *c) { return c->open; }

size_t crew_open_of(struct crew *c, const uint8_t network[CREW_NETWORK]) {
  struct crew_payer p = {.person = 0};
  memcpy(p.network, network, CREW_NETWORK);
  const struct party_key key = party_key_of(&p, false);
  const struct crew_party *party = hash_find(&c->parties, &key);
  return party ? open_of(party) : 0;
}

/* The threads go round among the addresses that wait, and what an address gets
 * among its tasks. */
double crew_share(const struct crew *c, const struct crew_task *t) {
  const struct crew_party *address = t->party->address;
  size_t addresses = 0, tasks = 0;
  for (int r = 0; r <= t->rank; r++) {
    addresses += c->addresses[r];
    tasks += address->waiting[r];
  }
  if (tasks == 0)
    addresses++; /* this one, which has left the line */
  tasks += address->running + 1;
  const double share = (double)(c->threads + c->helper_count) /
                       (double)addresses / (double)tasks;
  return share < 1 ? share : 1;
}

/* ---- The threads ----------------------------------------------------------- */

static double processor_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct crew_task *next_handed(struct crew *c) {
  uv_mutex_lock(&c->lock);
  while (!c->handed && !c->quit)
    uv_cond_wait(&c->more, &c->lock);
  struct crew_task *t = c->handed;
  if (t)
    c->handed = t->next;
  uv_mutex_unlock(&c->lock);
  return t;
}

static void hand_back(struct crew *c, struct crew_task *t) {
  uv_mutex_lock(&c->lock);
  t->next = c->finished;
  c->finished = t;
  uv_mutex_unlock(&c->lock);
  uv_async_send(&c->wake);
}

static void run_tasks(void *crew) {
  struct crew *c = crew;
  if (c->idle) /* on Linux of this thread alone; if it fails, no harm is done */
    (void)setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid),
                      getpriority(PRIO_PROCESS, 0) + NICE);
  for (struct crew_task *t; (t = next_handed(c));) {
    const double begin = processor_seconds();
    t->run(t);
    t->seconds = processor_seconds() - begin;
    hand_back(c, t);
  }
}

static void on_wake(uv_async_t *wake) {
  struct crew *c = wake->data;
  uv_mutex_lock(&c->lock);
  struct crew_task *list = c->finished;
  c->finished = NULL;
  uv_mutex_unlock(&c->lock);
  for (struct crew_task *t = list, *next; t; t = next) {
    next = t->next;
    c->busy--;
    charge(c, t, t->seconds);
    finish_task(c, t);
  }
  pump(c);
}

struct crew *crew_new(uv_loop_t *loop, int threads, bool idle, int urgent) {
  struct crew *c = calloc(1, sizeof *c + (size_t)threads * sizeof *c->thread);
  if (!c)
    return NULL;
  c->loop = loop;
  hash_init(&c->parties, offsetof(struct crew_party, key),
            sizeof(struct party_key));
  c->idle = idle;
  c->urgent = urgent;
  uv_mutex_init(&c->lock);
  uv_cond_init(&c->more);
  uv_async_init(loop, &c->wake, on_wake);
  c->wake.data = c;
  while (c->threads < threads &&
         uv_thread_create(&c->thread[c->threads], run_tasks, c) == 0)
    c->threads++;
  if (c->threads > 0)
    return c;
  crew_close(c);
  uv_run(loop, UV_RUN_NOWAIT);
  crew_free(c);
  return NULL;
}

/* ---- Helpers --------------------------------------------------------------- */

void crew_add_helper(struct crew *c, struct crew_helper *h) {
  h->task = NULL;
  h->prev = NULL;
  h->next = c->helpers;
  if (h->next)
    h->next->prev = h;
  c->helpers = h;
  c->helper_count++;
  pump(c);
}

void crew_helper_has_run(struct crew *c, struct crew_helper *h,
                         double seconds) {
  struct crew_task *t = h->task;
  h->task = NULL;
  t->seconds = seconds;
  charge(c, t, seconds);
  finish_task(c, t);
  pump(c);
}

/* What it was to run has not run. */
static struct crew_task *take_from(struct crew *c, struct crew_helper *h) {
  struct crew_task *t = h->task;
  h->task = NULL;
  if (!t)
    return NULL;
  charge(c, t, 0);
  t->ran = t->travels = false;
  return t;
}

void crew_remove_helper(struct crew *c, struct crew_helper *h) {
  struct crew_task *t = take_from(c, h);
  *(h->prev ? &h->prev->next : &c->helpers) = h->next;
  if (h->next)
    h->next->prev = h->prev;
  c->helper_count--;
  if (t)
    enlist(c, t);
  pump(c);
}

int crew_helpers(const struct crew *c) { return c->helper_count; }

/* ---- The end --------------------------------------------------------------- */

void crew_stop(struct crew *c) {
  c->stopping = true;
  for (struct crew_helper *h = c->helpers; h; h = h->next) {
    struct crew_task *t = take_from(c, h);
    if (t)
      finish_task(c, t);
  }
  while (c->active) {
    struct crew_task *t = c->active->first[rank_of(c->active)];
    unlist(c, t);
    finish_task(c, t);
  }
}

void crew_close(struct crew *c) {
  uv_mutex_lock(&c->lock);
  c->quit = true;
  uv_cond_broadcast(&c->more);
  uv_mutex_unlock(&c->lock);
  for (int i = 0; i < c->threads; i++)
    uv_thread_join(&c->thread[i]);
  uv_close((uv_handle_t *)&c->wake, NULL);
}

void crew_free(struct crew *c) {
  if (!c)
    return;
  hash_free(&c->parties, NULL);
  uv_cond_destroy(&c->more);
  uv_mutex_destroy(&c->lock);
  free(c);
}
