/* The hashes and streams of the engine in pages give what libsodium gives. */
#define crypto_generichash_state page_hash_state
#define crypto_generichash page_hash
#define crypto_generichash_init page_hash_init
#define crypto_generichash_update page_hash_update
#define crypto_generichash_final page_hash_final
#define crypto_stream_chacha20_ietf_xor_ic page_stream
#define crypto_stream_chacha20_IETF_NONCEBYTES PAGE_NONCE
#define sodium_init page_init
#define sodium_memcmp page_compare
#define randombytes_buf page_random
#include "../../src/wasm/sodium.c"
#undef crypto_generichash_state
#undef crypto_generichash
#undef crypto_generichash_init
#undef crypto_generichash_update
#undef crypto_generichash_final
#undef crypto_stream_chacha20_ietf_xor_ic
#undef crypto_stream_chacha20_IETF_NONCEBYTES
#undef sodium_init
#undef sodium_memcmp
#undef randombytes_buf

#include <setjmp.h>
#include <stdarg.h>
#include <sodium/crypto_generichash.h>
#include <sodium/crypto_stream_chacha20.h>
#include <sodium/randombytes.h>
#include <cmocka.h>

static unsigned char data[1000], key[32], nonce[12];

static int fill(void **state) {
  (void)state;
  const unsigned char seed[32] = {7};
  randombytes_buf_deterministic(data, sizeof data, seed);
  memcpy(key, data + 100, sizeof key);
  memcpy(nonce, data + 200, sizeof nonce);
  return 0;
}

static void test_hash(void **state) {
  (void)state;
  for (size_t n = 0; n <= 400; n++)
    for (size_t key_size = 0; key_size <= 32; key_size += 16) {
      unsigned char a[32], b[32];
      page_hash(a, sizeof a, data, n, key, key_size);
      crypto_generichash(b, sizeof b, data, n, key_size ? key : NULL, key_size);
      assert_memory_equal(a, b, sizeof a);
    }
}

static void test_hash_in_parts(void **state) {
  (void)state;
  for (size_t cut = 0; cut <= 300; cut++) {
    page_hash_state s;
    unsigned char a[32], b[32];
    page_hash_init(&s, key, sizeof key, sizeof a);
    page_hash_update(&s, data, cut);
    page_hash_update(&s, data + cut, 300 - cut);
    page_hash_final(&s, a, sizeof a);
    crypto_generichash(b, sizeof b, data, 300, key, sizeof key);
    assert_memory_equal(a, b, sizeof a);
  }
}

static void test_stream(void **state) {
  (void)state;
  static const uint32_t counters[] = {0, 1, 4095, 0x7ffff000u};
  for (size_t c = 0; c < 4; c++)
    for (size_t n = 0; n <= 200; n++) {
      unsigned char a[200], b[200];
      page_stream(a, data, n, nonce, counters[c], key);
      crypto_stream_chacha20_ietf_xor_ic(b, data, n, nonce, counters[c], key);
      assert_memory_equal(a, b, n);
    }
}

static void test_rest(void **state) {
  (void)state;
  unsigned char a[300] = {0}, b[300] = {0};
  page_random(a, sizeof a);
  page_random(b, sizeof b);
  assert_int_equal(page_init(), 0);
  assert_int_not_equal(page_compare(a, b, sizeof a), 0);
  assert_int_equal(page_compare(a, a, sizeof a), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_hash), cmocka_unit_test(test_hash_in_parts),
      cmocka_unit_test(test_stream), cmocka_unit_test(test_rest)};
  return cmocka_run_group_tests_name("wasm_sodium", tests, fill, NULL);
}
