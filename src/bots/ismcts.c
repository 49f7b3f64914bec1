/* Single-observer information-set Monte Carlo tree search as the textbooks have
 * it: one tree of actions for all seats, worlds drawn uniformly from the view,
 * random playouts. The yardstick for the expert, so it is as fast as we can
 * make it.
 *
 * Main invariant: the children of a node lie in one block, in the order of the
 * first legal list that came by. While every legal list there was the same, a
 * node is *even*: child i is legal action i, and all of them were available
 * equally often. What UCB needs of a child is computed when the child changes
 * and not when it is looked at. */
#include "search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 1 << 18, STEPS = 600, ROOTS = 4096 };

/* More than any child promises that was visited. */
static const float UNSEEN = 1000;

struct node {
  sal_action action; /* that leads here */
  float mean;        /* for the seat that took it; above UNSEEN: no visit yet */
  float width;       /* of the doubt about it: 0.7 / sqrt(visits) */
  /* An even node's children were available whenever it was passed, and that
   * is in every visit but the one that made it. */
  uint32_t visits;
  uint32_t available; /* of an uneven node's child */
  uint32_t first;     /* of the block of children */
  uint16_t count;
  uint16_t room : 15, uneven : 1;
};

struct step {
  uint32_t node;
  int seat;
};

struct tree {
  const struct sal_question *q;
  struct sal_rng *rng;
  struct prospect prospect;
  struct node *node;
  uint32_t count;
  sal_action legal[LEGAL_MAX];
  struct step path[STEPS];
  float root_of_log[ROOTS];
};

static inline struct node *block_of(const struct tree *t,
                                    const struct node *n) {
  return &t->node[n->first];
}

static inline float root_of_log(const struct tree *t, uint32_t n) {
  return n < ROOTS ? t->root_of_log[n] : sqrtf(logf((float)n));
}

/* ---- Children ------------------------------------------------------------ */

/* A block with room for so many children; false if the tree is full. */
static bool make_room(struct tree *t, struct node *n, size_t wanted) {
  if (wanted <= n->room)
    return true;
  const size_t room = n->room && wanted < 2u * n->room ? 2u * n->room : wanted;
  if (t->count + room > NODES_MAX || room > INT16_MAX)
    return false;
  if (n->count)
    memcpy(&t->node[t->count], block_of(t, n), n->count * sizeof *n);
  n->first = t->count;
  n->room = room & INT16_MAX;
  t->count += (uint32_t)room;
  return true;
}

/* New children are tried in a random order. */
static void add_child(struct tree *t, struct node *n, sal_action a) {
  const float turn = (float)(sal_rng_next(t->rng) >> 40);
  block_of(t, n)[n->count++] =
      (struct node){.action = a, .mean = UNSEEN + turn};
}

static struct node *child_for(struct tree *t, struct node *n, sal_action a) {
  for (uint32_t k = 0; k < n->count; k++)
    if (block_of(t, n)[k].action == a)
      return block_of(t, n) + k;
  if (!make_room(t, n, n->count + 1u))
    return NULL;
  add_child(t, n, a);
  return block_of(t, n) + n->count - 1;
}

/* From now on each child counts for itself. */
static void make_uneven(struct tree *t, struct node *n) {
  for (uint32_t k = 0; k < n->count; k++)
    block_of(t, n)[k].available = n->visits - 1;
  n->uneven = true;
}

/* ---- Descent ------------------------------------------------------------- */

static uint32_t descend_uneven(struct tree *t, struct node *n, size_t count) {
  float most = -1;
  uint32_t best = 0;
  for (size_t i = 0; i < count; i++) {
    struct node *c = child_for(t, n, t->legal[i]);
    if (!c)
      return 0;
    const float v = c->mean + c->width * root_of_log(t, ++c->available);
    if (v > most) {
      most = v;
      best = (uint32_t)(c - block_of(t, n));
    }
  }
  return n->first + best;
}

static inline bool fits(const struct tree *t, const struct node *n,
                        size_t count) {
  const struct node *kids = block_of(t, n);
  sal_action differ = 0;
  if (n->count != count)
    return false;
  for (size_t i = 0; i < count; i++)
    differ |= kids[i].action ^ t->legal[i];
  return differ == 0;
}

/* The node to go on to: one that is new, if there is any, else the one that
 * promises most. 0: the tree is full. */
static uint32_t descend(struct tree *t, uint32_t at, size_t count) {
  struct node *n = &t->node[at];
  if (n->count == 0) {
    if (!make_room(t, n, count))
      return 0;
    for (size_t i = 0; i < count; i++)
      add_child(t, n, t->legal[i]);
  }
  if (n->uneven || !fits(t, n, count)) {
    if (!n->uneven)
      make_uneven(t, n);
    return descend_uneven(t, n, count);
  }
  const struct node *kids = block_of(t, n);
  const float root = root_of_log(t, n->visits);
  float most = -1;
  uint32_t best = 0;
  for (uint32_t i = 0; i < count; i++) {
    const float v = kids[i].mean + kids[i].width * root;
    if (v > most) {
      most = v;
      best = i;
    }
  }
  return n->first + best;
}

static inline void learn_value(struct node *n, float value) {
  const float part = 1 / (float)++n->visits;
  n->mean = n->visits == 1 ? value : n->mean + (value - n->mean) * part;
  n->width = 0.7f * sqrtf(part);
}

static void simulate(struct tree *t) {
  const struct sal_game *g = t->q->game;
  union sal_state_box box;
  sal_state *s = (sal_state *)box.bytes;
  g->resample(t->q->view, t->rng, s);
  uint32_t at = 0;
  size_t length = 0;
  bool growing = true;
  const int closed = g->closed(s);
  unsigned asked;
  for (int steps = 0; steps < STEPS && (asked = g->to_act(s)) != 0; steps++) {
    if (asked == SAL_CHANCE_BIT) {
      if (g->closed(s) != closed)
        break; /* the deal is over */
      g->sample(s, t->rng);
      continue;
    }
    const int seat = length == 0 ? t->q->seat : __builtin_ctz(asked);
    const size_t count = g->legal(s, seat, t->legal);
    if (growing && (at = descend(t, at, count)) != 0) {
      const struct node *n = &t->node[at];
      t->path[length++] = (struct step){at, seat};
      growing = n->visits > 0;
      g->apply(s, seat, n->action, NULL);
    } else {
      growing = false;
      g->apply(s, seat, t->legal[sal_rng_below(t->rng, (uint32_t)count)], NULL);
    }
  }
  float value[SAL_SEATS_MAX];
  prospects(&t->prospect, s, value);
  t->node[0].visits++;
  for (size_t i = 0; i < length; i++)
    learn_value(&t->node[t->path[i].node], value[t->path[i].seat]);
}

static void search_tree(struct tree *t, struct timer *timer,
                        struct sal_policy *out) {
  const struct sal_question *q = t->q;
  uint32_t most = 0;
  size_t best = 0;
  for (uint32_t i = 0; i < ROOTS; i++)
    t->root_of_log[i] = i ? sqrtf(logf((float)i)) : 0;
  t->count = 1;
  t->node[0] = (struct node){.visits = 1};
  while (timer_more(timer))
    simulate(t);
  for (size_t i = 0; i < q->count; i++) {
    out->value[i] = -1;
    out->chance[i] = 0;
  }
  for (uint32_t k = 0; k < t->node[0].count; k++) {
    const struct node *c = block_of(t, &t->node[0]) + k;
    for (size_t i = 0; c->visits && i < q->count; i++)
      if (q->legal[i] == c->action) {
        out->value[i] = c->mean;
        if (c->visits > most) {
          most = c->visits;
          best = i;
        }
      }
  }
  /* the textbook plays what it visited most */
  for (size_t i = 0; i < q->count; i++)
    if (out->value[i] > out->value[best])
      out->value[i] = out->value[best];
  out->chance[best] = 1;
  out->valued = true;
  out->simulations = timer->done;
}

void policy_ismcts(const struct sal_question *q, struct sal_rng *rng,
                   struct sal_policy *out) {
  struct timer timer;
  timer_start(&timer, &q->budget, 4000);
  for (size_t i = 0; i < q->count; i++)
    out->value[i] = out->chance[i] = 1.0 / (double)q->count;
  if (q->count == 1 || q->game->info.legal_max > LEGAL_MAX ||
      timer_over(&timer))
    return;
  struct tree *t = malloc(sizeof *t);
  struct node *nodes = malloc(NODES_MAX * sizeof *nodes);
  if (t && nodes) {
    t->q = q;
    t->rng = rng;
    t->node = nodes;
    prospect_at(&t->prospect, q, rng);
    search_tree(t, &timer, out);
  }
  free(t);
  free(nodes);
}
