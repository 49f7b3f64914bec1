/* salotto referee: the engine as JSON Lines (docs/protocol.md).
 *
 * Main invariant: every line that is not blank gets exactly one reply, and a
 * refusal leaves the table as it was. */
#include "cli.h"
#include "referee_inside.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64, RECORD_VERSION = 1 };

struct referee *referee_new(void) {
  struct referee *r = calloc(1, sizeof *r);
  return r;
}

static void replace_table(struct referee *r, sal_table *t, char *deal) {
  sal_table_free(r->table);
  free(r->deal);
  r->table = t;
  r->deal = deal;
}

void referee_free(struct referee *r) {
  if (!r)
    return;
  for (int i = 0; i < TABLES_MAX; i++) {
    sal_table_free(r->tables[i].table);
    free(r->tables[i].deal);
  }
  free(r);
}

/* ---- Reading a line ----------------------------------------------------- */

/* jansson has no depth limit of our size and no unsigned numbers, so the line
 * is scanned once before it is parsed. At the top level the scan finds where
 * the values of "id" and "seed" stand; the id is repeated as it was written. */
struct scan {
  const char *s;
  size_t length, at;
  int depth;
  size_t key, key_length; /* the last text at the top level */
  size_t *open;           /* where the value in progress notes its end */
  size_t id[2], seed[2];  /* from, to; to == 0: not there */
};

static void scan_text(struct scan *c) {
  const size_t from = ++c->at;
  while (c->at < c->length && c->s[c->at] != '"')
    c->at += c->s[c->at] == '\\' ? 2 : 1;
  if (c->at > c->length)
    c->at = c->length;
  if (c->depth == 1) {
    c->key = from;
    c->key_length = c->at - from;
  }
}

static bool key_is(const struct scan *c, const char *name) {
  return c->key_length == strlen(name) &&
         memcmp(c->s + c->key, name, c->key_length) == 0;
}

static void value_ends(struct scan *c) {
  if (c->depth == 1 && c->open) {
    c->open[1] = c->at;
    c->open = NULL;
  }
}

/* A whole number above INT64_MAX, up to UINT64_MAX, becomes INT64_MAX in the
 * copy that jansson reads: as a seat or count it is out of range either way,
 * and the seed is read from its own text. */
static void tame_number(struct scan *c, char *copy) {
  const size_t from = c->at;
  bool whole = true;
  for (; c->at + 1 < c->length; c->at++) {
    const char next = c->s[c->at + 1];
    if (!next || !strchr("0123456789+-.eE", next))
      break;
    whole &= next >= '0' && next <= '9';
  }
  const size_t n = c->at + 1 - from;
  if (!whole || n < 19 || n > 20 || c->s[from] == '0' || c->s[from] == '-')
    return;
  char digits[21] = {0};
  memcpy(digits, c->s + from, n);
  if (n == 20 && strcmp(digits, "18446744073709551615") > 0)
    return;
  if (n == 19 && strcmp(digits, "9223372036854775807") <= 0)
    return;
  memset(copy + from, ' ', n);
  memcpy(copy + from, "9223372036854775807", 19);
}

/* False: nested too deep. */
static bool scan_line(struct scan *c, char *copy) {
  for (c->at = 0; c->at < c->length; c->at++) {
    const char ch = c->s[c->at];
    switch (ch) {
    case '"': scan_text(c); break;
    case '{':
    case '[':
      if (++c->depth > DEPTH_MAX)
        return false;
      break;
    case '}':
    case ']':
      value_ends(c);
      c->depth--;
      break;
    case ',': value_ends(c); break;
    case ':':
      if (c->depth == 1 && !c->open) {
        c->open = key_is(c, "id") ? c->id : key_is(c, "seed") ? c->seed : NULL;
        if (c->open)
          c->open[0] = c->at + 1;
      }
      break;
    default:
      if (ch == '-' || (ch >= '0' && ch <= '9'))
        tame_number(c, copy);
    }
  }
  return true;
}

/* ---- Replies ------------------------------------------------------------ */

void referee_begin(struct referee *r, bool ok) {
  fputs(ok ? "{\"ok\":true" : "{\"ok\":false", r->out);
  if (r->id)
    fprintf(r->out, ",\"id\":%s", r->id);
}

void referee_end(struct referee *r) { fputs("}\n", r->out); }

void referee_refuse(struct referee *r, const struct sal_refusal *why) {
  struct sal_text t;
  struct sal_json j;
  sal_text_init(&t, r->scratch, sizeof r->scratch);
  sal_json_init(&j, &t);
  sal_json_object(&j, NULL);
  sal_json_string(&j, "code", sal_error_name(why->code));
  if (why->rule)
    sal_json_string(&j, "rule", why->rule);
  else
    sal_json_null(&j, "rule");
  sal_json_string(&j, "message", why->message);
  sal_json_end(&j, '}');
  referee_begin(r, false);
  fprintf(r->out, ",\"error\":%s", r->scratch);
  referee_end(r);
}

void referee_refuse_as(struct referee *r, int code, const char *message) {
  struct sal_refusal why;
  sal_refuse(&why, code, NULL, message);
  referee_refuse(r, &why);
}

static void put_state(struct referee *r, int viewer) {
  struct sal_text t;
  struct sal_json j;
  sal_text_init(&t, r->scratch, sizeof r->scratch);
  sal_json_init(&j, &t);
  sal_table_facts(r->table, viewer, &j, NULL);
  fprintf(r->out, ",\"state\":%s", r->scratch);
}

static void put_events(struct referee *r, size_t since, int viewer) {
  fputs(",\"events\":[", r->out);
  const size_t count = sal_table_event_count(r->table);
  for (size_t n = since; n < count; n++) {
    struct sal_text t;
    struct sal_json j;
    sal_text_init(&t, r->scratch, sizeof r->scratch);
    sal_json_init(&j, &t);
    sal_table_event_facts(r->table, n, viewer, &j);
    fprintf(r->out, "%s%s", n == since ? "" : ",", r->scratch);
  }
  fputc(']', r->out);
}

static void seed_hex(const struct referee *r, char hex[2 * SAL_KEY_SIZE + 1]) {
  struct sal_text t;
  sal_text_init(&t, hex, 2 * SAL_KEY_SIZE + 1);
  sal_text_hex(&t, sal_table_seed(r->table)->bytes, SAL_KEY_SIZE);
}

static void commitment_hex(const struct referee *r,
                           char hex[2 * SAL_KEY_SIZE + 1]) {
  struct sal_key key;
  struct sal_text t;
  sal_table_commitment(r->table, &key);
  sal_text_init(&t, hex, 2 * SAL_KEY_SIZE + 1);
  sal_text_hex(&t, key.bytes, SAL_KEY_SIZE);
}

static void reply_new(struct referee *r) {
  char hex[2 * SAL_KEY_SIZE + 1];
  seed_hex(r, hex);
  referee_begin(r, true);
  fprintf(r->out, ",\"seed\":\"%s\"", hex);
  commitment_hex(r, hex);
  fprintf(r->out, ",\"commitment\":\"%s\"", hex);
  put_state(r, SAL_EVERYTHING);
  referee_end(r);
}

/* ---- Making a table ----------------------------------------------------- */

const json_t *referee_present(const json_t *object, const char *key) {
  const json_t *v = json_object_get(object, key);
  return v && !json_is_null(v) ? v : NULL;
}

/* A scalar as deals and options write it; NULL if it is none. */
static const char *scalar_text(const json_t *v, char *buffer, size_t size) {
  if (json_is_string(v))
    return json_string_value(v);
  if (!json_is_integer(v) || json_integer_value(v) < 0)
    return NULL;
  struct sal_text t;
  sal_text_init(&t, buffer, size);
  sal_text_int(&t, json_integer_value(v));
  return buffer;
}

static int read_seed(const struct referee *r, const json_t *v,
                     struct sal_key *out, struct sal_refusal *why) {
  if (!v) {
    sal_key_random(out);
    return 0;
  }
  if (json_is_string(v) &&
      sal_hex_read(json_string_value(v), out->bytes, SAL_KEY_SIZE))
    return 0;
  if (json_is_integer(v) && json_integer_value(v) >= 0) {
    uint64_t number = (uint64_t)json_integer_value(v);
    if (number == INT64_MAX && r->seed_text)
      number = strtoull(r->seed_text, NULL, 10);
    sal_key_number(number, out);
    return 0;
  }
  return sal_refuse(why, SAL_BAD_REQUEST, NULL,
                    "\"seed\" is a whole number from 0 to 2^64-1 or 64 hex "
                    "digits.");
}

static int read_game_options(const struct sal_game *g, const json_t *options,
                             struct sal_setup *setup, struct sal_refusal *why) {
  const char *name;
  json_t *v;
  json_object_foreach((json_t *)options, name, v) {
    char buffer[SAL_MESSAGE_MAX], number[24];
    struct sal_text problem;
    sal_text_init(&problem, buffer, sizeof buffer);
    const int o = sal_option_find(g, name);
    if (o >= 0 && json_is_null(v))
      continue; /* left at its default */
    const char *value = scalar_text(v, number, sizeof number);
    const bool fits = o < 0 || (g->info.options[o].kind == SAL_OPTION_SEAT) ==
                                   (bool)json_is_integer(v);
    if (!value || !fits) {
      sal_text_add(&problem, "The option ");
      sal_text_clip(&problem, name, 60);
      sal_text_add(&problem,
                   o >= 0 && g->info.options[o].kind == SAL_OPTION_SEAT
                       ? " is the number of a seat."
                       : " is a text.");
      return sal_refuse(why, SAL_BAD_OPTION, NULL, buffer);
    }
    if (!set_option(g, setup, name, value, &problem))
      return sal_refuse(why, SAL_BAD_OPTION, NULL, buffer);
  }
  return 0;
}

static int read_list(struct sal_deals *d, int entry, const char *pile, int list,
                     const json_t *cards, struct sal_refusal *why) {
  size_t i;
  json_t *card;
  int error = sal_deals_open(d, entry, pile, list, why);
  json_array_foreach(cards, i, card) {
    char number[24];
    const char *name = scalar_text(card, number, sizeof number);
    if (!error && !name)
      error = sal_refuse(why, SAL_BAD_DEAL, NULL,
                         "A card in a deal is a text or a number.");
    if (!error)
      error = sal_deals_card(d, name, why);
    if (error)
      break;
  }
  return error;
}

static int read_entry(struct sal_deals *d, const struct sal_game *g,
                      const struct sal_setup *setup, int entry,
                      const json_t *object, struct sal_refusal *why) {
  struct sal_pile piles[SAL_PILES_MAX];
  const int pile_count = g->piles(setup, entry, piles);
  const char *name;
  json_t *v;
  if (!json_is_object(object))
    return sal_refuse(why, SAL_BAD_DEAL, NULL,
                      "Each entry of \"deal\" is an object.");
  json_object_foreach((json_t *)object, name, v) {
    int lists = 0, error = 0;
    for (int p = 0; p < pile_count; p++)
      if (strcmp(piles[p].name, name) == 0)
        lists = piles[p].lists;
    if (!json_is_array(v))
      return sal_refuse(why, SAL_BAD_DEAL, NULL,
                        "Each part of a deal is a list.");
    if (lists == 0) {
      error = read_list(d, entry, name, 0, v, why);
    } else if (json_array_size(v) != (size_t)lists) {
      error =
          sal_refuse(why, SAL_BAD_DEAL, NULL, "There must be one list a seat.");
    } else {
      for (int i = 0; i < lists && !error; i++) {
        const json_t *list = json_array_get(v, (size_t)i);
        error = json_is_array(list)
                    ? read_list(d, entry, name, i, list, why)
                    : sal_refuse(why, SAL_BAD_DEAL, NULL,
                                 "There must be one list a seat.");
      }
    }
    if (error)
      return error;
  }
  return 0;
}

static int read_deals(const struct sal_game *g, const struct sal_setup *setup,
                      const json_t *deal, struct sal_deals **out,
                      struct sal_refusal *why) {
  if (!json_is_array(deal))
    return sal_refuse(why, SAL_BAD_DEAL, NULL, "\"deal\" is a list.");
  struct sal_deals *d = sal_deals_new(g, setup);
  if (!d)
    return sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
  int error = 0;
  size_t i;
  json_t *entry;
  json_array_foreach(deal, i, entry) {
    if ((error = read_entry(d, g, setup, (int)i, entry, why)) != 0)
      break;
  }
  if (!error)
    error = sal_deals_check(d, why);
  if (error) {
    sal_deals_free(d);
    return error;
  }
  *out = d;
  return 0;
}

/* Says which numbers of players the game has. */
static int refuse_players(const struct sal_game *g, json_int_t players,
                          struct sal_refusal *why) {
  struct sal_setup setup;
  sal_setup_default(
      g, players < 0 || players > SAL_SEATS_MAX + 1 ? 0 : (int)players, &setup);
  if (setup.players == (int)players && sal_setup_check(g, &setup, why)) {
    why->code = SAL_BAD_REQUEST;
    return SAL_BAD_REQUEST;
  }
  char buffer[SAL_MESSAGE_MAX];
  const int least = g->info.players_min, most = g->info.players_max;
  if (least == most)
    snprintf(buffer, sizeof buffer, "%s is for %d players.", g->info.title,
             most);
  else
    snprintf(buffer, sizeof buffer, "%s is for %d to %d players.",
             g->info.title, least, most);
  return sal_refuse(why, SAL_BAD_REQUEST, NULL, buffer);
}

/* The plan that a request or a record describes. */
static int read_plan(const struct referee *r, const json_t *from,
                     struct sal_plan *plan, struct sal_refusal *why) {
  memset(plan, 0, sizeof *plan);
  const json_t *game = json_object_get(from, "game");
  const json_t *players = json_object_get(from, "players");
  const json_t *options = referee_present(from, "options");
  const json_t *deal = referee_present(from, "deal");
  if (!json_is_string(game))
    return sal_refuse(why, SAL_BAD_REQUEST, NULL, "\"game\" is a text.");
  if (!(plan->game = sal_game_find(json_string_value(game))))
    return sal_refuse(why, SAL_UNKNOWN_GAME, NULL,
                      "There is no such game; {\"op\":\"games\"} lists them.");
  if (!json_is_integer(players))
    return sal_refuse(why, SAL_BAD_REQUEST, NULL,
                      "\"players\" is a whole number.");
  if (json_integer_value(players) < plan->game->info.players_min ||
      json_integer_value(players) > plan->game->info.players_max)
    return refuse_players(plan->game, json_integer_value(players), why);
  if (options && !json_is_object(options))
    return sal_refuse(why, SAL_BAD_REQUEST, NULL, "\"options\" is an object.");
  int error = read_seed(r, referee_present(from, "seed"), &plan->seed, why);
  sal_setup_default(plan->game, (int)json_integer_value(players), &plan->setup);
  if (!error && options)
    error = read_game_options(plan->game, options, &plan->setup, why);
  if (!error && deal)
    error = read_deals(plan->game, &plan->setup, deal, &plan->deals, why);
  return error;
}

/* The table of a request or a record, with a copy of its deal; NULL: refused.
 */
static sal_table *build_table(const struct referee *r, const json_t *from,
                              char **deal, struct sal_refusal *why) {
  struct sal_plan plan;
  if (read_plan(r, from, &plan, why) != 0)
    return NULL;
  const json_t *d = referee_present(from, "deal");
  sal_table *t = sal_table_new(&plan);
  *deal = d ? json_dumps(d, JSON_COMPACT) : NULL;
  if (!t || (d && !*deal)) {
    sal_table_free(t);
    free(*deal);
    sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
    return NULL;
  }
  return t;
}

static void op_new(struct referee *r) {
  struct sal_refusal why;
  char *deal;
  sal_table *t = build_table(r, r->request, &deal, &why);
  if (!t) {
    referee_refuse(r, &why);
    return;
  }
  replace_table(r, t, deal);
  reply_new(r);
}

static int replay_actions(sal_table *t, const json_t *actions,
                          struct sal_refusal *why) {
  size_t i;
  json_t *pair;
  if (!json_is_array(actions))
    return sal_refuse(why, SAL_BAD_RECORD, NULL,
                      "A record has a list of \"actions\".");
  json_array_foreach(actions, i, pair) {
    const json_t *seat = json_array_get(pair, 0);
    const json_t *text = json_array_get(pair, 1);
    if (json_array_size(pair) != 2 || !json_is_integer(seat) ||
        json_integer_value(seat) < 0 ||
        json_integer_value(seat) >= sal_table_players(t) ||
        !json_is_string(text))
      return sal_refuse(why, SAL_BAD_RECORD, NULL,
                        "An action of a record is [seat, \"action\"].");
    struct sal_refusal illegal;
    if (sal_table_act(t, (int)json_integer_value(seat), json_string_value(text),
                      &illegal) != 0) {
      char buffer[SAL_MESSAGE_MAX];
      struct sal_text m;
      sal_text_init(&m, buffer, sizeof buffer);
      sal_text_add(&m, "Action ");
      sal_text_int(&m, (int64_t)i + 1);
      sal_text_add(&m, ": ");
      sal_text_add(&m, illegal.message);
      return sal_refuse(why, SAL_BAD_RECORD, NULL, buffer);
    }
  }
  return 0;
}

static void op_load(struct referee *r) {
  const json_t *record = referee_present(r->request, "record");
  struct sal_refusal why;
  if (!record) {
    referee_refuse_as(r, SAL_BAD_REQUEST, "\"record\" is missing.");
    return;
  }
  const json_t *version = referee_present(record, "version");
  if (version && json_integer_value(version) != RECORD_VERSION) {
    referee_refuse_as(
        r, SAL_BAD_RECORD,
        "This record has another version; this program reads version 1.");
    return;
  }
  const json_t *seed = referee_present(record, "seed");
  if (!seed ||
      (json_is_integer(seed) && json_integer_value(seed) == INT64_MAX)) {
    /* INT64_MAX stands for larger numbers too; see tame_number */
    referee_refuse_as(r, SAL_BAD_RECORD, "A record is an object with a seed.");
    return;
  }
  r->seed_text = NULL;
  char *deal;
  sal_table *t = build_table(r, record, &deal, &why);
  if (t && replay_actions(t, json_object_get(record, "actions"), &why) != 0) {
    sal_table_free(t);
    free(deal);
    t = NULL;
  }
  if (!t) {
    if (why.code != SAL_NO_MEMORY)
      why.code = SAL_BAD_RECORD;
    why.rule = NULL;
    referee_refuse(r, &why);
    return;
  }
  replace_table(r, t, deal);
  reply_new(r);
}

/* ---- Looking and acting ------------------------------------------------- */

/* The seat of a request, once its shape is known to be right: a seat of the
 * table, or SAL_SPECTATOR for null. False: refused. */
static bool read_named_seat(struct referee *r, const json_t *v, int *seat) {
  if (!v || json_is_null(v)) {
    *seat = SAL_SPECTATOR;
    return true;
  }
  const json_int_t n = json_integer_value(v);
  if (n < 0 || n >= sal_table_players(r->table)) {
    referee_refuse_as(r, SAL_BAD_REQUEST,
                      "There is no such seat at this table.");
    return false;
  }
  *seat = (int)n;
  return true;
}

bool referee_seat(struct referee *r, int *seat) {
  return read_named_seat(r, json_object_get(r->request, "seat"), seat);
}

static void op_state(struct referee *r) {
  referee_begin(r, true);
  put_state(r, SAL_EVERYTHING);
  referee_end(r);
}

/* The view for a program with the same library. */
static void put_packed(struct referee *r, int seat) {
  union sal_view_box box;
  struct sal_text t;
  sal_table_view(r->table, seat, (sal_view *)box.bytes);
  sal_text_init(&t, r->scratch, sizeof r->scratch);
  sal_view_pack(sal_table_game(r->table), (const sal_view *)box.bytes, &t);
  fprintf(r->out, ",\"packed\":\"%s\"", r->scratch);
}

static void op_view(struct referee *r) {
  int seat;
  if (!referee_seat(r, &seat))
    return;
  referee_begin(r, true);
  put_state(r, seat);
  if (json_is_true(json_object_get(r->request, "packed")))
    put_packed(r, seat);
  referee_end(r);
}

void referee_text(struct referee *r, sal_action a) {
  char text[SAL_ACTION_TEXT_MAX];
  struct sal_text t;
  sal_text_init(&t, text, sizeof text);
  sal_table_game(r->table)->action_text(a, &t);
  fprintf(r->out, "\"%s\"", text);
}

/* What a seat may do; nothing for a spectator. */
void referee_actions(struct referee *r, int seat) {
  size_t n = 0;
  const sal_action *legal =
      seat < 0 ? NULL : sal_table_choices(r->table, seat, &n);
  fputs(",\"actions\":[", r->out);
  for (size_t i = 0; i < n; i++) {
    fputs(i ? "," : "", r->out);
    referee_text(r, legal[i]);
  }
  fputc(']', r->out);
}

static void op_legal(struct referee *r) {
  int seat;
  if (!referee_seat(r, &seat))
    return;
  referee_begin(r, true);
  referee_actions(r, seat);
  referee_end(r);
}

/* Events and state after something was done: everything; or, with "for", as
 * that seat sees it, and what it may do now. */
static void reply_done(struct referee *r, size_t before, int viewer) {
  referee_begin(r, true);
  put_events(r, before, viewer);
  put_state(r, viewer);
  if (viewer != SAL_EVERYTHING)
    referee_actions(r, viewer);
  referee_end(r);
}

/* Who the answer is for. False: refused. */
static bool read_for(struct referee *r, int *viewer) {
  const json_t *v = json_object_get(r->request, "for");
  *viewer = SAL_EVERYTHING;
  return !v || read_named_seat(r, v, viewer);
}

static void op_act(struct referee *r) {
  int seat, viewer;
  if (!referee_seat(r, &seat) || !read_for(r, &viewer))
    return;
  const char *action = json_string_value(json_object_get(r->request, "action"));
  const size_t before = sal_table_event_count(r->table);
  struct sal_refusal why;
  if (sal_table_act(r->table, seat, action, &why) != 0) {
    referee_refuse(r, &why);
    return;
  }
  reply_done(r, before, viewer);
}

static void op_undo(struct referee *r) {
  int seat, viewer;
  struct sal_refusal why;
  if (!referee_seat(r, &seat) || !read_for(r, &viewer))
    return;
  const size_t before = sal_table_event_count(r->table);
  if (sal_table_undo(r->table, seat, &why) != 0)
    referee_refuse(r, &why);
  else
    reply_done(r, before, viewer);
}

/* The options in force, files written out, the built-in ones too. */
static void op_options(struct referee *r) {
  const struct sal_game *g = sal_table_game(r->table);
  struct sal_text t;
  struct sal_json j;
  sal_text_init(&t, r->scratch, sizeof r->scratch);
  sal_json_init(&j, &t);
  sal_table_options(r->table, false, &j, NULL);
  referee_begin(r, true);
  fprintf(r->out, ",\"options\":%s,\"files\":{", r->scratch);
  const char *gap = "";
  for (int i = 0; g->info.options[i].name; i++)
    if (g->info.options[i].kind == SAL_OPTION_FILE) {
      sal_text_clear(&t);
      g->option_write(i, sal_table_setup(r->table)->option[i], &t);
      fprintf(r->out, "%s\"%s\":%s", gap, g->info.options[i].name, r->scratch);
      gap = ",";
    }
  fputc('}', r->out);
  referee_end(r);
}

/* The table is closed, and its name free. */
static void op_close(struct referee *r) {
  replace_table(r, NULL, NULL);
  referee_begin(r, true);
  referee_end(r);
}

static void op_events(struct referee *r) {
  int seat;
  if (!referee_seat(r, &seat))
    return;
  const json_t *since = referee_present(r->request, "since");
  referee_begin(r, true);
  put_events(r, since ? (size_t)json_integer_value(since) : 0, seat);
  referee_end(r);
}

static void op_save(struct referee *r) {
  const struct sal_game *g = sal_table_game(r->table);
  char hex[2 * SAL_KEY_SIZE + 1];
  seed_hex(r, hex);
  referee_begin(r, true);
  fprintf(r->out,
          ",\"record\":{\"format\":\"salotto-record\",\"version\":1,"
          "\"game\":\"%s\",\"players\":%d,\"options\":",
          g->info.id, sal_table_players(r->table));
  struct sal_text t;
  struct sal_json j;
  sal_text_init(&t, r->scratch, sizeof r->scratch);
  sal_json_init(&j, &t);
  sal_table_options(r->table, true, &j, NULL);
  fprintf(r->out, "%s,\"seed\":\"%s\"", r->scratch, hex);
  if (r->deal)
    fprintf(r->out, ",\"deal\":%s", r->deal);
  fputs(",\"actions\":[", r->out);
  const size_t n = sal_table_length(r->table);
  for (size_t i = 0; i < n; i++) {
    char text[SAL_ACTION_TEXT_MAX];
    int seat;
    sal_text_init(&t, text, sizeof text);
    sal_table_action(r->table, i, &seat, &t);
    fprintf(r->out, "%s[%d,\"%s\"]", i ? "," : "", seat, text);
  }
  fputs("]}", r->out);
  referee_end(r);
}

static void op_games(struct referee *r) {
  struct sal_text t;
  struct sal_json j;
  sal_text_init(&t, r->scratch, sizeof r->scratch);
  sal_json_init(&j, &t);
  sal_json_list(&j, NULL);
  for (size_t i = 0; sal_games[i]; i++) {
    const struct sal_info *info = &sal_games[i]->info;
    sal_json_object(&j, NULL);
    sal_json_string(&j, "id", info->id);
    sal_json_string(&j, "title", info->title);
    sal_json_list(&j, "players");
    sal_json_int(&j, NULL, info->players_min);
    sal_json_int(&j, NULL, info->players_max);
    sal_json_end(&j, ']');
    sal_json_object(&j, "options");
    for (const struct sal_option *o = info->options; o->name; o++) {
      sal_json_object(&j, o->name);
      if (o->kind == SAL_OPTION_FILE) {
        sal_json_string(&j, "values", "file");
      } else {
        sal_json_list(&j, "values");
        if (o->kind == SAL_OPTION_SEAT)
          for (int s = 0; s < info->players_max; s++)
            sal_json_int(&j, NULL, s);
        else
          for (int w = 0; o->words[w]; w++)
            sal_json_string(&j, NULL, o->words[w]);
        sal_json_end(&j, ']');
      }
      if (o->kind == SAL_OPTION_WORD)
        sal_json_string(&j, "default", o->words[0]);
      else
        sal_json_null(&j, "default");
      sal_json_string(&j, "about", o->about);
      sal_json_end(&j, '}');
    }
    sal_json_end(&j, '}');
    sal_json_end(&j, '}');
  }
  sal_json_end(&j, ']');
  referee_begin(r, true);
  fprintf(r->out, ",\"games\":%s", r->scratch);
  referee_end(r);
}

/* ---- Requests ----------------------------------------------------------- */

enum needs {
  NEEDS_NOTHING = 0,
  NEEDS_TABLE = 1,
  NEEDS_SEAT = 2,   /* a number or null */
  NEEDS_PLAYER = 4, /* a number */
  NEEDS_ACTION = 8,
  TAKES_SEAT = 16, /* as NEEDS_SEAT, or absent */
  TAKES_SINCE = 32
};

static const struct op {
  const char *name;
  int needs;
  void (*run)(struct referee *r);
} ops[] = {
    {"games", NEEDS_NOTHING, op_games},
    {"new", NEEDS_NOTHING, op_new},
    {"load", NEEDS_NOTHING, op_load},
    {"state", NEEDS_TABLE, op_state},
    {"view", NEEDS_TABLE | NEEDS_SEAT, op_view},
    {"legal", NEEDS_TABLE | NEEDS_PLAYER, op_legal},
    {"act", NEEDS_TABLE | NEEDS_PLAYER | NEEDS_ACTION, op_act},
    {"events", NEEDS_TABLE | TAKES_SEAT | TAKES_SINCE, op_events},
    {"save", NEEDS_TABLE, op_save},
    {"undo", NEEDS_TABLE | NEEDS_PLAYER, op_undo},
    {"bot", NEEDS_TABLE | NEEDS_PLAYER, referee_bot},
    {"sample", NEEDS_TABLE | NEEDS_SEAT, referee_sample},
    {"tensor", NEEDS_TABLE | NEEDS_SEAT, referee_tensor},
    {"options", NEEDS_TABLE, op_options},
    {"close", NEEDS_TABLE, op_close},
};

/* What is wrong with the shape of a request, or NULL. */
static const char *misshapen(const json_t *request, int needs) {
  const json_t *seat = json_object_get(request, "seat");
  const json_t *since = referee_present(request, "since");
  if ((needs & NEEDS_PLAYER) && !json_is_integer(seat))
    return "\"seat\" is the number of a seat.";
  if ((needs & NEEDS_SEAT) && !json_is_integer(seat) && !json_is_null(seat))
    return "\"seat\" is the number of a seat, or null for a spectator.";
  if ((needs & TAKES_SEAT) && seat && !json_is_integer(seat) &&
      !json_is_null(seat))
    return "\"seat\" is the number of a seat, or null for a spectator.";
  const json_t *viewer = json_object_get(request, "for");
  if (viewer && !json_is_integer(viewer) && !json_is_null(viewer))
    return "\"for\" is the number of a seat, or null for a spectator.";
  if ((needs & NEEDS_ACTION) &&
      !json_is_string(json_object_get(request, "action")))
    return "\"action\" is a text.";
  if ((needs & TAKES_SINCE) && since &&
      (!json_is_integer(since) || json_integer_value(since) < 0))
    return "\"since\" is the number of an event.";
  return NULL;
}

/* The place of the table that a request names, an empty one for a new name, or
 * NULL: refused. */
static struct seating *find_seating(struct referee *r) {
  const json_t *v = referee_present(r->request, "table");
  const char *name = v ? json_string_value(v) : "";
  struct seating *empty = NULL;
  if (!name || strlen(name) >= NAME_SIZE || (v && !*name)) {
    referee_refuse_as(
        r, SAL_BAD_REQUEST,
        "\"table\" is a text of 1 to 40 bytes: the table's name.");
    return NULL;
  }
  for (int i = 0; i < TABLES_MAX; i++) {
    struct seating *s = &r->tables[i];
    if (s->table && strcmp(s->name, name) == 0)
      return s;
    if (!s->table && !empty)
      empty = s;
  }
  if (empty)
    strcpy(empty->name, name);
  else
    referee_refuse_as(r, SAL_BAD_REQUEST,
                      "64 tables are open; {\"op\":\"close\"} closes one.");
  return empty;
}

/* Does what is asked at the table that is meant. */
static void run_op(struct referee *r, const struct op *op) {
  struct seating *s = find_seating(r);
  if (!s)
    return;
  r->table = s->table;
  r->deal = s->deal;
  if ((op->needs & NEEDS_TABLE) && !r->table)
    referee_refuse_as(r, SAL_NO_TABLE, NULL);
  else
    op->run(r);
  s->table = r->table;
  s->deal = r->deal;
}

/* False: asked to quit. */
static bool answer_request(struct referee *r) {
  const json_t *op = json_object_get(r->request, "op");
  if (!json_is_string(op)) {
    referee_refuse_as(r, SAL_BAD_REQUEST, "\"op\" is missing, or is no text.");
    return true;
  }
  const char *name = json_string_value(op);
  if (strcmp(name, "quit") == 0) {
    referee_begin(r, true);
    referee_end(r);
    return false;
  }
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    if (strcmp(name, ops[i].name) != 0)
      continue;
    const char *problem = misshapen(r->request, ops[i].needs);
    if (problem)
      referee_refuse_as(r, SAL_BAD_REQUEST, problem);
    else
      run_op(r, &ops[i]);
    return true;
  }
  referee_refuse_as(r, SAL_BAD_REQUEST, "There is no such \"op\".");
  return true;
}

static bool blank(const char *line, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r')
      return false;
  return true;
}

static char *copy_of(const char *s, size_t from, size_t to) {
  char *copy = malloc(to - from + 1);
  if (copy) {
    memcpy(copy, s + from, to - from);
    copy[to - from] = '\0';
  }
  return copy;
}

/* What is wrong with a line that is not JSON, and where, in our own words. */
static void refuse_json(struct referee *r, const json_error_t *error) {
  const char *what = "something does not belong there";
  char message[SAL_MESSAGE_MAX];
  switch (json_error_code(error)) {
  case json_error_out_of_memory:
    referee_refuse_as(r, SAL_NO_MEMORY, NULL);
    return;
  case json_error_invalid_utf8: what = "this is not UTF-8"; break;
  case json_error_premature_end_of_input:
    what = "the line ends too early";
    break;
  case json_error_end_of_input_expected:
    what = "something follows after the object";
    break;
  case json_error_null_character:
  case json_error_null_byte_in_key: what = "a text has \\u0000 in it"; break;
  case json_error_duplicate_key: what = "a field stands twice"; break;
  case json_error_numeric_overflow: what = "a number is too large"; break;
  default: break;
  }
  snprintf(message, sizeof message, "This is not JSON: %s, at byte %d.", what,
           error->position);
  referee_refuse_as(r, SAL_BAD_JSON, message);
}

bool referee_line(struct referee *r, const char *line, size_t length,
                  FILE *out) {
  if (blank(line, length))
    return true;
  r->out = out;
  r->id = NULL;
  r->seed_text = NULL;
  char *copy = copy_of(line, 0, length);
  if (!copy) {
    referee_refuse_as(r, SAL_NO_MEMORY, NULL);
    return true;
  }
  struct scan scan = {.s = line, .length = length};
  if (!scan_line(&scan, copy)) {
    free(copy);
    referee_refuse_as(r, SAL_BAD_JSON, "This is nested too deep.");
    return true;
  }
  json_error_t error;
  json_t *request = json_loadb(
      copy, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
  free(copy);
  bool more = true;
  if (!request) {
    refuse_json(r, &error);
  } else if (!json_is_object(request)) {
    referee_refuse_as(r, SAL_BAD_REQUEST, "A request is a JSON object.");
  } else {
    r->request = request;
    if (scan.id[1])
      r->id = copy_of(line, scan.id[0], scan.id[1]);
    else if (json_object_get(request, "id"))
      r->id = json_dumps(json_object_get(request, "id"),
                         JSON_ENCODE_ANY | JSON_COMPACT);
    if (scan.seed[1])
      r->seed_text = line + scan.seed[0];
    more = answer_request(r);
    free(r->id);
    r->id = NULL;
  }
  json_decref(request);
  return more;
}

/* Answers a line that was longer than may be read. */
static void referee_too_long(struct referee *r, FILE *out) {
  r->out = out;
  r->id = NULL;
  referee_refuse_as(r, SAL_BAD_JSON, "This line is longer than 1 MiB.");
}

/* ---- The command -------------------------------------------------------- */

static int run_referee(int argc, char **argv) {
  if (argc > 1)
    return misused(&command_referee, _("'%s' is not recognised."), argv[1]);
  choose_language("en"); /* the protocol speaks English */
  struct referee *r = referee_new();
  char *line = malloc(REFEREE_LINE_MAX + 2);
  bool more = r && line;
  if (!more)
    complain(FAILED, "%s", sal_error_text(SAL_NO_MEMORY));
  int status = more ? DONE : FAILED;
  for (int c = 0; more && c != EOF;) {
    size_t length = 0;
    while ((c = getchar_unlocked()) != EOF && c != '\n')
      if (length <= REFEREE_LINE_MAX)
        line[length++] = (char)c;
    if (length > 0 && line[length - 1] == '\r' && c == '\n')
      length--;
    if (length > REFEREE_LINE_MAX)
      referee_too_long(r, stdout);
    else
      more = referee_line(r, line, length, stdout);
    if (fflush(stdout) != 0) {
      status = complain(FAILED, "%s", _("standard output cannot be written."));
      break;
    }
  }
  free(line);
  referee_free(r);
  return status;
}

const struct command command_referee = {
    "referee", N_("answer an outside program: JSON Lines in, JSON Lines out"),
    "",
    N_("Reads one JSON request a line from standard input and writes one JSON\n"
       "reply a line to standard output, in order. docs/protocol.md\n"
       "describes both. For a first look:\n"
       "  echo '{\"op\":\"games\"}' | salotto referee\n"),
    run_referee};
