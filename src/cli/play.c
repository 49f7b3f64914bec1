/* salotto play and salotto watch: a game here, on the whole screen or in lines
 * of text, for people at one keyboard and bots. */
#include "local.h"
#include "play_plain.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static bool small_number(const char *text, int *out) {
  long n;
  if (!read_number(text, 0, 1000, &n))
    return false;
  *out = (int)n;
  return true;
}

/* "expert" for every seat, or "1=expert" for one. The text must stay. */
static bool seat_value(const char *text, const char **all,
                       const char *by_seat[SAL_SEATS_MAX], const char **value) {
  const bool one =
      text[0] >= '0' && text[0] < '0' + SAL_SEATS_MAX && text[1] == '=';
  *value = one ? text + 2 : text;
  if (one)
    by_seat[text[0] - '0'] = text + 2;
  else
    *all = text;
  return **value != '\0';
}

static bool is_name(const char *name) {
  for (const char *c = name; *c; c++)
    if ((unsigned char)*c < ' ')
      return false;
  return *name && strlen(name) < SAVE_NAME_MAX && strcmp(name, "-") != 0;
}

static const struct option longs[] = {{"players", required_argument, NULL, 'p'},
                                      {"people", required_argument, NULL, 'n'},
                                      {"seat", required_argument, NULL, 's'},
                                      {"bot", required_argument, NULL, 'b'},
                                      {"name", required_argument, NULL, 'N'},
                                      {"seconds", required_argument, NULL, 't'},
                                      {"option", required_argument, NULL, 'o'},
                                      {"seed", required_argument, NULL, 'r'},
                                      {"load", required_argument, NULL, 'l'},
                                      {"resume", no_argument, NULL, 'R'},
                                      {"record", required_argument, NULL, 'w'},
                                      {"plain", no_argument, NULL, 'P'},
                                      {"speed", required_argument, NULL, 'S'},
                                      {"lang", required_argument, NULL, 'L'},
                                      {NULL, 0, NULL, 0}};

static bool read_seconds(const char *text, double most, double *out) {
  char *end;
  *out = strtod(text, &end);
  return end != text && !*end && *out >= 0 && *out <= most;
}

static bool read_play_wish(int c, struct wishes *w, const char **first_name,
                           double *speed) {
  const char *value;
  switch (c) {
  case 'p': return small_number(optarg, &w->players);
  case 'n': return small_number(optarg, &w->people);
  case 's': return small_number(optarg, &w->seat);
  case 'b':
    return seat_value(optarg, &w->bot, w->bots, &value) && session_level(value);
  case 'N':
    return seat_value(optarg, first_name, w->names, &value) && is_name(value);
  case 'o':
    if (w->options >= 16 || !strchr(optarg, '='))
      return false;
    w->option[w->options++] = optarg;
    return true;
  case 't': return read_seconds(optarg, 600, &w->seconds) && w->seconds > 0;
  case 'S': return read_seconds(optarg, 60, speed);
  case 'r': w->seed = optarg; return true;
  case 'l': w->load = optarg; return true;
  case 'R': return w->resume = true;
  case 'P': return w->plain = true;
  case 'w': w->record = optarg; return true;
  default:
    if (strcmp(optarg, "en") != 0 && strcmp(optarg, "it") != 0)
      return false;
    choose_language(optarg);
    return true;
  }
}

static int read_wishes(int argc, char **argv, const struct command *command,
                       struct wishes *w, double *speed) {
  const char *first_name = NULL;
  opterr = 0;
  for (int c; (c = getopt_long(argc, argv, "", longs, NULL)) != -1;) {
    const bool watching = command == &command_watch;
    if (c == '?' || c == ':' || (c == 'S' && !watching) ||
        (watching && (c == 'n' || c == 's' || c == 'R' || c == 'l')))
      return misused(command, _("'%s' is not recognised."), argv[optind - 1]);
    if (!read_play_wish(c, w, &first_name, speed))
      return misused(command, _("the value '%s' is not possible."), optarg);
  }
  if (first_name && w->seat < SAL_SEATS_MAX && !w->names[w->seat])
    w->names[w->seat] = first_name;
  if (optind + 1 < argc)
    return misused(command, _("unexpected argument '%s'."), argv[optind + 1]);
  w->game = argv[optind];
  if ((w->load || w->resume) && w->game)
    return misused(
        command, "%s",
        _("a saved game already says which game it is; leave the name out."));
  return DONE;
}

static int start_play(struct wishes *w, const struct command *command,
                      double speed) {
  static struct session p; /* large: it holds a memory */
  const bool whole = !w->plain && screen_possible();
  int status = session_open(&p, w, command);
  if (status == DONE)
    status = whole ? play_screen(&p, p.people ? 0 : speed)
             : p.people
                 ? play_plain(&p)
                 : watch_plain(&p, command == &command_watch ? speed : 0);
  session_close(&p);
  return status;
}

static int run_play(int argc, char **argv) {
  struct wishes w = {.bot = "regular", .seconds = 0.5, .people = 1};
  double speed = 1;
  const int status = read_wishes(argc, argv, &command_play, &w, &speed);
  if (status != DONE)
    return status;
  teach_master();
  if (!w.game && !w.load && !w.resume && !w.plain && screen_possible()) {
    int ended;
    if (!menu_choose(&w, &ended))
      return ended ? 128 + ended : DONE;
  }
  return start_play(&w, &command_play, speed);
}

static int run_watch(int argc, char **argv) {
  struct wishes w = {.bot = "regular", .seconds = 0.5, .people = 0};
  double speed = 1;
  const int status = read_wishes(argc, argv, &command_watch, &w, &speed);
  if (status != DONE)
    return status;
  teach_master();
  return start_play(&w, &command_watch, speed);
}

const struct command command_play = {
    "play", N_("play a game here"),
    N_("[GAME] [OPTION...] | --resume | --load FILE [OPTION...]"),
    N_("  GAME              the game, for example doors; without one, a menu\n"
       "  --players N       how many sit at the table\n"
       "  --people N        how many of them are people at this keyboard (1)\n"
       "  --seat S          the first person's seat, from 0 (0)\n"
       "  --bot LEVEL       who plays the other seats: random, novice, regular,\n"
       "                    ismcts, expert, master (regular), or cmd:COMMAND, a\n"
       "                    program as in the arena\n"
       "  --bot S=LEVEL     who plays seat S\n"
       "  --name S=NAME     what the player at seat S is called; without S= the\n"
       "                    first person\n"
       "  --seconds S       how long a bot may think (0.5)\n"
       "  --option NAME=V   an option of the game, for example first=0\n"
       "  --seed SEED       a whole number or 64 hex digits: the same deals again\n"
       "  --resume          go on with the game that was left last: every move is\n"
       "                    saved as it is made, in $XDG_STATE_HOME/salotto\n"
       "  --load FILE       go on with a saved game\n"
       "  --record FILE     save the game there when it is over or left\n"
       "  --plain           lines of text instead of the whole screen\n"
       "  --lang LANG       en or it; otherwise as LANG says\n"),
    run_play};

const struct command command_watch = {
    "watch", N_("watch bots play"), N_("GAME [OPTION...]"),
    N_("  GAME              the game, for example doors\n"
       "  --players N       how many sit at the table\n"
       "  --bot LEVEL       who plays: random, novice, regular, ismcts, expert,\n"
       "                    master (regular), or cmd:COMMAND\n"
       "  --bot S=LEVEL     who plays seat S\n"
       "  --name S=NAME     what the player at seat S is called\n"
       "  --speed S         seconds between two actions (1)\n"
       "  --seconds S       how long a bot may think (0.5)\n"
       "  --option NAME=V   an option of the game, for example first=0\n"
       "  --seed SEED       a whole number or 64 hex digits: the same deals again\n"
       "  --record FILE     save the game there when it is over or left\n"
       "  --plain           lines of text instead of the whole screen\n"
       "  --lang LANG       en or it; otherwise as LANG says\n"),
    run_watch};
