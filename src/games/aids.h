/* The option that every game has: whether the table lists what attentive players
 * could remember or count. Value 0 is on. The rules do not change with it. */
#ifndef SAL_GAMES_AIDS_H
#define SAL_GAMES_AIDS_H

#include "salotto/game.h"

static const char *const memory_words[] = {"on", "off", NULL};
static const char *const memory_says[] = {N_("shown"), N_("hidden (variant)"),
                                          NULL};

#endif
