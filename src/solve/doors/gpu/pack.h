/* From the blueprints of a round and of a match to the file that is shipped. */
#ifndef SAL_GPU_PACK_H
#define SAL_GPU_PACK_H

#include <stdbool.h>

/* The scores of a match in the order in which they are solved: from the last
 * back, neighbours next to each other. */
enum { WIN = 10, SCORES = WIN * WIN };
struct score {
  int collector, guesser;
};
void list_scores(struct score out[SCORES]);

/* False, with a message, if a file cannot be read or written. */
bool pack_policy(const char *round, const char *match, const char *note,
                 const char *out);

#endif
