/* The secret of Louis XIV: which chip one's missions ask for most.
 *
 * Of the missions nobody else sees more than how many of each colour there are.
 * A hand is drawn from all that are not laid open, so many of each colour. */
#include "secret.h"

#include "louis.h"

#include <string.h>

enum { DRAWS = 32, TRIES = 64, PRIOR = 256 };

/* Crowns stand for any chip, and are nobody's secret. */
static int wanted(const struct louis *s, uint64_t missions) {
  int asked[CHIP_KINDS + 1] = {0}, best = -1;
  for (; missions; missions &= missions - 1)
    for (int i = 0; i < 2; i++)
      asked[court_of(s)->mission[__builtin_ctzll(missions)].cost[i]]++;
  for (int kind = CROWN + 1; kind < CHIP_KINDS; kind++)
    if (asked[kind] && (best < 0 || asked[kind] > asked[best]))
      best = kind;
  return best < 0 ? -1 : best - (CROWN + 1);
}

static int truth(const sal_state *state, int seat) {
  const struct louis *s = (const struct louis *)state;
  return wanted(s, s->missions[seat]);
}

static uint64_t draw_one(uint64_t from, struct sal_rng *rng) {
  uint32_t n = sal_rng_below(rng, (uint32_t)__builtin_popcountll(from));
  while (n--)
    from &= from - 1;
  return from & -from;
}

static uint64_t draw_hand(const struct louis *s, int seat,
                          struct sal_rng *rng) {
  uint64_t laid = 0, hand = 0;
  for (int i = 0; i < s->laid_count; i++)
    laid |= UINT64_C(1) << s->laid[i] % MISSIONS_MAX;
  for (int tier = 0; tier < TIERS; tier++) {
    uint64_t pool = court_of(s)->tier[tier] & ~laid;
    for (int n = 0; n < s->tiers[seat][tier] && pool; n++) {
      const uint64_t one = draw_one(pool, rng);
      hand |= one;
      pool &= ~one;
    }
  }
  return hand;
}

static bool suppose(sal_state *state, int viewer, int seat, int other,
                    struct sal_rng *rng) {
  struct louis *s = (struct louis *)state;
  (void)viewer;
  for (int i = 0; i < TRIES; i++) {
    const uint64_t hand = draw_hand(s, seat, rng);
    if (wanted(s, hand) != other)
      continue;
    for (int k = 0; k < s->players; k++)
      s->missions[k] &= ~hand;
    s->mission_deck &= ~hand;
    s->missions[seat] = hand;
    return true;
  }
  return false;
}

/* A little of everything, for what was not met is not impossible. */
static void prior(const sal_state *state, int seat, struct sal_rng *rng,
                  double *p) {
  const struct louis *s = (const struct louis *)state;
  double sum = 0;
  for (int x = 0; x < SAL_SECRETS; x++)
    p[x] = 0.25;
  for (int i = 0; i < PRIOR; i++) {
    const int x = wanted(s, draw_hand(s, seat, rng));
    if (x >= 0)
      p[x] += 1;
  }
  for (int x = 0; x < SAL_SECRETS; x++)
    sum += p[x];
  for (int x = 0; x < SAL_SECRETS; x++)
    p[x] /= sum;
}

/* Never 0, which is what nobody has believed in yet. */
static uint64_t stamp(const sal_state *state, int seat) {
  const struct louis *s = (const struct louis *)state;
  return s->missions[seat] | UINT64_C(1) << 63;
}

_Static_assert(CHIP_KINDS - 1 == SAL_SECRETS, "a label for each but the crown");
const struct secret_kind secret_louis = {
    .game = "louis",
    .name = "chip",
    .title = N_("which chip the missions ask for most"),
    .count = SAL_SECRETS,
    .label = {"sceptre", "helmet", "ring", "letter"},
    .truth = truth,
    .suppose = suppose,
    .draws = DRAWS,
    .prior = prior,
    .stamp = stamp};
