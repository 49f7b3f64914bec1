/* The operator's hands on a store. See admin.h. */
#include "admin_parts.h"
#include "base/network.h"
#include "store/results.h"
#include "rooms/room.h"
#include "store/sql.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { CLOSE_TRIES = 100, CLOSE_PAUSE_US = 100000 };

/* ---- Opening -------------------------------------------------------------- */

int admin_store_error(const struct admin *a, struct sal_refusal *why) {
  return sal_refuse(why, SAL_STORE, NULL, sqlite3_errmsg(a->db));
}

void admin_free(struct admin *a) {
  if (a)
    schema_close(a->db);
  free(a);
}

static int open_file(struct admin *a, bool old, struct sal_refusal *why) {
  struct stat there;
  if (!server_store(&a->options, "", a->path))
    return sal_refuse(why, SAL_STORE, NULL, strerror(ENAMETOOLONG));
  if (stat(a->path, &there) != 0)
    return sal_refuse(why, SAL_STORE, NULL, strerror(errno));
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

struct admin *admin_open(const struct server_options *o, bool old,
                         struct sal_refusal *why) {
  struct admin *a = calloc(1, sizeof *a);
  if (!a) {
    sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
    return NULL;
  }
  a->options = *o;
  umask(077);
  if (open_file(a, old, why) == 0)
    return a;
  admin_free(a);
  return NULL;
}

bool admin_is_served(const struct admin *a) {
  struct sal_refusal why;
  const int lock = server_lock(&a->options, false, &why);
  if (lock < 0)
    return true;
  server_unlock(lock);
  return false;
}

int admin_version(const struct admin *a) { return a->version; }
int admin_newest(void) { return schema_newest(); }

/* ---- Lists ---------------------------------------------------------------- */

static sqlite3_stmt *query(struct admin *a, const char *sql) {
  sqlite3_stmt *q = NULL;
  sqlite3_prepare_v2(a->db, sql, -1, &q, NULL);
  return q;
}

static const char *text_of(sqlite3_stmt *q, int column) {
  const char *text = (const char *)sqlite3_column_text(q, column);
  return text ? text : "";
}

static int end(sqlite3_stmt *q, int code) {
  sqlite3_finalize(q);
  return code == SQLITE_DONE ? 0 : SAL_STORE;
}

int admin_tables(struct admin *a,
                 void (*each)(void *context, const struct admin_table *t),
                 void *context) {
  int code = SQLITE_ERROR;
  sqlite3_stmt *q =
      query(a, "WITH open AS MATERIALIZED (SELECT n, room, text FROM move o"
               " WHERE kind = 'open' AND NOT EXISTS (SELECT 1 FROM move e"
               " WHERE e.kind = 'end' AND e.room = o.room))"
               " SELECT open.room, json_extract(open.text, '$.game'),"
               " json_extract(open.text, '$.players'), count(*), max(m.at),"
               " max(m.kind = 'start') FROM move m CROSS JOIN open"
               " ON open.room = m.room WHERE m.n >= (SELECT min(n) FROM open)"
               " GROUP BY open.room ORDER BY 5 DESC");
  while (q && (code = sqlite3_step(q)) == SQLITE_ROW) {
    const struct admin_table t = {text_of(q, 0),
                                  text_of(q, 1),
                                  sqlite3_column_int(q, 2),
                                  sqlite3_column_int(q, 3),
                                  sqlite3_column_int(q, 5),
                                  sqlite3_column_int64(q, 4)};
    each(context, &t);
  }
  return end(q, code);
}

int admin_people(struct admin *a,
                 void (*each)(void *context, const struct admin_person *p),
                 void *context) {
  int code = SQLITE_ERROR;
  sqlite3_stmt *q = query(
      a, "SELECT p.id, p.name, a.person IS NOT NULL,"
         " p.id IN (SELECT person FROM ban),"
         " (SELECT count(*) FROM session s WHERE s.person = p.id),"
         " (SELECT count(*) FROM move m WHERE m.kind = 'sit'"
         "  AND json_extract(m.text, '$.person') = p.id),"
         " (SELECT max(seen) FROM session s WHERE s.person = p.id)"
         " FROM person p LEFT JOIN account a ON a.person = p.id ORDER BY p.id");
  while (q && (code = sqlite3_step(q)) == SQLITE_ROW) {
    const struct admin_person p = {
        sqlite3_column_int64(q, 0), text_of(q, 1),
        sqlite3_column_int(q, 2),   sqlite3_column_int(q, 3),
        sqlite3_column_int(q, 4),   sqlite3_column_int(q, 5),
        sqlite3_column_int64(q, 6)};
    each(context, &p);
  }
  return end(q, code);
}

int admin_bans(struct admin *a,
               void (*each)(void *context, const struct admin_ban *b),
               void *context) {
  int code = SQLITE_ERROR;
  sqlite3_stmt *q =
      query(a, "SELECT person, network, why, at FROM ban ORDER BY id");
  while (q && (code = sqlite3_step(q)) == SQLITE_ROW) {
    const struct admin_ban b = {sqlite3_column_int64(q, 0), text_of(q, 1),
                                text_of(q, 2), sqlite3_column_int64(q, 3)};
    each(context, &b);
  }
  return end(q, code);
}

/* ---- Changes -------------------------------------------------------------- */

/* Runs a statement with a text and a number; how many rows it changed, or -1. */
static int change(struct admin *a, const char *sql, const char *text,
                  int64_t number) {
  sqlite3_stmt *q = query(a, sql);
  if (!q)
    return -1;
  sqlite3_bind_text(q, 1, text, -1, SQLITE_STATIC);
  sqlite3_bind_int64(q, 2, number);
  const int code = sqlite3_step(q);
  sqlite3_finalize(q);
  return code == SQLITE_DONE ? sqlite3_changes(a->db) : -1;
}

/* The open table whose id begins so; false: none, or several. */
static bool find_table(struct admin *a, const char *begin,
                       char out[STORE_ROOM_MAX + 1]) {
  sqlite3_stmt *q =
      query(a, "SELECT room FROM move WHERE kind = 'open'"
               " AND substr(room, 1, length(?1)) = ?1"
               " AND room NOT IN (SELECT room FROM move WHERE kind = 'end')"
               " LIMIT 2");
  int count = 0;
  if (!q)
    return false;
  sqlite3_bind_text(q, 1, begin, -1, SQLITE_STATIC);
  while (sqlite3_step(q) == SQLITE_ROW) {
    snprintf(out, STORE_ROOM_MAX + 1, "%s", text_of(q, 0));
    count++;
  }
  sqlite3_finalize(q);
  return count == 1;
}

/* Without a server: the same two rows that it would have written. */
#define ITS_MOVES                                                               \
  " FROM move WHERE room = ?1 AND n >= (SELECT n FROM move WHERE kind = 'open'" \
  " AND room = ?1)"

static int write_end(struct admin *a, const char *room,
                     struct sal_refusal *why) {
  if (change(a, "BEGIN IMMEDIATE", "", 0) >= 0 &&
      change(a,
             "INSERT INTO move (room, seq, at, seat, kind, text)"
             " SELECT room, max(seq) + 1, ?2, -1, 'end', ''" ITS_MOVES,
             room, admin_now()) == 1 &&
      change(a,
             "INSERT INTO game SELECT ?1, json_group_array(n) FROM (SELECT"
             " n" ITS_MOVES " ORDER BY seq)",
             room, 0) == 1 &&
      change(a, "COMMIT", "", 0) >= 0)
    return 0;
  const int error = admin_store_error(a, why); /* before it is forgotten */
  sqlite3_exec(a->db, "ROLLBACK", NULL, NULL, NULL);
  return error;
}

int admin_close_table(struct admin *a, const char *id,
                      struct sal_refusal *why) {
  char room[STORE_ROOM_MAX + 1];
  if (!*id || !find_table(a, id, room))
    return sal_refuse(why, SAL_NO_TABLE, NULL,
                      "No open table has an id that begins so, or several "
                      "have.");
  char some[7] = ""; /* whoever reads the log need not get in */
  memcpy(some, room, sizeof some - 1);
  if (!admin_note(a, "close", some, "", ""))
    return admin_store_error(a, why);
  const int lock = server_lock(&a->options, false, why);
  if (lock >= 0) {
    const int error = write_end(a, room, why);
    server_unlock(lock);
    return error;
  }
  if (change(a, "INSERT OR IGNORE INTO wish (room, at) VALUES (?1, ?2)", room,
             admin_now()) < 0)
    return admin_store_error(a, why);
  for (int i = 0; i < CLOSE_TRIES; i++) {
    if (!find_table(a, room, room))
      return 0;
    usleep(CLOSE_PAUSE_US);
  }
  return sal_refuse(why, SAL_LATE, NULL,
                    "The server has not closed the table yet; it will.");
}

/* ---- Bans ----------------------------------------------------------------- */

/* Either a person or a network. */
struct target {
  int64_t person;
  char network[64]; /* or "" */
};

bool admin_find_person(struct admin *a, const char *who, int64_t *out) {
  sqlite3_stmt *q = query(a, "SELECT id FROM person WHERE id = ?1"
                             " UNION SELECT person FROM account"
                             " WHERE name = ?2 COLLATE NOCASE"
                             " ORDER BY 1 LIMIT 1");
  int32_t number;
  const char *rest = sal_number_read(who, &number);
  if (!q)
    return false;
  if (rest && !*rest)
    sqlite3_bind_int64(q, 1, number);
  else
    sqlite3_bind_text(q, 2, who, -1, SQLITE_STATIC);
  const bool found = sqlite3_step(q) == SQLITE_ROW;
  *out = found ? sqlite3_column_int64(q, 0) : 0;
  sqlite3_finalize(q);
  return found;
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
  return *t->network
             ? change(a, "DELETE FROM ban WHERE network = ?1", t->network, 0)
             : change(a, "DELETE FROM ban WHERE person = ?2", "", t->person);
}

static bool note_target(struct admin *a, const char *act,
                        const struct target *t, const char *reason) {
  return *t->network ? admin_note(a, act, t->network, "", reason)
                     : admin_note_person(a, act, t->person, "", reason);
}

int admin_ban(struct admin *a, const char *who, const char *reason,
              struct sal_refusal *why) {
  struct target t;
  if (find_target(a, who, &t, why) != 0)
    return why->code;
  sqlite3_stmt *q = query(a, "INSERT INTO ban (person, network, why, at)"
                             " VALUES (?1, ?2, ?3, ?4)");
  if (!q || remove_ban(a, &t) < 0) {
    sqlite3_finalize(q);
    return admin_store_error(a, why);
  }
  if (*t.network)
    sqlite3_bind_text(q, 2, t.network, -1, SQLITE_STATIC);
  else
    sqlite3_bind_int64(q, 1, t.person);
  sqlite3_bind_text(q, 3, reason, -1, SQLITE_STATIC);
  sqlite3_bind_int64(q, 4, admin_now());
  const int code = sqlite3_step(q);
  sqlite3_finalize(q);
  return code == SQLITE_DONE && note_target(a, "ban", &t, reason)
             ? 0
             : admin_store_error(a, why);
}

int admin_unban(struct admin *a, const char *who, struct sal_refusal *why) {
  struct target t;
  if (find_target(a, who, &t, why) != 0)
    return why->code;
  const int n = remove_ban(a, &t);
  if (n < 0)
    return admin_store_error(a, why);
  if (n == 0)
    return sal_refuse(why, SAL_NO_TABLE, NULL, "There is no such ban.");
  return note_target(a, "unban", &t, "") ? 0 : admin_store_error(a, why);
}

/* ---- Copies and versions -------------------------------------------------- */

/* What is on the disk under another name first is there whole or not at all. */
int admin_backup(struct admin *a, const char *path, struct sal_refusal *why) {
  char part[SERVER_PATH];
  if ((size_t)snprintf(part, sizeof part, "%s.part", path) >= sizeof part)
    return sal_refuse(why, SAL_IO, NULL, strerror(ENAMETOOLONG));
  if (access(path, F_OK) == 0)
    return sal_refuse(why, SAL_IO, NULL, strerror(EEXIST));
  unlink(part);
  if (change(a, "VACUUM INTO ?1", part, 0) < 0) {
    unlink(part);
    return admin_store_error(a, why);
  }
  const int fd = open(part, O_RDONLY | O_CLOEXEC);
  const bool ok = fd >= 0 && fsync(fd) == 0 && rename(part, path) == 0;
  if (!ok)
    sal_refuse(why, SAL_IO, NULL, strerror(errno));
  if (fd >= 0)
    close(fd);
  return ok ? 0 : why->code;
}

/* In a server that is open moves would have to wait for it. */
int admin_ratings(struct admin *a, struct sal_refusal *why) {
  const int lock = server_lock(&a->options, false, why);
  if (lock < 0)
    return why->code;
  int error = 0;
  if (sqlite3_exec(a->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK ||
      ratings_recompute(a->db) != SQLITE_OK ||
      sqlite3_exec(a->db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK) {
    error = admin_store_error(a, why); /* before it is forgotten */
    sqlite3_exec(a->db, "ROLLBACK", NULL, NULL, NULL);
  }
  server_unlock(lock);
  return error;
}

int admin_migrate(const struct server_options *o, const char *copy,
                  struct sal_refusal *why) {
  struct admin *a = NULL;
  struct store *s = NULL;
  const int lock = server_lock(o, false, why);
  if (lock < 0)
    return why->code;
  int error = 0;
  if (!(a = admin_open(o, true, why)) || admin_backup(a, copy, why) != 0)
    error = why->code;
  if (!error && !(s = store_open(a->path, why)))
    error = why->code;
  if (s)
    store_close(s);
  admin_free(a);
  close(lock);
  return error;
}

/* ---- Checking ------------------------------------------------------------- */

struct checking {
  void (*problem)(const char *table, const char *what);
  struct admin_figures *figures;
  struct room *room;
  char skipped[STORE_ROOM_MAX + 1];
};

static void complain(struct checking *c, const char *table, const char *what) {
  c->figures->problems++;
  c->problem(table, what);
}

static void give_up(struct checking *c, const struct store_move *m,
                    const char *what) {
  complain(c, m->room, what);
  strcpy(c->skipped, m->room);
  room_free(c->room);
  c->room = NULL;
}

static int play_move(void *context, const struct store_move *m) {
  struct checking *c = context;
  struct sal_refusal why;
  c->figures->moves++;
  if (strcmp(c->skipped, m->room) == 0)
    return 0;
  if (!c->room || strcmp(c->room->id, m->room) != 0) {
    room_free(c->room);
    c->figures->tables++;
    if (!(c->room = room_open(m, &why)))
      give_up(c, m, why.message);
  } else if (m->seq != c->room->seq) {
    give_up(c, m, "a move is missing");
  } else if (room_replay(c->room, m, &why) != 0) {
    give_up(c, m, why.message);
  }
  return 0;
}

/* Every row of these says what is wrong, but for one that says "ok". */
static void run_pragma(struct admin *a, struct checking *c, const char *sql,
                       const char *what) {
  sqlite3_stmt *q = query(a, sql);
  int code = SQLITE_ERROR;
  while (q && (code = sqlite3_step(q)) == SQLITE_ROW)
    if (strcmp(text_of(q, 0), "ok") != 0)
      complain(c, NULL, what ? what : text_of(q, 0));
  if (end(q, code) != 0)
    complain(c, NULL, sqlite3_errmsg(a->db));
}

int admin_check(struct admin *a,
                void (*problem)(const char *table, const char *what),
                struct admin_figures *out) {
  struct checking c = {.problem = problem, .figures = out};
  memset(out, 0, sizeof *out);
  run_pragma(a, &c, "PRAGMA integrity_check", NULL);
  run_pragma(a, &c, "PRAGMA foreign_key_check",
             "a row speaks of somebody who is not there");
  run_pragma(
      a, &c,
      "WITH said AS (SELECT g.room, count(m.n) AS n FROM game g,"
      " json_each(g.moves) j LEFT JOIN move m ON m.n = j.value"
      " AND m.room = g.room GROUP BY g.room),"
      " there AS (SELECT room, count(*) AS n FROM move GROUP BY room"
      " HAVING max(kind = 'end'))"
      " SELECT room FROM there WHERE (room, n) NOT IN (SELECT room, n"
      " FROM said) UNION SELECT room FROM game WHERE room NOT IN"
      " (SELECT room FROM there)",
      "of a table that has ended it is not said where all its moves are");
  const int error = sql_each_move(
      query(a, "SELECT " MOVE_COLUMNS " FROM move ORDER BY room, seq"),
      play_move, &c);
  room_free(c.room);
  return error;
}
