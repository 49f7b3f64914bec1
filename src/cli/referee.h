/* The referee apart from its input: one line in, one reply out. */
#ifndef SAL_CLI_REFEREE_H
#define SAL_CLI_REFEREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct referee;

struct referee *referee_new(void);
void referee_free(struct referee *r);
/* Answers one line (without its end) on `out`; nothing for a blank line.
 * False: the line asked to quit. */
bool referee_line(struct referee *r, const char *line, size_t length,
                  FILE *out);

enum { REFEREE_LINE_MAX = 1 << 20 };

#endif
