/* Inside the table layer: how a table reads its deals. */
#ifndef SAL_TABLE_DEALS_H
#define SAL_TABLE_DEALS_H

#include "salotto/buffer.h"
#include "salotto/table.h"

/* What is refused from now on is said in these words, not in English. */
void deals_use_words(struct sal_deals *d, const struct sal_words *words);
/* sal_deals_check that says which list, in the order they were opened. */
int deals_check(const struct sal_deals *d, size_t *list,
                struct sal_refusal *why);
/* Takes the cards that the deal has fixed for this draw: the index of the
 * outcome, or -1 if the seed is to draw. Remembers what it has used. */
int deals_take(struct sal_deals *d, const struct sal_chance *c);
/* Lowers the weights of a draw by the cards that the deal keeps for later
 * draws from the same pile. */
void deals_reserve(const struct sal_deals *d, struct sal_chance *c);
/* Forgets what was used, to play the game again from the start. */
void deals_rewind(struct sal_deals *d);
/* Writes the deals as lines of a record. */
void deals_record(const struct sal_deals *d, struct sal_buffer *out);

/* The index of the outcome that is written like this, or -1. */
int outcome_named(const struct sal_game *g, const struct sal_chance *c,
                  const char *name);

#endif
