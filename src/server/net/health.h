/* Whether all is well: the store takes what is written, and connections can be
 * opened. The log says when that changes, the figures and /readyz how it is. */
#ifndef SAL_SERVER_HEALTH_H
#define SAL_SERVER_HEALTH_H

#include "base/context.h"

struct conn;

/* Called often. */
void health_tick(struct server *srv);
/* A connection came with nearly the last descriptor, or beyond the number that
 * there may be: it may ask how things are, and nothing else. */
bool health_is_last_resort(struct server *srv, int descriptor);
/* GET /healthz: the process answers. GET /readyz: it can do its work. */
void health_answer_alive(struct conn *c);
void health_answer_ready(struct conn *c);
/* How many descriptors the process may have. */
uint64_t health_descriptors(void);

#endif
