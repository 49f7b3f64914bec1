/* Elements by their key. See hash.h. */
#include "hash.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS_FIRST = 64 };

_Static_assert(sizeof((struct hash_table *)0)->secret ==
                   crypto_shorthash_KEYBYTES,
               "the key of SipHash");

void hash_init(struct hash_table *t, size_t key_at, size_t key_size) {
  *t = (struct hash_table){.key_at = key_at, .key_size = key_size};
  randombytes_buf(t->secret, sizeof t->secret);
}

static const char *item_key(const struct hash_table *t,
                            const struct hash_link *l) {
  return (const char *)l + t->key_at;
}

static uint64_t hash_of(const struct hash_table *t, const void *key) {
  uint64_t hash;
  crypto_shorthash((unsigned char *)&hash, key, t->key_size, t->secret);
  return hash;
}

static struct hash_link **bucket_of(const struct hash_table *t, uint64_t hash) {
  return &t->bucket[hash & (t->buckets - 1)];
}

void *hash_find(const struct hash_table *t, const void *key) {
  if (!t->buckets)
    return NULL;
  const uint64_t hash = hash_of(t, key);
  struct hash_link *l = *bucket_of(t, hash);
  while (l &&
         (l->hash != hash || memcmp(item_key(t, l), key, t->key_size) != 0))
    l = l->below;
  return l;
}

static void put_in_bucket(struct hash_table *t, struct hash_link *l) {
  struct hash_link **at = bucket_of(t, l->hash);
  l->below = *at;
  *at = l;
}

/* As many buckets as elements, and more; without memory they stay as many as
 * they are, if there are any. */
static bool make_room(struct hash_table *t) {
  if (t->count < t->buckets)
    return true;
  const size_t buckets = t->buckets ? 2 * t->buckets : BUCKETS_FIRST;
  struct hash_link **bucket = calloc(buckets, sizeof *bucket);
  if (!bucket)
    return t->buckets > 0;
  free(t->bucket);
  t->bucket = bucket;
  t->buckets = buckets;
  for (struct hash_link *l = t->first; l; l = l->next)
    put_in_bucket(t, l);
  return true;
}

bool hash_add(struct hash_table *t, void *element) {
  struct hash_link *l = element;
  if (!make_room(t))
    return false;
  l->hash = hash_of(t, item_key(t, l));
  put_in_bucket(t, l);
  l->next = NULL;
  l->prev = t->last;
  *(t->last ? &t->last->next : &t->first) = l;
  t->last = l;
  t->count++;
  return true;
}

void hash_remove(struct hash_table *t, void *element) {
  struct hash_link *l = element, **at = bucket_of(t, l->hash);
  while (*at != l)
    at = &(*at)->below;
  *at = l->below;
  *(l->prev ? &l->prev->next : &t->first) = l->next;
  *(l->next ? &l->next->prev : &t->last) = l->prev;
  t->count--;
}

void *hash_next(const struct hash_table *t, const void *element) {
  const struct hash_link *l = element;
  return l ? l->next : t->first;
}

void hash_free(struct hash_table *t, void (*gone)(void *element)) {
  for (struct hash_link *l = t->first, *next; l; l = next) {
    next = l->next;
    (gone ? gone : free)(l);
  }
  free(t->bucket);
  *t = (struct hash_table){0};
}
