/* The file of the store: its schema, and the statements on it. */
#ifndef SAL_SERVER_SCHEMA_H
#define SAL_SERVER_SCHEMA_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#define STATEMENTS(X)                                                          \
  X(BEGIN, "BEGIN IMMEDIATE")                                                  \
  X(COMMIT, "COMMIT")                                                          \
  X(READ, "SELECT room, seq, at, seat, kind, text FROM settled"                \
          " WHERE room = ?1 AND seq = ?2")                                     \
  X(PERSON, "INSERT INTO person (name, at) VALUES (?1, ?2)")                   \
  X(SESSION, "INSERT INTO session (hash, person, at, seen, agent)"             \
             " VALUES (?1, ?2, ?3, ?3, ?4)")                                   \
  X(FORGET, "DELETE FROM session WHERE hash = ?1")                             \
  X(ACCOUNT, "INSERT INTO account (name, person, secret, at)"                  \
             " VALUES (?1, ?2, ?3, ?4)")

enum statement {
#define X(id, sql) SQL_##id,
  STATEMENTS(X)
#undef X
      STATEMENT_COUNT
};

/* Opens and migrates; an SQLite code. `*db` may be set even then, for its
 * message, and is to be closed. */
int schema_open(const char *path, sqlite3 **db);
/* A statement that stays with the connection, for who needs it often; NULL if
 * there is none. To be reset after each use. */
sqlite3_stmt *schema_keep(sqlite3 *db, const char *sql);
/* Copies the text of a column; false if there is none that fits. */
bool schema_text(sqlite3_stmt *q, int column, char *out, size_t size);
/* Closes, with all statements that it keeps. */
void schema_close(sqlite3 *db);
/* Opens a file that is there, as it is; an SQLite code. */
int schema_attach(const char *path, sqlite3 **db);
/* The version of a file, 0 if it has none; an SQLite code. */
int schema_version(sqlite3 *db, int *version);
/* The version that this program writes. */
int schema_newest(void);
int schema_prepare(sqlite3 *db, sqlite3_stmt *out[STATEMENT_COUNT]);

/* What the server reads when it starts. */
extern const char schema_active_moves[], schema_sessions[], schema_accounts[];

#endif
