/* The Collector's strategy without memory: keeping, packing; see book.h. */
#include "book.h"
#include "bytes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- Entries ------------------------------------------------------------ */

static uint64_t key_under(const struct position *p, unsigned symmetry) {
  return symmetry_bag(symmetry, p->offer) |
         (uint64_t)symmetry_bag(symmetry, p->collection) << 12 |
         (uint64_t)symmetry_bag(symmetry, p->deck) << 24;
}

uint64_t book_key(const struct position *p, unsigned *symmetries) {
  uint64_t least = UINT64_MAX;
  *symmetries = 0;
  for (unsigned s = 0; s < SYMMETRIES; s++) {
    const uint64_t key = key_under(p, s);
    if (key < least)
      *symmetries = 0;
    least = key < least ? key : least;
    if (key == least)
      *symmetries |= 1u << s;
  }
  return least;
}

/* The entry of a key, or the free one where it would be. */
static uint32_t find_entry(const sal_doors_book *b, uint64_t key) {
  uint64_t i = key * UINT64_C(0x9e3779b97f4a7c15) >> 40;
  while (b->entry[i % ENTRIES].key && b->entry[i % ENTRIES].key != key)
    i++;
  return (uint32_t)(i % ENTRIES);
}

static struct entry *entry_for(sal_doors_book *b, uint64_t key) {
  struct entry *e = &b->entry[find_entry(b, key)];
  if (!e->key) {
    assert(b->count < ENTRIES - 1);
    e->key = key;
    b->count++;
  }
  return e;
}

void book_add(sal_doors_book *b, const struct position *p, unsigned identity,
              unsigned kind, float weight) {
  unsigned symmetries;
  struct entry *e = entry_for(b, book_key(p, &symmetries));
  for (unsigned s = 0; s < SYMMETRIES; s++)
    if (symmetries >> s & 1)
      e->weight[symmetry_kind(s, identity)][symmetry_kind(s, kind)] += weight;
}

/* Where nobody comes, anything on offer is taken. */
bool book_chances(const sal_doors_book *b, const struct position *p,
                  unsigned identity, float chance[KINDS]) {
  unsigned symmetries;
  const struct entry *e = &b->entry[find_entry(b, book_key(p, &symmetries))];
  const unsigned s = (unsigned)__builtin_ctz(symmetries);
  float sum = 0;
  if (!e->key)
    return false;
  const float *weight = e->weight[symmetry_kind(s, identity)];
  for (unsigned k = 0; k < KINDS; k++) {
    chance[k] = count(p->offer, k) ? weight[symmetry_kind(s, k)] : 0;
    sum += chance[k];
  }
  for (unsigned k = 0; k < KINDS; k++)
    chance[k] = sum > 0 ? chance[k] / sum : (float)count(p->offer, k) / OFFER;
  return true;
}

sal_doors_book *sal_doors_book_new(void) {
  return calloc(1, sizeof(sal_doors_book));
}

void sal_doors_book_free(sal_doors_book *b) { free(b); }

uint32_t sal_doors_book_positions(const sal_doors_book *b) { return b->count; }

/* ---- As bytes ----------------------------------------------------------- */

/* A mark, the number of entries, the entries by rising key, a checksum; all
 * numbers have their low byte first. An entry is its key in 5 bytes and a byte
 * for each identity and kind: the chance in 255ths. */
enum {
  MARK_BYTES = 8,
  KEY_BYTES = 5,
  ENTRY_BYTES = KEY_BYTES + IDENTITIES * KINDS,
  FRAME_BYTES = MARK_BYTES + 4 + 8
};
static const char mark[MARK_BYTES] = {'s', 'a', 'l', 'd', 'o', 'o', 'r', '1'};

static uint64_t book_checksum(const unsigned char *bytes, size_t n) {
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < n; i++)
    h = (h ^ bytes[i]) * UINT64_C(0x100000001b3);
  return h;
}

static int by_key(const void *a, const void *b) {
  const uint64_t x = ((const struct entry *)a)->key;
  const uint64_t y = ((const struct entry *)b)->key;
  return (x > y) - (x < y);
}

static void pack_entry(const struct entry *e, unsigned char *out) {
  put(out, e->key, KEY_BYTES);
  out += KEY_BYTES;
  for (unsigned c = 0; c < IDENTITIES; c++) {
    float sum = 0;
    for (unsigned k = 0; k < KINDS; k++)
      sum += e->weight[c][k];
    for (unsigned k = 0; k < KINDS; k++)
      *out++ =
          sum > 0 ? (unsigned char)(255 * (e->weight[c][k] / sum) + 0.5f) : 0;
  }
}

size_t sal_doors_book_pack(const sal_doors_book *b, unsigned char *out,
                           size_t room) {
  const size_t size = FRAME_BYTES + (size_t)b->count * ENTRY_BYTES;
  struct entry *sorted = size <= room ? malloc(sizeof b->entry) : NULL;
  if (!sorted)
    return 0;
  memcpy(sorted, b->entry, sizeof b->entry);
  qsort(sorted, ENTRIES, sizeof *sorted, by_key);
  memcpy(out, mark, MARK_BYTES);
  put(out + MARK_BYTES, b->count, 4);
  for (uint32_t i = 0; i < b->count; i++)
    pack_entry(&sorted[ENTRIES - b->count + i],
               out + MARK_BYTES + 4 + (size_t)i * ENTRY_BYTES);
  put(out + size - 8, book_checksum(out, size - 8), 8);
  free(sorted);
  return size;
}

sal_doors_book *sal_doors_book_unpack(const unsigned char *bytes, size_t n) {
  if (n < FRAME_BYTES || memcmp(bytes, mark, MARK_BYTES) != 0)
    return NULL;
  const uint64_t entries = get(bytes + MARK_BYTES, 4);
  if (entries >= ENTRIES || n != FRAME_BYTES + entries * ENTRY_BYTES ||
      get(bytes + n - 8, 8) != book_checksum(bytes, n - 8))
    return NULL;
  sal_doors_book *b = sal_doors_book_new();
  const unsigned char *at = bytes + MARK_BYTES + 4;
  for (uint64_t i = 0; b && i < entries; i++) {
    struct entry *e = entry_for(b, get(at, KEY_BYTES));
    at += KEY_BYTES;
    for (unsigned c = 0; c < IDENTITIES; c++)
      for (unsigned k = 0; k < KINDS; k++)
        e->weight[c][k] = *at++;
  }
  return b;
}
