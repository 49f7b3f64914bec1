/* Means, rates, intervals and histograms of a tournament; see figures.h. */
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double z = 1.959963984540054; /* 97.5 % of the normal law */

/* ---- Intervals ----------------------------------------------------------- */

void spread_add(struct spread *s, double x) {
  const double before = x - s->mean;
  s->count++;
  s->mean += before / (double)s->count;
  s->squares += before * (x - s->mean);
}

struct interval spread_interval(const struct spread *s) {
  if (s->count < 2)
    return (struct interval){s->count ? s->mean : NAN, -INFINITY, INFINITY};
  const double n = (double)s->count;
  const double half = z * sqrt(s->squares / (n - 1) / n);
  return (struct interval){s->mean, s->mean - half, s->mean + half};
}

struct interval spread_rate(const struct spread *s) {
  const double p = s->mean, deals = (double)s->count;
  if (s->count == 0)
    return (struct interval){NAN, 0, 1};
  /* A few deals can come out alike by chance, and must not look certain: one
   * deal more is taken to have the spread of independent games. */
  const double noise = (s->squares + p * (1 - p)) / (deals * deals);
  const double n = noise > 0 ? p * (1 - p) / noise : deals;
  const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half =
      z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return (struct interval){p, fmax(0, middle - half), fmin(1, middle + half)};
}

/* ---- Histograms ---------------------------------------------------------- */

/* The smallest round width with which the values fit the bins. */
static void histogram_shape(struct histogram *h, int32_t least, int32_t most) {
  static const int32_t steps[] = {1, 2, 5};
  int32_t ten = 1;
  for (int i = 0;; i = (i + 1) % 3, ten *= i == 0 ? 10 : 1) {
    h->width = steps[i] * ten;
    const int32_t below = least % h->width;
    h->low = least - (below < 0 ? below + h->width : below);
    const int64_t bins = ((int64_t)most - h->low) / h->width + 1;
    if (bins <= BINS_MAX) {
      h->bins = (int)bins;
      return;
    }
  }
}

static void histogram_add(struct histogram *h, int32_t value) {
  h->count[(value - h->low) / h->width]++;
}

/* ---- One pass over the games, deal by deal ------------------------------- */

double game_share(const struct arena_plan *p, const struct arena_game *g,
                  int seat) {
  int winners = 0;
  for (int i = 0; i < p->setup.players; i++)
    winners += g->rank[i] == 0;
  return g->rank[seat] == 0 ? 1.0 / winners : 0;
}

/* What a deal adds up to for a bot or a seat. */
struct sum {
  double wins, score;
  size_t seats, whole;
};

struct pass {
  const struct arena_plan *plan;
  struct figures *f;
  struct spread wins[ARENA_BOTS_MAX], score[ARENA_BOTS_MAX];
  struct spread seat[SAL_SEATS_MAX];
  double wins_at[ARENA_BOTS_MAX][SAL_SEATS_MAX];
  size_t seats_at[ARENA_BOTS_MAX][SAL_SEATS_MAX];
};

static void take_pairs(struct pass *a, const struct arena_game *g) {
  for (int i = 0; i < a->plan->setup.players; i++)
    for (int k = 0; k < a->plan->setup.players; k++) {
      if (g->bot[i] == g->bot[k])
        continue;
      a->f->met[g->bot[i]][g->bot[k]]++;
      if (g->rank[i] <= g->rank[k])
        a->f->before[g->bot[i]][g->bot[k]] += g->rank[i] < g->rank[k] ? 1 : 0.5;
    }
}

static void take_game(struct pass *a, const struct arena_game *g,
                      struct sum *bot, struct sum *seat) {
  for (int i = 0; i < a->plan->setup.players; i++) {
    const uint8_t b = g->bot[i];
    const double share = game_share(a->plan, g, i);
    bot[b].wins += share;
    bot[b].seats++;
    bot[b].score += g->whole ? g->score[i] : 0;
    bot[b].whole += g->whole;
    seat[i].wins += share;
    seat[i].seats++;
    a->wins_at[b][i] += share;
    a->seats_at[b][i]++;
    a->f->bot[b].seats++;
    a->f->bot[b].faults[g->fault[i]]++;
  }
  a->f->whole += g->whole;
  take_pairs(a, g);
}

static void take_deal(struct pass *a, const struct arena_game *games,
                      size_t count) {
  struct sum bot[ARENA_BOTS_MAX] = {0}, seat[SAL_SEATS_MAX] = {0};
  for (size_t i = 0; i < count; i++)
    take_game(a, &games[i], bot, seat);
  for (int b = 0; b < a->plan->bots; b++) {
    spread_add(&a->wins[b], bot[b].wins / (double)bot[b].seats);
    if (bot[b].whole)
      spread_add(&a->score[b], bot[b].score / (double)bot[b].whole);
  }
  for (int s = 0; s < a->plan->setup.players; s++)
    spread_add(&a->seat[s], seat[s].wins / (double)seat[s].seats);
}

static void conclude_pass(const struct pass *a) {
  struct figures *f = a->f;
  for (int b = 0; b < a->plan->bots; b++) {
    f->bot[b].wins = spread_rate(&a->wins[b]);
    f->bot[b].score = spread_interval(&a->score[b]);
    for (int s = 0; s < a->plan->setup.players; s++)
      f->bot[b].wins_at[s] = a->wins_at[b][s] / (double)a->seats_at[b][s];
  }
  for (int s = 0; s < a->plan->setup.players; s++)
    f->seat[s] = spread_rate(&a->seat[s]);
}

/* ---- Lengths and scores of whole games ----------------------------------- */

static int by_size(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static bool take_lengths(const struct arena_game *games, struct figures *f) {
  uint32_t *length = malloc((f->whole + 1) * sizeof *length);
  size_t n = 0;
  double sum = 0;
  if (!length)
    return false;
  for (size_t i = 0; i < f->games; i++)
    if (games[i].whole) {
      length[n++] = games[i].length;
      sum += games[i].length;
    }
  qsort(length, n, sizeof *length, by_size);
  for (size_t i = 0; n > 0 && i < 5; i++)
    f->length_quartile[i] = length[(n - 1) * i / 4];
  f->length_mean = n ? sum / (double)n : 0;
  histogram_shape(&f->lengths, (int32_t)f->length_quartile[0],
                  (int32_t)f->length_quartile[4]);
  for (size_t i = 0; i < n; i++)
    histogram_add(&f->lengths, (int32_t)length[i]);
  free(length);
  return true;
}

/* All bots share the bins, so that their histograms can be compared. */
static void take_scores(const struct arena_plan *p,
                        const struct arena_game *games, struct figures *f) {
  int32_t least = INT32_MAX, most = INT32_MIN;
  for (size_t i = 0; i < f->games; i++)
    for (int s = 0; games[i].whole && s < p->setup.players; s++) {
      least = games[i].score[s] < least ? games[i].score[s] : least;
      most = games[i].score[s] > most ? games[i].score[s] : most;
    }
  for (int b = 0; b < p->bots; b++)
    if (f->whole)
      histogram_shape(&f->bot[b].scores, least, most);
  for (size_t i = 0; i < f->games; i++)
    for (int s = 0; games[i].whole && s < p->setup.players; s++)
      histogram_add(&f->bot[games[i].bot[s]].scores, games[i].score[s]);
}

bool figures_take(const struct arena_plan *p, const struct arena_game *games,
                  struct figures *out) {
  struct pass a = {.plan = p, .f = out};
  const size_t each = arena_games_per_deal(p);
  memset(out, 0, sizeof *out);
  out->deals = p->deals;
  out->games = p->deals * each;
  for (size_t d = 0; d < p->deals; d++)
    take_deal(&a, games + d * each, each);
  conclude_pass(&a);
  ratings_take(p, games, out);
  take_scores(p, games, out);
  return take_lengths(games, out);
}
