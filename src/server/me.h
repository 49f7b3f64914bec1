/* What people do with their own data: name, password, sessions, export,
 * farewell. Each answers the request that waits on the connection. */
#ifndef SAL_SERVER_ME_H
#define SAL_SERVER_ME_H

#include "people.h"

struct conn;

void me_rename(struct conn *c);
void me_password(struct conn *c);
void me_sessions(struct conn *c);
void me_revoke(struct conn *c);
void me_export(struct conn *c);
void me_delete(struct conn *c);

/* A person has left for good, or must: at tables that wait they stand up, in
 * games a bot plays on. */
void me_stand_up(struct house *h, int64_t person);

#endif
