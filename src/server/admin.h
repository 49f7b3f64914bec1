/* What an administrator does to a store, where that takes more than the store: the
 * lock that says whether a server has it open, files beside it, rooms that are
 * played again. All else is in store/admin_store.h.
 *
 * Main invariant: nothing here plays: a table is closed, or a guest shown out,
 * by writing into the store what the server then does; without a server, by the
 * same row that it would have written. */
#ifndef SAL_SERVER_ADMIN_H
#define SAL_SERVER_ADMIN_H

#include "server.h"
#include "store/admin_store.h"
#include "store/store_copy.h"

/* Opens the store of these options; see admin_attach. */
struct admin *admin_open(const struct server_options *o, bool old,
                         struct sal_refusal *why);
/* Whether a server has the store open. */
bool admin_is_served(struct admin *a, const struct server_options *o);

/* Closes the table whose id begins so; waits until the server has done it.
 * SAL_NO_TABLE: there is none, or more than one; SAL_LATE: it takes long. */
int admin_close_table(struct admin *a, const struct server_options *o,
                      const char *id, struct sal_refusal *why);
/* All ratings once more, from the results that are there. The server must be
 * closed. */
int admin_ratings(struct admin *a, const struct server_options *o,
                  struct sal_refusal *why);

/* A whole and sound copy; there must be no such file. */
int admin_backup(struct admin *a, const char *path, struct sal_refusal *why);
/* Brings an old store up to date; of a file, after a copy of it was made at
 * `copy`. */
int admin_migrate(const struct server_options *o, const char *copy,
                  struct sal_refusal *why);
/* A parlour moves with all that it has: from one store, which nobody may serve,
 * into another, which must be empty. */
int admin_move(const char *from, const char *to, struct store_copied *out,
               struct sal_refusal *why);

/* Looks at every page and plays every table again. `problem` gets a sentence
 * for each thing that is wrong; the numbers are of what was looked at. */
struct admin_figures {
  int tables, moves, problems;
};
int admin_check(struct admin *a,
                void (*problem)(const char *table, const char *what),
                struct admin_figures *out);

/* Makes the keys for push in the data folder, which is made if it is not there;
 * `path` is their file. False, and errno says why: there are some already, for
 * one. */
bool admin_push_keys(const struct server_options *o, char path[SERVER_PATH]);

#endif
