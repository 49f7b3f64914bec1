/* Reports in the store, and what was said at the tables that they are about. */
#ifndef SAL_SERVER_REPORT_STORE_H
#define SAL_SERVER_REPORT_STORE_H

#include "store.h"

#include <jansson.h>

enum { REPORT_DAYS = 90 }; /* that a report is kept, with its chat */

struct report_job {
  struct store_job job; /* first, so that the calls find the rest */
  char room[STORE_ROOM_MAX + 1];
  int64_t person, about; /* who reports whom */
  char why[STORE_TEXT_MAX + 1];
  int64_t now;  /* Unix time in milliseconds */
  json_t *chat; /* lines as rooms/chat_log.h has them */
};

/* Writes the report and the lines that are not there yet. */
store_call report_store_add;
/* Only the lines. */
store_call report_store_chat;

#endif
