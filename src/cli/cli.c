/* What the subcommands share: complaints, help, files, options. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_SIZE_MAX = 1 << 25, FILE_PART = 1 << 16 };

int complain(int status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fflush(stdout);
  fputs("salotto: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  return status;
}

int misused(const struct command *c, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fflush(stdout);
  fprintf(stderr, "salotto %s: ", c->name);
  vfprintf(stderr, format, args);
  fprintf(stderr, _(" Try 'salotto %s --help'.\n"), c->name);
  va_end(args);
  return USAGE;
}

void print_help(const struct command *c) {
  printf(_("Usage: salotto %s %s\n"), c->name,
         *c->synopsis ? _(c->synopsis) : "");
  printf("\n%s\n\n%s", _(c->about), _(c->help));
}

/* Standard input was a file to its end: what is typed from here on comes from
 * the terminal, where there is one. */
static void close_file(FILE *f) {
  if (f != stdin) {
    fclose(f);
    return;
  }
  const int terminal = isatty(STDOUT_FILENO) ? open("/dev/tty", O_RDWR) : -1;
  if (terminal < 0)
    return;
  dup2(terminal, STDIN_FILENO);
  close(terminal);
  clearerr(stdin);
}

/* False: it is larger than a file may be. */
static bool read_all(FILE *f, struct sal_buffer *into) {
  while (into->len <= FILE_SIZE_MAX && sal_buffer_reserve(into, FILE_PART)) {
    const size_t n = fread(into->at + into->len, 1, FILE_PART, f);
    into->len += n;
    into->at[into->len] = '\0';
    if (n < FILE_PART && into->len <= FILE_SIZE_MAX)
      return true;
  }
  return into->failed;
}

char *read_file(const char *path, size_t *length) {
  FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
  struct sal_buffer text = {.failed = f == NULL};
  if (f && !read_all(f, &text)) {
    complain(FAILED, _("%s: is larger than 32 MiB."), path);
    sal_buffer_free(&text);
  } else if (!f || text.failed || ferror(f)) {
    complain(FAILED, _("%s: cannot be read: %s."), path, strerror(errno));
    sal_buffer_free(&text);
  }
  if (f)
    close_file(f);
  *length = text.len;
  return text.at;
}

int write_file(const char *path, const char *text) {
  return write_parts(path, text, strlen(text), NULL, 0);
}

/* A pipe or a device is written to as it is: nothing may take its place. */
static bool is_special(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode);
}

static int write_through(const char *path, const void *head, size_t head_size,
                         const void *body, size_t body_size) {
  FILE *f = fopen(path, "w");
  bool ok = f && fwrite(head, 1, head_size, f) == head_size &&
            (!body || fwrite(body, 1, body_size, f) == body_size);
  ok = f && fclose(f) == 0 && ok;
  return ok ? DONE
            : complain(FAILED, _("%s: cannot be written: %s."), path,
                       strerror(errno));
}

int write_parts(const char *path, const void *head, size_t head_size,
                const void *body, size_t body_size) {
  if (is_special(path))
    return write_through(path, head, head_size, body, body_size);
  const size_t size = strlen(path) + 8;
  char *temporary = malloc(size);
  if (!temporary)
    return complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
  snprintf(temporary, size, "%s.XXXXXX", path);
  const int fd = mkstemp(temporary);
  FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
  bool ok = f != NULL;
  if (ok) {
    ok = fwrite(head, 1, head_size, f) == head_size &&
         (!body || fwrite(body, 1, body_size, f) == body_size) &&
         fflush(f) == 0 && fsync(fd) == 0;
    const mode_t mask = umask(0);
    umask(mask);
    ok = fchmod(fd, 0666 & ~mask) == 0 && ok;
    ok = fclose(f) == 0 && ok;
    ok = ok && rename(temporary, path) == 0;
  }
  int status = DONE;
  if (!ok) {
    status = complain(FAILED, _("%s: cannot be written: %s."), path,
                      strerror(errno));
    if (fd >= 0)
      unlink(temporary);
  }
  free(temporary);
  return status;
}

/* Keeps what is wrong first, in the language that is spoken here. */
static void keep_problem(void *context, const char *where, const char *sentence,
                         const struct sal_place *places, size_t count) {
  struct sal_text *out = context;
  struct sal_speaker w;
  if (out->len)
    return;
  cli_words_init(&w, NULL);
  sal_text_add(out, _("The court file is invalid: "));
  sal_text_add(out, where);
  sal_text_add(out, *where ? ": " : "");
  sal_say(out, &w.words, false, sentence, places, count);
}

/* The files of the games here are courts; a plugin's game says in its own words
 * what is wrong with its files. */
static bool read_word_option(const struct sal_game *g, int option,
                             const char *text, size_t length, int32_t *out,
                             struct sal_text *problem) {
  if (strcmp(g->info.id, "louis") == 0 &&
      !sal_court_check(text, length, keep_problem, problem))
    return false;
  return g->option_read(option, text, length, out, problem);
}

static bool set_file(const struct sal_game *g, int option, const char *value,
                     int32_t *out, struct sal_text *problem) {
  if (*value == '{') /* the text itself, as records hold it */
    return read_word_option(g, option, value, strlen(value), out, problem);
  size_t length;
  char *text = read_file(value, &length);
  if (!text) {
    sal_text_clip(problem, value, 200);
    sal_text_add(problem, _(": this file cannot be read."));
    return false;
  }
  const bool ok = read_word_option(g, option, text, length, out, problem);
  free(text);
  return ok;
}

bool set_option(const struct sal_game *g, struct sal_setup *setup,
                const char *name, const char *value, struct sal_text *problem) {
  const int o = sal_option_find(g, name);
  const struct sal_place places[] = {{"game", SAL_PLACE_TEXT, g->info.id, 0},
                                     {"option", SAL_PLACE_TEXT, name, 0},
                                     {"value", SAL_PLACE_TEXT, value, 0}};
  struct sal_speaker w;
  cli_words_init(&w, NULL);
  if (o < 0) {
    sal_say(problem, &w.words, false,
            N_("The game {game} has no option {option}."), places, 3);
    return false;
  }
  if (g->info.options[o].kind == SAL_OPTION_FILE)
    return set_file(g, o, value, &setup->option[o], problem);
  if (sal_option_parse(g, o, setup->players, value, &setup->option[o]))
    return true;
  sal_say(problem, &w.words, false,
          N_("The option {option} has no value {value}."), places, 3);
  return false;
}

int read_setup(const struct command *c, const struct sal_game *g, int players,
               const char *const *option, int options, struct sal_setup *out) {
  const struct sal_info *info = &g->info;
  if (!players)
    players = info->players_min;
  const int least = info->players_min, most = info->players_max;
  if ((players < least || players > most) && least == most)
    return misused(c, _("%s is for %d players."), _(info->title), most);
  if (players < least || players > most)
    return misused(c, _("%s is for %d to %d players."), _(info->title), least,
                   most);
  sal_setup_default(g, players, out);
  for (int i = 0; i < options; i++) {
    char name[64], buffer[SAL_MESSAGE_MAX];
    const char *equals = strchr(option[i], '=');
    struct sal_text problem;
    snprintf(name, sizeof name, "%.*s", (int)(equals - option[i]), option[i]);
    sal_text_init(&problem, buffer, sizeof buffer);
    if (!set_option(g, out, name, equals + 1, &problem))
      return misused(c, "%s", buffer);
  }
  return DONE;
}

/* ---- What is typed ------------------------------------------------------- */

static const char *const kinds[SAL_DOORS_KINDS] = {"RL", "BL", "RT",
                                                   "BT", "BR", "LT"};

bool read_cards(const char *text, uint8_t cards[SAL_DOORS_KINDS]) {
  memset(cards, 0, SAL_DOORS_KINDS);
  for (int n = 0; n < 14; n++) {
    int k = 0;
    while (k < SAL_DOORS_KINDS && strncmp(text, kinds[k], 2) != 0)
      k++;
    if (k == SAL_DOORS_KINDS)
      return false;
    cards[k]++;
    text += 2;
    if (*text++ != ',')
      return text[-1] == '\0';
  }
  return false;
}

void cards_text(const uint8_t cards[SAL_DOORS_KINDS], char out[CARDS_TEXT]) {
  struct sal_text t;
  const char *gap = "";
  sal_text_init(&t, out, CARDS_TEXT);
  for (int k = 0; k < SAL_DOORS_KINDS; k++)
    for (int i = 0; i < cards[k]; i++, gap = ",") {
      sal_text_add(&t, gap);
      sal_text_add(&t, kinds[k]);
    }
}

bool read_score(const char *text, int *blueprint) {
  if (strlen(text) != 3 || text[0] < '0' || text[0] > '9' || text[1] != '-' ||
      text[2] < '0' || text[2] > '9')
    return false;
  *blueprint = sal_doors_policy_score(text[0] - '0', text[2] - '0');
  return true;
}

bool read_worth(const char *text, struct sal_doors_worth *w) {
  float x[6];
  for (int i = 0; i < 6; i++) {
    char *end;
    x[i] = strtof(text, &end);
    if (end == text || *end != (i < 5 ? ',' : '\0') ||
        !(x[i] <= (i ? x[i - 1] : 1000)) || !(x[i] >= -1000))
      return false;
    text = end + 1;
  }
  *w = (struct sal_doors_worth){x[0], x[1], x[2], x[3], x[4], x[5]};
  return x[5] < x[0];
}

struct range {
  long least, most;
};
/* Of the last number that could not be read; else an empty one. */
static struct range unread;

int take_options(const struct command *c, int argc, char **argv,
                 const struct option *longs,
                 bool (*read)(int option, char *value, void *wish),
                 void *wish) {
  opterr = 0;
  for (int o; (o = getopt_long(argc, argv, "", longs, NULL)) != -1;) {
    if (o == '?')
      return misused(c, _("'%s' is not recognised."), argv[optind - 1]);
    unread.most = unread.least;
    if (read(o, optarg, wish))
      continue;
    if (unread.most > unread.least)
      return misused(c, _("'%s' is not a whole number from %ld to %ld."),
                     optarg, unread.least, unread.most);
    return misused(c, _("'%s' cannot be read."), optarg);
  }
  return DONE;
}

bool read_until(const char *text, double *out) {
  char *end;
  *out = strtod(text, &end);
  return end != text && !*end && *out >= 0;
}

bool read_number(const char *text, long least, long most, long *out) {
  char *end;
  errno = 0;
  *out = strtol(text, &end, 10);
  if (end != text && !*end && !errno && *out >= least && *out <= most)
    return true;
  unread.least = least;
  unread.most = most;
  return false;
}

long core_count(void) {
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return cores < 1 ? 1 : cores > 256 ? 256 : cores;
}
