/* Late positions of Doors as public trees with every action of the rules, and
 * the lossless reductions one by one, so that each can be held against the
 * game without it. */
#ifndef SAL_TESTS_UNREDUCED_H
#define SAL_TESTS_UNREDUCED_H

#include "model.h"
#include "public_tree.h"

enum reduction {
  /* Who holds a matching set claims it. */
  REDUCE_CLAIM = 1,
  /* Of the guesses only the other three names, the other colour and the other
   * role are made. */
  REDUCE_GUESS = 2,
  /* On the fifth take a set is completed where it can be; all others take the
   * same card. Needs REDUCE_CLAIM. */
  REDUCE_FIFTH_TAKE = 4,
  /* The fifth turn of the Guesser is a name or the end, with any discard. */
  REDUCE_FIFTH_TURN = 8,
  /* On the fourth turn the Guesser leaves an offer that completes a set for as
   * few identities as can be. */
  REDUCE_DISCARD = 16,
  REDUCE_ALL = 31
};

/* The Collector is the first player; a hand is an identity. `reach` says how
 * likely each Collector is to have come here, all the same if NULL. Returns
 * NULL without memory. */
struct tree *unreduced_tree(const struct position *p, const struct worth *w,
                            const double *reach, unsigned reductions);

#endif
