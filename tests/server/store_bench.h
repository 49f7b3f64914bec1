/* What the tests of stores share: a loop, and a store in a folder of its own, or
 * in the database that SALOTTO_TEST_STORE names, which is emptied first. */
#ifndef SAL_TESTS_STORE_BENCH_H
#define SAL_TESTS_STORE_BENCH_H

#include "store/account_store.h"
#include "store/sql.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct bench {
  char dir[64], path[200];
  uv_loop_t loop;
  struct store *store;
  int done, failed, late;
  bool shared; /* others may write into it */
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

static inline struct store_job *post(const char *room, int64_t seq,
                                     const char *text) {
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

static int empty_database(const char *where) {
  store_db *db;
  struct sal_refusal why;
  if (sql_open(where, SQL_CHANGE, &db, &why) != 0)
    return -1;
  const bool ok = db->driver->run(
      db, "DROP SCHEMA IF EXISTS public CASCADE; CREATE SCHEMA public");
  sql_close(db);
  return ok ? 0 : -1;
}

static int set_up(void **state) {
  (void)state;
  const char *where = getenv("SALOTTO_TEST_STORE");
  bench = calloc(1, sizeof *bench);
  strcpy(bench->dir, "/tmp/salotto-store-XXXXXX");
  if (!mkdtemp(bench->dir))
    return -1;
  bench->shared = where != NULL;
  if (where)
    snprintf(bench->path, sizeof bench->path, "%s", where);
  else
    snprintf(bench->path, sizeof bench->path, "%s/store", bench->dir);
  return where && empty_database(where) != 0 ? -1 : uv_loop_init(&bench->loop);
}

static int tear_down(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", bench->dir);
  const int closed = uv_loop_close(&bench->loop);
  free(bench);
  return system(command) == 0 && closed == 0 ? 0 : -1;
}

static inline int count_move(void *context, const struct store_move *m) {
  int *count = context;
  assert_int_equal(m->seq, *count);
  assert_string_equal(m->room, "a");
  ++*count;
  return 0;
}

static inline int note_account(void *context, const struct store_account *a) {
  *(struct store_account *)context = *a;
  return 0;
}

/* An account for a person whose session's hash is their number, again and again. */
static inline void post_account(int person) {
  struct account_job *a = calloc(1, sizeof *a);
  a->job.call = account_store_open;
  a->job.done = noted;
  a->person = person;
  memset(a->hash, person, sizeof a->hash);
  memset(a->fresh, person, sizeof a->fresh);
  strcpy(a->secret, "hash");
  store_post(bench->store, &a->job);
}

static inline void loaded(struct store_job *job, int error) {
  job->error = error;
  bench->done++;
}

static uv_sem_t held __attribute__((unused));

struct fault {
  const char *where;
};

static bool fail_there(void *context, const char *where) {
  const struct fault *f = context;
  return f->where && strcmp(f->where, where) == 0;
}

/* Goes on with the files as they are while the store is open: as after kill
 * -9. */
static inline void fall(void) {
  char command[1000], other[160];
  if (bench->shared) { /* what the database does then, its own tests show */
    close_store();
    return;
  }
  snprintf(other, sizeof other, "%s/fallen", bench->dir);
  snprintf(command, sizeof command, "cp '%s' '%s' && cp '%s-wal' '%s-wal'",
           bench->path, other, bench->path, other);
  assert_int_equal(system(command), 0);
  close_store();
  strcpy(bench->path, other);
  bench->done = 0;
}

#endif
