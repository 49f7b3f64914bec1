/* The searchers, and the pieces they share. */
#ifndef SAL_BOTS_SEARCH_H
#define SAL_BOTS_SEARCH_H

#include "heuristics.h"

typedef void policy_fn(const struct sal_question *q, struct sal_rng *rng,
                       struct sal_policy *out);

/* What a bot makes of a question; bot.h. */
policy_fn policy_expert; /* expert.c; and by rollouts alone: */
policy_fn policy_rollout;
policy_fn policy_master; /* master.c */
policy_fn policy_ismcts; /* ismcts.c */
/* By a heuristic alone. */
void policy_heuristic(heuristic_fn *heuristic, const struct sal_question *q,
                      struct sal_policy *out);
/* Answers by a policy. */
void think_by(policy_fn *policy, const struct sal_question *q,
              struct sal_rng *rng, struct sal_thought *out);

/* ---- Pieces: pieces.c ---------------------------------------------------- */

/* From where a question looks ahead: how good the end of a simulation is for
 * each seat, 0 to 1. Once the game is over, or where the game's heuristics know
 * chances, that is the part of the win a seat can expect; elsewhere it follows
 * what was gained on the others since the question. */
struct prospect {
  const struct sal_game *game;
  int players;
  double swing;               /* the lead that counts as all or nothing */
  double lead[SAL_SEATS_MAX]; /* of each seat at the question */
  chances_fn *chances;        /* NULL: nobody knows */
  /* In place of these, if not NULL; by which heuristic each seat plays. */
  evaluate_fn *evaluate;
  const uint8_t *kind;
};
void prospect_at(struct prospect *p, const struct sal_question *q,
                 struct sal_rng *rng);
void prospects(const struct prospect *p, const sal_state *s, float *out);

/* The number of the round that a state is in, as a spectator sees it. */
int round_seen(int (*round_of)(const sal_view *), const struct sal_game *g,
               const sal_state *s);

/* Never 0, and always odd. */
uint64_t hash_bytes(const void *bytes, size_t n);

/* Whether a budget still lasts after so many simulations; the clock is only
 * looked at now and then. */
struct timer {
  struct sal_budget budget;
  double from, now, until; /* now: at the last look */
  uint64_t done, checked;
};
void timer_start(struct timer *t, const struct sal_budget *b,
                 uint32_t otherwise);
bool timer_more(struct timer *t);
/* Whether the time is up, by the clock. */
bool timer_over(const struct timer *t);

#endif
