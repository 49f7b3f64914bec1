/* What has been. See history.h.
 *
 * The store's readers do all of it: they look up, and play games again. Of a
 * room that is active the moves are here; they are copied for that. */
#include "history.h"
#include "http.h"
#include "messages.h"
#include "questions.h"
#include "rooms/replay.h"
#include "store/public_queries.h"
#include "routes.h"

#include <stdlib.h>
#include <string.h>

/* ---- Parameters ----------------------------------------------------------- */

/* The value of a parameter of the query, if it is there, short, and plain. */
static bool parameter(const struct conn *c, const char *name, char *out,
                      size_t size) {
  const char *at = strchr(http_url(c->http), '?');
  const size_t n = strlen(name);
  while (at) {
    at++;
    const size_t length = strcspn(at, "&");
    if (length > n && strncmp(at, name, n) == 0 && at[n] == '=' &&
        length - n - 1 < size) {
      memcpy(out, at + n + 1, length - n - 1);
      out[length - n - 1] = '\0';
      return strspn(out, "abcdefghijklmnopqrstuvwxyz0123456789") ==
             length - n - 1;
    }
    at = strchr(at, '&');
  }
  return false;
}

bool history_number(const struct conn *c, const char *name, int64_t *out) {
  char text[16];
  int32_t n;
  if (!parameter(c, name, text, sizeof text))
    return false;
  const char *rest = sal_number_read(text, &n);
  *out = n;
  return rest && !*rest;
}

/* ---- Lists ---------------------------------------------------------------- */

void history_games(struct conn *c) {
  struct question *q = question_new(c, query_history);
  if (!q)
    return;
  if (!history_number(c, "before", &q->query.before))
    q->query.before = INT64_MAX;
  question_ask(c, q);
}

void history_leaders(struct conn *c) {
  struct question *q = question_of_anybody(c, query_leaders);
  if (!q)
    return;
  if (parameter(c, "game", q->query.game, sizeof q->query.game) &&
      sal_game_find(q->query.game))
    question_ask(c, q);
  else
    question_refuse(c, q, 400, SAL_UNKNOWN_GAME, NULL);
}

void history_profile(struct conn *c) {
  struct question *q = question_of_anybody(c, query_profile);
  if (!q)
    return;
  if (history_number(c, "person", &q->query.about))
    question_ask(c, q);
  else
    question_refuse(c, q, 400, SAL_BAD_REQUEST,
                    "\"person\" is the number of a person.");
}

/* ---- My tables ------------------------------------------------------------ */

void history_my_tables(struct conn *c) {
  char token[TOKEN_MAX + 1];
  const struct person *p = routes_person(c, token);
  size_t length;
  if (!p) {
    http_refuse(c, 401, SAL_NOT_ALLOWED, N_("There is no session."));
    return;
  }
  const char *text = messages_mine_text(c->server, p, &length);
  if (text)
    http_respond(c, 200, "application/json", "", text, length);
  else
    http_refuse(c, 503, SAL_NO_MEMORY, NULL);
}

/* ---- Records and replays -------------------------------------------------- */

struct showing {
  struct load_job load; /* first, so that `done` finds the rest */
  struct server *server;
  uint64_t conn;
  struct replay replay;
};

static void free_showing(struct showing *s) {
  store_moves_free(&s->load.moves);
  free(s->replay.text);
  free(s);
}

int history_status(int error) {
  switch (error) {
  case SAL_NO_TABLE: return 404;
  case SAL_NOT_ALLOWED: return 403;
  case SAL_NOT_STARTED: return 409;
  case SAL_BAD_REQUEST: return 400;
  default: return 503;
  }
}

static void showing_is_done(struct store_job *job, int error) {
  struct showing *s = (struct showing *)job;
  struct conn *c = question_end(s->server, s->conn);
  const struct replay *p = &s->replay;
  if (!error && !p->text)
    error = p->why.code;
  if (c) {
    if (error)
      http_refuse(c, history_status(error), error,
                  error == p->why.code ? p->why.message : NULL);
    else if (p->record)
      http_respond(c, 200, "text/plain; charset=utf-8", "", p->text, p->length);
    else
      http_respond(c, 200, "application/json", "", p->text, p->length);
  }
  free_showing(s);
}

static void play_again(struct store_job *job) {
  struct showing *s = (struct showing *)job;
  s->replay.moves = &s->load.moves;
  replay_make(&s->replay);
}

/* What is to be read: nothing of a room that is active. False: no memory. */
bool history_moves(struct server *srv, struct load_job *load) {
  const struct active_room *active = rooms_find(srv->rooms, load->room);
  load->job.call = active ? NULL : store_load_room;
  for (size_t i = 0; active && i < active->moves.count; i++)
    if (!store_moves_add(&load->moves, active->moves.at[i]))
      return false;
  return true;
}

bool history_language(struct conn *c, const struct sal_catalogue **out) {
  char text[16];
  const struct server_language *l = c->server->options.languages;
  if (!parameter(c, "lang", text, sizeof text))
    return true;
  while (l->id && strcmp(l->id, text) != 0)
    l++;
  if (l->id)
    *out = &l->catalogue;
  return l->id != NULL;
}

/* What the query of a replay says; false: something that is not there. */
static bool read_wishes(struct conn *c, struct replay *p) {
  char text[16];
  int64_t seat;
  if (!history_number(c, "from", &p->from))
    p->from = 0;
  if (!history_language(c, &p->catalogue))
    return false;
  p->viewer = SAL_SPECTATOR;
  if (history_number(c, "seat", &seat))
    p->viewer = seat < SAL_SEATS_MAX ? (int)seat : SAL_SEATS_MAX;
  else if (parameter(c, "seat", text, sizeof text) && strcmp(text, "open") == 0)
    p->viewer = SAL_EVERYTHING;
  return true;
}

static void begin_showing(struct conn *c, const char *id, bool record) {
  char token[TOKEN_MAX + 1];
  struct showing *s = calloc(1, sizeof *s);
  if (!s) {
    http_refuse(c, 503, SAL_NO_MEMORY, NULL);
    return;
  }
  const struct person *p = routes_person(c, token);
  s->server = c->server;
  s->conn = c->id;
  memcpy(s->load.room, id, ROOM_ID);
  s->load.job.work = play_again;
  s->load.job.done = showing_is_done;
  s->replay.person = p ? p->id : 0;
  s->replay.record = record;
  if (!record && !read_wishes(c, &s->replay))
    http_refuse(c, 400, SAL_BAD_REQUEST, "There is no such language.");
  else if (!history_moves(s->server, &s->load))
    http_refuse(c, 503, SAL_NO_MEMORY, NULL);
  else if (question_post(c, &s->load.job))
    return;
  free_showing(s);
}

bool history_respond(struct conn *c) {
  const char *url = http_url(c->http);
  const char *record = sal_skip(url, "/api/record/");
  const char *id = record ? record : sal_skip(url, "/api/replay/");
  if (!id || !http_reads(c->http) || strcspn(id, "?") != ROOM_ID)
    return false;
  begin_showing(c, id, record != NULL);
  return true;
}
