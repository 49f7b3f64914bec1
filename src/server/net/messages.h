/* What is said over a WebSocket (docs/server.md): requests in, and what the
 * rooms have to tell out. */
#ifndef SAL_SERVER_MESSAGES_H
#define SAL_SERVER_MESSAGES_H

#include "conn.h"
#include "rooms/outgoing.h"

struct person;

/* A message from a client; it is sound UTF-8. One that came too fast is only
 * refused. */
void requests_answer(struct conn *c, const char *text, size_t length,
                     bool hasty);

/* ---- messages.c ------------------------------------------------------------ */

void messages_greet(struct conn *c);
void messages_refuse_re(struct conn *c, struct re re,
                        const struct sal_refusal *why);
/* Why an action is not possible; NULL: it is. */
void messages_why(struct conn *c, struct re re, const struct room *room,
                  const struct sal_refusal *why);
/* There is a rematch: told to one who asks. */
void messages_rematch_re(struct conn *c, struct re re, const struct room *r);
/* A request without anything to say in return. */
void messages_done_re(struct conn *c, struct re re);
/* The room as the connection's person sees it, with the events from `since`
 * on. */
void messages_table(struct conn *c, struct re re,
                    const struct active_room *active, size_t since);
void messages_lobby(struct conn *c, struct re re);
/* The list of the lobby as it is now; NULL: no memory. */
const char *messages_lobby_tables(struct server *srv);
/* The tables that wait for this person or are in play: an answer over the
 * WebSocket, or the text of one over HTTP (NULL: no memory). */
void messages_mine(struct conn *c, struct re re);
const char *messages_mine_text(struct server *srv, const struct person *p,
                               size_t *length);
void messages_record(struct conn *c, struct re re,
                     const struct active_room *active);
void messages_said(struct active_room *active, const struct person *from,
                   const char *text);
/* To everybody: the server is closing. */
void messages_closing(struct server *srv);

/* What they look like, as JSON (message_schema.c). */
extern const char message_schema[];

#endif
