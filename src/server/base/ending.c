/* The wish to end. See ending.h.
 *
 * libuv gives a signal to every loop that listens for it, and back to the system when none
 * does. So a loop that only listens is kept, and looked at when somebody asks. */
#include "ending.h"

#include <signal.h>
#include <stdlib.h>
#include <uv.h>

struct ending {
  uv_loop_t loop;
  uv_signal_t on_term, on_int;
  bool asked;
};

static void on_signal(uv_signal_t *s, int number) {
  struct ending *e = s->data;
  (void)number;
  e->asked = true;
}

static void listen_for(struct ending *e, uv_signal_t *s, int number) {
  uv_signal_init(&e->loop, s);
  s->data = e;
  uv_signal_start(s, on_signal, number);
}

struct ending *ending_new(void) {
  struct ending *e = calloc(1, sizeof *e);
  if (!e || uv_loop_init(&e->loop) != 0) {
    free(e);
    return NULL;
  }
  listen_for(e, &e->on_term, SIGTERM);
  listen_for(e, &e->on_int, SIGINT);
  return e;
}

bool ending_is_asked(struct ending *e) {
  uv_run(&e->loop, UV_RUN_NOWAIT);
  return e->asked;
}

void ending_free(struct ending *e) {
  if (!e)
    return;
  uv_close((uv_handle_t *)&e->on_term, NULL);
  uv_close((uv_handle_t *)&e->on_int, NULL);
  uv_run(&e->loop, UV_RUN_DEFAULT);
  uv_loop_close(&e->loop);
  free(e);
}
