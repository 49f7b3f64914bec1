/* Passwords, hashed and checked on threads of their own.
 *
 * Main invariants: neither the loop nor the store ever waits for a hash or keeps
 * a password; the copy is wiped when the answer is there. A wrong password slows
 * down the address that it came from, and the name that it was tried for, in
 * the same way whether there is such an account or not: the address is refused
 * for a while, the name is only answered later, so that no stranger can lock its
 * owner out. Whoever has signed in by that name from that address before comes first
 * and does not wait for others' guesses. */
#ifndef SAL_SERVER_PASSWORDS_H
#define SAL_SERVER_PASSWORDS_H

#include "base/context.h"
#include "base/crew.h"
#include "limits.h"
#include "store/store.h"

enum { PASSWORD_MIN = 8, PASSWORD_MAX = 200 };

/* The last rank of those from whom nothing wrong has come. */
enum { PASSWORDS_URGENT = 1 };

struct passwords;

struct passwords *passwords_new(struct server *srv);
void passwords_free(struct passwords *p);
/* Called often: lets those go on who had to wait. */
void passwords_tick(struct passwords *p);
/* The server closes: what has not begun is not done. */
void passwords_stop(struct passwords *p);

/* One password; belongs to this file from `passwords_hash` or `passwords_check`
 * until `done` is called, which may be at once. */
struct password_work {
  struct crew_task task; /* first, so that the crew's calls find the rest */
  /* 0; SAL_NOT_ALLOWED: it is wrong; SAL_SLOW_DOWN: too many were, or too many
   * are asked for; SAL_NO_MEMORY; SAL_CLOSING. */
  void (*done)(struct password_work *w, int error);
  char secret[STORE_SECRET_MAX + 1]; /* the hash, made or checked against */
  /* This file's own. */
  char password[PASSWORD_MAX + 1];
  struct passwords *owner;
  struct password_work *next;
  uint8_t name[LIMIT_KEY];
  uint64_t due; /* by the loop's clock */
  bool checks;
  int error;
};

void passwords_hash(struct passwords *p, struct password_work *w,
                    const char *password, const char *address);
/* Against a secret; NULL: of nobody, which takes as long and is wrong. `name` is
 * what the password was tried for. */
void passwords_check(struct passwords *p, struct password_work *w,
                     const char *name, const char *password, const char *secret,
                     const char *address);

#endif
