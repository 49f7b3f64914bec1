/* The store: what survives the process. SQLite in the data folder, one writer
 * thread, one sync for all that waits.
 *
 * Main invariants: a job is reported done only after the transaction that holds
 * it is durable; a number is given once in each room, and nothing but its moves
 * is kept of one. Where a move lies is the journal's matter: all are in the view
 * `moves`, and those that are no "act" in the table `move`. */
#ifndef SAL_SERVER_STORE_H
#define SAL_SERVER_STORE_H

#include "salotto/error.h"

#include <uv.h>

enum {
  STORE_ROOM_MAX = 24, /* characters of a room's id */
  STORE_KIND_MAX = 8,
  STORE_TEXT_MAX = 2048, /* bytes of a move */
  STORE_NAME_MAX = 96,   /* bytes of a person's name */
  STORE_HASH = 32,
  STORE_SECRET_MAX = 128,
  STORE_AGENT_MAX = 120
};

struct sqlite3;
struct store;

/* One step in the life of a room. */
struct store_move {
  char room[STORE_ROOM_MAX + 1];
  int64_t seq;
  int64_t at; /* Unix time in milliseconds */
  int seat;   /* -1: nobody's */
  char kind[STORE_KIND_MAX + 1];
  char text[STORE_TEXT_MAX + 1];
};

/* For tables of rooms in memory. */
static inline uint32_t store_room_hash(const char *room) {
  uint32_t hash = 2166136261u;
  for (; *room; room++)
    hash = (hash ^ (uint8_t)*room) * 16777619u;
  return hash;
}

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
};

enum store_task {
  STORE_MOVE,    /* insert; SAL_LATE if the number is taken */
  STORE_READ,    /* fill the move of that room and number; SAL_NO_TABLE: none */
  STORE_PERSON,  /* insert person and session; fills in `person` */
  STORE_FORGET,  /* delete the session */
  STORE_SESSION, /* insert a session of a person who is there */
  STORE_ACCOUNT, /* insert; SAL_LATE if the name is taken */
  STORE_CALL     /* whatever `call` does */
};

struct store_job;
/* Called on the loop; 0, or SAL_LATE, SAL_NO_TABLE, SAL_STORE. */
typedef void store_done(struct store_job *job, int error);

/* A job belongs to whoever posts it, and to the store from `store_post` until
 * `done` is called. */
struct store_job {
  enum store_task task;
  union {
    struct store_move *move;
    struct store_session session;
    struct store_account account;
  };
  store_done *done;
  /* Something to be worked out on the writer's thread before the transaction,
   * so that the loop need not; it has nothing to do with the store. Or NULL. */
  void (*work)(struct store_job *job);
  /* For STORE_CALL: runs on the writer's thread, in the transaction of its
   * batch. 0, or an error for this job alone, which must have changed nothing;
   * or SAL_STORE, and the batch fails. */
  int (*call)(struct store_job *job, struct sqlite3 *db);
  /* The moves of this room are to be `settled`: before the call if it reads
   * them, else some time. Or NULL. */
  const char *room;
  bool reads;
  /* The store's own. */
  struct store_job *next;
  int error;
};

/* Asked before every step that can fail; returns 0 or the SQLite code that the
 * step shall fail with. For tests. `where` is "begin", "run", "settle" or
 * "commit". */
typedef int store_fault(void *context, const char *where);

/* Opens the file, makes or migrates the schema; NULL with a sentence. */
struct store *store_open(const char *path, struct sal_refusal *why);
void store_inject(struct store *s, store_fault *fault, void *context);

/* Reading, before `store_start`. Moves of rooms that have not ended come in
 * order of room and number. 0, or what a callback returned, or SAL_STORE. */
int store_each_move(struct store *s,
                    int (*each)(void *context, const struct store_move *m),
                    void *context);
/* The same for any query with these columns: room, seq, at, seat, kind, text. */
int store_read_moves(struct sqlite3 *db, const char *sql,
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

/* For calls: the move in a row of room, seq, at, seat, kind, text. */
struct sqlite3_stmt;
bool store_read_move(struct sqlite3_stmt *row, struct store_move *out);

/* Makes the call of a job at once, before `store_start`. */
int store_run(struct store *s, struct store_job *job);

/* Starts the writer; from here on jobs may be posted from the loop's thread. */
int store_start(struct store *s, uv_loop_t *loop);
void store_post(struct store *s, struct store_job *job);
/* Finishes what was posted, reports it, ends the writer, closes the file. The
 * loop must run once more before it is closed. */
void store_close(struct store *s);

struct store_figures {
  uint64_t batches, jobs, failures;
};
struct store_figures store_figures(struct store *s);
/* What SQLite said when a transaction last failed. */
const char *store_trouble(struct store *s);
/* Jobs that are posted and not reported yet. */
size_t store_waiting(const struct store *s);

#endif
