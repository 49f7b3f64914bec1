/* Kuhn and Leduc poker as public trees: games with a known value, to hold the
 * solver against. Hands are ranks; suits are in the chances of the payoffs. */
#ifndef SAL_TESTS_POKER_H
#define SAL_TESTS_POKER_H

#include "public_tree.h"

enum { RANKS = 3, EVERY_HAND = (1 << LANES) - 1 };

/* ---- Kuhn: three cards, one chip each, one bet of one ------------------- */

static uint32_t kuhn_payoffs(struct tree *t, double pot, int folder) {
  double win[LANES][LANES] = {{0}};
  for (int a = 0; a < RANKS; a++)
    for (int b = 0; b < RANKS; b++)
      if (a != b)
        win[a][b] = pot / 6 * (folder == 0 || (folder < 0 && a < b) ? -1 : 1);
  return tree_payoffs(t, win);
}

/* A node where a bet is met by a fold or a call. */
static uint32_t kuhn_answer(struct tree *t, int seat) {
  const uint32_t n = tree_node(t, (enum tree_actor)seat, 2);
  tree_link(t, n, 0, tree_leaf(t, kuhn_payoffs(t, 1, seat), 1), EVERY_HAND);
  tree_link(t, n, 1, tree_leaf(t, kuhn_payoffs(t, 2, -1), 1), EVERY_HAND);
  return n;
}

static struct tree *kuhn_tree(void) {
  struct tree *t = tree_new();
  const uint32_t root = tree_node(t, TREE_FIRST, 2);
  const uint32_t passed = tree_node(t, TREE_SECOND, 2);
  tree_link(t, passed, 0, tree_leaf(t, kuhn_payoffs(t, 1, -1), 1), EVERY_HAND);
  tree_link(t, passed, 1, kuhn_answer(t, 0), EVERY_HAND);
  tree_link(t, root, 0, passed, EVERY_HAND);
  tree_link(t, root, 1, kuhn_answer(t, 1), EVERY_HAND);
  return t;
}

/* ---- Leduc: six cards, two rounds, bets of 2 and 4, one raise a round --- */

enum { NO_PUBLIC = -1 };

struct leduc {
  int public; /* rank of the open card */
  int in[2];  /* chips of each seat */
  int seat;   /* who acts */
  int acted, raises;
};

/* The chance that the seats hold these ranks and that one is open. */
static double leduc_chance(int a, int b, int public) {
  const double two = 2.0 * (a == b ? 1 : 2) / 30;
  return public == NO_PUBLIC ? two
                             : two * (2 - (a == public) - (b == public)) / 4;
}

static int leduc_sign(int a, int b, int public) {
  if (a == b)
    return 0;
  if (a == public || b == public)
    return a == public ? 1 : -1;
  return a > b ? 1 : -1;
}

static uint32_t leduc_leaf(struct tree *t, const struct leduc *g, int folder) {
  double win[LANES][LANES] = {{0}};
  for (int a = 0; a < RANKS; a++)
    for (int b = 0; b < RANKS; b++) {
      const double gain = folder == 0 ? -g->in[0]
                          : folder == 1
                              ? g->in[1]
                              : g->in[0] * leduc_sign(a, b, g->public);
      win[a][b] = gain * leduc_chance(a, b, g->public);
    }
  return tree_leaf(t, tree_payoffs(t, win), 1);
}

static uint32_t leduc_node(struct tree *t, const struct leduc *g);

static uint32_t leduc_round_over(struct tree *t, const struct leduc *g) {
  if (g->public != NO_PUBLIC)
    return leduc_leaf(t, g, -1);
  const uint32_t n = tree_node(t, TREE_DRAW, RANKS);
  for (int rank = 0; rank < RANKS; rank++) {
    const struct leduc next = {rank, {g->in[0], g->in[1]}, 0, 0, 0};
    tree_link(t, n, (unsigned)rank, leduc_node(t, &next), EVERY_HAND);
  }
  return n;
}

static uint32_t leduc_call(struct tree *t, struct leduc g) {
  const bool over = g.acted > 0;
  g.in[g.seat] = g.in[!g.seat];
  g.seat ^= 1;
  g.acted++;
  return over ? leduc_round_over(t, &g) : leduc_node(t, &g);
}

static uint32_t leduc_raise(struct tree *t, struct leduc g) {
  g.in[g.seat] = g.in[!g.seat] + (g.public == NO_PUBLIC ? 2 : 4);
  g.seat ^= 1;
  g.acted++;
  g.raises++;
  return leduc_node(t, &g);
}

static uint32_t leduc_node(struct tree *t, const struct leduc *g) {
  const bool may_fold = g->in[0] != g->in[1], may_raise = g->raises < 2;
  unsigned i = 0;
  const uint32_t n = tree_node(t, (enum tree_actor)g->seat,
                               1u + may_fold + (unsigned)may_raise);
  if (may_fold)
    tree_link(t, n, i++, leduc_leaf(t, g, g->seat), EVERY_HAND);
  tree_link(t, n, i++, leduc_call(t, *g), EVERY_HAND);
  if (may_raise)
    tree_link(t, n, i, leduc_raise(t, *g), EVERY_HAND);
  return n;
}

static struct tree *leduc_tree(void) {
  struct tree *t = tree_new();
  leduc_node(t, &(struct leduc){NO_PUBLIC, {1, 1}, 0, 0, 0});
  return t;
}

#endif
