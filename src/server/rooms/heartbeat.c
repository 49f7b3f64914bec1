/* The server is open. See heartbeat.h. */
#include "heartbeat.h"

enum { EVERY_MS = 5000 };

int heartbeat_read(struct heartbeat *b, struct store *s) {
  return store_heartbeat(s, &b->beat.at);
}

static void heartbeat_is_written(struct store_job *job, int error) {
  struct heartbeat *b = (struct heartbeat *)job;
  b->busy = false;
  b->writes += error == 0; /* else the next time */
}

void heartbeat_note(struct heartbeat *b, const struct server *srv) {
  if (server_now(srv) >= b->next)
    heartbeat_try(b, srv);
}

void heartbeat_try(struct heartbeat *b, const struct server *srv) {
  if (b->busy)
    return;
  b->next = server_now(srv) + EVERY_MS;
  b->busy = true;
  b->beat.at = server_time();
  b->beat.job.call = store_beat;
  b->beat.job.done = heartbeat_is_written;
  store_post(srv->store, &b->beat.job);
}
