/* Names, by ICU's normalizer and its spoof checker (UTS #39). */
#include "names.h"
#include "base/hash.h"

#include "salotto/text.h"

#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uspoof.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>

enum { UNITS = 512, MARKS_IN_A_ROW = 2, BRAILLE_BLANK = 0x2800 };

static USpoofChecker *checker;
static uint8_t hash_key[crypto_shorthash_KEYBYTES];

static void open_checker(void) {
  UErrorCode status = U_ZERO_ERROR;
  crypto_shorthash_keygen(hash_key);
  checker = uspoof_open(&status);
  if (U_FAILURE(status))
    checker = NULL;
}

/* It is made once, and may then be asked by any number of threads. */
static const USpoofChecker *spoof_checker(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_checker);
  return checker;
}

/* ---- Clean names ---------------------------------------------------------- */

static bool is_selector(UChar32 c) { return c >= 0xfe00 && c <= 0xfe0f; }

static bool is_mark(UChar32 c) { return (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0; }

/* Shows nothing, or changes how its neighbours are shown. */
static bool is_hidden(UChar32 c) {
  return u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) ||
         u_hasBinaryProperty(c, UCHAR_BIDI_CONTROL) || c == BRAILLE_BLANK ||
         (U_GET_GC_MASK(c) & (U_GC_C_MASK | U_GC_ZL_MASK | U_GC_ZP_MASK)) != 0;
}

/* The text in NFKC without variation selectors; -1 if it is too long or not
 * text. */
static int32_t normalized(const char *text, UChar out[UNITS]) {
  UErrorCode status = U_ZERO_ERROR;
  UChar raw[UNITS];
  int32_t length = 0, kept = 0;
  u_strFromUTF8(raw, UNITS, &length, text, -1, &status);
  if (U_FAILURE(status))
    return -1;
  for (int32_t i = 0; i < length; i++)
    if (!is_selector(raw[i]))
      raw[kept++] = raw[i];
  const UNormalizer2 *nfkc = unorm2_getNFKCInstance(&status);
  length = unorm2_normalize(nfkc, raw, kept, out, UNITS, &status);
  return U_FAILURE(status) ? -1 : length;
}

static UChar32 char_at(const UChar *text, int32_t length, int32_t i) {
  return U16_IS_LEAD(text[i]) && i + 1 < length
             ? (UChar32)U16_GET_SUPPLEMENTARY(text[i], text[i + 1])
             : text[i];
}

/* Copies the name with single blanks; NULL, or what is wrong with it. */
static const char *tidy(const UChar *name, int32_t length, UChar *out,
                        int32_t *count) {
  int chars = 0, marks = 0;
  bool blank = false, shows = false;
  *count = 0;
  for (int32_t i = 0; i < length;) {
    const UChar32 c = char_at(name, length, i);
    i += U16_LENGTH(c);
    if (u_isUWhiteSpace(c) && !u_iscntrl(c)) {
      blank = *count > 0;
      continue;
    }
    if (is_hidden(c))
      return N_("A name cannot have invisible characters.");
    marks = is_mark(c) ? marks + 1 : 0;
    if (marks > MARKS_IN_A_ROW || (marks && (blank || *count == 0)))
      return N_("A name cannot have so many accents in one place.");
    shows |= u_isalnum(c) || u_charType(c) == U_OTHER_SYMBOL;
    chars += 1 + blank;
    if (chars > NAME_CHARS)
      return N_("A name has at most 24 characters.");
    if (blank)
      out[(*count)++] = ' ';
    blank = false;
    U16_APPEND_UNSAFE(out, *count, c);
  }
  return shows ? NULL : N_("A name needs a letter or a digit.");
}

bool name_clean(const char *text, char out[NAME_SIZE], const char **problem) {
  UChar wide[UNITS], tidied[UNITS];
  UErrorCode status = U_ZERO_ERROR;
  int32_t count;
  const int32_t length = normalized(text, wide);
  *problem = length < 0 ? N_("A name has at most 24 characters.")
                        : tidy(wide, length, tidied, &count);
  if (!*problem)
    u_strToUTF8(out, NAME_SIZE, NULL, tidied, count, &status);
  return !*problem && U_SUCCESS(status);
}

/* ---- Looks ---------------------------------------------------------------- */

static int32_t folded(const UChar *in, int32_t length, UChar *out,
                      UErrorCode *status) {
  return u_strFoldCase(out, UNITS, in, length, U_FOLD_CASE_DEFAULT, status);
}

static int32_t skeleton(const UChar *in, int32_t length, UChar *out,
                        UErrorCode *status) {
  return uspoof_getSkeleton(spoof_checker(), 0, in, length, out, UNITS, status);
}

static uint64_t hashed(const UChar *text, int32_t length) {
  uint64_t hash;
  crypto_shorthash((uint8_t *)&hash, (const uint8_t *)text,
                   (size_t)length * sizeof *text, hash_key);
  return hash;
}

/* Capitals look like other characters than their small letters do (I like l),
 * so both ways round are looks of the name. */
bool name_looks(const char *name, struct name_looks *out) {
  UChar wide[UNITS], a[UNITS], b[UNITS];
  UErrorCode status = U_ZERO_ERROR;
  int32_t length = 0, n;
  if (!spoof_checker())
    return false;
  u_strFromUTF8(wide, UNITS, &length, name, -1, &status);
  n = skeleton(wide, length, a, &status);
  n = folded(a, n, b, &status);
  if (U_SUCCESS(status))
    out->look[0] = hashed(b, n);
  n = folded(wide, length, a, &status);
  n = skeleton(a, n, b, &status);
  n = folded(b, n, a, &status);
  if (U_SUCCESS(status))
    out->look[1] = hashed(a, n);
  return U_SUCCESS(status);
}

bool name_alike(const struct name_looks *a, const struct name_looks *b) {
  for (int i = 0; i < 2; i++)
    if (a->look[i] == b->look[0] || a->look[i] == b->look[1])
      return true;
  return false;
}

/* ---- The looks of accounts ------------------------------------------------- */

struct kept {
  struct hash_link link;
  uint64_t look;
  int64_t person;
  int times;
};

struct looks {
  struct hash_table table;
};

struct looks *looks_new(void) {
  struct looks *l = calloc(1, sizeof *l);
  if (l)
    hash_init(&l->table, offsetof(struct kept, look), sizeof(uint64_t));
  return l;
}

void looks_free(struct looks *l) {
  if (l)
    hash_free(&l->table, NULL);
  free(l);
}

static struct kept *add_look(struct looks *l, int64_t person, uint64_t look) {
  struct kept *new = calloc(1, sizeof *new);
  if (!new)
    return NULL;
  new->look = look;
  new->person = person;
  if (hash_add(&l->table, new))
    return new;
  free(new);
  return NULL;
}

static bool keep_look(struct looks *l, int64_t person, uint64_t look) {
  struct kept *it = hash_find(&l->table, &look);
  if (!it)
    it = add_look(l, person, look);
  if (!it || it->person != person)
    return false;
  it->times++;
  return true;
}

static void drop_look(struct looks *l, int64_t person, uint64_t look) {
  struct kept *it = hash_find(&l->table, &look);
  if (!it || it->person != person || --it->times > 0)
    return;
  hash_remove(&l->table, it);
  free(it);
}

bool looks_take(struct looks *l, int64_t person, const char *name) {
  struct name_looks n;
  if (!name_looks(name, &n) || !keep_look(l, person, n.look[0]))
    return false;
  if (keep_look(l, person, n.look[1]))
    return true;
  drop_look(l, person, n.look[0]);
  return false;
}

void looks_drop(struct looks *l, int64_t person, const char *name) {
  struct name_looks n;
  if (!name_looks(name, &n))
    return;
  drop_look(l, person, n.look[0]);
  drop_look(l, person, n.look[1]);
}

int64_t looks_owner(const struct looks *l, const struct name_looks *n) {
  for (int i = 0; i < 2; i++) {
    const struct kept *k = hash_find(&l->table, &n->look[i]);
    if (k)
      return k->person;
  }
  return 0;
}
