/* A question that ends a tournament as soon as it is decided: Wald's sequential
 * probability ratio test (SPRT), over deals.
 *
 * Is the first bot stronger than the others by elo[0] at most (H0), or by elo[1]
 * at least (H1)? One observation a deal: the part of the wins that a seat of the
 * first bot had in it. The ratio of likelihoods is that of a mean with the
 * variance observed so far, as in testing chess programs (a generalised SPRT);
 * one deal more is taken to have the spread of independent games. */
#ifndef SAL_ARENA_SPRT_H
#define SAL_ARENA_SPRT_H

#include "figures.h"

/* The risk of either wrong answer, and the bounds for the logarithm of the
 * ratio that it gives: ± log((1 - risk) / risk). */
#define SPRT_RISK 0.05
#define SPRT_BOUND 2.9444389791664403

/* Nothing is decided before so many deals: the variance must be known. */
enum { SPRT_DEALS_LEAST = 20 };

enum sprt_verdict { SPRT_OPEN, SPRT_NOT_STRONGER, SPRT_STRONGER };

struct sprt {
  double elo[2];
  double share[2]; /* of the wins a seat would have */
  struct spread seen;
  double ratio; /* its logarithm */
  enum sprt_verdict verdict;
};

void sprt_begin(struct sprt *s, const struct arena_plan *p, const double *elo);
/* One observation more; true if the question is decided. */
bool sprt_add(struct sprt *s, double share);
/* The same for the games of a deal. */
bool sprt_deal(struct sprt *s, const struct arena_plan *p,
               const struct arena_game *games);

#endif
