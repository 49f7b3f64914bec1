/* One room and its moves. See room.h. */
#include "room.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

void room_new_id(char out[ROOM_ID + 1]) {
  uint8_t bytes[ROOM_ID];
  randombytes_buf(bytes, sizeof bytes);
  for (int i = 0; i < ROOM_ID; i++)
    out[i] = "abcdefghijkmnpqrstuvwxyz23456789"[bytes[i] % 32];
  out[ROOM_ID] = '\0';
}

/* ---- The head ------------------------------------------------------------- */

static bool read_flag(const json_t *from, const char *key, bool usual,
                      bool *out) {
  const json_t *v = json_object_get(from, key);
  *out = v ? json_is_true(v) : usual;
  return !v || json_is_boolean(v);
}

static int read_option(const struct sal_game *g, struct sal_setup *setup,
                       const char *name, const json_t *v) {
  const int o = sal_option_find(g, name);
  char digits[24];
  struct sal_text t;
  if (o >= 0 && json_is_null(v))
    return 0; /* left at its default */
  /* A file is a path on this machine: nothing for strangers. */
  if (o < 0 || g->info.options[o].kind == SAL_OPTION_FILE)
    return SAL_BAD_OPTION;
  sal_text_init(&t, digits, sizeof digits);
  if (json_is_integer(v))
    sal_text_int(&t, json_integer_value(v));
  const char *text = json_is_integer(v) ? digits : json_string_value(v);
  return text && sal_option_parse(g, o, setup->players, text, &setup->option[o])
             ? 0
             : SAL_BAD_OPTION;
}

static int read_options(const json_t *from, struct room_head *out) {
  const json_t *options = json_object_get(from, "options");
  const char *name;
  json_t *v;
  if (options && !json_is_object(options))
    return SAL_BAD_REQUEST;
  json_object_foreach((json_t *)options, name, v) {
    const int error = read_option(out->game, &out->setup, name, v);
    if (error)
      return error;
  }
  return 0;
}

/* "seats" has one word a seat: "open" or the level of a bot. */
static bool read_seats(const json_t *from, struct room_head *out) {
  const json_t *seats = json_object_get(from, "seats");
  if (!seats)
    return true;
  if (json_array_size(seats) != (size_t)out->setup.players)
    return false;
  for (int i = 0; i < out->setup.players; i++) {
    const char *word = json_string_value(json_array_get(seats, (size_t)i));
    if (!word)
      return false;
    out->bot[i] = sal_bot_find(word);
    if (!out->bot[i] && strcmp(word, "open") != 0)
      return false;
  }
  return true;
}

static bool read_bot(const json_t *from, struct room_head *out) {
  const json_t *v = json_object_get(from, "stand_in");
  out->stand_in = sal_bot_find(
      v ? json_string_value(v) ? json_string_value(v) : "" : "regular");
  return out->stand_in != NULL;
}

int room_head_read(const json_t *from, bool seeded, struct room_head *out,
                   struct sal_refusal *why) {
  const char *game = json_string_value(json_object_get(from, "game"));
  const json_t *players = json_object_get(from, "players");
  memset(out, 0, sizeof *out);
  if (!game)
    return sal_refuse(why, SAL_BAD_REQUEST, NULL, "\"game\" is a text.");
  if (!(out->game = sal_game_find(game)))
    return sal_refuse(why, SAL_UNKNOWN_GAME, NULL, NULL);
  const json_int_t count = json_integer_value(players);
  if (!json_is_integer(players) || count < out->game->info.players_min ||
      count > out->game->info.players_max)
    return sal_refuse(why, SAL_BAD_REQUEST, NULL,
                      "\"players\" is a number of players that the game "
                      "allows.");
  sal_setup_default(out->game, (int)count, &out->setup);
  const int error = read_options(from, out);
  if (error)
    return sal_refuse(why, error, NULL, NULL);
  if (!read_seats(from, out))
    return sal_refuse(why, SAL_BAD_REQUEST, NULL,
                      "\"seats\" has one word a seat: \"open\" or the level "
                      "of a bot.");
  if (!read_bot(from, out) || !read_flag(from, "listed", true, &out->listed) ||
      !read_flag(from, "spectators", true, &out->spectators) ||
      !read_flag(from, "chat", true, &out->chat))
    return sal_refuse(why, SAL_BAD_REQUEST, NULL,
                      "\"listed\", \"spectators\" and \"chat\" are true or "
                      "false; \"stand_in\" is the level of a bot.");
  const char *seed = json_string_value(json_object_get(from, "seed"));
  if (seeded && (!seed || !sal_hex_read(seed, out->seed.bytes, SAL_KEY_SIZE)))
    return sal_refuse(why, SAL_BAD_RECORD, NULL, NULL);
  return 0;
}

static void write_options(const struct room_head *h, struct sal_json *j) {
  const struct sal_option *o = h->game->info.options;
  sal_json_object(j, "options");
  for (int i = 0; o[i].name; i++)
    if (o[i].kind == SAL_OPTION_SEAT && h->setup.option[i] >= 0)
      sal_json_int(j, o[i].name, h->setup.option[i]);
    else if (o[i].kind == SAL_OPTION_WORD)
      sal_json_string(j, o[i].name, o[i].words[h->setup.option[i]]);
  sal_json_end(j, '}');
}

static void write_hex(struct sal_json *j, const char *name,
                      const struct sal_key *key) {
  char hex[2 * SAL_KEY_SIZE + 1];
  struct sal_text t;
  sal_text_init(&t, hex, sizeof hex);
  sal_text_hex(&t, key->bytes, SAL_KEY_SIZE);
  sal_json_string(j, name, hex);
}

void room_head_write(const struct room_head *h, struct sal_text *out) {
  struct sal_json j;
  sal_json_init(&j, out);
  sal_json_object(&j, NULL);
  sal_json_string(&j, "game", h->game->info.id);
  sal_json_int(&j, "players", h->setup.players);
  write_options(h, &j);
  sal_json_list(&j, "seats");
  for (int i = 0; i < h->setup.players; i++)
    sal_json_string(&j, NULL, h->bot[i] ? h->bot[i]->id : "open");
  sal_json_end(&j, ']');
  sal_json_bool(&j, "listed", h->listed);
  sal_json_bool(&j, "spectators", h->spectators);
  sal_json_bool(&j, "chat", h->chat);
  sal_json_string(&j, "stand_in", h->stand_in->id);
  write_hex(&j, "seed", &h->seed);
  sal_json_end(&j, '}');
}

struct room *room_open(const struct store_move *first,
                       struct sal_refusal *why) {
  if (first->seq != 0 || strcmp(first->kind, "open") != 0 ||
      strlen(first->room) != ROOM_ID) {
    sal_refuse(why, SAL_BAD_RECORD, NULL, NULL);
    return NULL;
  }
  struct room *r = calloc(1, sizeof *r);
  if (!r) {
    sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
    return NULL;
  }
  json_t *j = json_loads(first->text, JSON_REJECT_DUPLICATES, NULL);
  const int error = room_head_read(j, true, &r->head, why);
  json_decref(j);
  if (error) {
    free(r);
    return NULL;
  }
  strcpy(r->id, first->room);
  sal_chain_key(&r->head.seed, 0, &r->commitment);
  for (int i = 0; i < r->head.setup.players; i++)
    if ((r->seat[i].bot = r->head.bot[i]))
      r->seat[i].kind = SEAT_BOT;
  r->seq = 1;
  return r;
}

void room_free(struct room *r) {
  if (r)
    sal_table_free(r->table);
  free(r);
}

/* ---- Looking -------------------------------------------------------------- */

int room_seat_of(const struct room *r, int64_t person) {
  for (int i = 0; i < r->head.setup.players; i++)
    if (r->seat[i].kind == SEAT_PERSON && r->seat[i].person == person)
      return i;
  return -1;
}

bool room_is_full(const struct room *r) {
  for (int i = 0; i < r->head.setup.players; i++)
    if (r->seat[i].kind == SEAT_OPEN)
      return false;
  return true;
}

unsigned room_asked(const struct room *r) {
  return r->table ? sal_table_to_act(r->table) : 0;
}

bool room_in_play(const struct room *r) { return room_asked(r) != 0; }

/* ---- The kinds of moves --------------------------------------------------- */

struct sitting {
  int64_t person;
  char name[STORE_NAME_MAX + 1];
  bool has_part;
  struct sal_key part;
};

static bool read_sitting(const char *text, struct sitting *out) {
  json_t *j = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
  const json_t *person = json_object_get(j, "person");
  const char *name = json_string_value(json_object_get(j, "name"));
  const char *part = json_string_value(json_object_get(j, "part"));
  memset(out, 0, sizeof *out);
  const bool ok = json_is_integer(person) && name &&
                  strlen(name) < sizeof out->name &&
                  (!part || sal_hex_read(part, out->part.bytes, SAL_KEY_SIZE));
  if (ok) {
    out->person = json_integer_value(person);
    out->has_part = part != NULL;
    strcpy(out->name, name);
  }
  json_decref(j);
  return ok;
}

void room_sit_write(int64_t person, const char *name,
                    const struct sal_key *part, struct sal_text *out) {
  struct sal_json j;
  sal_json_init(&j, out);
  sal_json_object(&j, NULL);
  sal_json_int(&j, "person", person);
  sal_json_string(&j, "name", name);
  if (part)
    write_hex(&j, "part", part);
  sal_json_end(&j, '}');
}

static int check_sit(const struct room *r, const struct store_move *m,
                     int64_t answers, struct sal_refusal *why) {
  struct sitting s;
  (void)answers;
  if (!read_sitting(m->text, &s))
    return sal_refuse(why, SAL_BAD_REQUEST, NULL, NULL);
  if (r->table || r->seat[m->seat].kind != SEAT_OPEN)
    return sal_refuse(why, SAL_SEAT_TAKEN, NULL, NULL);
  if (room_seat_of(r, s.person) >= 0)
    return sal_refuse(why, SAL_SEAT_TAKEN, NULL, "You sit here already.");
  return 0;
}

static int make_sit(struct room *r, const struct store_move *m) {
  struct room_seat *seat = &r->seat[m->seat];
  struct sitting s;
  read_sitting(m->text, &s);
  seat->kind = SEAT_PERSON;
  seat->person = s.person;
  seat->has_part = s.has_part;
  seat->part = s.part;
  strcpy(seat->name, s.name);
  return 0;
}

static int check_leave(const struct room *r, const struct store_move *m,
                       int64_t answers, struct sal_refusal *why) {
  (void)answers;
  if (r->seat[m->seat].kind != SEAT_PERSON)
    return sal_refuse(why, SAL_NOT_SEATED, NULL, NULL);
  if (r->table)
    return sal_refuse(why, SAL_NOT_ALLOWED, NULL,
                      "The game has begun; you can resign.");
  return 0;
}

static int make_leave(struct room *r, const struct store_move *m) {
  memset(&r->seat[m->seat], 0, sizeof r->seat[m->seat]);
  return 0;
}

static int check_start(const struct room *r, const struct store_move *m,
                       int64_t answers, struct sal_refusal *why) {
  (void)m, (void)answers;
  if (r->table)
    return sal_refuse(why, SAL_LATE, NULL, NULL);
  if (!room_is_full(r))
    return sal_refuse(why, SAL_NOT_STARTED, NULL, "A seat is still open.");
  return 0;
}

/* The parts of those who gave one; of the others, zeros. */
static void gather_parts(const struct room *r, struct sal_plan *plan) {
  for (int i = 0; i < r->head.setup.players; i++) {
    plan->part[i] = r->seat[i].part;
    if (r->seat[i].has_part)
      plan->parts = r->head.setup.players;
  }
}

static int make_start(struct room *r, const struct store_move *m) {
  (void)m;
  struct sal_plan plan = {
      .game = r->head.game, .setup = r->head.setup, .seed = r->head.seed};
  gather_parts(r, &plan);
  r->table = sal_table_new(&plan);
  return r->table ? 0 : SAL_NO_MEMORY;
}

static int check_act(const struct room *r, const struct store_move *m,
                     int64_t answers, struct sal_refusal *why) {
  if (!r->table)
    return sal_refuse(why, SAL_NOT_STARTED, NULL, NULL);
  const bool asked = room_asked(r) >> m->seat & 1;
  const bool late = asked ? answers < r->asked_since[m->seat]
                          : answers < r->seq - 1 && room_in_play(r);
  if (late || answers >= r->seq)
    return sal_refuse(why, SAL_LATE, NULL, NULL);
  return sal_table_try(r->table, m->seat, m->text, why);
}

static int make_act(struct room *r, const struct store_move *m) {
  return sal_table_act(r->table, m->seat, m->text, NULL);
}

static int check_resign(const struct room *r, const struct store_move *m,
                        int64_t answers, struct sal_refusal *why) {
  (void)answers;
  if (r->seat[m->seat].kind != SEAT_PERSON)
    return sal_refuse(why, SAL_NOT_SEATED, NULL, NULL);
  if (!r->table)
    return sal_refuse(why, SAL_NOT_STARTED, NULL, NULL);
  return room_in_play(r) ? 0 : sal_refuse(why, SAL_GAME_OVER, NULL, NULL);
}

static int make_resign(struct room *r, const struct store_move *m) {
  r->seat[m->seat].kind = SEAT_BOT;
  r->seat[m->seat].bot = r->head.stand_in;
  return 0;
}

static int check_end(const struct room *r, const struct store_move *m,
                     int64_t answers, struct sal_refusal *why) {
  (void)r, (void)m, (void)answers, (void)why;
  return 0;
}

static int make_end(struct room *r, const struct store_move *m) {
  (void)m;
  r->ended = true;
  return 0;
}

static const struct kind {
  const char *name;
  bool seated; /* it is a seat's move */
  int (*check)(const struct room *r, const struct store_move *m,
               int64_t answers, struct sal_refusal *why);
  int (*make)(struct room *r, const struct store_move *m);
} kinds[] = {
    {"sit", true, check_sit, make_sit},
    {"leave", true, check_leave, make_leave},
    {"start", false, check_start, make_start},
    {"act", true, check_act, make_act},
    {"resign", true, check_resign, make_resign},
    {"end", false, check_end, make_end},
};

static const struct kind *kind_of(const struct store_move *m) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i].name, m->kind) == 0)
      return &kinds[i];
  return NULL;
}

int room_check(const struct room *r, const struct store_move *m,
               int64_t answers, struct sal_refusal *why) {
  const struct kind *k = kind_of(m);
  if (r->ended)
    return sal_refuse(why, SAL_NO_TABLE, NULL, "This table is closed.");
  if (!k || (k->seated && (m->seat < 0 || m->seat >= r->head.setup.players)))
    return sal_refuse(why, SAL_BAD_REQUEST, NULL, "There is no such seat.");
  return k->check(r, m, answers, why);
}

/* ---- Questions ------------------------------------------------------------ */

/* What a seat is asked, as one number; 0 if it is not asked. */
static uint64_t question(const struct room *r, int seat, sal_action *legal) {
  if (!(room_asked(r) >> seat & 1))
    return 0;
  const size_t n = sal_table_legal(r->table, seat, legal);
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < n; i++)
    hash = (hash ^ legal[i]) * 1099511628211u;
  return hash | 1;
}

/* A seat is asked anew when it has acted itself, when it was not asked before,
 * or when what it may do is not what it was: else another's move, made at the
 * same time, would make its answer late. */
int room_make(struct room *r, const struct store_move *m,
              struct sal_refusal *why) {
  uint64_t before[SAL_SEATS_MAX] = {0};
  const int players = r->head.setup.players;
  sal_action *legal = malloc(r->head.game->info.legal_max * sizeof *legal);
  if (!legal)
    return sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
  for (int s = 0; s < players; s++)
    before[s] = s == m->seat ? 0 : question(r, s, legal);
  const int error = kind_of(m)->make(r, m);
  if (!error) {
    for (int s = 0; s < players; s++)
      if (!before[s] || question(r, s, legal) != before[s])
        r->asked_since[s] = r->seq;
    r->seq++;
  }
  free(legal);
  return error ? sal_refuse(why, error, NULL, NULL) : 0;
}
