/* What rooms have to tell. The rooms ask; net/ says it to whoever listens, so
 * that rooms need not know what a connection is. */
#ifndef SAL_SERVER_OUTGOING_H
#define SAL_SERVER_OUTGOING_H

#include "room_result.h"
#include "rooms.h"

/* To which request an answer belongs. */
struct re {
  const char *op;  /* or NULL */
  const char *tag; /* its id as JSON, or "" */
};

/* The connection with that id, if it is an open WebSocket; else NULL. */
struct conn *ws_find(struct server *srv, uint64_t id);

/* Why something at a table was refused. */
void messages_refuse_at(struct conn *c, struct re re, const struct room *room,
                        const struct sal_refusal *why);
/* What a bot advises, told to who asked. */
void messages_hint(struct conn *c, const struct intent *asked,
                   const struct room *room, const struct sal_question *q,
                   const struct sal_thought *t);
/* There is a rematch. */
void messages_rematch(struct active_room *active);
/* Everybody sits: those who have pledged a part are to tell it. */
void messages_reveal(struct active_room *active);
/* The person at a seat came or went. */
void messages_presence(struct active_room *active, int seat, bool connected);
/* The intent is durable. */
void messages_done(struct conn *c, const struct intent *i);
/* A new room, told to who asked for it. */
void messages_opened(struct conn *c, const struct intent *i,
                     struct active_room *active);
/* A move, told to everybody who listens; events from `first` on are new. */
void messages_moved(struct active_room *active, const struct store_move *m,
                    size_t first);
/* The result is in the store. */
void messages_result(struct active_room *active, const struct result *r);

#endif
