/* Statements in short. See sql.h. */
#include "sql.h"

#include <sodium.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 200000 };

sqlite3_stmt *sql_ask(sqlite3 *db, const char *sql, const char *kinds, ...) {
  sqlite3_stmt *q = NULL;
  if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) != SQLITE_OK)
    return NULL;
  va_list values;
  va_start(values, kinds);
  for (int i = 1; *kinds; i++, kinds++)
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
  va_end(values);
  return q;
}

int sql_run(sqlite3_stmt *q) {
  const int code = q ? sqlite3_step(q) : SQLITE_ERROR;
  sqlite3_finalize(q);
  return code;
}

bool sql_ran(sqlite3_stmt *q) { return sql_run(q) == SQLITE_DONE; }

int64_t sql_number(sqlite3_stmt *q, int64_t none) {
  if (q && sqlite3_step(q) == SQLITE_ROW)
    none = sqlite3_column_int64(q, 0);
  sqlite3_finalize(q);
  return none;
}

char *sql_text(sqlite3_stmt *q) {
  char *copy = NULL;
  if (q && sqlite3_step(q) == SQLITE_ROW && sqlite3_column_text(q, 0))
    copy = strdup((const char *)sqlite3_column_text(q, 0));
  sqlite3_finalize(q);
  return copy;
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
  int code = q ? SQLITE_ROW : SQLITE_ERROR;
  for (int n = 0; n < ROWS_MAX && code == SQLITE_ROW &&
                  (code = sqlite3_step(q)) == SQLITE_ROW;
       n++) {
    json_t *row = json_object();
    for (int i = 0; i < sqlite3_column_count(q); i++)
      json_object_set_new(row, sqlite3_column_name(q, i), value_of(q, i));
    json_array_append_new(list, row);
  }
  sqlite3_finalize(q);
  if (code == SQLITE_DONE || code == SQLITE_ROW)
    return list;
  json_decref(list);
  return NULL;
}

bool sql_copy(sqlite3_stmt *q, int column, char *out, size_t size) {
  const char *text = (const char *)sqlite3_column_text(q, column);
  const size_t n = (size_t)sqlite3_column_bytes(q, column);
  if (!text || n >= size)
    return false;
  memcpy(out, text, n + 1);
  return true;
}

sqlite3_stmt *sql_keep(sqlite3 *db, const char *sql) {
  sqlite3_stmt *q = sqlite3_next_stmt(db, NULL);
  while (q && strcmp(sqlite3_sql(q), sql) != 0)
    q = sqlite3_next_stmt(db, q);
  if (!q)
    sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &q, NULL);
  return q;
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
  int error = 0, code = SQLITE_ERROR;
  while (q && !error && (code = sqlite3_step(q)) == SQLITE_ROW) {
    struct store_move m;
    read_move(q, &m);
    error = each(context, &m);
  }
  sqlite3_finalize(q);
  return error ? error : code == SQLITE_DONE ? 0 : SAL_STORE;
}
