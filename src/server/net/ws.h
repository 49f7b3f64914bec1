/* WebSockets: the handshake, whole text messages, closing. */
#ifndef SAL_SERVER_WS_H
#define SAL_SERVER_WS_H

#include "conn.h"
#include "rooms/rooms.h"

struct person;
struct server_language;

/* Where a stream of frames stands. */
struct frames {
  uint64_t left;    /* of the payload that is being read */
  uint8_t head[14]; /* of the next frame, as far as it has come */
  uint8_t have;
  bool open; /* a message in fragments is not whole yet */
};

/* What hangs on an open WebSocket. */
struct ws {
  struct wslay_event_context *wslay; /* NULL while no message is in between */
  struct frames frames_seen;
  struct conn *conn;
  struct person *person; /* whose session opened it */
  char session[17];      /* which; see people_session_name */
  struct subscriber subscriber;
  const struct server_language *language; /* NULL: it wants no words */
  const char *input;                      /* what is being fed */
  size_t input_length;
  uint64_t heard; /* when something came last */
  uint64_t begun; /* when the message began that is not whole yet, or 0 */
  struct bucket frames, messages;
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
/* Gives back what was kept for the next one. */
void ws_free_spare(struct server *srv);

#endif
