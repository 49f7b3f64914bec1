/* salotto solve GAME, for a game that is small enough to have its whole tree in
 * memory: CFR+ through the game interface, with exact bounds. */
#include "play_plain.h"
#include "ticker.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 2000000, ITERATIONS = 1000 };

struct small {
  const struct sal_game *game;
  struct sal_setup setup;
  enum sal_cfr_goal goal;
  long nodes, iterations;
  double until;
  bool strategy, json;
};

/* ---- What is printed ------------------------------------------------------ */

static void print_size(const struct small *w, const sal_cfr *c) {
  const struct sal_cfr_size s = sal_cfr_size(c);
  if (w->json)
    printf("{\"game\":\"%s\",\"nodes\":%zu,\"sets\":%zu,\"steps\":%zu}\n",
           w->game->info.id, s.nodes, s.sets, s.depth);
  else
    print_sentence(
        _("%s: %zu nodes, %zu information sets, at most %zu steps. Values are "
          "the first player's.\n"),
        _(w->game->info.title), s.nodes, s.sets, s.depth);
}

static void print_bounds(const struct small *w, long iteration,
                         struct sal_cfr_bounds b) {
  if (w->json)
    printf("{\"iteration\":%ld,\"exploitability\":%.9f,\"low\":%.9f,"
           "\"high\":%.9f}\n",
           iteration, b.high - b.low, b.low, b.high);
  else
    print_sentence(_("After %ld: exploitability %.6f, value %+.6f to %+.6f\n"),
                   iteration, b.high - b.low, b.low, b.high);
  fflush(stdout);
}

static void action_name(const struct small *w, const struct sal_cfr_set *s,
                        size_t i, char *out, size_t size) {
  struct sal_text text;
  sal_text_init(&text, out, size);
  w->game->action_text(s->action[i], &text);
}

/* Where a seat is asked, as it sees it, and how often it does what. */
static void print_set(const struct small *w, const sal_cfr *c, size_t number) {
  const struct sal_cfr_set s = sal_cfr_set(c, number);
  char text[4096], name[SAL_ACTION_TEXT_MAX + 1];
  struct sal_text out;
  struct sal_speaker words;
  cli_words_init(&words, NULL);
  sal_text_init(&out, text, sizeof text);
  if (w->json) {
    printf("{\"set\":%zu,\"seat\":%d,\"reach\":%.6f,\"strategy\":{", number,
           s.seat, s.reach);
    for (size_t i = 0; i < s.count; i++) {
      action_name(w, &s, i, name, sizeof name);
      printf("%s\"%s\":%.6f", i ? "," : "", name,
             sal_cfr_average(c, number, i));
    }
    puts("}}");
    return;
  }
  w->game->position(s.view, &words.words, &out);
  printf(_("\nSeat %d, reached with probability %.4f by its own choices:\n"),
         s.seat, s.reach);
  fputs(text, stdout);
  for (size_t i = 0; i < s.count; i++) {
    action_name(w, &s, i, name, sizeof name);
    printf("  %-24s %.4f\n", name, sal_cfr_average(c, number, i));
  }
}

/* ---- Solving -------------------------------------------------------------- */

static int refuse(const struct small *w, enum sal_cfr_problem problem) {
  const char *title = _(w->game->info.title);
  switch (problem) {
  case SAL_CFR_NOT_TWO:
    return complain(FAILED,
                    _("%s is not a game for two; only those can be solved."),
                    title);
  case SAL_CFR_TOO_LARGE:
    return complain(FAILED,
                    _("%s is too large to be solved as a whole: its tree has "
                      "more than %ld nodes. --nodes N allows more; a node "
                      "takes 100 bytes or more."),
                    title, w->nodes);
  case SAL_CFR_UNSOUND:
    return complain(
        FAILED,
        _("%s offers different actions where a player sees the same; its views are inconsistent."),
        title);
  default: return complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
  }
}

static void improve_small(const struct small *w, sal_cfr *c) {
  long done = 0;
  for (struct sal_cfr_bounds b = {0, 1};
       done < w->iterations && b.high - b.low > w->until;) {
    const long look = done + (done < 64 ? 16 : done / 2);
    while (done < look && done < w->iterations) {
      sal_cfr_iterate(c);
      ticker_tell((unsigned)++done, -1);
    }
    b = sal_cfr_bounds(c);
    ticker_hide();
    print_bounds(w, done, b);
  }
}

static int solve_it(const struct small *w) {
  enum sal_cfr_problem problem;
  ticker_start(_(w->game->info.title));
  sal_cfr *c =
      sal_cfr_new(w->game, &w->setup, w->goal, (size_t)w->nodes, &problem);
  ticker_hide();
  if (!c) {
    ticker_stop();
    return refuse(w, problem);
  }
  print_size(w, c);
  improve_small(w, c);
  ticker_stop();
  for (size_t i = 0; w->strategy && i < sal_cfr_size(c).sets; i++)
    print_set(w, c, i);
  sal_cfr_free(c);
  return DONE;
}

/* ---- Reading the wish ----------------------------------------------------- */

static const struct option longs[] = {
    {"goal", required_argument, NULL, 'g'},
    {"nodes", required_argument, NULL, 'n'},
    {"iterations", required_argument, NULL, 'i'},
    {"until", required_argument, NULL, 'u'},
    {"option", required_argument, NULL, 'o'},
    {"strategy", no_argument, NULL, 's'},
    {"json", no_argument, NULL, 'j'},
    {NULL, 0, NULL, 0}};

static bool read_game_option(struct small *w, char *text) {
  char problem[200];
  struct sal_text out;
  char *value = strchr(text, '=');
  sal_text_init(&out, problem, sizeof problem);
  if (!value)
    return false;
  *value++ = '\0';
  return set_option(w->game, &w->setup, text, value, &out);
}

static bool read_small_option(int c, char *text, void *wish) {
  struct small *w = wish;
  switch (c) {
  case 'g':
    w->goal = strcmp(text, "win") == 0 ? SAL_CFR_WIN : SAL_CFR_SCORE;
    return strcmp(text, "win") == 0 || strcmp(text, "score") == 0;
  case 'n': return read_number(text, 1, 1000000000, &w->nodes);
  case 'i': return read_number(text, 1, 1000000000, &w->iterations);
  case 'o': return read_game_option(w, text);
  case 's': w->strategy = true; return true;
  case 'j': w->json = true; return true;
  default: return read_until(text, &w->until);
  }
}

int solve_small(const struct sal_game *g, int argc, char **argv) {
  struct small w = {.game = g, .nodes = NODES, .iterations = ITERATIONS};
  sal_setup_default(g, g->info.players_min, &w.setup);
  if (g->info.players_min <= 2 && g->info.players_max >= 2)
    sal_setup_default(g, 2, &w.setup);
  const int misread =
      take_options(&command_solve, argc, argv, longs, read_small_option, &w);
  if (misread != DONE)
    return misread;
  if (argc - optind != 1)
    return misused(&command_solve, "%s", _("name one game."));
  return solve_it(&w);
}
