/* The table of Favor. */
#include "draw.h"

#include <string.h>

enum { LABELS = 10, WHO = 70 };

static void draw_player(struct canvas *c, const struct scene *s, int row,
                        int seat) {
  const char *identity = json_string_value(scene_list(s, "identities", seat));
  int at = draw_name(c, s, row, seat, 24);
  at = canvas_print(c, row, at, 4, STYLE_GOLD, "%2ld ",
                    scene_number_at(s, "gems", seat));
  at = canvas_put(c, row, at, 8, STYLE_DIM, scene_say(s, N_("gems")));
  at = canvas_print(c, row, 34, 4, STYLE_BOLD, "%3ld ",
                    scene_number_at(s, "scores", seat));
  at = canvas_put(c, row, at, 7, STYLE_DIM, scene_say(s, N_("points")));
  if (identity)
    draw_letters(c, row, 46, identity);
  draw_cards(c, s, row, 50, canvas_room(c) - 50, 1,
             scene_list(s, "collections", seat));
}

static void draw_bid(struct canvas *c, const struct scene *s, int row) {
  const long bid = scene_number(s, "high_bid");
  if (scene_null(s, "high_bidder"))
    return;
  const long bidder = scene_number(s, "high_bidder");
  int at = canvas_put(c, row, 1, LABELS + 6, STYLE_DIM,
                      scene_say(s, N_("Highest bid")));
  at = canvas_print(c, row, at + 2, 4, STYLE_GOLD, "%ld", bid);
  canvas_put(c, row, at + 2, 30, STYLE_PLAIN,
             bidder >= 0 && bidder < s->players ? s->names[bidder] : "");
}

int draw_favor(struct canvas *c, const struct scene *s, int row, int rows) {
  const bool small = rows < 9 + s->players;
  const int high = small ? 1 : CARD_ROWS, middle = small ? 0 : 1;
  const int start = row;
  canvas_put(c, row + middle, 1, LABELS, STYLE_DIM, scene_say(s, N_("Lot")));
  draw_cards(c, s, row, LABELS + 1, 48, high, scene_list(s, "lot", -1));
  if (s->seat >= 0) {
    const char *you = json_string_value(scene_list(s, "identities", s->seat));
    canvas_put(c, row + middle, WHO - 9, 9, STYLE_DIM,
               scene_say(s, N_("You are")));
    if (you && small)
      draw_letters(c, row, WHO, you);
    else if (you)
      draw_card(c, s, row, WHO, you);
  }
  row += high;
  draw_bid(c, s, row++);
  canvas_put(c, row, 1, LABELS, STYLE_DIM, scene_say(s, N_("Deck")));
  const int at =
      draw_counted(c, row, LABELS + 1, scene_list(s, "deck_left", -1));
  canvas_put(c, row, at + 1, 12, STYLE_DIM, scene_say(s, N_("Discards")));
  draw_cards(c, s, row, at + 13, canvas_room(c) - at - 13, 1,
             scene_list(s, "discards", -1));
  row++;
  for (int seat = 0; seat < s->players; seat++)
    draw_player(c, s, row++, seat);
  return row - start;
}
