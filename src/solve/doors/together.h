/* Several threads at one job. */
#ifndef SAL_SOLVE_DOORS_TOGETHER_H
#define SAL_SOLVE_DOORS_TOGETHER_H

enum { MOST_THREADS = 256 };

/* Calls `work` with the job on so many threads at once, this one among them, and
 * waits for all: each takes parts of the job until none is left. A thread that
 * cannot be had is only missed. */
void work_together(void *(*work)(void *job), void *job, int threads);

#endif
