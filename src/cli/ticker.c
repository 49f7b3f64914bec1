/* What a long computation is doing: see the header. */
#include "ticker.h"

#include "cli.h"
#include "ranks.h"

#include <pthread.h>
#include <time.h>

static struct {
  pthread_t thread;
  pthread_mutex_t lock; /* of all that follows */
  pthread_cond_t ended;
  bool runs, ends, shown;
  char what[60];
  unsigned done;
  double left;
  time_t from;
} ticker = {.lock = PTHREAD_MUTEX_INITIALIZER,
            .ended = PTHREAD_COND_INITIALIZER};

static void print_time(long seconds) {
  fprintf(stderr, "%ld:%02ld:%02ld", seconds / 3600, seconds / 60 % 60,
          seconds % 60);
}

static void show_line(time_t now) {
  fprintf(stderr, "\r\033[K%s", ticker.what);
  if (ticker.done)
    fprintf(stderr, _(", iteration %u"), ticker.done);
  fputs("  ", stderr);
  print_time((long)(now - ticker.from));
  if (ticker.left >= 0) {
    fputs(", ", stderr);
    print_time((long)ticker.left);
    fputs(_(" left"), stderr);
  }
  fflush(stderr);
  ticker.shown = true;
}

static void hide_line(void) {
  if (ticker.shown)
    fputs("\r\033[K", stderr);
  fflush(stderr);
  ticker.shown = false;
}

static void *tick(void *unused) {
  struct timespec until;
  (void)unused;
  pthread_mutex_lock(&ticker.lock);
  clock_gettime(CLOCK_REALTIME, &until);
  while (!ticker.ends) {
    show_line(until.tv_sec);
    until.tv_sec++;
    pthread_cond_timedwait(&ticker.ended, &ticker.lock, &until);
  }
  hide_line();
  pthread_mutex_unlock(&ticker.lock);
  return NULL;
}

void ticker_start(const char *what) {
  ticker_stop();
  if (!ranks_watched())
    return;
  snprintf(ticker.what, sizeof ticker.what, "%s", what);
  ticker.done = 0;
  ticker.left = -1;
  ticker.ends = ticker.shown = false;
  ticker.from = time(NULL);
  ticker.runs = pthread_create(&ticker.thread, NULL, tick, NULL) == 0;
}

void ticker_say(const char *what) {
  pthread_mutex_lock(&ticker.lock);
  snprintf(ticker.what, sizeof ticker.what, "%s", what);
  pthread_mutex_unlock(&ticker.lock);
}

void ticker_tell(unsigned done, double left) {
  pthread_mutex_lock(&ticker.lock);
  ticker.done = done;
  ticker.left = left;
  pthread_mutex_unlock(&ticker.lock);
}

void ticker_hide(void) {
  if (!ticker.runs)
    return;
  pthread_mutex_lock(&ticker.lock);
  hide_line();
  pthread_mutex_unlock(&ticker.lock);
}

void ticker_stop(void) {
  if (!ticker.runs)
    return;
  pthread_mutex_lock(&ticker.lock);
  ticker.ends = true;
  pthread_cond_signal(&ticker.ended);
  pthread_mutex_unlock(&ticker.lock);
  pthread_join(ticker.thread, NULL);
  ticker.runs = false;
}
