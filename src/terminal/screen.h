/* The terminal in full screen, through ncurses: shows a canvas, gives keys.
 *
 * Main invariant: between screen_open and screen_close the terminal is on its
 * other screen, so that the lines from before are there again afterwards, however
 * the program ends (but for SIGKILL). */
#ifndef SAL_TERMINAL_SCREEN_H
#define SAL_TERMINAL_SCREEN_H

#include "canvas.h"

/* Keys that are no characters. */
enum screen_key {
  SCREEN_NONE = 0x200000, /* the time is over */
  SCREEN_REDRAW,          /* another size, or back in the foreground */
  SCREEN_READY,           /* the other descriptor has something */
  SCREEN_ENDED,           /* a signal or a hang-up: leave */
  SCREEN_UP,
  SCREEN_DOWN,
  SCREEN_LEFT,
  SCREEN_RIGHT,
  SCREEN_HOME,
  SCREEN_END,
  SCREEN_PAGE_UP,
  SCREEN_PAGE_DOWN,
  SCREEN_ENTER,
  SCREEN_ESCAPE,
  SCREEN_BACK,
  SCREEN_DELETE,
  SCREEN_TAB,
  SCREEN_CLICK,
  SCREEN_WHEEL_UP,
  SCREEN_WHEEL_DOWN
};

/* Whether the terminal can be drawn on: both ends are one, and it can move the
 * cursor. */
bool screen_possible(void);
bool screen_open(void);
void screen_close(void);
/* Whether the locale is UTF-8. */
bool screen_speaks_utf8(void);
/* Makes the canvas as large as the screen; false without memory. */
bool screen_fit(struct canvas *c);
/* Shows the canvas; a cursor in row 0 is not shown. */
void screen_show(const struct canvas *c, int cursor_row, int cursor_column);
/* The next key: a character, or one of those above. Waits at most so long
 * (negative: for ever), and also for `other`, a descriptor or -1. */
int screen_key(int milliseconds, int other);
/* Signals are only noted and heard by screen_key: who computes for long calls
 * this now and then, so that Ctrl-Z stops the program, and looks at
 * screen_signal. Nothing happens while no screen is open. */
void screen_attend(void);
/* Where the last click was. */
void screen_click(int *row, int *column);
/* The signal that ended it, for the exit status; 0: none. */
int screen_signal(void);

#endif
