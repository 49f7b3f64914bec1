/* A connection: bytes in, bytes out, never more waiting than a bound. HTTP at
 * first; after the handshake a WebSocket, or a thread of another server. */
#ifndef SAL_SERVER_CONN_H
#define SAL_SERVER_CONN_H

#include "base/context.h"

struct address;
struct http;
struct lender;
struct ws;

struct conn {
  uv_tcp_t tcp; /* first, so that handles and connections convert */
  struct server *server;
  uint64_t id; /* never used again */
  struct conn *prev, *next;
  char address[46];     /* of the client, or what a trusted proxy says */
  struct address *from; /* the connection counts as one of these, or NULL */
  uint64_t deadline;    /* by the loop's clock; closed when it passes */
  bool closing;         /* what it sends is thrown away, nothing is written */
  bool closed;          /* uv_close was called */
  bool paused;          /* not read from until it has taken what it was sent */
  bool last_resort;     /* it may only ask how things are; see health.h */
  bool blamed;          /* its misbehaviour is in the log already */
  uv_shutdown_t shutdown;
  struct sal_buffer out; /* goes out in one piece when this round ends */
  struct conn *next_out; /* of those who have something to send */
  bool listed_out;
  struct store_job *question; /* that the store is answering, or NULL */
  int64_t exporting;          /* the person whose data it is being sent, or 0 */
  size_t unsent;              /* of the export, when its deadline was set */
  struct http *http;          /* one of these three */
  struct ws *ws;
  struct lender *lender;
};

/* Takes a connection that waits at the listener. */
void conn_accept(struct server *srv);
/* Takes a socket that is connected already; for tests. NULL: it could not. */
struct conn *conn_adopt(struct server *srv, uv_os_sock_t socket);
/* The connection with that id, unless it is closed or closing. */
struct conn *conn_find(struct server *srv, uint64_t id);

/* Copies, and sends when this round of the loop ends. A client that lets too
 * much pile up is dropped. */
void conn_write(struct conn *c, const char *data, size_t length);
/* Sends what was written to any connection: once before the loop waits, once
 * after. */
void conn_flush(struct server *srv);
/* Closes when everything is written, at the latest after a few seconds. */
void conn_finish(struct conn *c);
/* Closes now. */
void conn_drop(struct conn *c);
/* The same for one that misbehaves; the first time it is logged. */
void conn_blame(struct conn *c, const char *why);

/* An export was written: it is over when it has been sent. */
void conn_export_is_written(struct conn *c);

/* The client is at that address, says the proxy; false: there are too many
 * connections of it, or it is not welcome. */
bool conn_comes_from(struct conn *c, const char *address);

/* Once a second or so: closes what is overdue, asks silent WebSockets. */
void conn_sweep(struct server *srv);

#endif
