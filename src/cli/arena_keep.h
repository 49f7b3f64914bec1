/* The games of a tournament in a file, from which it goes on. */
#ifndef SAL_CLI_ARENA_KEEP_H
#define SAL_CLI_ARENA_KEEP_H

#include "arena.h"
#include "cli.h"

#include <jansson.h>

struct arena_keep;

/* Opens or makes the file of a tournament that `head` describes (taken over);
 * what else it says but "seed" must be the same as in the file. `seed` becomes
 * that of the file where none was `given`. NULL with a complaint. */
struct arena_keep *arena_keep_open(const char *path, json_t *head, bool given,
                                   uint64_t *seed);
void arena_keep_close(struct arena_keep *k);

/* Puts the games of a row (0 but in a gauntlet) that the file holds into their
 * places, and tells how bots failed in them. DONE, or a complaint. */
int arena_keep_restore(struct arena_keep *k, int row,
                       const struct arena_plan *p, struct arena_game *games,
                       void (*failed)(void *self, const struct arena_note *n),
                       void *self);
/* Adds how a bot failed in a game that is added next; then the game. */
void arena_keep_note(struct arena_keep *k, const struct arena_note *n);
bool arena_keep_add(struct arena_keep *k, int row, size_t number, int players,
                    const struct arena_game *g);
/* The name of the file. */
const char *arena_keep_path(const struct arena_keep *k);

#endif
