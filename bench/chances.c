/* Fits what a game is worth between two deals or rounds, by games of the
 * habitual player, and tells of other games how near the fit is: the review's
 * chances for two (src/review/standing.h), and what the expert reckons with in
 * Louis XIV, and in Favor for three and four after every lot (src/bots/evaluate.h).
 * Built and run by bench/chances. The array goes to standard output, the rest to standard
 * error. */
#include "evaluate.h"
#include "favor.h"
#include "measure.h"
#include "standing.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 60, BINS = 20, MOST = 32, WEIGHTS_MAX = FAVOR_STAGES * MOST };
_Static_assert((int)STANDING_MAX <= (int)MOST &&
                   (int)LOUIS_ASSETS <= (int)MOST &&
                   (int)FAVOR_HOLDINGS <= (int)MOST &&
                   (int)LOUIS_STAGES <= (int)FAVOR_STAGES &&
                   (int)STAGES_MAX <= (int)FAVOR_STAGES,
               "there is room for all numbers");
/* What is hardly ever met stays near even. */
static const double ridge = 1e-2;

/* A seat's chance is exp(weights * numbers), by the sum of that over all. */
struct sample {
  int players, stage;
  float number[SAL_SEATS_MAX][MOST];
  float won[SAL_SEATS_MAX];
};
struct samples {
  struct sample *list;
  size_t count, room;
};

struct model {
  const char *game, *array;
  int stages, count;
  int least, most; /* players */
  void (*read)(const struct model *m, const sal_state *s, struct sample *out);
  const struct standing_kind *kind; /* of the review's, or: */
  int (*stage)(const sal_state *s);
  numbers_fn *numbers;
  int (*part)(const sal_view *view); /* of a deal; NULL: deals or rounds */
};

/* The other's numbers are all 0: the review counts what one has more. */
static void read_standing(const struct model *m, const sal_state *s,
                          struct sample *out) {
  struct standing at = {0};
  m->kind->read(s, &at);
  out->stage = at.stage;
  for (int i = 0; i < m->count; i++)
    out->number[at.of][i] = (float)at.number[i];
}

static void read_numbers(const struct model *m, const sal_state *s,
                         struct sample *out) {
  out->stage = m->stage(s);
  for (int seat = 0; seat < out->players; seat++) {
    double number[MOST];
    m->numbers(s, seat, number);
    for (int i = 0; i < m->count; i++)
      out->number[seat][i] = (float)number[i];
  }
}

static struct sample *keep(struct samples *l) {
  if (l->count == l->room) {
    l->room = l->room ? 2 * l->room : 4096;
    l->list = realloc(l->list, l->room * sizeof *l->list);
    if (!l->list)
      exit(1);
  }
  return memset(&l->list[l->count++], 0, sizeof *l->list);
}

/* A game by habit; what stood between its rounds is kept with who won. */
static void play(const struct model *model, struct measure *m, uint64_t seed,
                 struct samples *out) {
  union sal_state_box box;
  sal_state *s = (sal_state *)box.bytes;
  struct sal_setup setup;
  struct sal_rng rng;
  double share[SAL_SEATS_MAX];
  const size_t from = out->count;
  sal_rng_seed(&rng, seed);
  sal_setup_default(m->game, m->players, &setup);
  if (model->part)
    setup.option[0] = (int32_t)(seed & 1); /* the edition of Favor */
  memset(&box, 0, sizeof box);
  m->game->init(s, &setup);
  while (m->game->to_act(s) == SAL_CHANCE_BIT)
    m->game->sample(s, &rng);
  for (;;) {
    measure_playout(m, measure_mark(m, s), s, &rng, share);
    if (m->game->to_act(s) == 0)
      break;
    struct sample *at = keep(out);
    at->players = m->players;
    model->read(model, s, at);
    while (m->game->to_act(s) == SAL_CHANCE_BIT)
      m->game->sample(s, &rng);
  }
  for (size_t i = from; i < out->count; i++)
    for (int seat = 0; seat < m->players; seat++)
      out->list[i].won[seat] = (float)share[seat];
}

/* So many games for each number of players. */
static struct samples play_all(const struct model *model, long games,
                               uint64_t seed) {
  struct samples out = {0};
  const struct sal_game *g = sal_game_find(model->game);
  for (int players = model->least; players <= model->most; players++) {
    struct measure *m = measure_new(g, players);
    struct heuristics h = *m->heuristics;
    m->chances = h.chances; /* playouts end between two rounds */
    if (model->part) {      /* or parts of one */
      h.by_round = true;
      h.round = model->part;
      m->heuristics = &h;
    }
    for (long n = 0; n < games; n++) {
      uint64_t x = seed + (uint64_t)n * UINT64_C(0x9e3779b97f4a7c15);
      play(model, m, sal_splitmix(&x), &out);
    }
    measure_free(m);
  }
  return out;
}

static void chances_by(const struct model *m, const double *weight,
                       const struct sample *x, double *out) {
  const double *w = weight + (ptrdiff_t)x->stage * m->count;
  double sum = 0, most = -INFINITY;
  for (int seat = 0; seat < x->players; seat++) {
    out[seat] = 0;
    for (int i = 0; i < m->count; i++)
      out[seat] += w[i] * x->number[seat][i];
    most = fmax(most, out[seat]);
  }
  for (int seat = 0; seat < x->players; seat++)
    sum += out[seat] = exp(out[seat] - most);
  for (int seat = 0; seat < x->players; seat++)
    out[seat] /= sum;
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

/* What one sample adds to the gradient and the curvature of the likelihood. */
static void add(const struct sample *x, int n, const double *chance,
                double a[MOST][MOST], double *b) {
  double mean[MOST] = {0};
  for (int seat = 0; seat < x->players; seat++)
    for (int i = 0; i < n; i++)
      mean[i] += chance[seat] * x->number[seat][i];
  for (int seat = 0; seat < x->players; seat++)
    for (int r = 0; r < n; r++) {
      b[r] += (x->won[seat] - chance[seat]) * x->number[seat][r];
      for (int c = 0; c < n; c++)
        a[r][c] += chance[seat] * (x->number[seat][r] - mean[r]) *
                   (x->number[seat][c] - mean[c]);
    }
}

/* Newton's method; the likelihood is concave. */
static void fit(const struct model *m, int stage, const struct samples *l,
                double *weight) {
  const int n = m->count;
  double *w = weight + (ptrdiff_t)stage * n;
  for (int step = 0; step < STEPS; step++) {
    double a[MOST][MOST] = {{0}}, b[MOST] = {0}, chance[SAL_SEATS_MAX];
    double moved = 0;
    for (int i = 0; i < n; i++) {
      a[i][i] = ridge;
      b[i] = -ridge * w[i];
    }
    for (size_t i = 0; i < l->count; i++)
      if (l->list[i].stage == stage) {
        chances_by(m, weight, &l->list[i], chance);
        add(&l->list[i], n, chance, a, b);
      }
    solve(n, a, b);
    for (int i = 0; i < n; i++) {
      w[i] += b[i];
      moved = fmax(moved, fabs(b[i]));
    }
    if (moved < 1e-7)
      return;
  }
}

static void report(const struct model *m, const double *weight,
                   const struct samples *l) {
  double count[BINS] = {0}, told[BINS] = {0}, won[BINS] = {0};
  double sum = 0, worst = 0, all = 0, chance[SAL_SEATS_MAX];
  for (size_t i = 0; i < l->count; i++) {
    const struct sample *x = &l->list[i];
    chances_by(m, weight, x, chance);
    for (int seat = 0; seat < x->players; seat++) {
      const int bin = chance[seat] < 1 ? (int)(chance[seat] * BINS) : BINS - 1;
      count[bin]++;
      told[bin] += chance[seat];
      won[bin] += x->won[seat];
    }
  }
  for (int i = 0; i < BINS; i++) {
    const double off = fabs(told[i] - won[i]);
    sum += off;
    all += count[i];
    if (count[i] >= 500 && off / count[i] > worst)
      worst = off / count[i];
  }
  fprintf(stderr,
          "%s: %zu positions of other games; mean distance of told and won "
          "%.2f points, the largest in a bin of 500 %.2f\n",
          m->array, l->count, 100 * sum / all, 100 * worst);
}

static void print(const struct model *m, const double *weight) {
  printf("const double fitted_%s[] = {", m->array);
  for (int i = 0; i < m->stages * m->count; i++)
    printf("%s%.4f", i ? ", " : "", weight[i]);
  printf("};\n");
}

/* Of Favor: changes when a lot is gone. */
static int cards_gone(const sal_view *view) {
  const struct favor *s = &as_view(view)->s;
  unsigned gone = total(s->discards);
  for (int i = 0; i < s->players; i++)
    gone += total(s->collection[i]);
  return (int)gone;
}

/* Of the game with that name, or of `assets` or `lots`. */
static bool model_of(const char *name, struct model *out) {
  static const struct model numbers[] = {
      {"louis", "assets", LOUIS_STAGES, LOUIS_ASSETS, 2, 4, read_numbers, NULL,
       louis_stage, louis_assets, NULL},
      {"favor", "lots", FAVOR_STAGES, FAVOR_HOLDINGS, 3, 4, read_numbers, NULL,
       favor_stage, favor_holdings, cards_gone}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (strcmp(name, numbers[i].array) == 0) {
      *out = numbers[i];
      return true;
    }
  const struct sal_game *g = sal_game_find(name);
  const struct standing_kind *k = g ? standing_of(g) : NULL;
  if (!k)
    return false;
  *out = (struct model){k->game,       k->game, k->stages, k->count, 2,   2,
                        read_standing, k,       NULL,      NULL,     NULL};
  return true;
}

int main(int argc, char **argv) {
  struct model m;
  const long games = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
  const uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
  if (argc < 3 || !model_of(argv[1], &m) || games < 1) {
    fprintf(stderr,
            "bench/chances: traps, favor, louis, assets or lots, and how "
            "many games\n");
    return 2;
  }
  double weight[WEIGHTS_MAX] = {0};
  struct samples l = play_all(&m, games, seed << 32);
  for (int stage = 0; stage < m.stages; stage++)
    fit(&m, stage, &l, weight);
  free(l.list);
  l = play_all(&m, games, (seed + 1) << 32);
  report(&m, weight, &l);
  free(l.list);
  print(&m, weight);
  return 0;
}
