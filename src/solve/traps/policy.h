/* The policy of Traps for two: a blueprint for each side of each kind of round.
 *
 * A file is the mark, the worths of the scores, where each blueprint lies, a note,
 * the blueprints, and a checksum over all of it; numbers have their low byte
 * first. */
#ifndef SAL_SOLVE_TRAPS_POLICY_H
#define SAL_SOLVE_TRAPS_POLICY_H

#include "salotto/solve_traps.h"

#include "match.h"
#include "blueprint.h"

enum { BLUEPRINTS = SAL_TRAPS_BLUEPRINTS };

struct sal_traps_policy {
  struct equity equity;
  struct sal_traps_packed blueprint[BLUEPRINTS][2];
  char note[SAL_TRAPS_NOTE_MAX];
};

/* Reads one of a policy; false without memory. */
bool policy_read(const sal_traps_policy *p, int blueprint, int side,
                 const struct blueprint_reader *to);

#endif
