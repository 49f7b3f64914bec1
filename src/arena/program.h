/* An outside program at the other end of two pipes. */
#ifndef SAL_ARENA_PROGRAM_H
#define SAL_ARENA_PROGRAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The longest line that a program may answer, its end included. */
enum { PROGRAM_LINE_MAX = 1 << 16 };

struct program {
  pid_t pid; /* 0: not running; else also its process group */
  int to, from;
  const atomic_bool *stop; /* nobody waits for it any more; NULL: never */
  bool fresh;              /* has not answered since it was started */
  bool kept;               /* still runs from an earlier game */
  size_t have;             /* bytes in `line` */
  size_t taken;            /* of them, those of the last answer */
  char line[PROGRAM_LINE_MAX];
};

enum heard { HEARD, HEARD_LATE, HEARD_END, HEARD_GARBAGE };

/* The machine's clock, in seconds since some moment. */
double program_clock(void);

/* Starts a command of the shell; false: the machine could not. */
bool program_start(struct program *p, const char *command);
/* Lets a program know that there is nothing more to come. */
void program_dismiss(struct program *p);
/* Ends the program with all that it started. `patience` seconds are left to
 * it to end by itself. */
void program_stop(struct program *p, double patience);

/* Sends a text until the clock says `until`. */
enum heard program_tell(struct program *p, const char *text, size_t length,
                        double until);
/* Waits until then for a line; it is NUL-terminated, without its end, and
 * stays until the next call. */
enum heard program_hear(struct program *p, double until, char **line);

#endif
