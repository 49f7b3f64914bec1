/* Late positions of Doors as public trees; see unreduced.h.
 *
 * Main invariant: `chance` is the product of the draws from the root to the
 * node that is being built, and only leaves use it. */
#include "unreduced.h"

#include <stddef.h>

enum table { T_SET, T_GUESSER_SET, T_DECK_OUT, T_GUESS, TABLES = T_GUESS + 8 };
#define COLLECTOR TREE_FIRST
#define GUESSER TREE_SECOND

struct builder {
  struct tree *tree;
  const double *reach;
  unsigned reductions;
  uint32_t table[TABLES];
};

static uint32_t build_tree(struct builder *b, struct position p, double chance);

/* doors.setup.identity: twelve deals, one as likely as the other. */
static uint32_t payoffs(const struct builder *b, float right, float wrong,
                        unsigned right_for) {
  double win[LANES][LANES] = {{0}};
  for (unsigned c = 0; c < IDENTITIES; c++)
    for (unsigned g = 0; g < IDENTITIES; g++)
      if (c != g)
        win[c][g] = (double)(right_for >> c & 1 ? right : wrong) / 12 *
                    (b->reach ? b->reach[c] : 1);
  return tree_payoffs(b->tree, win);
}

static bool reduced(const struct builder *b, enum reduction r) {
  return (b->reductions & r) != 0;
}

/* doors.claim.collector */
static uint32_t build_claim(struct builder *b, struct position p,
                            double chance) {
  const unsigned owners = set_owners(p.collection);
  const uint32_t n = tree_node(b->tree, COLLECTOR, 2);
  tree_link(b->tree, n, 0, tree_leaf(b->tree, b->table[T_SET], chance), owners);
  tree_link(b->tree, n, 1, build_tree(b, position_end(p), chance),
            reduced(b, REDUCE_CLAIM) ? EVERYONE & ~owners : EVERYONE);
  return n;
}

static uint32_t build_refill(struct builder *b, struct position p,
                             double chance) {
  const double cards = total(p.deck);
  unsigned outcomes = 0, i = 0;
  for (unsigned kind = 0; kind < KINDS; kind++)
    outcomes += count(p.deck, kind) != 0;
  const uint32_t n = tree_node(b->tree, TREE_DRAW, outcomes);
  for (unsigned kind = 0; kind < KINDS; kind++)
    if (count(p.deck, kind))
      tree_link(b->tree, n, i++,
                build_tree(b, position_refill(p, kind),
                           chance * count(p.deck, kind) / cards),
                EVERYONE);
  return n;
}

/* The identities that may take this card: on the fifth turn, reduced, those
 * whose set it completes, and of the others all or none. */
static unsigned takers(const struct builder *b, const struct position *p,
                       unsigned kind, unsigned first) {
  if (p->turn < TURNS || !reduced(b, REDUCE_FIFTH_TAKE))
    return EVERYONE;
  const unsigned seekers = set_seekers(p->collection, p->offer);
  const unsigned completed = set_owners(p->collection + one(kind)) & seekers;
  return completed | (kind == first ? EVERYONE & ~seekers : 0);
}

/* May the Guesser discard this card? On the fourth turn, reduced, not if
 * another leaves a set to strictly fewer identities. */
static bool sensible(const struct builder *b, const struct position *p,
                     unsigned kind, unsigned first) {
  if (p->turn == TURNS)
    return !reduced(b, REDUCE_FIFTH_TURN) || kind == first;
  if (p->turn < TURNS - 1 || !reduced(b, REDUCE_DISCARD))
    return true;
  const unsigned left = set_seekers(p->collection, p->offer - one(kind));
  for (unsigned other = 0; other < KINDS; other++)
    if (count(p->offer, other)) {
      const unsigned fewer = set_seekers(p->collection, p->offer - one(other));
      if ((fewer & left) == fewer && fewer != left)
        return false;
    }
  return true;
}

static uint32_t build_pick(struct builder *b, struct position p,
                           double chance) {
  unsigned open[KINDS], kinds = 0;
  for (unsigned kind = 0, first = KINDS; kind < KINDS; kind++) {
    if (!count(p.offer, kind))
      continue;
    if (first == KINDS)
      first = kind;
    if (p.step == TAKE || sensible(b, &p, kind, first))
      open[kinds++] = kind;
  }
  const uint32_t n =
      tree_node(b->tree, p.step == TAKE ? COLLECTOR : GUESSER, kinds);
  for (unsigned i = 0; i < kinds; i++)
    tree_link(b->tree, n, i, build_tree(b, position_pick(p, open[i]), chance),
              p.step == TAKE ? takers(b, &p, open[i], open[0]) : EVERYONE);
  return n;
}

/* The Guessers who make a guess. One trait that only one other identity has
 * is worse than its name; and the fifth turn pays more than a trait. */
static unsigned guessers(const struct builder *b, const struct position *p,
                         unsigned guess) {
  if (guess < TRAIT_GUESSES && p->turn == TURNS &&
      reduced(b, REDUCE_FIFTH_TURN))
    return 0;
  return reduced(b, REDUCE_GUESS) ? EVERYONE & ~guess_right[guess] : EVERYONE;
}

/* doors.guess.one-of, doors.claim.guesser, doors.deck-out */
static uint32_t build_guess(struct builder *b, struct position p,
                            double chance) {
  const bool last = p.turn == TURNS;
  const uint32_t n = tree_node(b->tree, GUESSER, GUESSES + 2);
  for (unsigned i = 0; i < GUESSES; i++)
    tree_link(b->tree, n, i, tree_leaf(b->tree, b->table[T_GUESS + i], chance),
              guessers(b, &p, i));
  tree_link(
      b->tree, n, GUESSES, tree_leaf(b->tree, b->table[T_GUESSER_SET], chance),
      last && reduced(b, REDUCE_FIFTH_TURN) ? 0 : set_owners(p.collection));
  tree_link(b->tree, n, GUESSES + 1,
            last ? tree_leaf(b->tree, b->table[T_DECK_OUT], chance)
                 : build_tree(b, position_end(p), chance),
            EVERYONE);
  return n;
}

static uint32_t build_tree(struct builder *b, struct position p,
                           double chance) {
  switch (p.step) {
  case TAKE:
  case DISCARD: return build_pick(b, p, chance);
  case CLAIM: return build_claim(b, p, chance);
  case GUESS: return build_guess(b, p, chance);
  default: return build_refill(b, p, chance);
  }
}

struct tree *unreduced_tree(const struct position *p, const struct worth *w,
                            const double *reach, unsigned reductions) {
  struct builder b = {tree_new(), reach, reductions, {0}};
  if (!b.tree)
    return NULL;
  b.table[T_SET] = payoffs(&b, w->set, w->set, EVERYONE);
  b.table[T_GUESSER_SET] =
      payoffs(&b, w->guesser_set, w->guesser_set, EVERYONE);
  b.table[T_DECK_OUT] = payoffs(&b, w->deck_out, w->deck_out, EVERYONE);
  for (unsigned i = 0; i < GUESSES; i++)
    b.table[T_GUESS + i] = payoffs(&b, i < TRAIT_GUESSES ? w->trait : w->both,
                                   w->wrong, guess_right[i]);
  build_tree(&b, *p, 1);
  if (tree_sound(b.tree))
    return b.tree;
  tree_free(b.tree);
  return NULL;
}
