/* The cards that Doors, Favor and Traps share: 14 Clues, 4 Doors.
 *
 * A multiset of cards is one word, `hand`: byte k counts the cards of kind k,
 * so adding, counting and picking the n-th card need no loop; in a view, byte
 * KINDS counts cards that the viewer cannot see. A Door is a plain kind 0–3:
 * bit 0 is the colour (1: blue), bit 1 the role (1: tiger). */
#ifndef SAL_GAMES_CARDS_H
#define SAL_GAMES_CARDS_H

#include "salotto/game.h"

#include <assert.h>
#include <string.h>

enum card {
  RL,
  BL,
  RT,
  BT,
  BR,
  LT,
  KINDS,
  DOORS = 4,
  HIDDEN_CARD = KINDS, /* in a view: dealt, but not for the viewer to see */
  NO_CARD
};

typedef uint64_t hand;

#define EVERY_BYTE UINT64_C(0x0101010101010101)
#define ALL_CLUES UINT64_C(0x0000010103030303)
#define ALL_DOORS UINT64_C(0x0000000001010101)
enum { CLUE_COUNT = 14 };

static const char *const card_names[NO_CARD + 1] = {"RL", "BL", "RT", "BT",
                                                    "BR", "LT", "??", "??"};

static inline hand one(unsigned card) { return UINT64_C(1) << (8 * card); }

static inline unsigned count(hand h, unsigned card) {
  return (unsigned)(h >> (8 * card)) & 0xff;
}

static inline unsigned total(hand h) {
  return (unsigned)((h * EVERY_BYTE) >> 56);
}

/* The card at place n when the hand lies sorted in a row. The product holds
 * the running sums, all of them larger by 127 - n, which lifts exactly those
 * above n into the top bit of their byte. */
static inline unsigned pick(hand h, unsigned n) {
  const hand above = ((h + 127 - n) * EVERY_BYTE) & (EVERY_BYTE << 7);
  return (unsigned)__builtin_ctzll(above) >> 3;
}

/* ---- Secret identities ---------------------------------------------------- */

static inline hand doors_not_dealt(const uint8_t *identity, int seats) {
  hand left = ALL_DOORS;
  for (int i = 0; i < seats; i++)
    if (identity[i] < DOORS)
      left -= one(identity[i]);
  return left;
}

/* In a view: that an identity was dealt stays to be seen, also in mid-deal. */
static inline void hide_identities(uint8_t *identity, int seats, int viewer) {
  for (int i = 0; i < seats; i++)
    if (i != viewer && identity[i] != NO_CARD)
      identity[i] = HIDDEN_CARD;
}

static inline void resample_identities(uint8_t *identity, int seats,
                                       struct sal_rng *rng) {
  hand left = doors_not_dealt(identity, seats);
  for (int i = 0; i < seats; i++)
    if (identity[i] == HIDDEN_CARD) {
      identity[i] = (uint8_t)pick(left, sal_rng_below(rng, total(left)));
      left -= one(identity[i]);
    }
}

/* How many of the two traits a plain card shares with a Door. */
static inline int match(unsigned card, unsigned door) {
  const unsigned differ = card ^ door;
  return 2 - (int)((differ & 1) + (differ >> 1 & 1));
}

/* Reads a card's name at the end of a phrase; NO_CARD if it is none. */
static inline unsigned card_parse(const char *s) {
  for (unsigned k = 0; k < KINDS; k++)
    if (strcmp(s, card_names[k]) == 0)
      return k;
  return NO_CARD;
}

static inline const char *card_title(unsigned card) {
  static const char *const titles[] = {
      N_("Red Lady"),   N_("Blue Lady"), N_("Red Tiger"),
      N_("Blue Tiger"), N_("Blue/Red"),  N_("Lady/Tiger"),
  };
  assert(card < KINDS);
  return titles[card];
}

/* ---- Places of sentences -------------------------------------------------- */

static inline struct sal_place place_seat(const char *key, int seat) {
  return (struct sal_place){key, SAL_PLACE_SEAT, NULL, seat};
}

static inline struct sal_place place_number(const char *key, int64_t number) {
  return (struct sal_place){key, SAL_PLACE_NUMBER, NULL, number};
}

static inline struct sal_place place_card(const char *key, unsigned card) {
  return (struct sal_place){key, SAL_PLACE_WORD, card_title(card), 0};
}

/* ---- Cards as JSON and as text -------------------------------------------- */

static inline void json_hand(struct sal_json *j, const char *key, hand h) {
  sal_json_list(j, key);
  for (unsigned k = 0; k <= KINDS; k++)
    for (unsigned i = 0; i < count(h, k); i++)
      sal_json_string(j, NULL, card_names[k]);
  sal_json_end(j, ']');
}

/* A list that only helps to remember; null where it is switched off. */
static inline void json_aid(struct sal_json *j, const char *key, hand h,
                            bool off) {
  if (off)
    sal_json_null(j, key);
  else
    json_hand(j, key, h);
}

static inline void json_cards(struct sal_json *j, const char *key,
                              const uint8_t *cards, size_t n) {
  sal_json_list(j, key);
  for (size_t i = 0; i < n; i++)
    sal_json_string(j, NULL, card_names[cards[i]]);
  sal_json_end(j, ']');
}

static inline void text_hand(struct sal_text *out, hand h) {
  const char *gap = "";
  for (unsigned k = 0; k <= KINDS; k++)
    for (unsigned i = 0; i < count(h, k); i++, gap = " ") {
      sal_text_add(out, gap);
      sal_text_add(out, card_names[k]);
    }
  if (h == 0)
    sal_text_char(out, '-');
}

/* A line of a position: a label and the cards after it. */
static inline void row(struct sal_text *t, const struct sal_words *w,
                       const char *label, hand h) {
  sal_say(t, w, false, label, NULL, 0);
  sal_text_add(t, " ");
  text_hand(t, h);
  sal_text_char(t, '\n');
}

static inline void tell(struct sal_log *log, struct sal_event e) {
  if (log)
    log->emit(log, &e);
}

/* Cards in a tensor, three of a kind are 1; returns where to go on. */
static inline float *tensor_hand(float *t, hand h) {
  for (unsigned k = 0; k < KINDS; k++)
    t[k] = (float)count(h, k) / 3;
  return t + KINDS;
}

/* An action for each kind in the hand; `op` marks it. */
static inline size_t each_card(hand h, sal_action op, sal_action *out) {
  size_t n = 0;
  for (unsigned k = 0; k < KINDS; k++) {
    out[n] = op | k;
    n += count(h, k) != 0;
  }
  return n;
}

/* Outcomes of drawing one card of `h`, each kind weighted by its number;
 * `op` marks the action. */
static inline void draw_outcomes(struct sal_chance *c, hand h, sal_action op) {
  c->count = 0;
  for (unsigned k = 0; k < KINDS; k++)
    if (count(h, k))
      c->outcome[c->count++] = (struct sal_outcome){op | k, count(h, k)};
}

/* How many cards of that name a hand holds, for `stock`. */
static inline int stock_of(hand h, const char *name) {
  const unsigned k = card_parse(name);
  return k == NO_CARD ? 0 : (int)count(h, k);
}

#endif
