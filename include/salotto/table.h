/* The table: one game in play, between the rules and the front ends.
 *
 * It keeps the history, answers chance from the given deals and the seed,
 * numbers what happened, takes back what nobody has learned from, and writes
 * and reads records. It does no input or output and knows no clock.
 *
 * Main invariant: the state is what the setup, the deals and the history give
 * when played again; whatever is refused changes nothing.
 *
 * Threads: one at a time on a table, also for looking, since lists of choices
 * are kept in it; different tables at once.
 * Memory: a table is freed with sal_table_free; what it hands out lives until
 * it is changed or freed, but for records, which the caller frees. */
#ifndef SALOTTO_TABLE_H
#define SALOTTO_TABLE_H

#include "salotto/api.h"
#include "salotto/error.h"
#include "salotto/fair.h"
#include "salotto/game.h"

SAL_BEGIN

/* ---- Deals: what is fixed instead of shuffled --------------------------- */

struct sal_deals;

SAL_API struct sal_deals *sal_deals_new(const struct sal_game *game,
                                        const struct sal_setup *setup);
SAL_API void sal_deals_free(struct sal_deals *d);
/* Opens list `list` (0 for a flat pile) of a pile in entry `entry`, counted
 * from 0 and never going back; then its cards, first drawn first. */
SAL_API int sal_deals_open(struct sal_deals *d, int entry, const char *pile,
                           int list, struct sal_refusal *why);
SAL_API int sal_deals_card(struct sal_deals *d, const char *name,
                           struct sal_refusal *why);
/* Whether all of it together is possible. */
SAL_API int sal_deals_check(const struct sal_deals *d, struct sal_refusal *why);

/* ---- Tables ------------------------------------------------------------- */

typedef struct sal_table sal_table;

struct sal_plan {
  const struct sal_game *game;
  struct sal_setup setup;
  struct sal_key seed;
  const struct sal_key_cache
      *key_cache; /* of the seed, where there is one already;
                                      may be NULL */
  /* The seats' own random parts, all or none (docs/fair-deals.md). */
  int parts;
  struct sal_key part[SAL_SEATS_MAX];
  /* Which seats had told the hash of their part before the parts were told. One
   * that did not tell its part after all has zeros. */
  unsigned pledged;
  struct sal_key pledge[SAL_SEATS_MAX];
  struct sal_deals *deals; /* checked; the table takes it over; may be NULL */
};

/* Whether a table can be set up so: 0, or why not (a number of players, an
 * option, the seats' parts), in every build. The deals were checked before. */
SAL_API int sal_plan_check(const struct sal_plan *plan,
                           struct sal_refusal *why);
/* NULL when the plan is not possible (sal_plan_check says why) or memory is
 * short; the deals are freed then too. To free with sal_table_free. */
SAL_API sal_table *sal_table_new(const struct sal_plan *plan);
SAL_API void sal_table_free(sal_table *t);

SAL_API const struct sal_game *sal_table_game(const sal_table *t);
SAL_API int sal_table_players(const sal_table *t);
/* NULL for a table that was loaded from a record without its seed. */
SAL_API const struct sal_key *sal_table_seed(const sal_table *t);
/* What was told before the first card; false if the record had none. */
SAL_API bool sal_table_commitment(const sal_table *t, struct sal_key *out);

/* Mask of the seats that are asked; 0 when the game is over; SAL_CHANCE_BIT at
 * a table that waits. */
SAL_API unsigned sal_table_to_act(const sal_table *t);
/* Whether this seat is asked: 0, or why not. */
SAL_API int sal_table_asks(const sal_table *t, int seat,
                           struct sal_refusal *why);
/* Whether the table came from a record without a seed and has reached a draw
 * that the record does not tell: it can be looked at, not played on. */
SAL_API bool sal_table_waiting(const sal_table *t);
/* Public facts: a number for each seat, and the mask of the winners, 0 until
 * the game is over. */
SAL_API void sal_table_scores(const sal_table *t, int32_t *out);
SAL_API unsigned sal_table_winners(const sal_table *t);
SAL_API size_t sal_table_legal(const sal_table *t, int seat, sal_action *out);
/* The same list where the table keeps it, computed once a question: valid until
 * the table changes. NULL and 0: there are none, or memory is short. A table may
 * be looked at by one thread at a time. */
SAL_API const sal_action *sal_table_choices(const sal_table *t, int seat,
                                            size_t *count);
SAL_API void sal_table_view(const sal_table *t, int viewer, sal_view *v);
/* The fields of docs/protocol.md as one JSON object. */
SAL_API void sal_table_facts(const sal_table *t, int viewer, struct sal_json *j,
                             const char *key);

/* The options in force as one JSON object. An option that is a file is told as
 * null (the built-in one) or "given"; with `whole` its text is written out. */
SAL_API void sal_table_options(const sal_table *t, bool whole,
                               struct sal_json *j, const char *key);

/* Plays an action in the notation; 0, or why it is refused. */
SAL_API int sal_table_act(sal_table *t, int seat, const char *text,
                          struct sal_refusal *why);
/* What the text means, or 0 and why it is refused, without playing. */
SAL_API sal_action sal_table_read(const sal_table *t, int seat,
                                  const char *text, struct sal_refusal *why);
/* Plays an action; 0, or why it is refused: any but those that sal_table_choices
 * lists. It may come from there, from sal_table_read, or from its number. */
SAL_API int sal_table_play(sal_table *t, int seat, sal_action action,
                           struct sal_refusal *why);
/* The dense action (salotto/game.h) with that number, or 0 and why it is
 * refused; and the number of a legal action. For games that have numbers. */
SAL_API sal_action sal_table_numbered(const sal_table *t, int seat,
                                      size_t number, struct sal_refusal *why);
SAL_API size_t sal_table_number(const sal_table *t, int seat,
                                sal_action action);
/* The same answer as that of sal_table_act, without playing. */
SAL_API int sal_table_try(const sal_table *t, int seat, const char *text,
                          struct sal_refusal *why);

/* Takes back the last action if it was this seat's and nobody has learned
 * anything from it: no card was drawn that could have been another, nothing
 * hidden was opened, and nobody has acted since. */
SAL_API int sal_table_undo(sal_table *t, int seat, struct sal_refusal *why);
/* The same answer without taking anything back. */
SAL_API int sal_table_may_undo(const sal_table *t, int seat,
                               struct sal_refusal *why);

/* Ends a game of two: the other has won. At larger tables the game goes on, and
 * it is for the front end to say who plays on. */
SAL_API int sal_table_resign(sal_table *t, int seat, struct sal_refusal *why);
/* The seat that has ended the game so, or -1. */
SAL_API int sal_table_resigned(const sal_table *t);

/* For practice: back to the seat's last decision, whatever was done and learned
 * since. The same cards come again. The other seats must not mind. */
SAL_API int sal_table_rewind(sal_table *t, int seat, struct sal_refusal *why);
SAL_API int sal_table_may_rewind(const sal_table *t, int seat,
                                 struct sal_refusal *why);

/* What happened, numbered from 0. Events are never changed or taken away; an
 * undo is an event of its own. */
SAL_API size_t sal_table_event_count(const sal_table *t);
SAL_API void sal_table_event(const sal_table *t, size_t n, int viewer,
                             struct sal_event *out);
/* An event as one JSON object, its number in it. */
SAL_API void sal_table_event_facts(const sal_table *t, size_t n, int viewer,
                                   struct sal_json *j);
/* An event as a sentence. */
SAL_API void sal_table_event_say(const sal_table *t, size_t n, int viewer,
                                 const struct sal_words *w,
                                 struct sal_text *out);

/* All that a seat or a spectator is told, as members of the open object:
 * `events` from number `since` on, `next` (the number of the next one), `state`,
 * and for a seat `legal` (the first SAL_TOLD_MAX), `legal_count`, `may_undo`
 * and `may_rewind`. With words also `words` (for each event its sentence and
 * rule), `prompt`, `position`, and `legal_say` (a sentence for each of `legal`).
 * See docs/server.md. */
enum { SAL_TOLD_MAX = 1000 };
/* The same without what the seat may do. */
SAL_API void sal_table_show(const sal_table *t, int viewer, size_t since,
                            const struct sal_words *words, struct sal_json *j);
SAL_API void sal_table_tell(const sal_table *t, int viewer, size_t since,
                            const struct sal_words *words, struct sal_json *j);

/* Actions of seats so far, chance left out. */
SAL_API size_t sal_table_length(const sal_table *t);
SAL_API void sal_table_action(const sal_table *t, size_t i, int *seat,
                              struct sal_text *out);
/* Whether a viewer saw, when it was done, which action the i-th was. */
SAL_API bool sal_table_saw(const sal_table *t, size_t i, int viewer);

/* Every step of a game that is over, draws included, for reviews: how many there
 * are, and one of them. None while the game is in play, whoever asks. */
struct sal_step {
  sal_action action;
  int seat;     /* SAL_CHANCE: a draw */
  size_t event; /* the first that it made */
};
SAL_API size_t sal_table_steps(const sal_table *t);
SAL_API struct sal_step sal_table_step(const sal_table *t, size_t i);
SAL_API const struct sal_setup *sal_table_setup(const sal_table *t);

/* ---- Records ------------------------------------------------------------ */

/* The table as text (docs/records.md); the caller frees it. With `secret` it
 * holds the seed and can be played on. Without, it is for everybody to see: the
 * commitment, the keys of the shuffles that are over, and the steps as far as
 * the last of them; nothing of a deal in play. NULL: no memory. */
SAL_API char *sal_table_record(const sal_table *t, bool secret);

/* What a record proves. Draws are counted by where they came from. */
struct sal_audit {
  size_t actions;
  size_t draws_given;     /* fixed by a deal that the record shows */
  size_t draws_checked;   /* recomputed from the seed or an opened key */
  size_t draws_unchecked; /* the key of their shuffle is not in the record */
  bool committed;         /* the record has a commitment */
  bool seeded;            /* it has the seed, and that fits the commitment */
  size_t keys;            /* opened keys; each leads to the commitment */
  int parts;              /* random parts of the seats that went into it */
  unsigned pledged;       /* seats whose part is the one they had pledged */
  unsigned withheld;      /* seats that had pledged one and have zeros */
  size_t line;            /* what is wrong stands there, from 1; 0: nowhere */
  char due[SAL_ACTION_TEXT_MAX]; /* what had to be drawn there, if known */
};

/* Whether every draw was recomputed from keys that lead to a commitment. */
static inline bool sal_audit_proven(const struct sal_audit *a) {
  return a->committed && (a->seeded || a->keys) && !a->draws_given &&
         !a->draws_unchecked;
}

/* Reads a record, every line checked; NULL and why if it is invalid. `audit`
 * may be NULL. */
SAL_API sal_table *sal_table_load(const char *record, size_t length,
                                  struct sal_audit *audit,
                                  struct sal_refusal *why);
/* The same; what is wrong is said in these words. */
SAL_API sal_table *sal_table_load_in(const char *record, size_t length,
                                     const struct sal_words *words,
                                     struct sal_audit *audit,
                                     struct sal_refusal *why);

SAL_END

#endif
