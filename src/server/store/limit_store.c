/* Limits in the store. See limit_store.h. */
#include "limit_store.h"
#include "sql.h"

static int write_limit(store_db *db, const struct store_limit *l) {
  return sql_later(db, NULL, NULL,
                   "INSERT INTO allowance (name, used, at, until)"
                   " VALUES (?1, ?2, ?3, ?4) ON CONFLICT (name) DO UPDATE SET"
                   " used = excluded.used, at = excluded.at,"
                   " until = excluded.until",
                   "tdii", l->name, l->used, l->at, l->until);
}

/* Those of a time that has not come were written before somebody's clock was set
 * back. */
int limit_store_write(struct store_job *job, store_db *db) {
  const struct limits_job *j = (const struct limits_job *)job;
  int error =
      j->sweeps
          ? sql_do(db, "DELETE FROM allowance WHERE until <= ?1 OR at > ?1",
                   "i", j->now)
          : 0;
  for (size_t i = 0; !error && i < j->count; i++)
    error = write_limit(db, &j->row[i]);
  return error;
}

const char sql_limits[] =
    "SELECT name, used, at, until FROM allowance ORDER BY name";

int store_each_limit(struct store *s,
                     int (*each)(void *context, const struct store_limit *l),
                     void *context) {
  struct sql_query *q = sql_ask(store_writer_db(s), sql_limits, "");
  int error = 0;
  while (!error && sql_row(q)) {
    struct store_limit l = {
        .used = sql_double(q, 1), .at = sql_int(q, 2), .until = sql_int(q, 3)};
    if (sql_copy(q, 0, l.name, sizeof l.name))
      error = each(context, &l);
  }
  const int end = sql_end(q);
  return error ? error : end;
}
