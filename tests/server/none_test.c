/* A store in PostgreSQL, asked of a program that was built without it: linked
 * with postgres_none.c, as that program is. */
#include "salotto/catalogue.h"
#include "store/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

static void says_so(void **state) {
  (void)state;
  static const struct sal_catalogue english;
  struct sal_refusal why;
  assert_null(store_open("postgresql://nobody@127.0.0.1/salotto", &why));
  assert_int_equal(why.code, SAL_STORE);
  const char *said = sal_catalogue_text(&english, why.message);
  assert_string_equal(said, "this program was built without PostgreSQL");
  printf("# %s\n", said);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(says_so)};
  return cmocka_run_group_tests_name("without PostgreSQL", tests, NULL, NULL);
}
