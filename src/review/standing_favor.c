/* Favor between two days: the lead, and who goes first tomorrow. */
#include "standing.h"

#include "favor.h"

static void read(const sal_state *state, struct standing *out) {
  const struct favor *s = (const struct favor *)state;
  const int lead = points(s, s->first) - points(s, !s->first);
  out->of = s->first;
  out->stage = days_done(s) == 1 ? 0 : 1;
  out->number[0] = 1;
  out->number[1] = lead;
  out->number[2] = lead < 0 ? -lead * lead : lead * lead;
}

const struct standing_kind standing_favor = {.game = "favor",
                                             .stages = 2,
                                             .count = FAVOR_NUMBERS,
                                             .read = read,
                                             .weight = fitted_favor};
