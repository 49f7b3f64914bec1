/* Fits what a game for two is worth between two deals or rounds (src/review/
 * standing.h), by games of the habitual player, and tells of other games how
 * near the fit is. Built and run by bench/chances. The array goes to standard
 * output, the rest to standard error. */
#include "measure.h"
#include "standing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 60, BINS = 20, MOST = STANDING_MAX };
/* What is hardly ever met stays near even. */
static const double ridge = 1e-2;

struct sample {
  struct standing at;
  double won;
};
struct samples {
  struct sample *list;
  size_t count, room;
};

static void keep(struct samples *l, const struct standing *at) {
  if (l->count == l->room) {
    l->room = l->room ? 2 * l->room : 4096;
    l->list = realloc(l->list, l->room * sizeof *l->list);
    if (!l->list)
      exit(1);
  }
  l->list[l->count++] = (struct sample){*at, 0};
}

/* A game by habit; what stood between its rounds is kept with who won. */
static void play(struct measure *m, const struct standing_kind *k,
                 uint64_t seed, struct samples *out) {
  union sal_state_box box;
  sal_state *s = (sal_state *)box.bytes;
  struct sal_setup setup;
  struct sal_rng rng;
  double share[SAL_SEATS_MAX];
  const size_t from = out->count;
  sal_rng_seed(&rng, seed);
  sal_setup_default(m->game, 2, &setup);
  memset(&box, 0, sizeof box);
  m->game->init(s, &setup);
  while (m->game->to_act(s) == SAL_CHANCE_BIT)
    m->game->sample(s, &rng);
  for (;;) {
    measure_playout(m, measure_mark(m, s), s, &rng, share);
    if (m->game->to_act(s) == 0)
      break;
    struct standing at = {0};
    k->read(s, &at);
    keep(out, &at);
    while (m->game->to_act(s) == SAL_CHANCE_BIT)
      m->game->sample(s, &rng);
  }
  for (size_t i = from; i < out->count; i++)
    out->list[i].won = share[out->list[i].at.of];
}

static struct samples play_all(const struct sal_game *g,
                               const struct standing_kind *k, long games,
                               uint64_t seed) {
  struct samples out = {0};
  struct measure *m = measure_new(g, 2);
  for (long n = 0; n < games; n++) {
    uint64_t x = seed + (uint64_t)n * UINT64_C(0x9e3779b97f4a7c15);
    play(m, k, sal_splitmix(&x), &out);
  }
  measure_free(m);
  return out;
}

/* Solves a * x = b in place. */
static void solve(int n, double a[MOST][MOST], double *b) {
  for (int i = 0; i < n; i++)
    for (int r = i + 1; r < n; r++) {
      const double f = a[r][i] / a[i][i];
      for (int c = i; c < n; c++)
        a[r][c] -= f * a[i][c];
      b[r] -= f * b[i];
    }
  for (int i = n - 1; i >= 0; i--) {
    for (int c = i + 1; c < n; c++)
      b[i] -= a[i][c] * b[c];
    b[i] /= a[i][i];
  }
}

/* Newton's method; the likelihood is concave. */
static void fit(const struct standing_kind *k, int stage,
                const struct samples *l, double *weight) {
  struct standing_kind trial = *k;
  const int n = k->count;
  double all[STAGES_MAX * MOST] = {0};
  trial.weight = all;
  double *w = all + stage * n;
  for (int step = 0; step < STEPS; step++) {
    double a[MOST][MOST] = {{0}}, b[MOST] = {0};
    for (int i = 0; i < n; i++) {
      a[i][i] = ridge;
      b[i] = -ridge * w[i];
    }
    for (size_t i = 0; i < l->count; i++) {
      const struct sample *x = &l->list[i];
      if (x->at.stage != stage)
        continue;
      const double p = standing_chance(&trial, &x->at);
      for (int r = 0; r < n; r++) {
        b[r] += (x->won - p) * x->at.number[r];
        for (int c = 0; c < n; c++)
          a[r][c] += p * (1 - p) * x->at.number[r] * x->at.number[c];
      }
    }
    solve(n, a, b);
    for (int i = 0; i < n; i++)
      w[i] += b[i];
  }
  memcpy(weight, w, (size_t)n * sizeof *w);
}

static void report(const struct standing_kind *k, const struct samples *l) {
  double count[BINS] = {0}, told[BINS] = {0}, won[BINS] = {0};
  double sum = 0, worst = 0;
  for (size_t i = 0; i < l->count; i++) {
    const double p = standing_chance(k, &l->list[i].at);
    const int bin = p < 1 ? (int)(p * BINS) : BINS - 1;
    count[bin]++;
    told[bin] += p;
    won[bin] += l->list[i].won;
  }
  for (int i = 0; i < BINS; i++) {
    const double off = fabs(told[i] - won[i]);
    sum += off;
    if (count[i] >= 500 && off / count[i] > worst)
      worst = off / count[i];
  }
  fprintf(stderr,
          "%s: %zu positions of other games; mean distance of told and won "
          "%.2f points, the largest in a bin of 500 %.2f\n",
          k->game, l->count, 100 * sum / (double)l->count, 100 * worst);
}

static void print(const struct standing_kind *k, const double *weight) {
  printf("const double fitted_%s[] = {", k->game);
  for (int i = 0; i < k->stages * k->count; i++)
    printf("%s%.4f", i ? ", " : "", weight[i]);
  printf("};\n");
}

int main(int argc, char **argv) {
  const struct sal_game *g = argc > 2 ? sal_game_find(argv[1]) : NULL;
  const struct standing_kind *k = g ? standing_of(g) : NULL;
  const long games = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
  const uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
  if (!k || games < 1) {
    fprintf(stderr,
            "bench/chances: traps, favor or louis, and how many games\n");
    return 2;
  }
  double weight[STAGES_MAX * MOST];
  struct samples l = play_all(g, k, games, seed << 32);
  for (int stage = 0; stage < k->stages; stage++)
    fit(k, stage, &l, weight + stage * k->count);
  free(l.list);
  struct standing_kind fitted = *k;
  fitted.weight = weight;
  l = play_all(g, k, games, (seed + 1) << 32);
  report(&fitted, &l);
  free(l.list);
  print(k, weight);
  return 0;
}
