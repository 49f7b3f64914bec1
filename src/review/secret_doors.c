/* The secret of Doors: who one is. */
#include "secret.h"

#include "doors.h"

static int truth(const sal_state *s, int seat) {
  const unsigned id = ((const struct doors *)s)->identity[seat];
  return id < DOORS ? (int)id : -1;
}

static bool suppose(sal_state *state, int viewer, int seat, int other,
                    struct sal_rng *rng) {
  (void)rng;
  struct doors *s = (struct doors *)state;
  if (s->identity[viewer] == other)
    return false;
  s->identity[seat] = (uint8_t)other;
  return true;
}

static enum seat_role role(const sal_view *view, int seat) {
  return as_view(view)->s.collector == seat ? ROLE_COLLECTOR : ROLE_GUESSER;
}

const struct secret_kind secret_doors = {.game = "doors",
                                         .name = "identity",
                                         .title = N_("the identity"),
                                         .count = DOORS,
                                         .label = {"RL", "BL", "RT", "BT"},
                                         .truth = truth,
                                         .suppose = suppose,
                                         .role = role};
