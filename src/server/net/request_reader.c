/* Requests, most of them read in place. See request_reader.h.
 *
 * Main invariant: what is read in place jansson would read alike; in doubt it
 * is left to jansson. */
#include "request_reader.h"

#include <string.h>

enum { DIGITS_MAX = 18 };

/* ---- In place --------------------------------------------------------------- */

static char *skip_blanks(char *s) {
  while (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r')
    s++;
  return s;
}

/* A text of plain ASCII; its closing quote becomes its end. What follows it, or
 * NULL. */
static char *read_text(char *s, const char **out) {
  if (*s != '"')
    return NULL;
  *out = ++s;
  while (*s >= ' ' && *s <= '~' && *s != '"' && *s != '\\')
    s++;
  if (*s != '"')
    return NULL;
  *s = '\0';
  return s + 1;
}

static char *read_number(char *s, int64_t *out) {
  const bool minus = *s == '-';
  const char *first = s += minus;
  int64_t n = 0;
  for (; *s >= '0' && *s <= '9' && s - first < DIGITS_MAX; s++)
    n = 10 * n + (*s - '0');
  *out = minus ? -n : n;
  return s == first || (*first == '0' && s - first > 1) ? NULL : s;
}

static char *read_value(char *s, struct value *v) {
  *v = (struct value){.is = *s == '"' ? VALUE_TEXT : VALUE_NUMBER};
  return v->is == VALUE_TEXT ? read_text(s, &v->text)
                             : read_number(s, &v->number);
}

static bool has_key(const struct request_body *b, const char *key) {
  for (int i = 0; i < b->count; i++)
    if (strcmp(b->field[i].key, key) == 0)
      return true;
  return false;
}

/* Key and value; what follows them, or NULL. */
static char *read_field(struct request_body *b, char *s) {
  struct request_field f = {0};
  if (b->count == REQUEST_FIELDS || !(s = read_text(s, &f.key)))
    return NULL;
  s = skip_blanks(s);
  if (*s != ':' || has_key(b, f.key))
    return NULL;
  s = read_value(skip_blanks(s + 1), &f.value);
  if (s)
    b->field[b->count++] = f;
  return s ? skip_blanks(s) : NULL;
}

static bool read_in_place(struct request_body *b) {
  if (b->length == 0 || b->length >= sizeof b->brief ||
      memchr(b->text, '\0', b->length))
    return false;
  memcpy(b->brief, b->text, b->length);
  b->brief[b->length] = '\0';
  char *s = skip_blanks(b->brief);
  if (*s != '{')
    return false;
  do
    s = read_field(b, skip_blanks(s + 1));
  while (s && *s == ',');
  return s && *s == '}' && !*skip_blanks(s + 1);
}

/* ---- Either way ------------------------------------------------------------- */

const json_t *request_tree(struct request_body *b) {
  if (!b->json)
    b->json = json_loadb(b->text, b->length, JSON_REJECT_DUPLICATES, NULL);
  return b->json;
}

bool request_read(struct request_body *b, const char *text, size_t length) {
  b->text = text;
  b->length = length;
  b->json = NULL;
  b->count = 0;
  if (read_in_place(b))
    return true;
  b->count = -1;
  return request_tree(b) != NULL;
}

void request_free(struct request_body *b) { json_decref(b->json); }

struct value request_value(const struct request_body *b, const char *key) {
  for (int i = 0; i < b->count; i++)
    if (strcmp(b->field[i].key, key) == 0)
      return b->field[i].value;
  const json_t *v = b->count < 0 ? json_object_get(b->json, key) : NULL;
  return (struct value){.is = !v                   ? VALUE_MISSING
                              : json_is_string(v)  ? VALUE_TEXT
                              : json_is_integer(v) ? VALUE_NUMBER
                              : json_is_null(v)    ? VALUE_NULL
                                                   : VALUE_OTHER,
                        .text = json_string_value(v),
                        .number = json_integer_value(v)};
}
