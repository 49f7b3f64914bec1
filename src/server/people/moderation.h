/* What administrators decide while the server is open: who is banned or muted,
 * and which tables shall close. `salotto admin` writes it into the store; it is
 * read there once a second, if the store has changed.
 *
 * Main invariant: what is enforced is what the store held at the last look; a
 * look that fails changes nothing. */
#ifndef SAL_SERVER_MODERATION_H
#define SAL_SERVER_MODERATION_H

#include "base/context.h"

struct moderation *moderation_new(struct server *srv);
void moderation_free(struct moderation *mod);
/* Before people and rooms are loaded: what is written from here on is told and
 * done to what is in memory. SAL_STORE. */
int moderation_load(struct moderation *mod);
/* Called often: looks at the store, sweeps out what is old. */
void moderation_tick(struct moderation *mod);

bool moderation_bans_person(const struct moderation *mod, int64_t person);
/* Whether they may not chat. */
bool moderation_mutes(const struct moderation *mod, int64_t person);
bool moderation_bans_address(const struct moderation *mod, const char *address);

#endif
