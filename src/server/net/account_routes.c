/* People and their own data. See account_routes.h.
 *
 * Main invariant: who asks is looked up again after every wait, by the cookie
 * of the request that is still open; nothing of a person is held meanwhile but
 * the id. A request that is gone changes nothing more. */
#include "account_routes.h"
#include "people/accounts.h"
#include "people/limits.h"
#include "http.h"
#include "questions.h"
#include "rooms/rooms.h"
#include "routes.h"

#include <stdlib.h>
#include <string.h>

/* ---- Asking and answering ------------------------------------------------- */

static void answer_ok(struct conn *c) {
  http_respond(c, 200, "application/json", "", "{\"ok\":true}", 11);
}

static void no_session(struct conn *c) {
  http_refuse(c, 401, SAL_NOT_ALLOWED,
              N_("You are not signed in: sign in first."));
}

static void refuse_error(struct conn *c, int error) {
  http_refuse(c, routes_status(error), error,
              error == SAL_NOT_ALLOWED ? N_("That is not your password.")
                                       : NULL);
}

/* A text of the body, for as long as the body. */
static const char *text_in(const json_t *body, const char *key) {
  return json_string_value(json_object_get(body, key));
}

/* The connection whose request still waits, with its person; NULL: gone. */
static struct conn *asker(struct server *srv, uint64_t conn,
                          struct person **person, char token[TOKEN_MAX + 1]) {
  struct conn *c = conn_find(srv, conn);
  if (!c || !c->http)
    return NULL;
  *person = routes_person(c, token);
  if (*person)
    return c;
  no_session(c);
  return NULL;
}

/* The same after a password was checked: NULL also if it was wrong, and the
 * connection has been told. */
static struct conn *proven_asker(struct server *srv, uint64_t conn, int error,
                                 struct person **person,
                                 char token[TOKEN_MAX + 1]) {
  struct conn *c = asker(srv, conn, person, token);
  if (c && error) {
    refuse_error(c, error);
    return NULL;
  }
  return c;
}

/* ---- Jobs of the store ----------------------------------------------------- */

static void account_job_done(struct store_job *job, int error) {
  struct account_job *d = (struct account_job *)job;
  d->told(d, error);
  json_decref(d->found);
  free(d);
}

/* Posts a call for the person who asks. */
static void
post_account_job_of(struct conn *c, const struct person *p, const char *token,
                    account_call *call, const struct account_job *facts,
                    void (*told)(struct account_job *d, int error)) {
  struct account_job *d = malloc(sizeof *d);
  if (!d) {
    http_refuse(c, 503, SAL_NO_MEMORY, NULL);
    return;
  }
  *d = *facts;
  d->owner = c->server;
  d->conn = c->id;
  d->person = p->id;
  d->now = server_time();
  people_hash(token, d->hash);
  d->told = told;
  d->job.call = call;
  d->job.done = account_job_done;
  store_post(c->server->store, &d->job);
}

/* ---- A new name ----------------------------------------------------------- */

static void renamed(struct account_job *d, int error) {
  struct server *srv = d->owner;
  struct person *p = people_get(srv->people, d->person);
  struct conn *c = conn_find(srv, d->conn);
  if (error)
    accounts_unclaim(srv->accounts, d->person, d->name);
  else if (p) {
    accounts_renamed(srv->accounts, p, d->name);
    people_renamed(p, d->name);
  }
  if (!c || !c->http)
    return;
  if (error || !p)
    refuse_error(c, error == SAL_LATE ? SAL_NAME_TAKEN : error);
  else
    routes_respond_person(c, p);
}

static void rename_proven(struct server *srv, uint64_t conn, int64_t person,
                          const char *proof, int error) {
  char token[TOKEN_MAX + 1];
  struct person *p;
  struct conn *c = proven_asker(srv, conn, error, &p, token);
  (void)person;
  if (!c)
    return;
  json_t *body = routes_body(c);
  struct account_job d = {0};
  char name[NAME_SIZE];
  if (!routes_name(c, body, name)) {
    ; /* cannot be: it was good a moment ago */
  } else if (!accounts_claim(srv->accounts, p, name)) {
    http_refuse(c, 409, SAL_NAME_TAKEN, NULL);
  } else {
    strcpy(d.name, name);
    strcpy(d.proof, proof);
    post_account_job_of(c, p, token, account_store_rename, &d, renamed);
  }
  json_decref(body);
}

void account_routes_rename(struct conn *c) {
  char token[TOKEN_MAX + 1];
  struct person *p = routes_person(c, token);
  json_t *body = routes_body(c);
  char name[NAME_SIZE];
  if (!p)
    no_session(c);
  else if (!routes_name(c, body, name))
    ;
  else if (!limits_address_may(c->server->limits, LIMIT_MAKES, c->address))
    http_refuse(c, 429, SAL_SLOW_DOWN, NULL);
  else
    accounts_prove(c->server->accounts, p, routes_password(body, "password"),
                   routes_asker(c), rename_proven);
  json_decref(body);
}

/* ---- A new password ------------------------------------------------------- */

static void password_changed(struct server *srv, uint64_t conn,
                             struct person *person, const char *token,
                             int error) {
  struct conn *c = conn_find(srv, conn);
  if (!c || !c->http)
    return;
  if (error)
    refuse_error(c, error);
  else
    routes_renew_cookie(c, person, token);
}

static void password_proven(struct server *srv, uint64_t conn, int64_t person,
                            const char *proof, int error) {
  char token[TOKEN_MAX + 1];
  uint8_t hash[STORE_HASH];
  struct person *p;
  struct conn *c = proven_asker(srv, conn, error, &p, token);
  (void)person;
  if (!c)
    return;
  json_t *body = routes_body(c);
  people_hash(token, hash);
  accounts_change(srv->accounts, p, proof, routes_password(body, "password"),
                  hash, routes_asker(c), password_changed);
  json_decref(body);
}

void account_routes_password(struct conn *c) {
  char token[TOKEN_MAX + 1];
  struct person *p = routes_person(c, token);
  json_t *body = routes_body(c);
  const char *old = routes_password(body, "old");
  if (!p)
    no_session(c);
  else if (!accounts_has(c->server->accounts, p))
    http_refuse(c, 409, SAL_NOT_ALLOWED, N_("You have no account."));
  else if (!old || !routes_password(body, "password"))
    http_refuse(c, 400, SAL_BAD_REQUEST,
                "\"old\" and \"password\" are texts of 8 to 200 bytes.");
  else
    accounts_prove(c->server->accounts, p, old, routes_asker(c),
                   password_proven);
  json_decref(body);
}

/* ---- A face --------------------------------------------------------------- */

static void face_chosen(struct account_job *d, int error) {
  struct server *srv = d->owner;
  struct person *p = people_get(srv->people, d->person);
  struct conn *c = conn_find(srv, d->conn);
  if (!error && p)
    accounts_set_face(srv->accounts, p, d->face);
  if (!c || !c->http)
    return;
  if (error || !p)
    refuse_error(c, error);
  else
    routes_respond_person(c, p);
}

void account_routes_face(struct conn *c) {
  char token[TOKEN_MAX + 1];
  struct person *p = routes_person(c, token);
  json_t *body = routes_body(c);
  const json_t *face = json_object_get(body, "face");
  struct account_job d = {.face = (int)json_integer_value(face)};
  if (!p)
    no_session(c);
  else if (!accounts_has(c->server->accounts, p))
    http_refuse(c, 409, SAL_NOT_ALLOWED, N_("You have no account."));
  else if (!json_is_integer(face) || json_integer_value(face) < 0 ||
           json_integer_value(face) > ACCOUNT_FACES)
    http_refuse(c, 400, SAL_BAD_REQUEST,
                "\"face\" is a number from 1 to 24, or 0 for none.");
  else if (!limits_address_may(c->server->limits, LIMIT_MAKES, c->address))
    http_refuse(c, 429, SAL_SLOW_DOWN, NULL);
  else
    post_account_job_of(c, p, token, account_store_face, &d, face_chosen);
  json_decref(body);
}

/* ---- Sessions and export -------------------------------------------------- */

void account_routes_sessions(struct conn *c) {
  struct question *q = question_new(c, query_sessions);
  if (q && limits_address_may(c->server->limits, LIMIT_MAKES, c->address))
    question_ask(c, q);
  else if (q)
    question_refuse(c, q, 429, SAL_SLOW_DOWN, NULL);
}

void account_routes_export(struct conn *c) {
  struct question *q = question_new(c, query_export);
  if (!q)
    return;
  for (const struct conn *other = c->server->first; other; other = other->next)
    if (other->exporting == q->query.person && !other->closed) {
      question_refuse(c, q, 429, SAL_SLOW_DOWN,
                      N_("One export at a time, please."));
      return;
    }
  if (!limits_address_may(c->server->limits, LIMIT_MAKES, c->address)) {
    question_refuse(c, q, 429, SAL_SLOW_DOWN, NULL);
    return;
  }
  c->exporting = q->query.person;
  q->query.job.slow = true;
  question_ask(c, q);
}

static void revoked(struct account_job *d, int error) {
  struct server *srv = d->owner;
  struct conn *c = conn_find(srv, d->conn);
  if (!error)
    people_end(srv->people, d->person, *d->session ? d->session : NULL,
               d->hash);
  if (!c || !c->http)
    return;
  if (error == SAL_NO_TABLE)
    http_refuse(c, 404, SAL_BAD_REQUEST, N_("You have no such session."));
  else if (error)
    refuse_error(c, error);
  else
    answer_ok(c);
}

void account_routes_revoke(struct conn *c) {
  char token[TOKEN_MAX + 1];
  struct person *p = routes_person(c, token);
  json_t *body = routes_body(c);
  const char *name = text_in(body, "session");
  const bool others = json_is_true(json_object_get(body, "others"));
  struct account_job d = {0};
  if (!p) {
    no_session(c);
  } else if (others == (name != NULL) ||
             (name && (strlen(name) != SESSION_NAME ||
                       strspn(name, "0123456789abcdef") != SESSION_NAME))) {
    http_refuse(c, 400, SAL_BAD_REQUEST,
                "\"session\" is the name of one, or \"others\" is true.");
  } else {
    if (name)
      strcpy(d.session, name);
    post_account_job_of(c, p, token, account_store_revoke, &d, revoked);
  }
  json_decref(body);
}

/* ---- Deleting an account -------------------------------------------------- */

static void erased(struct account_job *d, int error) {
  struct server *srv = d->owner;
  struct conn *c = conn_find(srv, d->conn);
  struct person *p = people_get(srv->people, d->person);
  if (!error) {
    if (p) {
      accounts_renamed(srv->accounts, p, NULL);
      p->name[0] = '\0';
    }
    rooms_rename(srv, d->person, "");
    people_end(srv->people, d->person, NULL, NULL);
    people_forget_unused(srv->people);
  }
  if (!c || !c->http)
    return;
  if (error)
    refuse_error(c, error);
  else
    routes_clear_cookie(c);
}

static void delete_proven(struct server *srv, uint64_t conn, int64_t person,
                          const char *proof, int error) {
  char token[TOKEN_MAX + 1];
  struct person *p;
  struct conn *c = proven_asker(srv, conn, error, &p, token);
  struct account_job d = {0};
  if (!c)
    return;
  strcpy(d.proof, proof);
  rooms_stand_up(srv, person);
  post_account_job_of(c, p, token, account_store_erase, &d, erased);
}

void account_routes_delete(struct conn *c) {
  char token[TOKEN_MAX + 1];
  struct person *p = routes_person(c, token);
  json_t *body = routes_body(c);
  if (!p)
    no_session(c);
  else
    accounts_prove(c->server->accounts, p, routes_password(body, "password"),
                   routes_asker(c), delete_proven);
  json_decref(body);
}
