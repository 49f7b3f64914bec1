/* Text and arrays that grow. See buffer.h. */
#include "salotto/buffer.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST = 256, FIRST_COMPOSED = 1 << 14, FIRST_ELEMENTS = 16 };

static bool resize(struct sal_buffer *b, size_t size) {
  char *at = realloc(b->at, size);
  if (!at) {
    b->failed = true;
    return false;
  }
  b->at = at;
  b->size = size;
  return true;
}

bool sal_buffer_reserve(struct sal_buffer *b, size_t more) {
  size_t size = b->size ? b->size : FIRST;
  while (size - b->len <= more && size <= SIZE_MAX / 2)
    size *= 2;
  return size == b->size || resize(b, size);
}

bool sal_buffer_add(struct sal_buffer *b, const char *text, size_t n) {
  if (!sal_buffer_reserve(b, n))
    return false;
  memcpy(b->at + b->len, text, n);
  b->len += n;
  b->at[b->len] = '\0';
  return true;
}

void sal_buffer_text(struct sal_buffer *b, const char *text) {
  sal_buffer_add(b, text, strlen(text));
}

void sal_buffer_clear(struct sal_buffer *b) {
  b->len = 0;
  b->failed = false;
  if (b->at)
    b->at[0] = '\0';
}

void sal_buffer_free(struct sal_buffer *b) {
  free(b->at);
  *b = (struct sal_buffer){0};
}

char *sal_buffer_take(struct sal_buffer *b) {
  char *text = b->at;
  if (b->failed) {
    free(text);
    text = NULL;
  }
  *b = (struct sal_buffer){0};
  return text;
}

bool sal_buffer_compose(struct sal_buffer *b, sal_write *write,
                        const void *what, size_t most) {
  sal_buffer_clear(b);
  while (b->size || resize(b, FIRST_COMPOSED)) {
    struct sal_text t;
    struct sal_json j;
    sal_text_init(&t, b->at, b->size);
    sal_json_init(&j, &t);
    write(&j, what);
    b->len = t.len;
    if (t.lost == 0)
      return true;
    if (b->size > most / 2 || !resize(b, 2 * b->size))
      break;
  }
  sal_buffer_clear(b);
  b->failed = true;
  return false;
}

bool sal_array_grow(void **array, size_t count, size_t *cap, size_t element) {
  if (count < *cap)
    return true;
  const size_t wanted = *cap ? 2 * *cap : FIRST_ELEMENTS;
  void *bigger = realloc(*array, wanted * element);
  if (!bigger)
    return false;
  *array = bigger;
  *cap = wanted;
  return true;
}
