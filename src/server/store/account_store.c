/* People in the store. See account_store.h. */
#include "account_store.h"
#include "report_store.h"
#include "sql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct account_job *account_job_of(struct store_job *job) {
  return (struct account_job *)job;
}

/* ---- Persons, sessions, accounts ------------------------------------------- */

static int add_session(store_db *db, const uint8_t *hash, int64_t person,
                       int64_t at, const char *agent) {
  return sql_do(db,
                "INSERT INTO session (hash, person, at, seen, agent)"
                " VALUES (?1, ?2, ?3, ?3, ?4)",
                "hiit", hash, person, at, agent);
}

int store_add_person(struct store_job *job, store_db *db) {
  struct store_session *m = &job->session;
  m->person = sql_number(
      sql_ask(db, "INSERT INTO person (name, at) VALUES (?1, ?2) RETURNING id",
              "ti", m->name, m->at),
      -1);
  return m->person < 0 ? SAL_STORE
                       : add_session(db, m->hash, m->person, m->at, m->agent);
}

int store_end_session(struct store_job *job, store_db *db) {
  return sql_do(db, "DELETE FROM session WHERE hash = ?1", "h",
                job->session.hash);
}

/* ---- Names, passwords, sessions ------------------------------------------- */

/* Whether the account still has the secret that was checked; or still there is
 * none. */
static int check_proof(store_db *db, const struct account_job *d) {
  char secret[STORE_SECRET_MAX + 1] = "";
  const int error =
      sql_text_into(sql_ask(db, "SELECT secret FROM account WHERE person = ?1",
                            "i", d->person),
                    secret, sizeof secret);
  if (error && error != SAL_NO_TABLE)
    return error;
  return strcmp(secret, d->proof) == 0 ? 0 : SAL_NOT_ALLOWED;
}

/* The session that asks must still be there. */
static int check_session(store_db *db, const struct account_job *d) {
  const int64_t there = sql_number(
      sql_ask(db,
              "SELECT count(*) FROM session WHERE hash = ?1 AND person = ?2",
              "hi", d->hash, d->person),
      -1);
  return there < 0 ? SAL_STORE : there == 0 ? SAL_NOT_ALLOWED : 0;
}

static int change_token(store_db *db, const struct account_job *d) {
  return sql_do(db, "UPDATE session SET hash = ?1 WHERE hash = ?2", "hh",
                d->fresh, d->hash);
}

int account_store_open(struct store_job *job, store_db *db) {
  struct account_job *d = account_job_of(job);
  int error = check_session(db, d);
  if (!error)
    error = sql_text_into(
        sql_ask(db, "SELECT name FROM person WHERE id = ?1", "i", d->person),
        d->name, sizeof d->name);
  if (!error)
    error = sql_try(db,
                    "INSERT INTO account (name, person, secret, at)"
                    " VALUES (?1, ?2, ?3, ?4)",
                    "titi", d->name, d->person, d->secret, d->now);
  return error ? error : change_token(db, d);
}

int account_store_enter(struct store_job *job, store_db *db) {
  struct account_job *d = account_job_of(job);
  int error = check_proof(db, d);
  if (!error)
    error =
        sql_text_into(sql_ask(db, "SELECT name FROM account WHERE person = ?1",
                              "i", d->person),
                      d->name, sizeof d->name);
  if (error)
    return error == SAL_NO_TABLE ? SAL_NOT_ALLOWED : error;
  return add_session(db, d->fresh, d->person, d->now, d->agent);
}

int account_store_rename(struct store_job *job, store_db *db) {
  struct account_job *d = account_job_of(job);
  int error = check_proof(db, d);
  if (!error)
    error = sql_try(db, "UPDATE account SET name = ?1 WHERE person = ?2", "ti",
                    d->name, d->person);
  return error ? error
               : sql_do(db, "UPDATE person SET name = ?1 WHERE id = ?2", "ti",
                        d->name, d->person);
}

static int end_others(store_db *db, const struct account_job *d) {
  return sql_do(db, "DELETE FROM session WHERE person = ?1 AND hash <> ?2",
                "ih", d->person, d->hash);
}

int account_store_password(struct store_job *job, store_db *db) {
  struct account_job *d = account_job_of(job);
  int error = check_proof(db, d);
  if (!error)
    error = check_session(db, d);
  if (!error)
    error = sql_do(db, "UPDATE account SET secret = ?1 WHERE person = ?2", "ti",
                   d->secret, d->person);
  if (!error)
    error = end_others(db, d);
  return error ? error : change_token(db, d);
}

/* What a change of so many rows comes to. */
static int there_was(int64_t changed) {
  return changed < 0 ? SAL_STORE : changed == 0 ? SAL_NO_TABLE : 0;
}

int account_store_face(struct store_job *job, store_db *db) {
  const struct account_job *d = account_job_of(job);
  return there_was(sql_count(db,
                             "UPDATE account SET face = ?1 WHERE person = ?2",
                             "ii", (int64_t)d->face, d->person));
}

int account_store_revoke(struct store_job *job, store_db *db) {
  struct account_job *d = account_job_of(job);
  if (!*d->session)
    return end_others(db, d);
  return there_was(sql_count(db,
                             "DELETE FROM session WHERE person = ?1"
                             " AND lower(substr(hex(hash), 1, 16)) = ?2",
                             "it", d->person, d->session));
}

int account_store_touch(struct store_job *job, store_db *db) {
  struct account_job *d = account_job_of(job);
  return sql_do(db, "UPDATE session SET seen = ?1 WHERE hash = ?2", "ih",
                d->now, d->hash);
}

/* ---- Deleting an account -------------------------------------------------- */

/* In one move with which somebody sat down. */
static int rename_seat(store_db *db, int64_t n, const char *text,
                       const char *name) {
  json_t *sit = json_loads(text, 0, NULL);
  char *renamed =
      json_is_object(sit) &&
              json_object_set_new(sit, "name", json_string(name)) == 0
          ? json_dumps(sit, JSON_COMPACT)
          : NULL;
  const int error = renamed
                        ? sql_do(db, "UPDATE move SET text = ?1 WHERE n = ?2",
                                 "ti", renamed, n)
                        : SAL_STORE;
  free(renamed);
  json_decref(sit);
  return error;
}

int account_store_rename_seats(store_db *db, int64_t person, const char *name) {
  struct sql_query *q = sql_ask(db,
                                "SELECT n, text FROM move WHERE kind = 'sit'"
                                " AND json_extract(text, '$.person') = ?1",
                                "i", person);
  int error = 0;
  while (!error && sql_row(q))
    error = rename_seat(db, sql_int(q, 0), sql_string(q, 1), name);
  const int end = sql_end(q);
  return error ? error : end;
}

static bool has_column(store_db *db, const char *table, const char *column) {
  struct sql_query *q = sql_ask(db, db->driver->words->columns, "t", table);
  bool has = false;
  while (sql_row(q))
    has |= strcmp(sql_string(q, 0), column) == 0;
  sql_end(q);
  return has;
}

/* An id is not given again: its seats in old games would be somebody else's.
 * So the last row stays, and so does a row that games speak of, without its
 * name. */
int account_store_erase(struct store_job *job, store_db *db) {
  struct account_job *d = account_job_of(job);
  int error = check_proof(db, d);
  if (error)
    return error;
  struct sql_query *q = sql_ask(db, db->driver->words->with_person, "");
  while (!error && sql_row(q)) {
    const char *table = sql_string(q, 0);
    char sql[200];
    if (strcmp(table, "ban") == 0)
      continue; /* who deletes an account stays banned */
    /* What is part of a game stays, without the name. */
    snprintf(sql, sizeof sql,
             has_column(db, table, "seat")
                 ? "UPDATE \"%s\" SET name = '' WHERE person = ?1"
                 : "DELETE FROM \"%s\" WHERE person = ?1",
             table);
    error = sql_do(db, sql, "i", d->person);
  }
  if (sql_end(q) || error || account_store_rename_seats(db, d->person, ""))
    return SAL_STORE;
  return sql_do(db, "UPDATE person SET name = '' WHERE id = ?1", "i",
                d->person);
}

#define NEVER_SAT                                                              \
  "NOT EXISTS (SELECT 1 FROM move WHERE kind = 'sit' AND"                      \
  " json_extract(text, '$.person') = person.id)"

/* Guests whom nothing holds any more. Some other table may still speak of one:
 * that one stays. */
static int delete_persons(store_db *db) {
  json_t *row, *ids = sql_rows(sql_ask(
                   db,
                   "SELECT id FROM person WHERE id NOT IN (SELECT person FROM"
                   " session) AND id NOT IN (SELECT person FROM account)"
                   " AND id < (SELECT max(id) FROM person) AND " NEVER_SAT,
                   ""));
  int error = ids ? 0 : SAL_STORE;
  size_t i;
  json_array_foreach(ids, i, row) {
    if (!error && sql_try(db, "DELETE FROM person WHERE id = ?1", "i",
                          (int64_t)json_integer_value(
                              json_object_get(row, "id"))) == SAL_STORE)
      error = SAL_STORE;
  }
  json_decref(ids);
  return error;
}

/* Sessions that are too old, and those of guests who came and went; so many at
 * once that nobody has to wait. */
#define OLD_SESSIONS                                                           \
  " FROM session, person WHERE person.id = session.person AND (seen < ?1"      \
  " OR (seen < ?2 AND person.id NOT IN (SELECT person FROM account)"           \
  " AND " NEVER_SAT ")) ORDER BY hash LIMIT 500"

static int delete_reports(store_db *db, int64_t now) {
  const int error = sql_do(db, "DELETE FROM report WHERE at < ?1", "i",
                           now - REPORT_DAYS * (int64_t)86400 * 1000);
  return error ? error
               : sql_do(db,
                        "DELETE FROM chat"
                        " WHERE room NOT IN (SELECT room FROM report)",
                        "");
}

/* Seats that were being taken when their person went. */
static int unname_seats(store_db *db) {
  struct sql_query *q =
      sql_ask(db,
              "SELECT DISTINCT p.id FROM person p JOIN move m ON m.kind = 'sit'"
              " AND json_extract(m.text, '$.person') = p.id WHERE p.name = ''"
              " AND m.text NOT LIKE '%\"name\":\"\"%'",
              "");
  int error = 0;
  while (!error && sql_row(q))
    error = account_store_rename_seats(db, sql_int(q, 0), "");
  const int end = sql_end(q);
  return error ? error : end;
}

int account_store_sweep(struct store_job *job, store_db *db) {
  struct account_job *d = account_job_of(job);
  const int64_t day = 86400 * 1000;
  const int64_t old = d->now - SESSION_DAYS * day;
  const int64_t unplayed = d->now - UNPLAYED_DAYS * day;
  d->found = sql_rows(
      sql_ask(db, "SELECT hash AS session" OLD_SESSIONS, "ii", old, unplayed));
  if (!d->found ||
      sql_do(db,
             "DELETE FROM session WHERE hash IN (SELECT hash" OLD_SESSIONS ")",
             "ii", old, unplayed))
    return SAL_STORE;
  const int named = unname_seats(db);
  const int error = named ? named : delete_persons(db);
  return error ? error : delete_reports(db, d->now);
}

/* ---- Administrators ------------------------------------------------------- */

int account_store_news(struct store_job *job, store_db *db) {
  struct account_job *d = account_job_of(job);
  const int64_t version =
      sql_number(sql_ask(db, db->driver->words->changes, ""), -1);
  if (version < 0)
    return SAL_STORE;
  if (version == d->version && !d->again)
    return 0;
  /* What has been granted, and what never can be. */
  if (sql_do(db,
             "DELETE FROM wish WHERE room NOT IN (SELECT room FROM move"
             " WHERE kind = 'open') OR room IN (SELECT room FROM move"
             " WHERE kind = 'end')",
             ""))
    return SAL_STORE;
  json_t *bans = sql_rows(sql_ask(db, "SELECT person, network FROM ban", ""));
  json_t *wishes = sql_rows(sql_ask(db, "SELECT room FROM wish", ""));
  json_t *mutes = sql_rows(sql_ask(db, "SELECT person FROM mute", ""));
  json_t *log = sql_rows(sql_ask(db,
                                 "SELECT act, who, name FROM admin_log"
                                 " WHERE id > ?1 ORDER BY id",
                                 "i", d->seen));
  if (bans && wishes && mutes && log)
    d->found = json_pack("{s:O, s:O, s:O, s:O}", "bans", bans, "wishes", wishes,
                         "mutes", mutes, "log", log);
  json_decref(bans);
  json_decref(wishes);
  json_decref(mutes);
  json_decref(log);
  d->seen = sql_number(
      sql_ask(db, "SELECT coalesce(max(id), 0) FROM admin_log", ""), d->seen);
  d->version = version;
  return d->found ? 0 : SAL_STORE;
}
