/* Doors-S, for measuring speed: Doors without guesses, claims made as soon as
 * they can be, always four choices. Other systems were measured with the same
 * game, so that figures can be compared. */
#ifndef SAL_CLI_DOORS_S_H
#define SAL_CLI_DOORS_S_H

#include "salotto/game.h"

/* One round through the game interface; only what a searcher asks for. */
extern const struct sal_game doors_s;

/* A match to 10 tokens at random, everything inlined and nothing asked: what
 * the hardware allows. Returns the decisions. */
uint64_t doors_s_match(struct sal_rng *rng);

#endif
