/* What the worlds look like, given what everybody did. */
#ifndef SAL_BOTS_BELIEF_H
#define SAL_BOTS_BELIEF_H

#include "search.h"

enum { WORLDS_LEAST = 16, WORLDS_MAX = 64 };

/* How far people are trusted to play by a heuristic: the rest of the
 * probability is spread evenly over their actions. */
struct trust {
  double faith;
  bool habit; /* all by the regular; else half of them by the novice */
  int watch;  /* not 0: one in so many by the game's first other heuristic, and
               * the rest by the regular; with more than two at the table by any
               * of its heuristics, as the rounds before tell */
};
extern const struct trust trust_little, trust_habit, trust_watchful;

/* How likely each seat plays by which of a game's heuristics, the regular
 * first. */
struct people {
  double kind[SAL_SEATS_MAX][PICTURES];
};

/* Worlds that look like `view` to `viewer`, weighed. */
struct belief {
  const struct sal_game *game;
  const sal_view *view;
  int viewer;
  size_t count; /* 0: nothing is known but the view */
  double weight[WORLDS_MAX];
  /* How likely each seat plays by which heuristic: by the rounds before, and in
   * each world. */
  struct people before, people[WORLDS_MAX];
  union sal_state_box world[WORLDS_MAX];
};

/* Weighs worlds by how likely people would have acted in them as they did, from
 * the start of the deal, as `viewer` (the question's seat, or SAL_SPECTATOR)
 * would believe. `view` and `start` are that viewer's, now and before the step
 * `from` of what is remembered. */
void belief_form(struct belief *b, const struct sal_question *q,
                 const struct trust *trust, int viewer, const sal_view *view,
                 const sal_view *start, size_t from, const struct timer *timer,
                 struct sal_rng *rng);
/* A world that fits the view, drawn by belief; and unless `kind` is NULL by which
 * heuristic each seat plays there. */
void belief_draw(const struct belief *b, struct sal_rng *rng, sal_state *out,
                 uint8_t *kind);

#endif
