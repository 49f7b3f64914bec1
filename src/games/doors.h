/* Doors from inside: the state, what a seat sees of it, and how actions are
 * coded. doors.c has the rules; bots and reviews read their view by this. */
#ifndef SAL_GAMES_DOORS_H
#define SAL_GAMES_DOORS_H

#include "cards.h"

enum { TURNS = 5, OFFER = 4, SET = 4 };
/* What ends of a round pay. src/solve/doors/tokens.h has a copy on purpose: the
 * solver is held against this game. */
enum {
  PAY_SET = 6,
  PAY_WRONG = 4,
  PAY_TRAIT = 1,
  PAY_BOTH = 5,
  PAY_GUESSER_SET = 2,
  PAY_DECK_OUT = 3
};

/* doors.win, doors.variant.goal, doors.variant.three: how many tokens win, and
 * what a round pays if it always pays the same. In the order of the option. */
enum { USUAL_GOAL = 10 };
enum goal { TO_10, TO_5, TO_15, BEST_OF_THREE };
static const struct {
  uint8_t tokens, pay;
} goals[] = {{USUAL_GOAL, 0}, {5, 0}, {15, 0}, {2, 1}};
enum { MOST_TOKENS = 15 - 1 + PAY_SET };

/* Chance phases first: `phase <= REFILL_DISCARD` is chance. */
enum phase {
  LOT,
  IDENTITY,
  DEAL_OFFER,
  REFILL_TAKE,
  REFILL_DISCARD,
  TAKE,
  CLAIM,
  DISCARD,
  GUESS,
  OVER
};

struct doors {
  hand deck, offer, collection;
  uint8_t discards[TURNS];
  uint8_t discarded;
  uint8_t identity[2]; /* NO_CARD until dealt; HIDDEN_CARD in a view */
  uint8_t last[2];     /* of the round before; NO_CARD in the first */
  uint8_t tokens[2];
  uint8_t first, collector;
  uint8_t phase, turn, round;
  uint8_t goal;   /* which of `goals` */
  uint8_t memory; /* an option; 0: the cards in the deck are listed */
};

static inline unsigned wins_at(const struct doors *s) {
  return goals[s->goal].tokens;
}

/* The tokens that leave as many to win in a game to 10; below 0 at the start of
 * a game to 15. A best of three pays otherwise: there the number means nothing,
 * and is far below. */
static inline int tokens_to_10(const struct doors *s, int seat) {
  return s->tokens[seat] +
         (s->goal == BEST_OF_THREE ? -10 : 10 - (int)wins_at(s));
}

struct view {
  struct doors s;
  int64_t viewer; /* as wide as it is aligned: views have no padding */
};

/* An action is its verb and, in the low four bits, a card or a guess. */
enum {
  DRAW = 1 << 4,
  TAKES = 2 << 4,
  DISCARDS = 3 << 4,
  GUESSES = 4 << 4,
  CLAIMS = 5 << 4,
  ENDS = 6 << 4,
  BEGINS = 7 << 4
};
static inline sal_action verb_of(sal_action a) { return a & ~(sal_action)15; }
static inline unsigned number_of(sal_action a) { return a & 15; }

/* A guess: red, blue, lady, tiger, then the four identities in their order. */
enum { GUESS_COUNT = 8, GUESS_IDENTITY = 4 };

static inline const struct view *as_view(const sal_view *v) {
  return (const struct view *)v;
}

#endif
