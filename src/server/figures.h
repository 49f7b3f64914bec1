/* /metrics: what goes on in the house, in numbers, for Prometheus. */
#ifndef SAL_SERVER_FIGURES_H
#define SAL_SERVER_FIGURES_H

struct conn;

/* Answers the request that waits at the connection. */
void figures_answer(struct conn *c);

#endif
