/* Whether the server that serves answers one that waits. A network that parts the
 * two tells neither of them, and both may reach the store all the same. So it is
 * asked once a second, on a line that stays; what it says to others counts too. */
#ifndef SAL_SERVER_PULSE_H
#define SAL_SERVER_PULSE_H

#include "store/lease.h"

#include <uv.h>

enum {
  PULSE_TICK_MS = 250, /* between two calls of pulse_tick */
  PULSE_ASK_MS = 1000,
  PULSE_LINE_MS = 3000, /* without an answer until it is asked on a new line */
  /* Longer than a server that is gone has the lease: such a one is followed by
   * another. So whoever is silent is there, and cannot be reached. */
  PULSE_SILENCE_MS = LEASE_MS + PULSE_ASK_MS
};

struct pulse {
  uv_loop_t *loop;
  uv_tcp_t line;
  uv_connect_t connect;
  enum { PULSE_CLOSED, PULSE_CALLING, PULSE_OPEN, PULSE_CLOSING } state;
  bool waiting;   /* for an answer, or for the line */
  uint64_t asked; /* by the loop's clock */
  int quiet; /* ticks since something was heard: while this process is stopped
                   * itself, there are none */
  char part[512]; /* of an answer; what it says does not matter */
};

/* Asks, when it is time to. */
void pulse_tick(struct pulse *p, const struct sockaddr *there);
/* Something was heard of it; or another serves, and has all that time. */
void pulse_heard(struct pulse *p);
bool pulse_is_silent(const struct pulse *p);
/* Closes the line, also to ask somebody else. */
void pulse_close(struct pulse *p);

#endif
