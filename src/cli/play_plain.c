/* A game in lines of text, for people at one keyboard and bots. Works in a pipe.
 *
 * Main invariant: between two people's turns nothing of the first one's secrets
 * stays on the screen. */
#include "play_plain.h"

#include "local.h"
#include "terminal/canvas.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
  SHOWN_CHOICES = 30 /* with their meaning; more are listed by notation */
};

enum outcome { GO_ON, LEFT };

struct lines {
  struct session *p;
  size_t heard[SAL_SEATS_MAX + 1]; /* events each has been told */
  bool terminal;
};

/* ---- Showing ------------------------------------------------------------ */

static void show_sentence(const char *sentence, int times) {
  char line[SAY_MAX + 40];
  if (times == 1)
    snprintf(line, sizeof line, "* %s", sentence);
  else if (times > 1)
    snprintf(line, sizeof line, _("* %s (%d times)"), sentence, times);
  if (times)
    print_lines(line, 2);
}

/* What is said several times in a row is said once. */
static void show_events(struct lines *l) {
  char buffer[2][SAY_MAX] = {"", ""};
  struct session *p = l->p;
  size_t *heard = &l->heard[p->watcher + 1];
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
static void view_text(struct session *p, describe_fn *describe,
                      char buffer[SAY_MAX]) {
  union sal_view_box v;
  struct sal_text t;
  sal_text_init(&t, buffer, SAY_MAX);
  sal_table_view(p->table, p->watcher, (sal_view *)v.bytes);
  describe((const sal_view *)v.bytes, &p->words.words, &t);
}

static void show_position(struct session *p) {
  char text[SAY_MAX];
  putchar('\n');
  view_text(p, p->game->position, text);
  print_block(text);
}

void print_prompt(struct session *p) {
  char text[SAY_MAX];
  view_text(p, p->game->prompt, text);
  print_lines(text, 0);
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
    char say[SAY_MAX], notation[SAL_ACTION_TEXT_MAX], line[SAY_MAX + 200];
    struct sal_text t;
    sal_text_init(&t, say, sizeof say);
    p->game->action_say((const sal_view *)v.bytes, p->legal[i], &p->words.words,
                        &t);
    const int room = 80 - 7 - (int)notation_of(p, p->legal[i], notation);
    const int wide = room < 44 ? room : 44, columns = text_columns(say);
    /* a long label has its notation below */
    snprintf(line, sizeof line,
             columns > room ? "%4zu  %s\n%*s%s\n" : "%4zu  %s%*s %s\n", i + 1,
             say,
             columns > room   ? 6
             : columns < wide ? wide - columns
                              : 0,
             "", notation);
    print_block(line);
  }
}

static void show_help(void) {
  print_block(_(
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
  putchar('\n');
}

static void show_result(struct lines *l) {
  struct session *p = l->p;
  if (p->people != 1)
    p->watcher = SAL_SPECTATOR;
  show_events(l);
  show_position(p);
  print_prompt(p);
}

/* ---- Commands ----------------------------------------------------------- */

static void show_rules(const struct session *p, const char *id) {
  if (!print_rules_of(p->game, *id ? id : NULL))
    puts(_("The game has no such rule."));
}

/* Does what a line says. True: the table has changed. */
static bool obey(struct session *p, int seat, const char *line,
                 enum outcome *outcome) {
  char buffer[SAY_MAX];
  const char *rest, *rule;
  struct sal_refusal why;
  struct sal_text t;
  sal_text_init(&t, buffer, sizeof buffer);
  if (command_argument(line, N_("quit"))) {
    *outcome = LEFT;
    return true;
  }
  if (command_argument(line, N_("look")))
    return true;
  if (command_argument(line, N_("help"))) {
    show_help();
  } else if (command_argument(line, N_("hint"))) {
    session_hint(p, seat, &t);
  } else if ((rest = command_argument(line, N_("why")))) {
    session_why(p, seat, rest, &rule, &t);
  } else if ((rest = command_argument(line, N_("rules")))) {
    show_rules(p, rest);
  } else if ((rest = command_argument(line, N_("save")))) {
    session_save(p, rest, &t);
  } else if (command_argument(line, N_("undo"))) {
    if (sal_table_undo(p->table, p->watcher, &why) == 0)
      return true;
    session_refusal(p, &why, &t);
  } else if (command_argument(line, N_("pass all"))) {
    if (session_pass_all(p, seat, &why))
      return true;
    session_refusal(p, &why, &t);
  } else if (session_act(p, seat, line, &rule, &t)) {
    return true;
  }
  if (t.len)
    print_lines(buffer, 0);
  return false;
}

/* The legal actions and the commands, for completion; to be freed. */
static const char **offered(const struct session *p, int seat) {
  static const char *const commands[] = {
      N_("help"), N_("look"), N_("hint"), N_("why"),     N_("rules"),
      N_("undo"), N_("save"), N_("quit"), N_("pass all")};
  const size_t more = sizeof commands / sizeof *commands;
  const size_t n = sal_table_legal(p->table, seat, p->legal);
  char *block =
      malloc((n + more + 1) * sizeof(char *) + n * SAL_ACTION_TEXT_MAX);
  const char **texts = (const char **)block;
  if (!block)
    return NULL;
  char *at = block + (n + more + 1) * sizeof(char *);
  for (size_t i = 0; i < n; i++, at += SAL_ACTION_TEXT_MAX) {
    notation_of(p, p->legal[i], at);
    texts[i] = at;
  }
  for (size_t i = 0; i < more; i++)
    texts[n + i] = _(commands[i]);
  texts[n + more] = NULL;
  return texts;
}

/* ---- Turns -------------------------------------------------------------- */

/* Hides what the last person saw before the next one looks. */
static bool hand_over(struct lines *l, int seat) {
  struct session *p = l->p;
  char line[LINE_MAX_LEN + 2], name[64], say[300];
  if (p->people < 2 || p->watcher == seat) {
    p->watcher = seat;
    return true;
  }
  struct sal_text t;
  sal_text_init(&t, name, sizeof name);
  p->words.words.seat(&p->words.words, seat, &t);
  fputs(l->terminal ? "\033[2J\033[H" : "\n----\n", stdout);
  snprintf(say, sizeof say,
           _("%s, it is your turn: press Enter when nobody else is looking."),
           name);
  print_lines(say, 0);
  p->watcher = seat;
  return read_line(line, NULL);
}

static enum outcome person_turn(struct lines *l, int seat) {
  struct session *p = l->p;
  enum outcome outcome = GO_ON;
  char line[LINE_MAX_LEN + 2];
  if (session_passes_again(p, seat))
    return GO_ON;
  if (!hand_over(l, seat))
    return LEFT;
  show_events(l);
  show_position(p);
  print_prompt(p);
  show_choices(p, seat);
  const char **texts = offered(p, seat);
  do
    if (!read_line(line, texts))
      outcome = LEFT;
  while (outcome != LEFT && (!*line || !obey(p, seat, line, &outcome)));
  free(texts);
  return outcome;
}

static enum outcome bot_turn(struct session *p, int seat) {
  char buffer[SAY_MAX];
  struct sal_text problem;
  sal_text_init(&problem, buffer, sizeof buffer);
  const bool done = session_bot_acts(p, seat, &problem);
  if (problem.len)
    print_lines(buffer, 0);
  return done ? GO_ON : LEFT;
}

void print_welcome(const struct session *p) {
  char hex[2 * SAL_KEY_SIZE + 1], line[300];
  snprintf(line, sizeof line, "%s. %s", _(p->game->info.title),
           _("'help' lists what you can type."));
  print_lines(line, 0);
  if (!session_commitment(p, hex))
    return;
  snprintf(line, sizeof line,
           _("Commitment to the deals, for 'salotto verify':\n  %s\n"), hex);
  print_block(line);
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

static bool curtained(const struct lines *l) {
  return l->terminal && l->p->people > 1;
}

static void open_curtain(const struct lines *l) {
  static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  if (!curtained(l))
    return;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    signal(ends[i], back_and_die);
  fputs(other_screen, stdout);
  print_welcome(l->p);
}

static void close_curtain(const struct lines *l) {
  if (!curtained(l))
    return;
  fputs(first_screen, stdout);
  fflush(stdout);
}

/* ---- The course of a game -------------------------------------------------- */

static bool has_screen(void) {
  const char *name = getenv("TERM");
  return isatty(STDOUT_FILENO) && name && *name && strcmp(name, "dumb") != 0;
}

static void pause_for(double seconds) {
  const struct timespec t = {(time_t)seconds,
                             (long)((seconds - (double)(time_t)seconds) * 1e9)};
  if (seconds > 0)
    nanosleep(&t, NULL);
}

/* Whoever types it gets the review; anything else leaves. */
static void offer_review(struct session *p) {
  static const char *words[2];
  char line[LINE_MAX_LEN + 2];
  words[0] = _("review");
  print_lines(_("Type 'review' to see what each decision was worth; Enter "
                "leaves."),
              0);
  while (read_line(line, words) && command_argument(line, N_("review"))) {
    char *record = sal_table_record(p->table, true);
    if (record)
      review_lines(&(struct replay_wish){
          .text = record, .length = strlen(record), .names = p->names});
    free(record);
  }
}

static void keep_game(struct session *p) {
  char buffer[SAVE_PATH_MAX];
  struct sal_text problem;
  sal_text_init(&problem, buffer, sizeof buffer);
  session_keep(p, &problem);
  if (problem.len)
    print_lines(buffer, 0);
}

static int run_lines(struct session *p, double seconds) {
  struct lines l = {.p = p, .terminal = has_screen()};
  enum outcome outcome = GO_ON;
  unsigned asked;
  print_welcome(p);
  keep_game(p);
  open_curtain(&l);
  while (outcome == GO_ON && (asked = sal_table_to_act(p->table)) != 0) {
    if (sal_table_waiting(p->table)) {
      print_lines(_(session_no_seed), 0);
      outcome = LEFT;
      break;
    }
    const int seat = session_next(p, asked);
    outcome =
        session_is_bot(p, seat) ? bot_turn(p, seat) : person_turn(&l, seat);
    keep_game(p);
    if (p->people == 0) {
      show_events(&l);
      fflush(stdout);
      pause_for(seconds);
    }
  }
  close_curtain(&l);
  char end[SAVE_PATH_MAX + 300];
  struct sal_text t;
  sal_text_init(&t, end, sizeof end);
  if (outcome == LEFT)
    puts(_("You leave the table."));
  else
    show_result(&l);
  session_finish(p, outcome != LEFT, &t);
  if (t.len)
    print_lines(end, 0);
  if (outcome != LEFT && p->people && isatty(STDIN_FILENO))
    offer_review(p);
  return DONE;
}

int play_plain(struct session *p) { return run_lines(p, 0); }

int watch_plain(struct session *p, double seconds) {
  return run_lines(p, seconds);
}
