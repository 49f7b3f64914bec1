/* What a message over a WebSocket says: one JSON object, by its keys.
 *
 * Nearly every request is a short flat object of plain texts and whole numbers.
 * Such a one is read in place: building a tree for each took much of the loop's
 * own time. Whatever else it may be is for jansson, and so is saying whether it
 * is JSON at all. */
#ifndef SAL_SERVER_REQUEST_READER_H
#define SAL_SERVER_REQUEST_READER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum { REQUEST_BRIEF = 512, REQUEST_FIELDS = 8 };

struct value {
  enum { VALUE_MISSING, VALUE_TEXT, VALUE_NUMBER, VALUE_NULL, VALUE_OTHER } is;
  const char *text; /* of a text; else NULL */
  int64_t number;   /* of a whole number; else 0 */
};

struct request_body {
  const char *text;
  size_t length;
  int count; /* of fields, or -1: it is not brief */
  struct request_field {
    const char *key;
    struct value value;
  } field[REQUEST_FIELDS];
  char brief[REQUEST_BRIEF]; /* the text, its strings ended */
  json_t *json;              /* what jansson has read, or NULL */
};

/* False: it is no JSON. The text must stay until the body is freed. */
bool request_read(struct request_body *b, const char *text, size_t length);
void request_free(struct request_body *b);

/* Of what is no object everything is missing. */
struct value request_value(const struct request_body *b, const char *key);
/* The whole of it; NULL if memory is short. */
const json_t *request_tree(struct request_body *b);

#endif
