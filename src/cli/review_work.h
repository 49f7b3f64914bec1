/* A review that is computed on a thread of its own, so that the screen goes on
 * meanwhile.
 *
 * Main invariant: steps below review_work_done are finished and never change;
 * only the thread touches the others. */
#ifndef SAL_CLI_REVIEW_WORK_H
#define SAL_CLI_REVIEW_WORK_H

#include "salotto/review.h"

struct review_work;

/* Begins with a finished table, which must stay as it is; NULL without memory,
 * threads or descriptors. */
struct review_work *review_work_start(const sal_table *t);
/* Stops after the step that is being computed. */
void review_work_stop(struct review_work *w);
/* Readable when more is done than at the last review_work_look. */
int review_work_descriptor(const struct review_work *w);
/* What there is by now: NULL at first, then the review with so many steps. */
const sal_review *review_work_look(struct review_work *w, size_t *done);

#endif
