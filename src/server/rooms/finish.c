/* When a game is over its result goes to the store, and then to everybody.
 *
 * If the server falls in between, the room is still there when it wakes, and its
 * result is written then; the store takes it once. */
#include "outgoing.h"
#include "room_result.h"

#include <stdlib.h>
#include <string.h>

struct finishing {
  struct store_job job; /* first, so that `done` finds the rest */
  struct server *server;
  struct result result;
  bool fresh;
};

static int write_result(struct store_job *job, sqlite3 *db) {
  struct finishing *f = (struct finishing *)job;
  return result_write(db, &f->result, &f->fresh) == SQLITE_OK ? 0 : SAL_STORE;
}

static void result_is_written(struct store_job *job, int error) {
  struct finishing *f = (struct finishing *)job;
  struct active_room *active = rooms_find(f->server->rooms, f->result.room);
  if (active) {
    active->finishing = false;
    active->finished = !error;
    active->stalled = active->stalled || error; /* it is tried again soon */
    if (!error && f->fresh)
      messages_result(active, &f->result);
  }
  free(f);
}

void finish_start(struct active_room *active) {
  struct finishing *f = calloc(1, sizeof *f);
  if (!f) {
    active->stalled = true;
    return;
  }
  f->server = active->server;
  result_of(active->room, &f->result);
  active->finishing = true;
  f->job.task = STORE_CALL;
  f->job.call = write_result;
  f->job.room = f->result.room;
  f->job.done = result_is_written;
  store_post(active->server->store, &f->job);
}
