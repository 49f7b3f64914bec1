/* /metrics: what goes on in the server, in numbers, for Prometheus. */
#ifndef SAL_SERVER_METRICS_H
#define SAL_SERVER_METRICS_H

struct conn;

/* Answers the request that waits at the connection. */
void metrics_answer(struct conn *c);

#endif
