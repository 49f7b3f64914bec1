/* Styles of Louis XIV. */
#include "styles.h"

#include "louis.h"

#include <math.h>

/* Markers that the action lays on the first so many tiles. */
static int markers_laid(sal_action a, unsigned tiles) {
  const uint64_t path = arguments_of(a);
  int sum = 0;
  if (verb_of(a) != DO_PLAY && verb_of(a) != DO_JUMP)
    return 0;
  for (unsigned i = 0; i < PATH_MAX_STEPS && step_tile(path, i); i++)
    if (step_tile(path, i) <= tiles)
      sum += (int)step_markers(path, i);
  return sum;
}

/* Chips that missions ask for come from tiles 1 to 4. */
static double rush(const struct sal_question *q, sal_action a, double usual) {
  (void)q;
  return verb_of(a) == DO_FULFIL ? 1e6 : usual * pow(6, markers_laid(a, 4));
}

/* As many markers as possible, always. */
static double flood(const struct sal_question *q, sal_action a, double usual) {
  (void)q;
  return usual * pow(6, markers_laid(a, TILES));
}

void policy_rusher(const struct sal_question *q, struct sal_rng *rng,
                   struct sal_policy *out) {
  (void)rng;
  bend(q, rush, out);
}

void policy_flooder(const struct sal_question *q, struct sal_rng *rng,
                    struct sal_policy *out) {
  (void)rng;
  bend(q, flood, out);
}
