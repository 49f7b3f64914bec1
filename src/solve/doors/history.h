/* Histories of the first turns and their indices in a blueprint.
 *
 * Main invariant: a history is turned by a symmetry so that its offer is one of
 * the 15 and its first turn is the earliest of those that are the same then;
 * the symmetry depends on the first turn alone. */
#ifndef SAL_SOLVE_DOORS_HISTORY_H
#define SAL_SOLVE_DOORS_HISTORY_H

#include "model.h"

/* A round up to a decision: who picks, and what came in its place. */
enum { MOST_PICKS_OF_ROUND = 2 * TURNS };
struct history {
  bag offer; /* the initial one */
  uint8_t picks;
  uint8_t pick[MOST_PICKS_OF_ROUND], refill[MOST_PICKS_OF_ROUND];
};

/* The position where the next pick or, after a discard, the guess is due (the
 * claims between them are passed over); false if no round can go so. */
bool history_position(const struct history *h, struct position *out);

/* A history as a symmetry carries it. */
struct history history_image(const struct history *h, unsigned symmetry);
/* Turns a history; `symmetry` carries the given one into it. */
struct history history_turned(const struct history *h, unsigned *symmetry);

/* Numbers on a blueprint of a turned history that has come so far. */
uint32_t blueprint_first_discard(const struct history *h);  /* after 1 pick */
uint32_t blueprint_first_guess(const struct history *h);    /* after 2 picks */
uint32_t blueprint_second_discard(const struct history *h); /* after 3 */

#endif
