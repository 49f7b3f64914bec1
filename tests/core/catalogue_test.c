/* Catalogues: what they say, and that bad ones are refused. */
#include "salotto/catalogue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static unsigned char *mo;
static size_t size;

static int read_it(void **state) {
  (void)state;
  FILE *f = fopen(IT_MO, "rb");
  assert_non_null(f);
  assert_int_equal(fseek(f, 0, SEEK_END), 0);
  size = (size_t)ftell(f);
  rewind(f);
  mo = malloc(size);
  assert_int_equal(fread(mo, 1, size, f), size);
  return fclose(f);
}

static int drop_it(void **state) {
  (void)state;
  free(mo);
  return 0;
}

static void test_says(void **state) {
  (void)state;
  struct sal_catalogue c;
  assert_true(sal_catalogue_open(&c, mo, size));
  assert_string_equal(sal_catalogue_text(&c, "Red Lady"), "Signora Rossa");
  assert_string_equal(sal_catalogue_text(&c, "no message"), "no message");
  assert_string_equal(sal_catalogue_text(&c, ""), "");
  assert_string_equal(sal_catalogue_plural(&c, "{n} apple", "{n} apples", 1),
                      "{n} apple");
  assert_string_equal(sal_catalogue_plural(&c, "{n} apple", "{n} apples", 0),
                      "{n} apples");
}

/* Every entry is found by its own name, singular and plural. */
static void test_finds_all(void **state) {
  (void)state;
  struct sal_catalogue c;
  assert_true(sal_catalogue_open(&c, mo, size));
  int plurals = 0;
  for (uint32_t i = 1; i < c.count; i++) {
    uint32_t id[2], text[2];
    memcpy(id, mo + c.ids + 8 * i, sizeof id);
    memcpy(text, mo + c.texts + 8 * i, sizeof text);
    const char *msgid = (const char *)mo + id[1];
    const char *one = (const char *)mo + text[1];
    assert_ptr_equal(sal_catalogue_text(&c, msgid), one);
    if (strlen(msgid) == id[0])
      continue;
    const char *many = msgid + strlen(msgid) + 1;
    assert_ptr_equal(sal_catalogue_plural(&c, msgid, many, 1), one);
    assert_ptr_equal(sal_catalogue_plural(&c, msgid, many, 2),
                     one + strlen(one) + 1);
    plurals++;
  }
  assert_true(plurals > 0);
}

static void test_seats(void **state) {
  (void)state;
  static const char *const names[] = {"Anna", NULL};
  struct sal_catalogue c;
  struct sal_speaker s;
  char buffer[40];
  struct sal_text t;
  sal_text_init(&t, buffer, sizeof buffer);
  assert_true(sal_catalogue_open(&c, mo, size));
  sal_speaker_init(&s, &c, names);
  s.words.seat(&s.words, 0, &t);
  s.words.seat(&s.words, 1, &t);
  assert_string_equal(buffer, "AnnaGiocatore 2");
}

/* Cut short anywhere or damaged, it is refused or sound, never read beyond. */
static void test_refuses(void **state) {
  (void)state;
  struct sal_catalogue c;
  for (size_t n = 0; n < size; n += n < 64 ? 1 : 977) {
    unsigned char *part = malloc(n ? n : 1);
    memcpy(part, mo, n);
    assert_false(sal_catalogue_open(&c, part, n));
    assert_string_equal(sal_catalogue_text(&c, "Red Lady"), "Red Lady");
    free(part);
  }
  unsigned char *whole = malloc(size);
  for (size_t n = 0; n < 3000; n++) {
    memcpy(whole, mo, size);
    whole[n] ^= 0x80;
    if (sal_catalogue_open(&c, whole, size))
      sal_catalogue_text(&c, "Red Lady");
  }
  memcpy(whole, mo, size);
  for (size_t n = 0; n + 8 < size; n++)
    if (memcmp(whole + n, "plural=(", 8) == 0)
      whole[n + 8] = 'm';
  assert_false(sal_catalogue_open(&c, whole, size));
  free(whole);
}

static void swap_words(unsigned char *a, unsigned char *b) {
  unsigned char kept[8];
  memcpy(kept, a, sizeof kept);
  memcpy(a, b, sizeof kept);
  memcpy(b, kept, sizeof kept);
}

/* Messages are found by halves; so any two neighbours in the wrong order are a
 * reason to refuse it. */
static void test_order(void **state) {
  (void)state;
  struct sal_catalogue c;
  assert_true(sal_catalogue_open(&c, mo, size));
  const uint32_t count = c.count;
  unsigned char *whole = malloc(size), *ids = whole + c.ids;
  memcpy(whole, mo, size);
  for (uint32_t i = 1; i < count; i++) {
    swap_words(ids + 8 * (i - 1), ids + 8 * i);
    assert_false(sal_catalogue_open(&c, whole, size));
    swap_words(ids + 8 * (i - 1), ids + 8 * i);
    memcpy(ids + 8 * i, ids + 8 * (i - 1), 8);
    assert_false(sal_catalogue_open(&c, whole, size)); /* the same twice */
    memcpy(whole, mo, size);
  }
  free(whole);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_says), cmocka_unit_test(test_finds_all),
      cmocka_unit_test(test_seats), cmocka_unit_test(test_refuses),
      cmocka_unit_test(test_order)};
  return cmocka_run_group_tests_name("catalogue", tests, read_it, drop_it);
}
