/* The one list of things that can be refused: code, name, sentence.
 *
 * Three kinds of wrong are kept apart: a caller's bug asserts; bad outside
 * input returns one of these and changes nothing; an illegal move is an
 * answer (SAL_ILLEGAL) that names the rule. Names are those of the referee
 * (docs/protocol.md) and of the server (docs/server.md), and never change.
 *
 * Threads: any number at once.
 * Memory: nothing is allocated; refusals are the caller's, and sentences live
 * for ever. */
#ifndef SALOTTO_ERROR_H
#define SALOTTO_ERROR_H

#include "salotto/api.h"

SAL_BEGIN

/* Marks a message for translation without translating it here. */
#define SAL_MARK(text) text

/* Those without a mark never reach a person: every refusal of that kind says
 * more, in a sentence of its own. */
/* clang-format off */
#define SAL_ERRORS(X) \
  X(BAD_JSON,      "bad-json",      SAL_MARK("This is not JSON.")) \
  X(BAD_REQUEST,   "bad-request",   SAL_MARK("This request cannot be read.")) \
  X(UNKNOWN_GAME,  "unknown-game",  SAL_MARK("There is no such game.")) \
  X(BAD_OPTION,    "bad-option",    SAL_MARK("There is no such option or value.")) \
  X(BAD_DEAL,      "bad-deal",      "This deal is not a possible one.") \
  X(NO_TABLE,      "no-table",      SAL_MARK("There is no table yet.")) \
  X(NOT_YOUR_TURN, "not-your-turn", "It is not this seat's turn.") \
  X(BAD_ACTION,    "bad-action",    SAL_MARK("Unknown action.")) \
  X(ILLEGAL,       "illegal",       "The rules do not allow this.") \
  X(GAME_OVER,     "game-over",     SAL_MARK("The game is over.")) \
  X(BAD_RECORD,    "bad-record",    SAL_MARK("This record cannot be read.")) \
  X(NO_UNDO,       "no-undo",       "This can no longer be undone.") \
  X(NO_MEMORY,     "no-memory",     SAL_MARK("Out of memory.")) \
  X(IO,            "io",            "Reading or writing failed.") \
  X(LATE,          "late",          SAL_MARK("The table has moved on since.")) \
  X(STORE,         "store",         SAL_MARK("Saving failed; nothing was changed.")) \
  X(NOT_SEATED,    "not-seated",    SAL_MARK("That is not your seat.")) \
  X(SEAT_TAKEN,    "seat-taken",    SAL_MARK("This seat is not open.")) \
  X(NOT_STARTED,   "not-started",   SAL_MARK("The game has not begun.")) \
  X(NOT_ALLOWED,   "not-allowed",   SAL_MARK("This is not allowed at this table.")) \
  X(SLOW_DOWN,     "slow-down",     SAL_MARK("Too many requests; wait a moment.")) \
  X(FULL,          "full",          SAL_MARK("The server is full.")) \
  X(CLOSING,       "closing",       SAL_MARK("The server is restarting; come back in a moment.")) \
  X(BANNED,        "banned",        SAL_MARK("This account has been suspended.")) \
  X(MUTED,         "muted",         SAL_MARK("An administrator has muted you; you can play on.")) \
  X(BUSY,          "busy",          SAL_MARK("The server is too busy; try again in a moment.")) \
  X(NAME_TAKEN,    "name-taken",    SAL_MARK("This name is taken, or looks like one that is."))
/* clang-format on */

enum sal_error_index {
#define SAL_X(id, name, text) SAL_INDEX_##id,
  SAL_ERRORS(SAL_X)
#undef SAL_X
      SAL_ERROR_COUNT
};

/* Codes are negative, so that 0 and counts can mean success. */
enum sal_error {
  SAL_OK = 0,
#define SAL_X(id, name, text) SAL_##id = -1 - (int)SAL_INDEX_##id,
  SAL_ERRORS(SAL_X)
#undef SAL_X
};

enum { SAL_MESSAGE_MAX = 400 };

/* A refusal, whole: what a front end needs to explain it. `rule` is an id of
 * the game's rule table for SAL_ILLEGAL, else NULL. `message` is English; a
 * front end with another language builds its own from code and rule. */
struct sal_refusal {
  int code;
  const char *rule;
  char message[SAL_MESSAGE_MAX];
};

SAL_API const char *sal_error_name(int code);
SAL_API const char *sal_error_text(int code);

/* Fills `why` (may be NULL) and returns `code`. A NULL message takes the
 * code's own sentence. */
SAL_API int sal_refuse(struct sal_refusal *why, int code, const char *rule,
                       const char *message);

SAL_END

#endif
