/* Statements in short. See sql.h. */
#include "sql.h"

#include <sodium.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 200000 };

/* The connection's own statement with that text, unless it is in use. */
static sqlite3_stmt *find_statement(store_db *db, const char *sql) {
  sqlite3_stmt *q = sqlite3_next_stmt(sqlite_of(db), NULL);
  while (q && (sqlite3_stmt_busy(q) || strcmp(sqlite3_sql(q), sql) != 0))
    q = sqlite3_next_stmt(sqlite_of(db), q);
  if (!q)
    sqlite3_prepare_v3(sqlite_of(db), sql, -1, SQLITE_PREPARE_PERSISTENT, &q,
                       NULL);
  return q;
}

static sqlite3_stmt *bind_all(store_db *db, const char *sql, const char *kinds,
                              va_list values) {
  sqlite3_stmt *q = find_statement(db, sql);
  for (int i = 1; q && *kinds; i++, kinds++)
    switch (*kinds) {
    case 'i': sqlite3_bind_int64(q, i, va_arg(values, int64_t)); break;
    case 'd': sqlite3_bind_double(q, i, va_arg(values, double)); break;
    case 't':
      sqlite3_bind_text(q, i, va_arg(values, const char *), -1, SQLITE_STATIC);
      break;
    default:
      sqlite3_bind_blob(q, i, va_arg(values, const uint8_t *), STORE_HASH,
                        SQLITE_STATIC);
    }
  return q;
}

sqlite3_stmt *sql_ask(store_db *db, const char *sql, const char *kinds, ...) {
  va_list values;
  va_start(values, kinds);
  sqlite3_stmt *q = bind_all(db, sql, kinds, values);
  va_end(values);
  return q;
}

bool sql_row(sqlite3_stmt *q) { return q && sqlite3_step(q) == SQLITE_ROW; }

static int end_with(sqlite3_stmt *q) {
  const int code = q ? sqlite3_reset(q) & 0xff : SQLITE_ERROR;
  if (q)
    sqlite3_clear_bindings(q);
  return code == SQLITE_OK           ? 0
         : code == SQLITE_CONSTRAINT ? SAL_LATE
                                     : SAL_STORE;
}

int sql_end(sqlite3_stmt *q) { return end_with(q) ? SAL_STORE : 0; }

int sql_try(store_db *db, const char *sql, const char *kinds, ...) {
  va_list values;
  va_start(values, kinds);
  sqlite3_stmt *q = bind_all(db, sql, kinds, values);
  va_end(values);
  sql_row(q);
  return end_with(q);
}

int sql_do(store_db *db, const char *sql, const char *kinds, ...) {
  va_list values;
  va_start(values, kinds);
  sqlite3_stmt *q = bind_all(db, sql, kinds, values);
  va_end(values);
  sql_row(q);
  return sql_end(q);
}

int sql_changes(store_db *db) { return sqlite3_changes(sqlite_of(db)); }

int64_t sql_number(sqlite3_stmt *q, int64_t none) {
  if (sql_row(q))
    none = sql_int(q, 0);
  sql_end(q);
  return none;
}

char *sql_text(sqlite3_stmt *q) {
  char *copy = NULL;
  if (sql_row(q) && sqlite3_column_text(q, 0))
    copy = strdup(sql_string(q, 0));
  sql_end(q);
  return copy;
}

int sql_text_into(sqlite3_stmt *q, char *out, size_t size) {
  const bool there = sql_row(q), fits = there && sql_copy(q, 0, out, size);
  const int error = sql_end(q);
  return error ? error : fits ? 0 : there ? SAL_STORE : SAL_NO_TABLE;
}

static json_t *value_of(sqlite3_stmt *q, int i) {
  char hex[17];
  switch (sqlite3_column_type(q, i)) {
  case SQLITE_INTEGER: return json_integer(sqlite3_column_int64(q, i));
  case SQLITE_FLOAT: return json_real(sqlite3_column_double(q, i));
  case SQLITE_TEXT: return json_string((const char *)sqlite3_column_text(q, i));
  case SQLITE_BLOB:
    if (sqlite3_column_bytes(q, i) != STORE_HASH)
      return json_null();
    sodium_bin2hex(hex, sizeof hex, sqlite3_column_blob(q, i), 8);
    return json_string(hex);
  default: return json_null();
  }
}

json_t *sql_rows(sqlite3_stmt *q) {
  json_t *list = json_array();
  for (int n = 0; n < ROWS_MAX && sql_row(q); n++) {
    json_t *row = json_object();
    for (int i = 0; i < sqlite3_column_count(q); i++)
      json_object_set_new(row, sqlite3_column_name(q, i), value_of(q, i));
    json_array_append_new(list, row);
  }
  if (sql_end(q) == 0)
    return list;
  json_decref(list);
  return NULL;
}

const char *sql_string(sqlite3_stmt *q, int column) {
  const char *text = (const char *)sqlite3_column_text(q, column);
  return text ? text : "";
}

bool sql_copy(sqlite3_stmt *q, int column, char *out, size_t size) {
  const char *text = (const char *)sqlite3_column_text(q, column);
  const size_t n = (size_t)sqlite3_column_bytes(q, column);
  if (!text || n >= size)
    return false;
  memcpy(out, text, n + 1);
  return true;
}

/* A row that cannot be one is a move of no kind: so its room is found to be
 * spoilt, and no other. */
static void read_move(sqlite3_stmt *q, struct store_move *m) {
  m->seq = sqlite3_column_int64(q, 1);
  m->at = sqlite3_column_int64(q, 2);
  m->seat = sqlite3_column_int(q, 3);
  m->n = sqlite3_column_int64(q, 6);
  m->room[0] = '\0';
  if (!sql_copy(q, 0, m->room, sizeof m->room) ||
      !sql_copy(q, 4, m->kind, sizeof m->kind) ||
      !sql_copy(q, 5, m->text, sizeof m->text))
    m->kind[0] = m->text[0] = '\0';
}

int sql_each_move(sqlite3_stmt *q,
                  int (*each)(void *context, const struct store_move *m),
                  void *context) {
  int error = 0;
  while (!error && sql_row(q)) {
    struct store_move m;
    read_move(q, &m);
    error = each(context, &m);
  }
  const int end = sql_end(q);
  return error ? error : end;
}
