/* The hash table: against a plain array, through growth and removal. */
#include "base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { KEYS = 3000 };

struct thing {
  struct hash_link link;
  uint32_t number;
  uint8_t key[12];
};

static void make_key(uint32_t number, uint8_t key[12]) {
  memset(key, 0, 12);
  memcpy(key + 5, &number, sizeof number);
}

static void init(struct hash_table *t) {
  hash_init(t, offsetof(struct thing, key), sizeof((struct thing *)0)->key);
}

static struct thing *find(const struct hash_table *t, uint32_t number) {
  uint8_t key[12];
  make_key(number, key);
  return hash_find(t, key);
}

static struct thing *add(struct hash_table *t, uint32_t number) {
  struct thing *new = calloc(1, sizeof *new);
  assert_non_null(new);
  new->number = number;
  make_key(number, new->key);
  assert_true(hash_add(t, new));
  return new;
}

static void like_an_array(void **state) {
  (void)state;
  struct hash_table t;
  struct thing *there[KEYS] = {NULL};
  size_t count = 0;
  init(&t);
  assert_null(find(&t, 0));
  srand(7);
  for (int step = 0; step < 20 * KEYS; step++) {
    const uint32_t k = (uint32_t)rand() % KEYS;
    assert_ptr_equal(find(&t, k), there[k]);
    if (there[k]) {
      hash_remove(&t, there[k]);
      free(there[k]);
      there[k] = NULL;
      count--;
    } else {
      there[k] = add(&t, k);
      count++;
    }
    assert_int_equal(t.count, count);
  }
  size_t walked = 0;
  for (struct thing *it = NULL; (it = hash_next(&t, it)); walked++)
    assert_ptr_equal(it, there[it->number]);
  assert_int_equal(walked, count);
  hash_free(&t, NULL);
}

static void in_order_and_removed_on_the_way(void **state) {
  (void)state;
  struct hash_table t;
  init(&t);
  for (uint32_t i = 0; i < 100; i++)
    add(&t, i);
  uint32_t want = 0;
  for (struct thing *it = hash_next(&t, NULL), *next; it; it = next) {
    next = hash_next(&t, it);
    assert_int_equal(it->number, want++);
    if (it->number % 3 != 1) {
      hash_remove(&t, it);
      free(it);
    }
  }
  assert_int_equal(t.count, 33);
  for (uint32_t i = 0; i < 100; i++)
    assert_int_equal(find(&t, i) != NULL, i % 3 == 1);
  hash_free(&t, NULL);
}

static int freed;
static void count_free(void *element) {
  freed++;
  free(element);
}

static void frees_all(void **state) {
  (void)state;
  struct hash_table t;
  init(&t);
  hash_free(&t, count_free);
  assert_int_equal(freed, 0);
  init(&t);
  for (uint32_t i = 0; i < 70; i++)
    add(&t, i);
  hash_free(&t, count_free);
  assert_int_equal(freed, 70);
  assert_int_equal(t.count, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(like_an_array),
      cmocka_unit_test(in_order_and_removed_on_the_way),
      cmocka_unit_test(frees_all)};
  return cmocka_run_group_tests_name("hash", tests, NULL, NULL);
}
