/* What stands where in the tensors of the games, for learners and bots: the
 * view as numbers, from the viewer's side of the table ("me"); a spectator is
 * written as seat 0 without secrets. Cards are in the order RL BL RT BT BR LT,
 * identities RL BL RT BT; what is unknown is all zeros.
 *
 * Threads: there are only constants here.
 * Memory: the numbers are in the caller's array. */
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
  SAL_DOORS_TOKENS = 74,     /* 2: mine, theirs, in tenths; 1 wins, in a game to
                                5 or 15 too; below -0.8 in a best of three */
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

/* Louis XIV has what belongs to the table, then what I hold, then a block for
 * each of four seats, mine first and on clockwise. Tiles, spaces and missions
 * are in their order (missions by id); influence cards by tile, the joker
 * last; chips crown, sceptre, helmet, ring, letter. */
enum sal_louis_tensor {
  SAL_LOUIS_PHASE = 0,      /* 15: `setup`, `withdraw`, `swap`, `exchange`,
                               `foothold`, `influence`, `intrigue`, `tie`,
                               `pay`, `put`, `favourite`, `recoup`,
                               `mission`, `draw`, `keep` */
  SAL_LOUIS_LOUIS = 15,     /* 12: the tile where Louis stands */
  SAL_LOUIS_FAVOURITE = 27, /* 12 */
  SAL_LOUIS_TILE = 39,      /* 12: the tile being evaluated */
  SAL_LOUIS_BLACK = 51,     /* 12: shows its black side */
  SAL_LOUIS_NEUTRAL = 63,   /* 12: in quarters */
  SAL_LOUIS_STOCK = 75,     /* 5: in sixths */
  SAL_LOUIS_STACKS = 80,    /* 3: light, medium, dark, in tenths */
  SAL_LOUIS_UNSEEN = 83,    /* 13: influence cards I have not seen, in halves */
  SAL_LOUIS_OPEN = 96,      /* 13: those that lie open, in halves */
  SAL_LOUIS_PLOTS = 109,    /* 12: intrigue cards I have not seen */
  SAL_LOUIS_PLAYED = 121,   /* 12: those that lie open */
  SAL_LOUIS_MONEY = 133,    /* 16: money cards still to come */
  SAL_LOUIS_DECKS = 149,    /* 3: influence, intrigue, shields, in tenths */
  SAL_LOUIS_ROUND = 152,    /* in quarters */
  SAL_LOUIS_NTH = 153,      /* how far the seat that is asked has got */
  SAL_LOUIS_PLAIN = 154,    /* 1: without La Favorita */
  /* mine: */
  SAL_LOUIS_HAND = 155,     /* 13: influence cards, in halves */
  SAL_LOUIS_INTRIGUE = 168, /* 12 */
  SAL_LOUIS_SHIELDS = 180,  /* 6: by kind, in halves */
  SAL_LOUIS_MISSIONS = 186, /* 64 */
  SAL_LOUIS_TRADED = 250,   /* 64: those I have put out of the game */
  SAL_LOUIS_SEATS = 314,    /* here the blocks begin */
  /* in the block of a seat: */
  SAL_LOUIS_GOLD = 0,      /* in tenths */
  SAL_LOUIS_READY = 1,     /* markers, in tenths */
  SAL_LOUIS_GENERAL = 2,   /* in tenths */
  SAL_LOUIS_BOARD = 3,     /* 4 */
  SAL_LOUIS_WITHDRAWN = 7, /* 4 */
  SAL_LOUIS_CHIPS = 11,    /* 5 */
  SAL_LOUIS_SIZES = 16,    /* 3: influence in fifths, intrigue, shields in
                               tenths */
  SAL_LOUIS_TIERS = 19,    /* 3: missions held, light, medium, dark */
  SAL_LOUIS_MARKERS = 22,  /* 12: by tile, in thirds */
  SAL_LOUIS_COUNTED = 34,  /* on the tile being evaluated, in thirds */
  SAL_LOUIS_USED = 35,     /* 3: `tie`, `recoup`, `wild` */
  SAL_LOUIS_LAID = 38,     /* 64: missions laid open */
  SAL_LOUIS_ASKED = 102,
  SAL_LOUIS_SEAT = 103, /* the size of a block */
  SAL_LOUIS_TENSOR = 726
};

SAL_END

#endif
