/* Servers that wait and lend their threads for thinking to this one, which serves.
 *
 * A lender calls as a client does, at /lend, and proves that it is a server of the
 * same store and the same program (base/sealed.h); whoever does not finds nothing
 * there. From then on a connection is one thread: it is sent what a bot thinks about
 * (rooms/mind.h) and answers, one at a time. Whatever goes wrong with it, or takes longer
 * than it may, the connection is dropped, and the thought is thought here. */
#ifndef SAL_SERVER_LENDERS_H
#define SAL_SERVER_LENDERS_H

#include "base/sealed.h"
#include "conn.h"
#include "rooms/mind.h"

/* What both sides say. */
#define LENDERS_PATH "/lend"
#define LENDERS_PROTOCOL "salotto-lend"
#define LENDERS_RANDOM "Salotto-Random"
#define LENDERS_PROOF "Salotto-Proof"

/* A letter to a lender is a struct mind, with its size as a uint32_t before it, seal
 * included; its answer is one of these. */
struct lenders_answer {
  double seconds; /* of a processor */
  struct sal_thought thought;
};

/* Answers a request that is a lender's; false: it is none. */
bool lenders_respond(struct conn *c);

/* Of a connection that is one. */
void lender_feed(struct conn *c, const char *data, size_t length);
/* It is closed for good. */
void lender_leave(struct conn *c);

#endif
