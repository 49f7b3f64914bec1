/* A room in words, for people: how its seats are called, and what is refused, in
 * the language of who listens. What happened is said by `sal_table_tell`. */
#ifndef SAL_SERVER_TRANSLATE_H
#define SAL_SERVER_TRANSLATE_H

#include "room.h"
#include "base/options.h"

/* How the seats of a room are called in a language. */
struct translator {
  struct sal_speaker speaker;
  char names[SAL_SEATS_MAX][STORE_NAME_MAX + 16];
  const char *name[SAL_SEATS_MAX];
};

void translator_init(struct translator *s,
                     const struct sal_catalogue *catalogue,
                     const struct room *r);

/* A refusal in that language. `r` may be NULL: it was about no table. */
void translate_refusal(const struct sal_catalogue *catalogue,
                       const struct room *r, const struct sal_refusal *why,
                       struct sal_text *out);

#endif
