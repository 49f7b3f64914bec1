/* Where tokens or points came from: each game names its causes, and reads them
 * from the events of a game or from its last position.
 *
 * Main invariant: of every seat the sums are its score. */
#ifndef SAL_REVIEW_EARNED_H
#define SAL_REVIEW_EARNED_H

#include "salotto/review.h"

struct earned_kind {
  const char *game, *title;      /* the title is for people */
  const struct sal_cause *cause; /* closed by one without a rule */
  /* What an event, which follows a rule, did to a seat; what the last position
   * says. Either may be NULL. */
  void (*note)(const struct sal_event *e, const char *rule, int seat,
               int32_t *sum);
  void (*count)(const sal_state *last, int seat, int32_t *sum);
};
extern const struct earned_kind earned_doors, earned_favor, earned_traps,
    earned_louis;

#endif
