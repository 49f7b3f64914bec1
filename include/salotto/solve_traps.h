/* Traps for two, solved: a round with an exact measure of what is left to
 * exploit, what each score of a match is worth, and a policy for all scores.
 *
 * In a round there are two sides: 0 is the first player, 1 the second. A *cut*
 * is where building ends in the solver's game: 0 is one card each, 1 two and
 * one, up to 5, four and three. An even cut binds the first player alone, so
 * what it wins at least holds in the whole game; an odd cut the second.
 *
 * Threads: one at a time on a solver or player. Any number may read a policy.
 * Memory: what a `…_new` or `…_open` made is freed with its `…_free`; the
 * bytes of a policy are the caller's and must outlive it. */
#ifndef SALOTTO_SOLVE_TRAPS_H
#define SALOTTO_SOLVE_TRAPS_H

#include "salotto/solve.h"

SAL_BEGIN

/* What a score is worth to who begins the next round, by own tokens and the
 * other's: 1 is a match won, -1 lost. */
enum { SAL_TRAPS_GOAL = 5 };
struct sal_traps_equity {
  double of[SAL_TRAPS_GOAL][SAL_TRAPS_GOAL];
};

/* What a round is played for: number 0 is tokens, won less given away; the
 * others are the scores of a match, tokens of the first player first. */
enum { SAL_TRAPS_BLUEPRINTS = 1 + SAL_TRAPS_GOAL * SAL_TRAPS_GOAL };
SAL_API int sal_traps_score(int first, int second);

/* ---- Solving --------------------------------------------------------------- */

enum { SAL_TRAPS_CUTS = 6 };
typedef struct sal_traps_solver sal_traps_solver;

/* NULL without memory. */
SAL_API sal_traps_solver *
sal_traps_solver_new(int blueprint, const struct sal_traps_equity *e, int cut);
SAL_API void sal_traps_solver_free(sal_traps_solver *s);
SAL_API void sal_traps_solver_iterate(sal_traps_solver *s);
/* Several processes that solve one round together (struct sal_solve_team): each walks a
 * part of the histories, with memory for all of them. Before the first iteration; the
 * team is copied. To ask how rounds end, or to pack it, all gather what each has reached;
 * they do not iterate after that. */
SAL_API void sal_traps_solver_divide(sal_traps_solver *s,
                                     const struct sal_solve_team *team);
SAL_API void sal_traps_solver_gather(sal_traps_solver *s);
SAL_API uint32_t sal_traps_solver_done(const sal_traps_solver *s);

/* What the first player wins at least with its average strategy, and at most
 * against the second's, in the game that ends at the cut. */
struct sal_traps_bounds {
  double low, high;
};
SAL_API struct sal_traps_bounds sal_traps_solver_bounds(sal_traps_solver *s);

/* How often rounds end in each way with the averages, by the side that digs. */
struct sal_traps_ends {
  double met[2], met_trap[2]; /* without and after a trap */
  double stop[2], stop_trap[2];
  double two_traps[2]; /* or the one that was too many */
  double overbid[2];   /* among the above: nobody could meet the bet */
  double opened[SAL_TRAPS_CUTS]; /* the first bet, by the cards laid */
};
/* False without memory. */
SAL_API bool sal_traps_solver_ends(const sal_traps_solver *s,
                                   struct sal_traps_ends *out);

/* Improves the worths of all scores: solves a round at each, the processes of a team
 * (or NULL) a part of them each. `told`, if there, hears of each that is solved here.
 * Returns the largest change; negative without memory. */
SAL_API double sal_traps_sweep(struct sal_traps_equity *e, int cut,
                               int iterations,
                               const struct sal_solve_team *team,
                               void (*told)(int first, int second, double gap));

/* ---- The policy ------------------------------------------------------------ */

enum { SAL_TRAPS_NOTE_MAX = 1024, SAL_TRAPS_POLICY_MAX = 8 << 20 };

/* One side's strategy at a score, as bytes. */
struct sal_traps_packed {
  const unsigned char *bytes;
  size_t size;
  int cut;
};
/* The strategy of the side that the cut binds; 0 without room or memory. */
SAL_API size_t sal_traps_solver_pack(const sal_traps_solver *s,
                                     unsigned char *out, size_t room);
SAL_API size_t sal_traps_policy_pack(
    const struct sal_traps_packed blueprints[SAL_TRAPS_BLUEPRINTS][2],
    const struct sal_traps_equity *e, const char *note, unsigned char *out,
    size_t room);

/* Reads a policy where it lies; the bytes must stay there. NULL for what is no
 * sound policy, or without memory. */
typedef struct sal_traps_policy sal_traps_policy;
SAL_API sal_traps_policy *sal_traps_policy_open(const unsigned char *bytes,
                                                size_t n);
SAL_API void sal_traps_policy_close(sal_traps_policy *p);
/* How and how well it was made. */
SAL_API const char *sal_traps_policy_note(const sal_traps_policy *p);
SAL_API struct sal_traps_equity
sal_traps_policy_equity(const sal_traps_policy *p);
SAL_API struct sal_traps_packed
sal_traps_policy_blueprint(const sal_traps_policy *p, int blueprint, int side);

/* What the first player wins if one side plays a first round by the policy and
 * the other answers best, in tokens or match equity: at least so much for side
 * 0, at most for side 1. By a walk over the whole game, by kinds of cards, that
 * uses nothing of the solver but the policy's answers. False without memory, or
 * if an answer is invalid. */
SAL_API bool sal_traps_policy_check(const sal_traps_policy *p, int blueprint,
                                    int side, int target, double *wins);

/* ---- Playing ----------------------------------------------------------------- */

/* A round as both players saw it. Sides are those of this round. Tokens need
 * not be told of rounds between the first and the last. */
enum { SAL_TRAPS_KINDS = 6, SAL_TRAPS_CARDS = 6, SAL_TRAPS_BETS = 99 };
struct sal_traps_round {
  uint8_t tokens[2]; /* at its start */
  uint8_t target;    /* RL, BL, RT, BT */
  uint8_t builds;    /* cards built, in turn */
  uint8_t bets;
  uint8_t bet[SAL_TRAPS_BETS];
  bool passed;       /* the betting is over */
  bool stopped;      /* the digger has paid to end it */
  uint8_t turned[2]; /* cards turned up, by the owner of the pile */
};

/* A deal up to a decision, from one seat: `me` is 0 or 1 by round, the side that
 * I am. Kinds are RL, BL, RT, BT, BR, LT. */
enum { SAL_TRAPS_ROUNDS = 4 };
struct sal_traps_deal {
  int rounds; /* the last is being played */
  struct sal_traps_round round[SAL_TRAPS_ROUNDS];
  uint8_t me[SAL_TRAPS_ROUNDS];
  /* What earlier rounds have shown of my cards and of theirs. */
  uint8_t shown[2][SAL_TRAPS_KINDS];
  uint8_t hand[SAL_TRAPS_KINDS]; /* all my cards, those in the pile too */
  uint8_t laid;
  uint8_t pile[SAL_TRAPS_CARDS]; /* the bottom first */
  uint8_t seen[SAL_TRAPS_CARDS]; /* of their pile, from its top */
};

/* How likely each action is. Only those of the phase are not 0. */
struct sal_traps_chances {
  float card[SAL_TRAPS_KINDS]; /* to place or build */
  float bet[SAL_TRAPS_BETS + 1];
  float pass, stop, own, theirs;
};

/* How long to solve: `more`, if it is there, is asked after each iteration. */
struct sal_traps_effort {
  uint32_t iterations;
  bool (*more)(void *context);
  void *context;
};
enum { SAL_TRAPS_ITERATIONS = 200, SAL_TRAPS_FEWEST = 30 };

/* Somebody who plays by a policy. The first round of a deal is played by the
 * blueprint of its score. Later rounds are solved again at the table with what was
 * shown and bet in mind; with fewer than SAL_TRAPS_FEWEST iterations they are
 * played by the blueprint too. Keeps the last round that was solved, which must be
 * played to its end with the same player. One thread at a time. */
typedef struct sal_traps_player sal_traps_player;
SAL_API sal_traps_player *sal_traps_player_new(const sal_traps_policy *p);
SAL_API void sal_traps_player_free(sal_traps_player *player);

/* False for what cannot be, or without memory. */
SAL_API bool sal_traps_player_ask(sal_traps_player *player,
                                  const struct sal_traps_deal *d,
                                  const struct sal_traps_effort *effort,
                                  struct sal_traps_chances *out);
/* How many iterations the last answer took; 0 if all was known before. */
SAL_API uint32_t sal_traps_player_effort(const sal_traps_player *player);

SAL_END

#endif
