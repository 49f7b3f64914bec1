/* What has been. See history.h.
 *
 * The store's readers do all of it: they look up, and play games again. Of a
 * room that is active the moves are here; they are copied for that. */
#include "history.h"
#include "http.h"
#include "messages.h"
#include "questions.h"
#include "store/progress_store.h"
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
  if (!rest || *rest)
    return false;
  *out = n;
  return true;
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

void history_progress(struct conn *c) {
  struct question *q = question_new(c, query_progress);
  if (q)
    question_ask(c, q);
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
    http_refuse(c, 401, SAL_NOT_ALLOWED,
                N_("You are not signed in: sign in first."));
    return;
  }
  const char *text = messages_mine_text(c->server, p, &length);
  if (text)
    http_respond(c, 200, "application/json", "", text, length);
  else
    http_refuse(c, 503, SAL_NO_MEMORY, NULL);
}

/* ---- Records and replays -------------------------------------------------- */

static void forget_past_game(struct past_game *g) {
  store_moves_free(&g->load.moves);
  free(g->replay.text);
  free(g);
}

static int status_of(int error) {
  switch (error) {
  case SAL_NO_TABLE: return 404;
  case SAL_NOT_ALLOWED: return 403;
  case SAL_NOT_STARTED: return 409;
  case SAL_BAD_REQUEST: return 400;
  default: return 503;
  }
}

static const char *reason_of(int error, const struct replay *p) {
  if (error == p->why.code)
    return p->why.message;
  return error == SAL_NO_TABLE ? N_("There is no such table.") : NULL;
}

static void past_game_is_played(struct store_job *job, int error) {
  struct past_game *g = (struct past_game *)job;
  struct conn *c = question_end(g->server, g->conn);
  const struct replay *p = &g->replay;
  if (!error && !p->text)
    error = p->why.code;
  if (c && error)
    http_refuse(c, status_of(error), error, reason_of(error, p));
  else if (c)
    g->respond(c, g);
  forget_past_game(g);
}

static void play_again(struct store_job *job) {
  struct past_game *g = (struct past_game *)job;
  g->replay.moves = &g->load.moves;
  replay_make(&g->replay);
}

struct past_game *past_game_new(struct conn *c, const char *id,
                                past_game_respond *respond) {
  char token[TOKEN_MAX + 1];
  struct past_game *g = calloc(1, sizeof *g);
  if (!g) {
    http_refuse(c, 503, SAL_NO_MEMORY, NULL);
    return NULL;
  }
  const struct person *p = routes_person(c, token);
  g->server = c->server;
  g->conn = c->id;
  memcpy(g->load.room, id, ROOM_ID);
  g->load.job.work = play_again;
  g->load.job.done = past_game_is_played;
  g->replay.person = p ? p->id : 0;
  g->respond = respond;
  return g;
}

bool history_find_moves(struct server *srv, struct load_job *load) {
  const struct active_room *active = rooms_find(srv->rooms, load->room);
  load->job.call = active ? NULL : store_load_room;
  for (size_t i = 0; active && i < active->moves.count; i++)
    if (!store_moves_add(&load->moves, active->moves.at[i]))
      return false;
  return true;
}

static bool read_language(struct conn *c, const struct sal_catalogue **out) {
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

void past_game_ask(struct conn *c, struct past_game *g) {
  if (!read_language(c, &g->replay.catalogue))
    http_refuse(c, 400, SAL_BAD_REQUEST, "There is no such language.");
  else if (!history_find_moves(g->server, &g->load))
    http_refuse(c, 503, SAL_NO_MEMORY, NULL);
  else if (question_post(c, &g->load.job))
    return;
  forget_past_game(g);
}

static void respond_record(struct conn *c, const struct past_game *g) {
  http_respond(c, 200, "text/plain; charset=utf-8", "", g->replay.text,
               g->replay.length);
}

static void respond_replay(struct conn *c, const struct past_game *g) {
  http_respond(c, 200, "application/json", "", g->replay.text,
               g->replay.length);
}

/* What the query of a replay says. */
static void read_wishes(struct conn *c, struct replay *p) {
  char text[16];
  int64_t seat;
  history_number(c, "from", &p->from);
  p->viewer = SAL_SPECTATOR;
  if (history_number(c, "seat", &seat))
    p->viewer = seat < SAL_SEATS_MAX ? (int)seat : SAL_SEATS_MAX;
  else if (parameter(c, "seat", text, sizeof text) && strcmp(text, "open") == 0)
    p->viewer = SAL_EVERYTHING;
}

bool history_respond(struct conn *c) {
  const char *url = http_url(c->http);
  const char *record = sal_skip(url, "/api/record/");
  const char *id = record ? record : sal_skip(url, "/api/replay/");
  if (!id || !http_reads(c->http) || strcspn(id, "?") != ROOM_ID)
    return false;
  struct past_game *g =
      past_game_new(c, id, record ? respond_record : respond_replay);
  if (!g)
    return true;
  g->replay.record = record != NULL;
  read_wishes(c, &g->replay);
  past_game_ask(c, g);
  return true;
}
