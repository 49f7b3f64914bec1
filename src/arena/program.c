/* Outside programs: starting, talking with a time limit, ending.
 *
 * Main invariant: nothing here waits longer than it was told to, whatever the
 * program does; and a program that was stopped has left no process behind, as
 * each leads a process group of its own. */
#define _GNU_SOURCE /* pipe2 */
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

double program_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- Life ---------------------------------------------------------------- */

static bool spawn_shell(pid_t *pid, const char *command, int in, int out) {
  char shell[] = "sh", option[] = "-c";
  char *const argv[] = {shell, option, (char *)command, NULL};
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  sigset_t defaults, blocked;
  /* Until it is a program it holds us; so Ctrl-Z must not stop it then. Later it
   * has a group of its own, which no terminal stops. */
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTSTP);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE); /* ignored here, but not there */
  if (posix_spawn_file_actions_init(&files) != 0)
    return false;
  if (posix_spawnattr_init(&how) != 0) {
    posix_spawn_file_actions_destroy(&files);
    return false;
  }
  const bool ok =
      posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO) == 0 &&
      posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO) == 0 &&
      posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP |
                                         POSIX_SPAWN_SETSIGDEF |
                                         POSIX_SPAWN_SETSIGMASK) == 0 &&
      posix_spawnattr_setpgroup(&how, 0) == 0 &&
      posix_spawnattr_setsigdefault(&how, &defaults) == 0 &&
      posix_spawnattr_setsigmask(&how, &blocked) == 0 &&
      posix_spawn(pid, "/bin/sh", &files, &how, argv, environ) == 0;
  posix_spawnattr_destroy(&how);
  posix_spawn_file_actions_destroy(&files);
  return ok;
}

static void close_pipe(const int *pipe) {
  close(pipe[0]);
  close(pipe[1]);
}

bool program_start(struct program *p, const char *command) {
  int to[2], from[2];
  /* Closed on exec: the programs of other threads must not hold these open. */
  if (pipe2(to, O_CLOEXEC) != 0)
    return false;
  if (pipe2(from, O_CLOEXEC) != 0) {
    close_pipe(to);
    return false;
  }
  pid_t pid;
  if (fcntl(to[1], F_SETFL, O_NONBLOCK) != 0 ||
      fcntl(from[0], F_SETFL, O_NONBLOCK) != 0 ||
      !spawn_shell(&pid, command, to[0], from[1])) {
    close_pipe(to);
    close_pipe(from);
    return false;
  }
  close(to[0]);
  close(from[1]);
  p->pid = pid;
  p->to = to[1];
  p->from = from[0];
  p->fresh = true;
  p->kept = false;
  p->have = p->taken = 0;
  return true;
}

/* Whether the program has ended by then. It is not reaped, so that its group
 * cannot become another's before that is ended too. */
static bool ends_by(pid_t pid, double until) {
  const struct timespec nap = {0, 1000000};
  for (;;) {
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        info.si_pid == pid)
      return true;
    if (program_clock() >= until)
      return false;
    nanosleep(&nap, NULL);
  }
}

void program_dismiss(struct program *p) {
  if (p->pid != 0 && p->to >= 0)
    close(p->to);
  p->to = -1;
}

void program_stop(struct program *p, double patience) {
  if (p->pid == 0)
    return;
  program_dismiss(p);
  if (patience > 0)
    ends_by(p->pid, program_clock() + patience);
  close(p->from);
  kill(-p->pid, SIGKILL);
  while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
    ;
  p->pid = 0;
}

/* ---- Talk ---------------------------------------------------------------- */

/* Waits for one of the events; false: it is too late. */
static bool wait_for(const struct program *p, int fd, short events,
                     double until) {
  enum { LOOK = 100 }; /* milliseconds between two looks at `stop` */
  for (;;) {
    struct pollfd one = {.fd = fd, .events = events};
    const double left = until - program_clock();
    const int ms = left * 1e3 < LOOK ? (int)(left * 1e3) + 1 : LOOK;
    const int n = poll(&one, 1, left > 0 ? ms : 0);
    if (n > 0)
      return true;
    if (left <= 0 || (p->stop && *p->stop))
      return false;
  }
}

enum heard program_tell(struct program *p, const char *text, size_t length,
                        double until) {
  while (length > 0) {
    const ssize_t n = write(p->to, text, length);
    if (n >= 0) {
      text += n;
      length -= (size_t)n;
    } else if (errno == EAGAIN) {
      if (!wait_for(p, p->to, POLLOUT, until))
        return HEARD_LATE;
    } else if (errno != EINTR) {
      return HEARD_END;
    }
  }
  return HEARD;
}

/* The end of the line in the buffer, or NULL. */
static char *line_end(struct program *p) {
  return memchr(p->line, '\n', p->have);
}

enum heard program_hear(struct program *p, double until, char **line) {
  p->have -= p->taken;
  memmove(p->line, p->line + p->taken, p->have);
  p->taken = 0;
  char *end;
  while (!(end = line_end(p))) {
    if (p->have == sizeof p->line)
      return HEARD_GARBAGE;
    /* What arrived in time counts, even if we look at it late; what dribbles
     * in after that does not. */
    const bool last = program_clock() >= until;
    if (!wait_for(p, p->from, POLLIN, until))
      return HEARD_LATE;
    const ssize_t n =
        read(p->from, p->line + p->have, sizeof p->line - p->have);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
      return HEARD_END;
    p->have += n > 0 ? (size_t)n : 0;
    if (last && !line_end(p))
      return HEARD_LATE;
  }
  p->taken = (size_t)(end - p->line) + 1;
  *end = '\0';
  *line = p->line;
  p->fresh = false;
  return HEARD;
}
