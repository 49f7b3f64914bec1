/* Lines of JSON in a file: see the header. */
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

int journal_damaged(const struct journal *j, size_t line) {
  return complain(FAILED,
                  _("%s: line %zu is damaged. Move the file away to begin "
                    "anew."),
                  j->path, line);
}

int journal_unwritten(const struct journal *j) {
  return complain(FAILED, _("%s: cannot be written: %s."), j->path,
                  strerror(errno));
}

/* Numbers with a fraction have six digits, as all chances have. */
bool journal_add(struct journal *j, json_t *object) {
  char *line =
      object ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;
  json_decref(object);
  const size_t n = line ? strlen(line) : 0;
  char *whole = line ? realloc(line, n + 2) : NULL;
  if (!whole) {
    free(line);
    errno = ENOMEM;
    return false;
  }
  memcpy(whole + n, "\n", 2);
  const off_t before = lseek(j->file, 0, SEEK_END);
  const bool ok = write(j->file, whole, n + 1) == (ssize_t)(n + 1);
  if (!ok && before >= 0 && ftruncate(j->file, before) != 0)
    errno = EIO; /* the next who opens it cuts it off */
  free(whole);
  return ok;
}

/* What the file holds, without the beginning of a line at its end. */
static bool read_whole(struct journal *j) {
  const off_t size = lseek(j->file, 0, SEEK_END);
  if (size < 0 || !(j->text = malloc((size_t)size + 1)))
    return false;
  size_t have = 0;
  for (ssize_t n = 1; n > 0 && have < (size_t)size; have += (size_t)n)
    if ((n = pread(j->file, j->text + have, (size_t)size - have, (off_t)have)) <
        0)
      return false;
  while (have > 0 && j->text[have - 1] != '\n')
    have--;
  j->text[have] = '\0';
  return ftruncate(j->file, (off_t)have) == 0;
}

bool journal_open(struct journal *j, const char *path, const char *busy) {
  *j = (struct journal){.path = strdup(path), .file = -1};
  if (!j->path)
    return complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY))), false;
  j->file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (j->file >= 0 && flock(j->file, LOCK_EX | LOCK_NB) != 0)
    return complain(FAILED, busy, path), false;
  if (j->file < 0 || !read_whole(j))
    return journal_unwritten(j), false;
  return true;
}

void journal_close(struct journal *j) {
  if (j->file >= 0 && j->path)
    close(j->file);
  free(j->path);
  free(j->text);
  *j = (struct journal){.file = -1};
}
