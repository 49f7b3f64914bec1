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

/* Whom the reader and the learner take the others for from now on; not to be
 * changed while games are played. The reader asks that bot's policy in every
 * world it thinks possible. NULL: for nobody they know. */
void reader_study(const struct sal_bot *bot, const struct sal_budget *budget);
/* Whether an opponent is one of these. */
bool opponent_studies(const struct sal_bot *bot);

/* The learner's picture of the level it sits among. */
struct picture {
  double faith; /* how far worlds are weighed by what a regular would have done:
                   0 (not at all) to 1 */
  double sharp; /* its habits, to this power: 0 (it does anything) upwards */
  double risk, deceit, spending; /* what it likes (`struct traits`) */
};
enum { PICTURE_NUMBERS = 5 };
/* Tries a picture instead of what was learnt; NULL: no longer. */
void learner_try(const struct picture *p);

#endif
