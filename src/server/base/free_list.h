/* Pieces of memory of one size that are used again. */
#ifndef SAL_SERVER_FREE_LIST_H
#define SAL_SERVER_FREE_LIST_H

#include <stddef.h>

struct free_list {
  struct free_block *first;
  size_t count;
};
/* One of these, or a new one with anything in it; NULL if memory is short. */
void *free_list_take(struct free_list *s, size_t size);
/* Keeps it for the next, if there are not that many already. */
void free_list_put(struct free_list *s, void *gone, size_t most);
void free_list_clear(struct free_list *s);

#endif
