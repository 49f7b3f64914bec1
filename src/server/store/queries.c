/* Questions to the store. See queries.h, and store.h for those about moves. */
#include "queries.h"
#include "account_store.h"
#include "sql.h"

#include "salotto/buffer.h"
#include "salotto/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Moves ---------------------------------------------------------------- */

struct store_move *store_move_copy(const struct store_move *m) {
  const size_t size = offsetof(struct store_move, text) + strlen(m->text) + 1;
  struct store_move *copy = malloc(size);
  if (copy)
    memcpy(copy, m, size);
  return copy;
}

bool store_moves_reserve(struct store_moves *l) {
  void *at = l->at;
  const bool ok = sal_array_grow(&at, l->count, &l->size, sizeof *l->at);
  l->at = at;
  return ok;
}

bool store_moves_add(struct store_moves *l, const struct store_move *m) {
  struct store_move *copy = store_moves_reserve(l) ? store_move_copy(m) : NULL;
  if (copy)
    l->at[l->count++] = copy;
  return copy != NULL;
}

void store_moves_free(struct store_moves *l) {
  for (size_t i = 0; i < l->count; i++)
    free(l->at[i]);
  free(l->at);
  *l = (struct store_moves){0};
}

static int keep_move(void *context, const struct store_move *m) {
  struct store_moves *l = context;
  return l->count < STORE_MOVES_MAX && store_moves_add(l, m) ? 0
                                                             : SAL_NO_MEMORY;
}

int store_load_room(struct store_job *job, store_db *db) {
  struct load_job *l = (struct load_job *)job;
  const int error =
      sql_each_move(sql_ask(db, db->driver->words->moves_of_room, "t", l->room),
                    keep_move, &l->moves);
  return !error && l->moves.count == 0 ? SAL_NO_TABLE : error;
}

int store_each_move(struct store *s,
                    int (*each)(void *context, const struct store_move *m),
                    void *context) {
  store_db *db = store_writer_db(s);
  return sql_each_move(sql_ask(db, db->driver->words->open_moves, ""), each,
                       context);
}

/* ---- History and leaders -------------------------------------------------- */

static struct query_job *query_of(struct store_job *job) {
  return (struct query_job *)job;
}

/* Takes the object over. */
static int query_answer(struct query_job *q, json_t *all, bool ok) {
  q->text = ok ? json_dumps(all, JSON_COMPACT) : NULL;
  json_decref(all);
  return q->text ? 0 : SAL_STORE;
}

/* A rating is told as a whole number, and not at all where there is none. */
static void set_rating(json_t *to, const char *key, double rating) {
  if (rating > 0)
    json_object_set_new(to, key, json_integer((json_int_t)(rating + 0.5)));
}

static json_t *seat_in_history(struct sql_query *q, int64_t person) {
  const int64_t who = sql_int(q, 7);
  json_t *seat = json_pack("{s:I}", "seat", (json_int_t)sql_int(q, 6));
  if (who) {
    json_object_set_new(seat, "name", json_string(sql_string(q, 8)));
    json_object_set_new(seat, "you", json_boolean(who == person));
  } else {
    json_object_set_new(seat, "bot", json_string(sql_string(q, 9)));
  }
  json_object_set_new(seat, "place", json_integer(sql_int(q, 10)));
  json_object_set_new(seat, "score", json_integer(sql_int(q, 11)));
  json_object_set_new(seat, "gone", json_boolean(sql_int(q, 12)));
  set_rating(seat, "before", sql_double(q, 13));
  set_rating(seat, "after", sql_double(q, 14));
  return seat;
}

static json_t *game_in_history(struct sql_query *q) {
  return json_pack("{s:I, s:s, s:s, s:I, s:b, s:I, s:[]}", "n",
                   (json_int_t)sql_int(q, 0), "table", sql_string(q, 1), "game",
                   sql_string(q, 2), "at", (json_int_t)sql_int(q, 3), "rated",
                   sql_int(q, 4) != 0, "seat", (json_int_t)sql_int(q, 5),
                   "seats");
}

enum { HISTORY_PAGE = 50 };
static const char history_sql[] =
    "SELECT r.n, r.room, r.game, r.at, r.rated, me.seat, s.seat, s.person,"
    " s.name, s.bot, s.place, s.score, s.gone, s.before, s.after FROM (SELECT"
    " n, seat FROM result_seat WHERE person = ?1 AND n < ?2 ORDER BY n DESC"
    " LIMIT ?3) me JOIN result r ON r.n = me.n JOIN result_seat s ON s.n = me.n"
    " ORDER BY r.n DESC, s.seat";

int query_history(struct store_job *job, store_db *db) {
  struct query_job *q = query_of(job);
  struct sql_query *rows = sql_ask(db, history_sql, "iii", q->person, q->before,
                                   (int64_t)HISTORY_PAGE);
  json_t *games = json_array(), *game = NULL;
  int64_t last = -1;
  while (sql_row(rows)) {
    if (sql_int(rows, 0) != last) {
      last = sql_int(rows, 0);
      json_array_append_new(games, game = game_in_history(rows));
    }
    json_array_append_new(json_object_get(game, "seats"),
                          seat_in_history(rows, q->person));
  }
  const bool more = json_array_size(games) == HISTORY_PAGE;
  json_t *all = json_pack("{s:b, s:o, s:o}", "ok", 1, "games", games, "next",
                          more ? json_integer(last) : json_null());
  return query_answer(q, all, sql_end(rows) == 0);
}

/* Bots and, of the people, those with an account, by what they surely are:
 * their rating less twice its deviation. */
#define STANDING "t.person, t.rating, t.deviation, t.games"
#define BY_RANK " ORDER BY t.rating - 2 * t.deviation DESC LIMIT 100"

static const char standing_sql[] =
    "SELECT '' AS name, " STANDING " FROM rating t WHERE t.game = ?1"
    " AND t.person = ?2 AND ?2 <> 0";
static const char leaders_sql[] =
    "SELECT p.name, " STANDING " FROM rating t JOIN account a"
    " ON a.person = t.person JOIN person p ON p.id = t.person"
    " WHERE t.game = ?1 AND t.person <> ?2 AND t.person <> 0" BY_RANK;
static const char bots_sql[] = "SELECT t.bot, " STANDING " FROM rating t"
                               " WHERE t.game = ?1 AND t.person = ?2" BY_RANK;

/* Members that are the same for all: with a `name` under `key`, or without. */
static json_t *standing_of(struct sql_query *q, int rank, const char *key) {
  json_t *one = json_object();
  if (rank)
    json_object_set_new(one, "rank", json_integer(rank));
  if (sql_int(q, 1))
    json_object_set_new(one, "person", json_integer(sql_int(q, 1)));
  if (key)
    json_object_set_new(one, key, json_string(sql_string(q, 0)));
  set_rating(one, "rating", sql_double(q, 2));
  set_rating(one, "deviation", sql_double(q, 3));
  json_object_set_new(one, "games", json_integer(sql_int(q, 4)));
  return one;
}

static json_t *ranking(store_db *db, const char *sql, const char *game,
                       const char *key) {
  struct sql_query *q = sql_ask(db, sql, "ti", game, (int64_t)0);
  json_t *list = json_array();
  for (int rank = 1; sql_row(q); rank++)
    json_array_append_new(list, standing_of(q, rank, key));
  if (sql_end(q) == 0)
    return list;
  json_decref(list);
  return NULL;
}

int query_leaders(struct store_job *job, store_db *db) {
  struct query_job *q = query_of(job);
  struct sql_query *mine = sql_ask(db, standing_sql, "ti", q->game, q->person);
  json_t *you = sql_row(mine) ? standing_of(mine, 0, NULL) : json_null();
  const int error = sql_end(mine);
  json_t *leaders = ranking(db, leaders_sql, q->game, "name");
  json_t *bots = ranking(db, bots_sql, q->game, "bot");
  const bool ok = !error && leaders && bots;
  json_t *all =
      json_pack("{s:b, s:s, s:o, s:o*, s:o*}", "ok", 1, "game", q->game, "you",
                you, "leaders", leaders, "bots", bots);
  return query_answer(q, all, ok);
}

/* ---- All about a person --------------------------------------------------- */

int query_sessions(struct store_job *job, store_db *db) {
  struct query_job *q = query_of(job);
  json_t *list = sql_rows(sql_ask(
      db,
      "SELECT hash AS session, at, seen, agent, CASE hash WHEN ?2 THEN 1"
      " ELSE 0 END AS here FROM session WHERE person = ?1 ORDER BY seen DESC",
      "ih", q->person, q->hash));
  json_t *all = json_pack("{s:b, s:O*}", "ok", 1, "sessions", list);
  const bool ok = list != NULL;
  json_decref(list);
  return query_answer(q, all, ok);
}

/* All columns of a table but those that are secrets of the server. */
static bool select_text(store_db *db, const char *table, char *out,
                        size_t size) {
  struct sal_text t;
  struct sql_query *q = sql_ask(db, db->driver->words->columns, "t", table);
  sal_text_init(&t, out, size);
  while (sql_row(q)) {
    if (strcmp(sql_string(q, 0), "secret") == 0)
      continue;
    sal_text_add(&t, t.len ? ", \"" : "SELECT \"");
    sal_text_add(&t, sql_string(q, 0));
    sal_text_add(&t, "\"");
  }
  sal_text_add(&t, " FROM \"");
  sal_text_add(&t, table);
  sal_text_add(&t, "\" WHERE person = ?1");
  return sql_end(q) == 0 && t.lost == 0;
}

static bool export_tables(store_db *db, int64_t person, json_t *into) {
  struct sql_query *q = sql_ask(db, db->driver->words->with_person, "");
  bool ok = true;
  while (ok && sql_row(q)) {
    const char *table = sql_string(q, 0);
    char sql[400];
    json_t *list = select_text(db, table, sql, sizeof sql)
                       ? sql_rows(sql_ask(db, sql, "i", person))
                       : NULL;
    ok = list && json_object_set_new(into, table, list) == 0;
  }
  return sql_end(q) == 0 && ok;
}

/* Where the person has sat, and which part of the seed they gave. */
static json_t *seats_of(store_db *db, int64_t person) {
  json_t *row, *list = sql_rows(sql_ask(
                   db,
                   "SELECT room AS \"table\", seq, at, seat, text AS part"
                   " FROM move WHERE kind = 'sit'"
                   " AND json_extract(text, '$.person') = ?1"
                   " ORDER BY at, room, seq",
                   "i", person));
  size_t i;
  json_array_foreach(list, i, row) {
    json_t *sit =
        json_loads(json_string_value(json_object_get(row, "part")), 0, NULL);
    json_t *part = json_object_get(sit, "part");
    json_object_set(row, "part", part ? part : json_null());
    json_decref(sit);
  }
  return list;
}

/* The moves made from those seats until somebody else had them. */
static json_t *moves_of(store_db *db, int64_t person) {
  char sql[2000];
  snprintf(sql, sizeof sql,
           "WITH sat AS MATERIALIZED (SELECT room, seat, seq FROM move"
           " WHERE kind = 'sit' AND json_extract(text, '$.person') = ?1),"
           " rooms AS MATERIALIZED (SELECT DISTINCT room FROM sat),"
           " here AS MATERIALIZED (%s)"
           " SELECT room AS \"table\", seq, at, seat, kind,"
           " CASE kind WHEN 'act' THEN text END AS text FROM (SELECT here.*,"
           " max(CASE WHEN kind IN ('sit', 'leave', 'resign') THEN seq ELSE -1"
           " END) OVER (PARTITION BY room, seat ORDER BY seq ROWS BETWEEN"
           " UNBOUNDED PRECEDING AND 1 PRECEDING) AS since FROM here"
           " WHERE seat >= 0) made"
           " WHERE kind <> 'sit' AND (room, seat, since) IN"
           " (SELECT room, seat, seq FROM sat) ORDER BY at, room, seq",
           db->driver->words->moves_in_rooms);
  return sql_rows(sql_ask(db, sql, "i", person));
}

int query_export(struct store_job *job, store_db *db) {
  struct query_job *q = query_of(job);
  json_t *person = sql_rows(sql_ask(
      db, "SELECT id, name, at FROM person WHERE id = ?1", "i", q->person));
  json_t *seats = seats_of(db, q->person);
  json_t *moves = seats ? moves_of(db, q->person) : NULL;
  json_t *all = json_object();
  if (person)
    json_object_set(all, "you", json_array_get(person, 0));
  const bool ok = person && seats && moves &&
                  json_object_set(all, "seats", seats) == 0 &&
                  json_object_set(all, "moves", moves) == 0 &&
                  export_tables(db, q->person, all);
  json_decref(person);
  json_decref(seats);
  json_decref(moves);
  return query_answer(q, json_pack("{s:b, s:o}", "ok", 1, "data", all), ok);
}

/* ---- Before the store starts ----------------------------------------------- */

const char sql_sessions[] =
    "SELECT s.hash, s.person, s.at, p.name, s.seen FROM session s"
    " JOIN person p ON p.id = s.person";
const char sql_accounts[] =
    "SELECT name, person, secret, at, face FROM account";

int store_each_session(struct store *s,
                       int (*each)(void *context,
                                   const struct store_session *m),
                       void *context) {
  struct sql_query *q = sql_ask(store_writer_db(s), sql_sessions, "");
  int error = 0;
  while (!error && sql_row(q)) {
    struct store_session m = {
        .person = sql_int(q, 1), .at = sql_int(q, 2), .seen = sql_int(q, 4)};
    const struct sql_value hash = sql_column(q, 0);
    if (hash.kind != 'h' || hash.size != STORE_HASH ||
        !sql_copy(q, 3, m.name, sizeof m.name)) {
      error = SAL_STORE;
      break;
    }
    memcpy(m.hash, hash.text, STORE_HASH);
    error = each(context, &m);
  }
  const int end = sql_end(q);
  return error ? error : end;
}

int store_each_account(struct store *s,
                       int (*each)(void *context,
                                   const struct store_account *a),
                       void *context) {
  struct sql_query *q = sql_ask(store_writer_db(s), sql_accounts, "");
  int error = 0;
  while (!error && sql_row(q)) {
    struct store_account a = {.person = sql_int(q, 1),
                              .at = sql_int(q, 3),
                              .face = (int)sql_int(q, 4)};
    error = sql_copy(q, 0, a.name, sizeof a.name) &&
                    sql_copy(q, 2, a.secret, sizeof a.secret)
                ? each(context, &a)
                : SAL_STORE;
  }
  const int end = sql_end(q);
  return error ? error : end;
}
