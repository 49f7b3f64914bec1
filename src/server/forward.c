/* Waiting and handing on. See forward.h.
 *
 * Main invariant: a pair of connections, a client's and that to the server with the
 * lease, lives until both handles are closed; what one says the other hears, in
 * order, and no faster than it takes it. */
#include "forward.h"
#include "lend.h"
#include "pulse.h"
#include "base/context.h"
#include "base/network.h"

#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  LOOK_MS = 300, /* until the next look, if the lease could not be looked at */
  LOOK_MOST = 1000, /* between two looks, when nobody tells anything */
  MARGIN_MS = 10,   /* after a lease should be out */
  BLIND_MS = 3000,  /* without an answer of the database until it says so */
  SHUT_MS = 1000,   /* after the server could not be reached */
  REACH_MS = 3000,  /* within which it must be reached; or its client must have
                     * asked, to be turned away */
  PART = 1 << 16,   /* bytes that are read at once */
  QUEUE_PAUSE =
      1 << 18, /* bytes unsent that stop reading from the other side */
  BACKLOG = 512
};

struct pair;

/* One of the two ends. */
struct end {
  uv_tcp_t handle;
  struct pair *pair;
  struct end *other;
  uv_shutdown_t shutdown;
  bool spoke;  /* something came from it */
  bool paused; /* its other side is slow */
};

struct pair {
  struct end client, server;
  struct forward *forward;
  struct pair *next, **at; /* of all */
  uv_connect_t connect;
  uint64_t since;
  int open; /* handles */
  bool connected;
  bool turned_away; /* as soon as the client has asked */
  bool closing;
};

struct forward {
  const struct server_options *options;
  const char *address;
  uv_loop_t loop;
  int listening;
  uv_tcp_t listener; /* of the door */
  enum { SHUT, OPEN, SHUTTING } door;
  uint64_t shut_until; /* by the loop's clock */
  uv_signal_t on_term, on_int;
  uv_timer_t tick;
  struct pulse pulse; /* of who is handed on to */
  bool silent;        /* it does not answer, and the log says so */
  uv_work_t work;
  bool looking;
  atomic_bool ending;
  struct lending *lending; /* NULL: nothing is lent */
  bool full;               /* somebody knocks who was not let in yet */
  uint64_t
      blind_since; /* by the loop's clock: the database does not answer; 0 */
  int count;
  struct pair *pairs;
  char part[PART];
  char serving[LEASE_ADDRESS]; /* who is handed on to, and where */
  struct sockaddr_storage target;
  /* The work's own while it runs. */
  store_db *db;
  bool looked;
  struct lease *lease;
  struct lease_holder holder;
  struct sockaddr_storage found;
  bool resolved;
};

/* ---- Pairs ---------------------------------------------------------------- */

static void on_end_closed(uv_handle_t *h) {
  struct pair *p = ((struct end *)h->data)->pair;
  if (--p->open > 0)
    return;
  *p->at = p->next;
  if (p->next)
    p->next->at = p->at;
  p->forward->count--;
  free(p);
}

static void close_pair(struct pair *p) {
  if (p->closing)
    return;
  p->closing = true;
  uv_close((uv_handle_t *)&p->client.handle, on_end_closed);
  uv_close((uv_handle_t *)&p->server.handle, on_end_closed);
}

static void on_part(uv_stream_t *s, ssize_t n, const uv_buf_t *buffer);

static void lend_part(uv_handle_t *h, size_t wanted, uv_buf_t *out) {
  (void)wanted;
  struct forward *f = ((struct end *)h->data)->pair->forward;
  *out = uv_buf_init(f->part, PART);
}

static void on_shut(uv_shutdown_t *s, int status) {
  (void)status;
  close_pair(((struct end *)s->handle->data)->pair);
}

static void on_passed(uv_write_t *w, int status) {
  struct end *to = w->handle->data, *from = to->other;
  free(w);
  if (status < 0 && status != UV_ECANCELED)
    close_pair(to->pair);
  if (to->pair->closing || !from->paused)
    return;
  from->paused = false;
  uv_read_start((uv_stream_t *)&from->handle, lend_part, on_part);
}

/* What is passed on is a copy; the buffer is everybody's. */
static bool pass_bytes(struct end *to, const char *bytes, size_t n) {
  return network_send(&to->handle, bytes, n, on_passed);
}

static void on_part(uv_stream_t *s, ssize_t n, const uv_buf_t *buffer) {
  struct end *from = s->data, *to = from->other;
  struct pair *p = from->pair;
  if (n == 0)
    return;
  if (n < 0) { /* what was said before still arrives */
    uv_read_stop(s);
    if (uv_shutdown(&to->shutdown, (uv_stream_t *)&to->handle, on_shut) != 0)
      close_pair(p);
    return;
  }
  from->spoke = true;
  if (from == &p->server)
    pulse_heard(&p->forward->pulse);
  if (!pass_bytes(to, buffer->base, (size_t)n)) {
    close_pair(p);
    return;
  }
  if (uv_stream_get_write_queue_size((uv_stream_t *)&to->handle) >
      QUEUE_PAUSE) {
    from->paused = true;
    uv_read_stop(s);
  }
}

static void shut_door(struct forward *f);

static void on_connected(uv_connect_t *c, int status) {
  struct pair *p = ((struct end *)c->handle->data)->pair;
  if (p->closing || p->turned_away) /* perhaps with the door */
    return;
  if (status < 0) {
    p->forward->shut_until = uv_now(&p->forward->loop) + SHUT_MS;
    shut_door(p->forward);
    close_pair(p);
    return;
  }
  p->connected = true;
  network_watch_line(&p->server.handle);
  uv_read_start((uv_stream_t *)&p->client.handle, lend_part, on_part);
  uv_read_start((uv_stream_t *)&p->server.handle, lend_part, on_part);
}

/* ---- Turning away --------------------------------------------------------- */

/* Without the database it is not known who serves. */
static bool is_blind(const struct forward *f) {
  return f->blind_since && uv_now(&f->loop) - f->blind_since >= BLIND_MS;
}

/* The network parts this server from the one that serves. */
static bool is_parted(const struct forward *f) {
  return f->serving[0] && pulse_is_silent(&f->pulse);
}

/* A balancer, or who is there, had better try another server. */
static void refuse(struct pair *p) {
  const char *why = is_blind(p->forward)
                        ? "the store does not answer\n"
                        : "the server that serves does not answer\n";
  struct end *e = &p->client;
  char sorry[256];
  const int n = snprintf(
      sorry, sizeof sorry,
      "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\n"
      "Content-Length: %zu\r\nRetry-After: 1\r\nConnection: close\r\n\r\n%s",
      strlen(why), why);
  if (!pass_bytes(e, sorry, (size_t)n) ||
      uv_shutdown(&e->shutdown, (uv_stream_t *)&e->handle, on_shut) != 0)
    close_pair(p);
}

static void on_vain(uv_stream_t *s, ssize_t n, const uv_buf_t *buffer) {
  struct end *e = s->data;
  (void)buffer;
  if (n == 0)
    return;
  uv_read_stop(s);
  if (n < 0)
    close_pair(e->pair);
  else
    refuse(e->pair);
}

/* Who has had a part of an answer is hung up on; all others are told, once they have
 * asked. */
static void turn_away(struct pair *p) {
  uv_stream_t *client = (uv_stream_t *)&p->client.handle;
  p->turned_away = true;
  p->since = uv_now(&p->forward->loop);
  p->client.paused = p->server.paused = false;
  uv_read_stop(client);
  uv_read_stop((uv_stream_t *)&p->server.handle);
  if (p->server.spoke)
    close_pair(p);
  else if (p->client.spoke)
    refuse(p);
  else
    uv_read_start(client, lend_part, on_vain);
}

static void look_at_pairs(struct forward *f) {
  const bool parted = is_parted(f);
  for (struct pair *p = f->pairs; p; p = p->next) {
    const bool late = uv_now(&f->loop) - p->since > REACH_MS;
    if (p->turned_away && late)
      close_pair(p);
    else if (!p->turned_away && (parted || (!p->connected && late)))
      turn_away(p);
  }
}

static void close_pairs(struct forward *f) {
  for (struct pair *p = f->pairs; p; p = p->next)
    close_pair(p);
}

static void log_silence(struct forward *f) {
  if (f->silent == is_parted(f))
    return;
  f->silent = !f->silent;
  server_log(f->silent ? "warning" : "info",
             f->silent ? "peer-silent" : "peer-answers", "address", f->serving,
             NULL);
}

static void on_tick(uv_timer_t *t) {
  struct forward *f = t->data;
  if (f->serving[0])
    pulse_tick(&f->pulse, (const struct sockaddr *)&f->target);
  log_silence(f);
  look_at_pairs(f);
}

/* ---- Letting in ----------------------------------------------------------- */

static void init_end(struct pair *p, struct end *e, struct end *other) {
  e->pair = p;
  e->other = other;
  uv_tcp_init(&p->forward->loop, &e->handle);
  uv_tcp_nodelay(&e->handle, 1);
  e->handle.data = e;
  p->open++;
}

static void let_in(struct forward *f) {
  struct pair *p = calloc(1, sizeof *p);
  f->full = !p;
  if (!p)
    return;
  p->forward = f;
  p->since = uv_now(&f->loop);
  p->at = &f->pairs;
  p->next = f->pairs;
  if (p->next)
    p->next->at = &p->next;
  f->pairs = p;
  f->count++;
  init_end(p, &p->client, &p->server);
  init_end(p, &p->server, &p->client);
  uv_stream_t *client = (uv_stream_t *)&p->client.handle;
  if (uv_accept((uv_stream_t *)&f->listener, client) != 0)
    close_pair(p);
  else if (is_blind(f) || is_parted(f))
    turn_away(p);
  else if (uv_tcp_connect(&p->connect, &p->server.handle,
                          (const struct sockaddr *)&f->target,
                          on_connected) != 0)
    close_pair(p);
}

/* ---- The door -------------------------------------------------------------- */

static void on_knock(uv_stream_t *listener, int status) {
  struct forward *f = listener->data;
  if (status != 0)
    return;
  if (f->count < f->options->connections)
    let_in(f);
  else
    f->full = true;
}

static void on_door_shut(uv_handle_t *h) {
  struct forward *f = h->data;
  f->door = SHUT;
}

/* While nobody serves, whoever comes waits in the line of the system, and is
 * handed on or served as soon as somebody does. */
static void shut_door(struct forward *f) {
  if (f->door != OPEN)
    return;
  f->door = SHUTTING;
  f->full = false;
  uv_close((uv_handle_t *)&f->listener, on_door_shut);
}

static void open_door(struct forward *f) {
  if (f->door != SHUT || uv_now(&f->loop) < f->shut_until)
    return;
  uv_tcp_init(&f->loop, &f->listener);
  f->listener.data = f;
  f->door = OPEN;
  if (uv_tcp_open(&f->listener, dup(f->listening)) != 0 ||
      uv_listen((uv_stream_t *)&f->listener, BACKLOG, on_knock) != 0)
    shut_door(f); /* no descriptors: the next look tries again */
}

/* ---- Looking at the lease: on a thread of libuv's --------------------------- */

/* "HOST:PORT", or "[HOST]:PORT". */
static bool resolve_holder(struct forward *f) {
  char host[LEASE_ADDRESS];
  struct addrinfo *found = NULL;
  strcpy(host, f->holder.address);
  char *port = strrchr(host, ':');
  if (!port)
    return false;
  *port++ = '\0';
  const size_t n = strlen(host);
  const bool six = host[0] == '[' && host[n - 1] == ']';
  if (six)
    host[n - 1] = '\0';
  const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM};
  if (getaddrinfo(host + six, port, &wanted, &found) != 0)
    return false;
  memcpy(&f->found, found->ai_addr, found->ai_addrlen);
  freeaddrinfo(found);
  return true;
}

static bool is_ending(void *context) {
  struct forward *f = context;
  return atomic_load(&f->ending);
}

static bool open_db(struct forward *f) {
  struct sal_refusal why;
  if (sql_open(f->options->store, SQL_CREATE, &f->db, &why) != 0)
    return false;
  f->db->driver->watch(f->db, is_ending, f);
  f->db->driver->serve(f->db);
  return true;
}

/* Until somebody tells that the lease is taken or free, or it should be out. */
static void wait_for_news(struct forward *f) {
  const int out = f->holder.left + MARGIN_MS;
  if (!f->db)
    uv_sleep(LOOK_MS);
  else
    sql_wait(f->db, !f->resolved ? LOOK_MS : out < LOOK_MOST ? out : LOOK_MOST);
}

static void look_at_lease(uv_work_t *w) {
  struct forward *f = w->data;
  if (f->looked)
    wait_for_news(f);
  f->looked = true;
  f->lease = NULL;
  f->resolved = false;
  f->holder = (struct lease_holder){0};
  if (is_ending(f) || (!f->db && !open_db(f)))
    return;
  f->lease = lease_take(f->db, f->address, &f->holder);
  if (f->lease) {
    f->db = NULL;
    server_log("info", "lease-taken", "another",
               f->holder.out ? "was out" : "none", NULL);
  }
  /* Its own, from before it fell, runs out. */
  f->resolved = f->holder.address[0] &&
                strcmp(f->holder.address, f->address) != 0 && resolve_holder(f);
}

static void end_forwarding(struct forward *f);

static void note_blindness(struct forward *f) {
  if (f->holder.known)
    f->blind_since = 0;
  else if (!f->blind_since)
    f->blind_since = uv_now(&f->loop);
}

/* What somebody said to a server that does not serve any more is said to nobody. */
static void forget_serving(struct forward *f) {
  close_pairs(f);
  pulse_close(&f->pulse);
  pulse_heard(&f->pulse);
  f->silent = false;
}

static void hand_on_to_holder(struct forward *f) {
  if (strcmp(f->serving, f->holder.address) != 0)
    forget_serving(f);
  strcpy(f->serving, f->holder.address);
  f->target = f->found;
  open_door(f);
  lending_to(f->lending, &f->holder, (const struct sockaddr *)&f->target);
}

static void look_again(struct forward *f);

static void on_looked(uv_work_t *w, int status) {
  struct forward *f = w->data;
  (void)status;
  f->looking = false;
  if (f->ending && f->lease) {
    lease_leave(f->lease);
    f->lease = NULL;
  }
  if (f->lease || f->ending) {
    end_forwarding(f);
    return;
  }
  note_blindness(f);
  if (f->resolved)
    hand_on_to_holder(f);
  else if (is_blind(f))
    open_door(f);
  else
    shut_door(f);
  if (f->full && f->count < f->options->connections)
    let_in(f);
  look_again(f);
}

static void look_again(struct forward *f) {
  f->work.data = f;
  f->looking = uv_queue_work(&f->loop, &f->work, look_at_lease, on_looked) == 0;
}

/* ---- Beginning and end ---------------------------------------------------- */

static void close_handle(uv_handle_t *h) {
  if (!uv_is_closing(h))
    uv_close(h, NULL);
}

static void end_forwarding(struct forward *f) {
  f->ending = true;
  if (f->looking)
    return; /* it ends when that is done */
  close_pairs(f);
  shut_door(f);
  lending_end(f->lending);
  pulse_close(&f->pulse);
  close_handle((uv_handle_t *)&f->tick);
  close_handle((uv_handle_t *)&f->on_term);
  close_handle((uv_handle_t *)&f->on_int);
}

static void on_end_signal(uv_signal_t *s, int number) {
  (void)number;
  end_forwarding(s->data);
}

static void start_forwarding(struct forward *f, bool blind) {
  uv_signal_init(&f->loop, &f->on_term);
  uv_signal_init(&f->loop, &f->on_int);
  uv_timer_init(&f->loop, &f->tick);
  f->on_term.data = f->on_int.data = f->tick.data = f;
  uv_timer_start(&f->tick, on_tick, PULSE_TICK_MS, PULSE_TICK_MS);
  uv_signal_start(&f->on_term, on_end_signal, SIGTERM);
  uv_signal_start(&f->on_int, on_end_signal, SIGINT);
  f->pulse.loop = &f->loop;
  f->blind_since = uv_now(&f->loop);
  if (blind) {
    f->blind_since -= BLIND_MS;
    open_door(f);
  }
  f->lending = lending_new(&f->loop, f->options);
  look_again(f);
  server_log("info", "waiting", "address", f->address, NULL);
}

struct lease *forward_until_turn(const struct server_options *o, int listening,
                                 const char *address, bool blind,
                                 struct ending *ending,
                                 struct sal_refusal *why) {
  *why = (struct sal_refusal){0};
  struct forward *f = calloc(1, sizeof *f);
  if (!f || uv_loop_init(&f->loop) != 0) {
    free(f);
    sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
    return NULL;
  }
  f->options = o;
  f->address = address;
  f->listening = listening;
  start_forwarding(f, blind);
  if (ending_is_asked(ending))
    end_forwarding(f);
  uv_run(&f->loop, UV_RUN_DEFAULT);
  uv_loop_close(&f->loop);
  lending_free(f->lending);
  sql_close(f->db);
  struct lease *lease = f->lease;
  free(f);
  return lease;
}
