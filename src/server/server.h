/* The parlour server, as the program starts it. */
#ifndef SAL_SERVER_SERVER_H
#define SAL_SERVER_SERVER_H

#include "base/options.h"

#include "salotto/error.h"

/* The defaults, which --help tells. */
extern const struct server_options server_defaults;

enum { SERVER_PATH = 4096 };
/* Where the store of these options is, with something at the end; false: the
 * name is too long. */
bool server_store(const struct server_options *o, const char *end,
                  char out[SERVER_PATH]);
/* The store that an option names, "sqlite:PATH" or "postgresql://…"; NULL: none. */
const char *server_store_name(const char *text);
/* What to call it in a sentence: never with a password. */
const char *server_store_shown(const struct server_options *o);
/* Whether the store of these options is one that several servers may share: then
 * there is no lock, and servers have leases (store/lease.h). */
bool server_shares(const struct server_options *o);
/* Takes the lock of the store, which is held until the file is closed; a file,
 * or an error with a sentence: another server has it. */
int server_lock(const struct server_options *o, bool create,
                struct sal_refusal *why);
/* Gives the lock up while the store is open: the descriptor stays, for closing
 * it would take SQLite's locks away. */
void server_unlock(int lock);

/* What messages look like, as JSON; see docs/server.md. */
const char *server_message_schema(void);

/* Serves until SIGTERM or SIGINT. 0, or an error with a sentence. */
int server_run(const struct server_options *options, struct sal_refusal *why);

#endif
