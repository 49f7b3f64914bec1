/* Statements in short, on whatever database the store is in.
 *
 * Main invariant: a statement is written once, in SQL that SQLite and PostgreSQL
 * both read. What they cannot share is in `struct sql_words`, one for each; how
 * they are talked to, in `struct sql_driver` (sqlite.c, postgres.c). */
#ifndef SAL_SERVER_SQL_H
#define SAL_SERVER_SQL_H

#include "store.h"

#include <jansson.h>

/* ---- Values and statements (sql.c) -------------------------------------------- */

/* 'i' a number, 'd' a double, 't' a text, 'h' a hash or other bytes, 'n' none. */
struct sql_value {
  char kind;
  union {
    int64_t i;
    double d;
  };
  const char *text; /* of 't' (ended by a zero too) and 'h' */
  size_t size;
};

/* A statement at work. */
struct sql_query {
  const struct sql_driver *driver;
};

/* A statement with its values, one letter each: 'i' (int64_t), 'd' (double), 't'
 * (text), 'h' (a hash). It stays with the connection for the next time; until
 * sql_end it is this caller's. NULL: it could not, and all functions here say so
 * then. */
struct sql_query *sql_ask(store_db *db, const char *sql, const char *kinds,
                          ...);
/* Whether there is one more row. */
bool sql_row(struct sql_query *q);
/* Ends it; 0, or SAL_STORE if anything has failed. */
int sql_end(struct sql_query *q);
/* Runs a statement that gives nothing back; 0 or SAL_STORE. */
int sql_do(store_db *db, const char *sql, const char *kinds, ...);
/* The same; SAL_LATE if there is such a row already, or others need this one. */
int sql_try(store_db *db, const char *sql, const char *kinds, ...);
/* The same; how many rows it has changed, -1 if it could not. */
int64_t sql_count(store_db *db, const char *sql, const char *kinds, ...);

/* A statement that gives back one number or none (in SQLite: that inserts a row
 * or none, and the number is the row's). `told` (or NULL) gets it, or -1, at the
 * latest when the transaction ends. If the statement fails, so does the transaction,
 * and nobody is told. */
typedef void sql_told(void *context, int64_t number);
int sql_later(store_db *db, sql_told *told, void *context, const char *sql,
              const char *kinds, ...);
int sql_later_with(store_db *db, sql_told *told, void *context, const char *sql,
                   const struct sql_value *values, int count);

/* Questions without values that are going to be asked soon, with these very texts: where
 * the database is far away, all answers come at once, as they are now. Each is given to
 * who asks first; a transaction that begins forgets the others. */
enum { SQL_AHEAD_MAX = 10 };
void sql_ahead(store_db *db, const char *const *sql, int count);

/* The first column of the first row as a number; `none` if there is no row. */
int64_t sql_number(struct sql_query *q, int64_t none);
/* The same as a text, to be freed; NULL: there is none, or it could not. */
char *sql_text(struct sql_query *q);
/* The same, copied; SAL_NO_TABLE: there is none. */
int sql_text_into(struct sql_query *q, char *out, size_t size);
/* The rows of a query as a list of objects; NULL: it could not. Hashes are cut
 * to what names a session. */
json_t *sql_rows(struct sql_query *q);
/* Calls `each` with every row that is a move: MOVE_COLUMNS. 0, or what it
 * returned, or SAL_STORE. */
int sql_each_move(struct sql_query *q,
                  int (*each)(void *context, const struct store_move *m),
                  void *context);
#define MOVE_COLUMNS "room, seq, at, seat, kind, text, n"

/* Columns of the row: as it is; a number; a double; a text, "" if there is none;
 * copied, false if there is none that fits. */
struct sql_value sql_column(struct sql_query *q, int column);
int64_t sql_int(struct sql_query *q, int column);
double sql_double(struct sql_query *q, int column);
const char *sql_string(struct sql_query *q, int column);
bool sql_copy(struct sql_query *q, int column, char *out, size_t size);

/* ---- Connections -------------------------------------------------------------- */

enum sql_use {
  SQL_CREATE, /* to serve: made or brought up to date if need be */
  SQL_CHANGE, /* as it is */
  SQL_READ    /* as it is, and never written */
};

/* Opens what `where` names: a file, or "postgresql://…". 0, or an error with a
 * sentence. */
int sql_open(const char *where, enum sql_use use, store_db **out,
             struct sal_refusal *why);
void sql_close(store_db *db);
/* The version of the schema; -1: it could not be read. */
int sql_version(store_db *db);
int sql_newest(store_db *db);
bool sql_begin(store_db *db);
/* False: nothing has happened, as far as one knows. */
bool sql_commit(store_db *db);
void sql_rollback(store_db *db);
/* What the database says of the last error; valid until the next call. */
const char *sql_trouble(store_db *db);
/* After a commit that has failed: whether it may have happened all the same. */
bool sql_in_doubt(store_db *db);
/* Waits until another program has told something on a channel that this one LISTENs
 * to, or for so many milliseconds. */
void sql_wait(store_db *db, int ms);
/* Only one of the programs that write has what `sql_lock` gives until its
 * transaction ends. */
int sql_lock(store_db *db);

/* Brings the schema up to date: `steps` are the migrations, each applied once, in
 * the transaction of the caller. `to` of them, if that is less. 0; SAL_STORE; or
 * SAL_LATE, it is from a newer program. */
int sql_migrate(store_db *db, const char *const *steps, int count, int to);

/* ---- Databases ---------------------------------------------------------------- */

struct sql_fault {
  const char *sql, *what;
};

#define APPEND_MOVE                                                            \
  "INSERT INTO move (room, seq, at, seat, kind, text)"                         \
  " VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING"

/* What SQLite and PostgreSQL do not say in the same way. */
struct sql_words {
  /* APPEND_MOVE, so that sql_later tells the number of the row. */
  const char *append_move;
  /* Moves of a room that has ended (?1); of rooms that have not; of all rooms
   * named in `rooms`, a query that stands before. */
  const char *moves_of_room, *open_moves, *moves_in_rooms;
  /* After a move of the kind "end" (?1: the room); or NULL. */
  const char *after_end;
  /* After rows were copied here with their numbers; and before a transaction
   * that reads all as it is now, or NULL. */
  const char *after_copy, *snapshot;
  /* Waits for sql_lock; or NULL, there is only one that writes. */
  const char *lock;
  /* The time in milliseconds by the clock of all who share it; or NULL. */
  const char *time;
  /* Tables with a column `person`; columns of a table (?1), in their order. */
  const char *with_person, *columns;
  /* Something that is another number when anything was written. */
  const char *changes;
  /* Every row of these is a fault, but for one that says "ok"; `what` is NULL if
   * the row says it. Ends with NULL. */
  const struct sql_fault *faults;
};

struct sql_driver {
  const struct sql_words *words;
  bool shared; /* several processes may write */
  int newest;  /* version of the schema */
  int (*open)(const char *where, enum sql_use use, store_db **out,
              struct sal_refusal *why);
  void (*close)(store_db *db);
  bool (*run)(store_db *db, const char *sql); /* without values or rows */
  bool (*begin)(store_db *db);
  bool (*commit)(store_db *db);
  void (*rollback)(store_db *db);
  struct sql_query *(*ask)(store_db *db, const char *sql,
                           const struct sql_value *values, int count);
  bool (*row)(struct sql_query *q);
  int (*end)(struct sql_query *q, int64_t *changed); /* SAL_LATE, SAL_STORE */
  struct sql_value (*column)(struct sql_query *q, int column);
  const char *(*column_name)(struct sql_query *q, int column); /* or NULL */
  /* As sql_try (NULL: as `ask`, at once), and sql_later. */
  int (*attempt)(store_db *db, const char *sql, const struct sql_value *values,
                 int count);
  int (*later)(store_db *db, sql_told *told, void *context, const char *sql,
               const struct sql_value *values, int count);
  void (*ahead)(store_db *db, const char *const *sql, int count); /* or NULL */
  const char *(*trouble)(store_db *db);
  /* As sql_in_doubt and sql_wait; NULL where only one program writes. */
  bool (*in_doubt)(store_db *db);
  void (*wait)(store_db *db, int ms);
  /* Asked now and then while a question is answered, whether to give it up. */
  void (*watch)(store_db *db, bool (*given_up)(void *context), void *context);
  /* A server begins: what it needs beside its transactions. From now on nobody waits
   * for an answer that does not come. */
  void (*serve)(store_db *db);
};

/* What the rest of the server calls a connection. */
struct store_db {
  const struct sql_driver *driver;
};

extern const struct sql_driver sqlite_driver, postgres_driver;

/* What a server asks once, when it begins (queries.c, court_store.c, limit_store.c). */
extern const char sql_sessions[], sql_accounts[], sql_courts[], sql_limits[];

/* The connection of a store before it starts (store.c). */
store_db *store_writer_db(struct store *s);

#endif
