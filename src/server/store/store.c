/* Threads and transactions of the store. See store.h.
 *
 * Between the threads there are lists under one lock: `posted` for the writer,
 * `asked` for the readers, `finished` for the loop. Each thread has a connection
 * of its own. What one round of the loop posts is handed over at its end, in one
 * piece: so the writer is woken once, and syncs once. */
#include "lease.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  BATCH_MAX = 1000,
  READERS = 2,
  TROUBLE_MAX = 200,
  QUESTION_MS = 60000 /* then a question is given up: it holds the log */
};

struct jobs {
  struct store_job *first, **end;
};

struct reader {
  struct store *store;
  store_db *db;
  uv_thread_t thread;
  struct store_job *job; /* at work */
  uint64_t since;
};

struct store {
  char *where;
  store_db *db; /* the writer's */
  /* Numbers of moves: the last that is acknowledged, the last that was written,
   * acknowledged or not, and the last of the batch at work. */
  int64_t last, tried, top;
  struct lease *lease; /* where others may serve too; or NULL */
  store_fault *fault;
  void *fault_context;

  uv_mutex_t lock;
  uv_cond_t post, ask;
  struct jobs gathered; /* the loop's own */
  struct jobs posted, asked, finished;
  size_t questions; /* that wait */
  int slow;         /* slow questions at work */
  bool stop, started;

  uv_thread_t writer;
  struct reader reader[READERS];
  int readers;

  uv_async_t report;
  uv_prepare_t before_wait;
  uv_check_t after_wait;
  int handles;    /* of these three, not closed yet */
  size_t waiting; /* the loop's own */
  atomic_uint_fast64_t batches, done, failures, answered;
  char trouble[TROUBLE_MAX]; /* what the database said, under the lock */
  char told[TROUBLE_MAX];    /* a copy, the loop's own */
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

/* ---- Opening ------------------------------------------------------------- */

const char store_is_damaged[] =
    N_("it is damaged. Nothing was changed: put a backup in its place "
       "(docs/operating.md), or see what 'salotto admin check' finds");

static void free_store(struct store *s) {
  sql_close(s->db);
  uv_cond_destroy(&s->post);
  uv_cond_destroy(&s->ask);
  uv_mutex_destroy(&s->lock);
  free(s->where);
  free(s);
}

/* Without a lock nothing can be done: the program has only begun, and ends. */
static void store_init(struct store *s) {
  jobs_clear(&s->gathered);
  jobs_clear(&s->posted);
  jobs_clear(&s->asked);
  jobs_clear(&s->finished);
  if (uv_mutex_init(&s->lock) != 0 || uv_cond_init(&s->post) != 0 ||
      uv_cond_init(&s->ask) != 0)
    abort();
}

struct store *store_open(const char *where, struct sal_refusal *why) {
  struct store *s = calloc(1, sizeof *s);
  if (!s || !(s->where = strdup(where))) {
    free(s);
    sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
    return NULL;
  }
  store_init(s);
  if (sql_open(where, SQL_CREATE, &s->db, why) == 0)
    return s;
  free_store(s);
  return NULL;
}

void store_hold(struct store *s, struct lease *lease) { s->lease = lease; }

void store_inject(struct store *s, store_fault *fault, void *context) {
  s->fault = fault;
  s->fault_context = context;
}

store_db *store_writer_db(struct store *s) { return s->db; }

int64_t store_time(struct store *s) {
  const char *time = s->db->driver->words->time;
  return time ? sql_number(sql_ask(s->db, time, ""), -1) : 0;
}

static const char heartbeat_sql[] =
    "SELECT coalesce(max(at), 0) FROM heartbeat";
static const char admin_sql[] = "SELECT coalesce(max(id), 0) FROM admin_log";
static const char last_sql[] = "SELECT max(n) FROM move";

/* The time last, since it passes while the others are read. */
void store_expect_load(struct store *s) {
  const struct sql_words *words = s->db->driver->words;
  const char *const all[] = {sql_sessions, sql_accounts,      sql_courts,
                             sql_limits,   heartbeat_sql,     admin_sql,
                             last_sql,     words->open_moves, words->time};
  sql_ahead(s->db, all, sizeof all / sizeof *all);
}

int store_heartbeat(struct store *s, int64_t *at) {
  *at = sql_number(sql_ask(s->db, heartbeat_sql, ""), -1);
  return *at < 0 ? SAL_STORE : 0;
}

int store_admin_seen(struct store *s, int64_t *id) {
  *id = sql_number(sql_ask(s->db, admin_sql, ""), -1);
  return *id < 0 ? SAL_STORE : 0;
}

int store_beat(struct store_job *job, store_db *db) {
  const struct heartbeat_job *b = (const struct heartbeat_job *)job;
  return sql_do(db,
                "INSERT INTO heartbeat (id, at) VALUES (1, ?1)"
                " ON CONFLICT (id) DO UPDATE SET at = excluded.at",
                "i", b->at);
}

/* ---- Appending moves ------------------------------------------------------ */

/* Where the moves of a room are, in one row, so that it can be read without
 * looking at those of others. */
static int write_game(store_db *db, const struct store_job *job) {
  const struct store_moves *before = job->before;
  json_t *numbers = json_array();
  for (size_t i = 0; before && i < before->count; i++)
    json_array_append_new(numbers, json_integer(before->at[i]->n));
  json_array_append_new(numbers, json_integer(job->move->n));
  char *text = json_dumps(numbers, JSON_COMPACT);
  json_decref(numbers);
  const int error =
      text ? sql_do(db,
                    "INSERT INTO game (room, moves) VALUES (?1, ?2)"
                    " ON CONFLICT (room) DO UPDATE SET moves = excluded.moves",
                    "tt", job->move->room, text)
           : SAL_STORE;
  free(text);
  return error;
}

static int end_room(store_db *db, const struct store_job *job) {
  const int error = db->driver->words->after_end ? write_game(db, job) : 0;
  return error ? error
               : sql_do(db, "DELETE FROM wish WHERE room = ?1", "t",
                        job->move->room);
}

/* A number less than 0: the move is there, made by whoever was first. */
static void move_is_written(void *context, int64_t number) {
  struct store_job *job = context;
  struct store *s = job->store;
  if (number < 0) {
    job->error = SAL_LATE;
    if (s->lease && job->move->seq > 0) /* it does not know all of the log */
      lease_doubt(s->lease);
    return;
  }
  s->top = job->move->n = number;
  if (s->top > s->tried)
    s->tried = s->top;
}

int store_append(struct store_job *job, store_db *db) {
  struct store_move *m = job->move;
  const int error = sql_later(
      db, move_is_written, job, db->driver->words->append_move, "tiiitt",
      m->room, m->seq, m->at, (int64_t)m->seat, m->kind, m->text);
  return error || job->error || strcmp(m->kind, "end") != 0 ? error
                                                            : end_room(db, job);
}

/* ---- Transactions: on the writer's thread --------------------------------- */

static bool fault(const struct store *s, const char *where) {
  return s->fault && s->fault(s->fault_context, where);
}

/* A commit may have failed in name only. What was not acknowledged then, and so
 * told to nobody, is taken back before anything else. */
static bool delete_unacknowledged(struct store *s) {
  if (s->tried <= s->last)
    return true;
  return !sql_do(s->db,
                 "DELETE FROM game WHERE room IN (SELECT room FROM move"
                 " WHERE n > ?1 AND n <= ?2 AND kind = 'end')",
                 "ii", s->last, s->tried) &&
         !sql_do(s->db, "DELETE FROM move WHERE n > ?1 AND n <= ?2", "ii",
                 s->last, s->tried);
}

static const char others_write[] =
    "another program has written into the store: end it, then start this "
    "server again";

/* Whoever serves holds the lock. If somebody has appended past it, two programs
 * play the same games: this one stops writing, before a number is given twice. */
static bool is_alone(struct store *s) {
  return sql_number(sql_ask(s->db, "SELECT coalesce(max(n), 0) FROM move", ""),
                    -1) == s->last;
}

static bool run_job(struct store *s, struct store_job *job) {
  const int error = fault(s, "run") ? SAL_STORE : job->call(job, s->db);
  job->error = error ? error : job->error;
  return job->error != SAL_STORE;
}

static void note_trouble(struct store *s, const char *what) {
  uv_mutex_lock(&s->lock);
  snprintf(s->trouble, sizeof s->trouble, "%s", what);
  uv_mutex_unlock(&s->lock);
}

/* What must hold before anything is written. */
static bool may_write(struct store *s) {
  if (s->db->driver->shared)
    return !s->lease || lease_check(s->db, s->lease);
  if (!delete_unacknowledged(s))
    return false;
  if (is_alone(s))
    return true;
  note_trouble(s, others_write);
  return false;
}

static void note_failure(struct store *s, bool in_doubt) {
  if (in_doubt)
    lease_doubt(s->lease);
  else
    lease_look(s->lease);
}

/* One transaction, one sync. If any of it fails, all of it has failed: what is
 * not surely durable is not acknowledged. */
static void run_batch(struct store *s, struct store_job *first) {
  const bool begun = !fault(s, "begin") && sql_begin(s->db);
  const bool may = begun && may_write(s);
  bool ok = may;
  s->top = s->last;
  size_t count = 0;
  for (struct store_job *j = first; j; j = j->next, count++) {
    j->error = 0;
    ok = ok && run_job(s, j);
  }
  const bool done = ok && !fault(s, "commit");
  const bool committed = done && sql_commit(s->db);
  ok = committed && !fault(s, "after");
  if (!ok && s->lease)
    note_failure(s, done && (committed || sql_in_doubt(s->db)));
  if (ok) {
    s->last = s->tried = s->top;
  } else {
    if (may || !begun)
      note_trouble(s, sql_trouble(s->db));
    sql_rollback(s->db);
    for (struct store_job *j = first; j; j = j->next)
      j->error = SAL_STORE;
    atomic_fetch_add(&s->failures, 1);
  }
  atomic_fetch_add(&s->batches, 1);
  atomic_fetch_add(&s->done, count);
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

static void writer_loop(void *context) {
  struct store *s = context;
  uv_mutex_lock(&s->lock);
  for (;;) {
    while (!s->posted.first && !s->stop)
      uv_cond_wait(&s->post, &s->lock);
    struct store_job *first = s->posted.first;
    if (!first)
      break;
    jobs_clear(&s->posted);
    uv_mutex_unlock(&s->lock);
    write_all(s, first);
    uv_mutex_lock(&s->lock);
  }
  uv_mutex_unlock(&s->lock);
}

/* ---- Questions: on the readers' threads ----------------------------------- */

void store_give_up(struct store_job *job) {
  atomic_store(&job->given_up, true);
}

/* Asked now and then by the database while it reads. */
static bool is_given_up(void *context) {
  const struct reader *r = context;
  return atomic_load(&r->job->given_up) ||
         uv_hrtime() / 1000000 - r->since > QUESTION_MS;
}

/* On its thread, so that nobody waits for it who asks nothing; if it fails, the next
 * question tries again. */
static bool open_reader(struct reader *r) {
  struct sal_refusal why;
  if (sql_open(r->store->where, SQL_READ, &r->db, &why) != 0)
    return false;
  r->db->driver->watch(r->db, is_given_up, r);
  return true;
}

static void answer_question(struct reader *r, struct store_job *job) {
  r->since = uv_hrtime() / 1000000;
  job->error = 0;
  if (atomic_load(&job->given_up) || (!r->db && !open_reader(r)))
    job->error = SAL_STORE;
  if (!job->error && job->call)
    job->error = job->call(job, r->db);
  if (!job->error && job->work)
    job->work(job);
}

/* The next question that may be answered now: a slow one leaves a thread to the
 * others. */
static struct store_job *next_question(struct store *s) {
  struct store_job **at = &s->asked.first;
  while (*at && (*at)->slow && s->slow > 0 && !s->stop)
    at = &(*at)->next;
  struct store_job *job = *at;
  if (!job)
    return NULL;
  *at = job->next;
  if (!*at)
    s->asked.end = at;
  s->questions--;
  s->slow += job->slow;
  return job;
}

static void reader_loop(void *context) {
  struct reader *r = context;
  struct store *s = r->store;
  open_reader(r);
  uv_mutex_lock(&s->lock);
  for (;;) {
    struct store_job *job;
    while (!(job = next_question(s)) && !s->stop)
      uv_cond_wait(&s->ask, &s->lock);
    if (!job)
      break;
    if (s->stop)
      store_give_up(job);
    r->job = job;
    uv_mutex_unlock(&s->lock);
    answer_question(r, job);
    atomic_fetch_add(&s->answered, 1);
    uv_mutex_lock(&s->lock);
    r->job = NULL;
    s->slow -= job->slow;
    jobs_add(&s->finished, job);
    uv_cond_broadcast(&s->ask); /* a slow one may wait for this one's end */
    uv_async_send(&s->report);
  }
  uv_mutex_unlock(&s->lock);
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
  uv_cond_signal(&s->post);
  uv_mutex_unlock(&s->lock);
}

static void hand_over_before_wait(uv_prepare_t *p) { hand_over(p->data); }
static void hand_over_after_wait(uv_check_t *c) { hand_over(c->data); }

void store_post(struct store *s, struct store_job *job) {
  assert(s->started && !s->stop);
  s->waiting++;
  job->store = s;
  jobs_add(&s->gathered, job);
}

bool store_ask(struct store *s, struct store_job *job) {
  assert(s->started && !s->stop);
  uv_mutex_lock(&s->lock);
  const bool room = s->questions < STORE_QUESTIONS_MAX;
  if (room) {
    s->waiting++;
    s->questions++;
    job->store = s;
    atomic_store(&job->given_up, false);
    jobs_add(&s->asked, job);
    uv_cond_signal(&s->ask);
  }
  uv_mutex_unlock(&s->lock);
  return room;
}

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

/* ---- Beginning and end ---------------------------------------------------- */

static bool start_reader(struct store *s) {
  struct reader *r = &s->reader[s->readers];
  r->store = s;
  const bool ok = uv_thread_create(&r->thread, reader_loop, r) == 0;
  s->readers += ok;
  return ok;
}

static void stop_threads(struct store *s, bool writer) {
  uv_mutex_lock(&s->lock);
  s->stop = true;
  for (int i = 0; i < s->readers; i++)
    if (s->reader[i].job)
      store_give_up(s->reader[i].job);
  uv_cond_signal(&s->post);
  uv_cond_broadcast(&s->ask);
  uv_mutex_unlock(&s->lock);
  if (writer)
    uv_thread_join(&s->writer);
  for (int i = 0; i < s->readers; i++) {
    uv_thread_join(&s->reader[i].thread);
    sql_close(s->reader[i].db);
  }
}

int store_start(struct store *s, uv_loop_t *loop) {
  s->last = s->tried = sql_number(sql_ask(s->db, last_sql, ""), 0);
  for (int i = 0; i < READERS; i++)
    if (!start_reader(s)) {
      stop_threads(s, false);
      return SAL_NO_MEMORY;
    }
  s->db->driver->serve(s->db);
  s->started = uv_thread_create(&s->writer, writer_loop, s) == 0;
  if (!s->started) {
    stop_threads(s, false);
    return SAL_NO_MEMORY;
  }
  start_store_handles(s, loop); /* nothing is posted before */
  return 0;
}

static void on_handle_closed(uv_handle_t *h) {
  struct store *s = h->data;
  if (--s->handles == 0)
    free_store(s);
}

void store_close(struct store *s) {
  if (!s->started) {
    free_store(s);
    return;
  }
  hand_over(s);
  stop_threads(s, true);
  report_finished(s);
  uv_close((uv_handle_t *)&s->report, on_handle_closed);
  uv_close((uv_handle_t *)&s->before_wait, on_handle_closed);
  uv_close((uv_handle_t *)&s->after_wait, on_handle_closed);
}

struct store_figures store_figures(struct store *s) {
  return (struct store_figures){atomic_load(&s->batches), atomic_load(&s->done),
                                atomic_load(&s->failures),
                                atomic_load(&s->answered)};
}

const char *store_trouble(struct store *s) {
  uv_mutex_lock(&s->lock);
  memcpy(s->told, s->trouble, sizeof s->told);
  uv_mutex_unlock(&s->lock);
  return s->told;
}

size_t store_waiting(const struct store *s) { return s->waiting; }
