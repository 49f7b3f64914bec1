/* Where a solver stands, kept in a file: a head and the solver's memory.
 *
 * Main invariant: nothing of a file is believed before its checksum fits. The
 * numbers lie as this machine has them; a file of another kind of machine has
 * another mark and is refused. */
#include "keep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD_MARK = 0x31764c53 }; /* "SLv1" */

struct head {
  uint32_t mark, done;
  struct sal_doors_start start;
  uint8_t unused[6];
  uint64_t bytes, sum;
};

/* Changes with every bit of the memory and with the order of its words. The
 * memory is made of rows of 16 bytes. */
static uint64_t checksum(const void *memory, uint64_t bytes) {
  const unsigned char *at = memory;
  uint64_t a = UINT64_C(0x9e3779b97f4a7c15), b = a;
  for (uint64_t i = 0; i + 16 <= bytes; i += 16) {
    uint64_t x, y;
    memcpy(&x, at + i, 8);
    memcpy(&y, at + i + 8, 8);
    a = (a ^ x) * UINT64_C(0xbf58476d1ce4e5b9);
    b = (b ^ y) * UINT64_C(0x94d049bb133111eb);
    a ^= a >> 31;
    b ^= b >> 29;
  }
  return a ^ b;
}

static struct head head_of(const struct sal_doors_start *start,
                           sal_doors_solver *s) {
  struct head h;
  memset(&h, 0, sizeof h);
  h.mark = HEAD_MARK;
  h.done = sal_doors_solver_done(s);
  h.start = *start;
  const void *memory = sal_doors_solver_memory(s, &h.bytes);
  h.sum = checksum(memory, h.bytes) + h.done;
  return h;
}

static bool write_all(FILE *f, const struct head *h, const void *memory) {
  return fwrite(h, sizeof *h, 1, f) == 1 &&
         fwrite(memory, 1, h->bytes, f) == h->bytes && fflush(f) == 0 &&
         fsync(fileno(f)) == 0;
}

int keep_save(const char *path, const struct sal_doors_start *start,
              sal_doors_solver *s) {
  const struct head h = head_of(start, s);
  uint64_t bytes;
  const size_t size = strlen(path) + 8;
  char *temporary = malloc(size);
  if (!temporary)
    return complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
  snprintf(temporary, size, "%s.XXXXXX", path);
  const int fd = mkstemp(temporary);
  FILE *f = fd < 0 ? NULL : fdopen(fd, "wb");
  bool ok = f && write_all(f, &h, sal_doors_solver_memory(s, &bytes));
  ok = f && fclose(f) == 0 && ok;
  ok = ok && rename(temporary, path) == 0;
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

static bool read_all(FILE *f, const struct sal_doors_start *start,
                     sal_doors_solver *s) {
  struct head h;
  uint64_t bytes;
  void *memory = sal_doors_solver_memory(s, &bytes);
  if (fread(&h, sizeof h, 1, f) != 1 || h.mark != HEAD_MARK ||
      h.bytes != bytes || memcmp(&h.start, start, sizeof *start) != 0)
    return false;
  if (fread(memory, 1, bytes, f) != bytes || fgetc(f) != EOF ||
      checksum(memory, bytes) + h.done != h.sum)
    return false;
  sal_doors_solver_resume(s, h.done);
  return true;
}

int keep_load(const char *path, const struct sal_doors_start *start,
              sal_doors_solver *s) {
  FILE *f = fopen(path, "rb");
  if (!f)
    return errno == ENOENT ? DONE
                           : complain(FAILED, _("%s: cannot be read: %s."),
                                      path, strerror(errno));
  const bool ok = read_all(f, start, s);
  fclose(f);
  if (!ok)
    return complain(FAILED,
                    _("%s: is damaged, or belongs to something else. Move it "
                      "away to begin anew."),
                    path);
  return DONE;
}
