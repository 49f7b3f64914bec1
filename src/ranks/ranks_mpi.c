/* Ranks by MPI: see the header.
 *
 * A message to rank 0 is the number of a task that is done and its result; the
 * answer is one number. Only one thread of a rank talks at a time
 * (MPI_THREAD_SERIALIZED). */
#include "ranks.h"

#include <assert.h>
#include <fcntl.h>
#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { RESULT = 1, NUMBER, LEAVING, MOVED }; /* tags of messages */
enum { MERGED_MAX = 1 << 28 };               /* bytes at once */

static int number, count = 1;
static bool joined;
static pthread_mutex_t talking = PTHREAD_MUTEX_INITIALIZER;

/* Whether mpirun started this program; Open MPI says so in the environment. */
static bool started_by_mpirun(void) {
  return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK");
}

static void say_nothing(void) {
  if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
    abort();
}

/* Open MPI may come with UCX, which takes SIGHUP for itself when it is loaded. But
 * whoever closes a terminal means the program in it. */
__attribute__((constructor)) static void leave_hangup_alone(void) {
  struct sigaction now;
  if (sigaction(SIGHUP, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
    signal(SIGHUP, SIG_DFL);
}

void ranks_start(void) {
  int level;
  if (!started_by_mpirun())
    return;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) !=
          MPI_SUCCESS ||
      level < MPI_THREAD_SERIALIZED)
    MPI_Abort(MPI_COMM_WORLD, 1);
  joined = true;
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  setenv("NO_COLOR", "1", 1); /* mpirun makes a terminal of every file */
  if (number > 0)
    say_nothing();
}

void ranks_end(void) {
  if (joined)
    MPI_Finalize();
  joined = false;
}

int ranks_number(void) { return number; }
int ranks_count(void) { return count; }

static bool is_mpirun_watched(void) {
  char path[32];
  snprintf(path, sizeof path, "/proc/%d/fd/2", (int)getppid());
  const int fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
  const bool watched = fd >= 0 && isatty(fd);
  if (fd >= 0)
    close(fd);
  return watched;
}

bool ranks_watched(void) {
  return number == 0 &&
         (isatty(STDERR_FILENO) || (joined && is_mpirun_watched()));
}

/* As MPI counts. The largest in use, a piece of a start of Doors, has 32 MB. */
static int bytes_of(size_t n) {
  assert(n <= INT_MAX);
  return (int)n;
}

void ranks_share(void *bytes, size_t n) {
  if (count > 1)
    MPI_Bcast(bytes, bytes_of(n), MPI_BYTE, 0, MPI_COMM_WORLD);
}

void ranks_merge(void *bytes, size_t n) {
  for (size_t at = 0, part; count > 1 && at < n; at += part) {
    part = n - at < MERGED_MAX ? n - at : MERGED_MAX;
    MPI_Allreduce(MPI_IN_PLACE, (char *)bytes + at, bytes_of(part), MPI_BYTE,
                  MPI_BOR, MPI_COMM_WORLD);
  }
}

void ranks_move(int from, int to, void *bytes, size_t n) {
  if (from == to)
    return;
  if (number == from)
    MPI_Send(bytes, bytes_of(n), MPI_BYTE, to, MOVED, MPI_COMM_WORLD);
  else if (number == to)
    MPI_Recv(bytes, bytes_of(n), MPI_BYTE, from, MOVED, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}

/* ---- At rank 0 ----------------------------------------------------------- */

/* A message, if one is there; its bytes are to be freed. */
struct letter {
  int from, tag;
  size_t size;
  char *bytes;
};

static bool receive(struct letter *l) {
  MPI_Status s;
  int here, size;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &here, &s);
  if (!here)
    return false;
  MPI_Get_count(&s, MPI_BYTE, &size);
  *l = (struct letter){s.MPI_SOURCE, s.MPI_TAG, (size_t)size,
                       malloc((size_t)size + 1)};
  if (!l->bytes)
    MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Recv(l->bytes, size, MPI_BYTE, l->from, l->tag, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  return true;
}

static void answer_letter(const struct ranks_office *o,
                          const struct letter *l) {
  uint64_t done;
  memcpy(&done, l->bytes, sizeof done);
  if (done != UINT64_MAX)
    o->take(o->self, (size_t)done, l->bytes + sizeof done,
            l->size - sizeof done);
  const size_t next = o->next(o->self);
  const uint64_t told = next == RANKS_NONE ? UINT64_MAX : next;
  MPI_Send(&told, sizeof told, MPI_BYTE, l->from, NUMBER, MPI_COMM_WORLD);
}

void ranks_hand_out(const struct ranks_office *o) {
  const struct timespec nap = {0, 1000000}; /* a task takes far longer */
  int left = count - 1;
  while (left > 0 && !o->hurried(o->self)) {
    struct letter l;
    if (!receive(&l)) {
      nanosleep(&nap, NULL);
      continue;
    }
    if (l.tag == LEAVING)
      left--;
    else
      answer_letter(o, &l);
    free(l.bytes);
  }
}

/* ---- At the others -------------------------------------------------------- */

size_t ranks_next(size_t done, const void *bytes, size_t n) {
  uint64_t told = done == RANKS_NONE ? UINT64_MAX : done;
  char *message = malloc(sizeof told + n);
  if (!message)
    MPI_Abort(MPI_COMM_WORLD, 1);
  memcpy(message, &told, sizeof told);
  if (n)
    memcpy(message + sizeof told, bytes, n);
  pthread_mutex_lock(&talking);
  MPI_Send(message, bytes_of(sizeof told + n), MPI_BYTE, 0, RESULT,
           MPI_COMM_WORLD);
  MPI_Recv(&told, sizeof told, MPI_BYTE, 0, NUMBER, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  pthread_mutex_unlock(&talking);
  free(message);
  return told == UINT64_MAX ? RANKS_NONE : (size_t)told;
}

void ranks_leave(void) {
  MPI_Send(NULL, 0, MPI_BYTE, 0, LEAVING, MPI_COMM_WORLD);
}
