/* CFR+ and best responses over a game tree; see salotto/cfr.h.
 *
 * Main invariant: nodes lie level by level, so reach probabilities are found
 * in one sweep forward and values in one sweep backward. Values are those of
 * seat 0; seat 1 is glad of small ones. */
#include "game_tree.h"

#include <stdlib.h>
#include <string.h>

struct sal_cfr {
  struct game_tree tree;
  double iteration;
  double *regret, *sum, *strategy; /* by action of all sets */
  double *choice;                  /* likewise: what each action is worth */
  double *own[SEATS];              /* by node: reach by the seat's choices */
  double *chance;                  /* by node: reach by chance alone */
  double *value;                   /* by node */
};

/* ---- Memory -------------------------------------------------------------------- */

static bool take_memory(sal_cfr *c) {
  const size_t n = c->tree.node_count, a = c->tree.action_count + 1;
  c->regret = calloc(a, sizeof(double));
  c->sum = calloc(a, sizeof(double));
  c->strategy = calloc(a, sizeof(double));
  c->choice = calloc(a, sizeof(double));
  c->chance = calloc(n, sizeof(double));
  c->value = calloc(n, sizeof(double));
  for (int s = 0; s < SEATS; s++)
    c->own[s] = calloc(n, sizeof(double));
  return c->regret && c->sum && c->strategy && c->choice && c->chance &&
         c->value && c->own[0] && c->own[1];
}

static void find_chances(sal_cfr *c) {
  c->chance[0] = 1;
  for (size_t i = 0; i < c->tree.node_count; i++) {
    const struct tree_node *n = &c->tree.nodes[i];
    for (size_t k = n->child; k < n->child + n->count; k++)
      c->chance[k] = c->chance[i] * c->tree.nodes[k].chance;
  }
}

sal_cfr *sal_cfr_new(const struct sal_game *g, const struct sal_setup *setup,
                     enum sal_cfr_goal goal, size_t nodes_max,
                     enum sal_cfr_problem *problem) {
  sal_cfr *c = calloc(1, sizeof *c);
  *problem = SAL_CFR_NO_MEMORY;
  if (!c)
    return NULL;
  if (!game_tree_make(&c->tree, g, setup, goal, nodes_max, problem)) {
    free(c);
    return NULL;
  }
  if (!take_memory(c)) {
    *problem = SAL_CFR_NO_MEMORY;
    sal_cfr_free(c);
    return NULL;
  }
  find_chances(c);
  return c;
}

void sal_cfr_free(sal_cfr *c) {
  if (!c)
    return;
  game_tree_free(&c->tree);
  free(c->regret);
  free(c->sum);
  free(c->strategy);
  free(c->choice);
  free(c->chance);
  free(c->value);
  for (int s = 0; s < SEATS; s++)
    free(c->own[s]);
  free(c);
}

struct sal_cfr_size sal_cfr_size(const sal_cfr *c) {
  return (struct sal_cfr_size){c->tree.node_count, c->tree.set_count,
                               c->tree.level_count - 1};
}

/* ---- Sweeps -------------------------------------------------------------------- */

/* In proportion to the weights, evenly where there are none. */
static void proportions(const double *weight, size_t count, double *out) {
  double total = 0;
  for (size_t i = 0; i < count; i++)
    total += weight[i];
  for (size_t i = 0; i < count; i++)
    out[i] = total > 0 ? weight[i] / total : 1 / (double)count;
}

/* The strategies of all sets, from regrets or from the sums of averages. */
static void set_strategies(sal_cfr *c, const double *weights) {
  for (size_t i = 0; i < c->tree.set_count; i++) {
    const struct information_set *s = &c->tree.sets[i];
    proportions(weights + s->action, s->count, c->strategy + s->action);
  }
}

/* Reach probabilities under the strategies. */
static void spread_reach(sal_cfr *c) {
  c->own[0][0] = c->own[1][0] = 1;
  for (size_t i = 0; i < c->tree.node_count; i++) {
    const struct tree_node *n = &c->tree.nodes[i];
    const double *strategy =
        n->actor >= 0 ? c->strategy + c->tree.sets[n->set].action : NULL;
    for (uint32_t k = 0; k < n->count; k++)
      for (int s = 0; s < SEATS; s++)
        c->own[s][n->child + k] =
            c->own[s][i] * (n->actor == s ? strategy[k] : 1);
  }
}

/* The value of a node whose children have theirs. */
static double value_of(const sal_cfr *c, const struct tree_node *n) {
  if (n->actor == NODE_END)
    return n->payoff;
  const double *strategy =
      n->actor >= 0 ? c->strategy + c->tree.sets[n->set].action : NULL;
  double sum = 0;
  for (uint32_t k = 0; k < n->count; k++)
    sum += (strategy ? strategy[k] : c->tree.nodes[n->child + k].chance) *
           c->value[n->child + k];
  return sum;
}

/* How much a node counts for a seat that is asked there. */
static double weight_of(const sal_cfr *c, size_t node, int seat) {
  return c->chance[node] * c->own[!seat][node];
}

/* ---- CFR+ ---------------------------------------------------------------------- */

/* Adds what each action of a node would have gained for who is asked. */
static void add_regrets(sal_cfr *c, size_t node) {
  const struct tree_node *n = &c->tree.nodes[node];
  const double weight = weight_of(c, node, n->actor) * (n->actor == 0 ? 1 : -1);
  double *regret = c->regret + c->tree.sets[n->set].action;
  for (uint32_t k = 0; k < n->count; k++)
    regret[k] += weight * (c->value[n->child + k] - c->value[node]);
}

/* Regrets below nothing are forgotten; the strategy goes into the average. */
static void close_sets(sal_cfr *c, int seat) {
  for (size_t i = 0; i < c->tree.set_count; i++) {
    const struct information_set *s = &c->tree.sets[i];
    if (s->seat != seat)
      continue;
    const double reach = c->iteration * c->own[seat][s->first];
    for (size_t a = s->action; a < s->action + s->count; a++) {
      c->sum[a] += reach * c->strategy[a];
      if (c->regret[a] < 0)
        c->regret[a] = 0;
    }
  }
}

void sal_cfr_iterate(sal_cfr *c) {
  c->iteration += 1;
  for (int seat = 0; seat < SEATS; seat++) {
    set_strategies(c, c->regret);
    spread_reach(c);
    for (size_t i = c->tree.node_count; i-- > 0;) {
      c->value[i] = value_of(c, &c->tree.nodes[i]);
      if (c->tree.nodes[i].actor == seat)
        add_regrets(c, i);
    }
    close_sets(c, seat);
  }
}

/* ---- Best responses --------------------------------------------------------------- */

/* Lets the sets of a seat on the level [from, to) play what is best, when all
 * nodes below have their values. */
static void respond(sal_cfr *c, int seat, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) {
    const struct tree_node *n = &c->tree.nodes[i];
    for (uint32_t k = 0; n->actor == seat && k < n->count; k++)
      c->choice[c->tree.sets[n->set].action + k] +=
          weight_of(c, i, seat) * c->value[n->child + k];
  }
  for (size_t i = from; i < to; i++) {
    const struct tree_node *n = &c->tree.nodes[i];
    if (n->actor != seat || c->tree.sets[n->set].first != i)
      continue;
    const struct information_set *s = &c->tree.sets[n->set];
    const double *worth = c->choice + s->action, sign = seat == 0 ? 1 : -1;
    uint32_t best = 0;
    for (uint32_t k = 1; k < s->count; k++)
      if (sign * worth[k] > sign * worth[best])
        best = k;
    for (uint32_t k = 0; k < s->count; k++)
      c->strategy[s->action + k] = k == best;
  }
}

/* What seat 0 gets when `seat` answers the other's average as well as it can. */
static double best_response(sal_cfr *c, int seat) {
  set_strategies(c, c->sum);
  spread_reach(c);
  memset(c->choice, 0, c->tree.action_count * sizeof *c->choice);
  size_t to = c->tree.node_count;
  for (size_t level = c->tree.level_count; level-- > 0;) {
    const size_t from = c->tree.levels[level];
    respond(c, seat, from, to);
    for (size_t i = from; i < to; i++)
      c->value[i] = value_of(c, &c->tree.nodes[i]);
    to = from;
  }
  return c->value[0];
}

struct sal_cfr_bounds sal_cfr_bounds(sal_cfr *c) {
  const double low = best_response(c, 1), high = best_response(c, 0);
  return (struct sal_cfr_bounds){low, high};
}

/* ---- What was found ---------------------------------------------------------------- */

struct sal_cfr_set sal_cfr_set(const sal_cfr *c, size_t number) {
  const struct information_set *s = &c->tree.sets[number];
  return (struct sal_cfr_set){
      .seat = s->seat,
      .view = (const sal_view *)(c->tree.views + number * c->tree.view_room),
      .count = s->count,
      .action = c->tree.actions + s->action,
      .reach = c->own[s->seat][s->first]};
}

double sal_cfr_average(const sal_cfr *c, size_t number, size_t i) {
  const struct information_set *s = &c->tree.sets[number];
  double total = 0;
  for (size_t a = s->action; a < s->action + s->count; a++)
    total += c->sum[a];
  return total > 0 ? c->sum[s->action + i] / total : 1 / (double)s->count;
}
