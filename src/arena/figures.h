/* What the games of a tournament say about the bots.
 *
 * Games of one deal are not independent, so whatever has an interval is taken
 * deal by deal: the mean over a deal is one observation. */
#ifndef SAL_ARENA_FIGURES_H
#define SAL_ARENA_FIGURES_H

#include "arena.h"

/* A mean and where it lies with 95 % confidence; not a number if nothing was
 * observed, and without bounds if that says nothing of the spread. */
struct interval {
  double mean, low, high;
};

enum { BINS_MAX = 24 };

/* Counts by bins of equal width: bin i holds low + i * width and what follows
 * up to the next. */
struct histogram {
  int32_t low, width;
  int bins;
  size_t count[BINS_MAX];
};

struct bot_figures {
  size_t seats; /* games, each counted once for every seat it had */
  struct interval wins;
  double wins_at[SAL_SEATS_MAX];
  struct interval score; /* of whole games */
  struct histogram scores;
  struct interval rating;
  size_t faults[ARENA_FAULTS];
};

struct figures {
  size_t games, deals;
  size_t whole; /* games played to their end by the bots at the seats */
  struct bot_figures bot[ARENA_BOTS_MAX];
  struct interval seat[SAL_SEATS_MAX]; /* wins at each seat, whoever had it */
  /* How often bot i finished before bot k, ties as halves, and how often they
   * met; a bot against itself says nothing and is left out. */
  double before[ARENA_BOTS_MAX][ARENA_BOTS_MAX];
  double met[ARENA_BOTS_MAX][ARENA_BOTS_MAX];
  /* Actions in whole games. */
  double length_mean;
  uint32_t length_quartile[5]; /* least, quarter, median, … most */
  struct histogram lengths;
};

/* The part of the win that a seat has, from 0 to 1. */
double game_share(const struct arena_plan *p, const struct arena_game *g,
                  int seat);

/* Fills in everything; false: no memory. */
bool figures_take(const struct arena_plan *p, const struct arena_game *games,
                  struct figures *out);

/* ---- Pieces, for figures.c and tests ------------------------------------- */

/* Mean and spread of one observation a deal. */
struct spread {
  size_t count;
  double mean, squares; /* sum of squared differences from the mean */
};
void spread_add(struct spread *s, double x);
/* Of a mean that can be anything; half the width is 1.96 standard errors. */
struct interval spread_interval(const struct spread *s);
/* Of a rate: Wilson's, with as many trials as the spread between deals is
 * worth. */
struct interval spread_rate(const struct spread *s);

/* ratings.c: fills `rating` of each bot from `before` and `met`. */
void ratings_take(const struct arena_plan *p, const struct arena_game *games,
                  struct figures *f);

#endif
