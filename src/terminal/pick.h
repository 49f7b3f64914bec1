/* One line of a list, chosen on the whole screen. */
#ifndef SAL_TERMINAL_PICK_H
#define SAL_TERMINAL_PICK_H

#include "scene.h"

enum { PICK_NONE = -1, PICK_AGAIN = -2 };

/* The number of the chosen line; PICK_NONE: it was closed, PICK_AGAIN: the list is
 * wanted anew. `empty` stands there if there are no lines. A signal that ended it
 * is put into `ended`. The screen is open. */
int pick_line(const struct scene *s, const char *title,
              const char *const *lines, int count, const char *empty,
              int *ended);

#endif
