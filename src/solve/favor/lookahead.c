/* Looks ahead over the nets; see lookahead.h. */
#include "lookahead.h"

#include <stdlib.h>

enum {
  NODES_MAX = 400, /* turns of a look, 12 events each */
  DEEP_MAX = 90    /* of them, behind the events of the one that is played */
};

/* A turn of the look. */
struct turn_node {
  struct turn turn;
  struct position p;
  float chance; /* of its cards, before the draw */
  struct trunk trunk[EVENTS];
  float pay[EVENTS][NET_PAIRS];
  int deeper[EVENTS], deep[EVENTS]; /* the first turn behind, how many */
};

struct lookahead {
  const sal_favor_policy *policy;
  const struct net *net;
  const struct sal_favor_worth *worth;
  struct sal_favor_ending e;
  struct turn_node *node;
  int nodes;
};

lookahead *lookahead_new(const sal_favor_policy *p) {
  lookahead *l = calloc(1, sizeof *l);
  if (l) {
    l->policy = p;
    l->node = aligned_alloc(16, NODES_MAX * sizeof *l->node);
  }
  if (l && l->node)
    return l;
  free(l);
  return NULL;
}

void lookahead_free(lookahead *l) {
  if (l)
    free(l->node);
  free(l);
}

/* ---- The turns of a look --------------------------------------------------- */

static void fill_node(lookahead *l, struct turn_node *s,
                      const struct position *p, float chance) {
  float in[NET_IN];
  struct position after;
  memset(s, 0, sizeof *s);
  s->p = *p;
  s->chance = chance;
  s->turn.final = model_cards(p->deck) == 0;
  for (int e = 0; e < EVENTS; e++) {
    s->turn.kind[e] = (uint8_t)model_event(p, s->turn.final, e, &after);
    if (s->turn.kind[e] == BEFORE_DRAW) {
      net_input(&after, l->e.lead, l->e.first, l->e.english, in);
      net_trunk(l->net, in, &s->trunk[e]);
    }
    if (s->turn.kind[e] == DAY_OVER)
      turn_pays(&l->e, l->worth, &after, p->turn, s->pay[e]);
  }
  for (int k = 0; k < 2 * TYPES; k++)
    turn_begin(&s->turn, s->turn.chance[k / TYPES][k % TYPES]);
}

/* All turns that may follow a table before its draw; how many. */
static int add_nodes(lookahead *l, const struct position *before, int most) {
  struct lot lots[LOTS_MAX];
  const int count =
      model_lots(before->deck, model_draws(before, l->e.day), lots);
  if (count > most || l->nodes + count > NODES_MAX)
    return 0;
  for (int i = 0; i < count; i++) {
    struct position p = *before;
    for (int k = 0; k < KINDS; k++) {
      p.deck[k] = (uint8_t)(p.deck[k] - lots[i].cards[k]);
      p.lot[k] = (uint8_t)(p.lot[k] + lots[i].cards[k]);
    }
    fill_node(l, &l->node[l->nodes++], &p, lots[i].chance);
  }
  return count;
}

/* Looks behind the events of one turn too, as far as there is room: first what
 * an added card leads to. */
static void look_deeper(lookahead *l, struct turn_node *s) {
  struct position after;
  int left = DEEP_MAX;
  for (int e = 0; e < EVENTS; e++) {
    if (model_event(&s->p, s->turn.final, e, &after) != BEFORE_DRAW)
      continue;
    s->deeper[e] = l->nodes;
    s->deep[e] = add_nodes(l, &after, left);
    left -= s->deep[e];
  }
}

/* The turn that is played, among those that the draw might have brought. */
static struct turn_node *node_of(const lookahead *l,
                                 const struct position *turn, int count) {
  for (int i = 0; i < count; i++)
    if (memcmp(&l->node[i].p, turn, sizeof *turn) == 0)
      return &l->node[i];
  return NULL;
}

/* ---- Solving --------------------------------------------------------------- */

struct pass {
  lookahead *l;
  float weight;
};

static void value_by_net(const lookahead *l, struct turn_node *s, int e) {
  float ranges[2 * TYPES], pairs[NET_PAIRS];
  const float *reach = s->turn.reach[e];
  float *value = s->turn.value[e];
  turn_ranges(reach, ranges);
  net_pairs(l->net, &s->trunk[e], ranges, pairs);
  turn_values(pairs, reach + TYPES, reach, value + TYPES, value);
}

static void improve_turn(const struct pass *p, struct turn_node *s, int side,
                         const float *range, const float *own, float *value);

/* Behind an event the other side is on turn, so sides are swapped there. */
static void value_deeper(const struct pass *p, struct turn_node *s, int side,
                         int e, const float *own) {
  float range[2 * TYPES], part[TYPES], value[TYPES];
  float *out = s->turn.value[e] + TYPES * side;
  for (int k = 0; k < 2 * TYPES; k++)
    range[k] = s->turn.reach[e][k ^ TYPES];
  for (int i = 0; i < TYPES; i++) {
    part[i] = own[i] * turn_part(&s->turn, side, i, e);
    out[i] = 0;
  }
  for (int n = 0; n < s->deep[e]; n++) {
    struct turn_node *next = &p->l->node[s->deeper[e] + n];
    improve_turn(p, next, !side, range, part, value);
    for (int i = 0; i < TYPES; i++)
      out[i] += next->chance * value[i];
  }
}

/* Where the other never comes, nothing is to be won or lost, and no net need be
 * asked. */
static bool is_reached(const float *theirs) {
  return theirs[0] + theirs[1] + theirs[2] + theirs[3] > 0;
}

/* Products of small chances would become denormal numbers. */
static float enough(float x) { return x < 1e-12f ? 0 : x; }

/* Improves one side's strategy at a turn and behind it, and tells what each type
 * got. */
static void improve_turn(const struct pass *p, struct turn_node *s, int side,
                         const float *range, const float *own, float *value) {
  struct turn *t = &s->turn;
  for (int k = 0; k < 2 * TYPES; k++)
    turn_spread(t, k / TYPES, k % TYPES, enough(range[k]));
  for (int e = 0; e < EVENTS; e++) {
    float *v = t->value[e];
    const float *reach = t->reach[e];
    if (t->kind[e] == NO_EVENT)
      continue;
    if (!is_reached(reach + TYPES * !side))
      memset(v, 0, sizeof t->value[e]);
    else if (t->kind[e] == DAY_OVER)
      turn_values(s->pay[e], reach, reach + TYPES, v, v + TYPES);
    else if (s->deep[e])
      value_deeper(p, s, side, e, own);
    else
      value_by_net(p->l, s, e);
  }
  for (int i = 0; i < TYPES; i++)
    value[i] = turn_update(t, side, i, p->weight * enough(own[i]));
}

/* Regrets of who may take an offer. */
struct gate {
  float come[TYPES], take[TYPES];
};

static float comes(const struct gate *g, int i) {
  const float sum = g->come[i] + g->take[i];
  return sum > 1e-30f ? g->come[i] / sum : 1;
}

static float others(const float *range, int i) {
  float sum = 0;
  for (int k = 0; k < TYPES; k++)
    sum += k == i ? 0 : range[k];
  return sum;
}

static void regret_offer(struct gate *g, const struct outlook *from,
                         const float *value) {
  for (int i = 0; i < TYPES; i++) {
    const float taken = from->offer[i] * others(from->e.range[from->me], i);
    const float c = comes(g, i), mean = c * value[i] + (1 - c) * taken;
    const float come = g->come[i] + value[i] - mean;
    const float take = g->take[i] + taken - mean;
    g->come[i] = come > 0 ? come : 0;
    g->take[i] = take > 0 ? take : 0;
  }
}

/* Both ranges as they stand, of who is on turn first. */
static void ranges_now(const struct outlook *from, const struct gate *g,
                       float *range) {
  for (int k = 0; k < 2 * TYPES; k++) {
    const int side = k < TYPES ? from->turn.turn : !from->turn.turn;
    const int i = k % TYPES;
    range[k] = from->e.range[side][i];
    if (side != from->me && from->offered)
      range[k] = PRIOR * range[k] + (1 - PRIOR) / TYPES * comes(g, i);
  }
}

/* One iteration: first the one, then the other. */
static void iterate(lookahead *l, const struct outlook *from, int roots, int n,
                    struct gate *g) {
  static const float all[TYPES] = {1, 1, 1, 1};
  const struct pass p = {l, (float)n * (float)n};
  float range[2 * TYPES], value[TYPES], sum[TYPES];
  for (int side = 0; side < 2; side++) {
    const bool mine = (side ? !from->turn.turn : from->turn.turn) == from->me;
    memset(sum, 0, sizeof sum);
    ranges_now(from, g, range);
    for (int r = 0; r < roots; r++) {
      improve_turn(&p, &l->node[r], side, range, all, value);
      for (int i = 0; i < TYPES; i++)
        sum[i] += l->node[r].chance * value[i];
    }
    if (!mine && from->offered)
      regret_offer(g, from, sum);
  }
}

/* ---- What came out --------------------------------------------------------- */

/* What the other side gets after an event, by type, as the net says. */
static void promise(const lookahead *l, const struct turn_node *s, int e,
                    int other, float *out) {
  float ranges[2 * TYPES], pairs[NET_PAIRS], value[2 * TYPES];
  turn_ranges(s->turn.reach[e], ranges);
  net_pairs(l->net, &s->trunk[e], ranges, pairs);
  turn_values(pairs, ranges, ranges + TYPES, value, value + TYPES);
  /* Here who is on turn next, side 1 of the turn, comes first. */
  const float *mine = other ? ranges + TYPES : ranges;
  const float *got = other ? value : value + TYPES;
  for (int i = 0; i < TYPES; i++) {
    const float sum = others(mine, i);
    out[i] = sum > 1e-6f ? got[i] / sum : 0;
  }
}

static void conclude_outlook(const lookahead *l, const struct outlook *from,
                             struct turn_node *s, const struct gate *g,
                             struct solved *out) {
  struct turn *t = &s->turn;
  const int other = from->turn.turn == from->me;
  ranges_now(from, g, out->range);
  for (int k = 0; k < 2 * TYPES; k++) {
    const int side = k / TYPES, i = k % TYPES;
    turn_choose(t, side, t->sum[side][i], t->chance[side][i]);
    turn_spread(t, side, i, out->range[k]);
  }
  for (int e = 0; e < EVENTS; e++) {
    float *v = t->value[e];
    const float *reach = t->reach[e];
    if (t->kind[e] == DAY_OVER)
      turn_values(s->pay[e], reach, reach + TYPES, v, v + TYPES);
    if (t->kind[e] != BEFORE_DRAW)
      continue;
    value_by_net(l, s, e);
    promise(l, s, e, other, out->offer[e]);
  }
  out->turn = *t;
}

bool lookahead_solve(lookahead *l, const struct outlook *from,
                     struct sal_favor_thought *thought, struct solved *out) {
  struct gate g;
  memset(&g, 0, sizeof g);
  l->e = from->e;
  l->net = &l->policy->net[from->e.day - 1];
  l->worth = &l->policy->worth[from->e.day - 1][from->e.english];
  l->nodes = 0;
  if (!from->offered) /* the first turn of a day, or a surprise */
    fill_node(l, &l->node[l->nodes++], &from->turn, 1);
  else
    add_nodes(l, &from->before, LOTS_MAX);
  const int roots = l->nodes;
  struct turn_node *played = node_of(l, &from->turn, roots);
  if (!played)
    return false;
  look_deeper(l, played);
  for (uint32_t n = 1; n <= thought->iterations; n++) {
    if (n > 1 && thought->more && !thought->more(thought->context))
      break;
    iterate(l, from, roots, (int)n, &g);
    thought->done++;
  }
  conclude_outlook(l, from, played, &g, out);
  return true;
}
