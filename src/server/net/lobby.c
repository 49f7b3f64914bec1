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

struct entry {
  struct active_room *active;
  int64_t opener, at;
  size_t rank; /* how many of the same opener come before it */
};

struct listing {
  struct entry *entry; /* NULL: they are only counted */
  size_t count;
};

/* Whether somebody waits at a table that has not begun. */
static bool has_people(const struct active_room *active) {
  for (int s = 0; s < active->room->head.setup.players; s++)
    if (active->room->seat[s].kind == SEAT_PERSON)
      return true;
  return active->listeners != NULL;
}

/* Who opened it, or else sits there first; a table of nobody stands alone. */
static int64_t opener_of(const struct active_room *active) {
  const struct room *r = active->room;
  for (int s = 0; !r->head.by && s < r->head.setup.players; s++)
    if (r->seat[s].kind == SEAT_PERSON)
      return r->seat[s].person;
  return r->head.by ? r->head.by : -(int64_t)(active->link.hash >> 1) - 1;
}

static void gather(struct active_room *active, void *context) {
  struct listing *l = context;
  const struct room *r = active->room;
  if (!r->head.listed || r->ended ||
      (r->table ? !room_in_play(r) : !has_people(active)))
    return;
  if (l->entry)
    l->entry[l->count] =
        (struct entry){active, opener_of(active), r->last_at, 0};
  l->count++;
}

/* Tables that wait before games in play; the latest first. */
static int by_time(const struct entry *a, const struct entry *b) {
  const bool plays = a->active->room->table, other = b->active->room->table;
  if (plays != other)
    return plays ? 1 : -1;
  return (a->at < b->at) - (a->at > b->at);
}

static int by_opener(const void *x, const void *y) {
  const struct entry *a = x, *b = y;
  return a->opener == b->opener  ? by_time(a, b)
         : a->opener < b->opener ? -1
                                 : 1;
}

static int by_rank(const void *x, const void *y) {
  const struct entry *a = x, *b = y;
  const bool plays = a->active->room->table, other = b->active->room->table;
  if (plays == other && a->rank != b->rank)
    return a->rank < b->rank ? -1 : 1;
  return by_time(a, b);
}

/* Everybody's first table comes before anybody's second: whoever opens many
 * does not push the others out. */
static void set_order(struct listing *l) {
  qsort(l->entry, l->count, sizeof *l->entry, by_opener);
  for (size_t i = 1; i < l->count; i++)
    if (l->entry[i].opener == l->entry[i - 1].opener)
      l->entry[i].rank = l->entry[i - 1].rank + 1;
  qsort(l->entry, l->count, sizeof *l->entry, by_rank);
}

static void write_listed(struct sal_json *j, const struct active_room *active) {
  const struct room *r = active->room;
  sal_json_object(j, NULL);
  sal_json_string(j, "table", r->id);
  message_room(j, active);
  if (r->head.clock.kind == CLOCK_NONE) {
    sal_json_null(j, "clock");
  } else {
    sal_json_object(j, "clock");
    room_clock_write(&r->head.clock, j, "rule");
    sal_json_end(j, '}');
  }
  sal_json_end(j, '}');
}

/* Of tables that wait, and of games in play, as many as LOBBY_MAX. */
static void write_tables(struct sal_json *j, const void *what) {
  const struct listing *l = what;
  int waiting = 0, playing = 0;
  sal_json_list(j, NULL);
  for (size_t i = 0; i < l->count; i++) {
    int *n = l->entry[i].active->room->table ? &playing : &waiting;
    if ((*n)++ < LOBBY_MAX)
      write_listed(j, l->entry[i].active);
  }
  sal_json_end(j, ']');
}

/* The list as text, of the server's memory; NULL: no memory. */
static const char *compose_tables(struct server *srv) {
  struct listing l = {0};
  size_t length;
  rooms_each(srv->rooms, gather, &l);
  l.entry = calloc(l.count + 1, sizeof *l.entry);
  if (!l.entry)
    return NULL;
  l.count = 0;
  rooms_each(srv->rooms, gather, &l);
  set_order(&l);
  const char *text = server_compose(srv, write_tables, &l, &length);
  free(l.entry);
  return text;
}

const char *messages_lobby_tables(struct server *srv) {
  struct lobby *b = rooms_lobby(srv->rooms);
  if (b->fresh)
    return b->tables;
  const char *text = compose_tables(srv);
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
  const struct answer a = {re, messages_lobby_tables(c->server)};
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
