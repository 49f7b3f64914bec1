/* Fair deals: the chain, the mix, draws by address. */
#include "salotto/fair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sodium.h>
#include <string.h>
#include <cmocka.h>

static void test_chain(void **state) {
  (void)state;
  struct sal_key seed, keys[SAL_CHAIN + 1], k;
  struct sal_key_cache key_cache;
  sal_key_number(7, &seed);
  sal_key_cache_fill(&seed, &key_cache);
  for (int d = 0; d <= SAL_CHAIN; d++)
    sal_key_cache_get(&key_cache, d, &keys[d]);
  for (int d = 0; d <= SAL_CHAIN; d++) {
    sal_chain_key(&seed, d, &k);
    assert_true(sal_key_equal(&k, &keys[d]));
    assert_true(sal_chain_check(&keys[0], d, &k));
    assert_false(sal_chain_check(&keys[0], d + 1, &k));
    k.bytes[5] ^= 1;
    assert_false(sal_chain_check(&keys[0], d, &k));
  }
  /* a link is the plain BLAKE2b-256 of the one after it */
  crypto_generichash(k.bytes, 32, keys[1].bytes, 32, NULL, 0);
  assert_true(sal_key_equal(&k, &keys[0]));
  crypto_generichash(k.bytes, 32, seed.bytes, 32, NULL, 0);
  assert_true(sal_key_equal(&k, &keys[SAL_CHAIN]));
}

static void test_number(void **state) {
  (void)state;
  struct sal_key k;
  sal_key_number(UINT64_C(0x0102030405060708), &k);
  for (int i = 0; i < 24; i++)
    assert_int_equal(k.bytes[i], 0);
  for (int i = 0; i < 8; i++)
    assert_int_equal(k.bytes[24 + i], i + 1);
}

static void test_mix(void **state) {
  (void)state;
  struct sal_key key, parts[2], none, both, other;
  sal_key_number(1, &key);
  sal_key_number(2, &parts[0]);
  sal_key_number(3, &parts[1]);
  sal_key_mix(&key, parts, 0, &none);
  sal_key_mix(&key, parts, 2, &both);
  assert_false(sal_key_equal(&none, &both));
  parts[1].bytes[0] ^= 1;
  sal_key_mix(&key, parts, 2, &other);
  assert_false(sal_key_equal(&other, &both));
}

/* The first word of the block at an address, as anyone can recompute it. */
static void test_address(void **state) {
  (void)state;
  struct sal_key key;
  sal_key_number(9, &key);
  const struct sal_address where = {3, 1, 2, 5};
  uint8_t nonce[12] = {3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0}, block[64] = {0};
  crypto_stream_chacha20_ietf_xor_ic(block, block, 64, nonce, 5 << 12,
                                     key.bytes);
  const uint32_t word = (uint32_t)block[0] | (uint32_t)block[1] << 8 |
                        (uint32_t)block[2] << 16 | (uint32_t)block[3] << 24;
  assert_int_equal(sal_key_below(&key, &where, 14), (uint64_t)word * 14 >> 32);
}

static void test_even(void **state) {
  (void)state;
  struct sal_key key;
  unsigned found[14] = {0};
  sal_key_number(4, &key);
  for (int entry = 0; entry < 20; entry++)
    for (int list = 0; list < 10; list++)
      for (int index = 0; index < 70; index++) {
        const struct sal_address where = {entry, 0, list, index};
        found[sal_key_below(&key, &where, 14)]++;
      }
  for (int i = 0; i < 14; i++)
    assert_in_range(found[i], 880, 1120);
}

static void test_random(void **state) {
  (void)state;
  struct sal_key a, b;
  sal_key_random(&a);
  sal_key_random(&b);
  assert_false(sal_key_equal(&a, &b));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_chain), cmocka_unit_test(test_number),
      cmocka_unit_test(test_mix),   cmocka_unit_test(test_address),
      cmocka_unit_test(test_even),  cmocka_unit_test(test_random)};
  return cmocka_run_group_tests_name("fair", tests, NULL, NULL);
}
