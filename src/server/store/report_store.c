/* Reports. See report_store.h. */
#include "report_store.h"
#include "sql.h"

static const char *text_in(const json_t *line, const char *key) {
  return json_string_value(json_object_get(line, key));
}

static int64_t number_in(const json_t *line, const char *key) {
  return json_integer_value(json_object_get(line, key));
}

int report_store_chat(struct store_job *job, store_db *db) {
  const struct report_job *r = (const struct report_job *)job;
  int error = 0;
  size_t i;
  json_t *line;
  json_array_foreach(r->chat, i, line) {
    if (!error)
      error = sql_do(
          db,
          "INSERT INTO chat (room, n, at, person, seat, name, text)"
          " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING",
          "tiiiitt", r->room, number_in(line, "n"), number_in(line, "at"),
          number_in(line, "person"), number_in(line, "seat"),
          text_in(line, "name"), text_in(line, "text"));
  }
  return error;
}

int report_store_add(struct store_job *job, store_db *db) {
  const struct report_job *r = (const struct report_job *)job;
  const int error =
      sql_do(db,
             "INSERT INTO report (room, person, about, why, at, done)"
             " VALUES (?1, ?2, ?3, ?4, ?5, 0)",
             "tiiti", r->room, r->person, r->about, r->why, r->now);
  return error ? error : report_store_chat(job, db);
}
