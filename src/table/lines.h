/* Text that grows; it remembers if memory ran out. */
#ifndef SAL_TABLE_LINES_H
#define SAL_TABLE_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct lines {
  char *at;
  size_t len, cap;
  bool failed;
};

void lines_add(struct lines *l, const char *s);
/* The text, which the caller frees; NULL if memory ran out. */
char *lines_take(struct lines *l);

/* Makes room for one more element in a growing array; false: no memory. */
bool grow(void **array, size_t count, size_t *cap, size_t element);

#endif
