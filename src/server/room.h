/* A room: one table with its seats, from its first move to its last.
 *
 * Pure: no loop, no store, no connection. Main invariant: a room is what its
 * moves give when they are made one after the other; `room_check` answers
 * whether a move may be made, `room_make` makes one that is durable, and the
 * same function makes it when the house starts again. */
#ifndef SAL_SERVER_ROOM_H
#define SAL_SERVER_ROOM_H

#include "store.h"

#include "salotto/bot.h"
#include "salotto/fair.h"
#include "salotto/table.h"

#include <jansson.h>

enum { ROOM_ID = 16 };

enum room_seat_kind { SEAT_OPEN, SEAT_PERSON, SEAT_BOT };

struct room_seat {
  enum room_seat_kind kind;
  const struct sal_bot *bot; /* of a bot */
  int64_t person;            /* of a person; stays when a bot stands in */
  char name[STORE_NAME_MAX + 1];
  bool has_part;
  struct sal_key part; /* the person's own randomness */
};

/* What whoever opens a room decides, and the seed. */
struct room_head {
  const struct sal_game *game;
  struct sal_setup setup;
  struct sal_key seed;
  bool listed;     /* in the lobby; else one must know the id */
  bool spectators; /* may watch a game that has begun */
  bool chat;
  const struct sal_bot *stand_in;           /* plays on for who resigns */
  const struct sal_bot *bot[SAL_SEATS_MAX]; /* NULL: the seat is open */
};

struct room {
  char id[ROOM_ID + 1];
  struct room_head head;
  struct sal_key commitment;
  struct room_seat seat[SAL_SEATS_MAX];
  int64_t seq;      /* the number of the next move */
  sal_table *table; /* NULL until the game begins */
  bool ended;
  /* For each seat that is asked: since which number it has been asked just
   * this. What answers an older question is late. */
  int64_t asked_since[SAL_SEATS_MAX];
};

/* A random id: 80 bits, so that who does not know it cannot guess it. */
void room_new_id(char out[ROOM_ID + 1]);

/* Reads what a request or a first move says; 0 or why not. The seed is read
 * only with `seeded`, from a first move; nobody else may choose one. */
int room_head_read(const json_t *from, bool seeded, struct room_head *out,
                   struct sal_refusal *why);
/* The text of the first move. */
void room_head_write(const struct room_head *head, struct sal_text *out);

/* From a first move, which has the kind "open". NULL and why. */
struct room *room_open(const struct store_move *first, struct sal_refusal *why);
void room_free(struct room *r);

/* Whether the move may be made next; its number is not looked at. `answers` is
 * the number that the mover knew last; only for "act". */
int room_check(const struct room *r, const struct store_move *m,
               int64_t answers, struct sal_refusal *why);
/* Makes a move that has passed and is durable. */
int room_make(struct room *r, const struct store_move *m,
              struct sal_refusal *why);

/* The seat that person holds now, or -1. */
int room_seat_of(const struct room *r, int64_t person);
bool room_is_full(const struct room *r);
/* Whether a game is going on. */
bool room_in_play(const struct room *r);
/* Mask of the seats that are asked; 0 unless a game is going on. */
unsigned room_asked(const struct room *r);

/* The texts of moves. */
void room_sit_write(int64_t person, const char *name,
                    const struct sal_key *part, struct sal_text *out);

#endif
