/* Text and arrays that grow. */
#include "lines.h"

#include <stdlib.h>
#include <string.h>

bool grow(void **array, size_t count, size_t *cap, size_t element) {
  if (count < *cap)
    return true;
  const size_t wanted = *cap ? 2 * *cap : 16;
  void *bigger = realloc(*array, wanted * element);
  if (!bigger)
    return false;
  *array = bigger;
  *cap = wanted;
  return true;
}

void lines_add(struct lines *l, const char *s) {
  const size_t n = strlen(s);
  while (!l->failed && l->len + n + 1 > l->cap) {
    void *at = l->at;
    if (!grow(&at, l->cap, &l->cap, 1))
      l->failed = true;
    l->at = at;
  }
  if (l->failed)
    return;
  memcpy(l->at + l->len, s, n + 1);
  l->len += n;
}

char *lines_take(struct lines *l) {
  if (l->failed) {
    free(l->at);
    l->at = NULL;
  }
  return l->at;
}
