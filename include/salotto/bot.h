/* Bots see what their seat sees. No state crosses this interface: a bot gets a
 * view and may build worlds from it with the game's `resample`. */
#ifndef SALOTTO_BOT_H
#define SALOTTO_BOT_H

#include "salotto/api.h"
#include "salotto/game.h"

SAL_BEGIN

struct sal_question {
  const struct sal_game *game;
  const sal_view *view;
  int seat;
  const sal_action *legal; /* at least one */
  size_t count;
};

struct sal_bot {
  const char *id;
  const char *title; /* marked for translation */
  /* One of the question's actions. */
  sal_action (*choose)(const struct sal_question *q, struct sal_rng *rng);
};

/* Ends with NULL. */
SAL_API extern const struct sal_bot *const sal_bots[];
SAL_API const struct sal_bot *sal_bot_find(const char *id);

SAL_END

#endif
