/* What an operator does to a store, from a process of its own, whether a server
 * has it open or not: SQLite keeps the two apart.
 *
 * Main invariant: nothing here plays: a table is closed, or a guest shown out,
 * by writing into the store what the server then does; without a server, by the
 * same row that it would have written. */
#ifndef SAL_SERVER_ADMIN_H
#define SAL_SERVER_ADMIN_H

#include "server.h"
#include "store/store.h"

struct admin;

/* Opens the store of these options as it is; NULL with a sentence. Unless `old`
 * it must have the version of this program. */
struct admin *admin_open(const struct server_options *o, bool old,
                         struct sal_refusal *why);
void admin_free(struct admin *a);
/* Whether a server has the store open. */
bool admin_is_served(const struct admin *a);
/* The version of the store, and that of this program. */
int admin_version(const struct admin *a);
int admin_newest(void);

/* Lists; what a callback gets is valid until it returns. */
struct admin_table {
  const char *id, *game;
  int players, moves;
  bool begun;
  int64_t at; /* of the last move */
};
struct admin_person {
  int64_t id;
  const char *name;
  bool account, banned;
  int sessions, seats;
  int64_t seen;
};
struct admin_ban {
  int64_t person; /* or 0 */
  const char *network, *why;
  int64_t at;
};
/* 0 or SAL_STORE. */
int admin_tables(struct admin *a,
                 void (*each)(void *context, const struct admin_table *t),
                 void *context);
int admin_people(struct admin *a,
                 void (*each)(void *context, const struct admin_person *p),
                 void *context);
int admin_bans(struct admin *a,
               void (*each)(void *context, const struct admin_ban *b),
               void *context);

/* Closes the table whose id begins so; waits until the server has done it.
 * SAL_NO_TABLE: there is none, or more than one; SAL_LATE: it takes long. */
int admin_close_table(struct admin *a, const char *id, struct sal_refusal *why);

/* Who is meant: an address with or without "/BITS", a person's number, or the
 * name of an account. SAL_BAD_REQUEST: none of them. */
int admin_ban(struct admin *a, const char *who, const char *reason,
              struct sal_refusal *why);
/* SAL_NO_TABLE: there is no such ban. */
int admin_unban(struct admin *a, const char *who, struct sal_refusal *why);

/* ---- Moderation (admin_moderation.c) ---------------------------------------- */

/* What people have reported and nobody has resolved yet. */
struct admin_report {
  int64_t id;
  const char *table;
  int64_t at;
  int64_t by;
  const char *by_name;
  int64_t about;
  const char *about_name, *why;
  bool done;
};
/* Something said at the table of a report. */
struct admin_line {
  int64_t at, person;
  const char *name, *text;
};
/* Something that an administrator has done. */
struct admin_act {
  int64_t at;
  const char *act, *who, *why;
};
int admin_reports(struct admin *a,
                  void (*each)(void *context, const struct admin_report *r),
                  void *context);
/* One of them, and all that is kept of what was said there. SAL_NO_TABLE: there
 * is none. */
int admin_report(struct admin *a, int64_t id,
                 void (*head)(void *context, const struct admin_report *r),
                 void (*line)(void *context, const struct admin_line *l),
                 void *context, struct sal_refusal *why);
int admin_resolve(struct admin *a, int64_t id, const char *reason,
                  struct sal_refusal *why);
/* Who may not chat: a person's number or the name of an account. */
int admin_mutes(struct admin *a,
                void (*each)(void *context, const struct admin_ban *b),
                void *context);
int admin_mute(struct admin *a, const char *who, const char *reason,
               struct sal_refusal *why);
/* SAL_NO_TABLE: they are not muted. */
int admin_unmute(struct admin *a, const char *who, struct sal_refusal *why);
/* Gives somebody a name that says nothing, everywhere. */
int admin_reset_name(struct admin *a, const char *who, const char *reason,
                     struct sal_refusal *why);
/* What was done, from the first to the last. */
int admin_log(struct admin *a,
              void (*each)(void *context, const struct admin_act *l),
              void *context);

/* All ratings once more, from the results that are there. The server must be
 * closed. */
int admin_ratings(struct admin *a, struct sal_refusal *why);

/* A whole and sound copy; there must be no such file. */
int admin_backup(struct admin *a, const char *path, struct sal_refusal *why);
/* Brings an old store up to date after a copy of it was made at `copy`. */
int admin_migrate(const struct server_options *o, const char *copy,
                  struct sal_refusal *why);

/* Looks at every page and plays every table again. `problem` gets a sentence
 * for each thing that is wrong; the numbers are of what was looked at. */
struct admin_figures {
  int tables, moves, problems;
};
int admin_check(struct admin *a,
                void (*problem)(const char *table, const char *what),
                struct admin_figures *out);

#endif
