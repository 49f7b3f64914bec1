/* Calling people. See push.h.
 *
 * Main invariant: what is sent says whose turn it is, at which table, and who
 * plays there, as the lobby knows it; no view is asked, so no card can be in
 * it. */
#include "push.h"
#include "people/limits.h"
#include "http.h"
#include "people/people.h"
#include "preview.h"
#include "push_sender.h"
#include "questions.h"
#include "rooms/translate.h"
#include "routes.h"
#include "ws.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct push {
  struct push_keys *keys;
  struct push_sender *sender;
};

/* ---- Life ------------------------------------------------------------------ */

static void push_is_told(void *context, const struct push_letter *l);

bool push_keys_path(const struct server_options *o, char *out, size_t size) {
  const int n = snprintf(out, size, "%s/push.key", o->data);
  return n > 0 && (size_t)n < size;
}

int push_open(struct server *srv) {
  char path[1024];
  struct push *p = calloc(1, sizeof *p);
  if (!p)
    return SAL_NO_MEMORY;
  if (push_keys_path(&srv->options, path, sizeof path))
    p->keys = push_keys_read(path);
  if (!p->keys) {
    free(p);
    return 0;
  }
  const struct push_sending how = {
      p->keys, srv->origin, srv->options.push_anywhere, push_is_told, srv};
  p->sender = push_sender_new(&srv->loop, &how);
  srv->push = p;
  return p->sender ? 0 : SAL_NO_MEMORY;
}

void push_close(struct server *srv) {
  if (srv->push && srv->push->sender)
    push_sender_close(srv->push->sender);
}

void push_free(struct server *srv) {
  if (!srv->push)
    return;
  push_sender_free(srv->push->sender);
  push_keys_free(srv->push->keys);
  free(srv->push);
  srv->push = NULL;
}

/* ---- Subscriptions --------------------------------------------------------- */

struct changing {
  struct push_job push; /* first, so that `done` finds the rest */
  struct server *server;
  uint64_t conn; /* whom to answer; 0: nobody */
};

static void change_is_durable(struct store_job *job, int error) {
  struct changing *s = (struct changing *)job;
  struct conn *c = s->conn ? conn_find(s->server, s->conn) : NULL;
  if (c && c->http && error)
    http_refuse(c, 503, error, NULL);
  else if (c && c->http)
    http_respond(c, 200, "application/json", "", "{\"ok\":true}", 11);
  free(s);
}

/* Posts the change; false: no memory. */
static bool post_change(struct server *srv, uint64_t conn, int64_t person,
                        const struct push_target *target, store_call *call) {
  struct changing *s = calloc(1, sizeof *s);
  if (!s)
    return false;
  s->server = srv;
  s->conn = conn;
  s->push.person = person;
  s->push.now = server_time();
  s->push.target = *target;
  s->push.job.call = call;
  s->push.job.done = change_is_durable;
  store_post(srv->store, &s->push.job);
  return true;
}

/* A subscription that is dead is forgotten. */
static void push_is_told(void *context, const struct push_letter *l) {
  struct server *srv = context;
  char status[16];
  snprintf(status, sizeof status, "%ld", l->status);
  if (l->status == 404 || l->status == 410)
    post_change(srv, 0, 0, &l->target, push_store_remove);
  if (l->status < 200 || l->status > 299)
    server_log("warning", "push-failed", "status", status, NULL);
  else
    srv->counters.pushes++;
}

void push_answer_key(struct conn *c) {
  const struct push *p = c->server->push;
  char body[160];
  const int n = p ? snprintf(body, sizeof body, "{\"ok\":true,\"push\":\"%s\"}",
                             push_keys_public(p->keys))
                  : snprintf(body, sizeof body, "{\"ok\":true}");
  http_respond(c, 200, "application/json", "", body, (size_t)n);
}

static bool read_text(const json_t *body, const char *name, char *out,
                      size_t size) {
  const char *text = json_string_value(json_object_get(body, name));
  if (!text || strlen(text) >= size)
    return false;
  strcpy(out, text);
  return true;
}

static bool is_key(const char *text, uint8_t *out, size_t size) {
  size_t n = 0;
  return sodium_base642bin(out, size, text, strlen(text), NULL, &n, NULL,
                           sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
         n == size;
}

/* The subscription of a request; without `whole` its endpoint alone. */
static bool read_target(const struct conn *c, const json_t *body, bool whole,
                        struct push_target *out) {
  uint8_t point[PUSH_POINT], auth[PUSH_AUTH];
  memset(out, 0, sizeof *out);
  snprintf(out->lang, sizeof out->lang, "%s", preview_language(c)->id);
  if (!read_text(body, "endpoint", out->endpoint, sizeof out->endpoint) ||
      !push_endpoint_is_sound(out->endpoint, c->server->options.push_anywhere))
    return false;
  return !whole ||
         (read_text(body, "p256dh", out->key, sizeof out->key) &&
          read_text(body, "auth", out->auth, sizeof out->auth) &&
          is_key(out->key, point, sizeof point) &&
          is_key(out->auth, auth, sizeof auth) && push_is_point(point));
}

void push_subscribe(struct conn *c) {
  char token[TOKEN_MAX + 1];
  const struct person *p = routes_person(c, token);
  json_t *body = routes_body(c);
  const bool whole = !json_is_true(json_object_get(body, "remove"));
  struct push_target target;
  if (!p)
    http_refuse(c, 401, SAL_NOT_ALLOWED,
                N_("You are not signed in: sign in first."));
  else if (!c->server->push)
    http_refuse(c, 404, SAL_BAD_REQUEST,
                N_("This server has no keys for push."));
  else if (!read_target(c, body, whole, &target))
    http_refuse(c, 400, SAL_BAD_REQUEST,
                "\"endpoint\" is an address of https, \"p256dh\" and \"auth\" "
                "are the keys of a subscription.");
  else if (!limits_address_may(c->server->limits, LIMIT_MAKES, c->address))
    http_refuse(c, 429, SAL_SLOW_DOWN, NULL);
  else if (!post_change(c->server, c->id, p->id, &target,
                        whole ? push_store_add : push_store_remove))
    http_refuse(c, 503, SAL_NO_MEMORY, NULL);
  json_decref(body);
}

/* ---- Calling --------------------------------------------------------------- */

struct calling {
  struct push_query query; /* first, so that `done` finds the rest */
  struct server *server;
  char room[ROOM_ID + 1];
  int seat;
};

static const struct server_language *language_of(const struct server *srv,
                                                 const char *id) {
  const struct server_language *all = srv->options.languages, *l = all;
  while (l->id && strcmp(l->id, id) != 0)
    l++;
  return l->id ? l : all;
}

/* Whom they play with. */
static void say_others(const struct translator *s, const struct room *r,
                       int seat, struct sal_text *out) {
  for (int i = 0; i < r->head.setup.players; i++) {
    if (i == seat || !s->name[i])
      continue;
    if (out->len)
      sal_text_add(out, ", ");
    sal_text_add(out, s->name[i]);
  }
}

static void write_letter(const struct room *r, int seat,
                         const struct server_language *l,
                         struct sal_text *out) {
  struct translator s;
  struct sal_json j;
  char others[SAL_SEATS_MAX * (STORE_NAME_MAX + 20)], body[800];
  struct sal_text t;
  translator_init(&s, &l->catalogue, r);
  sal_text_init(&t, others, sizeof others);
  say_others(&s, r, seat, &t);
  const struct sal_place places[] = {
      {"name", SAL_PLACE_TEXT, r->seat[seat].name, 0},
      {"others", SAL_PLACE_TEXT, others, 0}};
  sal_text_init(&t, body, sizeof body);
  sal_say(&t, &s.speaker.words, false,
          N_("{name}, it is your turn. You are playing with {others}."), places,
          2);
  sal_json_init(&j, out);
  sal_json_object(&j, NULL);
  sal_json_string(&j, "title",
                  sal_catalogue_text(&l->catalogue, r->head.game->info.title));
  sal_json_string(&j, "body", body);
  sal_json_string(&j, "table", r->id);
  sal_json_end(&j, '}');
}

static void send_letters(const struct calling *call, const struct room *r) {
  for (int i = 0; i < call->query.count; i++) {
    const struct push_target *target = &call->query.target[i];
    struct push_letter *l = calloc(1, sizeof *l);
    struct sal_text t;
    if (!l)
      return;
    l->target = *target;
    sal_text_init(&t, l->text, sizeof l->text);
    write_letter(r, call->seat, language_of(call->server, target->lang), &t);
    if (t.lost || !push_sender_take(call->server->push->sender, l))
      free(l);
  }
}

/* They may have come, or the turn gone, meanwhile. */
static void targets_are_found(struct store_job *job, int error) {
  struct calling *call = (struct calling *)job;
  const struct active_room *active =
      rooms_find(call->server->rooms, call->room);
  if (!error && active && !call->server->closing &&
      room_seat_of(active->room, call->query.person) == call->seat &&
      (room_asked(active->room) >> call->seat & 1))
    send_letters(call, active->room);
  free(call);
}

static bool has_page(const struct server *srv, int64_t person) {
  for (const struct conn *c = srv->first; c; c = c->next)
    if (c->ws && !c->closing && c->ws->person->id == person)
      return true;
  return false;
}

static void call_seat(struct active_room *active, int seat) {
  struct server *srv = active->server;
  const int64_t id = active->room->seat[seat].person;
  struct person *p = people_get(srv->people, id);
  if (!p || has_page(srv, id) ||
      !limits_person_may(srv->limits, LIMIT_CALLS, id))
    return;
  struct calling *call = calloc(1, sizeof *call);
  if (!call)
    return;
  call->server = srv;
  call->seat = seat;
  strcpy(call->room, active->room->id);
  call->query.person = id;
  call->query.job.call = query_push;
  call->query.job.done = targets_are_found;
  if (!store_ask(srv->store, &call->query.job))
    free(call);
}

void push_moved(struct active_room *active) {
  const struct room *r = active->room;
  const unsigned asked = room_asked(r), fresh = asked & ~active->called;
  active->called = asked;
  if (!active->server->push || r->head.clock.kind != CLOCK_SLOW)
    return;
  for (int s = 0; s < r->head.setup.players; s++)
    if ((fresh >> s & 1) && r->seat[s].kind == SEAT_PERSON && !r->seat[s].away)
      call_seat(active, s);
}
