/* The table from inside, for the files of this folder. */
#ifndef SAL_TABLE_INSIDE_H
#define SAL_TABLE_INSIDE_H

#include "deals.h"
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
  size_t event;   /* the number of the first event that it made */
};

/* A key that a record opens. */
struct opened {
  int entry;
  struct sal_key key;
};

/* A draw that a record tells. */
struct told {
  char *outcome;
  char *address; /* "1 deck 0 4", or NULL: not told */
  size_t line;   /* from 0 */
  char *pile;    /* "2 influence 1 1 J" on a line before, or NULL */
  size_t pile_line;
};

/* What a record tells of chance, while it is being read. */
struct telling {
  const struct sal_words *words; /* of `fault` */
  struct told *draw;
  size_t count, cap, at; /* `at`: how many have come */
  size_t until;          /* the line of the next step: draws stand before it */
  bool left_out;         /* a draw came that the record does not tell */
  size_t line;           /* of the draw that is wrong */
  char fault[SAL_MESSAGE_MAX];
  char due[SAL_ACTION_TEXT_MAX]; /* what had to be drawn there, if known */
};

/* What a seat may do, as long as nothing changes. */
struct choices {
  sal_action *list;
  size_t count;
  bool known;
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
  bool no_memory;          /* an event could not be kept */
  struct choices *choices; /* of each seat; filled when asked for */

  /* The keys of the seed's chain, if the table has the seed. */
  struct sal_key_cache key_cache;

  /* The key of the shuffle that was last drawn from. */
  int mixed_entry;
  struct sal_key mixed;

  /* What a record without a seed has instead. */
  bool has_commitment;
  struct sal_key commitment;
  struct opened *opened;
  size_t opened_count;

  struct telling *telling; /* only while a record is read */
  int resigned;            /* the seat, or -1: that ended the game */
  bool waiting; /* the next draw is not known: a record without a seed */
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

/* What to tell a seat that is not asked: who is, from public facts alone. */
void table_say_turn(const sal_table *t, const struct sal_words *words,
                    struct sal_text *out);
/* What to tell whoever has written something that is no action. */
void table_say_unknown(const sal_table *t, const char *action,
                       const struct sal_words *words, struct sal_text *out);

/* Where a draw stands, as records write it: "1 deck 0 4". */
void draw_address(const struct sal_plan *plan, const struct sal_chance *c,
                  struct sal_text *out);
/* Whether this is the first draw from a pile that was made during the game, of
 * what there was. Then `out` gets what it is made of: "2 influence 1 1 4 J". */
bool draw_pile(const struct sal_plan *plan, const struct sal_chance *c,
               struct sal_text *out);
enum { PILE_TEXT_MAX = 512 };

/* The draw that the record tells at this place, or NULL. */
const struct told *telling_next(struct telling *g);
/* Checks what a record tells of a draw that is due; false with `fault` set. */
bool telling_check(struct telling *g, const struct sal_plan *plan,
                   const struct sal_chance *c);
/* The draw that was told is another one. */
void telling_refuse(struct telling *g, const struct sal_plan *plan,
                    const struct sal_chance *c, int due, bool dealt);

/* Which link of the chain belongs to an entry. */
static inline int chain_link(int entry) {
  return entry + 1 < SAL_CHAIN ? entry + 1 : SAL_CHAIN;
}

#endif
