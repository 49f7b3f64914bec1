/* One seat's best response by learning, where more than two sit at the table:
 * flat rollouts in which the others play by a picture of their level. The
 * numbers of the picture were found by games against that level (bench/learn);
 * novices and regulars are known as they are. What it wins above its share is a
 * lower bound on what the level loses to whoever has studied it. */
#include "kinds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLAYOUTS = 400 };

/* What is believed of a level before anything is learnt. */
static const struct picture plain = {.faith = 0.2, .sharp = 1};

/* Found by bench/learn; ends with nobody's. */
static const struct learnt {
  const char *game;
  int players;
  const char *level;
  struct picture picture;
} learnt[] = {
    /* clang-format off */
    {"traps", 3, "expert", {0.64, 0.60, 0.93, 0.35, 0.50}},
    {"traps", 4, "expert", {0.64, 0.60, 0.93, 0.35, 0.50}}, /* found among three */
    {NULL, 0, NULL, {0}}
    /* clang-format on */
};

static const struct picture *tried; /* instead of all of them */

void learner_try(const struct picture *p) { tried = p; }

static const struct picture *picture_of(const struct sal_question *q) {
  for (const struct learnt *l = learnt; !tried && l->game; l++)
    if (strcmp(l->game, q->game->info.id) == 0 && l->players == q->players &&
        strcmp(l->level, studied_level()) == 0)
      return &l->picture;
  return tried ? tried : &plain;
}

static double liking(const struct picture *p, struct traits t) {
  return exp(p->risk * t.risk + p->deceit * t.deceit +
             p->spending * t.spending);
}

/* The level as it is pictured. */
static void pictured(const struct sal_question *q, double *weight) {
  const struct picture *p = picture_of(q);
  traits_fn *traits = heuristics_of(q->game)->traits;
  const bool likes =
      traits && (p->risk != 0 || p->deceit != 0 || p->spending != 0);
  double most = 0;
  studied_heuristic(q->game)(q, weight);
  for (size_t i = 0; i < q->count; i++)
    most = fmax(most, weight[i]);
  for (size_t i = 0; i < q->count; i++) {
    if (p->sharp != 1)
      weight[i] = pow(weight[i] / most, p->sharp);
    if (likes)
      weight[i] *= liking(p, traits(q, q->legal[i]));
  }
}

void policy_learner(const struct sal_question *q, struct sal_rng *rng,
                    struct sal_policy *out) {
  struct timer timer;
  struct belief *b = malloc(sizeof *b);
  const struct trust trust = {.faith = picture_of(q)->faith, .habit = true};
  timer_start(&timer, &q->budget, PLAYOUTS);
  policy_heuristic(heuristics_of(q->game)->regular, q, out);
  if (b && q->count > 1 && q->game->info.legal_max <= LEGAL_MAX) {
    belief_of_seat(b, q, &trust, &timer, rng);
    flat_search(q, b, pictured, &timer, rng, out);
  }
  free(b);
}
