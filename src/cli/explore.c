/* salotto explore: a round of Doors as optimal play sees it, line by line. */
#include "cli.h"
#include "play_plain.h"

#include <getopt.h>
#include <math.h>
#include <string.h>

enum { LINE = 256 };

struct wish {
  int blueprint;
  long iterations;
  bool json, quick;
};

/* ---- For people --------------------------------------------------------------- */

static void print_cards(const char *title,
                        const uint8_t cards[SAL_DOORS_KINDS]) {
  char text[CARDS_TEXT];
  cards_text(cards, text);
  printf("  %-12s %s\n", title, *text ? text : "-");
}

static void print_belief(const char *title, const double *chance) {
  printf("  %-24s", title);
  for (int i = 0; i < 4; i++)
    printf("  %s %3.0f %%", sal_doors_kind_name(i), 100 * chance[i]);
  putchar('\n');
}

static void print_worth(const struct wish *w, double worth) {
  if (isnan(worth))
    printf(" %7s", "·");
  else if (w->blueprint)
    printf(" %6.1f%%", 100 * worth);
  else
    printf(" %+7.2f", worth);
}

static void print_option(const struct wish *w,
                         const struct sal_doors_explored *x,
                         const struct sal_doors_option *o) {
  const bool says = x->place == SAL_DOORS_AT_SAY;
  printf("  %-8s",
         says ? sal_doors_saying_name(o->what) : sal_doors_kind_name(o->what));
  if (x->place == SAL_DOORS_AT_DRAW) {
    printf(" %5.1f %%\n", 100 * (double)o->chance[0]);
    return;
  }
  for (int i = 0; i < 4; i++)
    printf(" %5.1f%%", 100 * (double)o->chance[i]);
  printf("   ");
  for (int i = 0; i < 4 && !w->quick; i++)
    print_worth(w, (double)o->worth[i]);
  putchar('\n');
}

static void print_options(const struct wish *w,
                          const struct sal_doors_explored *x) {
  if (x->place == SAL_DOORS_AT_DRAW) {
    printf("\n%s\n", _("The card that comes in its place:"));
  } else {
    printf("\n  %-8s", "");
    for (int i = 0; i < 4; i++)
      printf(" %6s", sal_doors_kind_name(i));
    printf("   ");
    for (int i = 0; i < 4 && !w->quick; i++)
      printf(" %7s", sal_doors_kind_name(i));
    putchar('\n');
  }
  for (size_t i = 0; i < x->count; i++)
    print_option(w, x, &x->option[i]);
}

static void print_end(const struct wish *w,
                      const struct sal_doors_explored *x) {
  printf("\n%s\n", _("The round is over. What the Collector of each identity "
                     "has won:"));
  for (int i = 0; i < 4; i++) {
    printf("  %s", sal_doors_kind_name(i));
    print_worth(w, (double)x->wins[i]);
    putchar('\n');
  }
}

static void print_text(const struct wish *w,
                       const struct sal_doors_explored *x) {
  static const char *const title[] = {
      [SAL_DOORS_AT_TAKE] = N_("Turn %d: the Collector takes a card.\n"),
      [SAL_DOORS_AT_DRAW] = N_("Turn %d: another card takes its place.\n"),
      [SAL_DOORS_AT_DISCARD] = N_("Turn %d: the Guesser discards a card.\n"),
      [SAL_DOORS_AT_SAY] =
          N_("Turn %d: the Guesser guesses, claims or ends the turn.\n"),
      [SAL_DOORS_AT_END] = N_("Turn %d: the round is over.\n")};
  printf(_(title[x->place]), x->turn);
  print_cards(_("Offer"), x->offer);
  print_cards(_("Collection"), x->collection);
  print_cards(_("Discards"), x->discards);
  printf("\n%s\n", _("What the table tells about each player:"));
  print_belief(_("the Collector is"), x->collector_is);
  print_belief(_("the Guesser is"), x->guesser_is);
  if (sal_doors_explored_rare(x))
    print_sentence("  %s\n",
                   _("Optimal play hardly ever gets here, so its answers mean "
                     "little."));
  if (x->place == SAL_DOORS_AT_END) {
    print_end(w, x);
    return;
  }
  if (x->place != SAL_DOORS_AT_DRAW)
    printf("\n%s", w->quick ? _("How often optimal play does it, by identity:")
                   : w->blueprint
                       ? _("How often optimal play does it, by identity, "
                           "and the chance to win the game:")
                       : _("How often optimal play does it, by identity, "
                           "and what it is worth in tokens:"));
  print_options(w, x);
}

/* ---- The command ------------------------------------------------------------- */

struct telling {
  const struct sal_doors_explored *x;
  const struct sal_doors_line *line;
  int blueprint;
};

static void write_json(struct sal_json *j, const void *what) {
  const struct telling *t = what;
  sal_json_object(j, NULL);
  sal_doors_explored_tell(t->x, t->line, t->blueprint, j);
  sal_json_end(j, '}');
}

static int print_json(const struct telling *t) {
  struct sal_buffer b = {0};
  const bool ok = sal_buffer_compose(&b, write_json, t, SIZE_MAX);
  if (ok)
    puts(b.at);
  sal_buffer_free(&b);
  return ok ? DONE : complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
}

static int explore(const struct wish *w, const struct sal_doors_line *line) {
  const sal_doors_policy *policy = shipped_policy();
  if (!policy)
    return without_policy();
  struct sal_doors_explored x;
  sal_doors_explorer *e = sal_doors_explorer_new(policy);
  const bool ok =
      e && sal_doors_explore(e, w->blueprint, line, (uint32_t)w->iterations,
                             !w->quick, &x);
  sal_doors_explorer_free(e);
  if (!ok)
    return complain(FAILED, "%s", _("no round can go like that."));
  if (w->json)
    return print_json(&(struct telling){&x, line, w->blueprint});
  print_text(w, &x);
  return DONE;
}

static bool read_explore_option(int option, char *value, void *wish) {
  struct wish *w = wish;
  switch (option) {
  case 's': return read_score(value, &w->blueprint);
  case 'i': return read_number(value, 1, 100000, &w->iterations);
  case 'q': w->quick = true; return true;
  default: w->json = true; return true;
  }
}

static int run_explore(int argc, char **argv) {
  static const struct option longs[] = {
      {"score", required_argument, NULL, 's'},
      {"iterations", required_argument, NULL, 'i'},
      {"quick", no_argument, NULL, 'q'},
      {"json", no_argument, NULL, 'j'},
      {NULL, 0, NULL, 0}};
  struct wish w = {.iterations = SAL_DOORS_ITERATIONS};
  const int wrong = take_options(&command_explore, argc, argv, longs,
                                 read_explore_option, &w);
  if (wrong)
    return wrong;
  if (optind == argc || strcmp(argv[optind], "doors") != 0)
    return misused(&command_explore, "%s",
                   _("the first word must be 'doors'."));
  if (optind + 1 == argc)
    return misused(&command_explore, "%s",
                   _("name the initial offer, as RL,BL,RT,BR."));
  char text[LINE];
  struct sal_text t;
  struct sal_doors_line line;
  size_t bad;
  sal_text_init(&t, text, sizeof text);
  for (int i = optind + 1; i < argc; i++) {
    sal_text_add(&t, argv[i]);
    sal_text_char(&t, ' ');
  }
  if (!sal_doors_line_read(text, &line, &bad))
    return misused(&command_explore, _("'%s' is not recognised."),
                   optind + 1 + (int)bad < argc ? argv[optind + 1 + (int)bad]
                                                : text);
  return explore(&w, &line);
}

const struct command command_explore = {
    "explore", N_("walk a round of Doors and see what optimal play does"),
    N_("doors OFFER [CARD[:CARD]... [end | claim | guess:WHAT]]\n"
       "               [--score C-G] [--quick] [--iterations N] [--json]"),
    N_("Shows a point in a round of Doors: for each identity of whoever is to act, how\n"
       "often optimal play does what, what each action is worth, and what both players\n"
       "can infer. The line is the initial offer (RL,BL,RT,BR), then in turn the card\n"
       "that the Collector takes and the Guesser discards, each with the card that\n"
       "replaces it: RL:BT. Without that card the chances of what comes are shown. After\n"
       "a discard: end, claim, or guess:red, guess:BT and so on.\n\n"
       "  --score C-G      at this score of a match to 10, the Collector's "
       "first; then\n"
       "                   actions are worth chances to win (without: tokens)\n"
       "  --quick          not what actions are worth, which can take seconds\n"
       "  --iterations N   how long the rest of a round is solved (256)\n"
       "  --json           one JSON object: docs/review.md\n"),
    run_explore};
