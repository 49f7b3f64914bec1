/* Doors-S: one set of rules, played through the interface and by a bare loop.
 *
 * Main invariant: the 14 cards are always in deck, offer, collection and among
 * the discards; the deck is a set whose order means nothing. */
#include "doors_s.h"
#include "tokens.h"

#include <string.h>

enum { CARDS = 14, OFFER = 4, KINDS = 6, LAST_TURN = 9, WIN = 10 };

struct round {
  uint8_t deck[CARDS], left;
  uint8_t offer[OFFER];
  uint8_t collection[KINDS];
  uint8_t identity[2]; /* the Collector's first */
  uint8_t turn;
  uint8_t gap;     /* the slot to be filled; OFFER: none */
  uint8_t paid[2]; /* not both 0: over */
  bool dealt;
};

struct view {
  struct round s;
  int32_t viewer;
};

/* ---- Rules --------------------------------------------------------------- */

static inline bool holds_set(const struct round *s, unsigned identity) {
  const uint8_t *n = s->collection;
  const unsigned colour = identity & 1, role = identity >> 1;
  const unsigned same_colour = (unsigned)n[colour] + n[2 + colour] + n[4];
  const unsigned same_role = (unsigned)n[2 * role] + n[2 * role + 1] + n[5];
  return same_colour >= 4 || same_role >= 4;
}

static inline void fill_slot(struct round *s, unsigned slot,
                             struct sal_rng *rng) {
  const uint32_t k = sal_rng_below(rng, s->left);
  s->offer[slot] = s->deck[k];
  s->deck[k] = s->deck[--s->left];
}

static inline void deal(struct round *s, struct sal_rng *rng) {
  static const uint8_t clues[CARDS] = {0, 0, 0, 1, 1, 1, 2,
                                       2, 2, 3, 3, 3, 4, 5};
  *s = (struct round){.left = CARDS, .gap = OFFER, .dealt = true};
  memcpy(s->deck, clues, sizeof clues);
  for (unsigned i = 0; i < OFFER; i++)
    fill_slot(s, i, rng);
  const uint32_t r = sal_rng_below(rng, 12);
  s->identity[0] = r & 3;
  s->identity[1] = (s->identity[0] + 1 + r / 4) & 3;
}

/* The Collector keeps the card of a slot, the Guesser discards it. True if the
 * round is over; else the slot is to be filled. */
static inline bool play_slot(struct round *s, unsigned slot) {
  const unsigned turn = s->turn++;
  if ((turn & 1) == 0) {
    s->collection[s->offer[slot]]++;
    if (turn >= 6 && holds_set(s, s->identity[0]))
      s->paid[0] = TOKENS_SET;
  } else if (turn >= 7 && holds_set(s, s->identity[1])) {
    s->paid[1] = TOKENS_GUESSER_SET;
  } else if (turn == LAST_TURN) {
    s->paid[1] = TOKENS_DECK_OUT;
  }
  return (s->paid[0] | s->paid[1]) != 0;
}

/* ---- The bare loop ------------------------------------------------------- */

uint64_t doors_s_match(struct sal_rng *rng) {
  unsigned tokens[2] = {0, 0};
  uint64_t decisions = 0;
  for (unsigned collector = 0; tokens[0] < WIN && tokens[1] < WIN;
       collector ^= 1) {
    struct round s;
    deal(&s, rng);
    for (;;) {
      const unsigned slot = (unsigned)(sal_rng_next(rng) >> 62);
      decisions++;
      if (play_slot(&s, slot))
        break;
      fill_slot(&s, slot, rng);
    }
    tokens[collector] += s.paid[0];
    tokens[!collector] += s.paid[1];
  }
  return decisions;
}

/* ---- The interface ------------------------------------------------------- */

static inline struct round *as_state(sal_state *s) { return (struct round *)s; }
static inline const struct round *as_const_state(const sal_state *s) {
  return (const struct round *)s;
}

static void init(sal_state *state, const struct sal_setup *setup) {
  (void)setup;
  *as_state(state) = (struct round){.gap = OFFER};
}

static inline bool over(const struct round *s) {
  return (s->paid[0] | s->paid[1]) != 0;
}

static unsigned to_act(const sal_state *state) {
  const struct round *s = as_const_state(state);
  if (over(s))
    return 0;
  return s->dealt && s->gap == OFFER ? 1u << (s->turn & 1) : SAL_CHANCE_BIT;
}

static size_t legal(const sal_state *state, int seat, sal_action *out) {
  (void)state;
  (void)seat;
  for (sal_action slot = 0; slot < OFFER; slot++)
    out[slot] = 1 + slot;
  return OFFER;
}

static void apply(sal_state *state, int seat, sal_action a,
                  struct sal_log *log) {
  const unsigned slot = (unsigned)a - 1;
  (void)seat;
  (void)log;
  if (!play_slot(as_state(state), slot))
    as_state(state)->gap = (uint8_t)slot;
}

static void sample(sal_state *state, struct sal_rng *rng) {
  struct round *s = as_state(state);
  if (!s->dealt) {
    deal(s, rng);
    return;
  }
  fill_slot(s, s->gap, rng);
  s->gap = OFFER;
}

static int closed(const sal_state *state) {
  return over(as_const_state(state));
}

static void scores(const sal_state *state, int32_t *out) {
  out[0] = as_const_state(state)->paid[0];
  out[1] = as_const_state(state)->paid[1];
}

static unsigned winners(const sal_state *state) {
  const struct round *s = as_const_state(state);
  return over(s) ? 1u << (s->paid[1] != 0) : 0;
}

static void view(const sal_state *state, int viewer, sal_view *out) {
  struct view *v = (struct view *)out;
  v->s = *as_const_state(state);
  v->viewer = viewer;
  for (int seat = 0; seat < 2; seat++)
    if (seat != viewer && !over(&v->s))
      v->s.identity[seat] = 0;
}

static void resample(const sal_view *view, struct sal_rng *rng,
                     sal_state *state) {
  const struct view *v = (const struct view *)view;
  struct round *s = as_state(state);
  *s = v->s;
  if (over(s))
    return;
  const uint32_t other = 1 + sal_rng_below(rng, 3);
  if (v->viewer == SAL_SPECTATOR)
    s->identity[0] = (uint8_t)sal_rng_below(rng, 4);
  const int hidden = v->viewer == 1 ? 0 : 1;
  s->identity[hidden] = (s->identity[!hidden] + other) & 3;
}

const struct sal_game doors_s = {
    .info = {.id = "doors-s",
             .players_min = 2,
             .players_max = 2,
             .state_size = sizeof(struct round),
             .view_size = sizeof(struct view),
             .legal_max = OFFER,
             .score_max = TOKENS_SET},
    .init = init,
    .to_act = to_act,
    .legal = legal,
    .apply = apply,
    .sample = sample,
    .closed = closed,
    .scores = scores,
    .winners = winners,
    .view = view,
    .resample = resample,
};
