/* The list of bots, and the simplest of them. */
#include "salotto/bot.h"

#include <string.h>

static sal_action any(const struct sal_question *q, struct sal_rng *rng) {
  return q->legal[sal_rng_below(rng, (uint32_t)q->count)];
}

static const struct sal_bot bot_random = {"random", N_("random"), any};

const struct sal_bot *const sal_bots[] = {&bot_random, NULL};

const struct sal_bot *sal_bot_find(const char *id) {
  for (size_t i = 0; sal_bots[i]; i++)
    if (strcmp(sal_bots[i]->id, id) == 0)
      return sal_bots[i];
  return NULL;
}
