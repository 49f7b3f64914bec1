/* Lines for people: what is printed and what is typed in plain mode. */
#include "play_plain.h"

#include "terminal/canvas.h"
#include "terminal/screen.h"

#include <editline/readline.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* ---- Out -------------------------------------------------------------------- */

/* Only if the environment names a locale that is not UTF-8: without any, UTF-8
 * is what files and pipes hold. */
static bool only_ascii(void) {
  static int known = -1;
  static const char *const asked[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (size_t i = 0; known < 0 && i < sizeof asked / sizeof *asked; i++) {
    const char *value = getenv(asked[i]);
    if (value && *value)
      known = !screen_speaks_utf8();
  }
  return known > 0;
}

static bool has_colour(void) {
  const char *none = getenv("NO_COLOR"), *name = getenv("TERM");
  return isatty(STDOUT_FILENO) && !(none && *none) && name && *name &&
         strcmp(name, "dumb") != 0;
}

static int line_width(void) {
  struct winsize size;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
    return size.ws_col > 100 ? 100 : size.ws_col;
  return 80;
}

/* The colour of a card's two letters, or NULL. */
static const char *card_colour(const char *word) {
  static const struct {
    const char *card, *colour;
  } cards[] = {{"RL", "31"},   {"RT", "31"}, {"BL", "34;1"},
               {"BT", "34;1"}, {"BR", "35"}, {"LT", "35"}};
  for (size_t i = 0; i < sizeof cards / sizeof *cards; i++)
    if (strncmp(word, cards[i].card, 2) == 0)
      return cards[i].colour;
  return NULL;
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80);
}

static void put_coloured(const char *text, size_t length) {
  for (size_t i = 0; i < length;) {
    const bool start = i == 0 || !is_letter(text[i - 1]);
    const bool whole = i + 2 >= length || !is_letter(text[i + 2]);
    const char *colour =
        start && whole && i + 2 <= length ? card_colour(text + i) : NULL;
    if (colour) {
      printf("\033[%sm%.2s\033[0m", colour, text + i);
      i += 2;
    } else {
      putchar(text[i++]);
    }
  }
}

static void put(const char *text, size_t length) {
  if (only_ascii()) {
    char plain[4000], copy[4000];
    struct sal_text t;
    snprintf(copy, sizeof copy, "%.*s", (int)length, text);
    sal_text_init(&t, plain, sizeof plain);
    text_plain(copy, &t);
    if (has_colour())
      put_coloured(plain, t.len);
    else
      fwrite(plain, 1, t.len, stdout);
    return;
  }
  if (has_colour())
    put_coloured(text, length);
  else
    fwrite(text, 1, length, stdout);
}

void print_block(const char *text) {
  while (*text) {
    const size_t length = strcspn(text, "\n");
    put(text, length);
    text += length;
    if (*text == '\n')
      putchar(*text++);
  }
}

/* The bytes of the next row: up to the last blank that fits. */
static size_t row_of(const char *text, int room) {
  const size_t line = strcspn(text, "\n"), fits = text_clip(text, room);
  if (fits >= line)
    return line;
  size_t end = fits;
  while (end > 0 && text[end] != ' ')
    end--;
  return end ? end : fits ? fits : 1;
}

void print_lines(const char *text, int indent) {
  const int width = line_width();
  int room = width;
  while (*text) {
    const size_t length = row_of(text, room);
    put(text, length);
    putchar('\n');
    text += length;
    if (*text == '\n') {
      text++;
      room = width;
    } else if (*text) {
      text += strspn(text, " ");
      printf("%*s", indent, "");
      room = width - indent;
    }
  }
}

void print_sentence(const char *format, ...) {
  char text[2000];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  print_lines(text, 2);
}

/* ---- In --------------------------------------------------------------------- */

static const char *const *completions;

static char *next_completion(const char *text, int state) {
  static size_t at;
  if (!state)
    at = 0;
  while (completions && completions[at]) {
    const char *offered = completions[at++];
    /* words after the first are completed within the whole line */
    const size_t begun = strlen(rl_line_buffer);
    const size_t before = begun >= strlen(text) ? begun - strlen(text) : 0;
    if (strncmp(offered, rl_line_buffer, before) == 0 &&
        strncmp(offered + before, text, strlen(text)) == 0)
      return strdup(offered + before);
  }
  return NULL;
}

static char **complete(const char *text, int start, int end) {
  (void)start;
  (void)end;
  rl_attempted_completion_over = 1;
  return rl_completion_matches(text, next_completion);
}

static bool editable(void) {
  const char *name = getenv("TERM");
  return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && name && *name &&
         strcmp(name, "dumb") != 0;
}

/* With keys that edit; false at the end of input. */
static bool edit_line(char *line) {
  static bool begun;
  if (!begun) {
    begun = true;
    rl_readline_name = (char *)"salotto";
    rl_initialize();
    using_history();
    rl_attempted_completion_function = complete;
    rl_completion_append_character = ' ';
    rl_catch_signals = 0;
  }
  fflush(stdout);
  char *typed = readline("> ");
  if (!typed)
    return false;
  if (*typed)
    add_history(typed);
  snprintf(line, LINE_MAX_LEN + 2, "%s",
           strlen(typed) <= LINE_MAX_LEN ? typed : "");
  free(typed);
  return true;
}

/* A line that is too long comes back empty. */
static bool take_line(char *line) {
  printf("> ");
  fflush(stdout);
  size_t n = 0;
  int c;
  while ((c = getchar()) != EOF && c != '\n')
    if (n <= LINE_MAX_LEN)
      line[n++] = (char)c;
  if (n > LINE_MAX_LEN)
    n = 0;
  line[n] = '\0';
  if (!isatty(STDIN_FILENO))
    printf("%s\n", line); /* a transcript shows what was typed */
  return n > 0 || c != EOF;
}

bool read_line(char *line, const char *const *offered) {
  completions = offered;
  const bool more = editable() ? edit_line(line) : take_line(line);
  completions = NULL;
  if (!more)
    return false;
  size_t n = strlen(line);
  while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\r'))
    line[--n] = '\0';
  const size_t blanks = strspn(line, " ");
  memmove(line, line + blanks, n - blanks + 1);
  return true;
}
