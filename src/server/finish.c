/* When a game is over its result goes to the store, and then to everybody.
 *
 * If the house falls in between, the room is still there when it wakes, and its
 * result is written then; the store takes it once. */
#include "messages.h"
#include "results.h"

#include <stdlib.h>
#include <string.h>

struct finishing {
  struct store_job job; /* first, so that `done` finds the rest */
  struct house *house;
  struct result result;
  bool fresh;
};

static int write_it(struct store_job *job, sqlite3 *db) {
  struct finishing *f = (struct finishing *)job;
  return result_write(db, &f->result, &f->fresh) == SQLITE_OK ? 0 : SAL_STORE;
}

static void is_written(struct store_job *job, int error) {
  struct finishing *f = (struct finishing *)job;
  struct live *l = rooms_find(f->house->rooms, f->result.room);
  if (l) {
    l->finishing = false;
    l->finished = !error;
    l->stalled = l->stalled || error; /* it is tried again soon */
    if (!error && f->fresh)
      messages_result(l, &f->result);
  }
  free(f);
}

void finish_start(struct live *l) {
  struct finishing *f = calloc(1, sizeof *f);
  if (!f) {
    l->stalled = true;
    return;
  }
  f->house = l->house;
  result_of(l->room, &f->result);
  l->finishing = true;
  f->job.task = STORE_CALL;
  f->job.call = write_it;
  f->job.room = f->result.room;
  f->job.done = is_written;
  store_post(l->house->store, &f->job);
}
