/* All histories of all initial offers, level by level, for a machine that
 * works on a whole level at once.
 *
 * Main invariant: the nodes of a level lie in the order of a depth-first walk
 * over the offers, so the children of a node lie side by side; only under the
 * first discard, where mirrored histories share a node, they are listed. */
#ifndef SAL_GPU_TREES_H
#define SAL_GPU_TREES_H

#include "board.h"
#include "device.h"
#include "salotto/solve.h"

struct game_trees {
  int offers;
  struct sal_doors_offer offer[SAL_DOORS_OFFERS];
  struct lean_trees lean;
  uint32_t link_room;
  struct position *positions; /* of the states */
  bool whole;                 /* there was memory for all of it */
};

/* The histories of these offers; `whole` tells whether there was memory. */
void game_trees_make(struct game_trees *f, const struct sal_doors_offer *offers,
                     int count);
void game_trees_free(struct game_trees *f);

#endif
