/* All public states below a start, each once, with what can follow: the game
 * tree folded into a graph, an abstraction without loss.
 *
 * Histories are many and positions few: the same cards come in many orders.
 * The solver walks histories, and reads here what it can do at each.
 *
 * Main invariant: a public state is where somebody picks a card, the Collector if the
 * deck is even and the Guesser if it is odd; the guess of a turn belongs to
 * the way from a discard to the next state. */
#ifndef SAL_SOLVE_BOARD_H
#define SAL_SOLVE_BOARD_H

#include "ending.h"
#include "model.h"

#include <stddef.h>

enum { LAST_TAKE = 4 }; /* what follows the fourth take is an ending */

/* One refill after a pick. */
struct branch {
  float chance;
  uint32_t to; /* state */
};

/* One pick: its refills lie side by side; on the last take `first` is the
 * number of an ending instead. */
struct choice {
  uint8_t kind, refills;
  uint32_t first;
};

struct public_state {
  struct position position;
  uint8_t choices;
  struct choice choice[OFFER];
  /* Of all histories from here: rows of memory and last takes. */
  uint64_t rows, histories;
};

struct board {
  struct public_state *states;
  struct branch *branches;
  struct ending *endings;
  uint32_t state_count, branch_count, ending_count;
};

/* Rows that a node keeps: a regret and a sum an action; a last take also the
 * values of its actions. */
enum { GUESS_ACTIONS = 6, GUESS_ROWS = 2 * GUESS_ACTIONS };
static inline unsigned state_rows(const struct public_state *s) {
  return (s->position.turn == LAST_TAKE ? 3u : 2u) * s->choices;
}

/* The board below a position where the Collector is to take, turn 1 to 4, or
 * the Guesser to discard, turn 1 to 3, as state 0. False without memory. */
bool board_make(struct board *b, const struct position *start);
void board_free(struct board *b);

#endif
