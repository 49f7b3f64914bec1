/* What a deal has told of the two hands so far, for the rounds after the
 * first.
 *
 * The belief is over hands by kind, 155 of them: the chance of a deal times how
 * likely each player, by the policy, bet as they did with that hand and turned
 * up what was seen. The other need not play by the policy, so each round's
 * likelihood is mixed with none at all. Beliefs are then gathered by what hands
 * are worth against the target of the round. */
#ifndef SAL_SOLVE_TRAPS_BELIEF_H
#define SAL_SOLVE_TRAPS_BELIEF_H

#include "line.h"

enum { KINDS = SAL_TRAPS_KINDS };

/* What a card is worth against a target. */
int card_worth(int kind, int target);
/* What a hand is worth: the number of its worths. */
int hand_class(const uint8_t hand[KINDS], int target);

/* The chances of two hands at the start of the last round, by worth and with the
 * first player's first; all are 1 together. False without memory, or if nothing
 * fits. */
bool belief_deals(const sal_traps_policy *p, const struct sal_traps_deal *deal,
                  double out[HANDS][HANDS]);

#endif
