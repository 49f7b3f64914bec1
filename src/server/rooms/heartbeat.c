/* The server is open. See heartbeat.h. */
#include "heartbeat.h"

#include <sqlite3.h>

enum { EVERY_MS = 5000 };

static int write_heartbeat(struct store_job *job, sqlite3 *db) {
  const struct heartbeat *a = (const struct heartbeat *)job;
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

static int read_heartbeat(struct store_job *job, sqlite3 *db) {
  struct heartbeat *a = (struct heartbeat *)job;
  sqlite3_stmt *q = NULL;
  const int code =
      sqlite3_prepare_v2(db, "SELECT alive FROM house", -1, &q, NULL);
  if (code == SQLITE_OK && sqlite3_step(q) == SQLITE_ROW)
    a->until = sqlite3_column_int64(q, 0);
  sqlite3_finalize(q);
  return code == SQLITE_OK ? 0 : SAL_STORE;
}

int heartbeat_read(struct heartbeat *a, struct store *s) {
  a->job = (struct store_job){.task = STORE_CALL, .call = read_heartbeat};
  return store_run(s, &a->job);
}

static void heartbeat_is_written(struct store_job *job, int error) {
  struct heartbeat *a = (struct heartbeat *)job;
  a->busy = false;
  a->writes += error == 0; /* else the next time */
}

void heartbeat_note(struct heartbeat *a, const struct server *srv) {
  if (server_now(srv) >= a->next)
    heartbeat_try(a, srv);
}

void heartbeat_try(struct heartbeat *a, const struct server *srv) {
  if (a->busy)
    return;
  a->next = server_now(srv) + EVERY_MS;
  a->busy = true;
  a->until = server_time();
  a->job = (struct store_job){.task = STORE_CALL,
                              .call = write_heartbeat,
                              .done = heartbeat_is_written};
  store_post(srv->store, &a->job);
}
