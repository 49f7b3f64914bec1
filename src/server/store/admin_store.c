/* What an operator does to a store. See admin_store.h. */
#include "admin_store.h"
#include "admin_parts.h"
#include "base/network.h"
#include "results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Opening and changing ---------------------------------------------------- */

int admin_store_error(const struct admin *a, struct sal_refusal *why) {
  return sal_refuse(why, SAL_STORE, NULL, sqlite3_errmsg(sqlite_of(a->db)));
}

int64_t admin_now(void) { return (int64_t)time(NULL) * 1000; }

bool admin_begin(struct admin *a, struct sal_refusal *why) {
  if (sql_do(a->db, "BEGIN IMMEDIATE", "") == 0)
    return true;
  admin_store_error(a, why);
  return false;
}

int admin_end(struct admin *a, int error, struct sal_refusal *why) {
  if (!error && sql_do(a->db, "COMMIT", "") == 0)
    return 0;
  if (!error || error == SAL_STORE)
    error = admin_store_error(a, why); /* before it is forgotten */
  sql_do(a->db, "ROLLBACK", "");
  return error;
}

void admin_free(struct admin *a) {
  if (a)
    schema_close(a->db);
  free(a);
}

static int attach(struct admin *a, bool old, struct sal_refusal *why) {
  if (schema_attach(a->path, &a->db) != SQLITE_OK ||
      schema_version(a->db, &a->version) != SQLITE_OK)
    return admin_store_error(a, why);
  if (a->version > schema_newest())
    return sal_refuse(why, SAL_STORE, NULL,
                      N_("it was written by a newer version"));
  if (a->version < schema_newest() && !old)
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

const char *admin_path(const struct admin *a) { return a->path; }
int admin_version(const struct admin *a) { return a->version; }
int admin_newest(void) { return schema_newest(); }

/* ---- Lists ---------------------------------------------------------------- */

int admin_tables(struct admin *a,
                 void (*each)(void *context, const struct admin_table *t),
                 void *context) {
  sqlite3_stmt *q =
      sql_ask(a->db,
              "WITH open AS MATERIALIZED (SELECT n, room, text FROM move o"
              " WHERE kind = 'open' AND NOT EXISTS (SELECT 1 FROM move e"
              " WHERE e.kind = 'end' AND e.room = o.room))"
              " SELECT open.room, json_extract(open.text, '$.game'),"
              " json_extract(open.text, '$.players'), count(*), max(m.at),"
              " max(m.kind = 'start') FROM move m CROSS JOIN open"
              " ON open.room = m.room WHERE m.n >= (SELECT min(n) FROM open)"
              " GROUP BY open.room ORDER BY 5 DESC",
              "");
  while (sql_row(q)) {
    const struct admin_table t = {sql_string(q, 0),   sql_string(q, 1),
                                  (int)sql_int(q, 2), (int)sql_int(q, 3),
                                  (int)sql_int(q, 5), sql_int(q, 4)};
    each(context, &t);
  }
  return sql_end(q);
}

int admin_people(struct admin *a,
                 void (*each)(void *context, const struct admin_person *p),
                 void *context) {
  sqlite3_stmt *q = sql_ask(
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
  sqlite3_stmt *q = sql_ask(
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
  sqlite3_stmt *q =
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

#define ITS_MOVES                                                               \
  " FROM move WHERE room = ?1 AND n >= (SELECT n FROM move WHERE kind = 'open'" \
  " AND room = ?1)"

int admin_end_table(struct admin *a, const char *room,
                    struct sal_refusal *why) {
  if (!admin_begin(a, why))
    return why->code;
  int error = sql_do(a->db,
                     "INSERT INTO move (room, seq, at, seat, kind, text)"
                     " SELECT room, max(seq) + 1, ?2, -1, 'end', ''" ITS_MOVES,
                     "ti", room, admin_now());
  if (!error)
    error = sql_do(a->db,
                   "INSERT INTO game SELECT ?1, json_group_array(n) FROM"
                   " (SELECT n" ITS_MOVES " ORDER BY seq)",
                   "t", room);
  return admin_end(a, error, why);
}

int admin_wish_end(struct admin *a, const char *room, struct sal_refusal *why) {
  return sql_do(a->db, "INSERT OR IGNORE INTO wish (room, at) VALUES (?1, ?2)",
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
  *out = sql_number(rest && !*rest
                        ? sql_ask(a->db, "SELECT id FROM person WHERE id = ?1",
                                  "i", (int64_t)number)
                        : sql_ask(a->db,
                                  "SELECT person FROM account"
                                  " WHERE name = ?1 COLLATE NOCASE",
                                  "t", who),
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
                      "This is neither an address, nor the number of a person, "
                      "nor the name of an account.");
  return 0;
}

static int remove_ban(struct admin *a, const struct target *t) {
  return *t->network ? sql_do(a->db, "DELETE FROM ban WHERE network = ?1", "t",
                              t->network)
                     : sql_do(a->db, "DELETE FROM ban WHERE person = ?1", "i",
                              t->person);
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
  if (!error)
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
  if (!error && sql_changes(a->db) == 0)
    error = sal_refuse(why, SAL_NO_TABLE, NULL, "There is no such ban.");
  if (!error)
    error = note_target(a, "unban", &t, "", why);
  return admin_end(a, error, why);
}

/* ---- The store as a whole ------------------------------------------------------ */

int admin_copy(struct admin *a, const char *path, struct sal_refusal *why) {
  return sql_do(a->db, "VACUUM INTO ?1", "t", path) ? admin_store_error(a, why)
                                                    : 0;
}

int admin_rate_again(struct admin *a, struct sal_refusal *why) {
  return admin_begin(a, why) ? admin_end(a, ratings_recompute(a->db), why)
                             : why->code;
}

/* Every row of these is a fault, but for one that says "ok". */
static const struct {
  const char *sql, *what; /* NULL: what the row says */
} faults[] = {
    {"PRAGMA integrity_check", NULL},
    {"PRAGMA foreign_key_check", "a row speaks of somebody who is not there"},
    {"WITH said AS (SELECT g.room, count(m.n) AS n FROM game g,"
     " json_each(g.moves) j LEFT JOIN move m ON m.n = j.value"
     " AND m.room = g.room GROUP BY g.room),"
     " there AS (SELECT room, count(*) AS n FROM move GROUP BY room"
     " HAVING max(kind = 'end'))"
     " SELECT room FROM there WHERE (room, n) NOT IN (SELECT room, n"
     " FROM said) UNION SELECT room FROM game WHERE room NOT IN"
     " (SELECT room FROM there)",
     "of a table that has ended it is not said where all its moves are"}};

void admin_each_fault(struct admin *a,
                      void (*each)(void *context, const char *what),
                      void *context) {
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    sqlite3_stmt *q = sql_ask(a->db, faults[i].sql, "");
    while (sql_row(q))
      if (strcmp(sql_string(q, 0), "ok") != 0)
        each(context, faults[i].what ? faults[i].what : sql_string(q, 0));
    if (sql_end(q) != 0)
      each(context, sqlite3_errmsg(sqlite_of(a->db)));
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
