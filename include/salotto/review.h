/* The review of a finished game: what each decision was worth, what luck did,
 * what everybody could know. docs/review.md says how it is measured.
 *
 * All chances are in millionths, so that sums are exact. Main invariant, for
 * every seat: result - start = the sum of `luck`, `hidden` and `play` over all
 * steps.
 *
 * Threads: one at a time on a review; different reviews at once.
 * Memory: a review is freed with sal_review_free, before its table, which must
 * stay as it is; what it hands out lives as long as it does. */
#ifndef SALOTTO_REVIEW_H
#define SALOTTO_REVIEW_H

#include "salotto/api.h"
#include "salotto/bot.h"
#include "salotto/error.h"
#include "salotto/table.h"

SAL_BEGIN

enum { SAL_SURE = 1000000 };

enum sal_review_kind { SAL_REVIEW_DRAW, SAL_REVIEW_MOVE, SAL_REVIEW_RESIGNED };

/* By what was lost; SAL_MARK_FORCED: there was no choice. */
enum sal_mark {
  SAL_MARK_FORCED,
  SAL_MARK_BEST,
  SAL_MARK_GOOD,
  SAL_MARK_INACCURACY,
  SAL_MARK_MISTAKE,
  SAL_MARK_BLUNDER,
  SAL_MARKS
};
/* "best", …; and for people, marked for translation. */
SAL_API const char *sal_mark_name(enum sal_mark m);
SAL_API const char *sal_mark_title(enum sal_mark m);
/* The least that is lost with a mark. */
SAL_API int32_t sal_mark_threshold(enum sal_mark m);

/* An action that was weighed, in worlds that the seat could believe in. */
struct sal_weighed {
  sal_action action;
  int32_t value; /* the seat's chance after it */
  int32_t error; /* standard error of its distance to the best */
  int32_t habit; /* how often the habitual player does it */
  int32_t often; /* how often best play does it; -1: not known */
};
enum { SAL_WEIGHED = 17 };

/* What somebody could believe of the mover's secret, before the action and after
 * it. `secret` says what: see sal_secret_label. */
enum sal_belief_model { SAL_BY_HABIT, SAL_BY_BEST_PLAY };
enum { SAL_SECRETS = 4 };
struct sal_inference {
  int8_t by;
  uint8_t model; /* sal_belief_model */
  uint8_t truth; /* which it was */
  int32_t before[SAL_SECRETS], after[SAL_SECRETS];
  int32_t bits; /* learned of the truth, in thousandths; negative: misled */
};
enum { SAL_INFERENCES = 2 * (SAL_SEATS_MAX - 1) };
/* A bluff has worked if somebody has unlearned so much of the truth by it. */
enum { SAL_BLUFF_BITS = 250 };

struct sal_review_step {
  enum sal_review_kind kind;
  int seat; /* SAL_CHANCE: a draw, or several in a row */
  sal_action action;
  size_t actions; /* of seats, when this was done */
  size_t event;   /* the first event that it made, and how many */
  size_t events;
  int32_t value[SAL_SEATS_MAX]; /* chances after it, all cards open */
  int32_t luck[SAL_SEATS_MAX];  /* what a draw did */
  int32_t
      hidden[SAL_SEATS_MAX]; /* of an action: what its seat could not know */
  int32_t play[SAL_SEATS_MAX];

  /* Of a decision, in the seat's own view. */
  size_t choices; /* what it could do */
  int32_t known;  /* its chance before it, played as the habitual player */
  int32_t best;   /* with best play */
  int32_t error;  /* standard error of `best` */
  int32_t lost;   /* the best less what was played; at least 0 */
  enum sal_mark mark;
  bool mixed; /* best play is known, and mixes: `often` */
  size_t count;
  struct sal_weighed weighed[SAL_WEIGHED]; /* the best first */
  size_t inferences;
  struct sal_inference inference[SAL_INFERENCES];
};

/* How much is played out for each position and decision. 0: the default, which is
 * less with more than two at the table. */
struct sal_review_wish {
  uint64_t seed;
  uint32_t playouts; /* of a position */
  uint32_t worlds;   /* of a decision */
};
SAL_API void sal_review_wish_default(const struct sal_game *g,
                                     struct sal_review_wish *out);
enum { SAL_PLAYOUTS_MAX = 100000 };

/* Why there were tokens or points, by the id of the rule, and in words that are
 * to be translated. */
struct sal_cause {
  const char *rule, *title;
};
enum { SAL_CAUSES_MAX = 8 };
/* Of a game, closed by one without a rule; their title (NULL: there are none). */
SAL_API const struct sal_cause *sal_causes(const struct sal_game *g);
SAL_API const char *sal_causes_title(const struct sal_game *g);

struct sal_review_seat {
  size_t decisions; /* with a choice */
  size_t marks[SAL_MARKS];
  int32_t lost;       /* all that was lost */
  int32_t accuracy;   /* the part of what was at stake that was not lost */
  int32_t luck;       /* what draws did to its chance, */
  int32_t hidden;     /* and cards that the mover could not know, */
  int32_t play;       /* and its own play, */
  int32_t others;     /* and the play of the others */
  int32_t deserved;   /* the start and all play */
  int32_t gave, read; /* bits, in thousandths, by the habitual player */
  int32_t earned[SAL_CAUSES_MAX]; /* by cause; together its score */
  size_t bluffs;                  /* that have worked */
  size_t moments;
  size_t moment[3]; /* steps that moved the chance most */
};

typedef struct sal_review sal_review;

/* The table must be over, and stay as it is. NULL and why: it is not over, no
 * memory. Nothing is computed yet. */
SAL_API sal_review *sal_review_new(const sal_table *t,
                                   const struct sal_review_wish *wish,
                                   struct sal_refusal *why);
SAL_API void sal_review_free(sal_review *r);

/* How many steps there are, and how many are done. */
SAL_API size_t sal_review_steps(const sal_review *r);
SAL_API size_t sal_review_done(const sal_review *r);
/* Reviews the next step; false: all are done, or memory is short
 * (sal_review_done tells). */
SAL_API bool sal_review_next(sal_review *r);

SAL_API const sal_table *sal_review_table(const sal_review *r);
/* What was played out: the wish with its defaults filled in. */
SAL_API struct sal_review_wish sal_review_wish_of(const sal_review *r);
/* Chances before the first card, and what came of them. */
SAL_API const int32_t *sal_review_start(const sal_review *r);
SAL_API const int32_t *sal_review_result(const sal_review *r);
SAL_API const struct sal_review_step *sal_review_at(const sal_review *r,
                                                    size_t i);
/* When all is done. */
SAL_API void sal_review_seat(const sal_review *r, int seat,
                             struct sal_review_seat *out);
/* Who would have won with nothing but play. */
SAL_API int sal_review_deserved(const sal_review *r);
/* Whether a step was a bluff that worked: somebody was led astray by it. */
SAL_API bool sal_review_bluffed(const struct sal_review_step *s);

/* ---- Telling: docs/review.md ----------------------------------------------- */

/* What a game keeps secret for the inferences: the name of the thing (NULL: this
 * game tells none) and in words that are to be translated, and the name of each
 * possibility, as the protocol has it. */
SAL_API const char *sal_secret_name(const struct sal_game *g);
SAL_API const char *sal_secret_title(const struct sal_game *g);
SAL_API const char *sal_secret_label(const struct sal_game *g, int i);

/* What an action of a step means, as its seat saw it. */
SAL_API void sal_review_say_action(const sal_review *r, size_t i, sal_action a,
                                   const struct sal_words *w,
                                   struct sal_text *out);
/* What the seat of a move knew: the position as it saw it, in lines of at most 80
 * columns. */
SAL_API void sal_review_say_known(const sal_review *r, size_t i,
                                  const struct sal_words *w,
                                  struct sal_text *out);

/* Members of the object that is open: what is known at the beginning, a step
 * (as an object), and at the end the seats. */
SAL_API void sal_review_tell_head(const sal_review *r, struct sal_json *j);
SAL_API void sal_review_tell_step(const sal_review *r, size_t i,
                                  const struct sal_words *w,
                                  struct sal_json *j);
SAL_API void sal_review_tell_seats(const sal_review *r,
                                   const struct sal_words *w,
                                   struct sal_json *j);
/* A seat in short, when all is done: what is kept of many games to see how
 * somebody comes on. Members of the object that is open. */
SAL_API void sal_review_tell_progress(const sal_review *r, int seat,
                                      struct sal_json *j);
/* All of it as one object: head, `steps` from number `since` as far as they are
 * done, and `seats` when all are. */
SAL_API void sal_review_tell(const sal_review *r, size_t since,
                             const struct sal_words *w, struct sal_json *j);

/* ---- The measure ------------------------------------------------------------ */

/* Whether best play, where it is known, is optimal but for a little that was
 * measured: in Doors and Traps. In Favor it is how the master plays, and nobody
 * knows how far that is from optimal. */
SAL_API bool sal_is_solved(const struct sal_game *g);

/* Advice for a person, from the seat's view, within the question's budget: the
 * first candidate is named, none has a higher value, and values are chances to
 * win. Where best play is known `share` is how often it does each. */
SAL_API void sal_advise(const struct sal_question *q, struct sal_rng *rng,
                        struct sal_thought *out);
/* The same in one or two sentences. */
SAL_API void sal_advice_say(const struct sal_question *q,
                            const struct sal_thought *t,
                            const struct sal_words *w, struct sal_text *out);

/* The chance to win of the seat that a question asks, in its own view, with the
 * habitual player at all seats; its standard error, unless NULL. */
SAL_API int32_t sal_chance_to_win(const struct sal_question *q,
                                  uint32_t playouts, struct sal_rng *rng,
                                  int32_t *error);

SAL_END

#endif
