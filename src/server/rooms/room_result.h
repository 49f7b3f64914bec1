/* How a game ended: places, scores, and whether it counts. */
#ifndef SAL_SERVER_ROOM_RESULT_H
#define SAL_SERVER_ROOM_RESULT_H

#include "room.h"
#include "store/results.h"

/* Of a room whose game is over. */
void result_of(const struct room *r, struct result *out);

#endif
