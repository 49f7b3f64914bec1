/* Connections on the loop. See conn.h.
 *
 * Main invariant: a connection is in the server's list and in its slot from
 * accept until its handle is closed, and only then is its memory given back;
 * so whoever is called from its callbacks may close it. */
#include "conn.h"
#include "addresses.h"
#include "people/limits.h"
#include "health.h"
#include "lenders.h"
#include "store/store.h"
#include "http.h"
#include "ws.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum {
  QUEUE_MAX = 1 << 20,   /* bytes unsent that get a client dropped */
  QUEUE_PAUSE = 1 << 16, /* bytes unsent that stop reading from it */
  FINISH_MS = 2000,
  LAST_RESORT_MS = 2000,
  EXPORT_MS = 10 * 60 * 1000, /* for so much of an export to be taken: */
  EXPORT_PART = 1 << 20,
  AFTER_EXPORT_MS = 30 * 1000,
  OUT_FIRST = 1024, /* bytes; most messages fit */
  FREE_OUTS_MAX = 512
};

/* ---- What goes out ---------------------------------------------------------

 * Whoever is told something in a round of the loop has it gathered in a buffer
 * until the round ends. Those of the first size go round, since an allocator
 * takes long over so many at once. */

static void give_out(struct server *srv, struct sal_buffer *out) {
  if (out->size == OUT_FIRST)
    free_list_put(&srv->free_out, out->at, FREE_OUTS_MAX);
  else
    free(out->at);
}

static bool add_out(struct conn *c, const char *data, size_t length) {
  struct sal_buffer *out = &c->out;
  if (!out->at && (out->at = free_list_take(&c->server->free_out, OUT_FIRST)))
    out->size = OUT_FIRST;
  return out->at && sal_buffer_add(out, data, length);
}

/* ---- Life ----------------------------------------------------------------- */

static struct conn *conn_of(void *handle) { return handle; }

static bool take_slot(struct server *srv, struct conn *c) {
  for (size_t i = 0; i < srv->slot_count; i++) {
    const size_t slot = (size_t)(srv->next_generation + i) % srv->slot_count;
    if (srv->slots[slot])
      continue;
    srv->slots[slot] = c;
    c->id = ++srv->next_generation * srv->slot_count + slot;
    return true;
  }
  return false;
}

struct conn *conn_find(struct server *srv, uint64_t id) {
  struct conn *c = srv->slots[id % srv->slot_count];
  return c && c->id == id && !c->closing && !c->closed ? c : NULL;
}

static void unlist_out(struct conn *c) {
  struct conn **at = &c->server->first_out;
  while (*at && *at != c)
    at = &(*at)->next_out;
  if (*at)
    *at = c->next_out;
  c->listed_out = false;
}

static void on_conn_closed(uv_handle_t *handle) {
  struct conn *c = conn_of(handle);
  struct server *srv = c->server;
  if (c->id) {
    srv->slots[c->id % srv->slot_count] = NULL;
    *(c->prev ? &c->prev->next : &srv->first) = c->next;
    if (c->next)
      c->next->prev = c->prev;
    srv->conn_count--;
  }
  if (c->listed_out)
    unlist_out(c);
  if (c->from)
    address_leave(srv->addresses, c->from);
  sal_buffer_free(&c->out);
  http_free(c->http);
  ws_free(c->ws);
  free(c);
}

void conn_drop(struct conn *c) {
  if (c->closed)
    return;
  c->closed = c->closing = true;
  ws_leave(c);
  lender_leave(c);
  if (c->question)
    store_give_up(c->question);
  c->question = NULL;
  uv_close((uv_handle_t *)&c->tcp, on_conn_closed);
}

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf);
static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf);
static void send_out(struct conn *c);

/* Half closed, then read until the client closes its half: to close with bytes
 * unread would reset the connection, and the last words could get lost. */
void conn_finish(struct conn *c) {
  if (c->closing)
    return;
  send_out(c);
  if (c->closed)
    return;
  c->closing = true;
  c->deadline = server_now(c->server) + FINISH_MS;
  if (uv_shutdown(&c->shutdown, (uv_stream_t *)&c->tcp, NULL) != 0) {
    conn_drop(c);
    return;
  }
  if (c->paused)
    uv_read_start((uv_stream_t *)&c->tcp, on_alloc, on_read);
}

void conn_blame(struct conn *c, const char *why) {
  struct server *srv = c->server;
  if (c->blamed)
    return;
  c->blamed = true;
  srv->counters.dropped++;
  if (limits_address_may(srv->limits, LIMIT_LOGS, c->address))
    server_log("warning", "blamed", "address", c->address, "why", why, NULL);
}

/* ---- Reading -------------------------------------------------------------- */

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
  (void)size;
  struct server *srv = conn_of(handle)->server;
  *buf = uv_buf_init(srv->read_buffer, sizeof srv->read_buffer);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf) {
  struct conn *c = conn_of(stream);
  if (n < 0)
    conn_drop(c);
  else if (n > 0 && !c->closing && c->ws)
    ws_feed(c, buf->base, (size_t)n);
  else if (n > 0 && !c->closing && c->lender)
    lender_feed(c, buf->base, (size_t)n);
  else if (n > 0 && !c->closing)
    http_feed(c, buf->base, (size_t)n);
}

/* ---- Writing -------------------------------------------------------------- */

struct unsent {
  uv_write_t request;
  char data[];
};

static void on_written(uv_write_t *request, int status) {
  struct conn *c = conn_of(request->handle);
  free(request->data);
  if (c->closed)
    return;
  const size_t left = uv_stream_get_write_queue_size((uv_stream_t *)&c->tcp);
  if (status < 0) {
    conn_drop(c);
  } else if (left == 0 && c->exporting) {
    c->exporting = 0;
    c->deadline = server_now(c->server) + AFTER_EXPORT_MS;
  }
  if (!c->closed && c->paused && left < QUEUE_PAUSE / 2) {
    c->paused = false;
    uv_read_start((uv_stream_t *)&c->tcp, on_alloc, on_read);
  }
}

static void queue_rest(struct conn *c, const char *data, size_t length) {
  struct unsent *u = malloc(sizeof *u + length);
  if (!u) {
    conn_drop(c);
    return;
  }
  memcpy(u->data, data, length);
  u->request.data = u;
  uv_buf_t buf = uv_buf_init(u->data, (unsigned)length);
  if (uv_write(&u->request, (uv_stream_t *)&c->tcp, &buf, 1, on_written) != 0) {
    free(u);
    conn_drop(c);
    return;
  }
  const size_t waiting = uv_stream_get_write_queue_size((uv_stream_t *)&c->tcp);
  if (waiting > QUEUE_MAX && c->ws) { /* of HTTP there is one answer at most */
    conn_blame(c, "it does not read what it is sent");
    conn_drop(c);
  } else if (waiting > QUEUE_PAUSE && !c->paused && !c->closing) {
    c->paused = true;
    uv_read_stop((uv_stream_t *)&c->tcp);
  }
}

/* As much as goes at once; -1: the connection is gone. Past libuv, which would
 * write to any kind of file: half of the loop's time goes by in here. */
static ssize_t send_some(const struct conn *c, const char *data,
                         size_t length) {
  uv_os_fd_t socket;
  if (uv_stream_get_write_queue_size((const uv_stream_t *)&c->tcp) > 0)
    return 0; /* what waits goes first */
  if (uv_fileno((const uv_handle_t *)&c->tcp, &socket) != 0)
    return -1;
  const ssize_t sent = send(socket, data, length, MSG_DONTWAIT | MSG_NOSIGNAL);
  const bool later = errno == EAGAIN || errno == ENOBUFS || errno == EINTR;
  return sent < 0 && later ? 0 : sent;
}

static void send_now(struct conn *c, const char *data, size_t length) {
  const ssize_t sent = send_some(c, data, length);
  if (sent < 0)
    conn_drop(c);
  else if ((size_t)sent < length)
    queue_rest(c, data + sent, length - (size_t)sent);
}

static void send_out(struct conn *c) {
  struct sal_buffer out = c->out;
  c->out = (struct sal_buffer){0};
  if (out.len > 0 && !c->closing)
    send_now(c, out.at, out.len);
  give_out(c->server, &out);
}

/* Each piece that is sent costs a system call, and the receiver a wake-up; so
 * what one round of the loop has to say to somebody is said at once. */
void conn_write(struct conn *c, const char *data, size_t length) {
  if (c->closing || length == 0)
    return;
  if (c->out.len > 0 && c->out.len + length > QUEUE_PAUSE)
    send_out(c);
  if (c->closing)
    return;
  if (length > QUEUE_PAUSE) {
    send_now(c, data, length);
    return;
  }
  if (!add_out(c, data, length)) {
    conn_drop(c);
    return;
  }
  if (!c->listed_out) {
    c->listed_out = true;
    c->next_out = c->server->first_out;
    c->server->first_out = c;
  }
}

void conn_flush(struct server *srv) {
  while (srv->first_out) {
    struct conn *c = srv->first_out;
    srv->first_out = c->next_out;
    c->listed_out = false;
    send_out(c);
  }
  server_moves_are_told(srv);
}

/* Of an export so much at least is taken in time, or it is given up. */
static void expect_part(struct conn *c) {
  c->unsent = uv_stream_get_write_queue_size((uv_stream_t *)&c->tcp);
  c->deadline = server_now(c->server) + EXPORT_MS;
}

static bool part_was_taken(const struct conn *c) {
  return c->exporting &&
         uv_stream_get_write_queue_size((uv_stream_t *)&c->tcp) + EXPORT_PART <=
             c->unsent;
}

void conn_export_is_written(struct conn *c) {
  if (c->closed || uv_stream_get_write_queue_size((uv_stream_t *)&c->tcp) == 0)
    c->exporting = 0;
  else if (c->exporting)
    expect_part(c);
}

/* ---- Accepting ------------------------------------------------------------ */

static void note_address(struct conn *c) {
  struct sockaddr_storage peer;
  int size = sizeof peer;
  if (uv_tcp_getpeername(&c->tcp, (struct sockaddr *)&peer, &size) != 0)
    return;
  if (peer.ss_family == AF_INET6)
    uv_ip6_name((struct sockaddr_in6 *)&peer, c->address, sizeof c->address);
  else
    uv_ip4_name((struct sockaddr_in *)&peer, c->address, sizeof c->address);
}

bool conn_comes_from(struct conn *c, const char *address) {
  struct addresses *all = c->server->addresses;
  if (address != c->address)
    snprintf(c->address, sizeof c->address, "%s", address);
  if (c->from && c->from == address_find(all, address))
    return true;
  struct address *from = address_enter(all, address);
  if (!from) {
    conn_blame(c, "too many connections of one address");
    return false;
  }
  if (c->from)
    address_leave(all, c->from);
  c->from = from;
  return true;
}

static void enlist(struct conn *c) {
  struct server *srv = c->server;
  c->next = srv->first;
  if (srv->first)
    srv->first->prev = c;
  srv->first = c;
  srv->conn_count++;
  srv->counters.connections++;
}

static struct conn *new_conn(struct server *srv) {
  struct conn *c = calloc(1, sizeof *c);
  if (!c)
    return NULL;
  c->server = srv;
  if (uv_tcp_init(&srv->loop, &c->tcp) != 0) {
    free(c);
    return NULL;
  }
  c->http = http_new(c);
  return c;
}

static const char too_many[] =
    "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n"
    "Connection: close\r\n\r\n";

static bool is_last_resort(const struct conn *c) {
  uv_os_fd_t fd;
  return uv_fileno((const uv_handle_t *)&c->tcp, &fd) == 0 &&
         health_is_last_resort(c->server, fd);
}

/* Its socket is there; false: it had to be dropped. */
static bool conn_begin(struct conn *c) {
  if (!c->http || c->server->closing || !take_slot(c->server, c)) {
    conn_drop(c);
    return false;
  }
  enlist(c);
  note_address(c);
  if (is_last_resort(c)) {
    c->last_resort = true;
    c->deadline = server_now(c->server) + LAST_RESORT_MS;
  }
  /* A proxy may have any number; it will name the client. */
  if (c->server->options.trusted_hops == 0 && !conn_comes_from(c, c->address)) {
    conn_write(c, too_many, sizeof too_many - 1);
    conn_finish(c);
  }
  uv_tcp_nodelay(&c->tcp, 1);
  if (uv_read_start((uv_stream_t *)&c->tcp, on_alloc, on_read) == 0)
    return true;
  conn_drop(c);
  return false;
}

void conn_accept(struct server *srv) {
  struct conn *c = new_conn(srv);
  /* The listener is silent until somebody takes it; conn_sweep tries again. */
  srv->unaccepted = !c;
  if (!c)
    return;
  if (uv_accept((uv_stream_t *)&srv->listener, (uv_stream_t *)&c->tcp) == 0)
    conn_begin(c);
  else
    conn_drop(c);
}

struct conn *conn_adopt(struct server *srv, uv_os_sock_t socket) {
  struct conn *c = new_conn(srv);
  if (!c)
    return NULL;
  if (uv_tcp_open(&c->tcp, socket) == 0)
    return conn_begin(c) ? c : NULL;
  conn_drop(c);
  return NULL;
}

void conn_sweep(struct server *srv) {
  const uint64_t now = server_now(srv);
  if (srv->unaccepted && !srv->closing)
    conn_accept(srv);
  for (struct conn *c = srv->first, *next; c; c = next) {
    next = c->next; /* memory is given back later, on the loop */
    if (c->closed)
      continue;
    if (now >= c->deadline) {
      if (part_was_taken(c))
        expect_part(c);
      else if (c->ws && !c->closing)
        ws_silent(c);
      else if (c->closing || !http_is_overdue(c))
        conn_drop(c);
    }
  }
}
