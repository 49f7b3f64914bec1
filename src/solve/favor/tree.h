/* The tree of public histories of an ending of Favor for two.
 *
 * Nothing is lost by leaving out bids that only give gems away: who speaks last
 * passes or bids one more than the highest, who speaks first bids at most what
 * the other cannot beat. A player who has no choice has no node. New lots are
 * drawn at once, as sets of cards. The leaves are the outcomes of the final
 * auction. */
#ifndef SAL_SOLVE_FAVOR_TREE_H
#define SAL_SOLVE_FAVOR_TREE_H

#include "../doors/vec.h"
#include "model.h"

enum node_kind { TURN_NODE, BID_NODE, DRAW_NODE, END_NODE };

struct node {
  uint32_t child; /* the first of `count` in a row; of an end: its payoff */
  uint32_t row;   /* of a decision: its first option's, in the strategies */
  float chance;   /* of this outcome, where the parent is a draw */
  uint16_t drawn; /* the cards of it, two bits a kind */
  uint8_t count;
  uint8_t kind : 2, actor : 1, high : 5; /* high: the bid that stands */
};

/* What an end pays each side: a row over its own types for each type of the
 * other; 0 where both would be the same. */
struct payoff {
  vec of[2][TYPES];
};

struct tree {
  struct node *node;
  struct payoff *payoff;
  uint32_t nodes, node_room, payoffs, payoff_room, rows;
  uint32_t *seen; /* payoffs by hash, number + 1 */
  uint32_t seen_size;
};

/* False, and nothing to free, if it cannot be made. */
bool favor_tree_make(struct tree *t, const struct sal_favor_ending *e,
                     const struct sal_favor_worth *w,
                     const struct sal_favor_effort *effort);
void favor_tree_free(struct tree *t);

static inline uint16_t pack_cards(const uint8_t *cards) {
  unsigned packed = 0;
  for (int k = 0; k < KINDS; k++)
    packed |= (unsigned)cards[k] << 2 * k;
  return (uint16_t)packed;
}

#endif
