/* The list of games, from `games` in src/games/meson.build. */
#include "salotto/game.h"

#include <string.h>

#include "games_list.h" /* #define SAL_GAMES(X) X(doors) … */

#define SAL_X(id) extern const struct sal_game sal_##id;
SAL_GAMES(SAL_X)
#undef SAL_X

const struct sal_game *const sal_games[] = {
#define SAL_X(id) &sal_##id,
    SAL_GAMES(SAL_X)
#undef SAL_X
        NULL};

const struct sal_game *sal_game_find(const char *id) {
  for (size_t i = 0; sal_games[i]; i++)
    if (strcmp(sal_games[i]->info.id, id) == 0)
      return sal_games[i];
  return NULL;
}
