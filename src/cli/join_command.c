/* salotto join: the command, and the table on the whole screen or in lines. */
#include "join.h"
#include "local.h"
#include "play_plain.h"
#include "terminal/pick.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { AGAIN = 1000, TICK = 1000 };

/* Beside the exit statuses: there is nothing to do. */
enum { LEFT = -1 };

/* ---- The whole screen ------------------------------------------------------------ */

static struct join *self(const struct host *h) { return h->self; }

static enum host_said go(struct host *h) {
  struct join *j = self(h);
  if (!link_is_open(j->link)) {
    if (!join_again(j)) {
      snprintf(h->scene.notice, SCENE_NOTICE_MAX, "%s",
               _("The connection is lost; trying again."));
      h->wait = AGAIN;
      h->other = -1;
      return HOST_SAME;
    }
    h->scene.notice[0] = '\0';
  }
  const bool heard = join_hear(j);
  join_tick(j);
  h->other = link_descriptor(j->link);
  h->wait = h->other < 0 ? AGAIN : TICK;
  if (j->failed)
    return HOST_GONE;
  return heard ? HOST_CHANGED : HOST_SAME;
}

/* One move at a time: what is pressed before the server has answered is not
 * meant for the question that comes next. */
static enum host_said act(struct host *h, const char *action) {
  if (!self(h)->acting)
    join_act(self(h), action);
  return HOST_SAME;
}

static enum host_said line(struct host *h, const char *typed) {
  return join_obey(self(h), typed) ? HOST_SAME : HOST_GONE;
}

static enum host_said undo(struct host *h) {
  join_undo(self(h));
  return HOST_SAME;
}

static enum host_said hint(struct host *h) {
  join_hint(self(h));
  return HOST_SAME;
}

static enum host_said chat(struct host *h, const char *text) {
  join_say(self(h), text);
  return HOST_SAME;
}

static char *rules(struct host *h, const char *rule) {
  const struct join *j = self(h);
  return j->game ? rules_text(j->game, rule) : NULL;
}

static enum host_said save(struct host *h, const char *path) {
  join_save(self(h), path);
  return HOST_SAME;
}

/* Whoever sat there looks through their own eyes. */
static enum host_said review(struct host *h) {
  char *record = join_record(self(h));
  const char *names[SAL_SEATS_MAX];
  struct sal_text problem;
  for (int i = 0; i < SAL_SEATS_MAX; i++)
    names[i] = h->scene.names[i];
  sal_text_init(&problem, h->scene.notice, SCENE_NOTICE_MAX);
  if (record)
    review_screen(&(struct replay_wish){.text = record,
                                        .length = strlen(record),
                                        .viewer = h->scene.seat,
                                        .names = names},
                  -1, &problem);
  else
    sal_text_add(&problem, _(join_no_record));
  free(record);
  return HOST_SAME;
}

static int play_on_screen(struct join *j) {
  struct sal_speaker words;
  struct host h = {.self = j,
                   .can = HOST_CHATS | HOST_REVIEWS | HOST_SAVES,
                   .other = link_descriptor(j->link),
                   .wait = TICK,
                   .go = go,
                   .act = act,
                   .line = line,
                   .undo = undo,
                   .hint = hint,
                   .chat = chat,
                   .save = save,
                   .rules = rules,
                   .review = review};
  if (!j->watching)
    h.can |= HOST_ACTS | HOST_HINTS | HOST_UNDOES;
  cli_words_init(&words, NULL);
  h.scene.words = &words.words;
  h.scene.seat = SAL_SPECTATOR;
  snprintf(h.scene.title, sizeof h.scene.title, "Salotto");
  j->scene = &h.scene;
  if (!screen_open())
    return complain(FAILED, "%s", _("the terminal cannot be used."));
  const int ended = parlour_run(&h);
  screen_close();
  int status = ended ? 128 + ended : DONE;
  if (j->failed)
    status = complain(FAILED, "%s", h.scene.notice);
  scene_free(&h.scene);
  return status;
}

/* ---- Which table ------------------------------------------------------------------- */

/* "Doors: Anna, free" */
static char *say_table(const json_t *t) {
  const char *id = json_string_value(json_object_get(t, "game"));
  const struct sal_game *g = id ? sal_game_find(id) : NULL;
  const json_t *seats = json_object_get(t, "seats");
  char line[500];
  struct sal_text out;
  sal_text_init(&out, line, sizeof line);
  sal_text_add(&out, g ? _(g->info.title) : id ? id : "?");
  sal_text_add(&out, ":");
  for (size_t k = 0; k < json_array_size(seats); k++) {
    const json_t *seat = json_array_get(seats, k);
    const char *name = json_string_value(json_object_get(seat, "name")),
               *level = json_string_value(json_object_get(seat, "level"));
    const struct sal_bot *bot = level ? sal_bot_find(level) : NULL;
    sal_text_add(&out, k ? ", " : " ");
    sal_text_add(&out, name    ? name
                       : bot   ? _(bot->title)
                       : level ? level
                               : _("free"));
  }
  return strdup(line);
}

static const char *const nothing_open =
    N_("no table is open here. '--create GAME' opens one.");

/* In lines: the number of the chosen one is asked for. */
static int ask_table(char *const *lines, int count) {
  char typed[LINE_MAX_LEN + 2];
  long n;
  for (int i = 0; i < count; i++)
    print_sentence("%d  %s\n", i + 1, lines[i]);
  if (!count) {
    complain(FAILED, "%s", _(nothing_open));
    return PICK_NONE;
  }
  puts(_("Which table? Type its number."));
  if (read_line(typed, NULL) && read_number(typed, 1, count, &n))
    return (int)n - 1;
  complain(FAILED, "%s", _("no table was chosen."));
  return PICK_NONE;
}

/* On the whole screen. */
static int pick_table(const struct join *j, char *const *lines, int count,
                      int *ended) {
  struct sal_speaker words;
  cli_words_init(&words, NULL);
  const struct scene s = {.words = &words.words};
  return screen_open() ? pick_line(&s, j->base, (const char *const *)lines,
                                   count, _(nothing_open), ended)
                       : PICK_NONE;
}

enum { TABLES_MAX = 200 };

/* Lists the tables once; the one that was chosen, or as above. */
static int choose_once(struct join *j, bool whole, int *status) {
  char buffer[600], *lines[TABLES_MAX];
  struct sal_text problem;
  int count = 0, ended = 0;
  sal_text_init(&problem, buffer, sizeof buffer);
  json_t *lobby = link_ask(j->link, "/api/lobby", NULL, &problem);
  const json_t *tables = json_object_get(lobby, "tables");
  for (; count < TABLES_MAX && (size_t)count < json_array_size(tables); count++)
    if (!(lines[count] = say_table(json_array_get(tables, (size_t)count))))
      break;
  int chosen = PICK_NONE;
  if (lobby)
    chosen =
        whole ? pick_table(j, lines, count, &ended) : ask_table(lines, count);
  if (chosen >= 0) {
    const char *id = json_string_value(
        json_object_get(json_array_get(tables, (size_t)chosen), "table"));
    snprintf(j->table, sizeof j->table, "%s", id ? id : "");
  }
  while (count > 0)
    free(lines[--count]);
  json_decref(lobby);
  if (whole)
    screen_close();
  *status = !lobby        ? complain(FAILED, "%s", buffer)
            : ended       ? 128 + ended
            : chosen >= 0 ? DONE
            : whole       ? LEFT
                          : FAILED;
  return chosen;
}

/* DONE with a table, LEFT if nobody wants one any more. */
static int choose_table(struct join *j, bool whole) {
  int status;
  while (choose_once(j, whole, &status) == PICK_AGAIN)
    ;
  return status;
}

/* ---- The command --------------------------------------------------------------------- */

struct wish {
  const char *name;
  const struct sal_game *game; /* of a new table, or NULL */
  long players;
  const char *bots[SAL_SEATS_MAX];
  json_t *options;
  bool watch, plain;
};

/* "2=expert" */
static bool read_join_bot(const char *text, struct wish *w) {
  const int seat = text[0] - '0';
  if (seat < 0 || seat >= SAL_SEATS_MAX || text[1] != '=' ||
      !sal_bot_find(text + 2))
    return false;
  w->bots[seat] = text + 2;
  return true;
}

/* "edition=it"; whether there is such an option is for the server to say. */
static bool read_game_option(char *text, struct wish *w) {
  char *value = strchr(text, '=');
  if (!value)
    return false;
  *value++ = '\0';
  if (!w->options)
    w->options = json_object();
  return json_object_set_new(w->options, text, json_string(value)) == 0;
}

static bool read_join_option(int c, char *text, void *wish) {
  struct wish *w = wish;
  switch (c) {
  case 'n': w->name = text; return true;
  case 'c': return (w->game = sal_game_find(text)) != NULL;
  case 'p': return read_number(text, 1, SAL_SEATS_MAX, &w->players);
  case 'b': return read_join_bot(text, w);
  case 'o': return read_game_option(text, w);
  case 'w': w->watch = true; return true;
  case 'P': w->plain = true; return true;
  default: return read_language(text);
  }
}

static int read_join_wish(int argc, char **argv, struct wish *w) {
  static const struct option longs[] = {
      {"name", required_argument, NULL, 'n'},
      {"create", required_argument, NULL, 'c'},
      {"players", required_argument, NULL, 'p'},
      {"bot", required_argument, NULL, 'b'},
      {"option", required_argument, NULL, 'o'},
      {"watch", no_argument, NULL, 'w'},
      {"plain", no_argument, NULL, 'P'},
      {"lang", required_argument, NULL, 'L'},
      {NULL, 0, NULL, 0}};
  const int misread =
      take_options(&command_join, argc, argv, longs, read_join_option, w);
  if (misread != DONE)
    return misread;
  if (optind >= argc)
    return misused(&command_join, "%s", _("which server?"));
  if (optind + 1 < argc)
    return misused(&command_join, _("unexpected argument '%s'."),
                   argv[optind + 1]);
  if (!w->game && (w->players || w->options))
    return misused(&command_join, "%s",
                   _("--players, --bot and --option go with --create GAME."));
  return DONE;
}

/* The request for a new table. */
static json_t *new_table(struct wish *w) {
  const int players = w->players ? (int)w->players : w->game->info.players_min;
  json_t *seats = json_array();
  for (int i = 0; i < players; i++)
    json_array_append_new(seats, json_string(w->bots[i] ? w->bots[i] : "open"));
  json_t *options = w->options ? w->options : json_object();
  w->options = NULL;
  return json_pack("{s:s,s:s,s:i,s:o,s:o,s:s}", "op", "create", "game",
                   w->game->info.id, "players", players, "seats", seats,
                   "options", options, "lang", language());
}

static int run_join(int argc, char **argv) {
  struct wish w = {0};
  struct join j = {.free_seat = -1};
  char buffer[600];
  struct sal_text problem;
  int status = read_join_wish(argc, argv, &w);
  if (status != DONE) {
    json_decref(w.options);
    return status;
  }
  if (!join_address(&j, argv[optind]))
    return misused(
        &command_join,
        _("'%s' is not an address like https://example.org/t/TABLE."),
        argv[optind]);
  memset(j.left, -1, sizeof j.left);
  j.watching = w.watch;
  if (w.game)
    j.create = new_table(&w);
  const bool whole = !w.plain && screen_possible();
  sal_text_init(&problem, buffer, sizeof buffer);
  if (!join_open(&j, w.name, &problem))
    status = complain(FAILED, "%s", buffer);
  else if (!j.table[0] && !j.create)
    status = choose_table(&j, whole);
  if (status == DONE)
    status = whole ? play_on_screen(&j) : join_plain(&j);
  join_close(&j);
  return status == LEFT ? DONE : status;
}

const struct command command_join = {
    "join", N_("sit down at a server's table, or watch it"),
    N_("URL [OPTION...]"),
    N_("  URL               a table's link, or the address of a server, whose open\n"
       "                    tables are listed then\n"
       "  --name NAME       your name there (default: the one you used last)\n"
       "  --create GAME     open a new table, and sit down\n"
       "  --players N       how many sit at the new table\n"
       "  --bot S=LEVEL     a bot at seat S of the new table\n"
       "  --option NAME=V   an option of its game, for example edition=it\n"
       "  --watch           only look on\n"
       "  --plain           lines of text instead of the whole screen\n"
       "  --lang LANG       en or it; otherwise as LANG says\n"
       "\n"
       "For https the certificates of the system are trusted, or those in the file that\n"
       "SSL_CERT_FILE names.\n"),
    run_join};
