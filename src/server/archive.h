/* What has been: records, replays, histories, leaders. Each answers the HTTP
 * request that waits on the connection. */
#ifndef SAL_SERVER_ARCHIVE_H
#define SAL_SERVER_ARCHIVE_H

#include "conn.h"

void archive_free(struct archive *a);

/* GET /api/history?before=N: games of who asks. */
void archive_history(struct conn *c);
/* GET /api/leaders?game=GAME. */
void archive_leaders(struct conn *c);
/* GET /api/mine: tables of who asks. */
void archive_mine(struct conn *c);
/* GET /api/record/ID, /api/replay/ID?seat=…&lang=…&from=…; false if the path is
 * neither. */
bool archive_answer(struct conn *c);

#endif
