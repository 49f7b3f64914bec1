/* WebSocket frames: whatever the pieces they come in, and each fault with its
 * code. */
#include "net/frames.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char mask[4] = {0x12, 0x34, 0x56, 0x78};
static struct free_list free_messages;

/* A masked frame of a client; how long it is. */
static size_t put(char *at, int first, const char *text, size_t n) {
  size_t head = frames_head((uint8_t *)at, first & 0xf, n);
  at[0] = (char)first;
  at[1] = (char)(at[1] | 0x80);
  memcpy(at + head, mask, 4);
  head += 4;
  for (size_t i = 0; i < n; i++)
    at[head + i] = (char)(text[i] ^ mask[i % 4]);
  return head + n;
}

/* Reads all of it in pieces of `piece`, and writes down what came. */
static int read_all(const char *bytes, size_t n, size_t piece, char *log) {
  struct frames f = {0};
  int came = 0;
  *log = '\0';
  for (size_t at = 0; at < n && came >= 0; at += piece) {
    size_t left = n - at < piece ? n - at : piece;
    const char *data = bytes + at;
    while (left > 0 && came >= 0) {
      struct frame out;
      came = frames_read(&f, &free_messages, &data, &left, &out);
      if (came > 0) {
        char name[3] = {(char)('a' + out.opcode), ':', '\0'};
        strcat(log, out.opcode < 0 ? "-" : name);
        strncat(log, out.text ? out.text : "", 20);
        strcat(log, ";");
      }
      frames_release(&f, &free_messages);
    }
  }
  if (came >= 0)
    assert_false(frames_is_open(&f));
  free(f.message);
  return came < 0 ? -came : 0;
}

static void in_any_pieces(void **state) {
  (void)state;
  char bytes[1000], log[400], longer[200];
  memset(longer, 'x', sizeof longer);
  size_t n = put(bytes, 0x81, "hello", 5);
  n += put(bytes + n, 0x01, "one ", 4);
  n += put(bytes + n, 0x89, "ping", 4);
  n += put(bytes + n, 0x00, "two ", 4);
  n += put(bytes + n, 0x80, "three", 5);
  n += put(bytes + n, 0x82, longer, sizeof longer);
  n += put(bytes + n, 0x81, "", 0);
  n += put(bytes + n, 0x88, "", 0);
  for (size_t piece = 1; piece <= n; piece++) {
    assert_int_equal(read_all(bytes, n, piece, log), 0);
    assert_string_equal(log, "b:hello;-;j:ping;-;b:one two three;"
                             "c:xxxxxxxxxxxxxxxxxxxx;b:;i:;");
  }
}

static int code_of(int first, const char *text, size_t n) {
  static char bytes[70000], log[400];
  return read_all(bytes, put(bytes, first, text, n), sizeof bytes, log);
}

static int code_of_bytes(const char *bytes, size_t n) {
  char log[400];
  return read_all(bytes, n, 3, log);
}

static void faults(void **state) {
  (void)state;
  static char longer[FRAMES_MESSAGE_MAX + 1];
  memset(longer, 'x', sizeof longer);
  assert_int_equal(code_of(0x81, longer, FRAMES_MESSAGE_MAX), 0);
  assert_int_equal(code_of(0x81, longer, sizeof longer), CLOSE_TOO_BIG);
  assert_int_equal(code_of(0xc1, "x", 1), CLOSE_PROTOCOL); /* an extension */
  assert_int_equal(code_of(0x83, "x", 1), CLOSE_PROTOCOL); /* what is that? */
  assert_int_equal(code_of(0x8b, "x", 1), CLOSE_PROTOCOL);
  assert_int_equal(code_of(0x80, "x", 1), CLOSE_PROTOCOL); /* more of what? */
  assert_int_equal(code_of(0x09, "x", 1), CLOSE_PROTOCOL); /* half a ping */
  assert_int_equal(code_of(0x89, longer, 125), 0);
  assert_int_equal(code_of(0x89, longer, 126), CLOSE_PROTOCOL);
  assert_int_equal(code_of_bytes("\x81\x01x", 3), CLOSE_PROTOCOL); /* bare */
  /* Five, and 256, in more bytes than they need. */
  assert_int_equal(code_of_bytes("\x81\xfe\0\5abcdhello", 13), CLOSE_PROTOCOL);
  assert_int_equal(code_of_bytes("\x81\xff\0\0\0\0\0\0\1\0abcd", 14),
                   CLOSE_PROTOCOL);
}

static void goodbyes(void **state) {
  (void)state;
  assert_int_equal(code_of(0x88, "\x03", 1), CLOSE_PROTOCOL);
  assert_int_equal(code_of(0x88, "\x03\xe8", 2), 0);
  assert_int_equal(code_of(0x88, "\x03\xe7", 2), CLOSE_PROTOCOL); /* 999 */
  assert_int_equal(code_of(0x88, "\x03\xed", 2), CLOSE_PROTOCOL); /* 1005 */
  assert_int_equal(code_of(0x88, "\x0b\xb7", 2), CLOSE_PROTOCOL); /* 2999 */
  assert_int_equal(code_of(0x88, "\x0b\xb8", 2), 0);              /* 3000 */
  assert_int_equal(code_of(0x88, "\x13\x88", 2), CLOSE_PROTOCOL); /* 5000 */
  assert_int_equal(code_of(0x88, "\x03\xe8hi", 4), 0);
  assert_int_equal(code_of(0x88, "\x03\xe8\xff", 3), CLOSE_NOT_UTF8);
}

static void texts(void **state) {
  (void)state;
  static const char *const sound[] = {"\xc3\xa8", "\xe0\xa0\x80",
                                      "\xed\x9f\xbf", "\xf0\x90\x80\x80",
                                      "\xf4\x8f\xbf\xbf"};
  static const char *const bad[] = {
      "\x80",         "\xc0\xaf",         "\xc1\xbf",
      "\xe0\x9f\xbf", "\xed\xa0\x80",     "\xf0\x8f\xbf\xbf",
      "\xe2\x82",     "\xf4\x90\x80\x80", "\xf5",
      "\xc3(",        "\xe2(\xa1"};
  for (size_t i = 0; i < sizeof sound / sizeof *sound; i++)
    assert_int_equal(code_of(0x81, sound[i], strlen(sound[i])), 0);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_int_equal(code_of(0x81, bad[i], strlen(bad[i])), CLOSE_NOT_UTF8);
    assert_int_equal(code_of(0x82, bad[i], strlen(bad[i])), 0); /* no text */
  }
}

static void heads(void **state) {
  (void)state;
  uint8_t h[FRAMES_HEAD_MAX];
  assert_int_equal(frames_head(h, FRAME_TEXT, 125), 2);
  assert_memory_equal(h, "\x81\x7d", 2);
  assert_int_equal(frames_head(h, FRAME_TEXT, 126), 4);
  assert_memory_equal(h, "\x81\x7e\x00\x7e", 4);
  assert_int_equal(frames_head(h, FRAME_PING, 65535), 4);
  assert_memory_equal(h, "\x89\x7e\xff\xff", 4);
  assert_int_equal(frames_head(h, FRAME_TEXT, 65536), 10);
  assert_memory_equal(h, "\x81\x7f\0\0\0\0\0\1\0\0", 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(in_any_pieces), cmocka_unit_test(faults),
      cmocka_unit_test(goodbyes), cmocka_unit_test(texts),
      cmocka_unit_test(heads)};
  const int failed = cmocka_run_group_tests_name("frames", tests, NULL, NULL);
  free_list_clear(&free_messages);
  return failed;
}
