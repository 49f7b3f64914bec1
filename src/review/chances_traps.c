/* Traps for two between two rounds: who wins, if both play by habit. */
#include "measure.h"

#include "traps.h"

/* The chance of who is first in the next round, in thousandths, by the own
 * tokens and the other's: from 40,000 games of intermediates. (The expert's
 * table is for stronger players, who come back more often.) */
static const int16_t first_of_two[WIN][WIN] = {{514, 439, 351, 255, 133},
                                               {596, 523, 435, 339, 216},
                                               {715, 625, 534, 405, 302},
                                               {834, 735, 653, 592, 537},
                                               {910, 833, 784, 655, 545}};

void chances_traps(const struct sal_game *g, const sal_state *s, int players,
                   double *out) {
  const struct traps *t = (const struct traps *)s;
  const int first = t->first;
  (void)g;
  (void)players;
  out[first] = first_of_two[t->tokens[first]][t->tokens[!first]] / 1000.0;
  out[!first] = 1 - out[first];
}
