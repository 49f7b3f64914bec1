/* The screen as a whole: title, board, choices, log, keys. On a wide screen the
 * log stands beside the board, on a narrow one below it.
 *
 * Main invariant: whatever the size, the question and the first choices are on
 * the screen; the board and the log give way. */
#include "draw.h"

#include <stdio.h>
#include <string.h>

enum { BOARD_WIDTH = 82, LOG_LEAST = 28 };

/* ---- Boards --------------------------------------------------------------- */

static int draw_any(struct canvas *c, const struct scene *s, int row,
                    int rows) {
  const char *board = strchr(s->position, '\n');
  if (!board)
    return 0;
  const int all = canvas_wrap(c, row, 1, canvas_room(c) - 2, rows, 0,
                              STYLE_PLAIN, board + 1);
  return all < rows ? all : rows;
}

static board_fn *board_of(const struct scene *s) {
  static const struct {
    const char *game;
    board_fn *draw;
  } boards[] = {{"doors", draw_doors},
                {"favor", draw_favor},
                {"traps", draw_traps},
                {"louis", draw_louis}};
  for (size_t i = 0; i < sizeof boards / sizeof *boards; i++)
    if (strcmp(boards[i].game, s->game) == 0)
      return boards[i].draw;
  return draw_any;
}

int draw_board(struct canvas *c, const struct scene *s, int row, int rows) {
  return board_of(s)(c, s, row, rows);
}

/* ---- Bars ----------------------------------------------------------------- */

/* Without its last clauses, as many as it takes to fit. */
static void shorten(char *text, int room) {
  while (text_columns(text) > room) {
    char *last = NULL;
    for (char *c = text; *c; c++)
      if (strchr(",;.", *c) && c[1] == ' ')
        last = c;
    if (!last)
      return;
    *last = '\0';
  }
}

static void draw_title(struct canvas *c, const struct scene *s,
                       const struct draw_state *d) {
  const bool yours =
      s->seat >= 0 && scene_asked(s, s->seat) && !scene_over(s) && !*d->status;
  const char *status = yours ? scene_say(s, N_("Your turn")) : d->status;
  const int wide = text_columns(status), end = c->width - wide - 2;
  int at = canvas_put(c, 0, 1, end - 2, STYLE_BAR, s->title);
  if (s->state) { /* what does not fit gives way to whose turn it is */
    char where[200];
    snprintf(where, sizeof where, "%.*s", (int)strcspn(s->position, "\n"),
             s->position);
    at = canvas_put(c, 0, at, 3, STYLE_BAR, " · ");
    const int room = end - at - 1;
    shorten(where, room);
    const bool cut = text_columns(where) > room;
    at = canvas_put(c, 0, at, cut ? room - 1 : room, STYLE_BAR, where);
    canvas_put(c, 0, at, 1, STYLE_BAR, cut ? "…" : "");
  }
  canvas_bar(c, 0, STYLE_BAR);
  if (*status)
    canvas_put(c, 0, end, wide, yours ? STYLE_YOURS : STYLE_BAR, status);
}

static void draw_bottom(struct canvas *c, const struct scene *s,
                        struct draw_state *d) {
  const int row = c->height - 2;
  if (d->typed) {
    const int at = canvas_put(c, row, 0, 2, STYLE_BOLD, "> ");
    canvas_put(c, row, at, c->width - at, STYLE_PLAIN, d->typed);
    d->cursor_row = row;
    d->cursor_column = at + d->typed_cursor;
  } else if (s->notice[0] && s->state) {
    canvas_put(c, row, 1, c->width - 2, STYLE_YOURS, s->notice);
  }
  canvas_put(c, row + 1, 1, c->width - 2, STYLE_BAR, d->keys);
  canvas_bar(c, row + 1, STYLE_BAR);
}

/* ---- Choices -------------------------------------------------------------- */

static int number_width(int count) {
  return count < 10 ? 1 : count < 100 ? 2 : 3;
}

static int entry_width(const struct scene *s, const struct choose_entry *e) {
  const int wide = text_columns(e->label);
  return e->action < 0
             ? wide
             : wide + 2 + text_columns(s->choices[e->action].notation);
}

/* How many columns of choices, and how wide; with the notation where there is
 * room for it. */
static int choice_columns(const struct scene *s, const struct choose *choose,
                          int room, int rows, int *width, bool *notation) {
  int label = 0, all = 0;
  const int number = number_width(choose->count) + 3;
  for (int i = 0; i < choose->count; i++) {
    const struct choose_entry *e = &choose->entries[i];
    const int l = text_columns(e->label), w = entry_width(s, e);
    label = l > label ? l : label;
    all = w > all ? w : all;
  }
  *notation = true;
  *width = number + all + 2;
  int columns = room / *width;
  if (columns < 1 || (choose->count + columns - 1) / columns > rows) {
    *notation = false;
    *width = number + label + 2;
    columns = room / *width;
  }
  if (columns > choose->count)
    columns = choose->count;
  if (columns < 1)
    columns = 1;
  return columns;
}

static void draw_choice(struct canvas *c, const struct scene *s,
                        const struct choose *choose, int i, int row, int column,
                        int width, bool notation) {
  const struct choose_entry *e = &choose->entries[i];
  const enum style style = i == choose->cursor ? STYLE_CHOSEN : STYLE_PLAIN;
  const int end = column + width - 2;
  canvas_put(c, row, column, 1, STYLE_YOURS, i == choose->cursor ? "▸" : " ");
  int at = canvas_print(c, row, column + 1, width, STYLE_DIM, "%*d",
                        number_width(choose->count), i + 1) +
           1;
  at = canvas_put(c, row, at, end - at, style, e->label);
  if (notation && e->action >= 0 &&
      strcmp(e->label, s->choices[e->action].notation) != 0)
    canvas_put(c, row, at + 2, end - at - 2, STYLE_DIM,
               s->choices[e->action].notation);
}

static void draw_choices(struct canvas *c, const struct scene *s,
                         struct choose *choose, struct draw_state *d, int row,
                         int rows) {
  int width;
  bool notation;
  const int room = canvas_room(c) - 1;
  const int columns = choice_columns(s, choose, room, rows, &width, &notation);
  const int at = choose->cursor / columns,
            all = (choose->count + columns - 1) / columns;
  if (choose->top > at)
    choose->top = at;
  if (choose->top < at - rows + 1)
    choose->top = at - rows + 1;
  if (choose->top > all - rows)
    choose->top = all > rows ? all - rows : 0;
  d->choice_row = row;
  d->choice_rows = rows;
  d->choice_columns = columns;
  d->choice_width = width;
  for (int i = choose->top * columns; i < choose->count; i++) {
    const int r = i / columns - choose->top;
    if (r >= rows)
      break;
    draw_choice(c, s, choose, i, row + r, (i % columns) * width, width,
                notation);
  }
  if (choose->top > 0)
    canvas_put(c, row, room, 1, STYLE_YOURS, "↑");
  if (all - choose->top > rows)
    canvas_put(c, row + rows - 1, room, 1, STYLE_YOURS, "↓");
}

static int choice_rows(const struct canvas *c, const struct scene *s,
                       const struct choose *choose, int most) {
  int width;
  bool notation;
  if (choose->count == 0)
    return 0;
  const int columns =
      choice_columns(s, choose, canvas_room(c) - 1, most, &width, &notation);
  const int rows = (choose->count + columns - 1) / columns;
  return rows < most ? rows : most;
}

/* ---- The log -------------------------------------------------------------- */

static void log_line(const struct scene *s, size_t i, char *out, size_t size) {
  if (s->times[i] > 1)
    snprintf(out, size, scene_say(s, N_("%s (%d times)")), s->log[i],
             s->times[i]);
  else
    snprintf(out, size, "%s", s->log[i]);
}

/* The last sentences, the latest at the bottom. All are whole, but for the
 * latest where there is no room for it. */
static void draw_log(struct canvas *c, const struct scene *s, int row,
                     int rows) {
  const int room = canvas_room(c) - 3;
  int left = rows;
  for (size_t i = s->logged; i > 0 && left > 0; i--) {
    char line[1000];
    log_line(s, i - 1, line, sizeof line);
    int need = canvas_wrap(c, -1, 0, room, 0, 0, STYLE_PLAIN, line);
    if (need > left) {
      if (i < s->logged)
        break;
      canvas_put(c, row + rows - 1, room + 2, 1, STYLE_DIM, "…");
      need = left;
    }
    left -= need;
    canvas_wrap(c, row + left, 2, room, need, 0,
                i == s->logged ? STYLE_PLAIN : STYLE_DIM, line);
    canvas_put(c, row + left, 0, 1, STYLE_DIM, "·");
  }
}

/* ---- All of it ------------------------------------------------------------ */

static void draw_prompt(struct canvas *c, const struct scene *s,
                        const struct choose *choose, int row) {
  const bool yours = s->seat >= 0 && scene_asked(s, s->seat);
  const char *asks = choose_asks(choose, s);
  int at = 0;
  /* the question of the step comes before that of the turn */
  if (text_columns(s->prompt) + text_columns(asks) <= canvas_room(c) - 3)
    at = canvas_put(c, row, 1, canvas_room(c) - 2,
                    yours || scene_over(s) ? STYLE_YOURS : STYLE_BOLD,
                    s->prompt);
  canvas_put(c, row, at + 1, canvas_room(c) - at - 2, STYLE_BOLD, asks);
}

void draw_scene(struct canvas *c, const struct scene *s, struct choose *choose,
                struct draw_state *d) {
  canvas_clear(c);
  d->cursor_row = d->choice_rows = 0;
  draw_title(c, s, d);
  draw_bottom(c, s, d);
  if (!s->state) { /* not begun: who is there, and what it waits for */
    int row = 2;
    for (int seat = 0; seat < s->players; seat++)
      draw_name(c, s, row++, seat, c->width - 4);
    canvas_wrap(c, row + 1, 3, c->width - 6, c->height - row - 4, 0,
                STYLE_YOURS, s->notice);
    return;
  }
  const bool wide = c->width >= BOARD_WIDTH + LOG_LEAST;
  const int last = c->height - 2; /* the first row that is not ours */
  c->within = wide ? BOARD_WIDTH : 0;
  int row = 1 + draw_board(c, s, 1, last - 1);
  /* the question and two choices come before the board */
  const int least = choose->count ? 3 : 1;
  if (row > last - least)
    row = last - least;
  for (int r = row; r < last; r++)
    canvas_put(
        c, r, 0, canvas_room(c), STYLE_PLAIN,
        "                                                                "
        "                                                                ");
  if (row < last - least - 6)
    row++;
  draw_prompt(c, s, choose, row++);
  const int room = last - row, keep = wide       ? 0
                                      : room > 5 ? 2
                                      : room > 3 ? 1
                                                 : 0;
  const int rows = choice_rows(c, s, choose, room - keep);
  draw_choices(c, s, choose, d, row, rows);
  row += rows;
  if (wide) {
    c->shift = BOARD_WIDTH;
    c->within = c->width - BOARD_WIDTH;
    for (int r = 1; r < last; r++)
      canvas_put(c, r, 0, 1, STYLE_DIM, "│");
    c->shift += 2;
    c->within -= 2;
    draw_log(c, s, 1, last - 1);
  } else {
    if (last - row > 3) {
      canvas_rule(c, row, 0, canvas_room(c), scene_say(s, N_("Log")));
      row++;
    }
    draw_log(c, s, row, last - row);
  }
  c->shift = c->within = 0;
}

/* ---- Pages ---------------------------------------------------------------- */

int draw_page_rows(const struct canvas *c) { return c->height - 3; }

int draw_page(struct canvas *c, const struct scene *s, const char *title,
              const char *text, int from) {
  const int width = c->width > 84 ? 84 : c->width,
            column = (c->width - width) / 2, rows = draw_page_rows(c);
  canvas_clear(c);
  canvas_frame(c, 0, column, c->height - 1, width, STYLE_DIM, title);
  const int all =
      canvas_wrap(c, 1, column + 2, width - 4, rows, from, STYLE_PLAIN, text);
  canvas_put(c, c->height - 1, 1, c->width - 2, STYLE_BAR,
             all > rows ? scene_say(s, N_("↑ ↓ PgUp PgDn scroll · q close"))
                        : scene_say(s, N_("q close")));
  canvas_bar(c, c->height - 1, STYLE_BAR);
  return all;
}
