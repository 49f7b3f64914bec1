/* What sessions and moderation ask of connections; net/ does it. */
#ifndef SAL_SERVER_CONNECTIONS_H
#define SAL_SERVER_CONNECTIONS_H

#include "base/context.h"

/* Closes the WebSockets that the session of that name has opened. */
void connections_end_session(struct server *srv, const char *session);
/* They are those of another name from now on. */
void connections_rename_session(struct server *srv, const char *session,
                                const char *name);
/* Closes the WebSockets of whoever is not welcome any more. */
void connections_end_banned(struct server *srv);
/* Marks everybody who has a WebSocket as held. */
void connections_hold_people(struct server *srv);

#endif
