/* Following one side's strategy; see line.h. */
#include "line.h"

#include <string.h>

/* ---- Courses ---------------------------------------------------------------- */

bool course_of(const struct sal_traps_round *r, struct course *out) {
  *out = (struct course){.p = r->builds, .passed = r->passed};
  if (r->builds >= POSITIONS)
    return false;
  for (int i = 0; i < r->bets; i++)
    if (r->bet[i] > position_top(out->p))
      out->over = true; /* what comes after it changes nothing */
    else
      out->bets |= 1u << (r->bet[i] - 1);
  return true;
}

int course_actor(const struct course *c) {
  return history_actor(c->p, c->bets) ^ c->over;
}

/* Whether a history lies on the way. */
static bool on_the_way(const struct course *c, int p, unsigned bets) {
  if (p < c->p)
    return bets == 0;
  return p == c->p && (c->bets & ((1u << bet_high(bets)) - 1)) == bets;
}

/* The option that the course takes there; -1: it ends there. */
static int option_taken(const struct course *c, int p, unsigned bets) {
  const unsigned more = c->bets & ~bets;
  const int lead = history_lead(bets);
  if (p < c->p)
    return 0; /* builds */
  if (more)
    return lead + __builtin_ctz(more) - bet_high(bets);
  if (c->over)
    return history_options(p, bets) - 1;
  return c->passed ? 0 : -1;
}

/* ---- Lines ------------------------------------------------------------------- */

/* The next history at the same position, or the same one at the end. */
static unsigned next_bets(const struct course *c, int p, unsigned bets) {
  const unsigned more = p == c->p ? c->bets & ~bets : 0;
  return bets | (more & (0u - more));
}

void line_begin(struct line *l, const struct course *c, int side) {
  memset(l, 0, sizeof *l);
  l->course = *c;
  l->side = side;
  l->point_class = -1;
  for (int p = 0; p <= c->p; p++)
    for (unsigned bets = 0, next;; bets = next) {
      if (history_actor(p, bets) == side && option_taken(c, p, bets) >= 0)
        l->missing++;
      if ((next = next_bets(c, p, bets)) == bets)
        break;
    }
}

void line_digs(struct line *l, int class, int hand, int node, bool dug) {
  l->point_class = class;
  l->point_lane = hand;
  l->point_node = node;
  l->point_dug = dug;
}

/* The types with one card more. */
static void lay(struct line *l, int p, float chance[][TYPES_MAX]) {
  const int cards = position_pile(p, l->side) + 1;
  const struct piles *to = &traps_model()->piles[cards];
  float next[TYPES_MAX];
  for (int i = 0; i < to->types; i++) {
    const struct type *t = &to->type[i];
    next[i] = l->reach[t->parent] * chance[t->card[cards - 1]][t->parent];
  }
  memcpy(l->reach, next, (size_t)to->types * sizeof *next);
}

/* Takes in what the side does at a history; the chances are in l->chance. */
static void take_row(struct line *l, int p, unsigned bets) {
  const int types = traps_model()->piles[position_pile(p, l->side)].types;
  const int option = option_taken(&l->course, p, bets);
  if (option >= 0)
    l->missing--;
  if (option < 0)
    l->decides = true;
  else if (p < l->course.p)
    lay(l, p, l->chance);
  else
    for (int i = 0; i < types; i++)
      l->reach[i] *= l->chance[option][i];
}

static void take_placed(struct line *l) {
  memcpy(l->reach, l->placed, sizeof l->placed);
}

/* Follows the digger's own steps to the point asked for. */
static int find_point(const struct line *l, const struct plan *plan) {
  const struct piles *t = plan->theirs;
  int path[PILE], depth = 0;
  for (int v = l->point_node; v > 0; v = t->node[v].parent)
    path[depth++] = v;
  int at = plan->begin[l->point_class];
  bool dug = false;
  for (;;) {
    if (at < 0)
      return -1;
    const struct point *point = &plan->point[at];
    if (point->node == l->point_node && dug == l->point_dug)
      return at;
    /* The own trap comes after all that was seen: what is left to do does not
     * depend on the order. */
    if (depth > 0) {
      const int v = path[--depth];
      int w = 0;
      while (t->node[point->node].child[w] != v)
        w++;
      at = point->turn[w];
    } else {
      at = dug ? -1 : point->dig;
      dug = true;
    }
  }
}

static bool digs_here(const struct line *l, int p, unsigned bets) {
  return l->point_class >= 0 && l->course.passed && !l->course.over &&
         p == l->course.p && bets == l->course.bets;
}

/* ---- By a blueprint --------------------------------------------------------------- */

static void hear_placed(void *context, const quota *chance) {
  struct line *l = context;
  for (int i = 0; i < traps_model()->piles[1].types; i++)
    l->placed[i] = (float)chance[i] / WHOLE;
  take_placed(l);
}

static void hear_row(void *context, int p, unsigned bets, const quota *chance) {
  struct line *l = context;
  const int types = traps_model()->piles[position_pile(p, l->side)].types;
  if (!on_the_way(&l->course, p, bets))
    return;
  for (int o = 0; o < history_options(p, bets); o++)
    for (int i = 0; i < types; i++)
      l->chance[o][i] = (float)chance[o * types + i] / WHOLE;
  take_row(l, p, bets);
}

static void hear_dug(void *context, int p, unsigned bets,
                     const struct plan *plan, const quotas *chance) {
  struct line *l = context;
  const int at = digs_here(l, p, bets) ? find_point(l, plan) : -1;
  if (at < 0)
    return;
  for (int o = 0; o < OPTIONS; o++)
    l->share[o] = (float)chance[at][o][l->point_lane] / WHOLE;
  l->digs = true;
}

static bool wants(void *context, int p, int bet) {
  const struct line *l = context;
  return p == l->course.p && l->course.bets &&
         __builtin_ctz(l->course.bets) == bet - 1;
}

bool line_by_blueprint(struct line *l, const sal_traps_policy *p,
                       int blueprint) {
  const struct blueprint_reader to = {l, wants, hear_placed, hear_row,
                                      hear_dug};
  const bool ok = policy_read(p, blueprint, l->side, &to);
  l->known = ok && l->missing == 0;
  return ok;
}

/* ---- By a solved round ---------------------------------------------------------- */

static void average_row(struct line *l, const struct round *r, int p,
                        unsigned bets) {
  const int types = traps_model()->piles[position_pile(p, l->side)].types;
  const int n = history_options(p, bets);
  int stride;
  const float *sum = round_sums(r, p, bets, &stride);
  for (int i = 0; i < types; i++) {
    float all = 0;
    for (int o = 0; o < n; o++)
      all += sum[o * stride + i];
    for (int o = 0; o < n; o++)
      l->chance[o][i] = all > 0 ? sum[o * stride + i] / all
                                : (o == (bets ? 0 : BUILDS) ? 1.0f : 0.0f);
  }
  take_row(l, p, bets);
}

static void average_placed(struct line *l, const struct round *r) {
  const struct piles *one = &traps_model()->piles[1];
  const float *sum = round_placed(r, l->side);
  lanes all = {0};
  for (int i = 0; i < one->types; i++)
    all[one->type[i].hand] += sum[i];
  for (int i = 0; i < one->types; i++)
    l->placed[i] =
        all[one->type[i].hand] > 0 ? sum[i] / all[one->type[i].hand] : 0;
  take_placed(l);
}

static void average_dug(struct line *l, const struct round *r) {
  const struct plan *plan = round_plan(r, l->course.p, l->course.bets);
  const shares *sum = round_dug(r, l->course.p, l->course.bets);
  const int at = find_point(l, plan);
  float all = 0;
  for (int o = 0; at >= 0 && o < OPTIONS; o++)
    all += sum[at][o][l->point_lane];
  if (!(all > 0))
    return;
  for (int o = 0; o < OPTIONS; o++)
    l->share[o] = sum[at][o][l->point_lane] / all;
  l->digs = true;
}

void line_by_round(struct line *l, const struct round *r, int cut) {
  const struct course *c = &l->course;
  average_placed(l, r);
  l->known = c->p <= cut;
  for (int p = 0; l->known && p <= c->p; p++)
    for (unsigned bets = 0, next;; bets = next) {
      if (history_actor(p, bets) == l->side)
        average_row(l, r, p, bets);
      if ((next = next_bets(c, p, bets)) == bets)
        break;
    }
  if (l->known && digs_here(l, c->p, c->bets) &&
      history_actor(c->p, c->bets) != l->side)
    average_dug(l, r);
}
