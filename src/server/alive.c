/* The house is open. See alive.h. */
#include "alive.h"

#include <sqlite3.h>

enum { EVERY_MS = 5000 };

static int write_now(struct store_job *job, sqlite3 *db) {
  const struct alive *a = (const struct alive *)job;
  sqlite3_stmt *q = NULL;
  int code = sqlite3_prepare_v2(
      db, "INSERT OR REPLACE INTO house (id, alive) VALUES (1, ?1)", -1, &q,
      NULL);
  if (code == SQLITE_OK) {
    sqlite3_bind_int64(q, 1, a->until);
    code = sqlite3_step(q);
  }
  sqlite3_finalize(q);
  return code == SQLITE_DONE ? 0 : SAL_STORE;
}

static int read_it(struct store_job *job, sqlite3 *db) {
  struct alive *a = (struct alive *)job;
  sqlite3_stmt *q = NULL;
  const int code =
      sqlite3_prepare_v2(db, "SELECT alive FROM house", -1, &q, NULL);
  if (code == SQLITE_OK && sqlite3_step(q) == SQLITE_ROW)
    a->until = sqlite3_column_int64(q, 0);
  sqlite3_finalize(q);
  return code == SQLITE_OK ? 0 : SAL_STORE;
}

int alive_read(struct alive *a, struct store *s) {
  a->job = (struct store_job){.task = STORE_CALL, .call = read_it};
  return store_run(s, &a->job);
}

static void is_written(struct store_job *job, int error) {
  struct alive *a = (struct alive *)job;
  (void)error; /* then the next time */
  a->busy = false;
}

void alive_note(struct alive *a, const struct house *h) {
  const uint64_t now = house_now(h);
  if (a->busy || now < a->next)
    return;
  a->next = now + EVERY_MS;
  a->busy = true;
  a->until = house_time();
  a->job = (struct store_job){
      .task = STORE_CALL, .call = write_now, .done = is_written};
  store_post(h->store, &a->job);
}
