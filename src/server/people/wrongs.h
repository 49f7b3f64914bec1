/* How much somebody has got wrong lately, by a key; it fades.
 *
 * Main invariant: a key that nothing is known of counts 0, and so does one whose
 * figure has faded away; so the memory follows what is being tried, and nobody
 * can be told apart by being in it. */
#ifndef SAL_SERVER_WRONGS_H
#define SAL_SERVER_WRONGS_H

#include <stdint.h>

enum { WRONGS_KEY = 16 };

struct wrongs;

/* `fading`: how many are forgotten in a second. NULL: no memory. */
struct wrongs *wrongs_new(double fading);
void wrongs_free(struct wrongs *w);

/* `now` in milliseconds. */
double wrongs_of(struct wrongs *w, const uint8_t key[WRONGS_KEY], uint64_t now);
void wrongs_add(struct wrongs *w, const uint8_t key[WRONGS_KEY], uint64_t now);
/* Once in a while: gives back what has faded. */
void wrongs_sweep(struct wrongs *w, uint64_t now);

#endif
