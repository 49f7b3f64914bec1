/* The game interface: one `const struct sal_game` a game.
 *
 * - A state is one flat struct of fixed size without pointers: copying is
 *   memcpy of `info.state_size` bytes, and no function here allocates.
 * - Chance is a seat. A state holds no generator and no order that is not yet
 *   known to the table: a shuffled deck is the set of cards not yet drawn.
 * - A view is the only way out. Whatever shows, describes, encodes or hints
 *   takes a `const sal_view *` and cannot reach a hidden fact; the two types
 *   are never defined, so that one cannot be passed for the other.
 * - `check` answers, `apply` asserts.
 *
 * docs/adding-a-game.md walks through writing one; src/games/null.c is the
 * smallest; tests/games/battery.c is what each must pass.
 *
 * Threads: any number may call a game's functions at once, each with states
 * and views of its own; nothing is kept between two calls. Only
 * sal_game_register is for one at a time.
 * Memory: no function here allocates; states, views and lists are the
 * caller's, and a registered game must stay where it is. */
#ifndef SALOTTO_GAME_H
#define SALOTTO_GAME_H

#include "salotto/api.h"
#include "salotto/rng.h"
#include "salotto/text.h"

SAL_BEGIN

typedef struct sal_state sal_state;
typedef struct sal_view sal_view;

/* An action of a seat or an outcome of chance; its bits are the game's own.
 * 0 is never an action. */
typedef uint64_t sal_action;

enum {
  SAL_SEATS_MAX = 6,
  SAL_STATE_MAX = 1024,
  SAL_VIEW_MAX = SAL_STATE_MAX + 16,
  SAL_OUTCOMES_MAX = 64,
  SAL_OPTIONS_MAX = 8,
  SAL_ACTION_TEXT_MAX = 64,
  SAL_OPTION_TEXT_MAX = 16384, /* of a file option as one line */
  SAL_EVENT_VALUES = 24
};

/* Who looks at a state besides a seat 0, 1, …: somebody at the rail, or the
 * table itself (and tests), from whom nothing is hidden. */
enum { SAL_SPECTATOR = -1, SAL_EVERYTHING = -2 };

/* The seat that `apply` is told for an outcome of chance. */
enum { SAL_CHANCE = -1 };

/* `to_act` is a mask of seats (bit s: seat s is asked), or just this bit, or 0
 * when the game is over. */
#define SAL_CHANCE_BIT 0x8000u

/* Memory for one state or view of any game, for callers that do not allocate
 * by `state_size`. */
union sal_state_box {
  unsigned char bytes[SAL_STATE_MAX];
  uint64_t align;
};
union sal_view_box {
  unsigned char bytes[SAL_VIEW_MAX];
  uint64_t align;
};

/* ---- What a game says about itself -------------------------------------- */

enum sal_option_kind {
  SAL_OPTION_SEAT, /* a seat number; SAL_BY_LOT when left open */
  SAL_OPTION_WORD, /* one of `words`; the value is its index, default 0 */
  SAL_OPTION_FILE  /* what `option_read` made of a file; default 0 */
};

enum { SAL_BY_LOT = -1 };

struct sal_option {
  const char *name;
  enum sal_option_kind kind;
  const char *const *words; /* for SAL_OPTION_WORD, ends with NULL */
  const char *about;        /* one sentence, marked for translation */
  const char *title;        /* the label of its field, marked likewise */
  const char *const *says;  /* the labels of `words`, marked likewise */
  bool by_language; /* the words are languages: offer the reader's first */
};

/* Every rule has an id and one sentence; a refusal quotes the sentence. */
struct sal_rule {
  const char *id;
  const char *text;
};

/* What somebody who plays for the first time is told when they are first asked
 * in a phase. */
struct sal_help {
  const char *phase;
  const char *text; /* one or two sentences, marked for translation */
};

/* A number of the rules that a board shows: what a guess is worth, how many
 * tokens win. So no front end has to know it. */
struct sal_amount {
  const char *name;
  int value;
};

/* A stack of cards that a deal may fix (docs/protocol.md, "Deals"). */
struct sal_pile {
  const char *name;
  int lists;  /* 0: one flat list; else so many lists, one a seat */
  int least;  /* fewest cards of a list that is given */
  int most;   /* most cards of a list */
  bool loose; /* names that cannot come are skipped, not refused */
};

enum { SAL_PILES_MAX = 8 };

struct sal_setup {
  int players;
  int32_t option[SAL_OPTIONS_MAX];
};

struct sal_info {
  const char *id;      /* "doors" */
  const char *title;   /* "Doors", marked for translation */
  const char *tagline; /* one sentence for a lobby, marked for translation */
  const char *goal;    /* how to win, in one sentence, marked likewise */
  const char *role;    /* what a player is and does, likewise */
  int players_min, players_max;
  int players_usual; /* seats of a table that is opened without a word */
  int minutes;       /* of a game at such a table */
  size_t state_size, view_size;
  size_t legal_max;    /* most actions `legal` can list */
  size_t action_count; /* of dense actions; 0: the game has none */
  size_t tensor_size;  /* numbers that `tensor` writes */
  /* For information states (salotto/information.h): the bits that actions and
   * outcomes of chance use, 0: any; and how many steps of a deal are written
   * out, 0: the usual number. */
  uint64_t action_bits;
  size_t recall;
  size_t longest; /* most steps of a game, chance included; 0: no bound */
  int32_t score_min, score_max;
  const struct sal_option *options; /* ends with a NULL name */
  const struct sal_rule *rules;     /* ends with a NULL id */
  const struct sal_help *help;      /* ends with a NULL phase; may be NULL */
  const struct sal_amount *amounts; /* ends with a NULL name; may be NULL */
};

/* ---- Chance ------------------------------------------------------------- */

struct sal_outcome {
  sal_action action;
  uint32_t weight; /* relative probability, at least 1 */
};

/* The draw that is due: from which pile, which card of it, and what can come.
 * (entry, pile, list, index) is different for each draw of a game, so that a
 * seed can answer every draw by its address, in any order. */
struct sal_chance {
  int entry; /* which shuffle of the whole game, from 0 */
  int pile;  /* index in `piles`, or -1 for a lot that deals cannot fix */
  int list;  /* the seat, for a pile of lists; else 0 */
  int index; /* how many were drawn from it before */
  size_t count;
  struct sal_outcome outcome[SAL_OUTCOMES_MAX];
};

/* ---- Events ------------------------------------------------------------- */

/* A value that the viewer may not see. */
enum { SAL_HIDDEN = -32768 };

/* Something that happened, in the game's own coding. `value[open..count)` is
 * seen only by the seats in `seen_by`; the rest is public. `reveals` marks an
 * event that opens what was hidden (nothing before it can be undone). */
struct sal_event {
  uint8_t kind; /* the game's own, or one of those below */
  int8_t seat;
  uint8_t seen_by;
  uint8_t open;
  uint8_t count;
  bool reveals;
  int16_t value[SAL_EVENT_VALUES];
};

/* Events of the table, in every game. */
enum { SAL_EVENT_UNDONE = 0, SAL_EVENT_RESIGNED = 255 };

/* Where `apply` reports events; NULL in simulations. */
struct sal_log {
  void (*emit)(struct sal_log *log, const struct sal_event *event);
};

/* The event as `viewer` (a seat, SAL_SPECTATOR, SAL_EVERYTHING) saw it. */
SAL_API void sal_event_cut(const struct sal_event *full, int viewer,
                           struct sal_event *out);

/* ---- The interface ------------------------------------------------------ */

struct sal_game {
  struct sal_info info;

  /* The rules. `players` and options of the setup are in range. */
  void (*init)(sal_state *s, const struct sal_setup *setup);
  unsigned (*to_act)(const sal_state *s);
  /* The seat's legal actions in a fixed order; 0 when it is not asked. `out`
   * has room for `legal_max`, and any of it may be written. */
  size_t (*legal)(const sal_state *s, int seat, sal_action *out);
  /* NULL, or the id of the rule that forbids the action. The seat is asked;
   * the action came from `action_parse`. */
  const char *(*check)(const sal_state *s, int seat, sal_action a);
  /* Asserts that the action is legal, or the outcome possible. */
  void (*apply)(sal_state *s, int seat, sal_action a, struct sal_log *log);
  /* Fills in the draw that is due. */
  void (*chance)(const sal_state *s, struct sal_chance *c);
  /* Plays chance with the fast generator until a seat is asked or the game is
   * over: the same law as `chance` with `apply`, without the list. */
  void (*sample)(sal_state *s, struct sal_rng *rng);
  /* For speed, and may be NULL: what sal_playout below does, by the same random
   * numbers to the same state, without its lists. */
  uint64_t (*playout)(sal_state *s, struct sal_rng *rng, uint64_t most);
  /* How many shuffles (entries of sal_chance) are over and done with: their
   * keys may be opened. All of them once the game is over. */
  int (*closed)(const sal_state *s);
  /* Public facts only: one number a seat, and the mask of winners (0 until the
   * game is over). */
  void (*scores)(const sal_state *s, int32_t *out);
  unsigned (*winners)(const sal_state *s);
  /* The options in force, in the order of `info.options`. */
  void (*options)(const sal_state *s, int32_t *out);

  /* The way out. `viewer` is a seat, SAL_SPECTATOR or SAL_EVERYTHING. When the
   * game is over everybody sees everything. All `view_size` bytes are written,
   * and two states that look the same give the same bytes: views are compared
   * with memcmp. */
  void (*view)(const sal_state *s, int viewer, sal_view *v);
  /* A state drawn uniformly from those that look like the view. The view is a
   * seat's or a spectator's. */
  void (*resample)(const sal_view *v, struct sal_rng *rng, sal_state *s);
  void (*tensor)(const sal_view *v, float *out);
  /* `phase` and the game's own fields of docs/protocol.md, as members of the
   * object that is open in `j`. While a draw is due the phase is "deal". */
  void (*facts)(const sal_view *v, struct sal_json *j);
  /* `event` and its facts, likewise. */
  void (*event_facts)(const struct sal_event *e, struct sal_json *j);

  /* Words, for views between draws. `prompt` says in one sentence who is asked
   * for what; `position`
   * shows the view in lines of at most 80 columns; `event_say` says in one
   * sentence what happened. */
  void (*prompt)(const sal_view *v, const struct sal_words *w,
                 struct sal_text *out);
  void (*position)(const sal_view *v, const struct sal_words *w,
                   struct sal_text *out);
  void (*event_say)(const struct sal_event *e, int viewer,
                    const struct sal_words *w, struct sal_text *out);
  /* The id of the rule that an event of the game follows, for who reads the
   * log and wonders. */
  const char *(*event_rule)(const struct sal_event *e);
  /* What an action means, as a label for a choice: "Take the Red Lady". */
  void (*action_say)(const sal_view *v, sal_action a, const struct sal_words *w,
                     struct sal_text *out);

  /* The notation. `action_text` also writes outcomes of chance, as deals name
   * them ("RT"). `action_parse` returns 0 for what is no phrase of the game;
   * it reads only actions of seats. */
  void (*action_text)(sal_action a, struct sal_text *out);
  sal_action (*action_parse)(const char *text);

  /* Dense actions, for learners: the legal actions of a position are different
   * numbers below `info.action_count`, and the same number means the same kind
   * of action wherever it can. `action_at` is the way back; 0 if the number is
   * no legal action of the seat here. Both are NULL if the count is 0. */
  size_t (*action_index)(const sal_state *s, int seat, sal_action a);
  sal_action (*action_at)(const sal_state *s, int seat, size_t index);

  /* What a deal may fix: the piles of an entry (their number is returned), and
   * how many cards of that name a pile holds (0: none such). */
  int (*piles)(const struct sal_setup *setup, int entry, struct sal_pile *out);
  int (*stock)(const struct sal_setup *setup, int pile, const char *name);

  /* NULL, or what does not hold that must always hold. */
  const char *(*selfcheck)(const sal_state *s);

  /* Only for a game with an option that is a file: makes a value of the
   * file's text (false and a sentence if it is invalid), and writes such a
   * value back as one line of text. */
  bool (*option_read)(int option, const char *text, size_t length,
                      int32_t *value, struct sal_text *problem);
  void (*option_write)(int option, int32_t value, struct sal_text *out);
};

/* ---- Facts as JSON: docs/protocol.md ------------------------------------ */

/* The state as `viewer` sees it after so many actions of seats, as one object:
 * the fields of every game, then the game's own. */
SAL_API void sal_state_facts(const struct sal_game *g, const sal_state *s,
                             int players, int viewer, size_t actions,
                             struct sal_json *j, const char *key);
/* The same where the table knows better how far the game has come: it also ends
 * when somebody resigns. */
struct sal_course {
  int players;
  size_t actions;
  unsigned asked, winners;
};
SAL_API void sal_course_facts(const struct sal_game *g, const sal_state *s,
                              const struct sal_course *course, int viewer,
                              struct sal_json *j, const char *key);
/* The options in force as one object. An option that is a file is told as null
 * (the built-in one) or "given"; with `whole` its text is written out. */
SAL_API void sal_state_options(const struct sal_game *g, const sal_state *s,
                               bool whole, struct sal_json *j, const char *key);
/* An event that was cut for its viewer, as one object with its number. */
SAL_API void sal_event_facts(const struct sal_game *g,
                             const struct sal_event *cut, size_t n,
                             struct sal_json *j);

/* ---- Views for other programs --------------------------------------------- */

/* A view as one line of text without blanks, for a program that is linked with
 * this very version of the library: `packed` in the messages of the arena and
 * the referee (docs/protocol.md). It holds what the view holds, no more. */
enum { SAL_PACKED_MAX = 2 * SAL_VIEW_MAX + 100 };
SAL_API void sal_view_pack(const struct sal_game *g, const sal_view *v,
                           struct sal_text *out);
/* Reads it back; 0, or why not: damaged, another version, another game. */
struct sal_refusal;
SAL_API int sal_view_unpack(const struct sal_game *g, const char *text,
                            union sal_view_box *out, struct sal_refusal *why);

/* ---- The list of games -------------------------------------------------- */

/* Ends with NULL: the games of the library, then those that were registered. A
 * list that was read stays valid. */
SAL_API extern const struct sal_game *const *sal_games;
SAL_API const struct sal_game *sal_game_find(const char *id);

/* Adds a game to the list, for the rest of the process: tables, records, bots
 * and front ends then know it as they know the others. From one thread at a
 * time. NULL, or why it cannot be: one sentence, marked for translation. */
SAL_API const char *sal_game_register(const struct sal_game *g);

/* What a plugin exports under the name `sal_plugin`, for `salotto --plugin
 * FILE.so`: docs/adding-a-game.md. The first two say for which version of this
 * header it was compiled. */
enum { SAL_PLUGIN_INTERFACE = 1 };
struct sal_plugin {
  uint32_t interface;                  /* SAL_PLUGIN_INTERFACE */
  uint32_t game_size;                  /* sizeof(struct sal_game) */
  const struct sal_game *const *games; /* ends with NULL */
};

/* The rule with that id, or NULL. */
SAL_API const struct sal_rule *sal_rule_find(const struct sal_game *g,
                                             const char *id);
/* Every option at its default. */
SAL_API void sal_setup_default(const struct sal_game *g, int players,
                               struct sal_setup *out);
/* Whether a game can be set up so: 0, or why not. */
SAL_API int sal_setup_check(const struct sal_game *g,
                            const struct sal_setup *setup,
                            struct sal_refusal *why);
/* The index of an option, or -1. */
SAL_API int sal_option_find(const struct sal_game *g, const char *name);
/* Reads the value of a seat or word option; false if it has no such value. */
SAL_API bool sal_option_parse(const struct sal_game *g, int option, int players,
                              const char *text, int32_t *value);
/* Writes the value of an option as records have it; false, and nothing, if it is
 * left to the lot or built in. */
SAL_API bool sal_option_text(const struct sal_game *g, int option,
                             int32_t value, struct sal_text *out);

/* Plays at random, each legal action as likely, chance included: until a seat is
 * asked after so many decisions, or the game is over. How many were played.
 * `legal` has room for `info.legal_max`. */
SAL_API uint64_t sal_playout(const struct sal_game *g, sal_state *s,
                             struct sal_rng *rng, uint64_t most,
                             sal_action *legal);

/* The outcome that is written like this ("RT"), or 0: it cannot come. */
SAL_API sal_action sal_chance_read(const struct sal_game *g,
                                   const struct sal_chance *c,
                                   const char *text);
/* Draws one outcome of the chance that is due, with the fast generator. */
SAL_API sal_action sal_chance_draw(const struct sal_chance *c,
                                   struct sal_rng *rng);

SAL_END

#endif
