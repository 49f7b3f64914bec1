/* Until when the server was open: written now and then while a clock runs, so
 * that after a crash nobody is charged for the time that it was closed. */
#ifndef SAL_SERVER_HEARTBEAT_H
#define SAL_SERVER_HEARTBEAT_H

#include "base/context.h"
#include "store/store.h"

struct heartbeat {
  struct heartbeat_job beat; /* first, so that calls find the rest; its `at` is
                              * when the server was open for sure */
  uint64_t next;             /* by the loop's clock: when it is written again */
  bool busy;
  uint64_t writes; /* that went through */
};

/* Before the store starts; 0 or an error. */
int heartbeat_read(struct heartbeat *a, struct store *s);
/* Writes it, unless that was a moment ago. */
void heartbeat_note(struct heartbeat *a, const struct server *srv);
/* Writes it now, to see whether anything can be written. */
void heartbeat_try(struct heartbeat *a, const struct server *srv);

#endif
