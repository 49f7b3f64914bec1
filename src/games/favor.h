/* Favor from inside: the state, what a seat sees of it, and how actions are
 * coded. favor.c has the rules, favor_words.c tells of positions and events, in
 * facts and in sentences; bots and reviews read their view by this. */
#ifndef SAL_GAMES_FAVOR_H
#define SAL_GAMES_FAVOR_H

#include "cards.h"

enum { SEATS = 4, DAYS = 3, GEMS = 5, GEMS_MAX = SEATS * GEMS };
enum { PAY_EXACT = 3, PAY_ONE = 1, PAY_NONE = -2, PAY_GEMS = 3 };
enum edition { ITALIAN, ENGLISH };
enum { NO_SEAT = 255 };

/* Chance phases first: `phase <= TURN_UP` is chance. */
enum phase {
  CHOOSE_FIRST,
  DEAL_IDENTITY,
  OPEN_LOT,
  TURN_UP,
  TURN,
  BID,
  FINAL,
  OVER
};

struct favor {
  hand deck, lot, discards, collection[SEATS];
  uint8_t gems[SEATS];
  uint8_t identity[SEATS]; /* NO_CARD until dealt; HIDDEN_CARD in a view */
  uint8_t last[SEATS];     /* of the day before; NO_CARD on the first */
  int8_t day_points[DAYS][SEATS]; /* 0 for days to come */
  uint8_t out_of_play;
  uint8_t players, edition;
  uint8_t began; /* who went first on day 1 */
  uint8_t first; /* who went first today */
  uint8_t day, phase;
  uint8_t turn;   /* who is asked, or will be when chance has drawn */
  uint8_t caller; /* NO_SEAT outside a called auction */
  uint8_t left;   /* how many still have their chance to bid */
  uint8_t high_bid, high_bidder; /* 0 and NO_SEAT without a bid */
  uint8_t winner;                /* NO_SEAT until the game is over */
  uint8_t one_day;               /* favor.variant.days */
  uint8_t memory; /* an option; 0: the cards in the deck are listed */
};

static inline int last_day(const struct favor *s) {
  return s->one_day ? 1 : DAYS;
}

struct view {
  struct favor s;
  int64_t viewer; /* as wide as it is aligned: views have no padding */
};

/* An action is its verb and, in the low half, a card, a seat or a bid. */
enum verb { DRAWS = 1, BEGINS, ADDS, CALLS, BIDS, PASSES };

static inline sal_action act(enum verb verb, unsigned number) {
  return (sal_action)verb << 32 | number;
}
static inline enum verb verb_of(sal_action a) { return (enum verb)(a >> 32); }
static inline unsigned number_of(sal_action a) { return (unsigned)a; }

enum event {
  DAY = 1,    /* its first player: number */
  DEALT,      /* to a seat: identity */
  LOT_OPENED, /* cards */
  ADDED,      /* by a seat: card */
  AUCTION,    /* called by a seat */
  BID_MADE,   /* by a seat: number */
  PASSED,     /* by a seat */
  SOLD,       /* to a seat: price, caller or -1, share of each opponent, gems
                 out of play */
  UNSOLD,
  FINAL_AUCTION, /* the seat with the first chance */
  IDENTITIES,    /* by seat */
  DAY_OVER,      /* number, then a `result` of each seat */
  GAME_OVER      /* won by a seat */
};

/* Which kind of card each special changes; NO_CARD: it stays unused. */
struct uses {
  unsigned colour; /* by Blue/Red */
  unsigned role;   /* by Lady/Tiger */
};

/* How a seat's score of a day came about. */
struct result {
  hand cards;
  unsigned identity;
  struct uses uses;
  int card_points, bonus, total;
};

/* Seen from an identity the plain kinds are: itself, the other colour (the role
 * in common), the other role (the colour in common), and the opposite. */
enum { OTHER_COLOUR = 1, OTHER_ROLE = 2, OPPOSITE = 3 };

static inline const struct favor *as_const_state(const sal_state *s) {
  return (const struct favor *)s;
}
static inline const struct view *as_view(const sal_view *v) {
  return (const struct view *)v;
}

/* Of the days done; favor.score.negative: a plain sum. */
static inline int points(const struct favor *s, int seat) {
  return s->day_points[0][seat] + s->day_points[1][seat] +
         s->day_points[2][seat];
}

static inline int days_done(const struct favor *s) {
  return s->phase == OVER ? s->day : s->day - 1;
}

/* A result takes five values of an event, a collection ten bits of one. */
enum { RESULT_VALUES = 5 };

static inline void put_result(struct sal_event *e, const struct result *r) {
  unsigned cards = count(r->cards, BR) << 8 | count(r->cards, LT) << 9;
  for (unsigned k = 0; k < DOORS; k++)
    cards |= count(r->cards, k) << 2 * k;
  const unsigned doors = r->identity | r->uses.colour << 3 | r->uses.role << 6;
  const int value[RESULT_VALUES] = {(int)cards, (int)doors, r->card_points,
                                    r->bonus, r->total};
  for (int i = 0; i < RESULT_VALUES; i++)
    e->value[e->count++] = (int16_t)value[i];
}

static inline int result_count(const struct sal_event *e) {
  return (e->count - 1) / RESULT_VALUES;
}

static inline struct result get_result(const struct sal_event *e, int seat) {
  const int16_t *value = e->value + 1 + seat * RESULT_VALUES;
  const unsigned cards = (unsigned)value[0], doors = (unsigned)value[1];
  hand h = one(BR) * (cards >> 8 & 1) + one(LT) * (cards >> 9 & 1);
  for (unsigned k = 0; k < DOORS; k++)
    h += one(k) * (cards >> 2 * k & 3);
  return (struct result){.cards = h,
                         .identity = doors & 7,
                         .uses = {doors >> 3 & 7, doors >> 6 & 7},
                         .card_points = value[2],
                         .bonus = value[3],
                         .total = value[4]};
}

/* favor_words.c: members of the interface. */
void favor_facts(const sal_view *v, struct sal_json *j);
void favor_event_facts(const struct sal_event *e, struct sal_json *j);
void favor_prompt(const sal_view *v, const struct sal_words *w,
                  struct sal_text *t);
void favor_position(const sal_view *v, const struct sal_words *w,
                    struct sal_text *t);
const char *favor_event_rule(const struct sal_event *e);
void favor_event_say(const struct sal_event *e, int viewer,
                     const struct sal_words *w, struct sal_text *t);
void favor_action_say(const sal_view *v, sal_action a,
                      const struct sal_words *w, struct sal_text *t);

#endif
