/* Bots that think: to move, and to advise a person. */
#ifndef SAL_SERVER_THINK_H
#define SAL_SERVER_THINK_H

#include "mind.h"
#include "rooms.h"

/* Asks a bot; its answer comes as an intent. Where only bots ever sat it is
 * asked only while somebody looks on. */
void think_start(struct active_room *active, int seat);
/* The same for a person, who is told when it is there; false: no memory. */
bool advise_start(struct active_room *active, const struct intent *asked);
/* Somebody looks on now, or nobody does any more. */
void think_watch_changed(struct active_room *active);
/* Of a task of the thinkers that travels: what is thought about, and the answer of
 * somebody who has; false: it is none. */
const struct mind *think_mind(const struct crew_task *task);
bool think_take(struct crew_task *task, const struct sal_thought *answer);
/* How many threads of a server think. */
int think_threads(const struct server_options *o);
/* The server closes: everybody's time is up, and no move comes of it. */
void think_stop(struct server *srv);

#endif
