/* What a bot thinks about: a seat's view, its memory and what it may do, in one
 * piece without pointers. So it can be handed to a thread as it is, and to
 * another server that runs the same program (net/lenders.h). */
#ifndef SAL_SERVER_MIND_H
#define SAL_SERVER_MIND_H

#include "salotto/bot.h"

enum { MIND_ID = 16 };

struct mind {
  char game[MIND_ID], bot[MIND_ID]; /* no bot: advice for a person */
  int players, seat;
  enum sal_temper temper;
  double seconds; /* that it may take */
  struct sal_rng rng;
  union sal_view_box view;
  struct sal_memory memory;
  size_t count;
  sal_action legal[];
};

/* Room for all that a seat may do in that game; NULL: no memory. */
struct mind *mind_new(const struct sal_game *g, const struct sal_bot *bot);
/* Its bytes, as far as they are used. */
size_t mind_size(const struct mind *m);
/* Whether so many bytes are a mind; of the view and the memory nothing is
 * known by that. */
bool mind_is_whole(const struct mind *m, size_t size);
/* The same as a question, which points into it. */
void mind_question(const struct mind *m, struct sal_question *out);
/* On any thread. */
void mind_think(struct mind *m, struct sal_thought *out);
/* Whether that can be an answer. */
bool mind_accepts(const struct mind *m, const struct sal_thought *answer);

/* Whether everybody's time is up from now on: whatever is being thought about ends
 * at once. */
void minds_hurry(bool up);

#endif
