/* Whether all is well. See health.h. */
#include "health.h"
#include "conn.h"
#include "http.h"
#include "rooms/rooms.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Descriptors that are kept for those who ask how things are. */
enum { RESERVE = 16 };

uint64_t health_descriptors(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 0;
}

static bool is_in_reserve(int descriptor) {
  const uint64_t most = health_descriptors();
  return most > RESERVE && (uint64_t)descriptor >= most - RESERVE;
}

bool health_is_last_resort(struct server *srv, int descriptor) {
  const bool scarce = is_in_reserve(descriptor);
  if (scarce && !srv->health.out_of_descriptors)
    server_log("error", "out-of-descriptors", NULL);
  srv->health.out_of_descriptors |= scarce;
  return scarce || srv->conn_count > (size_t)srv->options.connections;
}

/* The next that would be given is the smallest that is free. */
static void look_at_descriptors(struct server *srv) {
  uv_os_fd_t any;
  if (!srv->health.out_of_descriptors ||
      uv_fileno((uv_handle_t *)&srv->listener, &any) != 0)
    return;
  const int next = fcntl(any, F_DUPFD_CLOEXEC, 0);
  if (next < 0)
    return;
  close(next);
  if (is_in_reserve(next))
    return;
  srv->health.out_of_descriptors = false;
  server_log("info", "descriptors-again", NULL);
}

/* A failure counts until something was written after it: a transaction that only
 * reads would go through on a full disk. */
static void look_at_store(struct server *srv) {
  struct health *h = &srv->health;
  const uint64_t failures = store_figures(srv->store).failures;
  if (failures != h->failures) {
    if (!h->store_failing)
      server_log("error", "store-failing", "why", store_trouble(srv->store),
                 NULL);
    h->store_failing = true;
    h->failures = failures;
    h->written = rooms_writes(srv->rooms);
    return;
  }
  if (h->store_failing && rooms_writes(srv->rooms) != h->written) {
    h->store_failing = false;
    server_log("info", "store-well", NULL);
  } else if (h->store_failing) {
    rooms_try_to_write(srv->rooms);
  }
}

void health_tick(struct server *srv) {
  if (srv->closing)
    return;
  look_at_store(srv);
  look_at_descriptors(srv);
}

void health_answer_alive(struct conn *c) {
  http_respond(c, 200, "text/plain", "", "ok\n", 3);
}

void health_answer_ready(struct conn *c) {
  const struct server *srv = c->server;
  char text[200];
  const bool full = srv->conn_count > (size_t)srv->options.connections;
  snprintf(text, sizeof text, "%s%s%s%s", srv->closing ? "closing\n" : "",
           srv->health.store_failing ? "the store fails\n" : "",
           srv->health.out_of_descriptors ? "out of descriptors\n" : "",
           full ? "too many connections\n" : "");
  if (*text)
    http_respond(c, 503, "text/plain", "", text, strlen(text));
  else
    http_respond(c, 200, "text/plain", "", "ready\n", 6);
}
