/* Addresses of clients. See addresses.h. */
#include "addresses.h"
#include "base/network.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

enum {
  BUCKETS = 1 << 12,
  GONE_MS = 10 * 60 * 1000 /* after the last connection */
};

/* Lines in the log about one address. */
static const double line_rate = 0.1, line_burst = 30;

struct address {
  struct network network;
  int open;
  uint64_t used;
  struct bucket lines;
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

/* What does not read as an address shares the place of "::". */
struct address *address_find(struct addresses *a, const char *text) {
  static const uint8_t four[12] = {[10] = 0xff, [11] = 0xff};
  struct network key;
  if (!network_read(text, &key))
    memset(&key, 0, sizeof key);
  if (memcmp(key.bytes, four, sizeof four) != 0)
    memset(key.bytes + 8, 0, 8);
  key.bits = 128;
  uint32_t hash = 2166136261u;
  for (int i = 0; i < 16; i++)
    hash = (hash ^ key.bytes[i]) * 16777619u;
  struct address **at = &a->bucket[hash % BUCKETS];
  while (*at && memcmp((*at)->network.bytes, key.bytes, 16) != 0)
    at = &(*at)->next;
  if (!*at && (*at = calloc(1, sizeof **at))) {
    (*at)->network = key;
    bucket_fill(&(*at)->lines, server_now(a->server), line_burst);
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

bool address_may_log(struct addresses *a, struct address *from) {
  return bucket_take(&from->lines, server_now(a->server), line_rate,
                     line_burst);
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
