/* What each score of a match is worth; see match.h. */
#include "match.h"

#include <math.h>
#include <string.h>

enum { SCORES = GOAL * GOAL };

static void deal_fresh(struct task *t, int cut) {
  memcpy(t->deals, traps_model()->deals, sizeof t->deals);
  t->cut = cut;
}

struct task match_task(const struct equity *e, int first, int second, int cut) {
  struct task t = {
      .pay = {traps_pay(e, first, second), traps_pay(e, second, first)}};
  deal_fresh(&t, cut);
  return t;
}

struct task tokens_task(int cut) {
  struct task t = {.pay = {traps_pay_tokens(), traps_pay_tokens()}};
  deal_fresh(&t, cut);
  return t;
}

/* The equation of a score: worth = right + sum of row * worths. */
static void equation(int first, int second, const struct ends *ends,
                     double *row, double *right) {
  memset(row, 0, SCORES * sizeof *row);
  *right = 0;
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < OUTCOMES; k++) {
      const struct score to = traps_after(
          side ? second : first, side ? first : second, (enum outcome)k);
      const double chance = side ? -ends->of[side][k] : ends->of[side][k];
      if (to.digger >= GOAL)
        *right += chance;
      else if (to.other >= GOAL)
        *right -= chance;
      else
        row[to.digger * GOAL + to.other] += chance;
    }
}

/* Gauss, with pivots; solves x = right + a x. */
static void solve_equations(double a[SCORES][SCORES], double *right) {
  for (int i = 0; i < SCORES; i++)
    for (int k = 0; k < SCORES; k++)
      a[i][k] = (i == k) - a[i][k];
  for (int i = 0; i < SCORES; i++) {
    int best = i;
    for (int k = i + 1; k < SCORES; k++)
      if (fabs(a[k][i]) > fabs(a[best][i]))
        best = k;
    for (int c = 0; c < SCORES; c++) {
      const double x = a[i][c];
      a[i][c] = a[best][c];
      a[best][c] = x;
    }
    const double x = right[i];
    right[i] = right[best];
    right[best] = x;
    for (int k = 0; k < SCORES; k++) {
      if (k == i)
        continue;
      const double by = a[k][i] / a[i][i];
      for (int c = i; c < SCORES; c++)
        a[k][c] -= by * a[i][c];
      right[k] -= by * right[i];
    }
  }
  for (int i = 0; i < SCORES; i++)
    right[i] /= a[i][i];
}

static bool count_ends(const struct task *t, int iterations, struct ends *ends,
                       double *gap) {
  struct round *r = round_new(t);
  if (!r)
    return false;
  for (int i = 0; i < iterations; i++)
    round_iterate(r);
  const struct bounds b = round_bounds(r);
  *gap = b.high - b.low;
  const bool ok = round_ends(r, t, ends);
  round_free(r);
  return ok;
}

struct swept {
  struct ends ends;
  bool failed;
};

double match_sweep(struct equity *e, int cut, int iterations,
                   const struct sal_solve_team *team,
                   void (*told)(int first, int second, double gap)) {
  double a[SCORES][SCORES], worth[SCORES];
  struct swept all[SCORES];
  double change = 0;
  memset(all, 0, sizeof all);
  for (int i = team->number; i < SCORES; i += team->count) {
    struct task t = match_task(e, i / GOAL, i % GOAL, cut);
    double gap;
    t.keep = 3;
    all[i].failed = !count_ends(&t, iterations, &all[i].ends, &gap);
    if (told && !all[i].failed)
      told(i / GOAL, i % GOAL, gap);
  }
  if (team->count > 1)
    team->merge(all, sizeof all);
  for (int i = 0; i < SCORES; i++) {
    if (all[i].failed)
      return -1;
    equation(i / GOAL, i % GOAL, &all[i].ends, a[i], &worth[i]);
  }
  solve_equations(a, worth);
  for (int i = 0; i < SCORES; i++) {
    change = fmax(change, fabs(worth[i] - e->of[i / GOAL][i % GOAL]));
    e->of[i / GOAL][i % GOAL] = worth[i];
  }
  return change;
}
