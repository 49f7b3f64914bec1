/* Opening the house, keeping it open, closing it. See server.h.
 *
 * Closing, on SIGTERM or SIGINT: nobody new comes in and no move is taken any
 * more; everybody is told; what is on its way to the store is made and told;
 * then the connections are closed, and the loop runs dry by itself. After a few
 * seconds whoever still hangs on is dropped. */
#include "server.h"
#include "accounts.h"
#include "archive.h"
#include "addresses.h"
#include "conn.h"
#include "http.h"
#include "keeper.h"
#include "messages.h"
#include "pages.h"
#include "people.h"
#include "rooms.h"
#include "ws.h"

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

enum { TICK_MS = 250, BACKLOG = 512, CLOSING_MS = 5000 };

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

/* A store belongs to one process: the lock is held until it ends, however it
 * ends. */
int server_lock(const struct server_options *o, struct sal_refusal *why) {
  char path[SERVER_PATH];
  if (mkdir(o->data, 0700) != 0 && errno != EEXIST)
    return sal_refuse(why, SAL_STORE, NULL, strerror(errno));
  if (!server_store(o, ".lock", path))
    return sal_refuse(why, SAL_STORE, NULL, strerror(ENAMETOOLONG));
  const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0)
    return sal_refuse(why, SAL_STORE, NULL, strerror(errno));
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    close(fd);
    return sal_refuse(why, SAL_STORE, NULL, N_("another server has it open"));
  }
  return fd;
}

static int open_store(struct house *h, struct sal_refusal *why) {
  char path[SERVER_PATH] = "";
  server_store(&h->options, "", path);
  h->store = store_open(path, why);
  if (!h->store)
    return why->code;
  int error = people_load(h->people);
  if (!error)
    error = accounts_load(h->accounts);
  if (!error)
    error = rooms_load(h->rooms);
  return error ? sal_refuse(why, error, NULL, NULL) : 0;
}

/* ---- Closing -------------------------------------------------------------- */

static void close_handle(uv_handle_t *h) {
  if (!uv_is_closing(h))
    uv_close(h, NULL);
}

static void close_handles(struct house *h) {
  close_handle((uv_handle_t *)&h->before_wait);
  close_handle((uv_handle_t *)&h->after_wait);
  close_handle((uv_handle_t *)&h->listener);
  close_handle((uv_handle_t *)&h->tick);
  close_handle((uv_handle_t *)&h->on_term);
  close_handle((uv_handle_t *)&h->on_int);
}

static void begin_closing(struct house *h) {
  if (h->closing)
    return;
  h->closing = true;
  h->closing_since = house_now(h);
  house_log("info", "closing", NULL);
  close_handle((uv_handle_t *)&h->listener);
  messages_closing(h);
}

static void on_signal(uv_signal_t *s, int number) {
  (void)number;
  begin_closing(s->data);
}

static void close_connections(struct house *h, bool now) {
  for (struct conn *c = h->first, *next; c; c = next) {
    next = c->next;
    if (now)
      conn_drop(c);
    else if (c->ws && !c->closing)
      ws_close(c, 1001, "closing");
    else if (!c->ws)
      conn_finish(c);
  }
}

/* First the work, so that everybody hears what came of it; then the guests;
 * then the house. */
static void go_on_closing(struct house *h) {
  const bool patient = house_now(h) - h->closing_since < CLOSING_MS;
  if (store_waiting(h->store) > 0 || h->work_open > 0)
    return; /* both end by themselves, within a bound */
  close_connections(h, !patient);
  if (!h->first)
    close_handles(h);
}

static void on_tick(uv_timer_t *t) {
  struct house *h = t->data;
  conn_sweep(h);
  addresses_sweep(h->addresses);
  keeper_tick(h->keeper);
  rooms_sweep(h->rooms);
  if (h->closing)
    go_on_closing(h);
}

/* ---- Opening -------------------------------------------------------------- */

static void on_connection(uv_stream_t *listener, int status) {
  if (status == 0)
    conn_accept(listener->data);
}

static int resolve(const struct server_options *o,
                   struct sockaddr_storage *out) {
  if (uv_ip4_addr(o->host, o->port, (struct sockaddr_in *)out) == 0)
    return 0;
  return uv_ip6_addr(o->host, o->port, (struct sockaddr_in6 *)out);
}

static int bound_port(struct house *h) {
  struct sockaddr_storage a;
  int size = sizeof a;
  if (uv_tcp_getsockname(&h->listener, (struct sockaddr *)&a, &size) != 0)
    return 0;
  return ntohs(a.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&a)->sin6_port
                                       : ((struct sockaddr_in *)&a)->sin_port);
}

/* The origin that browsers will name: the public URL without its path. */
static void note_origin(struct house *h, const char *listening) {
  const char *url = h->options.public_url ? h->options.public_url : listening;
  const char *host = strstr(url, "://");
  size_t n = strlen(url);
  if (host)
    n = (size_t)(host + 3 - url) + strcspn(host + 3, "/");
  snprintf(h->origin, sizeof h->origin, "%.*s", (int)n, url);
  h->secure = strncmp(url, "https://", 8) == 0;
}

static int listen_on(struct house *h, struct sal_refusal *why) {
  struct sockaddr_storage address;
  char url[128];
  int code = resolve(&h->options, &address);
  if (code == 0)
    code = uv_tcp_bind(&h->listener, (const struct sockaddr *)&address, 0);
  if (code == 0)
    code = uv_listen((uv_stream_t *)&h->listener, BACKLOG, on_connection);
  if (code != 0)
    return sal_refuse(why, SAL_IO, NULL, uv_strerror(code));
  const bool six = strchr(h->options.host, ':') != NULL;
  snprintf(url, sizeof url, "http://%s%s%s:%d", six ? "[" : "", h->options.host,
           six ? "]" : "", bound_port(h));
  note_origin(h, url);
  h->options.ready(url);
  house_log("info", "listening", "url", url, "origin", h->origin, NULL);
  return 0;
}

static void before_wait(uv_prepare_t *p) { conn_flush(p->data); }
static void after_wait(uv_check_t *c) { conn_flush(c->data); }

static void start_handles(struct house *h) {
  uv_prepare_init(&h->loop, &h->before_wait);
  uv_check_init(&h->loop, &h->after_wait);
  h->before_wait.data = h->after_wait.data = h;
  uv_prepare_start(&h->before_wait, before_wait);
  uv_check_start(&h->after_wait, after_wait);
  uv_tcp_init(&h->loop, &h->listener);
  uv_timer_init(&h->loop, &h->tick);
  uv_signal_init(&h->loop, &h->on_term);
  uv_signal_init(&h->loop, &h->on_int);
  h->listener.data = h->tick.data = h->on_term.data = h->on_int.data = h;
  uv_timer_start(&h->tick, on_tick, TICK_MS, TICK_MS);
  uv_signal_start(&h->on_term, on_signal, SIGTERM);
  uv_signal_start(&h->on_int, on_signal, SIGINT);
}

static int serve(struct house *h, struct sal_refusal *why) {
  start_handles(h);
  int error = store_start(h->store, &h->loop);
  if (error)
    sal_refuse(why, error, NULL, NULL);
  else
    error = listen_on(h, why);
  if (error) {
    close_handles(h);
  } else {
    rooms_wake(h->rooms);
    while (!h->closing || h->first || uv_is_active((uv_handle_t *)&h->tick))
      uv_run(&h->loop, UV_RUN_ONCE);
    house_log("info", "closed", NULL);
  }
  store_close(h->store);
  h->store = NULL;
  uv_run(&h->loop, UV_RUN_DEFAULT);
  return error;
}

static bool furnish(struct house *h) {
  h->slot_count = (size_t)h->options.connections;
  h->slots = calloc(h->slot_count, sizeof *h->slots);
  h->people = people_new(h);
  h->accounts = sodium_init() < 0 ? NULL : accounts_new(h);
  h->addresses = addresses_new(h);
  h->rooms = rooms_new(h);
  h->pages = pages_new(&h->options);
  h->keeper = keeper_new(h);
  return h->slots && h->people && h->accounts && h->addresses && h->rooms &&
         h->pages && h->keeper;
}

static void free_house(struct house *h) {
  if (h->store)
    store_close(h->store);
  uv_loop_close(&h->loop);
  pages_free(h->pages);
  archive_free(h->archive);
  rooms_free(h->rooms);
  keeper_free(h->keeper);
  accounts_free(h->accounts);
  addresses_free(h->addresses);
  people_free(h->people);
  spares_free(&h->spare_http);
  ws_free_spare(h);
  spares_free(&h->spare_out);
  free(h->slots);
  free(h->scratch);
  free(h);
}

int server_run(const struct server_options *options, struct sal_refusal *why) {
  struct house *h = calloc(1, sizeof *h);
  if (!h || uv_loop_init(&h->loop) != 0) {
    free(h);
    return sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
  }
  umask(077); /* the store holds seeds */
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); /* a write that fails says so by itself */
  h->options = *options;
  h->opened_at = house_time();
  int error = furnish(h) ? 0 : sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
  int lock = -1;
  if (!error && (lock = server_lock(options, why)) < 0)
    error = why->code;
  if (!error)
    error = open_store(h, why);
  if (!error)
    error = serve(h, why);
  free_house(h);
  if (lock >= 0)
    close(lock);
  return error;
}
