/* Addresses of clients. See addresses.h. */
#include "addresses.h"

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
  struct house *house;
  struct address *bucket[BUCKETS];
  uint64_t swept;
};

bool network_read(const char *text, struct network *out) {
  char copy[64];
  const size_t n = strcspn(text, "/");
  if (n >= sizeof copy)
    return false;
  memcpy(copy, text, n);
  copy[n] = '\0';
  struct in_addr four;
  int most = 128;
  memset(out, 0, sizeof *out);
  if (inet_pton(AF_INET, copy, &four) == 1) {
    out->bytes[10] = out->bytes[11] = 0xff;
    memcpy(out->bytes + 12, &four, 4);
    most = 32;
  } else if (inet_pton(AF_INET6, copy, out->bytes) != 1) {
    return false;
  }
  out->bits = 128;
  if (!text[n])
    return true;
  int32_t bits;
  const char *rest = sal_number_read(text + n + 1, &bits);
  out->bits = 128 - most + bits;
  return rest && !*rest && bits <= most;
}

bool network_holds(const struct network *n, const struct network *address) {
  for (int i = 0; i < n->bits; i += 8) {
    const int left = n->bits - i;
    const int mask = left >= 8 ? 0xff : 0xff00 >> left & 0xff;
    if ((n->bytes[i / 8] ^ address->bytes[i / 8]) & mask)
      return false;
  }
  return true;
}

struct addresses *addresses_new(struct house *h) {
  struct addresses *a = calloc(1, sizeof *a);
  if (a)
    a->house = h;
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
    bucket_fill(&(*at)->lines, house_now(a->house), line_burst);
  }
  if (*at)
    (*at)->used = house_now(a->house);
  return *at;
}

bool address_enter(struct addresses *a, struct address *from) {
  if (from->open >= a->house->options.per_address)
    return false;
  from->open++;
  return true;
}

void address_leave(struct addresses *a, struct address *from) {
  from->open--;
  from->used = house_now(a->house);
}

bool address_may_log(struct addresses *a, struct address *from) {
  return bucket_take(&from->lines, house_now(a->house), line_rate, line_burst);
}

void addresses_sweep(struct addresses *a) {
  const uint64_t now = house_now(a->house);
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
