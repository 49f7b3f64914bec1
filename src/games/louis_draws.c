/* Chance in Louis XIV: what is drawn, from where, and where it goes. */
#include "louis_moves.h"

static struct deck *deck_of(struct louis *s, unsigned pile) {
  return pile == PILE_INFLUENCE ? &s->influence_deck : &s->intrigue_deck;
}

static void end_draws(struct louis *s) {
  s->draws = s->draw_pile = s->draw_seat = 0;
}

/* louis.cards.open: a deck that is empty when a card has to be drawn is made of
 * the open pile; if that is empty too, nothing is drawn. */
static void refill(struct louis *s, struct sal_log *log) {
  struct deck *d = deck_of(s, s->draw_pile);
  if (s->draws == 0 || s->draw_pile > PILE_INTRIGUE || d->left)
    return;
  if (!d->open) {
    end_draws(s);
    return;
  }
  d->cards = d->open;
  d->open = 0;
  d->left = (uint8_t)bag_total(d->cards);
  d->entry = ++s->shuffles;
  d->drawn = 0;
  TELL(log, E_RESHUFFLED, NOBODY, s->draw_pile);
}

void louis_draw(struct louis *s, enum pile pile, unsigned seat, unsigned n,
                struct sal_log *log) {
  if (n == 0)
    return;
  s->draw_pile = (uint8_t)pile;
  s->draw_seat = (uint8_t)seat;
  s->draws = (uint8_t)n;
  refill(s, log);
}

/* louis.end.shields: once all are out, a further one has no kind. */
void louis_give_shields(struct louis *s, unsigned seat, unsigned n,
                        struct sal_log *log) {
  const unsigned kinds = least(n, s->shields_left);
  s->shield_count[seat] = (uint16_t)(s->shield_count[seat] + n - kinds);
  s->kindless[seat] = (uint16_t)(s->kindless[seat] + n - kinds);
  for (unsigned i = kinds; log && i < n; i++)
    louis_tell_dealt(log, seat, PILE_SHIELDS, 0);
  louis_draw(s, PILE_SHIELDS, seat, kinds, log);
}

/* louis.supply.neutral: a card that is turned up for nobody. */
static void turn_up(struct louis *s, unsigned card, struct sal_log *log) {
  const unsigned tile = card == JOKER ? s->louis : card;
  const unsigned n = court_of(s)->neutral_markers;
  s->turned_up += bag_one(card);
  s->neutral[tile] = (uint8_t)(s->neutral[tile] + n);
  TELL(log, E_TURNED_UP, NOBODY, (int)card, (int)tile, (int)n);
}

static void get_card(struct louis *s, unsigned card, struct sal_log *log) {
  struct deck *d = deck_of(s, s->draw_pile);
  const unsigned seat = s->draw_seat;
  assert(bag_count(d->cards, card));
  d->cards -= bag_one(card);
  d->left--;
  d->drawn++;
  if (seat == NOBODY) {
    turn_up(s, card, log);
    return;
  }
  if (s->draw_pile == PILE_INFLUENCE) {
    s->influence[seat] += bag_one(card);
    s->influence_size[seat]++;
  } else {
    s->intrigue[seat] += bag_one(card);
    s->intrigue_size[seat]++;
  }
  louis_tell_dealt(log, seat, s->draw_pile, card);
}

static void get_shield(struct louis *s, unsigned kind, struct sal_log *log) {
  s->shield_deck -= bag_one(kind);
  s->shields_left--;
  s->shields[s->draw_seat] += bag_one(kind);
  s->shield_count[s->draw_seat]++;
  louis_tell_dealt(log, s->draw_seat, PILE_SHIELDS, kind);
}

static void get_mission(struct louis *s, unsigned m, struct sal_log *log) {
  const struct court_mission *mission = &court_of(s)->mission[m];
  s->mission_deck &= ~(UINT64_C(1) << m);
  s->missions_left[mission->tier]--;
  s->missions[s->draw_seat] |= UINT64_C(1) << m;
  s->tiers[s->draw_seat][mission->tier]++;
  louis_tell_dealt(log, s->draw_seat, s->draw_pile, mission->code);
}

/* louis.supply.money, louis.supply.favourite. Of equal cards the first in the
 * court goes, so that equal positions are equal. */
static void get_money(struct louis *s, struct court_money card,
                      struct sal_log *log) {
  const struct court *c = court_of(s);
  unsigned i = 0;
  while (!(s->money_deck >> i & 1) || c->money[i].tile != card.tile ||
         c->money[i].gold != card.gold)
    i++;
  s->money_deck = (uint16_t)(s->money_deck & ~(1u << i));
  s->louis = card.tile;
  if (!s->plain)
    s->favourite = (uint8_t)(c->opposite[card.tile] - 1);
  for (unsigned seat = 0; seat < s->players; seat++)
    s->gold[seat] = (uint16_t)(s->gold[seat] + card.gold);
  TELL(log, E_MONEY, NOBODY, card.tile, card.gold, s->favourite);
}

/* One draw has come. */
void louis_get(struct louis *s, sal_action a, struct sal_log *log) {
  const uint64_t arguments = arguments_of(a);
  assert(s->draws);
  switch (verb_of(a)) {
  case GET_SEAT: louis_begin_with(s, (unsigned)arguments); break;
  case GET_CARD: get_card(s, (unsigned)arguments, log); break;
  case GET_MONEY:
    get_money(s,
              (struct court_money){arguments & 15, (uint8_t)(arguments >> 4)},
              log);
    break;
  case GET_MISSION:
    get_mission(s, (unsigned)(arguments >> CODE_BITS), log);
    break;
  case GET_SHIELD: get_shield(s, (unsigned)arguments, log); break;
  default: assert(false && "no outcome of Louis XIV");
  }
  if (--s->draws == 0)
    end_draws(s);
  refill(s, log);
}

/* ---- Outcomes ------------------------------------------------------------ */

/* Outcomes of drawing one thing of a bag. */
static void bag_outcomes(struct sal_chance *c, bag b, enum verb verb) {
  for (; b; b &= ~(UINT64_C(15) << (__builtin_ctzll(b) & ~3))) {
    const unsigned kind = (unsigned)__builtin_ctzll(b) / 4;
    c->outcome[c->count++] =
        (struct sal_outcome){action(verb, kind), bag_count(b, kind)};
  }
}

static sal_action money_outcome(const struct court_money *m) {
  return action(GET_MONEY, m->tile | (uint64_t)m->gold << 4);
}

static void money_outcomes(const struct louis *s, struct sal_chance *c) {
  const struct court *court = court_of(s);
  for (unsigned left = s->money_deck; left; left &= left - 1) {
    const sal_action a = money_outcome(&court->money[__builtin_ctz(left)]);
    size_t i = 0;
    while (i < c->count && c->outcome[i].action != a)
      i++;
    if (i == c->count)
      c->outcome[c->count++] = (struct sal_outcome){a, 0};
    c->outcome[i].weight++;
  }
  c->index = court->money_count - __builtin_popcount(s->money_deck);
}

static sal_action mission_outcome(const struct louis *s, unsigned m) {
  return action(GET_MISSION, coded(court_of(s)->mission[m].code, m));
}

static void mission_outcomes(const struct louis *s, struct sal_chance *c) {
  const unsigned tier = s->draw_pile - (unsigned)PILE_LIGHT;
  const uint64_t all = court_of(s)->tier[tier];
  for (uint64_t left = s->mission_deck & all; left; left &= left - 1)
    c->outcome[c->count++] = (struct sal_outcome){
        mission_outcome(s, (unsigned)__builtin_ctzll(left)), 1};
  c->index = __builtin_popcountll(all) - s->missions_left[tier];
}

void louis_chance(const sal_state *state, struct sal_chance *c) {
  const struct louis *s = as_const_state(state);
  *c = (struct sal_chance){.pile = s->draw_pile};
  switch (s->draw_pile) {
  case PILE_INFLUENCE:
  case PILE_INTRIGUE: {
    const struct deck *d =
        s->draw_pile == PILE_INFLUENCE ? &s->influence_deck : &s->intrigue_deck;
    c->entry = d->entry;
    c->index = d->drawn;
    bag_outcomes(c, d->cards, GET_CARD);
    return;
  }
  case PILE_MONEY: money_outcomes(s, c); return;
  case PILE_SHIELDS:
    c->index = (int)bag_total(court_shields(court_of(s))) - s->shields_left;
    bag_outcomes(c, s->shield_deck, GET_SHIELD);
    return;
  case PILE_LOT:
    c->pile = -1;
    for (unsigned seat = 0; seat < s->players; seat++)
      c->outcome[c->count++] = (struct sal_outcome){action(GET_SEAT, seat), 1};
    return;
  default: mission_outcomes(s, c); return;
  }
}

/* ---- Sampling ------------------------------------------------------------ */

/* The n-th bit that is set. */
static unsigned nth_bit(uint64_t mask, unsigned n) {
  while (n--)
    mask &= mask - 1;
  return (unsigned)__builtin_ctzll(mask);
}

static sal_action sample_draw(const struct louis *s, struct sal_rng *rng) {
  switch (s->draw_pile) {
  case PILE_INFLUENCE:
    return action(GET_CARD,
                  bag_pick(s->influence_deck.cards,
                           sal_rng_below(rng, s->influence_deck.left)));
  case PILE_INTRIGUE:
    return action(GET_CARD,
                  bag_pick(s->intrigue_deck.cards,
                           sal_rng_below(rng, s->intrigue_deck.left)));
  case PILE_SHIELDS:
    return action(GET_SHIELD, bag_pick(s->shield_deck,
                                       sal_rng_below(rng, s->shields_left)));
  case PILE_LOT: return action(GET_SEAT, sal_rng_below(rng, s->players));
  case PILE_MONEY: {
    const uint32_t left = (uint32_t)__builtin_popcount(s->money_deck);
    const unsigned i = nth_bit(s->money_deck, sal_rng_below(rng, left));
    return money_outcome(&court_of(s)->money[i]);
  }
  default: {
    const unsigned tier = s->draw_pile - (unsigned)PILE_LIGHT;
    const uint64_t stack = s->mission_deck & court_of(s)->tier[tier];
    return mission_outcome(
        s, nth_bit(stack, sal_rng_below(rng, s->missions_left[tier])));
  }
  }
}

void louis_sample(sal_state *state, struct sal_rng *rng) {
  struct louis *s = as_state(state);
  while (s->draws) {
    louis_get(s, sample_draw(s, rng), NULL);
    louis_advance(s, NULL);
  }
}

uint64_t louis_playout(sal_state *state, struct sal_rng *rng, uint64_t most) {
  struct louis *s = as_state(state);
  sal_action list[LOUIS_LEGAL_MAX];
  uint64_t n = 0;
  for (;; n++) {
    louis_sample(state, rng);
    if (n == most || s->asked == NOBODY)
      return n;
    const unsigned seat = s->asked;
    louis_apply(state, (int)seat, louis_any(s, seat, rng, list), NULL);
  }
}
