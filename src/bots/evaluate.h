/* What the expert reckons with between two rounds of Louis XIV: what each seat
 * owns, in numbers, and what chances they mean if all play on by habit. A
 * conditional logit: a seat's part of the win is exp(weights * numbers), divided
 * by the sum of that over all seats. The weights were found in games of the
 * habitual player for two, three and four by bench/chances, which writes
 * fitted.c. */
#ifndef SAL_BOTS_EVALUATE_H
#define SAL_BOTS_EVALUATE_H

#include "heuristics.h"

/* By the rounds that are still to be played: three, two, one. */
enum { LOUIS_STAGES = 3, LOUIS_ASSETS = 26 };
extern const double fitted_assets[LOUIS_STAGES * LOUIS_ASSETS];

int louis_stage(const sal_state *s);
void louis_assets(const sal_state *s, int seat, double *number);
chances_fn evaluate_louis;

#endif
