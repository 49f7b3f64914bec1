/* What the operator has decided while the house is open: who is not welcome,
 * and which tables shall close. `salotto admin` writes it into the store; it is
 * read there once a second, if the store has changed.
 *
 * Main invariant: what is enforced is what the store held at the last look; a
 * look that fails changes nothing. */
#ifndef SAL_SERVER_KEEPER_H
#define SAL_SERVER_KEEPER_H

#include "house.h"

struct keeper *keeper_new(struct house *h);
void keeper_free(struct keeper *k);
/* Called often: looks at the store, sweeps out what is old. */
void keeper_tick(struct keeper *k);

bool keeper_bans_person(const struct keeper *k, int64_t person);
bool keeper_bans_address(const struct keeper *k, const char *address);

#endif
