/* Louis XIV from inside: the state, how actions and events are coded, and what
 * the files of the game share.
 *
 *   louis.c          the game's own description: rules, options, results
 *   louis_course.c   the course of the game: who is asked when
 *   louis_actions.c  what actions do
 *   louis_draws.c    chance
 *   louis_legal.c    what is allowed
 *   louis_view.c     what a seat sees: views, worlds, numbers, JSON
 *   louis_text.c     the notation of actions
 *   louis_words.c    sentences and the board
 *
 * Rule ids refer to docs/rules/louis.en.md. Tiles, spaces and cards are counted
 * from 0 in here; the joker is card 12. */
#ifndef SAL_GAMES_LOUIS_H
#define SAL_GAMES_LOUIS_H

#include "court.h"
#include "salotto/game.h"

#include <assert.h>
#include <string.h>

enum { SPACES = 4, NOBODY = 255 };
enum { RECOVERS = 3 }; /* markers for a card: louis.influence.recover */
enum used { USED_TIE, USED_RECOUP, USED_WILD, USED_KINDS };

/* The piles that chance draws from; the order is the one of `piles`. */
enum pile {
  PILE_INFLUENCE,
  PILE_INTRIGUE,
  PILE_MONEY,
  PILE_LIGHT,
  PILE_MEDIUM,
  PILE_DARK,
  PILE_SHIELDS,
  PILES,
  PILE_LOT = PILES /* who begins: no cards */
};

/* The stations of the course. Where somebody is asked, the station has a phase
 * name (louis_view.c). */
enum station {
  AT_LOT,
  AT_MISSIONS_DEALT,
  AT_SETUP,
  AT_ROUND,
  AT_MONEY,
  AT_POWERS,
  AT_WITHDRAW,
  AT_DEAL,
  AT_SWAP,
  AT_EXCHANGE,
  AT_NEUTRAL,
  AT_FOOTHOLD,
  AT_LAST_CARDS,
  AT_INFLUENCE,
  AT_INTRIGUE,
  AT_COUNT,
  AT_TIE,
  AT_REWARD,
  AT_PAY,
  AT_PUT,
  AT_CROWN,
  AT_FAVOURITE,
  AT_RECOUP,
  AT_HOME,
  AT_MISSION,
  AT_DRAW,
  AT_MISSION_END,
  AT_KEEP,
  AT_ROUND_END,
  AT_END,
  AT_RESULT,
  AT_OVER,
  STATIONS
};

/* A deck that is shuffled again when it is empty: louis.cards.open. Its
 * address is the shuffle it came from and how many were drawn since. */
struct deck {
  bag cards, open;
  uint16_t entry;
  uint8_t left; /* how many `cards` there are, also where a view hides them */
  uint8_t drawn;
};

/* Hidden from others: hands, missions, `traded`, the kinds of shields, decks.
 * In a view the hidden things lie with their deck, and only the sizes tell how
 * many there are. Everything else is open. */
struct louis {
  bag influence[SEATS], intrigue[SEATS], shields[SEATS];
  uint64_t missions[SEATS]; /* masks of missions in the court's order */
  uint64_t traded[SEATS];   /* out of the game */
  uint64_t mission_deck;
  struct deck influence_deck, intrigue_deck;
  bag turned_up; /* for the neutral markers */
  bag shield_deck;

  uint8_t influence_size[SEATS], intrigue_size[SEATS];
  uint8_t tiers[SEATS][TIERS], traded_tiers[SEATS][TIERS];
  uint8_t missions_left[TIERS], shields_left;
  uint16_t shield_count[SEATS], kindless[SEATS]; /* those without a kind */

  uint16_t gold[SEATS];
  uint8_t personal[SEATS], general[SEATS];
  uint8_t board[SEATS], withdrawn[SEATS]; /* masks of spaces */
  uint8_t chips[SEATS][CHIP_KINDS], stock[CHIP_KINDS];
  uint8_t markers[TILES][SEATS], neutral[TILES];
  uint16_t black; /* mask of tiles that show the black side */

  uint8_t laid[MISSIONS_MAX]; /* missions laid open, in order: seat * 64 + m */
  uint8_t laid_count;
  uint8_t power[SEATS][POWERS]; /* how often each seat has each power */
  uint8_t used[SEATS][USED_KINDS];
  uint8_t fulfilled[SEATS];

  uint16_t money_deck;      /* mask of the court's money cards */
  uint8_t louis, favourite; /* tiles, or NOBODY */

  uint8_t players, first, start, round;
  uint8_t plain;  /* without La Favorita */
  uint8_t brief;  /* louis.variant.rounds */
  uint8_t memory; /* an option; 0: the open cards are listed */
  uint8_t court;
  uint16_t shuffles; /* of either deck, after the start */

  /* Where the course stands: the station, whose turn it is there (counted in
   * turn order), how far that seat has got, and who is asked. */
  uint8_t station, turn, nth, asked;
  /* Draws that are due. */
  uint8_t draw_pile, draw_seat, draws;

  /* The tile being evaluated. */
  uint8_t tile;
  uint8_t counted[SEATS]; /* markers that count; others there came later */
  uint8_t best;           /* the most of one colour, neutral or not */
  uint8_t leader;         /* who is first, or NOBODY */
  uint8_t winners;        /* mask: got the reward through influence */
};

struct view {
  struct louis s;
  int64_t viewer; /* as wide as it is aligned: views have no padding */
};

_Static_assert(sizeof(struct louis) <= SAL_STATE_MAX,
               "a state is 1 kB at most");
_Static_assert(SEATS *MISSIONS_MAX <= 256, "`laid` is a byte a mission");

static inline struct louis *as_state(sal_state *s) { return (struct louis *)s; }
static inline const struct louis *as_const_state(const sal_state *s) {
  return (const struct louis *)s;
}
static inline const struct view *as_view(const sal_view *v) {
  return (const struct view *)v;
}
static inline const struct court *court_of(const struct louis *s) {
  return court_at(s->court);
}

/* ---- Actions ------------------------------------------------------------- */

/* An action is its verb in the low five bits, two faults that only the notation
 * can have, and its arguments above. */
enum verb {
  DO_PASS = 1,
  DO_FAVOUR,   /* mask of spaces */
  DO_WITHDRAW, /* mask of spaces */
  DO_SWAP,     /* card */
  DO_EXCHANGE, /* bag */
  DO_FOOTHOLD, /* tiles */
  DO_PLAY,     /* card, path */
  DO_JUMP,     /* card, path */
  DO_RECOVER,  /* card */
  DO_INTRIGUE, /* number, source, favour */
  DO_TIE,
  DO_PAY,
  DO_PUT,  /* tiles */
  DO_TAKE, /* `keep` alone: all markers to the personal supply */
  DO_RECOUP,
  DO_FULFIL, /* mission, chips */
  DO_TRADE,  /* mission, stack */
  DO_DONE,
  DO_DRAW, /* stack */
  DO_KEEP, /* chips, favour */
  /* outcomes of chance */
  GET_SEAT,    /* seat */
  GET_CARD,    /* card */
  GET_MONEY,   /* tile, gold */
  GET_MISSION, /* mission and its place in the court */
  GET_SHIELD,  /* kind */
  VERBS
};
enum {
  VERB_MASK = 31,
  MISORDERED = 1 << 5, /* louis.actions.text */
  NO_SUCH = 1 << 6,    /* a number beyond all tiles, spaces or cards */
  ARGUMENTS = 8,
  PATH_MAX_STEPS = 3,
  PATH_SHIFT = 4,
  STEP_BITS = 6,
  CODE_BITS = 30
};

static inline sal_action action(enum verb verb, uint64_t arguments) {
  return (sal_action)verb | arguments << ARGUMENTS;
}
static inline unsigned verb_of(sal_action a) { return a & VERB_MASK; }
static inline uint64_t arguments_of(sal_action a) { return a >> ARGUMENTS; }

/* A path: of each step the tile, counted from 1, and how many stay there. */
static inline unsigned step_tile(uint64_t arguments, unsigned i) {
  return (unsigned)(arguments >> (PATH_SHIFT + STEP_BITS * i)) & 15;
}
static inline unsigned step_markers(uint64_t arguments, unsigned i) {
  return (unsigned)(arguments >> (PATH_SHIFT + STEP_BITS * i + 4)) & 3;
}
static inline uint64_t step(unsigned i, unsigned tile, unsigned markers) {
  return (uint64_t)(tile + 1 + markers * 16) << (PATH_SHIFT + STEP_BITS * i);
}

/* One or two tiles, each counted from 1; 0: there is no second. */
static inline uint64_t tile_pair(unsigned a, unsigned b) { return a | b << 4; }

enum { FROM_PERSONAL = 4, WITH_FAVOUR = 8, KEEP_WITH_FAVOUR = 1 << 9 };

static inline uint64_t fulfil_with(uint32_t code, unsigned a, unsigned b) {
  return code | (uint64_t)a << CODE_BITS | (uint64_t)b << (CODE_BITS + 3);
}
static inline uint64_t coded(uint32_t code, unsigned rest) {
  return code | (uint64_t)rest << CODE_BITS;
}
static inline uint32_t code_in(uint64_t arguments) {
  return (uint32_t)(arguments & ((1u << CODE_BITS) - 1));
}

/* ---- Events -------------------------------------------------------------- */

enum event {
  E_ROUND = 1,  /* round */
  E_DEALT,      /* pile; card (mission: its code in two halves) */
  E_FAVOURED,   /* spaces */
  E_MONEY,      /* tile, gold, favourite */
  E_POWER,      /* gold, markers */
  E_WITHDRAWN,  /* spaces */
  E_RESHUFFLED, /* pile */
  E_SWAPPED,    /* card */
  E_EXCHANGED,  /* the bag in five parts */
  E_TURNED_UP,  /* card, tile, markers */
  E_FOOTHOLD,   /* mission, tiles */
  E_PLAYED,     /* card, path, jump */
  E_RECOVERED,  /* card, markers */
  E_DISCARDED,  /* card */
  E_INTRIGUE,   /* tile, markers, source, favour */
  E_PASSED,
  E_COUNTED,  /* tile, neutral, counted by seat */
  E_TIE,      /* tile */
  E_PAID,     /* tile, gold */
  E_REWARDED, /* tile, reward, chip, amount */
  E_PUT,      /* tiles */
  E_CROWN,
  E_FAVOURITE, /* spaces, from general, from personal, to personal */
  E_RECOUPED,  /* markers */
  E_HOME,      /* tile, to general by seat, to personal by seat */
  E_FLIPPED,   /* tile, side */
  E_FULFILLED, /* mission, chips */
  E_TRADED,    /* stack, tier; mission */
  E_DONE,
  E_KEPT,       /* chips kept, favour */
  E_ROUND_OVER, /* round */
  E_GAME_OVER,  /* winners, players, points by seat, majorities by seat */
  EVENTS
};

/* Where an event says which court it is about, behind its own values. */
enum { EVENT_COURT = SAL_EVENT_VALUES - 1 };

/* How missions and bags stand in the values of an event. */
static inline uint32_t event_code(const int16_t *v) {
  return (uint32_t)v[0] << 15 | (uint32_t)v[1];
}
static inline bag event_bag(const int16_t *v) {
  bag b = 0;
  for (int i = 0; i < 5; i++)
    b |= (bag)v[i] << (12 * i);
  return b;
}

/* ---- What more than one file asks ---------------------------------------- */

static inline unsigned seat_at(const struct louis *s, unsigned turn) {
  const unsigned seat = s->start + turn;
  return seat < s->players ? seat : seat - s->players;
}

/* louis.variant.rounds */
static inline unsigned rounds_of(const struct louis *s) {
  enum { BRIEF = 2 };
  const unsigned all = court_of(s)->rounds;
  return s->brief && all > BRIEF ? BRIEF : all;
}

static inline bool last_round(const struct louis *s) {
  return s->round == rounds_of(s);
}

static inline bool evaluating(const struct louis *s) {
  return s->station >= AT_INTRIGUE && s->station <= AT_HOME;
}

static inline unsigned ready(const struct louis *s, unsigned seat) {
  return (unsigned)s->general[seat] + s->personal[seat];
}

/* louis.supply.withdraw: a space that was left this round gives nothing, even
 * if it is filled again. */
static inline bool privilege(const struct louis *s, unsigned seat,
                             unsigned space) {
  return (s->board[seat] & ~s->withdrawn[seat]) >> space & 1;
}

static inline const struct court_side *side_up(const struct louis *s,
                                               unsigned tile) {
  return &court_of(s)->tile[tile].side[s->black >> tile & 1];
}

static inline unsigned chip_total(const uint8_t *chips) {
  unsigned n = 0;
  for (int k = 0; k < CHIP_KINDS; k++)
    n += chips[k];
  return n;
}

static inline unsigned missions_held(const struct louis *s, unsigned seat) {
  const uint8_t *t = s->tiers[seat];
  return (unsigned)t[LIGHT] + t[MEDIUM] + t[DARK];
}

static inline unsigned stacks_with_cards(const struct louis *s) {
  return (unsigned)(s->missions_left[LIGHT] > 0) |
         (unsigned)(s->missions_left[MEDIUM] > 0) << 1 |
         (unsigned)(s->missions_left[DARK] > 0) << 2;
}

/* louis.mission.exchange; `nth` counts what was fulfilled in this phase. */
static inline bool may_trade(const struct louis *s) {
  return s->nth == 0 && !last_round(s) && stacks_with_cards(s) != 0;
}

/* The mission that a foothold is asked for. */
static inline const struct court_mission *
foothold_mission(const struct louis *s) {
  return &court_of(s)->mission[s->laid[s->nth] % MISSIONS_MAX];
}

/* louis.favourite.award */
static inline unsigned favour_due(const struct louis *s, unsigned seat) {
  return s->leader == seat ? 2 : 1;
}

/* louis.mission.cost, louis.mission.powers: how many of two chips would have to
 * count as crowns to pay for a mission. */
unsigned louis_wild_needed(const struct court_mission *m, unsigned a,
                           unsigned b);
/* The held mission with that code, or -1. */
int louis_held(const struct louis *s, unsigned seat, uint32_t code);

void louis_begin(struct louis *s, const struct sal_setup *setup);
void louis_points(const struct louis *s, int32_t *out, int32_t *majorities);
unsigned louis_winners(const sal_state *s);

extern const struct sal_game sal_louis;

/* The most actions of one step. Influence: from each of twelve tiles, with r
 * tiles in reach, there are 1 path with one marker, 1 + r with two and
 * 1 + 2r + r(r - 1) with three; a joker brings at most two to any tile; and
 * each card may be used to recover. An exchange has no more than the parts of
 * the largest hand. */
enum {
  TWO_MARKERS = 1 + 1 + REACH_MAX,
  THREE_MARKERS = TWO_MARKERS + 1 + 2 * REACH_MAX + REACH_MAX * (REACH_MAX - 1),
  INFLUENCE_ACTIONS = TILES * (THREE_MARKERS + TWO_MARKERS) + CARD_KINDS,
  EXCHANGE_ACTIONS = 1 << HAND_MAX,
  LOUIS_LEGAL_MAX = INFLUENCE_ACTIONS > EXCHANGE_ACTIONS ? INFLUENCE_ACTIONS
                                                         : EXCHANGE_ACTIONS
};

/* The members of the game, by file. */
void louis_apply(sal_state *s, int seat, sal_action a, struct sal_log *log);
void louis_chance(const sal_state *s, struct sal_chance *c);
/* A legal action, each as likely: that of `legal` at the place that the next
 * random number names. `list` has room for LOUIS_LEGAL_MAX. */
sal_action louis_any(const struct louis *s, unsigned seat, struct sal_rng *rng,
                     sal_action *list);
uint64_t louis_playout(sal_state *s, struct sal_rng *rng, uint64_t most);
void louis_sample(sal_state *s, struct sal_rng *rng);
unsigned louis_to_act(const sal_state *s);
size_t louis_legal(const sal_state *s, int seat, sal_action *out);
const char *louis_check(const sal_state *s, int seat, sal_action a);
/* Whether this seat holds a mission and the chips for it. */
bool louis_can_fulfil(const struct louis *s, unsigned seat);
void louis_view(const sal_state *s, int viewer, sal_view *v);
void louis_resample(const sal_view *v, struct sal_rng *rng, sal_state *s);
void louis_tensor(const sal_view *v, float *out);
void louis_facts(const sal_view *v, struct sal_json *j);
void louis_event_facts(const struct sal_event *e, struct sal_json *j);
void louis_action_text(sal_action a, struct sal_text *out);
sal_action louis_action_parse(const char *text);
enum { LOUIS_ACTIONS = 5755 }; /* dense ones, see louis_index.c */
size_t louis_action_index(const sal_state *s, int seat, sal_action a);
sal_action louis_action_at(const sal_state *s, int seat, size_t index);
void louis_prompt(const sal_view *v, const struct sal_words *w,
                  struct sal_text *out);
void louis_position(const sal_view *v, const struct sal_words *w,
                    struct sal_text *out);
const char *louis_event_rule(const struct sal_event *e);
void louis_event_say(const struct sal_event *e, int viewer,
                     const struct sal_words *w, struct sal_text *out);
void louis_action_say(const sal_view *v, sal_action a,
                      const struct sal_words *w, struct sal_text *out);

#endif
