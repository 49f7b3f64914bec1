/* What stands where in the tensors of the games, for learners and bots: the
 * view as numbers, from the viewer's side of the table ("me"); a spectator is
 * written as seat 0 without secrets. Cards are in the order RL BL RT BT BR LT,
 * identities RL BL RT BT; what is unknown is all zeros. */
#ifndef SALOTTO_TENSOR_H
#define SALOTTO_TENSOR_H

#include "salotto/api.h"

SAL_BEGIN

/* Counts of cards are in thirds: three Red Ladies are 1. */
enum sal_doors_tensor {
  SAL_DOORS_ME = 0,          /* 4: my identity */
  SAL_DOORS_THEM = 4,        /* 4: theirs, once it is open */
  SAL_DOORS_LAST_ME = 8,     /* 4: of the round before */
  SAL_DOORS_LAST_THEM = 12,  /* 4 */
  SAL_DOORS_DECK = 16,       /* 6 */
  SAL_DOORS_OFFER = 22,      /* 6 */
  SAL_DOORS_COLLECTION = 28, /* 6 */
  SAL_DOORS_DISCARDED = 34,  /* 6 */
  SAL_DOORS_DISCARDS = 40,   /* 5 times 6: each discard in order */
  SAL_DOORS_PHASE = 70,      /* 4: take, claim, discard, guess */
  SAL_DOORS_TOKENS = 74,     /* 2: mine, theirs, in tenths */
  SAL_DOORS_TURN = 76,       /* in fifths */
  SAL_DOORS_COLLECTING = 77, /* 1: I am the Collector */
  SAL_DOORS_TENSOR = 78
};

/* Favor has a block for each of four seats, mine first and on clockwise, then
 * what belongs to the table. */
enum sal_favor_tensor {
  /* in the block of a seat: */
  SAL_FAVOR_THERE = 0,      /* 1: somebody sits there */
  SAL_FAVOR_IDENTITY = 1,   /* 4: where it is known */
  SAL_FAVOR_LAST = 5,       /* 4: of the day before */
  SAL_FAVOR_COLLECTION = 9, /* 6 */
  SAL_FAVOR_GEMS = 15,      /* in fifths */
  SAL_FAVOR_POINTS = 16,    /* of the days done, in tenths */
  SAL_FAVOR_ASKED = 17,
  SAL_FAVOR_CALLER = 18,
  SAL_FAVOR_BIDDER = 19, /* has the highest bid */
  SAL_FAVOR_FIRST = 20,  /* of the day */
  SAL_FAVOR_SEAT = 21,   /* the size of a block */
  /* after the blocks: */
  SAL_FAVOR_DECK = 84,     /* 6 */
  SAL_FAVOR_LOT = 90,      /* 6 */
  SAL_FAVOR_DISCARDS = 96, /* 6 */
  SAL_FAVOR_PHASE = 102,   /* 3: turn, bid, final */
  SAL_FAVOR_DAY = 105,     /* 3 */
  SAL_FAVOR_BID = 108,     /* the highest, in fifths */
  SAL_FAVOR_LEFT = 109,    /* how many may still bid, in quarters */
  SAL_FAVOR_ENGLISH = 110, /* 1: English edition */
  SAL_FAVOR_TENSOR = 111
};

/* Traps has a block for each of six seats, mine first and on clockwise, then
 * what belongs to the table. */
enum sal_traps_tensor {
  /* in the block of a seat: */
  SAL_TRAPS_THERE = 0,  /* 1: somebody sits there */
  SAL_TRAPS_TOKENS = 1, /* in fifths */
  SAL_TRAPS_HELD = 2,   /* cards in hand, in sixths */
  SAL_TRAPS_LAID = 3,   /* cards laid this round, in sixths */
  SAL_TRAPS_DOWN = 4,   /* those still face down, in sixths */
  SAL_TRAPS_PASSED = 5,
  SAL_TRAPS_FIRST = 6,
  SAL_TRAPS_BETTOR = 7, /* has the highest bet */
  SAL_TRAPS_ASKED = 8,
  SAL_TRAPS_KNOWN = 9, /* 6: shown in earlier rounds of the deal */
  SAL_TRAPS_PILE = 15, /* 6 times 6: each card laid, the bottom first */
  SAL_TRAPS_SEAT = 51, /* the size of a block */
  /* after the blocks: */
  SAL_TRAPS_HAND = 306,       /* 6: my hand */
  SAL_TRAPS_TARGET = 312,     /* 4 */
  SAL_TRAPS_DOORS_LEFT = 316, /* 4 */
  SAL_TRAPS_PHASE = 320,      /* 5: place, build, bet, reveal, give */
  SAL_TRAPS_POT = 325,        /* in sixths */
  SAL_TRAPS_SUPPLY = 326,     /* of 25 */
  SAL_TRAPS_BET = 327,        /* of 99 */
  SAL_TRAPS_POINTS = 328,     /* of 99 */
  SAL_TRAPS_TENSOR = 329
};

SAL_END

#endif
