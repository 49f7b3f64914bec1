/* A build without MPI: one rank, which never waits for another. */
#include "ranks.h"

#include <unistd.h>

void ranks_start(void) {}
void ranks_end(void) {}
int ranks_number(void) { return 0; }
int ranks_count(void) { return 1; }
bool ranks_watched(void) { return isatty(STDERR_FILENO); }

void ranks_share(void *bytes, size_t n) {
  (void)bytes;
  (void)n;
}

void ranks_merge(void *bytes, size_t n) {
  (void)bytes;
  (void)n;
}

void ranks_move(int from, int to, void *bytes, size_t n) {
  (void)from;
  (void)to;
  (void)bytes;
  (void)n;
}

void ranks_hand_out(const struct ranks_office *o) { (void)o; }

size_t ranks_next(size_t done, const void *bytes, size_t n) {
  (void)done;
  (void)bytes;
  (void)n;
  return RANKS_NONE;
}

void ranks_leave(void) {}
