/* What a person types, understood as one of the legal actions. See the header;
 * the ways are tried from the strictest to the most forgiving. */
#include "input.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static void copy(const char *action, char out[SAL_ACTION_TEXT_MAX]) {
  snprintf(out, SAL_ACTION_TEXT_MAX, "%.*s", SAL_ACTION_TEXT_MAX - 1, action);
}

/* Whether a text is the whole of a line, its beginning, or has it as a word. */
typedef bool match_fn(const char *action, const char *line);

static bool is_line(const char *action, const char *line) {
  return strcasecmp(action, line) == 0;
}

static bool begins(const char *action, const char *line) {
  return strncasecmp(action, line, strlen(line)) == 0;
}

/* The words after the verb: "RL" for "take RL", "red lady" for a guess. */
static bool ends(const char *action, const char *line) {
  const char *rest = strchr(action, ' ');
  return rest && strcasecmp(rest + 1, line) == 0;
}

static bool has_word(const char *action, const char *line) {
  const size_t n = strlen(line);
  for (const char *word = action; word; word = strchr(word, ' ')) {
    word += *word == ' ';
    if (strncasecmp(word, line, n) == 0 && (!word[n] || word[n] == ' '))
      return true;
  }
  return false;
}

/* How many actions match; the first of them in `out`. */
static size_t matches(const char *const *legal, size_t count, const char *line,
                      match_fn *match, char out[SAL_ACTION_TEXT_MAX]) {
  size_t found = 0;
  for (size_t i = 0; i < count; i++) {
    if (match(legal[i], line) && found++ == 0)
      copy(legal[i], out);
  }
  return found;
}

static bool is_number(const char *text) {
  return *text && text[strspn(text, "0123456789")] == '\0';
}

/* "#5", or a bare 5 where no action is an amount. */
static struct input choice(const char *const *legal, size_t count,
                           const char *digits) {
  struct input in = {INPUT_NO_CHOICE, ""};
  int32_t n;
  const char *rest = sal_number_read(digits, &n);
  if (rest && !*rest && n >= 1 && (size_t)n <= count) {
    in.kind = INPUT_ACTION;
    copy(legal[n - 1], in.action);
  }
  return in;
}

/* The verb of actions that are an amount ("bet 5", "bid 2"), or NULL. */
static const char *amount_verb(const char *const *legal, size_t count) {
  static const char *const verbs[] = {"bet ", "bid "};
  for (size_t i = 0; i < count; i++) {
    for (size_t v = 0; v < sizeof verbs / sizeof *verbs; v++)
      if (sal_skip(legal[i], verbs[v]))
        return verbs[v];
  }
  return NULL;
}

/* The amount as an action, legal or not, so that the table can judge it. */
static void say_amount(const char *const *legal, size_t count,
                       const char *digits, char out[SAL_ACTION_TEXT_MAX]) {
  struct sal_text t;
  sal_text_init(&t, out, SAL_ACTION_TEXT_MAX);
  sal_text_add(&t, amount_verb(legal, count));
  sal_text_add(&t, digits);
}

/* How many letters must change to make one of the other. */
static size_t distance(const char *a, const char *b) {
  size_t row[SAL_ACTION_TEXT_MAX + 1];
  const size_t n = strlen(b);
  for (size_t j = 0; j <= n; j++)
    row[j] = j;
  for (size_t i = 1; a[i - 1]; i++) {
    size_t corner = row[0];
    row[0] = i;
    for (size_t j = 1; j <= n; j++) {
      const bool same =
          tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
      size_t least = corner + !same;
      if (row[j] + 1 < least)
        least = row[j] + 1;
      if (row[j - 1] + 1 < least)
        least = row[j - 1] + 1;
      corner = row[j];
      row[j] = least;
    }
  }
  return row[n];
}

/* The nearest legal action, if it is near. */
static void guess_meaning(const char *const *legal, size_t count,
                          const char *line, char out[SAL_ACTION_TEXT_MAX]) {
  size_t best = strlen(line) / 3 + 1;
  for (size_t i = 0; i < count; i++) {
    const size_t d = distance(line, legal[i]);
    if (d <= best) {
      best = d - (d > 0);
      copy(legal[i], out);
    }
  }
}

/* In the letters of the notation: words small, cards large. Whether it is a
 * phrase of the game. */
static bool spell(const struct sal_game *g, char text[SAL_ACTION_TEXT_MAX]) {
  static int (*const first[])(int) = {tolower, tolower};
  static int (*const rest[])(int) = {tolower, toupper};
  for (size_t way = 0; way < 2 && !g->action_parse(text); way++) {
    const size_t verb = strcspn(text, " ");
    for (size_t i = 0; text[i]; i++)
      text[i] = (char)(i < verb ? first : rest)[way]((unsigned char)text[i]);
  }
  return g->action_parse(text) != 0;
}

struct input input_read(const struct sal_game *g, const char *const *legal,
                        size_t count, const char *line) {
  static match_fn *const ways[] = {is_line, ends, begins, has_word};
  struct input in = {INPUT_UNKNOWN, ""};
  if (strlen(line) >= SAL_ACTION_TEXT_MAX)
    return in;
  if (line[0] == '#')
    return choice(legal, count, line + 1);
  if (is_number(line) && !amount_verb(legal, count))
    return choice(legal, count, line);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    const size_t found = matches(legal, count, line, ways[i], in.action);
    if (found) {
      in.kind = found == 1 ? INPUT_ACTION : INPUT_AMBIGUOUS;
      return in;
    }
  }
  if (is_number(line))
    say_amount(legal, count, line, in.action);
  else
    strcpy(in.action, line);
  if (g && spell(g, in.action)) {
    in.kind = INPUT_ACTION;
  } else {
    in.action[0] = '\0';
    guess_meaning(legal, count, line, in.action);
  }
  return in;
}
