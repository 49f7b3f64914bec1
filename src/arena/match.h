/* One game of a tournament, from inside: what a thread plays with. */
#ifndef SAL_ARENA_MATCH_H
#define SAL_ARENA_MATCH_H

#include "arena.h"
#include "program.h"
#include "salotto/buffer.h"
#include "salotto/memory.h"

/* What a thread has of its own. The programs outlive a game; the rest is set
 * up anew for each. */
struct desk {
  const struct arena_plan *plan;
  const struct sal_bot *stand_in; /* for bots that have failed */
  sal_action *legal;
  struct program *programs; /* one for each bot and seat it may have */
  enum arena_end trouble;   /* ARENA_DONE: none */

  struct arena_game *game;
  struct arena_time *time; /* NULL: nobody asked */
  union sal_state_box state;
  uint64_t deal; /* the seed of the deal */
  struct sal_rng rng[SAL_SEATS_MAX];
  struct sal_memory memory[SAL_SEATS_MAX];

  /* For outside programs alone. */
  struct program *program[SAL_SEATS_MAX]; /* NULL: one of ours sits here */
  bool outside;                           /* there is one at all */
  struct sal_event *events;
  size_t event_count, event_cap;
  size_t told[SAL_SEATS_MAX]; /* events that each has been told */
  struct sal_buffer message;

  struct sal_buffer record;              /* of the game, if somebody wants it */
  char answer[ARENA_ANSWER_MAX];         /* of the seat that was asked last */
  struct arena_note note[SAL_SEATS_MAX]; /* how bots have failed */
  int notes;
};

static inline const sal_state *desk_state(const struct desk *d) {
  return (const sal_state *)d->state.bytes;
}

static inline const struct arena_bot *desk_bot(const struct desk *d, int seat) {
  return &d->plan->bot[d->game->bot[seat]];
}

/* NULL: no memory. */
struct desk *desk_new(const struct arena_plan *p);
/* Ends the programs too. */
void desk_free(struct desk *d);

/* Plays game number `number`. Looks at `trouble` and at the plan's `stop`
 * between two moves; if either is set the game is left unfinished. */
void match_play(struct desk *d, size_t number, struct arena_game *out);

/* The number that a seat's luck comes from. */
uint64_t match_seat_seed(const struct desk *d, int seat);

/* ---- Records and notes: record.c ------------------------------------------ */

void record_begin(struct desk *d);
void record_step(struct desk *d, int seat, sal_action a);
void record_end(struct desk *d);
/* Notes that the bot of a seat has failed in the position as it is. */
void note_fault(struct desk *d, int seat, enum arena_fault f, sal_action a);

/* ---- With outside programs: talk.c --------------------------------------- */

/* Greets the program of a seat, starting it if it does not run. */
enum arena_fault talk_new(struct desk *d, int seat);
/* Asks for a move; d->legal holds the `count` legal ones. */
enum arena_fault talk_move(struct desk *d, int seat, size_t count,
                           sal_action *out);
/* Tells how the game ended. */
void talk_over(struct desk *d, int seat);

#endif
