/* Cards, lists of cards and names, for the boards. Red and blue differ by their
 * colour and by their letter. */
#include "draw.h"

#include <string.h>

static enum style card_style(const char *card) {
  if (card[0] == '?')
    return STYLE_HIDDEN;
  if (strcmp(card, "BR") == 0 || strcmp(card, "LT") == 0)
    return STYLE_BOTH;
  return card[0] == 'R' ? STYLE_RED : STYLE_BLUE;
}

/* The lower line of a picture. */
static const char *card_word(const struct scene *s, const char *card) {
  if (strcmp(card, "LT") == 0)
    return "";
  if (card[1] == 'L')
    return scene_say(s, N_("Lady"));
  return card[1] == 'T' ? scene_say(s, N_("Tiger")) : "";
}

void draw_card(struct canvas *c, const struct scene *s, int row, int column,
               const char *card) {
  const enum style style = card_style(card);
  canvas_frame(c, row, column, CARD_ROWS, CARD_WIDTH, style, NULL);
  if (style == STYLE_HIDDEN) {
    canvas_put(c, row + 1, column + 1, CARD_WIDTH - 2, style, "░░░░░░");
    canvas_put(c, row + 2, column + 1, CARD_WIDTH - 2, style, "░░░░░░");
    return;
  }
  const char *word = card_word(s, card);
  const int room = CARD_WIDTH - 2, wide = text_columns(word);
  canvas_put(c, row + 1, column + 3, room, style, card);
  canvas_put(c, row + 2, column + 1 + (wide < room ? (room - wide) / 2 : 0),
             room, style, word);
}

int draw_letters(struct canvas *c, int row, int column, const char *card) {
  return canvas_put(c, row, column, 2, card_style(card),
                    card[0] == '?' ? "░░" : card);
}

int draw_cards(struct canvas *c, const struct scene *s, int row, int column,
               int room, int rows, const json_t *cards) {
  const int count = (int)json_array_size(cards), end = column + room;
  const bool pictures =
      rows >= CARD_ROWS && count * (CARD_WIDTH + 1) <= room + 1;
  const int middle = rows >= CARD_ROWS ? row + 1 : row;
  if (count == 0)
    return canvas_put(c, middle, column, room, STYLE_DIM, "–");
  for (int i = 0; i < count; i++) {
    const char *card = json_string_value(json_array_get(cards, (size_t)i));
    if (!card)
      continue;
    if (pictures) {
      draw_card(c, s, row, column, card);
      column += CARD_WIDTH + 1;
    } else if (column + 2 <= end) {
      column = draw_letters(c, middle, column, card) + 1;
    }
  }
  return column;
}

int draw_counted(struct canvas *c, int row, int column, const json_t *cards) {
  static const char *const kinds[] = {"RL", "BL", "RT", "BT", "BR", "LT"};
  if (!json_array_size(cards))
    return canvas_put(c, row, column, 2, STYLE_DIM, "–");
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    int n = 0;
    for (size_t i = 0; i < json_array_size(cards); i++) {
      const char *card = json_string_value(json_array_get(cards, i));
      n += card && strcmp(card, kinds[k]) == 0;
    }
    if (n == 0)
      continue;
    column = canvas_print(c, row, column, 8, STYLE_PLAIN, "%d", n) + 1;
    column = draw_letters(c, row, column, kinds[k]) + 2;
  }
  return column;
}

/* A name, with a sign where it had to be cut; the column after. */
static int put_cut(struct canvas *c, int row, int column, int room,
                   enum style style, const char *name) {
  if (text_columns(name) <= room)
    return canvas_put(c, row, column, room, style, name);
  const int end = canvas_put(c, row, column, room - 1, style, name);
  return canvas_put(c, row, end, 1, style, "…");
}

int draw_name(struct canvas *c, const struct scene *s, int row, int seat,
              int room) {
  const bool asked = scene_asked(s, seat);
  const char *sign =
      scene_over(s) ? (scene_won(s, seat) ? "●" : " ") : (asked ? "▸" : " ");
  const int clock = s->clock[seat][0] ? text_columns(s->clock[seat]) + 1 : 0;
  canvas_put(c, row, 1, 1, asked ? STYLE_YOURS : STYLE_GOLD, sign);
  const int end =
      put_cut(c, row, 3, room - 3 - clock,
              seat == s->seat ? STYLE_BOLD : STYLE_PLAIN, s->names[seat]);
  if (clock)
    canvas_put(c, row, end + 1, clock - 1, asked ? STYLE_YOURS : STYLE_DIM,
               s->clock[seat]);
  return room + 1;
}
