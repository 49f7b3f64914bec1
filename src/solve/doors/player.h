/* The inside of a player, for who checks one. */
#ifndef SAL_SOLVE_PLAYER_H
#define SAL_SOLVE_PLAYER_H

#include "policy.h"
#include "resolve.h"

struct sal_doors_player {
  const sal_doors_policy *policy;
  const struct blueprint *blueprint;
  int number; /* of the blueprint, or -1 */
  /* What is solved: for whom, and the history up to the second discard. */
  struct resolve resolve;
  struct history solved;
  bool ready, whole;
  uint32_t effort;
};

/* From now on all endings are noted, not only the one asked for: slower at
 * first, and then every question about what is solved is answered at once. */
void player_note_all(sal_doors_player *player);

/* What the blueprint promises at a second discard (after three picks): what the
 * Collector wins, by the identity of the opponent of the policy, who plays the
 * Collector or the Guesser. False for a history that cannot be. */
bool player_promise(sal_doors_player *player, int blueprint,
                    const struct sal_doors_history *h, bool collector,
                    double value[IDENTITIES]);

/* The part of sal_doors_policy_check from a discard on: what the best opponent
 * of each identity wins or leaves against those who come with `reach`. */
bool policy_check_from(const sal_doors_policy *p, int blueprint,
                       const struct sal_doors_history *h, bool collector,
                       uint32_t iterations, const double reach[IDENTITIES],
                       double value[IDENTITIES]);

#endif
