/* Memory that is used again. See free_list.h. */
#include "free_list.h"

#include <stdlib.h>

struct free_block {
  struct free_block *next;
};

void *free_list_take(struct free_list *s, size_t size) {
  struct free_block *free_block = s->first;
  if (!free_block)
    return malloc(size);
  s->first = free_block->next;
  s->count--;
  return free_block;
}

void free_list_put(struct free_list *s, void *gone, size_t most) {
  struct free_block *free_block = gone;
  if (s->count >= most) {
    free(gone);
    return;
  }
  free_block->next = s->first;
  s->first = free_block;
  s->count++;
}

void free_list_clear(struct free_list *s) {
  while (s->first)
    free(free_list_take(s, 0));
}
