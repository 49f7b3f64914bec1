/* salotto court: looks after court files of Louis XIV. */
#include "cli.h"

#include "salotto/court.h"

#include <stdlib.h>
#include <string.h>

enum { SHOW_MAX = 1 << 14, FAULT_MAX = 1 << 10 };

static void print_problem(void *context, const char *where,
                          const char *sentence, const struct sal_place *places,
                          size_t count) {
  char buffer[FAULT_MAX];
  struct sal_text t;
  struct sal_speaker w;
  const char *path = context;
  cli_words_init(&w, NULL);
  sal_text_init(&t, buffer, sizeof buffer);
  sal_say(&t, &w.words, false, sentence, places, count);
  printf("%s: %s%s%s\n", path, where, *where ? ": " : "", buffer);
}

/* Whether the file holds a sound court; else everything wrong is printed. */
static int check(char *path) {
  size_t length;
  char *text = read_file(path, &length);
  if (!text)
    return FAILED;
  const bool sound = sal_court_check(text, length, print_problem, path);
  free(text);
  if (!sound)
    return FAILED;
  printf("%s: %s\n", path, _("valid."));
  return DONE;
}

static int show(const char *path) {
  char buffer[SHOW_MAX];
  struct sal_text t;
  struct sal_setup setup;
  const struct sal_game *g = sal_game_find("louis");
  sal_setup_default(g, g->info.players_min, &setup);
  sal_text_init(&t, buffer, sizeof buffer);
  if (path && !set_option(g, &setup, "court", path, &t))
    return complain(FAILED, "%s", buffer);
  struct sal_speaker w;
  cli_words_init(&w, NULL);
  sal_text_clear(&t);
  sal_court_show(setup.option[sal_option_find(g, "court")], &w.words, &t);
  fputs(buffer, stdout);
  return DONE;
}

static int run(int argc, char **argv) {
  const char *verb = argc > 1 ? argv[1] : "";
  if (argc > 3)
    return misused(&command_court, _("unexpected argument '%s'."), argv[3]);
  if (strcmp(verb, "show") == 0)
    return show(argv[2]);
  if (strcmp(verb, "check") != 0)
    return misused(&command_court, "%s", _("say check or show."));
  if (argc < 3)
    return misused(&command_court, "%s", _("which file?"));
  return check(argv[2]);
}

const struct command command_court = {
    "court", N_("check or show a court file of Louis XIV"),
    "check FILE | show [FILE]",
    N_("  check FILE   say everything that is wrong with a court file\n"
       "  show [FILE]  print a court as tables; without FILE the built-in one\n"
       "\n"
       "A court holds the values of tiles, cards and missions. docs/court.md\n"
       "describes the file; 'salotto play louis --option court=FILE' plays "
       "with it.\n"),
    run};
