/* Text and arrays that grow. */
#include "salotto/buffer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void grows(void **state) {
  (void)state;
  struct sal_buffer b = {0};
  for (int i = 0; i < 1000; i++) {
    assert_int_equal(b.len, 3 * i);
    assert_true(sal_buffer_add(&b, "abcd", 3));
    assert_true(b.len < b.size);
    assert_int_equal(b.at[b.len], '\0');
  }
  assert_memory_equal(b.at, "abcabc", 6);
  sal_buffer_clear(&b);
  assert_string_equal(b.at, "");
  sal_buffer_text(&b, "again");
  char *text = sal_buffer_take(&b);
  assert_string_equal(text, "again");
  assert_null(b.at);
  free(text);
}

static void exactly_full(void **state) {
  (void)state;
  struct sal_buffer b = {0};
  assert_true(sal_buffer_reserve(&b, 10));
  const size_t size = b.size;
  char *same = b.at;
  while (b.len < size - 1)
    assert_true(sal_buffer_add(&b, "x", 1));
  assert_ptr_equal(b.at, same);
  assert_int_equal(b.size, size);
  assert_true(sal_buffer_add(&b, "x", 1));
  assert_true(b.size > size);
  sal_buffer_free(&b);
  assert_null(b.at);
}

static void takes_nothing_after_a_failure(void **state) {
  (void)state;
  struct sal_buffer b = {0};
  sal_buffer_text(&b, "half");
  b.failed = true;
  assert_null(sal_buffer_take(&b));
  assert_null(b.at);
}

static int calls;
static void write_many(struct sal_json *j, const void *what) {
  calls++;
  sal_json_list(j, NULL);
  for (int i = 0; i < *(const int *)what; i++)
    sal_json_int(j, NULL, i);
  sal_json_end(j, ']');
}

static void composes_until_it_fits(void **state) {
  (void)state;
  struct sal_buffer b = {0};
  const int few = 3, many = 20000;
  assert_true(sal_buffer_compose(&b, write_many, &few, 1 << 20));
  assert_string_equal(b.at, "[0,1,2]");
  assert_int_equal(calls, 1);
  assert_true(sal_buffer_compose(&b, write_many, &many, 1 << 20));
  assert_true(calls > 2);
  assert_int_equal(b.len, strlen(b.at));
  assert_string_equal(b.at + b.len - 7, ",19999]");
  assert_false(sal_buffer_compose(&b, write_many, &(int){1000000}, 1 << 18));
  assert_true(b.failed);
  assert_true(sal_buffer_compose(&b, write_many, &few, 1 << 20));
  assert_string_equal(b.at, "[0,1,2]");
  assert_false(b.failed);
  sal_buffer_free(&b);
}

static void arrays(void **state) {
  (void)state;
  int *list = NULL;
  size_t cap = 0;
  for (size_t n = 0; n < 100; n++) {
    void *at = list;
    assert_true(sal_array_grow(&at, n, &cap, sizeof *list));
    list = at;
    assert_true(cap > n);
    list[n] = (int)n;
  }
  assert_int_equal(list[42], 42);
  free(list);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grows), cmocka_unit_test(exactly_full),
      cmocka_unit_test(takes_nothing_after_a_failure),
      cmocka_unit_test(composes_until_it_fits), cmocka_unit_test(arrays)};
  return cmocka_run_group_tests_name("buffer", tests, NULL, NULL);
}
