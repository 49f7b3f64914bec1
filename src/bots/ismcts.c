/* Single-observer information-set Monte Carlo tree search as the textbooks have
 * it: one tree of actions for all seats, worlds drawn uniformly from the view,
 * random playouts. The yardstick for the expert. */
#include "search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 1 << 16, STEPS = 600 };

struct node {
  sal_action action; /* that leads here */
  int seat;          /* who took it */
  uint32_t visits, available;
  double sum; /* for that seat */
  uint32_t child, next;
};

struct tree {
  const struct sal_question *q;
  struct sal_rng *rng;
  struct node *node;
  uint32_t count;
  int32_t before[SAL_SEATS_MAX];
  sal_action legal[LEGAL_MAX];
  uint32_t path[STEPS];
};

static uint32_t child_of(const struct tree *t, uint32_t at, sal_action a) {
  uint32_t c = t->node[at].child;
  while (c && t->node[c].action != a)
    c = t->node[c].next;
  return c;
}

/* Selects among the legal children, or adds one that is new. */
static uint32_t descend(struct tree *t, uint32_t at, int seat, size_t count,
                        bool *grown) {
  uint32_t best = 0;
  double most = -1;
  const size_t from = sal_rng_below(t->rng, (uint32_t)count);
  for (size_t i = 0; i < count; i++) {
    const sal_action a = t->legal[(from + i) % count];
    const uint32_t c = child_of(t, at, a);
    if (!c) {
      *grown = true;
      if (t->count == NODES_MAX)
        return 0;
      const uint32_t fresh = t->count++;
      t->node[fresh] =
          (struct node){.action = a, .seat = seat, .next = t->node[at].child};
      t->node[at].child = fresh;
      return fresh;
    }
  }
  for (size_t i = 0; i < count; i++) {
    struct node *n = &t->node[child_of(t, at, t->legal[i])];
    n->available++;
    const double v =
        n->sum / n->visits + 0.7 * sqrt(log((double)n->available) / n->visits);
    if (v > most) {
      most = v;
      best = (uint32_t)(n - t->node);
    }
  }
  return best;
}

static void simulate(struct tree *t) {
  const struct sal_game *g = t->q->game;
  union sal_state_box box;
  sal_state *s = (sal_state *)box.bytes;
  g->resample(t->q->view, t->rng, s);
  uint32_t at = 0;
  size_t length = 0;
  bool grown = false;
  const int closed = g->closed(s);
  unsigned asked;
  for (int steps = 0; steps < STEPS && (asked = g->to_act(s)) != 0; steps++) {
    if (g->closed(s) != closed)
      break;
    if (asked == SAL_CHANCE_BIT) {
      g->sample(s, t->rng);
      continue;
    }
    const int seat = length == 0 ? t->q->seat : __builtin_ctz(asked);
    const size_t count = g->legal(s, seat, t->legal);
    sal_action a = t->legal[sal_rng_below(t->rng, (uint32_t)count)];
    if (!grown && (at = descend(t, at, seat, count, &grown)) != 0) {
      a = t->node[at].action;
      t->path[length++] = at;
    }
    g->apply(s, seat, a, NULL);
  }
  for (int seat = 0; seat < t->q->players; seat++) {
    const double value = outlook(t->q, t->before, s, seat);
    for (size_t i = 0; i < length; i++)
      if (t->node[t->path[i]].seat == seat) {
        t->node[t->path[i]].visits++;
        t->node[t->path[i]].sum += value;
      }
  }
}

void think_ismcts(const struct sal_question *q, struct sal_rng *rng,
                  struct sal_thought *out) {
  struct timer timer;
  timer_start(&timer, &q->budget, 4000);
  memset(out, 0, sizeof *out);
  out->action = q->legal[sal_rng_below(rng, (uint32_t)q->count)];
  if (q->count == 1 || q->game->info.legal_max > LEGAL_MAX)
    return;
  struct tree *t = malloc(sizeof *t);
  double *value = calloc(2 * q->count, sizeof *value);
  struct node *nodes = malloc(NODES_MAX * sizeof *nodes);
  if (t && value && nodes) {
    t->q = q;
    t->rng = rng;
    t->node = nodes;
    t->count = 1;
    scores_now(q, rng, t->before);
    memset(&nodes[0], 0, sizeof nodes[0]);
    while (timer_more(&timer))
      simulate(t);
    for (size_t i = 0; i < q->count; i++) {
      const uint32_t c = child_of(t, 0, q->legal[i]);
      if (c && nodes[c].visits) {
        value[i] = nodes[c].sum / nodes[c].visits;
        value[q->count + i] = (double)nodes[c].visits / (double)timer.done;
      }
    }
    report(q, value, value + q->count, out);
    out->simulations = timer.done;
  }
  free(t);
  free(value);
  free(nodes);
}
