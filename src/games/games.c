/* The list of games: those of `games` in src/games/meson.build, then those that
 * were registered.
 *
 * Main invariant: `sal_games` always points to a list that ends with NULL. */
#include "salotto/game.h"

#include <stdlib.h>
#include <string.h>

#include "games_list.h" /* #define SAL_GAMES(X) X(doors) … */

#define SAL_X(id) extern const struct sal_game sal_##id;
SAL_GAMES(SAL_X)
#undef SAL_X

static const struct sal_game *const built_in[] = {
#define SAL_X(id) &sal_##id,
    SAL_GAMES(SAL_X)
#undef SAL_X
        NULL};

const struct sal_game *const *sal_games = built_in;

const struct sal_game *sal_game_find(const char *id) {
  for (size_t i = 0; sal_games[i]; i++)
    if (strcmp(sal_games[i]->info.id, id) == 0)
      return sal_games[i];
  return NULL;
}

/* ---- Registering --------------------------------------------------------- */

/* Ids stand in records, addresses of pages and the protocol. */
static bool sound_id(const char *id) {
  size_t n = 0;
  while ((id[n] >= 'a' && id[n] <= 'z') ||
         (n && id[n] >= '0' && id[n] <= '9') || (n && id[n] == '-'))
    n++;
  return n > 0 && n <= 24 && !id[n];
}

static bool has_all_functions(const struct sal_game *g) {
  return g->init && g->to_act && g->legal && g->check && g->apply &&
         g->chance && g->sample && g->closed && g->scores && g->winners &&
         g->options && g->view && g->resample && g->tensor && g->facts &&
         g->event_facts && g->prompt && g->position && g->event_say &&
         g->event_rule && g->action_say && g->action_text && g->action_parse &&
         g->piles && g->stock && g->selfcheck;
}

static bool sound_options(const struct sal_game *g) {
  int count = 0;
  for (const struct sal_option *o = g->info.options; o->name; o++) {
    if (++count > SAL_OPTIONS_MAX || (o->kind == SAL_OPTION_WORD && !o->words))
      return false;
    if (o->kind == SAL_OPTION_FILE && (!g->option_read || !g->option_write))
      return false;
  }
  return true;
}

static const char *problem_of(const struct sal_game *g) {
  const struct sal_info *i = &g->info;
  if (!i->id || !sound_id(i->id))
    return N_("The id of a game has only lower-case letters, digits and '-'.");
  if (sal_game_find(i->id))
    return N_("There is a game with this id already.");
  if (!i->title || !i->tagline || !i->rules || !i->options)
    return N_("The game lacks a title, a tagline, rules or options.");
  if (i->players_min < 1 || i->players_min > i->players_max ||
      i->players_max > SAL_SEATS_MAX)
    return N_("The numbers of players are out of range.");
  if (!i->state_size || i->state_size > SAL_STATE_MAX || !i->view_size ||
      i->view_size > SAL_VIEW_MAX || !i->legal_max)
    return N_("The sizes of state, view or list of actions are out of range.");
  if (!has_all_functions(g))
    return N_("A function of the game is missing.");
  return sound_options(g) ? NULL : N_("The options of the game are invalid.");
}

/* A list once a game was registered. The ones before it are kept, since somebody
 * may be reading them. */
struct longer_list {
  struct longer_list *before;
  const struct sal_game *games[];
};

const char *sal_game_register(const struct sal_game *g) {
  static struct longer_list *last;
  const char *problem = problem_of(g);
  if (problem)
    return problem;
  size_t count = 0;
  while (sal_games[count])
    count++;
  struct longer_list *list =
      malloc(sizeof *list + (count + 2) * sizeof *list->games);
  if (!list)
    return N_("Out of memory.");
  memcpy(list->games, sal_games, count * sizeof *list->games);
  list->games[count] = g;
  list->games[count + 1] = NULL;
  list->before = last;
  last = list;
  sal_games = list->games;
  return NULL;
}

/* ---- Playing at random ---------------------------------------------------- */

uint64_t sal_playout(const struct sal_game *g, sal_state *s,
                     struct sal_rng *rng, uint64_t most, sal_action *legal) {
  if (g->playout)
    return g->playout(s, rng, most);
  uint64_t n = 0;
  for (unsigned asked; (asked = g->to_act(s)) != 0;) {
    if (asked == SAL_CHANCE_BIT) {
      g->sample(s, rng);
      continue;
    }
    if (n == most)
      break;
    const int seat = __builtin_ctz(asked);
    const size_t count = g->legal(s, seat, legal);
    g->apply(s, seat, legal[sal_rng_below(rng, (uint32_t)count)], NULL);
    n++;
  }
  return n;
}
