/* What has been: records, replays, histories, leaders. Each answers the HTTP
 * request that waits on the connection. */
#ifndef SAL_SERVER_HISTORY_H
#define SAL_SERVER_HISTORY_H

#include "conn.h"
#include "rooms/replay.h"
#include "store/queries.h"

/* GET /api/history?before=N: games of who asks. */
void history_games(struct conn *c);
/* GET /api/leaders?game=GAME. */
void history_leaders(struct conn *c);
/* What anybody may know of an account. */
void history_profile(struct conn *c);
/* GET /api/progress: what reviews have said of who asks. */
void history_progress(struct conn *c);
/* GET /api/mine: tables of who asks. */
void history_my_tables(struct conn *c);
/* GET /api/record/ID, /api/replay/ID?seat=…&lang=…&from=…; false if the path is
 * neither. */
bool history_respond(struct conn *c);

/* A whole number of the request's query. */
bool history_number(const struct conn *c, const char *name, int64_t *out);

/* What is to be read of the moves of a room: nothing if it is active, they are here then.
 * False: no memory. */
bool history_find_moves(struct server *srv, struct load_job *load);

/* A game that is played again for a request, from the moves of its room. */
struct past_game;
typedef void past_game_respond(struct conn *c, const struct past_game *g);
struct past_game {
  struct load_job load; /* first, so that `done` finds the rest */
  struct server *server;
  uint64_t conn;
  struct replay replay;
  past_game_respond *respond; /* called with what came of it */
};

/* For who asks, with the ROOM_ID letters of a room; NULL, and refused: no
 * memory. */
struct past_game *past_game_new(struct conn *c, const char *id,
                                past_game_respond *respond);
/* Answers the request, in the language of its query, and forgets the game. */
void past_game_ask(struct conn *c, struct past_game *g);

#endif
