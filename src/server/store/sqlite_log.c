/* The write-ahead log of SQLite, while a server writes: what is in it is copied to
 * the file, and then it begins anew. See sqlite.h.
 *
 * Most is copied beside the moves, on a thread of its own, so that they need not
 * wait. But while they keep coming that never quite catches up; so when the log
 * is long enough the writer copies the little that is left. */
#include "sqlite.h"

#include <stdlib.h>
#include <uv.h>

enum {
  CHECKPOINT_PAGES = 1000, /* more in the log: they are copied to the file */
  RESTART_PAGES = 4000 /* in all: the writer sees to it that it begins anew */
};

struct sqlite_log {
  store_db *db; /* a connection of its own */
  uv_thread_t thread;
  uv_mutex_t lock;
  uv_cond_t wake;
  bool due, end;
  int copied; /* pages when it was last woken; the writer's own */
};

static void copy_when_due(void *context) {
  struct sqlite_log *l = context;
  uv_mutex_lock(&l->lock);
  for (;;) {
    while (!l->due && !l->end)
      uv_cond_wait(&l->wake, &l->lock);
    if (l->end)
      break;
    uv_mutex_unlock(&l->lock);
    sqlite3_wal_checkpoint_v2(sqlite_of(l->db), NULL, SQLITE_CHECKPOINT_PASSIVE,
                              NULL, NULL);
    uv_mutex_lock(&l->lock);
    l->due = false;
  }
  uv_mutex_unlock(&l->lock);
}

static void wake_checkpointer(struct sqlite_log *l, bool *why) {
  uv_mutex_lock(&l->lock);
  *why = true;
  uv_cond_signal(&l->wake);
  uv_mutex_unlock(&l->lock);
}

/* On the writer's thread. */
static int after_commit(void *context, sqlite3 *db, const char *name,
                        int pages) {
  struct sqlite_log *l = context;
  (void)name;
  if (pages < l->copied)
    l->copied = 0; /* it has begun anew */
  if (pages >= RESTART_PAGES) {
    sqlite3_wal_checkpoint_v2(db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
  } else if (pages - l->copied >= CHECKPOINT_PAGES) {
    l->copied = pages;
    wake_checkpointer(l, &l->due);
  }
  return SQLITE_OK;
}

static void free_log(struct sqlite_log *l) {
  sql_close(l->db);
  uv_cond_destroy(&l->wake);
  uv_mutex_destroy(&l->lock);
  free(l);
}

/* Without it SQLite copies the log itself, in between. */
void sqlite_log_start(store_db *base) {
  struct sqlite_db *db = (struct sqlite_db *)base;
  struct sal_refusal why;
  struct sqlite_log *l = calloc(1, sizeof *l);
  if (!l)
    return;
  if (uv_mutex_init(&l->lock) != 0 || uv_cond_init(&l->wake) != 0)
    abort();
  if (sql_open(sqlite3_db_filename(db->handle, "main"), SQL_CHANGE, &l->db,
               &why) != 0 ||
      uv_thread_create(&l->thread, copy_when_due, l) != 0) {
    free_log(l);
    return;
  }
  db->log = l;
  sqlite3_wal_hook(db->handle, after_commit, l);
}

void sqlite_log_stop(struct sqlite_db *db) {
  if (!db->log)
    return;
  wake_checkpointer(db->log, &db->log->end);
  uv_thread_join(&db->log->thread);
  free_log(db->log);
  db->log = NULL;
}
