/* What the expert reckons with where a simulation ends: what each seat owns, in
 * numbers, and what chances they mean if all play on by habit. A conditional
 * logit: a seat's part of the win is exp(weights * numbers), divided by the sum of
 * that over all seats. The weights were found in games of the habitual player by
 * bench/chances, which writes fitted.c. */
#ifndef SAL_BOTS_EVALUATE_H
#define SAL_BOTS_EVALUATE_H

#include "heuristics.h"

/* A seat's numbers in a state. */
typedef void numbers_fn(const sal_state *s, int seat, double *number);
void evaluate_by(const sal_state *s, int players, numbers_fn *numbers,
                 const double *weight, int count, double *out);

/* Louis XIV between two rounds, for two to four; by the rounds that are still to
 * be played: three, two, one. */
enum { LOUIS_STAGES = 3, LOUIS_ASSETS = 26 };
extern const double fitted_assets[LOUIS_STAGES * LOUIS_ASSETS];

int louis_stage(const sal_state *s);
numbers_fn louis_assets;
evaluate_fn evaluate_louis;

/* Favor for three and four when a lot is gone, and between two days; by players,
 * and by days: in each of three, after one, after two. */
enum { FAVOR_STAGES = 10, FAVOR_HOLDINGS = 27 };
extern const double fitted_lots[FAVOR_STAGES * FAVOR_HOLDINGS];

int favor_stage(const sal_state *s);
numbers_fn favor_holdings;
chances_fn evaluate_favor;

/* Points of a collection (how many of each kind) for an identity, and the hope
 * that a special finds its card. */
double favor_points(const int *collection, int identity, bool english,
                    double hope);

#endif
