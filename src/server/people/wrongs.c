/* Wrong tries by a key. See wrongs.h. */
#include "wrongs.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

struct wrong {
  struct hash_link link;
  uint8_t key[WRONGS_KEY];
  double count; /* at the moment `at` */
  uint64_t at;
};

struct wrongs {
  double fading;
  struct hash_table table;
};

struct wrongs *wrongs_new(double fading) {
  struct wrongs *w = calloc(1, sizeof *w);
  if (!w)
    return NULL;
  w->fading = fading;
  hash_init(&w->table, offsetof(struct wrong, key), WRONGS_KEY);
  return w;
}

void wrongs_free(struct wrongs *w) {
  if (w)
    hash_free(&w->table, NULL);
  free(w);
}

static double fade(const struct wrongs *w, struct wrong *it, uint64_t now) {
  it->count -= w->fading * (double)(now - it->at) / 1000;
  it->count = it->count > 0 ? it->count : 0;
  it->at = now;
  return it->count;
}

double wrongs_of(struct wrongs *w, const uint8_t key[WRONGS_KEY],
                 uint64_t now) {
  struct wrong *it = hash_find(&w->table, key);
  return it ? fade(w, it, now) : 0;
}

static struct wrong *add_wrong(struct wrongs *w, const uint8_t *key,
                               uint64_t now) {
  struct wrong *new = calloc(1, sizeof *new);
  if (!new)
    return NULL;
  memcpy(new->key, key, WRONGS_KEY);
  new->at = now;
  if (hash_add(&w->table, new))
    return new;
  free(new);
  return NULL;
}

void wrongs_add(struct wrongs *w, const uint8_t key[WRONGS_KEY], uint64_t now) {
  struct wrong *it = hash_find(&w->table, key);
  if (!it)
    it = add_wrong(w, key, now);
  if (!it)
    return;
  fade(w, it, now);
  it->count++;
}

void wrongs_sweep(struct wrongs *w, uint64_t now) {
  for (struct wrong *it = hash_next(&w->table, NULL), *next; it; it = next) {
    next = hash_next(&w->table, it);
    if (fade(w, it, now) > 0)
      continue;
    hash_remove(&w->table, it);
    free(it);
  }
}
