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
/* For other answers that play a game again: the status of an error; a whole
 * number of the query; its language (false: one that is not there); the moves of
 * a room, which are copied if it is active (false: no memory). */
struct load_job;
struct sal_catalogue;
int history_status(int error);
bool history_number(const struct conn *c, const char *name, int64_t *out);
bool history_language(struct conn *c, const struct sal_catalogue **out);
bool history_moves(struct server *srv, struct load_job *load);
/* GET /api/record/ID, /api/replay/ID?seat=…&lang=…&from=…; false if the path is
 * neither. */
bool history_respond(struct conn *c);

#endif
