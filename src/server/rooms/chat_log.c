/* The last words at a table. See chat_log.h. */
#include "chat_log.h"

json_t *chat_log_add(struct chat_log *log, int64_t at, int64_t person, int seat,
                     bool apart, const char *name, const char *text) {
  json_t *line = json_pack("{s:I, s:I, s:I, s:i, s:b, s:s, s:s}", "n",
                           (json_int_t)log->next, "at", (json_int_t)at,
                           "person", (json_int_t)person, "seat", seat, "apart",
                           (int)apart, "name", name, "text", text);
  if (!log->lines)
    log->lines = json_array();
  if (json_array_append_new(log->lines, line) != 0)
    return NULL;
  log->next++;
  if (json_array_size(log->lines) > CHAT_LOG_LINES)
    json_array_remove(log->lines, 0);
  return line;
}

bool chat_log_has(const struct chat_log *log, int64_t person) {
  size_t i;
  json_t *line;
  json_array_foreach(
      log->lines, i,
      line) if (json_integer_value(json_object_get(line, "person")) ==
                person) return true;
  return false;
}

void chat_log_free(struct chat_log *log) {
  json_decref(log->lines);
  log->lines = NULL;
}
