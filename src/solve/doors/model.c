/* The rules of a round of Doors, for the solver; see model.h. */
#include "model.h"

/* Red, blue, lady, tiger, then the identities: doors.guess.any. */
const uint8_t guess_right[GUESSES] = {
    1 << RL | 1 << RT, 1 << BL | 1 << BT, 1 << RL | 1 << BL, 1 << RT | 1 << BT,
    1 << RL,           1 << BL,           1 << RT,           1 << BT};

struct position position_first(bag offer) {
  return (struct position){ALL_CLUES - offer, offer, 0, 1, TAKE};
}

/* doors.set.four, doors.set.blue-red, doors.set.lady-tiger: a set of a trait
 * is a set for the two identities that a guess of the trait is right for. */
unsigned set_owners(bag collection) {
  unsigned owners = 0;
  for (unsigned trait = 0; trait < TRAIT_GUESSES; trait++) {
    unsigned cards = count(collection, trait < 2 ? BR : LT);
    for (unsigned kind = 0; kind < IDENTITIES; kind++)
      if (guess_right[trait] >> kind & 1)
        cards += count(collection, kind);
    if (cards >= SET)
      owners |= guess_right[trait];
  }
  return owners;
}

unsigned set_seekers(bag collection, bag offer) {
  unsigned seekers = 0;
  for (unsigned kind = 0; kind < KINDS; kind++)
    if (count(offer, kind))
      seekers |= set_owners(collection + one(kind));
  return seekers & ~set_owners(collection);
}

/* doors.take.any, doors.discard.first */
struct position position_pick(struct position p, unsigned kind) {
  p.offer -= one(kind);
  if (p.step == TAKE)
    p.collection += one(kind);
  p.step++;
  return p;
}

/* doors.take.refill, doors.discard.refill, doors.claim.public-step */
struct position position_refill(struct position p, unsigned kind) {
  p.deck -= one(kind);
  p.offer += one(kind);
  p.step++;
  if (p.step == CLAIM && !set_owners(p.collection))
    p.step = DISCARD;
  return p;
}

struct position position_end(struct position p) {
  if (p.step == CLAIM) {
    p.step = DISCARD;
  } else {
    p.turn++;
    p.step = TAKE;
  }
  return p;
}

/* ---- Symmetries --------------------------------------------------------- */

unsigned symmetry_kind(unsigned symmetry, unsigned kind) {
  static const uint8_t image[SYMMETRIES][KINDS] = {
      {RL, BL, RT, BT, BR, LT}, {BL, RL, BT, RT, BR, LT},
      {RT, BT, RL, BL, BR, LT}, {BT, RT, BL, RL, BR, LT},
      {RL, RT, BL, BT, LT, BR}, {RT, RL, BT, BL, LT, BR},
      {BL, BT, RL, RT, LT, BR}, {BT, BL, RT, RL, LT, BR}};
  return image[symmetry][kind];
}

bag symmetry_bag(unsigned symmetry, bag b) {
  bag out = 0;
  for (unsigned kind = 0; kind < KINDS; kind++)
    out += count(b, kind) * one(symmetry_kind(symmetry, kind));
  return out;
}
