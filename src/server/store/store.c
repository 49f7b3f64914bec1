/* The writer: takes all jobs that wait, runs them in one transaction, syncs
 * once, and reports each on the loop. See store.h.
 *
 * Between the threads there are two lists under one lock, `posted` and
 * `finished`; the database belongs to the writer alone once it has started.
 * What one round of the loop posts is handed over at its end, in one piece: so
 * the writer is woken once, and syncs once. */
#include "store.h"
#include "journal.h"
#include "schema.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
  BATCH_MAX = 1000,
  CHECKPOINT_PAGES = 1000, /* new in the log: it is tidied */
  RESTART_PAGES = 4000,    /* in all: it is to begin anew */
  OVERDUE_PAGES = 16000,
  NEARLY_TIDY = 500
};

struct jobs {
  struct store_job *first, **end;
};

/* Carries what stands in the write-ahead log over into the file, on a thread
 * and a connection of its own, so that moves need not wait for that. */
struct checkpointer {
  sqlite3 *db; /* NULL: there is none, as for a store in memory */
  uv_thread_t thread;
  uv_mutex_t lock;
  uv_cond_t wake;
  bool wanted; /* asked for, or being done */
  bool stop, started;
  int checkpointed; /* pages of the log that had been carried over then */
};

struct store {
  sqlite3 *db;
  struct journal *journal;
  sqlite3_stmt *statement[STATEMENT_COUNT];
  store_fault *fault;
  void *fault_context;

  uv_thread_t writer;
  uv_mutex_t lock;
  uv_cond_t wake;
  uv_async_t report;
  uv_prepare_t before_wait;
  uv_check_t after_wait;
  int handles;          /* of these three, not closed yet */
  struct jobs gathered; /* the loop's own */
  struct jobs posted, finished;
  bool stop;
  bool started;
  size_t waiting; /* the loop's own */
  atomic_uint_fast64_t batches, done, failures;
  atomic_int trouble; /* the SQLite code of the last failure */

  struct checkpointer checkpointer;
};

static void jobs_clear(struct jobs *j) {
  j->first = NULL;
  j->end = &j->first;
}

static void jobs_add(struct jobs *j, struct store_job *job) {
  job->next = NULL;
  *j->end = job;
  j->end = &job->next;
}

/* Moves all of them to the end of another list. */
static void jobs_move(struct jobs *from, struct jobs *to) {
  if (!from->first)
    return;
  *to->end = from->first;
  to->end = from->end;
  jobs_clear(from);
}

/* ---- Opening and reading ------------------------------------------------- */

static void close_file(struct store *s) {
  journal_free(s->journal);
  for (int i = 0; i < STATEMENT_COUNT; i++)
    sqlite3_finalize(s->statement[i]);
  schema_close(s->db);
  free(s);
}

struct store *store_open(const char *path, struct sal_refusal *why) {
  struct store *s = calloc(1, sizeof *s);
  if (!s) {
    sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
    return NULL;
  }
  jobs_clear(&s->gathered);
  jobs_clear(&s->posted);
  jobs_clear(&s->finished);
  int code = schema_open(path, &s->db);
  if (code == SQLITE_OK)
    code = schema_prepare(s->db, s->statement);
  if (code == SQLITE_OK && !(s->journal = journal_new(s->db)))
    code = SQLITE_NOMEM;
  if (code != SQLITE_OK) {
    sal_refuse(why, SAL_STORE, NULL,
               code == SQLITE_SCHEMA ? N_("it was written by a newer version")
               : s->db && sqlite3_errcode(s->db) != SQLITE_OK
                   ? sqlite3_errmsg(s->db)
                   : sqlite3_errstr(code));
    close_file(s);
    return NULL;
  }
  return s;
}

void store_inject(struct store *s, store_fault *fault, void *context) {
  s->fault = fault;
  s->fault_context = context;
}

bool store_read_move(sqlite3_stmt *q, struct store_move *m) {
  m->seq = sqlite3_column_int64(q, 1);
  m->at = sqlite3_column_int64(q, 2);
  m->seat = sqlite3_column_int(q, 3);
  return schema_text(q, 0, m->room, sizeof m->room) &&
         schema_text(q, 4, m->kind, sizeof m->kind) &&
         schema_text(q, 5, m->text, sizeof m->text);
}

int store_each_move(struct store *s,
                    int (*each)(void *context, const struct store_move *m),
                    void *context) {
  return store_read_moves(s->db, schema_active_moves, each, context);
}

int store_read_moves(sqlite3 *db, const char *sql,
                     int (*each)(void *context, const struct store_move *m),
                     void *context) {
  sqlite3_stmt *q = NULL;
  int error = 0, code = SQLITE_ERROR;
  if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK)
    while (!error && (code = sqlite3_step(q)) == SQLITE_ROW) {
      struct store_move m;
      error = store_read_move(q, &m) ? each(context, &m) : SAL_STORE;
    }
  sqlite3_finalize(q);
  return error ? error : code == SQLITE_DONE ? 0 : SAL_STORE;
}

int store_each_session(struct store *s,
                       int (*each)(void *context,
                                   const struct store_session *m),
                       void *context) {
  sqlite3_stmt *q = NULL;
  int error = 0, code = SQLITE_ERROR;
  if (sqlite3_prepare_v2(s->db, schema_sessions, -1, &q, NULL) == SQLITE_OK)
    while (!error && (code = sqlite3_step(q)) == SQLITE_ROW) {
      struct store_session m;
      const void *hash = sqlite3_column_blob(q, 0);
      if (!hash || sqlite3_column_bytes(q, 0) != STORE_HASH ||
          !schema_text(q, 3, m.name, sizeof m.name)) {
        error = SAL_STORE;
        break;
      }
      memcpy(m.hash, hash, STORE_HASH);
      m.person = sqlite3_column_int64(q, 1);
      m.at = sqlite3_column_int64(q, 2);
      m.seen = sqlite3_column_int64(q, 4);
      error = each(context, &m);
    }
  sqlite3_finalize(q);
  return error ? error : code == SQLITE_DONE ? 0 : SAL_STORE;
}

int store_each_account(struct store *s,
                       int (*each)(void *context,
                                   const struct store_account *a),
                       void *context) {
  sqlite3_stmt *q = NULL;
  int error = 0, code = SQLITE_ERROR;
  if (sqlite3_prepare_v2(s->db, schema_accounts, -1, &q, NULL) == SQLITE_OK)
    while (!error && (code = sqlite3_step(q)) == SQLITE_ROW) {
      struct store_account a = {.person = sqlite3_column_int64(q, 1),
                                .at = sqlite3_column_int64(q, 3)};
      error = schema_text(q, 0, a.name, sizeof a.name) &&
                      schema_text(q, 2, a.secret, sizeof a.secret)
                  ? each(context, &a)
                  : SAL_STORE;
    }
  sqlite3_finalize(q);
  return error ? error : code == SQLITE_DONE ? 0 : SAL_STORE;
}

/* ---- Writing: on the writer's thread ------------------------------------- */

static int fault(const struct store *s, const char *where) {
  return s->fault ? s->fault(s->fault_context, where) : 0;
}

/* Runs a statement that is bound. SQLITE_DONE, SQLITE_ROW or an error. */
static int step(struct store *s, enum statement which, const char *where) {
  const int injected = fault(s, where);
  return injected ? injected : sqlite3_step(s->statement[which]);
}

static bool ended_well(int code) {
  return code == SQLITE_DONE || code == SQLITE_ROW;
}

static int add_move(struct store *s, const struct store_move *m) {
  const int injected = fault(s, "run");
  const int code = injected ? injected : journal_add(s->journal, m);
  return code == SQLITE_OK ? SQLITE_DONE : code;
}

static int fetch_move(struct store *s, struct store_move *m) {
  sqlite3_stmt *q = s->statement[SQL_READ];
  char room[STORE_ROOM_MAX + 1];
  const int settled = journal_settle(s->journal, m->room);
  if (settled != SQLITE_OK)
    return settled;
  memcpy(room, m->room, sizeof room);
  sqlite3_bind_text(q, 1, room, -1, SQLITE_STATIC);
  sqlite3_bind_int64(q, 2, m->seq);
  int code = step(s, SQL_READ, "run");
  if (code == SQLITE_ROW && !store_read_move(q, m))
    code = SQLITE_CORRUPT;
  sqlite3_reset(q);
  return code;
}

static int insert_session(struct store *s, const struct store_session *m) {
  sqlite3_stmt *q = s->statement[SQL_SESSION];
  sqlite3_bind_blob(q, 1, m->hash, STORE_HASH, SQLITE_STATIC);
  sqlite3_bind_int64(q, 2, m->person);
  sqlite3_bind_int64(q, 3, m->at);
  sqlite3_bind_text(q, 4, m->agent, -1, SQLITE_STATIC);
  const int code = step(s, SQL_SESSION, "run");
  sqlite3_reset(q);
  return code;
}

static int insert_account(struct store *s, const struct store_account *a) {
  sqlite3_stmt *q = s->statement[SQL_ACCOUNT];
  sqlite3_bind_text(q, 1, a->name, -1, SQLITE_STATIC);
  sqlite3_bind_int64(q, 2, a->person);
  sqlite3_bind_text(q, 3, a->secret, -1, SQLITE_STATIC);
  sqlite3_bind_int64(q, 4, a->at);
  const int code = step(s, SQL_ACCOUNT, "run");
  sqlite3_reset(q);
  return code;
}

static int insert_person(struct store *s, struct store_session *m) {
  sqlite3_stmt *q = s->statement[SQL_PERSON];
  sqlite3_bind_text(q, 1, m->name, -1, SQLITE_STATIC);
  sqlite3_bind_int64(q, 2, m->at);
  int code = step(s, SQL_PERSON, "run");
  sqlite3_reset(q);
  if (code != SQLITE_DONE)
    return code;
  m->person = sqlite3_last_insert_rowid(s->db);
  return insert_session(s, m);
}

static int delete_session(struct store *s, const struct store_session *m) {
  sqlite3_stmt *q = s->statement[SQL_FORGET];
  sqlite3_bind_blob(q, 1, m->hash, STORE_HASH, SQLITE_STATIC);
  const int code = step(s, SQL_FORGET, "run");
  sqlite3_reset(q);
  return code;
}

/* The call's own errors are the job's; SAL_STORE is everybody's. */
static int make_call(struct store *s, struct store_job *job) {
  int code = fault(s, "run");
  if (!code && job->room && job->reads)
    code = journal_settle(s->journal, job->room);
  else if (!code && job->room)
    journal_settle_later(s->journal, job->room);
  if (code)
    return code;
  job->error = job->call(job, s->db);
  return job->error == SAL_STORE ? SQLITE_ERROR : SQLITE_DONE;
}

/* Runs one job inside the transaction. False: the batch cannot go on. */
static bool run_job(struct store *s, struct store_job *job) {
  int code = SQLITE_MISUSE;
  job->error = 0;
  switch (job->task) {
  case STORE_MOVE: code = add_move(s, job->move); break;
  case STORE_READ: code = fetch_move(s, job->move); break;
  case STORE_PERSON: code = insert_person(s, &job->session); break;
  case STORE_FORGET: code = delete_session(s, &job->session); break;
  case STORE_SESSION: code = insert_session(s, &job->session); break;
  case STORE_ACCOUNT: code = insert_account(s, &job->account); break;
  case STORE_CALL: code = make_call(s, job); break;
  }
  /* Only the statement is undone then, not the transaction. */
  if ((job->task == STORE_MOVE || job->task == STORE_ACCOUNT) &&
      (code & 0xff) == SQLITE_CONSTRAINT)
    job->error = SAL_LATE;
  else if (job->task == STORE_READ && code == SQLITE_DONE)
    job->error = SAL_NO_TABLE;
  else if (!ended_well(code))
    return false;
  return true;
}

int store_run(struct store *s, struct store_job *job) {
  return job->call(job, s->db);
}

static bool control(struct store *s, enum statement which, const char *where) {
  const int code = step(s, which, where);
  sqlite3_reset(s->statement[which]);
  return code == SQLITE_DONE;
}

static void undo(struct store *s) {
  if (!sqlite3_get_autocommit(s->db))
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
  journal_forget(s->journal);
}

/* One transaction, one sync. If any of it fails, all of it has failed: what is
 * not surely durable is not acknowledged. */
static void run_batch(struct store *s, struct store_job *first) {
  bool ok =
      control(s, SQL_BEGIN, "begin") && journal_begin(s->journal) == SQLITE_OK;
  size_t count = 0;
  for (struct store_job *j = first; j; j = j->next, count++)
    ok = ok && run_job(s, j);
  ok = ok && journal_end(s->journal) == SQLITE_OK &&
       control(s, SQL_COMMIT, "commit");
  if (!ok) {
    atomic_store(&s->trouble, sqlite3_extended_errcode(s->db));
    undo(s);
    for (struct store_job *j = first; j; j = j->next)
      j->error = SAL_STORE;
    atomic_fetch_add(&s->failures, 1);
  }
  atomic_fetch_add(&s->batches, 1);
  atomic_fetch_add(&s->done, count);
}

/* A transaction that only puts moves in their place. If it fails nothing is
 * lost: it is tried again, at the latest by the next run. */
static void settle(struct store *s, int (*some)(struct journal *j)) {
  if (!control(s, SQL_BEGIN, "begin") ||
      journal_begin(s->journal) != SQLITE_OK || fault(s, "settle") ||
      some(s->journal) != SQLITE_OK || !control(s, SQL_COMMIT, "commit"))
    undo(s);
}

/* Cuts the list after BATCH_MAX jobs; returns the rest. */
static struct store_job *cut_batch(struct store_job *j) {
  for (int i = 1; j && i < BATCH_MAX; i++)
    j = j->next;
  struct store_job *rest = j ? j->next : NULL;
  if (j)
    j->next = NULL;
  return rest;
}

static void write_all(struct store *s, struct store_job *first) {
  while (first) {
    struct store_job *rest = cut_batch(first);
    for (struct store_job *j = first; j; j = j->next)
      if (j->work)
        j->work(j);
    run_batch(s, first);
    uv_mutex_lock(&s->lock);
    for (struct store_job *j = first, *next; j; j = next) {
      next = j->next;
      jobs_add(&s->finished, j);
    }
    uv_mutex_unlock(&s->lock);
    uv_async_send(&s->report);
    first = rest;
  }
}

static void writer(void *context) {
  struct store *s = context;
  uv_mutex_lock(&s->lock);
  for (;;) {
    while (!s->posted.first && !s->stop)
      if (journal_is_behind(s->journal)) {
        uv_mutex_unlock(&s->lock);
        settle(s, journal_catch_up);
        uv_mutex_lock(&s->lock);
      } else {
        uv_cond_wait(&s->wake, &s->lock);
      }
    struct store_job *first = s->posted.first;
    if (!first)
      break;
    jobs_clear(&s->posted);
    uv_mutex_unlock(&s->lock);
    write_all(s, first);
    uv_mutex_lock(&s->lock);
  }
  uv_mutex_unlock(&s->lock);
  settle(s, journal_settle_all);
}

/* ---- Posting and reporting: on the loop's thread ------------------------- */

static void report_finished(struct store *s) {
  uv_mutex_lock(&s->lock);
  struct store_job *first = s->finished.first;
  jobs_clear(&s->finished);
  uv_mutex_unlock(&s->lock);
  for (struct store_job *j = first, *next; j; j = next) {
    next = j->next; /* the job may be gone, or posted again, after `done` */
    s->waiting--;
    j->done(j, j->error);
  }
}

static void on_report(uv_async_t *a) { report_finished(a->data); }

static void hand_over(struct store *s) {
  if (!s->gathered.first)
    return;
  uv_mutex_lock(&s->lock);
  jobs_move(&s->gathered, &s->posted);
  uv_cond_signal(&s->wake);
  uv_mutex_unlock(&s->lock);
}

static void hand_over_before_wait(uv_prepare_t *p) { hand_over(p->data); }
static void hand_over_after_wait(uv_check_t *c) { hand_over(c->data); }

/* They must not keep the loop from ending. */
static void start_store_handles(struct store *s, uv_loop_t *loop) {
  s->report.data = s->before_wait.data = s->after_wait.data = s;
  s->handles = 3;
  uv_async_init(loop, &s->report, on_report);
  uv_prepare_init(loop, &s->before_wait);
  uv_check_init(loop, &s->after_wait);
  uv_prepare_start(&s->before_wait, hand_over_before_wait);
  uv_check_start(&s->after_wait, hand_over_after_wait);
  uv_unref((uv_handle_t *)&s->before_wait);
  uv_unref((uv_handle_t *)&s->after_wait);
}

/* ---- Tidying the log ------------------------------------------------------ */

static void checkpoint_loop(void *context) {
  struct checkpointer *t = context;
  uv_mutex_lock(&t->lock);
  for (;;) {
    while (!t->wanted && !t->stop)
      uv_cond_wait(&t->wake, &t->lock);
    if (t->stop)
      break;
    uv_mutex_unlock(&t->lock);
    int checkpointed = -1;
    sqlite3_wal_checkpoint_v2(t->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL,
                              &checkpointed);
    uv_mutex_lock(&t->lock);
    t->wanted = false;
    if (checkpointed >= 0)
      t->checkpointed = checkpointed;
  }
  uv_mutex_unlock(&t->lock);
}

/* After a commit, on the writer's thread. While moves keep coming the tidier
 * never quite catches up, and the log would grow; so once in a while, when
 * little is left to do, or it has grown for too long, the writer does that
 * itself. Then the log begins anew, on blocks of the disk that it has already. */
static int after_commit(void *context, sqlite3 *db, const char *name,
                        int pages) {
  struct checkpointer *t = context;
  (void)name;
  uv_mutex_lock(&t->lock);
  if (t->checkpointed > pages)
    t->checkpointed = 0; /* it has begun anew */
  const int left = pages - t->checkpointed;
  const bool overdue = pages >= OVERDUE_PAGES;
  const bool restart =
      overdue || (pages >= RESTART_PAGES && left < NEARLY_TIDY && !t->wanted);
  if (left >= CHECKPOINT_PAGES && !t->wanted && !overdue) {
    t->wanted = true;
    uv_cond_signal(&t->wake);
  }
  uv_mutex_unlock(&t->lock);
  if (restart)
    sqlite3_wal_checkpoint_v2(db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
  return SQLITE_OK;
}

/* Without a tidier SQLite tidies the log itself, in between. */
static void start_checkpointer(struct store *s) {
  struct checkpointer *t = &s->checkpointer;
  const char *path = sqlite3_db_filename(s->db, "main");
  if (!path || !*path || schema_attach(path, &t->db) != SQLITE_OK ||
      uv_mutex_init(&t->lock) != 0)
    return;
  if (uv_cond_init(&t->wake) != 0) {
    uv_mutex_destroy(&t->lock);
    return;
  }
  t->started = uv_thread_create(&t->thread, checkpoint_loop, t) == 0;
  if (t->started) {
    sqlite3_wal_hook(s->db, after_commit, t);
    return;
  }
  uv_cond_destroy(&t->wake);
  uv_mutex_destroy(&t->lock);
}

static void stop_checkpointer(struct checkpointer *t) {
  if (t->started) {
    uv_mutex_lock(&t->lock);
    t->stop = true;
    uv_cond_signal(&t->wake);
    uv_mutex_unlock(&t->lock);
    uv_thread_join(&t->thread);
    uv_cond_destroy(&t->wake);
    uv_mutex_destroy(&t->lock);
  }
  schema_close(t->db);
}

int store_start(struct store *s, uv_loop_t *loop) {
  if (uv_mutex_init(&s->lock) != 0)
    return SAL_NO_MEMORY;
  if (uv_cond_init(&s->wake) != 0) {
    uv_mutex_destroy(&s->lock);
    return SAL_NO_MEMORY;
  }
  start_checkpointer(s);
  s->started = uv_thread_create(&s->writer, writer, s) == 0;
  if (s->started) {
    start_store_handles(s, loop); /* nothing is posted before */
    return 0;
  }
  stop_checkpointer(&s->checkpointer);
  uv_cond_destroy(&s->wake);
  uv_mutex_destroy(&s->lock);
  return SAL_NO_MEMORY;
}

void store_post(struct store *s, struct store_job *job) {
  assert(s->started && !s->stop);
  s->waiting++;
  jobs_add(&s->gathered, job);
}

static void on_handle_closed(uv_handle_t *h) {
  struct store *s = h->data;
  if (--s->handles == 0)
    close_file(s);
}

void store_close(struct store *s) {
  if (!s->started) {
    close_file(s);
    return;
  }
  hand_over(s);
  uv_mutex_lock(&s->lock);
  s->stop = true;
  uv_cond_signal(&s->wake);
  uv_mutex_unlock(&s->lock);
  uv_thread_join(&s->writer);
  stop_checkpointer(&s->checkpointer);
  report_finished(s);
  uv_cond_destroy(&s->wake);
  uv_mutex_destroy(&s->lock);
  uv_close((uv_handle_t *)&s->report, on_handle_closed);
  uv_close((uv_handle_t *)&s->before_wait, on_handle_closed);
  uv_close((uv_handle_t *)&s->after_wait, on_handle_closed);
}

struct store_figures store_figures(struct store *s) {
  return (struct store_figures){atomic_load(&s->batches), atomic_load(&s->done),
                                atomic_load(&s->failures)};
}

const char *store_trouble(struct store *s) {
  return sqlite3_errstr(atomic_load(&s->trouble));
}

size_t store_waiting(const struct store *s) { return s->waiting; }
