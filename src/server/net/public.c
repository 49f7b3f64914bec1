/* What is told without a session. See public.h.
 *
 * Main invariant: only what is public about a room goes out, by the function
 * that writes it for the lobby. Who knows the id of a table has its invitation,
 * and may know who waits there. */
#include "public.h"
#include "http.h"
#include "message_parts.h"
#include "people/people.h"

#include <stdlib.h>
#include <string.h>

enum { POLICY_PART = 512 * 1024 };

static void respond_json(struct conn *c, sal_write *write, const void *what,
                         const char *cookie) {
  size_t length;
  const char *body = server_compose(c->server, write, what, &length);
  if (body)
    http_respond(c, 200, "application/json", cookie, body, length);
  else
    http_refuse(c, 503, SAL_NO_MEMORY, NULL);
}

/* ---- The lobby ------------------------------------------------------------- */

struct entrance {
  const struct person *person; /* NULL: no session */
  bool account;
  const char *tables;
};

static void write_entrance(struct sal_json *j, const void *what) {
  const struct entrance *e = what;
  sal_json_object(j, NULL);
  sal_json_bool(j, "ok", true);
  if (e->person) {
    sal_json_object(j, "you");
    sal_json_int(j, "person", e->person->id);
    sal_json_string(j, "name", e->person->name);
    sal_json_end(j, '}');
  } else {
    sal_json_null(j, "you");
  }
  sal_json_bool(j, "account", e->account);
  sal_json_raw(j, "tables", e->tables);
  sal_json_end(j, '}');
}

void public_lobby(struct conn *c, const struct person *p, bool account,
                  const char *cookie) {
  const struct entrance e = {p, account, messages_lobby_tables(c->server)};
  if (e.tables)
    respond_json(c, write_entrance, &e, cookie);
  else
    http_refuse(c, 503, SAL_NO_MEMORY, NULL);
}

/* ---- A table --------------------------------------------------------------- */

static void write_table(struct sal_json *j, const void *what) {
  const struct active_room *active = what;
  sal_json_object(j, NULL);
  sal_json_bool(j, "ok", true);
  sal_json_string(j, "table", active->room->id);
  message_room(j, active);
  sal_json_end(j, '}');
}

bool public_respond(struct conn *c) {
  const char *rest = sal_skip(http_url(c->http), "/api/table/");
  char id[ROOM_ID + 1];
  if (!rest || !http_reads(c->http) || strcspn(rest, "?") != ROOM_ID)
    return false;
  memcpy(id, rest, ROOM_ID);
  id[ROOM_ID] = '\0';
  const struct active_room *active = rooms_find(c->server->rooms, id);
  if (active && !active->room->ended)
    respond_json(c, write_table, active, "");
  else
    http_refuse(c, 404, SAL_NO_TABLE, N_("There is no such table."));
  return true;
}

/* ---- The policy ------------------------------------------------------------ */

/* ?game=GAME&from=BYTE */
void public_policy(struct conn *c) {
  const struct server_options *o = &c->server->options;
  const char *query = strchr(http_url(c->http), '?');
  char game[32];
  unsigned long from;
  size_t size = 0;
  const char *bytes = NULL;
  if (o->policy && query &&
      sscanf(query, "?game=%31[a-z]&from=%lu", game, &from) == 2)
    bytes = o->policy(game, &size);
  if (!bytes || from > size) {
    http_refuse(c, 404, SAL_BAD_REQUEST, N_("There is nothing here."));
    return;
  }
  const size_t left = size - from;
  http_respond(c, 200, "application/octet-stream", "", bytes + from,
               left < POLICY_PART ? left : POLICY_PART);
}
