/* Clock, log lines, composing, rates: what every part of the server uses. */
#include "house.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int64_t house_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

uint64_t house_now(const struct house *h) { return uv_now(&h->loop); }

static bool log_is_off;

void house_log_off(void) { log_is_off = true; }

void house_log(const char *level, const char *event, ...) {
  char line[1024], when[32];
  struct sal_text t;
  struct sal_json j;
  const time_t now = time(NULL);
  struct tm utc;
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
  if (t.lost == 0 && !log_is_off)
    fprintf(stderr, "%s\n", line);
}

static void note_latency(struct house *h, uint64_t us) {
  static const uint64_t bounds[LATENCY_BUCKETS] = {
      500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 500000, 2000000};
  int b = 0;
  while (b < LATENCY_BUCKETS && us > bounds[b])
    b++;
  h->latency[b]++;
  h->latency_sum += us;
}

void house_moves_are_told(struct house *h) {
  const uint64_t now = h->untold_count ? uv_hrtime() : 0;
  for (size_t i = 0; i < h->untold_count; i++)
    note_latency(h, (now - h->untold[i]) / 1000);
  h->untold_count = 0;
}

void house_move_is_written(struct house *h, uint64_t came) {
  if (h->untold_count == UNTOLD_MAX)
    house_moves_are_told(h);
  h->untold[h->untold_count++] = came;
}

enum { SCRATCH_FIRST = 1 << 14, SCRATCH_MAX = 1 << 22 };

const char *house_compose(struct house *h, compose_fn *write, const void *what,
                          size_t *length) {
  for (;;) {
    if (h->scratch) {
      struct sal_text t;
      struct sal_json j;
      sal_text_init(&t, h->scratch, h->scratch_size);
      sal_json_init(&j, &t);
      write(&j, what);
      *length = t.len;
      if (t.lost == 0)
        return h->scratch;
    }
    const size_t size = h->scratch ? 2 * h->scratch_size : SCRATCH_FIRST;
    char *bigger = size <= SCRATCH_MAX ? realloc(h->scratch, size) : NULL;
    if (!bigger)
      return NULL;
    h->scratch = bigger;
    h->scratch_size = size;
  }
}

struct spare {
  struct spare *next;
};

void *spares_take(struct spares *s, size_t size) {
  struct spare *spare = s->first;
  if (!spare)
    return malloc(size);
  s->first = spare->next;
  s->count--;
  return spare;
}

void spares_give(struct spares *s, void *gone, size_t most) {
  struct spare *spare = gone;
  if (s->count >= most) {
    free(gone);
    return;
  }
  spare->next = s->first;
  s->first = spare;
  s->count++;
}

void spares_free(struct spares *s) {
  while (s->first)
    free(spares_take(s, 0));
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
