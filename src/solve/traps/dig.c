/* Digging; see dig.h. */
#include "dig.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- Plans ---------------------------------------------------------------- */

enum { NEEDS = BET_TOP + 1, UNKNOWN_BYTE = 0x80 };
static const int16_t unknown = -0x7f80; /* twice that byte */

struct maker {
  struct plan *plan;
  const struct pay *pay;
  int bet, cards, room;
  uint8_t gain[NODES_MAX]; /* points that may still come after a node */
  int16_t first[CLASSES_MAX][NODES_MAX];
  int16_t second[NEEDS][2][NODES_MAX];
  bool failed;
};

static int add_point(struct maker *k, const struct point *point) {
  struct plan *p = k->plan;
  if (p->count == k->room) {
    const int room = k->room ? 2 * k->room : 64;
    struct point *more = realloc(p->point, (size_t)room * sizeof *more);
    if (!more) {
      k->failed = true;
      return 0;
    }
    p->point = more;
    k->room = room;
  }
  p->point[p->count] = *point;
  return p->count++;
}

static struct point blank(const struct maker *k, int node, enum outcome stop) {
  return (struct point){
      .node = (uint8_t)node,
      .stop = (int16_t)(k->pay->can_stop ? to_outcome(stop) : NOWHERE),
      .turn = {NOWHERE, NOWHERE, NOWHERE},
      .dig = NOWHERE};
}

/* After one trap, with `need` points to come from the other's pile. Who cannot
 * stop may have to dig the `own` second trap. */
static int after_trap(struct maker *k, int need, bool own, int v) {
  const struct node *node = &k->plan->theirs->node[v];
  int16_t *known = &k->second[need][own][v];
  if (*known != unknown)
    return *known;
  struct point p = blank(k, v, STOP_TRAP);
  if (k->pay->can_stop && node->points + k->gain[v] < need)
    return *known = (int16_t)to_outcome(STOP_TRAP);
  if (node->depth == k->cards)
    return *known = (int16_t)to_outcome(own ? OWN_TWO : STOP_TRAP);
  p.turn[0] = (int16_t)(node->child[0] < 0 ? NOWHERE : to_outcome(THEIRS_TWO));
  for (int w = 1; w < WORTHS; w++)
    if (node->child[w] >= 0)
      p.turn[w] = (int16_t)(node->points + w >= need
                                ? to_outcome(MET_TRAP)
                                : after_trap(k, need, own, node->child[w]));
  if (own)
    p.dig = (int16_t)to_outcome(OWN_TWO);
  return *known = (int16_t)add_point(k, &p);
}

static int dig_own(struct maker *k, const struct class *c, int v) {
  const int need = k->bet - c->before - c->between;
  if (k->pay->last)
    return to_outcome(OWN_ENDS);
  if (k->plan->theirs->node[v].points >= need)
    return to_outcome(MET_TRAP);
  return after_trap(k, need, !k->pay->can_stop && c->traps == 2, v);
}

/* Before any trap. */
static int before_trap(struct maker *k, int class, int v) {
  const struct class *c = &k->plan->own->class[class];
  const struct node *node = &k->plan->theirs->node[v];
  const int need = k->bet - c->before;
  int16_t *known = &k->first[class][v];
  if (*known != unknown)
    return *known;
  struct point p = blank(k, v, STOP);
  if (k->pay->can_stop &&
      node->points + k->gain[v] + (c->traps ? c->between : 0) < need)
    return *known = (int16_t)to_outcome(STOP);
  if (node->depth == k->cards && c->traps == 0)
    return *known = (int16_t)to_outcome(STOP);
  if (node->child[0] >= 0)
    p.turn[0] =
        (int16_t)(k->pay->last
                      ? to_outcome(THEIRS_ENDS)
                      : after_trap(k, need, !k->pay->can_stop && c->traps > 0,
                                   node->child[0]));
  for (int w = 1; w < WORTHS; w++)
    if (node->child[w] >= 0)
      p.turn[w] = (int16_t)(node->points + w >= need
                                ? to_outcome(MET)
                                : before_trap(k, class, node->child[w]));
  if (c->traps > 0)
    p.dig = (int16_t)dig_own(k, c, v);
  return *known = (int16_t)add_point(k, &p);
}

static void make_gains(struct maker *k) {
  const struct piles *t = k->plan->theirs;
  for (int v = t->nodes - 1; v > 0; v--) {
    const int more = t->node[v].points - t->node[t->node[v].parent].points;
    uint8_t *gain = &k->gain[t->node[v].parent];
    if (k->gain[v] + more > *gain)
      *gain = (uint8_t)(k->gain[v] + more);
  }
}

bool plan_make(struct plan *p, const struct model *m, int own, int theirs,
               int bet, const struct pay *pay) {
  struct maker *k = calloc(1, sizeof *k);
  memset(p, 0, sizeof *p);
  if (!k)
    return false;
  k->plan = p;
  k->pay = pay;
  k->bet = bet;
  k->cards = theirs;
  p->own = &m->piles[own];
  p->theirs = &m->piles[theirs];
  memset(k->first, UNKNOWN_BYTE, sizeof k->first);
  memset(k->second, UNKNOWN_BYTE, sizeof k->second);
  make_gains(k);
  for (int c = 0; c < p->own->classes; c++)
    p->begin[c] =
        (int16_t)(p->own->class[c].before >= bet ? to_outcome(MET)
                                                 : before_trap(k, c, 0));
  const bool ok = !k->failed;
  free(k);
  return ok;
}

void plan_free(struct plan *p) {
  free(p->point);
  p->point = NULL;
}

/* ---- Masses --------------------------------------------------------------- */

void masses_of(struct masses *out, const struct piles *theirs,
               const float *reach, const lanes *to) {
  lanes by[NODES_MAX]; /* by the other's hand */
  memset(by, 0, (size_t)theirs->nodes * sizeof *by);
  memset(out->at, 0, (size_t)theirs->nodes * sizeof *out->at);
  for (int i = 0; i < theirs->types; i++)
    by[theirs->type[i].leaf][theirs->type[i].hand] += reach[i];
  for (int v = theirs->nodes - 1; v >= 0; v--) {
    float *at = out->at[v];
    for (int h = 0; h < HANDS; h++) {
      const float r = by[v][h];
      if (r > 0)
        for (int i = 0; i < LANES; i++)
          at[i] += r * to[h][i];
    }
    if (v > 0) {
      float *up = out->at[theirs->node[v].parent];
      for (int i = 0; i < LANES; i++)
        up[i] += at[i];
    }
  }
}

/* ---- Values --------------------------------------------------------------- */

/* Adds what an option brings that leads to `next` with a mass. */
static inline void add_next(float *restrict x, int next, const struct pay *pay,
                            const float *restrict mass, const lanes *value) {
  if (next >= 0)
    for (int i = 0; i < LANES; i++)
      x[i] += value[next][i];
  else
    for (int i = 0; i < LANES; i++)
      x[i] += pay->of[-1 - next] * mass[i];
}

/* The values of a point's options; tells which there are. */
static unsigned options_of(const struct plan *p, const struct point *at,
                           const struct pay *pay, const struct masses *by,
                           const lanes *value, shares x) {
  const struct node *node = &p->theirs->node[at->node];
  const float *mass = by->at[at->node];
  unsigned which = 0;
  memset(x, 0, sizeof(shares));
  if (at->stop != NOWHERE) {
    add_next(x[STOPS], at->stop, pay, mass, value);
    which |= 1u << STOPS;
  }
  for (int w = 0; w < WORTHS; w++)
    if (at->turn[w] != NOWHERE) {
      add_next(x[TURNS], at->turn[w], pay, by->at[node->child[w]], value);
      which |= 1u << TURNS;
    }
  if (at->dig != NOWHERE) {
    add_next(x[DIGS], at->dig, pay, mass, value);
    which |= 1u << DIGS;
  }
  return which;
}

static void best_of(shares x, unsigned which, float *restrict best) {
  bool any = false;
  for (int o = 0; o < OPTIONS; o++) {
    if (!(which >> o & 1))
      continue;
    if (!any)
      memcpy(best, x[o], sizeof(lanes));
    else
      for (int i = 0; i < LANES; i++)
        best[i] = x[o][i] > best[i] ? x[o][i] : best[i];
    any = true;
  }
}

/* Less than this a mass is a trace that rounding left. */
static const float trace = 1e-24f;

void dig_answer(const struct plan *p, const struct pay *pay,
                const struct masses *by, float slack, shares *share,
                lanes *value) {
  for (int e = 0; e < p->count; e++) {
    const struct point *at = &p->point[e];
    shares x;
    lanes best, sum = {0}, room;
    const unsigned which = options_of(p, at, pay, by, value, x);
    best_of(x, which, best);
    for (int i = 0; i < LANES; i++)
      room[i] = slack * by->at[at->node][i] + trace;
    for (int o = 0; o < OPTIONS; o++) {
      float *s = share[e][o];
      if (which >> o & 1)
        for (int i = 0; i < LANES; i++) {
          const float near = room[i] - (best[i] - x[o][i]);
          s[i] = near > 0 ? near : 0;
          sum[i] += s[i];
        }
      else
        memset(s, 0, sizeof(lanes));
    }
    memset(value[e], 0, sizeof *value);
    for (int i = 0; i < LANES; i++)
      sum[i] = 1 / sum[i];
    for (int o = 0; o < OPTIONS; o++)
      for (int i = 0; i < LANES; i++) {
        share[e][o][i] *= sum[i];
        value[e][i] += share[e][o][i] * x[o][i];
      }
  }
}

void dig_value(const struct plan *p, const struct pay *pay,
               const struct masses *by, const shares *share, lanes *value) {
  for (int e = 0; e < p->count; e++) {
    shares x;
    options_of(p, &p->point[e], pay, by, value, x);
    for (int i = 0; i < LANES; i++)
      value[e][i] = share[e][STOPS][i] * x[STOPS][i] +
                    share[e][TURNS][i] * x[TURNS][i] +
                    share[e][DIGS][i] * x[DIGS][i];
  }
}

void dig_best(const struct plan *p, const struct pay *pay,
              const struct masses *by, lanes *value) {
  for (int e = 0; e < p->count; e++) {
    shares x;
    const unsigned which = options_of(p, &p->point[e], pay, by, value, x);
    best_of(x, which, value[e]);
  }
}

float dig_worth(const struct plan *p, const struct pay *pay,
                const struct masses *by, const lanes *value,
                const struct type *t) {
  const int begin = p->begin[t->class];
  return begin >= 0 ? value[begin][t->hand]
                    : pay->of[-1 - begin] * by->at[0][t->hand];
}

/* ---- What diggers win ------------------------------------------------------ */

static inline void pass_on(const struct pay *pay, int next, int node,
                           const float *restrict part, lanes *flow,
                           lanes *paid) {
  if (next >= 0)
    for (int i = 0; i < LANES; i++)
      flow[next][i] += part[i];
  else
    for (int i = 0; i < LANES; i++)
      paid[node][i] += pay->of[-1 - next] * part[i];
}

void dig_flow(const struct plan *p, const struct pay *pay, const float *reach,
              const shares *share, lanes *flow, lanes *paid) {
  const struct piles *t = p->theirs;
  lanes class[CLASSES_MAX];
  memset(class, 0, (size_t)p->own->classes * sizeof *class);
  memset(flow, 0, (size_t)p->count * sizeof *flow);
  memset(paid, 0, (size_t)t->nodes * sizeof *paid);
  for (int i = 0; i < p->own->types; i++)
    class[p->own->type[i].class][p->own->type[i].hand] += reach[i];
  for (int c = 0; c < p->own->classes; c++)
    pass_on(pay, p->begin[c], 0, class[c], flow, paid);
  for (int e = p->count - 1; e >= 0; e--) {
    const struct point *at = &p->point[e];
    const struct node *node = &t->node[at->node];
    shares part;
    for (int o = 0; o < OPTIONS; o++)
      for (int i = 0; i < LANES; i++)
        part[o][i] = flow[e][i] * share[e][o][i];
    if (at->stop != NOWHERE)
      pass_on(pay, at->stop, at->node, part[STOPS], flow, paid);
    for (int w = 0; w < WORTHS; w++)
      if (at->turn[w] != NOWHERE)
        pass_on(pay, at->turn[w], node->child[w], part[TURNS], flow, paid);
    if (at->dig != NOWHERE)
      pass_on(pay, at->dig, at->node, part[DIGS], flow, paid);
  }
  for (int v = 1; v < t->nodes; v++)
    for (int i = 0; i < LANES; i++)
      paid[v][i] += paid[t->node[v].parent][i];
}
