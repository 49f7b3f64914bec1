/* A game shown again, from its moves: as a record, or step by step as one
 * viewer saw it then.
 *
 * Pure: no loop, no store; it runs on a worker. Main invariant: a step is made
 * from the table as it stood after that move, through the view of the viewer,
 * so it never shows what the viewer did not know at that time. */
#ifndef SAL_SERVER_REPLAY_H
#define SAL_SERVER_REPLAY_H

#include "room.h"

struct replay {
  const struct store_moves *moves; /* all of one room, in order */
  int64_t person;                  /* who asks; 0: nobody known */
  bool record;                     /* the record as text instead of the steps */
  int viewer;                      /* a seat, SAL_SPECTATOR or SAL_EVERYTHING */
  int64_t from;                    /* the first move to show */
  const struct sal_catalogue *catalogue; /* NULL: no words */
  /* What comes of it. */
  struct sal_refusal why;
  bool over;                         /* of a record: the game is */
  int64_t at, sitter[SAL_SEATS_MAX]; /* when, and who sat there; 0: nobody */
  char name[SAL_SEATS_MAX][STORE_NAME_MAX + 16]; /* and how seats are called */
  char *text;                                    /* to be freed */
  size_t length;
};

/* 0, or the error that is in `why` too. */
int replay_make(struct replay *p);

#endif
