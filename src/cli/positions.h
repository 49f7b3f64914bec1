/* The positions of a record: the table as it was after each action. */
#ifndef SAL_CLI_POSITIONS_H
#define SAL_CLI_POSITIONS_H

#include "salotto/table.h"

struct positions {
  const char *text; /* of the record; must stay */
  size_t *end;      /* by number of actions: where the record so far ends */
  int steps;        /* actions of seats */
};

/* False without memory. To be closed either way. */
bool positions_open(struct positions *p, const char *text, size_t length);
void positions_close(struct positions *p);
/* The table after so many actions and the draws that followed them; NULL and
 * why. To be freed. */
sal_table *positions_at(const struct positions *p, int step,
                        struct sal_refusal *why);

#endif
