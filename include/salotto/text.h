/* Text without stdio or allocation: a bounded buffer, a JSON writer on top of
 * it, and sentences with named places that can be translated.
 *
 * Main invariant: a `sal_text` is always NUL-terminated and never written past
 * its size; what did not fit is counted in `lost`.
 *
 * Threads: one at a time on a text or writer; different ones at once.
 * Memory: nothing is allocated; the caller's array holds the text. */
#ifndef SALOTTO_TEXT_H
#define SALOTTO_TEXT_H

#include "salotto/api.h"

SAL_BEGIN

struct sal_text {
  char *at;
  size_t size; /* of the buffer, NUL included */
  size_t len;
  size_t lost; /* characters that did not fit */
};

SAL_API void sal_text_init(struct sal_text *t, char *buffer, size_t size);
SAL_API void sal_text_clear(struct sal_text *t);
SAL_API void sal_text_char(struct sal_text *t, char c);
SAL_API void sal_text_add(struct sal_text *t, const char *s);
SAL_API void sal_text_addn(struct sal_text *t, const char *s, size_t n);
/* At most n bytes of a text from outside, never half a character. */
SAL_API void sal_text_clip(struct sal_text *t, const char *s, size_t n);
SAL_API void sal_text_int(struct sal_text *t, int64_t value);
SAL_API void sal_text_hex(struct sal_text *t, const uint8_t *bytes, size_t n);

/* Reads n bytes from 2n hex digits; false (and nothing written) if `s` is
 * anything else. */
SAL_API bool sal_hex_read(const char *s, uint8_t *bytes, size_t n);

/* Reads a whole number as actions write it: digits without sign or leading
 * zero, at most nine. Returns the first character after it, or NULL. */
SAL_API const char *sal_number_read(const char *s, int32_t *value);

/* If `s` starts with `word`, the rest of `s`; else NULL. */
SAL_API const char *sal_skip(const char *s, const char *word);

/* ---- JSON: objects and lists nest up to 32 deep ------------------------- */

struct sal_json {
  struct sal_text *out;
  uint32_t more; /* bit d: something stands already at depth d */
  unsigned depth;
};

SAL_API void sal_json_init(struct sal_json *j, struct sal_text *out);

/* The parts of what follows: the comma and the key before a value, an opening
 * bracket, a text with its quotes. */
SAL_API void sal_json_before(struct sal_json *j, const char *key, size_t n);
SAL_API void sal_json_begin(struct sal_json *j, char opening);
SAL_API void sal_json_quote(struct sal_text *t, const char *s);

/* Each takes the key inside an object, NULL inside a list or at the top. Keys
 * are names, with nothing in them to be escaped; nearly all are constants, whose
 * length the compiler knows. */
static inline void sal_json_key(struct sal_json *j, const char *key) {
  sal_json_before(j, key, key ? __builtin_strlen(key) : 0);
}
static inline void sal_json_object(struct sal_json *j, const char *key) {
  sal_json_key(j, key);
  sal_json_begin(j, '{');
}
static inline void sal_json_list(struct sal_json *j, const char *key) {
  sal_json_key(j, key);
  sal_json_begin(j, '[');
}
SAL_API void sal_json_end(struct sal_json *j, char closing); /* '}' or ']' */
static inline void sal_json_int(struct sal_json *j, const char *key,
                                int64_t value) {
  sal_json_key(j, key);
  sal_text_int(j->out, value);
}
static inline void sal_json_string(struct sal_json *j, const char *key,
                                   const char *value) {
  sal_json_key(j, key);
  sal_json_quote(j->out, value);
}
/* Text that is JSON already. */
static inline void sal_json_raw(struct sal_json *j, const char *key,
                                const char *json) {
  sal_json_key(j, key);
  sal_text_add(j->out, json);
}
static inline void sal_json_bool(struct sal_json *j, const char *key,
                                 bool value) {
  sal_json_raw(j, key, value ? "true" : "false");
}
static inline void sal_json_null(struct sal_json *j, const char *key) {
  sal_json_raw(j, key, "null");
}
/* A list of the numbers of the bits that are set: of seats, say. */
static inline void sal_json_bits(struct sal_json *j, const char *key,
                                 unsigned mask) {
  sal_json_list(j, key);
  for (; mask; mask &= mask - 1)
    sal_json_int(j, NULL, __builtin_ctz(mask));
  sal_json_end(j, ']');
}

/* ---- Sentences ---------------------------------------------------------- */

/* Where words come from. A front end supplies it: the terminal through
 * gettext, tests and the referee with sal_words_plain (English). */
struct sal_words {
  const char *(*text)(const struct sal_words *w, const char *msgid);
  const char *(*plural)(const struct sal_words *w, const char *one,
                        const char *many, unsigned long n);
  /* The name of a seat in a sentence, e.g. "Anna". */
  void (*seat)(const struct sal_words *w, int seat, struct sal_text *out);
};

SAL_API extern const struct sal_words sal_words_plain;

/* A place in a sentence: `{key}` becomes the text, translated where it is a
 * message (`word`), the number, or the name of the seat. */
enum sal_place_kind {
  SAL_PLACE_TEXT,
  SAL_PLACE_WORD,
  SAL_PLACE_NUMBER,
  SAL_PLACE_SEAT
};

struct sal_place {
  const char *key;
  enum sal_place_kind kind;
  const char *text;
  int64_t number;
};

/* Appends the translation of `msgid` with its places filled in.
 * `[You take|{seat} takes]` chooses the first form when `you` is true. */
SAL_API void sal_say(struct sal_text *out, const struct sal_words *w, bool you,
                     const char *msgid, const struct sal_place *places,
                     size_t count);
/* The same for a message with a singular and a plural. */
SAL_API void sal_say_n(struct sal_text *out, const struct sal_words *w,
                       bool you, const char *one, const char *many,
                       unsigned long n, const struct sal_place *places,
                       size_t count);

SAL_END

#endif
