/* How a round ends when both play their averages; see round.h.
 *
 * The averages of both sides meet only at the ends of the betting, so each end
 * is weighed by the product of two sums. */
#include "round.h"

#include <stdlib.h>
#include <string.h>

struct count {
  const struct model *model;
  const struct task *task;
  const struct round *round;
  lanes deals[HANDS]; /* [first's hand][second's] */
  shares *share;
  lanes *flow;
  struct ends ends;
};

static int most_points(const struct count *c) {
  int most = 1;
  for (int p = 0; p <= c->task->cut; p++)
    for (unsigned s = 1; s < 1u << position_top(p); s++)
      if (round_plan(c->round, p, s)->count > most)
        most = round_plan(c->round, p, s)->count;
  return most;
}

static bool nobody(const float *reach, int n) {
  for (int i = 0; i < n; i++)
    if (reach[i] > 0)
      return false;
  return true;
}

static double deal(const struct count *c, int side, int mine, int theirs) {
  return (double)(side == 0 ? c->deals[mine][theirs] : c->deals[theirs][mine]);
}

static void dug(struct count *c, int p, unsigned s, const float *digger,
                const float *other) {
  const int side = !history_actor(p, s);
  const struct plan *plan = round_plan(c->round, p, s);
  const shares *sum = round_dug(c->round, p, s);
  lanes paid[NODES_MAX];
  for (int e = 0; e < plan->count; e++)
    for (int i = 0; i < LANES; i++) {
      float all = 0;
      for (int o = 0; o < OPTIONS; o++)
        all += sum[e][o][i];
      for (int o = 0; o < OPTIONS; o++)
        c->share[e][o][i] = all > 0 ? sum[e][o][i] / all : 0;
    }
  for (int k = 0; k < OUTCOMES; k++) {
    struct pay only = c->task->pay[side];
    memset(only.of, 0, sizeof only.of);
    only.of[k] = 1;
    dig_flow(plan, &only, digger, c->share, c->flow, paid);
    for (int i = 0; i < plan->theirs->types; i++) {
      const struct type *t = &plan->theirs->type[i];
      if (other[i] > 0)
        for (int h = 0; h < HANDS; h++)
          c->ends.of[side][k] += (double)other[i] * (double)paid[t->leaf][h] *
                                 deal(c, side, h, t->hand);
    }
  }
}

static void overbid(struct count *c, int p, int side, const float *digger,
                    const float *other) {
  const struct piles *mine = &c->model->piles[position_pile(p, side)];
  const struct piles *theirs = &c->model->piles[position_pile(p, !side)];
  double by[2][WORTHS][HANDS] = {{{0}}};
  for (int i = 0; i < mine->types; i++)
    by[0][mine->type[i].traps][mine->type[i].hand] += (double)digger[i];
  for (int i = 0; i < theirs->types; i++)
    by[1][theirs->type[i].traps][theirs->type[i].hand] += (double)other[i];
  for (int x = 0; x < WORTHS; x++)
    for (int y = 0; y < WORTHS; y++)
      for (int h = 0; h < HANDS; h++)
        for (int k = 0; k < HANDS; k++) {
          const double chance = by[0][x][h] * by[1][y][k] * deal(c, side, h, k);
          c->ends.of[side][c->task->pay[side].over[x][y]] += chance;
          c->ends.over[side] += chance;
        }
}

/* All that has come to a history, before its actor decides. */
static double come(const struct count *c, int p, const float *const sum[2]) {
  double by[2][HANDS] = {{0}}, all = 0;
  for (int side = 0; side < 2; side++) {
    const struct piles *piles = &c->model->piles[position_pile(p, side)];
    for (int i = 0; i < piles->types; i++)
      by[side][piles->type[i].hand] += (double)sum[side][i];
  }
  for (int h = 0; h < HANDS; h++)
    for (int k = 0; k < HANDS; k++)
      all += by[0][h] * by[1][k] * (double)c->deals[h][k];
  return all;
}

static void ends_visit(struct count *c, int p, unsigned s, const float *first,
                       const float *second) {
  const float *sum[2] = {first, second};
  const int actor = history_actor(p, s), high = bet_high(s);
  const int lead = history_lead(s), top = position_top(p);
  int stride;
  const float *rows = round_sums(c->round, p, s, &stride);
  if (nobody(first, c->model->piles[position_pile(p, 0)].types) ||
      nobody(second, c->model->piles[position_pile(p, 1)].types))
    return;
  if (s)
    dug(c, p, s, sum[!actor], rows);
  if (s == 0)
    c->ends.opened[p] = come(c, p, sum);
  for (int b = high + 1; b <= top; b++) {
    const float *next[2] = {first, second};
    next[actor] = rows + (lead + b - high - 1) * stride;
    ends_visit(c, p, s | 1u << (b - 1), next[0], next[1]);
  }
  overbid(c, p, actor, rows + (lead + top - high) * stride, sum[!actor]);
  if (s == 0 && p < c->task->cut) {
    const int cards = position_pile(p, actor) + 1;
    const struct piles *to = &c->model->piles[cards];
    float laid[TYPES_MAX];
    for (int i = 0; i < to->types; i++)
      laid[i] = rows[to->type[i].card[cards - 1] * stride + to->type[i].parent];
    const float *next[2] = {first, second};
    next[actor] = laid;
    ends_visit(c, p + 1, 0, next[0], next[1]);
  }
}

bool round_ends(const struct round *r, const struct task *t, struct ends *out) {
  struct count c = {.model = traps_model(), .task = t, .round = r};
  const size_t points = (size_t)most_points(&c);
  for (int h = 0; h < HANDS; h++)
    for (int k = 0; k < HANDS; k++)
      c.deals[h][k] = (float)t->deals[h][k];
  c.share = malloc(points * sizeof *c.share);
  c.flow = malloc(points * sizeof *c.flow);
  const bool ok = c.share && c.flow;
  if (ok)
    ends_visit(&c, 0, 0, round_placed(r, 0), round_placed(r, 1));
  free(c.share);
  free(c.flow);
  double all = 0;
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < OUTCOMES; k++)
      all += c.ends.of[side][k];
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < OUTCOMES; k++)
      c.ends.of[side][k] /= all;
    c.ends.over[side] /= all;
  }
  const double come_all = c.ends.opened[0];
  for (int p = 0; p < POSITIONS; p++) {
    const double next = p + 1 < POSITIONS ? c.ends.opened[p + 1] : 0;
    c.ends.opened[p] = (c.ends.opened[p] - next) / come_all;
  }
  *out = c.ends;
  return ok;
}
