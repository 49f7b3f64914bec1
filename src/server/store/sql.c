/* Statements in short. See sql.h. */
#include "sql.h"

#include <sodium.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 200000, VALUES_MAX = 16 };

/* ---- Connections ---------------------------------------------------------- */

bool store_is_shared(const char *where) {
  return strncmp(where, "postgresql://", 13) == 0 ||
         strncmp(where, "postgres://", 11) == 0;
}

static const struct sql_driver *driver_of(const char *where) {
  return store_is_shared(where) ? &postgres_driver : &sqlite_driver;
}

int sql_open(const char *where, enum sql_use use, store_db **out,
             struct sal_refusal *why) {
  *out = NULL;
  return driver_of(where)->open(where, use, out, why);
}

void sql_close(store_db *db) {
  if (db)
    db->driver->close(db);
}

int sql_version(store_db *db) {
  return (int)sql_number(
      sql_ask(db, "SELECT coalesce(max(version), 0) FROM schema_version", ""),
      -1);
}

int sql_newest(store_db *db) { return db->driver->newest; }
bool sql_begin(store_db *db) { return db->driver->begin(db); }
bool sql_commit(store_db *db) { return db->driver->commit(db); }
void sql_rollback(store_db *db) { db->driver->rollback(db); }
const char *sql_trouble(store_db *db) { return db->driver->trouble(db); }

bool sql_in_doubt(store_db *db) {
  return db->driver->in_doubt && db->driver->in_doubt(db);
}

void sql_wait(store_db *db, int ms) { db->driver->wait(db, ms); }

int sql_lock(store_db *db) {
  const char *lock = db->driver->words->lock;
  return lock ? sql_do(db, lock, "") : 0;
}

int sql_migrate(store_db *db, const char *const *steps, int count, int to) {
  if (!db->driver->run(db, "CREATE TABLE IF NOT EXISTS schema_version"
                           " (version INTEGER NOT NULL)"))
    return SAL_STORE;
  int version = sql_version(db);
  if (version > count)
    return SAL_LATE;
  for (; version >= 0 && version < to; version++)
    if (!db->driver->run(db, steps[version]) ||
        sql_do(db, "INSERT INTO schema_version VALUES (?1)", "i",
               (int64_t)version + 1))
      return SAL_STORE;
  return version < 0 ? SAL_STORE : 0;
}

/* ---- Statements ----------------------------------------------------------- */

static int read_values(struct sql_value *v, const char *kinds, va_list from) {
  int n = 0;
  for (; kinds[n] && n < VALUES_MAX; n++) {
    v[n] = (struct sql_value){.kind = kinds[n]};
    switch (kinds[n]) {
    case 'i': v[n].i = va_arg(from, int64_t); break;
    case 'd': v[n].d = va_arg(from, double); break;
    case 'h':
      v[n].text = (const char *)va_arg(from, const uint8_t *);
      v[n].size = STORE_HASH;
      break;
    default:
      v[n].text = va_arg(from, const char *);
      v[n].size = strlen(v[n].text);
    }
  }
  return n;
}

#define VALUES(v, n, kinds)                                                    \
  struct sql_value v[VALUES_MAX];                                              \
  va_list from_;                                                               \
  va_start(from_, kinds);                                                      \
  const int n = read_values(v, kinds, from_);                                  \
  va_end(from_)

/* A question with its values in a row. */
static struct sql_query *sql_ask_with(store_db *db, const char *sql,
                                      const struct sql_value *values,
                                      int count) {
  return db->driver->ask(db, sql, values, count);
}

struct sql_query *sql_ask(store_db *db, const char *sql, const char *kinds,
                          ...) {
  VALUES(v, n, kinds);
  return sql_ask_with(db, sql, v, n);
}

bool sql_row(struct sql_query *q) { return q && q->driver->row(q); }

/* All of it, with its error and how many rows it has changed. */
static int finish_query(struct sql_query *q, int64_t *changed) {
  return q ? q->driver->end(q, changed) : SAL_STORE;
}

int sql_end(struct sql_query *q) {
  int64_t changed;
  return finish_query(q, &changed) ? SAL_STORE : 0;
}

static int attempt(store_db *db, const char *sql, const struct sql_value *v,
                   int n) {
  int64_t changed;
  if (db->driver->attempt)
    return db->driver->attempt(db, sql, v, n);
  struct sql_query *q = sql_ask_with(db, sql, v, n);
  sql_row(q);
  return finish_query(q, &changed);
}

int sql_try(store_db *db, const char *sql, const char *kinds, ...) {
  VALUES(v, n, kinds);
  return attempt(db, sql, v, n);
}

int sql_do(store_db *db, const char *sql, const char *kinds, ...) {
  VALUES(v, n, kinds);
  struct sql_query *q = sql_ask_with(db, sql, v, n);
  sql_row(q);
  return sql_end(q);
}

int64_t sql_count(store_db *db, const char *sql, const char *kinds, ...) {
  VALUES(v, n, kinds);
  struct sql_query *q = sql_ask_with(db, sql, v, n);
  int64_t changed = 0;
  sql_row(q);
  return finish_query(q, &changed) ? -1 : changed;
}

int sql_later(store_db *db, sql_told *told, void *context, const char *sql,
              const char *kinds, ...) {
  VALUES(v, n, kinds);
  return sql_later_with(db, told, context, sql, v, n);
}

int sql_later_with(store_db *db, sql_told *told, void *context, const char *sql,
                   const struct sql_value *v, int n) {
  return db->driver->later(db, told, context, sql, v, n);
}

void sql_ahead(store_db *db, const char *const *sql, int count) {
  if (db->driver->ahead)
    db->driver->ahead(db, sql, count);
}

/* ---- Columns -------------------------------------------------------------- */

struct sql_value sql_column(struct sql_query *q, int column) {
  return q->driver->column(q, column);
}

int64_t sql_int(struct sql_query *q, int column) {
  const struct sql_value v = sql_column(q, column);
  return v.kind == 'i' ? v.i : v.kind == 'd' ? (int64_t)v.d : 0;
}

double sql_double(struct sql_query *q, int column) {
  const struct sql_value v = sql_column(q, column);
  return v.kind == 'd' ? v.d : v.kind == 'i' ? (double)v.i : 0;
}

const char *sql_string(struct sql_query *q, int column) {
  const struct sql_value v = sql_column(q, column);
  return v.kind == 't' ? v.text : "";
}

bool sql_copy(struct sql_query *q, int column, char *out, size_t size) {
  const struct sql_value v = sql_column(q, column);
  if (v.kind != 't' || v.size >= size)
    return false;
  memcpy(out, v.text, v.size + 1);
  return true;
}

/* ---- Whole answers -------------------------------------------------------- */

int64_t sql_number(struct sql_query *q, int64_t none) {
  int64_t number = none;
  if (sql_row(q) && sql_column(q, 0).kind != 'n')
    number = sql_int(q, 0);
  return sql_end(q) ? none : number;
}

char *sql_text(struct sql_query *q) {
  char *copy = NULL;
  if (sql_row(q) && sql_column(q, 0).kind == 't')
    copy = strdup(sql_string(q, 0));
  sql_end(q);
  return copy;
}

int sql_text_into(struct sql_query *q, char *out, size_t size) {
  const bool there = sql_row(q), fits = there && sql_copy(q, 0, out, size);
  const int error = sql_end(q);
  return error ? error : fits ? 0 : there ? SAL_STORE : SAL_NO_TABLE;
}

static json_t *json_of(struct sql_value v) {
  char hex[17];
  switch (v.kind) {
  case 'i': return json_integer(v.i);
  case 'd': return json_real(v.d);
  case 't': return json_string(v.text);
  case 'h':
    if (v.size != STORE_HASH)
      return json_null();
    sodium_bin2hex(hex, sizeof hex, (const uint8_t *)v.text, 8);
    return json_string(hex);
  default: return json_null();
  }
}

json_t *sql_rows(struct sql_query *q) {
  json_t *list = json_array();
  for (int n = 0; n < ROWS_MAX && sql_row(q); n++) {
    json_t *row = json_object();
    const char *name;
    for (int i = 0; (name = q->driver->column_name(q, i)); i++)
      json_object_set_new(row, name, json_of(sql_column(q, i)));
    json_array_append_new(list, row);
  }
  if (sql_end(q) == 0)
    return list;
  json_decref(list);
  return NULL;
}

/* A row that cannot be one is a move of no kind: so its room is found to be
 * spoilt, and no other. */
static void read_move(struct sql_query *q, struct store_move *m) {
  m->seq = sql_int(q, 1);
  m->at = sql_int(q, 2);
  m->seat = (int)sql_int(q, 3);
  m->n = sql_int(q, 6);
  m->room[0] = '\0';
  if (!sql_copy(q, 0, m->room, sizeof m->room) ||
      !sql_copy(q, 4, m->kind, sizeof m->kind) ||
      !sql_copy(q, 5, m->text, sizeof m->text))
    m->kind[0] = m->text[0] = '\0';
}

int sql_each_move(struct sql_query *q,
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
