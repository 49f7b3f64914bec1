/* Questions to the store. See queries.h, and store.h for those about moves. */
#include "queries.h"
#include "account_store.h"
#include "sql.h"

#include "salotto/buffer.h"

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
  const int error = sql_each_move(
      sql_ask(db,
              "SELECT " MOVE_COLUMNS " FROM move WHERE n IN (SELECT value FROM"
              " game, json_each(game.moves) WHERE game.room = ?1)"
              " ORDER BY seq",
              "t", l->room),
      keep_move, &l->moves);
  return !error && l->moves.count == 0 ? SAL_NO_TABLE : error;
}

/* The rooms that have not ended are few; the log from the oldest of them on is
 * looked through once. */
#define OPEN_ROOMS                                                             \
  "(SELECT n, room FROM move o WHERE kind = 'open' AND NOT EXISTS"             \
  " (SELECT 1 FROM move e WHERE e.kind = 'end' AND e.room = o.room))"

int store_each_move(struct store *s,
                    int (*each)(void *context, const struct store_move *m),
                    void *context) {
  return sql_each_move(sql_ask(store_writer_db(s),
                               "SELECT " MOVE_COLUMNS " FROM move"
                               " WHERE n >= (SELECT min(n) FROM " OPEN_ROOMS ")"
                               " AND room IN (SELECT room FROM " OPEN_ROOMS ")"
                               " ORDER BY room, seq",
                               ""),
                       each, context);
}

/* ---- History and leaders -------------------------------------------------- */

static struct query_job *query_of(struct store_job *job) {
  return (struct query_job *)job;
}

static int answer_text(struct query_job *q, char *text) {
  q->text = text;
  return text ? 0 : SAL_STORE;
}

/* What is NULL is left out of an object. A rating is told as a whole number, and
 * not at all where there is none. */
#define MEMBERS "json_patch('{}', json_object("
#define WHOLE(x) "iif(" x " > 0, CAST(" x " + 0.5 AS INTEGER), NULL)"

static const char history_sql[] =
    "SELECT json_object('ok', json('true'), 'games', json_group_array(json(g)),"
    " 'next', iif(count(*) = 50, min(n), NULL)) FROM (SELECT r.n AS n,"
    " json_object('n', r.n, 'table', r.room, 'game', r.game, 'at', r.at,"
    " 'rated', json(iif(r.rated, 'true', 'false')), 'seat', me.seat, 'seats',"
    " (SELECT json_group_array(json(" MEMBERS "'seat', s.seat,"
    " 'name', iif(s.person, s.name, NULL), 'you', iif(s.person,"
    " json(iif(s.person = ?1, 'true', 'false')), NULL),"
    " 'bot', iif(s.person, NULL, s.bot), 'place', s.place, 'score', s.score,"
    " 'gone', json(iif(s.gone, 'true', 'false')),"
    " 'before', " WHOLE("s.before") ", 'after', " WHOLE(
        "s.after") "))))"
                   " FROM result_seat s WHERE s.n = r.n)) AS g FROM result_seat me"
                   " JOIN result r ON r.n = me.n WHERE me.person = ?1 AND me.n < ?2"
                   " ORDER BY me.n DESC LIMIT 50)";

int query_history(struct store_job *job, store_db *db) {
  struct query_job *q = query_of(job);
  return answer_text(
      q, sql_text(sql_ask(db, history_sql, "ii", q->person, q->before)));
}

/* Bots and, of the people, those with an account, by what they surely are:
 * their rating less twice its deviation. */
#define STANDING                                                               \
  "'rating', " WHOLE("t.rating") ", 'deviation', " WHOLE(                      \
      "t.deviation") ", 'games', t.games)) "
#define RANKED                                                                 \
  "json((SELECT json_group_array(json(g)) FROM (SELECT " MEMBERS               \
  "'rank', row_number() OVER (ORDER BY t.rating - 2 * t.deviation DESC), "
#define BY_RANK " ORDER BY t.rating - 2 * t.deviation DESC LIMIT 100)))"

static const char leaders_sql[] =
    "SELECT json_object('ok', json('true'), 'game', ?1, 'you', json((SELECT " MEMBERS
    "'person', t.person, " STANDING "FROM rating t"
    " WHERE t.game = ?1 AND t.person = ?2 AND ?2 <> 0)), 'leaders', " RANKED
    "'person', t.person, 'name', p.name, " STANDING "AS g FROM rating t"
    " JOIN account a ON a.person = t.person JOIN person p ON p.id = t.person"
    " WHERE t.game = ?1 AND t.person <> 0" BY_RANK ", 'bots', " RANKED
    "'bot', t.bot, " STANDING "AS g FROM rating t WHERE t.game = ?1"
    " AND t.person = 0" BY_RANK ")";

int query_leaders(struct store_job *job, store_db *db) {
  struct query_job *q = query_of(job);
  return answer_text(
      q, sql_text(sql_ask(db, leaders_sql, "ti", q->game, q->person)));
}

/* ---- All about a person --------------------------------------------------- */

int query_sessions(struct store_job *job, store_db *db) {
  struct query_job *q = query_of(job);
  static const char sql[] =
      "SELECT json_object('ok', json('true'), 'sessions',"
      " json_group_array(json_object('session',"
      " lower(substr(hex(hash), 1, 16)), 'at', at, 'seen', seen,"
      " 'agent', agent, 'here', hash = ?2))) FROM (SELECT * FROM session"
      " WHERE person = ?1 ORDER BY seen DESC)";
  return answer_text(q, sql_text(sql_ask(db, sql, "ih", q->person, q->hash)));
}

/* All columns of a table but those that are secrets of the server. */
static char *select_text(store_db *db, const char *table) {
  return sql_text(
      sql_ask(db,
              "SELECT 'SELECT ' || group_concat('\"' || name || '\"') || ' FROM"
              " \"' || ?1 || '\" WHERE person = ?1' FROM pragma_table_info(?1)"
              " WHERE name NOT IN ('secret')",
              "t", table));
}

static bool export_tables(store_db *db, int64_t person, json_t *into) {
  sqlite3_stmt *q = sql_ask(db, tables_with_person, "");
  bool ok = true;
  while (ok && sql_row(q)) {
    const char *table = sql_string(q, 0);
    char *sql = select_text(db, table);
    json_t *list = sql ? sql_rows(sql_ask(db, sql, "i", person)) : NULL;
    ok = list && json_object_set_new(into, table, list) == 0;
    free(sql);
  }
  return sql_end(q) == 0 && ok;
}

/* Where the person has sat, and the moves made from those seats until somebody
 * else had them: of rooms that have ended by the row that says where these are,
 * of the others from their beginning on. */
static const char seats_of[] =
    "SELECT room AS \"table\", seq, at, seat, json_extract(text, '$.part') AS"
    " part FROM move WHERE kind = 'sit'"
    " AND json_extract(text, '$.person') = ?1 ORDER BY at, room, seq";
#define MOVES_OF                                                               \
  "WITH sat AS MATERIALIZED (SELECT room, seat, seq FROM move"                 \
  " WHERE kind = 'sit' AND json_extract(text, '$.person') = ?1),"              \
  " rooms AS MATERIALIZED (SELECT DISTINCT room FROM sat),"                    \
  " here AS MATERIALIZED (SELECT m.* FROM rooms CROSS JOIN game g"             \
  " ON g.room = rooms.room CROSS JOIN json_each(g.moves) j CROSS JOIN move m"  \
  " ON m.n = j.value UNION ALL SELECT m.* FROM move m WHERE n >= (SELECT"      \
  " min(o.n) FROM rooms CROSS JOIN move o ON o.kind = 'open'"                  \
  " AND o.room = rooms.room WHERE rooms.room NOT IN (SELECT room FROM game))"  \
  " AND m.room IN (SELECT room FROM rooms"                                     \
  " WHERE room NOT IN (SELECT room FROM game)))"
static const char moves_of[] =
    MOVES_OF " SELECT room AS \"table\", seq, at, seat, kind,"
             " iif(kind = 'act', text, NULL) AS text FROM (SELECT here.*,"
             " max(iif(kind IN ('sit', 'leave', 'resign'), seq, -1)) OVER"
             " (PARTITION BY room, seat ORDER BY seq ROWS BETWEEN UNBOUNDED"
             " PRECEDING AND 1 PRECEDING) AS since FROM here WHERE seat >= 0)"
             " WHERE kind <> 'sit' AND (room, seat, since) IN"
             " (SELECT room, seat, seq FROM sat) ORDER BY at, room, seq";

int query_export(struct store_job *job, store_db *db) {
  struct query_job *q = query_of(job);
  json_t *person = sql_rows(sql_ask(
      db, "SELECT id, name, at FROM person WHERE id = ?1", "i", q->person));
  json_t *seats = sql_rows(sql_ask(db, seats_of, "i", q->person));
  json_t *moves =
      seats ? sql_rows(sql_ask(db, moves_of, "i", q->person)) : NULL;
  json_t *all = json_object();
  if (person)
    json_object_set(all, "you", json_array_get(person, 0));
  const bool ok = person && seats && moves &&
                  json_object_set(all, "seats", seats) == 0 &&
                  json_object_set(all, "moves", moves) == 0 &&
                  export_tables(db, q->person, all);
  json_t *answer = json_pack("{s:b, s:o}", "ok", 1, "data", all);
  q->text = ok ? json_dumps(answer, JSON_COMPACT) : NULL;
  json_decref(answer);
  json_decref(person);
  json_decref(seats);
  json_decref(moves);
  return q->text ? 0 : SAL_STORE;
}

/* ---- Before the store starts ----------------------------------------------- */

int store_each_session(struct store *s,
                       int (*each)(void *context,
                                   const struct store_session *m),
                       void *context) {
  sqlite3_stmt *q =
      sql_ask(store_writer_db(s),
              "SELECT s.hash, s.person, s.at, p.name, s.seen FROM session s"
              " JOIN person p ON p.id = s.person",
              "");
  int error = 0;
  while (!error && sql_row(q)) {
    struct store_session m = {
        .person = sql_int(q, 1), .at = sql_int(q, 2), .seen = sql_int(q, 4)};
    const void *hash = sqlite3_column_blob(q, 0);
    if (!hash || sqlite3_column_bytes(q, 0) != STORE_HASH ||
        !sql_copy(q, 3, m.name, sizeof m.name)) {
      error = SAL_STORE;
      break;
    }
    memcpy(m.hash, hash, STORE_HASH);
    error = each(context, &m);
  }
  const int end = sql_end(q);
  return error ? error : end;
}

int store_each_account(struct store *s,
                       int (*each)(void *context,
                                   const struct store_account *a),
                       void *context) {
  sqlite3_stmt *q =
      sql_ask(store_writer_db(s),
              "SELECT name, person, secret, at, face FROM account", "");
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
