/* A connection to a server (docs/server.md): requests over HTTP, then messages
 * over one WebSocket. libcurl connects, with TLS where the address says https;
 * wslay frames.
 *
 * Main invariant: nothing here waits for the server longer than a cap, once the
 * WebSocket is open not at all. */
#ifndef SAL_CLI_LINK_H
#define SAL_CLI_LINK_H

#include "cli.h"

#include <jansson.h>

struct link;

/* A server by its base address ("https://example.org"); cookies are kept in a
 * file for the owner alone ("": nowhere). NULL without memory. */
struct link *link_new(const char *base, const char *cookies);
void link_free(struct link *l);

/* One request; the answer as JSON, or NULL and a sentence in `problem`. `body`
 * NULL: a GET. */
json_t *link_ask(struct link *l, const char *path, const char *body,
                 struct sal_text *problem);

/* The same for an answer that is plain text; to be freed. */
char *link_text(struct link *l, const char *path, struct sal_text *problem);

/* Opens the WebSocket; false and a sentence. */
bool link_open(struct link *l, struct sal_text *problem);
bool link_is_open(const struct link *l);
/* To wait for; -1 if it is not open. */
int link_descriptor(const struct link *l);
/* Sends an object and drops it. */
void link_send(struct link *l, json_t *message);
/* The next message that has come, or NULL: none yet, or the link has closed. */
json_t *link_receive(struct link *l);

#endif
