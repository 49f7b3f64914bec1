/* A file of JSON objects, one a line, that is added to and gone on with.
 *
 * Main invariant: a line is there whole or not at all. Each is written with one
 * call; the beginning of one at the end of the file, left by a full disk or a
 * kill -9, is cut off. */
#ifndef SAL_CLI_JOURNAL_H
#define SAL_CLI_JOURNAL_H

#include "cli.h"

#include <jansson.h>

struct journal {
  char *path, *text; /* what the file had when it was opened */
  int file;
};

/* Opens or makes a file, for nobody else meanwhile; `busy` says that somebody
 * has it ("%s: …", translated). False with a complaint; close it in any case. */
bool journal_open(struct journal *j, const char *path, const char *busy)
    __attribute__((format(printf, 3, 0)));
/* Adds a line; takes the object over. False, and errno. */
bool journal_add(struct journal *j, json_t *object);
void journal_close(struct journal *j);

int journal_damaged(const struct journal *j, size_t line); /* complains */
int journal_unwritten(const struct journal *j);            /* by errno */

#endif
