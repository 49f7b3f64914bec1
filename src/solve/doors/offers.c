/* Starts of the solver: which are sound, and the 15 initial offers.
 *
 * Main invariant: of offers that a symmetry carries into each other, the one
 * whose bag is the smallest number stands for all. */
#include "salotto/solve.h"

#include "salotto/text.h"

#include "model.h"
#include "tokens.h"

#include <assert.h>
#include <string.h>

const struct sal_doors_worth sal_doors_tokens = TOKENS_WORTH;

static unsigned cards(const uint8_t *by_kind) {
  unsigned n = 0;
  for (unsigned k = 0; k < KINDS; k++)
    n += by_kind[k];
  return n;
}

const char *sal_doors_start_problem(const struct sal_doors_start *s) {
  for (unsigned k = 0; k < KINDS; k++)
    if (s->offer[k] > 3 || s->collection[k] > 3 || s->discards[k] > 3 ||
        (unsigned)s->offer[k] + s->collection[k] + s->discards[k] >
            count(ALL_CLUES, k))
      return N_("There are not that many cards of one kind.");
  if (cards(s->offer) != OFFER)
    return N_("An offer has four cards.");
  if (cards(s->collection) != cards(s->discards))
    return N_(
        "The collection and the discards must have the same number of cards.");
  if (cards(s->collection) > 3)
    return N_("A collection of more than three cards is too late to solve.");
  return NULL;
}

static bag bag_of(const uint8_t *by_kind) {
  bag b = 0;
  for (unsigned k = 0; k < KINDS; k++)
    b += by_kind[k] * one(k);
  return b;
}

struct worth worth_of(const struct sal_doors_worth *w) {
  return (struct worth){w->set,         w->wrong,    w->trait,
                        w->guesser_set, w->deck_out, w->both};
}

struct position start_position(const struct sal_doors_start *s) {
  const bag offer = bag_of(s->offer), collection = bag_of(s->collection);
  return (struct position){ALL_CLUES - offer - collection - bag_of(s->discards),
                           offer, collection, (uint8_t)(1 + total(collection)),
                           TAKE};
}

static bag canonical(bag b, unsigned *fixed) {
  bag least = b;
  *fixed = 0;
  for (unsigned s = 0; s < SYMMETRIES; s++) {
    const bag image = symmetry_bag(s, b);
    *fixed += image == b;
    least = image < least ? image : least;
  }
  return least;
}

static bool is_offer(bag b) {
  for (unsigned k = 0; k < KINDS; k++)
    if (count(b, k) > count(ALL_CLUES, k))
      return false;
  return total(b) == OFFER;
}

/* The chance to be dealt just this offer: the ways to choose its cards among
 * the 1001 hands of four. */
static double chance_of_bag(bag b) {
  static const double ways[4] = {1, 3, 3, 1}; /* of three alike */
  double n = 1;
  for (unsigned k = 0; k < IDENTITIES; k++)
    n *= ways[count(b, k)];
  return n / 1001;
}

void sal_doors_offers(struct sal_doors_offer out[SAL_DOORS_OFFERS]) {
  int n = 0;
  for (bag b = 0; b <= ALL_CLUES; b++) {
    unsigned fixed;
    if (!is_offer(b) || canonical(b, &fixed) != b)
      continue;
    assert(n < SAL_DOORS_OFFERS);
    memset(&out[n], 0, sizeof out[n]);
    for (unsigned k = 0; k < KINDS; k++)
      out[n].start.offer[k] = (uint8_t)count(b, k);
    out[n++].chance = chance_of_bag(b) * SYMMETRIES / fixed;
  }
  assert(n == SAL_DOORS_OFFERS);
}

int sal_doors_offer_number(const uint8_t offer[SAL_DOORS_KINDS]) {
  struct sal_doors_offer all[SAL_DOORS_OFFERS];
  unsigned fixed;
  const bag wanted = canonical(bag_of(offer), &fixed);
  int i = 0;
  sal_doors_offers(all);
  while (i < SAL_DOORS_OFFERS - 1 && bag_of(all[i].start.offer) != wanted)
    i++;
  return i;
}
