/* The schema and how it came about: a list of migrations, each applied once.
 *
 * Main invariant: `schema_version` holds the number of migrations that the file
 * has; each runs in one transaction with the change of that number. A file from
 * a newer program is refused, not guessed at. */
#include "schema.h"

#include <string.h>

/* The list of moves of a row of `recent` or `chapter`. One that was spoilt is
 * empty: so its games are found to miss moves, and no other. */
#define LIST "json_each(CASE WHEN json_valid(moves) THEN moves ELSE '[]' END)"

/* Moves where they lie, and those of rooms that are open. */
#define IN_MOVE "SELECT room, seq, at, seat, kind, text FROM move"
#define IN_CHAPTER "SELECT room, seq, at, seat, 'act', text FROM settled_act"
#define IN_RECENT "SELECT room, seq, at, seat, 'act', text FROM recent_act"
#define NOT_ENDED                                                              \
  " WHERE room NOT IN (SELECT room FROM move WHERE kind = 'end')"

/* Never change one that was released; add another at the end. */
static const char *const migrations[] = {
    "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL,"
    " at INTEGER NOT NULL) STRICT;"
    "CREATE TABLE session (hash BLOB PRIMARY KEY, person INTEGER NOT NULL"
    " REFERENCES person (id), at INTEGER NOT NULL) STRICT, WITHOUT ROWID;"
    "CREATE TABLE move (room TEXT NOT NULL, seq INTEGER NOT NULL,"
    " at INTEGER NOT NULL, seat INTEGER NOT NULL, kind TEXT NOT NULL,"
    " text TEXT NOT NULL, PRIMARY KEY (room, seq)) STRICT, WITHOUT ROWID;"
    "CREATE INDEX move_end ON move (room) WHERE kind = 'end';",
    "CREATE TABLE account (name TEXT PRIMARY KEY COLLATE NOCASE,"
    " person INTEGER NOT NULL UNIQUE REFERENCES person (id),"
    " secret TEXT NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;",
    /* Until when the server was open; results, and what they make of ratings. */
    "CREATE TABLE house (id INTEGER PRIMARY KEY CHECK (id = 1),"
    " alive INTEGER NOT NULL) STRICT;"
    "CREATE TABLE result (n INTEGER PRIMARY KEY AUTOINCREMENT,"
    " room TEXT NOT NULL UNIQUE, game TEXT NOT NULL, at INTEGER NOT NULL,"
    " rated INTEGER NOT NULL) STRICT;"
    "CREATE TABLE result_seat (n INTEGER NOT NULL REFERENCES result (n),"
    " seat INTEGER NOT NULL, person INTEGER NOT NULL, bot TEXT NOT NULL,"
    " name TEXT NOT NULL, place INTEGER NOT NULL, score INTEGER NOT NULL,"
    " gone INTEGER NOT NULL, before REAL NOT NULL, after REAL NOT NULL,"
    " PRIMARY KEY (n, seat)) STRICT, WITHOUT ROWID;"
    "CREATE INDEX result_person ON result_seat (person, n);"
    "CREATE TABLE rating (game TEXT NOT NULL, person INTEGER NOT NULL,"
    " bot TEXT NOT NULL, rating REAL NOT NULL, deviation REAL NOT NULL,"
    " volatility REAL NOT NULL, games INTEGER NOT NULL, at INTEGER NOT NULL,"
    " PRIMARY KEY (game, person, bot)) STRICT, WITHOUT ROWID;",
    "ALTER TABLE session ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN agent TEXT NOT NULL DEFAULT '';"
    "UPDATE session SET seen = at;"
    "CREATE INDEX session_person ON session (person);"
    "CREATE INDEX move_sitter ON move (json_extract(text, '$.person'))"
    " WHERE kind = 'sit';"
    "CREATE TABLE ban (id INTEGER PRIMARY KEY, person INTEGER, network TEXT,"
    " why TEXT NOT NULL, at INTEGER NOT NULL) STRICT;"
    "CREATE TABLE wish (room TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT;",
    /* Moves in the order in which they came; see journal.h. */
    "CREATE TABLE recent (id INTEGER PRIMARY KEY, room TEXT NOT NULL,"
    " seq INTEGER NOT NULL, at INTEGER NOT NULL, seat INTEGER NOT NULL,"
    " kind TEXT NOT NULL, text TEXT NOT NULL) STRICT;"
    "CREATE VIEW moves AS SELECT room, seq, at, seat, kind, text FROM move"
    " UNION ALL SELECT room, seq, at, seat, kind, text FROM recent r"
    " WHERE NOT EXISTS (SELECT 1 FROM move m WHERE m.room = r.room"
    " AND m.seq = r.seq);",
    /* Acts together: those of a transaction, those of a game. */
    "INSERT OR IGNORE INTO move SELECT room, seq, at, seat, kind, text"
    " FROM recent;"
    "DROP VIEW moves; DROP TABLE recent;"
    "CREATE TABLE recent (id INTEGER PRIMARY KEY, moves TEXT NOT NULL"
    " CHECK (json_valid(moves))) STRICT;"
    "CREATE TABLE chapter (id INTEGER PRIMARY KEY, room TEXT NOT NULL,"
    " first INTEGER NOT NULL, last INTEGER NOT NULL, moves TEXT NOT NULL"
    " CHECK (json_valid(moves))) STRICT;"
    "CREATE UNIQUE INDEX chapter_room ON chapter (room, first, last);"
    "CREATE VIEW settled_act AS SELECT c.room, m.value ->> 0 AS seq,"
    " m.value ->> 1 AS at, m.value ->> 2 AS seat, m.value ->> 3 AS text"
    " FROM chapter c, " LIST " m;"
    /* What was carried over may still lie in `recent` for a while. */
    "CREATE VIEW recent_act AS SELECT r.id AS row, m.id AS n,"
    " m.value ->> 0 AS room, m.value ->> 1 AS seq, m.value ->> 2 AS at,"
    " m.value ->> 3 AS seat, m.value ->> 4 AS text FROM recent r, " LIST " m"
    " WHERE NOT EXISTS (SELECT 1 FROM chapter c WHERE c.room = m.value ->> 0"
    " AND c.first <= m.value ->> 1 AND c.last >= m.value ->> 1);"
    "CREATE VIEW settled AS " IN_MOVE " UNION ALL " IN_CHAPTER ";"
    "CREATE VIEW moves AS " IN_MOVE " UNION ALL " IN_CHAPTER
    " UNION ALL " IN_RECENT ";"
    "CREATE VIEW live AS " IN_MOVE NOT_ENDED " UNION ALL " IN_CHAPTER NOT_ENDED
    " UNION ALL " IN_RECENT NOT_ENDED ";",
};

enum { MIGRATIONS = sizeof migrations / sizeof *migrations };

const char schema_active_moves[] =
    "SELECT room, seq, at, seat, kind, text FROM live ORDER BY room, seq";
const char schema_sessions[] =
    "SELECT s.hash, s.person, s.at, p.name, s.seen FROM session s"
    " JOIN person p ON p.id = s.person";
const char schema_accounts[] = "SELECT name, person, secret, at FROM account";

static int run_sql(sqlite3 *db, const char *sql) {
  return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

static int set_version(sqlite3 *db, int version) {
  sqlite3_stmt *s = NULL;
  int code = sqlite3_prepare_v2(
      db, "INSERT INTO schema_version (version) VALUES (?1)", -1, &s, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_bind_int(s, 1, version);
  if (code == SQLITE_OK)
    code = sqlite3_step(s) == SQLITE_DONE ? SQLITE_OK : sqlite3_errcode(db);
  sqlite3_finalize(s);
  return code;
}

static int migrate(sqlite3 *db) {
  int version = 0;
  int code = run_sql(db, "CREATE TABLE IF NOT EXISTS schema_version"
                         " (version INTEGER NOT NULL) STRICT");
  if (code == SQLITE_OK)
    code = schema_version(db, &version);
  if (code == SQLITE_OK && version > MIGRATIONS)
    return SQLITE_SCHEMA;
  for (; code == SQLITE_OK && version < MIGRATIONS; version++) {
    code = run_sql(db, migrations[version]);
    if (code == SQLITE_OK)
      code = set_version(db, version + 1);
  }
  return code;
}

int schema_open(const char *path, sqlite3 **db) {
  int code = sqlite3_open_v2(
      path, db,
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
  if (code != SQLITE_OK)
    return code;
  sqlite3_extended_result_codes(*db, 1);
  sqlite3_busy_timeout(*db, 1000);
  code = run_sql(
      *db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
           "PRAGMA foreign_keys = ON; PRAGMA cache_size = -8000;"); /* kB */
  if (code == SQLITE_OK)
    code = run_sql(*db, "BEGIN IMMEDIATE");
  if (code == SQLITE_OK) {
    code = migrate(*db);
    const int end = run_sql(*db, code == SQLITE_OK ? "COMMIT" : "ROLLBACK");
    code = code == SQLITE_OK ? end : code;
  }
  return code;
}

int schema_attach(const char *path, sqlite3 **db) {
  int code = sqlite3_open_v2(path, db,
                             SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  if (code != SQLITE_OK)
    return code;
  sqlite3_extended_result_codes(*db, 1);
  sqlite3_busy_timeout(*db, 5000);
  return run_sql(*db, "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;");
}

sqlite3_stmt *schema_keep(sqlite3 *db, const char *sql) {
  sqlite3_stmt *q = sqlite3_next_stmt(db, NULL);
  while (q && strcmp(sqlite3_sql(q), sql) != 0)
    q = sqlite3_next_stmt(db, q);
  if (!q)
    sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &q, NULL);
  return q;
}

void schema_close(sqlite3 *db) {
  sqlite3_stmt *q;
  while (db && (q = sqlite3_next_stmt(db, NULL)))
    sqlite3_finalize(q);
  sqlite3_close(db);
}

bool schema_text(sqlite3_stmt *q, int column, char *out, size_t size) {
  const char *text = (const char *)sqlite3_column_text(q, column);
  const size_t n = (size_t)sqlite3_column_bytes(q, column);
  if (!text || n >= size)
    return false;
  memcpy(out, text, n + 1);
  return true;
}

int schema_version(sqlite3 *db, int *version) {
  sqlite3_stmt *s = NULL;
  *version = 0;
  int code = sqlite3_prepare_v2(
      db, "SELECT coalesce(max(version), 0) FROM schema_version", -1, &s, NULL);
  if (code == SQLITE_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
    *version = sqlite3_column_int(s, 0);
    code = SQLITE_OK;
  }
  sqlite3_finalize(s);
  return code;
}

int schema_newest(void) { return MIGRATIONS; }

int schema_prepare(sqlite3 *db, sqlite3_stmt *out[STATEMENT_COUNT]) {
  static const char *const texts[] = {
#define X(id, sql) sql,
      STATEMENTS(X)
#undef X
  };
  int code = SQLITE_OK;
  for (int i = 0; i < STATEMENT_COUNT && code == SQLITE_OK; i++)
    code = sqlite3_prepare_v3(db, texts[i], -1, SQLITE_PREPARE_PERSISTENT,
                              &out[i], NULL);
  return code;
}
