/* A line on the terminal that says what a long computation is doing, from its
 * first second on: what, how far, for how long. It goes to standard error, and
 * only if that is a terminal.
 *
 * Main invariant: while something else is printed, between ticker_hide and the
 * next tick, the line is not there. */
#ifndef SAL_CLI_TICKER_H
#define SAL_CLI_TICKER_H

/* Starts it, in place of one that runs. */
void ticker_start(const char *what);
/* Says something else from now on, in the same time. */
void ticker_say(const char *what);
/* How many iterations are done, and the seconds left (less than 0: unknown). */
void ticker_tell(unsigned done, double left);
/* Takes the line away; it comes back with the next second. */
void ticker_hide(void);
/* Ends it. */
void ticker_stop(void);

#endif
