/* A job on all ranks: see the header. */
#include "ranks.h"

#include <pthread.h>
#include <stdlib.h>

/* At rank 0, where two threads ask for tasks: the one that hands out to the others,
 * and the one that works. */
struct desk {
  const struct ranks_job *job;
  pthread_mutex_t lock;
};

static size_t next_task(void *self) {
  struct desk *d = self;
  pthread_mutex_lock(&d->lock);
  const size_t number = d->job->next(d->job->self);
  pthread_mutex_unlock(&d->lock);
  return number;
}

static void take_result(void *self, size_t number, const char *bytes,
                        size_t n) {
  struct desk *d = self;
  pthread_mutex_lock(&d->lock);
  d->job->take(d->job->self, number, bytes, n);
  pthread_mutex_unlock(&d->lock);
}

static bool is_hurried(void *self) {
  const struct desk *d = self;
  return d->job->hurried(d->job->self);
}

static void *hand_out(void *self) {
  const struct ranks_office office = {self, next_task, take_result, is_hurried};
  ranks_hand_out(&office);
  return NULL;
}

static void work_at_desk(struct desk *d) {
  for (size_t number; (number = next_task(d)) != RANKS_NONE;) {
    size_t n;
    char *bytes = d->job->work(d->job->self, number, &n);
    take_result(d, number, bytes, n);
    free(bytes);
  }
}

static void work_elsewhere(const struct ranks_job *job) {
  size_t number = ranks_next(RANKS_NONE, NULL, 0);
  while (number != RANKS_NONE) {
    size_t n;
    char *bytes = job->work(job->self, number, &n);
    number = ranks_next(number, bytes, n);
    free(bytes);
  }
  ranks_leave();
}

bool ranks_run(const struct ranks_job *job) {
  struct desk d = {job, PTHREAD_MUTEX_INITIALIZER};
  pthread_t office;
  if (ranks_number() > 0) {
    work_elsewhere(job);
    return true;
  }
  const bool shared = ranks_count() > 1;
  if (shared && pthread_create(&office, NULL, hand_out, &d) != 0)
    return false;
  work_at_desk(&d);
  if (shared)
    pthread_join(office, NULL);
  return true;
}
