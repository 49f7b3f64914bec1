/* The policies that are shipped, from the files that the environment names, for
 * the master. */
#ifndef SAL_TESTS_TEACH_H
#define SAL_TESTS_TEACH_H

#include "salotto/salotto.h"

#include <stdio.h>
#include <stdlib.h>

/* The bytes of the file that a variable names; NULL if there is none. */
static inline unsigned char *file_named(const char *variable, size_t *size) {
  const char *path = getenv(variable);
  FILE *f = path ? fopen(path, "rb") : NULL;
  unsigned char *bytes = NULL;
  if (f && fseek(f, 0, SEEK_END) == 0) {
    const long n = ftell(f);
    *size = n > 0 ? (size_t)n : 0;
    bytes = *size ? malloc(*size) : NULL;
    rewind(f);
    if (bytes && fread(bytes, 1, *size, f) != *size)
      *size = 0;
  }
  if (f)
    fclose(f);
  return bytes;
}

/* NULL if there is none. The bytes are kept until the program ends. */
static inline const sal_doors_policy *shipped_policy(void) {
  static unsigned char *bytes;
  static sal_doors_policy *policy;
  size_t size = 0;
  if (!policy && (bytes = file_named("SALOTTO_POLICY", &size)) != NULL)
    policy = sal_doors_policy_open(bytes, size);
  return policy;
}

static inline const sal_traps_policy *shipped_traps(void) {
  static unsigned char *bytes;
  static sal_traps_policy *policy;
  size_t size = 0;
  if (!policy && (bytes = file_named("SALOTTO_TRAPS", &size)) != NULL)
    policy = sal_traps_policy_open(bytes, size);
  return policy;
}

static inline const sal_favor_policy *shipped_favor(void) {
  static sal_favor_policy *policy;
  size_t size = 0;
  unsigned char *bytes = policy ? NULL : file_named("SALOTTO_FAVOR", &size);
  if (bytes)
    policy = sal_favor_policy_open(bytes, size);
  free(bytes);
  return policy;
}

#endif
