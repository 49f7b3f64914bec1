/* The equilibrium of a round of Doors, with an exact measure of what is left
 * to exploit.
 *
 * A solver holds one start: an initial offer, or a later position where the
 * Collector is to take. Each iteration improves the strategies of both sides;
 * the bounds are exact for their averages (but for rounding: numbers have
 * single precision) and hold in the whole game, not only in the solver's
 * smaller one. The result does not depend on the number of threads.
 *
 * Threads: one at a time on a solver, book or player; a solver starts the
 * threads it is told to. Any number may read a policy.
 * Memory: what a `…_new` or `…_open` made is freed with its `…_free`; the
 * bytes of a policy are the caller's and must outlive it. */
#ifndef SALOTTO_SOLVE_H
#define SALOTTO_SOLVE_H

#include "salotto/api.h"

SAL_BEGIN

enum { SAL_DOORS_KINDS = 6, SAL_DOORS_OFFERS = 15 };

/* Numbers of cards by kind: RL, BL, RT, BT, BR, LT. */
struct sal_doors_start {
  uint8_t offer[SAL_DOORS_KINDS];
  uint8_t collection[SAL_DOORS_KINDS];
  uint8_t discards[SAL_DOORS_KINDS];
};

/* NULL, or why no solver can start so: one sentence, marked for translation. */
SAL_API const char *sal_doors_start_problem(const struct sal_doors_start *s);

/* What the Collector wins in each way a round can end. Any numbers will do
 * whose order is that of the tokens: none may be larger than the one before. */
struct sal_doors_worth {
  float set, wrong, trait, guesser_set, deck_out, both;
};
/* The Collector's tokens less the Guesser's. */
SAL_API extern const struct sal_doors_worth sal_doors_tokens;

typedef struct sal_doors_solver sal_doors_solver;

/* The start is one without a problem. NULL without memory. */
SAL_API sal_doors_solver *
sal_doors_solver_new(const struct sal_doors_start *start,
                     const struct sal_doors_worth *worth, int threads);
SAL_API void sal_doors_solver_free(sal_doors_solver *s);

SAL_API void sal_doors_solver_iterate(sal_doors_solver *s);

/* What the Collector wins at least with the average strategy, and at most
 * against the Guesser's. The true value lies between them; high - low is the
 * exploitability, both sides added. Needs an iteration at least, and costs
 * about as much as one. */
struct sal_doors_bounds {
  double low, high;
};
SAL_API struct sal_doors_bounds sal_doors_solver_bounds(sal_doors_solver *s);

struct sal_doors_size {
  uint64_t
      histories;  /* at the Collector's fourth take, as far as they differ */
  uint64_t bytes; /* of memory for the strategies */
};
SAL_API struct sal_doors_size sal_doors_solver_size(const sal_doors_solver *s);

/* All that iterations have changed: the number of them, and one block of
 * memory. To go on later, copy the block into a solver of the same start and
 * set the number. */
SAL_API uint32_t sal_doors_solver_done(const sal_doors_solver *s);
SAL_API void sal_doors_solver_resume(sal_doors_solver *s, uint32_t done);
SAL_API void *sal_doors_solver_memory(sal_doors_solver *s, uint64_t *bytes);

/* Several processes that solve one start together: each walks a part of the
 * histories and uses only that part of the memory; the numbers are those of one
 * process. `merge` gets what this process has, with zeros where it has nothing, and
 * makes of it what all have. All processes call the same functions in the same
 * order. Before the first iteration; the team is copied. */
struct sal_solve_team {
  int number, count; /* of this process, from 0; of all */
  void (*merge)(void *bytes, size_t n);
};
SAL_API void sal_doors_solver_divide(sal_doors_solver *s,
                                     const struct sal_solve_team *team);
/* The memory in pieces, from 0, and who uses which; -1: everybody. To save a solver
 * that was divided, or to make a book of it, one process gets all of them; to go on
 * from there, they are given back. False: there is no such piece. */
struct sal_doors_piece {
  void *bytes;
  size_t size;
  int owner;
};
SAL_API bool sal_doors_solver_piece(sal_doors_solver *s, uint32_t number,
                                    struct sal_doors_piece *out);

/* ---- The Collector's book ------------------------------------------------- */

/* The Collector's strategy without memory: the average over all histories that
 * lead to the same cards. A little is lost, and it is small. */
typedef struct sal_doors_book sal_doors_book;

/* An empty book; NULL without memory. */
SAL_API sal_doors_book *sal_doors_book_new(void);
SAL_API void sal_doors_book_free(sal_doors_book *b);
/* Adds a solver's average, weighed by the chance of its start. False without
 * memory. */
SAL_API bool sal_doors_book_add(sal_doors_book *b, sal_doors_solver *s,
                                double chance);
SAL_API uint32_t sal_doors_book_positions(const sal_doors_book *b);

/* As bytes for a file, and back. Packing rounds, and returns the number of
 * bytes, 0 without room or memory; unpacking returns NULL for what is no
 * sound book. */
enum { SAL_DOORS_BOOK_MAX = 1 << 18 };
SAL_API size_t sal_doors_book_pack(const sal_doors_book *b, unsigned char *out,
                                   size_t room);
SAL_API sal_doors_book *sal_doors_book_unpack(const unsigned char *bytes,
                                              size_t n);

/* What the Collector who plays by the book wins at least from a start, by a
 * walk over every history that uses none of the solver's reductions and none
 * of its code. False without memory, or if a position is not in the book. */
SAL_API bool sal_doors_book_check(const sal_doors_book *b,
                                  const struct sal_doors_start *start,
                                  const struct sal_doors_worth *worth,
                                  int threads, double *wins);
/* The same by the solver's quick walk, to be compared. */
SAL_API bool sal_doors_book_wins(const sal_doors_book *b,
                                 const struct sal_doors_start *start,
                                 const struct sal_doors_worth *worth,
                                 double *wins);

/* Collectors as people are: who takes what fits best, what fits one trait, what
 * fits least, or anything. Enters all positions of an initial offer; false
 * without memory. */
enum sal_doors_habit {
  SAL_DOORS_TAKES_FITTING,
  SAL_DOORS_TAKES_HALF,
  SAL_DOORS_TAKES_FOREIGN,
  SAL_DOORS_TAKES_ANY,
  SAL_DOORS_HABITS
};
SAL_API bool sal_doors_book_habit(sal_doors_book *b, const uint8_t *offer,
                                  enum sal_doors_habit habit);

/* ---- The shipped policy ---------------------------------------------------- */

/* How a round is played for tokens and at each score of a match to 10: what was
 * solved before, to be completed at the table. Blueprint 0 is for tokens. */
enum { SAL_DOORS_BLUEPRINTS = 101, SAL_DOORS_NOTE_MAX = 1024 };
typedef struct sal_doors_policy sal_doors_policy;

/* Reads a policy where it lies; the bytes must stay there. NULL for what is no
 * sound policy, or without memory. */
SAL_API sal_doors_policy *sal_doors_policy_open(const unsigned char *bytes,
                                                size_t n);
SAL_API void sal_doors_policy_close(sal_doors_policy *p);
/* How, when and how well it was made. */
SAL_API const char *sal_doors_policy_note(const sal_doors_policy *p);
SAL_API struct sal_doors_worth sal_doors_policy_worth(const sal_doors_policy *p,
                                                      int blueprint);
/* The blueprint of a score, each 0 to 9; the worth is the chance to win. */
SAL_API int sal_doors_policy_score(int collector, int guesser);

/* A round up to a decision: the initial offer, the cards picked (the Collector
 * takes, the Guesser discards, in turn) and what came in their place. Kinds are
 * in the order of a start. */
enum { SAL_DOORS_PICKS = 10 };
struct sal_doors_history {
  uint8_t offer[SAL_DOORS_KINDS];
  uint8_t picks;
  uint8_t pick[SAL_DOORS_PICKS], refill[SAL_DOORS_PICKS];
};

/* The chances of each action, by the identity of who is to act. Guesses are
 * red, blue, lady, tiger, then the identities RL, BL, RT, BT. */
enum { SAL_DOORS_GUESSES = 8, SAL_DOORS_CLAIM = 8, SAL_DOORS_END = 9 };
struct sal_doors_chances {
  float pick[SAL_DOORS_KINDS][4];
  float say[SAL_DOORS_END + 1][4];
};

/* How long to solve: `more`, if it is there, is asked after each iteration. */
struct sal_doors_effort {
  uint32_t iterations; /* at least 1 */
  bool (*more)(void *context);
  void *context;
};
/* What a round is shipped with: as exploitable as the note says. */
enum { SAL_DOORS_ITERATIONS = 256 };

/* Somebody who plays by a policy. Keeps the last position that was solved, and
 * answers the same with and without it. One thread at a time. */
typedef struct sal_doors_player sal_doors_player;
SAL_API sal_doors_player *sal_doors_player_new(const sal_doors_policy *p);
SAL_API void sal_doors_player_free(sal_doors_player *player);

/* What to do after a history: the Collector takes, the Guesser discards or,
 * after the discard, speaks. (A Collector claims what can be claimed.) False
 * for a history that cannot be, or without memory. */
SAL_API bool sal_doors_player_ask(sal_doors_player *player, int blueprint,
                                  const struct sal_doors_history *h,
                                  bool collector,
                                  const struct sal_doors_effort *effort,
                                  struct sal_doors_chances *out);
/* How many iterations the last answer took; 0 if all was known before. */
SAL_API uint32_t sal_doors_player_effort(const sal_doors_player *player);

/* What the best opponent leaves the Collector who plays by the policy, or wins
 * as Collector from the Guesser who does, by a walk over every history that
 * uses nothing of the solver but the policy's answers. Takes minutes. False
 * without memory, or if an answer is invalid. */
SAL_API bool sal_doors_policy_check(const sal_doors_policy *p, int blueprint,
                                    const uint8_t offer[SAL_DOORS_KINDS],
                                    bool collector, uint32_t iterations,
                                    int threads, double *wins);

/* ---- Exploring -------------------------------------------------------------- */

/* A line of a round: what happened up to a place in it. After the last pick the
 * card in its place may still have to come (`due`); after a discard nothing may
 * have been said yet, or one of the sayings, of which only SAL_DOORS_END goes
 * on. */
enum { SAL_DOORS_SILENT = SAL_DOORS_END + 1 };
struct sal_doors_line {
  struct sal_doors_history history; /* without a pick whose card is due */
  bool due;
  uint8_t picked; /* the card, if one is due */
  uint8_t said;
};
/* "RL,BL,RT,BR RL:BT BT:LT end": the initial offer; then by turns what was taken
 * and discarded with the card that came; `end` or a guess (red, blue, lady,
 * tiger, RL, BL, RT, BT after `guess:`), or `claim`. Words are parted by blanks
 * or points. False, and `at` (unless NULL) the number of the first word that is
 * wrong. */
SAL_API bool sal_doors_line_read(const char *text, struct sal_doors_line *out,
                                 size_t *at);
struct sal_text;
SAL_API void sal_doors_line_write(const struct sal_doors_line *line,
                                  struct sal_text *out);

enum sal_doors_place {
  SAL_DOORS_AT_TAKE,
  SAL_DOORS_AT_DRAW,
  SAL_DOORS_AT_DISCARD,
  SAL_DOORS_AT_SAY,
  SAL_DOORS_AT_END
};
enum { SAL_DOORS_OPTIONS = SAL_DOORS_END + 1 };

/* What can be done at a place: a card by its kind, or a saying. */
struct sal_doors_option {
  uint8_t what;
  float chance[4]; /* of each identity of the mover; of a draw, in [0] */
  float worth[4];  /* to the mover of each identity; NAN: not asked for, or
                      nobody is met */
};

/* All of a place. Beliefs are exact, by Bayes: what each side's own choices say
 * of its identity, which is never the other's. */
struct sal_doors_explored {
  enum sal_doors_place place;
  uint8_t turn;   /* 1 to 5 */
  bool collector; /* who moves, or moved last */
  uint8_t offer[SAL_DOORS_KINDS], collection[SAL_DOORS_KINDS];
  uint8_t discards[SAL_DOORS_KINDS], deck[SAL_DOORS_KINDS];
  uint8_t sets; /* mask: identities that have a set as Collector, and claim */
  /* How likely each identity has played so, all being dealt alike. */
  double reach_collector[4], reach_guesser[4];
  /* What somebody who sees the table believes: chances of each identity. */
  double collector_is[4], guesser_is[4];
  size_t count;
  struct sal_doors_option option[SAL_DOORS_OPTIONS];
  /* At the end: what the Collector wins, by the Collector's identity. */
  float wins[4];
};

/* Somebody who explores by a policy. One thread at a time. */
typedef struct sal_doors_explorer sal_doors_explorer;
SAL_API sal_doors_explorer *sal_doors_explorer_new(const sal_doors_policy *p);
SAL_API void sal_doors_explorer_free(sal_doors_explorer *e);
/* False for a line that cannot be, or without memory. `worth`: the rest of the
 * round is walked to say what each option is worth against the policy if all
 * that follows is played as well as can be; early in a round that takes some
 * seconds. In tokens for blueprint 0, else chances to win. */
SAL_API bool sal_doors_explore(sal_doors_explorer *e, int blueprint,
                               const struct sal_doors_line *line,
                               uint32_t iterations, bool worth,
                               struct sal_doors_explored *out);
/* What the side of the other believes of the mover's identity, for each of its
 * own. */
SAL_API void sal_doors_explored_beliefs(const struct sal_doors_explored *x,
                                        bool of_collector, double out[4][4]);
/* Whether optimal play of one side hardly ever comes here, whatever its identity
 * (1 in 100): what a policy answers there is told, but worth little. */
SAL_API bool sal_doors_explored_rare(const struct sal_doors_explored *x);
struct sal_json;
/* As members of the object that is open: docs/review.md. */
SAL_API void sal_doors_explored_tell(const struct sal_doors_explored *x,
                                     const struct sal_doors_line *line,
                                     int blueprint, struct sal_json *j);
/* "RL", …; "red", …, "claim", "end". */
SAL_API const char *sal_doors_kind_name(int kind);
SAL_API const char *sal_doors_saying_name(int saying);

/* ---- Offers --------------------------------------------------------------- */

/* The initial offers, of which there are 15 when colours, roles, or colour and
 * role are exchanged; with their chance. */
struct sal_doors_offer {
  struct sal_doors_start start;
  double chance;
};
SAL_API void sal_doors_offers(struct sal_doors_offer out[SAL_DOORS_OFFERS]);
/* Which of them an initial offer is. */
SAL_API int sal_doors_offer_number(const uint8_t offer[SAL_DOORS_KINDS]);

SAL_END

#endif
