/* Bounded text, the JSON writer, sentences. No stdio, no allocation. */
#include "salotto/text.h"

#include "seen.h"

#include <assert.h>
#include <string.h>

void sal_text_init(struct sal_text *t, char *buffer, size_t size) {
  assert(size > 0);
  t->at = buffer;
  t->size = size;
  sal_text_clear(t);
}

void sal_text_clear(struct sal_text *t) {
  t->len = 0;
  t->lost = 0;
  t->at[0] = '\0';
}

void sal_text_addn(struct sal_text *t, const char *s, size_t n) {
  const size_t room = t->size - 1 - t->len;
  const size_t fits = n < room ? n : room;
  char *at = t->at + t->len;
  t->len += fits;
  t->lost += n - fits;
  at[fits] = '\0';
  memcpy(at, s, fits);
}

void sal_text_add(struct sal_text *t, const char *s) {
  sal_text_addn(t, s, strlen(s));
}

static inline void put(struct sal_text *t, char c) {
  if (t->size - 1 - t->len == 0) {
    t->lost++;
    return;
  }
  t->at[t->len++] = c;
  t->at[t->len] = '\0';
}

void sal_text_char(struct sal_text *t, char c) { put(t, c); }

void sal_text_clip(struct sal_text *t, const char *s, size_t n) {
  size_t len = strnlen(s, n + 1);
  if (len > n) {
    len = n;
    while (len > 0 && ((unsigned char)s[len] & 0xC0) == 0x80)
      len--;
  }
  sal_text_addn(t, s, len);
}

void sal_text_int(struct sal_text *t, int64_t value) {
  if (value >= 0 && value < 10) {
    put(t, (char)('0' + value));
    return;
  }
  char digits[24];
  size_t i = sizeof digits;
  uint64_t u = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  do
    digits[--i] = (char)('0' + u % 10);
  while ((u /= 10) > 0);
  if (value < 0)
    digits[--i] = '-';
  sal_text_addn(t, digits + i, sizeof digits - i);
}

void sal_text_hex(struct sal_text *t, const uint8_t *bytes, size_t n) {
  for (size_t i = 0; i < n; i++) {
    put(t, "0123456789abcdef"[bytes[i] >> 4]);
    put(t, "0123456789abcdef"[bytes[i] & 15]);
  }
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

bool sal_hex_read(const char *s, uint8_t *bytes, size_t n) {
  for (size_t i = 0; i < 2 * n; i++)
    if (hex_digit(s[i]) < 0)
      return false;
  if (s[2 * n] != '\0')
    return false;
  for (size_t i = 0; i < n; i++)
    bytes[i] = (uint8_t)(hex_digit(s[2 * i]) * 16 + hex_digit(s[2 * i + 1]));
  return true;
}

const char *sal_number_read(const char *s, int32_t *value) {
  int32_t v = 0;
  size_t n = 0;
  for (; s[n] >= '0' && s[n] <= '9'; n++) {
    if (n == 9 || (n == 1 && s[0] == '0'))
      return NULL;
    v = v * 10 + (s[n] - '0');
  }
  if (n == 0)
    return NULL;
  *value = v;
  return s + n;
}

const char *sal_skip(const char *s, const char *word) {
  const size_t n = strlen(word);
  return strncmp(s, word, n) == 0 ? s + n : NULL;
}

/* ---- JSON --------------------------------------------------------------- */

void sal_json_init(struct sal_json *j, struct sal_text *out) {
  j->out = out;
  j->more = 0;
  j->depth = 0;
}

/* What stands in JSON as it is: not controls, quotes (0x22), backslashes
 * (0x5c). */
static const bool plain[256] = {
    [0x20 ... 0x21] = true, [0x23 ... 0x5b] = true, [0x5d ... 0xff] = true};

static void escaped(struct sal_text *t, const char *s) {
  put(t, '"');
  for (; *s; s++) {
    const unsigned char c = (unsigned char)*s;
    if (c < 0x20) {
      sal_text_add(t, "\\u00");
      sal_text_hex(t, &c, 1);
      continue;
    }
    if (!plain[c])
      put(t, '\\');
    put(t, (char)c);
  }
  put(t, '"');
}

/* Nearly everything is short and plain and fits: copied and looked at in one
 * go, byte by byte, which for a few bytes is the fastest way. */
void sal_json_quote(struct sal_text *t, const char *s) {
  if (t->size - t->len < sizeof "\"\"") {
    escaped(t, s);
    return;
  }
  char *at = t->at + t->len, *const end = t->at + t->size - 2;
  const char *from = s;
  *at++ = '"';
  while (at < end && plain[(unsigned char)*s])
    *at++ = *s++;
  if (*s) { /* something special, or too long */
    escaped(t, from);
    return;
  }
  *at++ = '"';
  *at = '\0';
  t->len = (size_t)(at - t->at);
}

void sal_json_before(struct sal_json *j, const char *key, size_t n) {
  struct sal_text *t = j->out;
  const bool comma = j->more >> j->depth & 1;
  j->more |= 1u << j->depth;
  if (!key) {
    if (comma)
      put(t, ',');
    return;
  }
  if (t->size - t->len < n + sizeof ",\"\":") {
    sal_text_addn(t, &",\""[!comma], 1 + comma);
    sal_text_addn(t, key, n);
    sal_text_addn(t, "\":", 2);
    return;
  }
  char *at = t->at + t->len;
  t->len += n + comma + 3;
  *at = ',';
  at += comma;
  *at++ = '"';
  at[n] = '"';
  at[n + 1] = ':';
  at[n + 2] = '\0';
  memcpy(at, key, n);
}

void sal_json_begin(struct sal_json *j, char opening) {
  put(j->out, opening);
  assert(j->depth < 31);
  j->depth++;
  j->more &= ~(1u << j->depth);
}

void sal_json_end(struct sal_json *j, char closing) {
  assert(j->depth > 0);
  j->depth--;
  put(j->out, closing);
}

/* ---- Sentences ---------------------------------------------------------- */

static const char *plain_text(const struct sal_words *w, const char *msgid) {
  (void)w;
  sal_seen(msgid);
  return msgid;
}

static const char *plain_plural(const struct sal_words *w, const char *one,
                                const char *many, unsigned long n) {
  (void)w;
  sal_seen(one);
  return n == 1 ? one : many;
}

static void plain_seat(const struct sal_words *w, int seat,
                       struct sal_text *out) {
  (void)w;
  sal_text_add(out, "Seat ");
  sal_text_int(out, seat);
}

const struct sal_words sal_words_plain = {plain_text, plain_plural, plain_seat};

static void fill_place(struct sal_text *out, const struct sal_words *w,
                       const char *key, size_t key_len,
                       const struct sal_place *places, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const struct sal_place *p = &places[i];
    if (strlen(p->key) != key_len || memcmp(p->key, key, key_len) != 0)
      continue;
    switch (p->kind) {
    case SAL_PLACE_TEXT: sal_text_add(out, p->text); return;
    case SAL_PLACE_WORD: sal_text_add(out, w->text(w, p->text)); return;
    case SAL_PLACE_NUMBER: sal_text_int(out, p->number); return;
    case SAL_PLACE_SEAT: w->seat(w, (int)p->number, out); return;
    }
  }
  /* An unknown place stays as it is, so that a slip in a catalogue shows. */
  put(out, '{');
  sal_text_addn(out, key, key_len);
  put(out, '}');
}

static void fill_sentence(struct sal_text *out, const struct sal_words *w,
                          bool you, const char *template,
                          const struct sal_place *places, size_t count) {
  enum { ALWAYS, FIRST_FORM, SECOND_FORM } part = ALWAYS;
  for (const char *s = template; *s; s++) {
    const bool speak = part == ALWAYS || (part == FIRST_FORM) == you;
    const char *close;
    if (part == ALWAYS && *s == '[') {
      part = FIRST_FORM;
    } else if (part == FIRST_FORM && *s == '|') {
      part = SECOND_FORM;
    } else if (part == SECOND_FORM && *s == ']') {
      part = ALWAYS;
    } else if (*s == '{' && (close = strchr(s, '}')) != NULL) {
      if (speak)
        fill_place(out, w, s + 1, (size_t)(close - s - 1), places, count);
      s = close;
    } else if (speak) {
      put(out, *s);
    }
  }
}

void sal_say(struct sal_text *out, const struct sal_words *w, bool you,
             const char *msgid, const struct sal_place *places, size_t count) {
  fill_sentence(out, w, you, w->text(w, msgid), places, count);
}

void sal_say_n(struct sal_text *out, const struct sal_words *w, bool you,
               const char *one, const char *many, unsigned long n,
               const struct sal_place *places, size_t count) {
  fill_sentence(out, w, you, w->plural(w, one, many, n), places, count);
}
