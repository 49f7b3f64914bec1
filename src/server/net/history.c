/* What has been. See history.h.
 *
 * Reading is done by the writer's thread, in small indexed queries; the lists
 * of leaders, which are larger, are kept for a while. Games are played again on
 * a worker, one at a time, so that they take no more than one thread from the
 * bots and no more memory than one game needs. The loop only asks and answers.
 *
 * Main invariant: who asks is looked up by the cookie when the request comes,
 * and only the id of the person and of the connection are held meanwhile. */
#include "history.h"
#include "http.h"
#include "messages.h"
#include "rooms/replay.h"
#include "routes.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum {
  PAGE = 50,
  LEADERS = 100,
  LEADERS_MS = 5000, /* for which the lists of leaders are kept */
  GAMES_MAX = 8,
  SHOWINGS_MAX = 32, /* that wait; then it is refused */
  MOVES_MAX = 20000  /* of a room that is shown */
};

struct history {
  /* Games that are to be shown again; the first is at work. */
  struct showing *first, *last;
  int count;
  /* The lists of leaders, by game, and until when by the loop's clock. */
  struct {
    json_t *leaders, *bots;
    uint64_t until;
  } lists[GAMES_MAX];
};

/* NULL, and refused: no memory. */
static struct history *history_of(struct conn *c) {
  struct server *srv = c->server;
  if (!srv->history && !(srv->history = calloc(1, sizeof *srv->history)))
    http_refuse(c, 503, SAL_NO_MEMORY, NULL);
  return srv->history;
}

void history_free(struct history *a) {
  for (int i = 0; a && i < GAMES_MAX; i++) {
    json_decref(a->lists[i].leaders);
    json_decref(a->lists[i].bots);
  }
  free(a);
}

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

static bool number_parameter(const struct conn *c, const char *name,
                             int64_t *out) {
  char text[16];
  int32_t n;
  if (!parameter(c, name, text, sizeof text))
    return false;
  const char *rest = sal_number_read(text, &n);
  *out = n;
  return rest && !*rest;
}

/* ---- Questions to the store ----------------------------------------------- */

struct question {
  struct store_job job; /* first, so that `done` finds the rest */
  struct server *server;
  uint64_t conn;
  int64_t person;
  int64_t before;
  char game[16];
  bool lists; /* of leaders: they are to be read again */
  json_t *found;
};

static struct question *
new_question(struct conn *c, int (*call)(struct store_job *job, sqlite3 *db),
             store_done *done) {
  struct question *q = calloc(1, sizeof *q);
  char token[TOKEN_MAX + 1];
  if (!q) {
    http_refuse(c, 503, SAL_NO_MEMORY, NULL);
    return NULL;
  }
  const struct person *p = routes_person(c, token);
  q->server = c->server;
  q->conn = c->id;
  q->person = p ? p->id : 0;
  q->job.task = STORE_CALL;
  q->job.call = call;
  q->job.done = done;
  return q;
}

static void respond_found(struct store_job *job, int error) {
  struct question *q = (struct question *)job;
  struct conn *c = conn_find(q->server, q->conn);
  char *text = q->found ? json_dumps(q->found, JSON_COMPACT) : NULL;
  if (c && c->http) {
    if (text && !error)
      http_respond(c, 200, "application/json", "", text, strlen(text));
    else
      http_refuse(c, 503, error ? error : SAL_NO_MEMORY, NULL);
  }
  free(text);
  json_decref(q->found);
  free(q);
}

static void set_text(json_t *to, const char *name, sqlite3_stmt *q, int i) {
  const char *text = (const char *)sqlite3_column_text(q, i);
  json_object_set_new(to, name, json_string(text ? text : ""));
}

static void set_int(json_t *to, const char *name, sqlite3_stmt *q, int i) {
  json_object_set_new(to, name, json_integer(sqlite3_column_int64(q, i)));
}

/* A rating is told as a whole number; not at all where there is none. */
static void set_rating(json_t *to, const char *name, sqlite3_stmt *q, int i) {
  const double v = sqlite3_column_double(q, i);
  if (v > 0)
    json_object_set_new(to, name, json_integer((json_int_t)(v + 0.5)));
}

/* ---- History -------------------------------------------------------------- */

static json_t *seats_of(sqlite3 *db, int64_t n, int64_t person) {
  sqlite3_stmt *q = NULL;
  json_t *list = json_array();
  if (sqlite3_prepare_v2(
          db,
          "SELECT seat, person, bot, name, place, score, gone, before, after"
          " FROM result_seat WHERE n = ?1 ORDER BY seat",
          -1, &q, NULL) == SQLITE_OK)
    sqlite3_bind_int64(q, 1, n);
  while (q && sqlite3_step(q) == SQLITE_ROW) {
    json_t *seat = json_object();
    set_int(seat, "seat", q, 0);
    if (sqlite3_column_int64(q, 1)) {
      set_text(seat, "name", q, 3);
      json_object_set_new(seat, "you",
                          json_boolean(sqlite3_column_int64(q, 1) == person));
    } else {
      set_text(seat, "bot", q, 2);
    }
    set_int(seat, "place", q, 4);
    set_int(seat, "score", q, 5);
    json_object_set_new(seat, "gone", json_boolean(sqlite3_column_int(q, 6)));
    set_rating(seat, "before", q, 7);
    set_rating(seat, "after", q, 8);
    json_array_append_new(list, seat);
  }
  sqlite3_finalize(q);
  return list;
}

static int read_history(struct store_job *job, sqlite3 *db) {
  struct question *h = (struct question *)job;
  sqlite3_stmt *q = NULL;
  json_t *games = json_array();
  int64_t last = 0;
  int code = sqlite3_prepare_v2(
      db,
      "SELECT r.n, r.room, r.game, r.at, r.rated, s.seat FROM result_seat s"
      " JOIN result r ON r.n = s.n WHERE s.person = ?1 AND s.n < ?2"
      " ORDER BY s.n DESC LIMIT ?3",
      -1, &q, NULL);
  if (code == SQLITE_OK) {
    sqlite3_bind_int64(q, 1, h->person);
    sqlite3_bind_int64(q, 2, h->before);
    sqlite3_bind_int(q, 3, PAGE);
  }
  while (code == SQLITE_OK && sqlite3_step(q) == SQLITE_ROW) {
    json_t *game = json_object();
    last = sqlite3_column_int64(q, 0);
    set_int(game, "n", q, 0);
    set_text(game, "table", q, 1);
    set_text(game, "game", q, 2);
    set_int(game, "at", q, 3);
    json_object_set_new(game, "rated", json_boolean(sqlite3_column_int(q, 4)));
    set_int(game, "seat", q, 5);
    json_object_set_new(game, "seats", seats_of(db, last, h->person));
    json_array_append_new(games, game);
  }
  sqlite3_finalize(q);
  const bool more = json_array_size(games) == PAGE;
  h->found = json_pack("{s:b, s:o, s:o}", "ok", 1, "games", games, "next",
                       more ? json_integer(last) : json_null());
  return 0; /* what only reads fails nobody's batch */
}

void history_games(struct conn *c) {
  int64_t before;
  struct question *q = new_question(c, read_history, respond_found);
  if (!q)
    return;
  q->before = number_parameter(c, "before", &before) ? before : INT64_MAX;
  if (q->person) {
    store_post(c->server->store, &q->job);
    return;
  }
  http_refuse(c, 401, SAL_NOT_ALLOWED, "There is no session.");
  free(q);
}

/* ---- Leaders -------------------------------------------------------------- */

/* Bots and, of the people, those with an account, by what they surely are:
 * their rating less twice its deviation. */
static json_t *ranked(sqlite3 *db, const char *sql, const char *game,
                      int64_t person) {
  sqlite3_stmt *q = NULL;
  json_t *list = json_array();
  int rank = 0;
  if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK) {
    sqlite3_bind_text(q, 1, game, -1, SQLITE_STATIC);
    sqlite3_bind_int(q, 2, LEADERS);
    sqlite3_bind_int64(q, 3, person);
  }
  while (q && sqlite3_step(q) == SQLITE_ROW) {
    json_t *row = json_object();
    json_object_set_new(row, "rank", json_integer(++rank));
    if (sqlite3_column_int64(q, 0)) {
      set_int(row, "person", q, 0);
      set_text(row, "name", q, 1);
    } else {
      set_text(row, "bot", q, 1);
    }
    set_rating(row, "rating", q, 2);
    set_rating(row, "deviation", q, 3);
    set_int(row, "games", q, 4);
    json_array_append_new(list, row);
  }
  sqlite3_finalize(q);
  return list;
}

#define STANDING " rating.rating, deviation, games FROM rating"
#define SURELY " ORDER BY rating.rating - 2 * deviation DESC LIMIT ?2"

static int read_leaders(struct store_job *job, sqlite3 *db) {
  struct question *l = (struct question *)job;
  json_t *you =
      ranked(db,
             "SELECT rating.person, ''," STANDING
             " WHERE game = ?1 AND rating.person = ?3 AND ?3 <> 0" SURELY,
             l->game, l->person);
  json_t *mine = json_incref(json_array_get(you, 0));
  json_decref(you);
  if (mine) {
    json_object_del(mine, "rank");
    json_object_del(mine, "name");
  }
  l->found = json_pack("{s:b, s:s, s:o}", "ok", 1, "game", l->game, "you",
                       mine ? mine : json_null());
  if (!l->lists)
    return 0;
  json_object_set_new(
      l->found, "leaders",
      ranked(db,
             "SELECT rating.person, person.name," STANDING
             " JOIN account ON account.person = rating.person"
             " JOIN person ON person.id = rating.person WHERE game = ?1" SURELY,
             l->game, 0));
  json_object_set_new(l->found, "bots",
                      ranked(db,
                             "SELECT 0, bot," STANDING
                             " WHERE game = ?1 AND rating.person = 0" SURELY,
                             l->game, 0));
  return 0;
}

static int index_of(const char *game) {
  int i = 0;
  while (sal_games[i] && strcmp(sal_games[i]->info.id, game) != 0)
    i++;
  return sal_games[i] && i < GAMES_MAX ? i : -1;
}

/* Keeps the lists if they were read, or adds those that are kept. */
static void respond_leaders(struct store_job *job, int error) {
  struct question *l = (struct question *)job;
  struct history *a = l->server->history;
  const int i = index_of(l->game);
  if (!error && l->found && l->lists) {
    json_decref(a->lists[i].leaders);
    json_decref(a->lists[i].bots);
    a->lists[i].leaders = json_incref(json_object_get(l->found, "leaders"));
    a->lists[i].bots = json_incref(json_object_get(l->found, "bots"));
    a->lists[i].until = server_now(l->server) + LEADERS_MS;
  } else if (l->found) {
    json_object_set(l->found, "leaders", a->lists[i].leaders);
    json_object_set(l->found, "bots", a->lists[i].bots);
  }
  respond_found(job, error);
}

void history_leaders(struct conn *c) {
  const struct history *a = history_of(c);
  struct question *q =
      a ? new_question(c, read_leaders, respond_leaders) : NULL;
  if (!q)
    return;
  const int i =
      parameter(c, "game", q->game, sizeof q->game) ? index_of(q->game) : -1;
  if (i >= 0) {
    q->lists = server_now(c->server) >= a->lists[i].until;
    store_post(c->server->store, &q->job);
    return;
  }
  http_refuse(c, 400, SAL_UNKNOWN_GAME, NULL);
  free(q);
}

/* ---- My tables ------------------------------------------------------------ */

void history_my_tables(struct conn *c) {
  char token[TOKEN_MAX + 1];
  const struct person *p = routes_person(c, token);
  size_t length;
  if (!p) {
    http_refuse(c, 401, SAL_NOT_ALLOWED, "There is no session.");
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
  struct store_job job; /* first, so that `done` finds the rest */
  struct showing *next;
  uv_work_t work;
  struct server *server;
  uint64_t conn;
  char room[ROOM_ID + 1];
  struct store_move *moves;
  size_t room_for;
  struct replay replay;
};

static void free_showing(struct showing *s) {
  free(s->moves);
  free(s->replay.text);
  free(s);
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

static void answer_showing(struct showing *s, int error) {
  struct conn *c = conn_find(s->server, s->conn);
  const struct replay *p = &s->replay;
  if (c && c->http) {
    if (error)
      http_refuse(c, status_of(error), error,
                  error == p->why.code ? p->why.message : NULL);
    else if (p->record)
      http_respond(c, 200, "text/plain; charset=utf-8", "", p->text, p->length);
    else
      http_respond(c, 200, "application/json", "", p->text, p->length);
  }
  free_showing(s);
}

static void show_on_worker(uv_work_t *work) {
  struct showing *s = work->data;
  s->replay.why.code = 0;
  replay_make(&s->replay);
}

static void begin_next(struct server *srv);

/* The first one is answered, and the next begins. */
static void end_first(struct showing *s, int error) {
  struct server *srv = s->server;
  srv->history->first = s->next;
  srv->history->count--;
  answer_showing(s, error);
  begin_next(srv);
}

static void showing_is_done(uv_work_t *work, int status) {
  struct showing *s = work->data;
  (void)status; /* never cancelled */
  s->server->work_open--;
  end_first(s, s->replay.text ? 0 : s->replay.why.code);
}

static bool keep_move(struct showing *s, sqlite3_stmt *q) {
  struct replay *p = &s->replay;
  if (p->count == s->room_for) {
    const size_t more = s->room_for ? 2 * s->room_for : 64;
    struct store_move *moves =
        more <= MOVES_MAX ? realloc(s->moves, more * sizeof *moves) : NULL;
    if (!moves)
      return false;
    s->moves = moves;
    s->room_for = more;
  }
  p->moves = s->moves;
  return store_read_move(q, &s->moves[p->count++]);
}

static int read_moves(struct store_job *job, sqlite3 *db) {
  struct showing *s = (struct showing *)job;
  sqlite3_stmt *q = NULL;
  bool ok = sqlite3_prepare_v2(db,
                               "SELECT room, seq, at, seat, kind, text FROM"
                               " settled WHERE room = ?1 ORDER BY seq",
                               -1, &q, NULL) == SQLITE_OK;
  if (ok)
    sqlite3_bind_text(q, 1, s->room, -1, SQLITE_STATIC);
  int code = SQLITE_ERROR;
  while (ok && (code = sqlite3_step(q)) == SQLITE_ROW)
    ok = keep_move(s, q);
  sqlite3_finalize(q);
  return !ok ? SAL_NO_MEMORY : code == SQLITE_DONE ? 0 : SAL_BAD_RECORD;
}

static void moves_are_there(struct store_job *job, int error) {
  struct showing *s = (struct showing *)job;
  s->work.data = s;
  if (!error && uv_queue_work(&s->server->loop, &s->work, show_on_worker,
                              showing_is_done) == 0)
    s->server->work_open++;
  else
    end_first(s, error ? error : SAL_NO_MEMORY);
}

static void begin_next(struct server *srv) {
  struct showing *s = srv->history->first;
  if (!s)
    return;
  if (srv->closing) {
    end_first(s, SAL_CLOSING);
    return;
  }
  s->job.task = STORE_CALL;
  s->job.call = read_moves;
  s->job.room = s->room;
  s->job.reads = true;
  s->job.done = moves_are_there;
  store_post(srv->store, &s->job);
}

static void queue_showing(struct showing *s) {
  struct history *a = s->server->history;
  const bool idle = !a->first;
  if (idle)
    a->first = s;
  else
    a->last->next = s;
  a->last = s;
  a->count++;
  if (idle)
    begin_next(s->server);
}

/* What the query of a replay says; false: something that is not there. */
static bool read_wishes(struct conn *c, struct replay *p) {
  char text[16];
  int64_t seat;
  const struct server_language *l = c->server->options.languages;
  if (!number_parameter(c, "from", &p->from))
    p->from = 0;
  if (parameter(c, "lang", text, sizeof text)) {
    while (l->id && strcmp(l->id, text) != 0)
      l++;
    if (!l->id)
      return false;
    p->catalogue = &l->catalogue;
  }
  p->viewer = SAL_SPECTATOR;
  if (number_parameter(c, "seat", &seat))
    p->viewer = seat < SAL_SEATS_MAX ? (int)seat : SAL_SEATS_MAX;
  else if (parameter(c, "seat", text, sizeof text) && strcmp(text, "open") == 0)
    p->viewer = SAL_EVERYTHING;
  return true;
}

static void begin_showing(struct conn *c, const char *id, bool record) {
  char token[TOKEN_MAX + 1];
  const struct history *a = history_of(c);
  if (!a)
    return;
  struct showing *s = a->count < SHOWINGS_MAX ? calloc(1, sizeof *s) : NULL;
  if (!s) {
    http_refuse(c, 429, SAL_SLOW_DOWN, NULL);
    return;
  }
  const struct person *p = routes_person(c, token);
  s->server = c->server;
  s->conn = c->id;
  memcpy(s->room, id, ROOM_ID);
  s->replay.person = p ? p->id : 0;
  s->replay.record = record;
  if (record || read_wishes(c, &s->replay)) {
    queue_showing(s);
    return;
  }
  http_refuse(c, 400, SAL_BAD_REQUEST, "There is no such language.");
  free_showing(s);
}

bool history_respond(struct conn *c) {
  const char *url = http_url(c->http);
  const char *record = sal_skip(url, "/api/record/");
  const char *id = record ? record : sal_skip(url, "/api/replay/");
  if (!id || !http_reads(c->http) || strcspn(id, "?") != ROOM_ID)
    return false;
  if (c->server->closing)
    http_refuse(c, 503, SAL_CLOSING, NULL);
  else
    begin_showing(c, id, record != NULL);
  return true;
}
