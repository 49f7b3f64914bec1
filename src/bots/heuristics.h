/* Heuristics: rules of thumb for each game, as weights on the legal actions.
 *
 * They are the novice and the regular themselves, and the expert's picture of
 * the others: what would somebody who saw this do? A heuristic knows
 * the view and nothing else, and reads it by the struct of its game. */
#ifndef SAL_BOTS_HEURISTICS_H
#define SAL_BOTS_HEURISTICS_H

#include "salotto/bot.h"

enum { LEGAL_MAX = 4096 };
/* By which heuristic somebody plays: 0 is the regular, others follow. */
enum { PICTURES = 4 };

/* Fills one weight, at least 0 and not all 0, for each legal action. */
typedef void heuristic_fn(const struct sal_question *q, double *weight);

/* The part of the win that each seat can expect, while the game is not over and
 * between two deals or rounds. A seat's own view tells what it owns. */
typedef void chances_fn(const struct sal_game *g, const sal_state *s,
                        int players, double *out);

/* The same for the expert, who may know by which of the game's heuristics each
 * seat plays. */
typedef void evaluate_fn(const struct sal_game *g, const sal_state *s,
                         int players, const uint8_t *kind, double *out);

/* What an action shows of whoever takes it, each from -1 to 1. */
struct traits {
  double risk, deceit, spending;
};
typedef struct traits traits_fn(const struct sal_question *q, sal_action a);

struct heuristics {
  const char *game;
  heuristic_fn *novice, *regular;
  double errs; /* so often the novice does anything at all */
  /* Other heuristics that the expert watches for: its worlds are weighed by how
   * well one of these or the regular explains what people did, and simulations go
   * on in the same manner; for two only the first. NULL: nothing more is watched
   * for. */
  heuristic_fn *other[PICTURES - 1];
  /* Whether an action can tell who plays by which heuristic; a round is not
   * looked at any further once one cannot. For games with more than two. */
  bool (*tells)(sal_action a);
  chances_fn *chances; /* NULL: nobody knows */
  /* Chances that were fitted, for the expert; NULL: it reckons with the ones
   * above, as its opponents in the arena always do. */
  evaluate_fn *evaluate;
  traits_fn *traits; /* NULL: all are alike */
  /* Actions whose chances to win differ by so little are mixed by the expert;
   * 0: it plays the best. */
  double heat;
  /* With more than two at the table the expert compares so many actions, and
   * plays the best. 0: as for two. */
  size_t breadth;
  /* Then: changes the regular's weights, by which these are chosen; what is
   * below 0 afterwards is not compared. NULL: they stay. */
  void (*consider)(const struct sal_question *q, double *weight);
  /* By which heuristic the expert's own seat plays on in simulations, where the
   * others play by these. NULL: the regular. */
  uint8_t (*manner)(const uint8_t *kind, int players);
  /* A deal of several rounds is too long to look through: simulations end at
   * the next draw of chance, and beliefs begin at the last one. For games where
   * a draw begins a round. */
  bool by_round;
  /* For the expert's beliefs with more than two at the table, so that most worlds
   * fit what was shown since the round began: whether an action is hidden from the
   * others; the state at the view `start` of a world that fits the view now, and
   * how likely it was before anybody acted, as a part of how often it comes up; and
   * a hidden step that the view now shows, or 0. NULL: worlds begin with any that
   * fit `start`, and what is hidden may be any action. */
  bool (*hides)(sal_action a);
  double (*rewind)(const sal_view *start, const sal_state *now, sal_state *out);
  sal_action (*shown)(const sal_state *then, const sal_view *now, int seat);
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
