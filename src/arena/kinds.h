/* What the opponents do, one function a kind. */
#ifndef SAL_ARENA_KINDS_H
#define SAL_ARENA_KINDS_H

#include "opponents.h"
#include "rollout.h"

policy_fn policy_flat;    /* flat.c */
policy_fn policy_tree;    /* tree.c */
policy_fn policy_reader;  /* reader.c */
policy_fn policy_learner; /* learner.c */
/* The regular, bent: styles*.c. */
policy_fn policy_shy, policy_honest, policy_bluffer, policy_shader,
    policy_denier, policy_rusher, policy_flooder;

/* The search of flat.c, with beliefs of anybody's making and the others playing
 * by any heuristic. `out` holds the heuristic's chances, and the answer
 * afterwards. */
void flat_search(const struct sal_question *q, const struct belief *b,
                 heuristic_fn *others, struct timer *timer, struct sal_rng *rng,
                 struct sal_policy *out);

/* The level that was studied last, "" for none; and what comes nearest to it
 * among the heuristics. */
const char *studied_level(void);
heuristic_fn *studied_heuristic(const struct sal_game *g);

#endif
