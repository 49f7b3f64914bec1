/* Many machines for one job: the processes (MPI ranks) that `mpirun -n N salotto
 * …` has started, as a task farm.
 *
 * Rank 0 hands out the numbers of tasks and takes the results; the others work
 * and say nothing to the user. What a task is, and what its result means, is
 * known to the callers alone: results are bytes. All ranks run the same program
 * on the same kind of processor.
 *
 * Main invariant: a number is handed out once, and its result is taken on one
 * thread of rank 0. So the order in which results come changes nothing.
 *
 * A build without MPI, and a program that was not started by mpirun, is rank 0 of
 * 1. */
#ifndef SAL_RANKS_H
#define SAL_RANKS_H

#include <stdbool.h>
#include <stddef.h>

/* Joins the others. At ranks other than 0 standard output and standard error
 * lead nowhere from then on. */
void ranks_start(void);
/* Leaves them, with all tasks done at every rank. Where a rank has died, or the
 * job was interrupted, the program just ends: mpirun ends the others. */
void ranks_end(void);

int ranks_number(void);
int ranks_count(void);
/* Whether somebody watches what is said on standard error. mpirun hands that on through
 * a pipe, so it is mpirun's own that counts then, if rank 0 is on its machine. */
bool ranks_watched(void);

/* Less than 2 GiB at once, here and in results. What rank 0 has becomes what all
 * have. */
void ranks_share(void *bytes, size_t n);
/* What each rank has, with zeros where it has nothing, becomes what all have. */
void ranks_merge(void *bytes, size_t n);
/* What one rank has becomes what another has. All ranks say so. */
void ranks_move(int from, int to, void *bytes, size_t n);

/* ---- At rank 0 ----------------------------------------------------------- */

#define RANKS_NONE ((size_t)-1)

struct ranks_office {
  void *self;
  /* The next number, or RANKS_NONE: there are no more. */
  size_t (*next)(void *self);
  /* The result of a task. */
  void (*take)(void *self, size_t number, const char *bytes, size_t n);
  /* Whether to go away at once, with tasks still under way elsewhere. */
  bool (*hurried)(void *self);
};
/* Hands out and takes in, on the thread that calls, until all other ranks have
 * left or `hurried` says so. */
void ranks_hand_out(const struct ranks_office *o);

/* ---- At the others -------------------------------------------------------- */

/* Hands over the result of a task (the first time none: RANKS_NONE and NULL) and
 * gets the next number, or RANKS_NONE. On any thread. */
size_t ranks_next(size_t done, const void *bytes, size_t n);
/* When all threads have been told RANKS_NONE: this rank is done with the job, and
 * the next job may begin. */
void ranks_leave(void);

/* ---- At all of them -------------------------------------------------------- */

/* A job whose tasks are done one at a time at each rank, also at rank 0. `next`,
 * `take` and `hurried` are as above, and called at rank 0 alone, the first two never
 * at once. */
struct ranks_job {
  void *self;
  size_t (*next)(void *self);
  /* Does a task; the result is to be freed, NULL if it is empty. */
  char *(*work)(void *self, size_t number, size_t *n);
  void (*take)(void *self, size_t number, const char *bytes, size_t n);
  bool (*hurried)(void *self);
};
/* Until `next` has no more, and all ranks are done. False: rank 0 could not start. */
bool ranks_run(const struct ranks_job *job);

#endif
