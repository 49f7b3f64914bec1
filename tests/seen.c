/* Notes the messages that a program looks up to show them: each once a process,
 * below its command line, in a file of its own in the folder $SALOTTO_SEEN. Only
 * builds with -Dseen=true have it; see tools/seen. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void sal_seen(const char *message);

enum { ROOM = 8192 }; /* more than there are messages */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *noted[ROOM];

static size_t hash(const char *message) {
  size_t h = 5381;
  for (const char *p = message; *p; p++)
    h = h * 33 + (unsigned char)*p;
  return h;
}

static bool is_new(const char *message) {
  static int count;
  size_t at = hash(message) % ROOM;
  while (noted[at] && strcmp(noted[at], message) != 0)
    at = (at + 1) % ROOM;
  if (noted[at] || count == ROOM - 1)
    return false;
  count++;
  noted[at] = strdup(message);
  return noted[at];
}

static FILE *begin(const char *folder) {
  char path[4096], line[4096];
  struct timespec now; /* numbers of processes come again */
  clock_gettime(CLOCK_REALTIME, &now);
  snprintf(path, sizeof path, "%s/%ld.%ld.%ld", folder, (long)getpid(),
           (long)now.tv_sec, (long)now.tv_nsec);
  FILE *out = fopen(path, "a"), *in = fopen("/proc/self/cmdline", "r");
  if (out && in) {
    const size_t n = fread(line, 1, sizeof line, in);
    for (size_t i = 0; i < n; i++)
      fputc(line[i] && line[i] != '\n' ? line[i] : ' ', out);
    fputc('\n', out);
  }
  if (in)
    fclose(in);
  return out;
}

static void note(FILE *out, const char *message) {
  for (const char *p = message; *p; p++) {
    if (*p == '\n')
      fputs("\\n", out);
    else if (*p == '"' || *p == '\\')
      fprintf(out, "\\%c", *p);
    else
      fputc(*p, out);
  }
  fputc('\n', out);
  fflush(out);
}

void sal_seen(const char *message) {
  static FILE *out;
  static long owner;
  const char *folder = getenv("SALOTTO_SEEN");
  if (!folder)
    return;
  pthread_mutex_lock(&lock);
  if (owner != (long)getpid()) /* also after a fork */
    out = begin(folder);
  owner = (long)getpid();
  if (out && is_new(message))
    note(out, message);
  pthread_mutex_unlock(&lock);
}
