/* Lists of tables: the lobby for everybody, and a person's own.
 *
 * The list of the lobby is composed when something in it has changed, and is
 * the same text for all who ask until then. */
#include "people/people.h"
#include "message_parts.h"
#include "ws.h"

#include <stdlib.h>
#include <string.h>

enum { LOBBY_MAX = 200 };

/* ---- The lobby ------------------------------------------------------------ */

struct listing {
  struct sal_json *j;
  bool waiting; /* tables that wait for people, or else games in play */
  int count;
};

/* Whether somebody waits at a table that has not begun. */
static bool has_people(const struct active_room *active) {
  for (int s = 0; s < active->room->head.setup.players; s++)
    if (active->room->seat[s].kind == SEAT_PERSON)
      return true;
  return active->listeners != NULL;
}

static void write_listed(struct active_room *active, void *context) {
  struct listing *g = context;
  const struct room *r = active->room;
  if (!r->head.listed || r->ended || g->count >= LOBBY_MAX ||
      g->waiting != !r->table ||
      (r->table ? !room_in_play(r) : !has_people(active)))
    return;
  g->count++;
  sal_json_object(g->j, NULL);
  sal_json_string(g->j, "table", r->id);
  message_room(g->j, active);
  if (r->head.clock.kind == CLOCK_NONE) {
    sal_json_null(g->j, "clock");
  } else {
    sal_json_object(g->j, "clock");
    room_clock_write(&r->head.clock, g->j, "rule");
    sal_json_end(g->j, '}');
  }
  sal_json_end(g->j, '}');
}

static void write_tables(struct sal_json *j, const void *what) {
  struct listing g = {j, true, 0};
  sal_json_list(j, NULL);
  rooms_each((struct rooms *)what, write_listed, &g);
  g.waiting = false;
  rooms_each((struct rooms *)what, write_listed, &g);
  sal_json_end(j, ']');
}

/* The list as it is now; NULL: no memory. */
static const char *tables_now(struct server *srv) {
  struct lobby *b = rooms_lobby(srv->rooms);
  size_t length;
  if (b->fresh)
    return b->tables;
  const char *text = server_compose(srv, write_tables, srv->rooms, &length);
  free(b->tables);
  b->tables = text ? strdup(text) : NULL;
  b->fresh = b->tables != NULL;
  return b->tables;
}

struct answer {
  struct re re;
  const char *tables;
};

static void write_lobby(struct sal_json *j, const void *what) {
  const struct answer *a = what;
  message_begin(j, "lobby", a->re);
  sal_json_raw(j, "tables", a->tables);
  sal_json_end(j, '}');
}

void messages_lobby(struct conn *c, struct re re) {
  const struct answer a = {re, tables_now(c->server)};
  struct sal_refusal why;
  if (a.tables) {
    message_send(c, write_lobby, &a);
    return;
  }
  sal_refuse(&why, SAL_NO_MEMORY, NULL, NULL);
  messages_refuse_re(c, re, &why);
}

/* ---- My tables ------------------------------------------------------------ */

struct mine {
  struct re re; /* no `op`: it is an answer over HTTP */
  const struct person *person;
  struct rooms *rooms;
  struct sal_json *j;
};

static void write_if_mine(struct active_room *active, void *context) {
  const struct mine *m = context;
  const struct room *r = active->room;
  const int seat = room_seat_of(r, m->person->id);
  if (seat < 0 || r->ended || (r->table && !room_in_play(r)))
    return;
  sal_json_object(m->j, NULL);
  sal_json_string(m->j, "table", r->id);
  sal_json_int(m->j, "seq", r->seq - 1);
  sal_json_int(m->j, "seat", seat);
  sal_json_bool(m->j, "asked", room_asked(r) >> seat & 1);
  message_room(m->j, active);
  message_clock(m->j, r, true);
  sal_json_end(m->j, '}');
}

static void write_mine(struct sal_json *j, const void *what) {
  struct mine m = *(const struct mine *)what;
  m.j = j;
  if (m.re.op) {
    message_begin(j, "mine", m.re);
  } else {
    sal_json_object(j, NULL);
    sal_json_bool(j, "ok", true);
  }
  sal_json_list(j, "tables");
  rooms_each(m.rooms, write_if_mine, &m);
  sal_json_end(j, ']');
  sal_json_end(j, '}');
}

void messages_mine(struct conn *c, struct re re) {
  const struct mine m = {re, c->ws->person, c->server->rooms, NULL};
  message_send(c, write_mine, &m);
}

const char *messages_mine_text(struct server *srv, const struct person *p,
                               size_t *length) {
  const struct mine m = {{0}, p, srv->rooms, NULL};
  return server_compose(srv, write_mine, &m, length);
}
