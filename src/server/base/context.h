/* What the parts of the server share: one loop, one of each part.
 *
 * Main invariant: all of this belongs to the loop's thread. Other threads (the
 * store's writer, bots that think) work on copies and report back through the
 * loop. */
#ifndef SAL_SERVER_CONTEXT_H
#define SAL_SERVER_CONTEXT_H

#include "free_list.h"
#include "options.h"
#include "origin.h"

#include "salotto/buffer.h"

#include <uv.h>

struct conn;
struct ending;
struct http;
struct ws;
struct moderation;
struct accounts;
struct pages;
struct addresses;
struct limits;
struct people;
struct rooms;
struct store;
struct crew;
struct push;
struct reviews;

/* For /metrics; all only grow. */
#define COUNTERS(X)                                                            \
  X(connections, "Connections accepted.")                                      \
  X(requests, "HTTP requests answered.")                                       \
  X(messages, "WebSocket messages received.")                                  \
  X(moves, "Moves made durable.")                                              \
  X(refusals, "Requests over WebSocket that were refused.")                    \
  X(thoughts, "Moves that bots thought about.")                                \
  X(simulations, "Simulations in these thoughts.")                             \
  X(thoughts_lent, "Thoughts that servers which wait have thought.")           \
  X(thoughts_returned, "Thoughts that one of them did not answer.")            \
  X(passwords, "Passwords hashed or checked.")                                 \
  X(pushes, "Push messages that a push service has taken.")                    \
  X(dropped, "Connections closed for misbehaving or being too slow.")

struct counters {
#define X(name, about) uint64_t name;
  COUNTERS(X)
#undef X
};

enum { LATENCY_BUCKETS = 10, UNTOLD_MAX = 1024 };

/* net/health.h keeps it. */
struct health {
  bool store_failing, out_of_descriptors;
  uint64_t failures, written; /* as they were last seen */
};

struct server {
  uv_loop_t loop;
  struct server_options options;
  char origin[ORIGIN_MAX]; /* scheme://host[:port] of the public URL */
  bool secure;             /* the public URL is https */
  bool closing;
  bool steps_down;       /* it closes because another server serves now */
  int listening;         /* a socket that listens already; -1: none */
  struct lease *lease;   /* NULL: the store is no other server's */
  struct ending *ending; /* of servers that take turns, or NULL */
  struct store *store;
  struct people *people;
  struct accounts *accounts;
  struct addresses *addresses;
  struct limits *limits;
  struct rooms *rooms;
  struct pages *pages;
  struct moderation *moderation;
  struct push *push;               /* NULL: there are no keys */
  struct crew *thinkers, *hashers; /* for bots; for passwords */
  struct reviews *reviews;         /* NULL: none was asked for yet */

  uv_tcp_t listener;
  uv_timer_t tick;
  uv_prepare_t before_wait;
  uv_check_t after_wait;
  uv_signal_t on_term, on_int, on_hup;
  uint64_t closing_since;
  int64_t opened_at; /* Unix time in milliseconds */

  struct conn **slots; /* by the low part of a connection's id */
  size_t slot_count, conn_count, ws_count;
  struct conn *first, *first_out;
  bool unaccepted; /* there was no memory for a connection that waits */
  struct free_list free_out, free_http, free_messages;
  size_t large_bodies; /* that are being received */
  uint64_t next_generation;

  size_t work_open; /* thoughts and passwords: asked for, not answered */
  struct health health;
  struct counters counters;
  uint64_t latency[LATENCY_BUCKETS + 1], latency_sum; /* of moves, in µs */
  uint64_t untold[UNTOLD_MAX]; /* when moves came whose views are not sent */
  size_t untold_count;

  char read_buffer[1 << 16]; /* of the read that is being handled */
  struct sal_buffer scratch; /* of the message that is being composed */
};

/* Unix time in milliseconds. It goes on evenly from what it was at the beginning, or
 * was last said to be, whatever is done to the clock of the machine meanwhile. */
int64_t server_time(void);
void server_time_is(int64_t now);
/* The loop's clock in milliseconds. */
uint64_t server_now(const struct server *srv);

/* One line of JSON on standard error: an event and pairs of text, ended by
 * NULL. Never a token, a whole table id, or anything about cards. */
void server_log(const char *level, const char *event, ...)
    __attribute__((sentinel));
/* Lines of a lower level are left out from now on. */
void server_log_from(int level);
/* No lines from now on; for fuzzing. */
void server_log_off(void);

/* A move that came then (by uv_hrtime) has been written to everybody; and what
 * was written has been sent: the time between counts. */
void server_move_is_written(struct server *srv, uint64_t came);
void server_moves_are_told(struct server *srv);

/* A message, composed by `write` into memory of the server that is valid until
 * the next is composed; NULL if memory is short. */
const char *server_compose(struct server *srv, sal_write *write,
                           const void *what, size_t *length);

/* ---- Rates ---------------------------------------------------------------- */

/* A bucket of tokens that fills at `rate` a second up to `burst`. */
struct bucket {
  double tokens;
  uint64_t at;
};
void bucket_fill(struct bucket *b, uint64_t now, double burst);
/* Takes one if there is one. */
bool bucket_take(struct bucket *b, uint64_t now, double rate, double burst);

#endif
