/* Questions to the store that anybody may ask, without a session: which game a
 * table was about.
 *
 * Main invariant: as in queries.h; and nothing in an answer is for some eyes
 * only. */
#ifndef SAL_SERVER_PUBLIC_QUERIES_H
#define SAL_SERVER_PUBLIC_QUERIES_H

#include "store.h"

/* The game of a room that has ended; "" if there is none. */
struct game_query {
  struct store_job job; /* first, so that `done` finds the rest */
  char room[STORE_ROOM_MAX + 1];
  char game[16];
};
store_call query_game_of_room;

#endif
