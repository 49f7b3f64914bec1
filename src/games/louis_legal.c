/* What is allowed in Louis XIV: `legal` lists it, `check` judges it.
 *
 * Both look at open facts and at the hand of the seat that is asked, at nothing
 * else. Main invariant: they agree on every action. */
#include "louis.h"

/* ---- Paths --------------------------------------------------------------- */

/* louis.influence.place: how many markers a card may bring. */
static unsigned path_limit(const struct louis *s, unsigned seat,
                           unsigned card) {
  const unsigned most = card == JOKER ? JOKER_MARKERS : PATH_MARKERS;
  return s->personal[seat] < most ? s->personal[seat] : most;
}

#define EACH_TILE(t, mask)                                                     \
  for (unsigned t##_left = (mask), t;                                          \
       t##_left && (t = (unsigned)__builtin_ctz(t##_left), 1);                 \
       t##_left &= t##_left - 1)

/* louis.influence.move: all paths that start on a tile. `from` is the card with
 * the verb. */
static size_t list_plays(const struct court *c, sal_action from, unsigned tile,
                         unsigned limit, sal_action *out) {
  size_t n = 0;
#define PATH(steps) out[n++] = from | (sal_action)(steps) << ARGUMENTS
  if (limit >= 1)
    PATH(step(0, tile, 1));
  if (limit >= 2) {
    PATH(step(0, tile, 2));
    EACH_TILE(t, c->neighbours[tile])
    PATH(step(0, tile, 1) | step(1, t, 1));
  }
  if (limit >= 3) {
    PATH(step(0, tile, 3));
    EACH_TILE(t, c->neighbours[tile]) {
      PATH(step(0, tile, 2) | step(1, t, 1));
      PATH(step(0, tile, 1) | step(1, t, 2));
      EACH_TILE(u, c->neighbours[t] & ~(1u << tile))
      PATH(step(0, tile, 1) | step(1, t, 1) | step(2, u, 1));
    }
  }
  return n;
}

/* louis.privilege.2: the paths with at least one step that is longer. */
static size_t list_jumps(const struct court *c, sal_action from, unsigned tile,
                         unsigned limit, sal_action *out) {
  size_t n = 0;
  const unsigned far = c->reach[tile] & ~c->neighbours[tile];
  if (limit >= 2)
    EACH_TILE(t, far)
  PATH(step(0, tile, 1) | step(1, t, 1));
  if (limit >= 3)
    EACH_TILE(t, c->reach[tile]) {
      if (far >> t & 1) {
        PATH(step(0, tile, 2) | step(1, t, 1));
        PATH(step(0, tile, 1) | step(1, t, 2));
      }
      const unsigned onward =
          far >> t & 1 ? c->reach[t] : c->reach[t] & ~c->neighbours[t];
      EACH_TILE(u, onward & ~(1u << tile))
      PATH(step(0, tile, 1) | step(1, t, 1) | step(2, u, 1));
    }
#undef PATH
  return n;
}

typedef size_t path_fn(const struct court *c, sal_action from, unsigned tile,
                       unsigned limit, sal_action *out);

static size_t list_paths(const struct louis *s, unsigned seat, enum verb verb,
                         unsigned card, sal_action *out) {
  path_fn *list = verb == DO_JUMP ? list_jumps : list_plays;
  const struct court *c = court_of(s);
  const unsigned limit = path_limit(s, seat, card);
  if (card != JOKER)
    return list(c, action(verb, card), card, limit, out);
  size_t n = 0;
  for (unsigned tile = 0; tile < TILES; tile++)
    n += list(c, action(verb, card), tile, limit, out + n);
  return n;
}

static size_t legal_influence(const struct louis *s, unsigned seat,
                              sal_action *out) {
  size_t n = 0;
  for (unsigned card = 0; card < CARD_KINDS; card++) {
    if (!bag_count(s->influence[seat], card))
      continue;
    n += list_paths(s, seat, DO_PLAY, card, out + n);
    if (privilege(s, seat, 1))
      n += list_paths(s, seat, DO_JUMP, card, out + n);
    out[n++] = action(DO_RECOVER, card);
  }
  return n;
}

/* ---- One path without the others ------------------------------------------ */

/* Path i of those that list_paths would list; only one tile's are. */
static sal_action nth_path(const struct louis *s, unsigned seat, enum verb verb,
                           unsigned card, unsigned i) {
  const struct court *c = court_of(s);
  const unsigned limit = path_limit(s, seat, card);
  sal_action list[THREE_MARKERS];
  unsigned tile = card;
  if (card == JOKER) {
    const uint8_t(*ways)[PATH_MARKERS + 1] =
        verb == DO_JUMP ? c->jumps : c->plays;
    for (tile = 0; i >= ways[tile][limit]; tile++)
      i -= ways[tile][limit];
  }
  (verb == DO_JUMP ? list_jumps : list_plays)(c, action(verb, card), tile,
                                              limit, list);
  return list[i];
}

/* As legal_influence lists them: of each card the paths, then to recover. */
static sal_action any_influence(const struct louis *s, unsigned seat,
                                struct sal_rng *rng) {
  const struct court *c = court_of(s);
  const bool jumps = privilege(s, seat, 1);
  unsigned total = 0, card, plays, all;
  for (bag left = s->influence[seat]; left; left &= ~(15 * bag_one(card))) {
    card = bag_first(left);
    const unsigned limit = path_limit(s, seat, card);
    total += 1u + c->plays[card][limit] + (jumps ? c->jumps[card][limit] : 0);
  }
  unsigned i = sal_rng_below(rng, total);
  for (bag left = s->influence[seat];; left &= ~(15 * bag_one(card))) {
    card = bag_first(left);
    const unsigned limit = path_limit(s, seat, card);
    plays = c->plays[card][limit];
    all = 1u + plays + (jumps ? c->jumps[card][limit] : 0);
    if (i < all)
      break;
    i -= all;
  }
  if (i == all - 1)
    return action(DO_RECOVER, card);
  return i < plays ? nth_path(s, seat, DO_PLAY, card, i)
                   : nth_path(s, seat, DO_JUMP, card, i - plays);
}

static bool has_card(const struct louis *s, unsigned seat, unsigned card) {
  return card < CARD_KINDS && bag_count(s->influence[seat], card);
}

/* The steps of a path after its first tile. */
static const char *check_steps(const struct court *c, bool jump,
                               uint64_t arguments) {
  const char *rule = jump ? "louis.privilege.2" : "louis.influence.move";
  const uint16_t *near = jump ? c->reach : c->neighbours;
  unsigned tile = step_tile(arguments, 0) - 1, been = 1u << tile;
  bool longer = false;
  for (unsigned i = 1; i < PATH_MAX_STEPS && step_tile(arguments, i); i++) {
    const unsigned next = step_tile(arguments, i) - 1;
    if (!(near[tile] >> next & 1) || (been >> next & 1) ||
        !step_markers(arguments, i))
      return rule;
    longer |= !(c->neighbours[tile] >> next & 1);
    been |= 1u << next;
    tile = next;
  }
  return jump && !longer ? rule : NULL;
}

static const char *check_play(const struct louis *s, unsigned seat,
                              sal_action a) {
  const uint64_t arguments = arguments_of(a);
  const bool jump = verb_of(a) == DO_JUMP;
  const unsigned card = arguments & 15;
  if (jump && !privilege(s, seat, 1))
    return "louis.privilege.2";
  unsigned markers = 0;
  for (unsigned i = 0; i < PATH_MAX_STEPS; i++)
    markers += step_markers(arguments, i);
  if ((a & NO_SUCH) || !has_card(s, seat, card) ||
      (card != JOKER && step_tile(arguments, 0) != card + 1) ||
      !step_markers(arguments, 0) || markers > path_limit(s, seat, card))
    return "louis.influence.place";
  return check_steps(court_of(s), jump, arguments);
}

/* ---- Supply -------------------------------------------------------------- */

/* All ways to name some of the spaces of a mask. */
static size_t list_spaces(enum verb verb, unsigned mask, int most,
                          sal_action *out) {
  size_t n = 0;
  for (unsigned part = 1; part < 1u << SPACES; part++)
    if ((part & ~mask) == 0 && __builtin_popcount(part) <= most)
      out[n++] = action(verb, part);
  return n;
}

static size_t legal_cards(bag hand, enum verb verb, sal_action *out) {
  size_t n = 0;
  for (unsigned card = 0; card < CARD_KINDS; card++)
    if (bag_count(hand, card))
      out[n++] = action(verb, card);
  return n;
}

/* louis.privilege.1: every part of the hand but the empty one, whose place
 * `pass` takes. */
static size_t legal_exchange(bag hand, sal_action *out) {
  size_t n = 1;
  out[0] = action(DO_EXCHANGE, 0);
  for (unsigned card = 0; card < CARD_KINDS; card++) {
    const size_t before = n;
    for (unsigned k = 1; k <= bag_count(hand, card); k++)
      for (size_t i = 0; i < before; i++)
        out[n++] = out[i] + action(0, k * bag_one(card));
  }
  out[0] = DO_PASS;
  return n;
}

/* ---- Free markers -------------------------------------------------------- */

static size_t list_tiles(enum verb verb, unsigned mask, sal_action *out) {
  size_t n = 0;
  EACH_TILE(t, mask)
  out[n++] = action(verb, tile_pair(t + 1, 0));
  return n;
}

static size_t list_pairs(enum verb verb, sal_action *out) {
  size_t n = 0;
  for (unsigned t = 1; t <= TILES; t++)
    for (unsigned u = t; u <= TILES; u++)
      out[n++] = action(verb, tile_pair(t, u));
  return n;
}

static size_t legal_foothold(const struct louis *s, unsigned seat,
                             sal_action *out) {
  const struct court_mission *m = foothold_mission(s);
  size_t n = list_tiles(DO_FOOTHOLD, m->tiles, out);
  if (m->power == ANY2 && ready(s, seat) >= 2)
    n += list_pairs(DO_FOOTHOLD, out + n);
  out[n++] = DO_PASS;
  return n;
}

static const char *check_foothold(const struct louis *s, unsigned seat,
                                  sal_action a) {
  const struct court_mission *m = foothold_mission(s);
  const uint64_t tiles = arguments_of(a);
  const unsigned first = tiles & 15, second = (unsigned)tiles >> 4;
  if ((a & NO_SUCH) || !(m->tiles >> (first - 1) & 1) ||
      (second && m->power != ANY2))
    return "louis.mission.powers";
  return second && ready(s, seat) < 2 ? "louis.influence.foothold" : NULL;
}

/* How many markers `put` names. */
static unsigned put_due(const struct louis *s, unsigned seat) {
  const unsigned amount = court_of(s)->tile[s->tile].amount;
  return ready(s, seat) < amount ? ready(s, seat) : amount;
}

static const char *check_put(const struct louis *s, unsigned seat,
                             sal_action a) {
  const unsigned named = 1 + (arguments_of(a) >> 4 != 0);
  return (a & NO_SUCH) || named != put_due(s, seat) ? "louis.eval.rewards"
                                                    : NULL;
}

/* ---- Evaluation ---------------------------------------------------------- */

/* louis.intrigue.effect, louis.privilege.3. A favour's marker comes to general
 * before two are taken from there (louis.privilege.cost). */
static const char *check_intrigue(const struct louis *s, unsigned seat,
                                  sal_action a) {
  const uint64_t arguments = arguments_of(a);
  const unsigned n = arguments & 3;
  const bool personal = arguments & FROM_PERSONAL;
  const bool with_favour = arguments & WITH_FAVOUR;
  const unsigned most = 1u + personal + with_favour;
  const unsigned have =
      personal ? s->personal[seat] : s->general[seat] + (unsigned)with_favour;
  if (with_favour && (!privilege(s, seat, 2) || n != most))
    return "louis.privilege.3";
  if ((a & NO_SUCH) || n < 1 || n > most || n > have ||
      !bag_count(s->intrigue[seat], s->tile))
    return "louis.intrigue.effect";
  return NULL;
}

static size_t legal_intrigue(const struct louis *s, unsigned seat,
                             sal_action *out) {
  static const uint8_t ways[] = {1, 1 | FROM_PERSONAL, 2 | FROM_PERSONAL,
                                 2 | WITH_FAVOUR,
                                 3 | FROM_PERSONAL | WITH_FAVOUR};
  size_t n = 0;
  const bool has_one = bag_count(s->intrigue[seat], s->tile);
  for (size_t i = 0; has_one && i < sizeof ways; i++)
    if (!check_intrigue(s, seat, action(DO_INTRIGUE, ways[i])))
      out[n++] = action(DO_INTRIGUE, ways[i]);
  out[n++] = DO_PASS;
  return n;
}

static unsigned empty_spaces(const struct louis *s, unsigned seat) {
  return ~s->board[seat] & ((1u << SPACES) - 1);
}

static size_t legal_favourite(const struct louis *s, unsigned seat,
                              sal_action *out) {
  const unsigned due = favour_due(s, seat), have = ready(s, seat);
  out[0] = DO_TAKE;
  return 1 + list_spaces(DO_FAVOUR, empty_spaces(s, seat),
                         (int)(due < have ? due : have), out + 1);
}

static const char *check_favour(const struct louis *s, unsigned seat,
                                sal_action a) {
  const unsigned spaces = (unsigned)arguments_of(a);
  const unsigned named = (unsigned)__builtin_popcount(spaces);
  if (s->station == AT_SETUP)
    return (a & NO_SUCH) || named != 1 ? "louis.setup.favourite" : NULL;
  if ((a & NO_SUCH) || (spaces & ~empty_spaces(s, seat)) ||
      named > favour_due(s, seat))
    return "louis.favourite.award";
  return named > ready(s, seat) ? "louis.favourite.short" : NULL;
}

/* ---- Missions ------------------------------------------------------------ */

static bool has_chips(const uint8_t *chips, unsigned a, unsigned b) {
  return chips[a] && chips[b] && (a != b || chips[a] >= 2);
}

static bool pays(const struct louis *s, unsigned seat,
                 const struct court_mission *m, unsigned a, unsigned b) {
  return s->used[seat][USED_WILD] + louis_wild_needed(m, a, b) <=
         s->power[seat][WILD];
}

struct chip_pair {
  uint8_t a, b;
};

static size_t pairs_held(const uint8_t *chips, struct chip_pair *out) {
  size_t n = 0;
  for (unsigned a = 0; a < CHIP_KINDS; a++)
    for (unsigned b = a; chips[a] && b < CHIP_KINDS; b++)
      if (has_chips(chips, a, b))
        out[n++] = (struct chip_pair){(uint8_t)a, (uint8_t)b};
  return n;
}

bool louis_can_fulfil(const struct louis *s, unsigned seat) {
  const struct court_mission *mission = court_of(s)->mission;
  struct chip_pair pair[CHIP_KINDS * CHIP_KINDS];
  const size_t pairs = pairs_held(s->chips[seat], pair);
  for (uint64_t left = s->missions[seat]; left; left &= left - 1)
    for (size_t i = 0; i < pairs; i++)
      if (pays(s, seat, &mission[__builtin_ctzll(left)], pair[i].a, pair[i].b))
        return true;
  return false;
}

static size_t legal_mission(const struct louis *s, unsigned seat,
                            sal_action *out) {
  const struct court_mission *mission = court_of(s)->mission;
  struct chip_pair pair[CHIP_KINDS * CHIP_KINDS];
  const size_t pairs = pairs_held(s->chips[seat], pair);
  size_t n = 0;
  for (uint64_t left = s->missions[seat]; left; left &= left - 1) {
    const struct court_mission *m = &mission[__builtin_ctzll(left)];
    for (size_t i = 0; i < pairs; i++)
      if (pays(s, seat, m, pair[i].a, pair[i].b))
        out[n++] =
            action(DO_FULFIL, fulfil_with(m->code, pair[i].a, pair[i].b));
  }
  const unsigned stacks = may_trade(s) ? stacks_with_cards(s) : 0;
  for (uint64_t left = stacks ? s->missions[seat] : 0; left; left &= left - 1)
    for (unsigned t = 0; t < TIERS; t++)
      if (stacks >> t & 1)
        out[n++] =
            action(DO_TRADE, coded(mission[__builtin_ctzll(left)].code, t));
  out[n++] = DO_DONE;
  return n;
}

static const char *check_fulfil(const struct louis *s, unsigned seat,
                                uint64_t arguments) {
  const int m = louis_held(s, seat, code_in(arguments));
  const unsigned a = (unsigned)(arguments >> CODE_BITS) & 7;
  const unsigned b = (unsigned)(arguments >> (CODE_BITS + 3)) & 7;
  if (m < 0 || !has_chips(s->chips[seat], a, b))
    return "louis.mission.fulfil";
  return pays(s, seat, &court_of(s)->mission[m], a, b) ? NULL
                                                       : "louis.mission.cost";
}

static const char *check_trade(const struct louis *s, unsigned seat,
                               uint64_t arguments) {
  const unsigned stack = (unsigned)(arguments >> CODE_BITS);
  return !may_trade(s) || !(stacks_with_cards(s) >> stack & 1) ||
                 louis_held(s, seat, code_in(arguments)) < 0
             ? "louis.mission.exchange"
             : NULL;
}

/* ---- Keeping chips ------------------------------------------------------- */

static uint64_t kept(unsigned a, unsigned b, unsigned c) {
  return a | b << 3 | c << 6;
}

/* Whether the chips named, each counted from 1, are there. */
static bool holds_kept(const uint8_t *chips, uint64_t arguments) {
  uint8_t left[CHIP_KINDS];
  memcpy(left, chips, sizeof left);
  for (int i = 0; i < 3; i++) {
    const unsigned k = (unsigned)(arguments >> (3 * i)) & 7;
    if (k && left[k - 1]-- == 0)
      return false;
  }
  return true;
}

static size_t legal_keep(const struct louis *s, unsigned seat,
                         sal_action *out) {
  const uint8_t *chips = s->chips[seat];
  size_t n = 0;
  for (unsigned a = 1; a <= CHIP_KINDS; a++)
    if (chips[a - 1])
      out[n++] = action(DO_KEEP, kept(a, 0, 0));
  if (!privilege(s, seat, 3))
    return n;
  for (unsigned c = 0; c <= CHIP_KINDS; c++)
    for (unsigned a = 1; a <= CHIP_KINDS; a++)
      for (unsigned b = a; b <= CHIP_KINDS; b++) {
        const uint64_t three = kept(a, b, c);
        if ((c == 0 || c >= b) && holds_kept(chips, three))
          out[n++] = action(DO_KEEP, three | KEEP_WITH_FAVOUR);
      }
  return n;
}

static const char *check_keep(const struct louis *s, unsigned seat,
                              uint64_t arguments) {
  const bool several = arguments >> 3 & 7;
  const bool with_favour = arguments & KEEP_WITH_FAVOUR;
  if (with_favour && (!several || !privilege(s, seat, 3)))
    return "louis.privilege.4";
  if ((several && !with_favour) || !holds_kept(s->chips[seat], arguments))
    return "louis.mission.keep-one";
  return NULL;
}

/* ---- The two ------------------------------------------------------------- */

size_t louis_legal(const sal_state *state, int who, sal_action *out) {
  const struct louis *s = as_const_state(state);
  const unsigned seat = (unsigned)who;
  size_t n;
  if (s->draws || s->asked != seat)
    return 0;
  switch (s->station) {
  case AT_SETUP: return list_spaces(DO_FAVOUR, 15, 1, out);
  case AT_WITHDRAW:
    n = list_spaces(DO_WITHDRAW, s->board[seat], SPACES, out);
    out[n] = DO_PASS;
    return n + 1;
  case AT_SWAP:
    n = legal_cards(s->influence[seat], DO_SWAP, out);
    out[n] = DO_PASS;
    return n + 1;
  case AT_EXCHANGE: return legal_exchange(s->influence[seat], out);
  case AT_FOOTHOLD: return legal_foothold(s, seat, out);
  case AT_INFLUENCE: return legal_influence(s, seat, out);
  case AT_INTRIGUE: return legal_intrigue(s, seat, out);
  case AT_PUT:
    return put_due(s, seat) == 2 ? list_pairs(DO_PUT, out)
                                 : list_tiles(DO_PUT, (1u << TILES) - 1, out);
  case AT_FAVOURITE: return legal_favourite(s, seat, out);
  case AT_MISSION: return legal_mission(s, seat, out);
  case AT_DRAW:
    n = 0;
    for (unsigned t = 0; t < TIERS; t++)
      if (s->missions_left[t])
        out[n++] = action(DO_DRAW, t);
    return n;
  case AT_KEEP: return legal_keep(s, seat, out);
  default: /* AT_TIE, AT_PAY, AT_RECOUP */
    out[0] = s->station == AT_TIE   ? DO_TIE
             : s->station == AT_PAY ? DO_PAY
                                    : DO_RECOUP;
    out[1] = DO_PASS;
    return 2;
  }
}

sal_action louis_any(const struct louis *s, unsigned seat, struct sal_rng *rng,
                     sal_action *list) {
  if (s->station == AT_INFLUENCE)
    return any_influence(s, seat, rng);
  const size_t n = louis_legal((const sal_state *)s, (int)seat, list);
  return list[sal_rng_below(rng, (uint32_t)n)];
}

/* The verbs of each station, as bits: louis.turn.phase. */
#define VERB(v) (1u << (v))
static const uint32_t station_verbs[STATIONS] = {
    [AT_SETUP] = VERB(DO_FAVOUR),
    [AT_WITHDRAW] = VERB(DO_WITHDRAW) | VERB(DO_PASS),
    [AT_SWAP] = VERB(DO_SWAP) | VERB(DO_PASS),
    [AT_EXCHANGE] = VERB(DO_EXCHANGE) | VERB(DO_PASS),
    [AT_FOOTHOLD] = VERB(DO_FOOTHOLD) | VERB(DO_PASS),
    [AT_INFLUENCE] = VERB(DO_PLAY) | VERB(DO_JUMP) | VERB(DO_RECOVER),
    [AT_INTRIGUE] = VERB(DO_INTRIGUE) | VERB(DO_PASS),
    [AT_TIE] = VERB(DO_TIE) | VERB(DO_PASS),
    [AT_PAY] = VERB(DO_PAY) | VERB(DO_PASS),
    [AT_PUT] = VERB(DO_PUT),
    [AT_FAVOURITE] = VERB(DO_TAKE) | VERB(DO_FAVOUR),
    [AT_RECOUP] = VERB(DO_RECOUP) | VERB(DO_PASS),
    [AT_MISSION] = VERB(DO_FULFIL) | VERB(DO_TRADE) | VERB(DO_DONE),
    [AT_DRAW] = VERB(DO_DRAW),
    [AT_KEEP] = VERB(DO_KEEP)};

const char *louis_check(const sal_state *state, int who, sal_action a) {
  const struct louis *s = as_const_state(state);
  const unsigned seat = (unsigned)who;
  const uint64_t arguments = arguments_of(a);
  if (!(station_verbs[s->station] >> verb_of(a) & 1))
    return s->station == AT_INFLUENCE && verb_of(a) == DO_PASS
               ? "louis.influence.no-pass"
               : "louis.turn.phase";
  if (a & MISORDERED)
    return "louis.actions.text";
  switch (verb_of(a)) {
  case DO_FAVOUR: return check_favour(s, seat, a);
  case DO_WITHDRAW:
    return (a & NO_SUCH) || (arguments & ~(uint64_t)s->board[seat])
               ? "louis.supply.withdraw"
               : NULL;
  case DO_SWAP:
    return (a & NO_SUCH) || !has_card(s, seat, arguments & 15)
               ? "louis.supply.swap"
               : NULL;
  case DO_EXCHANGE:
    return (a & NO_SUCH) || !bag_holds(s->influence[seat], arguments)
               ? "louis.privilege.1"
               : NULL;
  case DO_FOOTHOLD: return check_foothold(s, seat, a);
  case DO_PLAY:
  case DO_JUMP: return check_play(s, seat, a);
  case DO_RECOVER:
    return (a & NO_SUCH) || !has_card(s, seat, arguments & 15)
               ? "louis.influence.recover"
               : NULL;
  case DO_INTRIGUE: return check_intrigue(s, seat, a);
  case DO_PUT: return check_put(s, seat, a);
  case DO_FULFIL: return check_fulfil(s, seat, arguments);
  case DO_TRADE: return check_trade(s, seat, arguments);
  case DO_DRAW:
    return s->missions_left[arguments & 3] ? NULL : "louis.mission.fulfil";
  case DO_KEEP: return check_keep(s, seat, arguments);
  default: return NULL;
  }
}
