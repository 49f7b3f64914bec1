/* Until when the house was open: written now and then while a clock runs, so
 * that after a crash nobody is charged for the time that it was closed. */
#ifndef SAL_SERVER_ALIVE_H
#define SAL_SERVER_ALIVE_H

#include "house.h"

struct alive {
  struct store_job job; /* first, so that calls find the rest */
  int64_t until;        /* Unix time in milliseconds; the house was open then */
  uint64_t next;        /* by the loop's clock: when it is written again */
  bool busy;
};

/* Before the store starts; 0 or an error. */
int alive_read(struct alive *a, struct store *s);
/* Writes it, unless that was a moment ago. */
void alive_note(struct alive *a, const struct house *h);

#endif
