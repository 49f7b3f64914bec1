/* Fixed strategies, as people have habits, in books: what a Collector does who
 * does not bluff, or does not think.
 *
 * Main invariant: a habit looks at a card and its own identity, never at what
 * was taken before. */
#include "board.h"
#include "book.h"

#include <string.h>

/* How many traits of the identity a card has; a special card has one, since it
 * counts for a trait of everybody's. */
static unsigned fitting(unsigned kind, unsigned identity) {
  if (kind >= IDENTITIES)
    return 1;
  return 2 - (unsigned)__builtin_popcount(kind ^ identity);
}

/* Whether a habit would take a card; `on_offer` has a bit for each number of
 * traits that some card fits. */
static bool takes(enum sal_doors_habit habit, unsigned fits,
                  unsigned on_offer) {
  const bool best = on_offer >> fits == 1;
  const bool least = (on_offer & ((1u << fits) - 1)) == 0;
  switch (habit) {
  case SAL_DOORS_TAKES_FITTING: return best;
  case SAL_DOORS_TAKES_HALF: return fits == 1 || !(on_offer >> 1 & 1);
  case SAL_DOORS_TAKES_FOREIGN: return least;
  default: return true;
  }
}

static void add_position(sal_doors_book *b, const struct position *p,
                         unsigned identity, enum sal_doors_habit habit) {
  unsigned on_offer = 0;
  for (unsigned k = 0; k < KINDS; k++)
    if (count(p->offer, k))
      on_offer |= 1u << fitting(k, identity);
  for (unsigned k = 0; k < KINDS; k++)
    if (count(p->offer, k) && takes(habit, fitting(k, identity), on_offer))
      book_add(b, p, identity, k, (float)count(p->offer, k));
}

bool sal_doors_book_habit(sal_doors_book *b, const uint8_t *offer,
                          enum sal_doors_habit habit) {
  struct sal_doors_start start = {{0}};
  struct board board;
  memcpy(start.offer, offer, sizeof start.offer);
  const struct position p = start_position(&start);
  if (!board_make(&board, &p))
    return false;
  for (uint32_t i = 0; i < board.state_count; i++)
    for (unsigned c = 0; c < IDENTITIES; c++)
      if (board.states[i].position.step == TAKE)
        add_position(b, &board.states[i].position, c, habit);
  board_free(&board);
  return true;
}
