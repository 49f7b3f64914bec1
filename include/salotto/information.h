/* Information states: what a player of perfect memory knows, as numbers.
 *
 * The observation (salotto/tensor.h) tells what a seat sees now; two histories
 * that lead to the same table look the same in it. The information state adds
 * what the seat has seen happen: the steps of the deal in play, in order (so the
 * takes of Doors, the bids of Favor, the builds and bets of Traps), and a digest
 * of everything since the game began. Two histories that the seat can tell apart
 * have different information states (but for a chance of one in 2^64 that the
 * digests meet); two that it cannot tell apart have the same.
 *
 * A `sal_recall` is a flat struct of the caller's, one for each seat; copying is
 * assignment.
 *
 * Threads: they share nothing.
 * Memory: nothing is allocated; a sal_recall is the caller's. */
#ifndef SALOTTO_INFORMATION_H
#define SALOTTO_INFORMATION_H

#include "salotto/api.h"
#include "salotto/bot.h"
#include "salotto/game.h"
#include "salotto/table.h"

SAL_BEGIN

enum { SAL_RECALL_MAX = 128 };

/* What a seat (or SAL_SPECTATOR) has seen happen. */
struct sal_recall {
  uint64_t digest;
  int32_t closed; /* shuffles that were over when the deal in play began */
  uint32_t count; /* steps of the deal in play */
  struct sal_seen step[SAL_RECALL_MAX]; /* the last ones, step i at i modulo
                                           `info.recall` */
};

/* At the start of a game: the state is fresh from `init`. */
SAL_API void sal_recall_begin(struct sal_recall *r, const struct sal_game *g,
                              int viewer, const sal_state *start);
/* Notes a step that was played, from the state after it; `hidden` says that the
 * viewer did not see which action or outcome it was. */
SAL_API void sal_recall_note(struct sal_recall *r, const struct sal_game *g,
                             int viewer, const sal_state *after, int seat,
                             sal_action action, bool hidden);
/* Applies a step and tells, as a mask of seats, who did not see which it was. A
 * draw that no event tells of was seen by nobody, but for what it has changed in
 * their views. For spectators: whether the mask is 0. */
SAL_API unsigned sal_recall_apply(const struct sal_game *g, sal_state *s,
                                  int seat, sal_action action);

/* What a seat at a table has seen happen. */
SAL_API void sal_table_recall(const sal_table *t, int seat,
                              struct sal_recall *r);

/* The numbers: first the observation (`info.tensor_size`), then the digest as
 * SAL_DIGEST bits, each 0 or 1, then the steps of the deal in play, the first
 * one first; of more than `info.recall` (SAL_RECALL_USUAL if that is 0) the last
 * ones. A step has */
enum {
  SAL_DIGEST = 64,
  SAL_RECALL_USUAL = 64,
  SAL_STEP_SEAT = 0,   /* 6: who acted, me first and on clockwise */
  SAL_STEP_CHANCE = 6, /* 1: it was a draw */
  SAL_STEP_HIDDEN = 7, /* 1: I did not see which it was */
  SAL_STEP_ACTION = 8  /* the bits of `info.action_bits` in the action, the
                          lowest first */
};
/* How many numbers a step and the whole have. */
SAL_API size_t sal_step_size(const struct sal_game *g);
SAL_API size_t sal_information_size(const struct sal_game *g);
/* `v` is the view of the same seat now. */
SAL_API void sal_information(const struct sal_game *g, int players, int viewer,
                             const struct sal_recall *r, const sal_view *v,
                             float *out);

SAL_END

#endif
