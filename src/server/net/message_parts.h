/* What the files that compose messages share. */
#ifndef SAL_SERVER_MESSAGE_PARTS_H
#define SAL_SERVER_MESSAGE_PARTS_H

#include "messages.h"

/* Composes and sends; who cannot be told is dropped, and comes back. */
void message_send(struct conn *c, sal_write *write, const void *what);
/* Opens the object of a message, which may be an answer. */
void message_begin(struct sal_json *j, const char *op, struct re re);
/* The public facts of a room as members of the open object: what does not
 * change from action to action, and the clock, with its `rule` or without. */
void message_room(struct sal_json *j, const struct active_room *active);
void message_clock(struct sal_json *j, const struct room *r, bool rule);

#endif
