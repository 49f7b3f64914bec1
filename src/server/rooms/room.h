/* A room: one table with its seats, from its first move to its last.
 *
 * Pure: no loop, no store, no connection. Main invariant: a room is what its
 * moves give when they are made one after the other; `room_check` answers
 * whether a move may be made, `room_make` makes one that is durable, and the
 * same function makes it when the server starts again. */
#ifndef SAL_SERVER_ROOM_H
#define SAL_SERVER_ROOM_H

#include "clock.h"
#include "store/store.h"

#include "salotto/bot.h"
#include "salotto/fair.h"
#include "salotto/table.h"

#include <jansson.h>

enum { ROOM_ID = 16 };

enum room_seat_kind { SEAT_OPEN, SEAT_INVITED, SEAT_PERSON, SEAT_BOT };

struct room_seat {
  enum room_seat_kind kind;
  const struct sal_bot *bot; /* of a bot */
  int64_t person;            /* of a person; stays when a bot stands in */
  bool away;                 /* the stand-in plays until the person is back */
  char name[STORE_NAME_MAX + 1];
  bool has_part;
  struct sal_key part; /* the person's own randomness */
  bool pledged;
  struct sal_key pledge; /* the hash of a part that is to be told */
};

/* What whoever opens a room decides, and the seed. */
struct room_head {
  const struct sal_game *game;
  struct sal_setup setup;
  struct sal_key seed;
  int64_t by;      /* the person who opens it; 0: not known, or a rematch */
  bool listed;     /* in the lobby; else one must know the id */
  bool spectators; /* may watch a game that has begun */
  bool chat;
  bool hints, undo; /* may be asked for */
  bool rated;       /* as long as nobody asks for either; see docs/server.md */
  struct clock_rule clock;
  const struct sal_bot *stand_in;           /* plays on for who resigns */
  const struct sal_bot *bot[SAL_SEATS_MAX]; /* NULL: for a person */
  bool invited[SAL_SEATS_MAX];              /* who sits there needs the key */
  char key[ROOM_ID + 1];                    /* "" if no seat is by invitation */
  /* Of a rematch: the table before, and for which person a seat is kept. */
  char before[ROOM_ID + 1];
  int64_t kept[SAL_SEATS_MAX]; /* 0: for nobody */
};

struct room {
  char id[ROOM_ID + 1];
  struct room_head head;
  struct sal_key commitment;
  struct sal_key_cache *key_cache; /* of the seed, until the game begins */
  struct room_seat seat[SAL_SEATS_MAX];
  int64_t seq;      /* the number of the next move */
  sal_table *table; /* NULL until the game begins */
  bool ended;
  bool helped;               /* somebody was given a hint or took a move back */
  int undone[SAL_SEATS_MAX]; /* how often each seat took a move back */
  int asides;                /* moves beside the game: see room_check */
  bool withheld; /* somebody did not tell the part they had pledged */
  int decisions[SAL_SEATS_MAX]; /* real ones, by the person who sits there */
  char next[ROOM_ID + 1];       /* the rematch, or "" */
  int64_t played;  /* the number of the last move of the game itself */
  int64_t last_at; /* when the last move was made */
  int64_t over_at; /* when the game ended */
  struct clock clock;
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
/* The text of the first move, and parts of it. */
void room_clock_write(const struct clock_rule *c, struct sal_json *j,
                      const char *name);
void room_options_write(const struct room_head *h, struct sal_json *j,
                        const char *name);
void room_hex_write(struct sal_json *j, const char *name,
                    const struct sal_key *key);
/* Whether it is played with a court that somebody has handed in. */
bool room_has_own_court(const struct room_head *h);
/* Whether people are to come before the game can begin. */
bool room_head_waits(const struct room_head *h);
void room_head_write(const struct room_head *head, struct sal_text *out);

/* From a first move, which has the kind "open". NULL and why. */
struct room *room_open(const struct store_move *first, struct sal_refusal *why);
void room_free(struct room *r);

/* Whether the move may be made next; its number is not looked at. `known_seq` is
 * the number that the mover knew last. Of an "act" that passes, `action` gets
 * what its text means, so that it is parsed and checked once. */
int room_check(const struct room *r, const struct store_move *m,
               int64_t known_seq, sal_action *action, struct sal_refusal *why);
/* Makes a move that has passed, in this room as it is, and is durable. */
int room_make(struct room *r, const struct store_move *m, sal_action action,
              struct sal_refusal *why);
/* Both, for moves that are in the store already. */
int room_replay(struct room *r, const struct store_move *m,
                struct sal_refusal *why);

/* The seat that person holds now, or -1. */
int room_seat_of(const struct room *r, int64_t person);
/* Whether a person sits there, or has sat there in this game. */
bool room_has_people(const struct room *r);
bool room_is_full(const struct room *r);
/* Mask of the seats that have pledged a part and not told it, once everybody
 * sits and until the game begins. */
unsigned room_unrevealed(const struct room *r);
/* Whether a game is going on. */
bool room_in_play(const struct room *r);
/* Whether that person watches a game in play: who plays does not hear them. */
bool room_watched_by(const struct room *r, int64_t person);
/* Mask of the seats that are asked; 0 unless a game is going on. */
unsigned room_asked(const struct room *r);
/* The bot that plays a seat now, or NULL. */
const struct sal_bot *room_bot_at(const struct room *r, int seat);
/* Whether one person plays among bots and nothing counts. */
bool room_is_practice(const struct room *r);
/* Whether the result will count. */
bool room_is_rated(const struct room *r);
/* The head of the rematch: the same, everybody one seat further. */
void room_head_again(const struct room *r, struct room_head *out);

/* The texts of moves. */
struct room_sitting {
  int64_t person;
  char name[STORE_NAME_MAX + 1];
  char key[ROOM_ID + 1];  /* "" for none */
  bool has_part, pledged; /* not both */
  struct sal_key part, pledge;
};
/* Resigning ends a game of two; in larger ones the stand-in plays on. Who has
 * left for good leaves the seat as well. */
const char *room_resign_text(const struct room *r, bool for_good);
void room_sit_write(const struct room_sitting *s, struct sal_text *out);

#endif
