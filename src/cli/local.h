/* Tables of this program as hosts of the whole screen. */
#ifndef SAL_CLI_LOCAL_H
#define SAL_CLI_LOCAL_H

#include "session.h"
#include "terminal/parlour.h"

/* What a table tells a viewer, from an event on; NULL without memory. */
json_t *told_to(const sal_table *t, int viewer, size_t since,
                const struct sal_words *words);
/* The rules of a game for players, or one of them, as text to be freed; NULL if
 * there is none such. */
char *rules_text(const struct sal_game *g, const char *id);
void scene_of_table(struct scene *s, const sal_table *t,
                    const struct sal_speaker *words);

/* Plays on the whole screen; the exit status. `seconds` between the actions of
 * bots where nobody plays. */
int play_screen(struct session *p, double seconds);

/* A record, step by step. */
struct replay_wish {
  const char *text; /* of the record */
  size_t length;
  int viewer;
  const char *const *names; /* NULL: as the record says */
};
/* What the players are called, as the wish or else its record says. */
struct record_names {
  struct save_seats seats;
  const char *names[SAL_SEATS_MAX];
  struct sal_speaker words;
};
void record_names(const struct replay_wish *w, int players,
                  struct record_names *out);

/* Its review, likewise, if the game is over; else why not is told. It begins at
 * the step after so many actions; -1: at the end. */
int review_screen(const struct replay_wish *w, int from,
                  struct sal_text *problem);
/* The same in lines, as it is computed; Ctrl-C stops it. */
void review_lines(const struct replay_wish *w);

/* The menu of games; false: nothing was chosen. What it fills in lives until the
 * program ends. */
bool menu_choose(struct wishes *w, int *ended);

#endif
