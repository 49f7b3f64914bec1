/* Letters between servers of one store: only who knows its secret writes and reads
 * them, each once and in order. */
#include "base/sealed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = 100 };

struct two {
  struct sealed_line caller, other;
};

static char secret[SEALED_SECRET + 1], random_a[SEALED_RANDOM + 1],
    random_b[SEALED_RANDOM + 1];

static int know(void **state) {
  (void)state;
  sealed_know_program();
  sealed_new_secret(secret);
  sealed_random(random_a);
  sealed_random(random_b);
  return 0;
}

static struct two begin(void) {
  struct two t;
  sealed_begin(&t.caller, secret, random_a, random_b, true);
  sealed_begin(&t.other, secret, random_a, random_b, false);
  return t;
}

static void proven(void **state) {
  (void)state;
  char proof[SEALED_PROOF + 1], other[SEALED_SECRET + 1];
  sealed_new_secret(other);
  assert_true(sealed_proof(secret, random_a, proof));
  assert_true(sealed_is_proven(secret, random_a, proof));
  assert_false(sealed_is_proven(other, random_a, proof));
  assert_false(sealed_is_proven("", random_a, proof));
  assert_false(sealed_is_proven(secret, random_b, proof));
  assert_false(sealed_is_proven(secret, random_a, proof + 1));
  assert_false(sealed_is_proven(secret, NULL, proof));
  assert_false(sealed_is_proven(secret, random_a, NULL));
  assert_false(sealed_proof("", random_a, other));
  proof[0] = proof[0] == '0' ? '1' : '0';
  assert_false(sealed_is_proven(secret, random_a, proof));
}

static void both_ways(void **state) {
  (void)state;
  struct two t = begin();
  char letter[SIZE] = "a view", got[SIZE];
  uint8_t sealed[SIZE + SEALED_MORE];
  for (int i = 0; i < 3; i++) {
    sealed_write(&t.other, letter, SIZE, sealed);
    assert_memory_not_equal(sealed + SEALED_MORE, letter, SIZE);
    assert_true(sealed_read(&t.caller, sealed, sizeof sealed, got));
    assert_memory_equal(got, letter, SIZE);
    letter[0]++;
    sealed_write(&t.caller, letter, SIZE, sealed);
    assert_true(sealed_read(&t.other, sealed, sizeof sealed, got));
    assert_memory_equal(got, letter, SIZE);
  }
}

/* Every bit counts, and so does every byte. */
static void damaged(void **state) {
  (void)state;
  const char letter[SIZE] = "a view";
  char got[SIZE];
  uint8_t sealed[SIZE + SEALED_MORE];
  for (size_t i = 0; i < 8 * sizeof sealed; i++) {
    struct two t = begin();
    sealed_write(&t.other, letter, SIZE, sealed);
    sealed[i / 8] ^= (uint8_t)(1 << i % 8);
    assert_false(sealed_read(&t.caller, sealed, sizeof sealed, got));
  }
  for (size_t n = 0; n < sizeof sealed; n++) {
    struct two t = begin();
    sealed_write(&t.other, letter, SIZE, sealed);
    assert_false(sealed_read(&t.caller, sealed, n, got));
  }
}

/* A letter passes once, one way, on one line. */
static void out_of_place(void **state) {
  (void)state;
  const char letter[SIZE] = "a view";
  char got[SIZE];
  uint8_t sealed[SIZE + SEALED_MORE];
  struct two t = begin(), again = begin();
  sealed_write(&t.other, letter, SIZE, sealed);
  assert_false(sealed_read(&again.other, sealed, sizeof sealed, got));
  assert_true(sealed_read(&t.caller, sealed, sizeof sealed, got));
  assert_false(sealed_read(&t.caller, sealed, sizeof sealed, got));
  struct sealed_line elsewhere;
  sealed_begin(&elsewhere, secret, random_a, random_a, true);
  assert_false(sealed_read(&elsewhere, sealed, sizeof sealed, got));
  char other[SEALED_SECRET + 1];
  sealed_new_secret(other);
  sealed_begin(&elsewhere, other, random_a, random_b, true);
  assert_false(sealed_read(&elsewhere, sealed, sizeof sealed, got));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(proven),
      cmocka_unit_test(both_ways),
      cmocka_unit_test(damaged),
      cmocka_unit_test(out_of_place),
  };
  return cmocka_run_group_tests_name("sealed", tests, know, NULL);
}
