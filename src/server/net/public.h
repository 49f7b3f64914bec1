/* What is told without a session: the lobby, a table by its id, and what the
 * master knows. */
#ifndef SAL_SERVER_PUBLIC_H
#define SAL_SERVER_PUBLIC_H

#include "conn.h"

/* Who asks, if there is a session, and the open tables. `cookie` is a header
 * line or "". */
struct person;
void public_lobby(struct conn *c, const struct person *p, bool account,
                  const char *cookie);
/* A part of what the master knows of a game. */
void public_policy(struct conn *c);
/* Answers GET /api/table/ID; false if it is another path. */
bool public_respond(struct conn *c);

#endif
