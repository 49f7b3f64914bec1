/* Public trees of small games: building, vector CFR+, exact best responses.
 *
 * Main invariant: a node is made before the nodes below it, and the actions of
 * a node lie side by side in `edges`, each with its regrets and the sum of its
 * strategies, both as rows over the hands of the player who acts. */
#include "public_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct row {
  double of[LANES];
};

struct node {
  uint8_t actor; /* enum tree_actor, or LEAF */
  uint8_t count;
  uint32_t first; /* edge of its first action; the table of a leaf */
  double scale;   /* of a leaf */
};
enum { LEAF = TREE_DRAW + 1, MOST_ACTIONS = 16 };

struct edge {
  uint32_t to;
  uint8_t hands;
  struct row regret, sum;
};

/* The same table twice: by column for the first player, whose value is a sum
 * of columns, and by row and negated for the second. */
struct table {
  struct row side[2][LANES];
};

struct list {
  void *items;
  size_t count, room;
};

struct tree {
  struct list nodes, edges, tables;
  double iteration;
  bool failed;
};

/* ---- Building ----------------------------------------------------------- */

/* Room for `more` items at the end, all zero; returns the number of the first
 * of them. When memory is out the tree keeps what it has. */
static size_t grow(struct tree *t, struct list *l, size_t size, size_t more) {
  if (l->count + more > l->room && !t->failed) {
    const size_t room = 2 * l->room + more + 64;
    void *items = realloc(l->items, room * size);
    t->failed = !items;
    if (items) {
      l->items = items;
      l->room = room;
    }
  }
  if (t->failed)
    return 0;
  memset((char *)l->items + l->count * size, 0, more * size);
  l->count += more;
  return l->count - more;
}

static inline struct node *node_at(const struct tree *t, uint32_t i) {
  return (struct node *)t->nodes.items + i;
}

static inline struct edge *edge_at(const struct tree *t, uint32_t i) {
  return (struct edge *)t->edges.items + i;
}

struct tree *tree_new(void) {
  struct tree *t = calloc(1, sizeof *t);
  return t;
}

void tree_free(struct tree *t) {
  if (!t)
    return;
  free(t->nodes.items);
  free(t->edges.items);
  free(t->tables.items);
  free(t);
}

bool tree_sound(const struct tree *t) { return !t->failed && t->nodes.count; }

uint32_t tree_payoffs(struct tree *t, const double win[LANES][LANES]) {
  const size_t at = grow(t, &t->tables, sizeof(struct table), 1);
  if (t->failed)
    return 0;
  struct table *table = (struct table *)t->tables.items + at;
  for (int a = 0; a < LANES; a++)
    for (int b = 0; b < LANES; b++) {
      table->side[0][b].of[a] = win[a][b];
      table->side[1][a].of[b] = -win[a][b];
    }
  return (uint32_t)at;
}

uint32_t tree_node(struct tree *t, enum tree_actor actor, unsigned count) {
  const size_t first = grow(t, &t->edges, sizeof(struct edge), count);
  const size_t at = grow(t, &t->nodes, sizeof(struct node), 1);
  if (t->failed || count > MOST_ACTIONS) {
    t->failed = true;
    return 0;
  }
  *node_at(t, (uint32_t)at) =
      (struct node){(uint8_t)actor, (uint8_t)count, (uint32_t)first, 1};
  return (uint32_t)at;
}

uint32_t tree_leaf(struct tree *t, uint32_t payoffs, double scale) {
  const size_t at = grow(t, &t->nodes, sizeof(struct node), 1);
  if (!t->failed)
    *node_at(t, (uint32_t)at) = (struct node){LEAF, 0, payoffs, scale};
  return (uint32_t)at;
}

void tree_link(struct tree *t, uint32_t node, unsigned i, uint32_t to,
               unsigned hands) {
  if (t->failed)
    return;
  struct edge *e = edge_at(t, node_at(t, node)->first + i);
  e->to = to;
  e->hands = (uint8_t)hands;
}

/* ---- Rows --------------------------------------------------------------- */

/* What `side` wins at a leaf by hand, when the other reaches it so. */
static struct row leaf_value(const struct tree *t, const struct node *n,
                             int side, const struct row *other) {
  const struct table *table = (const struct table *)t->tables.items + n->first;
  struct row v = {{0}};
  for (int b = 0; b < LANES; b++) {
    const double reach = n->scale * other->of[b];
    for (int a = 0; a < LANES; a++)
      v.of[a] += table->side[side][b].of[a] * reach;
  }
  return v;
}

static inline bool may(const struct edge *e, int hand) {
  return e->hands >> hand & 1;
}

/* Regret matching: in proportion to the regrets, evenly where there are none. */
static void match_regrets(const struct edge *edge, unsigned count,
                          struct row *out) {
  struct row total = {{0}}, open = {{0}};
  for (unsigned i = 0; i < count; i++)
    for (int h = 0; h < LANES; h++) {
      total.of[h] += edge[i].regret.of[h];
      open.of[h] += may(&edge[i], h);
    }
  for (unsigned i = 0; i < count; i++)
    for (int h = 0; h < LANES; h++)
      out[i].of[h] = total.of[h] > 0    ? edge[i].regret.of[h] / total.of[h]
                     : may(&edge[i], h) ? 1 / open.of[h]
                                        : 0;
}

static inline void add_row(struct row *to, const struct row *from) {
  for (int h = 0; h < LANES; h++)
    to->of[h] += from->of[h];
}

static struct row product(const struct row *a, const struct row *b) {
  struct row c;
  for (int h = 0; h < LANES; h++)
    c.of[h] = a->of[h] * b->of[h];
  return c;
}

/* ---- CFR+ --------------------------------------------------------------- */

/* What was better than the strategy in force is remembered, what was worse
 * only until nothing is left to forget. */
static void learn_edges(struct edge *edge, unsigned count,
                        const struct row *strategy, const struct row *value,
                        const struct row *mean, const struct row *reach,
                        double weight) {
  for (unsigned i = 0; i < count; i++)
    for (int h = 0; h < LANES; h++) {
      const double r = edge[i].regret.of[h] + value[i].of[h] - mean->of[h];
      edge[i].regret.of[h] = may(&edge[i], h) && r > 0 ? r : 0;
      edge[i].sum.of[h] += weight * reach->of[h] * strategy[i].of[h];
    }
}

/* The value of a node to the side that learns; `mine` and `theirs` are how
 * the two sides reach it. */
static struct row walk(struct tree *t, uint32_t at, int side,
                       const struct row *mine, const struct row *theirs) {
  const struct node *n = node_at(t, at);
  if (n->actor == LEAF)
    return leaf_value(t, n, side, theirs);
  struct edge *edge = edge_at(t, n->first);
  struct row strategy[MOST_ACTIONS], value[MOST_ACTIONS], sum = {{0}};
  if (n->actor != TREE_DRAW)
    match_regrets(edge, n->count, strategy);
  for (unsigned i = 0; i < n->count; i++) {
    struct row reach, v;
    if (n->actor == TREE_DRAW) {
      v = walk(t, edge[i].to, side, mine, theirs);
    } else if (n->actor == side) {
      reach = product(mine, &strategy[i]);
      value[i] = walk(t, edge[i].to, side, &reach, theirs);
      v = product(&value[i], &strategy[i]);
    } else {
      reach = product(theirs, &strategy[i]);
      v = walk(t, edge[i].to, side, mine, &reach);
    }
    add_row(&sum, &v);
  }
  if (n->actor == side)
    learn_edges(edge, n->count, strategy, value, &sum, mine, t->iteration);
  return sum;
}

void tree_iterate(struct tree *t) {
  const struct row all = {{1, 1, 1, 1}};
  t->iteration += 1;
  for (int side = 0; side < 2; side++)
    walk(t, 0, side, &all, &all);
}

/* ---- Best responses ----------------------------------------------------- */

static struct row average_row(const struct edge *edge, unsigned count,
                              unsigned i) {
  struct row out;
  for (int h = 0; h < LANES; h++) {
    double total = 0, open = 0;
    for (unsigned k = 0; k < count; k++) {
      total += edge[k].sum.of[h];
      open += may(&edge[k], h);
    }
    out.of[h] = total > 0          ? edge[i].sum.of[h] / total
                : may(&edge[i], h) ? 1 / open
                                   : 0;
  }
  return out;
}

static struct row respond(const struct tree *t, uint32_t at, int side,
                          const struct row *theirs) {
  const struct node *n = node_at(t, at);
  if (n->actor == LEAF)
    return leaf_value(t, n, side, theirs);
  const struct edge *edge = edge_at(t, n->first);
  struct row best = {{0}};
  for (int h = 0; n->actor == side && h < LANES; h++)
    best.of[h] = -HUGE_VAL;
  for (unsigned i = 0; i < n->count; i++) {
    struct row reach = *theirs;
    if (n->actor == !side) {
      const struct row average = average_row(edge, n->count, i);
      reach = product(theirs, &average);
    }
    const struct row v = respond(t, edge[i].to, side, &reach);
    if (n->actor != side)
      add_row(&best, &v);
    for (int h = 0; n->actor == side && h < LANES; h++)
      if (may(&edge[i], h) && v.of[h] > best.of[h])
        best.of[h] = v.of[h];
  }
  return best;
}

/* Hands that no action is open to cannot be held. */
static double total(const struct row *r) {
  double sum = 0;
  for (int h = 0; h < LANES; h++)
    sum += isfinite(r->of[h]) ? r->of[h] : 0;
  return sum;
}

struct tree_bounds tree_bounds(const struct tree *t) {
  const struct row all = {{1, 1, 1, 1}};
  const struct row first = respond(t, 0, 0, &all);
  const struct row second = respond(t, 0, 1, &all);
  return (struct tree_bounds){-total(&second), total(&first)};
}

double tree_average(const struct tree *t, uint32_t node, unsigned i,
                    unsigned hand) {
  const struct node *n = node_at(t, node);
  return average_row(edge_at(t, n->first), n->count, i).of[hand];
}
