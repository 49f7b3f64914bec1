/* Addresses of clients. See addresses.h. */
#include "addresses.h"
#include "base/network.h"

#include <stdlib.h>
#include <string.h>

enum {
  BUCKETS = 1 << 12,
  GONE_MS = 10 * 60 * 1000 /* after the last connection */
};

/* How many a second, and how many at once. */
static const struct {
  double rate, burst;
} limits[ADDRESS_LIMITS] = {[ADDRESS_LOGS] = {0.1, 30},
                            [ADDRESS_MAKES] = {0.5, 100},
                            [ADDRESS_READS] = {10, 100}};

struct address {
  uint8_t key[16]; /* see network_key */
  int open;
  uint64_t used;
  struct bucket limit[ADDRESS_LIMITS];
  struct address *next;
};

struct addresses {
  struct server *server;
  struct address *bucket[BUCKETS];
  uint64_t swept;
};

struct addresses *addresses_new(struct server *srv) {
  struct addresses *a = calloc(1, sizeof *a);
  if (a)
    a->server = srv;
  return a;
}

void addresses_free(struct addresses *a) {
  for (size_t i = 0; a && i < BUCKETS; i++)
    for (struct address *at = a->bucket[i], *next; at; at = next) {
      next = at->next;
      free(at);
    }
  free(a);
}

struct address *address_find(struct addresses *a, const char *text) {
  uint8_t key[16];
  network_key(text, key);
  uint32_t hash = 2166136261u;
  for (int i = 0; i < 16; i++)
    hash = (hash ^ key[i]) * 16777619u;
  struct address **at = &a->bucket[hash % BUCKETS];
  while (*at && memcmp((*at)->key, key, sizeof key) != 0)
    at = &(*at)->next;
  if (!*at && (*at = calloc(1, sizeof **at))) {
    memcpy((*at)->key, key, sizeof key);
    for (int i = 0; i < ADDRESS_LIMITS; i++)
      bucket_fill(&(*at)->limit[i], server_now(a->server), limits[i].burst);
  }
  if (*at)
    (*at)->used = server_now(a->server);
  return *at;
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
  for (size_t i = 0; i < BUCKETS; i++)
    for (struct address **at = &a->bucket[i]; *at;) {
      struct address *gone = *at;
      if (gone->open > 0 || now - gone->used < GONE_MS) {
        at = &gone->next;
        continue;
      }
      *at = gone->next;
      free(gone);
    }
}
