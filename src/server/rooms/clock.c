/* Clocks. See clock.h. */
#include "clock.h"

#include <string.h>

enum { BACK_MS = 30 * 1000 }; /* what who comes back finds at least */

void clock_start(struct clock *c, const struct clock_rule *rule, int64_t at) {
  memset(c, 0, sizeof *c);
  c->rule = *rule;
  c->at = at;
  for (int s = 0; s < SAL_SEATS_MAX; s++)
    c->left[s] = rule->budget;
}

static int64_t left_at(const struct clock *c, int seat, int64_t now) {
  const bool runs = c->running >> seat & 1;
  const int64_t gone = runs && now > c->at ? now - c->at : 0;
  return c->left[seat] > gone ? c->left[seat] - gone : 0;
}

void clock_pass(struct clock *c, int64_t until) {
  if (until <= c->at)
    return;
  for (int s = 0; s < SAL_SEATS_MAX; s++)
    c->left[s] = left_at(c, s, until);
  c->at = until;
}

void clock_skip(struct clock *c, int64_t until) {
  if (until > c->at)
    c->at = until;
}

void clock_ask(struct clock *c, unsigned seats, unsigned fresh) {
  c->running = c->rule.kind == CLOCK_NONE ? 0 : seats;
  if (c->rule.kind == CLOCK_GAME)
    return;
  for (int s = 0; s < SAL_SEATS_MAX; s++)
    if (seats & fresh & 1u << s)
      c->left[s] = c->rule.budget;
}

void clock_acted(struct clock *c, int seat) {
  c->left[seat] += c->rule.increment;
}

void clock_undone(struct clock *c, int seat) {
  const int64_t less = c->left[seat] - c->rule.increment;
  c->left[seat] = less > 0 ? less : 0;
}

void clock_back(struct clock *c, int seat) {
  const int64_t least = c->rule.budget < BACK_MS ? c->rule.budget : BACK_MS;
  if (c->left[seat] < least)
    c->left[seat] = least;
}

int64_t clock_left(const struct clock *c, int seat, int64_t now) {
  return c->rule.kind == CLOCK_NONE ? -1 : left_at(c, seat, now);
}

unsigned clock_out(const struct clock *c, int64_t now) {
  unsigned out = 0;
  for (int s = 0; s < SAL_SEATS_MAX; s++)
    if ((c->running >> s & 1) && left_at(c, s, now) == 0)
      out |= 1u << s;
  return out;
}
