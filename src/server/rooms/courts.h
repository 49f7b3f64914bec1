/* Courts of Louis XIV that tables may be played with, by their ids: a file that
 * somebody has handed in, and that the store has.
 *
 * Main invariant: an id stands for the same court for as long as the program
 * runs, and in every store: it is a hash of the court as the engine writes it.
 * Any thread may ask. */
#ifndef SAL_SERVER_COURTS_H
#define SAL_SERVER_COURTS_H

#include "salotto/game.h"
#include "store/court_store.h"

/* The option that is a court file; -1: the game has none. */
int courts_option(const struct sal_game *g);
/* The id of a court, from its value. */
void courts_id(const struct sal_game *g, int32_t value, char id[COURT_ID + 1]);
/* The value of an id that is known; false: it is not. */
bool courts_find(const char *id, int32_t *value);
/* The store has it: it is known from now on. */
void courts_know(const char *id, int32_t value);
/* One from the store; a `store_court`. What this program cannot read is left
 * out, and so are then the tables that name it. */
int courts_load(void *context, const char *id, const char *text);

#endif
