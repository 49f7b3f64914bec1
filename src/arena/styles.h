/* Opponents with one idea each: the regular, bent. One file a game. */
#ifndef SAL_ARENA_STYLES_H
#define SAL_ARENA_STYLES_H

#include "kinds.h"

/* What a style makes of one action that the regular does so often; 0: never,
 * unless there is nothing else. */
typedef double style_fn(const struct sal_question *q, sal_action a,
                        double usual);

/* The regular's chances, each changed by the style. */
void bend(const struct sal_question *q, style_fn *style,
          struct sal_policy *out);

style_fn style_honest_doors;
style_fn style_honest_traps, style_bluff_traps;
void bluff_in_doors(const struct sal_question *q, struct sal_policy *out);

#endif
