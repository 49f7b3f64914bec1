/* Bots see what their seat sees. No state crosses this interface: a bot gets a
 * view, the legal actions and what its seat remembers, and may build worlds
 * from the view with the game's `resample`.
 *
 * A budget is a hard cap: when it ends the bot answers with the best so far,
 * and no budget is too small to answer.
 *
 * Bots keep nothing between two questions but the master's cache, which has a
 * lock. salotto/ask.h asks them at a table.
 *
 * Threads: any number may ask at once, each with its own question and
 * generator; policies are taught before the first question.
 * Memory: questions, answers and views are the caller's; bots and policies are
 * never freed by the library. */
#ifndef SALOTTO_BOT_H
#define SALOTTO_BOT_H

#include "salotto/api.h"
#include "salotto/game.h"

SAL_BEGIN

/* ---- What a seat remembers ---------------------------------------------- */

enum { SAL_MEMORY_MAX = 500 };

/* A step as the seat saw it: an action of a seat or an outcome of chance (seat
 * SAL_CHANCE); 0 where the seat did not see which. */
struct sal_seen {
  sal_action action;
  int8_t seat;
};

/* An earlier round: from the first decision after a draw to the next draw. */
enum { SAL_ROUND_STEPS = 48, SAL_ROUNDS_KEPT = 8 };
struct sal_round_seen {
  union sal_view_box start;
  size_t count;
  struct sal_seen step[SAL_ROUND_STEPS]; /* the first ones */
};

/* The view at the first decision of the deal in play, and the steps since; also
 * the view at the first decision after the last draw, before step `since`; and
 * the last rounds before that, of earlier deals too. */
struct sal_memory {
  union sal_view_box start, round;
  bool begun;
  int closed; /* shuffles that were over when it began */
  size_t count, since;
  struct sal_seen step[SAL_MEMORY_MAX];
  size_t rounds; /* that are over; the last of them are kept, the number
                  * n at n % SAL_ROUNDS_KEPT */
  struct sal_round_seen kept[SAL_ROUNDS_KEPT];
};

/* ---- Thinking ------------------------------------------------------------ */

struct sal_budget {
  double seconds;        /* 0: no limit */
  uint32_t simulations;  /* 0: no limit */
  double (*clock)(void); /* seconds since some moment; may be NULL if
                              `seconds` is 0 */
};

/* What somebody prefers among things that are about as good. */
enum sal_temper {
  SAL_EVEN,
  SAL_CAUTIOUS,
  SAL_DARING,
  SAL_BLUFFER,
  SAL_MISER,
  SAL_TEMPERS
};

struct sal_question {
  const struct sal_game *game;
  int players;
  int seat;
  const sal_view *view;
  const sal_action *legal; /* at least one */
  size_t count;
  const struct sal_memory *memory; /* may be NULL */
  struct sal_budget budget;
  bool advice;            /* for a person: name the best action, draw no lot */
  enum sal_temper temper; /* of whoever answers */
};

/* What a bot makes of a question, for every legal action in its place. The
 * chances add up to 1; the answer is drawn from them. A bot that searches finds
 * slightly different ones each time: then the mean over several generators is
 * what it plays. */
struct sal_policy {
  double *chance;       /* how likely it is played */
  double *value;        /* the chance to win after it (with more than two at the
                           table, the part of the win); -1: not looked at */
  bool valued;          /* false: the bot has no idea of values, and `value` is
                           `chance` again */
  bool mixed;           /* the chances are those of best play */
  uint64_t simulations; /* 0: by rule of thumb, or known before */
};

enum { SAL_CANDIDATES = 8 };

struct sal_candidate {
  sal_action action;
  double value; /* of the policy, and the chance there: */
  double share;
};

/* The answer with its reasons, the best candidates first: by value where the
 * bot has one, else by share. None has a higher value than the first. */
enum sal_reason {
  SAL_REASON_NONE,
  SAL_REASON_WORLDS,
  SAL_REASON_GAINS,
  SAL_REASON_TELLS
};

struct sal_thought {
  sal_action action;
  uint64_t simulations; /* 0: by rule of thumb, or known before */
  bool mixed; /* the shares are the chances with which best play mixes */
  size_t count;
  struct sal_candidate candidate[SAL_CANDIDATES];
  /* Of advice (salotto/review.h), always for the first candidate.
   * SAL_REASON_WORLDS: in so many of the worlds it does better than the second,
   * and in how many, which are fewer, worse. SAL_REASON_GAINS: what it gains
   * where it does better, and loses, which is less, where it does worse.
   * SAL_REASON_TELLS: how likely `viewer` would hold the seat's secret to be
   * what it is, after the first, and after the second, which is likelier. */
  enum sal_reason reason;
  int viewer;
  double here, there;
};

struct sal_bot {
  const char *id;
  const char *title; /* marked for translation */
  const char *about; /* one sentence, marked for translation */
  void (*think)(const struct sal_question *q, struct sal_rng *rng,
                struct sal_thought *out);
  /* All actions with their chances, without an answer; `out` has room for
   * q->count chances and values, the rest of it is 0. */
  void (*policy)(const struct sal_question *q, struct sal_rng *rng,
                 struct sal_policy *out);
  const char *only; /* the games to offer it at, with blanks between; NULL:
                       every game */
  int seats;        /* the most players of a table to offer it at; 0: any */
  bool study;       /* for measurements: offered at no game */
  /* Who it is at each seat; NULL: nobody, it has its title. */
  const struct sal_bot_person *people;
};

struct sal_bot_person {
  const char *name; /* the same in every language */
  enum sal_temper temper;
};

/* From the weakest to the strongest; ends with NULL. */
SAL_API extern const struct sal_bot *const sal_bots[];
SAL_API const struct sal_bot *sal_bot_find(const char *id);

/* The policies (salotto/solve.h, salotto/solve_favor.h, salotto/solve_traps.h)
 * that the master plays Doors, and Favor and Traps for two, by from now on; not
 * to be changed while a bot thinks, and to be kept. Without one, and in other
 * games, the master is the expert. */
struct sal_doors_policy;
SAL_API void sal_master_teach(const struct sal_doors_policy *p);
struct sal_favor_policy;
SAL_API void sal_master_teach_favor(const struct sal_favor_policy *p);
struct sal_traps_policy;
SAL_API void sal_master_teach_traps(const struct sal_traps_policy *p);

/* What a bot of that level is called at a seat: a name, or its title. And its
 * temper there, for the question. */
SAL_API const char *sal_bot_name(const struct sal_bot *b, int seat);
SAL_API enum sal_temper sal_bot_temper(const struct sal_bot *b, int seat);
/* As programs write it: "bluffer". */
SAL_API const char *sal_temper_id(enum sal_temper t);

/* Whether people who play that game are offered this bot. */
SAL_API bool sal_bot_offered(const struct sal_bot *b, const struct sal_game *g);

/* What there is to play and against whom, as members `games` and `levels` of
 * the object that is open in `j`, in the words given (docs/protocol.md, "The
 * offer"). Rules are told by their ids, with `rules` also by their sentences.
 */
SAL_API void sal_offer_tell(const struct sal_words *w, bool rules,
                            struct sal_json *j);
/* The same in English, with the ids of the rules: as a server greets. */
SAL_API void sal_games_tell(struct sal_json *j);

/* ---- Beliefs and values --------------------------------------------------- */

/* Worlds that fit what the seat sees, weighed by how well what the others did
 * is explained by how people play; without a memory, or where nothing can be
 * told from it, all are as likely. At most `most` of them, at least one, are
 * written to `world`, and their weights, which add up to 1. How many; 0: memory
 * is short. */
SAL_API size_t sal_worlds(const struct sal_question *q, size_t most,
                          struct sal_rng *rng, union sal_state_box *world,
                          double *weight);

/* The part of the win that each seat can expect, adding up to 1: by the result
 * if the game is over; else by rule of thumb from what is public and what each
 * seat owns, which is best between two rounds. */
SAL_API void sal_value(const struct sal_game *g, const sal_state *s,
                       int players, double *out);

/* The number of the round (in Favor the day) that a state is in, which all can
 * see. A simulation has reached the end of the round when it has grown, or the
 * game is over. */
SAL_API int sal_round(const struct sal_game *g, const sal_state *s);

/* A budget of seconds by the machine's clock. */
SAL_API struct sal_budget sal_budget_seconds(double seconds);
SAL_API struct sal_budget sal_budget_simulations(uint32_t simulations);

SAL_END

#endif
