/* salotto solve: the equilibrium of a round of Doors, and how near it is; of
 * other games if they are small (solve_small.c).
 *
 * What is printed is exact for the average strategies reached so far; only the
 * time left is a guess.
 *
 * Several ranks (ranks/ranks.h) solve a start together: each has a part of its
 * histories, and all of them do here what rank 0 does, which alone is heard. */
#include "arena/program.h"
#include "cli.h"
#include "keep.h"
#include "play_plain.h"
#include "ranks.h"
#include "ticker.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct wish {
  struct sal_doors_start start;
  struct sal_doors_worth worth;
  bool all, json, takes;
  long iterations, threads;
  double until;
  const char *folder; /* where solvers are kept, or NULL */
  const char *file;   /* for the book, or NULL */
  sal_doors_book *book;
};

/* ---- What is printed ---------------------------------------------------- */

struct progress {
  uint64_t histories;
  uint32_t done;
  struct sal_doors_bounds bounds;
  double spent, left; /* seconds */
};

static void print_progress(const struct wish *w, const char *name,
                           const struct progress *p) {
  const struct sal_doors_bounds *b = &p->bounds;
  if (w->json)
    printf("{\"offer\":\"%s\",\"histories\":%" PRIu64
           ",\"iteration\":%u,\"exploitability\":%.6f,"
           "\"low\":%.6f,\"high\":%.6f,\"seconds\":%.1f,\"left\":%.0f}\n",
           name, p->histories, p->done, b->high - b->low, b->low, b->high,
           p->spent, p->left);
  else
    print_sentence(
        _("%s  after %u: exploitability %.5f, value %+.5f to %+.5f\n"), name,
        p->done, b->high - b->low, b->low, b->high);
  fflush(stdout);
}

static void print_total(const struct wish *w, struct sal_doors_bounds b) {
  if (w->json)
    printf("{\"offer\":\"all\",\"exploitability\":%.6f,\"low\":%.6f,"
           "\"high\":%.6f}\n",
           b.high - b.low, b.low, b.high);
  else
    print_sentence(
        _("All offers by their chance: exploitability %.5f, value %+.5f to "
          "%+.5f\n"),
        b.high - b.low, b.low, b.high);
}

/* ---- Solving ------------------------------------------------------------ */

/* Seconds until the wish is fulfilled, if exploitability goes on to fall as it
 * mostly does. */
static double time_left(const struct wish *w, const struct progress *p,
                        uint32_t fresh) {
  const double gap = p->bounds.high - p->bounds.low, done = p->done;
  double need = (double)w->iterations;
  if (w->until > 0 && gap > w->until)
    need = fmin(need, done * pow(gap / w->until, 1 / 1.3));
  if (gap <= w->until || need < done)
    need = done;
  return fresh ? p->spent / fresh * (need - done) : 0;
}

/* Bounds cost as much as an iteration, so they are asked for ever less. */
static uint32_t next_look(uint32_t done, long last) {
  const uint32_t next = done + (done < 64 ? 8 : done / 8);
  return (long)next < last ? next : (uint32_t)last;
}

enum { KEEP_EVERY = 300 }; /* seconds */

static int save(const char *path, const struct wish *w,
                sal_doors_solver *solver) {
  return path ? keep_save(path, &w->start, &w->worth, solver) : DONE;
}

/* Whether it is time to save, by the clock of rank 0. */
static bool is_due(double kept) {
  bool due = program_clock() - kept > KEEP_EVERY;
  ranks_share(&due, sizeof due);
  return due;
}

static int improve_blueprint(const struct wish *w, const char *name,
                             const char *path, sal_doors_solver *solver,
                             struct progress *p) {
  const uint32_t before = sal_doors_solver_done(solver);
  const double from = program_clock();
  double kept = from;
  p->done = before;
  for (;;) {
    const uint32_t look = next_look(p->done, w->iterations);
    while (p->done < look) {
      sal_doors_solver_iterate(solver);
      ticker_tell(++p->done, p->left);
    }
    p->bounds = sal_doors_solver_bounds(solver);
    p->spent = program_clock() - from;
    p->left = time_left(w, p, p->done - before);
    ticker_hide();
    print_progress(w, name, p);
    if ((long)p->done >= w->iterations ||
        p->bounds.high - p->bounds.low <= w->until)
      return save(path, w, solver);
    if (is_due(kept)) {
      if (save(path, w, solver) != DONE)
        return FAILED;
      kept = program_clock();
    }
  }
}

/* The file of a start: its offer, and what was taken and discarded. */
static char *path_of(const struct wish *w) {
  const size_t size = strlen(w->folder) + 64;
  char *path = malloc(size);
  if (!path)
    return NULL;
  char cards[3 * SAL_DOORS_KINDS + 1];
  for (int k = 0; k < SAL_DOORS_KINDS; k++) {
    cards[k] = (char)('0' + w->start.offer[k]);
    cards[SAL_DOORS_KINDS + k] = (char)('0' + w->start.collection[k]);
    cards[2 * SAL_DOORS_KINDS + k] = (char)('0' + w->start.discards[k]);
  }
  cards[3 * SAL_DOORS_KINDS] = '\0';
  snprintf(path, size, "%s/doors-%s.solver", w->folder, cards);
  return path;
}

/* A part of one at each rank; NULL if a rank has no memory for it. */
static sal_doors_solver *new_solver(const struct wish *w) {
  const struct sal_solve_team team = {ranks_number(), ranks_count(),
                                      ranks_merge};
  sal_doors_solver *s =
      sal_doors_solver_new(&w->start, &w->worth, (int)w->threads);
  bool missing = !s;
  ranks_merge(&missing, sizeof missing);
  if (!missing) {
    sal_doors_solver_divide(s, &team);
    return s;
  }
  sal_doors_solver_free(s);
  return NULL;
}

static bool add_to_book(const struct wish *w, sal_doors_solver *s,
                        double chance) {
  keep_gather(s);
  bool ok = ranks_number() > 0 || sal_doors_book_add(w->book, s, chance);
  ranks_share(&ok, sizeof ok);
  return ok;
}

static int solve_one(const struct wish *w, double chance,
                     struct sal_doors_bounds *bounds) {
  char name[CARDS_TEXT];
  cards_text(w->start.offer, name);
  ticker_start(name);
  sal_doors_solver *solver = new_solver(w);
  char *path = w->folder ? path_of(w) : NULL;
  if (!solver || (w->folder && !path)) {
    ticker_stop();
    sal_doors_solver_free(solver);
    free(path);
    return complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
  }
  int status = path ? keep_load(path, &w->start, &w->worth, solver) : DONE;
  struct progress p = {.histories = sal_doors_solver_size(solver).histories,
                       .left = -1};
  if (status == DONE)
    status = improve_blueprint(w, name, path, solver, &p);
  ticker_stop();
  *bounds = p.bounds;
  if (status == DONE && w->book && !add_to_book(w, solver, chance))
    status = complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
  sal_doors_solver_free(solver);
  free(path);
  return status;
}

static int solve_all(const struct wish *wish) {
  struct sal_doors_offer offers[SAL_DOORS_OFFERS];
  struct sal_doors_bounds sum = {0, 0}, one;
  struct wish w = *wish;
  sal_doors_offers(offers);
  for (int i = 0; i < SAL_DOORS_OFFERS; i++) {
    w.start = offers[i].start;
    const int status = solve_one(&w, offers[i].chance, &one);
    if (status != DONE)
      return status;
    sum.low += offers[i].chance * one.low;
    sum.high += offers[i].chance * one.high;
  }
  print_total(wish, sum);
  return DONE;
}

/* ---- The book ----------------------------------------------------------- */

static void print_book(const struct wish *w, double wins) {
  if (w->json)
    printf("{\"positions\":%u,\"low\":%.6f}\n",
           sal_doors_book_positions(w->book), wins);
  else
    print_sentence(
        _("%s: %u positions; by this book alone the Collector wins at "
          "least %+.5f\n"),
        w->file, sal_doors_book_positions(w->book), wins);
}

/* What the Collector wins at least by the book as it is in the file. */
static bool book_wins(const struct wish *w, const sal_doors_book *b,
                      double *wins) {
  struct sal_doors_offer offers[SAL_DOORS_OFFERS];
  if (!w->all)
    return sal_doors_book_wins(b, &w->start, &w->worth, wins);
  sal_doors_offers(offers);
  *wins = 0;
  for (int i = 0; i < SAL_DOORS_OFFERS; i++) {
    double one;
    if (!sal_doors_book_wins(b, &offers[i].start, &w->worth, &one))
      return false;
    *wins += offers[i].chance * one;
  }
  return true;
}

static int write_book(const struct wish *w) {
  static unsigned char bytes[SAL_DOORS_BOOK_MAX];
  double wins = 0;
  const size_t n = sal_doors_book_pack(w->book, bytes, sizeof bytes);
  sal_doors_book *written = n ? sal_doors_book_unpack(bytes, n) : NULL;
  const bool ok = written && book_wins(w, written, &wins);
  sal_doors_book_free(written);
  if (!ok)
    return complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
  print_book(w, wins);
  return write_parts(w->file, bytes, n, NULL, 0);
}

/* ---- How the policy begins ------------------------------------------------ */

/* The first take of each identity, offer by offer. */
static int print_takes(void) {
  const sal_doors_policy *policy = shipped_policy();
  if (!policy)
    return without_policy();
  sal_doors_player *player = sal_doors_player_new(policy);
  const struct sal_doors_effort effort = {.iterations = 1};
  struct sal_doors_offer offers[SAL_DOORS_OFFERS];
  sal_doors_offers(offers);
  bool ok = player != NULL;
  for (int i = 0; ok && i < SAL_DOORS_OFFERS; i++) {
    struct sal_doors_history h = {.picks = 0};
    struct sal_doors_chances c;
    char name[CARDS_TEXT];
    memcpy(h.offer, offers[i].start.offer, sizeof h.offer);
    ok = sal_doors_player_ask(player, 0, &h, true, &effort, &c);
    cards_text(h.offer, name);
    for (int id = 0; ok && id < 4; id++) {
      printf("{\"offer\":\"%s\",\"chance\":%.6f,\"identity\":%d,\"takes\":[",
             name, offers[i].chance, id);
      for (int k = 0; k < SAL_DOORS_KINDS; k++)
        printf("%s%.3f", k ? "," : "", (double)c.pick[k][id]);
      puts("]}");
    }
  }
  sal_doors_player_free(player);
  return ok ? DONE : complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
}

/* ---- Reading the wish --------------------------------------------------- */

static const struct option longs[] = {
    {"all", no_argument, NULL, 'a'},
    {"offer", required_argument, NULL, 'o'},
    {"collection", required_argument, NULL, 'c'},
    {"discards", required_argument, NULL, 'd'},
    {"iterations", required_argument, NULL, 'i'},
    {"until", required_argument, NULL, 'u'},
    {"threads", required_argument, NULL, 't'},
    {"keep", required_argument, NULL, 'k'},
    {"book", required_argument, NULL, 'b'},
    {"worth", required_argument, NULL, 'w'},
    {"takes", no_argument, NULL, 'p'},
    {"json", no_argument, NULL, 'j'},
    {NULL, 0, NULL, 0}};

static bool read_solve_option(int c, char *text, void *wish) {
  struct wish *w = wish;
  switch (c) {
  case 'a': w->all = true; return true;
  case 'j': w->json = true; return true;
  case 'p': w->takes = true; return true;
  case 'o': return read_cards(text, w->start.offer);
  case 'c': return read_cards(text, w->start.collection);
  case 'd': return read_cards(text, w->start.discards);
  case 'i': return read_number(text, 1, 1000000, &w->iterations);
  case 't': return read_number(text, 1, 256, &w->threads);
  case 'k': w->folder = text; return *text != '\0';
  case 'w': return read_worth(text, &w->worth);
  case 'b': w->file = text; return *text != '\0';
  default: return read_until(text, &w->until);
  }
}

static int read_solve_wish(int argc, char **argv, struct wish *w) {
  const int misread =
      take_options(&command_solve, argc, argv, longs, read_solve_option, w);
  if (misread != DONE)
    return misread;
  if (argc - optind != 1 || strcmp(argv[optind], "doors") != 0)
    return misused(&command_solve, "%s",
                   _("the first word must be 'doors' or another game."));
  static const struct sal_doors_start nothing;
  if (!w->takes && w->all == (memcmp(&w->start, &nothing, sizeof nothing) != 0))
    return misused(&command_solve, "%s", _("name one offer, or --all."));
  const char *problem =
      w->all || w->takes ? NULL : sal_doors_start_problem(&w->start);
  return problem ? misused(&command_solve, "%s", _(problem)) : DONE;
}

/* The game that is named first, unless it is Doors, which has its own solver. */
static const struct sal_game *other_game(int argc, char **argv) {
  const struct sal_game *g = argc > 1 ? sal_game_find(argv[1]) : NULL;
  return g && strcmp(g->info.id, "doors") != 0 ? g : NULL;
}

static int solve_doors(int argc, char **argv) {
  struct wish w = {.worth = sal_doors_tokens,
                   .iterations = 1000,
                   .threads = ranks_count() > 1 ? 1 : core_count()};
  const int misread = read_solve_wish(argc, argv, &w);
  if (misread != DONE)
    return misread;
  if (w.takes)
    return ranks_number() == 0 ? print_takes() : DONE;
  if (w.file && !(w.book = sal_doors_book_new()))
    return complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
  struct sal_doors_bounds bounds;
  int solved = w.all ? solve_all(&w) : solve_one(&w, 1, &bounds);
  if (solved == DONE && w.book && ranks_number() == 0)
    solved = write_book(&w);
  sal_doors_book_free(w.book);
  return solved;
}

/* A small game is solved by rank 0 alone. */
static int run_solve(int argc, char **argv) {
  const struct sal_game *other = other_game(argc, argv);
  int status = DONE;
  ranks_start();
  if (!other)
    status = solve_doors(argc, argv);
  else if (ranks_number() == 0)
    status = solve_small(other, argc, argv);
  ranks_end();
  return status;
}

const struct command command_solve = {
    "solve",
    N_("compute how a round of Doors, or a small game, is best played"),
    N_("doors --offer CARDS | --all | --takes\n"
       "               [--iterations N] [--until E] [--threads T]\n"
       "               [--collection CARDS --discards CARDS] [--keep FOLDER]\n"
       "               [--book FILE] [--worth W,W,W,W,W,W] [--json]\n"
       "       salotto solve GAME [--goal score|win] [--iterations N] [--until E]\n"
       "               [--option NAME=VALUE] [--nodes N] [--strategy] [--json]\n"
       "       salotto solve traps [OPTION...]"),
    N_("Improves the strategies of both sides and tells from time to time how much\n"
       "could still be won against them: the exploitability, in tokens and exact for\n"
       "both sides together. The true value of the round to the Collector lies in the\n"
       "interval shown.\n"
       "  --offer CARDS       the initial offer, as RL,RL,BL,RT\n"
       "  --all               all 15 offers that differ, one after another\n"
       "  --takes             do not solve; print what the master takes first, as\n"
       "                      JSON: chances of RL, BL, RT, BT, BR, LT\n"
       "  --collection CARDS  start later: what the Collector has taken\n"
       "  --discards CARDS    and what the Guesser has discarded\n"
       "  --iterations N      stop after so many (1000)\n"
       "  --until E           stop at this exploitability\n"
       "  --threads T         how many (all cores); the result is the same\n"
       "  --keep FOLDER       keep the progress there, and continue from it\n"
       "  --book FILE         write the Collector's strategy without memory\n"
       "  --worth W,...       what counts instead of tokens, to the Collector: own\n"
       "                      set, wrong guess, one trait, Guesser's set, empty\n"
       "                      deck, both traits (6,4,-1,-2,-3,-5)\n"
       "  --json              one JSON object a line\n"
       "\n"
       "An offer needs up to 3.2 GiB of memory, and with --keep as much on the disk.\n"
       "A later start needs little. docs/doors-solved.md has more.\n"
       "\n"
       "Any other game for two is solved as a whole, if its tree is small enough:\n"
       "  --goal score|win    what is played for: half the difference of the scores,\n"
       "                      or the game (score)\n"
       "  --option NAME=VALUE an option of the game\n"
       "  --nodes N           the largest tree that is tried (2000000)\n"
       "  --strategy          print the strategy at the end\n"
       "\n"
       "'salotto help solve traps' explains how a round of Traps for two is solved.\n"),
    run_solve};
