/* The table from inside, for the files of this folder. */
#ifndef SAL_TABLE_INSIDE_H
#define SAL_TABLE_INSIDE_H

#include "deals.h"
#include "lines.h"
#include "salotto/table.h"

/* Where the outcome of a draw came from. */
enum origin { DEALT, DRAWN, TOLD };

/* One entry of the history: an action of a seat, or an outcome of chance. */
struct step {
  sal_action action;
  int8_t seat;    /* SAL_CHANCE for an outcome */
  uint8_t origin; /* of an outcome */
  bool learned;   /* somebody learned something from this action */
  uint8_t unseen; /* the seats that did not see which action it was */
};

/* A key that a record opens. */
struct opened {
  int entry;
  struct sal_key key;
};

struct sal_table {
  struct sal_plan plan;
  bool has_seed;
  union sal_state_box state;
  struct step *steps;
  size_t step_count, step_cap;
  size_t actions;
  struct sal_event *events;
  size_t event_count, event_cap;
  bool no_memory; /* an event could not be kept */

  /* The keys of the seed's chain, if the table has the seed. */
  struct sal_ladder ladder;

  /* The key of the shuffle that was last drawn from. */
  int mixed_entry;
  struct sal_key mixed;

  /* What a record without a seed has instead. */
  bool has_commitment;
  struct sal_key commitment;
  struct opened *opened;
  size_t opened_count;

  /* Only while a record is read: the outcomes it tells, in order. */
  char **told;
  size_t told_count, told_at;
  const char *fault; /* what the record has wrong */
  bool waiting;      /* the next draw is not known: a record without a seed */
};

static inline sal_state *state_of(sal_table *t) {
  return (sal_state *)t->state.bytes;
}
static inline const sal_state *state_in(const sal_table *t) {
  return (const sal_state *)t->state.bytes;
}

/* A table whose chance has not begun; `start` begins it. */
sal_table *table_prepare(const struct sal_plan *plan);
/* Sets up the game and plays chance up to the first seat. 0 or an error. */
int table_start(sal_table *t);

/* Which link of the chain belongs to an entry. */
static inline int chain_link(int entry) {
  return entry + 1 < SAL_CHAIN ? entry + 1 : SAL_CHAIN;
}

#endif
