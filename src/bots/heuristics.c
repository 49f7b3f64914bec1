/* Which game has which heuristics, and drawing from them. */
#include "heuristics.h"

#include <string.h>

static void uniform(const struct sal_question *q, const float *tensor,
                    double *weight) {
  (void)tensor;
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

void ask_heuristic(heuristic_fn *heuristic, const struct sal_question *q,
                   double *weight) {
  float tensor[TENSOR_MAX];
  if (q->game->info.tensor_size <= TENSOR_MAX && heuristic != uniform)
    q->game->tensor(q->view, tensor);
  heuristic(q, tensor, weight);
}

void phrase_of(const struct sal_question *q, size_t i, struct phrase *out) {
  struct sal_text t;
  sal_text_init(&t, out->text, sizeof out->text);
  q->game->action_text(q->legal[i], &t);
}
