/* Where a game for two stands between two deals or rounds, in numbers, and what
 * chance they mean if both play on by habit: a logistic regression. The weights
 * were found in games of the habitual player by bench/chances, which writes
 * fitted.c. Doors has its solved table instead. */
#ifndef SAL_REVIEW_STANDING_H
#define SAL_REVIEW_STANDING_H

#include "heuristics.h"

enum { STANDING_MAX = 25, STAGES_MAX = 4 };

/* The numbers are seen from seat `of`. */
struct standing {
  int of, stage;
  double number[STANDING_MAX];
};

struct standing_kind {
  const char *game;
  int stages, count;
  void (*read)(const sal_state *s, struct standing *out);
  const double *weight; /* by stage and number */
};
extern const struct standing_kind standing_traps, standing_favor,
    standing_louis;
/* NULL: this game has none. */
const struct standing_kind *standing_of(const struct sal_game *g);

chances_fn chances_by_standing;

enum { TRAPS_NUMBERS = 25, FAVOR_NUMBERS = 3, LOUIS_NUMBERS = 14 };
extern const double fitted_traps[1 * TRAPS_NUMBERS];
extern const double fitted_favor[2 * FAVOR_NUMBERS];
extern const double fitted_louis[4 * LOUIS_NUMBERS];

#endif
