/* salotto court: looks after court files of Louis XIV. */
#include "cli.h"

#include "salotto/court.h"

#include <stdlib.h>
#include <string.h>

enum { SHOW_MAX = 1 << 14, FAULT_MAX = 1 << 10 };

/* In the reader's words; `buffer` has FAULT_MAX bytes. */
static void say_problem(char *buffer, const char *sentence,
                        const struct sal_place *places, size_t count) {
  struct sal_text t;
  struct sal_speaker w;
  cli_words_init(&w, NULL);
  sal_text_init(&t, buffer, FAULT_MAX);
  sal_say(&t, &w.words, false, sentence, places, count);
}

static void print_problem(void *context, const char *where,
                          const char *sentence, const struct sal_place *places,
                          size_t count) {
  char buffer[FAULT_MAX];
  const char *path = context;
  say_problem(buffer, sentence, places, count);
  printf("%s: %s%s%s\n", path, where, *where ? ": " : "", buffer);
}

/* Whether the file holds a sound court; else everything wrong is printed. */
static int check_court(char *path) {
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

/* As the file has it, on one line. */
static int show_json(const char *path) {
  char *line = malloc(SAL_OPTION_TEXT_MAX), buffer[FAULT_MAX];
  struct sal_text t, problem;
  struct sal_setup setup;
  const struct sal_game *g = sal_game_find("louis");
  const int option = sal_option_find(g, "court");
  sal_setup_default(g, g->info.players_min, &setup);
  sal_text_init(&problem, buffer, sizeof buffer);
  if (!line || (path && !set_option(g, &setup, "court", path, &problem))) {
    free(line);
    return complain(FAILED, "%s",
                    line ? buffer : _(sal_error_text(SAL_NO_MEMORY)));
  }
  sal_text_init(&t, line, SAL_OPTION_TEXT_MAX);
  g->option_write(option, setup.option[option], &t);
  puts(line);
  free(line);
  return DONE;
}

/* Every problem as an object in one list, and whether there is none. */
static void add_problem(void *context, const char *where, const char *sentence,
                        const struct sal_place *places, size_t count) {
  char buffer[FAULT_MAX];
  struct sal_json *j = context;
  say_problem(buffer, sentence, places, count);
  sal_json_object(j, NULL);
  sal_json_string(j, "where", where);
  sal_json_string(j, "problem", buffer);
  sal_json_end(j, '}');
}

static int check_json(const char *path) {
  size_t length;
  char *text = read_file(path, &length), out[SHOW_MAX];
  struct sal_text t;
  struct sal_json j;
  if (!text)
    return FAILED;
  sal_text_init(&t, out, sizeof out);
  sal_json_init(&j, &t);
  sal_json_object(&j, NULL);
  sal_json_list(&j, "problems");
  const bool sound = sal_court_check(text, length, add_problem, &j);
  sal_json_end(&j, ']');
  sal_json_bool(&j, "valid", sound);
  sal_json_end(&j, '}');
  puts(out);
  free(text);
  return sound ? DONE : FAILED;
}

static int show_court(const char *path) {
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

static int run_court(int argc, char **argv) {
  bool json = false;
  for (int i = argc - 1; i > 0; i--)
    if (strcmp(argv[i], "--json") == 0) {
      json = true;
      memmove(argv + i, argv + i + 1, (size_t)(argc - i) * sizeof *argv);
      argc--;
    }
  const char *verb = argc > 1 ? argv[1] : "";
  if (argc > 3)
    return misused(&command_court, _("unexpected argument '%s'."), argv[3]);
  if (strcmp(verb, "show") == 0)
    return json ? show_json(argv[2]) : show_court(argv[2]);
  if (strcmp(verb, "check") != 0)
    return misused(&command_court, "%s", _("use check or show."));
  if (argc < 3)
    return misused(&command_court, "%s", _("which file?"));
  return json ? check_json(argv[2]) : check_court(argv[2]);
}

const struct command command_court = {
    "court", N_("check or show a court file of Louis XIV"),
    N_("check FILE | show [FILE] [--json]"),
    N_("  check FILE   say everything that is wrong with a court file\n"
       "  show [FILE]  print a court as tables; without FILE the built-in one\n"
       "  --json       as JSON: what is wrong, or the court itself\n"
       "  FILE may be - for standard input.\n"
       "\n"
       "A court holds the values of tiles, cards and missions. docs/court.md\n"
       "describes the file; 'salotto play louis --option court=FILE' plays with it.\n"),
    run_court};
