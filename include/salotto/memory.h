/* Keeping a seat's memory: for those who run a game and ask bots. This side
 * knows the state; the memory it writes holds only what the seat saw.
 *
 * Threads: one at a time on a memory; different memories at once.
 * Memory: nothing is allocated; a memory is the caller's, and copying is
 * assignment. */
#ifndef SALOTTO_MEMORY_H
#define SALOTTO_MEMORY_H

#include "salotto/api.h"
#include "salotto/bot.h"
#include "salotto/game.h"
#include "salotto/table.h"

SAL_BEGIN

/* Forgets everything, at the start of a game. */
SAL_API void sal_memory_clear(struct sal_memory *m);

/* Notes a step that was played, from the state after it. `hidden` says that
 * the seat did not see which action or outcome it was. */
SAL_API void sal_memory_note(struct sal_memory *m, const struct sal_game *g,
                             int viewer, const sal_state *after, int seat,
                             sal_action action, bool hidden);

/* Applies a step and tells, as a mask of seats, who did not see which it was.
 * The same as `apply`, for callers that keep memories. */
SAL_API unsigned sal_memory_apply(const struct sal_game *g, sal_state *s,
                                  int seat, sal_action action);

/* What a seat at a table remembers. */
SAL_API void sal_table_memory(const sal_table *t, int seat,
                              struct sal_memory *m);

SAL_END

#endif
