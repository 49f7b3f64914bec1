/* Batches: many games of one kind stepped together, for learning programs.
 *
 * A batch holds `count` games. Each waits for one seat's decision; one call
 * plays a decision in every game, and chance after it, and writes what the next
 * seat sees into the caller's arrays. A game that ends starts anew at once.
 *
 * Actions are dense (`info.action_count` of salotto/game.h). The same seed gives
 * the same games for any number of threads.
 *
 * Threads: one at a time on a batch, which keeps workers of its own; different
 * batches at once.
 * Memory: a batch is freed with sal_batch_free; the arrays are the caller's,
 * and are written only during a call. */
#ifndef SALOTTO_BATCH_H
#define SALOTTO_BATCH_H

#include "salotto/api.h"
#include "salotto/error.h"
#include "salotto/game.h"

SAL_BEGIN

typedef struct sal_batch sal_batch;

struct sal_batch_plan {
  const struct sal_game *game;
  struct sal_setup setup;
  size_t count; /* games, at least 1 */
  uint64_t seed;
  int threads; /* 0 is 1 */
};

/* Where a call writes, one entry a game; each may be NULL. The caller owns them
 * and they must have the sizes given here. */
struct sal_batch_out {
  int32_t *seat;      /* [count]: who is asked now */
  float *observation; /* [count][tensor_size]: what that seat sees */
  uint8_t *mask;      /* [count][action_count]: 1 where an action is legal */
  float *reward;      /* [count][players]: 0; at the end of a game the winners
                        share 1 and the others share -1 */
  uint8_t *over;      /* [count]: 1 if this step ended a game; all else in `out`
                        but the reward is of the new one */
};

/* NULL and why: a plan that is not possible, a game without dense actions, or
 * no memory. */
SAL_API sal_batch *sal_batch_new(const struct sal_batch_plan *plan,
                                 struct sal_refusal *why);
SAL_API void sal_batch_free(sal_batch *b);

/* Starts every game anew, going on with the random numbers. */
SAL_API void sal_batch_reset(sal_batch *b, const struct sal_batch_out *out);
/* Tells where the games stand without playing. */
SAL_API void sal_batch_look(sal_batch *b, const struct sal_batch_out *out);
/* Plays action[i] in game i. If any is not legal, nothing is played and the
 * answer says which. */
SAL_API int sal_batch_step(sal_batch *b, const int32_t *action,
                           const struct sal_batch_out *out,
                           struct sal_refusal *why);
/* Plays `steps` decisions in every game, uniformly at random among the legal
 * ones; `out` is of the last. Decisions played, in all games together. */
SAL_API uint64_t sal_batch_random(sal_batch *b, size_t steps,
                                  const struct sal_batch_out *out);
/* A uniformly random legal action for each game, into action[count]. */
SAL_API void sal_batch_choose(sal_batch *b, int32_t *action);

/* What a game gives each seat as a reward: the winners share 1, the others
 * share -1; all 0 while it is on, and if all have won. */
SAL_API void sal_returns(const struct sal_game *g, const sal_state *s,
                         int players, double *out);

/* Game i as it stands, to look at with the functions of its game. */
SAL_API const sal_state *sal_batch_state(const sal_batch *b, size_t i);

SAL_END

#endif
