/* Where a solver stands, kept in a file. Where several ranks solve together, all of
 * them call these, rank 0 reads and writes, and all are told how it went. */
#ifndef SAL_CLI_KEEP_H
#define SAL_CLI_KEEP_H

#include "cli.h"

/* Writes under a temporary name and renames, so that a file is never half
 * written; DONE or a complaint. */
int keep_save(const char *path, const struct sal_doors_start *start,
              const struct sal_doors_worth *worth, sal_doors_solver *s);
/* Goes on from the file. DONE also if there is none; a complaint if it is
 * damaged or of another start. */
int keep_load(const char *path, const struct sal_doors_start *start,
              const struct sal_doors_worth *worth, sal_doors_solver *s);
/* Brings what each rank has to rank 0. */
void keep_gather(sal_doors_solver *s);

#endif
