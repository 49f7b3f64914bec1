/* Reviews of finished games: GET /api/review/ID.
 *
 * Main invariants: every request reads the moves from the store again and is
 * refused unless the game is over and who asks may look at the table. A review
 * is computed on the threads of the bots, after all of them, in short turns, and
 * whoever asked first pays for it; what is done is told meanwhile. That it is under way
 * is in the store, and whoever serves next goes on with it, from its beginning. */
#ifndef SAL_SERVER_REVIEWS_H
#define SAL_SERVER_REVIEWS_H

#include "conn.h"

/* False if the path is none of these. */
bool reviews_respond(struct conn *c);
/* Goes on with those that were under way when the server that served before ended. */
void reviews_open(struct server *srv);
/* When no work is open any more. */
void reviews_free(struct server *srv);

#endif
