/* Lines for people: what is printed and what is typed in plain mode. */
#include "play_plain.h"

#include "terminal/canvas.h"
#include "terminal/screen.h"

#include <editline/readline.h>
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

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

/* The bytes of the next row: up to the last blank that fits, but no number goes
 * without its "%". */
static size_t row_of(const char *text, int room) {
  const size_t line = strcspn(text, "\n"), fits = text_clip(text, room);
  if (fits >= line)
    return line;
  size_t end = fits;
  while (end > 0 && (text[end] != ' ' || text[end + 1] == '%'))
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
static const struct beside *beside; /* what else is waited for, or NULL */
static bool editing;  /* a line is on the screen, with its prompt */
static bool given_up; /* no line is wanted any more */
static volatile sig_atomic_t continued;

static void note_continued(int number) {
  (void)number;
  continued = 1;
}

static bool editable(void) {
  const char *name = getenv("TERM");
  return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && name && *name &&
         strcmp(name, "dumb") != 0;
}

void hide_line(void) {
  if (!editing)
    return;
  fputs(editable() ? "\r\033[K" : "\n", stdout);
  editing = false;
}

/* The prompt and what was typed so far, below what was printed over it. */
static void show_line(bool keys) {
  fflush(stdout);
  if (keys)
    rl_forced_update_display();
  else
    printf("> ");
  fflush(stdout);
  editing = true;
}

/* Waits for a key; meanwhile what goes on beside is heard. False: no line is
 * wanted any more. */
static bool wait_for_typing(bool keys) {
  enum { AGAIN = 1000 };
  for (;;) {
    const int other = beside ? beside->descriptor(beside->self) : -1;
    struct pollfd watched[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                               {.fd = other, .events = POLLIN}};
    const int n = poll(watched, 2, beside && other < 0 ? AGAIN : -1);
    if (keys && continued) { /* the shell has had the terminal meanwhile */
      continued = 0;
      rl_prep_terminal(1);
      show_line(keys);
    }
    if (n < 0)
      continue;
    if (n == 0 || watched[1].revents) {
      if (!beside->ready(beside->self)) {
        given_up = true;
        return false;
      }
      if (!editing)
        show_line(keys);
    }
    if (watched[0].revents)
      return true;
  }
}

/* Past the buffer of the standard input, so that a wait knows what is there. */
static int next_byte(bool keys) {
  static unsigned char bytes[256];
  static size_t at, count;
  while (at == count) {
    if (!wait_for_typing(keys))
      return EOF;
    const ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return EOF;
    at = 0;
    count = (size_t)n;
  }
  return bytes[at++];
}

/* A character of several bytes as one. */
static int next_character(FILE *unused) {
  mbstate_t state = {0};
  (void)unused;
  for (;;) {
    const int c = next_byte(true);
    const char byte = (char)c;
    wchar_t letter;
    if (c == EOF)
      return -1;
    const size_t n = mbrtowc(&letter, &byte, 1, &state);
    if (n == (size_t)-1)
      return c;
    if (n != (size_t)-2)
      return n ? (int)letter : 0;
  }
}

static char *next_completion(const char *text, int state) {
  static size_t at;
  if (!state)
    at = 0;
  if (beside && !state)
    completions = beside->offered(beside->self);
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

static void begin_editing(void) {
  static bool begun;
  if (begun)
    return;
  begun = true;
  setlocale(LC_CTYPE, ""); /* letters of several bytes */
  rl_readline_name = (char *)"salotto";
  rl_getc_function = next_character;
  rl_initialize();
  using_history();
  rl_attempted_completion_function = complete;
  rl_completion_append_character = ' ';
  rl_catch_signals = 0;
}

/* While a line is edited the terminal has no echo: whatever ends or stops the
 * program gives the terminal back as it was. */
static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
enum { ENDS = sizeof ends / sizeof *ends };
static struct sigaction former[ENDS];
static struct termios terminal_before;

static void give_terminal_back(int number) {
  struct sigaction own;
  tcsetattr(STDIN_FILENO, TCSANOW, &terminal_before);
  for (int i = 0; i < ENDS; i++)
    if (ends[i] == number) {
      sigaction(number, &former[i], &own);
      raise(number); /* comes back where the program was only stopped */
      sigaction(number, &own, NULL);
    }
}

static void take_terminal(void) {
  const struct sigaction give = {.sa_handler = give_terminal_back,
                                 .sa_flags = SA_NODEFER};
  struct termios quiet = terminal_before;
  for (int i = 0; i < ENDS; i++)
    sigaction(ends[i], &give, &former[i]);
  quiet.c_lflag &= (tcflag_t)~ECHO;
  tcsetattr(STDIN_FILENO, TCSANOW, &quiet);
}

static void return_terminal(void) {
  tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal_before);
  for (int i = 0; i < ENDS; i++)
    sigaction(ends[i], &former[i], NULL);
}

/* With keys that edit; false at the end of input. */
static bool edit_line(char *line) {
  struct sigaction go_on = {.sa_handler = note_continued}, usual;
  begin_editing(); /* sees whether there is an echo */
  /* The library shows the prompt before it takes the echo from the terminal:
   * what is typed in between would be there twice. */
  const bool had = tcgetattr(STDIN_FILENO, &terminal_before) == 0;
  if (had)
    take_terminal();
  fflush(stdout);
  sigaction(SIGCONT, &go_on, &usual);
  editing = true;
  char *typed = readline("> ");
  editing = false;
  if (had)
    return_terminal();
  sigaction(SIGCONT, &usual, NULL);
  if (!typed || given_up) {
    free(typed);
    return false;
  }
  if (*typed)
    add_history(typed);
  snprintf(line, LINE_MAX_LEN + 2, "%s",
           strlen(typed) <= LINE_MAX_LEN ? typed : "");
  free(typed);
  return true;
}

/* A line that is too long comes back empty. */
static bool take_line(char *line) {
  size_t n = 0;
  int c;
  show_line(false);
  while ((c = next_byte(false)) != EOF && c != '\n')
    if (n <= LINE_MAX_LEN)
      line[n++] = (char)c;
  editing = false;
  if (given_up)
    return false;
  if (n > LINE_MAX_LEN)
    n = 0;
  line[n] = '\0';
  if (!isatty(STDIN_FILENO))
    printf("%s\n", line); /* a transcript shows what was typed */
  return n > 0 || c != EOF;
}

/* Without the blanks around it. */
static void trim(char *line) {
  size_t n = strlen(line);
  while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\r'))
    line[--n] = '\0';
  const size_t blanks = strspn(line, " ");
  memmove(line, line + blanks, n - blanks + 1);
}

bool read_line(char *line, const char *const *offered) {
  completions = offered;
  given_up = false;
  const bool more = editable() ? edit_line(line) : take_line(line);
  completions = NULL;
  if (more)
    trim(line);
  return more;
}

bool read_line_beside(char *line, const struct beside *b) {
  beside = b;
  const bool more = read_line(line, NULL);
  beside = NULL;
  return more;
}
