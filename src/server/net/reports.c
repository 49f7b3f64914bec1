/* Reports. See reports.h. */
#include "reports.h"
#include "people/people.h"
#include "store/report_store.h"
#include "ws.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reporting {
  struct report_job report; /* first, so that `done` finds the rest */
  struct server *server;
  uint64_t conn; /* whom to answer; 0: nobody */
  char op[12], tag[80];
};

static void report_is_durable(struct store_job *job, int error) {
  struct reporting *r = (struct reporting *)job;
  struct conn *c = r->conn ? ws_find(r->server, r->conn) : NULL;
  const struct re re = {r->op, r->tag};
  struct sal_refusal why;
  if (c && error) {
    sal_refuse(&why, error, NULL, NULL);
    messages_refuse_re(c, re, &why);
  } else if (c) {
    messages_done_re(c, re);
  }
  if (!error && *r->op)
    server_log("info", "report", NULL);
  json_decref(r->report.chat);
  free(r);
}

/* Takes the lines over. False: no memory. */
static struct reporting *new_reporting(const struct active_room *active,
                                       json_t *lines) {
  struct reporting *r = lines ? calloc(1, sizeof *r) : NULL;
  if (!r) {
    json_decref(lines);
    return NULL;
  }
  r->server = active->server;
  r->report.chat = lines;
  r->report.now = server_time();
  r->report.job.done = report_is_durable;
  strcpy(r->report.room, active->room->id);
  return r;
}

void reports_heard(struct active_room *active, const struct person *from,
                   const char *text) {
  const int seat = room_seat_of(active->room, from->id);
  json_t *line =
      chat_log_add(&active->chat, server_time(), from->id, seat,
                   room_watched_by(active->room, from->id), from->name, text);
  if (!line || !active->reported)
    return;
  struct reporting *r = new_reporting(active, json_pack("[O]", line));
  if (!r)
    return;
  r->report.job.call = report_store_chat;
  store_post(active->server->store, &r->report.job);
}

bool reports_knows(const struct active_room *active, int64_t person) {
  const struct room *r = active->room;
  for (int s = 0; s < r->head.setup.players; s++)
    if (r->seat[s].person == person)
      return true;
  return chat_log_has(&active->chat, person);
}

/* The lines are copied: more may be said while the store writes them. */
void reports_add(struct conn *c, struct re re, struct active_room *active,
                 int64_t about, const char *why) {
  json_t *lines =
      active->chat.lines ? json_deep_copy(active->chat.lines) : json_array();
  struct reporting *r = new_reporting(active, lines);
  struct sal_refusal refusal;
  if (!r) {
    sal_refuse(&refusal, SAL_NO_MEMORY, NULL, NULL);
    messages_refuse_re(c, re, &refusal);
    return;
  }
  r->conn = c->id;
  snprintf(r->op, sizeof r->op, "%s", re.op);
  snprintf(r->tag, sizeof r->tag, "%s", re.tag);
  r->report.person = c->ws->person->id;
  r->report.about = about;
  snprintf(r->report.why, sizeof r->report.why, "%s", why);
  r->report.job.call = report_store_add;
  active->reported = true;
  store_post(active->server->store, &r->report.job);
}
