/* What problems of a game are about. Each game names its themes and says which
 * one a decision belongs to, from the view of the seat and what is right. */
#ifndef SAL_REVIEW_THEME_H
#define SAL_REVIEW_THEME_H

#include "salotto/problem.h"

struct theme_kind {
  const char *game;
  const struct sal_theme *list; /* closed by one without id */
  /* An index of the list; -1: nothing that is worth a problem. */
  int (*of)(const sal_view *v, int seat, const struct sal_weighing *w);
};
extern const struct theme_kind themes_doors, themes_favor, themes_traps,
    themes_louis;

#endif
