/* How often something has happened lately, by a key; it fades.
 *
 * Main invariant: a key that nothing is known of counts 0, and so does one whose
 * figure has faded away; so the memory follows what is being tried, and nobody
 * can be told apart by being in it. */
#ifndef SAL_SERVER_TALLY_H
#define SAL_SERVER_TALLY_H

#include <stdint.h>

enum { TALLY_KEY = 16 };

struct tally;

/* `fading`: how many are forgotten in a second. NULL: no memory. */
struct tally *tally_new(double fading);
void tally_free(struct tally *w);

/* `now` in milliseconds. */
double tally_of(struct tally *w, const uint8_t key[TALLY_KEY], uint64_t now);
void tally_add(struct tally *w, const uint8_t key[TALLY_KEY], uint64_t now);
/* Once in a while: gives back what has faded. */
void tally_sweep(struct tally *w, uint64_t now);

#endif
