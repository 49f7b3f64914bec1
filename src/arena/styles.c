/* How a style bends the regular, and the styles of more than one game. */
#include "styles.h"

#include <string.h>

void bend(const struct sal_question *q, style_fn *style,
          struct sal_policy *out) {
  double all = 0;
  policy_heuristic(heuristics_of(q->game)->regular, q, out);
  for (size_t i = 0; i < q->count; i++)
    all += out->value[i] = style(q, q->legal[i], out->chance[i]);
  for (size_t i = 0; i < q->count; i++)
    out->value[i] = out->chance[i] =
        all > 0 ? out->value[i] / all : out->chance[i];
}

static bool at_doors(const struct sal_question *q) {
  return strcmp(q->game->info.id, "doors") == 0;
}

void policy_honest(const struct sal_question *q, struct sal_rng *rng,
                   struct sal_policy *out) {
  (void)rng;
  bend(q, at_doors(q) ? style_honest_doors : style_honest_traps, out);
}

void policy_bluffer(const struct sal_question *q, struct sal_rng *rng,
                    struct sal_policy *out) {
  (void)rng;
  if (at_doors(q))
    bluff_in_doors(q, out);
  else
    bend(q, style_bluff_traps, out);
}
