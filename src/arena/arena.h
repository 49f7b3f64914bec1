/* Tournaments: bots against bots, the same deals for everybody.
 *
 * Main invariant: a result depends on the plan alone. Every game draws its
 * cards from (seed, deal, address of the draw) and each bot its luck from
 * (seed, deal, seat), so neither the number of threads nor the order in which
 * games finish can change anything. Bots that look at a clock, and outside
 * programs that keep something from game to game, are the exceptions. */
#ifndef SAL_ARENA_H
#define SAL_ARENA_H

#include "salotto/bot.h"
#include "salotto/game.h"

#include <stdatomic.h>

enum { ARENA_BOTS_MAX = 8, ARENA_THREADS_MAX = 256 };

/* ---- What is to be played ------------------------------------------------ */

/* Somebody who plays: one of ours with a budget, or an outside program. */
struct arena_bot {
  const char *name; /* for reports */
  const struct sal_bot *inside;
  struct sal_budget budget;
  enum sal_temper temper;
  const char *command; /* for /bin/sh; NULL for one of ours */
};

/* How long the seats of a game thought; apart from its result, since it is
 * never the same twice. */
struct arena_time {
  double seconds[SAL_SEATS_MAX]; /* on moves with a choice */
  double longest[SAL_SEATS_MAX]; /* the one that took most of them */
  uint32_t moves[SAL_SEATS_MAX]; /* of that kind */
};

struct arena_listener;

struct arena_plan {
  const struct sal_game *game;
  struct sal_setup setup;
  int bots;
  struct arena_bot bot[ARENA_BOTS_MAX];
  uint64_t seed;
  size_t deals;
  int threads;
  double move_seconds;  /* that an outside program has for a move */
  double start_seconds; /* that it has besides for its first, to start up */
  /* Told now and then how far it is; may be NULL. */
  void (*progress)(size_t done, size_t all, double seconds);
  struct arena_time *times;      /* one for each game, zeroed; may be NULL */
  const struct sal_words *words; /* of the notes; NULL: plain */
  const struct arena_listener *listener; /* may be NULL */
  /* Ends the tournament early when it becomes true; may be NULL. */
  const atomic_bool *stop;
};

/* Each deal is played by every choice of as many bots as there are seats (all
 * of them, over and over, if there are fewer), once in each rotation: over a
 * deal every bot has every seat equally often. */
size_t arena_games_per_deal(const struct arena_plan *p);
/* The bot at each seat in game number `game` of the whole tournament. */
void arena_seating(const struct arena_plan *p, size_t game, uint8_t *bot);
/* Another seed for each value, unlike that of all others. */
uint64_t arena_seed(uint64_t seed, uint64_t value);

/* ---- What came of it ----------------------------------------------------- */

/* Why a bot lost a game that it did not finish. */
enum arena_fault {
  ARENA_FINE,
  ARENA_ILLEGAL, /* answered an action that is not allowed */
  ARENA_LATE,    /* did not answer in time */
  ARENA_ENDED,   /* crashed or went away */
  ARENA_GARBLED, /* answered something that is no answer */
  ARENA_FAULTS
};

/* "illegal", …: the words of the protocol and of the data formats. */
const char *arena_fault_id(enum arena_fault f);

struct arena_game {
  uint8_t bot[SAL_SEATS_MAX];
  uint8_t rank[SAL_SEATS_MAX]; /* how many seats did better; 0 has won */
  uint8_t fault[SAL_SEATS_MAX];
  bool played; /* to its end, by whoever; false: the tournament ended first */
  bool whole;  /* the bots at the seats played it to its end */
  uint32_t length; /* actions of seats */
  int32_t score[SAL_SEATS_MAX];
};

enum { ARENA_ANSWER_MAX = 200 };

/* How a bot failed in a game, so that its author can find out why. */
struct arena_note {
  size_t game;
  int seat;
  enum arena_fault fault;
  char answer[ARENA_ANSWER_MAX]; /* what it answered, cut; "": nothing */
  char rule[64];                 /* that forbids the action; "": none does */
  char *position;                /* as the seat saw it, in words; may be NULL */
};

/* Who is told of what is finished, by one thread at a time. Any may be NULL. */
struct arena_listener {
  void *self;
  /* How a bot has failed; the position is only lent. */
  void (*failed)(void *self, const struct arena_note *note);
  /* A game was played. Its record (docs/records.md) is made only if `records`
   * is set. False: it cannot be kept, and the tournament ends. */
  bool (*played)(void *self, size_t number, const struct arena_game *g,
                 const char *record);
  bool records;
  /* The games of the next deal were all played: deals come in their order,
   * whatever the threads do. True: that is enough. */
  bool (*dealt)(void *self, const struct arena_game *games);
};

enum arena_end {
  ARENA_DONE,
  ARENA_ENOUGH, /* the listener has said so */
  ARENA_STOPPED,
  ARENA_NO_KEEPING, /* the listener could not keep a game */
  ARENA_NO_MEMORY,
  ARENA_NO_THREAD,
  ARENA_NO_PROCESS
};

/* Plays all of it; `games` has room for deals times games per deal, zeroed but
 * for games that were played before: they stay as they are. */
enum arena_end arena_run(const struct arena_plan *p, struct arena_game *games);

#endif
