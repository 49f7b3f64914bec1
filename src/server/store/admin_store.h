/* What an administrator does to a store, from a process of its own, whether a
 * server has it open or not: the database keeps the two apart. All SQL of `salotto admin` is
 * behind this; admin.h has what needs the server's lock or its rooms.
 *
 * Main invariant: what is done and the line about it in the log are one
 * transaction. */
#ifndef SAL_SERVER_ADMIN_STORE_H
#define SAL_SERVER_ADMIN_STORE_H

#include "court_store.h"
#include "store.h"

struct admin;

/* Opens the store as it is; NULL with a sentence. Unless `old` it must have the
 * version of this program. */
struct admin *admin_attach(const char *path, bool old, struct sal_refusal *why);
void admin_free(struct admin *a);
const char *admin_path(const struct admin *a);
/* The version of the store, and that of this program. */
int admin_version(const struct admin *a);
int admin_newest(const struct admin *a);

/* Servers that have a shared store open; -1: it could not be read. */
int admin_servers(struct admin *a);
/* SAL_STORE with what the database says. */
int admin_store_error(const struct admin *a, struct sal_refusal *why);

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

/* ---- Tables ------------------------------------------------------------------ */

/* The open table whose id begins so; false: none, or several. */
bool admin_find_table(struct admin *a, const char *begin,
                      char out[STORE_ROOM_MAX + 1]);
/* Without a server: writes the rows that it would have written. */
int admin_end_table(struct admin *a, const char *room, struct sal_refusal *why);
/* Asks the server to end it. */
int admin_wish_end(struct admin *a, const char *room, struct sal_refusal *why);

/* ---- Bans --------------------------------------------------------------------- */

/* Who is meant: an address with or without "/BITS", a person's number, or the
 * name of an account. SAL_BAD_REQUEST: none of them. */
int admin_ban(struct admin *a, const char *who, const char *reason,
              struct sal_refusal *why);
/* SAL_NO_TABLE: there is no such ban. */
int admin_unban(struct admin *a, const char *who, struct sal_refusal *why);

/* ---- Moderation ------------------------------------------------------------- */

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

/* Writes down what was done to whom, and why; `name` is the new one of who was
 * renamed, or "". */
int admin_note(struct admin *a, const char *act, const char *who,
               const char *name, const char *reason, struct sal_refusal *why);

/* ---- The store as a whole ------------------------------------------------------ */

/* All ratings once more, from the results that are there; nobody else may have
 * the store open. */
int admin_rate_again(struct admin *a, struct sal_refusal *why);
/* A whole copy at that path. */
int admin_copy(struct admin *a, const char *path, struct sal_refusal *why);
/* Looks at every page and every reference; a sentence for each fault. */
void admin_each_fault(struct admin *a,
                      void (*each)(void *context, const char *what),
                      void *context);
/* All court files; see court_store.h. */
int admin_each_court(struct admin *a, store_court *each, void *context);
/* All moves, in order of room and number; see store_each_move. */
int admin_each_move(struct admin *a,
                    int (*each)(void *context, const struct store_move *m),
                    void *context);

#endif
