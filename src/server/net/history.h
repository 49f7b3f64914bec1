/* What has been: records, replays, histories, leaders. Each answers the HTTP
 * request that waits on the connection. */
#ifndef SAL_SERVER_HISTORY_H
#define SAL_SERVER_HISTORY_H

#include "conn.h"

/* GET /api/history?before=N: games of who asks. */
void history_games(struct conn *c);
/* GET /api/leaders?game=GAME. */
void history_leaders(struct conn *c);
/* What anybody may know of an account. */
void history_profile(struct conn *c);
/* GET /api/mine: tables of who asks. */
void history_my_tables(struct conn *c);
/* GET /api/record/ID, /api/replay/ID?seat=…&lang=…&from=…; false if the path is
 * neither. */
bool history_respond(struct conn *c);

#endif
