/* Games at the keyboard that survive the program: where they lie, who plays. */
#ifndef SAL_CLI_PLAY_SAVE_H
#define SAL_CLI_PLAY_SAVE_H

#include "cli.h"

enum { SAVE_PATH_MAX = 1024, SAVE_NAME_MAX = 40, SAVE_LEVEL_MAX = 300 };

/* Who sits where: of a bot its level ("expert", "cmd:…"), of a person "". A seat
 * without a name of its own has "". */
struct save_seats {
  char name[SAL_SEATS_MAX][SAVE_NAME_MAX];
  char level[SAL_SEATS_MAX][SAVE_LEVEL_MAX];
};

/* A new file for a game, in $XDG_STATE_HOME/salotto (~/.local/state/salotto),
 * which is made if needed; false if there is no such place. */
bool save_choose(const char *game, char path[SAVE_PATH_MAX]);
/* A file of that name there; false if there is no such place. */
bool save_place(const char *name, char path[SAVE_PATH_MAX]);
/* The file that was written last there; false if there is none. */
bool save_latest(char path[SAVE_PATH_MAX]);
/* Writes the game with its seats, readable for its owner alone: under a
 * temporary name, synced, then renamed, so that a file is whole or as before.
 * DONE or FAILED, without a complaint. */
int save_write(const char *path, const sal_table *t,
               const struct save_seats *seats);
/* The game is over: its file goes to the folder `finished` beside it. */
void save_finish(const char *path);
/* What a record says of its seats; false if it says nothing. */
bool save_seats_read(const char *record, int players, struct save_seats *seats);

#endif
