/* Catalogues: a sorted list of messages and their translations, each with its
 * length and place. Numbers are in the byte order of who wrote the file; only
 * little-endian ones are taken, which is what the build writes. */
#include "salotto/catalogue.h"

#include "seen.h"

#include <string.h>

static uint32_t word_at(const unsigned char *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
         (uint32_t)p[3] << 24;
}

static const char *entry(const struct sal_catalogue *c, uint32_t list,
                         uint32_t i) {
  return (const char *)c->mo + word_at(c->mo + list + 8 * i + 4);
}

/* Whether a list of entries lies inside, each closed by a NUL. */
static bool is_sound(const unsigned char *mo, size_t size, uint32_t list,
                     uint32_t count) {
  if (list > size || count > (size - list) / 8)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t length = word_at(mo + list + 8 * i);
    const uint32_t at = word_at(mo + list + 8 * i + 4);
    if (at >= size || length >= size - at || mo[at + length])
      return false;
  }
  return true;
}

bool sal_catalogue_open(struct sal_catalogue *c, const void *mo, size_t size) {
  const unsigned char *bytes = mo;
  *c = (struct sal_catalogue){0};
  if (size < 28 || word_at(bytes) != 0x950412deu || word_at(bytes + 4) >> 16)
    return false;
  const struct sal_catalogue got = {bytes, word_at(bytes + 8),
                                    word_at(bytes + 12), word_at(bytes + 16)};
  if (!is_sound(bytes, size, got.ids, got.count) ||
      !is_sound(bytes, size, got.texts, got.count) || got.count == 0)
    return false;
  for (uint32_t i = 1; i < got.count; i++)
    if (strcmp(entry(&got, got.ids, i - 1), entry(&got, got.ids, i)) >= 0)
      return false;
  /* The header is the translation of nothing. */
  const char *header = entry(&got, got.texts, 0);
  if (*entry(&got, got.ids, 0) ||
      !strstr(header, "nplurals=2; plural=(n != 1);"))
    return false;
  *c = got;
  return true;
}

static const char *find_message(const struct sal_catalogue *c,
                                const char *msgid) {
  uint32_t low = 0, high = c->mo ? c->count : 0;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const int order = strcmp(msgid, entry(c, c->ids, middle));
    if (order == 0)
      return entry(c, c->texts, middle);
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

const char *sal_catalogue_text(const struct sal_catalogue *c,
                               const char *msgid) {
  sal_seen(msgid);
  const char *found = *msgid ? find_message(c, msgid) : NULL;
  return found ? found : msgid;
}

const char *sal_catalogue_plural(const struct sal_catalogue *c, const char *one,
                                 const char *many, unsigned long n) {
  sal_seen(one);
  /* A message with a plural is filed under its singular; the translations
   * follow each other. */
  const char *found = *one ? find_message(c, one) : NULL;
  if (!found)
    return n == 1 ? one : many;
  return n == 1 ? found : found + strlen(found) + 1;
}

static const char *translate_text(const struct sal_words *w,
                                  const char *msgid) {
  return sal_catalogue_text(((const struct sal_speaker *)w)->catalogue, msgid);
}

static const char *translate_plural(const struct sal_words *w, const char *one,
                                    const char *many, unsigned long n) {
  return sal_catalogue_plural(((const struct sal_speaker *)w)->catalogue, one,
                              many, n);
}

static void translate_seat(const struct sal_words *w, int seat,
                           struct sal_text *out) {
  const struct sal_speaker *s = (const struct sal_speaker *)w;
  if (s->names && s->names[seat])
    sal_text_add(out, s->names[seat]);
  else
    sal_say(out, w, false, N_("Player {number}"),
            &(struct sal_place){"number", SAL_PLACE_NUMBER, NULL, seat + 1}, 1);
}

void sal_speaker_init(struct sal_speaker *s,
                      const struct sal_catalogue *catalogue,
                      const char *const *names) {
  s->words =
      (struct sal_words){translate_text, translate_plural, translate_seat};
  s->catalogue = catalogue;
  s->names = names;
}
