/* Heuristics: rules of thumb for each game, as weights on the legal actions.
 *
 * They are the novice and the regular themselves, and the expert's picture of
 * the others: what would somebody who saw this do? A heuristic knows
 * the view and nothing else, and reads it by the struct of its game. */
#ifndef SAL_BOTS_HEURISTICS_H
#define SAL_BOTS_HEURISTICS_H

#include "salotto/bot.h"

enum { LEGAL_MAX = 4096 };

/* Fills one weight, at least 0 and not all 0, for each legal action. */
typedef void heuristic_fn(const struct sal_question *q, double *weight);

/* The part of the win that each seat can expect, while the game is not over and
 * between two deals or rounds. A seat's own view tells what it owns. */
typedef void chances_fn(const struct sal_game *g, const sal_state *s,
                        int players, double *out);

/* What an action shows of whoever takes it, each from -1 to 1. */
struct traits {
  double risk, deceit, spending;
};
typedef struct traits traits_fn(const struct sal_question *q, sal_action a);

struct heuristics {
  const char *game;
  heuristic_fn *novice, *regular;
  double errs; /* so often the novice does anything at all */
  /* Another heuristic that the expert watches for: its worlds are weighed by how
   * well this one or the regular explains what people did, and simulations go on
   * in the same manner. NULL: nothing is watched for. */
  heuristic_fn *other;
  /* Whether an action can tell who plays by the other heuristic; a round is not
   * looked at any further once one cannot. For games with more than two. */
  bool (*tells)(sal_action a);
  chances_fn *chances; /* NULL: nobody knows */
  /* Chances that were fitted, for the expert; NULL: it reckons with the ones
   * above, as its opponents in the arena always do. */
  chances_fn *evaluate;
  traits_fn *traits; /* NULL: all are alike */
  /* Actions whose chances to win differ by so little are mixed by the expert;
   * 0: it plays the best. */
  double heat;
  /* With more than two at the table the expert compares so many actions, and
   * plays the best. 0: as for two. */
  size_t breadth;
  /* A deal of several rounds is too long to look through: simulations end at
   * the next draw of chance, and beliefs begin at the last one. For games where
   * a draw begins a round. */
  bool by_round;
  /* The number of the round: simulations go on past draws until it changes.
   * NULL: they end at the next. */
  int (*round)(const sal_view *view);
  /* The number of the round where `closed` does not count rounds. */
  int (*number)(const sal_view *view);
};

/* The heuristics of a game; for one without its own, uniform ones with `game`
 * NULL. */
const struct heuristics *heuristics_of(const struct sal_game *g);

/* Favor for two: the chance to win of who leads by so much after so many
 * days. */
double favor_chance(int days, int lead);

/* An action drawn by its weight. */
size_t draw_weighted(const double *weight, size_t count, struct sal_rng *rng);

extern const struct heuristics heuristics_doors, heuristics_favor,
    heuristics_louis, heuristics_traps;

#endif
