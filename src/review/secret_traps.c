/* The secret of Traps: how many traps lie face down in one's pile. */
#include "secret.h"

#include "traps.h"

static int truth(const sal_state *state, int seat) {
  const struct traps *s = (const struct traps *)state;
  const pile p = s->piles[seat];
  int traps = 0;
  if (s->phase < PLACE || s->phase == OVER || s->target >= DOORS)
    return -1;
  for (unsigned i = 0; i < down(p); i++) {
    const unsigned card = card_at(p, i);
    traps += card == LT || (card < BR && match(card, s->target) == 0);
  }
  return traps < SAL_SECRETS ? traps : SAL_SECRETS - 1;
}

static bool covered(sal_action a) {
  return verb_of(a) == PLACES || verb_of(a) == BUILDS;
}

const struct secret_kind secret_traps = {.game = "traps",
                                         .name = "traps",
                                         .title =
                                             N_("how many traps lie face down"),
                                         .count = SAL_SECRETS,
                                         .label = {"0", "1", "2", "3+"},
                                         .truth = truth,
                                         .covered = covered};
