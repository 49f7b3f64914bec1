/* A round of Traps for two as numbers: what a card is worth, what a player can
 * hold and have laid, and what each end of a round pays.
 *
 * Cards count by worth against the target alone: 0 is a trap. Main invariant:
 * everything here is the same for each of the four targets. Piles have up to
 * PILE cards: who stops building there gives nothing away that matters (see
 * docs/traps-solved.md), and no card under the second trap of a pile counts. */
#ifndef SAL_SOLVE_TRAPS_MODEL_H
#define SAL_SOLVE_TRAPS_MODEL_H

#include <stdbool.h>
#include <stdint.h>

enum {
  WORTHS = 3,
  HAND = 6,
  HANDS = 19, /* by worth */
  LANES = 20, /* HANDS, rounded up to whole vectors */
  PILE = 4,
  TYPES_MAX = 421,
  NODES_MAX = 128,
  CLASSES_MAX = 36,
  POSITIONS = 6, /* of building: (1,1), (2,1), (2,2) ... (4,3) */
  BET_TOP = 10,  /* the highest bet that can be met with these piles */
  GOAL = 5       /* tokens that win */
};

/* ---- Hands and piles ------------------------------------------------------ */

/* Somebody's hand as it was dealt and what they have laid of it. */
struct type {
  uint8_t hand;
  uint8_t card[PILE]; /* the bottom first */
  uint16_t parent;    /* the type before the last card was laid */
  uint16_t child[WORTHS];
  uint8_t class; /* what the owner is as a digger */
  uint8_t leaf;  /* what a digger can see of the pile */
  uint8_t traps; /* 2: or more */
};
enum { NO_TYPE = 0xffff };

/* A pile as its owner digs it: points above the first trap, traps (2: or more),
 * points between the first and the second. */
struct class {
  uint8_t before, traps, between;
};

/* What was turned up of a pile, from its top: a path to this node. */
struct node {
  int8_t parent;
  int8_t child[WORTHS]; /* -1: cannot be, or nothing is left that counts */
  uint8_t depth, points, traps;
};

struct piles {
  int types, nodes, classes;
  struct type type[TYPES_MAX];
  struct node node[NODES_MAX]; /* parents first; 0 is the root */
  struct class class[CLASSES_MAX];
};

struct model {
  uint8_t hand[HANDS][WORTHS];  /* cards of each worth */
  double deals[HANDS][HANDS];   /* chances of two hands; all are 1 together */
  struct piles piles[PILE + 1]; /* by the number of cards; 0 is empty */
};

/* Made once, and the same ever after. */
const struct model *traps_model(void);

/* The hand of so many twos and ones; -1: none. */
int traps_hand(const struct model *m, int twos, int ones);
/* In how many ways k of n cards can be chosen. */
double binomial(int n, int k);

/* ---- Positions ------------------------------------------------------------ */

/* Who decides at a position of building, and how many cards a side has laid. */
static inline int position_actor(int p) { return p & 1; }
static inline int position_pile(int p, int side) {
  return 1 + (side == 0 ? (p + 1) / 2 : p / 2);
}
/* The highest bet that the cards laid can meet: three twos, then ones. */
static inline int position_top(int p) {
  const int cards = p + 2;
  return cards <= 3 ? 2 * cards : 3 + cards;
}

/* ---- Payments ------------------------------------------------------------- */

/* How a round can end for the digger. Failing for want of cards pays what
 * stopping does. */
enum outcome {
  MET,         /* no trap was turned up */
  MET_TRAP,    /* one was */
  STOP,        /* no trap was turned up */
  STOP_TRAP,   /* one was */
  THEIRS_ENDS, /* the other's first trap, and their fifth token */
  OWN_ENDS,    /* an own first trap, and the other has four */
  THEIRS_TWO,  /* the second trap, from the other's pile */
  OWN_TWO,     /* from the own */
  OUTCOMES
};

struct pay {
  float of[OUTCOMES]; /* to the digger */
  /* What becomes of a bet that nobody can meet, by traps in the digger's pile
   * and the other's. */
  enum outcome over[WORTHS][WORTHS];
  bool can_stop; /* the digger has a token */
  bool last;     /* the other has four tokens: the first trap ends the round */
};

/* What the next round is worth to who begins it with `mine` tokens against
 * `theirs`: 1 is a match won, -1 lost. */
struct equity {
  double of[GOAL][GOAL];
};

/* The score that an outcome leads to, tokens of the digger first; five of
 * either is the end of the match. */
struct score {
  int digger, other;
};
struct score traps_after(int digger, int other, enum outcome o);

/* For the match, with the digger's tokens and the other's; and for tokens won
 * less tokens given away, as at one each. */
struct pay traps_pay(const struct equity *e, int digger, int other);
struct pay traps_pay_tokens(void);

#endif
