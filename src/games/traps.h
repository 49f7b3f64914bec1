/* Traps from inside: the state, what a seat sees of it, and how actions are
 * coded. traps.c has the rules, traps_words.c tells of positions and events, in
 * facts and in sentences; bots and reviews read their view by this. */
#ifndef SAL_GAMES_TRAPS_H
#define SAL_GAMES_TRAPS_H

#include "cards.h"

enum {
  TOKENS = 25,
  WIN = 5,
  START = 1, /* token of each */
  PAY_TRAP = 1,
  FULL = WIN - 1, /* who has so many is not given the token of an own trap */
  PAY_FAIL = 1,
  PAY_STOP = 1,
  PAY_ALL_FOUR = 2,
  BET_MAX = 99,
  HAND_MAX = 6,
  ROUNDS = DOORS, /* of a deal: each Door is the target once */
  NO_SEAT = 255
};

/* Chance phases first: `phase < PLACE` is chance. */
enum phase { LOT, DEAL, TURN_UP, PLACE, BUILD, BET, REVEAL, GIVE, OVER };

/* The cards that a seat has laid this round, three bits a card and the bottom
 * lowest; above them how many were laid, and how many still lie face down.
 * These are always the lower ones. */
typedef uint32_t pile;
enum { LAID = 1 << 24, DOWN = 1 << 28 };

/* A multiset in half the space of a `hand`: four bits a kind. */
typedef uint32_t tally;

struct traps {
  hand hands[SAL_SEATS_MAX];
  pile piles[SAL_SEATS_MAX];
  tally known[SAL_SEATS_MAX]; /* what earlier rounds of the deal have shown */
  uint32_t doors_left;        /* a hand of Doors fits its lower half */
  uint32_t round;
  uint16_t asked; /* what `to_act` answers */
  uint8_t tokens[SAL_SEATS_MAX];
  uint8_t pot, supply;
  uint8_t players;
  uint8_t began; /* who was first in the first round */
  uint8_t first; /* who is first in this one */
  uint8_t phase;
  uint8_t target;                /* NO_CARD before the first */
  uint8_t passed;                /* mask of seats */
  uint8_t high_bet, high_bettor; /* 0 and NO_SEAT before the first bet */
  uint8_t points;
  uint8_t memory; /* an option; 0: what earlier rounds have shown is listed */
};

struct view {
  struct traps s;
  int64_t viewer;
};

/* An action is its verb and, in the low half, a card, a number or a seat. */
enum verb {
  DRAWS = 1,
  BEGINS,
  PLACES,
  BUILDS,
  BETS,
  PASSES,
  REVEALS,
  STOPS,
  GIVES
};

static inline sal_action act(enum verb verb, unsigned number) {
  return (sal_action)verb << 32 | number;
}
static inline enum verb verb_of(sal_action a) { return (enum verb)(a >> 32); }
static inline unsigned number_of(sal_action a) { return (unsigned)a; }

enum event {
  DEALT = 1,  /* to a seat: its hand */
  ROUND,      /* its first player: number in two halves, target, pot */
  PLACED,     /* by a seat: card */
  BUILT,      /* by a seat: card */
  BET_MADE,   /* by a seat: number */
  PASSED,     /* by a seat */
  REVEALED,   /* by a seat: owner of the pile, card */
  TRAP,       /* the same */
  GIVEN,      /* by a seat: to whom */
  ALL_FOUR,   /* by a seat: tokens paid */
  STOPPED,    /* by a seat */
  BET_MET,    /* by a seat: tokens taken */
  BET_FAILED, /* by a seat: tokens paid */
  ROUND_OVER, /* the highest bettor: reason, tokens earned, pot left */
  GAME_OVER   /* won by a seat */
};

/* Halves of a round's number: a game has no longest, a value has 16 bits. */
enum { HALF = 1 << 15 };

/* Why a round ended. */
enum reason { BY_SUCCESS, BY_POT, BY_CARDS, BY_STOP, BY_ALL_FOUR };

static inline struct traps *as_state(sal_state *s) { return (struct traps *)s; }
static inline const struct traps *as_const_state(const sal_state *s) {
  return (const struct traps *)s;
}
static inline const struct view *as_view(const sal_view *v) {
  return (const struct view *)v;
}

/* ---- Piles and tallies -------------------------------------------------- */

static inline unsigned laid(pile p) { return p >> 24 & 15; }
static inline unsigned down(pile p) { return p >> 28; }
static inline unsigned card_at(pile p, unsigned i) { return p >> 3 * i & 7; }

static inline hand widen(tally t) {
  hand h = 0;
  for (unsigned k = 0; k < KINDS; k++)
    h += one(k) * (t >> 4 * k & 15);
  return h;
}

/* Those who own enough to have won. */
static inline unsigned rich(const struct traps *s) {
  unsigned mask = 0;
  for (int seat = 0; seat < SAL_SEATS_MAX; seat++)
    mask |= (unsigned)(s->tokens[seat] >= WIN) << seat;
  return mask;
}

/* traps_words.c: members of the interface. */
void traps_facts(const sal_view *v, struct sal_json *j);
void traps_event_facts(const struct sal_event *e, struct sal_json *j);
void traps_prompt(const sal_view *v, const struct sal_words *w,
                  struct sal_text *t);
void traps_position(const sal_view *v, const struct sal_words *w,
                    struct sal_text *t);
const char *traps_event_rule(const struct sal_event *e);
void traps_event_say(const struct sal_event *e, int viewer,
                     const struct sal_words *w, struct sal_text *t);
void traps_action_say(const sal_view *v, sal_action a,
                      const struct sal_words *w, struct sal_text *t);

#endif
