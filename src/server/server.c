/* Opening the server, keeping it open, closing it. See server.h.
 *
 * Closing, on SIGTERM or SIGINT: nobody new comes in and no move is taken any
 * more; everybody is told; what is on its way to the store is made and told;
 * then the connections are closed, and the loop runs dry by itself. After a few
 * seconds whoever still hangs on is dropped. */
#include "server.h"
#include "forward.h"
#include "base/crew.h"
#include "base/ending.h"
#include "people/accounts.h"
#include "people/limits.h"
#include "net/addresses.h"
#include "net/conn.h"
#include "net/health.h"
#include "net/http.h"
#include "people/moderation.h"
#include "net/messages.h"
#include "net/pages.h"
#include "net/push.h"
#include "net/reviews.h"
#include "people/people.h"
#include "rooms/courts.h"
#include "rooms/think.h"
#include "net/ws.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  TICK_MS = 250,
  BACKLOG = 512,
  CLOSING_MS = 3000,
  LAST_RESORTS = 16, /* connections that may only ask how things are */
  HASHERS = 2,       /* threads for passwords, 64 MiB each while they work */
  TURNS_MAX = 3      /* that fail one after the other, and it ends */
};

static const struct server_language english_only[] = {{"en", {0}}, {0}};

const struct server_options server_defaults = {
    .host = "127.0.0.1",
    .port = 8014,
    .data = "data",
    .connections = 10000,
    .per_address = 200,
    .tables = 20000,
    .pace = 20,
    .bot_seconds = 0.7,
    .bot_tables = 10,
    .reveal_seconds = 20,
    .timeout = 10,
    .ping = 25,
    .languages = english_only,
};

/* ---- The data folder ------------------------------------------------------ */

bool server_store(const struct server_options *o, const char *end,
                  char out[SERVER_PATH]) {
  const int n =
      o->store ? snprintf(out, SERVER_PATH, "%s%s", o->store, end)
               : snprintf(out, SERVER_PATH, "%s/salotto.db%s", o->data, end);
  return n > 0 && n < SERVER_PATH;
}

const char *server_store_name(const char *text) {
  const char *path = sal_skip(text, "sqlite:");
  return store_is_shared(text) ? text : path && *path ? path : NULL;
}

const char *server_store_shown(const struct server_options *o) {
  return server_shares(o) ? "PostgreSQL" : o->store ? o->store : o->data;
}

bool server_shares(const struct server_options *o) {
  return o->store && store_is_shared(o->store);
}

/* A store in a file belongs to one process: the lock is held until it ends, however it
 * ends. It is on the file itself, so that no other name for the file (a link, a
 * new name) gets past it. SQLite's own locks are of another kind, and do not see
 * it; but to close any descriptor of the file drops them. */
int server_lock(const struct server_options *o, bool create,
                struct sal_refusal *why) {
  char path[SERVER_PATH];
  if (create && mkdir(o->data, 0700) != 0 && errno != EEXIST)
    return sal_refuse(why, SAL_STORE, NULL, strerror(errno));
  if (!server_store(o, "", path))
    return sal_refuse(why, SAL_STORE, NULL, strerror(ENAMETOOLONG));
  const int fd = open(path, O_RDWR | (create ? O_CREAT : 0) | O_CLOEXEC, 0600);
  if (fd < 0)
    return sal_refuse(why, SAL_STORE, NULL, strerror(errno));
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    close(fd);
    return sal_refuse(why, SAL_STORE, NULL, N_("another server has it open"));
  }
  return fd;
}

void server_unlock(int lock) { flock(lock, LOCK_UN); }

/* The clocks of servers that share a store differ; that of the store is one. */
static int take_time(struct store *s) {
  const int64_t now = store_time(s);
  if (now > 0)
    server_time_is(now);
  return now < 0 ? SAL_STORE : 0;
}

static int open_store(struct server *srv, struct sal_refusal *why) {
  char path[SERVER_PATH] = "";
  server_store(&srv->options, "", path);
  srv->store = store_open(path, why);
  if (!srv->store)
    return why->code;
  store_hold(srv->store, srv->lease);
  store_expect_load(srv->store);
  int error = take_time(srv->store);
  if (!error)
    error = moderation_load(srv->moderation);
  if (!error)
    error = people_load(srv->people);
  if (!error)
    error = accounts_load(srv->accounts);
  if (!error)
    error = store_each_court(srv->store, courts_load, NULL);
  if (!error)
    error = rooms_load(srv->rooms);
  if (!error) /* by the time from then on, which may be that of the last move */
    error = limits_load(srv->limits);
  if (error == SAL_NO_MEMORY)
    return sal_refuse(why, error, NULL, NULL);
  return error ? sal_refuse(why, SAL_STORE, NULL, store_is_damaged) : 0;
}

/* ---- Closing -------------------------------------------------------------- */

static void close_handle(uv_handle_t *h) {
  if (!uv_is_closing(h))
    uv_close(h, NULL);
}

static void close_handles(struct server *srv) {
  close_handle((uv_handle_t *)&srv->before_wait);
  close_handle((uv_handle_t *)&srv->after_wait);
  close_handle((uv_handle_t *)&srv->listener);
  close_handle((uv_handle_t *)&srv->tick);
  close_handle((uv_handle_t *)&srv->on_term);
  close_handle((uv_handle_t *)&srv->on_int);
  close_handle((uv_handle_t *)&srv->on_hup);
}

static void begin_closing(struct server *srv) {
  if (srv->closing)
    return;
  srv->closing = true;
  srv->closing_since = server_now(srv);
  server_log("info", "closing", NULL);
  close_handle((uv_handle_t *)&srv->listener);
  messages_closing(srv);
  think_stop(srv);
  accounts_stop(srv->accounts);
}

static void on_signal(uv_signal_t *s, int number) {
  struct server *srv = s->data;
  (void)number;
  srv->steps_down = false;
  begin_closing(srv);
}

static void close_connections(struct server *srv, bool now) {
  for (struct conn *c = srv->first, *next; c; c = next) {
    next = c->next;
    if (now)
      conn_drop(c);
    else if (c->ws && !c->closing)
      ws_close(c, 1001, "closing");
    else if (!c->ws)
      conn_finish(c);
  }
}

/* First the work, so that everybody hears what came of it; then the lease, so that
 * another goes on; then the guests; then the server. Who steps down has nothing more to
 * say: what its guests wait for, another will tell them. */
static void go_on_closing(struct server *srv) {
  const bool patient = server_now(srv) - srv->closing_since < CLOSING_MS;
  /* Both end by themselves, within a bound. */
  const bool busy = store_waiting(srv->store) > 0 || srv->work_open > 0;
  if (busy && !srv->steps_down)
    return;
  if (srv->lease && !busy)
    lease_let_go(srv->lease);
  close_connections(srv, !patient);
  if (!srv->first && !busy)
    close_handles(srv);
}

/* Somebody else serves: whoever is here comes back, and is handed on. */
static void look_at_lease(struct server *srv) {
  if (srv->closing || !srv->lease || !lease_is_lost(srv->lease))
    return;
  server_log("warning", "lease-lost", NULL);
  srv->steps_down = true;
  begin_closing(srv);
}

static void on_tick(uv_timer_t *t) {
  struct server *srv = t->data;
  look_at_lease(srv);
  conn_sweep(srv);
  limits_tick(srv->limits);
  crew_sweep(srv->thinkers);
  crew_sweep(srv->hashers);
  accounts_tick(srv->accounts);
  moderation_tick(srv->moderation);
  health_tick(srv);
  rooms_sweep(srv->rooms);
  if (srv->closing)
    go_on_closing(srv);
}

/* ---- Options, read again ---------------------------------------------------- */

static void add_word(struct sal_text *t, bool differs, const char *name) {
  if (differs && t->len > 0)
    sal_text_add(t, ", ");
  if (differs)
    sal_text_add(t, name);
}

static bool differ(const char *a, const char *b) {
  return a && b ? strcmp(a, b) != 0 : a != b;
}

/* The names of those that have changed and cannot, while the server is open. */
static void say_fixed(const struct server_options *a,
                      const struct server_options *b, struct sal_text *t) {
  add_word(t, differ(a->host, b->host) || a->port != b->port, "listen");
  add_word(t, differ(a->data, b->data), "data");
  add_word(t, differ(a->store, b->store), "store");
  add_word(t, differ(a->peer, b->peer), "peer");
  add_word(t, differ(a->public_url, b->public_url), "public-url");
  add_word(t, differ(a->web, b->web), "web");
  add_word(t, a->trusted_hops != b->trusted_hops, "trust-proxy");
  add_word(t, a->connections != b->connections, "connections");
  add_word(t, a->bot_threads != b->bot_threads, "bot-threads");
}

static void take_options(struct server_options *o,
                         const struct server_options *fresh) {
  o->per_address = fresh->per_address;
  o->tables = fresh->tables;
  o->pace = fresh->pace;
  o->bot_tables = fresh->bot_tables;
  o->bot_seconds = fresh->bot_seconds;
  o->reveal_seconds = fresh->reveal_seconds;
  o->timeout = fresh->timeout;
  o->ping = fresh->ping;
  o->welcome = fresh->welcome;
  o->log_level = fresh->log_level;
}

static void on_hangup(uv_signal_t *s, int number) {
  struct server *srv = s->data;
  struct server_options fresh;
  char text[400] = "";
  struct sal_text t;
  (void)number;
  if (!srv->options.read_again)
    return;
  if (!srv->options.read_again(&fresh, text, sizeof text)) {
    server_log("error", "not-reloaded", "why", text, NULL);
    return;
  }
  sal_text_init(&t, text, sizeof text);
  say_fixed(&srv->options, &fresh, &t);
  server_log("info", "reloaded", "needs-restart", text, NULL);
  take_options(&srv->options, &fresh);
  server_log_from(srv->options.log_level);
}

/* ---- Opening -------------------------------------------------------------- */

static void on_connection(uv_stream_t *listener, int status) {
  if (status == 0)
    conn_accept(listener->data);
}

static int resolve_listening(const struct server_options *o,
                             struct sockaddr_storage *out) {
  if (uv_ip4_addr(o->host, o->port, (struct sockaddr_in *)out) == 0)
    return 0;
  return uv_ip6_addr(o->host, o->port, (struct sockaddr_in6 *)out);
}

static int bound_port(int socket) {
  struct sockaddr_storage a;
  socklen_t size = sizeof a;
  if (getsockname(socket, (struct sockaddr *)&a, &size) != 0)
    return 0;
  return ntohs(a.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&a)->sin6_port
                                       : ((struct sockaddr_in *)&a)->sin_port);
}

/* The origin that browsers will name: the public URL without its path. */
static void note_origin(struct server *srv, const char *listening) {
  const char *url =
      srv->options.public_url ? srv->options.public_url : listening;
  if (!origin_of(url, srv->origin)) /* of an option that was not looked at */
    srv->origin[0] = '\0';
  srv->secure = strncmp(srv->origin, "https://", 8) == 0;
}

/* A socket that listens, for as long as the program runs: whoever comes while
 * servers take turns waits in its line. Or an error with a sentence. */
static int bind_listener(const struct server_options *o,
                         struct sal_refusal *why) {
  struct sockaddr_storage a;
  const int yes = 1;
  if (resolve_listening(o, &a) != 0)
    return sal_refuse(why, SAL_IO, NULL, uv_strerror(UV_EINVAL));
  const int fd = socket(a.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const socklen_t size = a.ss_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                                 : sizeof(struct sockaddr_in);
  if (fd >= 0 &&
      setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
      bind(fd, (const struct sockaddr *)&a, size) == 0 &&
      listen(fd, BACKLOG) == 0)
    return fd;
  sal_refuse(why, SAL_IO, NULL, uv_strerror(uv_translate_sys_error(errno)));
  if (fd >= 0)
    close(fd);
  return SAL_IO;
}

static void write_url(const struct server_options *o, int socket,
                      const char *before, char *out, size_t size) {
  const bool six = strchr(o->host, ':') != NULL;
  snprintf(out, size, "%s%s%s%s:%d", before, six ? "[" : "", o->host,
           six ? "]" : "", bound_port(socket));
}

static int listen_on(struct server *srv, struct sal_refusal *why) {
  char url[128];
  int code = uv_tcp_open(&srv->listener, dup(srv->listening));
  if (code == 0)
    code = uv_listen((uv_stream_t *)&srv->listener, BACKLOG, on_connection);
  if (code != 0)
    return sal_refuse(why, SAL_IO, NULL, uv_strerror(code));
  write_url(&srv->options, srv->listening, "http://", url, sizeof url);
  note_origin(srv, url);
  if (!srv->lease)
    srv->options.ready(url);
  server_log("info", "listening", "url", url, "origin", srv->origin, NULL);
  return 0;
}

static void flush_before_wait(uv_prepare_t *p) { conn_flush(p->data); }
static void flush_after_wait(uv_check_t *c) { conn_flush(c->data); }

static void start_server_handles(struct server *srv) {
  uv_prepare_init(&srv->loop, &srv->before_wait);
  uv_check_init(&srv->loop, &srv->after_wait);
  srv->before_wait.data = srv->after_wait.data = srv;
  uv_prepare_start(&srv->before_wait, flush_before_wait);
  uv_check_start(&srv->after_wait, flush_after_wait);
  uv_tcp_init(&srv->loop, &srv->listener);
  uv_timer_init(&srv->loop, &srv->tick);
  uv_signal_init(&srv->loop, &srv->on_term);
  uv_signal_init(&srv->loop, &srv->on_int);
  uv_signal_init(&srv->loop, &srv->on_hup);
  srv->on_hup.data = srv;
  uv_signal_start(&srv->on_hup, on_hangup, SIGHUP);
  srv->listener.data = srv->tick.data = srv->on_term.data = srv->on_int.data =
      srv;
  uv_timer_start(&srv->tick, on_tick, TICK_MS, TICK_MS);
  uv_signal_start(&srv->on_term, on_signal, SIGTERM);
  uv_signal_start(&srv->on_int, on_signal, SIGINT);
}

/* After the store has started, so that there is nothing to end if it has not. */
static int start_crews(struct server *srv, struct sal_refusal *why) {
  minds_hurry(false); /* it may have served before */
  srv->thinkers = crew_new(&srv->loop, think_threads(&srv->options), true, 0);
  srv->hashers = crew_new(&srv->loop, HASHERS, false, PASSWORDS_URGENT);
  return srv->thinkers && srv->hashers
             ? 0
             : sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
}

static void close_crews(struct server *srv) {
  if (srv->thinkers)
    crew_close(srv->thinkers);
  if (srv->hashers)
    crew_close(srv->hashers);
}

static int serve(struct server *srv, struct sal_refusal *why) {
  start_server_handles(srv);
  int error = store_start(srv->store, &srv->loop);
  if (error)
    sal_refuse(why, error, NULL, NULL);
  else if (!(error = start_crews(srv, why)) && !(error = listen_on(srv, why)) &&
           (error = push_open(srv)))
    sal_refuse(why, error, NULL, NULL);
  if (error) {
    close_handles(srv);
  } else {
    rooms_wake(srv->rooms);
    people_yield_names(srv->people, NULL);
    reviews_open(srv);
    if (srv->ending && ending_is_asked(srv->ending))
      begin_closing(srv);
    while (!srv->closing || srv->first ||
           uv_is_active((uv_handle_t *)&srv->tick))
      uv_run(&srv->loop, UV_RUN_ONCE);
    server_log("info", "closed", NULL);
  }
  push_close(srv);
  store_close(srv->store);
  srv->store = NULL;
  close_crews(srv);
  uv_run(&srv->loop, UV_RUN_DEFAULT);
  return error;
}

static bool make_parts(struct server *srv) {
  srv->slot_count = (size_t)srv->options.connections + LAST_RESORTS;
  srv->slots = calloc(srv->slot_count, sizeof *srv->slots);
  srv->people = people_new(srv);
  srv->limits = limits_new(srv);
  srv->accounts = sodium_init() < 0 ? NULL : accounts_new(srv);
  srv->addresses = addresses_new(srv);
  srv->rooms = rooms_new(srv);
  srv->pages = pages_new(&srv->options);
  srv->moderation = moderation_new(srv);
  return srv->slots && srv->people && srv->limits && srv->accounts &&
         srv->addresses && srv->rooms && srv->pages && srv->moderation;
}

static void free_server(struct server *srv) {
  if (srv->store)
    store_close(srv->store);
  uv_loop_close(&srv->loop);
  push_free(srv);
  reviews_free(srv);
  crew_free(srv->thinkers);
  crew_free(srv->hashers);
  pages_free(srv->pages);
  rooms_free(srv->rooms);
  moderation_free(srv->moderation);
  accounts_free(srv->accounts);
  addresses_free(srv->addresses);
  people_free(srv->people);
  limits_free(srv->limits);
  free_list_clear(&srv->free_http);
  free_list_clear(&srv->free_messages);
  free_list_clear(&srv->free_out);
  free(srv->slots);
  sal_buffer_free(&srv->scratch);
  free(srv);
}

/* Serves once, on a store that is this server's. */
static int run_once(const struct server_options *options, int listening,
                    struct lease *lease, struct ending *ending, bool *again,
                    struct sal_refusal *why) {
  struct server *srv = calloc(1, sizeof *srv);
  if (!srv || uv_loop_init(&srv->loop) != 0) {
    free(srv);
    return sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
  }
  srv->options = *options;
  srv->listening = listening;
  srv->lease = lease;
  srv->ending = ending;
  srv->opened_at = server_time();
  int error = make_parts(srv) ? 0 : sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
  if (!error)
    error = open_store(srv, why);
  if (!error)
    error = serve(srv, why);
  *again = srv->steps_down;
  free_server(srv);
  return error;
}

static int run_with_file(const struct server_options *options, int listening,
                         struct sal_refusal *why) {
  const int lock = server_lock(options, true, why);
  if (lock < 0)
    return why->code;
  bool again;
  const int error = run_once(options, listening, NULL, NULL, &again, why);
  close(lock);
  return error;
}

/* The store may be away for a while, or fail while it is read: the lease is free
 * then, and whoever has it next tries again. After TURNS_MAX failures in a row it is
 * given up. */
static bool try_again(int *failed, const struct sal_refusal *why) {
  if (why->code != SAL_STORE || ++*failed == TURNS_MAX)
    return false;
  server_log("error", "turn-failed", "why", why->message, NULL);
  return true;
}

/* Waits for the lease, serves for as long as it has it, and waits again if it was
 * lost; ends when it is asked to. */
static int take_turns(const struct server_options *options, int listening,
                      const char *address, struct ending *ending,
                      struct sal_refusal *why) {
  int failed = 0;
  bool blind = false;
  for (bool again = true; again;) {
    struct lease *lease =
        forward_until_turn(options, listening, address, blind, ending, why);
    if (!lease)
      return why->code;
    const int error = run_once(options, listening, lease, ending, &again, why);
    blind = lease_is_silent(lease);
    lease_leave(lease);
    if (!error)
      failed = 0;
    else if (!(again = try_again(&failed, why)))
      return error;
  }
  return 0;
}

static int run_in_turns(const struct server_options *options, int listening,
                        struct sal_refusal *why) {
  char url[128], address[LEASE_ADDRESS];
  sealed_know_program();
  struct store *s = store_open(options->store, why);
  if (!s) /* later it may be away for a while, but not from the beginning */
    return why->code;
  store_close(s);
  struct ending *ending = ending_new();
  if (!ending)
    return sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
  write_url(options, listening, "http://", url, sizeof url);
  write_url(options, listening, "", address, sizeof address);
  options->ready(url);
  const int error = take_turns(
      options, listening, options->peer ? options->peer : address, ending, why);
  ending_free(ending);
  return error;
}

int server_run(const struct server_options *options, struct sal_refusal *why) {
  umask(077); /* the store holds seeds */
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); /* a write that fails says so by itself */
  server_log_from(options->log_level);
  const int listening = bind_listener(options, why);
  if (listening < 0)
    return why->code;
  const int error = server_shares(options)
                        ? run_in_turns(options, listening, why)
                        : run_with_file(options, listening, why);
  close(listening);
  return error;
}

const char *server_message_schema(void) { return message_schema; }
