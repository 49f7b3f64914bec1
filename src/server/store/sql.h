/* SQLite, for the files of this folder: opening, migrating, and statements in
 * short. */
#ifndef SAL_SERVER_SQL_H
#define SAL_SERVER_SQL_H

#include "store.h"

#include <jansson.h>
#include <sqlite3.h>

/* What the rest of the server calls a connection. */
static inline sqlite3 *sqlite_of(store_db *db) { return (sqlite3 *)db; }

/* ---- Files (schema.c) ------------------------------------------------------- */

/* Opens and migrates; an SQLite code. `*db` may be set even then, for its
 * message, and is to be closed. */
int schema_open(const char *path, store_db **db);
/* The same, up to an older version; for tests. */
int schema_open_at(const char *path, int version, store_db **db);
/* Opens a file that is there, as it is; an SQLite code. */
int schema_attach(const char *path, store_db **db);
/* The same, to read only. */
int schema_attach_reader(const char *path, store_db **db);
/* Closes, with all statements that it keeps. */
void schema_close(store_db *db);
/* The version of a file, 0 if it has none; an SQLite code. */
int schema_version(store_db *db, int *version);
/* The version that this program writes. */
int schema_newest(void);

/* The connection of a store before it starts (store.c). */
store_db *store_writer_db(struct store *s);

/* ---- Statements (sql.c) ------------------------------------------------------ */

/* A statement with its values: 'i' a number (int64_t), 't' a text, 'h' a hash,
 * 'd' a double. It stays with the connection for the next time; until sql_end it
 * is this caller's. NULL: it could not, and all functions here say so then. */
sqlite3_stmt *sql_ask(store_db *db, const char *sql, const char *kinds, ...);
/* Whether there is one more row. */
bool sql_row(sqlite3_stmt *q);
/* Ends it; 0, or SAL_STORE if anything has failed. */
int sql_end(sqlite3_stmt *q);
/* Runs a statement that gives nothing back; 0 or SAL_STORE. */
int sql_do(store_db *db, const char *sql, const char *kinds, ...);
/* The same; SAL_LATE if there is such a row already. */
int sql_try(store_db *db, const char *sql, const char *kinds, ...);
/* How many rows the last one changed. */
int sql_changes(store_db *db);

/* The first column of the first row as a number; `none` if there is no row. */
int64_t sql_number(sqlite3_stmt *q, int64_t none);
/* The same as a text, to be freed; NULL: there is none, or it could not. */
char *sql_text(sqlite3_stmt *q);
/* The same, copied; SAL_NO_TABLE: there is none. */
int sql_text_into(sqlite3_stmt *q, char *out, size_t size);
/* The rows of a query as a list of objects; NULL: it could not. Hashes are cut
 * to what names a session. */
json_t *sql_rows(sqlite3_stmt *q);
/* Calls `each` with every row that is a move: room, seq, at, seat, kind, text, n.
 * 0, or what it returned, or SAL_STORE. */
int sql_each_move(sqlite3_stmt *q,
                  int (*each)(void *context, const struct store_move *m),
                  void *context);
#define MOVE_COLUMNS "room, seq, at, seat, kind, text, n"

/* Columns of the row: a text, "" if there is none; copied, false if there is
 * none that fits; a number. */
const char *sql_string(sqlite3_stmt *q, int column);
bool sql_copy(sqlite3_stmt *q, int column, char *out, size_t size);
static inline int64_t sql_int(sqlite3_stmt *q, int column) {
  return sqlite3_column_int64(q, column);
}

#endif
