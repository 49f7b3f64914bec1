/* A table on the whole screen: draws, reads keys, and hands what they mean to
 * whoever keeps the game (a host): this program, a record, or a server.
 *
 * Main invariant: the loop knows no game and no table; a host changes the scene,
 * and the loop draws it again. */
#ifndef SAL_TERMINAL_PARLOUR_H
#define SAL_TERMINAL_PARLOUR_H

#include "choose.h"
#include "screen.h"

enum host_can {
  HOST_ACTS = 1, /* somebody at the keyboard plays */
  HOST_HINTS = 2,
  HOST_UNDOES = 4,
  HOST_SAVES = 8,
  HOST_CHATS = 16,
  HOST_STEPS = 32,   /* a record: forwards and backwards */
  HOST_REVIEWS = 64, /* when it is over */
  HOST_RUNS = 128    /* by itself: it can be stopped, and go faster or slower */
};

/* What became of a call. */
enum host_said {
  HOST_SAME,    /* nothing to draw but perhaps a notice */
  HOST_CHANGED, /* the scene is another one */
  HOST_GONE     /* there is nothing more here */
};

enum host_jump { JUMP_BY, JUMP_TO };

struct host {
  struct scene scene;
  unsigned can;
  int other;           /* a descriptor to wait for, or -1 */
  int wait;            /* milliseconds until `go` is called; -1: never */
  const char *status;  /* at the right of the title; may be "" */
  const char *curtain; /* what stands on the curtain, or NULL: none is drawn */
  void *self;
  /* Something that takes its time: a bot's turn, a message, a tick. */
  enum host_said (*go)(struct host *h);
  /* The curtain was opened. */
  enum host_said (*opened)(struct host *h);
  /* An action in the notation, or a line as it was typed. */
  enum host_said (*act)(struct host *h, const char *action);
  enum host_said (*line)(struct host *h, const char *line);
  enum host_said (*undo)(struct host *h);
  enum host_said (*hint)(struct host *h);
  enum host_said (*save)(struct host *h, const char *path);
  enum host_said (*chat)(struct host *h, const char *text);
  enum host_said (*step)(struct host *h, enum host_jump how, int n);
  /* Lets it run by itself, or stops it; faster (1) or slower (-1). */
  enum host_said (*run)(struct host *h, int faster);
  /* Another pair of eyes: a seat, SAL_SPECTATOR, SAL_EVERYTHING. */
  enum host_said (*eyes)(struct host *h, int viewer);
  /* The text of a rule (NULL: all of them), to be freed; NULL: none such. */
  char *(*rules)(struct host *h, const char *rule);
  /* Shows the review of the finished game on a screen of its own; a notice if
   * there is none. */
  enum host_said (*review)(struct host *h);
};

/* Runs until somebody leaves; the signal that ended it, or 0. The screen is
 * open before and after. */
int parlour_run(struct host *h);

/* A page of text to read, until it is closed; the signal, or 0. */
int parlour_page(const struct scene *s, const char *title, const char *text);

#endif
