/* A court file of Louis XIV is handed in, for a private table. */
#ifndef SAL_SERVER_COURT_ROUTE_H
#define SAL_SERVER_COURT_ROUTE_H

#include "conn.h"

/* Checks the file that is the body of the request, keeps it, and answers with
 * its id; or with everything that is wrong, each with its line. */
void court_route_add(struct conn *c);

#endif
