/* Problems: positions in which some choices are clearly better than all others,
 * for people to find them. docs/problems.md says how they are made and kept.
 *
 * A problem is judged by the measure of the review (salotto/review.h), from what
 * the seat that is asked can know.
 *
 * Threads: a table is used by one thread at a time, also here.
 * Memory: what is written is the caller's, who also owns the table; themes live
 * for ever. */
#ifndef SALOTTO_PROBLEM_H
#define SALOTTO_PROBLEM_H

#include "salotto/api.h"
#include "salotto/bot.h"
#include "salotto/error.h"
#include "salotto/review.h"
#include "salotto/table.h"

SAL_BEGIN

/* ---- Weighing ------------------------------------------------------------- */

/* What a seat can do, compared: as a step of a review, before anything is done.
 * Reason, viewer, here and there are those of a sal_thought, for the first
 * candidate and the best one that is wrong. */
struct sal_weighing {
  size_t choices; /* legal actions */
  bool mixed;     /* best play is known: `often` */
  size_t count;
  struct sal_weighed weighed[SAL_WEIGHED]; /* the best first */
  size_t other; /* the best that is wrong; `count`: there is none */
  enum sal_reason reason;
  int viewer;
  double here, there;
};

/* Compares in so many worlds (0: as a review does). `also` is weighed in any
 * case; 0: none. Returns 0, or why not: the seat is not asked, `also` is no
 * choice, memory is short. */
SAL_API int sal_table_weigh(const sal_table *t, int seat, sal_action also,
                            uint32_t worlds, struct sal_rng *rng,
                            struct sal_weighing *out, struct sal_refusal *why);

/* ---- What makes a problem ------------------------------------------------- */

/* What loses less than the margin is right. In a problem all that is right loses
 * at most SAL_PROBLEM_CLOSE, and all that is wrong at least SAL_PROBLEM_CLEAR,
 * so that nothing is near the margin. In millionths, as all chances. */
enum {
  SAL_PROBLEM_CLOSE = 15000,
  SAL_PROBLEM_MARGIN = 25000,
  SAL_PROBLEM_CLEAR = 50000
};

/* What a candidate loses on the best. */
SAL_API int32_t sal_weighing_lost(const struct sal_weighing *w, size_t i);
/* How many candidates are right: they are the first. */
SAL_API size_t sal_weighing_right(const struct sal_weighing *w);
/* Whether right and wrong are parted as above, and by twice the standard
 * error. */
SAL_API bool sal_weighing_clear(const struct sal_weighing *w);

/* ---- Themes --------------------------------------------------------------- */

struct sal_theme {
  const char *id;
  const char *title; /* marked for translation */
};
/* The themes of a game, closed by one without id; of a game that has none only
 * that. */
SAL_API const struct sal_theme *sal_themes(const struct sal_game *g);
/* What a problem is about; NULL: nothing that is worth a problem. */
SAL_API const struct sal_theme *sal_problem_theme(const sal_table *t, int seat,
                                                  const struct sal_weighing *w);

SAL_END

#endif
