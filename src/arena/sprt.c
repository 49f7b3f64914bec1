/* The sequential test of sprt.h. */
#include "sprt.h"

#include <math.h>

/* A seat's part of the wins if its bot is stronger by so many points than all
 * other bots, which are alike, and sits at `own` of the seats on average. */
static double share_at(double elo, double seats, double own) {
  const double r = pow(10, elo / 400);
  return r / (own * r + seats - own);
}

void sprt_begin(struct sprt *s, const struct arena_plan *p, const double *elo) {
  const double seats = p->setup.players;
  const double own = p->bots < p->setup.players ? seats / p->bots : 1;
  *s = (struct sprt){.elo = {elo[0], elo[1]}};
  for (int i = 0; i < 2; i++)
    s->share[i] = share_at(elo[i], seats, own);
}

bool sprt_add(struct sprt *s, double share) {
  spread_add(&s->seen, share);
  const double n = (double)s->seen.count, mean = s->seen.mean;
  const double middle = (s->share[0] + s->share[1]) / 2;
  const double variance = (s->seen.squares + middle * (1 - middle)) / (n + 1);
  s->ratio = n * (s->share[1] - s->share[0]) * (mean - middle) / variance;
  if (s->seen.count < SPRT_DEALS_LEAST)
    return false;
  if (s->ratio >= SPRT_BOUND)
    s->verdict = SPRT_STRONGER;
  else if (s->ratio <= -SPRT_BOUND)
    s->verdict = SPRT_NOT_STRONGER;
  return s->verdict != SPRT_OPEN;
}

bool sprt_deal(struct sprt *s, const struct arena_plan *p,
               const struct arena_game *games) {
  double wins = 0;
  size_t seats = 0;
  for (size_t g = 0; g < arena_games_per_deal(p); g++)
    for (int i = 0; i < p->setup.players; i++)
      if (games[g].bot[i] == 0) {
        wins += game_share(p, &games[g], i);
        seats++;
      }
  return sprt_add(s, wins / (double)seats);
}
