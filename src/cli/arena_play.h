/* How `salotto arena` plays: a bar, Ctrl-C, and what is written meanwhile. */
#ifndef SAL_CLI_ARENA_PLAY_H
#define SAL_CLI_ARENA_PLAY_H

#include "arena_keep.h"
#include "interrupt.h"
#include "sprt.h"

/* The faults that reports tell in full: the first ones, by game. */
enum { NOTES_MAX = 10 };

struct arena_notes {
  size_t all; /* how many there were */
  int count;
  struct arena_note note[NOTES_MAX];
};

/* What was asked for besides the games. */
struct arena_duty {
  struct arena_keep *keep; /* or NULL */
  const char *records;     /* a folder, or NULL */
  bool asks;               /* to stop when the question of `elo` is decided */
  double elo[2];
};

/* What came of it besides the games. */
struct arena_outcome {
  struct arena_notes notes;
  struct sprt sprt;
};

/* Plays row `row` of a gauntlet, or (-1) a tournament. `p->deals` becomes the
 * number of deals at the beginning that were played whole. DONE, INTERRUPTED,
 * or a complaint; after any of them what was played can be told. */
int arena_play(const struct arena_duty *duty, int row, struct arena_plan *p,
               struct arena_game *games, struct arena_outcome *out);
void arena_outcome_free(struct arena_outcome *o);

#endif
