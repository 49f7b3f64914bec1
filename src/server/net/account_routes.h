/* What people do with their own data: name, password, sessions, export,
 * deletion. Each answers the request that waits on the connection. */
#ifndef SAL_SERVER_ACCOUNT_ROUTES_H
#define SAL_SERVER_ACCOUNT_ROUTES_H

#include "people/people.h"

struct conn;

void account_routes_rename(struct conn *c);
void account_routes_password(struct conn *c);
void account_routes_face(struct conn *c);
void account_routes_sessions(struct conn *c);
void account_routes_revoke(struct conn *c);
void account_routes_export(struct conn *c);
void account_routes_delete(struct conn *c);

#endif
