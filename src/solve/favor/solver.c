/* Vector CFR+ over the public tree of an ending of Favor for two, with exact
 * best responses; see salotto/solve_favor.h.
 *
 * A value is a row over the types of one side: counterfactual, that is summed
 * over the other's types by how likely they came here, and not yet divided by
 * it. Sides are updated in turn, and iteration n weighs n squared. */
#include "tree.h"

#include <stdlib.h>
#include <string.h>

/* Of an option: a row over the types of who decides. */
struct option {
  vec regret, sum;
};

struct sal_favor_solver {
  struct tree tree;
  struct option *option;
  vec range[2];
  uint32_t done;
  /* Of the side that may take an offer instead, -1: none. */
  int offered;
  vec offer, come, take; /* what it is offered, and its regrets */
};

/* ---- Strategies ------------------------------------------------------------ */

static vec share(vec part, vec sum, int count) {
  const lanes some = some_of(sum);
  return chosen(some, part / chosen(some, sum, splat(1)),
                splat(1 / (float)count));
}

/* Without what is too small to matter: products of small chances would become
 * denormal numbers, which are slow and divide badly. */
static vec reached(vec range, vec chance) {
  const vec r = range * chance;
  return without(r, r < splat(1e-20f));
}

/* In proportion to the regrets. */
static void present(const struct option *o, int count, vec *out) {
  vec sum = splat(0);
  for (int i = 0; i < count; i++)
    sum += o[i].regret;
  for (int i = 0; i < count; i++)
    out[i] = share(o[i].regret, sum, count);
}

/* The average; of types that never came here, the present strategy. */
static void average(const struct option *o, int count, vec *out) {
  vec sum = splat(0);
  for (int i = 0; i < count; i++)
    sum += o[i].sum;
  present(o, count, out);
  const lanes some = some_of(sum);
  for (int i = 0; i < count; i++)
    out[i] = chosen(some, o[i].sum / chosen(some, sum, splat(1)), out[i]);
}

/* ---- Values ---------------------------------------------------------------- */

static vec end_value(const sal_favor_solver *s, const struct node *n, int side,
                     vec theirs) {
  const vec *pay = s->tree.payoff[n->child].of[side];
  return pay[0] * splat(theirs[0]) + pay[1] * splat(theirs[1]) +
         pay[2] * splat(theirs[2]) + pay[3] * splat(theirs[3]);
}

struct pass {
  sal_favor_solver *s;
  int side;
  vec weight;
};

static vec improve_node(const struct pass *p, const struct node *n, vec mine,
                        vec theirs);

static vec improve_own(const struct pass *p, const struct node *n, vec mine,
                       vec theirs) {
  struct option *o = p->s->option + n->row;
  vec chance[SAL_FAVOR_OPTIONS], value[SAL_FAVOR_OPTIONS], mean = splat(0);
  present(o, n->count, chance);
  for (int i = 0; i < n->count; i++) {
    const vec on = reached(mine, chance[i]);
    value[i] = improve_node(p, p->s->tree.node + n->child + i, on, theirs);
    mean += chance[i] * value[i];
    o[i].sum += p->weight * on;
  }
  for (int i = 0; i < n->count; i++)
    o[i].regret = larger(o[i].regret + value[i] - mean, splat(0));
  return mean;
}

static vec improve_node(const struct pass *p, const struct node *n, vec mine,
                        vec theirs) {
  const struct node *child = p->s->tree.node + n->child;
  vec chance[SAL_FAVOR_OPTIONS], sum = splat(0);
  switch ((enum node_kind)n->kind) {
  case END_NODE: return end_value(p->s, n, p->side, theirs);
  case DRAW_NODE:
    for (int i = 0; i < n->count; i++)
      sum += splat(child[i].chance) * improve_node(p, &child[i], mine, theirs);
    return sum;
  default: break;
  }
  if (n->actor == p->side)
    return improve_own(p, n, mine, theirs);
  present(p->s->option + n->row, n->count, chance);
  for (int i = 0; i < n->count; i++)
    sum += improve_node(p, &child[i], mine, reached(theirs, chance[i]));
  return sum;
}

/* What a side gets against the other's average: with its best answer, or with
 * its own average. */
static vec value_of(const sal_favor_solver *s, const struct node *n, int side,
                    vec theirs, bool best) {
  const struct node *child = s->tree.node + n->child;
  vec chance[SAL_FAVOR_OPTIONS], sum = splat(0);
  switch ((enum node_kind)n->kind) {
  case END_NODE: return end_value(s, n, side, theirs);
  case DRAW_NODE:
    for (int i = 0; i < n->count; i++)
      sum +=
          splat(child[i].chance) * value_of(s, &child[i], side, theirs, best);
    return sum;
  default: break;
  }
  average(s->option + n->row, n->count, chance);
  for (int i = 0; i < n->count; i++) {
    const bool own = n->actor == side;
    const vec v = value_of(s, &child[i], side,
                           own ? theirs : reached(theirs, chance[i]), best);
    if (!own)
      sum += v;
    else if (best)
      sum = i == 0 ? v : larger(sum, v);
    else
      sum += chance[i] * v;
  }
  return sum;
}

/* ---- The solver ------------------------------------------------------------ */

static float total(vec a) { return a[0] + a[1] + a[2] + a[3]; }

/* How likely the two ranges meet: identities differ. */
static float meeting(vec a, vec b) {
  return total(a) * total(b) - total(a * b);
}

static bool read_range(const float *range, vec *out) {
  float sum = 0;
  for (int i = 0; i < TYPES; i++) {
    if (!(range[i] >= 0) || range[i] > 1e6f)
      return false;
    sum += range[i];
  }
  for (int i = 0; i < TYPES && sum > 0; i++)
    (*out)[i] = range[i] / sum;
  return sum > 1e-6f;
}

sal_favor_solver *sal_favor_solver_new(const struct sal_favor_ending *e,
                                       const struct sal_favor_worth *w,
                                       const struct sal_favor_effort *effort) {
  sal_favor_solver *s = aligned_alloc(16, sizeof *s);
  if (!s)
    return NULL;
  memset(s, 0, sizeof *s);
  s->offered = -1;
  if (!read_range(e->range[0], &s->range[0]) ||
      !read_range(e->range[1], &s->range[1]) ||
      !(meeting(s->range[0], s->range[1]) > 1e-6f) ||
      !favor_tree_make(&s->tree, e, w, effort)) {
    free(s);
    return NULL;
  }
  const size_t size = (s->tree.rows + 1) * sizeof *s->option;
  s->option = aligned_alloc(sizeof *s->option, size);
  if (!s->option) {
    sal_favor_solver_free(s);
    return NULL;
  }
  memset(s->option, 0, size);
  return s;
}

void sal_favor_solver_free(sal_favor_solver *s) {
  if (!s)
    return;
  favor_tree_free(&s->tree);
  free(s->option);
  free(s);
}

/* How likely each type of a side comes, as it stands. */
static vec coming(const sal_favor_solver *s, int side) {
  if (side != s->offered)
    return s->range[side];
  const vec sum = s->come + s->take;
  const lanes some = some_of(sum);
  const vec comes =
      chosen(some, s->come / chosen(some, sum, splat(1)), splat(1));
  return splat(PRIOR) * s->range[side] + splat((1 - PRIOR) / TYPES) * comes;
}

/* `value`: what each type of the offered side got by coming. */
static void regret_offer(sal_favor_solver *s, vec value, vec theirs) {
  const vec taken = s->offer * (splat(total(theirs)) - theirs);
  const vec sum = s->come + s->take;
  const lanes some = some_of(sum);
  const vec comes =
      chosen(some, s->come / chosen(some, sum, splat(1)), splat(1));
  const vec mean = comes * value + (splat(1) - comes) * taken;
  s->come = larger(s->come + value - mean, splat(0));
  s->take = larger(s->take + taken - mean, splat(0));
}

void sal_favor_solver_iterate(sal_favor_solver *s) {
  const float n = (float)++s->done;
  const vec range[2] = {coming(s, 0), coming(s, 1)};
  for (int side = 0; side < 2; side++) {
    const struct pass p = {s, side, splat(n * n)};
    const vec value = improve_node(&p, s->tree.node, range[side], range[!side]);
    if (side == s->offered)
      regret_offer(s, value, range[!side]);
  }
}

void sal_favor_solver_offer(sal_favor_solver *s, int side,
                            const float worth[SAL_FAVOR_TYPES]) {
  s->offered = side;
  for (int i = 0; i < TYPES; i++)
    s->offer[i] = worth[i];
}

uint32_t sal_favor_solver_done(const sal_favor_solver *s) { return s->done; }

uint32_t sal_favor_solver_nodes(const sal_favor_solver *s) {
  return s->tree.nodes;
}

uint64_t sal_favor_solver_bytes(const sal_favor_solver *s) {
  return sizeof *s + s->tree.node_room * sizeof *s->tree.node +
         s->tree.payoff_room * sizeof *s->tree.payoff +
         (s->tree.rows + 1) * (uint64_t)sizeof *s->option;
}

struct sal_favor_bounds sal_favor_solver_bounds(const sal_favor_solver *s) {
  const vec a = s->range[0], b = s->range[1];
  const float all = meeting(a, b);
  const vec best0 = value_of(s, s->tree.node, 0, b, true);
  const vec best1 = value_of(s, s->tree.node, 1, a, true);
  return (struct sal_favor_bounds){.low = (double)(-total(b * best1) / all),
                                   .high = (double)(total(a * best0) / all)};
}

/* ---- Playing --------------------------------------------------------------- */

struct path {
  const sal_favor_solver *s;
  const struct node *at;
  vec range[2];
  uint8_t drawn[KINDS]; /* cards of a lot that is not complete yet */
};

static int drawn_size(uint16_t packed) {
  int sum = 0;
  for (; packed; packed = (uint16_t)(packed >> 2))
    sum += packed & 3;
  return sum;
}

static bool draw_card(struct path *p, unsigned kind) {
  const struct node *child = p->s->tree.node + p->at->child;
  if (p->at->kind != DRAW_NODE || kind >= KINDS || p->drawn[kind] == 3)
    return false;
  p->drawn[kind]++;
  if (model_cards(p->drawn) < drawn_size(child->drawn))
    return true;
  for (int i = 0; i < p->at->count; i++)
    if (child[i].drawn == pack_cards(p->drawn)) {
      memset(p->drawn, 0, sizeof p->drawn);
      p->at = &child[i];
      return true;
    }
  return false;
}

/* The number of the option, -1: there is none. */
static int option_of(const struct node *n, const struct sal_favor_step *step) {
  if (n->kind == TURN_NODE)
    return step->did == SAL_FAVOR_ADDED    ? 0
           : step->did == SAL_FAVOR_CALLED ? 1
                                           : -1;
  if (step->did == SAL_FAVOR_PASSED)
    return 0;
  if (step->did != SAL_FAVOR_BIDDED || step->number <= n->high)
    return -1;
  const int bid = step->number - n->high;
  return bid < n->count ? bid : n->count - 1;
}

/* So much of a range goes with a step that the average never takes. */
static const float TREMBLE = 0.02f;

static bool choose_offer(struct path *p, const struct sal_favor_step *step) {
  vec chance[SAL_FAVOR_OPTIONS];
  const struct node *n = p->at;
  const int i = option_of(n, step);
  if (i < 0)
    return false;
  average(p->s->option + n->row, n->count, chance);
  p->range[n->actor] *=
      splat(1 - TREMBLE) * chance[i] + splat(TREMBLE / (float)n->count);
  p->at = p->s->tree.node + n->child + i;
  return true;
}

static bool is_choice(const struct node *n) {
  return n->kind == TURN_NODE || n->kind == BID_NODE;
}

/* Whoever cannot but pass has no node. */
static bool follow_step(struct path *p, const struct sal_favor_step *step) {
  if (step->did == SAL_FAVOR_DREW)
    return draw_card(p, step->number);
  if (is_choice(p->at) && p->at->actor == step->seat)
    return choose_offer(p, step);
  return step->did == SAL_FAVOR_PASSED;
}

bool sal_favor_solver_ranges(const sal_favor_solver *s,
                             const struct sal_favor_step *steps, size_t count,
                             float out[2][SAL_FAVOR_TYPES]) {
  struct path p = {
      .s = s, .at = s->tree.node, .range = {s->range[0], s->range[1]}};
  for (size_t i = 0; i < count; i++)
    if (!follow_step(&p, &steps[i]))
      return false;
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < TYPES; i++)
      out[side][i] = p.range[side][i];
  return true;
}

/* A value that is no longer counterfactual. */
static float worth_now(vec value, vec theirs, int type) {
  const float sum = total(theirs) - theirs[type];
  return sum > 1e-30f ? value[type] / sum : 0;
}

bool sal_favor_solver_ask(const sal_favor_solver *s, int side, int type,
                          const struct sal_favor_step *steps, size_t count,
                          struct sal_favor_answer *out) {
  struct path p = {
      .s = s, .at = s->tree.node, .range = {s->range[0], s->range[1]}};
  vec chance[SAL_FAVOR_OPTIONS];
  for (size_t i = 0; i < count; i++)
    if (!follow_step(&p, &steps[i]))
      return false;
  const struct node *n = p.at;
  if (!is_choice(n) || n->actor != side || type < 0 || type >= TYPES)
    return false;
  *out = (struct sal_favor_answer){.options = n->count, .least = n->high + 1};
  average(s->option + n->row, n->count, chance);
  for (int i = 0; i < n->count; i++) {
    const vec v =
        value_of(s, s->tree.node + n->child + i, side, p.range[!side], false);
    out->chance[i] = chance[i][type];
    out->value[i] = worth_now(v, p.range[!side], type);
  }
  return true;
}
