/* The store as a file of SQLite: former versions, damage, locks, its log. */
#include "store/sqlite.h"
#include "store_bench.h"

#include <sys/stat.h>

static void post_call(store_call *call) {
  struct store_job *job = calloc(1, sizeof *job);
  job->call = call;
  job->done = noted;
  store_post(bench->store, job);
}

static int count_for_ever(struct store_job *job, store_db *db) {
  (void)job;
  uv_sem_post(&held);
  return sqlite3_exec(sqlite_of(db),
                      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1"
                      " FROM c) SELECT sum(x) FROM c",
                      NULL, NULL, NULL) == SQLITE_OK
             ? 0
             : SAL_STORE;
}

static int write_something(struct store_job *job, store_db *db) {
  (void)job;
  uv_sem_post(&held);
  return sqlite3_exec(sqlite_of(db),
                      "INSERT INTO person (name, at) VALUES ('x', 0)", NULL,
                      NULL, NULL) == SQLITE_OK
             ? 0
             : SAL_STORE;
}

/* What nobody waits for ends, however long it would take; also when the store
 * closes. And a question cannot write. */
static void questions_are_given_up(void **state) {
  (void)state;
  static struct store_job job, writes;
  uv_sem_init(&held, 0);
  open_store();
  start();
  job = (struct store_job){.call = count_for_ever, .done = loaded};
  assert_true(store_ask(bench->store, &job));
  uv_sem_wait(&held);
  store_give_up(&job);
  settle();
  assert_int_equal(job.error, SAL_STORE);
  writes = (struct store_job){.call = write_something, .done = loaded};
  assert_true(store_ask(bench->store, &writes));
  settle();
  assert_int_equal(writes.error, SAL_STORE);
  uv_sem_wait(&held);
  assert_true(store_ask(bench->store, &job));
  uv_sem_wait(&held);
  close_store();
  assert_int_equal(job.error, SAL_STORE);
  assert_int_equal(bench->done, 3);
  uv_sem_destroy(&held);
}

/* The first number of a query, through another connection. */
static int64_t asked(const char *sql) {
  sqlite3 *db;
  sqlite3_stmt *q;
  assert_int_equal(sqlite3_open(bench->path, &db), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(q), SQLITE_ROW);
  const int64_t n = sqlite3_column_int64(q, 0);
  sqlite3_finalize(q);
  sqlite3_close(db);
  return n;
}

/* Some hundred pages. */
static int write_much(struct store_job *job, store_db *db) {
  (void)job;
  return sqlite3_exec(
             sqlite_of(db),
             "CREATE TABLE IF NOT EXISTS ballast (x);"
             "REPLACE INTO ballast (rowid, x) VALUES (1, zeroblob(400000))",
             NULL, NULL, NULL) == SQLITE_OK
             ? 0
             : SAL_STORE;
}

/* However long writing goes on without a pause, the log begins anew. */
static void the_log_begins_anew(void **state) {
  enum { TIMES = 300, PAGE = 4096 };
  char path[220];
  struct stat log;
  (void)state;
  open_store();
  start();
  for (int i = 0; i < TIMES; i++) {
    post_call(write_much);
    settle();
  }
  assert_int_equal(bench->done, TIMES);
  snprintf(path, sizeof path, "%s-wal", bench->path);
  assert_int_equal(stat(path, &log), 0);
  assert_in_range(log.st_size, 1000 * PAGE, 6000 * PAGE);
  close_store();
}

static void a_fall_loses_nothing(void **state) {
  (void)state;
  open_store();
  start();
  for (int i = 0; i < 30; i++)
    post("a", i, "x");
  settle();
  fall();
  int count = 0;
  open_store();
  assert_int_equal(store_each_move(bench->store, count_move, &count), 0);
  assert_int_equal(count, 30);
  start();
  post("a", 0, "again");
  post("a", 30, "x");
  settle();
  assert_int_equal(bench->late, 1);
  assert_int_equal(bench->done, 1);
  close_store();
  assert_int_equal(asked("SELECT count(*) FROM move"), 31);
  assert_int_equal(asked("SELECT count(*) FROM move WHERE text = 'again'"), 0);
}

static void execute(const char *sql) {
  sqlite3 *db;
  assert_int_equal(sqlite3_open(bench->path, &db), SQLITE_OK);
  assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(db);
}

static int note_spoilt(void *context, const struct store_move *m) {
  int *count = context;
  if (strcmp(m->room, "a") == 0)
    return count_move(context, m);
  assert_true(m->seq != 3 || *m->kind == '\0');
  count[1]++;
  return 0;
}

/* One row that cannot be a move takes no other game with it. */
static void a_spoilt_row_stands_alone(void **state) {
  (void)state;
  int count[2] = {0};
  open_store();
  start();
  for (int i = 0; i < 5; i++) {
    post("a", i, "x");
    post("b", i, "x");
  }
  settle();
  close_store();
  execute("UPDATE move SET text = hex(zeroblob(4000))"
          " WHERE room = 'b' AND seq = 3");
  open_store();
  assert_int_equal(store_each_move(bench->store, note_spoilt, count), 0);
  assert_int_equal(count[0], 5);
  assert_int_equal(count[1], 5);
  close_store();
}

/* After an error the store goes on where it was. */
static void an_error_forgets_nothing(void **state) {
  (void)state;
  struct fault f = {NULL};
  open_store();
  store_inject(bench->store, fail_there, &f);
  start();
  post("a", 0, "x");
  settle();
  f.where = "commit";
  post("a", 1, "lost");
  post("b", 0, "lost");
  settle();
  f.where = NULL;
  assert_int_equal(bench->failed, 2);
  post("a", 0, "again");
  post("a", 1, "x");
  post("a", 2, "x");
  settle();
  assert_int_equal(bench->late, 1);
  assert_int_equal(bench->done, 3);
  assert_int_equal(asked("SELECT count(*) FROM move"), 3);
  assert_int_equal(asked("SELECT count(*) FROM move WHERE text = 'x'"), 3);
  close_store();
}

/* Somebody has written past the lock: before a number is given twice nothing is
 * written any more. What is there can be opened again. */
static void others_are_noticed(void **state) {
  (void)state;
  open_store();
  start();
  for (int i = 0; i < 3; i++)
    post("a", i, "x");
  settle();
  execute("INSERT INTO move (room, seq, at, seat, kind, text) VALUES"
          " ('a', 3, 0, 0, 'act', 'theirs')");
  post("a", 3, "mine");
  settle();
  post("b", 0, "x");
  settle();
  assert_int_equal(bench->done, 3);
  assert_int_equal(bench->failed, 2);
  assert_int_equal(asked("SELECT count(*) FROM move"), 4);
  assert_int_equal(asked("SELECT count(*) FROM move WHERE text = 'theirs'"), 1);
  close_store();
  open_store();
  start();
  post("a", 4, "x");
  settle();
  assert_int_equal(bench->done, 4);
  close_store();
}

/* Two games in play and one that is over, as each version kept them: in rows of
 * `move`; from the fifth on what was new in `recent`, in the sixth as JSON, and
 * `chapter` for acts that had been put together. */
static const char in_rows[] =
    "INSERT INTO move VALUES ('a', 0, 10, -1, 'open', 'A'),"
    " ('a', 1, 11, 0, 'sit', '{\"person\":1}'), ('a', 2, 12, 0, 'act', 'x'),"
    " ('b', 0, 10, -1, 'open', 'B'), ('c', 0, 10, -1, 'open', 'C'),"
    " ('c', 1, 11, 1, 'act', 'x'), ('c', 2, 15, -1, 'end', '');";
static const char last_in_rows[] =
    "INSERT INTO move VALUES ('a', 3, 13, 0, 'act', 'y\"'),"
    " ('b', 1, 14, 1, 'act', 'z');";
static const char last_in_recent[] =
    "INSERT INTO recent (room, seq, at, seat, kind, text) VALUES"
    " ('a', 2, 12, 0, 'act', 'x'), ('a', 3, 13, 0, 'act', 'y\"'),"
    " ('b', 1, 14, 1, 'act', 'z');";
static const char in_lists[] =
    "INSERT INTO move VALUES ('a', 0, 10, -1, 'open', 'A'),"
    " ('a', 1, 11, 0, 'sit', '{\"person\":1}'),"
    " ('b', 0, 10, -1, 'open', 'B'), ('c', 0, 10, -1, 'open', 'C'),"
    " ('c', 2, 15, -1, 'end', '');"
    "INSERT INTO chapter (room, first, last, moves) VALUES"
    " ('a', 2, 2, '[[2,12,0,\"x\"]]'), ('c', 1, 1, '[[1,11,1,\"x\"]]');"
    "INSERT INTO recent (moves) VALUES"
    " ('[[\"a\",2,12,0,\"x\"],[\"a\",3,13,0,\"y\\\"\"]]'),"
    " ('[[\"b\",1,14,1,\"z\"]]');";

static const char in_log[] =
    "INSERT INTO move (room, seq, at, seat, kind, text) VALUES"
    " ('a', 0, 10, -1, 'open', 'A'), ('b', 0, 10, -1, 'open', 'B'),"
    " ('c', 0, 10, -1, 'open', 'C'), ('c', 1, 11, 1, 'act', 'x'),"
    " ('a', 1, 11, 0, 'sit', '{\"person\":1}'), ('a', 2, 12, 0, 'act', 'x'),"
    " ('a', 3, 13, 0, 'act', 'y\"'), ('b', 1, 14, 1, 'act', 'z'),"
    " ('c', 2, 15, -1, 'end', '');"
    "INSERT INTO game VALUES ('c', '[3,4,9]');";

static int note_moves(void *context, const struct store_move *m) {
  char *all = context;
  const size_t n = strlen(all);
  snprintf(all + n, 1000 - n, "%s %d %d %d %s %s;", m->room, (int)m->seq,
           (int)m->at, m->seat, m->kind, m->text);
  return 0;
}

/* Whatever version it was: games in play go on, and the one that is over is
 * found by its room. */
static void old_stores_go_on(void **state) {
  (void)state;
  for (int version = 1; version < SQLITE_NEWEST; version++) {
    store_db *db;
    char all[1000] = "";
    unlink(bench->path);
    struct sal_refusal why;
    assert_int_equal(sqlite_open_at(bench->path, version, &db, &why), 0);
    assert_int_equal(sqlite3_exec(sqlite_of(db),
                                  version > 6    ? in_log
                                  : version == 6 ? in_lists
                                                 : in_rows,
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    if (version < 6)
      assert_int_equal(
          sqlite3_exec(sqlite_of(db),
                       version == 5 ? last_in_recent : last_in_rows, NULL, NULL,
                       NULL),
          SQLITE_OK);
    sql_close(db);
    open_store();
    assert_int_equal(store_each_move(bench->store, note_moves, all), 0);
    assert_string_equal(all, "a 0 10 -1 open A;a 1 11 0 sit {\"person\":1};"
                             "a 2 12 0 act x;a 3 13 0 act y\";"
                             "b 0 10 -1 open B;b 1 14 1 act z;");
    start();
    bench->done = 0;
    static struct load_job over;
    over = (struct load_job){.job = {.call = store_load_room, .done = loaded},
                             .room = "c"};
    assert_true(store_ask(bench->store, &over.job));
    post("a", 4, "on");
    post("c", 0, "again");
    settle();
    assert_int_equal(bench->done, 2);
    assert_int_equal(over.moves.count, 3);
    assert_string_equal(over.moves.at[1]->text, "x");
    store_moves_free(&over.moves);
    close_store();
  }
}

static void locked_is_an_error(void **state) {
  (void)state;
  sqlite3 *other;
  open_store();
  start();
  assert_int_equal(sqlite3_open(bench->path, &other), SQLITE_OK);
  assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL),
                   SQLITE_OK);
  post("a", 0, "x");
  settle();
  assert_int_equal(bench->failed, 1);
  sqlite3_close(other);
  post("a", 0, "x");
  settle();
  assert_int_equal(bench->done, 1);
  close_store();
}

static void newer_file_is_refused(void **state) {
  (void)state;
  sqlite3 *db;
  struct sal_refusal why;
  open_store();
  close_store();
  assert_int_equal(sqlite3_open(bench->path, &db), SQLITE_OK);
  assert_int_equal(sqlite3_exec(db, "INSERT INTO schema_version VALUES (99)",
                                NULL, NULL, NULL),
                   SQLITE_OK);
  sqlite3_close(db);
  assert_null(store_open(bench->path, &why));
  assert_non_null(strstr(why.message, "newer"));
}

static void what_is_no_store_is_refused(void **state) {
  (void)state;
  struct sal_refusal why;
  FILE *f = fopen(bench->path, "w");
  for (int i = 0; i < 1000; i++)
    fputs("dear friend\n", f);
  fclose(f);
  assert_null(store_open(bench->path, &why));
  assert_null(store_open("/nonexistent/folder/store", &why));
  assert_int_equal(why.code, SAL_STORE);
}

#define ONES "0101010101010101"
static const char first_version[] =
    "CREATE TABLE schema_version (version INTEGER NOT NULL) STRICT;"
    "INSERT INTO schema_version VALUES (1);"
    "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL,"
    " at INTEGER NOT NULL) STRICT;"
    "CREATE TABLE session (hash BLOB PRIMARY KEY, person INTEGER NOT NULL"
    " REFERENCES person (id), at INTEGER NOT NULL) STRICT, WITHOUT ROWID;"
    "CREATE TABLE move (room TEXT NOT NULL, seq INTEGER NOT NULL,"
    " at INTEGER NOT NULL, seat INTEGER NOT NULL, kind TEXT NOT NULL,"
    " text TEXT NOT NULL, PRIMARY KEY (room, seq)) STRICT, WITHOUT ROWID;"
    "CREATE INDEX move_end ON move (room) WHERE kind = 'end';"
    "INSERT INTO person VALUES (1, 'Anna', 0);"
    "INSERT INTO session VALUES (x'" ONES ONES ONES ONES "', 1, 0);";

static void the_first_version_is_brought_up_to_date(void **state) {
  (void)state;
  sqlite3 *db;
  struct store_account seen = {0};
  assert_int_equal(sqlite3_open(bench->path, &db), SQLITE_OK);
  assert_int_equal(sqlite3_exec(db, first_version, NULL, NULL, NULL),
                   SQLITE_OK);
  sqlite3_close(db);
  open_store();
  start();
  post_account(1);
  settle();
  assert_int_equal(bench->done, 1);
  close_store();
  open_store();
  assert_int_equal(store_each_account(bench->store, note_account, &seen), 0);
  assert_string_equal(seen.name, "Anna");
  assert_string_equal(seen.secret, "hash");
  close_store();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(questions_are_given_up, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(the_log_begins_anew, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_fall_loses_nothing, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_spoilt_row_stands_alone, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(an_error_forgets_nothing, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(others_are_noticed, set_up, tear_down),
      cmocka_unit_test_setup_teardown(old_stores_go_on, set_up, tear_down),
      cmocka_unit_test_setup_teardown(locked_is_an_error, set_up, tear_down),
      cmocka_unit_test_setup_teardown(newer_file_is_refused, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_is_no_store_is_refused, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(the_first_version_is_brought_up_to_date,
                                      set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
