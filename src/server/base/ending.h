/* Whether the program was asked to end (SIGTERM, SIGINT), also at a moment when no loop
 * runs that would hear of it: between two turns of a server that shares its store. */
#ifndef SAL_SERVER_ENDING_H
#define SAL_SERVER_ENDING_H

#include <stdbool.h>

struct ending;

/* Listens from now on; NULL: no memory. */
struct ending *ending_new(void);
bool ending_is_asked(struct ending *e);
void ending_free(struct ending *e);

#endif
