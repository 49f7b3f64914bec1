/* The store: what survives the process. This is all that the rest of the server
 * knows of it; the other files of this folder implement it, in SQLite or in
 * PostgreSQL (sql.h).
 *
 * Main invariants: a change is reported done only after it is durable; moves are
 * only ever appended, one row each, in the order in which they became durable;
 * a question never changes anything, and no change ever waits for a question.
 *
 * All work is a `struct store_job`: a call that runs on a thread of the store,
 * and `done`, which is called on the loop. Changes go to `store_post`: one
 * thread takes all that wait, in one transaction with one sync. Questions go to
 * `store_ask`: a few threads, each with a connection that cannot write. */
#ifndef SAL_SERVER_STORE_H
#define SAL_SERVER_STORE_H

#include "salotto/error.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

enum {
  STORE_ROOM_MAX = 24, /* characters of a room's id */
  STORE_KIND_MAX = 8,
  STORE_TEXT_MAX = 2048, /* bytes of a move */
  STORE_NAME_MAX = 96,   /* bytes of a person's name */
  STORE_HASH = 32,
  STORE_SECRET_MAX = 128,
  STORE_AGENT_MAX = 120,
  STORE_MOVES_MAX = 20000, /* of a room that is read as a whole */
  STORE_QUESTIONS_MAX = 64 /* that wait; then there is no room for more */
};

struct store;
/* A connection of the implementation, which calls get and pass on unseen. */
typedef struct store_db store_db;

/* ---- What is stored -------------------------------------------------------- */

/* What to say of a store that cannot be read. */
extern const char store_is_damaged[];

/* One step in the life of a room. */
struct store_move {
  int64_t n; /* in the log of all moves; the store's */
  char room[STORE_ROOM_MAX + 1];
  int64_t seq;
  int64_t at; /* Unix time in milliseconds */
  int seat;   /* -1: nobody's */
  char kind[STORE_KIND_MAX + 1];
  char text[STORE_TEXT_MAX + 1];
};

/* A copy that takes no more memory than its text needs; NULL: no memory. */
struct store_move *store_move_copy(const struct store_move *m);

/* The moves of a room in their order. */
struct store_moves {
  struct store_move **at;
  size_t count, size;
};
/* Whether one more can be put there without asking for memory. */
bool store_moves_reserve(struct store_moves *l);
bool store_moves_add(struct store_moves *l, const struct store_move *m);
void store_moves_free(struct store_moves *l);

/* A person and one session of theirs, by the hash of its token. */
struct store_session {
  uint8_t hash[STORE_HASH];
  int64_t person;
  int64_t at, seen; /* made; last used, to the hour */
  char name[STORE_NAME_MAX + 1];
  char agent[STORE_AGENT_MAX + 1]; /* what the browser calls itself */
};

/* A person who can come back with a password. */
struct store_account {
  char name[STORE_NAME_MAX + 1];
  int64_t person;
  char secret[STORE_SECRET_MAX + 1]; /* Argon2id, as libsodium writes it */
  int64_t at;
  int face; /* that they have chosen; 0: none */
};

/* ---- Jobs ------------------------------------------------------------------ */

struct store_job;
/* On a thread of the store. 0; or an error for this job alone, which must have
 * changed nothing; or SAL_STORE, and if it is a change, its batch fails. */
typedef int store_call(struct store_job *job, store_db *db);
/* On the loop. */
typedef void store_done(struct store_job *job, int error);

/* A job belongs to whoever posts it, and to the store from then until `done` is
 * called. It is often the first member of something larger. */
struct store_job {
  store_call *call; /* or NULL: there is only `work` */
  store_done *done;
  /* Something else that would take the loop too long: before the call of a
   * change, and after that of a question. Or NULL. */
  void (*work)(struct store_job *job);
  union {
    struct {
      struct store_move *move;
      const struct store_moves *before; /* for "end": the room's others */
    };
    struct store_session session;
  };
  bool slow; /* a question that may take long: one of these at a time */
  /* The store's own. */
  atomic_bool given_up;
  struct store *store;
  struct store_job *next;
  int error;
};

void store_post(struct store *s, struct store_job *job);
/* False: too many wait already, and the job is still the caller's. */
bool store_ask(struct store *s, struct store_job *job);
/* Nobody waits for the answer any more: the question ends soon, with an error. */
void store_give_up(struct store_job *job);

/* ---- Changes: moves and games ---------------------------------------------- */

/* Appends `move` and fills in its `n`. The first move of a room opens it:
 * SAL_LATE if there is such a room. "end" closes it, with a row that says where
 * its moves are. Whoever serves holds the lock; if another program has appended
 * all the same, nothing is written any more. */
store_call store_append;
/* The server was open at that time; see store_heartbeat. */
struct heartbeat_job {
  struct store_job job;
  int64_t at;
};
store_call store_beat;

/* ---- Changes: people (more in account_store.h) ------------------------------ */

store_call store_add_person; /* and a session; fills in session.person */
store_call store_end_session;

/* ---- Questions (more in queries.h) ------------------------------------------ */

/* All moves of a room that has ended; SAL_NO_TABLE: there is none. */
struct load_job {
  struct store_job job;
  char room[STORE_ROOM_MAX + 1];
  struct store_moves moves; /* to be freed */
};
store_call store_load_room;

/* ---- Before it starts ------------------------------------------------------- */

/* Whether this is where a store is that several servers may share: an address of
 * PostgreSQL, and not a file. */
bool store_is_shared(const char *where);
/* Opens the store, makes or migrates the schema; NULL with a sentence. */
struct store *store_open(const char *where, struct sal_refusal *why);

/* All that follows here is going to be asked for, once each: in one piece, if that is
 * quicker. */
void store_expect_load(struct store *s);
/* Moves of rooms that have not ended, in order of room and number. 0, or what a
 * callback returned, or SAL_STORE. */
int store_each_move(struct store *s,
                    int (*each)(void *context, const struct store_move *m),
                    void *context);
int store_each_session(struct store *s,
                       int (*each)(void *context,
                                   const struct store_session *m),
                       void *context);
int store_each_account(struct store *s,
                       int (*each)(void *context,
                                   const struct store_account *a),
                       void *context);
/* Unix time in milliseconds, by the clock of all who share the store; 0: it is
 * nobody else's; -1: it could not be read. */
int64_t store_time(struct store *s);
/* When the server was last known to be open; 0: never. */
int store_heartbeat(struct store *s, int64_t *at);
/* The last row of what administrators did; 0: none. */
int store_admin_seen(struct store *s, int64_t *id);

/* In a store that several servers share nothing is written without this lease
 * (lease.h), from now on; it is given up when a commit is in doubt. */
struct lease;
void store_hold(struct store *s, struct lease *lease);

/* ---- Life ------------------------------------------------------------------ */

/* Starts the threads; from here on the loop's thread may post and ask. */
int store_start(struct store *s, uv_loop_t *loop);
/* Finishes what was posted, gives up what was asked, reports all, ends the
 * threads, closes the file. The loop must run once more before it is closed. */
void store_close(struct store *s);

struct store_figures {
  uint64_t batches, jobs, failures, questions;
};
struct store_figures store_figures(struct store *s);
/* What the database said when a transaction last failed. */
const char *store_trouble(struct store *s);
/* Jobs that were posted or asked and are not reported yet. */
size_t store_waiting(const struct store *s);

/* Asked before every step of a change that can fail: whether it shall. `where` is
 * "begin", "run", "commit", or "after" the commit, which is durable then and
 * fails in name only. For tests. */
typedef bool store_fault(void *context, const char *where);
void store_inject(struct store *s, store_fault *fault, void *context);

#endif
