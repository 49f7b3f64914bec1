/* Which path is what. */
#ifndef SAL_SERVER_ROUTES_H
#define SAL_SERVER_ROUTES_H

#include "conn.h"

/* Answers the request that waits at the connection, now or later. */
void routes_answer(struct conn *c);

#endif
