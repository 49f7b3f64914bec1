/* SQLite, for the files of this folder: opening, migrating, and statements in
 * short. */
#ifndef SAL_SERVER_SQL_H
#define SAL_SERVER_SQL_H

#include "store.h"

#include <jansson.h>
#include <sqlite3.h>

/* ---- Files (schema.c) ------------------------------------------------------- */

/* Opens and migrates; an SQLite code. `*db` may be set even then, for its
 * message, and is to be closed. */
int schema_open(const char *path, sqlite3 **db);
/* The same, up to an older version; for tests. */
int schema_open_at(const char *path, int version, sqlite3 **db);
/* Opens a file that is there, as it is; an SQLite code. */
int schema_attach(const char *path, sqlite3 **db);
/* The same, to read only. */
int schema_attach_reader(const char *path, sqlite3 **db);
/* Closes, with all statements that it keeps. */
void schema_close(sqlite3 *db);
/* The version of a file, 0 if it has none; an SQLite code. */
int schema_version(sqlite3 *db, int *version);
/* The version that this program writes. */
int schema_newest(void);

/* ---- Statements (sql.c) ------------------------------------------------------ */

/* Prepares and binds: 'i' a number (int64_t), 't' a text, 'h' a hash, 'd' a
 * double. NULL: it could not. */
sqlite3_stmt *sql_ask(sqlite3 *db, const char *sql, const char *kinds, ...);
/* Runs a statement that gives nothing back, and ends it; an SQLite code. */
int sql_run(sqlite3_stmt *q);
/* Whether that went well. */
bool sql_ran(sqlite3_stmt *q);
/* The first column of the first row as a number; `none` if there is no row. */
int64_t sql_number(sqlite3_stmt *q, int64_t none);
/* The same as a text, to be freed; NULL: there is none, or it could not. */
char *sql_text(sqlite3_stmt *q);
/* The rows of a query as a list of objects; NULL: it could not. Hashes are cut
 * to what names a session. */
json_t *sql_rows(sqlite3_stmt *q);
/* Copies the text of a column; false if there is none that fits. */
bool sql_copy(sqlite3_stmt *q, int column, char *out, size_t size);
/* A statement that stays with the connection, for who needs it often; NULL if
 * there is none. To be reset after each use. */
sqlite3_stmt *sql_keep(sqlite3 *db, const char *sql);
/* Calls `each` with every row that is a move: room, seq, at, seat, kind, text, n.
 * 0, or what it returned, or SAL_STORE. Ends the statement. */
int sql_each_move(sqlite3_stmt *q,
                  int (*each)(void *context, const struct store_move *m),
                  void *context);
/* What store.h has of these, on a connection (queries.c). */
int sql_each_open_move(sqlite3 *db,
                       int (*each)(void *context, const struct store_move *m),
                       void *context);
int sql_each_session(sqlite3 *db,
                     int (*each)(void *context, const struct store_session *m),
                     void *context);
int sql_each_account(sqlite3 *db,
                     int (*each)(void *context, const struct store_account *a),
                     void *context);
#define MOVE_COLUMNS "room, seq, at, seat, kind, text, n"

#endif
