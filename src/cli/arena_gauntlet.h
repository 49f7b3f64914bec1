/* One bot against many, for `salotto arena`. */
#ifndef SAL_CLI_ARENA_GAUNTLET_H
#define SAL_CLI_ARENA_GAUNTLET_H

#include "arena_play.h"
#include "figures.h"

enum { GAUNTLET_MAX = 24 };

struct gauntlet_row {
  struct arena_bot bot;
  size_t games;
  struct interval wins; /* of the bot that runs the gauntlet */
  struct sprt sprt;     /* where a question was asked */
};

struct gauntlet {
  struct arena_plan plan; /* game, setup, seed, threads, times of programs */
  struct arena_bot level; /* who runs it */
  int rows;
  struct gauntlet_row row[GAUNTLET_MAX];
  const struct arena_duty *duty;
};

/* Adds the opponents that know the game; `tuning`: only those that bots may be
 * tuned on. */
void gauntlet_fill(struct gauntlet *g, bool tuning);
/* Plays at least so many games against each and writes the table; interrupted,
 * of what was played. */
int gauntlet_run(struct gauntlet *g, int games, bool json);

#endif
