/* Bad weather for a program, which is loaded before it (LD_PRELOAD): its clock is wrong
 * by as much, and the disk takes as little, as a file says that the test writes to
 * (weather.py). Nothing else in the program is changed, and no privilege is needed.
 *
 * What the disk refuses are writes that make a file longer; that is what a full disk
 * does to a database. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct weather {
  int64_t ahead_ms; /* of the true time */
  int64_t full;     /* the disk */
};

static volatile const struct weather *weather(void) {
  static const struct weather fair;
  static volatile const struct weather *here;
  if (here)
    return here;
  const char *path = getenv("SALOTTO_WEATHER");
  const int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  void *at = file < 0 ? MAP_FAILED
                      : mmap(NULL, sizeof fair, PROT_READ, MAP_SHARED, file, 0);
  here = at == MAP_FAILED ? &fair : at;
  if (file >= 0)
    close(file);
  return here;
}

#define NEXT(name)                                                             \
  static __typeof__(&name) next;                                               \
  if (!next)                                                                   \
  next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/* ---- Clocks --------------------------------------------------------------- */

int clock_gettime(clockid_t clock, struct timespec *t) {
  NEXT(clock_gettime);
  const int error = next(clock, t);
  if (!error && clock == CLOCK_REALTIME)
    t->tv_sec += weather()->ahead_ms / 1000;
  return error;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone) {
  NEXT(gettimeofday);
  const int error = next(t, zone);
  if (!error)
    t->tv_sec += weather()->ahead_ms / 1000;
  return error;
}

time_t time(time_t *out) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  if (out)
    *out = t.tv_sec;
  return t.tv_sec;
}

/* ---- The disk ------------------------------------------------------------- */

/* Whether it would have to find room for a file that ends there. */
static int is_refused(int file, off_t end) {
  struct stat s;
  if (file <= 2 || !weather()->full || fstat(file, &s) != 0 ||
      !S_ISREG(s.st_mode) || end <= s.st_size)
    return 0;
  errno = ENOSPC;
  return 1;
}

static off_t length_of(const struct iovec *parts, int count) {
  off_t sum = 0;
  for (int i = 0; i < count; i++)
    sum += (off_t)parts[i].iov_len;
  return sum;
}

ssize_t write(int file, const void *bytes, size_t n) {
  NEXT(write);
  const off_t at = weather()->full ? lseek(file, 0, SEEK_CUR) : 0;
  return is_refused(file, at + (off_t)n) ? -1 : next(file, bytes, n);
}

ssize_t pwrite(int file, const void *bytes, size_t n, off_t at) {
  NEXT(pwrite);
  return is_refused(file, at + (off_t)n) ? -1 : next(file, bytes, n, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t n, off64_t at) {
  return pwrite(file, bytes, n, at);
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t at) {
  NEXT(pwritev);
  return is_refused(file, at + length_of(parts, count))
             ? -1
             : next(file, parts, count, at);
}

ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t at) {
  return pwritev(file, parts, count, at);
}

int posix_fallocate(int file, off_t at, off_t n) {
  NEXT(posix_fallocate);
  return is_refused(file, at + n) ? ENOSPC : next(file, at, n);
}

int posix_fallocate64(int file, off64_t at, off64_t n) {
  return posix_fallocate(file, at, n);
}
