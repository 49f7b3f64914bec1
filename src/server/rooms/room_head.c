/* The head of a room: what whoever opens it decides, read from a request or from
 * its first move, and written as that move. */
#include "courts.h"
#include "room.h"

#include <sodium.h>
#include <string.h>

void room_new_id(char out[ROOM_ID + 1]) {
  uint8_t bytes[ROOM_ID];
  randombytes_buf(bytes, sizeof bytes);
  for (int i = 0; i < ROOM_ID; i++)
    out[i] = "abcdefghijkmnpqrstuvwxyz23456789"[bytes[i] % 32];
  out[ROOM_ID] = '\0';
}

static bool read_flag(const json_t *from, const char *key, bool usual,
                      bool *out) {
  const json_t *v = json_object_get(from, key);
  *out = v ? json_is_true(v) : usual;
  return !v || json_is_boolean(v);
}

static int read_head_option(const struct sal_game *g, struct sal_setup *setup,
                            const char *name, const json_t *v) {
  const int o = sal_option_find(g, name);
  char digits[24];
  struct sal_text t;
  if (o >= 0 && json_is_null(v))
    return 0; /* left at its default */
  /* Never a path on this machine: only what somebody has handed in before. */
  if (o >= 0 && o == courts_option(g) && json_is_string(v))
    return courts_find(json_string_value(v), &setup->option[o])
               ? 0
               : SAL_BAD_OPTION;
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

static int read_head_options(const json_t *from, struct room_head *out) {
  const json_t *options = json_object_get(from, "options");
  const char *name;
  json_t *v;
  if (options && !json_is_object(options))
    return SAL_BAD_REQUEST;
  json_object_foreach((json_t *)options, name, v) {
    const int error = read_head_option(out->game, &out->setup, name, v);
    if (error)
      return error;
  }
  return 0;
}

/* "seats" has one word a seat: "open", "invited" or the level of a bot. */
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
    out->invited[i] = strcmp(word, "invited") == 0;
    if (!out->bot[i] && !out->invited[i] && strcmp(word, "open") != 0)
      return false;
  }
  return true;
}

static bool read_head_bot(const json_t *from, struct room_head *out) {
  const json_t *v = json_object_get(from, "stand_in");
  out->stand_in = sal_bot_find(
      v ? json_string_value(v) ? json_string_value(v) : "" : "regular");
  return out->stand_in != NULL;
}

static bool read_member_number(const json_t *from, const char *name,
                               int64_t least, int64_t most, int64_t unit,
                               int64_t *out) {
  const json_t *v = json_object_get(from, name);
  const json_int_t n = json_integer_value(v);
  if (!json_is_integer(v) || n < least || n > most)
    return false;
  *out = n * unit;
  return true;
}

/* null or {"kind":"move","seconds":60}, {"kind":"game","seconds":600,
 * "increment":5}, {"kind":"slow","days":3}. */
static bool read_clock(const json_t *from, struct clock_rule *out) {
  enum { DAY = 86400 };
  const json_t *c = json_object_get(from, "clock");
  const char *kind = json_string_value(json_object_get(c, "kind"));
  if (!c || json_is_null(c))
    return true;
  if (!kind)
    return false;
  if (strcmp(kind, "move") == 0) {
    out->kind = CLOCK_MOVE;
    return read_member_number(c, "seconds", 1, DAY, 1000, &out->budget);
  }
  if (strcmp(kind, "slow") == 0) {
    out->kind = CLOCK_SLOW;
    return read_member_number(c, "days", 1, 30, DAY * (int64_t)1000,
                              &out->budget);
  }
  out->kind = CLOCK_GAME;
  return strcmp(kind, "game") == 0 &&
         read_member_number(c, "seconds", 1, DAY, 1000, &out->budget) &&
         (!json_object_get(c, "increment") ||
          read_member_number(c, "increment", 0, 3600, 1000, &out->increment));
}

static bool has_bots(const struct room_head *h) {
  for (int i = 0; i < h->setup.players; i++)
    if (h->bot[i])
      return true;
  return false;
}

/* A table of people is rated unless it says no; one with bots only if it says
 * yes. Hints and undo are there unless it says no, or says that it is to be
 * rated; what is rated for sure has neither. */
static bool read_help(const json_t *from, bool seeded, struct room_head *out) {
  const bool sure = json_is_true(json_object_get(from, "rated"));
  return read_flag(from, "rated", !has_bots(out), &out->rated) &&
         read_flag(from, "hints", !sure, &out->hints) &&
         read_flag(from, "undo", !sure, &out->undo) &&
         (seeded || !sure || (!out->hints && !out->undo));
}

bool room_has_own_court(const struct room_head *h) {
  const int o = courts_option(h->game);
  return o >= 0 && h->setup.option[o] != 0;
}

/* What is played with values of one's own is among friends, and counts for
 * nothing. */
static bool keep_private(const json_t *from, struct room_head *out) {
  if (!room_has_own_court(out))
    return true;
  out->listed = out->rated = false;
  return !json_is_true(json_object_get(from, "listed")) &&
         !json_is_true(json_object_get(from, "rated"));
}

static bool read_id(const json_t *from, const char *name,
                    char out[ROOM_ID + 1]) {
  const json_t *v = json_object_get(from, name);
  const char *text = json_string_value(v);
  if (text && strlen(text) == ROOM_ID)
    strcpy(out, text);
  return !v || (text && strlen(text) == ROOM_ID);
}

/* What only the server itself writes into a first move. */
static bool read_own(const json_t *from, struct room_head *out) {
  const char *seed = json_string_value(json_object_get(from, "seed"));
  const json_t *kept = json_object_get(from, "kept");
  if (!seed || !sal_hex_read(seed, out->seed.bytes, SAL_KEY_SIZE) ||
      !read_id(from, "key", out->key) || !read_id(from, "before", out->before))
    return false;
  out->by = json_integer_value(json_object_get(from, "by"));
  for (size_t i = 0; i < json_array_size(kept) && i < SAL_SEATS_MAX; i++)
    out->kept[i] = json_integer_value(json_array_get(kept, i));
  return true;
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
  const int error = read_head_options(from, out);
  if (error)
    return sal_refuse(why, error, NULL, NULL);
  if (!read_seats(from, out))
    return sal_refuse(why, SAL_BAD_REQUEST, NULL,
                      "\"seats\" has one word a seat: \"open\", \"invited\" "
                      "or the level of a bot.");
  if (!read_head_bot(from, out) ||
      !read_flag(from, "listed", true, &out->listed) ||
      !read_flag(from, "spectators", true, &out->spectators) ||
      !read_flag(from, "chat", true, &out->chat))
    return sal_refuse(why, SAL_BAD_REQUEST, NULL,
                      "\"listed\", \"spectators\" and \"chat\" are true or "
                      "false; \"stand_in\" is the level of a bot.");
  if (!read_clock(from, &out->clock))
    return sal_refuse(why, SAL_BAD_REQUEST, NULL,
                      "\"clock\" is null or has a \"kind\" with its "
                      "\"seconds\", \"increment\" or \"days\".");
  if (!read_help(from, seeded, out))
    return sal_refuse(why, SAL_BAD_REQUEST, NULL,
                      "\"rated\", \"hints\" and \"undo\" are true or false; "
                      "what is rated has no hints and no undo.");
  if (!keep_private(from, out))
    return sal_refuse(why, SAL_BAD_REQUEST, NULL,
                      N_("A table with a court file is private and not "
                         "rated."));
  if (seeded && !read_own(from, out))
    return sal_refuse(why, SAL_BAD_RECORD, NULL, NULL);
  return 0;
}

/* The court of a table: its id, or with `whole` all that it says. */
static void write_court(const struct room_head *h, int option, bool whole,
                        struct sal_json *j) {
  const int32_t value = h->setup.option[option];
  const char *name = h->game->info.options[option].name;
  char id[COURT_ID + 1];
  if (whole) {
    sal_json_key(j, name);
    h->game->option_write(option, value, j->out);
  } else {
    courts_id(h->game, value, id);
    sal_json_string(j, name, id);
  }
}

static void write_options(const struct room_head *h, bool whole,
                          struct sal_json *j, const char *name) {
  const struct sal_option *o = h->game->info.options;
  sal_json_object(j, name);
  for (int i = 0; o[i].name; i++)
    if (i == courts_option(h->game) && h->setup.option[i] != 0)
      write_court(h, i, whole, j);
    else if (o[i].kind == SAL_OPTION_SEAT && h->setup.option[i] >= 0)
      sal_json_int(j, o[i].name, h->setup.option[i]);
    else if (o[i].kind == SAL_OPTION_WORD)
      sal_json_string(j, o[i].name, o[i].words[h->setup.option[i]]);
  sal_json_end(j, '}');
}

void room_options_write(const struct room_head *h, struct sal_json *j,
                        const char *name) {
  write_options(h, true, j, name);
}

void room_hex_write(struct sal_json *j, const char *name,
                    const struct sal_key *key) {
  char hex[2 * SAL_KEY_SIZE + 1];
  struct sal_text t;
  sal_text_init(&t, hex, sizeof hex);
  sal_text_hex(&t, key->bytes, SAL_KEY_SIZE);
  sal_json_string(j, name, hex);
}

void room_clock_write(const struct clock_rule *c, struct sal_json *j,
                      const char *name) {
  if (c->kind == CLOCK_NONE) {
    sal_json_null(j, name);
    return;
  }
  sal_json_object(j, name);
  sal_json_string(j, "kind",
                  c->kind == CLOCK_MOVE   ? "move"
                  : c->kind == CLOCK_GAME ? "game"
                                          : "slow");
  if (c->kind == CLOCK_SLOW)
    sal_json_int(j, "days", c->budget / 86400000);
  else
    sal_json_int(j, "seconds", c->budget / 1000);
  if (c->kind == CLOCK_GAME)
    sal_json_int(j, "increment", c->increment / 1000);
  sal_json_end(j, '}');
}

bool room_head_waits(const struct room_head *h) {
  for (int i = 0; i < h->setup.players; i++)
    if (!h->bot[i])
      return true;
  return false;
}

void room_head_write(const struct room_head *h, struct sal_text *out) {
  struct sal_json j;
  sal_json_init(&j, out);
  sal_json_object(&j, NULL);
  sal_json_string(&j, "game", h->game->info.id);
  sal_json_int(&j, "players", h->setup.players);
  write_options(h, false, &j, "options");
  sal_json_list(&j, "seats");
  for (int i = 0; i < h->setup.players; i++)
    sal_json_string(&j, NULL,
                    h->bot[i]       ? h->bot[i]->id
                    : h->invited[i] ? "invited"
                                    : "open");
  sal_json_end(&j, ']');
  sal_json_bool(&j, "listed", h->listed);
  sal_json_bool(&j, "spectators", h->spectators);
  sal_json_bool(&j, "chat", h->chat);
  sal_json_bool(&j, "hints", h->hints);
  sal_json_bool(&j, "undo", h->undo);
  sal_json_bool(&j, "rated", h->rated);
  room_clock_write(&h->clock, &j, "clock");
  sal_json_string(&j, "stand_in", h->stand_in->id);
  if (*h->key)
    sal_json_string(&j, "key", h->key);
  if (*h->before) {
    sal_json_string(&j, "before", h->before);
    sal_json_list(&j, "kept");
    for (int i = 0; i < h->setup.players; i++)
      sal_json_int(&j, NULL, h->kept[i]);
    sal_json_end(&j, ']');
  }
  if (h->by)
    sal_json_int(&j, "by", h->by);
  room_hex_write(&j, "seed", &h->seed);
  sal_json_end(&j, '}');
}

void room_head_again(const struct room *r, struct room_head *out) {
  const int n = r->head.setup.players;
  *out = r->head;
  memset(out->bot, 0, sizeof out->bot);
  memset(out->invited, 0, sizeof out->invited);
  memset(out->kept, 0, sizeof out->kept);
  memset(out->key, 0, sizeof out->key);
  out->by = 0;
  strcpy(out->before, r->id);
  sal_key_random(&out->seed);
  for (int i = 0; i < n; i++) {
    const struct room_seat *old = &r->seat[i];
    const int to = (i + 1) % n;
    out->bot[to] = r->head.bot[i];
    if (old->kind != SEAT_PERSON)
      continue; /* who has resigned leaves an open seat */
    out->invited[to] = true;
    out->kept[to] = old->person;
    room_new_id(out->key);
  }
}
