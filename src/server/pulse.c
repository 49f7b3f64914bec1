/* Asking whether a server answers. See pulse.h.
 *
 * Main invariant: of a line that is not closed one question at most is not
 * answered, and it was asked at `asked`. */
#include "pulse.h"
#include "base/network.h"

#include <stdlib.h>

static void on_closed(uv_handle_t *h) {
  struct pulse *p = h->data;
  p->state = PULSE_CLOSED;
}

void pulse_close(struct pulse *p) {
  if (p->state == PULSE_CLOSED || p->state == PULSE_CLOSING)
    return;
  p->state = PULSE_CLOSING;
  uv_close((uv_handle_t *)&p->line, on_closed);
}

static void on_asked(uv_write_t *w, int status) {
  struct pulse *p = w->handle->data;
  free(w);
  if (status < 0)
    pulse_close(p);
}

static void ask(struct pulse *p) {
  static const char question[] =
      "GET /healthz HTTP/1.1\r\nHost: salotto\r\n\r\n";
  p->asked = uv_now(p->loop);
  p->waiting = true;
  if (!network_send(&p->line, question, sizeof question - 1, on_asked))
    pulse_close(p);
}

static void give_room(uv_handle_t *h, size_t wanted, uv_buf_t *out) {
  struct pulse *p = h->data;
  (void)wanted;
  *out = uv_buf_init(p->part, sizeof p->part);
}

static void on_part(uv_stream_t *s, ssize_t n, const uv_buf_t *buffer) {
  struct pulse *p = s->data;
  (void)buffer;
  if (n < 0) {
    pulse_close(p);
  } else if (n > 0) {
    p->waiting = false;
    pulse_heard(p);
  }
}

static void on_connected(uv_connect_t *c, int status) {
  struct pulse *p = c->handle->data;
  if (p->state != PULSE_CALLING)
    return;
  if (status < 0) {
    pulse_close(p);
    return;
  }
  p->state = PULSE_OPEN;
  uv_read_start((uv_stream_t *)&p->line, give_room, on_part);
  ask(p);
}

static void call(struct pulse *p, const struct sockaddr *there) {
  p->asked = uv_now(p->loop);
  p->waiting = true;
  p->state = PULSE_CALLING;
  uv_tcp_init(p->loop, &p->line);
  p->line.data = p;
  if (uv_tcp_connect(&p->connect, &p->line, there, on_connected) != 0)
    pulse_close(p);
}

void pulse_tick(struct pulse *p, const struct sockaddr *there) {
  const uint64_t passed = uv_now(p->loop) - p->asked;
  p->quiet++;
  if (p->state == PULSE_CLOSED && passed >= PULSE_ASK_MS)
    call(p, there);
  else if (p->waiting && passed >= PULSE_LINE_MS)
    pulse_close(p);
  else if (p->state == PULSE_OPEN && !p->waiting && passed >= PULSE_ASK_MS)
    ask(p);
}

void pulse_heard(struct pulse *p) { p->quiet = 0; }

bool pulse_is_silent(const struct pulse *p) {
  return p->quiet > PULSE_SILENCE_MS / PULSE_TICK_MS;
}
