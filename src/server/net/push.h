/* Web Push: whoever is away from a table with a clock of days is called when it
 * becomes their turn, if the server has keys (`salotto admin push-keys`). */
#ifndef SAL_SERVER_PUSH_H
#define SAL_SERVER_PUSH_H

#include "conn.h"
#include "rooms/rooms.h"

/* Reads the keys and starts the sender. `server->push` stays NULL without keys,
 * and then nobody is called. 0 or SAL_NO_MEMORY. */
int push_open(struct server *srv);
/* Ends the sender; the loop must run once more before push_free. */
void push_close(struct server *srv);
void push_free(struct server *srv);
/* The file of the keys; false: its path is too long. */
bool push_keys_path(const struct server_options *o, char *out, size_t size);

/* A move was made: calls those who are asked since. */
void push_moved(struct active_room *active);

/* The server's public key; and a subscription comes or goes. */
void push_answer_key(struct conn *c);
void push_subscribe(struct conn *c);

#endif
