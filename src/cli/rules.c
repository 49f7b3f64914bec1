/* salotto rules: the rules for players, from the texts inside the program.
 *
 * In the texts a line `<a id="RULE"></a>` stands before the paragraph of each
 * rule; the terminal leaves these lines out. */
#include "cli.h"

#include <getopt.h>
#include <string.h>

static const char *rules_text(const char *game, const char *lang) {
  char name[64];
  snprintf(name, sizeof name, "%s.%s.md", game, lang);
  return embedded_file(name, NULL);
}

static bool is_anchor(const char *line) { return sal_skip(line, "<a id=\""); }

static void print_rules(const char *text) {
  while (*text) {
    const size_t n = strcspn(text, "\n");
    if (!is_anchor(text))
      printf("%.*s\n", (int)n, text);
    text += n + (text[n] == '\n');
  }
}

static bool print_rule(const char *text, const char *id) {
  char anchor[128];
  snprintf(anchor, sizeof anchor, "<a id=\"%s\"></a>\n", id);
  const char *at = strstr(text, anchor);
  if (!at)
    return false;
  at += strlen(anchor);
  while (*at && *at != '\n' && !is_anchor(at)) {
    const size_t n = strcspn(at, "\n");
    printf("%.*s\n", (int)n, at);
    at += n + (at[n] == '\n');
  }
  return true;
}

/* The sentences of a game that has no text for players: one from a plugin. */
static void print_sentence(const struct sal_rule *r) {
  printf("`%s` %s\n", r->id, _(r->text));
}

static bool print_sentences(const struct sal_game *g, const char *id) {
  const struct sal_rule *one = id ? sal_rule_find(g, id) : NULL;
  if (one)
    print_sentence(one);
  for (const struct sal_rule *r = g->info.rules; !id && r->id; r++)
    print_sentence(r);
  return !id || one;
}

bool print_rules_of(const struct sal_game *g, const char *id) {
  const char *text = rules_text(g->info.id, language());
  if (!text)
    return print_sentences(g, id);
  if (id)
    return print_rule(text, id);
  print_rules(text);
  return true;
}

static int run(int argc, char **argv) {
  static const struct option longs[] = {{"lang", required_argument, NULL, 'l'},
                                        {"ids", no_argument, NULL, 'i'},
                                        {NULL, 0, NULL, 0}};
  bool ids = false;
  opterr = 0;
  for (int c; (c = getopt_long(argc, argv, "", longs, NULL)) != -1;) {
    if (c == 'l' && strcmp(optarg, "en") != 0 && strcmp(optarg, "it") != 0)
      return misused(&command_rules, _("there is no language '%s' here."),
                     optarg);
    if (c == 'l')
      choose_language(optarg);
    else if (c == 'i')
      ids = true;
    else
      return misused(&command_rules, _("'%s' is not recognised."),
                     argv[optind - 1]);
  }
  if (optind == argc)
    return misused(&command_rules, "%s", _("which game?"));
  if (optind + 2 < argc)
    return misused(&command_rules, _("unexpected argument '%s'."),
                   argv[optind + 2]);
  const struct sal_game *g = sal_game_find(argv[optind]);
  if (!g)
    return misused(&command_rules, _("there is no game '%s'."), argv[optind]);
  if (ids) {
    for (const struct sal_rule *r = g->info.rules; r->id; r++)
      puts(r->id);
    return DONE;
  }
  const char *id = argv[optind + 1];
  if (!print_rules_of(g, id))
    return misused(&command_rules, _("the game has no rule '%s'."), id);
  return DONE;
}

const struct command command_rules = {
    "rules", N_("show the rules of a game, or one of them"),
    "GAME [RULE] [--lang en|it] [--ids]",
    N_("  GAME         the game, for example doors\n"
       "  RULE         only this rule, for example doors.guess.wrong\n"
       "  --lang LANG  en or it; else as the environment says\n"
       "  --ids        only the names of the rules\n"),
    run};
