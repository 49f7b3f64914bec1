/* Where moves are written first.
 *
 * Most moves by far are of the kind "act". Each in a row of its own, at its
 * game's place, would cost the writer a page for every game in play, and most
 * of its time. So all acts of a transaction make one row of `recent`, whatever
 * their rooms; and when a game is over and nobody waits for the store, its acts
 * together make one row of `chapter`. Other moves go to `move` at once.
 *
 * Main invariants: the view `moves` shows every move once, wherever it lies; a
 * number is given once in each room; what lies in `recent` of this run is known
 * here by its room. All of it belongs to the writer's thread, inside its
 * transactions. */
#ifndef SAL_SERVER_JOURNAL_H
#define SAL_SERVER_JOURNAL_H

#include "store.h"

#include <sqlite3.h>

struct journal;

/* NULL if memory is short. Reads and writes nothing yet. */
struct journal *journal_new(sqlite3 *db);
void journal_free(struct journal *j);

/* Those that give a number give an SQLite code, SQLITE_OK if all went well. */

/* At the beginning of a transaction. If the file was changed by somebody else,
 * or by another run, what lies in `recent` is read again. */
int journal_begin(struct journal *j);
/* SQLITE_CONSTRAINT: the number is taken, and nothing has changed. */
int journal_add(struct journal *j, const struct store_move *m);
/* Before a transaction in which moves were added is committed. */
int journal_end(struct journal *j);
/* Puts the moves of a room in their place. */
int journal_settle(struct journal *j, const char *room);
/* The same some time: when the writer has nothing else to do. */
void journal_settle_later(struct journal *j, const char *room);
bool journal_is_behind(const struct journal *j);
/* Does some of what is due. */
int journal_catch_up(struct journal *j);
/* All of them. */
int journal_settle_all(struct journal *j);
/* The transaction was undone: what was known is not so any more. */
void journal_forget(struct journal *j);

#endif
