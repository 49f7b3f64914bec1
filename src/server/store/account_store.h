/* What the store does with people beyond their first session: accounts, names,
 * passwords, sessions, deletion, and what administrators have written.
 *
 * Main invariant: every function here is a `call` for `store_post`: it runs on
 * the writer's thread, in one transaction, and touches nothing but the database
 * and its own job. */
#ifndef SAL_SERVER_ACCOUNT_STORE_H
#define SAL_SERVER_ACCOUNT_STORE_H

#include "store.h"

#include <jansson.h>

/* What is to be done. Which members a call reads, it says; all of them may come
 * back changed. */
struct account_job {
  struct store_job job; /* first, so that `done` finds the rest */
  void *owner;          /* the caller's own */
  uint64_t conn;        /* the caller's own */
  void (*told)(struct account_job *d, int error);
  int64_t person;
  int64_t now;               /* Unix time in milliseconds */
  uint8_t hash[STORE_HASH];  /* of the session that asks */
  uint8_t fresh[STORE_HASH]; /* of its next token, or of a new session */
  char name[STORE_NAME_MAX + 1];
  char secret[STORE_SECRET_MAX + 1];
  /* The secret that a password was checked against, "" if there was no account:
   * SAL_NOT_ALLOWED if the account has another by now. */
  char proof[STORE_SECRET_MAX + 1];
  char agent[STORE_AGENT_MAX + 1];
  int face;         /* one of those that are drawn; 0: none */
  char session[17]; /* the first 64 bits of a session's hash, in hex; or "" */
  int64_t version;  /* of the data, as the last account_store_news found it */
  bool again;       /* account_store_news: read it all, whatever the version */
  int64_t seen;     /* the last row of `admin_log` that it has found */
  json_t *found;    /* what a call has read; NULL: nothing */
};

typedef store_call account_call;

/* Where `person` has ever sat down they are `name` from now on. Inside a
 * transaction; 0 or SAL_STORE. */
int account_store_rename_seats(store_db *db, int64_t person, const char *name);

/* How long people and their sessions are kept. */
enum { SESSION_DAYS = 180, UNPLAYED_DAYS = 7, SWEEP_MAX = 500 };

/* An account of `person` with `secret`, under the name that they have, which
 * comes back as `name`; the session `hash` is `fresh` from now on. SAL_LATE: the
 * name is taken, or they have one. */
account_call account_store_open;
/* A session `fresh` of `person`, with a `proof`; `name` is theirs. */
account_call account_store_enter;
/* `person` is `name` from now on, with a `proof`, and so is the account, if there
 * is one: SAL_LATE if that name is taken. */
account_call account_store_rename;
/* The account of `person` has `secret`, with a `proof`; all its sessions end but
 * `hash`, which is `fresh` from now on. */
account_call account_store_password;
/* The account of `person` has chosen `face`. SAL_NO_TABLE: there is none. */
account_call account_store_face;
/* Ends the `session` of `person`, or if it is "" all but `hash`. SAL_NO_TABLE:
 * there is none. */
account_call account_store_revoke;
/* `person` has used the session `hash` at `now`. */
account_call account_store_touch;
/* With a `proof`: account, sessions, name and figures of `person` go; games stay
 * without it. */
account_call account_store_erase;
/* What is too old by `now` goes. `found`: the sessions that ended; if there are
 * SWEEP_MAX, there may be more. */
account_call account_store_sweep;
/* What administrators have written, if it is new. `found`: {"bans", "mutes",
 * "wishes", "log"}; the log after `seen`. */
account_call account_store_news;

#endif
