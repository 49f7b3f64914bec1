/* A review on a thread of its own: see the header. */
#include "review_work.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct review_work {
  const sal_table *table;
  pthread_t thread;
  int news;             /* an eventfd: counts what was published */
  pthread_mutex_t lock; /* of all that follows */
  sal_review *review;
  size_t done;
  bool stops;
};

/* Tells of what is done; false: nobody waits for more. */
static bool publish(struct review_work *w, sal_review *r) {
  pthread_mutex_lock(&w->lock);
  w->review = r;
  w->done = sal_review_done(r);
  const bool more = !w->stops;
  pthread_mutex_unlock(&w->lock);
  eventfd_write(w->news, 1);
  return more;
}

static void *review_on_thread(void *self) {
  struct review_work *w = self;
  struct sal_refusal why;
  sal_review *r = sal_review_new(w->table, NULL, &why);
  while (r && publish(w, r) && sal_review_next(r))
    ;
  return NULL;
}

/* Signals are for the thread that has the screen. */
static bool start_thread(struct review_work *w) {
  sigset_t all, usual;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &usual);
  const bool started =
      pthread_create(&w->thread, NULL, review_on_thread, w) == 0;
  pthread_sigmask(SIG_SETMASK, &usual, NULL);
  return started;
}

struct review_work *review_work_start(const sal_table *t) {
  struct review_work *w = calloc(1, sizeof *w);
  if (!w)
    return NULL;
  w->table = t;
  w->news = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  pthread_mutex_init(&w->lock, NULL);
  if (w->news >= 0 && start_thread(w))
    return w;
  if (w->news >= 0)
    close(w->news);
  free(w);
  return NULL;
}

void review_work_stop(struct review_work *w) {
  pthread_mutex_lock(&w->lock);
  w->stops = true;
  pthread_mutex_unlock(&w->lock);
  pthread_join(w->thread, NULL);
  sal_review_free(w->review);
  close(w->news);
  pthread_mutex_destroy(&w->lock);
  free(w);
}

int review_work_descriptor(const struct review_work *w) { return w->news; }

const sal_review *review_work_look(struct review_work *w, size_t *done) {
  eventfd_t times;
  eventfd_read(w->news, &times);
  pthread_mutex_lock(&w->lock);
  const sal_review *r = w->review;
  *done = w->done;
  pthread_mutex_unlock(&w->lock);
  return r;
}
