/* What the solver of Doors shows to its tests. */
#ifndef SAL_SOLVE_SOLVER_H
#define SAL_SOLVE_SOLVER_H

#include "walk.h"

#include "salotto/solve.h"

struct position start_position(const struct sal_doors_start *s);

/* The public function with a choice: whether histories that a symmetry of the
 * start carries into each other are walked once, or each. */
sal_doors_solver *solver_new(const struct sal_doors_start *start,
                             const struct sal_doors_worth *worth, int threads,
                             bool mirrors);

#endif
