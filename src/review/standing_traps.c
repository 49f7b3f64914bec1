/* Traps between two rounds: the tokens of both, seen by who is first in the next
 * one. A number for each pair of tokens. */
#include "standing.h"

#include "traps.h"

_Static_assert(WIN *WIN == TRAPS_NUMBERS, "a number for each pair of tokens");

static void read(const sal_state *state, struct standing *out) {
  const struct traps *s = (const struct traps *)state;
  out->of = s->first;
  out->number[s->tokens[s->first] * WIN + s->tokens[!s->first]] = 1;
}

const struct standing_kind standing_traps = {.game = "traps",
                                             .stages = 1,
                                             .count = TRAPS_NUMBERS,
                                             .read = read,
                                             .weight = fitted_traps};
