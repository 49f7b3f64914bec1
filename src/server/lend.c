/* Lending threads. See lend.h.
 *
 * Main invariant: a line has one letter at a time, and none while its thread still
 * thinks about one that came before the line was closed. */
#include "lend.h"
#include "base/context.h"
#include "base/crew.h"
#include "base/network.h"
#include "net/lenders.h"
#include "rooms/think.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  REACH_MS = 3000,      /* within which the other side must have greeted */
  REFUSED_MS = 10000,   /* after which somebody who said no is asked again */
  GREETING_MAX = 8192,  /* bytes; it may be a page that says no */
  LETTER_MAX = 1 << 20, /* bytes */
  PART = 1 << 16        /* bytes that are read at once */
};

/* One thread, and the line by which it is lent. */
struct lent {
  struct crew_task task; /* first, so that the crew's calls find the rest */
  struct lending *lending;
  uv_tcp_t tcp;
  uv_connect_t connect;
  enum { CLOSED, CALLING, GREETED, CLOSING } state;
  uint64_t since; /* when it called */
  char random[SEALED_RANDOM + 1];
  struct sealed_line line;
  struct sal_buffer in; /* what has come */
  struct mind *mind;    /* that is being thought about, or NULL */
  struct lenders_answer answer;
};

struct lending {
  uv_loop_t *loop;
  struct crew *crew;
  bool ending;
  char secret[SEALED_SECRET + 1]; /* of who is lent to, or "" */
  char address[LEASE_ADDRESS];
  uint64_t refused; /* when that one said no, by the loop's clock; 0 */
  const char *told; /* what is in the log of it; "" */
  char part[PART];
  int count;
  struct lent lent[];
};

/* ---- Lines ------------------------------------------------------------------ */

static void on_line_closed(uv_handle_t *h) {
  struct lent *t = h->data;
  t->state = CLOSED;
  sal_buffer_clear(&t->in);
}

static void close_line(struct lent *t) {
  if (t->state == CLOSED || t->state == CLOSING)
    return;
  t->state = CLOSING;
  uv_close((uv_handle_t *)&t->tcp, on_line_closed);
}

static void on_said(uv_write_t *w, int status) {
  struct lent *t = w->handle->data;
  free(w);
  if (status < 0)
    close_line(t);
}

static void write_line(struct lent *t, const void *bytes, size_t size) {
  if (!network_send(&t->tcp, bytes, size, on_said))
    close_line(t);
}

/* ---- Thinking --------------------------------------------------------------- */

static void think_on_thread(struct crew_task *task) {
  struct lent *t = (struct lent *)task;
  mind_think(t->mind, &t->answer.thought);
}

static void end_crew(struct lending *l) {
  if (crew_open(l->crew) == 0)
    crew_close(l->crew);
}

static void thought_is_there(struct crew_task *task, bool ran) {
  struct lent *t = (struct lent *)task;
  uint8_t letter[sizeof t->answer + SEALED_MORE];
  free(t->mind);
  t->mind = NULL;
  t->answer.seconds = task->seconds;
  if (!ran) {
    close_line(t);
  } else if (t->state == GREETED) {
    sealed_write(&t->line, &t->answer, sizeof t->answer, letter);
    write_line(t, letter, sizeof letter);
  }
  if (t->lending->ending)
    end_crew(t->lending);
}

/* The letter that has come, opened; NULL: it is none. */
static struct mind *open_letter(struct lent *t, const char *sealed,
                                size_t size) {
  struct mind *m = malloc(size);
  if (m && sealed_read(&t->line, (const uint8_t *)sealed, size, m) &&
      mind_is_whole(m, size - SEALED_MORE))
    return m;
  free(m);
  return NULL;
}

static void read_letter(struct lent *t) {
  uint32_t size;
  if (t->in.len < sizeof size)
    return;
  memcpy(&size, t->in.at, sizeof size);
  if (t->mind || size < SEALED_MORE || size > LETTER_MAX ||
      t->in.len > sizeof size + size) {
    close_line(t);
    return;
  }
  if (t->in.len < sizeof size + size)
    return;
  t->mind = open_letter(t, t->in.at + sizeof size, size);
  sal_buffer_clear(&t->in);
  if (!t->mind) {
    close_line(t);
    return;
  }
  memset(&t->answer, 0, sizeof t->answer);
  t->task =
      (struct crew_task){.run = think_on_thread, .done = thought_is_there};
  crew_post(t->lending->crew, &t->task);
}

/* ---- Greetings -------------------------------------------------------------- */

static void log_once(struct lending *l, const char *event) {
  if (strcmp(l->told, event) != 0)
    server_log("info", event, "to", l->address, NULL);
  l->told = event;
}

/* It is of another version, as a rule; or has just lost the lease. */
static void is_refused(struct lent *t) {
  struct lending *l = t->lending;
  l->refused = uv_now(l->loop);
  log_once(l, "not-lent");
  close_line(t);
}

static void read_greeting(struct lent *t) {
  static const char field[] = "\r\n" LENDERS_RANDOM ": ";
  struct lending *l = t->lending;
  const char *end = strstr(t->in.at, "\r\n\r\n");
  const char *random = strstr(t->in.at, field);
  if (!end && t->in.len < GREETING_MAX)
    return;
  if (!end || strncmp(t->in.at, "HTTP/1.1 101 ", 13) != 0 || !random ||
      end - random != (ptrdiff_t)(sizeof field - 1 + SEALED_RANDOM)) {
    is_refused(t);
    return;
  }
  sealed_begin(&t->line, l->secret, t->random, random + sizeof field - 1, true);
  t->state = GREETED;
  log_once(l, "lending");
  const size_t length = (size_t)(end + 4 - t->in.at);
  memmove(t->in.at, t->in.at + length, t->in.len - length + 1);
  t->in.len -= length;
  read_letter(t);
}

static void give_room(uv_handle_t *h, size_t wanted, uv_buf_t *out) {
  (void)wanted;
  *out = uv_buf_init(((struct lent *)h->data)->lending->part, PART);
}

static void on_part(uv_stream_t *s, ssize_t n, const uv_buf_t *buffer) {
  struct lent *t = s->data;
  if (n < 0 || !sal_buffer_add(&t->in, buffer->base, (size_t)n))
    close_line(t);
  else if (n > 0 && t->state == CALLING)
    read_greeting(t);
  else if (n > 0)
    read_letter(t);
}

static void on_connected(uv_connect_t *c, int status) {
  struct lent *t = c->handle->data;
  char proof[SEALED_PROOF + 1], greeting[512];
  if (t->state != CALLING)
    return;
  if (status < 0 || !sealed_proof(t->lending->secret, t->random, proof)) {
    close_line(t);
    return;
  }
  network_watch_line(&t->tcp);
  const int n = snprintf(greeting, sizeof greeting,
                         "GET " LENDERS_PATH
                         " HTTP/1.1\r\nHost: salotto\r\nConnection: Upgrade\r\n"
                         "Upgrade: " LENDERS_PROTOCOL "\r\n" LENDERS_RANDOM
                         ": %s\r\n" LENDERS_PROOF ": %s\r\n\r\n",
                         t->random, proof);
  uv_read_start((uv_stream_t *)&t->tcp, give_room, on_part);
  write_line(t, greeting, (size_t)n);
}

static void connect_line(struct lent *t, const struct sockaddr *there) {
  struct lending *l = t->lending;
  t->state = CALLING;
  t->since = uv_now(l->loop);
  sealed_random(t->random);
  uv_tcp_init(l->loop, &t->tcp);
  uv_tcp_nodelay(&t->tcp, 1);
  t->tcp.data = t;
  if (uv_tcp_connect(&t->connect, &t->tcp, there, on_connected) != 0)
    close_line(t);
}

/* ---- Whom to ---------------------------------------------------------------- */

static void close_lines(struct lending *l) {
  for (int i = 0; i < l->count; i++)
    close_line(&l->lent[i]);
}

void lending_to(struct lending *l, const struct lease_holder *serving,
                const struct sockaddr *there) {
  if (!l || l->ending)
    return;
  if (strcmp(l->secret, serving->secret) != 0) {
    close_lines(l);
    strcpy(l->secret, serving->secret);
    strcpy(l->address, serving->address);
    l->refused = 0;
    l->told = "";
  }
  const uint64_t now = uv_now(l->loop);
  const bool may_call =
      l->secret[0] && (!l->refused || now - l->refused > REFUSED_MS);
  for (int i = 0; i < l->count; i++) {
    struct lent *t = &l->lent[i];
    if (t->state == CALLING && now - t->since > REACH_MS)
      close_line(t);
    else if (t->state == CLOSED && !t->mind && may_call)
      connect_line(t, there);
  }
}

struct lending *lending_new(uv_loop_t *loop, const struct server_options *o) {
  const int threads = think_threads(o);
  struct lending *l = calloc(1, sizeof *l + (size_t)threads * sizeof *l->lent);
  if (!l)
    return NULL;
  minds_hurry(false);
  l->loop = loop;
  l->told = "";
  l->crew = crew_new(loop, threads, true, 0);
  if (!l->crew) {
    free(l);
    return NULL;
  }
  l->count = threads;
  for (int i = 0; i < threads; i++)
    l->lent[i].lending = l;
  return l;
}

void lending_end(struct lending *l) {
  if (!l || l->ending)
    return;
  l->ending = true;
  close_lines(l);
  minds_hurry(true);
  end_crew(l);
}

void lending_free(struct lending *l) {
  if (!l)
    return;
  for (int i = 0; i < l->count; i++)
    sal_buffer_free(&l->lent[i].in);
  crew_free(l->crew);
  free(l);
}
