/* Games at the keyboard that survive the program. A save is a record
 * (docs/records.md) with lines of its own behind a '#', which every reader of
 * records skips:
 *
 *   # date 2026-03-01T20:15:00Z
 *   # by 0 Anna Bianchi -        a person
 *   # by 1 - expert              a bot without a name of its own: its level
 *   # by 2 Rita cmd:python3%20bot.py   a program; blanks are written %20
 *
 * The level is the last word. */
#include "play_save.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char ending[] = ".salotto";

/* ---- Where --------------------------------------------------------------- */

static bool state_folder(char path[SAVE_PATH_MAX]) {
  const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
  int n;
  if (state && *state == '/')
    n = snprintf(path, SAVE_PATH_MAX, "%s/salotto", state);
  else if (home && *home)
    n = snprintf(path, SAVE_PATH_MAX, "%s/.local/state/salotto", home);
  else
    return false;
  return n > 0 && n < SAVE_PATH_MAX - 64;
}

/* Makes the folder and those above it. */
static bool make_folder(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash;
       slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    const bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
    *slash = '/';
    if (!made)
      return false;
  }
  return mkdir(path, 0700) == 0 || errno == EEXIST;
}

bool save_choose(const char *game, char path[SAVE_PATH_MAX]) {
  if (!state_folder(path) || !make_folder(path))
    return false;
  const size_t n = strlen(path);
  char when[32];
  const time_t now = time(NULL);
  struct tm t;
  strftime(when, sizeof when, "%Y%m%d-%H%M%S", gmtime_r(&now, &t));
  for (int again = 0; again < 100; again++) {
    snprintf(path + n, SAVE_PATH_MAX - n, "/%s-%s-%d%s", game, when, again,
             ending);
    const int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (fd >= 0)
      return close(fd) == 0;
  }
  return false;
}

bool save_place(const char *name, char path[SAVE_PATH_MAX]) {
  if (!state_folder(path) || !make_folder(path))
    return false;
  const size_t n = strlen(path);
  return snprintf(path + n, SAVE_PATH_MAX - n, "/%s", name) <
         (int)(SAVE_PATH_MAX - n);
}

static bool is_save(const char *name) {
  const size_t n = strlen(name), end = strlen(ending);
  return n > end && name[0] != '.' && strcmp(name + n - end, ending) == 0;
}

bool save_latest(char path[SAVE_PATH_MAX]) {
  char folder[SAVE_PATH_MAX];
  if (!state_folder(folder))
    return false;
  DIR *d = opendir(folder);
  if (!d)
    return false;
  struct timespec newest = {0};
  bool found = false;
  for (const struct dirent *e; (e = readdir(d));) {
    char candidate[SAVE_PATH_MAX + 300];
    struct stat s;
    snprintf(candidate, sizeof candidate, "%s/%s", folder, e->d_name);
    if (!is_save(e->d_name) || stat(candidate, &s) != 0 || s.st_size == 0 ||
        strlen(candidate) >= SAVE_PATH_MAX)
      continue;
    const bool later = s.st_mtim.tv_sec > newest.tv_sec ||
                       (s.st_mtim.tv_sec == newest.tv_sec &&
                        s.st_mtim.tv_nsec > newest.tv_nsec);
    if (found && !later)
      continue;
    newest = s.st_mtim;
    found = true;
    strcpy(path, candidate);
  }
  closedir(d);
  return found;
}

/* ---- Writing ------------------------------------------------------------- */

/* The level as one word. */
static void print_level(FILE *f, const char *level) {
  for (; *level; level++)
    if (*level == ' ' || *level == '%' || (unsigned char)*level < ' ')
      fprintf(f, "%%%02X", (unsigned char)*level);
    else
      fputc(*level, f);
}

static void print_seats(FILE *f, int players, const struct save_seats *seats) {
  char when[32];
  const time_t now = time(NULL);
  struct tm t;
  strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &t));
  fprintf(f, "# date %s\n", when);
  for (int i = 0; i < players; i++) {
    fprintf(f, "# by %d %s ", i, seats->name[i][0] ? seats->name[i] : "-");
    print_level(f, seats->level[i][0] ? seats->level[i] : "-");
    fputc('\n', f);
  }
}

static bool write_and_sync(int fd, const char *record, int players,
                           const struct save_seats *seats) {
  FILE *f = fdopen(fd, "w");
  if (!f) {
    close(fd);
    return false;
  }
  /* the heading first: a record begins with it */
  const size_t head = strcspn(record, "\n") + 1;
  fwrite(record, 1, head, f);
  print_seats(f, players, seats);
  fputs(record + head, f);
  const bool written = fflush(f) == 0 && fsync(fd) == 0;
  return fclose(f) == 0 && written;
}

int save_write(const char *path, const sal_table *t,
               const struct save_seats *seats) {
  char temporary[SAVE_PATH_MAX + 16];
  char *record = sal_table_record(t, true);
  if (!record)
    return FAILED;
  snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
  const int fd = mkstemp(temporary); /* mode 600 */
  const bool kept = fd >= 0 &&
                    write_and_sync(fd, record, sal_table_players(t), seats) &&
                    rename(temporary, path) == 0;
  if (fd >= 0 && !kept)
    unlink(temporary);
  free(record);
  return kept ? DONE : FAILED;
}

void save_finish(const char *path) {
  char to[SAVE_PATH_MAX + 16];
  const char *name = strrchr(path, '/');
  if (!name)
    return;
  const int folder =
      snprintf(to, sizeof to, "%.*s/finished", (int)(name - path), path);
  if (mkdir(to, 0700) != 0 && errno != EEXIST)
    return;
  snprintf(to + folder, sizeof to - (size_t)folder, "%s", name);
  rename(path, to);
}

/* ---- Reading ------------------------------------------------------------- */

/* "%20" and its like back to what they stand for. */
static void read_level(const char *from, size_t length,
                       char out[SAVE_LEVEL_MAX]) {
  size_t n = 0;
  for (size_t i = 0; i < length && n + 1 < SAVE_LEVEL_MAX; i++) {
    unsigned byte;
    if (from[i] == '%' && i + 2 < length &&
        sscanf(from + i + 1, "%2x", &byte) == 1) {
      out[n++] = (char)byte;
      i += 2;
    } else {
      out[n++] = from[i];
    }
  }
  out[n] = '\0';
}

static bool is_level(const char *word) {
  return strcmp(word, "-") == 0 || sal_bot_find(word) || sal_skip(word, "cmd:");
}

/* "NAME LEVEL"; saves of an earlier version have "LEVEL NAME". */
static void read_saved_seat(const char *text, size_t length, int seat,
                            struct save_seats *seats) {
  size_t last = length;
  while (last > 0 && text[last - 1] != ' ')
    last--;
  char level[SAVE_LEVEL_MAX];
  read_level(text + last, length - last, level);
  const char *name = text;
  size_t named = last ? last - 1 : 0;
  if (!is_level(level)) {
    const size_t first =
        (size_t)(strchr(text, ' ') ? strchr(text, ' ') - text : 0);
    read_level(text, first < length ? first : length, level);
    name = text + first + 1;
    named = length > first + 1 ? length - first - 1 : 0;
    if (!is_level(level))
      return;
    named = level[0] == '-' ? named : 0; /* "Bot 2 (expert)" names itself */
  }
  if (named == 1 && *name == '-')
    named = 0;
  snprintf(seats->name[seat], SAVE_NAME_MAX, "%.*s", (int)named, name);
  snprintf(seats->level[seat], SAVE_LEVEL_MAX, "%s",
           strcmp(level, "-") == 0 ? "" : level);
}

bool save_seats_read(const char *record, int players,
                     struct save_seats *seats) {
  bool said = false;
  memset(seats, 0, sizeof *seats);
  for (const char *line = record; line && *line;) {
    int seat, at = 0;
    const size_t length = strcspn(line, "\n");
    if (sscanf(line, "# by %d %n", &seat, &at) == 1 && at > 0 && seat >= 0 &&
        seat < players && (size_t)at < length) {
      read_saved_seat(line + at, length - (size_t)at, seat, seats);
      said = true;
    }
    line = line[length] ? line + length + 1 : NULL;
  }
  return said;
}
