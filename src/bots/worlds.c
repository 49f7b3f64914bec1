/* Beliefs and values for bots from outside; see salotto/bot.h. */
#include "rollout.h"

#include <stdlib.h>
#include <string.h>

static double sum_of(const double *weight, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += weight[i];
  return sum;
}

/* The heaviest of the belief, in their order; how many. */
static size_t take_worlds(const struct belief *b, size_t most,
                          union sal_state_box *world, double *weight) {
  size_t taken = 0;
  for (size_t i = 0; i < b->count; i++) {
    size_t heavier = 0;
    for (size_t k = 0; k < b->count; k++)
      heavier += b->weight[k] > b->weight[i] ||
                 (b->weight[k] == b->weight[i] && k < i);
    if (heavier >= most)
      continue;
    world[taken] = b->world[i];
    weight[taken++] = b->weight[i];
  }
  return taken;
}

size_t sal_worlds(const struct sal_question *q, size_t most,
                  struct sal_rng *rng, union sal_state_box *world,
                  double *weight) {
  struct belief *b = most ? malloc(sizeof *b) : NULL;
  struct timer timer;
  if (!b)
    return 0;
  timer_start(&timer, &q->budget, 8 * WORLDS_MAX);
  belief_of_seat(b, q, &trust_little, &timer, rng);
  size_t count = take_worlds(b, most, world, weight);
  free(b);
  if (count == 0)
    for (; count < most; count++) {
      memset(&world[count], 0, sizeof world[count]);
      q->game->resample(q->view, rng, (sal_state *)world[count].bytes);
      weight[count] = 1;
    }
  const double sum = sum_of(weight, count);
  for (size_t i = 0; i < count; i++)
    weight[i] /= sum;
  return count;
}

void sal_value(const struct sal_game *g, const sal_state *s, int players,
               double *out) {
  const struct heuristics *h = heuristics_of(g);
  const unsigned winners = g->winners(s);
  if (winners) {
    for (int i = 0; i < players; i++)
      out[i] = (double)(winners >> i & 1) / (double)__builtin_popcount(winners);
    return;
  }
  if (h->chances) {
    h->chances(g, s, players, out);
  } else {
    int32_t score[SAL_SEATS_MAX];
    g->scores(s, score);
    for (int i = 0; i < players; i++)
      out[i] = 1.0 + score[i] - g->info.score_min;
  }
  const double sum = sum_of(out, (size_t)players);
  for (int i = 0; i < players; i++)
    out[i] = sum > 0 ? out[i] / sum : 1.0 / players;
}

int sal_round(const struct sal_game *g, const sal_state *s) {
  int (*round_of)(const sal_view *) = heuristics_of(g)->number;
  return round_of ? round_seen(round_of, g, s) : g->closed(s) + 1;
}
