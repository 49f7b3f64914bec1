/* Wrong tries by a key. See wrongs.h. */
#include "wrongs.h"

#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1 << 10 };

struct wrong {
  uint8_t key[WRONGS_KEY];
  double count; /* at the moment `at` */
  uint64_t at;
  struct wrong *next;
};

struct wrongs {
  double fading;
  struct wrong *bucket[BUCKETS];
};

struct wrongs *wrongs_new(double fading) {
  struct wrongs *w = calloc(1, sizeof *w);
  if (w)
    w->fading = fading;
  return w;
}

void wrongs_free(struct wrongs *w) {
  for (size_t i = 0; w && i < BUCKETS; i++)
    for (struct wrong *at = w->bucket[i], *next; at; at = next) {
      next = at->next;
      free(at);
    }
  free(w);
}

static struct wrong **place_of(struct wrongs *w, const uint8_t *key) {
  uint32_t hash = 2166136261u;
  for (int i = 0; i < WRONGS_KEY; i++)
    hash = (hash ^ key[i]) * 16777619u;
  struct wrong **at = &w->bucket[hash % BUCKETS];
  while (*at && memcmp((*at)->key, key, WRONGS_KEY) != 0)
    at = &(*at)->next;
  return at;
}

static double fade(const struct wrongs *w, struct wrong *it, uint64_t now) {
  it->count -= w->fading * (double)(now - it->at) / 1000;
  it->count = it->count > 0 ? it->count : 0;
  it->at = now;
  return it->count;
}

double wrongs_of(struct wrongs *w, const uint8_t key[WRONGS_KEY],
                 uint64_t now) {
  struct wrong *it = *place_of(w, key);
  return it ? fade(w, it, now) : 0;
}

void wrongs_add(struct wrongs *w, const uint8_t key[WRONGS_KEY], uint64_t now) {
  struct wrong **at = place_of(w, key);
  if (!*at && (*at = calloc(1, sizeof **at))) {
    memcpy((*at)->key, key, WRONGS_KEY);
    (*at)->at = now;
  }
  if (*at) {
    fade(w, *at, now);
    (*at)->count++;
  }
}

void wrongs_sweep(struct wrongs *w, uint64_t now) {
  for (size_t i = 0; i < BUCKETS; i++)
    for (struct wrong **at = &w->bucket[i]; *at;) {
      struct wrong *it = *at;
      if (fade(w, it, now) > 0) {
        at = &it->next;
        continue;
      }
      *at = it->next;
      free(it);
    }
}
