/* Reports, mutes, names, and the log of what administrators did. See admin.h.
 *
 * Main invariant: what is done and the line about it are one transaction. */
#include "admin_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* ---- The log ---------------------------------------------------------------- */

int64_t admin_now(void) { return (int64_t)time(NULL) * 1000; }

bool admin_note(struct admin *a, const char *act, const char *who,
                const char *name, const char *reason) {
  return sql_ran(sql_ask(a->db,
                         "INSERT INTO admin_log (at, act, who, name, why)"
                         " VALUES (?1, ?2, ?3, ?4, ?5)",
                         "itttt", admin_now(), act, who, name, reason));
}

bool admin_note_person(struct admin *a, const char *act, int64_t person,
                       const char *name, const char *reason) {
  char who[24];
  snprintf(who, sizeof who, "%" PRId64, person);
  return admin_note(a, act, who, name, reason);
}

static const char *text_of(sqlite3_stmt *q, int column) {
  const char *text = (const char *)sqlite3_column_text(q, column);
  return text ? text : "";
}

static int end_list(sqlite3_stmt *q, int code) {
  sqlite3_finalize(q);
  return code == SQLITE_DONE ? 0 : SAL_STORE;
}

int admin_log(struct admin *a,
              void (*each)(void *context, const struct admin_act *l),
              void *context) {
  int code = SQLITE_ERROR;
  sqlite3_stmt *q =
      sql_ask(a->db, "SELECT at, act, who, why FROM admin_log ORDER BY id", "");
  while (q && (code = sqlite3_step(q)) == SQLITE_ROW) {
    const struct admin_act l = {sqlite3_column_int64(q, 0), text_of(q, 1),
                                text_of(q, 2), text_of(q, 3)};
    each(context, &l);
  }
  return end_list(q, code);
}

/* ---- Reports ---------------------------------------------------------------- */

#define REPORTS                                                                \
  "SELECT r.id, r.room, r.at, r.person, coalesce(p.name, ''), r.about,"        \
  " coalesce(b.name, ''), r.why, r.done FROM report r"                         \
  " LEFT JOIN person p ON p.id = r.person"                                     \
  " LEFT JOIN person b ON b.id = r.about"

static struct admin_report report_of(sqlite3_stmt *q) {
  return (struct admin_report){sqlite3_column_int64(q, 0),
                               text_of(q, 1),
                               sqlite3_column_int64(q, 2),
                               sqlite3_column_int64(q, 3),
                               text_of(q, 4),
                               sqlite3_column_int64(q, 5),
                               text_of(q, 6),
                               text_of(q, 7),
                               sqlite3_column_int(q, 8)};
}

int admin_reports(struct admin *a,
                  void (*each)(void *context, const struct admin_report *r),
                  void *context) {
  int code = SQLITE_ERROR;
  sqlite3_stmt *q =
      sql_ask(a->db, REPORTS " WHERE r.done = 0 ORDER BY r.id", "");
  while (q && (code = sqlite3_step(q)) == SQLITE_ROW) {
    const struct admin_report r = report_of(q);
    each(context, &r);
  }
  return end_list(q, code);
}

static int no_report(struct sal_refusal *why) {
  return sal_refuse(why, SAL_NO_TABLE, NULL, N_("There is no such report."));
}

static int each_line(struct admin *a, const char *room,
                     void (*line)(void *context, const struct admin_line *l),
                     void *context) {
  int code = SQLITE_ERROR;
  sqlite3_stmt *q = sql_ask(a->db,
                            "SELECT at, person, name, text FROM chat"
                            " WHERE room = ?1 ORDER BY n",
                            "t", room);
  while (q && (code = sqlite3_step(q)) == SQLITE_ROW) {
    const struct admin_line l = {sqlite3_column_int64(q, 0),
                                 sqlite3_column_int64(q, 1), text_of(q, 2),
                                 text_of(q, 3)};
    line(context, &l);
  }
  return end_list(q, code);
}

int admin_report(struct admin *a, int64_t id,
                 void (*head)(void *context, const struct admin_report *r),
                 void (*line)(void *context, const struct admin_line *l),
                 void *context, struct sal_refusal *why) {
  sqlite3_stmt *q = sql_ask(a->db, REPORTS " WHERE r.id = ?1", "i", id);
  if (!q || sqlite3_step(q) != SQLITE_ROW) {
    sqlite3_finalize(q);
    return no_report(why);
  }
  const struct admin_report r = report_of(q);
  head(context, &r);
  const int error = each_line(a, r.table, line, context);
  sqlite3_finalize(q);
  return error ? admin_store_error(a, why) : 0;
}

/* ---- Changes ---------------------------------------------------------------- */

static bool begin(struct admin *a) {
  return sql_ran(sql_ask(a->db, "BEGIN IMMEDIATE", ""));
}

/* Commits what went well; else nothing has happened. */
static int end_change(struct admin *a, bool ok, struct sal_refusal *why) {
  if (ok && sql_ran(sql_ask(a->db, "COMMIT", "")))
    return 0;
  admin_store_error(a, why);
  sql_run(sql_ask(a->db, "ROLLBACK", ""));
  return why->code;
}

int admin_resolve(struct admin *a, int64_t id, const char *reason,
                  struct sal_refusal *why) {
  if (!begin(a))
    return admin_store_error(a, why);
  bool ok = sql_ran(sql_ask(
      a->db, "UPDATE report SET done = 1 WHERE id = ?1 AND done = 0", "i", id));
  if (ok && sqlite3_changes(a->db) == 0) {
    sql_run(sql_ask(a->db, "ROLLBACK", ""));
    return no_report(why);
  }
  ok = ok && admin_note_person(a, "resolve", id, "", reason);
  return end_change(a, ok, why);
}

static int no_person(struct sal_refusal *why) {
  return sal_refuse(why, SAL_BAD_REQUEST, NULL,
                    N_("This is neither the number of a person nor the name of "
                       "an account."));
}

int admin_mutes(struct admin *a,
                void (*each)(void *context, const struct admin_ban *b),
                void *context) {
  int code = SQLITE_ERROR;
  sqlite3_stmt *q =
      sql_ask(a->db, "SELECT person, why, at FROM mute ORDER BY at", "");
  while (q && (code = sqlite3_step(q)) == SQLITE_ROW) {
    const struct admin_ban b = {.person = sqlite3_column_int64(q, 0),
                                .network = "",
                                .why = text_of(q, 1),
                                .at = sqlite3_column_int64(q, 2)};
    each(context, &b);
  }
  return end_list(q, code);
}

int admin_mute(struct admin *a, const char *who, const char *reason,
               struct sal_refusal *why) {
  int64_t person;
  if (!admin_find_person(a, who, &person))
    return no_person(why);
  if (!begin(a))
    return admin_store_error(a, why);
  const bool ok =
      sql_ran(sql_ask(a->db,
                      "INSERT OR REPLACE INTO mute (person, why, at)"
                      " VALUES (?1, ?2, ?3)",
                      "iti", person, reason, admin_now())) &&
      admin_note_person(a, "mute", person, "", reason);
  return end_change(a, ok, why);
}

int admin_unmute(struct admin *a, const char *who, struct sal_refusal *why) {
  int64_t person;
  if (!admin_find_person(a, who, &person))
    return no_person(why);
  if (!begin(a))
    return admin_store_error(a, why);
  bool ok = sql_ran(
      sql_ask(a->db, "DELETE FROM mute WHERE person = ?1", "i", person));
  if (ok && sqlite3_changes(a->db) == 0) {
    sql_run(sql_ask(a->db, "ROLLBACK", ""));
    return sal_refuse(why, SAL_NO_TABLE, NULL, N_("This person is not muted."));
  }
  ok = ok && admin_note_person(a, "unmute", person, "", "");
  return end_change(a, ok, why);
}

/* "Guest 7", or if another account has that, "Guest 7-2" and so on. */
static bool free_name(struct admin *a, int64_t person, char *out, size_t size) {
  for (int n = 1; n < 100; n++) {
    if (n == 1)
      snprintf(out, size, "Guest %" PRId64, person);
    else
      snprintf(out, size, "Guest %" PRId64 "-%d", person, n);
    if (sql_number(sql_ask(a->db,
                           "SELECT count(*) FROM account WHERE name = ?1"
                           " AND person <> ?2",
                           "ti", out, person),
                   1) == 0)
      return true;
  }
  return false;
}

int admin_reset_name(struct admin *a, const char *who, const char *reason,
                     struct sal_refusal *why) {
  static const char *const changes[] = {
      "UPDATE person SET name = ?1 WHERE id = ?2",
      "UPDATE account SET name = ?1 WHERE person = ?2",
      "UPDATE result_seat SET name = ?1 WHERE person = ?2",
      "UPDATE move SET text = json_set(text, '$.name', ?1) WHERE kind = 'sit'"
      " AND json_extract(text, '$.person') = ?2"};
  int64_t person;
  char name[STORE_NAME_MAX + 1];
  if (!admin_find_person(a, who, &person))
    return no_person(why);
  if (!begin(a))
    return admin_store_error(a, why);
  bool ok = free_name(a, person, name, sizeof name);
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
    ok = ok && sql_ran(sql_ask(a->db, changes[i], "ti", name, person));
  ok = ok && admin_note_person(a, "reset-name", person, name, reason);
  return end_change(a, ok, why);
}
