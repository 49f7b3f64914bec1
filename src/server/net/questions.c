/* Questions of requests to the store. See questions.h. */
#include "questions.h"
#include "http.h"
#include "routes.h"

#include <stdlib.h>
#include <string.h>

enum { QUESTION_MS = 90 * 1000 }; /* the store gives one up before that */

bool question_try(struct conn *c, struct store_job *job) {
  if (c->server->closing || !store_ask(c->server->store, job))
    return false;
  c->question = job;
  c->deadline = server_now(c->server) + QUESTION_MS;
  return true;
}

bool question_post(struct conn *c, struct store_job *job) {
  if (question_try(c, job))
    return true;
  if (c->server->closing)
    http_refuse(c, 503, SAL_CLOSING, NULL);
  else
    http_refuse(c, 503, SAL_SLOW_DOWN, sal_error_text(SAL_BUSY));
  return false;
}

struct conn *question_end(struct server *srv, uint64_t conn) {
  struct conn *c = conn_find(srv, conn);
  if (c)
    c->question = NULL;
  return c && c->http ? c : NULL;
}

static void forget_question(struct question *q) {
  free(q->query.text);
  free(q);
}

static void question_is_answered(struct store_job *job, int error) {
  struct question *q = (struct question *)job;
  struct conn *c = question_end(q->server, q->conn);
  const char *text = q->query.text;
  if (c) {
    if (text && !error)
      http_respond(c, 200, "application/json", "", text, strlen(text));
    else if (error == SAL_NO_TABLE)
      http_refuse(c, 404, SAL_BAD_REQUEST, N_("There is nothing here."));
    else
      http_refuse(c, 503, error ? error : SAL_NO_MEMORY, NULL);
    conn_export_is_written(c);
  }
  forget_question(q);
}

struct question *question_of_anybody(struct conn *c, store_call *call) {
  char token[TOKEN_MAX + 1];
  struct question *q = calloc(1, sizeof *q);
  if (!q) {
    http_refuse(c, 503, SAL_NO_MEMORY, NULL);
    return NULL;
  }
  const struct person *p = routes_person(c, token);
  q->server = c->server;
  q->conn = c->id;
  q->query.person = p ? p->id : 0;
  if (p)
    people_hash(token, q->query.hash);
  q->query.job.call = call;
  q->query.job.done = question_is_answered;
  return q;
}

struct question *question_new(struct conn *c, store_call *call) {
  struct question *q = question_of_anybody(c, call);
  if (!q || q->query.person)
    return q;
  question_refuse(c, q, 401, SAL_NOT_ALLOWED,
                  N_("You are not signed in: sign in first."));
  return NULL;
}

void question_ask(struct conn *c, struct question *q) {
  if (question_post(c, &q->query.job))
    return;
  c->exporting = 0;
  forget_question(q);
}

void question_refuse(struct conn *c, struct question *q, int status, int code,
                     const char *why) {
  http_refuse(c, status, code, why);
  forget_question(q);
}
