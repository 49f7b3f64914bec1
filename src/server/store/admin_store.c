/* What an administrator does to a store. See admin_store.h. */
#include "admin_store.h"
#include "admin_parts.h"
#include "base/network.h"
#include "lease.h"
#include "results.h"
#include "store_copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Opening and changing ---------------------------------------------------- */

int admin_store_error(const struct admin *a, struct sal_refusal *why) {
  return sal_refuse(why, SAL_STORE, NULL, sql_trouble(a->db));
}

int admin_changed(int64_t rows) {
  return rows < 0 ? SAL_STORE : rows == 0 ? SAL_NO_TABLE : 0;
}

int64_t admin_now(void) { return (int64_t)time(NULL) * 1000; }

bool admin_begin(struct admin *a, struct sal_refusal *why) {
  if (sql_begin(a->db))
    return true;
  admin_store_error(a, why);
  return false;
}

int admin_end(struct admin *a, int error, struct sal_refusal *why) {
  if (!error && sql_commit(a->db))
    return 0;
  if (!error || error == SAL_STORE)
    error = admin_store_error(a, why); /* before it is forgotten */
  sql_rollback(a->db);
  return error;
}

void admin_free(struct admin *a) {
  if (a)
    sql_close(a->db);
  free(a);
}

static int attach(struct admin *a, bool old, struct sal_refusal *why) {
  if (sql_open(a->path, SQL_CHANGE, &a->db, why) != 0)
    return why->code;
  if ((a->version = sql_version(a->db)) < 0)
    return admin_store_error(a, why);
  if (a->version > sql_newest(a->db))
    return sal_refuse(why, SAL_STORE, NULL,
                      N_("it was written by a newer version"));
  if (a->version < sql_newest(a->db) && !old)
    return sal_refuse(why, SAL_STORE, NULL,
                      N_("it is of an older version; 'salotto admin migrate' "
                         "brings it up to date"));
  return 0;
}

struct admin *admin_attach(const char *path, bool old,
                           struct sal_refusal *why) {
  const size_t length = strlen(path) + 1;
  struct admin *a = calloc(1, sizeof *a + length);
  if (!a) {
    sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
    return NULL;
  }
  memcpy(a->path, path, length);
  if (attach(a, old, why) == 0)
    return a;
  admin_free(a);
  return NULL;
}

int admin_servers(struct admin *a) {
  return a->db->driver->shared ? lease_is_held(a->db) : 0;
}

const char *admin_path(const struct admin *a) { return a->path; }
int admin_version(const struct admin *a) { return a->version; }
int admin_newest(const struct admin *a) { return sql_newest(a->db); }

/* ---- Lists ---------------------------------------------------------------- */

int admin_tables(struct admin *a,
                 void (*each)(void *context, const struct admin_table *t),
                 void *context) {
  struct sql_query *q =
      sql_ask(a->db,
              "WITH open AS MATERIALIZED (SELECT n, room, text FROM move o"
              " WHERE kind = 'open' AND NOT EXISTS (SELECT 1 FROM move e"
              " WHERE e.kind = 'end' AND e.room = o.room))"
              " SELECT open.room, open.text, count(*), max(m.at),"
              " max(CASE m.kind WHEN 'start' THEN 1 ELSE 0 END) FROM move m"
              " JOIN open ON open.room = m.room"
              " WHERE m.n >= (SELECT min(n) FROM open)"
              " GROUP BY open.room, open.text ORDER BY 4 DESC",
              "");
  while (sql_row(q)) {
    json_t *head = json_loads(sql_string(q, 1), 0, NULL);
    const char *game = json_string_value(json_object_get(head, "game"));
    const struct admin_table t = {
        .id = sql_string(q, 0),
        .game = game ? game : "",
        .players = (int)json_integer_value(json_object_get(head, "players")),
        .moves = (int)sql_int(q, 2),
        .at = sql_int(q, 3),
        .begun = sql_int(q, 4)};
    each(context, &t);
    json_decref(head);
  }
  return sql_end(q);
}

int admin_people(struct admin *a,
                 void (*each)(void *context, const struct admin_person *p),
                 void *context) {
  struct sql_query *q = sql_ask(
      a->db,
      "SELECT p.id, p.name, a.person IS NOT NULL,"
      " p.id IN (SELECT person FROM ban),"
      " (SELECT count(*) FROM session s WHERE s.person = p.id),"
      " (SELECT count(*) FROM move m WHERE m.kind = 'sit'"
      "  AND json_extract(m.text, '$.person') = p.id),"
      " (SELECT max(seen) FROM session s WHERE s.person = p.id)"
      " FROM person p LEFT JOIN account a ON a.person = p.id ORDER BY p.id",
      "");
  while (sql_row(q)) {
    const struct admin_person p = {sql_int(q, 0),      sql_string(q, 1),
                                   (int)sql_int(q, 2), (int)sql_int(q, 3),
                                   (int)sql_int(q, 4), (int)sql_int(q, 5),
                                   sql_int(q, 6)};
    each(context, &p);
  }
  return sql_end(q);
}

int admin_bans(struct admin *a,
               void (*each)(void *context, const struct admin_ban *b),
               void *context) {
  struct sql_query *q = sql_ask(
      a->db, "SELECT person, network, why, at FROM ban ORDER BY id", "");
  while (sql_row(q)) {
    const struct admin_ban b = {sql_int(q, 0), sql_string(q, 1),
                                sql_string(q, 2), sql_int(q, 3)};
    each(context, &b);
  }
  return sql_end(q);
}

/* ---- Tables ------------------------------------------------------------------- */

bool admin_find_table(struct admin *a, const char *begin,
                      char out[STORE_ROOM_MAX + 1]) {
  int count = 0;
  struct sql_query *q =
      sql_ask(a->db,
              "SELECT room FROM move WHERE kind = 'open'"
              " AND substr(room, 1, length(?1)) = ?1"
              " AND room NOT IN (SELECT room FROM move WHERE kind = 'end')"
              " LIMIT 2",
              "t", begin);
  char room[STORE_ROOM_MAX + 1] = "";
  for (; sql_row(q); count++)
    snprintf(room, sizeof room, "%s", sql_string(q, 0));
  sql_end(q);
  if (count == 1)
    strcpy(out, room);
  return count == 1;
}

int admin_end_table(struct admin *a, const char *room,
                    struct sal_refusal *why) {
  if (!admin_begin(a, why))
    return why->code;
  int error = sql_do(a->db,
                     "INSERT INTO move (room, seq, at, seat, kind, text)"
                     " SELECT room, max(seq) + 1, ?2, -1, 'end', '' FROM move"
                     " WHERE room = ?1 AND n >= (SELECT n FROM move"
                     " WHERE kind = 'open' AND room = ?1) GROUP BY room",
                     "ti", room, admin_now());
  const char *after = a->db->driver->words->after_end;
  if (!error && after)
    error = sql_do(a->db, after, "t", room);
  return admin_end(a, error, why);
}

int admin_wish_end(struct admin *a, const char *room, struct sal_refusal *why) {
  return sql_do(a->db,
                "INSERT INTO wish (room, at) VALUES (?1, ?2)"
                " ON CONFLICT DO NOTHING",
                "ti", room, admin_now())
             ? admin_store_error(a, why)
             : 0;
}

/* ---- Bans ---------------------------------------------------------------------- */

/* Either a person or a network. */
struct target {
  int64_t person;
  char network[64]; /* or "" */
};

bool admin_find_person(struct admin *a, const char *who, int64_t *out) {
  int32_t number;
  const char *rest = sal_number_read(who, &number);
  char lower[STORE_NAME_MAX + 1];
  snprintf(lower, sizeof lower, "%s", who);
  for (char *c = lower; *c; c++) /* as the databases do: English letters */
    *c = *c >= 'A' && *c <= 'Z' ? (char)(*c + 'a' - 'A') : *c;
  *out = sql_number(rest && !*rest
                        ? sql_ask(a->db, "SELECT id FROM person WHERE id = ?1",
                                  "i", (int64_t)number)
                        : sql_ask(a->db,
                                  "SELECT person FROM account"
                                  " WHERE lower(name) = ?1",
                                  "t", lower),
                    0);
  return *out != 0;
}

static int find_target(struct admin *a, const char *who, struct target *out,
                       struct sal_refusal *why) {
  struct network n;
  *out = (struct target){0};
  if (strlen(who) < sizeof out->network - 4 && network_read(who, &n))
    snprintf(out->network, sizeof out->network, "%s%s", who,
             strchr(who, ':') && !strchr(who, '/') ? "/64" : "");
  else if (!admin_find_person(a, who, &out->person))
    return sal_refuse(why, SAL_BAD_REQUEST, NULL,
                      N_("This is neither an address, nor the number of a "
                         "person, nor the name of an account."));
  return 0;
}

/* SAL_NO_TABLE: there is none. */
static int remove_ban(struct admin *a, const struct target *t) {
  return admin_changed(
      *t->network ? sql_count(a->db, "DELETE FROM ban WHERE network = ?1", "t",
                              t->network)
                  : sql_count(a->db, "DELETE FROM ban WHERE person = ?1", "i",
                              t->person));
}

static int note_target(struct admin *a, const char *act, const struct target *t,
                       const char *reason, struct sal_refusal *why) {
  return *t->network ? admin_note(a, act, t->network, "", reason, why)
                     : admin_note_person(a, act, t->person, "", reason, why);
}

int admin_ban(struct admin *a, const char *who, const char *reason,
              struct sal_refusal *why) {
  struct target t;
  if (find_target(a, who, &t, why) != 0 || !admin_begin(a, why))
    return why->code;
  int error = remove_ban(a, &t);
  if (error != SAL_STORE)
    error = sql_do(a->db,
                   "INSERT INTO ban (person, network, why, at)"
                   " VALUES (nullif(?1, 0), nullif(?2, ''), ?3, ?4)",
                   "itti", t.person, t.network, reason, admin_now());
  if (!error)
    error = note_target(a, "ban", &t, reason, why);
  return admin_end(a, error, why);
}

int admin_unban(struct admin *a, const char *who, struct sal_refusal *why) {
  struct target t;
  if (find_target(a, who, &t, why) != 0 || !admin_begin(a, why))
    return why->code;
  int error = remove_ban(a, &t);
  if (error == SAL_NO_TABLE)
    sal_refuse(why, SAL_NO_TABLE, NULL, N_("There is no such ban."));
  if (!error)
    error = note_target(a, "unban", &t, "", why);
  return admin_end(a, error, why);
}

/* ---- The store as a whole ------------------------------------------------------ */

int admin_copy(struct admin *a, const char *path, struct sal_refusal *why) {
  struct store_copied copied;
  if (a->db->driver->shared)
    return store_copy(a->path, path, &copied, why);
  return sql_do(a->db, "VACUUM INTO ?1", "t", path) ? admin_store_error(a, why)
                                                    : 0;
}

int admin_rate_again(struct admin *a, struct sal_refusal *why) {
  return admin_begin(a, why) ? admin_end(a, ratings_recompute(a->db), why)
                             : why->code;
}

void admin_each_fault(struct admin *a,
                      void (*each)(void *context, const char *what),
                      void *context) {
  for (const struct sql_fault *f = a->db->driver->words->faults; f->sql; f++) {
    struct sql_query *q = sql_ask(a->db, f->sql, "");
    while (sql_row(q))
      if (strcmp(sql_string(q, 0), "ok") != 0)
        each(context, f->what ? f->what : sql_string(q, 0));
    if (sql_end(q) != 0)
      each(context, sql_trouble(a->db));
  }
}

int admin_each_court(struct admin *a, store_court *each, void *context) {
  return court_store_each(a->db, each, context);
}

int admin_each_move(struct admin *a,
                    int (*each)(void *context, const struct store_move *m),
                    void *context) {
  return sql_each_move(
      sql_ask(a->db, "SELECT " MOVE_COLUMNS " FROM move ORDER BY room, seq",
              ""),
      each, context);
}
