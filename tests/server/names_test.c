/* Names: what is one, and which look alike; the name of the server itself. */
#include "people/names.h"

#include "base/origin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *cleaned(const char *text) {
  static char out[NAME_SIZE];
  const char *problem;
  return name_clean(text, out, &problem) ? out : NULL;
}

static void test_clean(void **state) {
  (void)state;
  static const char *const pairs[][2] = {
      {"Anna", "Anna"},
      {"  Anna   Maria ", "Anna Maria"},
      {"Anna\u00a0Maria", "Anna Maria"},
      {"\uff21\uff4e\uff4e\uff41", "Anna"}, /* full width */
      {"e\u0301", "\u00e9"},                /* composed */
      {"\ufb01ne", "fine"},                 /* a ligature */
      {"\u2764\ufe0f", "\u2764"},           /* as phones write it */
      {"\u738b\u5c0f\u660e", "\u738b\u5c0f\u660e"},
      {"\u0410\u043d\u043d\u0430", "\u0410\u043d\u043d\u0430"},
      {"O'Neill-7", "O'Neill-7"},
      {"123456789012345678901234", "123456789012345678901234"},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    const char *got = cleaned(pairs[i][0]);
    if (!got || strcmp(got, pairs[i][1]) != 0)
      fail_msg("'%s' became '%s'", pairs[i][0], got ? got : "nothing");
  }
}

static void test_refused(void **state) {
  (void)state;
  static const char *const bad[] = {
      "",
      " ",
      "An\u200bna",
      "An\u034fna",
      "\u202eannA",
      "An\u2066na",
      "An\u00adna",
      "A\nb",
      "A\tb",
      "\u3164",
      "\u2800",
      "\U000e0041a",
      "...",
      "\ue000",
      "A\u0300\u0301\u0302\u0303b",
      "\u0301a",
      "A\u200db",
      "An\ufeffna",
      "\u115f",
      "1234567890123456789012345",
      "\x80",
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char out[NAME_SIZE];
    const char *problem = NULL;
    if (name_clean(bad[i], out, &problem))
      fail_msg("%zu: '%s' was taken as '%s'", i, bad[i], out);
    assert_non_null(problem);
  }
}

static bool alike(const char *a, const char *b) {
  struct name_looks x, y;
  char one[NAME_SIZE], other[NAME_SIZE];
  const char *problem;
  assert_true(name_clean(a, one, &problem));
  assert_true(name_clean(b, other, &problem));
  assert_true(name_looks(one, &x));
  assert_true(name_looks(other, &y));
  return name_alike(&x, &y);
}

static void test_looks(void **state) {
  (void)state;
  static const char *const same[][2] = {
      {"Anna", "anna"},
      {"Anna", "\u0410nna"}, /* Cyrillic A */
      {"anna", "\u0430nna"}, /* Cyrillic a */
      {"anna", "\u0410NNA"}, /* and in capitals */
      {"\u00c9mile", "\u00e9mile"},
      {"\u00c9mile", "E\u0301mile"},
      {"Ivo", "lvo"},
      {"Ivo", "1vo"},
      {"Mario", "Mari0"},
      {"modem", "modern"},
      {"\u03a1aola", "Paola"}, /* Greek rho */
      {"\uff50aola", "Paola"},
      {"Stra\u00dfe", "STRASSE"},
      {"heart \u2764\ufe0f", "heart \u2764"},
      {"Anna Maria", "Anna  Maria"},
  };
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    if (!alike(same[i][0], same[i][1]))
      fail_msg("'%s' and '%s' look alike", same[i][0], same[i][1]);
  static const char *const other[][2] = {
      {"Anna", "Anne"}, {"Lia", "Ila"},  {"Ali", "All"},
      {"e", "\u00e9"},  {"Ivo", "Ivoo"}, {"\u738b", "\u5c0f"},
  };
  for (size_t i = 0; i < sizeof other / sizeof *other; i++)
    if (alike(other[i][0], other[i][1]))
      fail_msg("'%s' and '%s' do not look alike", other[i][0], other[i][1]);
}

static int64_t owner(const struct looks *l, const char *name) {
  struct name_looks n;
  assert_true(name_looks(name, &n));
  return looks_owner(l, &n);
}

static void test_kept(void **state) {
  (void)state;
  struct looks *l = looks_new();
  assert_int_equal(owner(l, "Anna"), 0);
  assert_true(looks_take(l, 7, "Anna"));
  assert_false(looks_take(l, 8, "\u0410nna"));
  assert_false(looks_take(l, 8, "ANNA"));
  assert_true(looks_take(l, 8, "Ivo"));
  assert_false(looks_take(l, 7, "lvo"));
  assert_int_equal(owner(l, "anna"), 7);
  assert_int_equal(owner(l, "lvo"), 8);
  assert_true(looks_take(l, 7, "ANNA")); /* their own, in other letters */
  looks_drop(l, 7, "Anna");
  assert_int_equal(owner(l, "anna"), 7);
  looks_drop(l, 7, "ANNA");
  looks_drop(l, 8, "Anna");
  assert_int_equal(owner(l, "Anna"), 0);
  assert_true(looks_take(l, 9, "Anna"));
  looks_free(l);
}

/* As browsers write it, whatever way the operator has; NULL: it is no URL. */
static void test_origins(void **state) {
  (void)state;
  static const char *const pairs[][2] = {
      {"HTTPS://Play.Example.ORG/", "https://play.example.org"},
      {"https://play.example.org:443/parlour", "https://play.example.org"},
      {"http://play.example.org:80", "http://play.example.org"},
      {"http://play.example.org:443", "http://play.example.org:443"},
      {"https://perché.example", "https://xn--perch-fsa.example"},
      {"http://[::A]:8014/", "http://[::a]:8014"},
      {"http://a", "http://a"},
      {"http://localhost:65535", "http://localhost:65535"},
      {"http://localhost:65536", NULL},
      {"http://localhost:0", NULL},
      {"http://localhost:", NULL},
      {"http://localhost:8 014", NULL},
      {"http://[::g]", NULL},
      {"http://[::1", NULL},
      {"http://", NULL},
      {"https:///", NULL},
      {"https://-a.example", NULL},
      {"https://a..example", NULL},
      {"https://xn--a.example", NULL},
      {"https://somebody@play.example.org", NULL},
      {"ftp://play.example.org", NULL},
      {"play.example.org", NULL}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    char out[ORIGIN_MAX];
    const bool is_one = origin_of(pairs[i][0], out);
    if (is_one != (pairs[i][1] != NULL))
      print_message("# %s\n", pairs[i][0]);
    assert_int_equal(is_one, pairs[i][1] != NULL);
    if (is_one)
      assert_string_equal(out, pairs[i][1]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_clean), cmocka_unit_test(test_refused),
      cmocka_unit_test(test_looks), cmocka_unit_test(test_kept),
      cmocka_unit_test(test_origins)};
  return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
