/* Bradley–Terry ratings on the scale of Elo, with intervals.
 *
 * Bot i finishes before bot k with probability s_i / (s_i + s_k); the strengths
 * of greatest likelihood are found by Hunter's MM iteration. A game of more
 * than two counts as one comparison of every two seats with different bots. So
 * that a bot that always won has a rating too, every two bots that met are
 * given one drawn game more.
 *
 * The comparisons of one deal hang together. The intervals therefore come from
 * the sandwich H⁺ M H⁺ : H is the information of the model, M the spread of the
 * score vectors between deals. */
#include "figures.h"

#include <math.h>
#include <string.h>

enum { N = ARENA_BOTS_MAX, ROUNDS_MAX = 100000 };

typedef double matrix[N][N];

struct model {
  int n;
  matrix met, before; /* with the drawn games added */
  double strength[N];
};

static void model_init(struct model *m, const struct figures *f, int bots) {
  memset(m, 0, sizeof *m);
  m->n = bots;
  for (int i = 0; i < bots; i++) {
    m->strength[i] = 1;
    for (int k = 0; k < bots; k++)
      if (i != k && f->met[i][k] > 0) {
        m->met[i][k] = f->met[i][k] + 1;
        m->before[i][k] = f->before[i][k] + 0.5;
      }
  }
}

static double chance_against(const struct model *m, int i, int k) {
  return m->strength[i] / (m->strength[i] + m->strength[k]);
}

/* One round of MM; returns the largest change of a log strength. */
static double improve_ratings(struct model *m) {
  double next[N], logs = 0, change = 0;
  for (int i = 0; i < m->n; i++) {
    double wins = 0, weight = 0;
    for (int k = 0; k < m->n; k++)
      if (m->met[i][k] > 0) {
        wins += m->before[i][k];
        weight += m->met[i][k] / (m->strength[i] + m->strength[k]);
      }
    next[i] = weight > 0 ? wins / weight : 1;
    logs += log(next[i]);
  }
  for (int i = 0; i < m->n; i++) {
    next[i] /= exp(logs / m->n);
    change = fmax(change, fabs(log(next[i] / m->strength[i])));
    m->strength[i] = next[i];
  }
  return change;
}

/* ---- Intervals ----------------------------------------------------------- */

/* Inverts a regular matrix in place by Gauss and Jordan. Our matrices are
 * symmetric and positive definite, so that no pivot is 0. */
static void invert(matrix a, int n) {
  for (int p = 0; p < n; p++) {
    const double pivot = 1 / a[p][p];
    a[p][p] = 1;
    for (int k = 0; k < n; k++)
      a[p][k] *= pivot;
    for (int i = 0; i < n; i++) {
      if (i == p)
        continue;
      const double factor = a[i][p];
      a[i][p] = 0;
      for (int k = 0; k < n; k++)
        a[i][k] -= factor * a[p][k];
    }
  }
}

/* The information matrix, inverted where strengths sum to nothing: it does
 * not see a shift of all, so J/n is added before and taken away after. */
static void inverse_information(const struct model *m, matrix out) {
  const double j = 1.0 / m->n;
  for (int i = 0; i < m->n; i++) {
    out[i][i] = j;
    for (int k = 0; k < m->n; k++)
      if (k != i) {
        const double p = chance_against(m, i, k);
        const double h = m->met[i][k] * p * (1 - p);
        out[i][i] += h;
        out[i][k] = j - h;
      }
  }
  invert(out, m->n);
  for (int i = 0; i < m->n; i++)
    for (int k = 0; k < m->n; k++)
      out[i][k] -= j;
}

/* The score vector of a deal: for each bot, comparisons won less expected. */
static void deal_score(const struct arena_plan *p, const struct model *m,
                       const struct arena_game *games, size_t count,
                       double *score) {
  memset(score, 0, N * sizeof *score);
  for (size_t g = 0; g < count; g++)
    for (int i = 0; i < p->setup.players; i++)
      for (int k = 0; k < p->setup.players; k++) {
        const uint8_t a = games[g].bot[i], b = games[g].bot[k];
        const uint8_t mine = games[g].rank[i], theirs = games[g].rank[k];
        if (a != b)
          score[a] += (mine < theirs    ? 1
                       : mine == theirs ? 0.5
                                        : 0) -
                      chance_against(m, a, b);
      }
}

/* The drawn games that were added: half a win and half a loss each. */
static void add_draws(const struct model *m, matrix spread) {
  for (int i = 0; i < m->n; i++)
    for (int k = 0; k < m->n; k++)
      if (i != k && m->met[i][k] > 0) {
        const double p = chance_against(m, i, k);
        const double s = (p * p + (1 - p) * (1 - p)) / 2;
        spread[i][i] += s;
        spread[i][k] -= s;
      }
}

static void score_spread(const struct arena_plan *p, const struct model *m,
                         const struct arena_game *games, matrix spread) {
  const size_t each = arena_games_per_deal(p);
  memset(spread, 0, sizeof(matrix));
  for (size_t d = 0; d < p->deals; d++) {
    double score[N];
    deal_score(p, m, games + d * each, each, score);
    for (int i = 0; i < m->n; i++)
      for (int k = 0; k < m->n; k++)
        spread[i][k] += score[i] * score[k];
  }
  add_draws(m, spread);
}

static double sandwich(const struct model *m, matrix bread, matrix meat,
                       int i) {
  double v = 0;
  for (int k = 0; k < m->n; k++)
    for (int l = 0; l < m->n; l++)
      v += bread[i][k] * meat[k][l] * bread[l][i];
  return v;
}

void ratings_take(const struct arena_plan *p, const struct arena_game *games,
                  struct figures *f) {
  const double elo = 400 / log(10);
  struct model m;
  matrix bread, meat;
  model_init(&m, f, p->bots);
  for (int i = 0; i < ROUNDS_MAX && improve_ratings(&m) > 1e-12; i++)
    ;
  inverse_information(&m, bread);
  score_spread(p, &m, games, meat);
  for (int i = 0; i < p->bots; i++) {
    const double rating = 1500 + elo * log(m.strength[i]);
    const double half =
        1.959963984540054 * elo * sqrt(fmax(0, sandwich(&m, bread, meat, i)));
    f->bot[i].rating = (struct interval){rating, rating - half, rating + half};
  }
}
