/* salotto join: sit down at a server's table from the terminal, or watch one.
 *
 * Main invariant: what is drawn is what the server has told this connection; a
 * move counts when the server says so. */
#include "join.h"

#include "local.h"
#include "play_save.h"
#include "terminal/input.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Messages out --------------------------------------------------------------- */

static json_t *message(const struct join *j, const char *op) {
  json_t *m = json_pack("{s:s}", "op", op);
  if (m && j->table[0])
    json_object_set_new(m, "table", json_string(j->table));
  return m;
}

static void send_op(struct join *j, const char *op) {
  link_send(j->link, message(j, op));
}

static void ask_to_join(struct join *j) {
  json_t *m = message(j, "join");
  json_object_set_new(m, "since", json_integer((json_int_t)j->next));
  json_object_set_new(m, "lang", json_string(language()));
  link_send(j->link, m);
}

static void hex_of(const unsigned char *bytes, char out[65]) {
  sodium_bin2hex(out, 65, bytes, 32);
}

/* Sits down with the hash of a random part of one's own (docs/fair-deals.md). */
static void sit(struct join *j, int seat) {
  unsigned char hash[32];
  char hex[65];
  json_t *m = message(j, "sit");
  randombytes_buf(j->part, sizeof j->part);
  crypto_generichash(hash, sizeof hash, j->part, sizeof j->part, NULL, 0);
  hex_of(hash, hex);
  json_object_set_new(m, "seat", json_integer(seat));
  json_object_set_new(m, "part_hash", json_string(hex));
  if (j->key[0])
    json_object_set_new(m, "key", json_string(j->key));
  link_send(j->link, m);
}

static void reveal(struct join *j) {
  char hex[65];
  json_t *m = message(j, "part");
  hex_of(j->part, hex);
  json_object_set_new(m, "part", json_string(hex));
  link_send(j->link, m);
}

void join_act(struct join *j, const char *action) {
  json_t *m = message(j, "act");
  json_object_set_new(m, "seq", json_integer((json_int_t)j->seq));
  json_object_set_new(m, "action", json_string(action));
  link_send(j->link, m);
  j->acting = true;
}

void join_undo(struct join *j) {
  json_t *m = message(j, "undo");
  json_object_set_new(m, "seq", json_integer((json_int_t)j->seq));
  link_send(j->link, m);
}

void join_hint(struct join *j) { send_op(j, "hint"); }

void join_say(struct join *j, const char *text) {
  json_t *m = message(j, "chat");
  json_object_set_new(m, "text", json_string(text));
  link_send(j->link, m);
}

static void ask_why(struct join *j, const char *action) {
  json_t *m = message(j, "why");
  json_object_set_new(m, "action", json_string(action));
  link_send(j->link, m);
}

/* ---- Messages in ------------------------------------------------------------------ */

static const char *text_of(const json_t *m, const char *key) {
  const char *text = json_string_value(json_object_get(m, key));
  return text ? text : "";
}

static void notice(struct join *j, const char *text) {
  snprintf(j->scene->notice, SCENE_NOTICE_MAX, "%s", text);
}

static void read_seats(struct join *j, const json_t *seats) {
  j->missing = 0;
  j->free_seat = -1;
  for (size_t i = 0; i < json_array_size(seats) && i < SAL_SEATS_MAX; i++) {
    const json_t *s = json_array_get(seats, i);
    const char *kind = text_of(s, "kind"), *name = text_of(s, "name"),
               *level = text_of(s, "level");
    const struct sal_bot *bot = *level ? sal_bot_find(level) : NULL;
    const bool open = strcmp(kind, "open") == 0,
               invited = strcmp(kind, "invited") == 0;
    snprintf(j->scene->names[i], SCENE_NAME_MAX, "%s",
             *name    ? name
             : bot    ? _(sal_bot_name(bot, (int)i))
             : *level ? level
                      : "–");
    if (open || invited)
      j->missing++;
    if ((open ||
         (invited && (j->key[0] || (*name && strcmp(name, j->name) == 0)))) &&
        j->free_seat < 0)
      j->free_seat = (int)i;
  }
}

static void read_clock(struct join *j, const json_t *clock) {
  const json_t *left = json_object_get(clock, "left"),
               *running = json_object_get(clock, "running");
  j->told_at = time(NULL);
  j->runs = 0;
  for (size_t i = 0; i < SAL_SEATS_MAX; i++) {
    const json_t *ms = json_array_get(left, i);
    j->left[i] =
        json_is_integer(ms) ? (long)(json_integer_value(ms) / 1000) : -1;
  }
  for (size_t i = 0; i < json_array_size(running); i++)
    j->runs |= 1u << (json_integer_value(json_array_get(running, i)) & 7);
}

void join_tick(struct join *j) {
  const long since = (long)(time(NULL) - j->told_at);
  for (int i = 0; i < SAL_SEATS_MAX; i++) {
    long left = j->left[i];
    j->scene->clock[i][0] = '\0';
    if (left < 0)
      continue;
    if (j->runs >> i & 1)
      left = left > since ? left - since : 0;
    if (left >= 86400)
      snprintf(j->scene->clock[i], sizeof j->scene->clock[i], "%ldd %ldh",
               left / 86400 % 1000, left % 86400 / 3600);
    else
      snprintf(j->scene->clock[i], sizeof j->scene->clock[i], "%ld:%02ld",
               left / 60 % 10000, left % 60);
  }
}

static void waiting_notice(struct join *j) {
  char text[700];
  snprintf(text, sizeof text,
           _("Free seats: %d. Anyone with this link can join:\n%s/t/%s%s%s"),
           j->missing, j->base, j->table, j->key[0] ? "?key=" : "", j->key);
  notice(j, text);
}

/* A table as it is now, or what has changed at it. */
static void take_table(struct join *j, json_t *m) {
  const json_t *seats = json_object_get(m, "seats"),
               *seat = json_object_get(m, "seat"),
               *key = json_object_get(m, "key");
  struct scene *s = j->scene;
  if (*text_of(m, "game")) {
    const struct sal_game *g = sal_game_find(text_of(m, "game"));
    snprintf(s->game, sizeof s->game, "%s", text_of(m, "game"));
    snprintf(s->title, sizeof s->title, "%s",
             g ? _(g->info.title) : text_of(m, "game"));
    j->game = g;
  }
  if (json_is_string(key))
    snprintf(j->key, sizeof j->key, "%s", json_string_value(key));
  if (json_object_get(m, "players"))
    s->players = (int)json_integer_value(json_object_get(m, "players"));
  if (seats)
    read_seats(j, seats);
  if (seat)
    s->seat =
        json_is_integer(seat) ? (int)json_integer_value(seat) : SAL_SPECTATOR;
  if (json_object_get(m, "seq"))
    j->seq = (long)json_integer_value(json_object_get(m, "seq"));
  if (json_object_get(m, "clock"))
    read_clock(j, json_object_get(m, "clock"));
  if (json_object_get(m, "next"))
    j->next = (size_t)json_integer_value(json_object_get(m, "next"));
  join_tick(j);
  if (json_object_get(m, "state")) {
    if (strstr(s->notice, j->table))
      s->notice[0] = '\0';
    scene_tell(s, json_incref(m));
  } else if (j->missing && s->seat >= 0) {
    waiting_notice(j);
  }
  if (!j->watching && s->seat < 0 && j->free_seat >= 0 && !j->asked_to_sit &&
      !json_object_get(m, "state")) {
    j->asked_to_sit = true;
    sit(j, j->free_seat);
  }
}

static void take_said(struct join *j, const json_t *m) {
  char line[600];
  snprintf(line, sizeof line, "%s: %s", text_of(m, "name"), text_of(m, "text"));
  scene_log(j->scene, line, NULL);
}

static void take_error(struct join *j, const json_t *m) {
  const char *rule = json_string_value(json_object_get(m, "rule"));
  if (strcmp(text_of(m, "re"), "act") == 0)
    j->acting = false;
  if (strcmp(text_of(m, "code"), "late") == 0) {
    notice(j, _("The table had already changed: look, and choose again."));
    return;
  }
  notice(j, text_of(m, "message"));
  snprintf(j->scene->refused_by, sizeof j->scene->refused_by, "%s",
           rule ? rule : "");
  if (strcmp(text_of(m, "re"), "join") == 0 ||
      strcmp(text_of(m, "re"), "create") == 0)
    j->failed = true;
}

static void take_presence(struct join *j, const json_t *m) {
  const json_int_t seat = json_integer_value(json_object_get(m, "seat"));
  char line[200];
  if (seat < 0 || seat >= SAL_SEATS_MAX)
    return;
  snprintf(line, sizeof line,
           json_is_true(json_object_get(m, "connected"))
               ? _("%s is connected again.")
               : _("%s has lost the connection."),
           j->scene->names[seat]);
  scene_log(j->scene, line, NULL);
}

static void take_result(struct join *j, const json_t *m) {
  const json_t *seats = json_object_get(m, "seats");
  for (size_t i = 0; i < json_array_size(seats) && i < SAL_SEATS_MAX; i++) {
    const json_t *s = json_array_get(seats, i);
    char line[200];
    if (!json_is_number(json_object_get(s, "after")))
      continue;
    snprintf(line, sizeof line, _("%s: rating %.0f, was %.0f."),
             j->scene->names[i], json_number_value(json_object_get(s, "after")),
             json_number_value(json_object_get(s, "before")));
    scene_log(j->scene, line, NULL);
  }
  j->over = true;
}

static void take_why(struct join *j, const json_t *m) {
  const char *rule = json_string_value(json_object_get(m, "rule"));
  notice(j, json_is_true(json_object_get(m, "legal"))
                ? _("This is allowed now.")
                : text_of(m, "message"));
  snprintf(j->scene->refused_by, sizeof j->scene->refused_by, "%s",
           rule ? rule : "");
}

/* On to the table of a rematch. */
static void take_rematch(struct join *j, const json_t *m) {
  const char *next = text_of(m, "next");
  if (!*next)
    return;
  if (!j->wants_rematch) {
    notice(j, _("A rematch is offered: type 'rematch' to join it."));
    return;
  }
  snprintf(j->table, sizeof j->table, "%s", next);
  j->next = 0;
  j->asked_to_sit = j->over = j->wants_rematch = false;
  scene_forget(j->scene);
  ask_to_join(j);
}

static void take_message(struct join *j, json_t *m) {
  const char *op = text_of(m, "op"), *table = text_of(m, "table");
  if (strcmp(op, "hello") == 0) {
    j->acting = false;
    const json_t *you = json_object_get(m, "you");
    snprintf(j->name, sizeof j->name, "%s", text_of(you, "name"));
    if (j->create)
      link_send(j->link, json_incref(j->create));
    else if (j->table[0])
      ask_to_join(j);
    return;
  }
  if (strcmp(op, "table") == 0 && strcmp(text_of(m, "re"), "create") == 0) {
    snprintf(j->table, sizeof j->table, "%s", table);
    json_decref(j->create);
    j->create = NULL;
  }
  if (*table && strcmp(table, j->table) != 0)
    return;
  if (strcmp(op, "table") == 0 || strcmp(op, "moved") == 0)
    take_table(j, m);
  else if (strcmp(op, "done") == 0 && strcmp(text_of(m, "re"), "act") == 0)
    j->acting = false;
  else if (strcmp(op, "said") == 0)
    take_said(j, m);
  else if (strcmp(op, "error") == 0)
    take_error(j, m);
  else if (strcmp(op, "hint") == 0)
    notice(j, text_of(m, "say"));
  else if (strcmp(op, "presence") == 0)
    take_presence(j, m);
  else if (strcmp(op, "result") == 0)
    take_result(j, m);
  else if (strcmp(op, "reveal") == 0)
    reveal(j);
  else if (strcmp(op, "why") == 0)
    take_why(j, m);
  else if (strcmp(op, "rematch") == 0)
    take_rematch(j, m);
  else if (strcmp(op, "closing") == 0)
    notice(j, _("The server is closing; your table will be there again."));
  else if (strcmp(op, "left") == 0)
    notice(j, _("The game has begun without spectators."));
}

bool join_hear(struct join *j) {
  bool heard = false;
  for (json_t *m; (m = link_receive(j->link)); json_decref(m)) {
    take_message(j, m);
    heard = true;
  }
  return heard;
}

/* ---- The record ----------------------------------------------------------------- */

const char *const join_no_record = N_("The server gave no record.");

char *join_record(struct join *j) {
  char path[200], buffer[600];
  struct sal_text problem;
  sal_text_init(&problem, buffer, sizeof buffer);
  snprintf(path, sizeof path, "/api/record/%s", j->table);
  return link_text(j->link, path, &problem);
}

void join_save(struct join *j, const char *path) {
  char *record = join_record(j);
  if (!record)
    snprintf(j->scene->notice, SCENE_NOTICE_MAX, "%s", _(join_no_record));
  else if (write_file(path, record) == DONE)
    snprintf(j->scene->notice, SCENE_NOTICE_MAX, _("Saved in %s."), path);
  free(record);
}

/* ---- What is typed ------------------------------------------------------------- */

bool join_obey(struct join *j, const char *line) {
  struct scene *s = j->scene;
  const char *rest;
  s->notice[0] = '\0';
  if (command_argument(line, N_("quit")))
    return false;
  if (command_argument(line, N_("hint"))) {
    join_hint(j);
  } else if (command_argument(line, N_("undo"))) {
    join_undo(j);
  } else if ((rest = command_argument(line, N_("why")))) {
    ask_why(j, rest);
  } else if ((rest = command_argument(line, N_("say")))) {
    join_say(j, rest);
  } else if (command_argument(line, N_("resign"))) {
    send_op(j, "resign");
  } else if (command_argument(line, N_("rematch"))) {
    j->wants_rematch = true;
    send_op(j, "rematch");
  } else {
    const char **texts = calloc(s->count + 1, sizeof *texts);
    if (!texts)
      return true;
    for (size_t i = 0; i < s->count; i++)
      texts[i] = s->choices[i].notation;
    const struct input in = input_read(j->game, texts, s->count, line);
    free(texts);
    if (in.kind == INPUT_ACTION)
      join_act(j, in.action);
    else if (in.kind == INPUT_NO_CHOICE)
      snprintf(s->notice, SCENE_NOTICE_MAX, _("There is no choice %s."),
               line + (*line == '#'));
    else if (in.kind == INPUT_AMBIGUOUS)
      snprintf(s->notice, SCENE_NOTICE_MAX,
               _("'%s' could mean more than one action, for example '%s'."),
               line, in.action);
    else if (in.action[0])
      snprintf(s->notice, SCENE_NOTICE_MAX, _("Did you mean '%s'?"), in.action);
    else
      snprintf(s->notice, SCENE_NOTICE_MAX, "%s",
               _("Unknown action; 'help' lists what you can type."));
  }
  return true;
}

/* ---- Coming in --------------------------------------------------------------------- */

/* "https://example.org/t/ID?key=KEY" in its parts; false: no address. */
bool join_address(struct join *j, const char *url) {
  const char *host = strstr(url, "://");
  if (!host ||
      (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0))
    return false;
  const size_t base = (size_t)(host + 3 - url) + strcspn(host + 3, "/?#");
  if (base >= sizeof j->base || base == (size_t)(host + 3 - url))
    return false;
  snprintf(j->base, sizeof j->base, "%.*s", (int)base, url);
  const char *table = strstr(url + base, "/t/"), *key = strstr(url, "key=");
  if (table)
    snprintf(j->table, sizeof j->table, "%.*s", (int)strcspn(table + 3, "?#/&"),
             table + 3);
  if (key)
    snprintf(j->key, sizeof j->key, "%.*s", (int)strcspn(key + 4, "&#"),
             key + 4);
  return true;
}

/* As who one was here last, or as a guest with the name. */
static bool sign_in(struct join *j, const char *name,
                    struct sal_text *problem) {
  json_t *me = link_ask(j->link, "/api/me", NULL, problem);
  if (!me)
    return false;
  bool known = json_is_true(json_object_get(me, "ok"));
  json_decref(me);
  if (known)
    return true;
  json_t *body = json_pack("{s:s}", "name", name ? name : _("Guest"));
  char *text = json_dumps(body, 0);
  json_decref(body);
  json_t *guest = text ? link_ask(j->link, "/api/guest", text, problem) : NULL;
  free(text);
  known = json_is_true(json_object_get(guest, "ok"));
  if (guest && !known)
    sal_text_add(problem, text_of(json_object_get(guest, "error"), "message"));
  json_decref(guest);
  return known;
}

bool join_open(struct join *j, const char *name, struct sal_text *problem) {
  /* each name has sessions of its own */
  char cookies[SAVE_PATH_MAX], file[80] = "cookies-";
  size_t n = strlen(file);
  for (const char *c = name ? name : ""; *c && n < sizeof file - 1; c++)
    file[n++] = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ? *c : '_';
  if (!save_place(file, cookies))
    cookies[0] = '\0';
  j->link = link_new(j->base, cookies);
  return j->link && sign_in(j, name, problem) && link_open(j->link, problem);
}

bool join_again(struct join *j) {
  char buffer[600];
  struct sal_text problem;
  sal_text_init(&problem, buffer, sizeof buffer);
  return link_open(j->link, &problem);
}

void join_close(struct join *j) {
  json_decref(j->create);
  link_free(j->link);
}
