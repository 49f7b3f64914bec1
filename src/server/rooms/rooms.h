/* All rooms of the server, in play: who listens, whose move is on its way.
 *
 * Main invariant: of each room at most one move is on its way to the store; the
 * next is looked at only when that one has been made or refused. What anybody
 * is told has been made durable before. */
#ifndef SAL_SERVER_ROOMS_H
#define SAL_SERVER_ROOMS_H

#include "base/context.h"
#include "base/crew.h"
#include "base/hash.h"
#include "chat_log.h"
#include "room.h"

/* Somebody wants to make a move. */
struct intent {
  struct intent *next;
  uint64_t conn;  /* whom to answer; 0: nobody */
  uint64_t since; /* when it came, by uv_hrtime */
  int64_t known_seq;
  char re[12];       /* the op that asked for it */
  char tag[80];      /* its id as JSON, or "" */
  sal_action action; /* of an "act" that was checked */
  struct store_move move;
};

/* A connection as the rooms know it: whose it is, and what it listens to. */
struct subscriber {
  struct conn *conn;
  int64_t person;
  struct crew_payer payer; /* for bots' time: that person, at this address */
  struct listener *tables;
};

/* A connection that is told what happens in a room. */
struct listener {
  struct active_room *active_room;
  struct subscriber *subscriber;
  struct conn *conn;
  struct listener *next_here;  /* of the same room */
  struct listener *next_table; /* of the same connection */
  uint64_t told;               /* as the room's when it was last told */
};

/* Where an active room stands in its life, and what becomes of its line of moves;
 * docs/design.md has the transitions. */
enum room_phase {
  PHASE_ASLEEP,    /* its clock waits for the move that wakes it */
  PHASE_AWAKE,     /* it waits for people, or is in play */
  PHASE_FINISHING, /* the game is over; its result is on its way to the store */
  PHASE_FINISHED,  /* and there */
  PHASE_BROKEN,    /* a durable move could not be made: no memory */
  PHASES
};
enum room_step {
  STEP_IDLE,
  STEP_WRITING, /* the first of the line is on its way to the store */
  STEP_RETRY,   /* the server's own next step failed; tried again soon */
  STEPS
};

/* A room and what hangs on it. */
struct active_room {
  struct hash_link link;
  char id[ROOM_ID + 1]; /* the room's, with zeros after it */
  struct room *room;
  struct server *server;
  struct listener *listeners;
  struct crew_payer opener;        /* nobody, after a restart */
  uint64_t told;                   /* how many moves the listeners were told */
  struct intent *line, **line_end; /* the first one may be on its way */
  int line_length;
  enum room_phase phase;
  enum room_step step;
  struct thinking *thinking;           /* a bot is asked; or NULL */
  int advising;                        /* bots that are asked for advice */
  struct bucket advice[SAL_SEATS_MAX]; /* how often a seat asks for it */
  uint64_t reveal_by; /* how long parts are waited for; 0: nobody was asked */
  /* Those who want the rematch, until it is open. */
  struct room_sitting *accepting[SAL_SEATS_MAX];
  unsigned called;          /* seats that were asked after the last move */
  unsigned present;         /* seats whose person is known to listen */
  bool presence_moved;      /* somebody went since */
  struct chat_log chat;     /* what was last said */
  bool reported;            /* what is said is kept from now on */
  uint64_t quiet_since;     /* nobody listens, by the loop's clock */
  struct store_moves moves; /* all that were made: what the room is */
  struct store_job job;
};

struct rooms *rooms_new(struct server *srv);
void rooms_free(struct rooms *r);
/* Rebuilds every room that has not ended; 0 or an error. */
int rooms_load(struct rooms *r);
/* After the loop and the store have started: the bots whose turn it is. */
void rooms_wake(struct rooms *r);
size_t rooms_count(const struct rooms *r);

struct active_room *rooms_find(struct rooms *r, const char *id);
/* Whether a room with that id will be there soon. */
bool rooms_opens(const struct rooms *r, const char *id);

/* The only way from one phase to another. */
void room_enter(struct active_room *active, enum room_phase to);
/* What the server itself had to do next has failed: it is tried again soon. */
void room_retry(struct active_room *active);

/* The list of the lobby as it was last composed; not fresh if it changed. */
struct lobby {
  char *tables;
  bool fresh;
};
struct lobby *rooms_lobby(struct rooms *r);

/* How many tables that this person has opened wait for players. */
size_t rooms_waiting_of(struct rooms *r, int64_t person);

void rooms_each(struct rooms *r,
                void (*each)(struct active_room *active, void *context),
                void *context);

/* Makes a room of this head, in the store first. The answer goes to the
 * connection. */
void rooms_create(struct rooms *r, const struct room_head *head,
                  const struct crew_payer *opener, const struct intent *from);
/* Tables in play with a bot that this person opened, or that were opened from
 * the same address. */
struct rooms_with_bots {
  int of_person, of_address;
};
struct rooms_with_bots rooms_with_bots(struct rooms *r,
                                       const struct crew_payer *opener);
/* Gives the person at that seat of a room that is over their seat at the
 * rematch, when it is open: as who, and with which part. */
void rooms_accept(struct active_room *active, int seat,
                  const struct room_sitting *s);
/* Queues a move; a copy is taken. Refusals go to the connection. */
void rooms_submit(struct active_room *active, const struct intent *wanted);

/* Listening. Once only for each connection and room. */
bool rooms_listen(struct active_room *active, struct subscriber *s);
bool rooms_listens(const struct active_room *active,
                   const struct subscriber *s);
void rooms_unlisten(struct active_room *active, struct subscriber *s);
/* The connection is gone. */
void rooms_forget(struct subscriber *s);

/* A person has left for good, or must: at tables that wait they stand up, in
 * games a bot plays on. */
void rooms_stand_up(struct server *srv, int64_t person);

/* Their name is another, or "" if it is not known any more; in the store it is
 * already. */
void rooms_rename(struct server *srv, int64_t person, const char *name);

/* How often the rooms have written that the server is open; and writes it now, to
 * see whether the store works. */
uint64_t rooms_writes(const struct rooms *r);
void rooms_try_to_write(struct rooms *r);

/* Once in a while: tries again what failed, closes what is over. */
void rooms_sweep(struct rooms *r);

/* finish.c: writes the result of a game that is over, once. */
void finish_start(struct active_room *active);

/* What the server itself does next in a room: begin, ask a bot, write the
 * result. */
void rooms_go_on(struct active_room *active);

#endif
