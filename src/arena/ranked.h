/* Games that another rank has played: see the source. */
#ifndef SAL_ARENA_RANKED_H
#define SAL_ARENA_RANKED_H

#include "match.h"

/* How many games a rank is given at a time: few enough that all end together,
 * enough that short ones are not all waiting. */
size_t ranked_block(size_t games, int ranks);

struct ranked_game {
  size_t number;
  enum arena_end trouble; /* ARENA_DONE: none, and the game was played */
  struct arena_game game;
  struct arena_time time;
  int notes;
  struct arena_note note[SAL_SEATS_MAX];
  char *record; /* "": none was made */
};

/* Adds the game that was played last at this desk; false without memory. */
bool ranked_pack(const struct desk *d, size_t number, struct sal_buffer *out);
/* Takes the next game off the bytes; to be freed. False if they are no game, or
 * without memory. */
bool ranked_unpack(const char **bytes, size_t *left, struct ranked_game *out);
void ranked_free(struct ranked_game *g);

#endif
