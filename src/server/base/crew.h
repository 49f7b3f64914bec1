/* A crew: a thread pool for what takes long, with a fair queue before it.
 *
 * Main invariant: who waits and who is next is decided on the loop alone; a thread
 * is handed one task, runs it and hands it back. The most urgent rank comes
 * first; within a rank the threads are shared out by start-time fair queueing:
 * the processor time of a task moves the address that it is for further on, and
 * the person there, and whoever is least far comes next. Who begins to ask, or
 * asks again after a while, starts a little before the others: so time that
 * nobody else wanted is held against no one, and who asks seldom hardly waits.
 * Somebody who asks for much waits for themselves, and not others for them. */
#ifndef SAL_SERVER_CREW_H
#define SAL_SERVER_CREW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

enum { CREW_RANKS = 3, CREW_NETWORK = 16 };

/* For whom something is done. */
struct crew_payer {
  uint8_t network[CREW_NETWORK];
  int64_t person; /* or any number that tells those of an address apart */
};

struct crew;
struct crew_party;

/* Belongs to the crew from `crew_post` until `done` is called. */
struct crew_task {
  /* On the loop, just before it runs; false: it is not wanted any more, and is
   * done without running. Or NULL. */
  bool (*begin)(struct crew_task *t);
  void (*run)(struct crew_task *t); /* on a thread */
  void (*done)(struct crew_task *t, bool ran);
  struct crew_payer payer;
  int rank;     /* 0 is the most urgent */
  bool travels; /* somebody elsewhere may run it instead */
  /* The crew's own. */
  struct crew_party *party;
  struct crew_task *next, *prev;
  uint64_t number; /* of those that were posted */
  bool waiting, ran;
  double seconds; /* of the processor that it took */
};

/* Somebody elsewhere who runs tasks that travel, one at a time, while no thread is
 * free. It is as good as one more thread; the loop's alone. */
struct crew_helper {
  /* Begins with a task, which does not block. */
  void (*run)(struct crew_helper *h, struct crew_task *t);
  struct crew_task *task; /* that it runs, or NULL */
  /* The crew's own. */
  struct crew_helper *next, *prev;
};

/* NULL: no memory, or no threads. `idle`: they leave the processor to the rest
 * of the program if both want it. The last thread that is free is kept for ranks
 * up to `urgent`. */
struct crew *crew_new(uv_loop_t *loop, int threads, bool idle, int urgent);
/* `done` may be called before this returns. */
void crew_post(struct crew *c, struct crew_task *t);
/* Another rank, for as long as the task waits. */
void crew_move(struct crew *c, struct crew_task *t, int rank);
/* Takes back a task that still waits, and its `done` is not called; false: it
 * is running. */
bool crew_take_back(struct crew *c, struct crew_task *t);
/* Tasks that wait or run: all, and those of an address. */
size_t crew_open(const struct crew *c);
size_t crew_open_of(struct crew *c, const uint8_t network[CREW_NETWORK]);
/* How much of a thread a task can have without taking it from others, as things
 * are: 1 all of one, less when more is asked for than there is. */
double crew_share(const struct crew *c, const struct crew_task *t);
/* From now on it is handed tasks. */
void crew_add_helper(struct crew *c, struct crew_helper *h);
/* It has run its task, at the cost of so many seconds of a processor. */
void crew_helper_has_run(struct crew *c, struct crew_helper *h, double seconds);
/* It is gone. A task that it had waits again, costs nothing, and does not travel any
 * more. */
void crew_remove_helper(struct crew *c, struct crew_helper *h);
int crew_helpers(const struct crew *c);
/* Once in a while: forgets who has not asked for anything lately. */
void crew_sweep(struct crew *c);

/* What waits, or is run elsewhere, is done without having run; nothing more is
 * run. */
void crew_stop(struct crew *c);
/* When nothing is open any more: ends the threads. The loop must run once more
 * before the crew is freed. */
void crew_close(struct crew *c);
void crew_free(struct crew *c);

#endif
