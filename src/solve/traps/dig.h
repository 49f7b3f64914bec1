/* Digging: the highest bettor turns up cards alone, so it is a problem for one
 * player whose only unknown is the other's pile.
 *
 * The digger's own cards above the first own trap are free and come first.
 * After that a digger knows what was seen of the other's pile and whether the
 * own trap is dug: a *point*, where to stop, to turn up one of theirs, or to dig
 * the own trap. A plan lists the points for one bet and two sizes of piles,
 * those that follow first. After one trap only the points still missing count,
 * so all own piles share what comes then.
 *
 * Everything is computed for all hands of the digger at once, a lane each. Main
 * invariant: values are weighed by the chance of what leads there, which is in
 * the masses, so values of options are compared without dividing. */
#ifndef SAL_SOLVE_TRAPS_DIG_H
#define SAL_SOLVE_TRAPS_DIG_H

#include "model.h"

/* Where an option leads: to a point, or -1 - outcome. */
enum { NOWHERE = -100 };
static inline int to_outcome(enum outcome o) { return -1 - (int)o; }

enum { STOPS, TURNS, DIGS, OPTIONS };

struct point {
  uint8_t node;         /* what was seen of the other's pile */
  int16_t stop;         /* an outcome, or NOWHERE */
  int16_t turn[WORTHS]; /* by the card; NOWHERE: cannot come */
  int16_t dig;          /* NOWHERE: there is no own trap */
};

struct plan {
  const struct piles *own, *theirs;
  int count;
  struct point *point;
  int16_t begin[CLASSES_MAX]; /* by the own class */
};

/* False without memory. */
bool plan_make(struct plan *p, const struct model *m, int own, int theirs,
               int bet, const struct pay *pay);
void plan_free(struct plan *p);

/* The chance of each node, by the digger's hand. */
typedef float lanes[LANES];
struct masses {
  lanes at[NODES_MAX];
};

/* From the chances of the other's types, and `to`[their hand][digger's]. */
void masses_of(struct masses *out, const struct piles *theirs,
               const float *reach, const lanes *to);

/* How often each option is taken at each point. */
typedef lanes shares[OPTIONS];

/* The best answer to the masses; options that are worse by less than `slack`
 * share with the best. `value` has room for all points. */
void dig_answer(const struct plan *p, const struct pay *pay,
                const struct masses *by, float slack, shares *share,
                lanes *value);
/* The values of all points by given shares, or of the best options. */
void dig_value(const struct plan *p, const struct pay *pay,
               const struct masses *by, const shares *share, lanes *value);
void dig_best(const struct plan *p, const struct pay *pay,
              const struct masses *by, lanes *value);
/* What a type of the digger gets, from the values of points. */
float dig_worth(const struct plan *p, const struct pay *pay,
                const struct masses *by, const lanes *value,
                const struct type *t);

/* What diggers win against each pile: `reach` are the chances of the digger's
 * types; `paid` is by node and digger's hand, and what stands at a leaf is whole.
 * `flow` gets the chance of each point by the digger's choices alone. */
void dig_flow(const struct plan *p, const struct pay *pay, const float *reach,
              const shares *share, lanes *flow, lanes *paid);

#endif
