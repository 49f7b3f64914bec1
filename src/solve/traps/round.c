/* Vector CFR+ for a round of Traps; see round.h.
 *
 * Iteration n walks the tree once for each side. The walk for a side computes
 * what each option is worth to its types and updates its regrets, and adds the
 * other side's present strategy to that side's average, with the weight n * n.
 *
 * Digging has no regrets: the digger answers the other's average almost best.
 * Main invariants: that average already contains the present strategy; and the
 * values that a passing type was paid are summed with the digger's weights, so
 * the best response to the whole mixture of digging is exact.
 *
 * The histories with none but the lowest bets are the trunk of the tree, what follows a
 * higher one is a branch. A walk goes down the trunk and through the branches, and then
 * up the trunk with what these were worth. So several processes can share the branches. */
#include "round.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FLOATS = 4 }; /* rows begin at whole vectors */

struct place {
  size_t rows; /* in regrets and sums */
  size_t paid; /* in `paid`: of who passes here */
  size_t dug;  /* in `dug` */
};

/* A history is of the trunk if all of its bets are lower than BRANCH. */
enum { BRANCH = 3, TRUNK = 1 << (BRANCH - 1), TEAM_MAX = 64 };

struct branch {
  size_t row; /* in `worth` */
  int owner;
};

struct round {
  const struct model *model;
  struct task task;
  lanes deals[2][HANDS]; /* [side][own hand][the other's] */
  uint32_t done;
  double weight;                               /* of all iterations */
  struct plan plan[2][POSITIONS][BET_TOP + 1]; /* by side, position and bet */
  struct place *place[POSITIONS];
  float *regret, *sum, *paid, *dug;
  size_t rows, digs; /* numbers in `sum`, in `dug` */
  float placed_regret[2][LANES * WORTHS], placed_sum[2][LANES * WORTHS];
  struct branch branch[POSITIONS][TRUNK][BET_TOP + 1]; /* by its lowest bet */
  struct sal_solve_team team;
  float *worth; /* of the branches, to who walks */
  size_t worths;
  float *scratch; /* rows for the walk, given out like a stack */
  size_t taken, size;
  shares *share;
  lanes *value, *flow;
};

static int types_of(const struct round *r, int p, int side) {
  return r->model->piles[position_pile(p, side)].types;
}
static int stride_of(int types) { return (types + FLOATS - 1) & -FLOATS; }

/* ---- Memory --------------------------------------------------------------- */

static float *take_scratch(struct round *r, int n) {
  float *at = r->scratch + r->taken;
  r->taken += (size_t)stride_of(n);
  return at;
}

static float *take_zeros(struct round *r, int n) {
  return memset(take_scratch(r, n), 0, (size_t)n * sizeof(float));
}

static void *zeros(size_t n, size_t size) { return calloc(n ? n : 1, size); }

/* The longest path has a frame for each position and each bet of the last. */
static size_t scratch_size(const struct round *r) {
  const size_t row = (size_t)stride_of(TYPES_MAX);
  const size_t frames =
      (size_t)(r->task.cut + 1 + position_top(r->task.cut) + 2);
  return frames * row * (2 * OPTIONS_MAX + 8);
}

static bool make_plans(struct round *r, int *most) {
  *most = 1;
  for (int side = 0; side < 2; side++)
    for (int p = 0; p <= r->task.cut; p++)
      for (int b = 1; b <= position_top(p); b++) {
        struct plan *plan = &r->plan[side][p][b];
        if (!plan_make(plan, r->model, position_pile(p, side),
                       position_pile(p, !side), b, &r->task.pay[side]))
          return false;
        if (plan->count > *most)
          *most = plan->count;
      }
  return true;
}

/* Gives each history its places in the large arrays. */
static bool make_places(struct round *r, struct place *end) {
  *end = (struct place){0, 0, 0};
  for (int p = 0; p <= r->task.cut; p++) {
    const unsigned histories = 1u << position_top(p);
    r->place[p] = zeros(histories, sizeof *r->place[p]);
    if (!r->place[p])
      return false;
    for (unsigned s = 0; s < histories; s++) {
      const int actor = history_actor(p, s);
      const size_t row = (size_t)stride_of(types_of(r, p, actor));
      r->place[p][s] = *end;
      end->rows += row * (size_t)history_options(p, s);
      end->paid += s ? row : 0;
      if (s && (r->task.keep >> !actor & 1))
        end->dug += (size_t)r->plan[!actor][p][bet_high(s)].count *
                    sizeof(shares) / sizeof(float);
    }
  }
  return true;
}

/* The largest first, each to whoever has least. */
static void share_branches(struct round *r) {
  const int hands = r->team.count < TEAM_MAX ? r->team.count : TEAM_MAX;
  double load[TEAM_MAX] = {0};
  for (int b = BRANCH; b <= BET_TOP; b++)
    for (int p = r->task.cut; p >= 0; p--)
      for (int s = 0; s < TRUNK && b <= position_top(p); s++) {
        int to = 0;
        for (int i = 1; i < hands; i++)
          to = load[i] < load[to] ? i : to;
        r->branch[p][s][b].owner = to;
        load[to] +=
            ldexp(types_of(r, p, 0) + types_of(r, p, 1), position_top(p) - b);
      }
}

static void make_branches(struct round *r) {
  for (int p = 0; p <= r->task.cut; p++)
    for (int s = 0; s < TRUNK; s++)
      for (int b = BRANCH; b <= position_top(p); b++) {
        const int first = types_of(r, p, 0), second = types_of(r, p, 1);
        r->branch[p][s][b].row = r->worths;
        r->worths += (size_t)stride_of(first > second ? first : second);
      }
}

void round_divide(struct round *r, const struct sal_solve_team *team) {
  r->team = *team;
  share_branches(r);
}

struct round *round_new(const struct task *t) {
  struct round *r = calloc(1, sizeof *r);
  struct place end;
  int points;
  if (!r)
    return NULL;
  r->model = traps_model();
  r->task = *t;
  r->team.count = 1;
  make_branches(r);
  for (int i = 0; i < HANDS; i++)
    for (int k = 0; k < HANDS; k++) {
      r->deals[0][i][k] = (float)t->deals[i][k];
      r->deals[1][k][i] = (float)t->deals[i][k];
    }
  if (!make_plans(r, &points) || !make_places(r, &end)) {
    round_free(r);
    return NULL;
  }
  r->size = scratch_size(r);
  r->worth = zeros(r->worths, sizeof(float));
  r->rows = end.rows;
  r->digs = end.dug;
  r->regret = zeros(end.rows, sizeof(float));
  r->sum = zeros(end.rows, sizeof(float));
  r->paid = zeros(end.paid, sizeof(float));
  r->dug = zeros(end.dug, sizeof(float));
  r->scratch = zeros(r->size, sizeof(float));
  r->share = zeros((size_t)points, sizeof *r->share);
  r->value = zeros((size_t)points, sizeof *r->value);
  r->flow = zeros((size_t)points, sizeof *r->flow);
  if (r->regret && r->sum && r->paid && r->dug && r->worth && r->scratch &&
      r->share && r->value && r->flow)
    return r;
  round_free(r);
  return NULL;
}

void round_free(struct round *r) {
  if (!r)
    return;
  for (int side = 0; side < 2; side++)
    for (int p = 0; p < POSITIONS; p++)
      for (int b = 0; b <= BET_TOP; b++)
        plan_free(&r->plan[side][p][b]);
  for (int p = 0; p < POSITIONS; p++)
    free(r->place[p]);
  free(r->regret);
  free(r->sum);
  free(r->paid);
  free(r->dug);
  free(r->worth);
  free(r->scratch);
  free(r->share);
  free(r->value);
  free(r->flow);
  free(r);
}

uint32_t round_done(const struct round *r) { return r->done; }

/* ---- The walk -------------------------------------------------------------- */

/* What a walk for side `me` carries: the other's chances, and both sides'
 * averages so far (sums, including the present). The best response carries the
 * averages alone. */
struct walk {
  struct round *r;
  int me;
  float weight; /* of this iteration; 0: a best response */
  bool down; /* the trunk: nothing is learned before the branches are known */
};

struct path_reach {
  const float *reach; /* the other's, now */
  const float *theirs, *mine;
};

/* Less than this is never played: it would only make the tree dense. */
static const float least = 1e-7f;

/* The present strategy at a history, by regret matching; who regrets nothing
 * does anything that is open. */
static void match_regrets(const float *regret, int options, int types,
                          int stride, int closed, float *out) {
  const float any = 1 / (float)(options - closed);
  float scale[TYPES_MAX] = {0};
  for (int o = 0; o < options; o++)
    for (int i = 0; i < types; i++)
      scale[i] += regret[o * stride + i];
  for (int i = 0; i < types; i++)
    scale[i] = scale[i] > 1e-20f ? 1 / scale[i] : 0;
  for (int o = 0; o < options; o++) {
    const float *in = regret + o * stride;
    float *to = out + o * stride;
    const float otherwise = o < closed ? 0 : any;
    for (int i = 0; i < types; i++) {
      const float share = in[i] * scale[i];
      to[i] = scale[i] > 0 ? (share > least ? share : 0) : otherwise;
    }
  }
}

/* A card that is not in the hand is never built, and building stops at the
 * cut. */
static bool can_build(const struct round *r, int p, const struct type *t,
                      int w) {
  return p < r->task.cut && t->child[w] != NO_TYPE;
}

/* The strategy of all types; those of the first move lack some options. */
static void strategy(const struct round *r, int p, unsigned s, float *out) {
  const int actor = history_actor(p, s), n = history_options(p, s);
  const struct piles *piles = &r->model->piles[position_pile(p, actor)];
  const int stride = stride_of(piles->types);
  const float *regret = r->regret + r->place[p][s].rows;
  match_regrets(regret, n, piles->types, stride, s ? 0 : BUILDS, out);
  if (s == 0 && r->done == 0) /* at first everybody does anything */
    for (int i = 0; i < piles->types; i++) {
      float ways = (float)(n - BUILDS);
      for (int w = 0; w < BUILDS; w++)
        ways += can_build(r, p, &piles->type[i], w) ? 1 : 0;
      for (int o = 0; o < n; o++)
        out[o * stride + i] =
            o >= BUILDS || can_build(r, p, &piles->type[i], o) ? 1 / ways : 0;
    }
}

/* ---- Ends of the betting ---------------------------------------------------- */

static float slack_of(const struct round *r) {
  const float *of = r->task.pay[0].of;
  const float token = (of[MET] - of[STOP]) / 3;
  return 0.15f * token / sqrtf((float)r->done + 1);
}

/* `me` digs after the other's pass. */
static void i_dig(struct walk *k, int p, unsigned s, const float *now,
                  const float *average, float *out) {
  struct round *r = k->r;
  const struct plan *plan = &r->plan[k->me][p][bet_high(s)];
  const struct pay *pay = &r->task.pay[k->me];
  struct masses by, at;
  const struct masses *from = &by;
  masses_of(&by, plan->theirs, average, r->deals[!k->me]);
  if (k->weight > 0) {
    dig_answer(plan, pay, &by, slack_of(r), r->share, r->value);
    masses_of(&at, plan->theirs, now, r->deals[!k->me]);
    dig_value(plan, pay, &at, r->share, r->value);
    from = &at;
  } else {
    dig_best(plan, pay, &by, r->value);
  }
  for (int i = 0; i < plan->own->types; i++)
    out[i] = dig_worth(plan, pay, from, r->value, &plan->own->type[i]);
}

/* The values of my types from what diggers win at each node. */
static void paid_to(const struct round *r, const struct plan *plan, int me,
                    const lanes *paid, float *out) {
  lanes by[NODES_MAX];
  bool known[NODES_MAX] = {false};
  for (int i = 0; i < plan->theirs->types; i++) {
    const struct type *t = &plan->theirs->type[i];
    float *row = by[t->leaf];
    if (!known[t->leaf]) {
      memset(row, 0, sizeof(lanes));
      for (int h = 0; h < HANDS; h++)
        for (int k = 0; k < LANES; k++)
          row[k] -= paid[t->leaf][h] * r->deals[!me][h][k];
      known[t->leaf] = true;
    }
    out[i] = row[t->hand];
  }
}

/* `me` has passed and the other digs. */
static void they_dig(struct walk *k, int p, unsigned s, const float *reach,
                     const float *mine, float *out) {
  struct round *r = k->r;
  const int side = !k->me;
  const struct plan *plan = &r->plan[side][p][bet_high(s)];
  const struct place *place = &r->place[p][s];
  float *sums = r->paid + place->paid;
  if (k->weight <= 0) {
    memcpy(out, sums, (size_t)plan->theirs->types * sizeof *out);
    return;
  }
  struct masses by;
  lanes paid[NODES_MAX];
  masses_of(&by, plan->theirs, mine, r->deals[k->me]);
  dig_answer(plan, &r->task.pay[side], &by, slack_of(r), r->share, r->value);
  dig_flow(plan, &r->task.pay[side], reach, r->share, r->flow, paid);
  paid_to(r, plan, k->me, paid, out);
  for (int i = 0; i < plan->theirs->types; i++)
    sums[i] += k->weight * out[i];
  if (r->task.keep >> side & 1) {
    shares *dug = (shares *)(r->dug + place->dug);
    for (int e = 0; e < plan->count; e++)
      for (int o = 0; o < OPTIONS; o++)
        for (int i = 0; i < LANES; i++)
          dug[e][o][i] += k->weight * r->flow[e][i] * r->share[e][o][i];
  }
}

/* Somebody has bet what nobody can meet. `out` is for `me`; `reach` are the
 * chances of the other's types. */
static void overbid(const struct round *r, int p, int side, int me,
                    const float *reach, float *out) {
  const struct pay *pay = &r->task.pay[side];
  const struct piles *mine = &r->model->piles[position_pile(p, me)];
  const struct piles *theirs = &r->model->piles[position_pile(p, !me)];
  lanes by[WORTHS] = {{0}}, at[WORTHS] = {{0}};
  for (int i = 0; i < theirs->types; i++)
    by[theirs->type[i].traps][theirs->type[i].hand] += reach[i];
  for (int n = 0; n < WORTHS; n++)
    for (int h = 0; h < HANDS; h++)
      if (by[n][h] > 0)
        for (int i = 0; i < LANES; i++)
          at[n][i] += by[n][h] * r->deals[!me][h][i];
  for (int i = 0; i < mine->types; i++) {
    const struct type *t = &mine->type[i];
    float x = 0;
    for (int n = 0; n < WORTHS; n++)
      x += at[n][t->hand] * (side == me ? pay->of[pay->over[t->traps][n]]
                                        : -pay->of[pay->over[n][t->traps]]);
    out[i] = x;
  }
}

/* ---- Histories ------------------------------------------------------------ */

static void round_visit(struct walk *k, int p, unsigned s, struct path_reach c,
                        float *out);

/* A row for types with one card more. */
static void laid(const struct round *r, int cards, const float *rows,
                 int stride, float *out) {
  const struct piles *to = &r->model->piles[cards];
  for (int i = 0; i < to->types; i++)
    out[i] = rows[to->type[i].card[cards - 1] * stride + to->type[i].parent];
}

static bool nobody(const float *reach, int n) {
  for (int i = 0; i < n; i++)
    if (reach[i] > 0)
      return false;
  return true;
}

/* A bet of b: to a branch, or another history of the trunk or of the same branch. */
static void visit_bet(struct walk *k, int p, unsigned s, int b,
                      struct path_reach c, float *out) {
  struct round *r = k->r;
  const unsigned to = s | 1u << (b - 1);
  if (s >= TRUNK || b < BRANCH) {
    round_visit(k, p, to, c, out);
    return;
  }
  const struct branch *branch = &r->branch[p][s][b];
  float *worth = r->worth + branch->row;
  if (!k->down) {
    memcpy(out, worth, (size_t)types_of(r, p, k->me) * sizeof *out);
  } else if (branch->owner == r->team.number) {
    struct walk whole = *k;
    whole.down = false;
    round_visit(&whole, p, to, c, worth);
  }
}

/* My options: what each is worth, one row each. */
static void my_options(struct walk *k, int p, unsigned s, struct path_reach c,
                       float *worth) {
  struct round *r = k->r;
  const int top = position_top(p), high = bet_high(s), lead = history_lead(s);
  const int types = types_of(r, p, k->me), stride = stride_of(types);
  const float *sum = r->sum + r->place[p][s].rows;
  if (s) {
    if (!k->down)
      they_dig(k, p, s, c.reach, sum, worth);
  } else if (p < r->task.cut) {
    const int cards = position_pile(p, k->me) + 1;
    const struct piles *to = &r->model->piles[cards];
    const size_t before = r->taken;
    float *mine = take_scratch(r, to->types), *got = take_scratch(r, to->types);
    laid(r, cards, sum, stride, mine);
    round_visit(k, p + 1, 0, (struct path_reach){c.reach, c.theirs, mine}, got);
    for (int i = 0; i < to->types; i++)
      worth[to->type[i].card[cards - 1] * stride + to->type[i].parent] = got[i];
    r->taken = before;
  }
  for (int b = high + 1; b <= top; b++) {
    const int o = lead + b - high - 1;
    visit_bet(k, p, s, b,
              (struct path_reach){c.reach, c.theirs, sum + o * stride},
              worth + o * stride);
  }
  overbid(r, p, k->me, k->me, k->weight > 0 ? c.reach : c.theirs,
          worth + (lead + top - high) * stride);
}

/* CFR+: regrets never fall below zero. */
static void learn_regrets(struct round *r, int p, unsigned s,
                          const float *worth, float *out) {
  const int actor = history_actor(p, s), n = history_options(p, s);
  const struct piles *piles = &r->model->piles[position_pile(p, actor)];
  const int stride = stride_of(piles->types);
  float *regret = r->regret + r->place[p][s].rows;
  const size_t before = r->taken;
  float *play = take_scratch(r, n * stride);
  strategy(r, p, s, play);
  memset(out, 0, (size_t)piles->types * sizeof *out);
  for (int o = 0; o < n; o++)
    for (int i = 0; i < piles->types; i++)
      out[i] += play[o * stride + i] * worth[o * stride + i];
  for (int o = 0; o < n; o++)
    for (int i = 0; i < piles->types; i++) {
      const float x = regret[o * stride + i] + worth[o * stride + i] - out[i];
      regret[o * stride + i] = x > 0 ? x : 0;
    }
  if (s == 0)
    for (int o = 0; o < BUILDS; o++)
      for (int i = 0; i < piles->types; i++)
        if (!can_build(r, p, &piles->type[i], o))
          regret[o * stride + i] = 0;
  r->taken = before;
}

static void choose_best(const struct round *r, int p, unsigned s,
                        const float *worth, float *out) {
  const int actor = history_actor(p, s), n = history_options(p, s);
  const struct piles *piles = &r->model->piles[position_pile(p, actor)];
  const int stride = stride_of(piles->types);
  for (int i = 0; i < piles->types; i++) {
    float best = worth[(n - 1) * stride + i]; /* always there */
    for (int o = 0; o < n - 1; o++)
      if ((s || o >= BUILDS || can_build(r, p, &piles->type[i], o)) &&
          worth[o * stride + i] > best)
        best = worth[o * stride + i];
    out[i] = best;
  }
}

static void i_act(struct walk *k, int p, unsigned s, struct path_reach c,
                  float *out) {
  struct round *r = k->r;
  const int stride = stride_of(types_of(r, p, k->me));
  const size_t before = r->taken;
  float *worth = take_zeros(r, history_options(p, s) * stride);
  my_options(k, p, s, c, worth);
  if (k->down)
    memset(out, 0, (size_t)types_of(r, p, k->me) * sizeof *out);
  else if (k->weight > 0)
    learn_regrets(r, p, s, worth, out);
  else
    choose_best(r, p, s, worth, out);
  r->taken = before;
}

/* The other's chances after each option; their average takes them in, once. */
static void they_choose(struct walk *k, int p, unsigned s, const float *reach,
                        float *next) {
  struct round *r = k->r;
  const int types = types_of(r, p, !k->me), stride = stride_of(types);
  float *sum = r->sum + r->place[p][s].rows;
  const float weight = k->down || s >= TRUNK ? k->weight : 0;
  strategy(r, p, s, next);
  for (int o = 0; o < history_options(p, s); o++)
    for (int i = 0; i < types; i++) {
      const float x = next[o * stride + i] * reach[i];
      next[o * stride + i] = x > least ? x : 0;
      sum[o * stride + i] += weight * next[o * stride + i];
    }
}

static void add_floats(float *to, const float *row, int n) {
  for (int i = 0; i < n; i++)
    to[i] += row[i];
}

static void they_act(struct walk *k, int p, unsigned s, struct path_reach c,
                     float *out) {
  struct round *r = k->r;
  const int top = position_top(p), high = bet_high(s), lead = history_lead(s);
  const int mine = types_of(r, p, k->me), types = types_of(r, p, !k->me);
  const int stride = stride_of(types);
  const size_t before = r->taken;
  const float *sum = r->sum + r->place[p][s].rows, *next = sum;
  float *got = take_scratch(r, mine);
  memset(out, 0, (size_t)mine * sizeof *out);
  if (k->weight > 0) {
    float *chances = take_scratch(r, history_options(p, s) * stride);
    they_choose(k, p, s, c.reach, chances);
    next = chances;
  }
  if (s) {
    if (!k->down && !nobody(next, types)) {
      i_dig(k, p, s, next, sum, got);
      add_floats(out, got, mine);
    }
  } else if (p < r->task.cut) {
    const int cards = position_pile(p, !k->me) + 1;
    const int n = r->model->piles[cards].types;
    float *reach = take_scratch(r, n), *theirs = take_scratch(r, n);
    laid(r, cards, next, stride, reach);
    laid(r, cards, sum, stride, theirs);
    round_visit(k, p + 1, 0, (struct path_reach){reach, theirs, c.mine}, got);
    add_floats(out, got, mine);
  }
  for (int b = high + 1; b <= top; b++) {
    const int o = lead + b - high - 1;
    visit_bet(k, p, s, b,
              (struct path_reach){next + o * stride, sum + o * stride, c.mine},
              got);
    add_floats(out, got, mine);
  }
  overbid(r, p, !k->me, k->me, next + (lead + top - high) * stride, got);
  add_floats(out, got, mine);
  r->taken = before;
}

/* Where the other never comes nothing is learned. */
static void round_visit(struct walk *k, int p, unsigned s, struct path_reach c,
                        float *out) {
  const float *reach = k->weight > 0 ? c.reach : c.theirs;
  if (nobody(reach, types_of(k->r, p, !k->me)))
    memset(out, 0, (size_t)types_of(k->r, p, k->me) * sizeof *out);
  else if (history_actor(p, s) == k->me)
    i_act(k, p, s, c, out);
  else
    they_act(k, p, s, c, out);
}

/* ---- Iterations ------------------------------------------------------------- */

/* The types with one card are the choices of their hand. */
static void place_cards(const struct round *r, int side, float *out) {
  const struct piles *one = &r->model->piles[1];
  lanes sum = {0}, ways = {0};
  for (int i = 0; i < one->types; i++) {
    sum[one->type[i].hand] += r->placed_regret[side][i];
    ways[one->type[i].hand] += 1;
  }
  for (int i = 0; i < one->types; i++) {
    const int h = one->type[i].hand;
    out[i] = sum[h] > 1e-20f ? r->placed_regret[side][i] / sum[h] : 1 / ways[h];
    out[i] = out[i] > least ? out[i] : 0;
  }
}

static void learn_placing(struct round *r, int side, const float *worth) {
  const struct piles *one = &r->model->piles[1];
  float play[LANES * WORTHS];
  lanes mean = {0};
  place_cards(r, side, play);
  for (int i = 0; i < one->types; i++)
    mean[one->type[i].hand] += play[i] * worth[i];
  for (int i = 0; i < one->types; i++) {
    float *x = &r->placed_regret[side][i];
    *x += worth[i] - mean[one->type[i].hand];
    *x = *x > 0 ? *x : 0;
  }
}

/* Down and up. What no process owns of the branches, or nobody came to, is zero. */
static void walk_tree(struct round *r, int me, float weight,
                      struct path_reach c, float *out) {
  struct walk k = {r, me, weight, true};
  memset(r->worth, 0, r->worths * sizeof *r->worth);
  round_visit(&k, 0, 0, c, out);
  if (r->team.count > 1)
    r->team.merge(r->worth, r->worths * sizeof *r->worth);
  k.down = false;
  round_visit(&k, 0, 0, c, out);
}

void round_gather(struct round *r) {
  if (r->team.count == 1)
    return;
  r->team.merge(r->sum, r->rows * sizeof *r->sum);
  r->team.merge(r->dug, r->digs * sizeof *r->dug);
}

void round_iterate(struct round *r) {
  const float weight = (float)(r->done + 1) * (float)(r->done + 1);
  float reach[LANES * WORTHS], worth[LANES * WORTHS];
  for (int me = 0; me < 2; me++) {
    place_cards(r, !me, reach);
    for (int i = 0; i < r->model->piles[1].types; i++)
      r->placed_sum[!me][i] += weight * reach[i];
    walk_tree(r, me, weight,
              (struct path_reach){reach, r->placed_sum[!me], r->placed_sum[me]},
              worth);
    learn_placing(r, me, worth);
  }
  r->done++;
  r->weight += (double)weight;
}

static double best_response(struct round *r, int me) {
  const struct piles *one = &r->model->piles[1];
  float worth[LANES * WORTHS];
  double sum = 0;
  walk_tree(r, me, 0,
            (struct path_reach){NULL, r->placed_sum[!me], r->placed_sum[me]},
            worth);
  for (int i = 0; i < one->types;) {
    const int hand = one->type[i].hand;
    float best = worth[i++];
    for (; i < one->types && one->type[i].hand == hand; i++)
      best = worth[i] > best ? worth[i] : best;
    sum += (double)best;
  }
  return sum / r->weight;
}

struct bounds round_bounds(struct round *r) {
  return (struct bounds){-best_response(r, 1), best_response(r, 0)};
}

/* ---- Averages --------------------------------------------------------------- */

const float *round_sums(const struct round *r, int p, unsigned bets,
                        int *stride) {
  *stride = stride_of(types_of(r, p, history_actor(p, bets)));
  return r->sum + r->place[p][bets].rows;
}

const float *round_placed(const struct round *r, int side) {
  return r->placed_sum[side];
}

const struct plan *round_plan(const struct round *r, int p, unsigned bets) {
  return &r->plan[!history_actor(p, bets)][p][bet_high(bets)];
}

const shares *round_dug(const struct round *r, int p, unsigned bets) {
  if (!(r->task.keep >> !history_actor(p, bets) & 1))
    return NULL;
  return (const shares *)(r->dug + r->place[p][bets].dug);
}
