/* Results: how a game ended, kept in the store, and what it does to ratings.
 *
 * Main invariants: a room has one result, however often it is written; the
 * ratings follow from the results in the order of their numbers, and can be
 * computed from them again. */
#ifndef SAL_SERVER_RESULTS_H
#define SAL_SERVER_RESULTS_H

#include "store.h"

#include "salotto/game.h"

enum { RESULT_BOT_MAX = 16, RESULT_GAME_MAX = 16 };

/* A person or a bot; ratings are by game and player. */
struct result_seat {
  int64_t person; /* 0: a bot */
  char bot[RESULT_BOT_MAX];
  char name[STORE_NAME_MAX + 1];
  int place; /* from 1; who shares one has drawn */
  int64_t score;
  bool gone;            /* had resigned, or was away when it ended */
  bool counts;          /* for ratings: an account, and a real game of theirs */
  double before, after; /* rating; 0 if the game is not rated */
};

struct result {
  int64_t n; /* of the store */
  char room[STORE_ROOM_MAX + 1];
  char game[RESULT_GAME_MAX];
  int64_t at;
  bool rated;
  const char *unrated; /* why it is not, or NULL */
  int seats;
  struct result_seat seat[SAL_SEATS_MAX];
};

/* Inside a transaction; 0 or SAL_STORE. `fresh` says whether it was new; only
 * then the ratings are filled in. */
int result_write(store_db *db, struct result *r, bool *fresh);
/* Forgets all ratings and computes them from the results. */
int ratings_recompute(store_db *db);

/* A change: writes `result`. */
struct finish_job {
  struct store_job job; /* first, so that `done` finds the rest */
  struct result result;
  bool fresh;
};
store_call store_finish_game;

#endif
