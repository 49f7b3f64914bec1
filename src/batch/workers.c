/* Threads that do a part of the same work, again and again. Main invariant:
 * outside `workers_run` every thread waits for the next turn. */
#include "workers.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct worker {
  struct workers *all;
  int number;
  pthread_t thread;
};

struct workers {
  int count, started;
  struct worker *worker;
  pthread_mutex_t lock;
  pthread_cond_t begin, end;
  unsigned long turn; /* counts calls of workers_run */
  int busy;
  bool closing;
  void (*work)(void *context, int worker);
  void *context;
};

static void *work_on(void *argument) {
  const struct worker *me = argument;
  struct workers *w = me->all;
  unsigned long done = 0;
  pthread_mutex_lock(&w->lock);
  for (;;) {
    while (w->turn == done && !w->closing)
      pthread_cond_wait(&w->begin, &w->lock);
    if (w->closing)
      break;
    done = w->turn;
    pthread_mutex_unlock(&w->lock);
    w->work(w->context, me->number);
    pthread_mutex_lock(&w->lock);
    if (--w->busy == 0)
      pthread_cond_signal(&w->end);
  }
  pthread_mutex_unlock(&w->lock);
  return NULL;
}

struct workers *workers_new(int count) {
  if (count > WORKERS_MAX)
    return NULL;
  struct workers *w = calloc(1, sizeof *w);
  if (!w)
    return NULL;
  w->count = count;
  pthread_mutex_init(&w->lock, NULL);
  pthread_cond_init(&w->begin, NULL);
  pthread_cond_init(&w->end, NULL);
  w->started = 1;
  w->worker = calloc((size_t)count, sizeof *w->worker);
  while (w->worker && w->started < count) {
    struct worker *next = &w->worker[w->started];
    *next = (struct worker){.all = w, .number = w->started};
    if (pthread_create(&next->thread, NULL, work_on, next) != 0)
      break;
    w->started++;
  }
  if (w->worker && w->started == count)
    return w;
  workers_free(w);
  return NULL;
}

void workers_free(struct workers *w) {
  if (!w)
    return;
  pthread_mutex_lock(&w->lock);
  w->closing = true;
  pthread_cond_broadcast(&w->begin);
  pthread_mutex_unlock(&w->lock);
  for (int i = 1; i < w->started; i++)
    pthread_join(w->worker[i].thread, NULL);
  pthread_cond_destroy(&w->begin);
  pthread_cond_destroy(&w->end);
  pthread_mutex_destroy(&w->lock);
  free(w->worker);
  free(w);
}

void workers_run(struct workers *w, void (*work)(void *context, int worker),
                 void *context) {
  if (w->count > 1) {
    pthread_mutex_lock(&w->lock);
    w->work = work;
    w->context = context;
    w->busy = w->count - 1;
    w->turn++;
    pthread_cond_broadcast(&w->begin);
    pthread_mutex_unlock(&w->lock);
  }
  work(context, 0);
  if (w->count > 1) {
    pthread_mutex_lock(&w->lock);
    while (w->busy > 0)
      pthread_cond_wait(&w->end, &w->lock);
    pthread_mutex_unlock(&w->lock);
  }
}
