/* What is said over a WebSocket (docs/server.md): requests in, and what the
 * rooms have to tell out. */
#ifndef SAL_SERVER_MESSAGES_H
#define SAL_SERVER_MESSAGES_H

#include "rooms.h"

struct person;

/* A message from a client; it is sound UTF-8. One that came too fast is only
 * refused. */
void messages_answer(struct conn *c, const char *text, size_t length,
                     bool hasty);

/* ---- tell.c ---------------------------------------------------------------- */

/* To which request an answer belongs. */
struct re {
  const char *op;  /* or NULL */
  const char *tag; /* its id as JSON, or "" */
};

void messages_greet(struct conn *c);
void messages_refuse_re(struct conn *c, struct re re,
                        const struct sal_refusal *why);
/* The same about something at a table. */
void messages_refuse_at(struct conn *c, struct re re, const struct room *room,
                        const struct sal_refusal *why);
/* Why an action is not possible; NULL: it is. */
void messages_why(struct conn *c, struct re re, const struct room *room,
                  const struct sal_refusal *why);
/* What a bot advises, told to who asked. */
void messages_hint(struct conn *c, const struct intent *asked,
                   const struct room *room, const struct sal_question *q,
                   const struct sal_thought *t);
/* There is a rematch: told to one who asks, or to everybody. */
void messages_rematch_re(struct conn *c, struct re re, const struct room *r);
void messages_rematch(struct live *l);
/* Everybody sits: those who have pledged a part are to tell it. */
void messages_reveal(struct live *l);
/* The person at a seat came or went. */
void messages_presence(struct live *l, int seat, bool connected);
/* The intent is durable. */
void messages_done(struct conn *c, const struct intent *i);
/* A request without anything to say in return. */
void messages_done_re(struct conn *c, struct re re);
/* A new room, told to who asked for it. */
void messages_opened(struct conn *c, const struct intent *i, struct live *l);
/* A move, told to everybody who listens; events from `first` on are new. */
void messages_moved(struct live *l, const struct store_move *m, size_t first);
/* The room as the connection's person sees it, with the events from `since`
 * on. */
void messages_table(struct conn *c, struct re re, const struct live *l,
                    size_t since);
void messages_lobby(struct conn *c, struct re re);
/* The tables that wait for this person or are in play: an answer over the
 * WebSocket, or the text of one over HTTP (NULL: no memory). */
void messages_mine(struct conn *c, struct re re);
const char *messages_mine_text(struct house *h, const struct person *p,
                               size_t *length);
/* The result is in the store. */
struct result;
void messages_result(struct live *l, const struct result *r);
void messages_record(struct conn *c, struct re re, const struct live *l);
void messages_said(struct live *l, const struct person *from, const char *text);
/* To everybody: the house is closing. */
void messages_closing(struct house *h);

#endif
