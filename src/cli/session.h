/* A game that is played in this program: its table, who sits where, its save.
 * The lines of text and the whole screen both play through it. */
#ifndef SAL_CLI_SESSION_H
#define SAL_CLI_SESSION_H

#include "play_save.h"

enum { SESSION_STEP_MAX = 64, SAY_MAX = 8192 };

struct outside; /* a program that plays a seat: play_program.c */

struct session {
  const struct sal_game *game;
  sal_table *table;
  const struct sal_bot *bot[SAL_SEATS_MAX]; /* one of ours, or */
  struct outside *program[SAL_SEATS_MAX];   /* a program; neither: a person */
  int people;
  int watcher; /* the person at the keyboard, or SAL_SPECTATOR */
  char name[SAL_SEATS_MAX][64];
  const char *names[SAL_SEATS_MAX]; /* NULL: "Player 1", … */
  struct sal_speaker words;
  struct sal_rng rng;
  double seconds;            /* that a bot may think */
  const char *record;        /* where to save at the end, or NULL */
  char saved[SAVE_PATH_MAX]; /* where every move is saved; "": nowhere */
  bool unsaved;              /* the last of them could not be */
  struct save_seats seats;
  bool known; /* a saved game told who sits where */
  struct sal_memory memory;
  sal_action *legal;
  char passing[SAL_SEATS_MAX][SESSION_STEP_MAX]; /* the step each passes for
                                                    good */
};

/* What was asked for on the command line or in the menu. */
struct wishes {
  const char *game;
  const char *load, *record, *seed;
  bool resume, plain;
  const char *bot;                 /* at every seat without one of its own */
  const char *bots[SAL_SEATS_MAX]; /* "expert", "cmd:…", or NULL */
  const char *names[SAL_SEATS_MAX];
  double seconds;
  int players, people, seat;
  const char *option[16];
  int options;
};

/* Sets all of it up, or complains for the command. To be closed either way. */
int session_open(struct session *p, const struct wishes *w,
                 const struct command *c);
void session_close(struct session *p);

/* Whether a level can be named: one of ours, or "cmd:…". */
bool session_level(const char *level);
bool session_is_bot(const struct session *p, int seat);
/* Why a game cannot go on whose next draw nobody knows. */
extern const char *const session_no_seed;
/* Bots are asked before people, so that nobody waits for them; among people the
 * one at the keyboard goes first. */
int session_next(const struct session *p, unsigned asked);
/* Lets the bot of a seat act. False, with a sentence in `problem`: it could not,
 * and the game cannot go on. A sentence with true: a program failed, and a bot
 * of ours plays for it from now on. */
bool session_bot_acts(struct session *p, int seat, struct sal_text *problem);
/* What the expert would do at a seat, in a sentence. */
void session_hint(struct session *p, int seat, struct sal_text *out);
/* The sentence of a refusal. */
void session_refusal(const struct session *p, const struct sal_refusal *why,
                     struct sal_text *out);
/* Does what an action's text says, in whatever way it was typed. False: it was
 * not played, and why is in `out`; the rule, if one forbids it, in `rule`. */
bool session_act(struct session *p, int seat, const char *line,
                 const char **rule, struct sal_text *out);
/* Whether an action is allowed, in a sentence. */
void session_why(struct session *p, int seat, const char *action,
                 const char **rule, struct sal_text *out);
/* Passes now, and later whenever the seat is asked at the same step. */
bool session_pass_all(struct session *p, int seat, struct sal_refusal *why);
/* Whether the seat has said beforehand that it passes here, and so did. */
bool session_passes_again(struct session *p, int seat);
/* Saves the game as it stands; says it once if that is not possible. */
void session_keep(struct session *p, struct sal_text *problem);
/* The game is over or left: its save is put aside, `record` is written. */
void session_finish(struct session *p, bool over, struct sal_text *out);
/* Writes the game to a file of the player's choice; what came of it. */
void session_save(struct session *p, const char *path, struct sal_text *out);
/* The commitment to the deals as hex digits; false if there is none. */
bool session_commitment(const struct session *p,
                        char hex[2 * SAL_KEY_SIZE + 1]);

/* The argument if the line is that command, in English or in the language in
 * use, else NULL. */
const char *command_argument(const char *line, const char *command);

/* ---- Programs that play a seat: play_program.c ---------------------------- */

/* Starts the command of a shell for a seat; NULL without memory. */
struct outside *outside_new(const char *command);
void outside_free(struct outside *o);
/* Asks for a move. False: it failed, and why in a word is in `fault`. */
bool outside_asks(struct outside *o, const struct session *p, int seat,
                  char action[SAL_ACTION_TEXT_MAX], const char **fault);

#endif
