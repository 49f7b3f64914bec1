/* A room in words, for people: what happened, who is asked for what, what the
 * position is and what each choice means, in the language of who listens.
 *
 * Main invariant: every sentence is made from the view of one seat or from an
 * event cut for it, as the facts are in tell.c; a word more than the facts
 * would be a leak. */
#ifndef SAL_SERVER_SPEAK_H
#define SAL_SERVER_SPEAK_H

#include "room.h"
#include "server.h"

/* How the seats of a room are called in a language. */
struct speech {
  struct sal_speaker speaker;
  char names[SAL_SEATS_MAX][STORE_NAME_MAX + 16];
  const char *name[SAL_SEATS_MAX];
};

void speech_init(struct speech *s, const struct sal_catalogue *catalogue,
                 const struct room *r);

/* The members of an open object: "words" for the events from `since` on,
 * "prompt", "position", and for a seat "legal_say" for its choices. */
void speak_play(struct sal_json *j, const struct speech *s,
                const struct room *r, int viewer, size_t since,
                const sal_action *legal, size_t count);
/* One event: {"text":…,"rule":…}. */
void speak_event(struct sal_json *j, const struct speech *s, const sal_table *t,
                 size_t n, int viewer);
/* "prompt" and "position". */
void speak_view(struct sal_json *j, const struct speech *s, const sal_table *t,
                int viewer);

/* A refusal in that language. `r` may be NULL: it was about no table. */
void speak_refusal(const struct sal_catalogue *catalogue, const struct room *r,
                   const struct sal_refusal *why, struct sal_text *out);

#endif
