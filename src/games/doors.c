/* Doors, for two: one collects cards and hides who they are, the other guesses.
 *
 * Everything on the table is public but the two identities. Main invariant:
 * the 14 Clues are always in deck, offer, collection and discards together.
 * Rule ids refer to docs/rules/doors.en.md. */
#include "aids.h"
#include "doors.h"
#include "rng_batch.h"
#include "salotto/tensor.h"

static const char *const guess_names[GUESS_COUNT] = {
    "red",      "blue",      "lady",      "tiger",
    "red lady", "blue lady", "red tiger", "blue tiger"};

enum event {
  ROUND = 1,
  DEALT,
  TAKEN,
  REFILLED,
  DISCARDED,
  GUESSED,
  CLAIMED,
  ENDED,
  IDENTITIES,
  ROUND_OVER,
  GAME_OVER
};

/* Why a round ended; the word told is the id of the rule. */
static const char *const reasons[] = {
    "doors.claim.collector", "doors.guess.wrong",   "doors.guess.trait",
    "doors.guess.both",      "doors.claim.guesser", "doors.deck-out"};
enum reason {
  BY_COLLECTOR,
  BY_WRONG,
  BY_TRAIT,
  BY_BOTH,
  BY_GUESSER,
  BY_DECK_OUT
};

static inline struct doors *as_state(sal_state *s) { return (struct doors *)s; }
static inline const struct doors *as_const_state(const sal_state *s) {
  return (const struct doors *)s;
}

/* ---- Sets --------------------------------------------------------------- */

/* doors.set.four, doors.set.blue-red, doors.set.lady-tiger: the traits of which
 * the cards hold a set, as bits red, blue, lady, tiger. */
static inline unsigned sets(hand h) {
  const unsigned either_colour = count(h, BR), either_role = count(h, LT);
  const unsigned red = count(h, RL) + count(h, RT) + either_colour;
  const unsigned blue = count(h, BL) + count(h, BT) + either_colour;
  const unsigned lady = count(h, RL) + count(h, BL) + either_role;
  const unsigned tiger = count(h, RT) + count(h, BT) + either_role;
  return (unsigned)(red >= SET) | (unsigned)(blue >= SET) << 1 |
         (unsigned)(lady >= SET) << 2 | (unsigned)(tiger >= SET) << 3;
}

/* doors.set.identity: the two traits of an identity, as the same bits. */
static inline unsigned traits(unsigned identity) {
  return 1u << (identity & 1) | 4u << (identity >> 1);
}

/* From the claim of a turn on, the collection holds a card for each turn. */
static inline bool has_set(const struct doors *s, int seat) {
  return s->turn >= SET &&
         (sets(s->collection) & traits(s->identity[seat])) != 0;
}

/* ---- Events ------------------------------------------------------------- */

static inline void tell_card(struct sal_log *log, enum event kind, int seat,
                             unsigned card) {
  tell(log, (struct sal_event){.kind = (uint8_t)kind,
                               .seat = (int8_t)seat,
                               .open = 1,
                               .count = 1,
                               .value = {(int16_t)card}});
}

/* ---- Course of the game ------------------------------------------------- */

/* doors.setup.deck, doors.setup.empty. */
static void begin_round(struct doors *s) {
  s->deck = ALL_CLUES;
  s->offer = s->collection = 0;
  memset(s->discards, NO_CARD, sizeof s->discards);
  s->discarded = 0;
  s->identity[0] = s->identity[1] = NO_CARD;
  s->turn = 1;
  s->round++;
  s->phase = IDENTITY;
}

/* doors.setup.roles */
static void begin_with(struct doors *s, unsigned seat) {
  s->first = s->collector = (uint8_t)seat;
  s->phase = IDENTITY;
}

static void init(sal_state *state, const struct sal_setup *setup) {
  struct doors *s = as_state(state);
  memset(s, 0, sizeof *s);
  s->last[0] = s->last[1] = NO_CARD;
  s->goal = (uint8_t)setup->option[1];
  s->memory = (uint8_t)setup->option[2];
  begin_round(s);
  if (setup->option[0] == SAL_BY_LOT)
    s->phase = LOT;
  else
    begin_with(s, (unsigned)setup->option[0]);
}

/* doors.variant.three: there a round pays the same, however it ends. */
static int round_pays(const struct doors *s, int tokens) {
  return goals[s->goal].pay ? goals[s->goal].pay : tokens;
}

/* doors.round.end, doors.win */
static void end_round(struct doors *s, int earner, int tokens, enum reason why,
                      struct sal_log *log) {
  tell(log, (struct sal_event){.kind = IDENTITIES,
                               .seat = -1,
                               .open = 2,
                               .count = 2,
                               .reveals = true,
                               .value = {s->identity[0], s->identity[1]}});
  tokens = round_pays(s, tokens);
  s->tokens[earner] = (uint8_t)(s->tokens[earner] + tokens);
  tell(log, (struct sal_event){.kind = ROUND_OVER,
                               .seat = (int8_t)earner,
                               .open = 2,
                               .count = 2,
                               .value = {(int16_t)tokens, (int16_t)why}});
  if (s->tokens[earner] >= wins_at(s)) {
    s->phase = OVER;
    tell(log, (struct sal_event){.kind = GAME_OVER, .seat = (int8_t)earner});
    return;
  }
  s->last[0] = s->identity[0];
  s->last[1] = s->identity[1];
  s->collector ^= 1;
  begin_round(s);
}

/* doors.setup.identity */
static inline void deal_identity(struct doors *s, unsigned door,
                                 struct sal_log *log) {
  const int seat = s->identity[0] == NO_CARD ? 0 : 1;
  s->identity[seat] = (uint8_t)door;
  tell(log, (struct sal_event){.kind = DEALT,
                               .seat = (int8_t)seat,
                               .seen_by = (uint8_t)(1 << seat),
                               .count = 1,
                               .value = {(int16_t)door}});
  if (seat == 1)
    s->phase = DEAL_OFFER;
}

static inline void turn_up(struct doors *s, unsigned card) {
  s->deck -= one(card);
  s->offer += one(card);
}

static void tell_round(const struct doors *s, struct sal_log *log) {
  struct sal_event e = {.kind = ROUND,
                        .seat = (int8_t)s->collector,
                        .open = 1 + OFFER,
                        .count = 1 + OFFER,
                        .value = {s->round}};
  for (unsigned i = 0; i < OFFER; i++)
    e.value[1 + i] = (int16_t)pick(s->offer, i);
  tell(log, e);
}

static void deal_offer(struct doors *s, unsigned card, struct sal_log *log) {
  turn_up(s, card);
  if (total(s->offer) == OFFER) {
    s->phase = TAKE;
    tell_round(s, log);
  }
}

/* doors.take.refill, doors.discard.refill, doors.claim.public-step */
static inline void refill(struct doors *s, unsigned card, struct sal_log *log) {
  turn_up(s, card);
  tell_card(log, REFILLED, -1, card);
  if (s->phase == REFILL_DISCARD)
    s->phase = GUESS;
  else
    s->phase = s->turn >= SET && sets(s->collection) ? CLAIM : DISCARD;
}

/* By phase and collector. */
static const uint16_t asked[][2] = {
    [LOT] = {SAL_CHANCE_BIT, SAL_CHANCE_BIT},
    [IDENTITY] = {SAL_CHANCE_BIT, SAL_CHANCE_BIT},
    [DEAL_OFFER] = {SAL_CHANCE_BIT, SAL_CHANCE_BIT},
    [REFILL_TAKE] = {SAL_CHANCE_BIT, SAL_CHANCE_BIT},
    [REFILL_DISCARD] = {SAL_CHANCE_BIT, SAL_CHANCE_BIT},
    [TAKE] = {1, 2},
    [CLAIM] = {1, 2},
    [DISCARD] = {2, 1},
    [GUESS] = {2, 1},
    [OVER] = {0, 0}};

static unsigned to_act(const sal_state *state) {
  return asked[as_const_state(state)->phase][as_const_state(state)->collector];
}

static size_t legal(const sal_state *state, int seat, sal_action *out) {
  const struct doors *s = as_const_state(state);
  if (!(to_act(state) >> seat & 1))
    return 0;
  size_t n = 0;
  switch (s->phase) {
  case TAKE: return each_card(s->offer, TAKES, out);
  case DISCARD: return each_card(s->offer, DISCARDS, out);
  case GUESS:
    for (; n < GUESS_COUNT; n++) /* doors.guess.any */
      out[n] = GUESSES | n;
    break;
  default: break;
  }
  out[n] = CLAIMS;
  n += has_set(s, seat);
  out[n++] = ENDS;
  return n;
}

static const char *check(const sal_state *state, int seat, sal_action a) {
  const struct doors *s = as_const_state(state);
  const sal_action verb = verb_of(a);
  switch (s->phase) {
  case TAKE:
    if (verb == TAKES)
      return count(s->offer, number_of(a)) ? NULL : "doors.take.any";
    break;
  case CLAIM:
    if (verb == CLAIMS)
      return has_set(s, seat) ? NULL : "doors.claim.collector";
    if (verb == ENDS)
      return NULL;
    break;
  case DISCARD:
    if (verb == DISCARDS && count(s->offer, number_of(a)))
      return NULL;
    if (verb != TAKES)
      return "doors.discard.first";
    break;
  case GUESS:
    if (verb == CLAIMS)
      return has_set(s, seat) ? NULL : "doors.claim.guesser";
    if (verb == GUESSES || verb == ENDS)
      return NULL;
    break;
  default: break;
  }
  return "doors.turn.phase";
}

/* doors.guess.trait, doors.guess.both, doors.guess.wrong */
static void resolve_guess(struct doors *s, int seat, unsigned guess,
                          struct sal_log *log) {
  /* Looked up, not branched: the outcome of a guess is hard to predict. */
  static const uint8_t named[GUESS_COUNT] = {1, 2, 4, 8, 5, 6, 9, 10};
  static const uint8_t pay[] = {PAY_WRONG, PAY_TRAIT, PAY_BOTH};
  const bool right = (named[guess] & ~traits(s->identity[s->collector])) == 0;
  const unsigned how = right * (1u + (guess >= 4));
  end_round(s, seat ^ !right, pay[how], BY_WRONG + how, log);
}

static inline void take(struct doors *s, unsigned card) {
  s->offer -= one(card);
  s->collection += one(card);
  s->phase = REFILL_TAKE;
}

static inline void discard(struct doors *s, unsigned card) {
  s->offer -= one(card);
  s->discards[s->discarded++] = (uint8_t)card;
  s->phase = REFILL_DISCARD;
}

static inline void claim(struct doors *s, int seat, struct sal_log *log) {
  if (s->phase == CLAIM)
    end_round(s, seat, PAY_SET, BY_COLLECTOR, log);
  else
    end_round(s, seat, PAY_GUESSER_SET, BY_GUESSER, log);
}

static inline void end_turn(struct doors *s, int seat, struct sal_log *log) {
  if (s->phase == CLAIM) {
    s->phase = DISCARD;
  } else if (s->turn < TURNS) {
    s->turn++;
    s->phase = TAKE;
  } else {
    end_round(s, seat, PAY_DECK_OUT, BY_DECK_OUT, log);
  }
}

static void apply(sal_state *state, int seat, sal_action a,
                  struct sal_log *log) {
  struct doors *s = as_state(state);
  const unsigned arg = number_of(a);
  assert(seat == SAL_CHANCE || check(state, seat, a) == NULL);
  switch (verb_of(a)) {
  case BEGINS:
    assert(s->phase == LOT);
    begin_with(s, arg);
    break;
  case DRAW:
    assert(s->phase == IDENTITY || (s->phase < TAKE && count(s->deck, arg)));
    if (s->phase == IDENTITY)
      deal_identity(s, arg, log);
    else if (s->phase == DEAL_OFFER)
      deal_offer(s, arg, log);
    else
      refill(s, arg, log);
    break;
  case TAKES:
    take(s, arg);
    tell_card(log, TAKEN, seat, arg);
    break;
  case DISCARDS:
    discard(s, arg);
    tell_card(log, DISCARDED, seat, arg);
    break;
  case GUESSES:
    tell_card(log, GUESSED, seat, arg);
    resolve_guess(s, seat, arg, log);
    break;
  case CLAIMS:
    tell(log, (struct sal_event){.kind = CLAIMED, .seat = (int8_t)seat});
    claim(s, seat, log);
    break;
  case ENDS:
    tell(log, (struct sal_event){.kind = ENDED, .seat = (int8_t)seat});
    end_turn(s, seat, log);
    break;
  default: assert(false && "no action of Doors");
  }
}

/* ---- Chance ------------------------------------------------------------- */

enum { PILE_IDENTITIES, PILE_DECK };

static inline hand doors_left(const struct doors *s) {
  return s->identity[0] == NO_CARD ? ALL_DOORS
                                   : ALL_DOORS - one(s->identity[0]);
}

static void chance(const sal_state *state, struct sal_chance *c) {
  const struct doors *s = as_const_state(state);
  *c = (struct sal_chance){.entry = s->round - 1, .pile = PILE_DECK};
  if (s->phase == LOT) {
    c->pile = -1;
    c->count = 2;
    c->outcome[0] = (struct sal_outcome){BEGINS | 0, 1};
    c->outcome[1] = (struct sal_outcome){BEGINS | 1, 1};
  } else if (s->phase == IDENTITY) {
    c->pile = PILE_IDENTITIES;
    c->index = s->identity[0] != NO_CARD;
    draw_outcomes(c, doors_left(s), DRAW);
  } else {
    c->index = CLUE_COUNT - (int)total(s->deck);
    draw_outcomes(c, s->deck, DRAW);
  }
}

static void sample_round(struct doors *s, struct sal_rng *rng) {
  static const uint32_t choices[] = {4, 3, 14, 13, 12, 11};
  uint32_t n[2 + OFFER];
  rng_batch(rng, choices, 4 * 3 * 14 * 13 * 12 * 11, n, 2 + OFFER);
  hand deck = s->deck;
  for (int i = 2; i < 2 + OFFER; i++)
    deck -= one(pick(deck, n[i]));
  s->offer = s->deck - deck;
  s->deck = deck;
  s->identity[0] = (uint8_t)n[0];
  s->identity[1] = (uint8_t)pick(doors_left(s), n[1]);
  s->phase = TAKE;
}

/* A state that stands between two draws of a deal (only a table that plays
 * chance step by step has such) is finished draw by draw. */
static void sample_rest(struct doors *s, struct sal_rng *rng) {
  while (s->phase == IDENTITY || s->phase == DEAL_OFFER) {
    struct sal_chance c;
    chance((const sal_state *)s, &c);
    apply((sal_state *)s, SAL_CHANCE, sal_chance_draw(&c, rng), NULL);
  }
}

static inline void refill_any(struct doors *s, struct sal_rng *rng) {
  refill(s, pick(s->deck, sal_rng_below(rng, total(s->deck))), NULL);
}

static void sample(sal_state *state, struct sal_rng *rng) {
  struct doors *s = as_state(state);
  if (s->phase == LOT)
    begin_with(s, sal_rng_below(rng, 2));
  if (s->phase == REFILL_TAKE || s->phase == REFILL_DISCARD)
    refill_any(s, rng);
  else if (s->phase == IDENTITY && s->identity[0] == NO_CARD)
    sample_round(s, rng);
  else
    sample_rest(s, rng);
}

/* ---- Playouts ----------------------------------------------------------- */

/* As `legal` lists it: each kind there is as likely. */
static inline unsigned any_card(hand h, struct sal_rng *rng) {
  const hand kinds = ((h + 127 * EVERY_BYTE) >> 7) & EVERY_BYTE;
  return pick(kinds, sal_rng_below(rng, total(kinds)));
}

/* Guesses come first, then the claim where there is one, then the end. */
static inline void any_answer(struct doors *s, int seat, struct sal_rng *rng) {
  const unsigned guesses = s->phase == GUESS ? GUESS_COUNT : 0;
  const bool set = has_set(s, seat);
  const unsigned i = sal_rng_below(rng, guesses + set + 1);
  if (i < guesses)
    resolve_guess(s, seat, i, NULL);
  else if (i < guesses + set)
    claim(s, seat, NULL);
  else
    end_turn(s, seat, NULL);
}

/* Nothing is listed, and the compiler sees all that happens. */
static uint64_t playout(sal_state *state, struct sal_rng *rng, uint64_t most) {
  struct doors *s = as_state(state);
  struct sal_rng own = *rng; /* where nobody else sees it change */
  uint64_t n = 0;
  for (;; n++) {
    if (s->phase <= REFILL_DISCARD)
      sample(state, &own);
    if (n == most || s->phase == OVER)
      break;
    if (s->phase == TAKE) {
      take(s, any_card(s->offer, &own));
      refill_any(s, &own);
    } else if (s->phase == DISCARD) {
      discard(s, any_card(s->offer, &own));
      refill_any(s, &own);
    } else {
      any_answer(s, s->collector ^ (s->phase == GUESS), &own);
    }
  }
  *rng = own;
  return n;
}

static int closed(const sal_state *state) {
  const struct doors *s = as_const_state(state);
  return s->phase == OVER ? s->round : s->round - 1;
}

static int piles(const struct sal_setup *setup, int entry,
                 struct sal_pile *out) {
  (void)setup;
  (void)entry;
  out[PILE_IDENTITIES] = (struct sal_pile){"identities", 0, 2, 2, false};
  out[PILE_DECK] = (struct sal_pile){"deck", 0, 0, CLUE_COUNT, false};
  return 2;
}

static int stock(const struct sal_setup *setup, int pile, const char *name) {
  (void)setup;
  return stock_of(pile == PILE_IDENTITIES ? ALL_DOORS : ALL_CLUES, name);
}

/* ---- Results ------------------------------------------------------------ */

static void scores(const sal_state *state, int32_t *out) {
  out[0] = as_const_state(state)->tokens[0];
  out[1] = as_const_state(state)->tokens[1];
}

static unsigned winners(const sal_state *state) {
  const struct doors *s = as_const_state(state);
  return s->phase != OVER ? 0 : s->tokens[0] >= wins_at(s) ? 1 : 2;
}

static void options(const sal_state *state, int32_t *out) {
  out[0] = as_const_state(state)->first;
  out[1] = as_const_state(state)->goal;
  out[2] = as_const_state(state)->memory;
}

static const char *selfcheck(const sal_state *state) {
  const struct doors *s = as_const_state(state);
  hand all = s->deck + s->offer + s->collection;
  for (int i = 0; i < s->discarded; i++)
    all += one(s->discards[i]);
  if (all != ALL_CLUES)
    return "the 14 Clues are not all there";
  if (s->phase > REFILL_DISCARD && total(s->offer) != OFFER)
    return "the offer is not full";
  if (s->phase >= TAKE && (s->identity[0] >= DOORS || s->identity[1] >= DOORS ||
                           s->identity[0] == s->identity[1]))
    return "the identities are not two different Doors";
  if (s->phase != OVER &&
      (s->tokens[0] >= wins_at(s) || s->tokens[1] >= wins_at(s)))
    return "somebody has won and the game goes on";
  if (s->turn < 1 || s->turn > TURNS)
    return "there are five pairs of turns";
  return NULL;
}

/* ---- Views -------------------------------------------------------------- */

static void view(const sal_state *state, int viewer, sal_view *out) {
  struct view *v = (struct view *)out;
  v->s = *as_const_state(state);
  v->viewer = viewer;
  if (viewer == SAL_EVERYTHING || v->s.phase == OVER)
    return;
  hide_identities(v->s.identity, 2, viewer);
}

static void resample(const sal_view *view, struct sal_rng *rng,
                     sal_state *state) {
  const struct view *v = as_view(view);
  struct doors *s = as_state(state);
  *s = v->s;
  resample_identities(s->identity, 2, rng);
}

static void tensor(const sal_view *view, float *t) {
  const struct view *v = as_view(view);
  const struct doors *s = &v->s;
  const int me = v->viewer == 1;
  memset(t, 0, SAL_DOORS_TENSOR * sizeof *t);
  for (int i = 0; i < 2; i++) {
    const unsigned now = s->identity[me ^ i], before = s->last[me ^ i];
    if (now < DOORS)
      t[(i ? SAL_DOORS_THEM : SAL_DOORS_ME) + now] = 1;
    if (before < DOORS)
      t[(i ? SAL_DOORS_LAST_THEM : SAL_DOORS_LAST_ME) + before] = 1;
  }
  hand thrown = 0;
  for (int i = 0; i < s->discarded; i++) {
    thrown += one(s->discards[i]);
    t[SAL_DOORS_DISCARDS + i * KINDS + s->discards[i]] = 1;
  }
  tensor_hand(t + SAL_DOORS_DECK, s->deck);
  tensor_hand(t + SAL_DOORS_OFFER, s->offer);
  tensor_hand(t + SAL_DOORS_COLLECTION, s->collection);
  tensor_hand(t + SAL_DOORS_DISCARDED, thrown);
  if (s->phase >= TAKE && s->phase < OVER)
    t[SAL_DOORS_PHASE + s->phase - TAKE] = 1;
  t[SAL_DOORS_TOKENS] = (float)tokens_to_10(s, me) / 10;
  t[SAL_DOORS_TOKENS + 1] = (float)tokens_to_10(s, !me) / 10;
  t[SAL_DOORS_TURN] = (float)s->turn / TURNS;
  t[SAL_DOORS_COLLECTING] = s->collector == me;
}

static const char *const phase_names[] = {
    [LOT] = "deal",         [IDENTITY] = "deal",       [DEAL_OFFER] = "deal",
    [REFILL_TAKE] = "deal", [REFILL_DISCARD] = "deal", [TAKE] = "take",
    [CLAIM] = "claim",      [DISCARD] = "discard",     [GUESS] = "guess",
    [OVER] = "over"};

enum { PAYS = 3 }; /* from there on what a round pays */
static const struct sal_amount amounts[] = {{"win", USUAL_GOAL},
                                            {"turns", TURNS},
                                            {"set", SET},
                                            {"trait", PAY_TRAIT},
                                            {"both", PAY_BOTH},
                                            {"wrong", PAY_WRONG},
                                            {"claim", PAY_SET},
                                            {"guesser_claim", PAY_GUESSER_SET},
                                            {NULL, 0}};

/* Those that hang on the options, as they are in this game. */
static void json_amounts(const struct doors *s, struct sal_json *j) {
  sal_json_int(j, "win", (int)wins_at(s));
  sal_json_object(j, "pays");
  for (const struct sal_amount *a = amounts + PAYS; a->name; a++)
    sal_json_int(j, a->name, round_pays(s, a->value));
  sal_json_end(j, '}');
}

static void facts(const sal_view *view, struct sal_json *j) {
  const struct doors *s = &as_view(view)->s;
  sal_json_string(j, "phase", phase_names[s->phase]);
  sal_json_int(j, "round", s->round);
  sal_json_int(j, "collector", s->collector);
  sal_json_int(j, "guesser_turn", s->turn);
  sal_json_list(j, "tokens");
  sal_json_int(j, NULL, s->tokens[0]);
  sal_json_int(j, NULL, s->tokens[1]);
  sal_json_end(j, ']');
  json_amounts(s, j);
  json_hand(j, "offer", s->offer);
  json_hand(j, "collection", s->collection);
  json_cards(j, "discards", s->discards, s->discarded);
  sal_json_int(j, "deck_count", total(s->deck));
  json_aid(j, "deck_left", s->deck, s->memory);
  json_cards(j, "identities", s->identity, 2);
  if (s->last[0] == NO_CARD)
    sal_json_null(j, "last");
  else
    json_cards(j, "last", s->last, 2);
}

static void event_facts(const struct sal_event *e, struct sal_json *j) {
  static const char *const names[] = {
      [ROUND] = "round",           [DEALT] = "dealt",
      [TAKEN] = "taken",           [REFILLED] = "refilled",
      [DISCARDED] = "discarded",   [GUESSED] = "guessed",
      [CLAIMED] = "claimed",       [ENDED] = "ended",
      [IDENTITIES] = "identities", [ROUND_OVER] = "round_over",
      [GAME_OVER] = "game_over"};
  sal_json_string(j, "event", names[e->kind]);
  uint8_t cards[OFFER];
  for (int i = 0; i < OFFER; i++)
    cards[i] = e->value[i] == SAL_HIDDEN ? NO_CARD : (uint8_t)e->value[i];
  switch (e->kind) {
  case ROUND:
    sal_json_int(j, "round", e->value[0]);
    sal_json_int(j, "collector", e->seat);
    sal_json_list(j, "offer");
    for (int i = 1; i <= OFFER; i++)
      sal_json_string(j, NULL, card_names[e->value[i]]);
    sal_json_end(j, ']');
    break;
  case DEALT:
  case TAKEN:
  case DISCARDED:
    sal_json_int(j, "seat", e->seat);
    sal_json_string(j, "card", card_names[cards[0]]);
    break;
  case REFILLED: sal_json_string(j, "card", card_names[cards[0]]); break;
  case GUESSED:
    sal_json_int(j, "seat", e->seat);
    sal_json_string(j, "guess", guess_names[e->value[0]]);
    break;
  case CLAIMED:
  case ENDED: sal_json_int(j, "seat", e->seat); break;
  case IDENTITIES: json_cards(j, "identities", cards, 2); break;
  case ROUND_OVER:
    sal_json_int(j, "seat", e->seat);
    sal_json_int(j, "tokens", e->value[0]);
    sal_json_string(j, "reason", reasons[e->value[1]]);
    break;
  case GAME_OVER:
    sal_json_list(j, "winners");
    sal_json_int(j, NULL, e->seat);
    sal_json_end(j, ']');
    break;
  default: break;
  }
}

/* ---- Words -------------------------------------------------------------- */

/* Whether this seat can claim, as far as the viewer knows. */
static bool may_claim(const struct view *v, int seat) {
  return seat == v->viewer ? has_set(&v->s, seat)
                           : v->s.turn >= SET && sets(v->s.collection);
}

/* Names only what is possible. */
static const char *question(const struct view *v, int seat) {
  switch (v->s.phase) {
  case TAKE: return N_("[Your turn: take|{seat} must take] a card.");
  case CLAIM:
    if (!may_claim(v, seat))
      return N_("[You have|{seat} has] no set to claim: end the turn.");
    return N_("[You may|{seat} may] claim a set or end the turn.");
  case DISCARD: return N_("[Your turn: discard|{seat} must discard] a card.");
  case GUESS:
    if (!may_claim(v, seat))
      return N_("[You may|{seat} may] guess or end the turn.");
    return N_("[You may|{seat} may] guess, claim a set or end the turn.");
  default: return N_("[You have|{seat} has] won.");
  }
}

static void prompt(const sal_view *view, const struct sal_words *w,
                   struct sal_text *t) {
  const struct view *v = as_view(view);
  const int guesser = v->s.phase == DISCARD || v->s.phase == GUESS;
  int seat = v->s.collector ^ guesser;
  if (v->s.phase == OVER)
    seat = v->s.tokens[0] >= wins_at(&v->s) ? 0 : 1;
  sal_say(t, w, seat == v->viewer, question(v, seat),
          (struct sal_place[]){place_seat("seat", seat)}, 1);
}

static void position(const sal_view *view, const struct sal_words *w,
                     struct sal_text *t) {
  const struct view *v = as_view(view);
  const struct doors *s = &v->s;
  sal_say(t, w, false,
          N_("Round {round}, turn {turn} of 5\n"
             "Collector: {collector}. Guesser: {guesser}.\n"),
          (struct sal_place[]){place_number("round", s->round),
                               place_number("turn", s->turn),
                               place_seat("collector", s->collector),
                               place_seat("guesser", s->collector ^ 1)},
          4);
  sal_say(t, w, false,
          N_("Tokens ({goal} win): {seat0}: {tokens0}, {seat1}: {tokens1}\n"),
          (struct sal_place[]){
              place_seat("seat0", 0), place_number("tokens0", s->tokens[0]),
              place_seat("seat1", 1), place_number("tokens1", s->tokens[1]),
              place_number("goal", wins_at(s))},
          5);
  row(t, w, N_("  Offer:      "), s->offer);
  row(t, w, N_("  Collection: "), s->collection);
  sal_say(t, w, false, N_("  Discards:   "), NULL, 0);
  for (int i = 0; i < s->discarded; i++) {
    sal_text_char(t, ' ');
    sal_text_add(t, card_names[s->discards[i]]);
  }
  sal_text_add(t, s->discarded ? "\n" : " -\n");
  if (!s->memory)
    row(t, w, N_("  In the deck:"), s->deck);
  for (int seat = 0; seat < 2; seat++)
    if (s->identity[seat] < DOORS)
      sal_say(t, w, seat == v->viewer, N_("[You are|{seat} is] the {card}.\n"),
              (struct sal_place[]){place_seat("seat", seat),
                                   place_card("card", s->identity[seat])},
              2);
}

static const char *const guess_titles[GUESS_COUNT] = {
    N_("red"),           N_("blue"),          N_("a Lady"),
    N_("a Tiger"),       N_("the Red Lady"),  N_("the Blue Lady"),
    N_("the Red Tiger"), N_("the Blue Tiger")};

static const char *event_rule(const struct sal_event *e) {
  static const char *const ids[] = {
      [ROUND] = "doors.setup.roles",       [DEALT] = "doors.setup.identity",
      [TAKEN] = "doors.take.any",          [REFILLED] = "doors.take.refill",
      [DISCARDED] = "doors.discard.first", [GUESSED] = "doors.guess.one-of",
      [CLAIMED] = "doors.set.four",        [ENDED] = "doors.turn.phase",
      [IDENTITIES] = "doors.round.end",    [GAME_OVER] = "doors.win"};
  if (e->kind == ROUND_OVER)
    return reasons[e->value[1]];
  return ids[e->kind];
}

static void event_say(const struct sal_event *e, int viewer,
                      const struct sal_words *w, struct sal_text *t) {
  const bool you = e->seat == viewer && viewer >= 0;
  struct sal_place p[4] = {place_seat("seat", e->seat)};
  switch (e->kind) {
  case ROUND:
    p[1] = place_number("round", e->value[0]);
    sal_say(t, w, you,
            N_("Round {round} begins; [you are|{seat} is] the Collector."), p,
            2);
    return;
  case DEALT:
    if (e->value[0] == SAL_HIDDEN) {
      sal_say(t, w, you, N_("{seat} gets an identity."), p, 1);
      return;
    }
    p[1] = place_card("card", (unsigned)e->value[0]);
    sal_say(t, w, you, N_("[You are|{seat} is] the {card}."), p, 2);
    return;
  case TAKEN:
  case REFILLED:
  case DISCARDED:
    p[1] = place_card("card", (unsigned)e->value[0]);
    sal_say(t, w, you,
            e->kind == TAKEN ? N_("[You take|{seat} takes] the {card}.")
            : e->kind == REFILLED
                ? N_("The {card} comes into the offer.")
                : N_("[You discard|{seat} discards] the {card}."),
            p, 2);
    return;
  case GUESSED:
    p[1] = (struct sal_place){"guess", SAL_PLACE_WORD,
                              guess_titles[e->value[0]], 0};
    sal_say(t, w, you,
            N_("[You guess|{seat} guesses] that the Collector is {guess}."), p,
            2);
    return;
  case CLAIMED:
    sal_say(t, w, you, N_("[You claim|{seat} claims] a set."), p, 1);
    return;
  case ENDED:
    sal_say(t, w, you, N_("[You end your turn|{seat} ends the turn]."), p, 1);
    return;
  case IDENTITIES:
    p[0] = place_seat("seat0", 0);
    p[1] = place_card("card0", (unsigned)e->value[0]);
    p[2] = place_seat("seat1", 1);
    p[3] = place_card("card1", (unsigned)e->value[1]);
    sal_say(t, w, you, N_("Identities: {seat0} {card0}, {seat1} {card1}."), p,
            4);
    return;
  case ROUND_OVER:
    p[1] = place_number("tokens", e->value[0]);
    sal_say_n(t, w, you,
              NN_("[You earn|{seat} earns] {tokens} token.",
                  "[You earn|{seat} earns] {tokens} tokens."),
              (unsigned long)e->value[0], p, 2);
    return;
  case GAME_OVER:
    sal_say(t, w, you, N_("[You win|{seat} wins] the game."), p, 1);
    return;
  default: return;
  }
}

static void action_say(const sal_view *view, sal_action a,
                       const struct sal_words *w, struct sal_text *t) {
  (void)view;
  const unsigned arg = number_of(a);
  const struct sal_place card = {"card", SAL_PLACE_WORD,
                                 arg < KINDS ? card_title(arg) : "", 0};
  switch (verb_of(a)) {
  case TAKES: sal_say(t, w, false, N_("Take the {card}"), &card, 1); return;
  case DISCARDS:
    sal_say(t, w, false, N_("Discard the {card}"), &card, 1);
    return;
  case GUESSES:
    sal_say(t, w, false, N_("Guess that the Collector is {guess}"),
            &(struct sal_place){"guess", SAL_PLACE_WORD, guess_titles[arg], 0},
            1);
    return;
  case CLAIMS: sal_say(t, w, false, N_("Claim a set"), NULL, 0); return;
  default: sal_say(t, w, false, N_("End the turn"), NULL, 0); return;
  }
}

/* ---- Notation ----------------------------------------------------------- */

static void action_text(sal_action a, struct sal_text *out) {
  const unsigned arg = number_of(a);
  switch (verb_of(a)) {
  case BEGINS: sal_text_int(out, arg); return;
  case DRAW: sal_text_add(out, card_names[arg]); return;
  case TAKES: sal_text_add(out, "take "); break;
  case DISCARDS: sal_text_add(out, "discard "); break;
  case GUESSES:
    sal_text_add(out, "guess ");
    sal_text_add(out, guess_names[arg]);
    return;
  case CLAIMS: sal_text_add(out, "claim"); return;
  default: sal_text_add(out, "end"); return;
  }
  sal_text_add(out, card_names[arg]);
}

static sal_action action_parse(const char *text) {
  const char *rest;
  if (strcmp(text, "claim") == 0)
    return CLAIMS;
  if (strcmp(text, "end") == 0)
    return ENDS;
  if ((rest = sal_skip(text, "guess "))) {
    for (unsigned g = 0; g < GUESS_COUNT; g++)
      if (strcmp(rest, guess_names[g]) == 0)
        return GUESSES | g;
    return 0;
  }
  sal_action verb = TAKES;
  if (!(rest = sal_skip(text, "take "))) {
    verb = DISCARDS;
    if (!(rest = sal_skip(text, "discard ")))
      return 0;
  }
  const unsigned card = card_parse(rest);
  return card == NO_CARD ? 0 : verb | card;
}

/* ---- The game ----------------------------------------------------------- */

/* clang-format off */
static const struct sal_rule rules[] = {
  {"doors.setup.roles", N_("The table decides who collects first; after every round the roles swap.")},
  {"doors.setup.identity", N_("Each player gets one of the four Doors as a secret identity; the other two stay unseen.")},
  {"doors.setup.deck", N_("The 14 Clues are shuffled; four lie open as the offer, ten are the deck.")},
  {"doors.setup.empty", N_("Collection and discards start empty; tokens carry over from round to round.")},
  {"doors.turn.phase", N_("Only the actions of the current step are allowed.")},
  {"doors.take.any", N_("The Collector takes one of the cards that lie in the offer, fitting or not.")},
  {"doors.take.refill", N_("After a take the offer is refilled at once, before the claim.")},
  {"doors.claim.collector", N_("The Collector may claim only a set that matches their identity; it earns 6.")},
  {"doors.claim.public-step", N_("The Collector is asked to claim whenever the collection holds a set for anyone.")},
  {"doors.discard.first", N_("The Guesser's turn starts with discarding one of the cards in the offer; nothing else comes before.")},
  {"doors.discard.refill", N_("After the discard the offer is refilled at once; the discards stay open.")},
  {"doors.guess.one-of", N_("After the discard the Guesser does at most one thing: guess, claim, or end the turn.")},
  {"doors.guess.trait", N_("Naming one trait rightly earns the Guesser 1.")},
  {"doors.guess.both", N_("Naming both traits rightly earns the Guesser 5.")},
  {"doors.guess.wrong", N_("If any part of the guess is wrong, the Collector earns 4.")},
  {"doors.guess.any", N_("All eight guesses are allowed, your own identity too.")},
  {"doors.claim.guesser", N_("The Guesser may claim only a set among the Collector's cards that matches the Guesser's own identity; it earns 2.")},
  {"doors.deck-out", N_("If the round is still on when the Guesser's fifth turn ends, the Guesser earns 3.")},
  {"doors.set.four", N_("Four or more cards that share a trait are one set.")},
  {"doors.set.blue-red", N_("The Blue/Red card counts for either colour, never for a role.")},
  {"doors.set.lady-tiger", N_("The Lady/Tiger card counts for either role, never for a colour.")},
  {"doors.set.identity", N_("A set matches an identity if its trait is one of the identity's two.")},
  {"doors.round.end", N_("The round ends the moment anyone earns tokens; identities are shown, roles swap, all cards are dealt anew.")},
  {"doors.win", N_("The first player with 10 or more tokens wins.")},
  {"doors.variant.goal", N_("A table may play to 5 or to 15 tokens instead of 10; nothing else changes.")},
  {"doors.variant.three", N_("In a best of three every round pays exactly 1 token, and the first player with 2 tokens wins.")},
  {NULL, NULL}};

static const char *const goal_words[] = {"10", "5", "15", "three", NULL};
static const char *const goal_says[] = {N_("10 tokens"), N_("5 tokens (variant)"), N_("15 tokens (variant)"), N_("best of three rounds (variant)"), NULL};

static const struct sal_help help_list[] = {
  {"take", N_("Take a card from the offer: four cards that share a trait of your identity are a set, and win you the round. But every card you take tells the Guesser something.")},
  {"claim", N_("There is a set among the collected cards. If it matches your identity, claim it to win the round; if not, carry on.")},
  {"discard", N_("First discard a card from the offer: take away what the Collector seems to want.")},
  {"guess", N_("Name one trait or both, or end the turn. Each choice says how many tokens it pays; if any part is wrong, the Collector is paid.")},
  {NULL, NULL}};

static const struct sal_option option_list[] = {
  {"first", SAL_OPTION_SEAT, NULL, N_("Who collects first."), N_("First player"), NULL, false},
  {"goal", SAL_OPTION_WORD, goal_words, N_("How many tokens win the game."), N_("Playing to"), goal_says, false},
  {"memory", SAL_OPTION_WORD, memory_words, N_("Whether the table lists what attentive players could remember or count."), N_("Memory aids"), memory_says, false},
  {NULL, SAL_OPTION_SEAT, NULL, NULL}};
/* clang-format on */

/* ---- Dense actions ------------------------------------------------------- */

enum {
  INDEX_TAKE = 0,
  INDEX_DISCARD = INDEX_TAKE + KINDS,
  INDEX_GUESS = INDEX_DISCARD + KINDS,
  INDEX_CLAIM = INDEX_GUESS + GUESS_COUNT,
  INDEX_END,
  INDEXES
};

static size_t action_index(const sal_state *state, int seat, sal_action a) {
  /* by the verb */
  static const uint8_t first[] = {[TAKES >> 4] = INDEX_TAKE,
                                  [DISCARDS >> 4] = INDEX_DISCARD,
                                  [GUESSES >> 4] = INDEX_GUESS,
                                  [CLAIMS >> 4] = INDEX_CLAIM,
                                  [ENDS >> 4] = INDEX_END};
  (void)state;
  (void)seat;
  return (size_t)first[a >> 4] + number_of(a);
}

static sal_action action_at(const sal_state *state, int seat, size_t i) {
  const sal_action a = i < INDEX_DISCARD  ? TAKES | (i - INDEX_TAKE)
                       : i < INDEX_GUESS  ? DISCARDS | (i - INDEX_DISCARD)
                       : i < INDEX_CLAIM  ? GUESSES | (i - INDEX_GUESS)
                       : i == INDEX_CLAIM ? CLAIMS
                                          : ENDS;
  return i < INDEXES && check(state, seat, a) == NULL ? a : 0;
}

const struct sal_game sal_doors = {
    .info = {.id = "doors",
             .title = N_("Doors"),
             .tagline = N_("One hides behind the cards they collect, the other "
                           "guesses who they are."),
             .goal = N_("Be the first player with 10 tokens."),
             .role = N_("As Collector you complete a set that fits your "
                        "secret; as Guesser you find out who the Collector is; "
                        "every round you swap."),
             .players_min = 2,
             .players_max = 2,
             .players_usual = 2,
             .minutes = 10,
             .state_size = sizeof(struct doors),
             .view_size = sizeof(struct view),
             .legal_max = GUESS_COUNT + 2,
             .action_count = INDEXES,
             .tensor_size = SAL_DOORS_TENSOR,
             .action_bits = 0x7f,
             .recall = 40, /* a round has 36 steps, and the lot */
             /* a token a round at least, so 29 rounds of a game to 15; 33 steps
              * the longest */
             .longest = 1 + 29 * 33,
             .score_min = 0,
             .score_max = MOST_TOKENS,
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
    .playout = playout,
    .closed = closed,
    .scores = scores,
    .winners = winners,
    .options = options,
    .view = view,
    .resample = resample,
    .tensor = tensor,
    .facts = facts,
    .event_facts = event_facts,
    .prompt = prompt,
    .position = position,
    .event_say = event_say,
    .event_rule = event_rule,
    .action_say = action_say,
    .action_text = action_text,
    .action_parse = action_parse,
    .action_index = action_index,
    .action_at = action_at,
    .piles = piles,
    .stock = stock,
    .selfcheck = selfcheck,
};

_Static_assert(sizeof(struct doors) <= 64,
               "a state of Doors fits a cache line");
