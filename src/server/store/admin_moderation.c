/* Reports, mutes, names, and the log of what administrators did. See
 * admin_store.h. */
#include "account_store.h"
#include "admin_parts.h"
#include "admin_store.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- The log ---------------------------------------------------------------- */

int admin_note(struct admin *a, const char *act, const char *who,
               const char *name, const char *reason, struct sal_refusal *why) {
  return sql_do(a->db,
                "INSERT INTO admin_log (at, act, who, name, why)"
                " VALUES (?1, ?2, ?3, ?4, ?5)",
                "itttt", admin_now(), act, who, name, reason)
             ? admin_store_error(a, why)
             : 0;
}

int admin_note_person(struct admin *a, const char *act, int64_t person,
                      const char *name, const char *reason,
                      struct sal_refusal *why) {
  char who[24];
  snprintf(who, sizeof who, "%" PRId64, person);
  return admin_note(a, act, who, name, reason, why);
}

int admin_log(struct admin *a,
              void (*each)(void *context, const struct admin_act *l),
              void *context) {
  struct sql_query *q =
      sql_ask(a->db, "SELECT at, act, who, why FROM admin_log ORDER BY id", "");
  while (sql_row(q)) {
    const struct admin_act l = {sql_int(q, 0), sql_string(q, 1),
                                sql_string(q, 2), sql_string(q, 3)};
    each(context, &l);
  }
  return sql_end(q);
}

/* ---- Reports ---------------------------------------------------------------- */

#define REPORTS                                                                \
  "SELECT r.id, r.room, r.at, r.person, coalesce(p.name, ''), r.about,"        \
  " coalesce(b.name, ''), r.why, r.done FROM report r"                         \
  " LEFT JOIN person p ON p.id = r.person"                                     \
  " LEFT JOIN person b ON b.id = r.about"

static struct admin_report report_of(struct sql_query *q) {
  return (struct admin_report){
      sql_int(q, 0),    sql_string(q, 1), sql_int(q, 2),
      sql_int(q, 3),    sql_string(q, 4), sql_int(q, 5),
      sql_string(q, 6), sql_string(q, 7), (int)sql_int(q, 8)};
}

int admin_reports(struct admin *a,
                  void (*each)(void *context, const struct admin_report *r),
                  void *context) {
  struct sql_query *q =
      sql_ask(a->db, REPORTS " WHERE r.done = 0 ORDER BY r.id", "");
  while (sql_row(q)) {
    const struct admin_report r = report_of(q);
    each(context, &r);
  }
  return sql_end(q);
}

static int no_report(struct sal_refusal *why) {
  return sal_refuse(why, SAL_NO_TABLE, NULL, N_("There is no such report."));
}

static int each_line(struct admin *a, const char *room,
                     void (*line)(void *context, const struct admin_line *l),
                     void *context) {
  struct sql_query *q = sql_ask(a->db,
                                "SELECT at, person, name, text FROM chat"
                                " WHERE room = ?1 ORDER BY n",
                                "t", room);
  while (sql_row(q)) {
    const struct admin_line l = {sql_int(q, 0), sql_int(q, 1), sql_string(q, 2),
                                 sql_string(q, 3)};
    line(context, &l);
  }
  return sql_end(q);
}

int admin_report(struct admin *a, int64_t id,
                 void (*head)(void *context, const struct admin_report *r),
                 void (*line)(void *context, const struct admin_line *l),
                 void *context, struct sal_refusal *why) {
  struct sql_query *q = sql_ask(a->db, REPORTS " WHERE r.id = ?1", "i", id);
  if (!sql_row(q)) {
    sql_end(q);
    return no_report(why);
  }
  const struct admin_report r = report_of(q);
  head(context, &r);
  const int error = each_line(a, r.table, line, context);
  sql_end(q);
  return error ? admin_store_error(a, why) : 0;
}

/* ---- Changes ---------------------------------------------------------------- */

int admin_resolve(struct admin *a, int64_t id, const char *reason,
                  struct sal_refusal *why) {
  if (!admin_begin(a, why))
    return why->code;
  int error = admin_changed(sql_count(
      a->db, "UPDATE report SET done = 1 WHERE id = ?1 AND done = 0", "i", id));
  if (error == SAL_NO_TABLE)
    no_report(why);
  if (!error)
    error = admin_note_person(a, "resolve", id, "", reason, why);
  return admin_end(a, error, why);
}

/* A person to be changed, in a transaction that has begun; false: refused. */
static bool begin_with(struct admin *a, const char *who, int64_t *person,
                       struct sal_refusal *why) {
  if (admin_find_person(a, who, person))
    return admin_begin(a, why);
  sal_refuse(why, SAL_BAD_REQUEST, NULL,
             N_("This is neither the number of a person nor the name of an "
                "account."));
  return false;
}

int admin_mutes(struct admin *a,
                void (*each)(void *context, const struct admin_ban *b),
                void *context) {
  struct sql_query *q =
      sql_ask(a->db, "SELECT person, why, at FROM mute ORDER BY at", "");
  while (sql_row(q)) {
    const struct admin_ban b = {.person = sql_int(q, 0),
                                .network = "",
                                .why = sql_string(q, 1),
                                .at = sql_int(q, 2)};
    each(context, &b);
  }
  return sql_end(q);
}

int admin_mute(struct admin *a, const char *who, const char *reason,
               struct sal_refusal *why) {
  int64_t person;
  if (!begin_with(a, who, &person, why))
    return why->code;
  int error = sql_do(a->db,
                     "INSERT INTO mute (person, why, at) VALUES (?1, ?2, ?3)"
                     " ON CONFLICT (person) DO UPDATE SET why = excluded.why,"
                     " at = excluded.at",
                     "iti", person, reason, admin_now());
  if (!error)
    error = admin_note_person(a, "mute", person, "", reason, why);
  return admin_end(a, error, why);
}

int admin_unmute(struct admin *a, const char *who, struct sal_refusal *why) {
  int64_t person;
  if (!begin_with(a, who, &person, why))
    return why->code;
  int error = admin_changed(
      sql_count(a->db, "DELETE FROM mute WHERE person = ?1", "i", person));
  if (error == SAL_NO_TABLE)
    sal_refuse(why, SAL_NO_TABLE, NULL, N_("This person is not muted."));
  if (!error)
    error = admin_note_person(a, "unmute", person, "", "", why);
  return admin_end(a, error, why);
}

/* "Guest 7", or if another account has that, "Guest 7-2" and so on. */
static bool free_name(struct admin *a, int64_t person, char *out, size_t size) {
  for (int n = 1; n < 100; n++) {
    if (n == 1)
      snprintf(out, size, "Guest %" PRId64, person);
    else
      snprintf(out, size, "Guest %" PRId64 "-%d", person, n);
    if (sql_number(sql_ask(a->db,
                           "SELECT count(*) FROM account"
                           " WHERE lower(name) = lower(?1) AND person <> ?2",
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
      "UPDATE result_seat SET name = ?1 WHERE person = ?2"};
  int64_t person;
  char name[STORE_NAME_MAX + 1];
  if (!begin_with(a, who, &person, why))
    return why->code;
  int error = free_name(a, person, name, sizeof name) ? 0 : SAL_STORE;
  for (size_t i = 0; i < sizeof changes / sizeof *changes && !error; i++)
    error = sql_do(a->db, changes[i], "ti", name, person);
  if (!error)
    error = account_store_rename_seats(a->db, person, name);
  if (!error)
    error = admin_note_person(a, "reset-name", person, name, reason, why);
  return admin_end(a, error, why);
}
