/* The choices of a decision, a few at a time: where there are many, first what
 * they have in common is chosen, then the rest. Louis XIV is asked for a card,
 * then a path, then the markers on it.
 *
 * Main invariant: every legal action can be reached, and only those. */
#ifndef SAL_TERMINAL_CHOOSE_H
#define SAL_TERMINAL_CHOOSE_H

#include "scene.h"

enum { CHOOSE_STEPS = 3, CHOOSE_LABEL_MAX = 120, CHOOSE_FLAT_MAX = 15 };

struct choose_entry {
  char key[SAL_ACTION_TEXT_MAX]; /* what its actions have in common */
  int action;                    /* the index of the only one, or -1 */
  int count;
  char label[CHOOSE_LABEL_MAX];
};

struct choose {
  int step;                                       /* how far it is narrowed */
  char chosen[CHOOSE_STEPS][SAL_ACTION_TEXT_MAX]; /* by which keys */
  int count, cursor, top; /* of the entries now; the first row shown */
  struct choose_entry *entries;
  uint64_t question; /* marks the choices that the entries are of; 0: none */
};

/* Starts over with the choices of the scene, unless they are those that it has
 * already and that nobody has taken: then a person who is choosing is left in
 * peace. False without memory. */
bool choose_start(struct choose *c, const struct scene *s);
void choose_free(struct choose *c);
/* Takes the entry: the index of an action, or -1: narrowed to what it has. */
int choose_take(struct choose *c, const struct scene *s, int entry);
/* Back to the step before; false at the first. */
bool choose_back(struct choose *c, const struct scene *s);
/* What is being asked, for the line above: "", or a message for this step. */
const char *choose_asks(const struct choose *c, const struct scene *s);

#endif
