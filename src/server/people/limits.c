/* Limits. See limits.h. */
#include "limits.h"
#include "base/hash.h"
#include "base/network.h"
#include "store/limit_store.h"

#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  SOON_MS = 5000,  /* what is forgotten sooner is not stored */
  ROWS_MAX = 1000, /* in one job */
  SWEEP_MS = 1000,
  SWEEP_STORE_MS = 10000
};

/* How much is forgotten in a second, and how much may be used at once. What has no name is
 * not stored. */
static const struct rule {
  const char *name;
  double rate, burst;
} rules[LIMITS] = {
    [LIMIT_LOGS] = {"logs", 0.1, 30},
    [LIMIT_MAKES] = {"makes", 0.5, 100},
    [LIMIT_READS] = {"reads", 10, 100},
    [LIMIT_WRONG_FROM] = {"wrong-from", 0.1, 20},
    [LIMIT_WRONG_FOR] = {"wrong-for", 0.1, 10},
    [LIMIT_RIGHT] = {NULL, 1.0 / (30 * 24 * 3600), 1},
    [LIMIT_CHAT] = {"chat", 1, 5},
    [LIMIT_TABLES] = {"tables", 0.01, 0.5}, /* for a pace of 1 */
    [LIMIT_REPORTS] = {"reports", 0.02, 5},
    [LIMIT_COURTS] = {"courts", 1.0 / 120, 20},
    [LIMIT_CALLS] = {"calls", 1.0 / 60, 10},
};

struct limited {
  struct hash_link link;
  uint8_t key[1 + LIMIT_KEY]; /* which limit, and whose */
  bool changed;               /* it is in the list of those that have */
  double used;                /* at the moment `at` */
  uint64_t at;                /* of the loop's clock */
  struct limited *next;
};

struct limits {
  struct server *server;
  struct hash_table table;
  struct limited *changed; /* since the store was told */
  bool writing;            /* a job is under way */
  uint64_t swept, store_swept;
  int64_t until; /* when the last row of the store is out; 0: it has none */
};

struct limits *limits_new(struct server *srv) {
  struct limits *l = calloc(1, sizeof *l);
  if (!l)
    return NULL;
  l->server = srv;
  hash_init(&l->table, offsetof(struct limited, key), 1 + LIMIT_KEY);
  return l;
}

void limits_forget(struct limits *l) {
  hash_free(&l->table, NULL);
  hash_init(&l->table, offsetof(struct limited, key), 1 + LIMIT_KEY);
  l->changed = NULL;
}

void limits_free(struct limits *l) {
  if (l)
    hash_free(&l->table, NULL);
  free(l);
}

/* ---- Counting ------------------------------------------------------------- */

static struct rule rule_of(const struct limits *l, int what) {
  struct rule r = rules[what];
  const double pace = l->server->options.pace;
  if (what == LIMIT_TABLES) { /* one at least, however slow the server is */
    r.rate *= pace;
    r.burst = r.burst * pace > 1 ? r.burst * pace : 1;
  }
  return r;
}

/* How long until it is forgotten, in milliseconds. */
static double time_left(const struct limits *l, const struct limited *it) {
  return 1000 * it->used / rule_of(l, it->key[0]).rate;
}

static double forget_some(const struct limits *l, struct limited *it) {
  const uint64_t now = server_now(l->server);
  it->used -= rule_of(l, it->key[0]).rate * (double)(now - it->at) / 1000;
  it->used = it->used > 0 ? it->used : 0;
  it->at = now;
  return it->used;
}

static struct limited *find_limited(const struct limits *l, enum limit what,
                                    const uint8_t *key) {
  uint8_t all[1 + LIMIT_KEY] = {(uint8_t)what};
  memcpy(all + 1, key, LIMIT_KEY);
  return hash_find(&l->table, all);
}

static struct limited *add_limited(struct limits *l, enum limit what,
                                   const uint8_t *key) {
  struct limited *new = calloc(1, sizeof *new);
  if (!new)
    return NULL;
  new->key[0] = (uint8_t)what;
  memcpy(new->key + 1, key, LIMIT_KEY);
  new->at = server_now(l->server);
  if (hash_add(&l->table, new))
    return new;
  free(new);
  return NULL;
}

static void note_change(struct limits *l, struct limited *it) {
  if (it->changed || !rules[it->key[0]].name || time_left(l, it) <= SOON_MS)
    return;
  it->changed = true;
  it->next = l->changed;
  l->changed = it;
}

double limits_used(struct limits *l, enum limit what, const uint8_t *key) {
  struct limited *it = find_limited(l, what, key);
  return it ? forget_some(l, it) : 0;
}

static bool use_allowance(struct limits *l, enum limit what, const uint8_t *key,
                          double most) {
  struct limited *it = find_limited(l, what, key);
  if (!it)
    it = add_limited(l, what, key);
  if (!it || forget_some(l, it) + 1 > most)
    return false;
  it->used++;
  note_change(l, it);
  return true;
}

void limits_use(struct limits *l, enum limit what, const uint8_t *key) {
  use_allowance(l, what, key, INFINITY);
}

bool limits_may(struct limits *l, enum limit what, const uint8_t *key) {
  return use_allowance(l, what, key, rule_of(l, what).burst);
}

bool limits_address_may(struct limits *l, enum limit what,
                        const char *address) {
  uint8_t key[LIMIT_KEY];
  network_key(address, key);
  return limits_may(l, what, key);
}

bool limits_person_may(struct limits *l, enum limit what, int64_t person) {
  uint8_t key[LIMIT_KEY] = {0};
  memcpy(key, &person, sizeof person);
  return limits_may(l, what, key);
}

/* ---- The store ------------------------------------------------------------ */

/* "makes:" and the key in hex. */
static void write_name(const struct limited *it, char out[LIMIT_NAME_MAX + 1]) {
  char hex[2 * LIMIT_KEY + 1];
  sodium_bin2hex(hex, sizeof hex, it->key + 1, LIMIT_KEY);
  snprintf(out, LIMIT_NAME_MAX + 1, "%s:%s", rules[it->key[0]].name, hex);
}

/* Which limit; LIMITS: none of this version. */
static enum limit read_name(const char *name, uint8_t key[LIMIT_KEY]) {
  const size_t length = strcspn(name, ":");
  size_t size;
  enum limit what = 0;
  while (what < LIMITS &&
         !(rules[what].name && strlen(rules[what].name) == length &&
           strncmp(rules[what].name, name, length) == 0))
    what++;
  return what < LIMITS && name[length] &&
                 sodium_hex2bin(key, LIMIT_KEY, name + length + 1,
                                strlen(name + length + 1), NULL, &size,
                                NULL) == 0 &&
                 size == LIMIT_KEY
             ? what
             : LIMITS;
}

/* What is of a time that has not come is of now: somebody's clock was set back. */
static int load_limit(void *context, const struct store_limit *row) {
  struct limits *l = context;
  uint8_t key[LIMIT_KEY];
  const enum limit what = read_name(row->name, key);
  const int64_t age = server_time() - row->at;
  l->until = row->until > l->until ? row->until : l->until;
  if (what == LIMITS || find_limited(l, what, key))
    return 0;
  const double used =
      row->used - (age > 0 ? rule_of(l, what).rate * (double)age / 1000 : 0);
  if (!(used > 0))
    return 0;
  struct limited *it = add_limited(l, what, key);
  if (!it)
    return SAL_NO_MEMORY;
  it->used = used;
  if (age < 0)
    note_change(l, it);
  return 0;
}

int limits_load(struct limits *l) {
  uv_update_time(&l->server->loop); /* rows are of that moment */
  return store_each_limit(l->server->store, load_limit, l);
}

struct writing {
  struct limits_job job; /* first, so that `done` finds the rest */
  struct limits *limits;
  struct store_limit row[];
};

/* What the store did not take is tried again, unless the server ends. */
static void rows_are_written(struct store_job *job, int error) {
  struct writing *w = (struct writing *)job;
  struct limits *l = w->limits;
  uint8_t key[LIMIT_KEY];
  l->writing = false;
  if (!error && w->job.sweeps && l->until <= w->job.now)
    l->until = 0;
  const bool again = error && !l->server->closing;
  for (size_t i = 0; again && i < w->job.count; i++) {
    struct limited *it = find_limited(l, read_name(w->row[i].name, key), key);
    if (it)
      note_change(l, it);
  }
  free(w);
}

static void take_row(struct limits *l, struct writing *w) {
  struct limited *it = l->changed;
  struct store_limit *row = &w->row[w->job.count++];
  l->changed = it->next;
  it->changed = false;
  forget_some(l, it);
  write_name(it, row->name);
  row->used = it->used;
  row->at = w->job.now;
  row->until = w->job.now + (int64_t)time_left(l, it) + 1;
  l->until = row->until > l->until ? row->until : l->until;
}

static void write_changes(struct limits *l) {
  const uint64_t now = server_now(l->server);
  const bool sweeps =
      l->until && !l->server->closing && now - l->store_swept >= SWEEP_STORE_MS;
  size_t count = 0;
  for (const struct limited *it = l->changed; it && count < ROWS_MAX;
       it = it->next)
    count++;
  struct writing *w = l->writing || (!count && !sweeps)
                          ? NULL
                          : calloc(1, sizeof *w + count * sizeof w->row[0]);
  if (!w)
    return;
  w->limits = l;
  w->job.job.call = limit_store_write;
  w->job.job.done = rows_are_written;
  w->job.now = server_time();
  w->job.sweeps = sweeps;
  w->job.row = w->row;
  while (w->job.count < count)
    take_row(l, w);
  if (sweeps)
    l->store_swept = now;
  l->writing = true;
  store_post(l->server->store, &w->job.job);
}

static void sweep_limits(struct limits *l) {
  const uint64_t now = server_now(l->server);
  if (now - l->swept < SWEEP_MS)
    return;
  l->swept = now;
  for (struct limited *it = hash_next(&l->table, NULL), *next; it; it = next) {
    next = hash_next(&l->table, it);
    if (forget_some(l, it) > 0 || it->changed)
      continue;
    hash_remove(&l->table, it);
    free(it);
  }
}

void limits_tick(struct limits *l) {
  write_changes(l);
  sweep_limits(l);
}
