/* Hands, piles and payments of Traps for two; see model.h. */
#include "model.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

static const uint8_t deck[WORTHS] = {4, 7, 3};

double binomial(int n, int k) {
  double c = k < 0 || k > n ? 0 : 1;
  for (int i = 0; c > 0 && i < k; i++)
    c = c * (n - i) / (i + 1);
  return c;
}

/* ---- Hands ---------------------------------------------------------------- */

int traps_hand(const struct model *m, int twos, int ones) {
  for (int h = 0; h < HANDS; h++)
    if (m->hand[h][2] == twos && m->hand[h][1] == ones)
      return h;
  return -1;
}

static void make_hands(struct model *m) {
  int n = 0;
  for (int twos = 0; twos <= deck[2]; twos++)
    for (int ones = 0; ones + twos <= HAND; ones++)
      if (HAND - twos - ones <= deck[0]) {
        m->hand[n][0] = (uint8_t)(HAND - twos - ones);
        m->hand[n][1] = (uint8_t)ones;
        m->hand[n++][2] = (uint8_t)twos;
      }
  assert(n == HANDS);
}

static void make_deals(struct model *m) {
  double all = binomial(14, HAND) * binomial(14 - HAND, HAND);
  for (int i = 0; i < HANDS; i++)
    for (int k = 0; k < HANDS; k++) {
      double ways = 1;
      for (int w = 0; w < WORTHS; w++)
        ways *= binomial(deck[w], m->hand[i][w]) *
                binomial(deck[w] - m->hand[i][w], m->hand[k][w]);
      m->deals[i][k] = ways / all;
    }
}

/* ---- What can be seen of a pile -------------------------------------------- */

/* All paths of so many cards at most, down to the second trap. */
static void make_nodes(struct piles *p, int cards) {
  p->nodes = 1;
  p->node[0] = (struct node){-1, {-1, -1, -1}, 0, 0, 0};
  for (int i = 0; i < p->nodes; i++) {
    const struct node at = p->node[i];
    if (at.depth == cards || at.traps == 2)
      continue;
    for (int w = 0; w < WORTHS; w++) {
      int same = 0;
      for (int v = i; p->node[v].parent >= 0; v = p->node[v].parent)
        same += p->node[p->node[v].parent].child[w] == v;
      if (same == deck[w])
        continue;
      assert(p->nodes < NODES_MAX);
      p->node[i].child[w] = (int8_t)p->nodes;
      p->node[p->nodes++] = (struct node){(int8_t)i,
                                          {-1, -1, -1},
                                          (uint8_t)(at.depth + 1),
                                          (uint8_t)(at.points + w),
                                          (uint8_t)(at.traps + (w == 0))};
    }
  }
}

static uint8_t leaf_of(const struct piles *p, const uint8_t *card, int cards) {
  int v = 0;
  for (int i = cards - 1; i >= 0 && p->node[v].traps < 2; i--)
    v = p->node[v].child[card[i]];
  return (uint8_t)v;
}

static uint8_t class_of(struct piles *p, const uint8_t *card, int cards) {
  struct class c = {0, 0, 0};
  for (int i = cards - 1; i >= 0 && c.traps < 2; i--)
    if (card[i] == 0)
      c.traps++;
    else if (c.traps == 0)
      c.before = (uint8_t)(c.before + card[i]);
    else
      c.between = (uint8_t)(c.between + card[i]);
  for (int i = 0; i < p->classes; i++)
    if (memcmp(&p->class[i], &c, sizeof c) == 0)
      return (uint8_t)i;
  assert(p->classes < CLASSES_MAX);
  p->class[p->classes] = c;
  return (uint8_t)p->classes++;
}

/* ---- Types ---------------------------------------------------------------- */

static void add_type(struct model *m, int cards, int hand, int parent,
                     const uint8_t *card) {
  struct piles *p = &m->piles[cards];
  struct type *t = &p->type[p->types];
  assert(p->types < TYPES_MAX);
  t->hand = (uint8_t)hand;
  t->parent = (uint16_t)parent;
  memcpy(t->card, card, (size_t)cards);
  for (int w = 0; w < WORTHS; w++)
    t->child[w] = NO_TYPE;
  if (cards > 0) {
    t->class = class_of(p, card, cards);
    t->leaf = leaf_of(p, card, cards);
    t->traps = p->node[t->leaf].traps;
    m->piles[cards - 1].type[parent].child[card[cards - 1]] =
        (uint16_t)p->types;
  }
  p->types++;
}

static void make_types(struct model *m, int cards) {
  const struct piles *before = &m->piles[cards - 1];
  make_nodes(&m->piles[cards], cards);
  for (int i = 0; i < before->types; i++) {
    const struct type *t = &before->type[i];
    for (int w = 0; w < WORTHS; w++) {
      uint8_t card[PILE];
      int laid = 0;
      memcpy(card, t->card, sizeof card);
      for (int k = 0; k < cards - 1; k++)
        laid += card[k] == w;
      card[cards - 1] = (uint8_t)w;
      if (laid < m->hand[t->hand][w])
        add_type(m, cards, t->hand, i, card);
    }
  }
}

static struct model made;

static void make_model(void) {
  static const uint8_t nothing[PILE] = {0};
  make_hands(&made);
  make_deals(&made);
  for (int h = 0; h < HANDS; h++)
    add_type(&made, 0, h, 0, nothing);
  for (int cards = 1; cards <= PILE; cards++)
    make_types(&made, cards);
}

/* Takes some microseconds, so who comes at the same time waits. */
const struct model *traps_model(void) {
  static atomic_int stage;
  int fresh = 0;
  if (atomic_compare_exchange_strong(&stage, &fresh, 1)) {
    make_model();
    atomic_store(&stage, 2);
  }
  while (atomic_load(&stage) != 2)
    ;
  return &made;
}

/* ---- Payments ------------------------------------------------------------- */

static int less(int tokens, int pays) {
  return tokens < pays ? 0 : tokens - pays;
}

/* traps.success, traps.stop, traps.fail.pay, traps.trap.theirs,
 * traps.trap.own-all-four */
struct score traps_after(int t, int o, enum outcome how) {
  switch (how) {
  case MET: return (struct score){t + 2, o};
  case MET_TRAP: return (struct score){t + 1, o + 1};
  case STOP: return (struct score){less(t, 1), o};
  case STOP_TRAP: return (struct score){less(t, 1), o + 1};
  case THEIRS_ENDS: return (struct score){t, GOAL};
  case OWN_ENDS: return (struct score){less(t, 2), o};
  case OWN_TWO:
    if (o == GOAL - 2)
      return (struct score){less(t, 2), o + 1};
    return (struct score){less(t, 1), o + 2};
  default:
    if (o + 2 >= GOAL)
      return (struct score){t, GOAL};
    return (struct score){less(t, 1), o + 2};
  }
}

static float score_worth(const struct equity *e, struct score s) {
  if (s.digger >= GOAL)
    return 1;
  return s.other >= GOAL ? -1 : (float)e->of[s.digger][s.other];
}

/* The digger who cannot stop turns up all cards, or two traps. Own traps then
 * save who plays against three or four tokens: the second, or the first, costs
 * two and ends the round before the other has a fifth. */
static enum outcome forced(int o, int own, int theirs) {
  if (o == GOAL - 1)
    return own ? OWN_ENDS : theirs ? THEIRS_ENDS : STOP;
  if (own + theirs < 2)
    return own + theirs ? STOP_TRAP : STOP;
  return own ? OWN_TWO : THEIRS_TWO;
}

struct pay traps_pay(const struct equity *e, int t, int o) {
  struct pay p = {.can_stop = t > 0, .last = o == GOAL - 1};
  for (int i = 0; i < OUTCOMES; i++)
    p.of[i] = score_worth(e, traps_after(t, o, (enum outcome)i));
  for (int own = 0; own < WORTHS; own++)
    for (int theirs = 0; theirs < WORTHS; theirs++)
      p.over[own][theirs] = t > 0 ? STOP : forced(o, own, theirs);
  return p;
}

struct pay traps_pay_tokens(void) {
  struct pay p = {.of = {2, 0, -1, -2, -3, -3, -3, -3}, .can_stop = true};
  for (int i = 0; i < WORTHS * WORTHS; i++)
    p.over[i / WORTHS][i % WORTHS] = STOP;
  return p;
}
