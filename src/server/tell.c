/* What the house tells its guests.
 *
 * Main invariant: whatever is told about cards is made by `sal_table_tell` for
 * the seat of the person at that connection, or for a spectator; no other
 * function here looks at a table. */
#include "messages.h"
#include "people.h"
#include "speak.h"
#include "ws.h"

#include <stdlib.h>
#include <string.h>

enum { LOBBY_MAX = 200 };

static void send_composed(struct conn *c, compose_fn *write, const void *what) {
  size_t length;
  const char *text = house_compose(c->house, write, what, &length);
  if (text)
    ws_send(c, text, length);
  else
    conn_drop(c); /* it would miss something: better that it comes back */
}

static void begin(struct sal_json *j, const char *op, struct re re) {
  sal_json_object(j, NULL);
  sal_json_string(j, "op", op);
  if (re.op)
    sal_json_string(j, "re", re.op);
  if (re.op && *re.tag)
    sal_json_raw(j, "id", re.tag);
}

/* ---- Hello ---------------------------------------------------------------- */

static void write_values(struct sal_json *j, const struct sal_option *o) {
  sal_json_list(j, o->name);
  for (int i = 0; o->kind == SAL_OPTION_WORD && o->words[i]; i++)
    sal_json_string(j, NULL, o->words[i]);
  if (o->kind == SAL_OPTION_SEAT)
    sal_json_string(j, NULL, "seat");
  sal_json_end(j, ']');
}

static void write_game(struct sal_json *j, const struct sal_game *g) {
  sal_json_object(j, NULL);
  sal_json_string(j, "game", g->info.id);
  sal_json_string(j, "title", g->info.title);
  sal_json_list(j, "players");
  sal_json_int(j, NULL, g->info.players_min);
  sal_json_int(j, NULL, g->info.players_max);
  sal_json_end(j, ']');
  sal_json_object(j, "options");
  for (const struct sal_option *o = g->info.options; o->name; o++)
    if (o->kind != SAL_OPTION_FILE)
      write_values(j, o);
  sal_json_end(j, '}');
  sal_json_end(j, '}');
}

static void write_hello(struct sal_json *j, const void *what) {
  const struct person *p = what;
  begin(j, "hello", (struct re){0});
  sal_json_int(j, "protocol", 1);
  sal_json_object(j, "you");
  sal_json_int(j, "person", p->id);
  sal_json_string(j, "name", p->name);
  sal_json_end(j, '}');
  sal_json_list(j, "games");
  for (size_t i = 0; sal_games[i]; i++)
    write_game(j, sal_games[i]);
  sal_json_end(j, ']');
  sal_json_list(j, "bots");
  for (size_t i = 0; sal_bots[i]; i++)
    sal_json_string(j, NULL, sal_bots[i]->id);
  sal_json_end(j, ']');
  sal_json_end(j, '}');
}

void messages_greet(struct conn *c) {
  send_composed(c, write_hello, c->ws->person);
}

/* ---- Answers -------------------------------------------------------------- */

struct refusal {
  struct re re;
  const struct sal_refusal *why;
  const char *message;
};

static void write_refusal(struct sal_json *j, const void *what) {
  const struct refusal *r = what;
  begin(j, "error", r->re);
  sal_json_string(j, "code", sal_error_name(r->why->code));
  if (r->why->rule)
    sal_json_string(j, "rule", r->why->rule);
  else
    sal_json_null(j, "rule");
  sal_json_string(j, "message", r->message);
  sal_json_end(j, '}');
}

/* The sentence in the language of the connection. */
static const char *message_for(const struct conn *c, const struct room *room,
                               const struct sal_refusal *why, char *buffer,
                               size_t size) {
  struct sal_text t;
  if (!c->ws->language)
    return why->message;
  sal_text_init(&t, buffer, size);
  speak_refusal(&c->ws->language->catalogue, room, why, &t);
  return buffer;
}

void messages_refuse_at(struct conn *c, struct re re, const struct room *room,
                        const struct sal_refusal *why) {
  char buffer[2 * SAL_MESSAGE_MAX];
  const struct refusal r = {re, why,
                            message_for(c, room, why, buffer, sizeof buffer)};
  c->house->counters.refusals++;
  send_composed(c, write_refusal, &r);
}

void messages_refuse_re(struct conn *c, struct re re,
                        const struct sal_refusal *why) {
  messages_refuse_at(c, re, NULL, why);
}

static void write_why(struct sal_json *j, const void *what) {
  const struct refusal *r = what;
  begin(j, "why", r->re);
  sal_json_bool(j, "legal", !r->why);
  if (r->why) {
    sal_json_string(j, "code", sal_error_name(r->why->code));
    if (r->why->rule)
      sal_json_string(j, "rule", r->why->rule);
    else
      sal_json_null(j, "rule");
    sal_json_string(j, "message", r->message);
  }
  sal_json_end(j, '}');
}

void messages_why(struct conn *c, struct re re, const struct room *room,
                  const struct sal_refusal *why) {
  char buffer[2 * SAL_MESSAGE_MAX];
  const struct refusal r = {
      re, why, why ? message_for(c, room, why, buffer, sizeof buffer) : NULL};
  send_composed(c, write_why, &r);
}

static void write_done(struct sal_json *j, const void *what) {
  const struct intent *i = what;
  begin(j, "done", (struct re){i->re, i->tag});
  sal_json_string(j, "table", i->move.room);
  sal_json_int(j, "seq", i->move.seq);
  sal_json_end(j, '}');
}

void messages_done(struct conn *c, const struct intent *i) {
  send_composed(c, write_done, i);
}

static void write_done_re(struct sal_json *j, const void *what) {
  begin(j, "done", *(const struct re *)what);
  sal_json_end(j, '}');
}

void messages_done_re(struct conn *c, struct re re) {
  send_composed(c, write_done_re, &re);
}

/* ---- Rooms ---------------------------------------------------------------- */

static void write_seats(struct sal_json *j, const struct room *r) {
  sal_json_list(j, "seats");
  for (int i = 0; i < r->head.setup.players; i++) {
    const struct room_seat *s = &r->seat[i];
    sal_json_object(j, NULL);
    sal_json_string(j, "kind",
                    s->kind == SEAT_OPEN     ? "open"
                    : s->kind == SEAT_PERSON ? "person"
                                             : "bot");
    if (s->kind == SEAT_BOT)
      sal_json_string(j, "level", s->bot->id);
    if (*s->name)
      sal_json_string(j, "name", s->name);
    if (s->kind == SEAT_PERSON)
      sal_json_int(j, "person", s->person);
    sal_json_end(j, '}');
  }
  sal_json_end(j, ']');
}

static void write_room(struct sal_json *j, const struct room *r) {
  char hex[2 * SAL_KEY_SIZE + 1];
  struct sal_text t;
  sal_text_init(&t, hex, sizeof hex);
  sal_text_hex(&t, r->commitment.bytes, SAL_KEY_SIZE);
  sal_json_string(j, "game", r->head.game->info.id);
  sal_json_int(j, "players", r->head.setup.players);
  write_seats(j, r);
  sal_json_bool(j, "listed", r->head.listed);
  sal_json_bool(j, "spectators", r->head.spectators);
  sal_json_bool(j, "chat", r->head.chat);
  sal_json_string(j, "commitment", hex);
  sal_json_bool(j, "started", r->table != NULL);
}

struct news {
  struct re re;
  const struct room *room;
  const struct store_move *move; /* NULL: the room as it is */
  int viewer;
  size_t since;                           /* events from there on */
  const struct server_language *language; /* NULL: facts without words */
};

static void write_play(struct sal_json *j, const struct news *n) {
  struct speech s;
  if (n->language)
    speech_init(&s, &n->language->catalogue, n->room);
  sal_table_tell(n->room->table, n->viewer, n->since,
                 n->language ? &s.speaker.words : NULL, j);
}

static void write_news(struct sal_json *j, const void *what) {
  const struct news *n = what;
  const struct room *r = n->room;
  begin(j, n->move ? "moved" : "table", n->re);
  sal_json_string(j, "table", r->id);
  sal_json_int(j, "seq", r->seq - 1);
  if (n->move) {
    sal_json_string(j, "kind", n->move->kind);
    if (n->move->seat >= 0)
      sal_json_int(j, "by", n->move->seat);
  }
  if (!n->move || strcmp(n->move->kind, "act") != 0)
    write_room(j, r);
  if (n->viewer >= 0)
    sal_json_int(j, "seat", n->viewer);
  else
    sal_json_null(j, "seat");
  if (r->table)
    write_play(j, n);
  sal_json_end(j, '}');
}

static int viewer_at(const struct room *r, const struct conn *c) {
  const int seat = room_seat_of(r, c->ws->person->id);
  return seat >= 0 ? seat : SAL_SPECTATOR;
}

void messages_table(struct conn *c, struct re re, const struct live *l,
                    size_t since) {
  const struct news n = {re,    l->room,        NULL, viewer_at(l->room, c),
                         since, c->ws->language};
  send_composed(c, write_news, &n);
}

void messages_opened(struct conn *c, const struct intent *i, struct live *l) {
  if (!rooms_listen(l, c)) {
    conn_drop(c);
    return;
  }
  messages_table(c, (struct re){i->re, i->tag}, l, 0);
}

/* Composed once for each seat and language, and so for spectators. */
static void tell_viewer(struct live *l, const struct news *n) {
  size_t length = 0;
  const char *text = NULL;
  for (struct listener *i = l->listeners, *next; i; i = next) {
    struct conn *c = i->conn;
    next = i->next_here; /* who cannot be told is dropped from the list */
    if (viewer_at(l->room, c) != n->viewer || c->ws->language != n->language)
      continue;
    if (!text)
      text = house_compose(l->house, write_news, n, &length);
    if (text)
      ws_send(c, text, length);
    else
      conn_drop(c);
  }
}

static void write_left(struct sal_json *j, const void *what) {
  begin(j, "left", (struct re){0});
  sal_json_string(j, "table", what);
  sal_json_end(j, '}');
}

/* When a game without spectators begins, who does not play is sent away. */
static void send_away(struct live *l) {
  for (struct listener *i = l->listeners, *next; i; i = next) {
    struct conn *c = i->conn;
    next = i->next_here;
    if (viewer_at(l->room, c) != SAL_SPECTATOR)
      continue;
    rooms_unlisten(l, c);
    send_composed(c, write_left, l->room->id);
  }
}

void messages_moved(struct live *l, const struct store_move *m, size_t first) {
  if (l->room->table && !l->room->head.spectators)
    send_away(l);
  for (int v = SAL_SPECTATOR; v < l->room->head.setup.players; v++) {
    struct news n = {{0}, l->room, m, v, first, NULL};
    tell_viewer(l, &n);
    for (n.language = l->house->options.languages; n.language->id; n.language++)
      tell_viewer(l, &n);
  }
}

/* ---- Lobby ---------------------------------------------------------------- */

struct listing {
  struct sal_json *j;
  int count;
};

static void write_listed(struct live *l, void *context) {
  struct listing *g = context;
  const struct room *r = l->room;
  if (!r->head.listed || r->ended || g->count >= LOBBY_MAX ||
      (r->table && !room_in_play(r)))
    return;
  g->count++;
  sal_json_object(g->j, NULL);
  sal_json_string(g->j, "table", r->id);
  write_room(g->j, r);
  sal_json_end(g->j, '}');
}

struct lobby {
  struct re re;
  struct rooms *rooms;
};

static void write_lobby(struct sal_json *j, const void *what) {
  const struct lobby *b = what;
  struct listing g = {j, 0};
  begin(j, "lobby", b->re);
  sal_json_list(j, "tables");
  rooms_each(b->rooms, write_listed, &g);
  sal_json_end(j, ']');
  sal_json_end(j, '}');
}

void messages_lobby(struct conn *c, struct re re) {
  const struct lobby b = {re, c->house->rooms};
  send_composed(c, write_lobby, &b);
}

/* ---- Records, talk, closing ----------------------------------------------- */

struct record {
  struct re re;
  const struct room *room;
  const char *text;
};

static void write_record(struct sal_json *j, const void *what) {
  const struct record *r = what;
  begin(j, "record", r->re);
  sal_json_string(j, "table", r->room->id);
  sal_json_string(j, "record", r->text);
  sal_json_end(j, '}');
}

void messages_record(struct conn *c, struct re re, const struct live *l) {
  char *text = sal_table_record(l->room->table, false);
  const struct record r = {re, l->room, text};
  if (text) {
    send_composed(c, write_record, &r);
  } else {
    struct sal_refusal why;
    sal_refuse(&why, SAL_NO_MEMORY, NULL, NULL);
    messages_refuse_re(c, re, &why);
  }
  free(text);
}

struct saying {
  const struct room *room;
  const struct person *from;
  const char *text;
};

static void write_said(struct sal_json *j, const void *what) {
  const struct saying *s = what;
  const int seat = room_seat_of(s->room, s->from->id);
  begin(j, "said", (struct re){0});
  sal_json_string(j, "table", s->room->id);
  sal_json_int(j, "person", s->from->id);
  sal_json_string(j, "name", s->from->name);
  if (seat >= 0)
    sal_json_int(j, "seat", seat);
  else
    sal_json_null(j, "seat");
  sal_json_string(j, "text", s->text);
  sal_json_end(j, '}');
}

/* While a game runs, who watches does not talk to who plays. */
void messages_said(struct live *l, const struct person *from,
                   const char *text) {
  const struct saying s = {l->room, from, text};
  const bool apart =
      room_in_play(l->room) && room_seat_of(l->room, from->id) < 0;
  for (struct listener *i = l->listeners, *next; i; i = next) {
    next = i->next_here;
    if (!apart || viewer_at(l->room, i->conn) == SAL_SPECTATOR)
      send_composed(i->conn, write_said, &s);
  }
}

static void write_closing(struct sal_json *j, const void *what) {
  (void)what;
  begin(j, "closing", (struct re){0});
  sal_json_end(j, '}');
}

void messages_closing(struct house *h) {
  for (struct conn *c = h->first; c; c = c->next)
    if (c->ws && !c->closing)
      send_composed(c, write_closing, NULL);
}
