/* The whole of Doors, for measuring speed: the same game as src/games/doors.c,
 * in one loop. */
#ifndef SAL_SOLVE_DOORS_BARE_H
#define SAL_SOLVE_DOORS_BARE_H

#include "salotto/rng.h"

/* A match to 10 tokens at random, everything inlined and nothing asked: what the
 * hardware allows. Returns the decisions; *first is whether the first Collector
 * has won. */
uint64_t doors_bare_match(struct sal_rng *rng, bool *first);

#endif
