/* What the server tells its guests.
 *
 * Main invariant: whatever is told about cards is made by `sal_table_tell` for
 * the seat of the person at that connection, or for a spectator; no other
 * function here looks at a table. */
#include "messages.h"
#include "people/accounts.h"
#include "store/results.h"
#include "rooms/translate.h"
#include "message_parts.h"
#include "push.h"
#include "ws.h"

#include "salotto/review.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void message_send(struct conn *c, sal_write *write, const void *what) {
  size_t length;
  const char *text = server_compose(c->server, write, what, &length);
  if (text)
    ws_send(c, text, length);
  else
    conn_drop(c); /* it would miss something: better that it comes back */
}

void message_begin(struct sal_json *j, const char *op, struct re re) {
  sal_json_object(j, NULL);
  sal_json_string(j, "op", op);
  if (re.op)
    sal_json_string(j, "re", re.op);
  if (re.op && *re.tag)
    sal_json_raw(j, "id", re.tag);
}

/* ---- Hello ---------------------------------------------------------------- */

static void write_hello(struct sal_json *j, const void *what) {
  const struct conn *c = what;
  const struct person *p = c->ws->person;
  const char *welcome = c->server->options.welcome;
  message_begin(j, "hello", (struct re){0});
  sal_json_int(j, "protocol", 1);
  sal_json_object(j, "you");
  sal_json_int(j, "person", p->id);
  sal_json_string(j, "name", p->name);
  sal_json_end(j, '}');
  sal_games_tell(j);
  sal_json_list(j, "bots");
  for (size_t i = 0; sal_bots[i]; i++)
    sal_json_string(j, NULL, sal_bots[i]->id);
  sal_json_end(j, ']');
  if (welcome)
    sal_json_string(j, "welcome", welcome);
  sal_json_end(j, '}');
}

void messages_greet(struct conn *c) { message_send(c, write_hello, c); }

/* ---- Answers -------------------------------------------------------------- */

struct refusal {
  struct re re;
  const struct sal_refusal *why;
  const char *message;
};

static void write_refusal(struct sal_json *j, const void *what) {
  const struct refusal *r = what;
  message_begin(j, "error", r->re);
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
  translate_refusal(&c->ws->language->catalogue, room, why, &t);
  return buffer;
}

void messages_refuse_at(struct conn *c, struct re re, const struct room *room,
                        const struct sal_refusal *why) {
  char buffer[2 * SAL_MESSAGE_MAX];
  const struct refusal r = {re, why,
                            message_for(c, room, why, buffer, sizeof buffer)};
  c->server->counters.refusals++;
  message_send(c, write_refusal, &r);
}

void messages_refuse_re(struct conn *c, struct re re,
                        const struct sal_refusal *why) {
  messages_refuse_at(c, re, NULL, why);
}

static void write_why(struct sal_json *j, const void *what) {
  const struct refusal *r = what;
  message_begin(j, "why", r->re);
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
  message_send(c, write_why, &r);
}

static void write_done(struct sal_json *j, const void *what) {
  const struct intent *i = what;
  message_begin(j, "done", (struct re){i->re, i->tag});
  sal_json_string(j, "table", i->move.room);
  sal_json_int(j, "seq", i->move.seq);
  sal_json_end(j, '}');
}

void messages_done(struct conn *c, const struct intent *i) {
  message_send(c, write_done, i);
}

static void write_done_re(struct sal_json *j, const void *what) {
  message_begin(j, "done", *(const struct re *)what);
  sal_json_end(j, '}');
}

void messages_done_re(struct conn *c, struct re re) {
  message_send(c, write_done_re, &re);
}

/* ---- Rooms ---------------------------------------------------------------- */

/* The face that whoever sits there has chosen, by the name that they have now. */
static void write_face(struct sal_json *j, struct server *srv,
                       const struct room_seat *s) {
  struct person as_sat = {.id = s->person};
  const struct person *p = people_get(srv->people, s->person);
  strcpy(as_sat.name, s->name);
  const int face = accounts_face(srv->accounts, p ? p : &as_sat);
  if (face)
    sal_json_int(j, "face", face);
}

static void write_seats(struct sal_json *j, const struct active_room *active) {
  static const char *const kinds[] = {[SEAT_OPEN] = "open",
                                      [SEAT_INVITED] = "invited",
                                      [SEAT_PERSON] = "person",
                                      [SEAT_BOT] = "bot"};
  const struct room *r = active->room;
  sal_json_list(j, "seats");
  for (int i = 0; i < r->head.setup.players; i++) {
    const struct room_seat *s = &r->seat[i];
    sal_json_object(j, NULL);
    sal_json_string(j, "kind", kinds[s->kind]);
    if (s->kind == SEAT_BOT)
      sal_json_string(j, "level", s->bot->id);
    const struct person *kept =
        s->kind == SEAT_INVITED && r->head.kept[i]
            ? people_get(active->server->people, r->head.kept[i])
            : NULL;
    if (*s->name || kept)
      sal_json_string(j, "name", kept ? kept->name : s->name);
    if (s->kind == SEAT_PERSON) {
      sal_json_int(j, "person", s->person);
      write_face(j, active->server, s);
      sal_json_bool(j, "connected", active->present >> i & 1);
    }
    if (s->away)
      sal_json_bool(j, "away", true);
    if (s->pledged)
      room_hex_write(j, "part_hash", &s->pledge);
    if (s->has_part)
      room_hex_write(j, "part", &s->part);
    sal_json_end(j, '}');
  }
  sal_json_end(j, ']');
}

/* What each has left now, and whose time runs. */
void message_clock(struct sal_json *j, const struct room *r, bool rule) {
  const int64_t now = server_time();
  if (r->head.clock.kind == CLOCK_NONE) {
    if (rule)
      sal_json_null(j, "clock");
    return;
  }
  sal_json_object(j, "clock");
  if (rule)
    room_clock_write(&r->head.clock, j, "rule");
  sal_json_list(j, "left");
  for (int s = 0; s < r->head.setup.players; s++)
    if (room_bot_at(r, s))
      sal_json_null(j, NULL);
    else
      sal_json_int(j, NULL,
                   r->table ? clock_left(&r->clock, s, now)
                            : r->head.clock.budget);
  sal_json_end(j, ']');
  sal_json_bits(j, "running", r->clock.running);
  sal_json_end(j, '}');
}

void message_room(struct sal_json *j, const struct active_room *active) {
  const struct room *r = active->room;
  sal_json_string(j, "game", r->head.game->info.id);
  sal_json_int(j, "players", r->head.setup.players);
  room_options_write(&r->head, j, "options");
  write_seats(j, active);
  sal_json_bool(j, "listed", r->head.listed);
  sal_json_bool(j, "spectators", r->head.spectators);
  sal_json_bool(j, "chat", r->head.chat);
  sal_json_bool(j, "hints", r->head.hints);
  sal_json_bool(j, "undo", r->head.undo);
  sal_json_bool(j, "rated", room_is_rated(r));
  sal_json_bool(j, "practice", room_is_practice(r));
  sal_json_string(j, "stand_in", r->head.stand_in->id);
  room_hex_write(j, "commitment", &r->commitment);
  sal_json_bool(j, "started", r->table != NULL);
  if (room_unrevealed(r))
    sal_json_bool(j, "revealing", true);
  if (*r->head.before)
    sal_json_string(j, "before", r->head.before);
  /* Not before one can sit down there: see messages_rematch. */
  if (*r->next && rooms_find(active->server->rooms, r->next))
    sal_json_string(j, "rematch", r->next);
}

struct news {
  struct re re;
  const struct active_room *active_room;
  const struct store_move *move; /* NULL: the room as it is */
  int viewer;
  size_t since;                           /* events from there on */
  const struct server_language *language; /* NULL: facts without words */
  bool key; /* with the key of the invited seats */
};

/* Who said it, from where, and what. */
static void write_words(struct sal_json *j, int64_t person, const char *name,
                        int seat, const char *text) {
  sal_json_int(j, "person", person);
  sal_json_string(j, "name", name);
  if (seat >= 0)
    sal_json_int(j, "seat", seat);
  else
    sal_json_null(j, "seat");
  sal_json_string(j, "text", text);
}

/* What was last said. While a game runs, who plays does not hear what those who
 * watch have said since it began. */
static void write_chat(struct sal_json *j, const struct news *n) {
  const bool plays = n->viewer >= 0 && room_in_play(n->active_room->room);
  size_t i;
  json_t *line;
  sal_json_list(j, "said");
  json_array_foreach(n->active_room->chat.lines, i, line) {
    const int seat = (int)json_integer_value(json_object_get(line, "seat"));
    if (plays && json_is_true(json_object_get(line, "apart")))
      continue;
    sal_json_object(j, NULL);
    write_words(j, json_integer_value(json_object_get(line, "person")),
                json_string_value(json_object_get(line, "name")), seat,
                json_string_value(json_object_get(line, "text")));
    sal_json_end(j, '}');
  }
  sal_json_end(j, ']');
}

static void write_play(struct sal_json *j, const struct news *n) {
  const struct room *r = n->active_room->room;
  struct translator s;
  if (n->language)
    translator_init(&s, &n->language->catalogue, r);
  sal_table_tell(r->table, n->viewer, n->since,
                 n->language ? &s.speaker.words : NULL, j);
}

static void write_news(struct sal_json *j, const void *what) {
  const struct news *n = what;
  const struct room *r = n->active_room->room;
  const bool whole = !n->move || strcmp(n->move->kind, "act") != 0;
  message_begin(j, n->move ? "moved" : "table", n->re);
  sal_json_string(j, "table", r->id);
  sal_json_int(j, "seq", r->seq - 1);
  if (n->move) {
    sal_json_string(j, "kind", n->move->kind);
    if (n->move->seat >= 0)
      sal_json_int(j, "by", n->move->seat);
  }
  if (whole)
    message_room(j, n->active_room);
  message_clock(j, r, whole);
  if (n->key && *r->head.key)
    sal_json_string(j, "key", r->head.key);
  if (n->viewer >= 0)
    sal_json_int(j, "seat", n->viewer);
  else
    sal_json_null(j, "seat");
  if (!n->move)
    write_chat(j, n);
  if (r->table)
    write_play(j, n);
  sal_json_end(j, '}');
}

static int viewer_at(const struct room *r, const struct conn *c) {
  const int seat = room_seat_of(r, c->ws->person->id);
  return seat >= 0 ? seat : SAL_SPECTATOR;
}

static void show_table(struct conn *c, struct re re,
                       const struct active_room *active, size_t since,
                       bool key) {
  const struct news n = {
      re,    active,          NULL, viewer_at(active->room, c),
      since, c->ws->language, key};
  message_send(c, write_news, &n);
}

void messages_table(struct conn *c, struct re re,
                    const struct active_room *active, size_t since) {
  show_table(c, re, active, since, false);
}

void messages_opened(struct conn *c, const struct intent *i,
                     struct active_room *active) {
  if (!rooms_listen(active, &c->ws->subscriber)) {
    conn_drop(c);
    return;
  }
  show_table(c, (struct re){i->re, i->tag}, active, 0, true);
}

/* Somebody who has not been told the latest, or NULL. */
static struct listener *untold(const struct active_room *active) {
  struct listener *i = active->listeners;
  while (i && i->told == active->told)
    i = i->next_here;
  return i;
}

/* Tells everybody who is to be told the same. */
static void send_alike(struct active_room *active, const struct news *n) {
  size_t length = 0;
  const char *text = server_compose(active->server, write_news, n, &length);
  for (struct listener *i = active->listeners, *next; i; i = next) {
    struct conn *c = i->conn;
    next = i->next_here; /* who cannot be told is dropped from the list */
    if (viewer_at(active->room, c) != n->viewer ||
        c->ws->language != n->language)
      continue;
    i->told = active->told;
    if (text)
      ws_send(c, text, length);
    else
      conn_drop(c);
  }
}

static void write_left(struct sal_json *j, const void *what) {
  message_begin(j, "left", (struct re){0});
  sal_json_string(j, "table", what);
  sal_json_end(j, '}');
}

/* When a game without spectators begins, who does not play is sent away. */
static void send_leavers_away(struct active_room *active) {
  for (struct listener *i = active->listeners, *next; i; i = next) {
    struct conn *c = i->conn;
    next = i->next_here;
    if (viewer_at(active->room, c) != SAL_SPECTATOR)
      continue;
    rooms_unlisten(active, &c->ws->subscriber);
    message_send(c, write_left, active->room->id);
  }
}

void messages_moved(struct active_room *active, const struct store_move *m,
                    size_t first) {
  if (active->room->table && !active->room->head.spectators)
    send_leavers_away(active);
  active->told++;
  /* Composed once for each seat and language, and so for spectators. */
  for (const struct listener *i; (i = untold(active));) {
    const struct news n = {{0},   active,
                           m,     viewer_at(active->room, i->conn),
                           first, i->conn->ws->language,
                           false};
    send_alike(active, &n);
  }
  push_moved(active);
}

/* ---- Advice, rematches, presence ------------------------------------------ */

struct advice {
  const struct intent *asked;
  const struct room *room;
  const struct sal_question *question;
  const struct sal_thought *thought;
  const struct server_language *language;
};

static void write_ratio(struct sal_json *j, const char *name, double value) {
  char text[16];
  snprintf(text, sizeof text, "%.3f", value);
  sal_json_raw(j, name, text);
}

static void write_action(struct sal_json *j, const struct sal_game *g,
                         sal_action a) {
  char text[SAL_ACTION_TEXT_MAX];
  struct sal_text t;
  sal_text_init(&t, text, sizeof text);
  g->action_text(a, &t);
  sal_json_string(j, "action", text);
}

static void write_hint(struct sal_json *j, const void *what) {
  static const struct sal_catalogue english;
  const struct advice *a = what;
  const struct sal_game *g = a->question->game;
  const struct sal_thought *t = a->thought;
  struct translator s;
  char say[1024];
  struct sal_text out;
  sal_text_init(&out, say, sizeof say);
  translator_init(&s, a->language ? &a->language->catalogue : &english,
                  a->room);
  sal_advice_say(a->question, t, &s.speaker.words, &out);
  message_begin(j, "hint", (struct re){a->asked->re, a->asked->tag});
  sal_json_string(j, "table", a->room->id);
  sal_json_int(j, "seq", a->asked->move.seq);
  write_action(j, g, t->action);
  sal_json_string(j, "say", say);
  sal_json_list(j, "candidates");
  for (size_t i = 0; i < t->count; i++) {
    sal_json_object(j, NULL);
    write_action(j, g, t->candidate[i].action);
    write_ratio(j, "value", t->candidate[i].value);
    write_ratio(j, "share", t->candidate[i].share);
    sal_json_end(j, '}');
  }
  sal_json_end(j, ']');
  sal_json_end(j, '}');
}

void messages_hint(struct conn *c, const struct intent *asked,
                   const struct room *room, const struct sal_question *q,
                   const struct sal_thought *t) {
  const struct advice a = {asked, room, q, t, c->ws->language};
  message_send(c, write_hint, &a);
}

struct again {
  struct re re;
  const struct room *room;
};

static void write_rematch(struct sal_json *j, const void *what) {
  const struct again *a = what;
  message_begin(j, "rematch", a->re);
  sal_json_string(j, "table", a->room->id);
  sal_json_string(j, "next", a->room->next);
  sal_json_end(j, '}');
}

void messages_rematch_re(struct conn *c, struct re re, const struct room *r) {
  const struct again a = {re, r};
  message_send(c, write_rematch, &a);
}

static void send_all(struct active_room *active, sal_write *write,
                     const void *what) {
  for (struct listener *i = active->listeners, *next; i; i = next) {
    next = i->next_here;
    message_send(i->conn, write, what);
  }
}

void messages_rematch(struct active_room *active) {
  const struct again a = {{0}, active->room};
  send_all(active, write_rematch, &a);
}

static void write_reveal(struct sal_json *j, const void *what) {
  const struct active_room *active = what;
  const struct room *r = active->room;
  message_begin(j, "reveal", (struct re){0});
  sal_json_string(j, "table", r->id);
  sal_json_list(j, "hashes");
  for (int s = 0; s < r->head.setup.players; s++)
    if (r->seat[s].pledged)
      room_hex_write(j, NULL, &r->seat[s].pledge);
    else
      sal_json_null(j, NULL);
  sal_json_end(j, ']');
  sal_json_int(j, "seconds", (int64_t)active->server->options.reveal_seconds);
  sal_json_end(j, '}');
}

void messages_reveal(struct active_room *active) {
  send_all(active, write_reveal, active);
}

struct presence {
  const struct room *room;
  int seat;
  bool connected;
};

static void write_ratings(struct sal_json *j, const struct result_seat *s) {
  if (s->before == 0)
    return;
  sal_json_int(j, "before", (int64_t)(s->before + 0.5));
  sal_json_int(j, "after", (int64_t)(s->after + 0.5));
}

static void write_result(struct sal_json *j, const void *what) {
  const struct result *r = what;
  message_begin(j, "result", (struct re){0});
  sal_json_string(j, "table", r->room);
  sal_json_bool(j, "rated", r->rated);
  if (r->unrated)
    sal_json_string(j, "unrated", r->unrated);
  sal_json_list(j, "seats");
  for (int i = 0; i < r->seats; i++) {
    sal_json_object(j, NULL);
    sal_json_int(j, "place", r->seat[i].place);
    sal_json_int(j, "score", r->seat[i].score);
    sal_json_bool(j, "gone", r->seat[i].gone);
    write_ratings(j, &r->seat[i]);
    sal_json_end(j, '}');
  }
  sal_json_end(j, ']');
  sal_json_end(j, '}');
}

void messages_result(struct active_room *active, const struct result *r) {
  send_all(active, write_result, r);
}

static void write_presence(struct sal_json *j, const void *what) {
  const struct presence *p = what;
  message_begin(j, "presence", (struct re){0});
  sal_json_string(j, "table", p->room->id);
  sal_json_int(j, "seat", p->seat);
  sal_json_bool(j, "connected", p->connected);
  sal_json_end(j, '}');
}

void messages_presence(struct active_room *active, int seat, bool connected) {
  const struct presence p = {active->room, seat, connected};
  send_all(active, write_presence, &p);
}

/* ---- Records, talk, closing ----------------------------------------------- */

struct record {
  struct re re;
  const struct room *room;
  const char *text;
};

static void write_record_message(struct sal_json *j, const void *what) {
  const struct record *r = what;
  message_begin(j, "record", r->re);
  sal_json_string(j, "table", r->room->id);
  sal_json_string(j, "record", r->text);
  sal_json_end(j, '}');
}

void messages_record(struct conn *c, struct re re,
                     const struct active_room *active) {
  char *text = sal_table_record(active->room->table, false);
  const struct record r = {re, active->room, text};
  if (text) {
    message_send(c, write_record_message, &r);
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
  message_begin(j, "said", (struct re){0});
  sal_json_string(j, "table", s->room->id);
  write_words(j, s->from->id, s->from->name, room_seat_of(s->room, s->from->id),
              s->text);
  sal_json_end(j, '}');
}

/* While a game runs, who watches does not talk to who plays. */
void messages_said(struct active_room *active, const struct person *from,
                   const char *text) {
  const struct saying s = {active->room, from, text};
  const bool apart = room_watched_by(active->room, from->id);
  for (struct listener *i = active->listeners, *next; i; i = next) {
    next = i->next_here;
    if (!apart || viewer_at(active->room, i->conn) == SAL_SPECTATOR)
      message_send(i->conn, write_said, &s);
  }
}

static void write_closing(struct sal_json *j, const void *what) {
  (void)what;
  message_begin(j, "closing", (struct re){0});
  sal_json_end(j, '}');
}

void messages_closing(struct server *srv) {
  for (struct conn *c = srv->first; c; c = c->next)
    if (c->ws && !c->closing)
      message_send(c, write_closing, NULL);
}
