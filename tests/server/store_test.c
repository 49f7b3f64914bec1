/* The store: durable before done, one truth a number, errors that come back. */
#include "store/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

struct bench {
  char dir[64], path[200];
  uv_loop_t loop;
  struct store *store;
  int done, failed, late;
  int figures[3];
};

static struct bench *bench;

static void noted(struct store_job *job, int error) {
  bench->done += error == 0;
  bench->late += error == SAL_LATE;
  bench->failed += error == SAL_STORE;
  if (job->task == STORE_MOVE)
    free(job->move);
  free(job);
}

static void post(const char *room, int64_t seq, const char *text) {
  struct store_job *job = calloc(1, sizeof *job);
  job->move = calloc(1, sizeof *job->move);
  job->done = noted;
  job->move->seq = seq;
  snprintf(job->move->room, sizeof job->move->room, "%s", room);
  strcpy(job->move->kind, strcmp(text, "end") == 0 ? "end" : "act");
  snprintf(job->move->text, sizeof job->move->text, "%s", text);
  store_post(bench->store, job);
}

static void post_call(struct store_job call) {
  struct store_job *job = calloc(1, sizeof *job);
  *job = call;
  job->task = STORE_CALL;
  job->done = noted;
  store_post(bench->store, job);
}

static void settle(void) {
  while (store_waiting(bench->store) > 0)
    uv_run(&bench->loop, UV_RUN_ONCE);
}

static void open_store(void) {
  struct sal_refusal why;
  bench->store = store_open(bench->path, &why);
  assert_non_null(bench->store);
}

static void start(void) {
  assert_int_equal(store_start(bench->store, &bench->loop), 0);
}

static void close_store(void) {
  store_close(bench->store);
  uv_run(&bench->loop, UV_RUN_DEFAULT);
}

static int set_up(void **state) {
  (void)state;
  bench = calloc(1, sizeof *bench);
  strcpy(bench->dir, "/tmp/salotto-store-XXXXXX");
  if (!mkdtemp(bench->dir))
    return -1;
  snprintf(bench->path, sizeof bench->path, "%s/store", bench->dir);
  return uv_loop_init(&bench->loop);
}

static int tear_down(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", bench->dir);
  const int closed = uv_loop_close(&bench->loop);
  free(bench);
  return system(command) == 0 && closed == 0 ? 0 : -1;
}

static int count_move(void *context, const struct store_move *m) {
  int *count = context;
  assert_int_equal(m->seq, *count);
  assert_string_equal(m->room, "a");
  ++*count;
  return 0;
}

static void moves_survive(void **state) {
  (void)state;
  int count = 0;
  open_store();
  start();
  for (int i = 0; i < 300; i++)
    post("a", i, "take RL");
  settle();
  assert_int_equal(bench->done, 300);
  assert_true(store_figures(bench->store).batches < 300);
  close_store();
  open_store();
  assert_int_equal(store_each_move(bench->store, count_move, &count), 0);
  assert_int_equal(count, 300);
  close_store();
}

static void ended_rooms_stay_away(void **state) {
  (void)state;
  int count = 0;
  open_store();
  start();
  post("a", 0, "x");
  post("b", 0, "x");
  post("b", 1, "end");
  settle();
  close_store();
  open_store();
  assert_int_equal(store_each_move(bench->store, count_move, &count), 0);
  assert_int_equal(count, 1);
  close_store();
}

static void doubled_is_refused_alone(void **state) {
  (void)state;
  open_store();
  start();
  post("a", 0, "first");
  post("a", 0, "second");
  post("a", 1, "third");
  settle();
  assert_int_equal(bench->done, 2);
  assert_int_equal(bench->late, 1);
  close_store();
}

static void read_back(struct store_job *job, int error) {
  assert_int_equal(error, job->move->seq == 0 ? 0 : SAL_NO_TABLE);
  if (error == 0)
    assert_string_equal(job->move->text, "first");
  bench->done++;
}

static void one_move_can_be_read(void **state) {
  (void)state;
  struct store_move moves[2] = {{.room = "a"}, {.room = "a", .seq = 7}};
  struct store_job jobs[2] = {
      {.task = STORE_READ, .move = &moves[0], .done = read_back},
      {.task = STORE_READ, .move = &moves[1], .done = read_back}};
  open_store();
  start();
  post("a", 0, "first");
  store_post(bench->store, &jobs[0]);
  store_post(bench->store, &jobs[1]);
  settle();
  assert_int_equal(bench->done, 3);
  close_store();
}

struct fault {
  const char *where;
  int code;
};

static int fail_there(void *context, const char *where) {
  const struct fault *f = context;
  return f->where && strcmp(f->where, where) == 0 ? f->code : 0;
}

/* Whatever fails, and wherever: nothing is acknowledged, nothing is there
 * afterwards, and the same move goes through when the trouble is over. */
static void faults_come_back(void **state) {
  (void)state;
  static const char *const places[] = {"begin", "run", "commit"};
  static const int codes[] = {SQLITE_FULL, SQLITE_BUSY, SQLITE_READONLY,
                              SQLITE_IOERR};
  int seq = 0;
  for (size_t p = 0; p < 3; p++)
    for (size_t c = 0; c < 4; c++) {
      struct fault f = {places[p], codes[c]};
      open_store();
      store_inject(bench->store, fail_there, &f);
      start();
      bench->done = bench->failed = 0;
      post("a", seq, "x");
      settle();
      assert_int_equal(bench->failed, 1);
      assert_int_equal(bench->done, 0);
      close_store();
      f.where = NULL;
      int count = 0;
      open_store();
      assert_int_equal(store_each_move(bench->store, count_move, &count), 0);
      assert_int_equal(count, seq);
      start();
      post("a", seq++, "x");
      settle();
      assert_int_equal(bench->done, 1);
      close_store();
    }
}

/* ---- Where moves lie -------------------------------------------------------- */

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

/* The same, once the writer has found time. */
static void becomes(const char *sql, int64_t n) {
  for (int i = 0; i < 120000 && asked(sql) != n; i++)
    usleep(5000);
  assert_int_equal(asked(sql), n);
}

static int count_room(struct store_job *job, sqlite3 *db) {
  sqlite3_stmt *q;
  assert_int_equal(sqlite3_prepare_v2(db,
                                      "SELECT count(*) FROM moves WHERE"
                                      " room = 'a' AND text = 'x'",
                                      -1, &q, NULL),
                   SQLITE_OK);
  assert_int_equal(sqlite3_step(q), SQLITE_ROW);
  assert_int_equal(sqlite3_column_int(q, 0), 10);
  sqlite3_finalize(q);
  (void)job;
  return 0;
}

static void ask_for_a(void) {
  post_call((struct store_job){.call = count_room, .room = "a", .reads = true});
}

static const char acts_in_place[] =
    "SELECT sum(json_array_length(moves)) FROM chapter";

/* Moves of a game are put together when it is asked for, and after its room
 * has ended; all the while everybody sees each of them once. */
static void games_lie_together(void **state) {
  (void)state;
  open_store();
  start();
  for (int i = 0; i < 10; i++) {
    post("a", i, "x");
    post("b", i, "y");
  }
  settle();
  assert_int_equal(asked("SELECT count(*) FROM chapter"), 0);
  assert_int_equal(asked("SELECT count(*) FROM moves"), 20);
  ask_for_a();
  settle();
  assert_int_equal(bench->done, 21);
  assert_int_equal(asked("SELECT count(*) FROM chapter"), 1);
  assert_int_equal(asked(acts_in_place), 10);
  assert_int_equal(asked("SELECT count(*) FROM moves"), 20);
  post("a", 10, "x");
  post("b", 10, "end");
  settle();
  becomes("SELECT count(*) FROM chapter WHERE room = 'b'", 1);
  assert_int_equal(asked("SELECT count(*) FROM moves"), 22);
  assert_int_equal(
      asked("SELECT count(*) FROM (SELECT DISTINCT room, seq FROM moves)"), 22);
  close_store();
  assert_int_equal(asked("SELECT count(*) FROM recent"), 0);
  assert_int_equal(asked("SELECT count(*) FROM chapter WHERE room = 'a'"), 2);
  assert_int_equal(asked(acts_in_place), 21);
  assert_int_equal(asked("SELECT count(*) FROM moves"), 22);
}

/* What was carried over is cut off, and a game that takes for ever is carried
 * over too: what lies in `recent` is bounded. */
static void the_journal_is_bounded(void **state) {
  (void)state;
  open_store();
  start();
  for (int game = 0; game < 100; game++) {
    char room[8];
    snprintf(room, sizeof room, "g%d", game);
    for (int i = 0; i < 20; i++)
      post(room, i, "x");
    post(room, 20, "end");
  }
  settle();
  becomes("SELECT count(*) < 100 FROM recent", 1);
  becomes("SELECT count(*) FROM chapter", 100);
  enum { LONG = 70000, AT_ONCE = 1000 };
  for (int i = 0; i < LONG; i++) {
    post(i == 0 ? "slow" : "long", i, "x");
    if (i % AT_ONCE == 0)
      settle();
  }
  settle();
  assert_int_equal(bench->done, 100 * 21 + LONG);
  assert_int_equal(asked("SELECT count(*) FROM chapter WHERE room = 'slow'"),
                   1);
  assert_in_range(asked("SELECT sum(json_array_length(moves)) FROM chapter"
                        " WHERE room IN ('slow', 'long')"),
                  LONG - (1 << 16), LONG);
  assert_int_equal(asked("SELECT count(*) FROM moves"), 100 * 21 + LONG);
  close_store();
}

static int count_rows(struct store_job *job, sqlite3 *db) {
  sqlite3_stmt *q;
  assert_int_equal(
      sqlite3_prepare_v2(db,
                         "SELECT (SELECT count(*) FROM recent), (SELECT"
                         " count(*) FROM chapter WHERE room = 'slow'),"
                         " (SELECT count(*) FROM moves)",
                         -1, &q, NULL),
      SQLITE_OK);
  sqlite3_step(q);
  for (int i = 0; i < 3; i++)
    bench->figures[i] = sqlite3_column_int(q, i);
  sqlite3_finalize(q);
  (void)job;
  return 0;
}

/* The same with as many transactions as moves. */
static void rows_are_bounded(void **state) {
  enum { MANY = 17000 };
  (void)state;
  strcpy(bench->path, ":memory:");
  open_store();
  start();
  post("slow", 0, "x");
  for (int i = 0; i < MANY; i++) {
    post("long", i, "x");
    settle();
  }
  post_call((struct store_job){.call = count_rows});
  settle();
  assert_int_equal(bench->done, MANY + 2);
  assert_in_range(bench->figures[0], 1, (1 << 14) + 100);
  assert_int_equal(bench->figures[1], 1);
  assert_int_equal(bench->figures[2], MANY + 1);
  close_store();
}

/* Some hundred pages. */
static int write_much(struct store_job *job, sqlite3 *db) {
  (void)job;
  return sqlite3_exec(
             db,
             "CREATE TABLE IF NOT EXISTS ballast (x);"
             "REPLACE INTO ballast (rowid, x) VALUES (1, zeroblob(400000))",
             NULL, NULL, NULL) == SQLITE_OK
             ? 0
             : SAL_STORE;
}

/* However long writing goes on without a pause: the file of the log never
 * shrinks, so it shows how large the log has been. */
static void the_log_begins_anew(void **state) {
  enum { TIMES = 300, PAGE = 4096 };
  char path[220];
  struct stat log;
  (void)state;
  open_store();
  start();
  for (int i = 0; i < TIMES; i++) {
    post_call((struct store_job){.call = write_much});
    settle();
  }
  assert_int_equal(bench->done, TIMES);
  snprintf(path, sizeof path, "%s-wal", bench->path);
  assert_int_equal(stat(path, &log), 0);
  assert_in_range(log.st_size, 1000 * PAGE, 18000 * PAGE);
  close_store();
}

/* Goes on with the files as they are while the store is open: as after kill
 * -9. */
static void fall(void) {
  char command[1000], other[160];
  snprintf(other, sizeof other, "%s/fallen", bench->dir);
  snprintf(command, sizeof command, "cp '%s' '%s' && cp '%s-wal' '%s-wal'",
           bench->path, other, bench->path, other);
  assert_int_equal(system(command), 0);
  close_store();
  strcpy(bench->path, other);
  bench->done = 0;
}

static const char *const texts[] = {
    "", "\"", "\\", "a\nb\tc\x01", "perch\xc3\xa9", "[1,2]", "null"};
enum { TEXTS = sizeof texts / sizeof *texts };

static int same_text(void *context, const struct store_move *m) {
  size_t *seen = context;
  assert_int_equal(m->seq, *seen);
  assert_string_equal(m->text, texts[(*seen)++]);
  return 0;
}

/* Whatever an act says comes back as it was, from either place. */
static void texts_stay_whole(void **state) {
  (void)state;
  open_store();
  start();
  for (int i = 0; i < TEXTS; i++)
    post("a", i, texts[i]);
  settle();
  sqlite3 *db;
  size_t seen = 0;
  assert_int_equal(sqlite3_open(bench->path, &db), SQLITE_OK);
  assert_int_equal(store_read_moves(db,
                                    "SELECT room, seq, at, seat, kind, text"
                                    " FROM moves ORDER BY seq",
                                    same_text, &seen),
                   0);
  assert_int_equal(seen, TEXTS);
  sqlite3_close(db);
  fall(); /* they are read back, and written once more */
  open_store();
  start();
  post("b", 0, "end");
  settle();
  close_store();
  assert_int_equal(asked("SELECT count(*) FROM recent"), 0);
  seen = 0;
  open_store();
  assert_int_equal(store_each_move(bench->store, same_text, &seen), 0);
  assert_int_equal(seen, TEXTS);
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
  post("a", 29, "again");
  post("a", 30, "x");
  settle();
  assert_int_equal(bench->late, 1);
  assert_int_equal(bench->done, 1);
  close_store();
  assert_int_equal(asked("SELECT count(*) FROM moves"), 31);
  assert_int_equal(asked("SELECT count(*) FROM moves WHERE text = 'again'"), 0);
}

/* What was carried over may still lie in `recent` too. */
static void a_fall_doubles_nothing(void **state) {
  (void)state;
  open_store();
  start();
  for (int i = 0; i < 10; i++) {
    post("a", i, "x");
    post("b", i, "x");
  }
  settle();
  ask_for_a();
  settle();
  fall();
  open_store();
  start();
  post("a", 10, "x");
  post("a", 11, "end");
  settle();
  assert_int_equal(bench->done, 2);
  becomes("SELECT count(*) FROM chapter WHERE room = 'a'", 2);
  assert_int_equal(asked("SELECT count(*) FROM moves"), 22);
  close_store();
  assert_int_equal(asked(acts_in_place), 21);
  assert_int_equal(
      asked("SELECT count(*) FROM (SELECT DISTINCT room, seq FROM moves)"), 22);
}

/* One list that cannot be read takes no other game with it. */
static void a_spoilt_list_stands_alone(void **state) {
  (void)state;
  sqlite3 *db;
  open_store();
  start();
  for (int i = 0; i < 5; i++) {
    post("a", i, "x");
    post("b", i, "x");
  }
  settle();
  close_store();
  assert_int_equal(sqlite3_open(bench->path, &db), SQLITE_OK);
  assert_int_equal(sqlite3_exec(db,
                                "UPDATE chapter SET moves = '['"
                                " WHERE room = 'b'",
                                NULL, NULL, NULL),
                   SQLITE_CONSTRAINT);
  assert_int_equal(sqlite3_exec(db,
                                "PRAGMA ignore_check_constraints = ON;"
                                "UPDATE chapter SET moves = '['"
                                " WHERE room = 'b'",
                                NULL, NULL, NULL),
                   SQLITE_OK);
  sqlite3_close(db);
  int count = 0;
  open_store();
  assert_int_equal(store_each_move(bench->store, count_move, &count), 0);
  assert_int_equal(count, 5);
  close_store();
}

/* After an error the store still knows which numbers are taken. */
static void an_error_forgets_nothing(void **state) {
  (void)state;
  struct fault f = {NULL, SQLITE_FULL};
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
  assert_int_equal(asked("SELECT count(*) FROM moves"), 3);
  assert_int_equal(asked("SELECT count(*) FROM moves WHERE text = 'x'"), 3);
  close_store();
}

/* Somebody else has written meanwhile: whoever comes second is late. */
static void others_are_noticed(void **state) {
  (void)state;
  sqlite3 *other;
  open_store();
  start();
  for (int i = 0; i < 3; i++)
    post("a", i, "x");
  settle();
  assert_int_equal(sqlite3_open(bench->path, &other), SQLITE_OK);
  assert_int_equal(sqlite3_exec(other,
                                "INSERT INTO move VALUES"
                                " ('a', 3, 0, 0, 'act', 'theirs')",
                                NULL, NULL, NULL),
                   SQLITE_OK);
  sqlite3_close(other);
  post("a", 3, "mine");
  post("a", 4, "x");
  settle();
  assert_int_equal(bench->late, 1);
  assert_int_equal(bench->done, 4);
  assert_int_equal(asked("SELECT count(*) FROM moves"), 5);
  assert_int_equal(asked("SELECT count(*) FROM moves WHERE text = 'mine'"), 0);
  assert_int_equal(asked("SELECT count(*) FROM recent"), 2);
  close_store();
}

/* What cannot be carried over stays where it is, for as long as that lasts. */
static void carrying_can_wait(void **state) {
  (void)state;
  struct fault f = {"settle", SQLITE_FULL};
  open_store();
  store_inject(bench->store, fail_there, &f);
  start();
  for (int i = 0; i < 10; i++)
    post("a", i, "x");
  post("a", 10, "end");
  post("b", 0, "y");
  settle();
  post("b", 1, "y");
  settle();
  assert_int_equal(bench->done, 13);
  assert_int_equal(asked("SELECT count(*) FROM chapter"), 0);
  assert_int_equal(asked("SELECT count(*) FROM moves"), 13);
  close_store();
  f.where = NULL;
  bench->done = 0;
  open_store();
  start();
  post("b", 2, "y");
  settle();
  assert_int_equal(bench->done, 1);
  becomes("SELECT count(*) FROM chapter WHERE room = 'a'", 1);
  assert_int_equal(asked("SELECT count(*) FROM moves"), 14);
  close_store();
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

static int note_session(void *context, const struct store_session *m) {
  struct store_session *out = context;
  *out = *m;
  return 0;
}

static void sessions_come_and_go(void **state) {
  (void)state;
  struct store_session seen = {0};
  open_store();
  start();
  struct store_job *job = calloc(1, sizeof *job);
  job->task = STORE_PERSON;
  job->done = noted;
  memset(job->session.hash, 7, STORE_HASH);
  strcpy(job->session.name, "Anna");
  store_post(bench->store, job);
  settle();
  close_store();
  open_store();
  assert_int_equal(store_each_session(bench->store, note_session, &seen), 0);
  assert_string_equal(seen.name, "Anna");
  assert_int_equal(seen.person, 1);
  start();
  job = calloc(1, sizeof *job);
  job->task = STORE_FORGET;
  job->done = noted;
  memset(job->session.hash, 7, STORE_HASH);
  store_post(bench->store, job);
  settle();
  close_store();
  memset(&seen, 0, sizeof seen);
  open_store();
  assert_int_equal(store_each_session(bench->store, note_session, &seen), 0);
  assert_int_equal(seen.person, 0);
  close_store();
}

static int note_account(void *context, const struct store_account *a) {
  *(struct store_account *)context = *a;
  return 0;
}

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
    "INSERT INTO person VALUES (1, 'a', 0), (2, 'b', 0);";

/* Also: a file of the first version is brought up to date. */
static void accounts_are_unique(void **state) {
  (void)state;
  sqlite3 *db;
  struct store_account seen = {0};
  assert_int_equal(sqlite3_open(bench->path, &db), SQLITE_OK);
  assert_int_equal(sqlite3_exec(db, first_version, NULL, NULL, NULL),
                   SQLITE_OK);
  sqlite3_close(db);
  open_store();
  start();
  static const char *const names[] = {"Anna", "ANNA"};
  for (int i = 0; i < 2; i++) {
    struct store_job *job = calloc(1, sizeof *job);
    job->task = STORE_ACCOUNT;
    job->done = noted;
    job->account.person = i + 1;
    strcpy(job->account.name, names[i]);
    strcpy(job->account.secret, "hash");
    store_post(bench->store, job);
  }
  settle();
  assert_int_equal(bench->done, 1);
  assert_int_equal(bench->late, 1);
  close_store();
  open_store();
  assert_int_equal(store_each_account(bench->store, note_account, &seen), 0);
  assert_string_equal(seen.name, "Anna");
  assert_string_equal(seen.secret, "hash");
  close_store();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(moves_survive, set_up, tear_down),
      cmocka_unit_test_setup_teardown(ended_rooms_stay_away, set_up, tear_down),
      cmocka_unit_test_setup_teardown(doubled_is_refused_alone, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(one_move_can_be_read, set_up, tear_down),
      cmocka_unit_test_setup_teardown(faults_come_back, set_up, tear_down),
      cmocka_unit_test_setup_teardown(games_lie_together, set_up, tear_down),
      cmocka_unit_test_setup_teardown(the_journal_is_bounded, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(rows_are_bounded, set_up, tear_down),
      cmocka_unit_test_setup_teardown(the_log_begins_anew, set_up, tear_down),
      cmocka_unit_test_setup_teardown(texts_stay_whole, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_fall_loses_nothing, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_fall_doubles_nothing, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(a_spoilt_list_stands_alone, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(an_error_forgets_nothing, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(others_are_noticed, set_up, tear_down),
      cmocka_unit_test_setup_teardown(carrying_can_wait, set_up, tear_down),
      cmocka_unit_test_setup_teardown(locked_is_an_error, set_up, tear_down),
      cmocka_unit_test_setup_teardown(newer_file_is_refused, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_is_no_store_is_refused, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(sessions_come_and_go, set_up, tear_down),
      cmocka_unit_test_setup_teardown(accounts_are_unique, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
