/* Endings of the engine's Favor for two, for the tests of its solver: apart,
 * because engine and solver have names of their own for the same things. */
#ifndef SAL_TESTS_FAVOR_ENGINE_H
#define SAL_TESTS_FAVOR_ENGINE_H

#include "salotto/salotto.h"

extern const struct sal_game sal_favor;

/* Plays a random game for two up to a turn of that day (1 to 3) with at most
 * `cards` in the deck. */
void engine_ending(int edition, int day, int cards, struct sal_rng *rng,
                   sal_state *out);
/* What the solver is told of it; ranges are even. */
struct sal_favor_ending engine_read(const sal_state *s);

/* What a step is to the solver. */
struct sal_favor_step engine_step(int seat, sal_action a);
sal_action engine_action(enum sal_favor_did did, int number);

bool engine_in_final(const sal_state *s);
bool engine_day_over(const sal_state *s, int day);
void engine_set_identities(sal_state *s, int first, int second);
int engine_identity(const sal_state *s, int seat);
/* Seat 0's lead by all points so far; who begins the day that has begun. */
int engine_lead(const sal_state *s);
int engine_first(const sal_state *s);

/* Favor that begins with this ending: identities are dealt by these ranges, then
 * it goes on with all bids. One at a time. */
const struct sal_game *engine_from(const sal_state *s, const int range[2][4]);

#endif
