/* The paths: health, figures, people, and the door to the WebSocket. */
#include "routes.h"
#include "people/accounts.h"
#include "people/limits.h"
#include "court_route.h"
#include "history.h"
#include "metrics.h"
#include "forwarded.h"
#include "health.h"
#include "http.h"
#include "lenders.h"
#include "pages.h"
#include "people/moderation.h"
#include "account_routes.h"
#include "people/people.h"
#include "public.h"
#include "push.h"
#include "reviews.h"
#include "rooms/rooms.h"
#include "ws.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Under https bound to this very host: a browser takes the prefixed one neither
 * from a neighbour under the same domain nor from a page without TLS. */
static const char *cookie_name(const struct server *srv) {
  return srv->secure ? "__Host-salotto" : "salotto";
}

/* ---- People --------------------------------------------------------------- */

struct telling {
  const struct person *person;
  bool account;
  int face;
};

static void write_person(struct sal_json *j, const void *what) {
  const struct telling *t = what;
  const struct person *p = t->person;
  sal_json_object(j, NULL);
  sal_json_bool(j, "ok", true);
  sal_json_object(j, "you");
  sal_json_int(j, "person", p->id);
  sal_json_string(j, "name", p->name);
  if (t->face)
    sal_json_int(j, "face", t->face);
  sal_json_end(j, '}');
  sal_json_bool(j, "account", t->account);
  sal_json_end(j, '}');
}

static void respond_person(struct conn *c, const struct person *p,
                           const char *cookie) {
  const struct telling t = {p, accounts_has(c->server->accounts, p),
                            accounts_face(c->server->accounts, p)};
  size_t length;
  const char *body = server_compose(c->server, write_person, &t, &length);
  if (body)
    http_respond(c, 200, "application/json", cookie, body, length);
  else
    http_refuse(c, 503, SAL_NO_MEMORY, NULL);
}

void routes_respond_person(struct conn *c, const struct person *p) {
  respond_person(c, p, "");
}

struct person *routes_person(struct conn *c, char token[TOKEN_MAX + 1]) {
  if (!http_cookie(c->http, cookie_name(c->server), token, TOKEN_MAX + 1))
    return NULL;
  return people_find(c->server->people, token);
}

enum { COOKIE_LINE = 256 };

/* With an empty token it goes. */
static void write_cookie(const struct server *srv, const char *token,
                         char out[COOKIE_LINE]) {
  snprintf(out, COOKIE_LINE,
           "Set-Cookie: %s=%s; Path=/; Max-Age=%d; HttpOnly; SameSite=Lax%s"
           "\r\n",
           cookie_name(srv), token, *token ? SESSION_DAYS * 86400 : 0,
           srv->secure ? "; Secure" : "");
}

void routes_renew_cookie(struct conn *c, const struct person *p,
                         const char *token) {
  char cookie[COOKIE_LINE];
  write_cookie(c->server, token, cookie);
  respond_person(c, p, cookie);
}

void routes_clear_cookie(struct conn *c) {
  char cookie[COOKIE_LINE];
  write_cookie(c->server, "", cookie);
  http_respond(c, 200, "application/json", cookie, "{\"ok\":true}", 11);
}

int routes_status(int error) {
  switch (error) {
  case SAL_BANNED:
  case SAL_NOT_ALLOWED: return 403;
  case SAL_NAME_TAKEN: return 409;
  case SAL_SLOW_DOWN: return 429;
  default: return 503;
  }
}

static void session_made(struct server *srv, uint64_t conn,
                         struct person *person, const char *token, int error) {
  struct conn *c = conn_find(srv, conn);
  if (!c || !c->http)
    return;
  if (error) {
    http_refuse(c, routes_status(error), error,
                error == SAL_NOT_ALLOWED ? N_("Wrong name or password.")
                                         : NULL);
    return;
  }
  char cookie[COOKIE_LINE];
  write_cookie(srv, token, cookie);
  server_log("info", "session", "address", c->address, NULL);
  respond_person(c, person, cookie);
}

json_t *routes_body(const struct conn *c) {
  size_t length;
  const char *body = http_body(c->http, &length);
  return json_loadb(body, length, JSON_REJECT_DUPLICATES, NULL);
}

bool routes_name(struct conn *c, const json_t *body, char out[NAME_SIZE]) {
  const char *name = json_string_value(json_object_get(body, "name"));
  const char *problem = NULL;
  if (name && name_clean(name, out, &problem))
    return true;
  http_refuse(c, 400, SAL_BAD_REQUEST,
              problem ? problem : "\"name\" is a text of 1 to 24 characters.");
  return false;
}

static void make_guest(struct conn *c) {
  json_t *j = routes_body(c);
  char name[NAME_SIZE];
  if (!routes_name(c, j, name))
    ;
  else if (!limits_address_may(c->server->limits, LIMIT_MAKES, c->address))
    http_refuse(c, 429, SAL_SLOW_DOWN, NULL);
  else if (!accounts_name_is_free(c->server->accounts, name))
    http_refuse(c, 409, SAL_NAME_TAKEN, NULL);
  else
    people_guest(c->server->people, name, http_header(c->http, "user-agent"),
                 c->id, session_made);
  json_decref(j);
}

static void account_made(struct server *srv, uint64_t conn,
                         struct person *person, const char *token, int error) {
  struct conn *c = conn_find(srv, conn);
  if (!c || !c->http)
    return;
  if (error)
    http_refuse(c, routes_status(error), error,
                error == SAL_NOT_ALLOWED
                    ? N_("You are not signed in: sign in first.")
                    : NULL);
  else
    routes_renew_cookie(c, person, token);
}

struct accounts_asker routes_asker(const struct conn *c) {
  return (struct accounts_asker){c->address, c->id};
}

const char *routes_password(const json_t *j, const char *key) {
  const char *text = json_string_value(json_object_get(j, key));
  const size_t n = text ? strlen(text) : 0;
  return n >= PASSWORD_MIN && n <= PASSWORD_MAX ? text : NULL;
}

static void open_account(struct conn *c) {
  char token[TOKEN_MAX + 1];
  uint8_t hash[STORE_HASH];
  struct person *p = routes_person(c, token);
  json_t *j = routes_body(c);
  const char *password = routes_password(j, "password");
  if (!p)
    http_refuse(c, 401, SAL_NOT_ALLOWED,
                N_("You are not signed in: sign in first."));
  else if (!password)
    http_refuse(c, 400, SAL_BAD_REQUEST,
                "\"password\" is a text of 8 to 200 bytes.");
  else if (!limits_address_may(c->server->limits, LIMIT_MAKES, c->address))
    http_refuse(c, 429, SAL_SLOW_DOWN, NULL);
  else {
    people_hash(token, hash);
    accounts_open(c->server->accounts, p, password, hash, routes_asker(c),
                  account_made);
  }
  json_decref(j);
}

static void enter_account(struct conn *c) {
  json_t *j = routes_body(c);
  const char *name = json_string_value(json_object_get(j, "name"));
  const char *password = routes_password(j, "password");
  if (!name || !password || strlen(name) > STORE_NAME_MAX)
    http_refuse(c, 400, SAL_BAD_REQUEST,
                "\"name\" is a text, \"password\" one of 8 to 200 bytes.");
  else if (!limits_address_may(c->server->limits, LIMIT_MAKES, c->address))
    http_refuse(c, 429, SAL_SLOW_DOWN, NULL);
  else
    accounts_enter(c->server->accounts, name, password,
                   http_header(c->http, "user-agent"), routes_asker(c),
                   session_made);
  json_decref(j);
}

static void session_gone(struct server *srv, uint64_t conn,
                         struct person *person, const char *token, int error) {
  struct conn *c = conn_find(srv, conn);
  (void)person, (void)token;
  if (!c || !c->http)
    return;
  if (error)
    http_refuse(c, 503, error, NULL);
  else
    routes_clear_cookie(c);
}

static void forget_session(struct conn *c) {
  char token[TOKEN_MAX + 1];
  if (routes_person(c, token))
    people_forget(c->server->people, token, c->id, session_gone);
  else
    http_refuse(c, 401, SAL_NOT_ALLOWED,
                N_("You are not signed in: sign in first."));
}

/* A session lives on for as long as it is used, and so does its cookie. */
static void who_am_i(struct conn *c) {
  char token[TOKEN_MAX + 1];
  const struct person *p = routes_person(c, token);
  if (p)
    routes_renew_cookie(c, p, token);
  else
    http_refuse(c, 401, SAL_NOT_ALLOWED,
                N_("You are not signed in: sign in first."));
}

static void see_lobby(struct conn *c) {
  char token[TOKEN_MAX + 1], cookie[COOKIE_LINE] = "";
  const struct person *p = routes_person(c, token);
  if (p)
    write_cookie(c->server, token, cookie);
  public_lobby(c, p, p && accounts_has(c->server->accounts, p), cookie);
}

/* ---- The WebSocket -------------------------------------------------------- */

static void open_websocket(struct conn *c) {
  char token[TOKEN_MAX + 1];
  const char *problem = ws_problem(c);
  if (problem) {
    http_refuse(c, 400, SAL_BAD_REQUEST, problem);
    return;
  }
  if (!http_same_origin(c, true)) {
    conn_blame(c, "a WebSocket from a page of somebody else");
    http_refuse(c, 403, SAL_NOT_ALLOWED,
                N_("The Origin is not that of this server."));
    return;
  }
  struct person *p = routes_person(c, token);
  char session[SESSION_NAME + 1];
  if (p) {
    people_session_name(token, session);
    ws_open(c, p, session);
  } else {
    http_refuse(c, 401, SAL_NOT_ALLOWED,
                N_("You are not signed in: sign in first."));
  }
}

/* ---- The list ------------------------------------------------------------- */

static const struct route {
  const char *method, *path;
  bool changes; /* something: a page of somebody else may not ask for it */
  bool welcome; /* only who is not banned */
  void (*answer)(struct conn *c);
} routes[] = {
    {"GET", "/healthz", false, false, health_answer_alive},
    {"GET", "/readyz", false, false, health_answer_ready},
    {"GET", "/metrics", false, false, metrics_answer},
    {"GET", "/api/me", false, false, who_am_i},
    {"GET", "/api/lobby", false, false, see_lobby},
    {"GET", "/api/policy", false, false, public_policy},
    {"GET", "/api/sessions", false, false, account_routes_sessions},
    {"GET", "/api/export", false, false, account_routes_export},
    {"POST", "/api/guest", true, true, make_guest},
    {"POST", "/api/account", true, true, open_account},
    {"POST", "/api/enter", true, true, enter_account},
    {"POST", "/api/name", true, true, account_routes_rename},
    {"POST", "/api/password", true, true, account_routes_password},
    {"GET", "/api/push", false, false, push_answer_key},
    {"POST", "/api/push", true, true, push_subscribe},
    {"POST", "/api/court", true, true, court_route_add},
    {"POST", "/api/face", true, true, account_routes_face},
    {"POST", "/api/revoke", true, false, account_routes_revoke},
    {"POST", "/api/forget", true, false, forget_session},
    {"POST", "/api/delete", true, false, account_routes_delete},
    {"GET", "/api/history", false, false, history_games},
    {"GET", "/api/progress", false, false, history_progress},
    {"GET", "/api/profile", false, false, history_profile},
    {"GET", "/api/leaders", false, false, history_leaders},
    {"GET", "/api/mine", false, false, history_my_tables},
    {"GET", "/ws", false, true, open_websocket},
};

/* By the address, or by the cookie. */
static bool is_banned(struct conn *c) {
  char token[TOKEN_MAX + 1];
  const struct moderation *mod = c->server->moderation;
  const struct person *p = routes_person(c, token);
  return moderation_bans_address(mod, c->address) ||
         (p && moderation_bans_person(mod, p->id));
}

/* Whose address it is, says the farthest proxy that is trusted. False: there are
 * too many connections of it. */
static bool believe_proxy(struct conn *c) {
  const int hops = c->server->options.trusted_hops;
  char list[HTTP_HEAD_MAX], client[FORWARDED_MAX];
  if (hops == 0)
    return true;
  http_header_lines(c->http, "x-forwarded-for", list, sizeof list);
  return !forwarded_client(list, hops, client) || conn_comes_from(c, client);
}

static bool asks_how_things_are(const struct conn *c) {
  return http_is(c->http, NULL, "/healthz") ||
         http_is(c->http, NULL, "/readyz") ||
         http_is(c->http, NULL, "/metrics");
}

/* What is stored may be asked for so often. */
static bool may_read(const struct conn *c) {
  return !http_reads(c->http) || strncmp(http_url(c->http), "/api/", 5) != 0 ||
         limits_address_may(c->server->limits, LIMIT_READS, c->address);
}

void routes_answer(struct conn *c) {
  bool known = false;
  if (c->last_resort && !asks_how_things_are(c)) {
    http_refuse(c, 503, SAL_FULL, NULL);
    return;
  }
  if (!believe_proxy(c) || !may_read(c)) {
    http_refuse(c, 429, SAL_SLOW_DOWN, NULL);
    return;
  }
  for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
    const struct route *r = &routes[i];
    if (!http_is(c->http, NULL, r->path))
      continue;
    known = true;
    if (!http_is(c->http, r->method, r->path))
      continue;
    if (c->server->closing && !asks_how_things_are(c))
      http_refuse(c, 503, SAL_CLOSING, NULL);
    else if (r->changes && !http_same_origin(c, false))
      http_refuse(c, 403, SAL_NOT_ALLOWED,
                  N_("The Origin is not that of this server."));
    else if (r->welcome && is_banned(c))
      http_refuse(c, 403, SAL_BANNED, NULL);
    else
      r->answer(c);
    return;
  }
  if (!known &&
      (history_respond(c) || reviews_respond(c) || public_respond(c) ||
       lenders_respond(c) || pages_answer(c) || pages_answer_missing(c)))
    return;
  http_refuse(c, known ? 405 : 404, SAL_BAD_REQUEST,
              known ? "This path is asked in another way."
                    : N_("There is nothing here."));
}
