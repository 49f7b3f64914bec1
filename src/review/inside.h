/* A review from inside, for the files of this folder. */
#ifndef SAL_REVIEW_INSIDE_H
#define SAL_REVIEW_INSIDE_H

#include "measure.h"
#include "salotto/memory.h"
#include "salotto/review.h"
#include "secret.h"

struct sal_review {
  const sal_table *table;
  const struct sal_game *game;
  int players;
  struct sal_review_wish wish;
  size_t count, done; /* steps of the review */
  size_t at, actions; /* steps of the table, and actions of seats, so far */
  int deal;           /* shuffles that were over at the last draw */
  int32_t start[SAL_SEATS_MAX], result[SAL_SEATS_MAX];
  struct sal_review_step *steps;
  union sal_view_box *views; /* the mover's at each step, for words */
  union sal_state_box state;
  struct sal_memory *memory; /* by seat */
  sal_action *legal;
  struct beliefs beliefs;
  struct measure *measure;
};

/* What was at stake at a decision: the best less the worst of what was
 * weighed. */
int32_t review_stake(const struct sal_review_step *s);
/* Where the tokens or points of a seat came from, by cause. */
void review_earned(const sal_review *r, int seat, int32_t *sum);
/* How each role was played, and the kinds of mistakes. */
void review_write_kinds(const sal_review *r, int seat, struct sal_json *j);
/* Millionths as a number with six decimals. */
void review_write_part(struct sal_json *j, const char *key, int64_t parts);
/* A candidate as it is told. */
struct sal_weighed weighed_of(const struct sal_question *q,
                              const struct option_value *o);
/* Why the first option of a decision is better than another: into `out`. */
void advice_reason(const struct sal_question *q, struct measure *m,
                   const struct decision *d, size_t other, struct sal_rng *rng,
                   struct sal_thought *out);

#endif
