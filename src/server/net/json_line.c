/* Lines of JSON. See json_line.h.
 *
 * Main invariant: the text is sound JSON and ends with a zero, which no part of
 * it holds; so a value ends before the text does. */
#include "json_line.h"

#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *p) {
  return p + strspn(p, " \t\r\n");
}

/* After the text that begins here. */
static const char *skip_string(const char *p) {
  for (p++; *p && *p != '"'; p++)
    if (*p == '\\' && p[1])
      p++;
  return *p ? p + 1 : p;
}

static const char *skip_value(const char *p) {
  int depth = 0;
  do {
    if (*p == '"') {
      p = skip_string(p);
      continue;
    }
    depth += *p == '{' || *p == '[';
    depth -= *p == '}' || *p == ']';
    p += *p != '\0';
  } while (*p && (depth > 0 || !strchr(",]} \t\r\n", *p)));
  return p;
}

/* The next member or entry after a value; NULL: that was the last. */
static const char *next_item(const char *p) {
  p = skip_blanks(p);
  return *p == ',' ? skip_blanks(p + 1) : NULL;
}

static const char *find_member(const char *p, const char *key, size_t n) {
  p = skip_blanks(p + 1);
  while (p && *p == '"') {
    const char *end = skip_string(p);
    const char *value = skip_blanks(skip_blanks(end) + 1);
    if ((size_t)(end - p) == n + 2 && strncmp(p + 1, key, n) == 0)
      return value;
    p = next_item(skip_value(value));
  }
  return NULL;
}

static const char *find_entry(const char *p, long index) {
  p = skip_blanks(p + 1);
  while (p && index-- > 0)
    p = next_item(skip_value(p));
  return p;
}

/* The part of the path that begins here, in this value; NULL: it is not there. */
static const char *follow_path(const char *value, const char **path) {
  char *rest;
  if (**path == '[') {
    const long index = strtol(*path + 1, &rest, 10);
    *path = *rest == ']' ? rest + 1 : rest;
    return *value == '[' ? find_entry(value, index) : NULL;
  }
  const char *key = *path + (**path == '.');
  const size_t n = strcspn(key, ".[");
  *path = key + n;
  return *value == '{' ? find_member(value, key, n) : NULL;
}

int json_line(const char *text, const char *path) {
  const char *at = skip_blanks(text);
  while (*path) {
    const char *inner = follow_path(at, &path);
    if (!inner)
      break;
    at = inner;
  }
  int line = 1;
  for (; text < at; text++)
    line += *text == '\n';
  return line;
}
