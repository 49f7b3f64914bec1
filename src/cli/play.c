/* salotto play: a game in plain lines of text, for people at one keyboard and
 * bots. Works in a pipe; the screen is only cleared on a terminal.
 *
 * Main invariant: between two people's turns nothing of the first one's secrets
 * stays on the screen. */
#include "play_input.h"
#include "play_save.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum {
  LINE_MAX_LEN = 1000,
  SHOWN_CHOICES = 30, /* with their meaning; more are listed by notation */
  SAY_MAX = 8192,
  STEP_MAX = 64
};

struct session {
  const struct sal_game *game;
  sal_table *table;
  const struct sal_bot *bot[SAL_SEATS_MAX]; /* NULL: a person */
  int people;
  int watcher; /* the person at the keyboard, or SAL_SPECTATOR */
  size_t heard[SAL_SEATS_MAX + 1]; /* events each has been told */
  bool terminal;
  char bot_name[SAL_SEATS_MAX][64];
  const char *names[SAL_SEATS_MAX]; /* NULL: "Player 1", … */
  struct sal_speaker words;
  struct sal_rng rng;
  double seconds;            /* that a bot may think */
  const char *record;        /* where to save at the end, or NULL */
  char saved[SAVE_PATH_MAX]; /* where every move is saved; "": nowhere */
  struct save_seats seats;
  bool known; /* a saved game told who sits where */
  struct sal_memory memory;
  sal_action *legal;
  char passing[SAL_SEATS_MAX][STEP_MAX]; /* the step each passes for good */
};

enum outcome { GO_ON, LEFT };

/* ---- Showing ------------------------------------------------------------ */

static void show_sentence(const char *sentence, int times) {
  if (times == 1)
    printf("* %s\n", sentence);
  else if (times > 1)
    printf(_("* %s (%d times)\n"), sentence, times);
}

/* What is said several times in a row is said once. */
static void show_events(struct session *p) {
  char buffer[2][SAY_MAX] = {"", ""};
  size_t *heard = &p->heard[p->watcher + 1];
  const size_t count = sal_table_event_count(p->table);
  int now = 0, times = 0;
  for (; *heard < count; ++*heard) {
    struct sal_text t;
    sal_text_init(&t, buffer[!now], SAY_MAX);
    sal_table_event_say(p->table, *heard, p->watcher, &p->words.words, &t);
    if (times && strcmp(buffer[0], buffer[1]) == 0) {
      times++;
      continue;
    }
    show_sentence(buffer[now], times);
    now = !now;
    times = t.len > 0;
  }
  show_sentence(buffer[now], times);
}

typedef void describe_fn(const sal_view *v, const struct sal_words *w,
                         struct sal_text *out);

/* What the person at the keyboard sees, as the game puts it. */
static void show_view(struct session *p, describe_fn *describe) {
  union sal_view_box v;
  char buffer[SAY_MAX];
  struct sal_text t;
  sal_text_init(&t, buffer, sizeof buffer);
  sal_table_view(p->table, p->watcher, (sal_view *)v.bytes);
  describe((const sal_view *)v.bytes, &p->words.words, &t);
  fputs(buffer, stdout);
}

static void show_position(struct session *p) {
  putchar('\n');
  show_view(p, p->game->position);
}

static void show_prompt(struct session *p) {
  show_view(p, p->game->prompt);
  putchar('\n');
}

static size_t notation_of(const struct session *p, sal_action a,
                          char out[SAL_ACTION_TEXT_MAX]) {
  struct sal_text t;
  sal_text_init(&t, out, SAL_ACTION_TEXT_MAX);
  p->game->action_text(a, &t);
  return t.len;
}

/* Too many for a line each: the notation alone, in columns. */
static void list_choices(const struct session *p, size_t n) {
  char notation[SAL_ACTION_TEXT_MAX];
  size_t longest = 0;
  for (size_t i = 0; i < n; i++) {
    const size_t length = notation_of(p, p->legal[i], notation);
    longest = length > longest ? length : longest;
  }
  const size_t columns = longest + 7 < 80 ? 80 / (longest + 7) : 1;
  for (size_t i = 0; i < n; i++) {
    const bool last = (i + 1) % columns == 0 || i + 1 == n;
    notation_of(p, p->legal[i], notation);
    printf("%4zu  %-*s%s", i + 1, last ? 0 : (int)longest, notation,
           last ? "\n" : " ");
  }
}

static void show_choices(struct session *p, int seat) {
  union sal_view_box v;
  sal_table_view(p->table, seat, (sal_view *)v.bytes);
  const size_t n = sal_table_legal(p->table, seat, p->legal);
  if (n > SHOWN_CHOICES) {
    list_choices(p, n);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    char say[SAY_MAX], notation[SAL_ACTION_TEXT_MAX];
    struct sal_text t;
    sal_text_init(&t, say, sizeof say);
    p->game->action_say((const sal_view *)v.bytes, p->legal[i], &p->words.words,
                        &t);
    sal_text_init(&t, notation, sizeof notation);
    p->game->action_text(p->legal[i], &t);
    const int room = 80 - 7 - (int)t.len;
    printf("%4zu  %-*s %s\n", i + 1, room < 44 ? room : 44, say, notation);
  }
}

static void show_refusal(const struct session *p,
                         const struct sal_refusal *why) {
  if (why->code == SAL_ILLEGAL)
    printf("%s (%s)\n", _(sal_rule_find(p->game, why->rule)->text), why->rule);
  else if (why->code == SAL_BAD_ACTION)
    puts(_("Unknown action; 'help' lists what you can type."));
  else
    puts(_(why->message));
}

static void show_help(void) {
  puts(_(
      "Type an action in the notation or its beginning (take RL, RL), an amount\n"
      "(5 bets 5), the number of a choice (#3, or 3 where nothing is an amount), or:\n"
      "  help         this list\n"
      "  look         the position and your choices again\n"
      "  hint         what the expert would do here, and why\n"
      "  why ACTION   whether an action is allowed, and by which rule not\n"
      "  rules [RULE] the rules of the game, or one of them\n"
      "  undo         undo your last action, if it revealed nothing\n"
      "  pass all     pass, and go on passing at this step for the rest of "
      "the round\n"
      "  save FILE    save the game; 'salotto play --load FILE' goes on\n"
      "  quit         leave the table; 'salotto play --resume' goes on later"));
}

static void show_result(struct session *p) {
  if (p->people != 1)
    p->watcher = SAL_SPECTATOR;
  show_events(p);
  show_position(p);
  show_prompt(p);
}

/* ---- Commands ----------------------------------------------------------- */

/* A file that exists is only written over if it is a record itself. */
static bool may_write(const char *path) {
  if (access(path, F_OK) != 0)
    return true;
  FILE *f = fopen(path, "r");
  char start[15] = "";
  if (f) {
    const size_t n = fread(start, 1, sizeof start - 1, f);
    start[n] = '\0';
    fclose(f);
  }
  return strcmp(start, "salotto record") == 0;
}

static void save(struct session *p, const char *path) {
  if (!*path) {
    puts(_("Say where: save FILE."));
    return;
  }
  if (!may_write(path)) {
    printf(_("%s exists and is no saved game; choose another name.\n"), path);
    return;
  }
  char *record = sal_table_record(p->table, true);
  if (!record)
    complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
  else if (write_file(path, record) == DONE)
    printf(_("Saved in %s.\n"), path);
  free(record);
}

/* What the seat's bot would do, and why. */
static void consult(struct session *p, const struct sal_bot *bot, int seat,
                    bool advice, struct sal_question *q,
                    union sal_view_box *view, struct sal_thought *thought) {
  memset(view, 0, sizeof *view);
  sal_table_view(p->table, seat, (sal_view *)view->bytes);
  sal_table_memory(p->table, seat, &p->memory);
  *q = (struct sal_question){.game = p->game,
                             .players = sal_table_players(p->table),
                             .seat = seat,
                             .view = (const sal_view *)view->bytes,
                             .legal = p->legal,
                             .count = sal_table_legal(p->table, seat, p->legal),
                             .memory = &p->memory,
                             .budget = sal_budget_seconds(p->seconds),
                             .advice = advice};
  bot->think(q, &p->rng, thought);
}

/* What the strongest bot would do here. */
static void hint(struct session *p, int seat) {
  union sal_view_box view;
  struct sal_question q;
  struct sal_thought thought;
  char buffer[SAY_MAX];
  struct sal_text t;
  consult(p, sal_bot_find("expert"), seat, true, &q, &view, &thought);
  sal_text_init(&t, buffer, sizeof buffer);
  sal_thought_say(&q, &thought, &p->words.words, &t);
  puts(buffer);
}

static void explain(struct session *p, int seat, const char *action) {
  struct sal_refusal why;
  if (!*action)
    puts(_("Say which action: why ACTION."));
  else if (sal_table_try(p->table, seat, action, &why) == 0)
    puts(_("This is allowed now."));
  else
    show_refusal(p, &why);
}

static void rules(const struct session *p, const char *id) {
  if (!print_rules_of(p->game, *id ? id : NULL))
    puts(_("The game has no such rule."));
}

/* A field of the position as JSON, up to its end, added to a text. */
static void add_field(const char *facts, const char *key,
                      struct sal_text *out) {
  const char *at = strstr(facts, key);
  if (at)
    sal_text_addn(out, at, strcspn(at, ",}"));
}

/* Where the game stands, as far as passing goes: the phase and the round. */
static void step_of(const struct session *p, char step[STEP_MAX]) {
  char facts[1 << 15];
  struct sal_text t;
  struct sal_json j;
  sal_text_init(&t, facts, sizeof facts);
  sal_json_init(&j, &t);
  sal_table_facts(p->table, SAL_SPECTATOR, &j, NULL);
  sal_text_init(&t, step, STEP_MAX);
  add_field(facts, "\"phase\":", &t);
  add_field(facts, "\"round\":", &t);
}

/* Passes now, and later whenever the seat is asked at the same step. */
static bool pass_all(struct session *p, int seat, struct sal_refusal *why) {
  char step[STEP_MAX];
  step_of(p, step);
  if (sal_table_act(p->table, seat, "pass", why) != 0)
    return false;
  strcpy(p->passing[seat], step);
  return true;
}

/* Whether the seat has said beforehand that it passes here, and so did. */
static bool passes_again(struct session *p, int seat) {
  char step[STEP_MAX];
  if (!p->passing[seat][0])
    return false;
  step_of(p, step);
  return strcmp(step, p->passing[seat]) == 0 &&
         sal_table_act(p->table, seat, "pass", NULL) == 0;
}

static const char *after_word(const char *line, const char *word) {
  const size_t n = strlen(word);
  if (strncasecmp(line, word, n) != 0 || (line[n] && line[n] != ' '))
    return NULL;
  return line + n + strspn(line + n, " ");
}

/* The argument if the line is that command, in English or in the language in
 * use, else NULL. */
static const char *argument(const char *line, const char *command) {
  const char *rest = after_word(line, command);
  return rest ? rest : after_word(line, _(command));
}

/* What an action's text says, in whatever way it was typed. True: it was
 * played. */
static bool act(struct session *p, int seat, const char *line) {
  struct sal_refusal why;
  const size_t n = sal_table_legal(p->table, seat, p->legal);
  const struct input in = input_read(p->game, p->legal, n, line);
  switch (in.kind) {
  case INPUT_ACTION:
    if (sal_table_act(p->table, seat, in.action, &why) == 0)
      return true;
    show_refusal(p, &why);
    return false;
  case INPUT_NO_CHOICE:
    printf(_("There is no choice %s.\n"), line + (*line == '#'));
    return false;
  case INPUT_AMBIGUOUS:
    printf(_("'%s' could mean more than one action, for example '%s'.\n"), line,
           in.action);
    return false;
  default:
    puts(_("Unknown action; 'help' lists what you can type."));
    if (in.action[0])
      printf(_("Did you mean '%s'?\n"), in.action);
    return false;
  }
}

/* Does what a line says. True: the table has changed. */
static bool obey(struct session *p, int seat, const char *line,
                 enum outcome *outcome) {
  const char *rest;
  struct sal_refusal why;
  if (argument(line, N_("quit"))) {
    *outcome = LEFT;
    return true;
  }
  if (argument(line, N_("help"))) {
    show_help();
  } else if (argument(line, N_("look"))) {
    return true;
  } else if (argument(line, N_("hint"))) {
    hint(p, seat);
  } else if ((rest = argument(line, N_("why")))) {
    explain(p, seat, rest);
  } else if ((rest = argument(line, N_("rules")))) {
    rules(p, rest);
  } else if ((rest = argument(line, N_("save")))) {
    save(p, rest);
  } else if (argument(line, N_("undo"))) {
    if (sal_table_undo(p->table, p->watcher, &why) == 0)
      return true;
    show_refusal(p, &why);
  } else if (argument(line, N_("pass all"))) {
    if (pass_all(p, seat, &why))
      return true;
    show_refusal(p, &why);
  } else {
    return act(p, seat, line);
  }
  return false;
}

/* Reads a line without its end and the blanks around it; false at the end of
 * input. A line that is too long comes back empty. */
static bool read_line(char *line) {
  printf("> ");
  fflush(stdout);
  size_t n = 0;
  int c;
  while ((c = getchar()) != EOF && c != '\n')
    if (n <= LINE_MAX_LEN)
      line[n++] = (char)c;
  if (n > LINE_MAX_LEN)
    n = 0;
  while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\r'))
    n--;
  line[n] = '\0';
  if (!isatty(STDIN_FILENO))
    printf("%s\n", line); /* a transcript shows what was typed */
  const size_t blanks = strspn(line, " ");
  memmove(line, line + blanks, n - blanks + 1);
  return n > 0 || c != EOF;
}

/* ---- Turns -------------------------------------------------------------- */

/* Hides what the last person saw before the next one looks. */
static bool hand_over(struct session *p, int seat) {
  char line[LINE_MAX_LEN + 2], name[64];
  if (p->people < 2 || p->watcher == seat) {
    p->watcher = seat;
    return true;
  }
  struct sal_text t;
  sal_text_init(&t, name, sizeof name);
  p->words.words.seat(&p->words.words, seat, &t);
  fputs(p->terminal ? "\033[2J\033[H" : "\n----\n", stdout);
  printf(_("%s, it is your turn: press Enter when nobody else is looking.\n"),
         name);
  p->watcher = seat;
  return read_line(line);
}

static enum outcome person_turn(struct session *p, int seat) {
  enum outcome outcome = GO_ON;
  char line[LINE_MAX_LEN + 2];
  if (passes_again(p, seat))
    return GO_ON;
  if (!hand_over(p, seat))
    return LEFT;
  show_events(p);
  show_position(p);
  show_prompt(p);
  show_choices(p, seat);
  do
    if (!read_line(line))
      return LEFT;
  while (!*line || !obey(p, seat, line, &outcome));
  return outcome;
}

static enum outcome bot_turn(struct session *p, int seat) {
  union sal_view_box view;
  struct sal_question q;
  struct sal_thought thought;
  consult(p, p->bot[seat], seat, false, &q, &view, &thought);
  char text[SAL_ACTION_TEXT_MAX];
  struct sal_text t;
  sal_text_init(&t, text, sizeof text);
  p->game->action_text(thought.action, &t);
  struct sal_refusal why;
  if (sal_table_act(p->table, seat, text, &why) == 0)
    return GO_ON;
  show_refusal(p, &why); /* a record without a seed, or no memory */
  return LEFT;
}

/* Bots are asked before people, so that nobody waits for them; among people
 * the one at the keyboard goes first. */
static int next_seat(const struct session *p, unsigned asked) {
  for (int s = 0; s < SAL_SEATS_MAX; s++)
    if ((asked >> s & 1) && p->bot[s])
      return s;
  if (p->watcher >= 0 && (asked >> p->watcher & 1))
    return p->watcher;
  return __builtin_ctz(asked);
}

static void welcome(const struct session *p) {
  struct sal_key key;
  char hex[2 * SAL_KEY_SIZE + 1];
  struct sal_text t;
  printf("%s. %s\n", _(p->game->info.title),
         _("'help' lists what you can type."));
  if (!sal_table_commitment(p->table, &key))
    return;
  sal_text_init(&t, hex, sizeof hex);
  sal_text_hex(&t, key.bytes, SAL_KEY_SIZE);
  printf(_("Commitment to the deals, for 'salotto verify':\n  %s\n"), hex);
}

/* ---- Nothing is lost ------------------------------------------------------ */

/* Saves the game as it stands; says once if that is not possible. */
static void keep(struct session *p) {
  if (!p->saved[0] || save_write(p->saved, p->table, &p->seats) == DONE)
    return;
  complain(FAILED, _("%s: the game cannot be saved: %s."), p->saved,
           strerror(errno));
  p->saved[0] = '\0';
}

/* Several people at one keyboard play on the terminal's other screen, which
 * keeps no scrollback: what one has seen is gone for the next, and the lines
 * from before are still there afterwards. */
static const char other_screen[] = "\033[?1049h\033[2J\033[H";
static const char first_screen[] = "\033[?1049l";

static void back_and_die(int number) {
  const ssize_t n = write(STDOUT_FILENO, first_screen, sizeof first_screen - 1);
  (void)n;
  _exit(128 + number);
}

static bool curtained(const struct session *p) {
  return p->terminal && p->people > 1;
}

static void open_curtain(const struct session *p) {
  static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  if (!curtained(p))
    return;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    signal(ends[i], back_and_die);
  fputs(other_screen, stdout);
  welcome(p);
}

static void close_curtain(struct session *p) {
  if (!curtained(p))
    return;
  fputs(first_screen, stdout);
  fflush(stdout);
}

/* ---- The course of a game -------------------------------------------------- */

static int play(struct session *p) {
  enum outcome outcome = GO_ON;
  unsigned asked;
  if (sal_table_waiting(p->table))
    return complain(
        FAILED, "%s",
        _("The record goes no further: it does not hold the seed."));
  keep(p);
  open_curtain(p);
  while (outcome == GO_ON && (asked = sal_table_to_act(p->table)) != 0) {
    const int seat = next_seat(p, asked);
    outcome = p->bot[seat] ? bot_turn(p, seat) : person_turn(p, seat);
    keep(p);
    if (p->people == 0)
      show_events(p);
  }
  close_curtain(p);
  if (outcome == LEFT) {
    puts(_("You leave the table."));
    if (p->saved[0])
      puts(_("'salotto play --resume' goes on where you left."));
  } else {
    show_result(p);
    if (p->saved[0])
      save_finish(p->saved);
  }
  if (p->record)
    save(p, p->record);
  return DONE;
}

/* ---- Setting up --------------------------------------------------------- */

struct wishes {
  const char *load, *record;
  bool resume;
  const char *seed;
  const char *bot;
  double seconds;
  int players, people, seat;
  const char *option[16];
  int options;
};

static bool small_number(const char *text, int *out) {
  int32_t v;
  const char *rest = sal_number_read(text, &v);
  if (!rest || *rest)
    return false;
  *out = v;
  return true;
}

static int read_wishes(int argc, char **argv, struct wishes *w) {
  static const struct option longs[] = {
      {"players", required_argument, NULL, 'p'},
      {"people", required_argument, NULL, 'n'},
      {"seat", required_argument, NULL, 's'},
      {"bot", required_argument, NULL, 'b'},
      {"seconds", required_argument, NULL, 't'},
      {"option", required_argument, NULL, 'o'},
      {"seed", required_argument, NULL, 'r'},
      {"load", required_argument, NULL, 'l'},
      {"resume", no_argument, NULL, 'R'},
      {"record", required_argument, NULL, 'w'},
      {"lang", required_argument, NULL, 'L'},
      {NULL, 0, NULL, 0}};
  opterr = 0;
  for (int c; (c = getopt_long(argc, argv, "", longs, NULL)) != -1;) {
    bool fine = true;
    switch (c) {
    case 'p': fine = small_number(optarg, &w->players); break;
    case 'n': fine = small_number(optarg, &w->people); break;
    case 's': fine = small_number(optarg, &w->seat); break;
    case 'b':
      w->bot = optarg;
      fine = sal_bot_find(optarg) != NULL;
      break;
    case 'o':
      fine = w->options < 16 && strchr(optarg, '=');
      if (fine)
        w->option[w->options++] = optarg;
      break;
    case 't': {
      char *end;
      w->seconds = strtod(optarg, &end);
      fine = end != optarg && !*end && w->seconds > 0 && w->seconds <= 600;
      break;
    }
    case 'r': w->seed = optarg; break;
    case 'l': w->load = optarg; break;
    case 'R': w->resume = true; break;
    case 'w': w->record = optarg; break;
    case 'L':
      fine = strcmp(optarg, "en") == 0 || strcmp(optarg, "it") == 0;
      if (fine)
        choose_language(optarg);
      break;
    default:
      return misused(&command_play, _("'%s' is not recognised."),
                     argv[optind - 1]);
    }
    if (!fine)
      return misused(&command_play, _("the value '%s' is not possible."),
                     optarg);
  }
  return DONE;
}

static int read_seed(const char *text, struct sal_key *out) {
  char *end;
  if (!text) {
    sal_key_random(out);
    return DONE;
  }
  if (sal_hex_read(text, out->bytes, SAL_KEY_SIZE))
    return DONE;
  errno = 0;
  const unsigned long long n = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || errno)
    return misused(&command_play,
                   _("'%s' is no seed: a whole number or 64 hex digits."),
                   text);
  sal_key_number(n, out);
  return DONE;
}

static int open_saved(struct session *p, const char *path) {
  size_t length;
  char *text = read_file(path, &length);
  if (!text)
    return FAILED;
  struct sal_refusal why;
  p->table = sal_table_load(text, length, NULL, &why);
  if (p->table) {
    p->game = sal_table_game(p->table);
    p->known = save_seats_read(text, sal_table_players(p->table), &p->seats);
  }
  free(text);
  return p->table ? DONE : complain(FAILED, "%s: %s", path, why.message);
}

/* The game that was played last and is not over. */
static int open_last(struct session *p) {
  if (!save_latest(p->saved))
    return complain(FAILED, "%s", _("there is no saved game."));
  return open_saved(p, p->saved);
}

static int open_new(struct session *p, const char *name,
                    const struct wishes *w) {
  struct sal_plan plan = {0};
  if (!name)
    return misused(&command_play, "%s", _("which game?"));
  if (!(plan.game = sal_game_find(name)))
    return misused(&command_play, _("there is no game '%s'."), name);
  const struct sal_info *info = &plan.game->info;
  const int players = w->players ? w->players : info->players_min;
  if (players < info->players_min || players > info->players_max)
    return misused(&command_play, _("%s is for %d to %d players."),
                   _(info->title), info->players_min, info->players_max);
  sal_setup_default(plan.game, players, &plan.setup);
  for (int i = 0; i < w->options; i++) {
    char option[64], buffer[SAL_MESSAGE_MAX];
    const char *equals = strchr(w->option[i], '=');
    struct sal_text problem;
    snprintf(option, sizeof option, "%.*s", (int)(equals - w->option[i]),
             w->option[i]);
    sal_text_init(&problem, buffer, sizeof buffer);
    if (!set_option(plan.game, &plan.setup, option, equals + 1, &problem))
      return misused(&command_play, "%s", buffer);
  }
  const int status = read_seed(w->seed, &plan.seed);
  if (status != DONE)
    return status;
  p->game = plan.game;
  p->table = sal_table_new(&plan);
  return p->table ? DONE
                  : complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
}

static void seat_bot(struct session *p, int seat, const struct sal_bot *bot) {
  p->bot[seat] = bot;
  snprintf(p->bot_name[seat], sizeof p->bot_name[seat], _("Bot %d (%s)"),
           seat + 1, _(bot->title));
  p->names[seat] = p->bot_name[seat];
  snprintf(p->seats.level[seat], SAVE_NAME_MAX, "%s", bot->id);
}

/* As the saved game tells: the same people, the same bots. */
static int seat_again(struct session *p) {
  const int players = sal_table_players(p->table);
  int first = SAL_SPECTATOR;
  for (int i = 0; i < players; i++) {
    const struct sal_bot *bot = NULL;
    if (p->seats.level[i][0] && !(bot = sal_bot_find(p->seats.level[i])))
      return complain(FAILED, _("there is no bot '%s'."), p->seats.level[i]);
    if (bot)
      seat_bot(p, i, bot);
    else if (p->people++ == 0)
      first = i;
  }
  p->watcher = p->people == 1 ? first : SAL_SPECTATOR;
  return DONE;
}

/* Who is a person: `people` seats from `seat` on. */
static int seat_everyone(struct session *p, const struct wishes *w) {
  const int players = sal_table_players(p->table);
  p->seconds = w->seconds;
  p->record = w->record;
  if (p->known)
    return seat_again(p);
  if (w->people > players || w->seat >= players)
    return misused(&command_play, _("there are only %d seats."), players);
  p->people = w->people;
  for (int i = 0; i < players; i++)
    if ((i - w->seat + players) % players >= w->people)
      seat_bot(p, i, sal_bot_find(w->bot));
  p->watcher = w->people == 1 ? w->seat : SAL_SPECTATOR;
  return DONE;
}

static int run(int argc, char **argv) {
  struct wishes w = {.bot = "regular", .seconds = 0.5, .people = 1};
  struct session p = {0};
  int status = read_wishes(argc, argv, &w);
  if (status != DONE)
    return status;
  teach_master();
  if (optind + 1 < argc)
    return misused(&command_play, _("unexpected argument '%s'."),
                   argv[optind + 1]);
  if ((w.load || w.resume) && optind < argc)
    return misused(&command_play, "%s",
                   _("a saved game knows its name; leave it out."));
  status = w.resume ? open_last(&p)
           : w.load ? open_saved(&p, w.load)
                    : open_new(&p, argv[optind], &w);
  if (status == DONE)
    status = seat_everyone(&p, &w);
  if (status == DONE && p.people > 0 && !p.saved[0] &&
      sal_table_to_act(p.table) && !save_choose(p.game->info.id, p.saved))
    p.saved[0] = '\0';
  if (status == DONE &&
      !(p.legal = calloc(p.game->info.legal_max, sizeof *p.legal)))
    status = complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
  if (status == DONE) {
    struct sal_key bots;
    sal_key_random(&bots);
    uint64_t start;
    memcpy(&start, bots.bytes, sizeof start);
    sal_rng_seed(&p.rng, start);
    cli_words_init(&p.words, p.names);
    p.terminal = isatty(STDOUT_FILENO);
    welcome(&p);
    status = play(&p);
  }
  free(p.legal);
  sal_table_free(p.table);
  return status;
}

const struct command command_play = {
    "play", N_("play a game here, in plain text"),
    "GAME [OPTION...] | --resume | --load FILE [OPTION...]",
    N_("  GAME              the game, for example doors\n"
       "  --players N       how many sit at the table\n"
       "  --people N        how many of them are people at this keyboard (1)\n"
       "  --seat S          the first person's seat, from 0 (0)\n"
       "  --bot LEVEL       who plays the other seats: random, novice, regular,\n"
       "                    ismcts, expert (regular)\n"
       "  --seconds S       how long a bot may think (0.5)\n"
       "  --option NAME=V   an option of the game, for example first=0\n"
       "  --seed SEED       a whole number or 64 hex digits: the same deals "
       "again\n"
       "  --resume          go on with the game that was left last: every move is\n"
       "                    saved as it is made, in $XDG_STATE_HOME/salotto\n"
       "  --load FILE       go on with a saved game\n"
       "  --record FILE     save the game there when it is over or left\n"
       "  --lang LANG       en or it; else as the environment says\n"),
    run};
