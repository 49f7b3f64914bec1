/* What the searchers share: budgets, and how good the end of a simulation is. */
#include "search.h"

#include <string.h>

int round_seen(int (*round_of)(const sal_view *), const struct sal_game *g,
               const sal_state *s) {
  union sal_view_box box;
  g->view(s, SAL_SPECTATOR, (sal_view *)box.bytes);
  return round_of((const sal_view *)box.bytes);
}

uint64_t hash_bytes(const void *bytes, size_t n) {
  const unsigned char *p = bytes;
  uint64_t h = UINT64_C(0x9e3779b97f4a7c15);
  for (; n >= 8; n -= 8, p += 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    h = (h ^ word) * UINT64_C(0xff51afd7ed558ccd);
    h ^= h >> 32;
  }
  for (; n > 0; n--)
    h = (h ^ *p++) * UINT64_C(0x100000001b3);
  return h | 1;
}

/* ---- Prospects ----------------------------------------------------------- */

static double lead(const int32_t *score, int players, int seat) {
  int32_t best = INT32_MIN;
  for (int i = 0; i < players; i++)
    if (i != seat && score[i] > best)
      best = score[i];
  return (double)score[seat] - best;
}

void prospect_at(struct prospect *p, const struct sal_question *q,
                 struct sal_rng *rng) {
  const struct sal_info *info = &q->game->info;
  union sal_state_box box;
  sal_state *any = (sal_state *)box.bytes;
  int32_t score[SAL_SEATS_MAX];
  p->game = q->game;
  p->players = q->players;
  p->chances = heuristics_of(q->game)->chances;
  p->evaluate = NULL;
  p->kind = NULL;
  p->swing = info->score_max - info->score_min;
  /* Scores are public: any world will do. */
  q->game->resample(q->view, rng, any);
  q->game->scores(any, score);
  for (int i = 0; i < p->players; i++)
    p->lead[i] = lead(score, p->players, i);
}

/* For games whose chances nobody knows: the win, and the gain. */
static void gains(const struct prospect *p, const sal_state *s,
                  unsigned winners, float *out) {
  int32_t score[SAL_SEATS_MAX];
  p->game->scores(s, score);
  for (int i = 0; i < p->players; i++) {
    double gain = (lead(score, p->players, i) - p->lead[i]) / p->swing;
    gain = gain > 1 ? 1 : gain < -1 ? -1 : gain;
    const bool won = winners >> i & 1;
    out[i] = (float)(winners == 0 ? 0.5 + 0.4 * gain
                                  : (won ? 0.95 : 0.05) + 0.05 * gain);
  }
}

void prospects(const struct prospect *p, const sal_state *s, float *out) {
  const unsigned winners = p->game->winners(s);
  double chance[SAL_SEATS_MAX];
  if (!p->chances) {
    gains(p, s, winners, out);
    return;
  }
  if (winners) {
    for (int i = 0; i < p->players; i++)
      chance[i] =
          (double)(winners >> i & 1) / (double)__builtin_popcount(winners);
  } else if (p->evaluate) {
    p->evaluate(p->game, s, p->players, p->kind, chance);
  } else {
    p->chances(p->game, s, p->players, chance);
  }
  for (int i = 0; i < p->players; i++)
    out[i] = (float)chance[i];
}

/* ---- Budgets ------------------------------------------------------------- */

void timer_start(struct timer *t, const struct sal_budget *b,
                 uint32_t otherwise) {
  t->budget = *b;
  t->done = t->checked = 0;
  if (t->budget.simulations == 0 && t->budget.seconds <= 0)
    t->budget.simulations = otherwise;
  if (t->budget.seconds > 0) {
    t->from = t->now = t->budget.clock();
    t->until = t->from + t->budget.seconds;
  }
}

bool timer_more(struct timer *t) {
  if (t->budget.simulations && t->done >= t->budget.simulations)
    return false;
  if (t->budget.seconds > 0 && t->done >= t->checked) {
    if ((t->now = t->budget.clock()) >= t->until)
      return false;
    t->checked = t->done + 8;
  }
  t->done++;
  return true;
}

bool timer_over(const struct timer *t) {
  return t->budget.seconds > 0 && t->budget.clock() >= t->until;
}
