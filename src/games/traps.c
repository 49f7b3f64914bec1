/* Traps, for two to six: everyone lays a pile of face-down cards, the highest
 * bettor turns them up and hopes to meet no card that matches nothing.
 *
 * Main invariants: the 25 tokens are always with the players, in the pot and in
 * the supply; those of the 14 Clues that are in no hand and no pile are put
 * away and never come. Rule ids refer to docs/rules/traps.en.md. */
#include "aids.h"
#include "traps.h"

#include "salotto/tensor.h"

/* ---- Piles and tallies -------------------------------------------------- */

static inline pile lay(pile p, unsigned card) {
  return (p | card << 3 * laid(p)) + LAID + DOWN;
}

static inline tally shown(pile p) {
  tally t = 0;
  for (unsigned i = down(p); i < laid(p); i++)
    t += 1u << 4 * card_at(p, i);
  return t;
}

/* Of each kind the larger number. Setting the top bit of a's digits keeps the
 * subtraction inside them, and it stays set just where a is not smaller. */
static inline tally most(tally a, tally b) {
  const tally tops = 0x888888;
  const tally from_a = ((((a | tops) - b) & tops) >> 3) * 15;
  return (a & from_a) | (b & ~from_a);
}

/* ---- Seats -------------------------------------------------------------- */

static inline unsigned everyone(const struct traps *s) {
  return (1u << s->players) - 1;
}

static inline unsigned still_in(const struct traps *s) {
  return everyone(s) & ~(unsigned)s->passed;
}

/* The first seat of the mask to the left of `seat`, as a mask. */
static inline unsigned left_of(unsigned mask, int seat) {
  const unsigned higher = mask & (~1u << seat);
  const unsigned from = higher ? higher : mask;
  return from & (0u - from);
}

static inline bool any_down(const struct traps *s) {
  pile all = 0;
  for (int seat = 0; seat < SAL_SEATS_MAX; seat++)
    all |= s->piles[seat];
  return down(all) != 0;
}

/* traps.trap.own: the opponents who may be given the token. */
static inline unsigned can_be_given(const struct traps *s) {
  unsigned mask = 0;
  for (int seat = 0; seat < SAL_SEATS_MAX; seat++)
    mask |= (unsigned)(s->tokens[seat] < FULL) << seat;
  return mask & everyone(s) & ~(1u << s->high_bettor);
}

/* traps.setup.deal: by the number of players. */
static inline unsigned hand_size(const struct traps *s) {
  static const uint8_t sizes[] = {[2] = 6, 4, 3, 2, 2};
  return sizes[s->players];
}

/* ---- Events ------------------------------------------------------------- */

static inline void tell_number(struct sal_log *log, enum event kind, int seat,
                               int number) {
  tell(log, (struct sal_event){.kind = (uint8_t)kind,
                               .seat = (int8_t)seat,
                               .open = 1,
                               .count = 1,
                               .value = {(int16_t)number}});
}

/* A card that only its owner sees. */
static inline void tell_secret(struct sal_log *log, enum event kind, int seat,
                               unsigned card) {
  tell(log, (struct sal_event){.kind = (uint8_t)kind,
                               .seat = (int8_t)seat,
                               .seen_by = (uint8_t)(1 << seat),
                               .count = 1,
                               .value = {(int16_t)card}});
}

static inline void tell_revealed(struct sal_log *log, enum event kind, int seat,
                                 unsigned owner, unsigned card) {
  tell(log, (struct sal_event){.kind = (uint8_t)kind,
                               .seat = (int8_t)seat,
                               .open = 2,
                               .count = 2,
                               .reveals = true,
                               .value = {(int16_t)owner, (int16_t)card}});
}

static void tell_dealt(const struct traps *s, int seat, struct sal_log *log) {
  struct sal_event e = {.kind = DEALT,
                        .seat = (int8_t)seat,
                        .seen_by = (uint8_t)(1 << seat),
                        .count = (uint8_t)hand_size(s)};
  for (unsigned i = 0; i < e.count; i++)
    e.value[i] = (int16_t)pick(s->hands[seat], i);
  tell(log, e);
}

static void tell_round(const struct traps *s, struct sal_log *log) {
  tell(log, (struct sal_event){.kind = ROUND,
                               .seat = (int8_t)s->first,
                               .open = 4,
                               .count = 4,
                               .value = {(int16_t)(s->round % HALF),
                                         (int16_t)(s->round / HALF), s->target,
                                         s->pot}});
}

/* ---- Rounds ------------------------------------------------------------- */

static void await_chance(struct traps *s, enum phase phase) {
  s->phase = (uint8_t)phase;
  s->asked = SAL_CHANCE_BIT;
}

static inline void ask(struct traps *s, enum phase phase, unsigned seats) {
  s->phase = (uint8_t)phase;
  s->asked = (uint16_t)seats;
}

/* traps.setup.doors, traps.setup.deal */
static void begin_deal(struct traps *s) {
  memset(s->hands, 0, sizeof s->hands);
  memset(s->known, 0, sizeof s->known);
  s->doors_left = ALL_DOORS;
  await_chance(s, DEAL);
}

/* traps.round.start, up to the Door that chance turns up. */
static void begin_round(struct traps *s) {
  s->supply = (uint8_t)(s->supply + s->pot);
  s->pot = 0;
  s->passed = s->high_bet = s->points = 0;
  s->high_bettor = NO_SEAT;
  s->round++;
  if (s->doors_left)
    await_chance(s, TURN_UP);
  else
    begin_deal(s);
}

/* traps.setup.first */
static void begin_with(struct traps *s, unsigned seat) {
  s->began = s->first = (uint8_t)seat;
  begin_round(s);
}

/* traps.setup.tokens */
static void init(sal_state *state, const struct sal_setup *setup) {
  struct traps *s = as_state(state);
  memset(s, 0, sizeof *s);
  s->players = (uint8_t)setup->players;
  s->target = NO_CARD;
  s->high_bettor = NO_SEAT;
  for (int seat = 0; seat < s->players; seat++)
    s->tokens[seat] = START;
  s->supply = (uint8_t)(TOKENS - s->players);
  s->memory = (uint8_t)setup->option[1];
  if (setup->option[0] == SAL_BY_LOT)
    await_chance(s, LOT);
  else
    begin_with(s, (unsigned)setup->option[0]);
}

/* ---- Dealing ------------------------------------------------------------ */

/* While hands are dealt: the Clues that are left. Those that stay to the end
 * are the ones put away. */
static inline hand deck(const struct traps *s) {
  hand left = ALL_CLUES;
  for (int seat = 0; seat < SAL_SEATS_MAX; seat++)
    left -= s->hands[seat];
  return left;
}

/* While hands are dealt: the first seat whose hand is not full. */
static inline int receiver(const struct traps *s) {
  int seat = 0;
  while (total(s->hands[seat]) == hand_size(s))
    seat++;
  return seat;
}

static void deal_card(struct traps *s, unsigned card, struct sal_log *log) {
  const int seat = receiver(s);
  assert(count(deck(s), card));
  s->hands[seat] += one(card);
  if (total(s->hands[seat]) < hand_size(s))
    return;
  if (log)
    tell_dealt(s, seat, log);
  if (seat + 1 == s->players)
    s->phase = TURN_UP;
}

/* traps.round.start: the pot, then the target. */
static void turn_up(struct traps *s, unsigned door, struct sal_log *log) {
  assert(count(s->doors_left, door));
  s->doors_left -= (uint32_t)one(door);
  s->target = (uint8_t)door;
  s->pot = s->players < s->supply ? s->players : s->supply;
  s->supply = (uint8_t)(s->supply - s->pot);
  ask(s, PLACE, everyone(s));
  tell_round(s, log);
}

/* ---- Ends --------------------------------------------------------------- */

/* traps.round.end: cards go back to their owners, and the table remembers what
 * it has seen of them. */
static void take_back(struct traps *s) {
  for (int seat = 0; seat < s->players; seat++) {
    const pile p = s->piles[seat];
    for (unsigned i = 0; i < laid(p); i++)
      s->hands[seat] += one(card_at(p, i));
    s->known[seat] = most(s->known[seat], shown(p));
    s->piles[seat] = 0;
  }
}

static void end_round(struct traps *s, enum reason why, int earned,
                      struct sal_log *log) {
  tell(log, (struct sal_event){
                .kind = ROUND_OVER,
                .seat = (int8_t)s->high_bettor,
                .open = 3,
                .count = 3,
                .value = {(int16_t)why, (int16_t)earned, (int16_t)s->pot}});
  s->first = s->high_bettor; /* traps.round.end */
  take_back(s);
  begin_round(s);
}

/* traps.win: the last position stays as it is. */
static void win(struct traps *s, int seat, struct sal_log *log) {
  ask(s, OVER, 0);
  tell(log, (struct sal_event){.kind = GAME_OVER, .seat = (int8_t)seat});
}

/* ---- Revealing ---------------------------------------------------------- */

/* traps.reveal.points, traps.reveal.blue-red, traps.reveal.lady-tiger; nothing:
 * a trap. */
static inline int worth(unsigned card, unsigned target) {
  return card == BR ? 1 : card == LT ? 0 : match(card, target);
}

/* traps.success */
static void succeed(struct traps *s, int seat, struct sal_log *log) {
  const int pot = s->pot;
  s->tokens[seat] = (uint8_t)(s->tokens[seat] + pot);
  s->pot = 0;
  tell_number(log, BET_MET, seat, pot);
  if (s->tokens[seat] >= WIN)
    win(s, seat, log);
  else
    end_round(s, BY_SUCCESS, pot, log);
}

/* So many of the seat's own tokens leave it, or all; returns how many did. */
static int pay(struct traps *s, int seat, int tokens) {
  const int paid = s->tokens[seat] < tokens ? s->tokens[seat] : tokens;
  s->tokens[seat] = (uint8_t)(s->tokens[seat] - paid);
  return paid;
}

/* traps.fail.pay */
static void fail(struct traps *s, int seat, enum reason why,
                 struct sal_log *log) {
  const int paid = pay(s, seat, PAY_FAIL);
  s->supply = (uint8_t)(s->supply + paid);
  tell_number(log, BET_FAILED, seat, paid);
  end_round(s, why, -paid, log);
}

/* traps.fail.pot, traps.fail.cards: the bet is not met; can it still be? */
static inline void go_on(struct traps *s, int seat, struct sal_log *log) {
  if (s->pot == 0)
    fail(s, seat, BY_POT, log);
  else if (!any_down(s))
    fail(s, seat, BY_CARDS, log);
  else
    ask(s, REVEAL, 1u << seat);
}

/* traps.trap.theirs, and the token of an own trap once it is given. */
static void take_token(struct traps *s, int taker, int revealer,
                       struct sal_log *log) {
  s->pot--;
  s->tokens[taker]++;
  if (s->tokens[taker] >= WIN)
    win(s, taker, log);
  else
    go_on(s, revealer, log);
}

/* traps.trap.own-all-four */
static void pay_for_all(struct traps *s, int seat, struct sal_log *log) {
  s->pot--;
  s->supply++;
  const int paid = pay(s, seat, PAY_ALL_FOUR);
  s->pot = (uint8_t)(s->pot + paid);
  tell_number(log, ALL_FOUR, seat, paid);
  end_round(s, BY_ALL_FOUR, -paid, log);
}

/* traps.reveal.trap */
static void spring(struct traps *s, int seat, unsigned owner,
                   struct sal_log *log) {
  if (owner != (unsigned)seat)
    take_token(s, (int)owner, seat, log);
  else if (can_be_given(s))
    s->phase = GIVE;
  else
    pay_for_all(s, seat, log);
}

/* traps.reveal.any-top */
static void reveal(struct traps *s, int seat, unsigned owner,
                   struct sal_log *log) {
  s->piles[owner] -= DOWN;
  const unsigned card = card_at(s->piles[owner], down(s->piles[owner]));
  const int value = worth(card, s->target);
  tell_revealed(log, REVEALED, seat, owner, card);
  s->points = (uint8_t)(s->points + value);
  if (value == 0) {
    tell_revealed(log, TRAP, seat, owner, card);
    spring(s, seat, owner, log);
  } else if (s->points >= s->high_bet) {
    succeed(s, seat, log);
  } else {
    go_on(s, seat, log);
  }
}

/* traps.stop */
static void stop(struct traps *s, int seat, struct sal_log *log) {
  s->pot = (uint8_t)(s->pot + pay(s, seat, PAY_STOP));
  tell(log, (struct sal_event){.kind = STOPPED, .seat = (int8_t)seat});
  end_round(s, BY_STOP, -1, log);
}

/* ---- Asking and answering ----------------------------------------------- */

static unsigned to_act(const sal_state *state) {
  return as_const_state(state)->asked;
}

static size_t each_bet(unsigned above, sal_action *out) {
  const size_t n = BET_MAX - above;
  for (size_t i = 0; i < n; i++)
    out[i] = act(BETS, above + 1) + i;
  return n;
}

static size_t each_reveal(const struct traps *s, sal_action *out) {
  size_t n = 0;
  for (unsigned seat = 0; seat < s->players; seat++) {
    out[n] = act(REVEALS, seat);
    n += down(s->piles[seat]) != 0;
  }
  return n;
}

static size_t each_gift(const struct traps *s, sal_action *out) {
  size_t n = 0;
  for (unsigned rest = can_be_given(s); rest; rest &= rest - 1)
    out[n++] = act(GIVES, (unsigned)__builtin_ctz(rest));
  return n;
}

static size_t legal(const sal_state *state, int seat, sal_action *out) {
  const struct traps *s = as_const_state(state);
  if (!(s->asked >> seat & 1))
    return 0;
  size_t n;
  switch (s->phase) {
  case PLACE: return each_card(s->hands[seat], act(PLACES, 0), out);
  case BUILD:
    n = each_card(s->hands[seat], act(BUILDS, 0), out);
    return n + each_bet(0, out + n);
  case BET:
    n = each_bet(s->high_bet, out);
    out[n++] = act(PASSES, 0);
    return n;
  case REVEAL:
    n = each_reveal(s, out);
    out[n] = act(STOPS, 0);
    return n + (s->tokens[seat] > 0);
  default: return each_gift(s, out);
  }
}

/* traps.bet.number, traps.bet.higher */
static const char *check_bet(const struct traps *s, uint32_t number) {
  if (number < 1 || number > BET_MAX)
    return "traps.bet.number";
  return number > s->high_bet ? NULL : "traps.bet.higher";
}

static const char *check(const sal_state *state, int seat, sal_action a) {
  const struct traps *s = as_const_state(state);
  const unsigned number = number_of(a);
  const enum verb verb = verb_of(a);
  switch (s->phase) {
  case PLACE:
    if (verb == PLACES)
      return count(s->hands[seat], number) ? NULL : "traps.place.together";
    break;
  case BUILD:
    if (verb == BUILDS)
      return count(s->hands[seat], number) ? NULL : "traps.build.card";
    if (verb == BETS)
      return check_bet(s, number);
    if (verb == PASSES)
      return "traps.build.no-pass";
    break;
  case BET:
    if (verb == BETS)
      return check_bet(s, number);
    if (verb == PASSES)
      return NULL;
    if (verb == BUILDS)
      return "traps.bet.opens";
    break;
  case REVEAL:
    if (verb == REVEALS)
      return number < s->players && down(s->piles[number])
                 ? NULL
                 : "traps.reveal.any-top";
    if (verb == STOPS)
      return s->tokens[seat] ? NULL : "traps.stop";
    break;
  case GIVE:
    if (verb == GIVES)
      return number < s->players && (can_be_given(s) >> number & 1)
                 ? NULL
                 : "traps.trap.own";
    if (verb == STOPS)
      return "traps.stop";
    break;
  default: break;
  }
  return "traps.turn.phase";
}

static inline void lay_from_hand(struct traps *s, int seat, unsigned card) {
  s->hands[seat] -= one(card);
  s->piles[seat] = lay(s->piles[seat], card);
}

/* traps.place.together */
static void place(struct traps *s, int seat, unsigned card,
                  struct sal_log *log) {
  lay_from_hand(s, seat, card);
  tell_secret(log, PLACED, seat, card);
  s->asked = (uint16_t)(s->asked & ~(1u << seat));
  if (s->asked == 0)
    ask(s, BUILD, 1u << s->first);
}

/* traps.build.card */
static void build(struct traps *s, int seat, unsigned card,
                  struct sal_log *log) {
  lay_from_hand(s, seat, card);
  tell_secret(log, BUILT, seat, card);
  ask(s, BUILD, left_of(everyone(s), seat));
}

/* traps.bet.opens */
static void bet(struct traps *s, int seat, unsigned number,
                struct sal_log *log) {
  s->high_bet = (uint8_t)number;
  s->high_bettor = (uint8_t)seat;
  tell_number(log, BET_MADE, seat, (int)number);
  ask(s, BET, left_of(still_in(s), seat));
}

/* traps.bet.pass, traps.bet.won */
static void pass(struct traps *s, int seat, struct sal_log *log) {
  s->passed = (uint8_t)(s->passed | 1u << seat);
  tell(log, (struct sal_event){.kind = PASSED, .seat = (int8_t)seat});
  const unsigned next = left_of(still_in(s), seat);
  ask(s, next == still_in(s) ? REVEAL : BET, next);
}

/* traps.trap.own */
static void give(struct traps *s, int seat, int to, struct sal_log *log) {
  tell_number(log, GIVEN, seat, to);
  take_token(s, to, seat, log);
}

static void apply(sal_state *state, int seat, sal_action a,
                  struct sal_log *log) {
  struct traps *s = as_state(state);
  const unsigned number = number_of(a);
  assert(seat == SAL_CHANCE ? s->asked == SAL_CHANCE_BIT
                            : check(state, seat, a) == NULL);
  switch (verb_of(a)) {
  case BEGINS: begin_with(s, number); break;
  case DRAWS:
    if (s->phase == DEAL)
      deal_card(s, number, log);
    else
      turn_up(s, number, log);
    break;
  case PLACES: place(s, seat, number, log); break;
  case BUILDS: build(s, seat, number, log); break;
  case BETS: bet(s, seat, number, log); break;
  case PASSES: pass(s, seat, log); break;
  case REVEALS: reveal(s, seat, number, log); break;
  case STOPS: stop(s, seat, log); break;
  case GIVES: give(s, seat, (int)number, log); break;
  default: assert(false && "no action of Traps");
  }
}

/* ---- Chance ------------------------------------------------------------- */

enum { PILE_HANDS, PILE_DOORS };

static inline int deal_number(const struct traps *s) {
  return (int)((s->round - 1) / ROUNDS);
}

static void chance(const sal_state *state, struct sal_chance *c) {
  const struct traps *s = as_const_state(state);
  *c = (struct sal_chance){.pile = -1};
  if (s->phase == LOT) {
    for (; c->count < s->players; c->count++)
      c->outcome[c->count] =
          (struct sal_outcome){act(BEGINS, (unsigned)c->count), 1};
    return;
  }
  c->entry = deal_number(s);
  if (s->phase == DEAL) {
    c->pile = PILE_HANDS;
    c->list = receiver(s);
    c->index = (int)total(s->hands[c->list]);
    draw_outcomes(c, deck(s), act(DRAWS, 0));
  } else {
    c->pile = PILE_DOORS;
    c->index = DOORS - (int)total(s->doors_left);
    draw_outcomes(c, s->doors_left, act(DRAWS, 0));
  }
}

static void sample_hands(struct traps *s, struct sal_rng *rng) {
  hand left = deck(s);
  uint32_t n = total(left);
  for (int seat = receiver(s); seat < s->players; seat++) {
    hand h = s->hands[seat];
    for (unsigned i = total(h); i < hand_size(s); i++, n--) {
      const hand card = one(pick(left, sal_rng_below(rng, n)));
      h += card;
      left -= card;
    }
    s->hands[seat] = h;
  }
  s->phase = TURN_UP;
}

static void sample(sal_state *state, struct sal_rng *rng) {
  struct traps *s = as_state(state);
  if (s->phase == LOT)
    begin_with(s, sal_rng_below(rng, s->players));
  if (s->phase == DEAL)
    sample_hands(s, rng);
  const hand doors = s->doors_left;
  if (s->phase == TURN_UP)
    turn_up(s, pick(doors, sal_rng_below(rng, total(doors))), NULL);
}

static int closed(const sal_state *state) {
  const struct traps *s = as_const_state(state);
  if (s->phase == LOT)
    return 0;
  return deal_number(s) + (s->phase == OVER);
}

static int piles(const struct sal_setup *setup, int entry,
                 struct sal_pile *out) {
  const struct traps s = {.players = (uint8_t)setup->players};
  (void)entry;
  out[PILE_HANDS] =
      (struct sal_pile){"hands", setup->players, 0, (int)hand_size(&s), false};
  out[PILE_DOORS] = (struct sal_pile){"doors", 0, 0, DOORS, false};
  return 2;
}

static int stock(const struct sal_setup *setup, int pile_index,
                 const char *name) {
  (void)setup;
  return stock_of(pile_index == PILE_DOORS ? ALL_DOORS : ALL_CLUES, name);
}

/* ---- Results ------------------------------------------------------------ */

static void scores(const sal_state *state, int32_t *out) {
  const struct traps *s = as_const_state(state);
  for (int seat = 0; seat < s->players; seat++)
    out[seat] = s->tokens[seat];
}

static unsigned winners(const sal_state *state) {
  const struct traps *s = as_const_state(state);
  return s->phase == OVER ? rich(s) : 0;
}

static void options(const sal_state *state, int32_t *out) {
  out[0] = as_const_state(state)->began;
  out[1] = as_const_state(state)->memory;
}

static hand pile_cards(pile p) {
  hand h = 0;
  for (unsigned i = 0; i < laid(p); i++)
    h += one(card_at(p, i));
  return h;
}

static const char *check_cards(const struct traps *s) {
  hand all = 0;
  for (int seat = 0; seat < s->players; seat++) {
    const hand own = s->hands[seat] + pile_cards(s->piles[seat]);
    if (s->phase >= TURN_UP && total(own) != hand_size(s))
      return "a seat has more or fewer cards than it was dealt";
    for (unsigned k = 0; k < KINDS; k++)
      if (count(widen(s->known[seat]), k) > count(own, k))
        return "a seat does not own what it has shown";
    if (down(s->piles[seat]) > laid(s->piles[seat]))
      return "more cards lie face down than were laid";
    all += own;
  }
  for (unsigned k = 0; k < 8; k++)
    if (count(all, k) > count(ALL_CLUES, k))
      return "there are more Clues than there can be";
  return NULL;
}

static const char *check_tokens(const struct traps *s) {
  int sum = s->pot + s->supply;
  for (int seat = 0; seat < s->players; seat++)
    sum += s->tokens[seat];
  if (sum != TOKENS) /* traps.conserve */
    return "the 25 tokens are not all there";
  if ((s->phase == OVER) != (__builtin_popcount(rich(s)) == 1))
    return "the game is over just when one seat has five tokens";
  return NULL;
}

static const char *selfcheck(const sal_state *state) {
  const struct traps *s = as_const_state(state);
  if ((s->phase < PLACE) != (s->asked == SAL_CHANCE_BIT))
    return "chance is asked in its own phases";
  if (s->phase >= BET &&
      (s->high_bettor >= s->players || (s->passed >> s->high_bettor & 1)))
    return "the highest bettor is out";
  const char *problem = check_cards(s);
  return problem ? problem : check_tokens(s);
}

/* ---- Views -------------------------------------------------------------- */

/* Hidden cards of a hand are KINDS, those of a pile NO_CARD: all bits set. */
static inline void hide_seat(struct traps *s, int seat) {
  s->hands[seat] = one(KINDS) * total(s->hands[seat]);
  s->piles[seat] |= (1u << 3 * down(s->piles[seat])) - 1;
}

static void view(const sal_state *state, int viewer, sal_view *out) {
  struct view *v = (struct view *)out;
  v->s = *as_const_state(state);
  v->viewer = viewer;
  if (viewer == SAL_EVERYTHING || v->s.phase == OVER)
    return;
  for (int seat = 0; seat < v->s.players; seat++)
    if (seat != viewer)
      hide_seat(&v->s, seat);
}

/* A world is one way to lay the distinct Clues that the viewer does not see
 * into the places where they can be: the hands of others, each place of their
 * face-down piles, and those put away. All worlds are equally likely in which
 * every seat owns what it has shown in this deal. How a player chooses what to
 * lay, and in which order, is not guessed at: of the cards that a seat may own
 * each is as likely as any other at each place of its pile. */
struct search {
  hand pool;                      /* the Clues that the viewer does not see */
  hand need[SAL_SEATS_MAX];       /* of these, what a seat is known to own */
  hand owned[SAL_SEATS_MAX];      /* a proposal */
  unsigned hidden[SAL_SEATS_MAX]; /* how many of a seat's cards are unseen */
};

static void prepare_search(const struct traps *s, struct search *w) {
  w->pool = ALL_CLUES;
  for (int seat = 0; seat < s->players; seat++) {
    const pile p = s->piles[seat];
    w->hidden[seat] = count(s->hands[seat], KINDS);
    for (unsigned i = 0; i < laid(p); i++)
      if (card_at(p, i) == NO_CARD)
        w->hidden[seat]++;
      else
        w->pool -= one(card_at(p, i));
    if (count(s->hands[seat], KINDS) == 0)
      w->pool -= s->hands[seat];
    w->need[seat] = 0;
    if (w->hidden[seat])
      w->need[seat] = widen(most(s->known[seat], shown(p)) - shown(p));
  }
}

/* In how many ways the cards that a seat must own can be found among those
 * that it was given. */
static uint32_t ways(hand owned, hand need) {
  static const uint8_t choose[4][4] = {
      {1, 0, 0, 0}, {1, 1, 0, 0}, {1, 2, 1, 0}, {1, 3, 3, 1}};
  uint32_t product = 1;
  for (unsigned k = 0; need && k < KINDS; k++)
    product *= choose[count(owned, k)][count(need, k)];
  return product;
}

/* Gives every seat what it must own and shuffles the rest. A world comes up
 * once for each way to find the needed cards in it; returns their number. */
static uint32_t propose(const struct traps *s, struct search *w,
                        struct sal_rng *rng) {
  hand left = w->pool;
  uint32_t product = 1;
  for (int seat = 0; seat < s->players; seat++)
    left -= w->need[seat];
  for (int seat = 0; seat < s->players; seat++) {
    hand owned = w->need[seat];
    for (unsigned n = total(owned); n < w->hidden[seat]; n++) {
      const hand card = one(pick(left, sal_rng_below(rng, total(left))));
      owned += card;
      left -= card;
    }
    w->owned[seat] = owned;
    product *= ways(owned, w->need[seat]);
  }
  return product;
}

/* Lays a seat's unseen cards into its pile and hand. */
static void lay_unseen(struct traps *s, int seat, hand owned,
                       struct sal_rng *rng) {
  pile p = s->piles[seat];
  for (unsigned i = 0; i < down(p); i++) {
    const unsigned card = pick(owned, sal_rng_below(rng, total(owned)));
    owned -= one(card);
    p ^= (card ^ NO_CARD) << 3 * i;
  }
  s->piles[seat] = p;
  s->hands[seat] = owned;
}

/* A proposal is kept once in as many times as it comes up. Of a kind there are
 * three cards at most, so this is one in 3 for each of the four plain kinds at
 * worst: never more than 81 proposals on average, and seldom more than two. */
static void resample(const sal_view *view, struct sal_rng *rng,
                     sal_state *state) {
  struct traps *s = as_state(state);
  struct search w;
  *s = as_view(view)->s;
  prepare_search(s, &w);
  while (sal_rng_below(rng, propose(s, &w, rng)) != 0)
    ;
  for (int seat = 0; seat < s->players; seat++)
    if (w.hidden[seat])
      lay_unseen(s, seat, w.owned[seat], rng);
}

static void tensor_seat(const struct traps *s, int seat, float *t) {
  const pile p = s->piles[seat];
  t[SAL_TRAPS_THERE] = 1;
  t[SAL_TRAPS_TOKENS] = (float)s->tokens[seat] / WIN;
  t[SAL_TRAPS_HELD] = (float)total(s->hands[seat]) / HAND_MAX;
  t[SAL_TRAPS_LAID] = (float)laid(p) / HAND_MAX;
  t[SAL_TRAPS_DOWN] = (float)down(p) / HAND_MAX;
  t[SAL_TRAPS_PASSED] = (float)(s->passed >> seat & 1);
  t[SAL_TRAPS_FIRST] = s->first == seat;
  t[SAL_TRAPS_BETTOR] = s->high_bettor == seat;
  t[SAL_TRAPS_ASKED] = (float)(s->asked >> seat & 1);
  tensor_hand(t + SAL_TRAPS_KNOWN, widen(s->known[seat]));
  for (unsigned i = 0; i < laid(p); i++)
    if (card_at(p, i) < KINDS)
      t[SAL_TRAPS_PILE + KINDS * i + card_at(p, i)] = 1;
}

static void tensor(const sal_view *view, float *t) {
  const struct view *v = as_view(view);
  const struct traps *s = &v->s;
  const int me = v->viewer < 0 ? 0 : (int)v->viewer;
  memset(t, 0, SAL_TRAPS_TENSOR * sizeof *t);
  for (int i = 0; i < s->players; i++)
    tensor_seat(s, (me + i) % s->players, t + i * SAL_TRAPS_SEAT);
  tensor_hand(t + SAL_TRAPS_HAND, s->hands[me]);
  for (unsigned door = 0; door < DOORS; door++) {
    t[SAL_TRAPS_TARGET + door] = s->target == door;
    t[SAL_TRAPS_DOORS_LEFT + door] = (float)count(s->doors_left, door);
  }
  if (s->phase >= PLACE && s->phase < OVER)
    t[SAL_TRAPS_PHASE + s->phase - PLACE] = 1;
  t[SAL_TRAPS_POT] = (float)s->pot / SAL_SEATS_MAX;
  t[SAL_TRAPS_SUPPLY] = (float)s->supply / TOKENS;
  t[SAL_TRAPS_BET] = (float)s->high_bet / BET_MAX;
  t[SAL_TRAPS_POINTS] = (float)s->points / BET_MAX;
}

/* ---- Notation ----------------------------------------------------------- */

static void action_text(sal_action a, struct sal_text *out) {
  const unsigned number = number_of(a);
  switch (verb_of(a)) {
  case DRAWS: sal_text_add(out, card_names[number]); return;
  case BEGINS: sal_text_int(out, number); return;
  case PLACES:
  case BUILDS:
    sal_text_add(out, verb_of(a) == PLACES ? "place " : "build ");
    sal_text_add(out, card_names[number]);
    return;
  case PASSES: sal_text_add(out, "pass"); return;
  case STOPS: sal_text_add(out, "stop"); return;
  case BETS: sal_text_add(out, "bet "); break;
  case REVEALS: sal_text_add(out, "reveal "); break;
  default: sal_text_add(out, "give ");
  }
  sal_text_int(out, number);
}

static sal_action parse_card(const char *text, enum verb verb) {
  const unsigned card = card_parse(text);
  return card == NO_CARD ? 0 : act(verb, card);
}

static sal_action parse_number(const char *text, enum verb verb) {
  int32_t number;
  const char *rest = sal_number_read(text, &number);
  return rest && !*rest ? act(verb, (unsigned)number) : 0;
}

static sal_action action_parse(const char *text) {
  const char *rest;
  if (strcmp(text, "pass") == 0)
    return act(PASSES, 0);
  if (strcmp(text, "stop") == 0)
    return act(STOPS, 0);
  if ((rest = sal_skip(text, "place ")))
    return parse_card(rest, PLACES);
  if ((rest = sal_skip(text, "build ")))
    return parse_card(rest, BUILDS);
  if ((rest = sal_skip(text, "bet ")))
    return parse_number(rest, BETS);
  if ((rest = sal_skip(text, "reveal ")))
    return parse_number(rest, REVEALS);
  if ((rest = sal_skip(text, "give ")))
    return parse_number(rest, GIVES);
  return 0;
}

/* ---- The game ----------------------------------------------------------- */

/* clang-format off */
static const struct sal_rule rules[] = {
  {"traps.setup.tokens", N_("There are 25 tokens: each player starts with 1, the rest are the supply.")},
  {"traps.setup.deal", N_("Two Clues (four with five players) are put away unseen; the others are dealt out evenly and kept secret.")},
  {"traps.setup.doors", N_("The four Doors are shuffled; each will be the target once before they are shuffled again.")},
  {"traps.setup.first", N_("The table decides who is first, otherwise chance does.")},
  {"traps.round.start", N_("A round starts with an empty pot, new hands after every fourth round, one token a player into the pot as far as the supply goes, and a new target.")},
  {"traps.place.together", N_("Everyone secretly places one card from their hand before anything else happens.")},
  {"traps.turn.phase", N_("Only the actions of the current phase are allowed.")},
  {"traps.build.card", N_("Building lays a card from your hand face down on top of your own pile.")},
  {"traps.build.no-pass", N_("Before the first bet nobody can pass: build, or bet; with an empty hand, bet.")},
  {"traps.bet.opens", N_("The first bet ends building for everyone; cards still in hand stay there.")},
  {"traps.bet.number", N_("A bet is a whole number from 1 to 99.")},
  {"traps.bet.higher", N_("Each bet must be higher than the one before.")},
  {"traps.bet.pass", N_("A player who passes makes no more bets this round; their pile stays in play.")},
  {"traps.bet.won", N_("When all but one have passed, the one left reveals.")},
  {"traps.reveal.any-top", N_("The revealer turns up the top face-down card of any pile that has one.")},
  {"traps.reveal.points", N_("A card is worth a point for each trait that it shares with the target.")},
  {"traps.reveal.blue-red", N_("The Blue/Red card is worth 1 point against every target.")},
  {"traps.reveal.trap", N_("A card that shares nothing with the target is a trap: it costs the pot a token.")},
  {"traps.reveal.lady-tiger", N_("The Lady/Tiger card is a trap against every target.")},
  {"traps.trap.theirs", N_("The token of a trap goes to the player in whose pile it lay.")},
  {"traps.trap.own", N_("The token of the revealer's own trap must be given to an opponent who has fewer than 4.")},
  {"traps.trap.own-all-four", N_("If all opponents have 4 tokens, the revealer's own trap sends its token to the supply, costs 2 tokens into the pot and ends the round.")},
  {"traps.stop", N_("While revealing, but not while a token has to be given, you may pay one of your tokens into the pot to end the round.")},
  {"traps.success", N_("With as many points as the bet or more, the revealer takes the whole pot and the round ends.")},
  {"traps.fail.pot", N_("If the pot is empty before the bet is met, the bet has failed.")},
  {"traps.fail.cards", N_("If no card lies face down any more and the bet is not met, it has failed.")},
  {"traps.fail.pay", N_("A player who fails pays 1 token to the supply, or nothing without a token.")},
  {"traps.round.end", N_("All laid cards return to their owners' hands; the highest bettor is the next first player.")},
  {"traps.win", N_("A player who gets a fifth token wins at once.")},
  {"traps.conserve", N_("The tokens of the players, the pot and the supply always add up to 25.")},
  {NULL, NULL}};

static const struct sal_help help_list[] = {
  {"place", N_("Put a card face down on your pile. Cards that fit the target are points; cards that share nothing with it are traps.")},
  {"build", N_("Put another card on your pile, or open the betting with a number of points.")},
  {"bet", N_("Bet more points than the highest bet, or pass. The highest bettor must turn up cards to prove it.")},
  {"reveal", N_("Turn up the top card of any pile until the points meet your bet. Every trap takes a token out of the pot.")},
  {"give", N_("One of the traps was your own: choose who gets its token.")},
  {NULL, NULL}};

static const struct sal_option option_list[] = {
  {"first", SAL_OPTION_SEAT, NULL, N_("Who is first in the first round."), N_("First player"), NULL, false},
  {"memory", SAL_OPTION_WORD, memory_words, N_("Whether the table lists what attentive players could remember or count."), N_("Memory aids"), memory_says, false},
  {NULL, SAL_OPTION_SEAT, NULL, NULL}};
/* clang-format on */

/* ---- Dense actions ------------------------------------------------------- */

enum {
  INDEX_PLACE = 0,
  INDEX_BUILD = INDEX_PLACE + KINDS,
  INDEX_REVEAL = INDEX_BUILD + KINDS, /* seats: mine first, then clockwise */
  INDEX_GIVE = INDEX_REVEAL + SAL_SEATS_MAX,
  INDEX_PASS = INDEX_GIVE + SAL_SEATS_MAX,
  INDEX_STOP,
  INDEX_BET,
  INDEXES = INDEX_BET + BET_MAX
};

/* How far clockwise from a seat another sits. */
static size_t seats_on(const struct traps *s, int seat, unsigned other) {
  return (other + s->players - (unsigned)seat) % s->players;
}

static size_t action_index(const sal_state *state, int seat, sal_action a) {
  const struct traps *s = as_const_state(state);
  const unsigned number = number_of(a);
  switch (verb_of(a)) {
  case PLACES: return INDEX_PLACE + number;
  case BUILDS: return INDEX_BUILD + number;
  case REVEALS: return INDEX_REVEAL + seats_on(s, seat, number);
  case GIVES: return INDEX_GIVE + seats_on(s, seat, number);
  case PASSES: return INDEX_PASS;
  case STOPS: return INDEX_STOP;
  default: return INDEX_BET + (number - 1);
  }
}

static sal_action decoded(const struct traps *s, unsigned seat, unsigned i) {
  if (i < INDEX_BUILD)
    return act(PLACES, i - INDEX_PLACE);
  if (i < INDEX_REVEAL)
    return act(BUILDS, i - INDEX_BUILD);
  if (i < INDEX_GIVE)
    return act(REVEALS, (seat + i - INDEX_REVEAL) % s->players);
  if (i < INDEX_PASS)
    return act(GIVES, (seat + i - INDEX_GIVE) % s->players);
  return i == INDEX_PASS   ? act(PASSES, 0)
         : i == INDEX_STOP ? act(STOPS, 0)
                           : act(BETS, i - INDEX_BET + 1);
}

static sal_action action_at(const sal_state *state, int seat, size_t i) {
  const struct traps *s = as_const_state(state);
  if (i >= INDEXES)
    return 0;
  const sal_action a = decoded(s, (unsigned)seat, (unsigned)i);
  /* beyond the players a seat would come round again */
  return check(state, seat, a) == NULL && action_index(state, seat, a) == i ? a
                                                                            : 0;
}

static const struct sal_amount amounts[] = {
    {"win", WIN}, {"start", START}, {"highest_bet", BET_MAX}, {NULL, 0}};

const struct sal_game sal_traps = {
    .info = {.id = "traps",
             .title = N_("Traps"),
             .tagline = N_("Lay cards face down, bet on what all the piles "
                           "hold, and mind the traps."),
             .goal = N_("Be the first player with five tokens."),
             .role = N_("You lay cards face down, traps among them, and bet "
                        "on how much in all the piles fits the target."),
             .players_min = 2,
             .players_max = SAL_SEATS_MAX,
             .players_usual = 4,
             .minutes = 20,
             .state_size = sizeof(struct traps),
             .view_size = sizeof(struct view),
             .legal_max = KINDS + BET_MAX,
             .action_count = INDEXES,
             .tensor_size = SAL_TRAPS_TENSOR,
             .action_bits = UINT64_C(15) << 32 | 127,
             .recall = 128,
             .longest = 0, /* tokens can go round in circles */
             .score_min = 0,
             .score_max = WIN - 1 + SAL_SEATS_MAX,
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
    .facts = traps_facts,
    .event_facts = traps_event_facts,
    .prompt = traps_prompt,
    .position = traps_position,
    .event_say = traps_event_say,
    .event_rule = traps_event_rule,
    .action_say = traps_action_say,
    .action_text = action_text,
    .action_parse = action_parse,
    .action_index = action_index,
    .action_at = action_at,
    .piles = piles,
    .stock = stock,
    .selfcheck = selfcheck,
};

_Static_assert(SAL_TRAPS_HAND == SAL_SEATS_MAX * SAL_TRAPS_SEAT,
               "the blocks of the seats come first");
_Static_assert(sizeof(struct traps) <= 128,
               "a state of Traps fits two cache lines");
