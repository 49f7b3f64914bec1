/* Bots that think: to move, and to advise a person. */
#ifndef SAL_SERVER_THINK_H
#define SAL_SERVER_THINK_H

#include "rooms.h"

/* Asks a bot; its answer comes as an intent. Where only bots ever sat it is
 * asked only while somebody looks on. */
void think_start(struct active_room *active, int seat);
/* The same for a person, who is told when it is there; false: no memory. */
bool advise_start(struct active_room *active, const struct intent *asked);
/* Somebody looks on now, or nobody does any more. */
void think_watch_changed(struct active_room *active);
/* The server closes: everybody's time is up, and no move comes of it. */
void think_stop(struct server *srv);

#endif
