/* The table of Louis XIV: the court as a map, the players, what you hold.
 *
 * Names, sides and rewards of the tiles are taken from the position in words,
 * which every table tells, so that any court can be drawn, also one that only a
 * server knows; it has five rows of three lines, cells of 26 columns. */
#include "draw.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 5, PLACES = 5, CELL = 26, LINES = 3, TEXT = 120 };

/* The n-th line of a text, or NULL. */
static const char *line_at(const char *text, int n) {
  for (; text && n > 0; n--) {
    text = strchr(text, '\n');
    text = text ? text + 1 : NULL;
  }
  return text;
}

static int place_column(int place) { return place * (CELL + 1) / 2; }

/* What stands in a line from a column on, to the end of the cell. */
static void cut_cell(const char *line, int place, char out[TEXT]) {
  const size_t end = line ? strcspn(line, "\n") : 0;
  char copy[400];
  out[0] = '\0';
  if (!line)
    return;
  snprintf(copy, sizeof copy, "%.*s", (int)end, line);
  if (text_columns(copy) <= place_column(place))
    return;
  const char *from = copy + text_clip(copy, place_column(place));
  snprintf(out, TEXT, "%.*s", (int)text_clip(from, CELL), from);
  size_t n = strlen(out);
  while (n > 0 && out[n - 1] == ' ')
    out[--n] = '\0';
}

static bool is_tile(const char *name) {
  return (*name >= '1' && *name <= '9') || *name == '>';
}

/* ---- The map -------------------------------------------------------------- */

/* Who stands on a tile: letters and numbers, each player in a style of its own;
 * Louis and the Favourite by so many letters of their names. */
static int draw_markers(struct canvas *c, const struct scene *s, int row,
                        int column, int tile, int letters) {
  static const enum style styles[] = {STYLE_RED, STYLE_BLUE, STYLE_GOLD,
                                      STYLE_BOTH};
  const json_t *t =
      json_array_get(scene_list(s, "tiles", -1), (size_t)tile - 1);
  if (scene_number(s, "louis") == tile)
    column = canvas_put(c, row, column, letters, STYLE_YOURS,
                        scene_say(s, N_("Louis"))) +
             1;
  if (scene_number(s, "favourite") == tile)
    column = canvas_put(c, row, column, letters, STYLE_YOURS,
                        scene_say(s, N_("Favourite"))) +
             1;
  for (int seat = 0; seat < s->players && seat < 4; seat++) {
    const long n = (long)json_integer_value(
        json_array_get(json_object_get(t, "markers"), (size_t)seat));
    if (n)
      column = canvas_print(c, row, column, 4, styles[seat], "%c%ld",
                            'A' + seat, n) +
               1;
  }
  const long neutral = (long)json_integer_value(json_object_get(t, "neutral"));
  if (neutral)
    column = canvas_print(c, row, column, 4, STYLE_DIM, "*%ld", neutral) + 1;
  return column;
}

static void draw_tile(struct canvas *c, const struct scene *s, int row,
                      int place, int lines, const char *name,
                      const char *terms) {
  int tile = 0;
  sscanf(name + (*name == '>'), "%d", &tile);
  const json_t *t =
      json_array_get(scene_list(s, "tiles", -1), (size_t)tile - 1);
  const char *side = json_string_value(json_object_get(t, "side"));
  const enum style style =
      side && strcmp(side, "red") == 0 ? STYLE_RED : STYLE_BOLD;
  const bool now = scene_number(s, "evaluating") == tile;
  int column = place_column(place), room = CELL - 1;
  if (lines > LINES) { /* in a frame */
    canvas_frame(c, row, column, lines, CELL, now ? STYLE_YOURS : STYLE_DIM,
                 NULL);
    row++;
    column++;
    room = CELL - 2;
  }
  canvas_put(c, row, column, room, now ? STYLE_YOURS : STYLE_BOLD, name);
  if (lines == 2) { /* markers beside the name, if there is room */
    canvas_put(c, row + 1, column, room, style, terms);
    const int wide = text_columns(name);
    const int need = draw_markers(c, s, -1, 0, tile, 3);
    const int at = wide + 1 + need <= room + 2 ? wide + 1 : room + 1 - need;
    if (need == 0)
      return;
    const int from = at < 3 ? 3 : at; /* what is left of the name is wiped */
    canvas_print(c, row, column + from - 1, room, STYLE_PLAIN, "%*s", need + 1,
                 "");
    draw_markers(c, s, row, column + from, tile, 3);
    return;
  }
  canvas_put(c, row + 1, column, room, style, terms);
  draw_markers(c, s, row + 2, column, tile, 10);
}

static void draw_map(struct canvas *c, const struct scene *s, int row,
                     int lines) {
  for (int r = 0; r < ROWS; r++)
    for (int place = 0; place < PLACES; place++) {
      char name[TEXT], terms[TEXT];
      cut_cell(line_at(s->position, 1 + r * LINES), place, name);
      cut_cell(line_at(s->position, 2 + r * LINES), place, terms);
      const char *line = line_at(s->position, 1 + r * LINES);
      if (!is_tile(name))
        continue;
      /* the middle of a longer name may begin with a digit; cells do not */
      if (place > 0 && line) {
        const size_t before = text_clip(line, place_column(place) - 1);
        if (line[before] != ' ')
          continue;
      }
      draw_tile(c, s, row + r * lines, place, lines, name, terms);
    }
}

/* ---- The players ----------------------------------------------------------- */

enum {
  AT_GOLD = 23,
  AT_READY = 29,
  AT_GENERAL = 36,
  AT_BOARD = 44,
  AT_HAND = 50,
  AT_CHIPS = 57,
  AT_POINTS = 73
};

static void draw_heading(struct canvas *c, const struct scene *s, int row) {
  static const struct {
    int at;
    const char *title;
  } columns[] = {{AT_GOLD, N_("gold")},     {AT_READY, N_("ready")},
                 {AT_GENERAL, N_("store")}, {AT_BOARD, N_("board")},
                 {AT_HAND, N_("cards")},    {AT_CHIPS, N_("chips")},
                 {AT_POINTS, N_("points")}};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
    canvas_put(c, row, columns[i].at, 7, STYLE_DIM,
               scene_say(s, columns[i].title));
}

/* "2 cro 1 rin": the chips a seat has. */
static void draw_chips(struct canvas *c, const struct scene *s, int row,
                       int seat) {
  static const struct {
    const char *id, *title;
  } chips[] = {{"crown", N_("crown")},
               {"sceptre", N_("sceptre")},
               {"helmet", N_("helmet")},
               {"ring", N_("ring")},
               {"letter", N_("letter")}};
  const json_t *has = scene_list(s, "chips", seat);
  int at = AT_CHIPS;
  for (size_t k = 0; k < sizeof chips / sizeof *chips; k++) {
    const long n = (long)json_integer_value(json_object_get(has, chips[k].id));
    if (n && at < AT_POINTS - 3)
      at = canvas_print(c, row, at, AT_POINTS - 1 - at, STYLE_GOLD, "%ld%.*s",
                        n, (int)text_clip(scene_say(s, chips[k].title), 3),
                        scene_say(s, chips[k].title)) +
           1;
  }
  if (at == AT_CHIPS)
    canvas_put(c, row, at, 2, STYLE_DIM, "–");
}

static void draw_player(struct canvas *c, const struct scene *s, int row,
                        int seat) {
  char board[5] = "....";
  const json_t *spaces = scene_list(s, "boards", seat);
  for (size_t i = 0; i < 4; i++)
    if (json_is_true(json_array_get(spaces, i)))
      board[i] = (char)('1' + i);
  draw_name(c, s, row, seat, AT_GOLD - 3);
  canvas_print(c, row, 1, 2, STYLE_BOLD, "%c%s", 'A' + seat, "");
  canvas_put(c, row, 2, 1, STYLE_YOURS, scene_asked(s, seat) ? "▸" : " ");
  canvas_print(c, row, AT_GOLD, 4, STYLE_GOLD, "%3ld",
               scene_number_at(s, "gold", seat));
  canvas_print(c, row, AT_READY, 4, STYLE_PLAIN, "%3ld",
               scene_number_at(s, "personal", seat));
  canvas_print(c, row, AT_GENERAL, 4, STYLE_PLAIN, "%3ld",
               scene_number_at(s, "general", seat));
  canvas_put(c, row, AT_BOARD, 5, STYLE_PLAIN, board);
  canvas_print(c, row, AT_HAND, 7, STYLE_PLAIN, "%zu+%zu",
               json_array_size(scene_list(s, "influence", seat)),
               json_array_size(scene_list(s, "intrigue", seat)));
  draw_chips(c, s, row, seat);
  canvas_print(c, row, AT_POINTS, 5, STYLE_BOLD, "%4ld",
               scene_number_at(s, "points", seat));
}

/* ---- What you hold --------------------------------------------------------- */

static int draw_hand(struct canvas *c, const struct scene *s, int row, int at,
                     const char *title, const json_t *cards) {
  at = canvas_put(c, row, at, 12, STYLE_DIM, title) + 1;
  if (!json_array_size(cards))
    at = canvas_put(c, row, at, 2, STYLE_DIM, "–") + 1;
  for (size_t i = 0; i < json_array_size(cards); i++) {
    const json_t *card = json_array_get(cards, i);
    if (json_is_integer(card))
      at = canvas_print(c, row, at, 4, STYLE_BOLD, "%d",
                        (int)json_integer_value(card)) +
           1;
    else
      at = canvas_put(c, row, at, 4, STYLE_BOLD, json_string_value(card)) + 1;
  }
  (void)s;
  return at + 1;
}

static void draw_hands(struct canvas *c, const struct scene *s, int row, int at,
                       int seat) {
  at = draw_hand(c, s, row, at, scene_say(s, N_("Influence")),
                 scene_list(s, "influence", seat));
  draw_hand(c, s, row, at, scene_say(s, N_("Intrigue")),
            scene_list(s, "intrigue", seat));
}

/* "L14 (ring, any): change one card…", as the position says it. */
static int draw_missions(struct canvas *c, const struct scene *s, int row,
                         int rows) {
  const json_t *missions = scene_list(s, "missions", s->seat);
  int used = 0;
  for (size_t i = 0; i < json_array_size(missions) && used < rows; i++) {
    const char *id = json_string_value(json_array_get(missions, i));
    char start[16];
    if (!id)
      continue;
    snprintf(start, sizeof start, "%s (", id);
    const char *line = strstr(s->position, start);
    if (!line)
      continue;
    char say[TEXT];
    snprintf(say, sizeof say, "%.*s", (int)strcspn(line, "\n"), line);
    canvas_put(c, row, 1, 12, STYLE_DIM,
               used ? "" : scene_say(s, N_("Missions")));
    canvas_put(c, row++, 12, canvas_room(c) - 12, STYLE_PLAIN, say);
    used++;
  }
  return used;
}

int draw_louis(struct canvas *c, const struct scene *s, int row, int rows) {
  const int start = row, others = 1 + s->players + 3;
  const int lines = rows >= ROWS * 5 + others + 6   ? 5
                    : rows >= ROWS * 3 + others + 6 ? 3
                                                    : 2;
  draw_map(c, s, row, lines);
  row += ROWS * lines;
  draw_heading(c, s, row++);
  for (int seat = 0; seat < s->players; seat++)
    draw_player(c, s, row++, seat);
  if (s->seat == SAL_EVERYTHING)
    for (int seat = 0; seat < s->players && row - start < rows; seat++) {
      canvas_print(c, row, 1, 2, STYLE_BOLD, "%c", 'A' + seat);
      draw_hands(c, s, row++, 3, seat);
    }
  if (s->seat < 0)
    return row - start;
  draw_hands(c, s, row++, 1, s->seat);
  row += draw_missions(c, s, row, rows - (row - start) - 5);
  return row - start;
}
