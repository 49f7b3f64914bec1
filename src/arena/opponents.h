/* Opponents of the gauntlet: bots of different kinds, with weaknesses and
 * strengths of their own, that only the arena offers. */
#ifndef SAL_ARENA_OPPONENTS_H
#define SAL_ARENA_OPPONENTS_H

#include "salotto/bot.h"

/* Ends with NULL. */
extern const struct sal_bot *const arena_opponents[];

/* One of ours or an opponent; NULL: there is none of that name. */
const struct sal_bot *opponent_find(const char *id);
/* Whether an opponent knows the game, for so many players. */
bool opponent_plays(const struct sal_bot *bot, const struct sal_game *g,
                    int players);

/* Whom the reader reads from now on; not to be changed while games are played.
 * It asks the bot's policy in every world it thinks possible. */
void reader_study(const struct sal_bot *bot, const struct sal_budget *budget);

#endif
