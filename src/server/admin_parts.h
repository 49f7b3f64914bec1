/* What admin.c and admin_moderation.c share. */
#ifndef SAL_SERVER_ADMIN_PARTS_H
#define SAL_SERVER_ADMIN_PARTS_H

#include "admin.h"
#include "store/sql.h"

struct admin {
  struct server_options options;
  char path[SERVER_PATH];
  sqlite3 *db;
  int version;
};

/* SAL_STORE with what SQLite says. */
int admin_store_error(const struct admin *a, struct sal_refusal *why);
/* Unix time in milliseconds. */
int64_t admin_now(void);
/* A person by number or by the name of an account; false: there is none. */
bool admin_find_person(struct admin *a, const char *who, int64_t *out);
/* Writes down what was done to whom, and why; false: it could not. `name` is the
 * new one of who was renamed, or "". */
bool admin_note(struct admin *a, const char *act, const char *who,
                const char *name, const char *reason);
/* The same for a person's number. */
bool admin_note_person(struct admin *a, const char *act, int64_t person,
                       const char *name, const char *reason);

#endif
