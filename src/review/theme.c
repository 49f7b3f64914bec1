/* Themes of problems by game. See theme.h. */
#include "theme.h"

#include <string.h>

static const struct sal_theme none[] = {{NULL, NULL}};

static const struct theme_kind *kind_of(const struct sal_game *g) {
  static const struct theme_kind *const kinds[] = {
      &themes_doors, &themes_favor, &themes_traps, &themes_louis};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i]->game, g->info.id) == 0)
      return kinds[i];
  return NULL;
}

const struct sal_theme *sal_themes(const struct sal_game *g) {
  const struct theme_kind *k = kind_of(g);
  return k ? k->list : none;
}

const struct sal_theme *sal_problem_theme(const sal_table *t, int seat,
                                          const struct sal_weighing *w) {
  const struct theme_kind *k = kind_of(sal_table_game(t));
  union sal_view_box box;
  if (!k || w->count == 0)
    return NULL;
  sal_table_view(t, seat, (sal_view *)box.bytes);
  const int n = k->of((const sal_view *)box.bytes, seat, w);
  return n < 0 ? NULL : &k->list[n];
}
