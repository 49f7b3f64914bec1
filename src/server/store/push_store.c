/* Subscriptions in the store. See push_store.h. */
#include "push_store.h"
#include "sql.h"

int push_store_add(struct store_job *job, store_db *db) {
  const struct push_job *p = (const struct push_job *)job;
  const struct push_target *t = &p->target;
  const int error = sql_do(
      db,
      "INSERT INTO push (endpoint, person, key, auth, lang, at)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (endpoint) DO UPDATE SET"
      " person = excluded.person, key = excluded.key, auth = excluded.auth,"
      " lang = excluded.lang, at = excluded.at",
      "tittti", t->endpoint, p->person, t->key, t->auth, t->lang, p->now);
  return error ? error
               : sql_do(db,
                        "DELETE FROM push WHERE person = ?1 AND endpoint NOT IN"
                        " (SELECT endpoint FROM push WHERE person = ?1"
                        " ORDER BY at DESC, endpoint LIMIT ?2)",
                        "ii", p->person, (int64_t)PUSH_PER_PERSON);
}

int push_store_remove(struct store_job *job, store_db *db) {
  const struct push_job *p = (const struct push_job *)job;
  return sql_do(db,
                "DELETE FROM push WHERE endpoint = ?1"
                " AND (?2 = 0 OR person = ?2)",
                "ti", p->target.endpoint, p->person);
}

int query_push(struct store_job *job, store_db *db) {
  struct push_query *p = (struct push_query *)job;
  struct sql_query *q = sql_ask(
      db,
      "SELECT endpoint, key, auth, lang FROM push WHERE person = ?1 AND EXISTS"
      " (SELECT 1 FROM session WHERE person = ?1) ORDER BY at DESC LIMIT ?2",
      "ii", p->person, (int64_t)PUSH_PER_PERSON);
  while (p->count < PUSH_PER_PERSON && sql_row(q)) {
    struct push_target *t = &p->target[p->count];
    p->count += sql_copy(q, 0, t->endpoint, sizeof t->endpoint) &&
                sql_copy(q, 1, t->key, sizeof t->key) &&
                sql_copy(q, 2, t->auth, sizeof t->auth) &&
                sql_copy(q, 3, t->lang, sizeof t->lang);
  }
  return sql_end(q);
}
