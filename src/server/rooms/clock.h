/* The clock of a table: how long each seat may still think.
 *
 * Pure: time is passed in, in milliseconds since some moment, and nothing here
 * asks for it. Main invariant: what a clock shows follows from the rule and the
 * list of calls, so the moves of a room, each with its time, give the same
 * clock again after a restart. Time never runs backwards: a moment before the
 * last one counts as the last one. */
#ifndef SAL_SERVER_CLOCK_H
#define SAL_SERVER_CLOCK_H

#include "salotto/game.h"

enum clock_kind {
  CLOCK_NONE,
  CLOCK_MOVE, /* so long for each decision */
  CLOCK_GAME, /* so long for all of them, and something more for each */
  CLOCK_SLOW  /* days for each decision */
};

struct clock_rule {
  enum clock_kind kind;
  int64_t budget, increment; /* ms */
};

struct clock {
  struct clock_rule rule;
  int64_t at; /* up to when `left` has been counted */
  int64_t left[SAL_SEATS_MAX];
  unsigned running; /* mask of the seats whose time runs */
};

void clock_start(struct clock *c, const struct clock_rule *rule, int64_t at);
/* Time passes for those who run. */
void clock_pass(struct clock *c, int64_t until);
/* Time passes for nobody: the server was closed. */
void clock_skip(struct clock *c, int64_t until);
/* Whose time runs from now on; `fresh` are those of them who decide something
 * new, and have the whole time for it where it is counted by decision. */
void clock_ask(struct clock *c, unsigned seats, unsigned fresh);
/* The seat has decided, or has taken its decision back. */
void clock_acted(struct clock *c, int seat);
void clock_undone(struct clock *c, int seat);
/* The seat is played by a person again, who finds at least some time. */
void clock_back(struct clock *c, int seat);

/* What the seat has left at that moment, 0 at least; -1: there is no clock. */
int64_t clock_left(const struct clock *c, int seat, int64_t now);
/* Mask of the seats whose time is up at that moment. */
unsigned clock_out(const struct clock *c, int64_t now);

#endif
