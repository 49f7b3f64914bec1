/* Favor, for two to four: auctions of cards that are worth something else to
 * each bidder, because of an identity that only they know.
 *
 * Everything on the table is public but the identities. Main invariants: the 14
 * Clues are always in deck, lot, collections and discards together, and the
 * gems of all players and those out of play are five a player.
 * Rule ids refer to docs/rules/favor.en.md. */
#include "aids.h"
#include "favor.h"
#include "rng_batch.h"
#include "salotto/tensor.h"

static inline struct favor *as_state(sal_state *s) { return (struct favor *)s; }

/* ---- Scoring ------------------------------------------------------------ */

/* favor.score.best: of the Italian uses each gains as much as the other, so a
 * special is used where it can be (favor.score.special.it). An English special
 * gains most on an opposite card (favor.score.special.en). If there is just one
 * of those, both work on it: as good as any other way. */
static struct uses best_uses(enum edition edition, hand h, unsigned identity) {
  const bool opposite =
      edition == ENGLISH && count(h, identity ^ OPPOSITE) != 0;
  struct uses u = {NO_CARD, NO_CARD};
  if (count(h, BR) && (opposite || count(h, identity ^ OTHER_COLOUR)))
    u.colour = identity ^ (opposite ? OPPOSITE : OTHER_COLOUR);
  if (count(h, LT) && (opposite || count(h, identity ^ OTHER_ROLE)))
    u.role = identity ^ (opposite ? OPPOSITE : OTHER_ROLE);
  return u;
}

/* What the specials add in the way of `best_uses`, without looking at each
 * card; favor.score.special: they are worth nothing themselves. */
static inline int specials_gain(enum edition edition, hand h,
                                unsigned identity) {
  enum { TO_EXACT = PAY_EXACT - PAY_ONE, TO_ONE = PAY_ONE - PAY_NONE };
  const unsigned opposites = count(h, identity ^ OPPOSITE);
  const int br = (int)count(h, BR), lt = (int)count(h, LT);
  if (edition == ENGLISH && opposites)
    return br && lt && opposites == 1 ? TO_ONE + TO_EXACT : TO_ONE * (br + lt);
  return TO_EXACT * ((br && count(h, identity ^ OTHER_COLOUR)) +
                     (lt && count(h, identity ^ OTHER_ROLE)));
}

/* favor.score.exact, favor.score.one, favor.score.none */
static inline int card_points(enum edition edition, hand h, unsigned identity) {
  return PAY_EXACT * (int)count(h, identity) +
         PAY_ONE * (int)(count(h, identity ^ OTHER_COLOUR) +
                         count(h, identity ^ OTHER_ROLE)) +
         PAY_NONE * (int)count(h, identity ^ OPPOSITE) +
         specials_gain(edition, h, identity);
}

/* favor.score.gems: the seats that have most. */
static inline unsigned richest(const struct favor *s) {
  unsigned most = 0, mask = 0;
  for (int i = 0; i < s->players; i++)
    if (s->gems[i] > most)
      most = s->gems[i];
  for (int i = 0; i < s->players; i++)
    mask |= (unsigned)(s->gems[i] == most) << i;
  return mask;
}

static inline unsigned left_of(const struct favor *s, unsigned seat) {
  return seat + 1 == s->players ? 0 : seat + 1;
}

/* favor.win.points, favor.win.gems; favor.win.earliest: only a better one takes
 * the place of whoever comes before. */
static unsigned best_seat(const struct favor *s) {
  unsigned best = s->first;
  for (unsigned i = left_of(s, best); i != s->first; i = left_of(s, i)) {
    const int ahead = points(s, (int)i) - points(s, (int)best);
    if (ahead > 0 || (ahead == 0 && s->gems[i] > s->gems[best]))
      best = i;
  }
  return best;
}

/* ---- Events ------------------------------------------------------------- */

static inline void tell_seat(struct sal_log *log, enum event kind,
                             unsigned seat) {
  tell(log, (struct sal_event){.kind = (uint8_t)kind, .seat = (int8_t)seat});
}

static inline void tell_number(struct sal_log *log, enum event kind,
                               unsigned seat, unsigned number) {
  tell(log, (struct sal_event){.kind = (uint8_t)kind,
                               .seat = (int8_t)seat,
                               .open = 1,
                               .count = 1,
                               .value = {(int16_t)number}});
}

static void tell_lot(const struct favor *s, struct sal_log *log) {
  struct sal_event e = {.kind = LOT_OPENED, .seat = -1};
  for (unsigned i = 0; i < total(s->lot); i++)
    e.value[e.count++] = (int16_t)pick(s->lot, i);
  e.open = e.count;
  tell(log, e);
}

static void tell_sold(const struct favor *s, unsigned share, unsigned out,
                      struct sal_log *log) {
  const int caller = s->phase == FINAL ? -1 : s->caller;
  tell(log, (struct sal_event){.kind = SOLD,
                               .seat = (int8_t)s->high_bidder,
                               .open = 4,
                               .count = 4,
                               .value = {s->high_bid, (int16_t)caller,
                                         (int16_t)share, (int16_t)out}});
}

static void tell_identities(const struct favor *s, struct sal_log *log) {
  struct sal_event e = {.kind = IDENTITIES,
                        .seat = -1,
                        .open = s->players,
                        .count = s->players,
                        .reveals = true};
  for (int i = 0; i < s->players; i++)
    e.value[i] = s->identity[i];
  tell(log, e);
}

static void tell_day_over(const struct favor *s, unsigned rich,
                          struct sal_log *log) {
  struct sal_event e = {
      .kind = DAY_OVER, .seat = -1, .count = 1, .value = {s->day}};
  for (int i = 0; i < s->players; i++) {
    const hand cards = s->collection[i];
    const unsigned identity = s->identity[i];
    const struct result r = {.cards = cards,
                             .identity = identity,
                             .uses = best_uses(s->edition, cards, identity),
                             .card_points =
                                 card_points(s->edition, cards, identity),
                             .bonus = rich >> i & 1 ? PAY_GEMS : 0,
                             .total = points(s, i)};
    put_result(&e, &r);
  }
  e.open = e.count;
  tell(log, e);
}

/* ---- Course of the game ------------------------------------------------- */

/* favor.setup.gems, favor.setup.lot */
static void begin_day(struct favor *s, unsigned first) {
  s->deck = ALL_CLUES;
  s->lot = s->discards = 0;
  memset(s->collection, 0, sizeof s->collection);
  memset(s->gems, 0, sizeof s->gems);
  memset(s->gems, GEMS, s->players);
  memset(s->identity, NO_CARD, sizeof s->identity);
  s->out_of_play = 0;
  s->day++;
  s->first = s->turn = (uint8_t)first;
  s->phase = DEAL_IDENTITY;
}

/* favor.setup.first */
static void begin_with(struct favor *s, unsigned seat) {
  s->began = s->first = s->turn = (uint8_t)seat;
  s->phase = DEAL_IDENTITY;
}

static void init(sal_state *state, const struct sal_setup *setup) {
  struct favor *s = as_state(state);
  memset(s, 0, sizeof *s);
  memset(s->last, NO_CARD, sizeof s->last);
  s->players = (uint8_t)setup->players;
  s->edition = (uint8_t)setup->option[0];
  s->one_day = (uint8_t)setup->option[2];
  s->memory = (uint8_t)setup->option[3];
  s->caller = s->high_bidder = s->winner = NO_SEAT;
  begin_day(s, 0);
  if (setup->option[1] == SAL_BY_LOT)
    s->phase = CHOOSE_FIRST;
  else
    begin_with(s, (unsigned)setup->option[1]);
}

/* Identities are dealt from seat 0 on. */
static inline int next_dealt(const struct favor *s) {
  int seat = 0;
  while (seat < s->players && s->identity[seat] != NO_CARD)
    seat++;
  return seat;
}

/* favor.setup.identity */
static void deal_identity(struct favor *s, unsigned door, struct sal_log *log) {
  const int seat = next_dealt(s);
  if (seat == 0)
    tell_number(log, DAY, s->first, s->day);
  s->identity[seat] = (uint8_t)door;
  tell(log, (struct sal_event){.kind = DEALT,
                               .seat = (int8_t)seat,
                               .seen_by = (uint8_t)(1 << seat),
                               .count = 1,
                               .value = {(int16_t)door}});
  if (seat + 1 == s->players)
    s->phase = OPEN_LOT;
}

/* favor.auction.order, favor.bid.once: a round of chances, `turn` has the
 * first. It ends where it began, and in a called auction that is left of the
 * caller: with the player who is on turn after it (favor.lot.next). */
static inline void open_bidding(struct favor *s, enum phase phase) {
  s->phase = (uint8_t)phase;
  s->left = s->players;
}

/* favor.final.trigger; favor.final.order: `turn` has already moved on. */
static inline void ask_next(struct favor *s, struct sal_log *log) {
  if (s->deck) {
    s->phase = TURN;
  } else {
    tell_seat(log, FINAL_AUCTION, s->turn);
    open_bidding(s, FINAL);
  }
}

static inline void turn_up(struct favor *s, unsigned card) {
  s->deck -= one(card);
  s->lot += one(card);
}

/* favor.lot.next: as many cards as days, or what remains (favor.lot.short). */
static inline bool lot_is_open(const struct favor *s) {
  return total(s->lot) == s->day || s->deck == 0;
}

static inline void announce_lot(struct favor *s, struct sal_log *log) {
  if (log)
    tell_lot(s, log);
  ask_next(s, log);
}

/* favor.add.one */
static inline void add(struct favor *s, unsigned card, struct sal_log *log) {
  turn_up(s, card);
  tell_number(log, ADDED, s->turn, card);
  s->turn = (uint8_t)left_of(s, s->turn);
  ask_next(s, log);
}

/* favor.auction.pay-caller, favor.final.pay; a caller who wins pays each
 * opponent an equal share (favor.auction.caller-wins), and a bid below their
 * number makes no shares (favor.auction.caller-small). */
static inline void pay(struct favor *s, struct sal_log *log) {
  const unsigned bid = s->high_bid, opponents = s->players - 1u;
  unsigned share = 0, out = bid;
  if (s->phase == BID && s->high_bidder != s->caller) {
    s->gems[s->caller] = (uint8_t)(s->gems[s->caller] + bid);
    out = 0;
  } else if (s->phase == BID) {
    share = bid / opponents;
    out = bid - share * opponents;
    for (unsigned i = 0; i < s->players; i++)
      s->gems[i] = (uint8_t)(s->gems[i] + share);
  }
  s->gems[s->high_bidder] = (uint8_t)(s->gems[s->high_bidder] - bid - share);
  s->out_of_play = (uint8_t)(s->out_of_play + out);
  if (log)
    tell_sold(s, share, out, log);
}

static void score_day(struct favor *s, struct sal_log *log) {
  const unsigned rich = richest(s);
  int8_t *today = s->day_points[s->day - 1];
  for (int i = 0; i < s->players; i++)
    today[i] =
        (int8_t)(card_points(s->edition, s->collection[i], s->identity[i]) +
                 (rich >> i & 1 ? PAY_GEMS : 0));
  if (log)
    tell_day_over(s, rich, log);
}

/* favor.day.end, favor.setup.first: `next` goes first tomorrow. */
static void end_day(struct favor *s, unsigned next, struct sal_log *log) {
  if (log)
    tell_identities(s, log);
  score_day(s, log);
  if (s->day == last_day(s)) { /* favor.variant.days */
    s->phase = OVER;
    s->winner = (uint8_t)best_seat(s);
    tell_seat(log, GAME_OVER, s->winner);
    return;
  }
  memcpy(s->last, s->identity, sizeof s->last);
  begin_day(s, next);
}

/* The end of an auction: the lot is sold, or discarded (favor.auction.none,
 * favor.final.none). */
static inline void end_auction(struct favor *s, struct sal_log *log) {
  unsigned next = s->turn; /* who had the first chance */
  if (s->high_bid) {
    next = s->high_bidder;
    pay(s, log);
    s->collection[next] += s->lot;
  } else {
    tell_seat(log, UNSOLD, NO_SEAT);
    s->discards += s->lot;
  }
  s->lot = 0;
  s->high_bid = 0;
  s->caller = s->high_bidder = NO_SEAT;
  if (s->phase == FINAL)
    end_day(s, next, log);
  else
    s->phase = OPEN_LOT;
}

static inline void end_chance(struct favor *s, struct sal_log *log) {
  s->turn = (uint8_t)left_of(s, s->turn);
  if (--s->left == 0)
    end_auction(s, log);
}

static unsigned to_act(const sal_state *state) {
  static const uint16_t chance_bit[] = {[CHOOSE_FIRST] = SAL_CHANCE_BIT,
                                        [DEAL_IDENTITY] = SAL_CHANCE_BIT,
                                        [OPEN_LOT] = SAL_CHANCE_BIT,
                                        [TURN_UP] = SAL_CHANCE_BIT,
                                        [OVER] = 0};
  static const uint8_t seats[] = {
      [TURN] = 15, [BID] = 15, [FINAL] = 15, [OVER] = 0};
  const struct favor *s = as_const_state(state);
  return chance_bit[s->phase] | (seats[s->phase] & 1u << s->turn);
}

/* favor.bid.beat, favor.bid.afford, favor.bid.pass. All bids are written, as
 * a loop that stops in time costs more; the rest is not counted. */
static inline size_t legal_bids(const struct favor *s, sal_action *out) {
  const unsigned high = s->high_bid, gems = s->gems[s->turn];
  const size_t n = gems > high ? gems - high : 0;
  for (unsigned i = 0; i < GEMS_MAX; i++)
    out[i] = act(BIDS, high + 1 + i);
  out[n] = act(PASSES, 0);
  return n + 1;
}

static size_t legal(const sal_state *state, int seat, sal_action *out) {
  const struct favor *s = as_const_state(state);
  if (!(to_act(state) >> seat & 1))
    return 0;
  if (s->phase != TURN)
    return legal_bids(s, out);
  out[0] = act(ADDS, 0);
  out[1] = act(CALLS, 0);
  return 2;
}

static const char *check(const sal_state *state, int seat, sal_action a) {
  const struct favor *s = as_const_state(state);
  const enum verb verb = verb_of(a);
  const bool of_turn = verb == ADDS || verb == CALLS;
  if (s->phase == TURN)
    return of_turn ? NULL : "favor.turn.choice";
  if (of_turn)
    return "favor.turn.phase";
  if (verb == PASSES)
    return NULL;
  if (number_of(a) <= s->high_bid)
    return "favor.bid.beat";
  return number_of(a) <= s->gems[seat] ? NULL : "favor.bid.afford";
}

static void draw(struct favor *s, unsigned card, struct sal_log *log) {
  assert(s->phase <= TURN_UP);
  assert(s->phase == DEAL_IDENTITY || count(s->deck, card));
  if (s->phase == DEAL_IDENTITY) {
    deal_identity(s, card, log);
  } else if (s->phase == TURN_UP) {
    add(s, card, log);
  } else {
    turn_up(s, card);
    if (lot_is_open(s))
      announce_lot(s, log);
  }
}

static void apply(sal_state *state, int seat, sal_action a,
                  struct sal_log *log) {
  struct favor *s = as_state(state);
  assert(seat == SAL_CHANCE || check(state, seat, a) == NULL);
  switch (verb_of(a)) {
  case BEGINS:
    assert(s->phase == CHOOSE_FIRST);
    begin_with(s, number_of(a));
    return;
  case DRAWS: draw(s, number_of(a), log); return;
  case ADDS: s->phase = TURN_UP; return;
  case CALLS:
    tell_seat(log, AUCTION, (unsigned)seat);
    s->caller = (uint8_t)seat;
    s->turn = (uint8_t)left_of(s, (unsigned)seat);
    open_bidding(s, BID);
    return;
  case BIDS:
    tell_number(log, BID_MADE, (unsigned)seat, number_of(a));
    s->high_bid = (uint8_t)number_of(a);
    s->high_bidder = (uint8_t)seat;
    end_chance(s, log);
    return;
  case PASSES:
    tell_seat(log, PASSED, (unsigned)seat);
    end_chance(s, log);
    return;
  }
  assert(false && "no action of Favor");
}

/* ---- Chance ------------------------------------------------------------- */

enum { PILE_IDENTITIES, PILE_DECK };

static inline hand doors_left(const struct favor *s) {
  return doors_not_dealt(s->identity, s->players);
}

static void chance(const sal_state *state, struct sal_chance *c) {
  const struct favor *s = as_const_state(state);
  *c = (struct sal_chance){.entry = s->day - 1, .pile = PILE_DECK};
  if (s->phase == CHOOSE_FIRST) {
    c->pile = -1;
    c->count = s->players;
    for (unsigned i = 0; i < s->players; i++)
      c->outcome[i] = (struct sal_outcome){act(BEGINS, i), 1};
  } else if (s->phase == DEAL_IDENTITY) {
    c->pile = PILE_IDENTITIES;
    c->index = next_dealt(s);
    draw_outcomes(c, doors_left(s), act(DRAWS, 0));
  } else {
    c->index = CLUE_COUNT - (int)total(s->deck);
    draw_outcomes(c, s->deck, act(DRAWS, 0));
  }
}

/* Turns up the cards at these places of the deck. */
static inline void turn_up_all(struct favor *s, const uint32_t *places,
                               unsigned cards) {
  for (unsigned i = 0; i < cards; i++)
    turn_up(s, pick(s->deck, places[i]));
}

/* All identities and the first lot in one draw. */
static void sample_day(struct favor *s, struct sal_rng *rng) {
  static const uint32_t choices[] = {4, 3, 2, 1, 14, 13, 12};
  static const uint32_t product[] = {24, 24 * 14, 24 * 14 * 13,
                                     24 * 14 * 13 * 12};
  uint32_t n[DOORS + DAYS];
  rng_batch(rng, choices, product[s->day], n, DOORS + s->day);
  hand left = ALL_DOORS;
  for (int i = 0; i < s->players; i++) {
    s->identity[i] = (uint8_t)pick(left, n[i]);
    left -= one(s->identity[i]);
  }
  turn_up_all(s, n + DOORS, s->day);
  ask_next(s, NULL);
}

static void sample_lot(struct favor *s, struct sal_rng *rng) {
  const unsigned deck = total(s->deck), missing = s->day - total(s->lot);
  const unsigned cards = missing < deck ? missing : deck;
  const uint32_t choices[DAYS] = {deck, deck - 1, deck - 2};
  uint32_t n[DAYS], product = 1;
  for (unsigned i = 0; i < cards; i++)
    product *= choices[i];
  rng_batch(rng, choices, product, n, (int)cards);
  turn_up_all(s, n, cards);
  ask_next(s, NULL);
}

/* The rest of a deal that a table has begun draw by draw. */
static void sample_identities(struct favor *s, struct sal_rng *rng) {
  while (s->phase == DEAL_IDENTITY) {
    const hand left = doors_left(s);
    deal_identity(s, pick(left, sal_rng_below(rng, total(left))), NULL);
  }
}

static void sample(sal_state *state, struct sal_rng *rng) {
  struct favor *s = as_state(state);
  if (s->phase == TURN_UP) {
    add(s, pick(s->deck, sal_rng_below(rng, total(s->deck))), NULL);
    return;
  }
  if (s->phase == CHOOSE_FIRST)
    begin_with(s, sal_rng_below(rng, s->players));
  if (s->phase == DEAL_IDENTITY && s->identity[0] == NO_CARD) {
    sample_day(s, rng);
    return;
  }
  sample_identities(s, rng);
  sample_lot(s, rng);
}

static int closed(const sal_state *state) {
  return days_done(as_const_state(state));
}

static int piles(const struct sal_setup *setup, int entry,
                 struct sal_pile *out) {
  (void)entry;
  const int n = setup->players;
  out[PILE_IDENTITIES] = (struct sal_pile){"identities", 0, n, n, false};
  out[PILE_DECK] = (struct sal_pile){"deck", 0, 0, CLUE_COUNT, false};
  return 2;
}

static int stock(const struct sal_setup *setup, int pile, const char *name) {
  (void)setup;
  return stock_of(pile == PILE_IDENTITIES ? ALL_DOORS : ALL_CLUES, name);
}

/* ---- Results ------------------------------------------------------------ */

static void scores(const sal_state *state, int32_t *out) {
  for (int i = 0; i < as_const_state(state)->players; i++)
    out[i] = points(as_const_state(state), i);
}

static unsigned winners(const sal_state *state) {
  const struct favor *s = as_const_state(state);
  return s->phase == OVER ? 1u << s->winner : 0;
}

static void options(const sal_state *state, int32_t *out) {
  out[0] = as_const_state(state)->edition;
  out[1] = as_const_state(state)->began;
  out[2] = as_const_state(state)->one_day;
  out[3] = as_const_state(state)->memory;
}

static const char *check_bids(const struct favor *s) {
  const bool bidding = s->phase == BID || s->phase == FINAL;
  if ((s->caller != NO_SEAT) != (s->phase == BID))
    return "a called auction has a caller, and nothing else has";
  if ((s->high_bid != 0) != (s->high_bidder != NO_SEAT))
    return "a bid and its bidder come together";
  if (s->high_bid && (!bidding || s->high_bid > s->gems[s->high_bidder]))
    return "somebody has bid what they do not hold";
  if (bidding ? s->left < 1 || s->left > s->players : s->left != 0)
    return "the chances to bid are miscounted";
  return NULL;
}

static const char *selfcheck(const sal_state *state) {
  const struct favor *s = as_const_state(state);
  hand cards = s->deck + s->lot + s->discards, doors = 0;
  unsigned gems = s->out_of_play;
  for (int i = 0; i < SEATS; i++) {
    cards += s->collection[i];
    gems += s->gems[i];
    if (s->identity[i] != NO_CARD)
      doors += one(s->identity[i]);
  }
  if (cards != ALL_CLUES)
    return "the 14 Clues are not all there";
  if (gems != (unsigned)GEMS * s->players)
    return "gems have come or gone";
  if (doors & ~ALL_DOORS)
    return "two players have the same identity";
  if (s->phase > DEAL_IDENTITY && total(doors) != s->players)
    return "somebody has no identity";
  if (s->phase >= TURN && (s->deck == 0) != (s->phase >= FINAL))
    return "an empty deck means the final auction";
  if (s->phase >= TURN && (s->lot == 0) != (s->phase == OVER))
    return "there is a lot until the game is over";
  if (s->turn >= s->players || s->day < 1 || s->day > last_day(s))
    return "it is nobody's turn of no day";
  return check_bids(s);
}

/* ---- Views -------------------------------------------------------------- */

/* favor.collection.open: nothing but identities is hidden. */
static void view(const sal_state *state, int viewer, sal_view *out) {
  struct view *v = (struct view *)out;
  v->s = *as_const_state(state);
  v->viewer = viewer;
  if (viewer == SAL_EVERYTHING || v->s.phase == OVER)
    return;
  hide_identities(v->s.identity, v->s.players, viewer);
}

static void resample(const sal_view *view, struct sal_rng *rng,
                     sal_state *state) {
  struct favor *s = as_state(state);
  *s = as_view(view)->s;
  resample_identities(s->identity, s->players, rng);
}

static void tensor_door(float *t, unsigned door) {
  if (door < DOORS)
    t[door] = 1;
}

static void tensor_seat(const struct favor *s, int seat, float *t) {
  t[SAL_FAVOR_THERE] = 1;
  tensor_door(t + SAL_FAVOR_IDENTITY, s->identity[seat]);
  tensor_door(t + SAL_FAVOR_LAST, s->last[seat]);
  tensor_hand(t + SAL_FAVOR_COLLECTION, s->collection[seat]);
  t[SAL_FAVOR_GEMS] = (float)s->gems[seat] / GEMS;
  t[SAL_FAVOR_POINTS] = (float)points(s, seat) / 10;
  t[SAL_FAVOR_ASKED] = s->phase < OVER && s->turn == seat;
  t[SAL_FAVOR_CALLER] = s->caller == seat;
  t[SAL_FAVOR_BIDDER] = s->high_bidder == seat;
  t[SAL_FAVOR_FIRST] = s->first == seat;
}

static void tensor(const sal_view *view, float *t) {
  const struct view *v = as_view(view);
  const struct favor *s = &v->s;
  const int me = v->viewer >= 0 ? (int)v->viewer : 0;
  memset(t, 0, SAL_FAVOR_TENSOR * sizeof *t);
  for (int i = 0; i < s->players; i++)
    tensor_seat(s, (me + i) % s->players, t + i * SAL_FAVOR_SEAT);
  tensor_hand(t + SAL_FAVOR_DECK, s->deck);
  tensor_hand(t + SAL_FAVOR_LOT, s->lot);
  tensor_hand(t + SAL_FAVOR_DISCARDS, s->discards);
  if (s->phase >= TURN && s->phase < OVER)
    t[SAL_FAVOR_PHASE + s->phase - TURN] = 1;
  t[SAL_FAVOR_DAY + s->day - 1] = 1;
  t[SAL_FAVOR_BID] = (float)s->high_bid / GEMS;
  t[SAL_FAVOR_LEFT] = (float)s->left / SEATS;
  t[SAL_FAVOR_ENGLISH] = s->edition == ENGLISH;
}

/* ---- Notation ----------------------------------------------------------- */

static void action_text(sal_action a, struct sal_text *out) {
  switch (verb_of(a)) {
  case BEGINS: sal_text_int(out, number_of(a)); return;
  case DRAWS: sal_text_add(out, card_names[number_of(a)]); return;
  case ADDS: sal_text_add(out, "add"); return;
  case CALLS: sal_text_add(out, "auction"); return;
  case BIDS:
    sal_text_add(out, "bid ");
    sal_text_int(out, number_of(a));
    return;
  case PASSES: sal_text_add(out, "pass"); return;
  }
}

static sal_action action_parse(const char *text) {
  if (strcmp(text, "add") == 0)
    return act(ADDS, 0);
  if (strcmp(text, "auction") == 0)
    return act(CALLS, 0);
  if (strcmp(text, "pass") == 0)
    return act(PASSES, 0);
  int32_t number;
  const char *rest = sal_skip(text, "bid ");
  if (!rest || !(rest = sal_number_read(rest, &number)) || *rest)
    return 0;
  return act(BIDS, (unsigned)number);
}

/* ---- The game ----------------------------------------------------------- */

/* clang-format off */
static const struct sal_rule rules[] = {
  {"favor.setup.identity", N_("Every day each player gets one of the four Doors as a secret identity; the others stay unseen.")},
  {"favor.setup.gems", N_("Every player starts each day with exactly 5 gems.")},
  {"favor.setup.lot", N_("The 14 Clues are shuffled every day; the first lot has one card on day 1, two on day 2, three on day 3.")},
  {"favor.setup.first", N_("The table decides who goes first on day 1; later it is whoever won the last final auction or, if nobody did, spoke first in it.")},
  {"favor.turn.phase", N_("An action belongs to its phase: once an auction is on, you can only bid or pass.")},
  {"favor.turn.choice", N_("Your turn offers two things: one more card for the lot, or an auction of it.")},
  {"favor.add.one", N_("Whoever adds turns up a single card, on any day, and the turn passes to the left.")},
  {"favor.auction.order", N_("The caller's left neighbour speaks first, the caller last, and nobody twice.")},
  {"favor.bid.once", N_("Nobody gets a second chance on the same lot.")},
  {"favor.bid.beat", N_("Bid more than anybody has bid yet, and 1 at least.")},
  {"favor.bid.afford", N_("You cannot offer gems that you do not have.")},
  {"favor.bid.pass", N_("Passing is always allowed, to the caller as well; without enough gems it is all that is left.")},
  {"favor.auction.none", N_("A lot that nobody wants goes to the discards, and all gems stay where they are.")},
  {"favor.auction.pay-caller", N_("The winner gets the whole lot and pays the bid to the caller; losing bids cost nothing.")},
  {"favor.auction.caller-wins", N_("When the caller wins, the opponents share the bid equally; gems that cannot be shared go out of play.")},
  {"favor.auction.caller-small", N_("When the caller wins with fewer gems than there are opponents, all of these gems go out of play.")},
  {"favor.lot.next", N_("Each called auction makes room for a new lot, one card on day 1, two on day 2, three on day 3; the caller's left neighbour plays on.")},
  {"favor.lot.short", N_("A new lot that the deck cannot fill is as large as the deck allows.")},
  {"favor.collection.open", N_("Collections lie open for everybody to see.")},
  {"favor.final.trigger", N_("The last card of the deck brings its lot straight into the final auction.")},
  {"favor.final.order", N_("All speak once in the final auction, and whoever would have played next opens it.")},
  {"favor.final.pay", N_("The winner of the final auction gets the lot, but the price is paid to nobody.")},
  {"favor.final.none", N_("A lot without a bid in the final auction goes to the discards.")},
  {"favor.day.end", N_("The final auction closes the day: everybody's identity is opened and the points are counted.")},
  {"favor.score.exact", N_("A card identical to the identity scores 3.")},
  {"favor.score.one", N_("A card with one trait of the identity scores 1.")},
  {"favor.score.none", N_("A card with neither trait of the identity costs 2.")},
  {"favor.score.special", N_("The two specials score 0; each may change one other card of the same collection, once.")},
  {"favor.score.special.it", N_("Italian edition: a special may only turn a card that has one trait of the identity into an exact match.")},
  {"favor.score.special.en", N_("English edition: Blue/Red flips the colour and Lady/Tiger the role of a card of your choice; both may flip the same card.")},
  {"favor.score.best", N_("The specials work to your best advantage; where one cannot help, it stays unused.")},
  {"favor.score.gems", N_("Whoever has the most gems after the final auction scores 3; all of them in a tie, even with none.")},
  {"favor.score.negative", N_("Days and totals may fall below zero.")},
  {"favor.win.points", N_("The highest sum of the three days wins.")},
  {"favor.win.gems", N_("Equal sums are decided by the gems left at the very end.")},
  {"favor.win.earliest", N_("If gems are equal too, the earlier place in the last day's order of turns decides.")},
  {"favor.variant.days", N_("A table may play one day instead of three.")},
  {NULL, NULL}};

static const char *const editions[] = {"it", "en", NULL};

static const char *const day_words[] = {"3", "1", NULL};
static const char *const day_says[] = {N_("three days"), N_("one day (variant)"), NULL};
static const char *const edition_says[] = {N_("Italian"), N_("English"), NULL};

static const struct sal_help help_list[] = {
  {"turn", N_("Add a card to the lot, or call an auction of all of it. Look at your identity first: a card identical to it brings 3 points, one that shares a trait 1, any other costs 2.")},
  {"bid", N_("You have one chance to bid for this lot: more than the highest bid, or pass. The price goes to whoever called the auction.")},
  {"final", N_("The last lot of the day. Everyone has one chance to bid; the price goes out of play.")},
  {NULL, NULL}};

static const struct sal_option option_list[] = {
  {"edition", SAL_OPTION_WORD, editions, N_("How the two special cards score: Italian or English edition."), N_("Edition"), edition_says, true},
  {"first", SAL_OPTION_SEAT, NULL, N_("Who goes first on day 1."), N_("First player"), NULL, false},
  {"days", SAL_OPTION_WORD, day_words, N_("How many days the game has."), N_("Days"), day_says, false},
  {"memory", SAL_OPTION_WORD, memory_words, N_("Whether the table lists what attentive players could remember or count."), N_("Memory aids"), memory_says, false},
  {NULL, SAL_OPTION_SEAT, NULL, NULL}};
/* clang-format on */

/* ---- Dense actions ------------------------------------------------------- */

enum {
  INDEX_ADD,
  INDEX_CALL,
  INDEX_PASS,
  INDEX_BID,
  INDEXES = INDEX_BID + GEMS_MAX
};

static size_t action_index(const sal_state *state, int seat, sal_action a) {
  (void)state;
  (void)seat;
  switch (verb_of(a)) {
  case ADDS: return INDEX_ADD;
  case CALLS: return INDEX_CALL;
  case PASSES: return INDEX_PASS;
  default: return INDEX_BID + (number_of(a) - 1);
  }
}

static sal_action action_at(const sal_state *state, int seat, size_t i) {
  static const enum verb verbs[] = {ADDS, CALLS, PASSES};
  const sal_action a = i < INDEX_BID ? act(verbs[i], 0)
                                     : act(BIDS, (unsigned)(i - INDEX_BID + 1));
  return i < INDEXES && check(state, seat, a) == NULL ? a : 0;
}

static const struct sal_amount amounts[] = {{"days", DAYS}, {NULL, 0}};

const struct sal_game sal_favor = {
    .info = {.id = "favor",
             .title = N_("Favor"),
             .tagline = N_("Three days of auctions for cards that only you "
                           "know the worth of."),
             .goal = N_("Have the most points after three days of auctions."),
             .role = N_("Each day you are secretly somebody else: cards that "
                        "resemble you bring points, the others cost you."),
             .players_min = 2,
             .players_max = SEATS,
             .players_usual = 3,
             .minutes = 20,
             .state_size = sizeof(struct favor),
             .view_size = sizeof(struct view),
             .legal_max = GEMS_MAX + 1,
             .action_count = INDEXES,
             .tensor_size = SAL_FAVOR_TENSOR,
             .action_bits = UINT64_C(7) << 32 | 31,
             .recall = 96, /* a day has 87 steps, and the lot */
             /* by lot, then the days with four players and as many auctions
              * as the deck allows (tests/games/favor_test.c) */
             .longest = 1 + 87 + 53 + 43,
             /* a day: three opposite cards; all others and the gem bonus */
             .score_min = -6 * DAYS,
             .score_max = 22 * DAYS,
             .options = option_list,
             .rules = rules,
             .help = help_list,
             .amounts = amounts},
    .init = init,
    .to_act = to_act,
    .legal = legal,
    .check = check,
    .apply = apply,
    .chance = chance,
    .sample = sample,
    .closed = closed,
    .scores = scores,
    .winners = winners,
    .options = options,
    .view = view,
    .resample = resample,
    .tensor = tensor,
    .facts = favor_facts,
    .event_facts = favor_event_facts,
    .prompt = favor_prompt,
    .position = favor_position,
    .event_say = favor_event_say,
    .event_rule = favor_event_rule,
    .action_say = favor_action_say,
    .action_text = action_text,
    .action_parse = action_parse,
    .action_index = action_index,
    .action_at = action_at,
    .piles = piles,
    .stock = stock,
    .selfcheck = selfcheck,
};

_Static_assert(sizeof(struct favor) <= 128,
               "a state of Favor fits two cache lines");
