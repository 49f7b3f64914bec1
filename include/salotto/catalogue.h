/* Catalogues of translated messages, as msgfmt writes them (.mo), and words
 * from them. Any number of languages can be spoken in one process at a time,
 * which the C library's gettext cannot, and nothing is read from the disk.
 *
 * Main invariant: a catalogue that `sal_catalogue_open` took is valid as a
 * whole, so looking up cannot fail; a message it does not have is told in
 * English.
 *
 * Threads: any number may read a catalogue at once.
 * Memory: nothing is allocated; the bytes of a catalogue are the caller's and
 * must outlive it, and texts handed out lie in them. */
#ifndef SALOTTO_CATALOGUE_H
#define SALOTTO_CATALOGUE_H

#include "salotto/text.h"

SAL_BEGIN

struct sal_catalogue {
  const unsigned char *mo; /* NULL: English */
  uint32_t count, ids, texts;
};

/* The bytes must stay where they are. False, and a catalogue of English, if
 * they are no catalogue, or one of a language with other plurals than one and
 * many. */
SAL_API bool sal_catalogue_open(struct sal_catalogue *c, const void *mo,
                                size_t size);
/* The translation, or the message itself. The empty message stays empty. */
SAL_API const char *sal_catalogue_text(const struct sal_catalogue *c,
                                       const char *msgid);
SAL_API const char *sal_catalogue_plural(const struct sal_catalogue *c,
                                         const char *one, const char *many,
                                         unsigned long n);

/* Words from a catalogue. A seat is called by its name, or "Player 1", … where
 * `names` or the name is NULL. */
struct sal_speaker {
  struct sal_words words; /* first: it is handed out as this */
  const struct sal_catalogue *catalogue;
  const char *const *names;
};
SAL_API void sal_speaker_init(struct sal_speaker *s,
                              const struct sal_catalogue *catalogue,
                              const char *const *names);

SAL_END

#endif
