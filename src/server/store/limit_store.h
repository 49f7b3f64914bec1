/* What the rate limits have counted, so that they count on when another process
 * serves.
 *
 * Main invariant: a row may name somebody's address, so none stays for long after
 * it has ceased to count: whoever serves deletes those rows. */
#ifndef SAL_SERVER_LIMIT_STORE_H
#define SAL_SERVER_LIMIT_STORE_H

#include "store.h"

enum { LIMIT_NAME_MAX = 63 };

struct store_limit {
  char name[LIMIT_NAME_MAX + 1]; /* of what, and whose */
  double used;                   /* at the moment `at` */
  int64_t at, until;             /* Unix time in milliseconds; then it is out */
};

struct limits_job {
  struct store_job job; /* first, so that the call finds the rest */
  int64_t now;
  bool sweeps; /* rows that are out are deleted */
  size_t count;
  struct store_limit *row;
};
/* Writes the rows; one of a name replaces the one before. */
store_call limit_store_write;

/* Before the store starts: 0, or what `each` returned, or SAL_STORE. */
int store_each_limit(struct store *s,
                     int (*each)(void *context, const struct store_limit *l),
                     void *context);

#endif
