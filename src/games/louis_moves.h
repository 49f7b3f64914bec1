/* The small moves that stations and actions of Louis XIV are made of, and how
 * they tell what happened. */
#ifndef SAL_GAMES_LOUIS_MOVES_H
#define SAL_GAMES_LOUIS_MOVES_H

#include "louis.h"

/* ---- Events -------------------------------------------------------------- */

void louis_tell(struct sal_log *log, enum event kind, unsigned seat,
                const int *values, size_t count, bool reveals);
/* A card that only its owner sees. A mission's code takes two values. */
void louis_tell_dealt(struct sal_log *log, unsigned seat, unsigned pile,
                      uint32_t card);

#define VALUES(...)                                                            \
  (const int[]){__VA_ARGS__}, sizeof(const int[]){__VA_ARGS__} / sizeof(int)
/* An event that all see; one that shows what was hidden. Nothing is computed
 * where nobody listens. */
#define TELL(log, kind, seat, ...)                                             \
  do {                                                                         \
    if (log)                                                                   \
      louis_tell(log, kind, seat, VALUES(__VA_ARGS__), false);                 \
  } while (0)
#define REVEAL(log, kind, seat, ...)                                           \
  do {                                                                         \
    if (log)                                                                   \
      louis_tell(log, kind, seat, VALUES(__VA_ARGS__), true);                  \
  } while (0)

/* ---- Moves --------------------------------------------------------------- */

static inline void ask(struct louis *s, unsigned seat) {
  s->asked = (uint8_t)seat;
}

static inline void go(struct louis *s, enum station where) {
  s->station = (uint8_t)where;
  s->turn = s->nth = 0;
}

static inline unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* louis.influence.recover, powers mark2 and mark3: what is there. */
static inline unsigned make_ready(struct louis *s, unsigned seat, unsigned n) {
  n = least(n, s->general[seat]);
  s->general[seat] = (uint8_t)(s->general[seat] - n);
  s->personal[seat] = (uint8_t)(s->personal[seat] + n);
  return n;
}

/* louis.privilege.cost */
static inline void use_privilege(struct louis *s, unsigned seat,
                                 unsigned space) {
  s->board[seat] = (uint8_t)(s->board[seat] & ~(1u << space));
  s->general[seat]++;
}

static inline void take_chips(struct louis *s, unsigned seat, unsigned chip,
                              unsigned n) {
  s->stock[chip] = (uint8_t)(s->stock[chip] - n);
  s->chips[seat][chip] = (uint8_t)(s->chips[seat][chip] + n);
}

static inline void discard_influence(struct louis *s, unsigned seat,
                                     unsigned card) {
  s->influence[seat] -= bag_one(card);
  s->influence_size[seat]--;
  s->influence_deck.open += bag_one(card);
}

/* louis.influence.last-card */
void louis_drop_last_card(struct louis *s, unsigned seat, struct sal_log *log);

/* ---- Between the files --------------------------------------------------- */

/* Makes draws due: so many from a pile for a seat, or for nobody. */
void louis_draw(struct louis *s, enum pile pile, unsigned seat, unsigned n,
                struct sal_log *log);
void louis_give_shields(struct louis *s, unsigned seat, unsigned n,
                        struct sal_log *log);

/* One draw has come. */
void louis_get(struct louis *s, sal_action a, struct sal_log *log);

/* Walks on until somebody is asked, draws are due or the game is over. */
void louis_advance(struct louis *s, struct sal_log *log);
/* louis.setup.player, louis.setup.markers */
void louis_begin_with(struct louis *s, unsigned first);

void louis_serve(struct louis *s, unsigned seat, struct sal_log *log);
void louis_favour(struct louis *s, unsigned seat, unsigned spaces,
                  struct sal_log *log);
void louis_next_player(struct louis *s);
/* Keeps the chips of a DO_KEEP; the turn passes to the next player. */
void louis_keep(struct louis *s, unsigned seat, uint64_t arguments,
                struct sal_log *log);
/* louis.eval.pay: what a seat pays on the tile being evaluated. */
unsigned louis_price(const struct louis *s, unsigned seat);

#endif
