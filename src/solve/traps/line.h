/* One side's strategy along the course of a round: what each of its types does
 * at the decision at hand, and how likely each came there.
 *
 * The strategy is a blueprint of the policy or the averages of a solved round. */
#ifndef SAL_SOLVE_TRAPS_LINE_H
#define SAL_SOLVE_TRAPS_LINE_H

#include "policy.h"

/* A course: `p` cards were built, then these bets were made; `over`: then one
 * that nobody can meet. `passed`: then somebody passed. */
struct course {
  int p;
  unsigned bets;
  bool over, passed;
};

/* False if the round left the solver's game: more cards than it has. */
bool course_of(const struct sal_traps_round *r, struct course *out);
/* The side that decides next, while nobody has passed. */
int course_actor(const struct course *c);

struct line {
  struct course course;
  int side;
  /* Types of the side with the cards it has laid: how likely they came here by
   * their own choices. */
  float reach[TYPES_MAX];
  bool known;  /* false: the strategy does not tell */
  int missing; /* own choices on the way that were not told of yet */
  float placed[LANES * WORTHS];
  /* If the side decides at the end of the course: the chance of each option. */
  bool decides;
  float chance[OPTIONS_MAX][TYPES_MAX];
  /* If the side digs at the end of the course: the shares at one point. */
  int point_class, point_lane, point_node;
  bool point_dug, digs;
  float share[OPTIONS];
};

/* Prepares to follow a course. */
void line_begin(struct line *l, const struct course *c, int side);
/* Asks for digging: the digger's class and hand, what was seen of the other's
 * pile, and whether the own trap is dug. */
void line_digs(struct line *l, int class, int hand, int node, bool dug);

/* Follows it; false without memory. */
bool line_by_blueprint(struct line *l, const sal_traps_policy *p,
                       int blueprint);
void line_by_round(struct line *l, const struct round *r, int cut);

#endif
