/* Small two-player zero-sum games as public trees, solved exactly enough to
 * be a measure for the large solver: vector CFR+ and exact best responses.
 *
 * A node is what both players can see. Each player holds one of LANES private
 * hands, and everything at a node is a row of numbers, one a hand. Main
 * invariant: the chances of the deal and of all public draws are in the
 * payoffs of the leaves and nowhere else, so a reach is a product of
 * strategies alone and a draw is a plain sum. */
#ifndef SAL_TESTS_PUBLIC_TREE_H
#define SAL_TESTS_PUBLIC_TREE_H

#include <stdbool.h>
#include <stdint.h>

enum { LANES = 4 };

/* Who acts at a node. */
enum tree_actor { TREE_FIRST, TREE_SECOND, TREE_DRAW };

struct tree;

/* An empty tree; NULL without memory. Building goes on after memory has run
 * out, without effect, and tree_sound then answers false. */
struct tree *tree_new(void);
void tree_free(struct tree *t);
bool tree_sound(const struct tree *t);

/* A table of what the first player wins: [hand of the first][of the second],
 * multiplied by the chance of those hands. Returns its number. */
uint32_t tree_payoffs(struct tree *t, const double win[LANES][LANES]);

/* A node with so many actions or outcomes; the first node is the root. */
uint32_t tree_node(struct tree *t, enum tree_actor actor, unsigned count);
/* A leaf that pays `scale` times a table. */
uint32_t tree_leaf(struct tree *t, uint32_t payoffs, double scale);
/* What action number `i` of a node leads to, and the hands that may play it,
 * a bit each. Some action must be open to every hand that can be held. */
void tree_link(struct tree *t, uint32_t node, unsigned i, uint32_t to,
               unsigned hands);

/* Plays one iteration of CFR+ with alternating updates; the average weighs
 * iteration number n by n. */
void tree_iterate(struct tree *t);

/* What the first player wins at least with the average strategy, and at most
 * against the average strategy of the second. The value lies between them;
 * their difference is the sum of what both could gain (NashConv). */
struct tree_bounds {
  double low, high;
};
struct tree_bounds tree_bounds(const struct tree *t);

/* The average strategy at a node: the chance that `hand` plays action `i`. */
double tree_average(const struct tree *t, uint32_t node, unsigned i,
                    unsigned hand);

#endif
