/* People in the store. See account_store.h. */
#include "account_store.h"

#include <sodium.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <string.h>

enum { EXPORT_MAX = 200000 }; /* rows of one table */

/* ---- Statements ----------------------------------------------------------- */

/* Prepares and binds: 'i' a number, 't' a text, 'h' a hash. NULL: it could
 * not. These are rare, so they are not kept. */
static sqlite3_stmt *ask(sqlite3 *db, const char *sql, const char *kinds, ...) {
  sqlite3_stmt *q = NULL;
  if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) != SQLITE_OK)
    return NULL;
  va_list values;
  va_start(values, kinds);
  for (int i = 1; *kinds; i++, kinds++)
    if (*kinds == 'i')
      sqlite3_bind_int64(q, i, va_arg(values, int64_t));
    else if (*kinds == 't')
      sqlite3_bind_text(q, i, va_arg(values, const char *), -1, SQLITE_STATIC);
    else
      sqlite3_bind_blob(q, i, va_arg(values, const uint8_t *), STORE_HASH,
                        SQLITE_STATIC);
  va_end(values);
  return q;
}

/* Runs a statement that gives nothing back; an SQLite code. */
static int finish_statement(sqlite3_stmt *q) {
  const int code = q ? sqlite3_step(q) : SQLITE_ERROR;
  sqlite3_finalize(q);
  return code;
}

static bool ran(sqlite3_stmt *q) { return finish_statement(q) == SQLITE_DONE; }

static struct account_job *deed_of(struct store_job *job) {
  return (struct account_job *)job;
}

/* The rows of a query as a list of objects; NULL: it could not. Hashes are cut
 * to what names a session. */
static json_t *rows(sqlite3_stmt *q) {
  json_t *list = json_array();
  int code = q ? SQLITE_ROW : SQLITE_ERROR;
  for (int n = 0; n < EXPORT_MAX && code == SQLITE_ROW &&
                  (code = sqlite3_step(q)) == SQLITE_ROW;
       n++) {
    json_t *row = json_object();
    for (int i = 0; i < sqlite3_column_count(q); i++) {
      json_t *v = NULL;
      char hex[17];
      switch (sqlite3_column_type(q, i)) {
      case SQLITE_INTEGER: v = json_integer(sqlite3_column_int64(q, i)); break;
      case SQLITE_FLOAT: v = json_real(sqlite3_column_double(q, i)); break;
      case SQLITE_TEXT:
        v = json_string((const char *)sqlite3_column_text(q, i));
        break;
      case SQLITE_BLOB:
        if (sqlite3_column_bytes(q, i) == STORE_HASH) {
          sodium_bin2hex(hex, sizeof hex, sqlite3_column_blob(q, i), 8);
          v = json_string(hex);
        }
        break;
      default: break;
      }
      json_object_set_new(row, sqlite3_column_name(q, i), v ? v : json_null());
    }
    json_array_append_new(list, row);
  }
  sqlite3_finalize(q);
  if (code == SQLITE_DONE || code == SQLITE_ROW)
    return list;
  json_decref(list);
  return NULL;
}

/* ---- Names, passwords, sessions ------------------------------------------- */

/* The first column of the first row as a text; SAL_NO_TABLE: there is none. */
static int text_of(sqlite3_stmt *q, char *out, size_t size) {
  const int code = q ? sqlite3_step(q) : SQLITE_ERROR;
  const char *text =
      code == SQLITE_ROW ? (const char *)sqlite3_column_text(q, 0) : NULL;
  const bool fits = text && strlen(text) < size;
  if (fits)
    strcpy(out, text);
  sqlite3_finalize(q);
  return fits ? 0 : code == SQLITE_DONE ? SAL_NO_TABLE : SAL_STORE;
}

/* Whether the account still has the secret that was checked; or still there is
 * none. */
static int check_proof(sqlite3 *db, const struct account_job *d) {
  char secret[STORE_SECRET_MAX + 1] = "";
  const int error = text_of(
      ask(db, "SELECT secret FROM account WHERE person = ?1", "i", d->person),
      secret, sizeof secret);
  if (error && error != SAL_NO_TABLE)
    return error;
  return strcmp(secret, d->proof) == 0 ? 0 : SAL_NOT_ALLOWED;
}

/* The session that asks must still be there. */
static int check_session(sqlite3 *db, const struct account_job *d) {
  char yes[8];
  const int error =
      text_of(ask(db, "SELECT 1 FROM session WHERE hash = ?1 AND person = ?2",
                  "hi", d->hash, d->person),
              yes, sizeof yes);
  return error == SAL_NO_TABLE ? SAL_NOT_ALLOWED : error;
}

static bool change_token(sqlite3 *db, const struct account_job *d) {
  return ran(ask(db, "UPDATE session SET hash = ?1 WHERE hash = ?2", "hh",
                 d->fresh, d->hash));
}

int account_store_open(struct store_job *job, sqlite3 *db) {
  struct account_job *d = deed_of(job);
  int error = check_session(db, d);
  if (!error)
    error = text_of(
        ask(db, "SELECT name FROM person WHERE id = ?1", "i", d->person),
        d->name, sizeof d->name);
  if (error)
    return error;
  const int code =
      finish_statement(ask(db,
                           "INSERT INTO account (name, person, secret, at)"
                           " VALUES (?1, ?2, ?3, ?4)",
                           "titi", d->name, d->person, d->secret, d->now));
  if ((code & 0xff) == SQLITE_CONSTRAINT)
    return SAL_LATE;
  return code == SQLITE_DONE && change_token(db, d) ? 0 : SAL_STORE;
}

int account_store_enter(struct store_job *job, sqlite3 *db) {
  struct account_job *d = deed_of(job);
  int error = check_proof(db, d);
  if (!error)
    error = text_of(
        ask(db, "SELECT name FROM account WHERE person = ?1", "i", d->person),
        d->name, sizeof d->name);
  if (error)
    return error == SAL_NO_TABLE ? SAL_NOT_ALLOWED : error;
  return ran(ask(db,
                 "INSERT INTO session (hash, person, at, seen, agent)"
                 " VALUES (?1, ?2, ?3, ?3, ?4)",
                 "hiit", d->fresh, d->person, d->now, d->agent))
             ? 0
             : SAL_STORE;
}

int account_store_rename(struct store_job *job, sqlite3 *db) {
  struct account_job *d = deed_of(job);
  const int error = check_proof(db, d);
  if (error)
    return error;
  const int code =
      finish_statement(ask(db, "UPDATE account SET name = ?1 WHERE person = ?2",
                           "ti", d->name, d->person));
  if ((code & 0xff) == SQLITE_CONSTRAINT)
    return SAL_LATE;
  return code == SQLITE_DONE &&
                 ran(ask(db, "UPDATE person SET name = ?1 WHERE id = ?2", "ti",
                         d->name, d->person))
             ? 0
             : SAL_STORE;
}

int account_store_password(struct store_job *job, sqlite3 *db) {
  struct account_job *d = deed_of(job);
  int error = check_proof(db, d);
  if (!error)
    error = check_session(db, d);
  if (error)
    return error;
  return ran(ask(db, "UPDATE account SET secret = ?1 WHERE person = ?2", "ti",
                 d->secret, d->person)) &&
                 ran(ask(db,
                         "DELETE FROM session WHERE person = ?1"
                         " AND hash <> ?2",
                         "ih", d->person, d->hash)) &&
                 change_token(db, d)
             ? 0
             : SAL_STORE;
}

int account_store_revoke(struct store_job *job, sqlite3 *db) {
  struct account_job *d = deed_of(job);
  sqlite3_stmt *q = *d->session
                        ? ask(db,
                              "DELETE FROM session WHERE person = ?1"
                              " AND lower(substr(hex(hash), 1, 16)) = ?2",
                              "it", d->person, d->session)
                        : ask(db,
                              "DELETE FROM session WHERE person = ?1"
                              " AND hash <> ?2",
                              "ih", d->person, d->hash);
  if (!ran(q))
    return SAL_STORE;
  return *d->session && sqlite3_changes(db) == 0 ? SAL_NO_TABLE : 0;
}

int account_store_touch(struct store_job *job, sqlite3 *db) {
  struct account_job *d = deed_of(job);
  return ran(ask(db, "UPDATE session SET seen = ?1 WHERE hash = ?2", "ih",
                 d->now, d->hash))
             ? 0
             : SAL_STORE;
}

int account_store_sessions(struct store_job *job, sqlite3 *db) {
  struct account_job *d = deed_of(job);
  d->found = rows(ask(db,
                      "SELECT hash AS session, at, seen, agent, hash = ?2 AS"
                      " here FROM session WHERE person = ?1 ORDER BY seen DESC",
                      "ih", d->person, d->hash));
  return d->found ? 0 : SAL_STORE;
}

/* ---- All about a person --------------------------------------------------- */

/* Tables with a column that names a person, so that none can be forgotten. */
static const char tables_with_person[] =
    "SELECT t.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c"
    " WHERE t.type = 'table' AND c.name = 'person' ORDER BY t.name";

/* All columns of a table but those that are secrets of the server. */
static bool select_text(sqlite3 *db, const char *table, char *out,
                        size_t size) {
  sqlite3_stmt *q =
      ask(db,
          "SELECT 'SELECT ' || group_concat('\"' || name || '\"') || ' FROM"
          " \"' || ?1 || '\" WHERE person = ?1' FROM pragma_table_info(?1)"
          " WHERE name NOT IN ('secret')",
          "t", table);
  bool ok = q && sqlite3_step(q) == SQLITE_ROW;
  const char *text = ok ? (const char *)sqlite3_column_text(q, 0) : NULL;
  ok = text && strlen(text) < size;
  if (ok)
    strcpy(out, text);
  sqlite3_finalize(q);
  return ok;
}

static bool export_tables(sqlite3 *db, int64_t person, json_t *into) {
  sqlite3_stmt *q = ask(db, tables_with_person, "");
  bool ok = q != NULL;
  while (ok && sqlite3_step(q) == SQLITE_ROW) {
    const char *table = (const char *)sqlite3_column_text(q, 0);
    char sql[1000];
    json_t *list = select_text(db, table, sql, sizeof sql)
                       ? rows(ask(db, sql, "i", person))
                       : NULL;
    ok = list && json_object_set_new(into, table, list) == 0;
  }
  sqlite3_finalize(q);
  return ok;
}

/* Where the person has sat, and the moves made from those seats until somebody
 * else had them. From each table of moves by itself: joined to the view of them
 * all, SQLite would write out the whole view first. */
static const char seats_of[] =
    "SELECT room AS \"table\", seq, at, seat, json_extract(text, '$.part') AS"
    " part FROM move WHERE kind = 'sit'"
    " AND json_extract(text, '$.person') = ?1 ORDER BY at, room, seq";
static const char moves_of[] =
    "WITH sat AS (SELECT s.room, s.seat, s.seq AS since, coalesce("
    " (SELECT min(e.seq) FROM move e WHERE e.room = s.room AND e.seat = s.seat"
    " AND e.seq > s.seq AND e.kind IN ('sit', 'leave', 'resign')), 1 << 60)"
    " AS until FROM move s WHERE s.kind = 'sit'"
    " AND json_extract(s.text, '$.person') = ?1),"
    " made AS (SELECT m.room, m.seq, m.at, m.seat, m.kind,"
    " CASE m.kind WHEN 'act' THEN m.text END AS text FROM sat"
    " CROSS JOIN move m ON m.room = sat.room AND m.seat = sat.seat"
    " AND m.seq > since AND m.seq <= until WHERE m.kind <> 'sit'"
    " UNION ALL SELECT a.room, a.seq, a.at, a.seat, 'act', a.text FROM sat"
    " JOIN settled_act a ON a.room = sat.room AND a.seat = sat.seat"
    " AND a.seq > since AND a.seq <= until"
    " UNION ALL SELECT a.room, a.seq, a.at, a.seat, 'act', a.text"
    " FROM recent_act a JOIN sat ON a.room = sat.room AND a.seat = sat.seat"
    " AND a.seq > since AND a.seq <= until)"
    " SELECT room AS \"table\", seq, at, seat, kind, text FROM made"
    " ORDER BY at, room, seq";

int account_store_export(struct store_job *job, sqlite3 *db) {
  struct account_job *d = deed_of(job);
  json_t *person = rows(
      ask(db, "SELECT id, name, at FROM person WHERE id = ?1", "i", d->person));
  json_t *seats = rows(ask(db, seats_of, "i", d->person));
  json_t *moves = rows(ask(db, moves_of, "i", d->person));
  d->found = json_object();
  if (person)
    json_object_set(d->found, "you", json_array_get(person, 0));
  const bool ok = person && seats && moves &&
                  json_object_set(d->found, "seats", seats) == 0 &&
                  json_object_set(d->found, "moves", moves) == 0 &&
                  export_tables(db, d->person, d->found);
  json_decref(person);
  json_decref(seats);
  json_decref(moves);
  return ok ? 0 : SAL_STORE;
}

/* ---- Farewell ------------------------------------------------------------- */

/* An id is not given again: its seats in old games would be somebody else's.
 * So the last row stays, and so does a row that games speak of, without its
 * name. */
static const char nameless_seats[] =
    "UPDATE move SET text = json_set(text, '$.name', '') WHERE kind = 'sit'"
    " AND json_extract(text, '$.person') = ?1";

static bool has_column(sqlite3 *db, const char *table, const char *column) {
  sqlite3_stmt *q =
      ask(db, "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2", "tt",
          table, column);
  const bool has = q && sqlite3_step(q) == SQLITE_ROW;
  sqlite3_finalize(q);
  return has;
}

int account_store_erase(struct store_job *job, sqlite3 *db) {
  struct account_job *d = deed_of(job);
  const int error = check_proof(db, d);
  if (error)
    return error;
  sqlite3_stmt *q = ask(db, tables_with_person, "");
  bool ok = q != NULL;
  while (ok && sqlite3_step(q) == SQLITE_ROW) {
    const char *table = (const char *)sqlite3_column_text(q, 0);
    char sql[200];
    if (strcmp(table, "ban") == 0)
      continue; /* who deletes an account stays banned */
    /* What is part of a game stays, without the name. */
    sqlite3_snprintf(sizeof sql, sql,
                     has_column(db, table, "seat")
                         ? "UPDATE \"%w\" SET name = '' WHERE person = ?1"
                         : "DELETE FROM \"%w\" WHERE person = ?1",
                     table);
    ok = ran(ask(db, sql, "i", d->person));
  }
  sqlite3_finalize(q);
  return ok && ran(ask(db, nameless_seats, "i", d->person)) &&
                 ran(ask(db, "UPDATE person SET name = '' WHERE id = ?1", "i",
                         d->person))
             ? 0
             : SAL_STORE;
}

#define NEVER_SAT                                                              \
  "NOT EXISTS (SELECT 1 FROM move WHERE kind = 'sit' AND"                      \
  " json_extract(text, '$.person') = person.id)"

/* Guests whom nothing holds any more. Some other table may still speak of one:
 * that one stays. */
static bool delete_persons(sqlite3 *db) {
  json_t *row,
      *ids =
          rows(ask(db,
                   "SELECT id FROM person WHERE id NOT IN (SELECT person FROM"
                   " session) AND id NOT IN (SELECT person FROM account)"
                   " AND id < (SELECT max(id) FROM person) AND " NEVER_SAT,
                   ""));
  bool ok = ids != NULL;
  size_t i;
  json_array_foreach(ids, i, row) {
    const int code = finish_statement(
        ask(db, "DELETE FROM person WHERE id = ?1", "i",
            (int64_t)json_integer_value(json_object_get(row, "id"))));
    ok = ok && (code == SQLITE_DONE || (code & 0xff) == SQLITE_CONSTRAINT);
  }
  json_decref(ids);
  return ok;
}

/* Sessions that are too old, and those of guests who came and went; so many at
 * once that nobody has to wait. */
#define OLD_SESSIONS                                                           \
  " FROM session, person WHERE person.id = session.person AND (seen < ?1"      \
  " OR (seen < ?2 AND person.id NOT IN (SELECT person FROM account)"           \
  " AND " NEVER_SAT ")) ORDER BY hash LIMIT 500"

int account_store_sweep(struct store_job *job, sqlite3 *db) {
  struct account_job *d = deed_of(job);
  const int64_t day = 86400 * 1000;
  const int64_t old = d->now - SESSION_DAYS * day;
  const int64_t unplayed = d->now - UNPLAYED_DAYS * day;
  d->found =
      rows(ask(db, "SELECT hash AS session" OLD_SESSIONS, "ii", old, unplayed));
  return d->found &&
                 ran(ask(db,
                         "DELETE FROM session WHERE hash IN (SELECT"
                         " hash" OLD_SESSIONS ")",
                         "ii", old, unplayed)) &&
                 /* Seats that were being taken when their person went. */
                 ran(ask(db,
                         "UPDATE move SET text = json_set(text, '$.name', '')"
                         " WHERE kind = 'sit'"
                         " AND json_extract(text, '$.person') IN"
                         " (SELECT id FROM person WHERE name = '')"
                         " AND json_extract(text, '$.name') <> ''",
                         "")) &&
                 delete_persons(db)
             ? 0
             : SAL_STORE;
}

/* ---- The operator --------------------------------------------------------- */

int account_store_news(struct store_job *job, sqlite3 *db) {
  struct account_job *d = deed_of(job);
  sqlite3_stmt *q = ask(db, "PRAGMA data_version", "");
  int64_t version = -1;
  if (q && sqlite3_step(q) == SQLITE_ROW)
    version = sqlite3_column_int64(q, 0);
  sqlite3_finalize(q);
  if (version < 0)
    return SAL_STORE;
  if (version == d->version && !d->again)
    return 0;
  /* What has been granted, and what never can be. */
  if (!ran(ask(db,
               "DELETE FROM wish WHERE room NOT IN (SELECT room FROM move"
               " WHERE seq = 0) OR room IN (SELECT room FROM move WHERE"
               " kind = 'end')",
               "")))
    return SAL_STORE;
  json_t *bans = rows(ask(db, "SELECT person, network FROM ban", ""));
  json_t *wishes = rows(ask(db, "SELECT room FROM wish", ""));
  if (bans && wishes)
    d->found = json_pack("{s:O, s:O}", "bans", bans, "wishes", wishes);
  json_decref(bans);
  json_decref(wishes);
  d->version = version;
  return d->found ? 0 : SAL_STORE;
}
