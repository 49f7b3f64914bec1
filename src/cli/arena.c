/* salotto arena: tournaments of bots and outside programs.
 *
 * Main invariant: standard output depends on the arguments alone; whatever
 * has to do with time goes to standard error. */
#include "arena_gauntlet.h"
#include "arena_report.h"
#include "opponents.h"
#include "program.h"
#include "ranks.h"

#include <errno.h>
#include <getopt.h>
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

enum { OPTIONS_MAX = 16, NAME_SIZE = 200, GAMES_MAX = 10000000 };

enum format { TEXT, JSON, CSV };

struct wishes {
  const struct sal_game *game;
  int players, games, threads, move_ms, start_ms;
  const char *option[OPTIONS_MAX];
  int options;
  const char *bot[ARENA_BOTS_MAX];
  int bots;
  char name[ARENA_BOTS_MAX][NAME_SIZE];
  const char *seed;
  enum format format;
  const char *html;
  const char *gauntlet; /* who runs it; NULL: nobody */
  bool tuning;
  const char *keep, *records; /* a file and a folder, or NULL */
  bool asks;
  double elo[2]; /* the question: docs/arena.md */
};

/* ---- Arguments ----------------------------------------------------------- */

static bool number_between(const char *text, int least, int most, int *out) {
  int32_t v;
  const char *rest = sal_number_read(text, &v);
  if (!rest || *rest || v < least || v > most)
    return false;
  *out = v;
  return true;
}

static bool add_to(const char **list, int *count, int most, const char *text) {
  if (*count == most)
    return false;
  list[(*count)++] = text;
  return true;
}

static bool set_format(struct wishes *w, enum format f) {
  if (w->format != TEXT && w->format != f)
    return false;
  w->format = f;
  return true;
}

/* "0,10": two differences in Elo, the second larger. */
static bool read_question(const char *text, struct wishes *w) {
  char *end;
  w->elo[0] = strtod(text, &end);
  if (end == text || *end != ',')
    return false;
  text = end + 1;
  w->elo[1] = strtod(text, &end);
  w->asks = true;
  return end != text && !*end && w->elo[0] < w->elo[1] &&
         fabs(w->elo[0]) <= 2000 && fabs(w->elo[1]) <= 2000;
}

/* True if the value of the option is possible. */
static bool take_option(struct wishes *w, int option) {
  switch (option) {
  case 'g': return (w->game = sal_game_find(optarg)) != NULL;
  case 'p': return number_between(optarg, 1, SAL_SEATS_MAX, &w->players);
  case 'o':
    return strchr(optarg, '=') &&
           add_to(w->option, &w->options, OPTIONS_MAX, optarg);
  case 'b': return add_to(w->bot, &w->bots, ARENA_BOTS_MAX, optarg);
  case 'n': return number_between(optarg, 1, GAMES_MAX, &w->games);
  case 't': return number_between(optarg, 1, ARENA_THREADS_MAX, &w->threads);
  case 'm': return number_between(optarg, 1, 3600000, &w->move_ms);
  case 's': return number_between(optarg, 0, 3600000, &w->start_ms);
  case 'r': w->seed = optarg; return true;
  case 'j': return set_format(w, JSON);
  case 'c': return set_format(w, CSV);
  case 'h': w->html = optarg; return true;
  case 'G': w->gauntlet = optarg; return true;
  case 'T': return w->tuning = true;
  case 'k': w->keep = optarg; return *optarg != '\0';
  case 'R': w->records = optarg; return *optarg != '\0';
  case 'q': return read_question(optarg, w);
  default: return read_language(optarg);
  }
}

static int read_wishes(int argc, char **argv, struct wishes *w) {
  static const struct option longs[] = {
      {"game", required_argument, NULL, 'g'},
      {"players", required_argument, NULL, 'p'},
      {"option", required_argument, NULL, 'o'},
      {"bot", required_argument, NULL, 'b'},
      {"games", required_argument, NULL, 'n'},
      {"seed", required_argument, NULL, 'r'},
      {"threads", required_argument, NULL, 't'},
      {"move-time", required_argument, NULL, 'm'},
      {"start-time", required_argument, NULL, 's'},
      {"json", no_argument, NULL, 'j'},
      {"csv", no_argument, NULL, 'c'},
      {"html", required_argument, NULL, 'h'},
      {"gauntlet", required_argument, NULL, 'G'},
      {"tune", no_argument, NULL, 'T'},
      {"keep", required_argument, NULL, 'k'},
      {"records", required_argument, NULL, 'R'},
      {"sprt", required_argument, NULL, 'q'},
      {"lang", required_argument, NULL, 'L'},
      {NULL, 0, NULL, 0}};
  opterr = 0;
  for (int c; (c = getopt_long(argc, argv, "", longs, NULL)) != -1;) {
    if (c == '?')
      return misused(&command_arena, _("'%s' is not recognised."),
                     argv[optind - 1]);
    if (take_option(w, c))
      continue;
    if (c == 'g')
      return misused(&command_arena, _("there is no game '%s'."), optarg);
    if (c == 'j' || c == 'c')
      return misused(&command_arena, "%s",
                     _("choose one of --json and --csv."));
    return misused(&command_arena, _("the value '%s' is not possible."),
                   optarg);
  }
  if (optind < argc)
    return misused(&command_arena, _("unexpected argument '%s'."),
                   argv[optind]);
  return DONE;
}

/* ---- Bots ---------------------------------------------------------------- */

/* A name that can be shown anywhere: no control characters, valid UTF-8. */
static void show_name(const char *text, char *out, size_t size) {
  mbstate_t state = {0};
  size_t n = 0;
  while (*text && n + MB_LEN_MAX < size) {
    wchar_t c;
    const size_t length = mbrtowc(&c, text, strlen(text), &state);
    if (length == (size_t)-1 || length == (size_t)-2) {
      memset(&state, 0, sizeof state);
      out[n++] = '?';
      text++;
    } else if (iswcntrl((wint_t)c)) {
      out[n++] = ' ';
      text += length;
    } else {
      memcpy(out + n, text, length);
      n += length;
      text += length;
    }
  }
  out[n] = '\0';
}

/* Two bots that were asked for in the same words are told apart by number. */
static void name_bot(struct wishes *w, int i) {
  int same = 1;
  for (int k = 0; k < i; k++)
    same += strcmp(w->bot[k], w->bot[i]) == 0;
  show_name(w->bot[i], w->name[i], NAME_SIZE - 8);
  const size_t n = strlen(w->name[i]);
  if (same > 1)
    snprintf(w->name[i] + n, NAME_SIZE - n, " #%d", same);
}

/* What stands behind the level, if it makes sense. */
static bool read_budget(const char *text, struct sal_budget *out) {
  int number;
  const char *rest;
  if (!*text) {
    *out = (struct sal_budget){0}; /* the bot's own default */
    return true;
  }
  if ((rest = sal_skip(text, ":sims="))) {
    if (!number_between(rest, 1, 999999999, &number))
      return false;
    *out = sal_budget_simulations((uint32_t)number);
    return true;
  }
  if (!(rest = sal_skip(text, ":ms=")) ||
      !number_between(rest, 1, 3600000, &number))
    return false;
  *out = sal_budget_seconds(number / 1e3);
  return true;
}

/* ":miser" and the like behind the level; what is behind that. */
static const char *read_temper(const char *text, enum sal_temper *out) {
  for (int t = 0; t < SAL_TEMPERS; t++) {
    const char *id = sal_temper_id((enum sal_temper)t);
    const char *rest = *text == ':' ? sal_skip(text + 1, id) : NULL;
    if (rest && (!*rest || *rest == ':')) {
      *out = (enum sal_temper)t;
      return rest;
    }
  }
  return text;
}

static int read_bot(const char *text, const char *name, struct arena_bot *out) {
  char level[32];
  *out = (struct arena_bot){.name = name};
  out->command = sal_skip(text, "cmd:");
  if (out->command && !out->command[strspn(out->command, " \t\n")])
    return misused(&command_arena, _("'%s' does not name a program."), text);
  if (out->command)
    return DONE;
  const size_t n = strcspn(text, ":");
  snprintf(level, sizeof level, "%.*s", (int)n, text);
  if (!(out->inside = opponent_find(level)))
    return misused(&command_arena, _("there is no bot '%s'."), text);
  const char *rest = read_temper(text + n, &out->temper);
  if (!read_budget(rest, &out->budget))
    return misused(
        &command_arena,
        _("'%s' is not a budget; write for example :sims=2000 or :ms=100."),
        text);
  return DONE;
}

/* ---- Plan ---------------------------------------------------------------- */

static int read_seed(const char *text, uint64_t *out) {
  if (!text) {
    struct sal_key key;
    sal_key_random(&key);
    /* Short enough to be typed again. */
    *out = (uint64_t)key.bytes[0] << 24 | (uint64_t)key.bytes[1] << 16 |
           (uint64_t)key.bytes[2] << 8 | key.bytes[3];
    return DONE;
  }
  uint64_t n = 0;
  bool ok = *text != '\0';
  for (; ok && *text; text++) {
    const unsigned digit = (unsigned)(*text - '0');
    ok = digit <= 9 && n <= (UINT64_MAX - digit) / 10;
    n = 10 * n + digit;
  }
  *out = n;
  return ok ? DONE
            : misused(&command_arena, "%s",
                      _("a seed is a whole number from 0 to 2^64-1."));
}

static int make_plan(struct wishes *w, struct arena_plan *p) {
  if (!(p->game = w->game))
    return misused(&command_arena, "%s", _("which game?"));
  int status = read_setup(&command_arena, p->game, w->players, w->option,
                          w->options, &p->setup);
  if (status == DONE)
    status = read_seed(w->seed, &p->seed);
  if (status != DONE)
    return status;
  p->threads = w->threads;
  p->move_seconds = w->move_ms / 1e3;
  p->start_seconds = w->start_ms / 1e3;
  if (w->bots == 0 && !w->gauntlet)
    return misused(&command_arena, "%s",
                   _("which bots? Name some with --bot."));
  if (w->games == 0)
    return misused(&command_arena, "%s", _("how many games? Say --games N."));
  for (p->bots = 0; p->bots < w->bots; p->bots++) {
    name_bot(w, p->bots);
    status = read_bot(w->bot[p->bots], w->name[p->bots], &p->bot[p->bots]);
    if (status != DONE)
      return status;
  }
  const size_t each = w->gauntlet ? 1 : arena_games_per_deal(p);
  p->deals = ((size_t)w->games + each - 1) / each;
  return DONE;
}

/* ---- Keeping ------------------------------------------------------------- */

/* Which tournament a file belongs to: all but how many games. */
static json_t *describe(const struct wishes *w, const struct arena_plan *p) {
  json_t *options = json_array(), *names = json_array();
  for (int i = 0; i < w->options; i++)
    json_array_append_new(options, json_string(w->option[i]));
  for (int i = 0; i < w->bots; i++)
    json_array_append_new(names, json_string(w->name[i]));
  return json_pack("{s:i,s:s,s:i,s:o,s:o,s:i,s:i,s:s,s:b}", "arena", 1, "game",
                   p->game->info.id, "players", p->setup.players, "options",
                   options, "bots", names, "move_ms", w->move_ms, "start_ms",
                   w->start_ms, "gauntlet", w->gauntlet ? w->gauntlet : "",
                   "tuning", (int)w->tuning);
}

/* Opens what is written during the games. */
static int take_duties(const struct wishes *w, struct arena_plan *p,
                       struct arena_duty *d) {
  *d = (struct arena_duty){
      .records = w->records, .asks = w->asks, .elo = {w->elo[0], w->elo[1]}};
  if (w->asks && !w->gauntlet && p->bots < 2)
    return misused(&command_arena, "%s",
                   _("--sprt compares two or more bots."));
  if (w->records && mkdir(w->records, 0777) != 0 && errno != EEXIST)
    return complain(FAILED, _("%s: cannot be written: %s."), w->records,
                    strerror(errno));
  if (w->records && access(w->records, W_OK | X_OK) != 0)
    return complain(FAILED, _("%s: cannot be written: %s."), w->records,
                    strerror(errno));
  if (w->keep && !(d->keep = arena_keep_open(w->keep, describe(w, p),
                                             w->seed != NULL, &p->seed)))
    return FAILED;
  return DONE;
}

/* ---- Reports ------------------------------------------------------------- */

static int write_page(const char *path, const struct tournament_report *r) {
  char *page = NULL;
  size_t length;
  FILE *f = open_memstream(&page, &length);
  if (f)
    arena_html(f, r);
  int status = FAILED;
  if (f && fclose(f) == 0)
    status = write_file(path, page);
  else
    complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
  free(page);
  return status;
}

struct bot_time bot_time(const struct tournament_report *r, int bot) {
  const struct arena_plan *p = r->plan;
  const size_t games = p->deals * arena_games_per_deal(p);
  struct bot_time t = {0};
  for (size_t n = 0; n < games; n++)
    for (int seat = 0; seat < p->setup.players; seat++)
      if (r->games[n].bot[seat] == bot) {
        t.mean += p->times[n].seconds[seat];
        t.moves += p->times[n].moves[seat];
        t.longest = fmax(t.longest, p->times[n].longest[seat]);
      }
  t.mean = t.moves ? t.mean / (double)t.moves : 0;
  return t;
}

/* How long each bot thought; to standard error, so that the report of a seed is
 * always the same. */
static void tell_times(const struct tournament_report *r, double spent) {
  const struct arena_plan *p = r->plan;
  fprintf(stderr, _("%zu games in %.1f s, threads: %d.\n"),
          p->deals * arena_games_per_deal(p), spent, p->threads);
  for (int i = 0; i < p->bots; i++) {
    const struct bot_time t = bot_time(r, i);
    if (t.moves > 0)
      fprintf(stderr,
              _("%s: %.3g ms for a move with a choice, %.3g ms at most.\n"),
              p->bot[i].name, 1e3 * t.mean, 1e3 * t.longest);
  }
}

static int report_games(const struct wishes *w, const struct arena_plan *p,
                        const struct arena_game *games,
                        const struct arena_outcome *outcome, double spent) {
  static struct figures figures;
  struct tournament_report r = {p,    games, &figures, &outcome->notes,
                                NULL, true};
  if (w->asks)
    r.sprt = &outcome->sprt;
  if (!figures_take(p, games, &figures))
    return complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
  for (int i = 0; i < p->bots; i++)
    r.repeatable &= !p->bot[i].command && p->bot[i].budget.seconds <= 0;
  if (w->format == JSON)
    arena_json(stdout, &r);
  else if (w->format == CSV)
    arena_csv(stdout, &r);
  else
    arena_text(stdout, &r);
  const int status = w->html ? write_page(w->html, &r) : DONE;
  fflush(stdout);
  if (status == DONE && w->format == TEXT)
    tell_times(&r, spent);
  return status;
}

/* Better now than after an hour of games. */
static int check_page(const char *path) {
  char *copy = path ? strdup(path) : NULL;
  int status = DONE;
  if (copy && access(dirname(copy), W_OK) != 0)
    status = complain(FAILED, _("%s: cannot be written: %s."), path,
                      _("the folder is missing, or you have no permission"));
  free(copy);
  return status;
}

/* ---- The gauntlet -------------------------------------------------------- */

/* What is tuned and what is reported see different deals. */
static const char *const TUNING_SEED = "7", *const REPORT_SEED = "1";

static int run_gauntlet(const struct wishes *w, const struct arena_plan *p,
                        const struct arena_duty *duty) {
  static struct gauntlet g;
  g.plan = *p;
  g.duty = duty;
  int status = read_bot(w->gauntlet, w->gauntlet, &g.level);
  if (status != DONE)
    return status;
  for (int i = 0; i < p->bots; i++)
    g.row[g.rows++].bot = p->bot[i];
  if (g.rows == 0 || w->tuning)
    gauntlet_fill(&g, w->tuning);
  return gauntlet_run(&g, w->games, w->format == JSON);
}

static int run_tournament(const struct wishes *w, struct arena_plan *p,
                          const struct arena_duty *duty) {
  static struct arena_outcome outcome;
  const size_t count = p->deals * arena_games_per_deal(p);
  struct arena_game *games = calloc(count, sizeof *games);
  p->times = calloc(count, sizeof *p->times);
  if (!games || !p->times) {
    free(games);
    free(p->times);
    return complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
  }
  const double from = program_clock();
  int status = arena_play(duty, -1, p, games, &outcome);
  const double spent = program_clock() - from;
  if (p->deals) {
    const int reported = report_games(w, p, games, &outcome, spent);
    status = reported == DONE ? status : reported;
  }
  arena_outcome_free(&outcome);
  free(games);
  free(p->times);
  return status;
}

/* What only rank 0 does before the games; all ranks go on, or none. */
static int take_shared_duties(const struct wishes *w, struct arena_plan *p,
                              struct arena_duty *d) {
  int status = DONE;
  if (ranks_number() == 0) {
    status = check_page(w->html);
    if (status == DONE)
      status = take_duties(w, p, d);
  } else {
    *d = (struct arena_duty){.records = w->records};
  }
  ranks_share(&status, sizeof status);
  ranks_share(&p->seed, sizeof p->seed);
  return status;
}

static int hold_tournament(int argc, char **argv) {
  static struct wishes w = {.move_ms = 1000, .start_ms = 5000};
  static struct arena_plan plan;
  struct arena_duty duty = {0};
  w.threads = ranks_count() > 1 ? 1 : (int)core_count();
  int status = read_wishes(argc, argv, &w);
  teach_master();
  if (w.gauntlet && !w.seed)
    w.seed = w.tuning ? TUNING_SEED : REPORT_SEED;
  if (status == DONE && w.gauntlet && (w.format == CSV || w.html))
    status =
        misused(&command_arena, "%s",
                _("--gauntlet takes --json, but neither --csv nor --html."));
  if (status == DONE)
    status = make_plan(&w, &plan);
  if (status == DONE)
    status = take_shared_duties(&w, &plan, &duty);
  if (status == DONE)
    status = w.gauntlet ? run_gauntlet(&w, &plan, &duty)
                        : run_tournament(&w, &plan, &duty);
  arena_keep_close(duty.keep);
  return status;
}

static int run_arena(int argc, char **argv) {
  ranks_start();
  const int status = hold_tournament(argc, argv);
  if (status != INTERRUPTED)
    ranks_end();
  return status;
}

const struct command command_arena = {
    "arena", N_("hold a tournament of bots and outside programs"),
    N_("--game GAME --bot BOT... --games N [OPTION...]"),
    N_("  --game GAME       the game, for example doors\n"
       "  --players N       how many sit at the table\n"
       "  --option NAME=V   an option of the game, for example first=0\n"
       "  --bot BOT         who plays, once for each, up to 8:\n"
       "                      LEVEL           random, novice, regular, ismcts, expert,\n"
       "                                      master\n"
       "                      LEVEL:sims=N    with so many simulations a move\n"
       "                      LEVEL:ms=N      with so many milliseconds a move\n"
       "                      LEVEL:TEMPER    cautious, daring, bluffer or miser\n"
       "                      cmd:COMMAND     an outside program, docs/arena.md\n"
       "                    One alone plays every seat, to see what the seats are worth\n"
       "  --games N         at least so many games; every deal is played whole\n"
       "  --seed N          the same tournament again (default: a new one)\n"
       "  --threads N       how many games at a time (one for each core)\n"
       "  --move-time MS    time that a program has for a move (1000)\n"
       "  --start-time MS   extra time for its first answer (5000)\n"
       "  --json            the figures as one JSON object\n"
       "  --csv             one row for each game\n"
       "  --html FILE       also write a page with plots\n"
       "  --keep FILE       keep each game as it ends, and go on from there: the same\n"
       "                    command again after Ctrl-C, or with more --games\n"
       "  --records DIR     write a record of each game, for 'salotto replay'\n"
       "  --sprt E0,E1      stop as soon as it is decided whether the first bot is at\n"
       "                    most E0 or at least E1 Elo points stronger than the others\n"
       "                    (as 0,10), wrong in one case of twenty; --games N at most\n"
       "  --gauntlet BOT    this one against opponents of every kind, the worst match-up\n"
       "                    first; --bot names the opponents instead: levels, and flat,\n"
       "                    tree, rollout, reader, learner, shy, honest, bluffer,\n"
       "                    shader, denier, rusher, flooder, which docs/arena.md\n"
       "                    describes\n"
       "  --tune            with --gauntlet: only the opponents and the seed that bots\n"
       "                    are tuned on\n"
       "  --lang LANG       en or it; otherwise as LANG says\n"
       "\n"
       "Every deal is played with every bot in every seat. The same seed gives the same\n"
       "figures with any number of threads, unless a clock (:ms=) or an outside program\n"
       "takes part. A bot that answers an illegal action, is late, crashes or\n"
       "answers nothing sensible loses that game and no other.\n"),
    run_arena};
