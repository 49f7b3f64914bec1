/* What was last said at a table, in memory: it is kept only if somebody reports
 * it. */
#ifndef SAL_SERVER_CHAT_LOG_H
#define SAL_SERVER_CHAT_LOG_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum { CHAT_LOG_LINES = 100 };

struct chat_log {
  /* Objects with n, at, person, seat, apart (not for those who play), name, text;
   * or NULL. */
  json_t *lines;
  int64_t next; /* the number of the next one */
};

/* The line, which is the log's; NULL: no memory. */
json_t *chat_log_add(struct chat_log *log, int64_t at, int64_t person, int seat,
                     bool apart, const char *name, const char *text);
/* Whether that person has said something of late. */
bool chat_log_has(const struct chat_log *log, int64_t person);
void chat_log_free(struct chat_log *log);

#endif
