/* Court files in the store. See court_store.h. */
#include "court_store.h"
#include "sql.h"

int court_store_add(struct store_job *job, store_db *db) {
  const struct court_job *c = (const struct court_job *)job;
  const int error =
      sql_do(db,
             "INSERT INTO court (id, text, at) SELECT ?1, ?2, ?3"
             " WHERE (SELECT count(*) FROM court) < ?4 ON CONFLICT DO NOTHING",
             "ttii", c->id, c->text, c->now, (int64_t)COURTS_STORED_MAX);
  if (error)
    return error;
  return sql_number(
             sql_ask(db, "SELECT 1 FROM court WHERE id = ?1", "t", c->id), 0)
             ? 0
             : SAL_FULL;
}

const char sql_courts[] = "SELECT id, text FROM court";

int court_store_each(store_db *db, store_court *each, void *context) {
  struct sql_query *q = sql_ask(db, sql_courts, "");
  int error = 0;
  while (!error && sql_row(q))
    error = each(context, sql_string(q, 0), sql_string(q, 1));
  const int end = sql_end(q);
  return error ? error : end;
}

int store_each_court(struct store *s, store_court *each, void *context) {
  return court_store_each(store_writer_db(s), each, context);
}
