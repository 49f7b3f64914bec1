/* What admin_store.c and admin_moderation.c share. */
#ifndef SAL_SERVER_ADMIN_PARTS_H
#define SAL_SERVER_ADMIN_PARTS_H

#include "sql.h"

struct admin {
  store_db *db;
  int version;
  char path[];
};

/* Unix time in milliseconds. */
int64_t admin_now(void);
/* A transaction: false, and refused, if it cannot begin. It is committed if there
 * is no error so far; else nothing has happened. */
bool admin_begin(struct admin *a, struct sal_refusal *why);
int admin_end(struct admin *a, int error, struct sal_refusal *why);
/* What a change of so many rows comes to: 0, SAL_STORE, SAL_NO_TABLE. */
int admin_changed(int64_t rows);
/* A person by number or by the name of an account; false: there is none. */
bool admin_find_person(struct admin *a, const char *who, int64_t *out);
/* admin_note for a person's number. */
int admin_note_person(struct admin *a, const char *act, int64_t person,
                      const char *name, const char *reason,
                      struct sal_refusal *why);

#endif
