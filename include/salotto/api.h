/* What every public header needs: visibility, C linkage, version. */
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

#define SAL_VERSION "0.1.0"

/* Marks a message for xgettext without translating it here: whoever shows
 * it asks its own `sal_words`. NN_ marks a singular and its plural. */
#define N_(text) text
#define NN_(one, many) one, many

#endif
