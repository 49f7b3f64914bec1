/* Bounded text, JSON, sentences, numbers. */
#include "salotto/error.h"
#include "salotto/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static void test_bounds(void **state) {
  (void)state;
  char buffer[8];
  struct sal_text t;
  sal_text_init(&t, buffer, sizeof buffer);
  sal_text_add(&t, "abcd");
  sal_text_add(&t, "efghij");
  assert_string_equal(buffer, "abcdefg");
  assert_int_equal(t.lost, 3);
  sal_text_clear(&t);
  sal_text_int(&t, -12);
  assert_string_equal(buffer, "-12");
  sal_text_init(&t, buffer, 1);
  sal_text_add(&t, "x");
  assert_string_equal(buffer, "");
}

static void test_integers(void **state) {
  (void)state;
  char buffer[32];
  struct sal_text t;
  sal_text_init(&t, buffer, sizeof buffer);
  sal_text_int(&t, INT64_MIN);
  assert_string_equal(buffer, "-9223372036854775808");
  sal_text_clear(&t);
  sal_text_int(&t, 0);
  assert_string_equal(buffer, "0");
}

static void test_clip(void **state) {
  (void)state;
  char buffer[32];
  struct sal_text t;
  sal_text_init(&t, buffer, sizeof buffer);
  sal_text_clip(&t, "abà", 3); /* à has two bytes */
  assert_string_equal(buffer, "ab");
  sal_text_clear(&t);
  sal_text_clip(&t, "abà", 4);
  assert_string_equal(buffer, "abà");
}

static void test_json(void **state) {
  (void)state;
  char buffer[200];
  struct sal_text t;
  struct sal_json j;
  sal_text_init(&t, buffer, sizeof buffer);
  sal_json_init(&j, &t);
  sal_json_object(&j, NULL);
  sal_json_int(&j, "a", 1);
  sal_json_list(&j, "b");
  sal_json_string(&j, NULL, "x\"\\\n");
  sal_json_object(&j, NULL);
  sal_json_end(&j, '}');
  sal_json_bool(&j, NULL, true);
  sal_json_end(&j, ']');
  sal_json_null(&j, "c");
  sal_json_bits(&j, "d", 1u << 31 | 5);
  sal_json_bits(&j, "e", 0);
  sal_json_end(&j, '}');
  assert_string_equal(buffer, "{\"a\":1,\"b\":[\"x\\\"\\\\\\u000a\",{},true],"
                              "\"c\":null,\"d\":[0,2,31],\"e\":[]}");
}

/* Every byte at every place of texts of every length up to two words and a bit,
 * in buffers of every size: as many bytes are written or lost as the whole has. */
static void test_json_strings(void **state) {
  (void)state;
  for (int c = 1; c < 256; c++)
    for (size_t n = 1; n < 19; n++)
      for (size_t at = 0; at < n; at++) {
        char text[20] = {0}, whole[40], buffer[40];
        struct sal_text t;
        struct sal_json j;
        memset(text, 'a', n);
        text[at] = (char)c;
        const int length =
            c == '"' || c == '\\'
                ? snprintf(whole, sizeof whole, "\"%.*s\\%s\"", (int)at, text,
                           text + at)
            : c < 0x20 ? snprintf(whole, sizeof whole, "\"%.*s\\u%04x%s\"",
                                  (int)at, text, (unsigned)c, text + at + 1)
                       : snprintf(whole, sizeof whole, "\"%s\"", text);
        for (size_t size = 1; size < sizeof buffer; size++) {
          memset(buffer, '#', sizeof buffer);
          sal_text_init(&t, buffer, size);
          sal_json_init(&j, &t);
          sal_json_string(&j, NULL, text);
          assert_int_equal(t.len + t.lost, length);
          assert_int_equal(t.len,
                           (size_t)length < size ? (size_t)length : size - 1);
          assert_memory_equal(buffer, whole, t.len);
          assert_int_equal(buffer[t.len], '\0');
          assert_int_equal(buffer[size], '#');
        }
      }
}

/* What is too long for its buffer is cut there, keys too, and counted. */
static void test_json_edges(void **state) {
  static const char whole[] =
      "{\"key\":1,\"another\":[\"a\",-12,null],\"x\":{}}";
  (void)state;
  for (size_t size = 1; size < sizeof whole + 20; size++) {
    char buffer[sizeof whole + 20];
    struct sal_text t;
    struct sal_json j;
    memset(buffer, '#', sizeof buffer);
    sal_text_init(&t, buffer, size);
    sal_json_init(&j, &t);
    sal_json_object(&j, NULL);
    sal_json_int(&j, "key", 1);
    sal_json_list(&j, "another");
    sal_json_string(&j, NULL, "a");
    sal_json_int(&j, NULL, -12);
    sal_json_null(&j, NULL);
    sal_json_end(&j, ']');
    sal_json_object(&j, "x");
    sal_json_end(&j, '}');
    sal_json_end(&j, '}');
    const size_t fits = size < sizeof whole ? size - 1 : sizeof whole - 1;
    assert_int_equal(t.len, fits);
    assert_int_equal(t.lost, sizeof whole - 1 - fits);
    assert_memory_equal(buffer, whole, fits);
    assert_int_equal(buffer[fits], '\0');
    assert_int_equal(buffer[size], '#');
  }
}

static void test_numbers(void **state) {
  (void)state;
  int32_t v = -1;
  assert_string_equal(sal_number_read("42 x", &v), " x");
  assert_int_equal(v, 42);
  assert_string_equal(sal_number_read("999999999", &v), "");
  assert_null(sal_number_read("1000000000", &v));
  assert_null(sal_number_read("01", &v));
  assert_null(sal_number_read("-1", &v));
  assert_null(sal_number_read("", &v));
  assert_string_equal(sal_number_read("0", &v), "");
  assert_int_equal(v, 0);
}

static void test_hex(void **state) {
  (void)state;
  uint8_t b[2] = {0};
  assert_true(sal_hex_read("0aFf", b, 2));
  assert_int_equal(b[0], 10);
  assert_int_equal(b[1], 255);
  assert_false(sal_hex_read("0aF", b, 2));
  assert_false(sal_hex_read("0aFf0", b, 2));
  assert_false(sal_hex_read("0aFg", b, 2));
}

static void test_sentences(void **state) {
  (void)state;
  char buffer[100];
  struct sal_text t;
  const struct sal_place p[] = {{"seat", SAL_PLACE_SEAT, NULL, 2},
                                {"n", SAL_PLACE_NUMBER, NULL, 7},
                                {"card", SAL_PLACE_WORD, "Red Lady", 0}};
  sal_text_init(&t, buffer, sizeof buffer);
  sal_say(&t, &sal_words_plain, false, "[You take|{seat} takes] the {card}.", p,
          3);
  assert_string_equal(buffer, "Seat 2 takes the Red Lady.");
  sal_text_clear(&t);
  sal_say(&t, &sal_words_plain, true, "[You take|{seat} takes] {n} {what}.", p,
          3);
  assert_string_equal(buffer, "You take 7 {what}.");
  sal_text_clear(&t);
  sal_say_n(&t, &sal_words_plain, true, "{n} token", "{n} tokens", 7, p, 3);
  assert_string_equal(buffer, "7 tokens");
}

static void test_errors(void **state) {
  (void)state;
  struct sal_refusal why;
  char longer[SAL_MESSAGE_MAX + 50];
  assert_string_equal(sal_error_name(SAL_BAD_JSON), "bad-json");
  assert_string_equal(sal_error_name(SAL_IO), "io");
  assert_int_equal(sal_refuse(&why, SAL_GAME_OVER, NULL, NULL), SAL_GAME_OVER);
  assert_string_equal(why.message, "The game is over.");
  memset(longer, 'x', sizeof longer);
  longer[sizeof longer - 1] = '\0';
  sal_refuse(&why, SAL_ILLEGAL, "r", longer);
  assert_int_equal(strlen(why.message), SAL_MESSAGE_MAX - 1);
  assert_int_equal(sal_refuse(NULL, SAL_IO, NULL, NULL), SAL_IO);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bounds),       cmocka_unit_test(test_integers),
      cmocka_unit_test(test_clip),         cmocka_unit_test(test_json),
      cmocka_unit_test(test_json_strings), cmocka_unit_test(test_json_edges),
      cmocka_unit_test(test_numbers),      cmocka_unit_test(test_hex),
      cmocka_unit_test(test_sentences),    cmocka_unit_test(test_errors)};
  return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
