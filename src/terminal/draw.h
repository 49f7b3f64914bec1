/* Draws a scene on a canvas: title, board, choices, log, keys. */
#ifndef SAL_TERMINAL_DRAW_H
#define SAL_TERMINAL_DRAW_H

#include "canvas.h"
#include "choose.h"

/* What the screen shows besides the scene. */
struct draw_state {
  const char *typed;  /* the input line; NULL: none */
  int typed_cursor;   /* its cursor, in columns */
  const char *keys;   /* the line at the bottom */
  const char *status; /* at the right of the title; may be "" */
  /* Out: where things came to be, for the mouse and the cursor. */
  int choice_row, choice_rows, choice_columns, choice_width;
  int cursor_row, cursor_column;
};

void draw_scene(struct canvas *c, const struct scene *s, struct choose *choose,
                struct draw_state *d);
/* A page of text in a frame over all of it, from a line on; returns how many
 * lines it has. */
int draw_page(struct canvas *c, const struct scene *s, const char *title,
              const char *text, int from);
/* The lines of a page that are seen at once. */
int draw_page_rows(const struct canvas *c);

/* ---- Boards --------------------------------------------------------------- */

/* Draws the board from a row on, with at most `rows`; returns the rows used. */
typedef int board_fn(struct canvas *c, const struct scene *s, int row,
                     int rows);
board_fn draw_doors, draw_favor, draw_traps, draw_louis;

/* The one of the scene's game, or one that serves any. */
board_fn draw_board;

/* Whose tile this is in Louis XIV, as sentences name the person; false: the
 * scene does not tell. */
bool louis_person(const struct scene *s, int tile, char *out, size_t size);

/* ---- Parts of boards ------------------------------------------------------ */

enum { CARD_WIDTH = 8, CARD_ROWS = 4 };

/* A card as a small picture, or its two letters in a row. */
void draw_card(struct canvas *c, const struct scene *s, int row, int column,
               const char *card);
int draw_letters(struct canvas *c, int row, int column, const char *card);
/* A list of cards: pictures if `rows` has room for them, else letters. Returns
 * the column after. */
int draw_cards(struct canvas *c, const struct scene *s, int row, int column,
               int room, int rows, const json_t *cards);
/* "Deck  2 RL 3 BL …": how many there are of each. */
int draw_counted(struct canvas *c, int row, int column, const json_t *cards);
/* The name of a seat, with a sign if it is asked; returns the column after. */
int draw_name(struct canvas *c, const struct scene *s, int row, int seat,
              int room);

#endif
