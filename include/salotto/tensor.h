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

SAL_END

#endif
