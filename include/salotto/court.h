/* Courts of Louis XIV: what a file must hold to be played with, and how it
 * reads to people. docs/court.md describes the file.
 *
 * Threads: any number at once; courts that were read stay for the rest of the
 * process, behind a lock.
 * Memory: the text is the caller's, and is not kept. */
#ifndef SALOTTO_COURT_H
#define SALOTTO_COURT_H

#include "salotto/api.h"
#include "salotto/text.h"

SAL_BEGIN

/* Told of one thing that is wrong: where in the file ("tiles[3].red.n"), and a
 * sentence, marked for translation, with its places. */
typedef void sal_court_problem(void *context, const char *where,
                               const char *sentence,
                               const struct sal_place *places, size_t count);

/* Reads a court file and tells everything that is wrong with it. Whether it is
 * sound. */
SAL_API bool sal_court_check(const char *text, size_t length,
                             sal_court_problem *tell, void *context);

/* A court as tables, at most 80 columns wide. `court` is a value of the option
 * `court`; 0 is the built-in one. About 6 kB. */
SAL_API void sal_court_show(int32_t court, const struct sal_words *w,
                            struct sal_text *out);

SAL_END

#endif
