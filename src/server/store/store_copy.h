/* Moving a server to another database: all that a store holds, copied into
 * another one, whichever kind the two are.
 *
 * Main invariant: the new store holds the same rows, by a hash of all of them that
 * is taken on both sides, or it holds nothing. */
#ifndef SAL_SERVER_STORE_COPY_H
#define SAL_SERVER_STORE_COPY_H

#include "store.h"

enum { COPY_HASH = 32 };

struct store_copied {
  int64_t rows;
  uint8_t hash[COPY_HASH]; /* of all rows, whatever their order */
};

/* Copies what is there now; others may go on with `from`. The store `to` is made
 * if it is not there, and must be empty. 0, or an error with a sentence. */
int store_copy(const char *from, const char *to, struct store_copied *out,
               struct sal_refusal *why);

#endif
