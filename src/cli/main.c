/* salotto: one program, a subcommand for each job. */
#include "cli.h"
#include "play_plain.h"

#include "terminal/screen.h"

#include <string.h>

static const struct command *const commands[] = {
    &command_play,     &command_watch,
    &command_replay,   &command_join,
    &command_rules,    &command_referee,
    &command_verify,   &command_review,
#ifndef SALOTTO_NO_SERVER
    &command_serve,    &command_admin,
#endif
    &command_problems, &command_court,
    &command_bench,    &command_arena,
    &command_solve,    &command_exploit,
    &command_explore,  &command_schema,
    &command_notices,  NULL};

/* A command that is another one for a game. */
static const struct command *narrowed(const struct command *c, int argc,
                                      char **argv) {
  if (argc < 3 || strcmp(argv[2], "traps") != 0)
    return c;
  if (c == &command_solve)
    return &command_solve_traps;
  return c == &command_exploit ? &command_exploit_traps : c;
}

/* A name and what it stands for, at most as wide as the terminal. */
static void print_entry(const char *name, const char *about) {
  char line[500];
  snprintf(line, sizeof line, "  %-9s %s", name, about);
  print_lines(line, 12);
}

static void print_overview(void) {
  printf("%s\n\n", _("Usage: salotto COMMAND [ARGUMENT...]"));
  puts(_("A parlour for games of hidden cards and quiet bluffs."));
  printf("\n%s\n", _("Commands:"));
  for (size_t i = 0; commands[i]; i++)
    print_entry(commands[i]->name, _(commands[i]->about));
  printf("\n%s\n", _("Games:"));
  for (size_t i = 0; sal_games[i]; i++)
    print_entry(sal_games[i]->info.id, _(sal_games[i]->info.tagline));
  putchar('\n');
  print_lines(
      _("'salotto COMMAND --help' explains a command, 'salotto --version' prints the\n"
        "version. The language follows LANGUAGE or LANG: en, it.\n"
        "'--plugin FILE.so' with any command adds the games of a plugin."),
      0);
}

/* "help COMMAND", also for a command that is another one for a game. */
static int explain(int argc, char **argv) {
  for (size_t i = 0; commands[i]; i++)
    if (strcmp(argv[1], commands[i]->name) == 0) {
      print_help(narrowed(commands[i], argc, argv));
      return DONE;
    }
  return complain(USAGE, _("there is no command '%s'. Try 'salotto --help'."),
                  argv[1]);
}

int main(int argc, char **argv) {
  choose_language(NULL);
  const int loaded = load_plugins(&argc, argv);
  if (loaded != DONE)
    return loaded;
  if (argc < 2 && screen_possible())
    return command_play.run(1, (char *[]){(char *)"play", NULL});
  if (argc < 2) {
    print_overview();
    return USAGE;
  }
  const char *word = argv[1];
  if (strcmp(word, "help") == 0 && argc > 2)
    return explain(argc - 1, argv + 1);
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 ||
      strcmp(word, "help") == 0) {
    print_overview();
    return DONE;
  }
  if (strcmp(word, "--version") == 0) {
    puts("salotto " SAL_VERSION);
    return DONE;
  }
  for (size_t i = 0; commands[i]; i++) {
    if (strcmp(word, commands[i]->name) != 0)
      continue;
    const struct command *c = narrowed(commands[i], argc, argv);
    for (int a = 2; a < argc; a++)
      if (strcmp(argv[a], "--help") == 0 || strcmp(argv[a], "-h") == 0) {
        print_help(c);
        return DONE;
      }
    const int status = c->run(argc - 1, argv + 1);
    if (fflush(stdout) != 0 && status == DONE)
      return complain(FAILED, "%s", _("standard output cannot be written."));
    return status;
  }
  return complain(USAGE, _("there is no command '%s'. Try 'salotto --help'."),
                  word);
}
