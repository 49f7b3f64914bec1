/* A match of Traps for two: what each score is worth.
 *
 * Rounds are taken as fresh deals, each played best for the match. Scores lead
 * to each other in circles, so a sweep solves a round at each of the 25 scores
 * against the worths so far, counts how it ends, and solves the linear system of
 * all scores for the worths that follow from it. */
#ifndef SAL_SOLVE_TRAPS_MATCH_H
#define SAL_SOLVE_TRAPS_MATCH_H

#include "round.h"

/* The round at a score, tokens of the first player first. */
struct task match_task(const struct equity *e, int first, int second, int cut);
/* The round for tokens. */
struct task tokens_task(int cut);

/* One sweep by all of a team; returns the largest change of a worth, or a negative
 * number without memory. `told`, if there, hears of each score solved here. */
double match_sweep(struct equity *e, int cut, int iterations,
                   const struct sal_solve_team *team,
                   void (*told)(int first, int second, double gap));

#endif
