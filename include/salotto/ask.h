/* Asking bots at a table: for whoever has a table and wants an answer, all
 * chances, or the worlds that a seat may believe in. The bot gets the seat's
 * view, its choices and what it remembers of the deal, never more.
 *
 * The table is only looked at. Each returns 0, or why not: the seat is not asked,
 * the game is over, there is no such seat, memory is short. `why` may be NULL.
 *
 * Threads: a table is used by one thread at a time, also here.
 * Memory: what is written is the caller's, who also owns the table. */
#ifndef SALOTTO_ASK_H
#define SALOTTO_ASK_H

#include "salotto/bot.h"
#include "salotto/error.h"
#include "salotto/table.h"

SAL_BEGIN

/* What the bot does, with its reasons. The seat may then play `out->action`. */
SAL_API int sal_table_ask(const sal_table *t, int seat,
                          const struct sal_bot *bot,
                          const struct sal_budget *budget, struct sal_rng *rng,
                          struct sal_thought *out, struct sal_refusal *why);

/* How likely the bot does each of the seat's choices, and what they are worth
 * to it, in the order of sal_table_choices. out->chance and out->value have
 * room for as many. */
SAL_API int sal_table_policy(const sal_table *t, int seat,
                             const struct sal_bot *bot,
                             const struct sal_budget *budget,
                             struct sal_rng *rng, struct sal_policy *out,
                             struct sal_refusal *why);

/* Worlds that the seat may believe in, with weights that add up to 1: see
 * sal_worlds. *count is how much room there is, and then how many there are. */
SAL_API int sal_table_worlds(const sal_table *t, int seat, struct sal_rng *rng,
                             union sal_state_box *world, double *weight,
                             size_t *count, struct sal_refusal *why);

SAL_END

#endif
