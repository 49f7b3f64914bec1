/* What follows a turn of Favor for two, up to the next event or two, solved
 * with the nets behind it.
 *
 * This is safe re-solving. The tree begins before the cards of the turn are drawn,
 * with its gadget: there one side may stop and take the counterfactual values that
 * it was promised. So what is played now gives nobody more than what was played
 * before has reckoned with. */
#ifndef SAL_SOLVE_FAVOR_LOOKAHEAD_H
#define SAL_SOLVE_FAVOR_LOOKAHEAD_H

#include "policy.h"
#include "turn.h"

/* Where a look begins. */
struct outlook {
  struct sal_favor_ending e; /* the table before the draw, ranges as well */
  struct position before, turn;
  int me;
  bool offered; /* the other side, so much by type */
  float offer[TYPES];
};

/* A turn that was solved, for both sides and all types. */
struct solved {
  struct turn turn; /* `chance` is the average, `value` goes with it */
  float range[2 * TYPES];
  float offer[EVENTS][TYPES]; /* what the other side is promised after each */
};

typedef struct lookahead lookahead;
lookahead *lookahead_new(const sal_favor_policy *p);
void lookahead_free(lookahead *l);

/* False if the cards of the turn cannot be. */
bool lookahead_solve(lookahead *l, const struct outlook *from,
                     struct sal_favor_thought *thought, struct solved *out);

#endif
