/* When a game is over its result goes to the store, and then to everybody.
 *
 * If the server falls in between, the room is still there when it wakes, and its
 * result is written then; the store takes it once. */
#include "outgoing.h"
#include "room_result.h"

#include <stdlib.h>

struct finishing {
  struct finish_job write; /* first, so that `done` finds the rest */
  struct server *server;
};

static void result_is_written(struct store_job *job, int error) {
  struct finishing *f = (struct finishing *)job;
  const struct result *r = &f->write.result;
  struct active_room *active = rooms_find(f->server->rooms, r->room);
  if (active) {
    room_enter(active, error ? PHASE_AWAKE : PHASE_FINISHED);
    if (error)
      room_retry(active);
    if (!error && f->write.fresh)
      messages_result(active, r);
  }
  free(f);
}

void finish_start(struct active_room *active) {
  struct finishing *f = calloc(1, sizeof *f);
  if (!f) {
    room_retry(active);
    return;
  }
  f->server = active->server;
  result_of(active->room, &f->write.result);
  room_enter(active, PHASE_FINISHING);
  f->write.job.call = store_finish_game;
  f->write.job.done = result_is_written;
  store_post(active->server->store, &f->write.job);
}
