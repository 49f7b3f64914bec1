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

/* The tile at a place of the map as the position has it, "5 Montespan", with a
 * '>' before it while it is evaluated; false: there is none. */
static bool tile_at(const struct scene *s, int r, int place, char name[TEXT]) {
  const char *line = line_at(s->position, 1 + r * LINES);
  cut_cell(line, place, name);
  if ((*name < '1' || *name > '9') && *name != '>')
    return false;
  /* the middle of a longer name may begin with a digit; cells do not */
  return place == 0 || line[text_clip(line, place_column(place) - 1)] == ' ';
}

static int number_of(const char *name) {
  int tile = 0;
  sscanf(name + (*name == '>'), "%d", &tile);
  return tile;
}

bool louis_person(const struct scene *s, int tile, char *out, size_t size) {
  for (int at = 0; at < ROWS * PLACES; at++) {
    char name[TEXT];
    if (!tile_at(s, at / PLACES, at % PLACES, name) || number_of(name) != tile)
      continue;
    const char *blank = strchr(name, ' ');
    snprintf(out, size, "%s", blank ? blank + 1 : name);
    return true;
  }
  return false;
}

/* ---- The map -------------------------------------------------------------- */

/* Who stands on a tile: letters and numbers, each player in a style of its own;
 * the Favourite by so many letters of her name. */
static int draw_markers(struct canvas *c, const struct scene *s, int row,
                        int column, int tile, int letters) {
  static const enum style styles[] = {STYLE_RED, STYLE_BLUE, STYLE_GOLD,
                                      STYLE_BOTH};
  const json_t *t =
      json_array_get(scene_list(s, "tiles", -1), (size_t)tile - 1);
  if (scene_number(s, "louis") == tile)
    column = canvas_put(c, row, column, CELL, STYLE_YOURS,
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

/* The number and as much of the name as there is room for: "2 d'Orléans", "2". */
static int draw_tile_name(struct canvas *c, int row, int column, int room,
                          enum style style, const char *name) {
  const char *const whole = strchr(name, ' '), *rest = whole;
  const int number = whole ? (int)(whole - name) : (int)strlen(name);
  while (rest && (number + text_columns(rest) > room ||
                  (rest > whole && rest[1] && rest[2] == ' ')))
    rest = strchr(rest + 1, ' '); /* nor does it begin with an "I" */
  return canvas_print(c, row, column, CELL, style, "%.*s%s", number, name,
                      rest ? rest : "");
}

static void draw_tile(struct canvas *c, const struct scene *s, int row,
                      int place, int lines, const char *name,
                      const char *terms) {
  const int tile = number_of(name);
  const json_t *t =
      json_array_get(scene_list(s, "tiles", -1), (size_t)tile - 1);
  const char *side = json_string_value(json_object_get(t, "side"));
  const enum style style =
      side && strcmp(side, "red") == 0 ? STYLE_RED : STYLE_BOLD;
  const bool now = scene_number(s, "evaluating") == tile;
  int column = place_column(place), room = CELL;
  if (lines > LINES) { /* in a frame */
    canvas_frame(c, row, column, lines, CELL + 1, now ? STYLE_YOURS : STYLE_DIM,
                 NULL);
    row++;
    column++;
    room = CELL - 1;
  }
  const enum style title = now ? STYLE_YOURS : STYLE_BOLD;
  canvas_put(c, row + 1, column, room, style, terms);
  if (lines == 2) { /* markers beside the name */
    const int need = draw_markers(c, s, -1, 0, tile, 3);
    const int end = draw_tile_name(c, row, column, CELL - need, title, name);
    draw_markers(c, s, row, end + 1, tile, 3);
    return;
  }
  draw_tile_name(c, row, column, room, title, name);
  draw_markers(c, s, row + 2, column, tile, 10);
}

static void draw_map(struct canvas *c, const struct scene *s, int row,
                     int lines) {
  for (int r = 0; r < ROWS; r++)
    for (int place = 0; place < PLACES; place++) {
      char name[TEXT], terms[TEXT];
      if (!tile_at(s, r, place, name))
        continue;
      cut_cell(line_at(s->position, 2 + r * LINES), place, terms);
      draw_tile(c, s, row + r * lines, place, lines, name, terms);
    }
}

/* ---- The players ----------------------------------------------------------- */

enum {
  AT_GOLD = 24,
  AT_READY = 30,
  AT_GENERAL = 37,
  AT_BOARD = 45,
  AT_HAND = 51,
  AT_CHIPS = 57,
  AT_POINTS = 73
};

static void draw_heading(struct canvas *c, const struct scene *s, int row) {
  static const struct {
    int at;
    const char *title;
  } columns[] = {{AT_GOLD, N_("gold")},      {AT_READY, N_("ready")},
                 {AT_GENERAL, N_("supply")}, {AT_BOARD, N_("board")},
                 {AT_HAND, N_("cards")},     {AT_CHIPS, N_("chips")},
                 {AT_POINTS, N_("points")}};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
    canvas_put(c, row, columns[i].at, 7, STYLE_DIM,
               scene_say(s, columns[i].title));
}

/* The chips a seat has, by so many letters of their names; in a row that is not
 * there they are only measured. */
static int draw_chips_by(struct canvas *c, const struct scene *s, int row,
                         int seat, int letters) {
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
    const char *title = scene_say(s, chips[k].title);
    if (n)
      at = canvas_print(c, row, at, CELL, STYLE_GOLD, "%.*s%s%ld",
                        (int)text_clip(title, letters), title,
                        letters > 3 ? " " : "", n) +
           1;
  }
  return at;
}

/* "crown 1", "cro2 rin1", "c2 s1 h1 r1": as there is room. */
static void draw_chips(struct canvas *c, const struct scene *s, int row,
                       int seat) {
  static const int letters[] = {10, 3, 1};
  size_t i = 0;
  while (i < 2 && draw_chips_by(c, s, -1, seat, letters[i]) > AT_POINTS)
    i++;
  if (draw_chips_by(c, s, row, seat, letters[i]) == AT_CHIPS)
    canvas_put(c, row, AT_CHIPS, 2, STYLE_DIM, "–");
}

static void draw_player(struct canvas *c, const struct scene *s, int row,
                        int seat) {
  char board[5] = "....";
  const json_t *spaces = scene_list(s, "boards", seat);
  for (size_t i = 0; i < 4; i++)
    if (json_is_true(json_array_get(spaces, i)))
      board[i] = (char)('1' + i);
  draw_name(c, s, row, seat, AT_GOLD - 1);
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

static int draw_hands(struct canvas *c, const struct scene *s, int row, int at,
                      int seat) {
  at = draw_hand(c, s, row, at, scene_say(s, N_("Influence")),
                 scene_list(s, "influence", seat));
  return draw_hand(c, s, row, at, scene_say(s, N_("Intrigue")),
                   scene_list(s, "intrigue", seat));
}

/* The n-th mission of the one who looks, as the position says it: "L14 (ring,
 * any): change one card…", to the end of the line or up to one of these. */
static void say_mission(const struct scene *s, size_t n, const char *end,
                        char say[TEXT]) {
  const json_t *missions = scene_list(s, "missions", s->seat);
  const char *id = json_string_value(json_array_get(missions, n));
  char start[16];
  snprintf(start, sizeof start, "%s (", id ? id : "");
  const char *line = id ? strstr(s->position, start) : NULL;
  snprintf(say, TEXT, "%.*s", line ? (int)strcspn(line, end) : 0, line);
}

static void draw_missions(struct canvas *c, const struct scene *s, int row) {
  const size_t count = json_array_size(scene_list(s, "missions", s->seat));
  for (size_t i = 0; i < count; i++) {
    char say[TEXT];
    say_mission(s, i, "\n", say);
    canvas_put(c, row, 1, 12, STYLE_DIM, i ? "" : scene_say(s, N_("Missions")));
    canvas_put(c, row++, 12, canvas_room(c) - 12, STYLE_PLAIN, say);
  }
}

/* All in one row, each up to `end`; the column after them. */
static int draw_missions_in(struct canvas *c, const struct scene *s, int row,
                            int at, const char *end) {
  const size_t count = json_array_size(scene_list(s, "missions", s->seat));
  at = canvas_put(c, row, at, 12, STYLE_DIM, scene_say(s, N_("Missions"))) + 1;
  for (size_t i = 0; i < count; i++) {
    char say[TEXT];
    say_mission(s, i, end, say);
    at = canvas_put(c, row, at, CELL, STYLE_PLAIN, say) + 1;
  }
  return at;
}

/* With what they cost, or only their names, in what is left of a row. */
static void draw_missions_short(struct canvas *c, const struct scene *s,
                                int row, int at) {
  const bool costs = draw_missions_in(c, s, -1, at, ":") <= canvas_room(c);
  draw_missions_in(c, s, row, at, costs ? ":" : " ");
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
  const int held = (int)json_array_size(scene_list(s, "missions", s->seat));
  const int end = draw_hands(c, s, row++, 1, s->seat);
  if (held > rows - (row - start) - 5) { /* a question needs five */
    draw_missions_short(c, s, row - 1, end);
    return row - start;
  }
  draw_missions(c, s, row);
  return row + held - start;
}
