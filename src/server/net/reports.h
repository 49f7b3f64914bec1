/* Reports from a table, and the chat that goes with them. */
#ifndef SAL_SERVER_REPORTS_H
#define SAL_SERVER_REPORTS_H

#include "messages.h"

/* Somebody has said something: it is remembered for a report, and kept if the
 * table was reported already. */
void reports_heard(struct active_room *active, const struct person *from,
                   const char *text);
/* Whether that person is, or was, at the table: sits there or has said
 * something. */
bool reports_knows(const struct active_room *active, int64_t person);
/* The connection's person reports another; it is answered when the store has
 * it. */
void reports_add(struct conn *c, struct re re, struct active_room *active,
                 int64_t about, const char *why);

#endif
