/* Addresses of clients. See addresses.h. */
#include "addresses.h"
#include "base/hash.h"
#include "base/network.h"

#include <stdlib.h>
#include <string.h>

struct address {
  struct hash_link link;
  uint8_t key[16]; /* see network_key */
  int open;
};

struct addresses {
  struct server *server;
  struct hash_table table;
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

struct address *address_find(struct addresses *a, const char *text) {
  uint8_t key[16];
  network_key(text, key);
  return hash_find(&a->table, key);
}

static struct address *add_address(struct addresses *a, const char *text) {
  struct address *new = calloc(1, sizeof *new);
  if (!new)
    return NULL;
  network_key(text, new->key);
  if (hash_add(&a->table, new))
    return new;
  free(new);
  return NULL;
}

struct address *address_enter(struct addresses *a, const char *text) {
  struct address *from = address_find(a, text);
  if (from ? from->open >= a->server->options.per_address
           : a->server->options.per_address < 1)
    return NULL;
  if (!from)
    from = add_address(a, text);
  if (from)
    from->open++;
  return from;
}

void address_leave(struct addresses *a, struct address *from) {
  if (--from->open > 0)
    return;
  hash_remove(&a->table, from);
  free(from);
}
