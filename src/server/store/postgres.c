/* The driver for PostgreSQL, through libpq. See sql.h.
 *
 * Every statement is prepared once a connection. Those that sql_later hands over
 * are sent one after the other without waiting for an answer (libpq's pipeline
 * mode), with BEGIN before and COMMIT behind them: so a batch of moves is one
 * round trip. A question goes out behind them, and all answers that are due are taken
 * with its own; sql_ahead sends several questions in one piece.
 *
 * A connection that was lost is opened again when the next transaction begins. */
#include "postgres.h"

#include <errno.h>
#include <inttypes.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum {
  VALUES_MAX = 20,
  NUMBER_MAX = 32,  /* characters of a number */
  LOOK_MS = 100,    /* between two looks whether a question is given up */
  SILENCE_MS = 5000 /* after which a server takes its database for lost */
};

/* Types of PostgreSQL, by their numbers. */
enum { BOOL = 16, BYTES = 17, INT8 = 20, INT2 = 21, INT4 = 23, TEXT = 25 };
enum { FLOAT4 = 700, FLOAT8 = 701, NUMERIC = 1700 };

struct statement {
  char *sql, name[16];
};

/* An answer that is due: its number is told, or all of it is kept. */
struct due {
  sql_told *told; /* or NULL */
  void *context;
  PGresult **keep; /* or NULL */
};

/* The answer to a question that is going to be asked. */
struct ahead {
  const char *sql;
  PGresult *result;
};

struct postgres_db {
  store_db base; /* first, so that the driver finds the rest */
  PGconn *conn;
  enum sql_use use;
  struct statement *statements;
  size_t statement_count, statement_size;
  struct due *due;
  size_t due_count, due_size;
  struct ahead ahead[SQL_AHEAD_MAX];
  int ahead_count;
  bool begun;  /* a transaction */
  bool piped;  /* statements were sent whose answers are due */
  bool failed; /* one of them, since the transaction began */
  bool lost;   /* the connection, before all answers of this one had come */
  bool serves; /* does not wait for ever */
  bool (*given_up)(void *context);
  void *context;
  char trouble[200];
};

struct postgres_query {
  struct sql_query base; /* first, so that the driver finds the rest */
  struct postgres_db *db;
  PGresult *result;
  int row;
  uint8_t *bytes; /* of the last column that was bytes */
};

static struct postgres_db *db_of(store_db *db) {
  return (struct postgres_db *)db;
}

static struct postgres_query *query_of(struct sql_query *q) {
  return (struct postgres_query *)q;
}

/* ---- Errors --------------------------------------------------------------- */

static void note_text(struct postgres_db *db, const char *text) {
  const char *end = strchr(text, '\n');
  const size_t n = end ? (size_t)(end - text) : strlen(text);
  snprintf(db->trouble, sizeof db->trouble, "%.*s", (int)n, text);
}

/* 0, SAL_LATE or SAL_STORE. */
static int code_of(struct postgres_db *db, const PGresult *r) {
  const ExecStatusType status = PQresultStatus(r);
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
    return 0;
  const char *state = r ? PQresultErrorField(r, PG_DIAG_SQLSTATE) : NULL;
  const char *grave =
      r ? PQresultErrorField(r, PG_DIAG_SEVERITY_NONLOCALIZED) : NULL;
  if (grave && strcmp(grave, "ERROR") != 0) /* the last thing that it says */
    db->lost = true;
  if (status != PGRES_PIPELINE_ABORTED)
    note_text(db, r && *PQresultErrorMessage(r) ? PQresultErrorMessage(r)
                                                : PQerrorMessage(db->conn));
  return state && strncmp(state, "23", 2) == 0 ? SAL_LATE : SAL_STORE;
}

static const char *postgres_trouble(store_db *db) { return db_of(db)->trouble; }

/* ---- Waiting -------------------------------------------------------------- */

/* Waits a moment for something to come. False: the connection is lost. */
static bool listen_a_moment(struct postgres_db *db, int ms) {
  struct pollfd p = {.fd = PQsocket(db->conn), .events = POLLIN};
  if (p.fd < 0 || (poll(&p, 1, ms) < 0 && errno != EINTR))
    return false;
  return !p.revents || PQconsumeInput(db->conn);
}

static bool is_given_up(const struct postgres_db *db) {
  return db->given_up && db->given_up(db->context);
}

/* Looks up now and then whether anybody still waits for the answer, and takes a
 * database that has been silent for too long for lost. It is hung up on then: to ask
 * it to cancel could take as long, and it looks by itself whether anybody is there. */
static void wait_for_answer(struct postgres_db *db) {
  const uint64_t since = uv_hrtime();
  while ((db->given_up || db->serves) && PQisBusy(db->conn)) {
    if (!listen_a_moment(db, LOOK_MS))
      return;
    if (is_given_up(db) ||
        (db->serves && uv_hrtime() - since > SILENCE_MS * UINT64_C(1000000)))
      shutdown(PQsocket(db->conn), SHUT_RDWR);
  }
}

static PGresult *one_result(struct postgres_db *db) {
  wait_for_answer(db);
  return PQgetResult(db->conn);
}

/* The answer to the statement that was sent last; outside of a pipeline. */
static PGresult *next_result(struct postgres_db *db) {
  PGresult *last = NULL, *next;
  while ((next = one_result(db))) {
    PQclear(last);
    last = next;
  }
  return last;
}

static int run_plain(struct postgres_db *db, const char *sql) {
  PGresult *r = PQsendQuery(db->conn, sql) ? next_result(db) : NULL;
  const int error = code_of(db, r);
  PQclear(r);
  return error;
}

/* ---- Statements ----------------------------------------------------------- */

/* "?1" is "$1" here. */
static char *translate(const char *sql) {
  char *copy = strdup(sql);
  for (char *c = copy; c && *c; c++)
    if (*c == '?' && c[1] >= '0' && c[1] <= '9')
      *c = '$';
  return copy;
}

static Oid type_of(char kind) {
  return kind == 'i' ? INT8 : kind == 'd' ? FLOAT8 : kind == 'h' ? BYTES : TEXT;
}

/* Values as libpq wants them: texts, but for bytes. */
struct parameters {
  const char *text[VALUES_MAX];
  int size[VALUES_MAX], format[VALUES_MAX];
  char number[VALUES_MAX][NUMBER_MAX];
};

static void write_values(struct parameters *p, const struct sql_value *v,
                         int count) {
  for (int i = 0; i < count; i++) {
    p->size[i] = (int)v[i].size;
    p->format[i] = v[i].kind == 'h';
    p->text[i] = v[i].kind == 'n' ? NULL : v[i].text;
    if (v[i].kind == 'i')
      snprintf(p->number[i], NUMBER_MAX, "%" PRId64, v[i].i);
    else if (v[i].kind == 'd')
      snprintf(p->number[i], NUMBER_MAX, "%.17g", v[i].d);
    if (v[i].kind == 'i' || v[i].kind == 'd')
      p->text[i] = p->number[i];
  }
}

static const char *known_name(const struct postgres_db *db, const char *sql) {
  for (size_t i = 0; i < db->statement_count; i++)
    if (strcmp(db->statements[i].sql, sql) == 0)
      return db->statements[i].name;
  return NULL;
}

static void forget_statements(struct postgres_db *db) {
  while (db->statement_count > 0)
    free(db->statements[--db->statement_count].sql);
}

static struct statement *keep_statement(struct postgres_db *db,
                                        const char *sql) {
  void *at = db->statements;
  const bool room = sal_array_grow(&at, db->statement_count,
                                   &db->statement_size, sizeof *db->statements);
  db->statements = at;
  char *copy = room ? strdup(sql) : NULL;
  if (!copy)
    return NULL;
  struct statement *s = &db->statements[db->statement_count++];
  s->sql = copy;
  snprintf(s->name, sizeof s->name, "s%zu", db->statement_count);
  return s;
}

/* An answer more is due. */
static bool expect(struct postgres_db *db, struct due due) {
  void *at = db->due;
  const bool ok =
      sal_array_grow(&at, db->due_count, &db->due_size, sizeof *db->due);
  db->due = at;
  if (ok)
    db->due[db->due_count++] = due;
  return ok;
}

static bool send_prepare(struct postgres_db *db, const char *sql,
                         const struct sql_value *v, int count,
                         const char *name) {
  Oid types[VALUES_MAX];
  char *text = translate(sql);
  for (int i = 0; i < count; i++)
    types[i] = type_of(v[i].kind);
  const bool ok =
      text && PQsendPrepare(db->conn, name, text, count, types) == 1;
  free(text);
  return ok;
}

/* The name of the prepared statement; NULL: it could not be sent. In a pipeline. */
static const char *prepare(struct postgres_db *db, const char *sql,
                           const struct sql_value *v, int count) {
  const char *name = known_name(db, sql);
  if (name)
    return name;
  const struct statement *s = keep_statement(db, sql);
  if (s && send_prepare(db, sql, v, count, s->name) &&
      expect(db, (struct due){NULL}))
    return s->name;
  if (s)
    free(db->statements[--db->statement_count].sql);
  return NULL;
}

static void forget_ahead(struct postgres_db *db) {
  while (db->ahead_count > 0)
    PQclear(db->ahead[--db->ahead_count].result);
}

/* ---- Connections ---------------------------------------------------------- */

static bool set_up_connection(struct postgres_db *db) {
  /* A database on some systems cannot look whether anybody is still there. */
#define SETTINGS                                                               \
  "SET client_min_messages = warning; SET synchronous_commit = on;"            \
  "SET idle_in_transaction_session_timeout = 2000;"                            \
  "DO $$ BEGIN SET client_connection_check_interval = 1000;"                   \
  " EXCEPTION WHEN OTHERS THEN NULL; END $$;"
  return run_plain(db, db->use == SQL_READ ? SETTINGS
                           "SET default_transaction_read_only = on"
                                           : SETTINGS) == 0;
}

static bool reconnect(struct postgres_db *db) {
  forget_statements(db);
  PQreset(db->conn);
  if (PQstatus(db->conn) == CONNECTION_OK)
    return set_up_connection(db);
  note_text(db, PQerrorMessage(db->conn));
  return false;
}

/* ---- The pipeline --------------------------------------------------------- */

static bool send_word(struct postgres_db *db, const char *word) {
  return PQsendQueryParams(db->conn, word, 0, NULL, NULL, NULL, NULL, 0) &&
         expect(db, (struct due){NULL});
}

static bool open_pipe(struct postgres_db *db) {
  if (!db->piped)
    db->piped = PQenterPipelineMode(db->conn) == 1;
  return db->piped;
}

static void take_answer(struct postgres_db *db, const struct due *d) {
  PGresult *r = one_result(db), *more;
  if (d->keep)
    *d->keep = r; /* whoever asked looks whether it has failed */
  else if (code_of(db, r) != 0)
    db->failed = true;
  else if (d->told && !db->failed)
    d->told(d->context,
            PQntuples(r) > 0 ? strtoll(PQgetvalue(r, 0, 0), NULL, 10) : -1);
  if (!d->keep)
    PQclear(r);
  while ((more = one_result(db)))
    PQclear(more);
}

/* Takes all answers that are due; false: something has failed. */
static bool close_pipe(struct postgres_db *db) {
  if (!db->piped)
    return !db->failed;
  if (PQpipelineSync(db->conn) != 1) {
    note_text(db, PQerrorMessage(db->conn));
    db->failed = true;
  }
  for (size_t i = 0; i < db->due_count; i++)
    take_answer(db, &db->due[i]);
  db->due_count = 0;
  PQclear(one_result(db)); /* that of the sync */
  db->piped = PQexitPipelineMode(db->conn) != 1;
  if (db->piped || PQstatus(db->conn) != CONNECTION_OK)
    db->lost = true;
  if (db->piped) { /* only a connection that is lost does not let go */
    db->piped = false;
    db->failed = true;
    reconnect(db);
  }
  return !db->failed;
}

/* ---- Transactions --------------------------------------------------------- */

static bool postgres_run(store_db *base, const char *sql) {
  struct postgres_db *db = db_of(base);
  return close_pipe(db) && run_plain(db, sql) == 0;
}

/* A connection that was lost is opened again, but not in a transaction. */
static bool is_connected(struct postgres_db *db) {
  return PQstatus(db->conn) == CONNECTION_OK || (!db->begun && reconnect(db));
}

/* It goes out with what follows. */
static bool postgres_begin(store_db *base) {
  struct postgres_db *db = db_of(base);
  db->failed = db->lost = db->begun = false;
  forget_ahead(db);
  db->begun = is_connected(db) && open_pipe(db) && send_word(db, "BEGIN");
  return db->begun;
}

/* COMMIT of a transaction that has failed succeeds in rolling back. */
static bool committed(struct postgres_db *db) {
  PGresult *r = PQsendQuery(db->conn, "COMMIT") ? next_result(db) : NULL;
  const bool ok = code_of(db, r) == 0 && strcmp(PQcmdStatus(r), "COMMIT") == 0;
  PQclear(r);
  if (PQstatus(db->conn) != CONNECTION_OK)
    db->lost = true;
  return ok;
}

/* An answer, also a bad one, tells what has happened; only none does not. What a
 * database says when it ends a connection is none: it can come after a commit. */
static bool postgres_in_doubt(store_db *db) { return db_of(db)->lost; }

static bool postgres_commit(store_db *base) {
  struct postgres_db *db = db_of(base);
  db->begun = false;
  if (!db->piped)
    return !db->failed && committed(db);
  /* After a statement that failed it is not looked at any more. */
  return send_word(db, "COMMIT") && close_pipe(db);
}

/* What was prepared behind a fault is not there. */
static void forget_failure(struct postgres_db *db) {
  if (!db->failed)
    return;
  run_plain(db, "DEALLOCATE ALL");
  forget_statements(db);
  db->failed = false;
}

static void postgres_rollback(store_db *base) {
  struct postgres_db *db = db_of(base);
  close_pipe(db);
  if (PQtransactionStatus(db->conn) != PQTRANS_IDLE)
    run_plain(db, "ROLLBACK");
  forget_failure(db);
  db->begun = false;
}

/* ---- Questions ------------------------------------------------------------ */

/* Outside of a transaction a failure is its question's alone. */
static void end_question(struct postgres_db *db) {
  if (db->begun)
    return;
  close_pipe(db);
  forget_failure(db);
}

static int postgres_later(store_db *base, sql_told *told, void *context,
                          const char *sql, const struct sql_value *v,
                          int count) {
  struct postgres_db *db = db_of(base);
  struct parameters p;
  const char *name =
      is_connected(db) && open_pipe(db) ? prepare(db, sql, v, count) : NULL;
  write_values(&p, v, count);
  if (name &&
      PQsendQueryPrepared(db->conn, name, count, p.text, p.size, p.format, 0) &&
      expect(db, (struct due){told, context, NULL}))
    return 0;
  note_text(db, PQerrorMessage(db->conn));
  db->failed = true;
  end_question(db);
  return SAL_STORE;
}

/* Behind all that is due. False: it could not be sent. */
static bool ask_now(struct postgres_db *db, const char *sql,
                    const struct sql_value *v, int count, PGresult **answer) {
  struct parameters p;
  const char *name = !db->failed && is_connected(db) && open_pipe(db)
                         ? prepare(db, sql, v, count)
                         : NULL;
  write_values(&p, v, count);
  const bool sent =
      name &&
      PQsendQueryPrepared(db->conn, name, count, p.text, p.size, p.format, 0) &&
      expect(db, (struct due){.keep = answer});
  close_pipe(db);
  end_question(db);
  return sent;
}

/* Whether it was asked already. */
static bool was_ahead(struct postgres_db *db, const char *sql,
                      PGresult **answer) {
  for (int i = 0; i < db->ahead_count; i++)
    if (db->ahead[i].result && strcmp(db->ahead[i].sql, sql) == 0) {
      *answer = db->ahead[i].result;
      db->ahead[i].result = NULL;
      return true;
    }
  return false;
}

static struct sql_query *postgres_ask(store_db *base, const char *sql,
                                      const struct sql_value *v, int count) {
  struct postgres_query *q = calloc(1, sizeof *q);
  if (!q)
    return NULL;
  q->base.driver = &postgres_driver;
  q->db = db_of(base);
  q->row = -1;
  if (was_ahead(q->db, sql, &q->result) ||
      ask_now(q->db, sql, v, count, &q->result))
    return &q->base;
  free(q);
  return NULL;
}

static void postgres_ahead(store_db *base, const char *const *sql, int count) {
  struct postgres_db *db = db_of(base);
  forget_ahead(db);
  if (!is_connected(db) || !open_pipe(db))
    return;
  for (int i = 0; i < count && i < SQL_AHEAD_MAX; i++) {
    struct ahead *a = &db->ahead[db->ahead_count++];
    *a = (struct ahead){.sql = sql[i]};
    if (!PQsendQueryParams(db->conn, sql[i], 0, NULL, NULL, NULL, NULL, 0) ||
        !expect(db, (struct due){.keep = &a->result}))
      break;
  }
  close_pipe(db);
}

static bool postgres_row(struct sql_query *base) {
  struct postgres_query *q = query_of(base);
  return ++q->row < PQntuples(q->result);
}

static int postgres_end(struct sql_query *base, int64_t *changed) {
  struct postgres_query *q = query_of(base);
  const int error = code_of(q->db, q->result);
  *changed = q->result ? strtoll(PQcmdTuples(q->result), NULL, 10) : 0;
  PQclear(q->result);
  PQfreemem(q->bytes);
  free(q);
  return error;
}

/* An error would end the transaction: this far and no further. */
static int postgres_attempt(store_db *base, const char *sql,
                            const struct sql_value *v, int count) {
  int64_t changed;
  if (sql_do(base, "SAVEPOINT attempt", ""))
    return SAL_STORE;
  struct sql_query *q = postgres_ask(base, sql, v, count);
  const int error = q ? postgres_end(q, &changed) : SAL_STORE;
  if (sql_do(base, error ? "ROLLBACK TO attempt" : "RELEASE attempt", ""))
    return SAL_STORE;
  return error;
}

static struct sql_value bytes_of(struct postgres_query *q, const char *text) {
  struct sql_value v = {.kind = 'h'};
  PQfreemem(q->bytes);
  q->bytes = PQunescapeBytea((const unsigned char *)text, &v.size);
  v.text = (const char *)q->bytes;
  return v;
}

static struct sql_value postgres_column(struct sql_query *base, int i) {
  struct postgres_query *q = query_of(base);
  struct sql_value v = {.kind = 'n'};
  if (PQgetisnull(q->result, q->row, i))
    return v;
  const char *text = PQgetvalue(q->result, q->row, i);
  switch (PQftype(q->result, i)) {
  case BOOL: return (struct sql_value){.kind = 'i', .i = *text == 't'};
  case BYTES: return bytes_of(q, text);
  case INT2:
  case INT4:
  case INT8: return (struct sql_value){'i', .i = strtoll(text, NULL, 10)};
  case NUMERIC: /* a sum */
    if (!strchr(text, '.'))
      return (struct sql_value){'i', .i = strtoll(text, NULL, 10)};
    /* fall through */
  case FLOAT4:
  case FLOAT8: return (struct sql_value){'d', .d = strtod(text, NULL)};
  default:
    v.kind = 't';
    v.text = text;
    v.size = (size_t)PQgetlength(q->result, q->row, i);
    return v;
  }
}

static const char *postgres_column_name(struct sql_query *q, int i) {
  const PGresult *r = query_of(q)->result;
  return i < PQnfields(r) ? PQfname(r, i) : NULL;
}

static void postgres_watch(store_db *base, bool (*given_up)(void *context),
                           void *context) {
  struct postgres_db *db = db_of(base);
  db->given_up = given_up;
  db->context = context;
}

/* ---- What others tell ------------------------------------------------------ */

static bool was_told(struct postgres_db *db) {
  bool told = false;
  for (PGnotify *n; (n = PQnotifies(db->conn)); told = true)
    PQfreemem(n);
  return told;
}

/* A connection that is lost tells nothing: whoever asks next opens it again. */
static void postgres_wait(store_db *base, int ms) {
  struct postgres_db *db = db_of(base);
  const uint64_t until = uv_hrtime() + (uint64_t)ms * 1000000;
  while (uv_hrtime() < until && !was_told(db) && !is_given_up(db))
    if (PQstatus(db->conn) != CONNECTION_OK)
      uv_sleep(LOOK_MS);
    else if (!listen_a_moment(db, LOOK_MS))
      return;
}

/* ---- Opening -------------------------------------------------------------- */

static void postgres_close(store_db *base) {
  struct postgres_db *db = db_of(base);
  forget_ahead(db);
  PQfinish(db->conn);
  forget_statements(db);
  free(db->statements);
  free(db->due);
  free(db);
}

/* What stands in the address goes before. */
static PGconn *connect_to(const char *where) {
  static const char *const names[] = {
      "connect_timeout",  "tcp_user_timeout",
      "keepalives_idle",  "keepalives_interval",
      "keepalives_count", "fallback_application_name",
      "dbname",           NULL};
  const char *values[] = {"3", "5000", "2", "1", "3", "salotto", where, NULL};
  return PQconnectdbParams(names, values, 1);
}

static int bring_up(struct postgres_db *db, struct sal_refusal *why) {
  if (sql_version(&db->base) == POSTGRES_NEWEST)
    return 0;
  const bool begun = postgres_begin(&db->base) && sql_lock(&db->base) == 0;
  const int error = begun ? sql_migrate(&db->base, postgres_steps,
                                        POSTGRES_NEWEST, POSTGRES_NEWEST)
                          : SAL_STORE;
  if (!error && postgres_commit(&db->base))
    return 0;
  sal_refuse(why, SAL_STORE, NULL,
             error == SAL_LATE ? N_("it was written by a newer version")
                               : db->trouble);
  postgres_rollback(&db->base);
  return SAL_STORE;
}

static void say_nothing(void *context, const PGresult *r) {
  (void)context, (void)r;
}

static int postgres_open(const char *where, enum sql_use use, store_db **out,
                         struct sal_refusal *why) {
  struct postgres_db *db = calloc(1, sizeof *db);
  if (!db || !(db->conn = connect_to(where))) {
    free(db);
    return sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
  }
  db->base.driver = &postgres_driver;
  db->use = use;
  PQsetNoticeReceiver(db->conn, say_nothing, NULL);
  int error = 0;
  if (PQstatus(db->conn) != CONNECTION_OK)
    note_text(db, PQerrorMessage(db->conn));
  if (PQstatus(db->conn) != CONNECTION_OK || !set_up_connection(db))
    error = sal_refuse(why, SAL_STORE, NULL, db->trouble);
  if (!error && use == SQL_CREATE)
    error = bring_up(db, why);
  if (!error) {
    *out = &db->base;
    return 0;
  }
  postgres_close(&db->base);
  return error;
}

static void postgres_serve(store_db *db) { db_of(db)->serves = true; }

const struct sql_driver postgres_driver = {.words = &postgres_words,
                                           .shared = true,
                                           .newest = POSTGRES_NEWEST,
                                           .open = postgres_open,
                                           .close = postgres_close,
                                           .run = postgres_run,
                                           .begin = postgres_begin,
                                           .commit = postgres_commit,
                                           .rollback = postgres_rollback,
                                           .ask = postgres_ask,
                                           .row = postgres_row,
                                           .end = postgres_end,
                                           .column = postgres_column,
                                           .column_name = postgres_column_name,
                                           .attempt = postgres_attempt,
                                           .later = postgres_later,
                                           .ahead = postgres_ahead,
                                           .trouble = postgres_trouble,
                                           .in_doubt = postgres_in_doubt,
                                           .wait = postgres_wait,
                                           .watch = postgres_watch,
                                           .serve = postgres_serve};
