/* salotto rules: the rule books for players, from the texts inside the program.
 *
 * The texts are docs/rules. A line `<a id="NAME"></a>` stands before each chapter
 * (a name without a dot) and before the paragraph of each rule (the rule's id).
 * The terminal shows neither these lines nor stars for bold words; of a figure
 * it shows the caption. For a pager, headings, bold words and codes are struck
 * twice and slanted words underlined, as in a manual page: every pager shows
 * that, whatever its options. */
#include "cli.h"

#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *rules_text(const char *game, const char *lang) {
  char name[64];
  snprintf(name, sizeof name, "%s.%s.md", game, lang);
  return embedded_file(name, NULL);
}

static const char *next_line(const char *at) {
  const size_t n = strcspn(at, "\n");
  return at + n + (at[n] == '\n');
}

/* The name in an anchor line; NULL if the line is none. */
static const char *anchor(const char *line) {
  return sal_skip(line, "<a id=\"");
}

static bool is_chapter(const char *line) {
  const char *name = anchor(line);
  return name && !memchr(name, '.', strcspn(name, "\"\n"));
}

/* Where the text goes: `twice` to a pager; `bold` and `slanted` inside of such
 * words, which may go on in the next line. */
struct sheet {
  FILE *out;
  bool twice, bold, slanted;
};

/* One letter, which may have several bytes; the byte after it. */
static const char *print_letter(struct sheet *s, const char *c) {
  const char *next = c + 1;
  while ((*next & 0xC0) == 0x80)
    next++;
  if (s->slanted && *c != ' ')
    fputs("_\b", s->out);
  fwrite(c, 1, (size_t)(next - c), s->out);
  if (s->twice && s->bold && *c != ' ') {
    fputc('\b', s->out);
    fwrite(c, 1, (size_t)(next - c), s->out);
  }
  return next;
}

/* One line of Markdown as text. */
static void print_line(struct sheet *s, const char *line) {
  const char *end = line + strcspn(line, "\n");
  const char *caption = sal_skip(line, "![");
  if (caption) {
    fprintf(s->out, "[%.*s]\n", (int)strcspn(caption, "]\n"), caption);
    return;
  }
  const bool heading = *line == '#', table = *line == '|';
  if (heading && s->twice)
    line += strspn(line, "# ");
  s->bold |= heading;
  for (const char *c = line; c < end;)
    if (c[0] == '*' && c[1] == '*') {
      s->bold = !s->bold;
      c += 2;
    } else if (s->twice && *c == '*') {
      s->slanted = !s->slanted;
      c++;
    } else if (s->twice && *c == '`') {
      if (table) /* whose columns stay where they are */
        fputc(' ', s->out);
      s->bold = !s->bold;
      c++;
    } else {
      c = print_letter(s, c);
    }
  if (heading)
    s->bold = false;
  fputc('\n', s->out);
}

static void print_until(struct sheet *s, const char *at, const char *end) {
  for (; at < end; at = next_line(at))
    if (!anchor(at))
      print_line(s, at);
}

/* The line behind the anchor of that name, or NULL. */
static const char *find_anchor(const char *text, const char *name) {
  char line[128];
  snprintf(line, sizeof line, "<a id=\"%s\"></a>\n", name);
  const char *at = strstr(text, line);
  return at ? at + strlen(line) : NULL;
}

/* Prints a chapter or the paragraph of a rule. */
static bool print_part(struct sheet *s, const char *text, const char *name) {
  const char *from = find_anchor(text, name);
  if (!from)
    return false;
  const char *to = from;
  if (strchr(name, '.'))
    while (*to && *to != '\n' && !anchor(to))
      to = next_line(to);
  else
    while (*to && !is_chapter(to))
      to = next_line(to);
  print_until(s, from, to);
  return true;
}

/* The chapters: what to type, and their headings. */
static void print_chapters(const char *text) {
  for (const char *at = text; *at; at = next_line(at)) {
    if (!is_chapter(at))
      continue;
    const char *name = anchor(at), *heading = next_line(at) + strlen("## ");
    printf("  %-10.*s  %.*s\n", (int)strcspn(name, "\""), name,
           (int)strcspn(heading, "\n"), heading);
  }
}

/* The sentences of a game that has no text for players: one from a plugin. */
static void print_sentence(const struct sal_rule *r, FILE *out) {
  fprintf(out, "`%s` %s\n", r->id, _(r->text));
}

static bool print_sentences(const struct sal_game *g, const char *id,
                            FILE *out) {
  const struct sal_rule *one = id ? sal_rule_find(g, id) : NULL;
  if (one)
    print_sentence(one, out);
  for (const struct sal_rule *r = g->info.rules; !id && r->id; r++)
    print_sentence(r, out);
  return !id || one;
}

static bool print_to(struct sheet *s, const struct sal_game *g,
                     const char *part) {
  const char *text = rules_text(g->info.id, language());
  if (!text)
    return print_sentences(g, part, s->out);
  if (part)
    return print_part(s, text, part);
  print_until(s, text, text + strlen(text));
  return true;
}

bool print_rules_of(const struct sal_game *g, const char *part) {
  return print_to(&(struct sheet){.out = stdout}, g, part);
}

/* Whether there is such a chapter or rule. */
static bool has_part(const struct sal_game *g, const char *part) {
  const char *text = rules_text(g->info.id, language());
  return !part || (text ? find_anchor(text, part) != NULL
                        : sal_rule_find(g, part) != NULL);
}

/* Where people read, a pager lets them turn pages: $PAGER, or less if it is
 * there. NULL: there is nobody or nothing to page. */
static FILE *open_pager(void) {
  const char *pager = getenv("PAGER");
  if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO) || (pager && !*pager))
    return NULL;
  setenv("LESS", "FRX", 0);
  fflush(stdout);
  signal(SIGPIPE, SIG_IGN); /* whoever quits the pager has read enough */
  return popen(pager ? pager
                     : "command -v less >/dev/null && exec less || exec cat",
               "w");
}

static void read_rules(const struct sal_game *g, const char *part) {
  FILE *pager = open_pager();
  struct sheet s = {.out = pager ? pager : stdout, .twice = pager != NULL};
  print_to(&s, g, part);
  if (pager)
    pclose(pager);
}

static int run_rules(int argc, char **argv) {
  static const struct option longs[] = {{"lang", required_argument, NULL, 'l'},
                                        {"ids", no_argument, NULL, 'i'},
                                        {"chapters", no_argument, NULL, 'c'},
                                        {NULL, 0, NULL, 0}};
  bool ids = false, chapters = false;
  opterr = 0;
  for (int c; (c = getopt_long(argc, argv, "", longs, NULL)) != -1;) {
    if (c == 'l' && strcmp(optarg, "en") != 0 && strcmp(optarg, "it") != 0)
      return misused(&command_rules, _("there is no language '%s' here."),
                     optarg);
    if (c == 'l')
      choose_language(optarg);
    else if (c == 'i')
      ids = true;
    else if (c == 'c')
      chapters = true;
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
  const char *text = rules_text(g->info.id, language());
  if (chapters && text)
    print_chapters(text);
  if (chapters)
    return DONE;
  const char *part = argv[optind + 1];
  if (!has_part(g, part))
    return misused(&command_rules,
                   _("the game has no rule and no chapter '%s'."), part);
  read_rules(g, part);
  return DONE;
}

const struct command command_rules = {
    "rules", N_("read the rule book of a game, a chapter, or one rule"),
    N_("GAME [CHAPTER|RULE] [--lang en|it] [--chapters] [--ids]"),
    N_("  GAME         the game, for example doors\n"
       "  CHAPTER      only this chapter, for example turn or example\n"
       "  RULE         only this rule, for example doors.guess.wrong\n"
       "  --lang LANG  en or it; otherwise as LANG says\n"
       "  --chapters   list the chapters\n"
       "  --ids        only the names of the rules\n"),
    run_rules};
