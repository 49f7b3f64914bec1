/* WebSockets: the handshake, whole text messages, closing. */
#ifndef SAL_SERVER_WS_H
#define SAL_SERVER_WS_H

#include "conn.h"
#include "frames.h"
#include "rooms/rooms.h"

struct person;
struct server_language;

/* What hangs on an open WebSocket. */
struct ws {
  struct frames frames; /* what it sends */
  struct conn *conn;
  struct person *person; /* whose session opened it */
  char session[17];      /* which; see people_session_name */
  struct subscriber subscriber;
  const struct server_language *language; /* NULL: it wants no words */
  bool feeding;                           /* ws_feed is at work */
  uint64_t heard;                         /* when something came last */
  uint64_t begun; /* when the message began that is not whole yet, or 0 */
  struct bucket frame_rate, message_rate;
  bool bye;       /* nothing is said after goodbye */
  int complaints; /* refused for haste, since it last behaved */
};

/* Answers the handshake of the waiting request; it is a sound one of that
 * person. */
void ws_open(struct conn *c, struct person *person, const char *session);
/* NULL if the request is a sound handshake, else what is wrong. */
const char *ws_problem(const struct conn *c);
void ws_feed(struct conn *c, const char *data, size_t length);
void ws_send(struct conn *c, const char *text, size_t length);
/* Says goodbye with a code of RFC 6455 and closes. */
void ws_close(struct conn *c, int code, const char *reason);
/* Nothing has come for a while: ask, or give up. */
void ws_silent(struct conn *c);
/* The connection is closed for good: no table tells it anything more. */
void ws_leave(struct conn *c);
/* When nobody can be using it any more: after its handle is closed. */
void ws_free(struct ws *w);

#endif
