/* Progress in the store. See progress_store.h. */
#include "progress_store.h"
#include "sql.h"

#include <jansson.h>

int progress_store_add(struct store_job *job, store_db *db) {
  const struct progress_job *p = (const struct progress_job *)job;
  const int error =
      sql_do(db,
             "INSERT INTO progress (person, room, at, game, text)"
             " SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM session"
             " WHERE person = ?1) OR EXISTS (SELECT 1 FROM account"
             " WHERE person = ?1) ON CONFLICT (person, room) DO UPDATE SET"
             " at = excluded.at, text = excluded.text",
             "ititt", p->person, p->room, p->at, p->game, p->text);
  return error ? error
               : sql_do(db,
                        "DELETE FROM progress WHERE person = ?1 AND room NOT IN"
                        " (SELECT room FROM progress WHERE person = ?1"
                        " ORDER BY at DESC, room LIMIT ?2)",
                        "ii", p->person, (int64_t)PROGRESS_KEPT);
}

/* A row with what its text says beside the rest. */
static bool unfold(json_t *row) {
  json_t *text =
      json_loads(json_string_value(json_object_get(row, "text")), 0, NULL);
  const bool ok = text && json_object_update(row, text) == 0;
  json_decref(text);
  json_object_del(row, "text");
  return ok;
}

int query_progress(struct store_job *job, store_db *db) {
  struct query_job *q = (struct query_job *)job;
  json_t *row, *games = sql_rows(sql_ask(
                   db,
                   "SELECT room AS \"table\", game, at, text FROM progress"
                   " WHERE person = ?1 ORDER BY at, room",
                   "i", q->person));
  bool ok = games != NULL;
  size_t i;
  json_array_foreach(games, i, row) ok = unfold(row) && ok;
  json_t *answer = ok ? json_pack("{s:b, s:O}", "ok", 1, "games", games) : NULL;
  q->text = answer ? json_dumps(answer, JSON_COMPACT) : NULL;
  json_decref(answer);
  json_decref(games);
  return q->text ? 0 : SAL_STORE;
}
