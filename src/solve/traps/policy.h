/* The policy of Traps for two: a sheet for each side of each kind of round.
 *
 * A file is the mark, the worths of the scores, where each sheet lies, a note,
 * the sheets, and a checksum over all of it; numbers have their low byte
 * first. */
#ifndef SAL_SOLVE_TRAPS_POLICY_H
#define SAL_SOLVE_TRAPS_POLICY_H

#include "salotto/solve_traps.h"

#include "match.h"
#include "sheet.h"

enum { SHEETS = SAL_TRAPS_SHEETS };

struct sal_traps_policy {
  struct equity equity;
  struct sal_traps_packed sheet[SHEETS][2];
  char note[SAL_TRAPS_NOTE_MAX];
};

/* The round of a sheet. */
struct task sheet_task(const struct equity *e, int sheet, int cut);
/* Reads one of a policy; false without memory. */
bool policy_read(const sal_traps_policy *p, int sheet, int side,
                 const struct sheet_reader *to);

#endif
