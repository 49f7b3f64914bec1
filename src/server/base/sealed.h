/* An authenticated and encrypted connection (a line) between two servers of one
 * store. Its messages (letters) are sealed with a secret that only those who can
 * read the store know.
 *
 * One calls, the other answers. Each says a random number, and the key of the line is
 * made of both and of the secret; every letter has its number. So nothing that was
 * heard on one line opens or passes for anything on another, and nothing passes
 * twice. The caller first proves that it knows the secret and runs the very same
 * program, for the letters are bytes of structs. */
#ifndef SAL_SERVER_SEALED_H
#define SAL_SERVER_SEALED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Texts of hexadecimal digits, without the zero at their end. */
enum { SEALED_SECRET = 64, SEALED_RANDOM = 32, SEALED_PROOF = 64 };
enum {
  SEALED_MORE = 16,
  SEALED_KEY = 32
}; /* bytes; a letter grows by so many */

struct sealed_line {
  uint8_t key[SEALED_KEY];
  uint64_t written, read; /* the next numbers: the caller's are even */
};

void sealed_new_secret(char out[SEALED_SECRET + 1]);
void sealed_random(char out[SEALED_RANDOM + 1]);
/* Reads this program's own file, once: before the first proof, and before there are
 * threads. */
void sealed_know_program(void);
/* What a caller with that random number says; false: this program could not be
 * read, or there is no secret. */
bool sealed_proof(const char *secret, const char *random,
                  char out[SEALED_PROOF + 1]);
/* Whether that is what a caller would say; either may be NULL. */
bool sealed_is_proven(const char *secret, const char *random,
                      const char *proof);

void sealed_begin(struct sealed_line *l, const char *secret,
                  const char *callers_random, const char *answers_random,
                  bool calls);
/* `out` has room for `size` + SEALED_MORE. */
void sealed_write(struct sealed_line *l, const void *letter, size_t size,
                  uint8_t *out);
/* `out` has room for `size` - SEALED_MORE; false: it is not the other side's next
 * letter as it was written. */
bool sealed_read(struct sealed_line *l, const uint8_t *in, size_t size,
                 void *out);

#endif
