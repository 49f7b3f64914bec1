/* The driver for SQLite. See sqlite.h. */
#include "sqlite.h"

#include <stdlib.h>
#include <string.h>

enum { PROGRESS_STEPS = 10000 /* of SQLite between two looks */ };

struct sqlite_query {
  struct sql_query base; /* first, so that the driver finds the rest */
  struct sqlite_query *next;
  struct sqlite_db *db;
  sqlite3_stmt *statement;
  bool busy;
};

static struct sqlite_query *query_of(struct sql_query *q) {
  return (struct sqlite_query *)q;
}

static struct sqlite_db *db_of(store_db *db) { return (struct sqlite_db *)db; }

/* ---- Opening -------------------------------------------------------------- */

static const char *problem(struct sqlite_db *db, int code) {
  switch (code & 0xff) {
  case SQLITE_SCHEMA: return N_("it was written by a newer version");
  case SQLITE_NOTADB:
    return N_("this file is not a store, or its beginning is damaged. Nothing "
              "was changed: put a backup in its place (docs/operating.md)");
  case SQLITE_CORRUPT: return store_is_damaged;
  default:
    return db->handle && sqlite3_errcode(db->handle) != SQLITE_OK
               ? sqlite3_errmsg(db->handle)
               : sqlite3_errstr(code);
  }
}

static int run_code(struct sqlite_db *db, const char *sql) {
  return sqlite3_exec(db->handle, sql, NULL, NULL, NULL);
}

/* One transaction; an SQLite code. */
static int bring_up(struct sqlite_db *db, int version) {
  int code = run_code(db, "BEGIN IMMEDIATE");
  if (code != SQLITE_OK)
    return code;
  const int error = sqlite_migrate(&db->base, version);
  if (error)
    code = error == SAL_LATE ? SQLITE_SCHEMA : sqlite3_errcode(db->handle);
  const int end = run_code(db, error ? "ROLLBACK" : "COMMIT");
  return error ? code ? code : SQLITE_ERROR : end;
}

static int prepare(struct sqlite_db *db, enum sql_use use, int version) {
  static const char *const pragmas[] = {
      [SQL_CREATE] = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                     "PRAGMA foreign_keys = ON; PRAGMA cache_size = -8000;"
                     "PRAGMA journal_size_limit = 16777216;", /* bytes */
      [SQL_CHANGE] = "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;",
      [SQL_READ] = "PRAGMA query_only = ON;"};
  sqlite3_extended_result_codes(db->handle, 1);
  sqlite3_busy_timeout(db->handle, use == SQL_CREATE ? 1000 : 5000);
  const int code = run_code(db, pragmas[use]);
  return code == SQLITE_OK && use == SQL_CREATE ? bring_up(db, version) : code;
}

static int open_file(const char *path, enum sql_use use, int version,
                     store_db **out, struct sal_refusal *why) {
  static const int how[] = {[SQL_CREATE] =
                                SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                            [SQL_CHANGE] = SQLITE_OPEN_READWRITE,
                            [SQL_READ] = SQLITE_OPEN_READONLY};
  struct sqlite_db *db = calloc(1, sizeof *db);
  *out = NULL;
  if (!db)
    return sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
  db->base.driver = &sqlite_driver;
  int code =
      sqlite3_open_v2(path, &db->handle, how[use] | SQLITE_OPEN_NOMUTEX, NULL);
  if (code == SQLITE_OK)
    code = prepare(db, use, version);
  if (code == SQLITE_OK) {
    *out = &db->base;
    return 0;
  }
  sal_refuse(why, SAL_STORE, NULL, problem(db, code));
  sql_close(&db->base);
  return SAL_STORE;
}

static int sqlite_open(const char *path, enum sql_use use, store_db **out,
                       struct sal_refusal *why) {
  return open_file(path, use, SQLITE_NEWEST, out, why);
}

int sqlite_open_at(const char *path, int version, store_db **out,
                   struct sal_refusal *why) {
  return open_file(path, SQL_CREATE, version, out, why);
}

static void sqlite_close(store_db *base) {
  struct sqlite_db *db = db_of(base);
  sqlite_log_stop(db);
  for (struct sqlite_query *q = db->queries, *next; q; q = next) {
    next = q->next;
    sqlite3_finalize(q->statement);
    free(q);
  }
  sqlite3_close(db->handle);
  free(db);
}

static int is_given_up(void *context) {
  const struct sqlite_db *db = context;
  return db->given_up(db->context);
}

static void sqlite_watch(store_db *base, bool (*given_up)(void *context),
                         void *context) {
  struct sqlite_db *db = db_of(base);
  db->given_up = given_up;
  db->context = context;
  sqlite3_progress_handler(db->handle, PROGRESS_STEPS, is_given_up, db);
}

/* ---- Transactions --------------------------------------------------------- */

static bool sqlite_run(store_db *db, const char *sql) {
  return run_code(db_of(db), sql) == SQLITE_OK;
}

static bool sqlite_begin(store_db *db) {
  return sql_do(db, "BEGIN IMMEDIATE", "") == 0;
}

static bool sqlite_commit(store_db *db) {
  return sql_do(db, "COMMIT", "") == 0;
}

static void sqlite_rollback(store_db *db) {
  if (!sqlite3_get_autocommit(sqlite_of(db)))
    sql_do(db, "ROLLBACK", "");
}

static const char *sqlite_trouble(store_db *db) {
  return sqlite3_errmsg(sqlite_of(db));
}

/* ---- Statements ----------------------------------------------------------- */

/* The connection's own statement with that text, unless it is in use. */
static struct sqlite_query *find_query(struct sqlite_db *db, const char *sql) {
  struct sqlite_query *q = db->queries;
  while (q && (q->busy || strcmp(sqlite3_sql(q->statement), sql) != 0))
    q = q->next;
  if (q || !(q = calloc(1, sizeof *q)))
    return q;
  if (sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT,
                         &q->statement, NULL) != SQLITE_OK) {
    free(q);
    return NULL;
  }
  q->base.driver = &sqlite_driver;
  q->db = db;
  q->next = db->queries;
  db->queries = q;
  return q;
}

static void bind_value(sqlite3_stmt *s, int i, const struct sql_value *v) {
  switch (v->kind) {
  case 'i': sqlite3_bind_int64(s, i, v->i); break;
  case 'd': sqlite3_bind_double(s, i, v->d); break;
  case 't':
    sqlite3_bind_text(s, i, v->text, (int)v->size, SQLITE_STATIC);
    break;
  case 'h':
    sqlite3_bind_blob(s, i, v->text, (int)v->size, SQLITE_STATIC);
    break;
  default: sqlite3_bind_null(s, i);
  }
}

static struct sql_query *sqlite_ask(store_db *db, const char *sql,
                                    const struct sql_value *values, int count) {
  struct sqlite_query *q = find_query(db_of(db), sql);
  for (int i = 0; q && i < count; i++)
    bind_value(q->statement, i + 1, &values[i]);
  if (!q)
    return NULL;
  q->busy = true;
  return &q->base;
}

static bool sqlite_row(struct sql_query *q) {
  return sqlite3_step(query_of(q)->statement) == SQLITE_ROW;
}

static int sqlite_end(struct sql_query *base, int64_t *changed) {
  struct sqlite_query *q = query_of(base);
  *changed = sqlite3_changes(q->db->handle);
  const int code = sqlite3_reset(q->statement) & 0xff;
  sqlite3_clear_bindings(q->statement);
  q->busy = false;
  return code == SQLITE_OK           ? 0
         : code == SQLITE_CONSTRAINT ? SAL_LATE
                                     : SAL_STORE;
}

/* At once. What is told is the number of the row that was inserted: it needs no
 * RETURNING, for which SQLite makes a table of its own each time. */
static int sqlite_later(store_db *db, sql_told *told, void *context,
                        const char *sql, const struct sql_value *values,
                        int count) {
  int64_t changed;
  struct sql_query *q = sqlite_ask(db, sql, values, count);
  if (!q)
    return SAL_STORE;
  sqlite_row(q);
  if (sqlite_end(q, &changed))
    return SAL_STORE;
  if (told)
    told(context, changed ? sqlite3_last_insert_rowid(sqlite_of(db)) : -1);
  return 0;
}

static struct sql_value sqlite_column(struct sql_query *base, int i) {
  sqlite3_stmt *s = query_of(base)->statement;
  struct sql_value v = {.kind = 'n'};
  switch (sqlite3_column_type(s, i)) {
  case SQLITE_INTEGER:
    v.kind = 'i';
    v.i = sqlite3_column_int64(s, i);
    break;
  case SQLITE_FLOAT:
    v.kind = 'd';
    v.d = sqlite3_column_double(s, i);
    break;
  case SQLITE_TEXT:
    v.kind = 't';
    v.text = (const char *)sqlite3_column_text(s, i);
    break;
  case SQLITE_BLOB:
    v.kind = 'h';
    v.text = sqlite3_column_blob(s, i);
    break;
  default: return v;
  }
  v.size =
      v.kind == 't' || v.kind == 'h' ? (size_t)sqlite3_column_bytes(s, i) : 0;
  if (v.kind == 't' && !v.text)
    v.kind = 'n'; /* no memory */
  return v;
}

static const char *sqlite_column_name(struct sql_query *q, int i) {
  sqlite3_stmt *s = query_of(q)->statement;
  return i < sqlite3_column_count(s) ? sqlite3_column_name(s, i) : NULL;
}

/* ---- Words ---------------------------------------------------------------- */

/* There is no index by room: `game` says where the moves of one that has ended
 * are. The rooms that have not are few; the log from the oldest of them on is
 * looked through once. */
#define OPEN_ROOMS                                                             \
  "(SELECT n, room FROM move o WHERE kind = 'open' AND NOT EXISTS"             \
  " (SELECT 1 FROM move e WHERE e.kind = 'end' AND e.room = o.room))"

static const struct sql_fault sqlite_faults[] = {
    {"PRAGMA integrity_check", NULL},
    {"PRAGMA foreign_key_check", "a row speaks of somebody who is not there"},
    {"WITH said AS (SELECT g.room, count(m.n) AS n FROM game g,"
     " json_each(g.moves) j LEFT JOIN move m ON m.n = j.value"
     " AND m.room = g.room GROUP BY g.room),"
     " there AS (SELECT room, count(*) AS n FROM move GROUP BY room"
     " HAVING max(kind = 'end'))"
     " SELECT room FROM there WHERE (room, n) NOT IN (SELECT room, n"
     " FROM said) UNION SELECT room FROM game WHERE room NOT IN"
     " (SELECT room FROM there)",
     "of a table that has ended it is not said where all its moves are"},
    {NULL, NULL}};

static const struct sql_words sqlite_words = {
    .append_move = APPEND_MOVE,
    .moves_of_room =
        "SELECT " MOVE_COLUMNS " FROM move WHERE n IN (SELECT value FROM"
        " game, json_each(game.moves) WHERE game.room = ?1) ORDER BY seq",
    .open_moves = "SELECT " MOVE_COLUMNS " FROM move"
                  " WHERE n >= (SELECT min(n) FROM " OPEN_ROOMS ")"
                  " AND room IN (SELECT room FROM " OPEN_ROOMS ")"
                  " ORDER BY room, seq",
    .moves_in_rooms =
        "SELECT m.* FROM rooms CROSS JOIN game g ON g.room = rooms.room"
        " CROSS JOIN json_each(g.moves) j CROSS JOIN move m ON m.n = j.value"
        " UNION ALL SELECT m.* FROM move m WHERE n >= (SELECT"
        " min(o.n) FROM rooms CROSS JOIN move o ON o.kind = 'open'"
        " AND o.room = rooms.room WHERE rooms.room NOT IN (SELECT room FROM"
        " game)) AND m.room IN (SELECT room FROM rooms"
        " WHERE room NOT IN (SELECT room FROM game))",
    .after_end = "INSERT INTO game SELECT ?1, json_group_array(n) FROM"
                 " (SELECT n FROM move WHERE room = ?1 AND n >= (SELECT n FROM"
                 " move WHERE kind = 'open' AND room = ?1) ORDER BY seq)",
    .after_copy =
        "CREATE INDEX move_room ON move (room, seq);"
        "INSERT INTO game SELECT room, (SELECT json_group_array(n) FROM"
        " (SELECT n FROM move m WHERE m.room = e.room ORDER BY seq))"
        " FROM move e WHERE kind = 'end' GROUP BY room;"
        "DROP INDEX move_room;",
    .with_person =
        "SELECT t.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c"
        " WHERE t.type = 'table' AND c.name = 'person' ORDER BY t.name",
    .columns = "SELECT name FROM pragma_table_info(?1) ORDER BY cid",
    .changes = "PRAGMA data_version",
    .faults = sqlite_faults};

const struct sql_driver sqlite_driver = {.words = &sqlite_words,
                                         .newest = SQLITE_NEWEST,
                                         .open = sqlite_open,
                                         .close = sqlite_close,
                                         .run = sqlite_run,
                                         .begin = sqlite_begin,
                                         .commit = sqlite_commit,
                                         .rollback = sqlite_rollback,
                                         .ask = sqlite_ask,
                                         .row = sqlite_row,
                                         .end = sqlite_end,
                                         .column = sqlite_column,
                                         .column_name = sqlite_column_name,
                                         .later = sqlite_later,
                                         .trouble = sqlite_trouble,
                                         .watch = sqlite_watch,
                                         .serve = sqlite_log_start};
