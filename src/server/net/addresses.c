/* Addresses of clients. See addresses.h. */
#include "addresses.h"
#include "base/hash.h"
#include "base/network.h"

#include <stdlib.h>
#include <string.h>

enum { GONE_MS = 10 * 60 * 1000 /* after the last connection */ };

/* How many a second, and how many at once. */
static const struct {
  double rate, burst;
} limits[ADDRESS_LIMITS] = {[ADDRESS_LOGS] = {0.1, 30},
                            [ADDRESS_MAKES] = {0.5, 100},
                            [ADDRESS_READS] = {10, 100}};

struct address {
  struct hash_link link;
  uint8_t key[16]; /* see network_key */
  int open;
  uint64_t used;
  struct bucket limit[ADDRESS_LIMITS];
};

struct addresses {
  struct server *server;
  struct hash_table table;
  uint64_t swept;
};

struct addresses *addresses_new(struct server *srv) {
  struct addresses *a = calloc(1, sizeof *a);
  if (!a)
    return NULL;
  a->server = srv;
  hash_init(&a->table, offsetof(struct address, key), 16);
  return a;
}

void addresses_free(struct addresses *a) {
  if (a)
    hash_free(&a->table, NULL);
  free(a);
}

static struct address *add_address(struct addresses *a, const uint8_t *key) {
  struct address *new = calloc(1, sizeof *new);
  if (!new)
    return NULL;
  memcpy(new->key, key, sizeof new->key);
  for (int i = 0; i < ADDRESS_LIMITS; i++)
    bucket_fill(&new->limit[i], server_now(a->server), limits[i].burst);
  if (hash_add(&a->table, new))
    return new;
  free(new);
  return NULL;
}

struct address *address_find(struct addresses *a, const char *text) {
  uint8_t key[16];
  network_key(text, key);
  struct address *found = hash_find(&a->table, key);
  if (!found)
    found = add_address(a, key);
  if (found)
    found->used = server_now(a->server);
  return found;
}

bool address_enter(struct addresses *a, struct address *from) {
  if (from->open >= a->server->options.per_address)
    return false;
  from->open++;
  return true;
}

void address_leave(struct addresses *a, struct address *from) {
  from->open--;
  from->used = server_now(a->server);
}

bool address_may(struct addresses *a, const char *text,
                 enum address_limit what) {
  struct address *from = address_find(a, text);
  return from && bucket_take(&from->limit[what], server_now(a->server),
                             limits[what].rate, limits[what].burst);
}

void addresses_sweep(struct addresses *a) {
  const uint64_t now = server_now(a->server);
  if (now - a->swept < GONE_MS / 10)
    return;
  a->swept = now;
  for (struct address *at = hash_next(&a->table, NULL), *next; at; at = next) {
    next = hash_next(&a->table, at);
    if (at->open > 0 || now - at->used < GONE_MS)
      continue;
    hash_remove(&a->table, at);
    free(at);
  }
}
