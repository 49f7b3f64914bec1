/* salotto review: what happened in a game, and how to play it better. */
#include "play_plain.h"
#include "play_save.h"
#include "review_report.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

struct wish {
  struct sal_review_wish depth;
  struct review_study study;
  const char *calibrate, *levels, *hints, *html;
  const char *level[SAL_SEATS_MAX];
  const char *option[SAL_OPTIONS_MAX];
  int bots, options, players;
  long seat;
  bool json;
};

/* ---- One game --------------------------------------------------------------- */

static void write_head(struct sal_json *j, const void *what) {
  sal_json_object(j, NULL);
  sal_review_tell_head(what, j);
}

struct telling {
  const sal_review *r;
  size_t step;
  const struct sal_words *w;
};

static void write_step(struct sal_json *j, const void *what) {
  const struct telling *t = what;
  sal_review_tell_step(t->r, t->step, t->w, j);
}

static void write_seats(struct sal_json *j, const void *what) {
  const struct telling *t = what;
  sal_json_object(j, NULL);
  sal_review_tell_seats(t->r, t->w, j);
  sal_json_end(j, '}');
}

/* One object, written as it comes: a line for the head, one for each step, one
 * for the end. */
static bool print_part(struct sal_buffer *b, sal_write *write, const void *what,
                       const char *before, size_t skip, const char *after) {
  if (!sal_buffer_compose(b, write, what, SIZE_MAX))
    return false;
  printf("%s%s%s", before, b->at + skip, after);
  fflush(stdout);
  return true;
}

static bool run_json(sal_review *r, const struct sal_words *w, int seat) {
  struct sal_buffer b = {0};
  struct telling t = {r, 0, w};
  const char *before = "";
  bool ok = print_part(&b, write_head, r, "", 0, ",\"steps\":[\n");
  while (ok && sal_review_next(r)) {
    t.step = sal_review_done(r) - 1;
    const struct sal_review_step *s = sal_review_at(r, t.step);
    if (seat >= 0 && s->kind != SAL_REVIEW_DRAW && s->seat != seat)
      continue;
    ok = print_part(&b, write_step, &t, before, 0, "");
    before = ",\n";
  }
  ok = ok && print_part(&b, write_seats, &t, "\n],\n", 1, "\n");
  sal_buffer_free(&b);
  return ok;
}

static bool run_text(sal_review *r, const struct sal_words *w, int seat) {
  review_text_head(r, w);
  while (sal_review_next(r)) {
    review_text_step(r, sal_review_done(r) - 1, w, seat);
    fflush(stdout);
  }
  review_text_seats(r, w, seat);
  return true;
}

static int run_html(sal_review *r, const struct sal_words *w, int seat,
                    const char *path) {
  while (sal_review_next(r))
    ;
  char *page = review_html(r, w, seat);
  if (!page)
    return complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
  const int status = strcmp(path, "-") == 0 ? (fputs(page, stdout), DONE)
                                            : write_file(path, page);
  free(page);
  return status;
}

static int review_table(const sal_table *t, const struct wish *wish,
                        const struct sal_words *w, const char *path) {
  const int seat = (int)wish->seat;
  struct sal_refusal why;
  if (wish->seat >= sal_table_players(t))
    return complain(FAILED, _("%s: there is no seat %ld at this table."), path,
                    wish->seat);
  sal_review *r = sal_review_new(t, &wish->depth, &why);
  if (!r)
    return complain(FAILED, "%s: %s", path, _(why.message));
  int status = DONE;
  if (wish->html)
    status = run_html(r, w, seat, wish->html);
  else if (!(wish->json ? run_json(r, w, seat) : run_text(r, w, seat)))
    status = complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
  sal_review_free(r);
  return status;
}

static int review_file(const char *path, const struct wish *wish) {
  size_t length;
  struct sal_refusal why;
  struct save_seats seats = {0};
  struct sal_speaker words;
  const char *names[SAL_SEATS_MAX] = {0};
  char *text = read_file(path, &length);
  if (!text)
    return FAILED;
  sal_table *t = load_record(text, length, NULL, &why);
  if (!t) {
    free(text);
    return complain(FAILED, "%s: %s", path, why.message);
  }
  save_seats_read(text, sal_table_players(t), &seats);
  for (int i = 0; i < sal_table_players(t); i++)
    names[i] = seats.name[i][0] ? seats.name[i] : NULL;
  cli_words_init(&words, names);
  teach_master();
  const int status = review_table(t, wish, &words.words, path);
  sal_table_free(t);
  free(text);
  return status;
}

/* ---- Many games -------------------------------------------------------------- */

static int study(struct wish *w) {
  const char *game = w->calibrate ? w->calibrate
                     : w->levels  ? w->levels
                                  : w->hints;
  struct review_study *s = &w->study;
  s->game = sal_game_find(game);
  if (!s->game)
    return misused(&command_review, _("there is no game '%s'."), game);
  const int wrong = read_setup(&command_review, s->game, w->players, w->option,
                               w->options, &s->setup);
  if (wrong)
    return wrong;
  for (int i = 0; i < s->setup.players; i++) {
    const char *level = w->bots ? w->level[i % w->bots] : "regular";
    s->bot[i] = strcmp(level, bot_of_hints.id) == 0 ? &bot_of_hints
                                                    : sal_bot_find(level);
    if (!s->bot[i])
      return misused(&command_review, _("there is no level '%s'."), level);
  }
  s->seed = (long)w->depth.seed;
  s->playouts = w->depth.playouts;
  s->json = w->json;
  teach_master();
  return w->calibrate ? review_calibrate(s)
         : w->levels  ? review_levels(s)
                      : review_hints(s);
}

/* ---- The command ------------------------------------------------------------- */

static bool read_review_option(int option, char *value, void *wish) {
  struct wish *w = wish;
  long n;
  switch (option) {
  case 's': return read_number(value, 0, SAL_SEATS_MAX - 1, &w->seat);
  case 'h': w->html = value; return true;
  case 'j': w->json = true; return true;
  case 'l': choose_language(value); return true;
  case 'S':
    if (!read_number(value, 0, INT32_MAX, &n))
      return false;
    w->depth.seed = (uint64_t)n;
    return true;
  case 'p':
    if (!read_number(value, 1, SAL_PLAYOUTS_MAX, &n))
      return false;
    w->depth.playouts = (uint32_t)n;
    w->depth.worlds = (uint32_t)(n + 3) / 4;
    return true;
  case 'c': w->calibrate = value; return true;
  case 'L': w->levels = value; return true;
  case 'H': w->hints = value; return true;
  case 'b':
    if (w->bots == SAL_SEATS_MAX)
      return false;
    w->level[w->bots++] = value;
    return true;
  case 'o':
    if (w->options == SAL_OPTIONS_MAX || !strchr(value, '='))
      return false;
    w->option[w->options++] = value;
    return true;
  case 'g': return read_number(value, 1, 1000000, &w->study.games);
  case 'm':
    if (!read_number(value, 1, 1000000, &n))
      return false;
    w->study.simulations = (uint32_t)n;
    return true;
  default:
    if (!read_number(value, 1, SAL_SEATS_MAX, &n))
      return false;
    w->players = (int)n;
    return true;
  }
}

static int run_review(int argc, char **argv) {
  static const struct option longs[] = {
      {"seat", required_argument, NULL, 's'},
      {"html", required_argument, NULL, 'h'},
      {"json", no_argument, NULL, 'j'},
      {"lang", required_argument, NULL, 'l'},
      {"seed", required_argument, NULL, 'S'},
      {"playouts", required_argument, NULL, 'p'},
      {"calibrate", required_argument, NULL, 'c'},
      {"levels", required_argument, NULL, 'L'},
      {"hints", required_argument, NULL, 'H'},
      {"bot", required_argument, NULL, 'b'},
      {"games", required_argument, NULL, 'g'},
      {"sims", required_argument, NULL, 'm'},
      {"players", required_argument, NULL, 'P'},
      {"option", required_argument, NULL, 'o'},
      {NULL, 0, NULL, 0}};
  struct wish w = {.depth = {.seed = 1},
                   .study = {.games = 100, .simulations = 200},
                   .seat = -1};
  const int wrong =
      take_options(&command_review, argc, argv, longs, read_review_option, &w);
  if (wrong)
    return wrong;
  if (w.calibrate || w.levels || w.hints)
    return optind == argc ? study(&w)
                          : misused(&command_review,
                                    _("'%s' is not recognised."), argv[optind]);
  if (optind + 1 != argc)
    return misused(&command_review, "%s", _("name one record."));
  if (w.html && w.json)
    return misused(&command_review, "%s",
                   _("--html and --json do not go together."));
  return review_file(argv[optind], &w);
}

const struct command command_review = {
    "review", N_("review a finished game: luck, errors, what gave you away"),
    N_("RECORD [--seat N] [--html FILE] [--json] [--seed N]\n"
       "               [--playouts N]\n"
       "       salotto review --calibrate GAME | --levels GAME | --hints GAME\n"
       "               [--games N] [--bot LEVEL]... [--players N] [--option NAME=V]...\n"
       "               [--sims N] [--seed N] [--json]"),
    N_("Plays the record again ('-' reads it from standard input) and tells of "
       "each\ndecision what else could have been done and what it was worth, of "
       "each draw\nwhose luck it was, and what the others could infer. Each "
       "step is shown as soon\nas it is computed. docs/review.md says how it is "
       "measured.\n\n"
       "  --seat N       only the decisions of this seat, counted from 0\n"
       "  --html FILE    one page with a chart, in a file ('-': standard "
       "output)\n"
       "  --json         one JSON object\n"
       "  --seed N       of the playouts (1); the same seed gives the same "
       "review\n"
       "  --playouts N   of each position; a quarter of it for each decision\n"
       "  --lang LANG    en or it\n\n"
       "Studies of many games of bots (--games N, --bot LEVEL for each seat in "
       "turn,\n--players N, --option NAME=V as at a table, --sims N for bots that "
       "search,\n--seed N):\n"
       "  --calibrate GAME   how often positions are won, by the chance that is "
       "told\n"
       "  --levels GAME      accuracy and luck of the bots; 'hint' does what hints "
       "name\n"
       "  --hints GAME       how many of --games hints contradict themselves\n"),
    run_review};
