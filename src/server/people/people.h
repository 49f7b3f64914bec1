/* Who is who: people under a name, known by the token in their cookie.
 *
 * Main invariant: the store and this memory hold only the hash of a token; the
 * token itself is told once, to the person, after the session is durable. */
#ifndef SAL_SERVER_PEOPLE_H
#define SAL_SERVER_PEOPLE_H

#include "base/context.h"
#include "base/hash.h"
#include "names.h"
#include "store/account_store.h"

enum { TOKEN_BYTES = 32, TOKEN_MAX = 44 };

struct person {
  struct hash_link link;
  int64_t id;
  char name[STORE_NAME_MAX + 1];
  struct name_looks looks; /* of the name */
  bool held;               /* people.c's own */
};

struct people *people_new(struct server *srv);
void people_free(struct people *p);
/* Reads every session of the store; 0 or an error. */
int people_load(struct people *p);
size_t people_count(const struct people *p);

/* Whose token it is; NULL: nobody's, or it is too old. */
struct person *people_find(struct people *p, const char *token);
/* The person with that id, if one of their sessions is known; else NULL. */
struct person *people_get(struct people *p, int64_t id);
/* What a session is called where its owner sees it: the first 64 bits of its
 * hash, in hex. */
enum { SESSION_NAME = 16 };
void people_session_name(const char *token, char out[SESSION_NAME + 1]);
/* The hash of a token, as the store has it. */
void people_hash(const char *token, uint8_t out[STORE_HASH]);

/* Makes a person with a session. `done` gets the person and the token, or NULL
 * and why not, with the connection's id. */
typedef void people_done(struct server *srv, uint64_t conn,
                         struct person *person, const char *token, int error);
/* `agent` is what the browser calls itself, or NULL. */
void people_guest(struct people *p, const char *name, const char *agent,
                  uint64_t conn, people_done *done);
/* Ends the session of a token; `done` gets no person. */
void people_forget(struct people *p, const char *token, uint64_t conn,
                   people_done *done);

/* The store has it already: that person has another name. */
void people_set_name(struct people *p, int64_t id, const char *name);
/* A random token and its hash. */
void people_new_token(char token[TOKEN_MAX + 1], uint8_t hash[STORE_HASH]);
/* What a browser calls itself, as far as it is fit to be kept; or "". */
void people_agent(const char *agent, char out[STORE_AGENT_MAX + 1]);

/* ---- What becomes of sessions, after the store has it ---------------------- */

/* One more; 0 or SAL_NO_MEMORY. */
int people_add_session(struct people *p, const struct store_session *s);
/* The session of one hash has another from now on; what it has opened stays
 * open, and is its own still. */
void people_change_token(struct people *p, const uint8_t old[STORE_HASH],
                         const uint8_t fresh[STORE_HASH]);

/* Ends sessions of a person and closes the WebSockets that they opened: the one
 * of that name, or if it is NULL all but the one of the hash, or if that is NULL
 * too, all. */
void people_end(struct people *p, int64_t person, const char *name,
                const uint8_t *but);
/* The same for one session of whomever. */
void people_expire(struct people *p, const char *name);
/* Once in a while: gives memory of people back whom no session and no
 * WebSocket speaks of. */
void people_forget_unused(struct people *p);

/* The person has that name from now on; the store has it already. */
void people_renamed(struct person *person, const char *name);
/* The look is an account's now: guests who carry it get another name. NULL: the
 * same for the names of all accounts. */
void people_yield_names(struct people *p, const struct name_looks *look);

/* Whether a text from a person is fit to be shown to others: some characters,
 * at most `most`, none that hides or turns others about, no blanks at the
 * ends. */
bool text_is_clean(const char *text, size_t most);

#endif
