/* Numbers of histories; see history.h. */
#include "history.h"

#include <string.h>

bool history_position(const struct history *h, struct position *out) {
  struct position p = position_first(h->offer);
  if (h->picks > MOST_PICKS_OF_ROUND)
    return false;
  for (unsigned i = 0; i < h->picks; i++) {
    if (h->pick[i] >= KINDS || h->refill[i] >= KINDS)
      return false;
    if (p.step == GUESS || p.step == CLAIM)
      p = position_end(p);
    if (!count(p.offer, h->pick[i]))
      return false;
    p = position_pick(p, h->pick[i]);
    if (!count(p.deck, h->refill[i]))
      return false;
    p = position_refill(p, h->refill[i]);
  }
  if (p.step == CLAIM)
    p = position_end(p);
  *out = p;
  return true;
}

/* ---- Turning ------------------------------------------------------------- */

enum { FIRST_TURN = 2 }; /* picks */

struct history history_image(const struct history *h, unsigned symmetry) {
  struct history out = *h;
  out.offer = symmetry_bag(symmetry, h->offer);
  for (unsigned i = 0; i < h->picks; i++) {
    out.pick[i] = (uint8_t)symmetry_kind(symmetry, h->pick[i]);
    out.refill[i] = (uint8_t)symmetry_kind(symmetry, h->refill[i]);
  }
  return out;
}

/* By offer, then by the picks and refills of the first turn. */
static int compare_histories(const struct history *a, const struct history *b) {
  if (a->offer != b->offer)
    return a->offer < b->offer ? -1 : 1;
  for (unsigned i = 0; i < FIRST_TURN && i < a->picks; i++) {
    if (a->pick[i] != b->pick[i])
      return a->pick[i] < b->pick[i] ? -1 : 1;
    if (a->refill[i] != b->refill[i])
      return a->refill[i] < b->refill[i] ? -1 : 1;
  }
  return 0;
}

/* Only the first turn is compared, so only it is turned to find the least. */
struct history history_turned(const struct history *h, unsigned *symmetry) {
  struct history first = *h, least = *h;
  if (first.picks > FIRST_TURN)
    first.picks = FIRST_TURN;
  *symmetry = 0;
  for (unsigned s = 1; s < SYMMETRIES; s++) {
    if (symmetry_bag(s, h->offer) > least.offer)
      continue;
    const struct history image = history_image(&first, s);
    if (compare_histories(&image, &least) < 0) {
      least = image;
      *symmetry = s;
    }
  }
  return history_image(h, *symmetry);
}

/* ---- Counting ------------------------------------------------------------ */

struct count {
  const struct history *wanted;
  uint32_t discards, guesses, seconds;
  bool found;
};

static unsigned kinds_in(bag b) {
  unsigned n = 0;
  for (unsigned k = 0; k < KINDS; k++)
    n += count(b, k) != 0;
  return n;
}

static bool is_first(const struct history *h) {
  unsigned symmetry;
  history_turned(h, &symmetry);
  return symmetry == 0;
}

static unsigned kinds_below(bag b, unsigned kind) {
  return kinds_in(b & (one(kind) - 1));
}

/* The second take and its refill, within those of a guess. */
static void count_second(struct count *c, const struct position *p) {
  const unsigned kinds = kinds_in(p->deck);
  const struct history *w = c->wanted;
  if (c->found && w->picks > FIRST_TURN)
    c->seconds += kinds_below(p->offer, w->pick[FIRST_TURN]) * kinds +
                  kinds_below(p->deck, w->refill[FIRST_TURN]);
  else if (!c->found)
    c->seconds += kinds_in(p->offer) * kinds;
}

static void count_picks(struct count *c, struct history *h,
                        const struct position *p);

static void count_node(struct count *c, struct history *h,
                       const struct position *p) {
  const struct history *w = c->wanted;
  const bool same = h->picks <= w->picks && compare_histories(h, w) == 0;
  if (h->picks == 1) {
    if (same && w->picks == 1) {
      c->found = true;
      return;
    }
    c->discards++;
    count_picks(c, h, p);
    return;
  }
  if (!is_first(h))
    return;
  const struct position next = position_end(*p);
  c->found = same;
  count_second(c, &next);
  c->guesses += !same;
}

static void count_picks(struct count *c, struct history *h,
                        const struct position *p) {
  const unsigned at = h->picks++;
  for (unsigned k = 0; k < KINDS && !c->found; k++)
    for (unsigned r = 0; count(p->offer, k) && r < KINDS && !c->found; r++)
      if (count(p->deck, r)) {
        struct position next = position_pick(*p, k);
        h->pick[at] = (uint8_t)k;
        h->refill[at] = (uint8_t)r;
        next = position_refill(next, r);
        h->picks = (uint8_t)(at + 1);
        count_node(c, h, &next);
      }
  h->picks = (uint8_t)at;
}

static bool is_offer(bag b) {
  for (unsigned k = 0; k < KINDS; k++)
    if (count(b, k) > count(ALL_CLUES, k))
      return false;
  return total(b) == OFFER;
}

static struct count number_of(const struct history *h) {
  struct count c = {.wanted = h};
  for (bag b = 0; b <= h->offer && !c.found; b++) {
    struct history from = {.offer = b};
    if (!is_offer(b) || !is_first(&from))
      continue;
    const struct position p = position_first(b);
    count_picks(&c, &from, &p);
  }
  return c;
}

uint32_t blueprint_first_discard(const struct history *h) {
  struct history first = *h;
  first.picks = 1;
  return number_of(&first).discards;
}

uint32_t blueprint_first_guess(const struct history *h) {
  struct history first = *h;
  first.picks = FIRST_TURN;
  return number_of(&first).guesses;
}

uint32_t blueprint_second_discard(const struct history *h) {
  struct history first = *h;
  first.picks = FIRST_TURN + 1;
  return number_of(&first).seconds;
}
