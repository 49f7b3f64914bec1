/* Favor for two: endings of a day, solved with an exact measure of what is left
 * to exploit.
 *
 * Sides are seats, 0 and 1. An *ending* is a turn, or the final auction, with
 * what both players see and, of each side, how likely it came here as each
 * identity: its *range*. All actions are public, so the ranges are all that is
 * known of the identities: P(i, j) is proportional to range[0][i] *
 * range[1][j] where i and j differ.
 *
 * Threads: one at a time on a solver; different solvers at once.
 * Memory: a solver is freed with sal_favor_solver_free; what is written is the
 * caller's. */
#ifndef SALOTTO_SOLVE_FAVOR_H
#define SALOTTO_SOLVE_FAVOR_H

#include "salotto/api.h"

SAL_BEGIN

enum { SAL_FAVOR_TYPES = 4, SAL_FAVOR_KINDS = 6, SAL_FAVOR_LEAD = 80 };

/* Cards by kind: RL, BL, RT, BT, BR, LT; identities are the first four. */
struct sal_favor_ending {
  uint8_t deck[SAL_FAVOR_KINDS], lot[SAL_FAVOR_KINDS];
  uint8_t collection[2][SAL_FAVOR_KINDS];
  uint8_t gems[2];
  uint8_t turn;  /* whose turn it is; with an empty deck, who bids first */
  uint8_t first; /* who began the day */
  uint8_t day;   /* 1 to 3 */
  bool last;     /* the game ends with this day */
  bool english;  /* the edition */
  int8_t lead;   /* side 0's points of former days less side 1's */
  float range[2][SAL_FAVOR_TYPES];
};

/* What the end of the day is worth to side 0, from -1, lost, to 1, won, by its
 * lead, which may be -SAL_FAVOR_LEAD to SAL_FAVOR_LEAD. Of the two rows [1] is
 * where side 0 has the edge: it begins the next day or, on the last, it is the
 * one who wins a tie. */
struct sal_favor_worth {
  float of[2][2 * SAL_FAVOR_LEAD + 1];
};
/* Of the last day: won or lost. */
SAL_API void sal_favor_worth_last(struct sal_favor_worth *out);

/* ---- Solving --------------------------------------------------------------- */

typedef struct sal_favor_solver sal_favor_solver;

/* While a tree is made, and between iterations: whether to go on. */
struct sal_favor_effort {
  uint32_t nodes;              /* of the tree, at most */
  bool (*more)(void *context); /* NULL: always */
  void *context;
};

/* NULL for what is no ending, for a tree that is too large, when there is no
 * more time, or without memory. */
SAL_API sal_favor_solver *
sal_favor_solver_new(const struct sal_favor_ending *e,
                     const struct sal_favor_worth *w,
                     const struct sal_favor_effort *effort);
SAL_API void sal_favor_solver_free(sal_favor_solver *s);
SAL_API void sal_favor_solver_iterate(sal_favor_solver *s);
SAL_API uint32_t sal_favor_solver_done(const sal_favor_solver *s);
SAL_API uint32_t sal_favor_solver_nodes(const sal_favor_solver *s);
SAL_API uint64_t sal_favor_solver_bytes(const sal_favor_solver *s);

/* Before the first iteration: a side may take `worth` instead of coming here,
 * by type, in what the worths count. So it gains nothing by having come as
 * another range than the one given, of which a part is kept. */
SAL_API void sal_favor_solver_offer(sal_favor_solver *s, int side,
                                    const float worth[SAL_FAVOR_TYPES]);

/* What side 0 gets at least with its average strategy, and at most against that
 * of side 1, in what the worths count. */
struct sal_favor_bounds {
  double low, high;
};
SAL_API struct sal_favor_bounds
sal_favor_solver_bounds(const sal_favor_solver *s);

/* ---- Playing --------------------------------------------------------------- */

/* What happened since the ending began. Cards come one by one. */
enum sal_favor_did {
  SAL_FAVOR_DREW, /* a card, by its kind */
  SAL_FAVOR_ADDED,
  SAL_FAVOR_CALLED,
  SAL_FAVOR_PASSED,
  SAL_FAVOR_BIDDED /* so many gems */
};
struct sal_favor_step {
  uint8_t did, number;
  int8_t seat; /* any, if a card was drawn */
};

/* A decision of one side, as a type of it: how likely the average strategy
 * takes each option, and what it is worth then, from -1, lost, to 1, won. On a
 * turn option 0 is to add and 1 to call; in an auction 0 is to pass, and
 * option n to bid `least` + n - 1. */
enum { SAL_FAVOR_OPTIONS = 12 };
struct sal_favor_answer {
  int options;
  int least;
  float chance[SAL_FAVOR_OPTIONS], value[SAL_FAVOR_OPTIONS];
};

/* False if the steps do not lead from the ending to a decision of that side: a
 * step that cannot be, a player who has no choice. A bid above what wins for
 * certain is taken as the lowest that does; the gems differ then, and the next
 * turn is another ending. */
SAL_API bool sal_favor_solver_ask(const sal_favor_solver *s, int side, int type,
                                  const struct sal_favor_step *steps,
                                  size_t count, struct sal_favor_answer *out);

/* The ranges after such steps, however few. False for steps that cannot be. */
SAL_API bool sal_favor_solver_ranges(const sal_favor_solver *s,
                                     const struct sal_favor_step *steps,
                                     size_t count,
                                     float out[2][SAL_FAVOR_TYPES]);

/* ---- Whole days ------------------------------------------------------------ */

/* The nets that tell what lies behind an event, from share/favor.policy.
 * `bytes` are not kept. NULL if they are damaged, or without memory. */
typedef struct sal_favor_policy sal_favor_policy;
SAL_API sal_favor_policy *sal_favor_policy_open(const unsigned char *bytes,
                                                size_t n);
SAL_API void sal_favor_policy_close(sal_favor_policy *p);
/* How it was made, in a sentence. */
enum { SAL_FAVOR_NOTE_MAX = 256 };
SAL_API const char *sal_favor_policy_note(const sal_favor_policy *p);

/* A player of one side through a day. It keeps what it solved for the next
 * question of the same day; what it answers does not depend on what it was asked
 * before, unless `more` may cut a thought short. */
typedef struct sal_favor_player sal_favor_player;
SAL_API sal_favor_player *sal_favor_player_new(const sal_favor_policy *p);
SAL_API void sal_favor_player_free(sal_favor_player *p);

enum { SAL_FAVOR_ITERATIONS = 100 };
struct sal_favor_thought {
  uint32_t iterations;         /* of each turn, at most */
  bool (*more)(void *context); /* NULL: always */
  void *context;
  uint64_t done; /* iterations that were made for this answer are added */
};

/* The day began with `start`, a turn; its ranges do not matter. False if the
 * steps do not lead to a decision of that side, without memory, and if there is
 * not time enough. */
SAL_API bool sal_favor_player_ask(sal_favor_player *p,
                                  const struct sal_favor_ending *start,
                                  const struct sal_favor_step *steps,
                                  size_t count, int side, int type,
                                  struct sal_favor_thought *thought,
                                  struct sal_favor_answer *out);

SAL_END

#endif
