/* Threads that do a part of the same work, again and again. */
#ifndef SAL_BATCH_WORKERS_H
#define SAL_BATCH_WORKERS_H

enum { WORKERS_MAX = 256 };

struct workers;

/* The caller is worker 0, so that one worker needs no thread. NULL: too many,
 * or a thread could not be started. */
struct workers *workers_new(int count);
void workers_free(struct workers *w);
/* Runs the work once for each worker, all at the same time; returns when all
 * are done. */
void workers_run(struct workers *w, void (*work)(void *context, int worker),
                 void *context);

#endif
