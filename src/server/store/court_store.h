/* Court files of Louis XIV in the store: each once, by a hash of what it says,
 * which the first moves of tables name. They stay, since games that were played
 * with one cannot be shown again without it; so there is a most of them. */
#ifndef SAL_SERVER_COURT_STORE_H
#define SAL_SERVER_COURT_STORE_H

#include "store.h"

enum { COURT_ID = 16, COURTS_STORED_MAX = 1000 };

struct court_job {
  struct store_job job; /* first, so that the call finds the rest */
  char id[COURT_ID + 1];
  char *text; /* one line, as the engine writes it */
  int64_t now;
};
/* SAL_FULL: there is room for no more. One that is there already stays. */
store_call court_store_add;

typedef int store_court(void *context, const char *id, const char *text);
/* Every one, on a connection. */
int court_store_each(store_db *db, store_court *each, void *context);
/* The same before the store starts: 0, or what `each` returned, or
 * SAL_STORE. */
int store_each_court(struct store *s, store_court *each, void *context);

#endif
