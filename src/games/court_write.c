/* Writes a court as one line of JSON, as court_read reads it and records keep
 * it. */
#include "court.h"

#include <stddef.h>
#include <string.h>

#define AT(field) offsetof(struct court, field)

/* clang-format off */
const struct court_number court_numbers[COURT_NUMBERS] = {
  {"counts", "markers_per_color", AT(markers), 1, MARKERS_MAX},
  {"counts", "shield_kinds", AT(shield_kinds), 1, SHIELD_KINDS_MAX},
  {"counts", "shields_per_kind", AT(shields_each), 0, SHIELDS_EACH_MAX},
  {"counts", "influence_per_character", AT(influence_each), 0, CARDS_EACH_MAX},
  {"counts", "influence_jokers", AT(jokers), 0, JOKERS_MAX},
  {"counts", "intrigue_per_character", AT(intrigue_each), 0, CARDS_EACH_MAX},
  {"setup", "gold", AT(gold), 0, GOLD_MAX},
  {"setup", "hand_size", AT(hand), 0, HAND_MAX},
  {"setup", "rounds", AT(rounds), 1, ROUNDS_MAX},
  {"neutral_2p", "cards", AT(neutral_cards), 0, NEUTRAL_CARDS_MAX},
  {"neutral_2p", "markers_each", AT(neutral_markers), 0, NEUTRAL_MARKERS_MAX},
  {"endgame", "vp_per_mission", AT(mission_points), 0, MISSION_POINTS_MAX},
  {"endgame", "vp_per_shield", AT(shield_points), 0, SHIELD_POINTS_MAX},
  {"endgame", "gold_per_shield", AT(gold_a_shield), 1, 99},
  {"endgame", "favourite_markers_per_shield", AT(favour_a_shield), 1, 4},
};
/* clang-format on */

static void write_numbers(struct sal_json *j, const struct court *c,
                          const char *section) {
  sal_json_object(j, section);
  for (size_t i = 0; i < COURT_NUMBERS; i++)
    if (strcmp(court_numbers[i].section, section) == 0)
      sal_json_int(j, court_numbers[i].key,
                   *((const uint8_t *)c + court_numbers[i].offset));
}

static const char *tile_key(unsigned tile) {
  static const char *const keys[] = {"1", "2", "3", "4",  "5",  "6",
                                     "7", "8", "9", "10", "11", "12"};
  return keys[tile];
}

static void write_side(struct sal_json *j, const char *key,
                       const struct court_side *s) {
  sal_json_object(j, key);
  sal_json_string(j, "type", contest_names[s->contest]);
  if (s->contest != MOST)
    sal_json_int(j, "n", s->n);
  sal_json_end(j, '}');
}

static void write_tile(struct sal_json *j, const struct court *c, unsigned i) {
  const struct court_tile *t = &c->tile[i];
  char reward[24];
  struct sal_text text;
  sal_text_init(&text, reward, sizeof reward);
  sal_text_add(&text, reward_names[t->reward]);
  if (t->reward == CHIP_REWARD) {
    sal_text_char(&text, ':');
    sal_text_add(&text, chip_names[t->chip]);
  }
  sal_json_object(j, NULL);
  sal_json_int(j, "id", i + 1);
  sal_json_string(j, "name", t->name);
  sal_json_list(j, "pos");
  sal_json_int(j, NULL, t->row);
  sal_json_int(j, NULL, t->column);
  sal_json_end(j, ']');
  sal_json_string(j, "reward", reward);
  sal_json_int(j, "amount", t->amount);
  write_side(j, "red", &t->side[RED]);
  write_side(j, "black", &t->side[BLACK]);
  sal_json_end(j, '}');
}

static void write_mission(struct sal_json *j, const struct court_mission *m) {
  char id[ID_LENGTH + 1];
  struct sal_text text;
  sal_text_init(&text, id, sizeof id);
  mission_id(m->code, &text);
  sal_json_object(j, NULL);
  sal_json_string(j, "id", id);
  sal_json_string(j, "tier", tier_names[m->tier]);
  sal_json_list(j, "cost");
  for (int i = 0; i < 2; i++)
    sal_json_string(j, NULL,
                    m->cost[i] == ANY_CHIP ? "any" : chip_names[m->cost[i]]);
  sal_json_end(j, ']');
  sal_json_string(j, "power", power_names[m->power]);
  if (m->power == FOOTHOLD)
    json_from_one(j, "tiles", m->tiles);
  sal_json_end(j, '}');
}

static void write_setup(struct sal_json *j, const struct court *c) {
  static const char *const by[] = {"2", "3", "4"};
  write_numbers(j, c, "setup");
  sal_json_list(j, "missions");
  for (int i = 0; i < c->dealt_count; i++)
    sal_json_string(j, NULL, tier_names[c->dealt[i]]);
  sal_json_end(j, ']');
  sal_json_object(j, "personal_markers_by_seat");
  for (int p = 0; p < SEATS - 1; p++) {
    sal_json_list(j, by[p]);
    for (int i = 0; i < p + 2; i++)
      sal_json_int(j, NULL, c->personal[p][i]);
    sal_json_end(j, ']');
  }
  sal_json_end(j, '}');
  sal_json_end(j, '}');
}

static void write_board(struct sal_json *j, const struct court *c) {
  sal_json_list(j, "tiles");
  for (unsigned t = 0; t < TILES; t++)
    write_tile(j, c, t);
  sal_json_end(j, ']');
  sal_json_object(j, "adjacency");
  for (unsigned t = 0; t < TILES; t++)
    json_from_one(j, tile_key(t), c->neighbours[t]);
  sal_json_end(j, '}');
  sal_json_list(j, "diagonals");
  for (int l = 0; l < c->line_count; l++) {
    sal_json_list(j, NULL);
    for (int i = 0; i < c->line_length[l]; i++)
      sal_json_int(j, NULL, c->line[l][i] + 1);
    sal_json_end(j, ']');
  }
  sal_json_end(j, ']');
  sal_json_object(j, "opposite");
  for (unsigned t = 0; t < TILES; t++)
    if (c->opposite[t])
      sal_json_int(j, tile_key(t), c->opposite[t]);
  sal_json_end(j, '}');
}

void court_write(const struct court *c, struct sal_text *out) {
  struct sal_json json, *j = &json;
  sal_json_init(j, out);
  sal_json_object(j, NULL);
  write_numbers(j, c, "counts");
  sal_json_object(j, "chips");
  for (int k = 0; k < CHIP_KINDS; k++)
    sal_json_int(j, chip_names[k], c->chips[k]);
  sal_json_end(j, '}');
  sal_json_end(j, '}');
  write_setup(j, c);
  write_board(j, c);
  sal_json_list(j, "money_cards");
  for (int i = 0; i < c->money_count; i++) {
    sal_json_object(j, NULL);
    sal_json_int(j, "louis", c->money[i].tile + 1);
    sal_json_int(j, "gold", c->money[i].gold);
    sal_json_end(j, '}');
  }
  sal_json_end(j, ']');
  sal_json_list(j, "missions");
  for (int i = 0; i < c->mission_count; i++)
    write_mission(j, &c->mission[i]);
  sal_json_end(j, ']');
  write_numbers(j, c, "neutral_2p");
  sal_json_string(j, "joker_target", "louis");
  sal_json_end(j, '}');
  write_numbers(j, c, "endgame");
  sal_json_list(j, "per_item");
  for (int i = 0; i < ITEMS; i++)
    if (c->items >> i & 1)
      sal_json_string(j, NULL, item_names[i]);
  sal_json_end(j, ']');
  sal_json_end(j, '}');
  sal_json_end(j, '}');
}
