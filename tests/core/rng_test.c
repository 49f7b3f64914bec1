/* The specified generator: published vectors, ranges, evenness. */
#include "rng_batch.h"
#include "salotto/game.h"
#include "salotto/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void test_splitmix(void **state) {
  (void)state;
  static const uint64_t known[] = {
      UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
      UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
      UINT64_C(16408922859458223821)};
  uint64_t x = 1234567;
  for (int i = 0; i < 5; i++)
    assert_true(sal_splitmix(&x) == known[i]);
}

static void test_xoshiro(void **state) {
  (void)state;
  static const uint64_t known[] = {UINT64_C(11520),
                                   0,
                                   UINT64_C(1509978240),
                                   UINT64_C(1215971899390074240),
                                   UINT64_C(1216172134540287360),
                                   UINT64_C(607988272756665600)};
  struct sal_rng r = {{1, 2, 3, 4}};
  for (int i = 0; i < 6; i++)
    assert_true(sal_rng_next(&r) == known[i]);
}

static void test_seeded(void **state) {
  (void)state;
  /* seeds 0 and 1, from an implementation in another language */
  static const uint64_t zero[] = {UINT64_C(11091344671253066420),
                                  UINT64_C(13793997310169335082)};
  static const uint64_t one[] = {UINT64_C(12966619160104079557),
                                 UINT64_C(9600361134598540522)};
  struct sal_rng r;
  sal_rng_seed(&r, 0);
  for (int i = 0; i < 2; i++)
    assert_true(sal_rng_next(&r) == zero[i]);
  sal_rng_seed(&r, 1);
  for (int i = 0; i < 2; i++)
    assert_true(sal_rng_next(&r) == one[i]);
}

static void test_below(void **state) {
  (void)state;
  struct sal_rng r;
  sal_rng_seed(&r, 2);
  for (uint32_t n = 1; n < 50; n++) {
    unsigned found[50] = {0};
    for (unsigned i = 0; i < 1000 * n; i++) {
      const uint32_t x = sal_rng_below(&r, n);
      assert_true(x < n);
      found[x]++;
    }
    for (uint32_t i = 0; i < n; i++)
      assert_in_range(found[i], n == 1 ? 1000 : 800, n == 1 ? 1000 : 1200);
  }
  for (int i = 0; i < 1000; i++)
    assert_true(sal_rng_below(&r, UINT32_MAX) < UINT32_MAX);
}

static void test_batch(void **state) {
  (void)state;
  static const uint32_t base[] = {3, 7, 2};
  unsigned found[3 * 7 * 2] = {0};
  struct sal_rng r;
  sal_rng_seed(&r, 3);
  for (int i = 0; i < 42000; i++) {
    uint32_t out[3];
    rng_batch(&r, base, 42, out, 3);
    assert_true(out[0] < 3 && out[1] < 7 && out[2] < 2);
    found[(out[0] * 7 + out[1]) * 2 + out[2]]++;
  }
  for (int i = 0; i < 42; i++)
    assert_in_range(found[i], 850, 1150);
}

/* By their weights, and none that is behind the end of the list. */
static void test_chance(void **state) {
  (void)state;
  const struct sal_chance c = {.count = 2,
                               .outcome = {{1, 1}, {2, 3}, {3, 1000}}};
  unsigned found[4] = {0};
  struct sal_rng r;
  sal_rng_seed(&r, 5);
  for (int i = 0; i < 4000; i++)
    found[sal_chance_draw(&c, &r)]++;
  assert_in_range(found[1], 850, 1150);
  assert_int_equal(found[1] + found[2], 4000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_splitmix), cmocka_unit_test(test_xoshiro),
      cmocka_unit_test(test_seeded),   cmocka_unit_test(test_below),
      cmocka_unit_test(test_batch),    cmocka_unit_test(test_chance)};
  return cmocka_run_group_tests_name("rng", tests, NULL, NULL);
}
