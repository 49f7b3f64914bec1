/* Runs readable test vectors: vectors FILE...
 *
 * A block is one test; tests/vectors/README.md explains the lines. */
#include "salotto/salotto.h"
#include "tap.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 1 << 16, LINE_SIZE = 1 << 13 };

struct vector {
  char name[512];
  struct sal_plan plan;
  sal_table *table;
  size_t since;                    /* the first event of the last action */
  size_t heard[SAL_SEATS_MAX + 2]; /* where each viewer's next * line looks */
  int line;
  bool failed;
};

static void fail(struct vector *v, const char *what, const char *more) {
  tap_note("line %d: %s%s%s", v->line, what, *more ? ": " : "", more);
  v->failed = true;
}

/* ---- Setting up --------------------------------------------------------- */

static void begin(struct vector *v, char *rest) {
  char *save, *word = strtok_r(rest, " ", &save);
  memset(&v->plan, 0, sizeof v->plan);
  extern const struct sal_game sal_null;
  v->plan.game = !word                       ? NULL
                 : strcmp(word, "null") == 0 ? &sal_null
                                             : sal_game_find(word);
  const char *players = strtok_r(NULL, " ", &save);
  if (!v->plan.game || !players) {
    fail(v, "new GAME PLAYERS", "");
    return;
  }
  sal_setup_default(v->plan.game, atoi(players), &v->plan.setup);
  while ((word = strtok_r(NULL, " ", &save))) {
    char *value = strchr(word, '=');
    if (value)
      *value++ = '\0';
    const int o = sal_option_find(v->plan.game, word);
    if (!value || o < 0 ||
        !sal_option_parse(v->plan.game, o, v->plan.setup.players, value,
                          &v->plan.setup.option[o]))
      fail(v, "no such option or value", word);
  }
}

static void add_deal(struct vector *v, char *rest) {
  struct sal_refusal why;
  char *save;
  const char *entry = strtok_r(rest, " ", &save);
  const char *pile = strtok_r(NULL, " ", &save);
  const char *list = strtok_r(NULL, " ", &save);
  if (!list) {
    fail(v, "deal ENTRY PILE LIST CARD...", "");
    return;
  }
  if (!v->plan.deals)
    v->plan.deals = sal_deals_new(v->plan.game, &v->plan.setup);
  if (sal_deals_open(v->plan.deals, atoi(entry) - 1, pile, atoi(list), &why)) {
    fail(v, "deal", why.message);
    return;
  }
  for (const char *card; (card = strtok_r(NULL, " ", &save));)
    if (sal_deals_card(v->plan.deals, card, &why))
      fail(v, "deal", why.message);
}

static bool seated(struct vector *v) {
  struct sal_refusal why;
  if (v->table || v->failed)
    return v->table != NULL;
  if (!v->plan.game) {
    fail(v, "a vector begins with 'new'", "");
    return false;
  }
  if (v->plan.deals && sal_deals_check(v->plan.deals, &why)) {
    fail(v, "deal", why.message);
    return false;
  }
  v->table = sal_table_new(&v->plan);
  v->plan.deals = NULL;
  return v->table != NULL;
}

/* The sentences of the rules that a heading names, beside the vector that shows
 * them. */
static void tell_rules(const struct vector *v) {
  static const struct sal_catalogue english;
  const struct sal_rule *r = v->plan.game ? v->plan.game->info.rules : NULL;
  for (; r && r->id; r++) {
    const char *at = strstr(v->name, r->id);
    if (at && !strchr(".-", at[strlen(r->id)]))
      tap_note("%s", sal_catalogue_text(&english, r->text));
  }
}

static void finish(struct vector *v) {
  if (!v->name[0])
    return;
  tell_rules(v);
  if (!v->failed && !v->table)
    fail(v, "nothing was tested", "");
  tap_ok(!v->failed, v->name);
  sal_deals_free(v->plan.deals);
  sal_table_free(v->table);
  memset(v, 0, sizeof *v);
}

/* ---- Doing -------------------------------------------------------------- */

static void act(struct vector *v, const char *line) {
  struct sal_refusal why;
  char *action;
  const int seat = (int)strtol(line, &action, 10);
  v->since = sal_table_event_count(v->table);
  for (size_t i = 0; i < SAL_SEATS_MAX + 2; i++)
    v->heard[i] = v->since;
  if (sal_table_act(v->table, seat, action + 1, &why) != 0) {
    char text[SAL_MESSAGE_MAX + 128];
    snprintf(text, sizeof text, "%.40s: %s (%s)", line, why.message,
             why.rule ? why.rule : sal_error_name(why.code));
    fail(v, "refused", text);
  }
}

/* SEAT ACTION => RULE or CODE */
static void refuse(struct vector *v, char *line) {
  struct sal_refusal why;
  static char before[TEXT_SIZE], after[TEXT_SIZE];
  char *arrow = strstr(line, " => "), *action, text[256];
  if (!arrow) {
    fail(v, "! SEAT ACTION => RULE", "");
    return;
  }
  *arrow = '\0';
  const char *expected = arrow + 4;
  const int seat = (int)strtol(line, &action, 10);
  char *buffer[] = {before, after};
  int code = 0;
  for (int i = 0; i < 2; i++) {
    struct sal_text t;
    struct sal_json j;
    sal_text_init(&t, buffer[i], TEXT_SIZE);
    sal_json_init(&j, &t);
    sal_table_facts(v->table, SAL_EVERYTHING, &j, NULL);
    if (i == 0)
      code = sal_table_act(v->table, seat, action + 1, &why);
  }
  const char *got = code == 0             ? "nothing: it was allowed"
                    : code == SAL_ILLEGAL ? why.rule
                                          : sal_error_name(code);
  snprintf(text, sizeof text, "'%.60s' is refused by %.60s, not %.60s", line,
           got, expected);
  if (strcmp(got, expected) != 0)
    fail(v, text, "");
  if (code != 0 && strcmp(before, after) != 0)
    fail(v, "the refusal changed the table", line);
}

static void undo(struct vector *v, const char *seat, bool expected) {
  const bool done = sal_table_undo(v->table, atoi(seat), NULL) == 0;
  if (done != expected)
    fail(v, expected ? "undo was refused" : "undo was not refused", "");
}

/* ---- Looking ------------------------------------------------------------ */

/* After > or *: a digit (seat), s (spectator) or nothing (everything). */
static int viewer_of(const char **s) {
  if (**s >= '0' && **s <= '9')
    return *(*s)++ - '0';
  if (**s == 's' && ((*s)[1] == ' ' || (*s)[1] == '!')) {
    ++*s;
    return SAL_SPECTATOR;
  }
  return SAL_EVERYTHING;
}

static const json_t *follow(const json_t *j, char *path) {
  char *save;
  for (const char *key = strtok_r(path, ".", &save); key && j;
       key = strtok_r(NULL, ".", &save))
    j = json_is_array(j) ? json_array_get(j, (size_t)atoi(key))
                         : json_object_get(j, key);
  return j;
}

static void expect(struct vector *v, const char *rest) {
  static char text[TEXT_SIZE];
  struct sal_text t;
  struct sal_json j;
  const int viewer = viewer_of(&rest);
  rest += strspn(rest, " ");
  char path[128];
  const size_t n = strcspn(rest, " ");
  snprintf(path, sizeof path, "%.*s", (int)n, rest);
  rest += n + strspn(rest + n, " ");
  sal_text_init(&t, text, sizeof text);
  sal_json_init(&j, &t);
  sal_table_facts(v->table, viewer, &j, NULL);
  json_t *state = json_loads(text, 0, NULL);
  json_t *wanted = json_loads(rest, JSON_DECODE_ANY, NULL);
  char key[128];
  strcpy(key, path);
  const json_t *found = follow(state, key);
  if (!wanted) {
    fail(v, "this is not JSON", rest);
  } else if (!found || !json_equal((json_t *)found, wanted)) {
    char *shown =
        found ? json_dumps(found, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    char message[1024];
    snprintf(message, sizeof message, "%s is %s, not %s", path,
             shown ? shown : "not there", rest);
    fail(v, message, "");
    free(shown);
  }
  json_decref(state);
  json_decref(wanted);
}

static void expect_event(struct vector *v, const char *rest) {
  const int viewer = viewer_of(&rest);
  const bool none = *rest == '!';
  rest += none;
  rest += strspn(rest, " ");
  size_t *at = &v->heard[viewer + 2];
  const size_t count = sal_table_event_count(v->table);
  for (size_t n = none ? v->since : *at; n < count; n++) {
    static char text[TEXT_SIZE];
    struct sal_text t;
    struct sal_json j;
    sal_text_init(&t, text, sizeof text);
    sal_json_init(&j, &t);
    sal_table_event_facts(v->table, n, viewer, &j);
    if (strstr(text, rest)) {
      if (none)
        fail(v, "there is an event", text);
      *at = n + 1;
      return;
    }
  }
  if (!none)
    fail(v, "no event holds", rest);
}

static void expect_legal(struct vector *v, const char *rest) {
  char *list;
  const struct sal_game *g = v->plan.game;
  const int seat = (int)strtol(rest, &list, 10);
  sal_action *legal = calloc(g->info.legal_max, sizeof *legal);
  const size_t n = sal_table_legal(v->table, seat, legal);
  static char text[TEXT_SIZE];
  struct sal_text t;
  sal_text_init(&t, text, sizeof text);
  for (size_t i = 0; i < n; i++) {
    if (i)
      sal_text_add(&t, " | ");
    g->action_text(legal[i], &t);
  }
  list += strspn(list, " ");
  if (strcmp(text, list) != 0)
    fail(v, "the legal actions are", text);
  free(legal);
}

/* SEAT ACTION => LABEL */
static void expect_label(struct vector *v, char *line) {
  union sal_view_box view = {0};
  char *arrow = strstr(line, " => "), *action, text[512];
  const struct sal_game *g = v->plan.game;
  struct sal_text t;
  if (!arrow) {
    fail(v, "says SEAT ACTION => LABEL", "");
    return;
  }
  *arrow = '\0';
  const int seat = (int)strtol(line, &action, 10);
  sal_table_view(v->table, seat, (sal_view *)view.bytes);
  sal_text_init(&t, text, sizeof text);
  const sal_action a = g->action_parse(action + 1);
  if (a)
    g->action_say((const sal_view *)view.bytes, a, &sal_words_plain, &t);
  if (strcmp(text, arrow + 4) != 0)
    fail(v, "the label is", text);
}

/* VIEWER => SENTENCE: the sentence, and who reads it; or NULL. */
static const char *sentence_of(struct vector *v, char *line, int *viewer) {
  const char *arrow = strstr(line, " => ");
  if (!arrow)
    fail(v, "asks or tells VIEWER => SENTENCE", "");
  *viewer = *line == 's' ? SAL_SPECTATOR : atoi(line);
  return arrow ? arrow + 4 : NULL;
}

static void expect_prompt(struct vector *v, char *line) {
  union sal_view_box view = {0};
  char text[512];
  struct sal_text t;
  int viewer;
  const char *wanted = sentence_of(v, line, &viewer);
  if (!wanted)
    return;
  sal_table_view(v->table, viewer, (sal_view *)view.bytes);
  sal_text_init(&t, text, sizeof text);
  v->plan.game->prompt((const sal_view *)view.bytes, &sal_words_plain, &t);
  if (strcmp(text, wanted) != 0)
    fail(v, "the sentence is", text);
}

/* One of the events of the last action. */
static void expect_sentence(struct vector *v, char *line) {
  static char told[TEXT_SIZE];
  char text[1024];
  struct sal_text t, all;
  int viewer;
  const char *wanted = sentence_of(v, line, &viewer);
  sal_text_init(&all, told, sizeof told);
  for (size_t n = v->since; wanted && n < sal_table_event_count(v->table);
       n++) {
    sal_text_init(&t, text, sizeof text);
    sal_table_event_say(v->table, n, viewer, &sal_words_plain, &t);
    if (strcmp(text, wanted) == 0)
      return;
    sal_text_add(&all, "\n# ");
    sal_text_add(&all, text);
  }
  if (wanted)
    fail(v, "what is told is", told);
}

static void read_line(struct vector *v, char *line) {
  char *rest;
  if ((rest = (char *)sal_skip(line, "== "))) {
    const int at = v->line;
    finish(v);
    v->line = at;
    snprintf(v->name, sizeof v->name, "%s", rest);
  } else if (v->failed) {
    return;
  } else if ((rest = (char *)sal_skip(line, "new "))) {
    begin(v, rest);
  } else if ((rest = (char *)sal_skip(line, "seed "))) {
    sal_key_number(strtoull(rest, NULL, 10), &v->plan.seed);
  } else if ((rest = (char *)sal_skip(line, "deal "))) {
    add_deal(v, rest);
  } else if (!seated(v)) {
    return;
  } else if ((rest = (char *)sal_skip(line, "! "))) {
    refuse(v, rest);
  } else if ((rest = (char *)sal_skip(line, ">"))) {
    expect(v, rest);
  } else if ((rest = (char *)sal_skip(line, "*"))) {
    expect_event(v, rest);
  } else if ((rest = (char *)sal_skip(line, "legal "))) {
    expect_legal(v, rest);
  } else if ((rest = (char *)sal_skip(line, "says "))) {
    expect_label(v, rest);
  } else if ((rest = (char *)sal_skip(line, "asks "))) {
    expect_prompt(v, rest);
  } else if ((rest = (char *)sal_skip(line, "tells "))) {
    expect_sentence(v, rest);
  } else if ((rest = (char *)sal_skip(line, "undo "))) {
    undo(v, rest, true);
  } else if ((rest = (char *)sal_skip(line, "!undo "))) {
    undo(v, rest, false);
  } else if (*line >= '0' && *line <= '9') {
    act(v, line);
  } else {
    fail(v, "this line is not understood", line);
  }
}

int main(int argc, char **argv) {
  struct vector v = {0};
  for (int i = 1; i < argc; i++) {
    const int before = tap_count;
    FILE *f = fopen(argv[i], "r");
    char line[LINE_SIZE];
    if (!f) {
      perror(argv[i]);
      return 2;
    }
    for (v.line = 1; fgets(line, sizeof line, f); v.line++) {
      line[strcspn(line, "\n")] = '\0';
      if (line[0] && line[0] != '#')
        read_line(&v, line);
    }
    finish(&v);
    fclose(f);
    if (tap_count == before) {
      tap_note("%s has no block '== RULE: …'", argv[i]);
      tap_ok(false, "a file of vectors has vectors");
    }
  }
  return tap_done();
}
