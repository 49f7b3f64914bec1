/* What people may call themselves, and which names look alike.
 *
 * Main invariant: of two different accounts no look is the same; so a name that
 * a reader cannot tell from an account's is never given to somebody else. */
#ifndef SAL_SERVER_NAMES_H
#define SAL_SERVER_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A name has at most so many characters, and room for them in UTF-8. */
enum { NAME_CHARS = 24, NAME_SIZE = 4 * NAME_CHARS + 1 };

/* How a name looks, as it stands and without regard to capitals: hashes that
 * mean something to this process alone. */
struct name_looks {
  uint64_t look[2];
};

/* The name in the form in which it is kept: NFKC, single blanks, none at the
 * ends, no variation selectors. False and a sentence if it cannot be a name. */
bool name_clean(const char *text, char out[NAME_SIZE], const char **problem);

/* How a name looks. False only when memory is short. */
bool name_looks(const char *name, struct name_looks *out);
/* Names look alike if any of their looks is the same. */
bool name_alike(const struct name_looks *a, const struct name_looks *b);

/* ---- The looks of accounts ------------------------------------------------- */

struct looks;
struct looks *looks_new(void);
void looks_free(struct looks *l);

/* Keeps what looks like the name for a person. False if somebody else has it, or
 * memory is short; then nothing is kept. A person may keep several names, and
 * the same one several times. */
bool looks_take(struct looks *l, int64_t person, const char *name);
/* Gives up one of those. */
void looks_drop(struct looks *l, int64_t person, const char *name);
/* For whom it is kept; 0: nobody. */
int64_t looks_owner(const struct looks *l, const struct name_looks *n);

#endif
