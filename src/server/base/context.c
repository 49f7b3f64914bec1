/* Clock, log lines, composing, rates: what every part of the server uses. */
#include "context.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Goes on while the machine sleeps, too, and is never set. */
#ifdef CLOCK_BOOTTIME
#define EVEN CLOCK_BOOTTIME
#else
#define EVEN CLOCK_MONOTONIC
#endif

static int64_t read_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Unix time when the even clock was zero. Like the clocks, one for the process. */
static atomic_int_fast64_t epoch;

void server_time_is(int64_t now) {
  atomic_store(&epoch, now - read_clock(EVEN));
}

int64_t server_time(void) {
  if (!atomic_load(&epoch))
    server_time_is(read_clock(CLOCK_REALTIME));
  return atomic_load(&epoch) + read_clock(EVEN);
}

uint64_t server_now(const struct server *srv) { return uv_now(&srv->loop); }

static const char *const levels[] = {"info", "warning", "error"};
enum { LEVELS = sizeof levels / sizeof *levels };
static int least_level;

bool server_log_level(const char *text, int *out) {
  for (*out = 0; *out < LEVELS; ++*out)
    if (strcmp(levels[*out], text) == 0)
      return true;
  return false;
}

void server_log_from(int level) { least_level = level; }
void server_log_off(void) { least_level = LEVELS; }

void server_log(const char *level, const char *event, ...) {
  char line[1024], when[32];
  struct sal_text t;
  struct sal_json j;
  const time_t now = time(NULL);
  struct tm utc;
  int number;
  if (!server_log_level(level, &number) || number < least_level)
    return;
  gmtime_r(&now, &utc);
  strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
  sal_text_init(&t, line, sizeof line - 2);
  sal_json_init(&j, &t);
  sal_json_object(&j, NULL);
  sal_json_string(&j, "time", when);
  sal_json_string(&j, "level", level);
  sal_json_string(&j, "event", event);
  va_list args;
  va_start(args, event);
  for (const char *key; (key = va_arg(args, const char *));)
    sal_json_string(&j, key, va_arg(args, const char *));
  va_end(args);
  sal_json_end(&j, '}');
  if (t.lost == 0)
    fprintf(stderr, "%s\n", line);
}

static void note_latency(struct server *srv, uint64_t us) {
  static const uint64_t bounds[LATENCY_BUCKETS] = {
      500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 500000, 2000000};
  int b = 0;
  while (b < LATENCY_BUCKETS && us > bounds[b])
    b++;
  srv->latency[b]++;
  srv->latency_sum += us;
}

void server_moves_are_told(struct server *srv) {
  const uint64_t now = srv->untold_count ? uv_hrtime() : 0;
  for (size_t i = 0; i < srv->untold_count; i++)
    note_latency(srv, (now - srv->untold[i]) / 1000);
  srv->untold_count = 0;
}

void server_move_is_written(struct server *srv, uint64_t came) {
  if (srv->untold_count == UNTOLD_MAX)
    server_moves_are_told(srv);
  srv->untold[srv->untold_count++] = came;
}

enum { SCRATCH_MAX = 1 << 22 };

const char *server_compose(struct server *srv, sal_write *write,
                           const void *what, size_t *length) {
  const bool ok = sal_buffer_compose(&srv->scratch, write, what, SCRATCH_MAX);
  *length = srv->scratch.len;
  return ok ? srv->scratch.at : NULL;
}

void bucket_fill(struct bucket *b, uint64_t now, double burst) {
  b->tokens = burst;
  b->at = now;
}

bool bucket_take(struct bucket *b, uint64_t now, double rate, double burst) {
  b->tokens += rate * (double)(now - b->at) / 1000;
  b->at = now;
  if (b->tokens > burst)
    b->tokens = burst;
  if (b->tokens < 1)
    return false;
  b->tokens -= 1;
  return true;
}
