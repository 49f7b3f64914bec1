/* Games at the keyboard that survive the program. A save is a record
 * (docs/records.md) with lines of its own behind a '#', which every reader of
 * records skips:
 *
 *   # date 2026-03-01T20:15:00Z
 *   # by 0 - Anna                a person
 *   # by 1 expert Bot 2          a bot: its level, its name */
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

static void print_seats(FILE *f, int players, const struct save_seats *seats) {
  char when[32];
  const time_t now = time(NULL);
  struct tm t;
  strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &t));
  fprintf(f, "# date %s\n", when);
  for (int i = 0; i < players; i++)
    fprintf(f, "# by %d %s %s\n", i, seats->level[i][0] ? seats->level[i] : "-",
            seats->name[i]);
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

bool save_seats_read(const char *record, int players,
                     struct save_seats *seats) {
  bool said = false;
  memset(seats, 0, sizeof *seats);
  for (const char *line = record; line && *line;) {
    int seat, at = 0;
    char level[SAVE_NAME_MAX];
    const size_t length = strcspn(line, "\n");
    if (sscanf(line, "# by %d %39s%n", &seat, level, &at) == 2 && seat >= 0 &&
        seat < players && (size_t)at <= length) {
      const size_t name = length - (size_t)at;
      snprintf(seats->name[seat], SAVE_NAME_MAX, "%.*s",
               name > 0 ? (int)name - 1 : 0, line + at + 1);
      snprintf(seats->level[seat], SAVE_NAME_MAX, "%s",
               strcmp(level, "-") == 0 ? "" : level);
      said = true;
    }
    line = line[length] ? line + length + 1 : NULL;
  }
  return said;
}
