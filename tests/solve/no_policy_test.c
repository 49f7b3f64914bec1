/* The policies that lie inside the program, asked of one that was built
 * without them: what solves, checks and explores says so. */
#undef SALOTTO_POLICIES
#include "../../src/cli/policy.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static char said[200];

/* ---- The program around it ------------------------------------------------ */

const char *embedded_file(const char *name, size_t *size) {
  (void)name;
  (void)size;
  return NULL;
}

const char *translated(const char *message) {
  static const struct sal_catalogue english;
  return sal_catalogue_text(&english, message);
}

int complain(int status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(said, sizeof said, format, arguments);
  va_end(arguments);
  return status;
}

/* --------------------------------------------------------------------------- */

static void says_so(void **state) {
  (void)state;
  assert_null(shipped_policy());
  assert_null(shipped_traps());
  assert_null(shipped_favor());
  assert_int_equal(without_policy(), FAILED);
  assert_string_equal(said,
                      "this program was built without the master's policies.");
  printf("# %s\n", said);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(says_so)};
  return cmocka_run_group_tests_name("without policies", tests, NULL, NULL);
}
