/* People and their own data. See me.h.
 *
 * Main invariant: who asks is looked up again after every wait, by the cookie
 * of the request that is still open; nothing of a person is held meanwhile but
 * the id. A request that is gone changes nothing more. */
#include "me.h"
#include "accounts.h"
#include "http.h"
#include "rooms.h"
#include "routes.h"

#include <stdlib.h>
#include <string.h>

/* ---- Asking and answering ------------------------------------------------- */

static void answer_ok(struct conn *c) {
  http_respond(c, 200, "application/json", "", "{\"ok\":true}", 11);
}

static void no_session(struct conn *c) {
  http_refuse(c, 401, SAL_NOT_ALLOWED, "There is no session.");
}

static void refuse_error(struct conn *c, int error) {
  http_refuse(c, routes_status(error), error,
              error == SAL_NOT_ALLOWED  ? "That is not your password."
              : error == SAL_SEAT_TAKEN ? "This name is taken."
                                        : NULL);
}

/* A text of the body, for as long as the body. */
static const char *text_in(const json_t *body, const char *key) {
  return json_string_value(json_object_get(body, key));
}

/* The connection whose request still waits, with its person; NULL: gone. */
static struct conn *asker(struct house *h, uint64_t conn,
                          struct person **person, char token[TOKEN_MAX + 1]) {
  struct conn *c = conn_find(h, conn);
  if (!c || !c->http)
    return NULL;
  *person = routes_person(c, token);
  if (*person)
    return c;
  no_session(c);
  return NULL;
}

/* ---- Deeds ---------------------------------------------------------------- */

static void deed_is_done(struct store_job *job, int error) {
  struct deed *d = (struct deed *)job;
  d->told(d, error);
  json_decref(d->found);
  free(d);
}

/* Posts a call for the person who asks. */
static void post(struct conn *c, const struct person *p, const char *token,
                 ledger_call *call, const struct deed *facts,
                 void (*told)(struct deed *d, int error)) {
  struct deed *d = malloc(sizeof *d);
  if (!d) {
    http_refuse(c, 503, SAL_NO_MEMORY, NULL);
    return;
  }
  *d = *facts;
  d->owner = c->house;
  d->conn = c->id;
  d->person = p->id;
  d->now = house_time();
  people_hash(token, d->hash);
  d->told = told;
  d->job.task = STORE_CALL;
  d->job.call = call;
  d->job.done = deed_is_done;
  store_post(c->house->store, &d->job);
}

/* ---- A new name ----------------------------------------------------------- */

static void renamed(struct deed *d, int error) {
  struct house *h = d->owner;
  struct person *p = people_get(h->people, d->person);
  struct conn *c = conn_find(h, d->conn);
  if (!error && p) {
    accounts_renamed(h->accounts, p, d->name);
    strcpy(p->name, d->name);
  }
  if (!c || !c->http)
    return;
  if (error || !p)
    refuse_error(c, error == SAL_LATE ? SAL_SEAT_TAKEN : error);
  else
    routes_tell_person(c, p);
}

static void rename_proven(struct house *h, uint64_t conn, int64_t person,
                          int error) {
  char token[TOKEN_MAX + 1];
  struct person *p;
  struct conn *c = asker(h, conn, &p, token);
  (void)person;
  if (!c)
    return;
  if (error) {
    refuse_error(c, error);
    return;
  }
  json_t *body = routes_body(c);
  struct deed d = {0};
  strcpy(d.name, text_in(body, "name"));
  json_decref(body);
  post(c, p, token, ledger_rename, &d, renamed);
}

void me_rename(struct conn *c) {
  char token[TOKEN_MAX + 1];
  struct person *p = routes_person(c, token);
  json_t *body = routes_body(c);
  const char *name = text_in(body, "name");
  if (!p)
    no_session(c);
  else if (!routes_name_is_good(name))
    http_refuse(c, 400, SAL_BAD_REQUEST,
                "\"name\" is a text of 1 to 24 characters.");
  else if (!people_address_may(c->house->people, c->address))
    http_refuse(c, 429, SAL_SLOW_DOWN, NULL);
  else
    accounts_prove(c->house->accounts, p, routes_password(body, "password"),
                   c->id, rename_proven);
  json_decref(body);
}

/* ---- A new password ------------------------------------------------------- */

static void password_changed(struct house *h, uint64_t conn,
                             struct person *person, const char *token,
                             int error) {
  struct conn *c = conn_find(h, conn);
  (void)person, (void)token;
  if (!c || !c->http)
    return;
  if (error)
    refuse_error(c, error);
  else
    answer_ok(c);
}

static void password_proven(struct house *h, uint64_t conn, int64_t person,
                            int error) {
  char token[TOKEN_MAX + 1];
  uint8_t hash[STORE_HASH];
  struct person *p;
  struct conn *c = asker(h, conn, &p, token);
  (void)person;
  if (!c)
    return;
  if (error) {
    refuse_error(c, error);
    return;
  }
  json_t *body = routes_body(c);
  people_hash(token, hash);
  accounts_change(h->accounts, p, routes_password(body, "password"), hash, conn,
                  password_changed);
  json_decref(body);
}

void me_password(struct conn *c) {
  char token[TOKEN_MAX + 1];
  struct person *p = routes_person(c, token);
  json_t *body = routes_body(c);
  const char *old = routes_password(body, "old");
  if (!p)
    no_session(c);
  else if (!accounts_has(c->house->accounts, p))
    http_refuse(c, 409, SAL_NOT_ALLOWED, "You have no account.");
  else if (!old || !routes_password(body, "password"))
    http_refuse(c, 400, SAL_BAD_REQUEST,
                "\"old\" and \"password\" are texts of 8 to 200 bytes.");
  else
    accounts_prove(c->house->accounts, p, old, c->id, password_proven);
  json_decref(body);
}

/* ---- Sessions and export -------------------------------------------------- */

static void tell_found(struct deed *d, int error) {
  struct house *h = d->owner;
  struct conn *c = conn_find(h, d->conn);
  if (!c || !c->http)
    return;
  char *text = NULL;
  if (!error) {
    json_t *all =
        json_pack("{s:b, s:O}", "ok", 1,
                  json_is_array(d->found) ? "sessions" : "data", d->found);
    text = json_dumps(all, JSON_COMPACT);
    json_decref(all);
  }
  if (text)
    http_respond(c, 200, "application/json", "", text, strlen(text));
  else
    refuse_error(c, error ? error : SAL_NO_MEMORY);
  free(text);
}

static void ask_found(struct conn *c, ledger_call *call) {
  char token[TOKEN_MAX + 1];
  struct person *p = routes_person(c, token);
  const struct deed d = {0};
  if (!p)
    no_session(c);
  else if (!people_address_may(c->house->people, c->address))
    http_refuse(c, 429, SAL_SLOW_DOWN, NULL);
  else
    post(c, p, token, call, &d, tell_found);
}

void me_sessions(struct conn *c) { ask_found(c, ledger_sessions); }
void me_export(struct conn *c) { ask_found(c, ledger_export); }

static void revoked(struct deed *d, int error) {
  struct house *h = d->owner;
  struct conn *c = conn_find(h, d->conn);
  if (!error)
    people_end(h->people, d->person, *d->session ? d->session : NULL, d->hash);
  if (!c || !c->http)
    return;
  if (error == SAL_NO_TABLE)
    http_refuse(c, 404, SAL_BAD_REQUEST, "You have no such session.");
  else if (error)
    refuse_error(c, error);
  else
    answer_ok(c);
}

void me_revoke(struct conn *c) {
  char token[TOKEN_MAX + 1];
  struct person *p = routes_person(c, token);
  json_t *body = routes_body(c);
  const char *name = text_in(body, "session");
  const bool others = json_is_true(json_object_get(body, "others"));
  struct deed d = {0};
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
    post(c, p, token, ledger_revoke, &d, revoked);
  }
  json_decref(body);
}

/* ---- Farewell ------------------------------------------------------------- */

static void stand_up(struct live *l, void *context) {
  const struct room *r = l->room;
  struct intent i = {0};
  i.move.seat = room_seat_of(r, *(const int64_t *)context);
  if (i.move.seat < 0 || r->ended || (r->table && !room_in_play(r)))
    return;
  strcpy(i.move.kind, r->table ? "resign" : "leave");
  rooms_submit(l, &i);
}

void me_stand_up(struct house *h, int64_t person) {
  rooms_each(h->rooms, stand_up, &person);
}

static void lose_name(struct live *l, void *context) {
  for (int i = 0; i < l->room->head.setup.players; i++)
    if (l->room->seat[i].person == *(const int64_t *)context)
      l->room->seat[i].name[0] = '\0';
}

static void erased(struct deed *d, int error) {
  struct house *h = d->owner;
  struct conn *c = conn_find(h, d->conn);
  struct person *p = people_get(h->people, d->person);
  if (!error) {
    if (p) {
      accounts_renamed(h->accounts, p, NULL);
      p->name[0] = '\0';
    }
    rooms_each(h->rooms, lose_name, &d->person);
    people_end(h->people, d->person, NULL, NULL);
    people_tidy(h->people);
  }
  if (!c || !c->http)
    return;
  if (error)
    refuse_error(c, error);
  else
    routes_clear_cookie(c);
}

static void delete_proven(struct house *h, uint64_t conn, int64_t person,
                          int error) {
  char token[TOKEN_MAX + 1];
  struct person *p;
  struct conn *c = asker(h, conn, &p, token);
  const struct deed d = {0};
  if (!c)
    return;
  if (error) {
    refuse_error(c, error);
    return;
  }
  me_stand_up(h, person);
  post(c, p, token, ledger_erase, &d, erased);
}

void me_delete(struct conn *c) {
  char token[TOKEN_MAX + 1];
  struct person *p = routes_person(c, token);
  json_t *body = routes_body(c);
  if (!p)
    no_session(c);
  else
    accounts_prove(c->house->accounts, p, routes_password(body, "password"),
                   c->id, delete_proven);
  json_decref(body);
}
