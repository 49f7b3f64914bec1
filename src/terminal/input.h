/* What a person types, understood as one of the legal actions. */
#ifndef SAL_TERMINAL_INPUT_H
#define SAL_TERMINAL_INPUT_H

#include "salotto/game.h"

enum input_kind {
  INPUT_ACTION,
  INPUT_UNKNOWN,
  INPUT_AMBIGUOUS,
  INPUT_NO_CHOICE
};

struct input {
  enum input_kind kind;
  char action[SAL_ACTION_TEXT_MAX]; /* INPUT_ACTION: in the notation; else what
                                       may have been meant, or "" */
};

/* `legal` are the actions of the seat in the notation; `g` may be NULL if the
 * game is not known. In any case of letters: the notation; a
 * unique beginning of it; a card or word that only one action has; "#5", the
 * fifth choice; and a bare number: the amount, where some action is an amount,
 * else the choice. An action in the notation that is not legal is given back as
 * it is, so that the table can say which rule forbids it. */
struct input input_read(const struct sal_game *g, const char *const *legal,
                        size_t count, const char *line);

#endif
