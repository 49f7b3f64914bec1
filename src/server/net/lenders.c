/* Servers that lend their threads. See lenders.h.
 *
 * Main invariant: a lender is the crew's helper from its greeting until its
 * connection is dropped, and a letter comes from it only while it has a task. */
#include "lenders.h"
#include "base/crew.h"
#include "base/network.h"
#include "http.h"
#include "rooms/think.h"
#include "store/lease.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  LATE_MS = 2000, /* more than a bot's time until it is thought here */
  ANSWER = sizeof(struct lenders_answer) + SEALED_MORE
};

struct lender {
  struct crew_helper helper; /* first, so that the crew's calls find the rest */
  struct conn *conn;
  struct sealed_line line;
  uint64_t asked; /* when it was last sent something */
  size_t length;  /* of the answer, as far as it has come */
  uint8_t answer[ANSWER];
};

/* ---- What it is sent -------------------------------------------------------- */

static void send_mind(struct crew_helper *h, struct crew_task *t) {
  struct lender *l = (struct lender *)h;
  struct conn *c = l->conn;
  const struct mind *m = think_mind(t);
  const uint32_t size = (uint32_t)(mind_size(m) + SEALED_MORE);
  uint8_t *letter = malloc(size);
  if (!letter) {
    conn_drop(c);
    return;
  }
  sealed_write(&l->line, m, mind_size(m), letter);
  l->asked = server_now(c->server);
  l->length = 0;
  c->deadline = l->asked + (uint64_t)(m->seconds * 1000) + LATE_MS;
  conn_write(c, (const char *)&size, sizeof size);
  conn_write(c, (const char *)letter, size);
  free(letter);
}

/* ---- What it answers -------------------------------------------------------- */

static void drop_lender(struct conn *c) {
  conn_blame(c, "a lender's answer that is none");
  conn_drop(c);
}

static void take_answer(struct lender *l) {
  struct conn *c = l->conn;
  struct server *srv = c->server;
  const double passed = 1e-3 * (double)(server_now(srv) - l->asked);
  struct lenders_answer a;
  if (!sealed_read(&l->line, l->answer, ANSWER, &a) ||
      !think_take(l->helper.task, &a.thought)) {
    drop_lender(c);
    return;
  }
  c->deadline = UINT64_MAX;
  srv->counters.thoughts_lent++;
  crew_helper_has_run(srv->thinkers, &l->helper,
                      fmax(0, fmin(a.seconds, passed)));
}

void lender_feed(struct conn *c, const char *data, size_t length) {
  struct lender *l = c->lender;
  if (!l->helper.task || length > ANSWER - l->length) {
    drop_lender(c);
    return;
  }
  memcpy(l->answer + l->length, data, length);
  l->length += length;
  if (l->length == ANSWER)
    take_answer(l);
}

/* ---- Coming and going ------------------------------------------------------- */

static void greet(struct conn *c, struct lender *l) {
  char random[SEALED_RANDOM + 1], reply[256];
  sealed_random(random);
  sealed_begin(&l->line, lease_secret(c->server->lease),
               http_header(c->http, LENDERS_RANDOM), random, false);
  const int n = snprintf(
      reply, sizeof reply,
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
      "Upgrade: " LENDERS_PROTOCOL "\r\n" LENDERS_RANDOM ": %s\r\n\r\n",
      random);
  conn_write(c, reply, (size_t)n);
}

static void add_lender(struct conn *c) {
  struct lender *l = calloc(1, sizeof *l);
  if (!l) {
    http_refuse(c, 503, SAL_NO_MEMORY, NULL);
    return;
  }
  l->conn = c;
  l->helper.run = send_mind;
  greet(c, l);
  if (c->closed) {
    free(l);
    return;
  }
  http_free(c->http);
  c->http = NULL;
  c->lender = l;
  c->deadline = UINT64_MAX;
  network_watch_line(&c->tcp);
  crew_add_helper(c->server->thinkers, &l->helper);
}

bool lenders_respond(struct conn *c) {
  const struct server *srv = c->server;
  if (!srv->lease || srv->closing || !http_is(c->http, "GET", LENDERS_PATH) ||
      !http_lists(c->http, "upgrade", LENDERS_PROTOCOL) ||
      !sealed_is_proven(lease_secret(srv->lease),
                        http_header(c->http, LENDERS_RANDOM),
                        http_header(c->http, LENDERS_PROOF)))
    return false;
  add_lender(c);
  return true;
}

void lender_leave(struct conn *c) {
  struct lender *l = c->lender;
  if (!l)
    return;
  c->lender = NULL;
  c->server->counters.thoughts_returned += l->helper.task != NULL;
  crew_remove_helper(c->server->thinkers, &l->helper);
  free(l);
}
