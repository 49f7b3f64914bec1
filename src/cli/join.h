/* A seat, or a place to watch from, at a server's table. */
#ifndef SAL_CLI_JOIN_H
#define SAL_CLI_JOIN_H

#include "link.h"
#include "terminal/scene.h"

#include <time.h>

struct join {
  struct link *link;
  struct scene *scene;
  const struct sal_game *game; /* NULL: one that this program does not know */
  char base[500], table[64], key[128], name[64];
  json_t *create; /* to be sent when the server greets, or NULL */
  bool watching;  /* does not sit down */
  bool acting;    /* a move is on its way to the server */
  bool asked_to_sit, over, failed, wants_rematch;
  int missing, free_seat;
  long seq;
  size_t next; /* event */
  unsigned char part[32];
  long left[SAL_SEATS_MAX]; /* seconds; -1: no clock */
  unsigned runs;
  time_t told_at;
};

/* Splits an address; false if it is none. */
bool join_address(struct join *j, const char *url);
/* Signs in and connects; false and a sentence. To be closed either way. */
bool join_open(struct join *j, const char *name, struct sal_text *problem);
/* The same connection once more, after it was lost. */
bool join_again(struct join *j);
void join_close(struct join *j);
/* Takes what has come; whether anything has. */
bool join_hear(struct join *j);
/* The clocks as they stand now. */
void join_tick(struct join *j);

void join_act(struct join *j, const char *action);
void join_undo(struct join *j);
void join_hint(struct join *j);
void join_say(struct join *j, const char *text);

/* Does what a line says; false: leave the table. */
bool join_obey(struct join *j, const char *line);
/* The open record, as everybody may have it when the game is over, to be freed;
 * NULL: the server gives none. */
char *join_record(struct join *j);
extern const char *const join_no_record; /* a message that says so */
/* Writes it to a file; what came of it is a notice. */
void join_save(struct join *j, const char *path);

/* Plays in lines; the exit status. */
int join_plain(struct join *j);

#endif
