/* The secret of Favor: who one is. */
#include "secret.h"

#include "favor.h"

static int truth(const sal_state *s, int seat) {
  const unsigned id = ((const struct favor *)s)->identity[seat];
  return id < DOORS ? (int)id : -1;
}

/* Identities differ: whoever else has it gets the seat's own. */
static bool suppose(sal_state *state, int viewer, int seat, int other,
                    struct sal_rng *rng) {
  (void)rng;
  struct favor *s = (struct favor *)state;
  if (s->identity[viewer] == other)
    return false;
  for (int i = 0; i < s->players; i++)
    if (s->identity[i] == other)
      s->identity[i] = s->identity[seat];
  s->identity[seat] = (uint8_t)other;
  return true;
}

const struct secret_kind secret_favor = {.game = "favor",
                                         .name = "identity",
                                         .title = N_("the identity"),
                                         .count = DOORS,
                                         .label = {"RL", "BL", "RT", "BT"},
                                         .truth = truth,
                                         .suppose = suppose};
