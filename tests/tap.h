/* Test Anything Protocol, for tests whose cases are found while running. */
#ifndef SAL_TESTS_TAP_H
#define SAL_TESTS_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static int tap_count, tap_failed;

/* One test of the given name; when it failed, what went wrong was printed
 * before with tap_note. */
static inline bool tap_ok(bool passed, const char *name) {
  printf("%sok %d - %s\n", passed ? "" : "not ", ++tap_count, name);
  tap_failed += !passed;
  fflush(stdout);
  return passed;
}

__attribute__((format(printf, 1, 2))) static inline void
tap_note(const char *format, ...) {
  va_list args;
  va_start(args, format);
  printf("# ");
  vprintf(format, args);
  putchar('\n');
  va_end(args);
}

static inline int tap_done(void) {
  printf("1..%d\n", tap_count);
  return tap_failed ? 1 : 0;
}

#endif
