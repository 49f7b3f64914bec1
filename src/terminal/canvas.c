/* A grid of cells: see the header. */
#include "canvas.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Characters ---------------------------------------------------------- */

static size_t text_letter(const char *text, wchar_t *letter) {
  const unsigned char *s = (const unsigned char *)text;
  const int more = s[0] >= 0xf0 ? 3 : s[0] >= 0xe0 ? 2 : s[0] >= 0xc0 ? 1 : 0;
  if (!more) {
    *letter = s[0] < 0x80 ? (wchar_t)s[0] : L'?';
    return 1;
  }
  wchar_t w = (wchar_t)(s[0] & (0x3f >> more));
  for (int i = 1; i <= more; i++) {
    if ((s[i] & 0xc0) != 0x80) {
      *letter = L'?';
      return (size_t)i;
    }
    w = w << 6 | (s[i] & 0x3f);
  }
  *letter = w;
  return (size_t)more + 1;
}

/* Of the scripts that names are written in; the C library's table depends on
 * the locale, which a test or a dumb terminal may not have. */
static int letter_columns(wchar_t w) {
  const unsigned u = (unsigned)w;
  if (u < 0x20 || (u >= 0x7f && u < 0xa0))
    return 0;
  if ((u >= 0x300 && u < 0x370) || (u >= 0x200b && u < 0x2010) || u == 0xfeff ||
      (u >= 0xfe00 && u < 0xfe10))
    return 0;
  if ((u >= 0x1100 && u < 0x1160) || (u >= 0x2e80 && u < 0xa4d0) ||
      (u >= 0xac00 && u < 0xd7a4) || (u >= 0xf900 && u < 0xfb00) ||
      (u >= 0xfe30 && u < 0xfe70) || (u >= 0xff00 && u < 0xff61) ||
      (u >= 0xffe0 && u < 0xffe7) || (u >= 0x1f300 && u < 0x1f650) ||
      (u >= 0x1f900 && u < 0x1fa00) || (u >= 0x20000 && u < 0x3fffe))
    return 2;
  return 1;
}

int text_columns(const char *text) {
  int columns = 0;
  wchar_t w;
  for (; *text; columns += letter_columns(w))
    text += text_letter(text, &w);
  return columns;
}

size_t text_clip(const char *text, int columns) {
  size_t bytes = 0;
  while (text[bytes]) {
    wchar_t w;
    const size_t n = text_letter(text + bytes, &w);
    columns -= letter_columns(w);
    if (columns < 0)
      break;
    bytes += n;
  }
  return bytes;
}

/* Latin letters from 0xc0 on by what they are without their accents. */
static const char bare[] = "AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTs"
                           "aaaaaaaceeeeiiiidnooooo/ouuuuyty";

static char plain_letter(wchar_t w) {
  static const struct {
    wchar_t letter;
    char plain;
  } signs[] = {{0x2500, '-'},  {0x2501, '='},  {0x2502, '|'},  {0x250c, '+'},
               {0x2510, '+'},  {0x2514, '+'},  {0x2518, '+'},  {0x256d, '.'},
               {0x256e, '.'},  {0x256f, '\''}, {0x2570, '\''}, {0x2026, '.'},
               {0x2192, '>'},  {0x2190, '<'},  {0x2191, '^'},  {0x2193, 'v'},
               {0x00b7, '-'},  {0x2013, '-'},  {0x2014, '-'},  {0x2018, '\''},
               {0x2019, '\''}, {0x201c, '"'},  {0x201d, '"'},  {0x00d7, 'x'},
               {0x25b8, '>'},  {0x25cf, '*'},  {0x2591, '#'},  {0x2581, '.'},
               {0x2582, '.'},  {0x2583, '.'},  {0x2584, ':'},  {0x2585, ':'},
               {0x2586, ':'},  {0x2587, '#'},  {0x2588, '#'},  {0x25b2, '^'},
               {0x25c6, 'o'},  {0x00b1, '~'},  {0x2212, '-'},  {0x2265, '>'},
               {0x00a0, ' '},  {0x202f, ' '},  {0x0153, 'o'},  {0x2715, 'x'},
               {0x00ab, '"'},  {0x00bb, '"'},  {0x2039, '<'},  {0x203a, '>'},
               {0x253c, '+'}};
  if (w < 0x80)
    return (char)w;
  if (w >= 0xc0 && w < 0x100)
    return bare[w - 0xc0];
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (signs[i].letter == w)
      return signs[i].plain;
  return '?';
}

void text_plain(const char *text, struct sal_text *out) {
  while (*text) {
    wchar_t w;
    text += text_letter(text, &w);
    for (int i = w < 0x80 || letter_columns(w) ? 1 : 0; i > 0; i--)
      sal_text_char(out, plain_letter(w));
  }
}

/* ---- The grid ------------------------------------------------------------- */

bool canvas_make(struct canvas *c, int width, int height, bool ascii) {
  *c = (struct canvas){.width = width, .height = height, .ascii = ascii};
  c->cells = calloc((size_t)(width * height) + 1, sizeof *c->cells);
  if (c->cells)
    canvas_clear(c);
  return c->cells != NULL;
}

void canvas_free(struct canvas *c) {
  free(c->cells);
  c->cells = NULL;
}

void canvas_clear(struct canvas *c) {
  for (int i = 0; i < c->width * c->height; i++)
    c->cells[i] = (struct cell){L' ', STYLE_PLAIN};
  c->shift = c->within = 0;
}

int canvas_room(const struct canvas *c) {
  return c->within ? c->within : c->width - c->shift;
}

static void set(struct canvas *c, int row, int column, wchar_t w, int columns,
                enum style style) {
  if (row < 0 || row >= c->height || column < 0)
    return;
  struct cell *at = &c->cells[row * c->width + c->shift + column];
  at[0] = (struct cell){w, (uint8_t)style};
  if (columns == 2)
    at[1] = (struct cell){0, (uint8_t)style};
}

int canvas_put(struct canvas *c, int row, int column, int room,
               enum style style, const char *text) {
  const int end = column + room;
  while (*text) {
    wchar_t w;
    text += text_letter(text, &w);
    int columns = letter_columns(w);
    if (c->ascii && columns) {
      w = (wchar_t)plain_letter(w);
      columns = 1;
    }
    if (columns == 0)
      continue;
    if (column + columns > end || column + columns > canvas_room(c))
      break;
    set(c, row, column, w, columns, style); /* or only measured */
    column += columns;
  }
  return column;
}

int canvas_print(struct canvas *c, int row, int column, int room,
                 enum style style, const char *format, ...) {
  char text[1000];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return canvas_put(c, row, column, room, style, text);
}

void canvas_bar(struct canvas *c, int row, enum style style) {
  if (row < 0 || row >= c->height)
    return;
  for (int i = 0; i < canvas_room(c); i++)
    c->cells[row * c->width + c->shift + i].style = (uint8_t)style;
}

void canvas_rule(struct canvas *c, int row, int column, int width,
                 const char *title) {
  for (int i = 0; i < width; i++)
    canvas_put(c, row, column + i, 1, STYLE_DIM, "─");
  if (title && *title) {
    canvas_put(c, row, column + 1, 1, STYLE_DIM, " ");
    const int end =
        canvas_put(c, row, column + 2, width - 4, STYLE_BOLD, title);
    canvas_put(c, row, end, 1, STYLE_DIM, " ");
  }
}

void canvas_frame(struct canvas *c, int row, int column, int height, int width,
                  enum style style, const char *title) {
  static const char *const corners[] = {"╭", "╮", "╰", "╯"};
  const int bottom = row + height - 1, right = column + width - 1;
  for (int i = column + 1; i < right; i++) {
    canvas_put(c, row, i, 1, style, "─");
    canvas_put(c, bottom, i, 1, style, "─");
  }
  for (int i = row + 1; i < bottom; i++) {
    canvas_put(c, i, column, 1, style, "│");
    for (int k = column + 1; k < right; k++)
      canvas_put(c, i, k, 1, STYLE_PLAIN, " ");
    canvas_put(c, i, right, 1, style, "│");
  }
  canvas_put(c, row, column, 1, style, corners[0]);
  canvas_put(c, row, right, 1, style, corners[1]);
  canvas_put(c, bottom, column, 1, style, corners[2]);
  canvas_put(c, bottom, right, 1, style, corners[3]);
  if (title && *title) {
    const int end =
        canvas_put(c, row, column + 3, width - 6, STYLE_BOLD, title);
    canvas_put(c, row, column + 2, 1, style, " ");
    canvas_put(c, row, end, 1, style, " ");
  }
}

/* ---- Words ---------------------------------------------------------------- */

/* The bytes of the first row of a text: up to the last blank that fits. */
static size_t row_bytes(const char *text, int room) {
  const size_t line = strcspn(text, "\n");
  size_t fits = text_clip(text, room);
  if (fits >= line)
    return line;
  size_t end = fits;
  if (text[fits] != ' ')
    while (end > 0 && text[end - 1] != ' ')
      end--;
  if (strspn(text, " ") >= end) /* one word that is longer than a row */
    end = fits ? fits : 1;
  return end;
}

int canvas_wrap(struct canvas *c, int row, int column, int room, int rows,
                int skip, enum style style, const char *text) {
  int n = 0;
  if (room < 1)
    return 0;
  while (*text) {
    const size_t bytes = row_bytes(text, room);
    if (n >= skip && n - skip < rows) {
      char part[1000];
      snprintf(part, sizeof part, "%.*s", (int)bytes, text);
      canvas_put(c, row + n - skip, column, room, style, part);
    }
    n++;
    text += bytes;
    if (*text == '\n')
      text++;
    else
      text += strspn(text, " ");
  }
  return n;
}
