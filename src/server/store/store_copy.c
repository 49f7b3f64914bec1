/* Copying stores. See store_copy.h. */
#include "store_copy.h"
#include "sql.h"

#include "salotto/text.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS_MAX = 16, PAGE = 20000, SQL_MAX = 1000 };

/* What a store is, in an order in which rows speak only of those before; and the
 * number by which much is read in pieces. */
static const struct {
  const char *name, *number;
} tables[] = {{"person", "id"},      {"session", NULL},   {"account", NULL},
              {"heartbeat", NULL},   {"move", "n"},       {"result", "n"},
              {"result_seat", NULL}, {"rating", NULL},    {"ban", NULL},
              {"wish", NULL},        {"report", NULL},    {"chat", NULL},
              {"mute", NULL},        {"admin_log", NULL}, {"court", NULL},
              {"push", NULL},        {"progress", NULL},  {"allowance", NULL},
              {"review", NULL}};
enum { TABLES = sizeof tables / sizeof *tables };

/* A table with its columns, as the new store has them. */
struct table {
  const char *name, *number;
  int columns, at; /* where its number is among them */
  char list[300];
};

static int read_columns(store_db *db, struct table *t) {
  struct sal_text list;
  struct sql_query *q = sql_ask(db, db->driver->words->columns, "t", t->name);
  sal_text_init(&list, t->list, sizeof t->list);
  for (t->columns = 0; sql_row(q); t->columns++) {
    if (t->number && strcmp(sql_string(q, 0), t->number) == 0)
      t->at = t->columns;
    sal_text_add(&list, t->columns ? ", " : "");
    sal_text_add(&list, sql_string(q, 0));
  }
  const int error = sql_end(q);
  return error || list.lost || t->columns == 0 || t->columns > COLUMNS_MAX
             ? SAL_STORE
             : 0;
}

/* ---- Rows ----------------------------------------------------------------- */

static void hash_value(crypto_generichash_state *h, const struct sql_value *v) {
  const uint64_t size = v->size;
  crypto_generichash_update(h, (const uint8_t *)&v->kind, 1);
  if (v->kind == 'i' || v->kind == 'd') {
    crypto_generichash_update(h, (const uint8_t *)&v->i, sizeof v->i);
  } else if (v->kind != 'n') {
    crypto_generichash_update(h, (const uint8_t *)&size, sizeof size);
    crypto_generichash_update(h, (const uint8_t *)v->text, v->size);
  }
}

/* Rows count in any order: the hash of all is the sum of theirs. */
static void add_copied_row(struct store_copied *to, const struct table *t,
                           const struct sql_value *v) {
  crypto_generichash_state h;
  uint8_t one[COPY_HASH];
  crypto_generichash_init(&h, NULL, 0, COPY_HASH);
  crypto_generichash_update(&h, (const uint8_t *)t->name, strlen(t->name) + 1);
  for (int i = 0; i < t->columns; i++)
    hash_value(&h, &v[i]);
  crypto_generichash_final(&h, one, COPY_HASH);
  sodium_add(to->hash, one, COPY_HASH);
  to->rows++;
}

static int write_row(store_db *to, const struct table *t,
                     const struct sql_value *v) {
  char sql[SQL_MAX];
  struct sal_text text;
  sal_text_init(&text, sql, sizeof sql);
  sal_text_add(&text, "INSERT INTO ");
  sal_text_add(&text, t->name);
  sal_text_add(&text, " (");
  sal_text_add(&text, t->list);
  for (int i = 0; i < t->columns; i++) {
    sal_text_add(&text, i ? ", ?" : ") VALUES (?");
    sal_text_int(&text, i + 1);
  }
  sal_text_add(&text, ")");
  return sql_later_with(to, NULL, NULL, sql, v, t->columns);
}

/* Rows of a table after that number, counted, and written into `to` unless it is
 * NULL. How many there were; or an error. */
static int64_t copy_page(store_db *from, store_db *to, const struct table *t,
                         int64_t *after, struct store_copied *out) {
  char sql[SQL_MAX];
  int64_t rows = 0;
  if (t->number)
    snprintf(sql, sizeof sql,
             "SELECT %s FROM %s WHERE %s > ?1 ORDER BY %s LIMIT ?2", t->list,
             t->name, t->number, t->number);
  else
    snprintf(sql, sizeof sql, "SELECT %s FROM %s", t->list, t->name);
  struct sql_query *q = t->number
                            ? sql_ask(from, sql, "ii", *after, (int64_t)PAGE)
                            : sql_ask(from, sql, "");
  int error = 0;
  for (; !error && sql_row(q); rows++) {
    struct sql_value v[COLUMNS_MAX];
    for (int i = 0; i < t->columns; i++)
      v[i] = sql_column(q, i);
    *after = t->number ? v[t->at].i : 0;
    add_copied_row(out, t, v);
    error = to ? write_row(to, t, v) : 0;
  }
  const int end = sql_end(q);
  return error ? error : end ? end : rows;
}

static int copy_table(store_db *from, store_db *to, const struct table *t,
                      struct store_copied *out) {
  int64_t after = -1, rows;
  do
    rows = copy_page(from, to, t, &after, out);
  while (t->number && rows == PAGE);
  return rows < 0 ? (int)rows : 0;
}

/* ---- Stores --------------------------------------------------------------- */

static int say_failure(store_db *db, struct sal_refusal *why) {
  return sal_refuse(why, SAL_STORE, NULL, sql_trouble(db));
}

static int check_empty(store_db *to, struct sal_refusal *why) {
  const int64_t rows = sql_number(
      sql_ask(to,
              "SELECT (SELECT count(*) FROM person) + (SELECT count(*) FROM"
              " move) + (SELECT count(*) FROM ban)",
              ""),
      -1);
  if (rows < 0)
    return say_failure(to, why);
  return rows == 0 ? 0
                   : sal_refuse(why, SAL_STORE, NULL,
                                N_("the new store is not empty"));
}

static int copy_all(store_db *from, store_db *to, struct store_copied *out,
                    struct sal_refusal *why) {
  struct store_copied again = {0};
  *out = again;
  for (int i = 0; i < TABLES; i++) {
    struct table t = {.name = tables[i].name, .number = tables[i].number};
    if (read_columns(to, &t) || copy_table(from, to, &t, out))
      return *sql_trouble(to) ? say_failure(to, why) : say_failure(from, why);
    if (copy_table(to, NULL, &t, &again))
      return say_failure(to, why);
  }
  if (memcmp(out, &again, sizeof again) != 0)
    return sal_refuse(why, SAL_STORE, NULL,
                      N_("the copy is not the same as the original"));
  return to->driver->run(to, to->driver->words->after_copy)
             ? 0
             : say_failure(to, why);
}

/* Both are in a transaction. */
static int copy_between(store_db *from, store_db *to, struct store_copied *out,
                        struct sal_refusal *why) {
  const char *snapshot = from->driver->words->snapshot;
  if (sql_begin(from) && (!snapshot || from->driver->run(from, snapshot))) {
    snapshot = to->driver->words->snapshot;
    if (!sql_begin(to) || (snapshot && !to->driver->run(to, snapshot)) ||
        check_empty(to, why) || copy_all(from, to, out, why))
      return why->code ? why->code : say_failure(to, why);
    return sql_commit(to) ? 0 : say_failure(to, why);
  }
  return say_failure(from, why);
}

int store_copy(const char *from, const char *to, struct store_copied *out,
               struct sal_refusal *why) {
  store_db *a = NULL, *b = NULL;
  *why = (struct sal_refusal){0};
  int error = sql_open(from, SQL_CHANGE, &a, why);
  if (!error && sql_version(a) != sql_newest(a))
    error = sal_refuse(why, SAL_STORE, NULL,
                       N_("it is of an older version; 'salotto admin migrate' "
                          "brings it up to date"));
  if (!error)
    error = sql_open(to, SQL_CREATE, &b, why);
  if (!error) {
    error = copy_between(a, b, out, why);
    sql_rollback(a);
    sql_rollback(b);
  }
  sql_close(a);
  sql_close(b);
  return error;
}
