/* Requests that are read in place say what jansson says of them. */
#include "net/request_reader.h"
#include "salotto/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char *const brief[] = {
    "{\"op\":\"act\",\"table\":\"punk3vkf\",\"seq\":6,\"action\":\"take RL\"}",
    " { \"op\" : \"undo\" ,\n\t\"seq\" : -12 , \"id\" : \"a\" } \r\n",
    "{\"a\":0,\"b\":-0,\"c\":999999999999999999,\"d\":\"\",\"\":\"x\"}",
    "{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8}",
};

/* Sound, but for jansson. */
static const char *const rich[] = {
    "{}",
    "[]",
    "[1,2]",
    "{\"a\":true}",
    "{\"a\":null,\"b\":1}",
    "{\"a\":1.5}",
    "{\"a\":1e3}",
    "{\"a\":9223372036854775807}",
    "{\"a\":{\"b\":1}}",
    "{\"a\":\"x\\n\"}",
    "{\"a\":\"perch\xc3\xa9\"}",
    "{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8,\"i\":9}",
};

static const char *const unsound[] = {"",
                                      "{",
                                      "}",
                                      "{\"a\"}",
                                      "{\"a\":}",
                                      "{\"a\":1,}",
                                      "{\"a\":01}",
                                      "{\"a\":-}",
                                      "{a:1}",
                                      "{\"a\":1}}",
                                      "{\"a\":1} 2",
                                      "{\"a\":\"\t\"}",
                                      "{\"a\" 1}",
                                      "{\"a\":\"x}",
                                      "{,\"a\":1}",
                                      "{\"a\":1,\"a\":2}",
                                      "{\"a\":+1}",
                                      "{\"a\":\"\xff\"}"};

/* The same by both ways, and whether it was read in place. */
static bool agrees(const char *text, size_t length) {
  struct request_body b;
  json_t *j = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
  const bool sound = request_read(&b, text, length);
  const bool in_place = b.count >= 0;
  assert_int_equal(sound, j != NULL);
  if (in_place) {
    assert_int_equal(b.count, json_object_size(j));
    for (int i = 0; i < b.count; i++) {
      const struct value v = request_value(&b, b.field[i].key);
      const json_t *same = json_object_get(j, b.field[i].key);
      assert_non_null(same);
      if (v.is == VALUE_TEXT) {
        assert_string_equal(v.text, json_string_value(same));
      } else {
        assert_int_equal(v.is, VALUE_NUMBER);
        assert_true(json_is_integer(same));
        assert_int_equal(v.number, json_integer_value(same));
      }
    }
    assert_int_equal(request_value(&b, "nothing").is, VALUE_MISSING);
    assert_int_equal(json_equal(request_tree(&b), j), 1);
  }
  request_free(&b);
  json_decref(j);
  return in_place;
}

static void both_ways_agree(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof brief / sizeof *brief; i++)
    assert_true(agrees(brief[i], strlen(brief[i])));
  for (size_t i = 0; i < sizeof rich / sizeof *rich; i++)
    assert_false(agrees(rich[i], strlen(rich[i])));
  for (size_t i = 0; i < sizeof unsound / sizeof *unsound; i++)
    assert_false(agrees(unsound[i], strlen(unsound[i])));
  assert_false(agrees("{\"a\":1}\0", 8));
  assert_false(agrees("{\"a\":\"\0\"}", 9));
}

static void kinds_are_told(void **state) {
  (void)state;
  struct request_body b;
  static const char text[] =
      "{\"t\":\"x\",\"n\":7,\"z\":null,\"o\":[],\"r\":1.5}";
  assert_true(request_read(&b, text, sizeof text - 1));
  assert_string_equal(request_value(&b, "t").text, "x");
  assert_int_equal(request_value(&b, "n").number, 7);
  assert_int_equal(request_value(&b, "z").is, VALUE_NULL);
  assert_int_equal(request_value(&b, "o").is, VALUE_OTHER);
  assert_int_equal(request_value(&b, "r").is, VALUE_OTHER);
  assert_int_equal(request_value(&b, "none").is, VALUE_MISSING);
  request_free(&b);
}

static void long_ones_are_for_jansson(void **state) {
  (void)state;
  char text[2 * REQUEST_BRIEF];
  for (size_t n = REQUEST_BRIEF - 20; n < REQUEST_BRIEF + 20; n++) {
    memset(text, 'x', n);
    memcpy(text, "{\"a\":\"", 6);
    memcpy(text + n - 2, "\"}", 2);
    assert_int_equal(agrees(text, n), n < REQUEST_BRIEF);
  }
}

/* Requests with some bytes changed, taken out or doubled. */
static void spoilt_ones_agree(void **state) {
  static const char bytes[] = "{}[]\":,0123456789-+.eE\\/ \t\n\x01\x7f\x80\xc3"
                              "aopt";
  (void)state;
  struct sal_rng rng;
  int in_place = 0;
  sal_rng_seed(&rng, 1);
  for (int i = 0; i < 100000; i++) {
    const size_t all = sizeof brief / sizeof *brief;
    const char *from = brief[sal_rng_below(&rng, (uint32_t)all)];
    char text[300];
    size_t n = strlen(from);
    memcpy(text, from, n);
    for (uint32_t k = 1 + sal_rng_below(&rng, 3); k > 0 && n > 1; k--) {
      const size_t at = sal_rng_below(&rng, (uint32_t)n);
      switch (sal_rng_below(&rng, 3)) {
      case 0: text[at] = bytes[sal_rng_below(&rng, sizeof bytes)]; break;
      case 1: memmove(text + at, text + at + 1, --n - at); break;
      default: memmove(text + at + 1, text + at, n++ - at); break;
      }
    }
    in_place += agrees(text, n);
  }
  assert_in_range(in_place, 1000, 99000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_ways_agree), cmocka_unit_test(kinds_are_told),
      cmocka_unit_test(long_ones_are_for_jansson),
      cmocka_unit_test(spoilt_ones_agree)};
  return cmocka_run_group_tests_name("request", tests, NULL, NULL);
}
