/* Requests over a WebSocket: read, checked for their shape, and handed on.
 *
 * Main invariant: every message gets exactly one answer, now or when the store
 * has it: what it asked for, "done", or "error"; a refusal changes nothing. The
 * seat that acts is always the one that the person holds; no request can name
 * another. */
#include "messages.h"
#include "people/moderation.h"
#include "people/limits.h"
#include "people/people.h"
#include "reports.h"
#include "request_reader.h"
#include "ws.h"

#include <string.h>

enum { TABLES_MAX = 16, CHAT_CHARS = 300 };

struct request {
  struct conn *conn;
  struct request_body *body;
  struct re re;
  struct active_room *active_room; /* the table it names */
  int seat;                        /* that the person holds there, or -1 */
};

static void refuse_request(const struct request *q, int code,
                           const char *message) {
  struct sal_refusal why;
  sal_refuse(&why, code, NULL, message);
  messages_refuse_re(q->conn, q->re, &why);
}

static struct value value_of(const struct request *q, const char *key) {
  return request_value(q->body, key);
}

static struct person *person_asking(const struct request *q) {
  return q->conn->ws->person;
}

/* An intent of the person, without its move. */
static struct intent intent_of(const struct request *q) {
  struct intent i = {.conn = q->conn->id, .since = uv_hrtime()};
  i.move.seat = q->seat;
  strncpy(i.re, q->re.op, sizeof i.re - 1);
  strcpy(i.tag, q->re.tag);
  return i;
}

/* Takes the language that a request names for what its connection is told from
 * now on; null is none. False, and refused: the server does not speak it. */
static bool take_language(struct request *q) {
  const struct value v = value_of(q, "lang");
  const char *id = v.text;
  const struct server_language *l = q->conn->server->options.languages;
  while (id && l->id && strcmp(l->id, id) != 0)
    l++;
  if (v.is != VALUE_MISSING && v.is != VALUE_NULL && (!id || !l->id)) {
    refuse_request(q, SAL_BAD_REQUEST,
                   "\"lang\" must be a language that this server has.");
    return false;
  }
  if (v.is != VALUE_MISSING)
    q->conn->ws->language = id ? l : NULL;
  return true;
}

/* ---- The requests --------------------------------------------------------- */

static void op_lobby(struct request *q) { messages_lobby(q->conn, q->re); }

static void op_mine(struct request *q) { messages_mine(q->conn, q->re); }

static void op_lang(struct request *q) {
  if (value_of(q, "lang").is == VALUE_MISSING)
    refuse_request(q, SAL_BAD_REQUEST,
                   "\"lang\" must be a language that this server has.");
  else if (take_language(q))
    messages_done_re(q->conn, q->re);
}

/* An address may have as many tables with bots as so many people. */
enum { PEOPLE_OF_ADDRESS = 10 };

/* Whether the person may have one more table with bots. */
static bool may_have_bots(const struct request *q) {
  const struct server *srv = q->conn->server;
  const struct rooms_with_bots n =
      rooms_with_bots(srv->rooms, &q->conn->ws->subscriber.payer);
  const int most = srv->options.bot_tables;
  return n.of_person < most && n.of_address < most * PEOPLE_OF_ADDRESS;
}

static bool wants_bots(const struct room_head *head) {
  for (int s = 0; s < head->setup.players; s++)
    if (head->bot[s])
      return true;
  return false;
}

/* Tables that one person may have waiting for players. */
enum { WAITING_MAX = 10 };

static void op_create(struct request *q) {
  struct room_head head;
  struct sal_refusal why;
  if (!take_language(q))
    return;
  if (room_head_read(request_tree(q->body), false, &head, &why) != 0) {
    messages_refuse_re(q->conn, q->re, &why);
    return;
  }
  if (!limits_person_may(q->conn->server->limits, LIMIT_TABLES,
                         person_asking(q)->id)) {
    refuse_request(q, SAL_SLOW_DOWN, NULL);
    return;
  }
  if (wants_bots(&head) && !may_have_bots(q)) {
    refuse_request(q, SAL_FULL,
                   N_("You have too many tables with bots; finish or leave one "
                      "first."));
    return;
  }
  const struct intent i = intent_of(q);
  head.by = person_asking(q)->id;
  if (room_head_waits(&head) &&
      rooms_waiting_of(q->conn->server->rooms, head.by) >= WAITING_MAX) {
    refuse_request(q, SAL_FULL,
                   N_("Ten tables of yours are waiting for players. Wait until "
                      "one of them begins or is closed."));
    return;
  }
  sal_key_random(&head.seed);
  for (int s = 0; s < head.setup.players; s++)
    if (head.invited[s])
      room_new_id(head.key);
  rooms_create(q->conn->server->rooms, &head, &q->conn->ws->subscriber.payer,
               &i);
}

static bool may_watch(const struct request *q) {
  const struct room *r = q->active_room->room;
  return q->seat >= 0 || !r->table || r->head.spectators;
}

static size_t tables_of(const struct conn *c) {
  size_t n = 0;
  for (const struct listener *i = c->ws->subscriber.tables; i;
       i = i->next_table)
    n++;
  return n;
}

static void op_join(struct request *q) {
  const struct value since = value_of(q, "since");
  const sal_table *t = q->active_room->room->table;
  const size_t count = t ? sal_table_event_count(t) : 0;
  size_t from = count;
  if (since.is != VALUE_MISSING &&
      (since.is != VALUE_NUMBER || since.number < 0))
    refuse_request(q, SAL_BAD_REQUEST, "\"since\" is the number of an event.");
  else if (!may_watch(q))
    refuse_request(q, SAL_NOT_ALLOWED, N_("This table has no spectators."));
  else if (!take_language(q))
    return;
  else if (!rooms_listens(q->active_room, &q->conn->ws->subscriber) &&
           (tables_of(q->conn) >= TABLES_MAX ||
            !rooms_listen(q->active_room, &q->conn->ws->subscriber)))
    refuse_request(q, SAL_FULL, NULL);
  else {
    if (since.is == VALUE_NUMBER && (uint64_t)since.number < count)
      from = (size_t)since.number;
    messages_table(q->conn, q->re, q->active_room, from);
  }
}

static bool read_hex(const struct value *v, struct sal_key *out) {
  return v->text && sal_hex_read(v->text, out->bytes, SAL_KEY_SIZE);
}

/* How the person sits down: under which name, with which part. False, and
 * refused. */
static bool read_sit_request(struct request *q, struct room_sitting *out) {
  const struct value part = value_of(q, "part");
  const struct value hash = value_of(q, "part_hash");
  const struct value key = value_of(q, "key");
  memset(out, 0, sizeof *out);
  out->person = person_asking(q)->id;
  out->has_part = part.is != VALUE_MISSING;
  out->pledged = hash.is != VALUE_MISSING;
  strcpy(out->name, person_asking(q)->name);
  if ((out->has_part && (out->pledged || !read_hex(&part, &out->part))) ||
      (out->pledged && !read_hex(&hash, &out->pledge))) {
    refuse_request(q, SAL_BAD_REQUEST,
                   "\"part\" or \"part_hash\" is 64 hex digits.");
    return false;
  }
  if (key.is != VALUE_MISSING && (!key.text || strlen(key.text) != ROOM_ID)) {
    refuse_request(q, SAL_BAD_REQUEST, "\"key\" is the key of an invitation.");
    return false;
  }
  strcpy(out->key, key.text ? key.text : "");
  return true;
}

static void op_sit(struct request *q) {
  const struct value seat = value_of(q, "seat");
  struct room_sitting s;
  if (seat.is != VALUE_NUMBER || seat.number < 0 ||
      seat.number >= q->active_room->room->head.setup.players) {
    refuse_request(q, SAL_BAD_REQUEST, "\"seat\" is the number of a seat.");
    return;
  }
  if (!read_sit_request(q, &s))
    return;
  struct intent i = intent_of(q);
  struct sal_text t;
  i.move.seat = (int)seat.number;
  strcpy(i.move.kind, "sit");
  sal_text_init(&t, i.move.text, sizeof i.move.text);
  room_sit_write(&s, &t);
  rooms_submit(q->active_room, &i);
}

/* A bot for a free seat: from who sits at the table. */
static void op_bot(struct request *q) {
  const struct value seat = value_of(q, "seat");
  const char *level = value_of(q, "level").text;
  const struct sal_bot *bot = level ? sal_bot_find(level) : NULL;
  if (seat.is != VALUE_NUMBER || seat.number < 0 ||
      seat.number >= q->active_room->room->head.setup.players || !bot) {
    refuse_request(
        q, SAL_BAD_REQUEST,
        "\"seat\" is the number of a seat, \"level\" that of a bot.");
    return;
  }
  if (q->seat < 0) {
    refuse_request(q, SAL_NOT_SEATED, NULL);
    return;
  }
  struct intent i = intent_of(q);
  i.move.seat = (int)seat.number;
  strcpy(i.move.kind, "bot");
  strcpy(i.move.text, bot->id);
  rooms_submit(q->active_room, &i);
}

/* The part that was pledged, when everybody sits. */
static void op_part(struct request *q) {
  const char *part = value_of(q, "part").text;
  struct intent i = intent_of(q);
  if (!part || strlen(part) != 2 * SAL_KEY_SIZE) {
    refuse_request(q, SAL_BAD_REQUEST, "\"part\" is 64 hex digits.");
    return;
  }
  if (q->seat < 0) {
    refuse_request(q, SAL_NOT_SEATED, NULL);
    return;
  }
  strcpy(i.move.kind, "part");
  strcpy(i.move.text, part);
  rooms_submit(q->active_room, &i);
}

static void submit(struct request *q, const char *kind) {
  struct intent i = intent_of(q);
  if (q->seat < 0) {
    refuse_request(q, SAL_NOT_SEATED, NULL);
    return;
  }
  strcpy(i.move.kind, kind);
  rooms_submit(q->active_room, &i);
}

/* Who sits and has not begun stands up; everybody else stops listening. */
static void op_leave(struct request *q) {
  if (q->seat >= 0 && !q->active_room->room->table) {
    submit(q, "leave");
    return;
  }
  rooms_unlisten(q->active_room, &q->conn->ws->subscriber);
  messages_done_re(q->conn, q->re);
}

static void op_resign(struct request *q) {
  struct intent i = intent_of(q);
  if (q->seat < 0) {
    refuse_request(q, SAL_NOT_SEATED, NULL);
    return;
  }
  strcpy(i.move.kind, "resign");
  strcpy(i.move.text, room_resign_text(q->active_room->room, false));
  rooms_submit(q->active_room, &i);
}

static void op_back(struct request *q) { submit(q, "back"); }

static void op_hint(struct request *q) {
  if (q->seat >= 0 && !bucket_take(&q->active_room->advice[q->seat],
                                   server_now(q->conn->server), 0.5, 3))
    refuse_request(q, SAL_SLOW_DOWN, NULL);
  else
    submit(q, "hint");
}

/* Asks for a rematch, or accepts the one that is there. */
static void op_rematch(struct request *q) {
  const struct room *r = q->active_room->room;
  struct intent i = intent_of(q);
  struct room_sitting s;
  if (!read_sit_request(q, &s))
    return;
  if (q->seat < 0) {
    refuse_request(q, SAL_NOT_SEATED, NULL);
  } else if (*r->next) {
    rooms_accept(q->active_room, q->seat, &s);
    if (rooms_opens(q->conn->server->rooms, r->next))
      messages_done_re(q->conn, q->re); /* all are told when it is open */
    else
      messages_rematch_re(q->conn, q->re, r);
  } else if (!limits_person_may(q->conn->server->limits, LIMIT_TABLES,
                                person_asking(q)->id)) {
    refuse_request(q, SAL_SLOW_DOWN, NULL);
  } else {
    if (r->table && !room_in_play(r))
      rooms_accept(q->active_room, q->seat, &s);
    strcpy(i.move.kind, "rematch");
    room_new_id(i.move.text);
    rooms_submit(q->active_room, &i);
  }
}

static void op_undo(struct request *q) {
  const struct value seq = value_of(q, "seq");
  struct intent i = intent_of(q);
  if (seq.is != VALUE_NUMBER) {
    refuse_request(q, SAL_BAD_REQUEST,
                   "\"seq\" is the number of the last move.");
    return;
  }
  if (q->seat < 0) {
    refuse_request(q, SAL_NOT_SEATED, NULL);
    return;
  }
  i.known_seq = seq.number;
  strcpy(i.move.kind, "undo");
  rooms_submit(q->active_room, &i);
}

static void op_act(struct request *q) {
  const char *action = value_of(q, "action").text;
  const struct value seq = value_of(q, "seq");
  if (!action || seq.is != VALUE_NUMBER) {
    refuse_request(
        q, SAL_BAD_REQUEST,
        "\"action\" is a text; \"seq\" is the number of the last move you "
        "know.");
    return;
  }
  if (q->seat < 0) {
    refuse_request(q, SAL_NOT_SEATED, NULL);
    return;
  }
  if (q->active_room->room->seat[q->seat].away) {
    refuse_request(q, SAL_NOT_ALLOWED, "You are away; say \"back\" first.");
    return;
  }
  if (strlen(action) > STORE_TEXT_MAX) {
    refuse_request(q, SAL_BAD_ACTION, NULL);
    return;
  }
  struct intent i = intent_of(q);
  i.known_seq = seq.number;
  strcpy(i.move.kind, "act");
  strcpy(i.move.text, action);
  rooms_submit(q->active_room, &i);
}

/* Whether an action is possible, and if not, by which rule. */
static void op_why(struct request *q) {
  const char *action = value_of(q, "action").text;
  const struct room *r = q->active_room->room;
  struct sal_refusal why;
  if (!action)
    refuse_request(q, SAL_BAD_REQUEST, "\"action\" is a text.");
  else if (q->seat < 0)
    refuse_request(q, SAL_NOT_SEATED, NULL);
  else if (!r->table)
    refuse_request(q, SAL_NOT_STARTED, NULL);
  else if (sal_table_try(r->table, q->seat, action, &why) == 0)
    messages_why(q->conn, q->re, r, NULL);
  else
    messages_why(q->conn, q->re, r, &why);
}

/* About somebody at the table, to the administrator. */
static void op_report(struct request *q) {
  const char *text = value_of(q, "text").text;
  const struct value about = value_of(q, "person");
  struct person *p = person_asking(q);
  if (!text || !text_is_clean(text, CHAT_CHARS))
    refuse_request(q, SAL_BAD_REQUEST,
                   "\"text\" is a text of 1 to 300 characters.");
  else if (!rooms_listens(q->active_room, &q->conn->ws->subscriber))
    refuse_request(q, SAL_NOT_ALLOWED, NULL);
  else if (about.is != VALUE_NUMBER || about.number == p->id ||
           !reports_knows(q->active_room, about.number))
    refuse_request(q, SAL_BAD_REQUEST,
                   "\"person\" is the number of somebody else at the table.");
  else if (!limits_person_may(q->conn->server->limits, LIMIT_REPORTS, p->id))
    refuse_request(q, SAL_SLOW_DOWN, NULL);
  else
    reports_add(q->conn, q->re, q->active_room, about.number, text);
}

static void op_chat(struct request *q) {
  const char *text = value_of(q, "text").text;
  struct person *p = person_asking(q);
  if (!text || !text_is_clean(text, CHAT_CHARS))
    refuse_request(q, SAL_BAD_REQUEST,
                   "\"text\" is a text of 1 to 300 characters.");
  else if (!q->active_room->room->head.chat ||
           !rooms_listens(q->active_room, &q->conn->ws->subscriber))
    refuse_request(q, SAL_NOT_ALLOWED, NULL);
  else if (moderation_mutes(q->conn->server->moderation, p->id))
    refuse_request(q, SAL_MUTED, NULL);
  else if (!limits_person_may(q->conn->server->limits, LIMIT_CHAT, p->id))
    refuse_request(q, SAL_SLOW_DOWN, NULL);
  else {
    messages_said(q->active_room, p, text);
    reports_heard(q->active_room, p, text);
    messages_done_re(q->conn, q->re);
  }
}

static void op_record(struct request *q) {
  if (!may_watch(q))
    refuse_request(q, SAL_NOT_ALLOWED, N_("This table has no spectators."));
  else if (!q->active_room->room->table)
    refuse_request(q, SAL_NOT_STARTED, NULL);
  else
    messages_record(q->conn, q->re, q->active_room);
}

/* The one that comes most often is looked at first. */
static const struct op {
  const char *name;
  bool at_table; /* it names a table */
  void (*run_request)(struct request *q);
} ops[] = {
    {"act", true, op_act},        {"lobby", false, op_lobby},
    {"create", false, op_create}, {"join", true, op_join},
    {"sit", true, op_sit},        {"leave", true, op_leave},
    {"resign", true, op_resign},  {"chat", true, op_chat},
    {"bot", true, op_bot},        {"part", true, op_part},
    {"mine", false, op_mine},     {"record", true, op_record},
    {"lang", false, op_lang},     {"why", true, op_why},
    {"hint", true, op_hint},      {"undo", true, op_undo},
    {"back", true, op_back},      {"rematch", true, op_rematch},
    {"report", true, op_report},
};

/* ---- Reading -------------------------------------------------------------- */

/* The id of a request as JSON; false if it is neither a short text nor a
 * number. */
static bool read_tag(struct value id, char *out, size_t size) {
  struct sal_text t;
  struct sal_json j;
  sal_text_init(&t, out, size);
  sal_json_init(&j, &t);
  if (id.is == VALUE_TEXT)
    sal_json_string(&j, NULL, id.text);
  else if (id.is == VALUE_NUMBER)
    sal_json_int(&j, NULL, id.number);
  if (t.lost > 0)
    sal_text_clear(&t);
  return id.is == VALUE_MISSING || t.len > 0;
}

static void run_request(struct request *q, const struct op *op) {
  if (q->conn->server->closing) {
    refuse_request(q, SAL_CLOSING, NULL);
    return;
  }
  if (op->at_table) {
    const char *id = value_of(q, "table").text;
    if (!id) {
      refuse_request(q, SAL_BAD_REQUEST, "\"table\" is the id of a table.");
      return;
    }
    q->active_room = rooms_find(q->conn->server->rooms, id);
    if (!q->active_room || q->active_room->room->ended) {
      refuse_request(q, SAL_NO_TABLE, N_("There is no such table."));
      return;
    }
    q->seat = room_seat_of(q->active_room->room, person_asking(q)->id);
  }
  op->run_request(q);
}

void requests_answer(struct conn *c, const char *text, size_t length,
                     bool hasty) {
  struct request_body body;
  const bool sound = request_read(&body, text, length);
  const char *name = request_value(&body, "op").text;
  char tag[sizeof((struct intent *)0)->tag];
  struct request q = {.conn = c, .body = &body, .re = {NULL, tag}, .seat = -1};
  const bool tagged = read_tag(value_of(&q, "id"), tag, sizeof tag);
  const struct op *op = NULL;
  for (size_t i = 0; name && !op && i < sizeof ops / sizeof *ops; i++)
    if (strcmp(ops[i].name, name) == 0)
      op = &ops[i];
  q.re.op = op ? op->name : sound ? "?" : NULL;
  if (!sound)
    refuse_request(&q, SAL_BAD_JSON, NULL);
  else if (!tagged)
    refuse_request(&q, SAL_BAD_REQUEST, "\"id\" is a short text or a number.");
  else if (!op)
    refuse_request(&q, SAL_BAD_REQUEST, "There is no such \"op\".");
  else if (hasty)
    refuse_request(&q, SAL_SLOW_DOWN, NULL);
  else
    run_request(&q, op);
  request_free(&body);
}
