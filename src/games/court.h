/* The court: everything in Louis XIV that is a value and not a rule, so that an
 * owner of the box can correct it (docs/court.md).
 *
 * The built-in court is made from src/games/court.json when the program is built;
 * others are read from files while it runs. Main invariant: whatever is in a
 * `struct court` has passed court_read, so the rules never check it again. */
#ifndef SAL_GAMES_COURT_H
#define SAL_GAMES_COURT_H

#include "bag.h"
#include "salotto/court.h"

enum {
  SEATS = 4,
  TILES = 12,
  JOKER = TILES,
  CARD_KINDS,
  ROWS = 5,
  COLUMNS = 5
};

enum chip { CROWN, SCEPTRE, HELMET, RING, LETTER, CHIP_KINDS, ANY_CHIP = 5 };
enum tier { LIGHT, MEDIUM, DARK, TIERS };
enum side { RED, BLACK, SIDES };
enum contest { MOST, PAY, MIN, CONTESTS };
enum reward {
  CHIP_REWARD,
  SHIELD_REWARD,
  GOLD_REWARD,
  PLACE_REWARD,
  INFLUENCE_REWARD,
  INTRIGUE_REWARD,
  REWARDS
};
enum power {
  GOLD2,
  GOLD3,
  MARK2,
  MARK3,
  CARD,
  INTR,
  SWAP,
  FOOTHOLD,
  INNER,
  ANY2,
  BRIBE1,
  TIE,
  RECOUP,
  WILD,
  SHIELD,
  POWERS
};
/* What is worth a shield when the game is over. */
enum item { INFLUENCE_ITEM, INTRIGUE_ITEM, CHIP_ITEM, MARKER_ITEM, ITEMS };

/* The words that files and actions use for these. */
extern const char *const chip_names[CHIP_KINDS + 1];
extern const char *const tier_names[TIERS + 1];
extern const char *const contest_names[CONTESTS + 1];
extern const char *const reward_names[REWARDS + 1];
extern const char *const power_names[POWERS + 1];
extern const char *const item_names[ITEMS + 1];

/* The limits within which a court keeps the state, the lists of actions and the
 * events in bounds; court_read refuses what is beyond them. */
enum {
  NAME_SIZE = 41,
  ID_LENGTH = 5,
  MARKERS_MAX = 60,
  SHIELD_KINDS_MAX = 6,
  SHIELDS_EACH_MAX = 15,
  CHIPS_MAX = 60,
  CARDS_EACH_MAX = 4,
  JOKERS_MAX = 15,
  HAND_MAX = 10, /* the largest hand that may come about */
  ROUNDS_MAX = 8,
  GOLD_MAX = 20, /* of one card, tile or start */
  AMOUNT_MAX = 10,
  PLACE_MAX = 2,
  DEALT_MAX = 3, /* missions at the start */
  LINES_MAX = 16,
  LINE_MAX = 5,
  REACH_MAX = 8,    /* tiles on the diagonals of one tile */
  PATH_MARKERS = 3, /* that one card brings */
  JOKER_MARKERS = 2,
  MONEY_MAX = 16,
  MISSIONS_MAX = 64,
  NEUTRAL_CARDS_MAX = 12,
  NEUTRAL_MARKERS_MAX = 4,
  MISSION_POINTS_MAX = 50,
  SHIELD_POINTS_MAX = 5
};

struct court_side {
  uint8_t contest, n;
};

/* Tiles are counted from 0 inside the program, from 1 in every text. */
struct court_tile {
  char name[NAME_SIZE];
  uint8_t row, column;
  uint8_t reward, chip, amount;
  struct court_side side[SIDES];
};

struct court_money {
  uint8_t tile, gold;
};

struct court_mission {
  uint32_t code; /* its id, see mission_code */
  uint8_t tier, power;
  uint8_t cost[2];
  uint16_t tiles; /* mask of where its free markers may go; 0: it has none */
};

struct court {
  uint8_t markers, shield_kinds, shields_each;
  uint8_t chips[CHIP_KINDS];
  uint8_t influence_each, jokers, intrigue_each;

  uint8_t gold, hand, rounds;
  uint8_t personal[SEATS - 1]
                  [SEATS]; /* by players - 2, from the start player */
  uint8_t dealt_count, dealt[DEALT_MAX]; /* tiers of the first missions */

  struct court_tile tile[TILES];
  uint16_t neighbours[TILES];
  uint16_t reach[TILES]; /* all tiles on the diagonals through a tile */
  /* How many ways a card has to be played or to jump, by markers. */
  uint8_t plays[CARD_KINDS][PATH_MARKERS + 1];
  uint8_t jumps[CARD_KINDS][PATH_MARKERS + 1];
  uint8_t line_count, line_length[LINES_MAX], line[LINES_MAX][LINE_MAX];
  uint8_t opposite[TILES]; /* counted from 1; 0: none */

  uint8_t money_count;
  struct court_money money[MONEY_MAX];
  uint8_t mission_count;
  struct court_mission mission[MISSIONS_MAX]; /* sorted by code */
  uint64_t tier[TIERS];                       /* masks of missions */

  uint8_t neutral_cards, neutral_markers;
  uint8_t mission_points, shield_points, gold_a_shield, favour_a_shield;
  uint8_t items; /* mask */
};

extern const struct court court_default;

/* The court of an option's value: 0 is the built-in one. */
extern struct court court_registry[];
static inline const struct court *court_at(int32_t value) {
  return value == 0 ? &court_default : &court_registry[value - 1];
}

/* Makes a value for a court; the same court gets the same value again. Courts
 * stay until the program ends; -1: there is room for no more. Any number of
 * threads may call this at once. */
#ifdef __wasm__ /* a page has only the built-in one */
enum { COURTS_MAX = 1 };
#else
enum { COURTS_MAX = 1024 };
#endif
int32_t court_add(const struct court *c);

/* Reads a court; false, and each problem is reported, if it is not sound. */
struct court_report {
  sal_court_problem *tell;
  void *context;
};
bool court_read(const char *text, size_t length, struct court *out,
                const struct court_report *report);
/* The plain numbers of a court: where they stand in a file and in the struct,
 * and their range. */
enum { COURT_NUMBERS = 15 };
extern const struct court_number {
  const char *section, *key;
  size_t offset;
  int least, most;
} court_numbers[COURT_NUMBERS];

/* Writes it as one line that court_read reads. */
void court_write(const struct court *c, struct sal_text *out);

/* A mission's id as a number and back, so that actions and events can hold it
 * without the court: six bits a character, the first on top, so that numbers
 * sort like texts. 0: this is no id. */
uint32_t mission_code(const char *id, size_t length);
void mission_id(uint32_t code, struct sal_text *out);

/* Parts of sentences: "2 shields", "pay 3", "2 gold more in each supply". */
void say_reward(const struct court_tile *t, const struct sal_words *w,
                struct sal_text *out);
void say_side(const struct court_side *s, const struct sal_words *w,
              struct sal_text *out);
void say_chip(unsigned chip, const struct sal_words *w, struct sal_text *out);
/* So many chips of a kind, and a reward, as parts of a sentence. */
void say_chips(unsigned chip, unsigned n, const struct sal_words *w,
               struct sal_text *out);
void say_whole_reward(const struct court_tile *t, const struct sal_words *w,
                      struct sal_text *out);
void say_power(const struct court_mission *m, const struct sal_words *w,
               struct sal_text *out);
/* Blanks up to a column, counted from where the text was `from` bytes long. */
void pad_to(struct sal_text *out, size_t from, size_t column);

/* At most so many columns of a text. */
void add_columns(struct sal_text *out, const char *s, size_t columns);

/* The last words of a name that fit so many columns. */
const char *short_name(const char *name, size_t columns);
/* What a tile's person is called in a sentence: the name if it is short, else
 * the last part of it that is a name. */
const char *person_name(const struct court_tile *t);

/* The tiles or spaces of a mask as a list: files and facts count them from 1. */
static inline void json_from_one(struct sal_json *j, const char *key,
                                 unsigned mask) {
  sal_json_bits(j, key, mask << 1);
}

static inline bag court_influence(const struct court *c) {
  return c->influence_each * UINT64_C(0x0000111111111111) +
         c->jokers * bag_one(JOKER);
}
static inline bag court_intrigue(const struct court *c) {
  return c->intrigue_each * UINT64_C(0x0000111111111111);
}
/* Shield kinds are counted from 1. */
static inline bag court_shields(const struct court *c) {
  bag b = 0;
  for (unsigned kind = 1; kind <= c->shield_kinds; kind++)
    b += c->shields_each * bag_one(kind);
  return b;
}
static inline uint64_t court_missions(const struct court *c) {
  return c->tier[LIGHT] | c->tier[MEDIUM] | c->tier[DARK];
}

#endif
