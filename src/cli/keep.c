/* Where a solver stands, kept in a file: a head and the solver's memory.
 *
 * Main invariant: nothing of a file is believed before its checksum fits. The
 * numbers lie as this machine has them; a file of another kind of machine has
 * another mark and is refused. */
#include "keep.h"
#include "ranks.h"

#include <errno.h>
#include <string.h>

enum { HEAD_MARK = 0x31764c53 }; /* "SLv1" */

struct head {
  uint32_t mark, done;
  struct sal_doors_start start;
  uint8_t unused[6];
  struct sal_doors_worth worth;
  uint64_t bytes, sum;
};

/* Changes with every bit of the memory and with the order of its words. The
 * memory is made of rows of 16 bytes. */
static uint64_t kept_checksum(const void *memory, uint64_t bytes) {
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
                           const struct sal_doors_worth *worth,
                           sal_doors_solver *s) {
  struct head h;
  memset(&h, 0, sizeof h);
  h.mark = HEAD_MARK;
  h.done = sal_doors_solver_done(s);
  h.start = *start;
  h.worth = *worth;
  const void *memory = sal_doors_solver_memory(s, &h.bytes);
  h.sum = kept_checksum(memory, h.bytes) + h.done;
  return h;
}

/* What all ranks do with what has come of it at rank 0. */
static int agree(int status) {
  ranks_share(&status, sizeof status);
  return status;
}

void keep_gather(sal_doors_solver *s) {
  struct sal_doors_piece p;
  for (uint32_t i = 0; sal_doors_solver_piece(s, i, &p); i++)
    if (p.owner > 0)
      ranks_move(p.owner, 0, p.bytes, p.size);
}

/* The same the other way. */
static void spread(sal_doors_solver *s) {
  struct sal_doors_piece p;
  uint32_t done = sal_doors_solver_done(s);
  ranks_share(&done, sizeof done);
  sal_doors_solver_resume(s, done);
  for (uint32_t i = 0; done && sal_doors_solver_piece(s, i, &p); i++)
    if (p.owner < 0)
      ranks_share(p.bytes, p.size);
    else
      ranks_move(0, p.owner, p.bytes, p.size);
}

static int write_solver(const char *path, const struct sal_doors_start *start,
                        const struct sal_doors_worth *worth,
                        sal_doors_solver *s) {
  const struct head h = head_of(start, worth, s);
  uint64_t bytes;
  const void *memory = sal_doors_solver_memory(s, &bytes);
  return write_parts(path, &h, sizeof h, memory, bytes);
}

int keep_save(const char *path, const struct sal_doors_start *start,
              const struct sal_doors_worth *worth, sal_doors_solver *s) {
  keep_gather(s);
  return agree(ranks_number() == 0 ? write_solver(path, start, worth, s)
                                   : DONE);
}

static bool read_all(FILE *f, const struct sal_doors_start *start,
                     const struct sal_doors_worth *worth, sal_doors_solver *s) {
  struct head h;
  uint64_t bytes;
  void *memory = sal_doors_solver_memory(s, &bytes);
  if (fread(&h, sizeof h, 1, f) != 1 || h.mark != HEAD_MARK ||
      h.bytes != bytes || memcmp(&h.start, start, sizeof *start) != 0 ||
      memcmp(&h.worth, worth, sizeof *worth) != 0)
    return false;
  if (fread(memory, 1, bytes, f) != bytes || fgetc(f) != EOF ||
      kept_checksum(memory, bytes) + h.done != h.sum)
    return false;
  sal_doors_solver_resume(s, h.done);
  return true;
}

static int read_solver(const char *path, const struct sal_doors_start *start,
                       const struct sal_doors_worth *worth,
                       sal_doors_solver *s) {
  FILE *f = fopen(path, "rb");
  if (!f)
    return errno == ENOENT ? DONE
                           : complain(FAILED, _("%s: cannot be read: %s."),
                                      path, strerror(errno));
  const bool ok = read_all(f, start, worth, s);
  fclose(f);
  if (!ok)
    return complain(
        FAILED,
        _("%s: is damaged, or belongs to something else. Move it away to start afresh."),
        path);
  return DONE;
}

int keep_load(const char *path, const struct sal_doors_start *start,
              const struct sal_doors_worth *worth, sal_doors_solver *s) {
  const int status =
      agree(ranks_number() == 0 ? read_solver(path, start, worth, s) : DONE);
  if (status == DONE)
    spread(s);
  return status;
}
