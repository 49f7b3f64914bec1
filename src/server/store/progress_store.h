/* What reviews have said of people, a line for each of their games: to see how
 * one comes on. Nobody but the person gets to see it; it goes with the
 * account, and is part of what can be exported. */
#ifndef SAL_SERVER_PROGRESS_STORE_H
#define SAL_SERVER_PROGRESS_STORE_H

#include "queries.h"

enum { PROGRESS_TEXT_MAX = 6000, PROGRESS_KEPT = 500 };

struct progress_job {
  struct store_job job; /* first, so that the call finds the rest */
  int64_t person, at;
  char room[STORE_ROOM_MAX + 1];
  char game[16];
  char text[PROGRESS_TEXT_MAX]; /* an object: sal_review_tell_progress */
};
/* Once more: the new one counts. The oldest ones of the person go. Nothing is
 * kept of who has left for good. */
store_call progress_store_add;

/* A query_job: the lines of `person`, the oldest first. */
store_call query_progress;

#endif
