/* salotto play: a game in plain lines of text, for people at one keyboard and
 * bots. Works in a pipe; the screen is only cleared on a terminal.
 *
 * Main invariant: between two people's turns nothing of the first one's secrets
 * stays on the screen. */
#include "cli.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  LINE_MAX_LEN = 1000,
  SHOWN_CHOICES = 30,
  SHOWN_LAST = 4,
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
  double seconds;     /* that a bot may think */
  const char *record; /* where to save at the end, or NULL */
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

static void show_choices(struct session *p, int seat) {
  union sal_view_box v;
  sal_table_view(p->table, seat, (sal_view *)v.bytes);
  const size_t n = sal_table_legal(p->table, seat, p->legal);
  for (size_t i = 0; i < n; i++) {
    if (n > SHOWN_CHOICES && i == SHOWN_CHOICES - SHOWN_LAST) {
      i = n - SHOWN_LAST;
      puts(_("      ... (the choices between can be typed too)"));
    }
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
  puts(_("Type the number of a choice, or an action in the notation, or:\n"
         "  help         this list\n"
         "  look         the position and your choices again\n"
         "  hint         what the expert would do here, and why\n"
         "  why ACTION   whether an action is allowed, and by which rule not\n"
         "  rules [RULE] the rules of the game, or one of them\n"
         "  undo         take your last action back, if nobody has learned "
         "from it\n"
         "  pass all     pass, and go on passing at this step for the rest of "
         "the round\n"
         "  save FILE    save the game; 'salotto play --load FILE' goes on\n"
         "  quit         leave the table"));
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

/* The argument if the line is that command, else NULL. */
static const char *argument(const char *line, const char *command) {
  const char *rest = sal_skip(line, command);
  if (!rest || (*rest && *rest != ' '))
    return NULL;
  return rest + strspn(rest, " ");
}

/* Does what a line says. True: the table has changed. */
static bool obey(struct session *p, int seat, const char *line,
                 enum outcome *outcome) {
  const char *rest;
  struct sal_refusal why;
  if (argument(line, "quit")) {
    *outcome = LEFT;
    return true;
  }
  if (argument(line, "help")) {
    show_help();
  } else if (argument(line, "look")) {
    return true;
  } else if (argument(line, "hint")) {
    hint(p, seat);
  } else if ((rest = argument(line, "why"))) {
    explain(p, seat, rest);
  } else if ((rest = argument(line, "rules"))) {
    rules(p, rest);
  } else if ((rest = argument(line, "save"))) {
    save(p, rest);
  } else if (argument(line, "undo")) {
    if (sal_table_undo(p->table, p->watcher, &why) == 0)
      return true;
    show_refusal(p, &why);
  } else if (argument(line, "pass all")) {
    if (pass_all(p, seat, &why))
      return true;
    show_refusal(p, &why);
  } else {
    int32_t number;
    char text[SAL_ACTION_TEXT_MAX];
    rest = sal_number_read(line, &number);
    if (rest && !*rest) {
      const size_t n = sal_table_legal(p->table, seat, p->legal);
      if (number < 1 || (size_t)number > n) {
        printf(_("There is no choice %d.\n"), (int)number);
        return false;
      }
      struct sal_text t;
      sal_text_init(&t, text, sizeof text);
      p->game->action_text(p->legal[number - 1], &t);
      line = text;
    }
    if (sal_table_act(p->table, seat, line, &why) == 0)
      return true;
    show_refusal(p, &why);
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
  fputs(p->terminal ? "\033[2J\033[3J\033[H" : "\n----\n", stdout);
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

static int play(struct session *p) {
  enum outcome outcome = GO_ON;
  unsigned asked;
  if (sal_table_waiting(p->table))
    return complain(
        FAILED, "%s",
        _("The record goes no further: it does not hold the seed."));
  while (outcome == GO_ON && (asked = sal_table_to_act(p->table)) != 0) {
    const int seat = next_seat(p, asked);
    outcome = p->bot[seat] ? bot_turn(p, seat) : person_turn(p, seat);
    if (p->people == 0)
      show_events(p);
  }
  if (outcome == LEFT)
    puts(_("You leave the table."));
  else
    show_result(p);
  if (p->record)
    save(p, p->record);
  return DONE;
}

/* ---- Setting up --------------------------------------------------------- */

struct wishes {
  const char *load, *record;
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
  free(text);
  if (!p->table)
    return complain(FAILED, "%s: %s", path, why.message);
  p->game = sal_table_game(p->table);
  return DONE;
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

/* Who is a person: `people` seats from `seat` on. */
static int seat_everyone(struct session *p, const struct wishes *w) {
  const int players = sal_table_players(p->table);
  if (w->people > players || w->seat >= players)
    return misused(&command_play, _("there are only %d seats."), players);
  p->people = w->people;
  p->seconds = w->seconds;
  p->record = w->record;
  for (int i = 0; i < players; i++)
    if ((i - w->seat + players) % players >= w->people) {
      p->bot[i] = sal_bot_find(w->bot);
      snprintf(p->bot_name[i], sizeof p->bot_name[i], _("Bot %d (%s)"), i + 1,
               _(p->bot[i]->title));
      p->names[i] = p->bot_name[i];
    }
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
  if (w.load && optind < argc)
    return misused(&command_play, "%s",
                   _("a saved game knows its name; leave it out."));
  status = w.load ? open_saved(&p, w.load) : open_new(&p, argv[optind], &w);
  if (status == DONE)
    status = seat_everyone(&p, &w);
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
    "GAME [OPTION...] | --load FILE [OPTION...]",
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
       "  --load FILE       go on with a saved game\n"
       "  --record FILE     save the game there when it is over or left\n"
       "  --lang LANG       en or it; else as the environment says\n"),
    run};
