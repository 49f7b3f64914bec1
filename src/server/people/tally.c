/* Figures by a key that fade. See tally.h. */
#include "tally.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

struct tallied {
  struct hash_link link;
  uint8_t key[TALLY_KEY];
  double count; /* at the moment `at` */
  uint64_t at;
};

struct tally {
  double fading;
  struct hash_table table;
};

struct tally *tally_new(double fading) {
  struct tally *w = calloc(1, sizeof *w);
  if (!w)
    return NULL;
  w->fading = fading;
  hash_init(&w->table, offsetof(struct tallied, key), TALLY_KEY);
  return w;
}

void tally_free(struct tally *w) {
  if (w)
    hash_free(&w->table, NULL);
  free(w);
}

static double fade(const struct tally *w, struct tallied *it, uint64_t now) {
  it->count -= w->fading * (double)(now - it->at) / 1000;
  it->count = it->count > 0 ? it->count : 0;
  it->at = now;
  return it->count;
}

double tally_of(struct tally *w, const uint8_t key[TALLY_KEY], uint64_t now) {
  struct tallied *it = hash_find(&w->table, key);
  return it ? fade(w, it, now) : 0;
}

static struct tallied *add_tallied(struct tally *w, const uint8_t *key,
                                   uint64_t now) {
  struct tallied *new = calloc(1, sizeof *new);
  if (!new)
    return NULL;
  memcpy(new->key, key, TALLY_KEY);
  new->at = now;
  if (hash_add(&w->table, new))
    return new;
  free(new);
  return NULL;
}

void tally_add(struct tally *w, const uint8_t key[TALLY_KEY], uint64_t now) {
  struct tallied *it = hash_find(&w->table, key);
  if (!it)
    it = add_tallied(w, key, now);
  if (!it)
    return;
  fade(w, it, now);
  it->count++;
}

void tally_sweep(struct tally *w, uint64_t now) {
  for (struct tallied *it = hash_next(&w->table, NULL), *next; it; it = next) {
    next = hash_next(&w->table, it);
    if (fade(w, it, now) > 0)
      continue;
    hash_remove(&w->table, it);
    free(it);
  }
}
