/* SQLite as the store's database: one file, one process that serves it. */
#ifndef SAL_SERVER_SQLITE_H
#define SAL_SERVER_SQLITE_H

#include "sql.h"

#include <sqlite3.h>

struct sqlite_db {
  store_db base; /* first, so that the driver finds the rest */
  sqlite3 *handle;
  struct sqlite_query *queries; /* kept for the next time */
  bool (*given_up)(void *context);
  void *context;
  struct sqlite_log *log; /* sqlite_log.c; or NULL */
};

static inline sqlite3 *sqlite_of(store_db *db) {
  return ((struct sqlite_db *)db)->handle;
}

/* sqlite_schema.c: makes the tables, up to that version. */
enum { SQLITE_NEWEST = 14 };
int sqlite_migrate(store_db *db, int version);
/* Opens the file and migrates it up to an older version; for tests. */
int sqlite_open_at(const char *path, int version, store_db **out,
                   struct sal_refusal *why);

/* sqlite_log.c: sees to it that the write-ahead log begins anew. */
void sqlite_log_start(store_db *db);
void sqlite_log_stop(struct sqlite_db *db);

#endif
