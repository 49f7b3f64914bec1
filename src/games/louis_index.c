/* Dense actions of Louis XIV: every legal action as a number, for learners.
 *
 * A path is its first tile, how its markers are shared out, and where they go;
 * whether it is played or jumped follows from the court, so both share their
 * numbers. An exchange names places in the sorted hand, a mission its place in
 * the court. `louis_action_at` takes the number apart again and asks `check`:
 * a number that is no legal action here is nothing. */
#include "louis.h"

enum {
  CHIP_PAIRS = CHIP_KINDS * CHIP_KINDS,
  KEPT = (CHIP_KINDS + 1) * (CHIP_KINDS + 1) * CHIP_KINDS,
  /* From a tile: 1, 2 or 3 stay; 1 + 1, 2 + 1 or 1 + 2 on two tiles; 1 each on
   * three. A joker has the first two and the first on two tiles. */
  PATHS = 3 + 3 * TILES + TILES * TILES,
  JOKER_PATHS = 2 + TILES,

  /* where each kind of action begins */
  N_PASS = 0,
  N_TIE,
  N_PAY,
  N_TAKE,
  N_RECOUP,
  N_DONE,
  N_DRAW,
  N_FAVOUR = N_DRAW + TIERS,
  N_WITHDRAW = N_FAVOUR + (1 << SPACES),
  N_SWAP = N_WITHDRAW + (1 << SPACES),
  N_RECOVER = N_SWAP + CARD_KINDS,
  N_INTRIGUE = N_RECOVER + CARD_KINDS,
  N_FOOTHOLD = N_INTRIGUE + 16,
  N_PUT = N_FOOTHOLD + TILES * (TILES + 1),
  N_KEEP = N_PUT + TILES * (TILES + 1),
  N_FULFIL = N_KEEP + KEPT,
  N_TRADE = N_FULFIL + MISSIONS_MAX * CHIP_PAIRS,
  N_EXCHANGE = N_TRADE + MISSIONS_MAX * TIERS,
  N_PATH = N_EXCHANGE + (1 << HAND_MAX),
  N_JOKER = N_PATH + TILES * PATHS,
  NUMBERS = N_JOKER + TILES * JOKER_PATHS
};
_Static_assert((int)NUMBERS == (int)LOUIS_ACTIONS,
               "louis.h tells how many there are");

/* ---- From action to number ----------------------------------------------- */

static size_t pair_number(uint64_t tiles) {
  return ((tiles & 15) - 1) * (TILES + 1) + (tiles >> 4);
}

/* The part of a hand as the places of its cards in the sorted hand; of equal
 * cards the first. */
static size_t hand_mask(bag hand, bag part) {
  size_t mask = 0, place = 0;
  for (unsigned card = 0; card < CARD_KINDS; card++) {
    const size_t named = ((size_t)1 << bag_count(part, card)) - 1;
    mask |= named << place;
    place += bag_count(hand, card);
  }
  return mask;
}

/* All three cases are computed, since a branch would be guessed wrong often. */
static inline size_t path_number(uint64_t arguments) {
  const size_t tile = step_tile(arguments, 0) - 1;
  const size_t first = step_markers(arguments, 0);
  const size_t second = step_markers(arguments, 1);
  const size_t t = step_tile(arguments, 1), u = step_tile(arguments, 2);
  if ((arguments & 15) == JOKER)
    return N_JOKER + tile * JOKER_PATHS + (t ? 1 + t : first - 1);
  /* 1 + 1, 2 + 1, 1 + 2 */
  const size_t two = 3 + (first - 1 + 2 * (second - 1)) * TILES + (t - 1);
  const size_t three = 3 + 3 * TILES + (t - 1) * TILES + (u - 1);
  const size_t more = u ? three : two;
  return N_PATH + tile * PATHS + (t ? more : first - 1);
}

static size_t mission_place(const struct louis *s, unsigned seat,
                            uint64_t arguments) {
  return (size_t)louis_held(s, seat, code_in(arguments));
}

static size_t kept_number(uint64_t kept) {
  const size_t a = kept & 7, b = kept >> 3 & 7, c = kept >> 6 & 7;
  return ((a - 1) * (CHIP_KINDS + 1) + b) * (CHIP_KINDS + 1) + c;
}

size_t louis_action_index(const sal_state *state, int who, sal_action a) {
  const struct louis *s = as_const_state(state);
  const unsigned seat = (unsigned)who;
  const uint64_t arguments = arguments_of(a);
  if (verb_of(a) == DO_PLAY) /* most are */
    return path_number(arguments);
  switch (verb_of(a)) {
  case DO_TIE: return N_TIE;
  case DO_PAY: return N_PAY;
  case DO_TAKE: return N_TAKE;
  case DO_RECOUP: return N_RECOUP;
  case DO_DONE: return N_DONE;
  case DO_DRAW: return N_DRAW + arguments;
  case DO_FAVOUR: return N_FAVOUR + arguments;
  case DO_WITHDRAW: return N_WITHDRAW + arguments;
  case DO_SWAP: return N_SWAP + arguments;
  case DO_RECOVER: return N_RECOVER + arguments;
  case DO_INTRIGUE: return N_INTRIGUE + arguments;
  case DO_FOOTHOLD: return N_FOOTHOLD + pair_number(arguments);
  case DO_PUT: return N_PUT + pair_number(arguments);
  case DO_KEEP: return N_KEEP + kept_number(arguments);
  case DO_FULFIL:
    return N_FULFIL + mission_place(s, seat, arguments) * CHIP_PAIRS +
           (arguments >> CODE_BITS & 7) * CHIP_KINDS +
           (arguments >> (CODE_BITS + 3) & 7);
  case DO_TRADE:
    return N_TRADE + mission_place(s, seat, arguments) * TIERS +
           (arguments >> CODE_BITS & 3);
  case DO_EXCHANGE:
    return N_EXCHANGE + hand_mask(s->influence[seat], arguments);
  case DO_JUMP: return path_number(arguments);
  default: return N_PASS;
  }
}

/* ---- From number to action ----------------------------------------------- */

static sal_action pair_action(enum verb verb, size_t n) {
  return action(verb, tile_pair((unsigned)(n / (TILES + 1)) + 1,
                                (unsigned)(n % (TILES + 1))));
}

static sal_action kept_action(size_t n) {
  const size_t c = n % (CHIP_KINDS + 1),
               b = n / (CHIP_KINDS + 1) % (CHIP_KINDS + 1);
  const size_t a = n / ((CHIP_KINDS + 1) * (CHIP_KINDS + 1)) + 1;
  return action(DO_KEEP, a | b << 3 | c << 6 | (b ? KEEP_WITH_FAVOUR : 0));
}

static sal_action mission_action(const struct louis *s, enum verb verb,
                                 size_t place, uint64_t rest) {
  const struct court *c = court_of(s);
  return place < c->mission_count
             ? action(verb, c->mission[place].code | rest << CODE_BITS)
             : 0;
}

static sal_action exchange_action(bag hand, size_t mask) {
  bag part = 0;
  const unsigned size = bag_total(hand);
  for (unsigned place = 0; place < HAND_MAX; place++)
    if (mask >> place & 1) {
      if (place >= size)
        return 0;
      part += bag_one(bag_pick(hand, place));
    }
  return part ? action(DO_EXCHANGE, part) : 0;
}

/* Plays and jumps look alike; the court tells which it is. */
static sal_action path_action(const struct court *c, uint64_t card,
                              uint64_t path) {
  unsigned tile = step_tile(path, 0) - 1;
  bool longer = false;
  for (unsigned i = 1; i < PATH_MAX_STEPS && step_tile(path, i); i++) {
    const unsigned next = step_tile(path, i) - 1;
    longer |= !(c->neighbours[tile] >> next & 1);
    tile = next;
  }
  return action(longer ? DO_JUMP : DO_PLAY, card | path);
}

static sal_action card_path(const struct louis *s, size_t n) {
  const unsigned tile = (unsigned)(n / PATHS), path = (unsigned)(n % PATHS);
  uint64_t steps;
  if (path < 3)
    steps = step(0, tile, path + 1);
  else if (path < 3 + 3 * TILES) {
    const unsigned way = (path - 3) / TILES, t = (path - 3) % TILES;
    steps = step(0, tile, way == 1 ? 2 : 1) | step(1, t, way == 2 ? 2 : 1);
  } else {
    const unsigned pair = path - 3 - 3 * TILES;
    steps =
        step(0, tile, 1) | step(1, pair / TILES, 1) | step(2, pair % TILES, 1);
  }
  return path_action(court_of(s), tile, steps);
}

static sal_action joker_path(const struct louis *s, size_t n) {
  const unsigned tile = (unsigned)(n / JOKER_PATHS);
  const unsigned path = (unsigned)(n % JOKER_PATHS);
  return path_action(court_of(s), JOKER,
                     path < 2 ? step(0, tile, path + 1)
                              : step(0, tile, 1) | step(1, path - 2, 1));
}

static sal_action decoded(const struct louis *s, unsigned seat, size_t i) {
  static const enum verb plain[] = {DO_PASS, DO_TIE,    DO_PAY,
                                    DO_TAKE, DO_RECOUP, DO_DONE};
  /* kinds of actions whose argument is the number itself */
  static const struct {
    size_t from;
    enum verb verb;
  } counted[] = {{N_INTRIGUE, DO_INTRIGUE}, {N_RECOVER, DO_RECOVER},
                 {N_SWAP, DO_SWAP},         {N_WITHDRAW, DO_WITHDRAW},
                 {N_FAVOUR, DO_FAVOUR},     {N_DRAW, DO_DRAW}};
  if (i >= N_JOKER)
    return joker_path(s, i - N_JOKER);
  if (i >= N_PATH)
    return card_path(s, i - N_PATH);
  if (i >= N_EXCHANGE)
    return exchange_action(s->influence[seat], i - N_EXCHANGE);
  if (i >= N_TRADE)
    return mission_action(s, DO_TRADE, (i - N_TRADE) / TIERS,
                          (i - N_TRADE) % TIERS);
  if (i >= N_FULFIL) {
    const uint64_t chips = (i - N_FULFIL) % CHIP_PAIRS;
    return mission_action(s, DO_FULFIL, (i - N_FULFIL) / CHIP_PAIRS,
                          chips / CHIP_KINDS | chips % CHIP_KINDS << 3);
  }
  if (i >= N_KEEP)
    return kept_action(i - N_KEEP);
  if (i >= N_PUT)
    return pair_action(DO_PUT, i - N_PUT);
  if (i >= N_FOOTHOLD)
    return pair_action(DO_FOOTHOLD, i - N_FOOTHOLD);
  for (size_t k = 0; k < sizeof counted / sizeof *counted; k++)
    if (i >= counted[k].from)
      return action(counted[k].verb, i - counted[k].from);
  return plain[i];
}

/* The one spelling: what the notation would refuse is no action. */
static bool spelled_well(sal_action a) {
  const uint64_t arguments = arguments_of(a);
  switch (verb_of(a)) {
  case DO_FAVOUR:
  case DO_WITHDRAW: return arguments != 0;
  case DO_FOOTHOLD:
  case DO_PUT: return arguments >> 4 == 0 || arguments >> 4 >= (arguments & 15);
  case DO_FULFIL:
    return (arguments >> CODE_BITS & 7) <= (arguments >> (CODE_BITS + 3) & 7);
  case DO_KEEP: {
    const unsigned x = arguments & 7, y = arguments >> 3 & 7,
                   z = arguments >> 6 & 7;
    return (y == 0 || y >= x) && (z == 0 || (y && z >= y));
  }
  default: return true;
  }
}

sal_action louis_action_at(const sal_state *state, int seat, size_t i) {
  if (i >= NUMBERS)
    return 0;
  const sal_action a = decoded(as_const_state(state), (unsigned)seat, i);
  return a && spelled_well(a) && louis_check(state, seat, a) == NULL &&
                 louis_action_index(state, seat, a) == i
             ? a
             : 0;
}
