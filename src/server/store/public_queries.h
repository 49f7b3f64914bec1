/* Questions to the store that anybody may ask, without a session: which game a
 * table was about, and how somebody with an account has played.
 *
 * Main invariant: as in queries.h; and nothing in an answer is for some eyes
 * only. */
#ifndef SAL_SERVER_PUBLIC_QUERIES_H
#define SAL_SERVER_PUBLIC_QUERIES_H

#include "queries.h"

/* The game of a room that has ended; "" if there is none. */
struct game_query {
  struct store_job job; /* first, so that `done` finds the rest */
  char room[STORE_ROOM_MAX + 1];
  char game[16];
};
store_call query_game_of_room;

/* A query_job: the account of the person `about`, with results by game and
 * opponent, streaks and ratings of the last PROFILE_GAMES games; SAL_NO_TABLE:
 * there is no such account. No table is named: the id of one is its key. */
#define PROFILE_GAMES "5000"
#define PROFILE_POINTS "400" /* of the curve of ratings, at most */
store_call query_profile;

#endif
