/* The table of Traps. */
#include "draw.h"

#include <string.h>

/* Number with its name: "Pot 3". */
static int draw_count(struct canvas *c, const struct scene *s, int row, int at,
                      const char *title, const char *key) {
  at = canvas_put(c, row, at, 20, STYLE_DIM, title) + 1;
  return canvas_print(c, row, at, 5, STYLE_GOLD, "%ld", scene_number(s, key)) +
         3;
}

static bool has_passed(const struct scene *s, int seat) {
  const json_t *passed = scene_list(s, "passed", -1);
  for (size_t i = 0; i < json_array_size(passed); i++)
    if (json_integer_value(json_array_get(passed, i)) == seat)
      return true;
  return false;
}

static void draw_player(struct canvas *c, const struct scene *s, int row,
                        int seat) {
  int at = draw_name(c, s, row, seat, 24);
  at = canvas_print(c, row, at, 4, STYLE_GOLD, "%2ld",
                    scene_number_at(s, "tokens", seat));
  at = canvas_put(c, row, at + 1, 3, STYLE_DIM,
                  scene_number(s, "first") == seat ? "1." : "") +
       1;
  at = 32;
  if (seat == s->seat)
    at = canvas_print(c, row, at, 6, STYLE_DIM, "(%zu)",
                      json_array_size(scene_list(s, "hands", seat)));
  else
    at = draw_cards(c, s, row, at, 18, 1, scene_list(s, "hands", seat));
  at = canvas_put(c, row, 51, 5, STYLE_DIM, "│") + 1;
  if (json_array_size(scene_list(s, "piles", seat)))
    at = draw_cards(c, s, row, at, 18, 1, scene_list(s, "piles", seat));
  if (json_array_size(scene_list(s, "revealed", seat))) {
    at = canvas_put(c, row, at, 2, STYLE_DIM, "→") + 1;
    at = draw_cards(c, s, row, at, 18, 1, scene_list(s, "revealed", seat));
  }
  if (has_passed(s, seat))
    canvas_put(c, row, at + 1, 10, STYLE_DIM, scene_say(s, N_("passed")));
}

static void draw_bet(struct canvas *c, const struct scene *s, int row, int at) {
  if (scene_null(s, "high_bettor"))
    return;
  const long who = scene_number(s, "high_bettor");
  at = canvas_put(c, row, at, 10, STYLE_DIM, scene_say(s, N_("Bet"))) + 1;
  at = canvas_print(c, row, at, 5, STYLE_GOLD, "%ld",
                    scene_number(s, "high_bet")) +
       1;
  canvas_print(c, row, at, 24, STYLE_PLAIN, "(%s)",
               who >= 0 && who < s->players ? s->names[who] : "");
}

int draw_traps(struct canvas *c, const struct scene *s, int row, int rows) {
  const bool small = rows < 10 + s->players;
  const int high = small ? 1 : CARD_ROWS, middle = small ? 0 : 1;
  const int start = row;
  const char *target = scene_text(s, "target");
  canvas_put(c, row + middle, 1, 10, STYLE_DIM, scene_say(s, N_("Target")));
  if (*target && small)
    draw_letters(c, row, 11, target);
  else if (*target)
    draw_card(c, s, row, 11, target);
  if (s->seat >= 0) {
    canvas_put(c, row + middle, 21, 5, STYLE_DIM, scene_say(s, N_("Hand")));
    draw_cards(c, s, row, 26, 54, high, scene_list(s, "hands", s->seat));
  }
  row += high;
  int at = draw_count(c, s, row, 1, scene_say(s, N_("Pot")), "pot");
  at = draw_count(c, s, row, at, scene_say(s, N_("Supply")), "supply");
  at = draw_count(c, s, row, at, scene_say(s, N_("Points revealed")), "points");
  draw_bet(c, s, row, at);
  row++;
  canvas_put(c, row, 1, 22, STYLE_DIM, scene_say(s, N_("Doors to come")));
  draw_counted(c, row, 25, scene_list(s, "doors_left", -1));
  row++;
  canvas_put(c, row, 24, 8, STYLE_DIM, scene_say(s, N_("tokens")));
  canvas_put(c, row, 32, 18, STYLE_DIM, scene_say(s, N_("hand")));
  canvas_put(c, row, 53, 20, STYLE_DIM, scene_say(s, N_("pile, revealed")));
  row++;
  for (int seat = 0; seat < s->players; seat++)
    draw_player(c, s, row++, seat);
  return row - start;
}
