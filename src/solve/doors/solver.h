/* The inside of the solver of Doors, for its tests and for the book. */
#ifndef SAL_SOLVE_SOLVER_H
#define SAL_SOLVE_SOLVER_H

#include "walk.h"

#include "salotto/solve.h"

enum { MOST_TASKS = 1024 };

struct sal_doors_solver {
  struct board board;
  struct worth worth;
  struct task *tasks;
  uint32_t task_count;
  uint16_t
      order[MOST_TASKS]; /* of the tasks that are walked, large ones first */
  uint32_t ordered;
  vec *memory; /* the top of the tree, then the tasks */
  uint64_t rows, histories;
  uint64_t top; /* of the rows */
  uint32_t done;
  int threads;
  struct sal_solve_team team;
};

/* The weights of so many iterations in the averages, added up. */
double solver_weights(uint32_t iterations);

/* The public function with a choice: whether histories that a symmetry of the
 * start carries into each other are walked once, or each. */
sal_doors_solver *solver_new(const struct sal_doors_start *start,
                             const struct sal_doors_worth *worth, int threads,
                             bool mirrors);

#endif
