/* What every public header needs: visibility, C linkage, version.
 *
 * Of the whole library, and of this header:
 *
 * Threads: functions keep no hidden state and may be called from any number of
 * threads at once, as long as no two of them are given the same object of
 * which one may change it; where that is not so, the header says it.
 * Memory: who makes an object with a function `…_new`, `…_load` or the like
 * frees it with its `…_free`; texts and structs that are handed in stay the
 * caller's, and pointers that are handed out live as long as what they came
 * from. */
#ifndef SALOTTO_API_H
#define SALOTTO_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SAL_API __attribute__((visibility("default")))
#else
#define SAL_API
#endif

#ifdef __cplusplus
#define SAL_BEGIN extern "C" {
#define SAL_END }
#else
#define SAL_BEGIN
#define SAL_END
#endif

/* The version of these headers. */
#define SAL_VERSION_MAJOR 0
#define SAL_VERSION_MINOR 2
#define SAL_VERSION_PATCH 0
#define SAL_VERSION "0.2.0"
/* For comparisons: 0.2.0 is 200, 1.2.3 is 10203. */
#define SAL_VERSION_NUMBER                                                     \
  (SAL_VERSION_MAJOR * 10000 + SAL_VERSION_MINOR * 100 + SAL_VERSION_PATCH)

SAL_BEGIN

/* The version of the library that runs: SAL_VERSION and SAL_VERSION_NUMBER as
 * they were when it was built. A program that was compiled with one minor
 * version is not to run with another. */
SAL_API const char *sal_version(void);
SAL_API int sal_version_number(void);

SAL_END

#endif
