/* The table of Doors. */
#include "draw.h"

enum { LABELS = 12, WHO = 66 };

/* Who you are; for who sees everything, and at the end, who everybody is. */
static void draw_identity(struct canvas *c, const struct scene *s, int row,
                          int seat, int column) {
  const char *card = json_string_value(scene_list(s, "identities", seat));
  if (card)
    draw_card(c, s, row, column, card);
}

static void draw_players(struct canvas *c, const struct scene *s, int row) {
  for (int seat = 0; seat < s->players; seat++) {
    const bool collects = scene_number(s, "collector") == seat;
    int at = draw_name(c, s, row + seat, seat, 30);
    at = canvas_put(c, row + seat, at, 13, STYLE_PLAIN,
                    collects ? scene_say(s, N_("Collector"))
                             : scene_say(s, N_("Guesser")));
    const long tokens = scene_number_at(s, "tokens", seat);
    at = 45;
    at = canvas_print(c, row + seat, at, 5, STYLE_BOLD, "%2ld ", tokens);
    for (int i = 0; i < scene_number(s, "win"); i++)
      canvas_put(c, row + seat, at + i, 1, i < tokens ? STYLE_GOLD : STYLE_DIM,
                 i < tokens ? "●" : "·");
  }
}

int draw_doors(struct canvas *c, const struct scene *s, int row, int rows) {
  const bool small = rows < 13;
  const int high = small ? 1 : CARD_ROWS, middle = small ? 0 : 1;
  const int start = row;
  if (!small || s->seat >= 0)
    canvas_put(c, row + middle, WHO - 9, 9, STYLE_DIM,
               s->seat >= 0 ? scene_say(s, N_("You are")) : "");
  if (s->seat >= 0 && !small)
    draw_identity(c, s, row, s->seat, WHO);
  else if (s->seat >= 0)
    draw_letters(c, row, WHO,
                 json_string_value(scene_list(s, "identities", s->seat)));
  else if (!small)
    for (int seat = 0; seat < s->players; seat++)
      draw_identity(c, s, row, seat, WHO - 4 + 9 * seat);
  canvas_put(c, row + middle, 1, LABELS, STYLE_DIM, scene_say(s, N_("Offer")));
  draw_cards(c, s, row, LABELS + 2, 45, high, scene_list(s, "offer", -1));
  row += high;
  canvas_put(c, row + middle, 1, LABELS, STYLE_DIM,
             scene_say(s, N_("Collection")));
  draw_cards(c, s, row, LABELS + 2, 45, high, scene_list(s, "collection", -1));
  row += high;
  canvas_put(c, row, 1, LABELS, STYLE_DIM, scene_say(s, N_("Discards")));
  draw_cards(c, s, row, LABELS + 2, 60, 1, scene_list(s, "discards", -1));
  row++;
  canvas_put(c, row, 1, LABELS, STYLE_DIM, scene_say(s, N_("Deck")));
  draw_counted(c, row, LABELS + 2, scene_list(s, "deck_left", -1));
  row++;
  draw_players(c, s, row);
  return row + s->players - start;
}
