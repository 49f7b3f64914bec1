/* Requests that ask the store something: the answer goes out as it comes. */
#ifndef SAL_SERVER_QUESTIONS_H
#define SAL_SERVER_QUESTIONS_H

#include "conn.h"
#include "store/queries.h"

/* Main invariant: who asks is looked up by the cookie when the request comes,
 * and only the id of the person and of the connection are held meanwhile. */
struct question {
  struct query_job query; /* first, so that `done` finds the rest */
  struct server *server;
  uint64_t conn;
};

/* For the person of the request's cookie; NULL, and refused: nobody, or no
 * memory. */
struct question *question_new(struct conn *c, store_call *call);
/* The same for anybody. */
struct question *question_of_anybody(struct conn *c, store_call *call);
/* Hands it to the store, which answers the request; or refuses, if too many
 * wait already. */
void question_ask(struct conn *c, struct question *q);
/* Refuses, and forgets the question. */
void question_refuse(struct conn *c, struct question *q, int status, int code,
                     const char *why);

/* The same for any job: the connection gives it up when it closes. False: it
 * was refused, and the job is the caller's. */
bool question_post(struct conn *c, struct store_job *job);
/* The same without a refusal. */
bool question_try(struct conn *c, struct store_job *job);
/* The connection whose request waits for that job; NULL: gone. */
struct conn *question_end(struct server *srv, uint64_t conn);

#endif
