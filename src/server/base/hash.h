/* A hash table whose elements carry their own link and key: the only one of the
 * server.
 *
 * An element is any struct that begins with a `struct hash_link` and has a key
 * of a fixed number of bytes. Main invariants: a key is there once; the elements
 * are also in a list, from the oldest to the newest, and an element can be
 * removed while the list is walked if the next one was asked for before. The
 * hash is SipHash with a key of the table's own, so nobody can choose keys that
 * fall into one place. */
#ifndef SAL_SERVER_HASH_H
#define SAL_SERVER_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hash_link {
  struct hash_link *below;       /* in the same bucket */
  struct hash_link *next, *prev; /* in the list */
  uint64_t hash;
};

struct hash_table {
  struct hash_link **bucket;
  size_t buckets; /* a power of two, or 0 */
  struct hash_link *first, *last;
  size_t count;
  size_t key_at, key_size;
  uint8_t secret[16];
};

/* For elements whose key lies `key_at` bytes from their beginning. */
void hash_init(struct hash_table *t, size_t key_at, size_t key_size);
/* The element with that key, or NULL. */
void *hash_find(const struct hash_table *t, const void *key);
/* There must be none with its key; false: no memory, and it is not there. */
bool hash_add(struct hash_table *t, void *element);
void hash_remove(struct hash_table *t, void *element);
/* The element after this one in the list, the first after NULL. */
void *hash_next(const struct hash_table *t, const void *element);
/* Calls `gone` with each element, or frees it if that is NULL; then the table
 * itself. */
void hash_free(struct hash_table *t, void (*gone)(void *element));

#endif
