/* The nets of the three days as the player asks them. */
#ifndef SAL_SOLVE_FAVOR_POLICY_H
#define SAL_SOLVE_FAVOR_POLICY_H

#include "../doors/vec.h"
#include "net.h"

enum {
  VEC = 4,
  TRUNK_ROWS = NET_TRUNK_OUT / VEC,
  HEAD_ROWS = NET_HEAD / VEC,
  PAIR_ROWS = NET_PAIRS / VEC,
  WIDE_ROWS = NET_WIDTH / VEC
};

/* Matrices are turned: for each number that goes in, a row of what it adds to
 * all that come out. */
struct net {
  vec in[NET_IN][WIDE_ROWS], in_bias[WIDE_ROWS];
  vec middle[NET_WIDTH][WIDE_ROWS], middle_bias[WIDE_ROWS];
  vec out[NET_WIDTH][TRUNK_ROWS], out_bias[TRUNK_ROWS];
  vec range[NET_RANGES][HEAD_ROWS];
  vec head[NET_HEAD][HEAD_ROWS], head_bias[HEAD_ROWS];
  vec pair[NET_HEAD][PAIR_ROWS];
};

struct sal_favor_policy {
  struct net net[NET_DAYS];
  /* Of the lead after each day, by edition. */
  struct sal_favor_worth worth[NET_DAYS][2];
  char note[SAL_FAVOR_NOTE_MAX];
};

/* What both see, before cards are drawn, for the head. */
struct trunk {
  vec of[TRUNK_ROWS];
};
void net_trunk(const struct net *n, const float *in, struct trunk *out);
/* What each pair of types is worth to who is on turn, for ranges that sum
 * to 1. */
void net_pairs(const struct net *n, const struct trunk *t, const float *ranges,
               float *pairs);

#endif
