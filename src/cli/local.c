/* What hosts of tables in this program share. */
#include "local.h"

#include "salotto/buffer.h"
#include "terminal/canvas.h"

#include <stdlib.h>
#include <string.h>

struct telling {
  const sal_table *table;
  int viewer;
  size_t since;
  const struct sal_words *words;
};

static void write_told(struct sal_json *j, const void *what) {
  const struct telling *t = what;
  sal_json_object(j, NULL);
  if (t->viewer >= 0)
    sal_table_tell(t->table, t->viewer, t->since, t->words, j);
  else
    sal_table_show(t->table, t->viewer, t->since, t->words, j);
  sal_json_end(j, '}');
}

json_t *told_to(const sal_table *t, int viewer, size_t since,
                const struct sal_words *words) {
  const struct telling what = {t, viewer, since, words};
  struct sal_buffer b = {0};
  json_t *told = sal_buffer_compose(&b, write_told, &what, SIZE_MAX)
                     ? json_loadb(b.at, b.len, 0, NULL)
                     : NULL;
  sal_buffer_free(&b);
  return told;
}

void scene_of_table(struct scene *s, const sal_table *t,
                    const struct sal_speaker *words) {
  const struct sal_game *g = sal_table_game(t);
  s->words = &words->words;
  s->players = sal_table_players(t);
  snprintf(s->game, sizeof s->game, "%s", g->info.id);
  snprintf(s->title, sizeof s->title, "%s", _(g->info.title));
  for (int i = 0; i < s->players; i++) {
    struct sal_text name;
    sal_text_init(&name, s->names[i], SCENE_NAME_MAX);
    words->words.seat(&words->words, i, &name);
  }
}

/* A bot without a name of its own is called as it was at the table. */
static void name_bot(struct save_seats *s, int seat) {
  const struct sal_bot *bot =
      s->level[seat][0] ? sal_bot_find(s->level[seat]) : NULL;
  if (bot && !s->name[seat][0])
    snprintf(s->name[seat], sizeof s->name[seat], _("Bot %d (%s)"), seat + 1,
             _(bot->title));
}

void record_names(const struct replay_wish *w, int players,
                  struct record_names *out) {
  *out = (struct record_names){0};
  save_seats_read(w->text, players, &out->seats);
  for (int i = 0; i < players; i++) {
    name_bot(&out->seats, i);
    out->names[i] = w->names                ? w->names[i]
                    : out->seats.name[i][0] ? out->seats.name[i]
                                            : NULL;
  }
  cli_words_init(&out->words, out->names);
}

/* ---- Rules ------------------------------------------------------------------- */

static bool is_anchor(const char *line) { return sal_skip(line, "<a id=\""); }

/* Whether a line of Markdown begins something, and does not go on with the line
 * before. */
static bool begins_block(const char *line) {
  const size_t digits = strspn(line, "0123456789");
  return strchr("\n#|>!", *line) || sal_skip(line, "- ") ||
         (digits && sal_skip(line + digits, ". "));
}

/* A line without the marks for bold and slanted words and for notation. */
static void add_line(const char *line, size_t n, struct sal_text *out) {
  for (size_t i = 0; i < n; i++)
    if (line[i] != '`' && line[i] != '*')
      sal_text_char(out, line[i]);
}

/* A heading, underlined. */
static void add_heading(const char *line, size_t n, struct sal_text *out) {
  const size_t marks = strspn(line, "# ");
  char heading[200];
  snprintf(heading, sizeof heading, "%.*s", (int)(n - marks), line + marks);
  sal_text_add(out, heading);
  sal_text_char(out, '\n');
  for (int i = text_columns(heading); i > 0; i--)
    sal_text_add(out, "─");
}

/* "| a | b |" as "a | b", with as many columns; the line under the headings of
 * a table is drawn. */
static void add_text_row(const char *line, size_t n, struct sal_text *out) {
  const bool rule = strspn(line, "|-: ") >= n;
  while (n > 2 && (line[n - 1] == '|' || line[n - 1] == ' '))
    n--;
  int dropped = 0; /* marks of this cell: it gets as many blanks at its end */
  for (size_t i = 2; i < n; i++)
    if (rule) {
      sal_text_add(out, line[i] == '|' ? "┼" : "─");
    } else if (line[i] == '`' || line[i] == '*') {
      dropped++;
    } else {
      for (; line[i] == '|' && dropped > 0; dropped--)
        sal_text_char(out, ' ');
      if (line[i] == '|')
        sal_text_add(out, "│");
      else
        sal_text_char(out, line[i]);
    }
}

/* "![caption](file)" as "[caption]". */
static void add_caption(const char *line, struct sal_text *out) {
  sal_text_addn(out, line + 1, strcspn(line, "]\n"));
}

/* The lines from `at` on as text that flows, without anchors; only the paragraph
 * if `one`. */
static void add_rules(const char *at, bool one, struct sal_text *out) {
  bool open = false; /* a line that the next may go on with */
  while (*at && !(one && (*at == '\n' || is_anchor(at)))) {
    const size_t n = strcspn(at, "\n");
    const char *line = at;
    at += n + (at[n] == '\n');
    if (is_anchor(line))
      continue;
    if (open)
      sal_text_char(out, begins_block(line) ? '\n' : ' ');
    open = n > 0;
    if (*line == '#')
      add_heading(line, n, out);
    else if (*line == '|')
      add_text_row(line, n, out);
    else if (*line == '!')
      add_caption(line, out);
    else if (n > 0)
      add_line(line + strspn(line, " "), n - strspn(line, " "), out);
    else
      sal_text_char(out, '\n');
  }
  if (open)
    sal_text_char(out, '\n');
}

/* One rule of a game without a text for players, or all of them. */
static char *rule_sentences(const struct sal_game *g, const char *id) {
  size_t size = 1;
  for (const struct sal_rule *r = g->info.rules; r->id; r++)
    size += strlen(r->id) + strlen(_(r->text)) + 8;
  char *text = malloc(size);
  struct sal_text t;
  if (!text)
    return NULL;
  sal_text_init(&t, text, size);
  for (const struct sal_rule *r = g->info.rules; r->id; r++) {
    if (id && strcmp(id, r->id) != 0)
      continue;
    sal_text_add(&t, _(r->text));
    sal_text_add(&t, " (");
    sal_text_add(&t, r->id);
    sal_text_add(&t, ")\n");
  }
  if (t.len)
    return text;
  free(text);
  return NULL;
}

char *rules_text(const struct sal_game *g, const char *id) {
  char name[64], anchor[128];
  size_t size;
  snprintf(name, sizeof name, "%s.%s.md", g->info.id, language());
  const char *whole = embedded_file(name, &size), *at = whole;
  if (whole && id) {
    snprintf(anchor, sizeof anchor, "<a id=\"%s\"></a>\n", id);
    at = strstr(whole, anchor);
    at = at ? at + strlen(anchor) : NULL;
  }
  if (!at)
    return rule_sentences(g, id);
  char *text = malloc(2 * size + 1); /* lines under headings */
  struct sal_text t;
  if (!text)
    return NULL;
  sal_text_init(&t, text, 2 * size + 1);
  add_rules(at, id != NULL, &t);
  return text;
}
