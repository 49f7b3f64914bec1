/* The store: durable before done, one truth a number, errors that come back. */
#include "store/sql.h"

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
};

static struct bench *bench;

static void noted(struct store_job *job, int error) {
  bench->done += error == 0;
  bench->late += error == SAL_LATE;
  bench->failed += error == SAL_STORE;
  if (job->call == store_append)
    free(job->move);
  free(job);
}

static struct store_job *post(const char *room, int64_t seq, const char *text) {
  struct store_job *job = calloc(1, sizeof *job);
  job->call = store_append;
  job->move = calloc(1, sizeof *job->move);
  job->done = noted;
  job->move->seq = seq;
  snprintf(job->move->room, sizeof job->move->room, "%s", room);
  strcpy(job->move->kind, seq == 0                   ? "open"
                          : strcmp(text, "end") == 0 ? "end"
                                                     : "act");
  snprintf(job->move->text, sizeof job->move->text, "%s", text);
  store_post(bench->store, job);
  return job;
}

static void post_call(store_call *call) {
  struct store_job *job = calloc(1, sizeof *job);
  job->call = call;
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

/* A room is opened once, whoever asks for it again. */
static void a_second_opening_is_refused_alone(void **state) {
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

/* ---- Games that are over ---------------------------------------------------- */

static void loaded(struct store_job *job, int error) {
  job->error = error;
  bench->done++;
}

/* Makes moves of two rooms in turn, and ends the first as a room does: with the
 * list of its moves. */
static void play_and_end(int count) {
  struct store_moves list = {0};
  for (int i = 0; i < count; i++) {
    struct store_job *a = post("a", i, "x");
    struct store_move *m = a->move;
    a->move = store_move_copy(m);
    free(m);
    assert_true(store_moves_reserve(&list));
    list.at[list.count++] = a->move;
    a->call = store_append;
    a->done = loaded; /* the list has it */
    post("b", i, "y");
    settle();
    free(a);
  }
  post("a", count, "end")->before = &list;
  settle();
  store_moves_free(&list);
}

static void a_game_is_read_as_a_whole(void **state) {
  (void)state;
  open_store();
  start();
  play_and_end(10);
  assert_int_equal(bench->failed, 0);
  static struct load_job jobs[3];
  static const char *const rooms[] = {"a", "b", "c"};
  for (int i = 0; i < 3; i++) {
    jobs[i] =
        (struct load_job){.job = {.call = store_load_room, .done = loaded}};
    strcpy(jobs[i].room, rooms[i]);
    assert_true(store_ask(bench->store, &jobs[i].job));
  }
  settle();
  assert_int_equal(jobs[0].job.error, 0);
  assert_int_equal(jobs[0].moves.count, 11);
  for (int i = 0; i < 11; i++) {
    assert_int_equal(jobs[0].moves.at[i]->seq, i);
    assert_string_equal(jobs[0].moves.at[i]->room, "a");
    assert_string_equal(jobs[0].moves.at[i]->text, i < 10 ? "x" : "end");
  }
  store_moves_free(&jobs[0].moves);
  /* One that goes on is the server's; one that never was is nobody's. */
  assert_int_equal(jobs[1].job.error, SAL_NO_TABLE);
  assert_int_equal(jobs[2].job.error, SAL_NO_TABLE);
  close_store();
}

/* ---- No question stops a move ------------------------------------------------ */

static uv_sem_t moved, held;

static int wait_for_move(struct store_job *job, store_db *db) {
  (void)job, (void)db;
  uv_sem_post(&held);
  uv_sem_wait(&moved);
  return 0;
}

static void move_is_there(struct store_job *job, int error) {
  uv_sem_post(&moved);
  noted(job, error);
}

/* The question ends only after a move that comes later is durable. */
static void a_question_stops_no_move(void **state) {
  (void)state;
  static struct store_job slow;
  slow =
      (struct store_job){.call = wait_for_move, .done = loaded, .slow = true};
  uv_sem_init(&moved, 0);
  uv_sem_init(&held, 0);
  open_store();
  start();
  assert_true(store_ask(bench->store, &slow));
  uv_sem_wait(&held);
  post("a", 0, "x")->done = move_is_there;
  settle();
  assert_int_equal(bench->done, 2);
  close_store();
  uv_sem_destroy(&moved);
  uv_sem_destroy(&held);
}

static int answer_at_once(struct store_job *job, store_db *db) {
  (void)job, (void)db;
  uv_sem_post(&moved);
  return 0;
}

/* Of two slow ones the second waits, and a quick one does not. */
static void slow_questions_leave_room(void **state) {
  (void)state;
  static struct store_job slow[2], quick;
  uv_sem_init(&moved, 0);
  uv_sem_init(&held, 0);
  open_store();
  start();
  for (int i = 0; i < 2; i++) {
    slow[i] =
        (struct store_job){.call = wait_for_move, .done = loaded, .slow = true};
    assert_true(store_ask(bench->store, &slow[i]));
  }
  uv_sem_wait(&held);
  quick = (struct store_job){.call = answer_at_once, .done = loaded};
  assert_true(store_ask(bench->store, &quick)); /* lets the first one go */
  uv_sem_wait(&held);
  uv_sem_post(&moved);
  settle();
  assert_int_equal(bench->done, 3);
  close_store();
  uv_sem_destroy(&moved);
  uv_sem_destroy(&held);
}

/* More than may wait are refused; they are the caller's then. */
static void the_line_is_bounded(void **state) {
  (void)state;
  static struct store_job held_jobs[2], jobs[STORE_QUESTIONS_MAX + 1];
  uv_sem_init(&moved, 0);
  uv_sem_init(&held, 0);
  open_store();
  start();
  for (int i = 0; i < 2; i++) {
    held_jobs[i] = (struct store_job){.call = wait_for_move, .done = loaded};
    assert_true(store_ask(bench->store, &held_jobs[i]));
    uv_sem_wait(&held);
  }
  for (int i = 0; i <= STORE_QUESTIONS_MAX; i++) {
    jobs[i] = (struct store_job){.call = answer_at_once, .done = loaded};
    assert_int_equal(store_ask(bench->store, &jobs[i]),
                     i < STORE_QUESTIONS_MAX);
  }
  uv_sem_post(&moved);
  uv_sem_post(&moved);
  settle();
  assert_int_equal(bench->done, STORE_QUESTIONS_MAX + 2);
  close_store();
  uv_sem_destroy(&moved);
  uv_sem_destroy(&held);
}

static int count_for_ever(struct store_job *job, store_db *db) {
  (void)job;
  uv_sem_post(&held);
  return sqlite3_exec(db,
                      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1"
                      " FROM c) SELECT sum(x) FROM c",
                      NULL, NULL, NULL) == SQLITE_OK
             ? 0
             : SAL_STORE;
}

static int write_something(struct store_job *job, store_db *db) {
  (void)job;
  uv_sem_post(&held);
  return sqlite3_exec(db, "INSERT INTO person (name, at) VALUES ('x', 0)", NULL,
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

/* A commit that failed in name only: what was not acknowledged is taken back,
 * whatever comes next. */
static void what_failed_in_name_is_taken_back(void **state) {
  (void)state;
  struct fault f = {NULL, SQLITE_IOERR};
  int count = 0;
  open_store();
  store_inject(bench->store, fail_there, &f);
  start();
  post("a", 0, "x");
  settle();
  f.where = "after";
  post("a", 1, "lost");
  post("a", 2, "end");
  settle();
  f.where = "commit"; /* once more, for good measure */
  post("a", 1, "lost");
  settle();
  assert_int_equal(bench->failed, 3);
  f.where = NULL;
  post("a", 1, "x");
  settle();
  assert_int_equal(bench->done, 2);
  close_store();
  open_store();
  assert_int_equal(store_each_move(bench->store, count_move, &count), 0);
  assert_int_equal(count, 2);
  close_store();
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
             db,
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

/* Whatever an act says comes back as it was. */
static void texts_stay_whole(void **state) {
  (void)state;
  open_store();
  start();
  for (int i = 0; i < TEXTS; i++)
    post("a", i, texts[i]);
  settle();
  fall();
  size_t seen = 0;
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
  assert_int_equal(asked("SELECT count(*) FROM move"), 3);
  assert_int_equal(asked("SELECT count(*) FROM move WHERE text = 'x'"), 3);
  close_store();
}

static void strange_is_found(struct store_job *job, int error) {
  assert_int_equal(error, job->move->seq == 3 ? 0 : SAL_NO_TABLE);
  if (!error)
    assert_string_equal(job->move->text, "theirs");
  bench->done++;
}

/* Somebody else has written meanwhile: whoever comes second is late. */
static void others_are_noticed(void **state) {
  (void)state;
  struct store_move moves[2] = {{.room = "a", .seq = 3}, {.room = "a"}};
  struct store_job jobs[2];
  open_store();
  start();
  for (int i = 0; i < 3; i++)
    post("a", i, "x");
  settle();
  execute("INSERT INTO move (room, seq, at, seat, kind, text) VALUES"
          " ('a', 3, 0, 0, 'act', 'theirs')");
  post("a", 3, "mine");
  post("a", 4, "x");
  settle();
  assert_int_equal(bench->late, 1);
  assert_int_equal(bench->done, 4);
  for (int i = 0; i < 2; i++) {
    jobs[i] = (struct store_job){.call = store_find_strange,
                                 .move = &moves[i],
                                 .done = strange_is_found};
    store_post(bench->store, &jobs[i]);
  }
  settle();
  assert_int_equal(bench->done, 6);
  assert_int_equal(asked("SELECT count(*) FROM move"), 5);
  assert_int_equal(asked("SELECT count(*) FROM move WHERE text = 'mine'"), 0);
  close_store();
}

/* ---- Former versions --------------------------------------------------------- */

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
  for (int version = 1; version < schema_newest(); version++) {
    sqlite3 *db;
    char all[1000] = "";
    unlink(bench->path);
    assert_int_equal(schema_open_at(bench->path, version, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  version > 6    ? in_log
                                  : version == 6 ? in_lists
                                                 : in_rows,
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    if (version < 6)
      assert_int_equal(
          sqlite3_exec(db, version == 5 ? last_in_recent : last_in_rows, NULL,
                       NULL, NULL),
          SQLITE_OK);
    schema_close(db);
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
  job->call = store_add_person;
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
  job->call = store_end_session;
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
    job->call = store_add_account;
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
      cmocka_unit_test_setup_teardown(a_second_opening_is_refused_alone, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(a_game_is_read_as_a_whole, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(a_question_stops_no_move, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(slow_questions_leave_room, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(the_line_is_bounded, set_up, tear_down),
      cmocka_unit_test_setup_teardown(questions_are_given_up, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(faults_come_back, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_failed_in_name_is_taken_back, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(the_log_begins_anew, set_up, tear_down),
      cmocka_unit_test_setup_teardown(texts_stay_whole, set_up, tear_down),
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
      cmocka_unit_test_setup_teardown(sessions_come_and_go, set_up, tear_down),
      cmocka_unit_test_setup_teardown(accounts_are_unique, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
