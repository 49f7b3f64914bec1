/* What values have in common. See shape.h.
 *
 * Main invariant: a shape fits every value that it was taught, and says no more
 * of them than holds for all. */
#include "shape.h"
#include "salotto/buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { NONE, BOOL, INT, REAL, STRING, LIST, OBJECT, KINDS };
static const char *const names[KINDS] = {"null", "bool", "int", "real",
                                         "string"};

struct field {
  char *key;
  struct shape *shape;
  size_t seen;
};

struct shape {
  unsigned kinds; /* mask */
  size_t seen;    /* objects */
  struct field *field;
  size_t count, size;
  struct shape *element;
  json_t *words; /* of a string that names something: all its values; or NULL */
};

struct shape *shape_new(void) {
  struct shape *s = calloc(1, sizeof *s);
  return s;
}

void shape_free(struct shape *s) {
  if (!s)
    return;
  for (size_t i = 0; i < s->count; i++) {
    free(s->field[i].key);
    shape_free(s->field[i].shape);
  }
  free(s->field);
  shape_free(s->element);
  json_decref(s->words);
  free(s);
}

static enum kind kind_of(const json_t *v) {
  switch (json_typeof(v)) {
  case JSON_TRUE:
  case JSON_FALSE: return BOOL;
  case JSON_INTEGER: return INT;
  case JSON_REAL: return REAL;
  case JSON_STRING: return STRING;
  case JSON_ARRAY: return LIST;
  case JSON_OBJECT: return OBJECT;
  default: return NONE;
  }
}

/* These say of which sort an object is, or where a game stands: programs compare
 * them with words, so their words are part of the shape. */
static bool is_tag(const char *key) {
  return strcmp(key, "event") == 0 || strcmp(key, "phase") == 0;
}

static struct field *field_of(struct shape *s, const char *key) {
  for (size_t i = 0; i < s->count; i++)
    if (strcmp(s->field[i].key, key) == 0)
      return &s->field[i];
  void *fields = s->field;
  const bool room =
      sal_array_grow(&fields, s->count, &s->size, sizeof *s->field);
  s->field = fields;
  if (!room)
    return NULL;
  struct field *f = &s->field[s->count];
  *f = (struct field){strdup(key), shape_new(), 0};
  if (!f->key || !f->shape) {
    free(f->key);
    shape_free(f->shape);
    return NULL;
  }
  if (is_tag(key))
    f->shape->words = json_object();
  s->count++;
  return f;
}

static bool learn_object(struct shape *s, const json_t *value) {
  const char *key;
  json_t *member;
  s->seen++;
  json_object_foreach((json_t *)value, key, member) {
    struct field *f = field_of(s, key);
    if (!f || !shape_learn(f->shape, member))
      return false;
    f->seen++;
  }
  return true;
}

bool shape_learn(struct shape *s, const json_t *value) {
  const enum kind kind = kind_of(value);
  s->kinds |= 1u << kind;
  if (kind == OBJECT)
    return learn_object(s, value);
  if (kind == STRING && s->words)
    return json_object_set_new(s->words, json_string_value(value),
                               json_true()) == 0;
  if (kind != LIST)
    return true;
  if (!s->element && !(s->element = shape_new()))
    return false;
  size_t i;
  json_t *element;
  json_array_foreach(value, i, element) {
    if (!shape_learn(s->element, element))
      return false;
  }
  return true;
}

/* ---- Writing ---------------------------------------------------------------- */

/* An object none of whose keys is always there, all with the same shape. */
static json_t *write_map(const struct shape *s, json_t *object) {
  json_t *first = NULL, *value;
  const char *key;
  for (size_t i = 0; i < s->count; i++)
    if (s->field[i].seen == s->seen)
      return NULL;
  json_object_foreach(object, key, value) {
    if (first && !json_equal(first, value))
      return NULL;
    first = value;
  }
  return first ? json_pack("{s:O}", "*", first) : NULL;
}

static json_t *write_fields(const struct shape *s) {
  json_t *object = json_object();
  for (size_t i = 0; i < s->count; i++) {
    const struct field *f = &s->field[i];
    char key[80];
    snprintf(key, sizeof key, "%s%s", f->key, f->seen < s->seen ? "?" : "");
    json_object_set_new(object, key, shape_write(f->shape));
  }
  json_t *map = write_map(s, object);
  if (!map)
    return object;
  json_decref(object);
  return map;
}

static void add_word(char *text, size_t size, const char *word) {
  const size_t n = strlen(text);
  snprintf(text + n, size - n, "%s%s", n ? "|" : "", word);
}

/* Those that are one word, with bars between them. */
static void write_simple(const struct shape *s, char *text, size_t size) {
  const char *word;
  json_t *value;
  for (int k = BOOL; k < LIST; k++)
    if ((s->kinds >> k & 1) && !(k == STRING && s->words) &&
        !(k == INT && s->kinds >> REAL & 1))
      add_word(text, size, names[k]);
  json_object_foreach(s->words, word, value) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "'%s'", word);
    add_word(text, size, quoted);
  }
  if (s->kinds >> NONE & 1)
    add_word(text, size, names[NONE]);
}

json_t *shape_write(const struct shape *s) {
  char text[1000] = "";
  json_t *all = json_array();
  write_simple(s, text, sizeof text);
  if (s->kinds >> LIST & 1)
    json_array_append_new(all, s->element->kinds
                                   ? json_pack("[o]", shape_write(s->element))
                                   : json_pack("[s]", "any"));
  if (s->kinds >> OBJECT & 1)
    json_array_append_new(all, write_fields(s));
  if (*text)
    json_array_append_new(all, json_string(text));
  json_t *only = json_incref(json_array_get(all, 0));
  if (json_array_size(all) == 1) {
    json_decref(all);
    return only;
  }
  json_decref(only);
  return json_pack("{s:o}", "|", all);
}
