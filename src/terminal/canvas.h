/* A grid of cells to draw on, apart from any terminal: what is on it can be
 * shown with ncurses, or written out as text.
 *
 * Main invariant: nothing is ever drawn outside the grid; a character that is
 * two columns wide is drawn whole or not at all. */
#ifndef SAL_TERMINAL_CANVAS_H
#define SAL_TERMINAL_CANVAS_H

#include "salotto/text.h"

#include <wchar.h>

enum style {
  STYLE_PLAIN,
  STYLE_BOLD,
  STYLE_DIM,
  STYLE_RED,
  STYLE_BLUE,
  STYLE_BOTH,   /* a card of both colours, or of none */
  STYLE_HIDDEN, /* the back of a card */
  STYLE_GOLD,
  STYLE_BAR,    /* the lines at the top and at the bottom */
  STYLE_CHOSEN, /* where the cursor is */
  STYLE_YOURS,  /* it is your turn */
  STYLES
};

struct cell {
  wchar_t letter; /* 0: the right half of a wide one */
  uint8_t style;
};

struct canvas {
  int width, height;
  bool ascii; /* no character beyond ASCII */
  int shift;  /* columns to the right of which everything is drawn */
  int within; /* as many columns from there on; 0: to the edge */
  struct cell *cells;
};

bool canvas_make(struct canvas *c, int width, int height, bool ascii);
void canvas_free(struct canvas *c);
void canvas_clear(struct canvas *c);

/* Draws UTF-8 text from a place on, at most `room` columns; returns the column
 * after it. In a row that is not there it is only measured. */
int canvas_put(struct canvas *c, int row, int column, int room,
               enum style style, const char *text);
int canvas_print(struct canvas *c, int row, int column, int room,
                 enum style style, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/* Fills the rest of a row with a style. */
void canvas_bar(struct canvas *c, int row, enum style style);
/* A frame of that size, with a title in its upper edge. */
void canvas_frame(struct canvas *c, int row, int column, int height, int width,
                  enum style style, const char *title);
/* A line across. */
void canvas_rule(struct canvas *c, int row, int column, int width,
                 const char *title);
/* The width that drawing may use. */
int canvas_room(const struct canvas *c);

/* Breaks text at words into rows of at most `room` columns, from `row` on and no
 * further than `rows`; `skip` of them are left out first. Returns how many rows
 * all of it takes. */
int canvas_wrap(struct canvas *c, int row, int column, int room, int rows,
                int skip, enum style style, const char *text);

/* The columns that UTF-8 text takes. */
int text_columns(const char *text);
/* The bytes of the first `columns` columns of a text. */
size_t text_clip(const char *text, int columns);
/* The same text in ASCII: letters without their accents, lines and signs by
 * what looks most like them. */
void text_plain(const char *text, struct sal_text *out);

#endif
