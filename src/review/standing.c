/* Chances by where a game stands. See standing.h. */
#include "standing.h"

#include <math.h>
#include <string.h>

const struct standing_kind *standing_of(const struct sal_game *g) {
  static const struct standing_kind *const all[] = {
      &standing_traps, &standing_favor, &standing_louis};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(all[i]->game, g->info.id) == 0)
      return all[i];
  return NULL;
}

/* The chance of the seat `of`, by weights. */
static double chance_of(const struct standing_kind *k,
                        const struct standing *s) {
  const double *weight = k->weight + (ptrdiff_t)s->stage * k->count;
  double sum = 0;
  for (int i = 0; i < k->count; i++)
    sum += weight[i] * s->number[i];
  return 1 / (1 + exp(-sum));
}

void chances_by_standing(const struct sal_game *g, const sal_state *s,
                         int players, double *out) {
  const struct standing_kind *k = standing_of(g);
  struct standing here;
  (void)players;
  memset(&here, 0, sizeof here);
  k->read(s, &here);
  out[here.of] = chance_of(k, &here);
  out[!here.of] = 1 - out[here.of];
}
