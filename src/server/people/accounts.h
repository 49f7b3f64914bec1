/* Accounts: a guest who sets a password can come back without the cookie. */
#ifndef SAL_SERVER_ACCOUNTS_H
#define SAL_SERVER_ACCOUNTS_H

#include "passwords.h"
#include "people.h"

struct accounts;

struct accounts *accounts_new(struct server *srv);
void accounts_free(struct accounts *a);
/* Reads every account of the store; 0 or an error. */
int accounts_load(struct accounts *a);
/* Once in a while: passwords that had to wait are checked, old figures
 * forgotten. */
void accounts_tick(struct accounts *a);
/* The server closes: no password is hashed any more. */
void accounts_stop(struct accounts *a);

/* Who asks for something that takes a password: an address, for the limits, and
 * the connection that is answered. */
struct accounts_asker {
  const char *address;
  uint64_t conn;
};

/* Sets a password for a person, whose name is theirs alone from then on. The
 * session of that hash gets another token. `done` gets the person and the
 * token, or SAL_NAME_TAKEN if the name is. */
void accounts_open(struct accounts *a, struct person *person,
                   const char *password, const uint8_t hash[STORE_HASH],
                   struct accounts_asker who, people_done *done);
/* A new session for who knows the password. `done` gets SAL_NOT_ALLOWED if name
 * and password do not belong together, and does not say which is wrong. */
void accounts_enter(struct accounts *a, const char *name, const char *password,
                    const char *agent, struct accounts_asker who,
                    people_done *done);

/* ---- For who has one ------------------------------------------------------- */

bool accounts_has(struct accounts *a, const struct person *person);
/* The face that a person has chosen, 1 to ACCOUNT_FACES; 0: none, or they have no
 * account. Only the name and the number of the person are looked at. */
enum { ACCOUNT_FACES = 24 };
int accounts_face(struct accounts *a, const struct person *person);
/* The store has it already. */
void accounts_set_face(struct accounts *a, const struct person *person,
                       int face);
/* Whether the name that this person carries is kept for somebody else: only
 * whoever has an account by it may carry it, or one that looks like it. */
bool accounts_keep_from(struct accounts *a, const struct person *person);
/* Whether no account has that name, or one that looks like it. */
bool accounts_name_is_free(struct accounts *a, const char *name);
/* Keeps a name for a person who is going to be renamed: false if an account has
 * it, or one that looks like it. accounts_renamed tells what came of it, or
 * accounts_unclaim that nothing did. */
bool accounts_claim(struct accounts *a, const struct person *person,
                    const char *name);
void accounts_unclaim(struct accounts *a, int64_t person, const char *name);
/* `then` gets 0 if that is the person's password, or if there is no account; and
 * a proof of either, which the store checks again when something comes of it. */
typedef void accounts_proven(struct server *srv, uint64_t conn, int64_t person,
                             const char *proof, int error);
void accounts_prove(struct accounts *a, const struct person *person,
                    const char *password, struct accounts_asker who,
                    accounts_proven *then);
/* A new password; all sessions end but the one with that hash, which gets
 * another token. */
void accounts_change(struct accounts *a, const struct person *person,
                     const char *proof, const char *password,
                     const uint8_t hash[STORE_HASH], struct accounts_asker who,
                     people_done *done);
/* The store has it already: that person's account, if there is one, has another
 * name. */
void accounts_set_name(struct accounts *a, int64_t person, const char *name);
/* The store has it already: the account of a person has a new name, which was
 * claimed, or with NULL is gone. */
void accounts_renamed(struct accounts *a, const struct person *person,
                      const char *name);

#endif
