/* The Collector's strategy without memory: for each card position and identity
 * the chances to take each kind, whatever came before.
 *
 * Main invariant: of positions that a symmetry carries into each other only
 * the one with the smallest key has an entry, and an entry looks the same
 * under the symmetries of its position. */
#ifndef SAL_SOLVE_BOOK_H
#define SAL_SOLVE_BOOK_H

#include "salotto/solve.h"

#include "model.h"

enum { ENTRIES = 1 << 13 };

struct entry {
  uint64_t key; /* of the position; 0 for a free entry */
  float weight[IDENTITIES][KINDS];
};

struct sal_doors_book {
  uint32_t count;
  struct entry entry[ENTRIES]; /* a hash table */
};

/* The smallest key of a position and its images, and the symmetries that lead
 * to it. The offer is in its lowest 12 bits. */
uint64_t book_key(const struct position *p, unsigned *symmetries);

/* Adds how often each identity takes a kind at a position. */
void book_add(sal_doors_book *b, const struct position *p, unsigned identity,
              unsigned kind, float weight);
/* The chances of each kind; false if the position has no entry. */
bool book_chances(const sal_doors_book *b, const struct position *p,
                  unsigned identity, float chance[KINDS]);

#endif
