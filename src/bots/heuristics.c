/* Which game has which heuristics, and drawing from them. */
#include "heuristics.h"

#include <string.h>

static void uniform(const struct sal_question *q, double *weight) {
  for (size_t i = 0; i < q->count; i++)
    weight[i] = 1;
}

static const struct heuristics none = {.novice = uniform, .regular = uniform};

const struct heuristics *heuristics_of(const struct sal_game *g) {
  static const struct heuristics *const all[] = {
      &heuristics_doors, &heuristics_favor, &heuristics_louis,
      &heuristics_traps};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(all[i]->game, g->info.id) == 0)
      return all[i];
  return &none;
}

size_t draw_weighted(const double *weight, size_t count, struct sal_rng *rng) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += weight[i];
  double x = (double)(sal_rng_next(rng) >> 11) * 0x1p-53 * sum;
  for (size_t i = 0; i + 1 < count; i++)
    if ((x -= weight[i]) < 0)
      return i;
  return count - 1;
}
