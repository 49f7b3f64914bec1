/* The tree of a game for two, made through the game interface.
 *
 * Main invariant: nodes lie level by level, the children of a node side by
 * side on the next level; all nodes of an information set are on one level,
 * since a seat can count the steps. */
#ifndef SAL_SOLVE_GAME_TREE_H
#define SAL_SOLVE_GAME_TREE_H

#include "salotto/cfr.h"

enum { NODE_CHANCE = -1, NODE_END = -2, SEATS = 2 };

struct tree_node {
  double chance; /* of the way here from the node above; 1 if a seat chose */
  double payoff; /* to seat 0, at an end */
  size_t child;  /* the first */
  uint32_t count;
  uint32_t set; /* of information, where a seat is asked */
  int actor;    /* a seat, NODE_CHANCE or NODE_END */
};

struct information_set {
  uint64_t key[2]; /* of what the seat has seen and done */
  size_t first;  /* node; the others of the set follow somewhere on its level */
  size_t action; /* the first of its actions, among those of all sets */
  uint32_t count;
  int seat;
};

struct game_tree {
  struct tree_node *nodes;
  struct information_set *sets;
  sal_action *actions;  /* of all sets */
  unsigned char *views; /* of all sets, view_room each */
  size_t *levels;       /* the first node of each */
  size_t view_room, node_count, set_count, action_count, level_count;
};

/* False and the problem if it cannot be made. */
bool game_tree_make(struct game_tree *t, const struct sal_game *g,
                    const struct sal_setup *setup, enum sal_cfr_goal goal,
                    size_t nodes_max, enum sal_cfr_problem *problem);
void game_tree_free(struct game_tree *t);

#endif
