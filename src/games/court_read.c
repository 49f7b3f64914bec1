/* Reads a court from JSON and checks all of it.
 *
 * This is the only file of the games that needs a JSON parser. Main invariant:
 * reading goes on after a fault, so that all of them are told, but a check that
 * builds on something faulty is left out. */
#include "court.h"

#include <jansson.h>
#include <string.h>

struct reader {
  const struct court_report *report;
  struct court *c;
  size_t faults;
  struct sal_text where; /* the path of the value being read */
  char path[128];
};

/* ---- Faults -------------------------------------------------------------- */

static void fault_with(struct reader *r, const char *sentence,
                       const struct sal_place *places, size_t count) {
  r->faults++;
  r->report->tell(r->report->context, r->path, sentence, places, count);
}

static void fault(struct reader *r, const char *sentence) {
  fault_with(r, sentence, NULL, 0);
}

static void fault_tiles(struct reader *r, const char *sentence, unsigned a,
                        unsigned b) {
  fault_with(r, sentence,
             (struct sal_place[]){{"a", SAL_PLACE_NUMBER, NULL, a + 1},
                                  {"b", SAL_PLACE_NUMBER, NULL, b + 1}},
             2);
}

static void fault_range(struct reader *r, const char *sentence, int least,
                        int most) {
  fault_with(r, sentence,
             (struct sal_place[]){{"least", SAL_PLACE_NUMBER, NULL, least},
                                  {"most", SAL_PLACE_NUMBER, NULL, most}},
             2);
}

/* ---- Paths --------------------------------------------------------------- */

/* Goes into a member or an entry; `leave` goes back to where it was. */
static size_t enter(struct reader *r, const char *key) {
  const size_t before = r->where.len;
  if (before)
    sal_text_char(&r->where, '.');
  sal_text_clip(&r->where, key, 40);
  return before;
}

static size_t enter_entry(struct reader *r, size_t index) {
  const size_t before = r->where.len;
  sal_text_char(&r->where, '[');
  sal_text_int(&r->where, (int64_t)index);
  sal_text_char(&r->where, ']');
  return before;
}

static void leave(struct reader *r, size_t before) {
  r->where.len = before;
  r->path[before] = '\0';
}

/* ---- Plain values -------------------------------------------------------- */

static bool read_number(struct reader *r, const json_t *v, int least, int most,
                        uint8_t *out) {
  if (!v) {
    fault(r, N_("this is missing."));
    return false;
  }
  if (!json_is_integer(v) || json_integer_value(v) < least ||
      json_integer_value(v) > most) {
    fault_range(r, N_("this is not a whole number from {least} to {most}."),
                least, most);
    return false;
  }
  *out = (uint8_t)json_integer_value(v);
  return true;
}

/* The tile, counted from 0. */
static bool read_tile(struct reader *r, const json_t *v, uint8_t *out) {
  if (!v || !json_is_integer(v) || json_integer_value(v) < 1 ||
      json_integer_value(v) > TILES) {
    fault(r, N_("this is not a tile: tiles are the whole numbers 1 to 12."));
    return false;
  }
  *out = (uint8_t)(json_integer_value(v) - 1);
  return true;
}

static bool read_word(struct reader *r, const json_t *v,
                      const char *const *words, uint8_t *out) {
  char buffer[200];
  struct sal_text list;
  sal_text_init(&list, buffer, sizeof buffer);
  for (uint8_t i = 0; words[i]; i++) {
    if (json_is_string(v) && strcmp(json_string_value(v), words[i]) == 0) {
      *out = i;
      return true;
    }
    sal_text_add(&list, i ? ", " : "");
    sal_text_add(&list, words[i]);
  }
  fault_with(r, N_("this must be one of: {words}."),
             &(struct sal_place){"words", SAL_PLACE_TEXT, buffer, 0}, 1);
  return false;
}

static const json_t *read_list(struct reader *r, const json_t *v, size_t least,
                               size_t most) {
  if (!json_is_array(v) || json_array_size(v) < least ||
      json_array_size(v) > most) {
    fault_range(r,
                least == most ? N_("this is not a list of {most} entries.")
                              : N_("this is not a list of {least} to {most} "
                                   "entries."),
                (int)least, (int)most);
    return NULL;
  }
  return v;
}

static const json_t *read_object(struct reader *r, const json_t *v) {
  if (json_is_object(v))
    return v;
  fault(r, v ? N_("this is not an object.") : N_("this is missing."));
  return NULL;
}

/* ---- Numbers by name ----------------------------------------------------- */

static void read_numbers(struct reader *r, const char *section,
                         const json_t *object) {
  for (size_t i = 0; i < COURT_NUMBERS; i++) {
    const struct court_number *n = &court_numbers[i];
    if (strcmp(n->section, section) != 0)
      continue;
    const size_t here = enter(r, n->key);
    read_number(r, json_object_get(object, n->key), n->least, n->most,
                (uint8_t *)r->c + n->offset);
    leave(r, here);
  }
}

/* ---- Counts, setup, end -------------------------------------------------- */

static void read_counts(struct reader *r, const json_t *object) {
  read_numbers(r, "counts", object);
  const size_t here = enter(r, "chips");
  const json_t *chips = read_object(r, json_object_get(object, "chips"));
  for (int k = 0; chips && k < CHIP_KINDS; k++) {
    const size_t kind = enter(r, chip_names[k]);
    read_number(r, json_object_get(chips, chip_names[k]), 0, CHIPS_MAX,
                &r->c->chips[k]);
    leave(r, kind);
  }
  const char *key;
  json_t *v;
  json_object_foreach((json_t *)chips, key, v) {
    bool known = false;
    for (int k = 0; k < CHIP_KINDS; k++)
      known |= strcmp(key, chip_names[k]) == 0;
    const size_t kind = enter(r, key);
    if (!known)
      fault(r, N_("there is no such kind of chip."));
    leave(r, kind);
  }
  leave(r, here);
}

static void read_personal(struct reader *r, const json_t *object) {
  static const char *const by[] = {"2", "3", "4"};
  for (size_t p = 0; p < SEATS - 1; p++) {
    const size_t here = enter(r, by[p]);
    const json_t *list =
        read_list(r, json_object_get(object, by[p]), p + 2, p + 2);
    for (size_t i = 0; list && i < p + 2; i++) {
      const size_t entry = enter_entry(r, i);
      /* one must be left for the Favourite board (louis.setup.favourite) */
      read_number(r, json_array_get(list, i), 0,
                  (r->c->markers ? r->c->markers : MARKERS_MAX) - 1,
                  &r->c->personal[p][i]);
      leave(r, entry);
    }
    leave(r, here);
  }
}

static void read_setup(struct reader *r, const json_t *object) {
  read_numbers(r, "setup", object);
  size_t here = enter(r, "personal_markers_by_seat");
  const json_t *personal =
      read_object(r, json_object_get(object, "personal_markers_by_seat"));
  if (personal)
    read_personal(r, personal);
  leave(r, here);
  here = enter(r, "missions");
  const json_t *list =
      read_list(r, json_object_get(object, "missions"), 1, DEALT_MAX);
  for (size_t i = 0; list && i < json_array_size(list); i++) {
    const size_t entry = enter_entry(r, i);
    read_word(r, json_array_get(list, i), tier_names, &r->c->dealt[i]);
    r->c->dealt_count++;
    leave(r, entry);
  }
  leave(r, here);
}

static void read_neutral(struct reader *r, const json_t *object) {
  static const char *const targets[] = {"louis", NULL};
  uint8_t target;
  read_numbers(r, "neutral_2p", object);
  const size_t here = enter(r, "joker_target");
  read_word(r, json_object_get(object, "joker_target"), targets, &target);
  leave(r, here);
}

static void read_end(struct reader *r, const json_t *object) {
  read_numbers(r, "endgame", object);
  const size_t here = enter(r, "per_item");
  const json_t *list =
      read_list(r, json_object_get(object, "per_item"), 0, ITEMS);
  for (size_t i = 0; list && i < json_array_size(list); i++) {
    uint8_t item;
    const size_t entry = enter_entry(r, i);
    if (read_word(r, json_array_get(list, i), item_names, &item)) {
      if (r->c->items >> item & 1)
        fault(r, N_("this appears twice."));
      r->c->items |= (uint8_t)(1u << item);
    }
    leave(r, entry);
  }
  leave(r, here);
}

/* ---- Tiles --------------------------------------------------------------- */

static void read_name(struct reader *r, const json_t *v, char *out) {
  const char *s = json_is_string(v) ? json_string_value(v) : "";
  bool plain = *s && strlen(s) < NAME_SIZE;
  for (const char *p = s; *p; p++)
    plain &= (unsigned char)*p >= 0x20 && *p != 0x7f;
  if (!plain)
    fault_range(r, N_("this is not a name of at most {most} bytes."), 1,
                NAME_SIZE - 1);
  else
    strcpy(out, s);
}

static void read_side(struct reader *r, const json_t *object,
                      struct court_side *out) {
  if (!read_object(r, object))
    return;
  size_t here = enter(r, "type");
  const bool known = read_word(r, json_object_get(object, "type"),
                               contest_names, &out->contest);
  leave(r, here);
  if (!known || out->contest == MOST)
    return;
  here = enter(r, "n");
  read_number(r, json_object_get(object, "n"), 1,
              out->contest == PAY ? GOLD_MAX : MARKERS_MAX, &out->n);
  leave(r, here);
}

/* "shield", "gold", …, or "chip:ring" and its like. */
static bool read_reward(struct reader *r, const json_t *v,
                        struct court_tile *t) {
  const char *chip =
      json_is_string(v) ? sal_skip(json_string_value(v), "chip:") : NULL;
  for (uint8_t k = 0; chip && k < CHIP_KINDS; k++)
    if (strcmp(chip, chip_names[k]) == 0) {
      t->chip = k;
      return true;
    }
  if (chip)
    fault(r, N_("there is no such kind of chip."));
  else if (read_word(r, v, reward_names, &t->reward) &&
           t->reward != CHIP_REWARD)
    return true;
  else if (json_is_string(v) && strcmp(json_string_value(v), "chip") == 0)
    fault(r, N_("which chip? Write, for example, chip:ring."));
  return false;
}

static void read_place(struct reader *r, const json_t *v,
                       struct court_tile *t) {
  if (!read_list(r, v, 2, 2))
    return;
  size_t here = enter_entry(r, 0);
  read_number(r, json_array_get(v, 0), 0, ROWS - 1, &t->row);
  leave(r, here);
  here = enter_entry(r, 1);
  read_number(r, json_array_get(v, 1), 0, COLUMNS - 1, &t->column);
  leave(r, here);
}

static void read_tile_entry(struct reader *r, const json_t *v, unsigned *seen) {
  uint8_t id;
  if (!read_object(r, v))
    return;
  size_t here = enter(r, "id");
  const bool known = read_tile(r, json_object_get(v, "id"), &id);
  if (known && (*seen >> id & 1))
    fault(r, N_("this tile appears twice."));
  leave(r, here);
  struct court_tile ignored = {0}, *t = known ? &r->c->tile[id] : &ignored;
  if (known)
    *seen |= 1u << id;
  here = enter(r, "name");
  read_name(r, json_object_get(v, "name"), t->name);
  leave(r, here);
  here = enter(r, "pos");
  read_place(r, json_object_get(v, "pos"), t);
  leave(r, here);
  here = enter(r, "reward");
  const bool rewarded = read_reward(r, json_object_get(v, "reward"), t);
  leave(r, here);
  here = enter(r, "amount");
  const int most = !rewarded || t->reward == GOLD_REWARD ? GOLD_MAX
                   : t->reward == PLACE_REWARD           ? PLACE_MAX
                                                         : AMOUNT_MAX;
  read_number(r, json_object_get(v, "amount"), 1, most, &t->amount);
  leave(r, here);
  here = enter(r, "red");
  read_side(r, json_object_get(v, "red"), &t->side[RED]);
  leave(r, here);
  here = enter(r, "black");
  read_side(r, json_object_get(v, "black"), &t->side[BLACK]);
  leave(r, here);
}

static void read_tiles(struct reader *r, const json_t *list) {
  unsigned seen = 0;
  if (!read_list(r, list, TILES, TILES))
    return;
  for (size_t i = 0; i < TILES; i++) {
    const size_t here = enter_entry(r, i);
    read_tile_entry(r, json_array_get(list, i), &seen);
    leave(r, here);
  }
}

/* ---- The board ----------------------------------------------------------- */

/* The tile that a key such as "12" means. */
static bool read_tile_key(struct reader *r, const char *key, uint8_t *out) {
  int32_t n;
  const char *rest = sal_number_read(key, &n);
  if (!rest || *rest || n < 1 || n > TILES) {
    fault(r, N_("this is not a tile: tiles are the whole numbers 1 to 12."));
    return false;
  }
  *out = (uint8_t)(n - 1);
  return true;
}

static void read_adjacency(struct reader *r, const json_t *object) {
  const char *key;
  json_t *list;
  unsigned named = 0;
  json_object_foreach((json_t *)object, key, list) {
    uint8_t tile, other;
    const size_t here = enter(r, key);
    if (read_tile_key(r, key, &tile) && read_list(r, list, 0, TILES - 1)) {
      named |= 1u << tile;
      for (size_t i = 0; i < json_array_size(list); i++) {
        const size_t entry = enter_entry(r, i);
        if (read_tile(r, json_array_get(list, i), &other))
          r->c->neighbours[tile] |= (uint16_t)(1u << other);
        leave(r, entry);
      }
    }
    leave(r, here);
  }
  for (unsigned t = 0; t < TILES; t++)
    if (!(named >> t & 1))
      fault_tiles(r, N_("tile {a} is missing."), t, t);
}

static void read_lines(struct reader *r, const json_t *lines) {
  if (!read_list(r, lines, 0, LINES_MAX))
    return;
  for (size_t l = 0; l < json_array_size(lines); l++) {
    const size_t here = enter_entry(r, l);
    const json_t *line = read_list(r, json_array_get(lines, l), 2, LINE_MAX);
    for (size_t i = 0; line && i < json_array_size(line); i++) {
      const size_t entry = enter_entry(r, i);
      read_tile(r, json_array_get(line, i), &r->c->line[l][i]);
      r->c->line_length[l]++;
      leave(r, entry);
    }
    r->c->line_count++;
    leave(r, here);
  }
}

static void read_opposite(struct reader *r, const json_t *object) {
  const char *key;
  json_t *v;
  json_object_foreach((json_t *)object, key, v) {
    uint8_t tile, other;
    const size_t here = enter(r, key);
    if (read_tile_key(r, key, &tile) && read_tile(r, v, &other)) {
      if (tile == other)
        fault(r, N_("a tile is not opposite itself."));
      r->c->opposite[tile] = (uint8_t)(other + 1);
    }
    leave(r, here);
  }
}

static bool touch(const struct court_tile *a, const struct court_tile *b) {
  const int rows = a->row - b->row, columns = a->column - b->column;
  return rows * rows == 1 && columns * columns == 1;
}

static void check_places(struct reader *r) {
  const struct court_tile *t = r->c->tile;
  const size_t here = enter(r, "tiles");
  for (unsigned a = 0; a < TILES; a++)
    for (unsigned b = a + 1; b < TILES; b++)
      if (t[a].row == t[b].row && t[a].column == t[b].column)
        fault_tiles(r, N_("tiles {a} and {b} stand on the same place."), a, b);
  leave(r, here);
}

/* Each step of a line is to a tile that touches at a corner, and goes on in the
 * same direction. Fills in who is next to whom, and who reaches whom. */
static void check_line(struct reader *r, unsigned l, uint16_t *next) {
  struct court *c = r->c;
  const uint8_t *line = c->line[l];
  for (unsigned i = 0; i + 1 < c->line_length[l]; i++) {
    const struct court_tile *here = &c->tile[line[i]];
    const struct court_tile *there = &c->tile[line[i + 1]];
    next[line[i]] |= (uint16_t)(1u << line[i + 1]);
    next[line[i + 1]] |= (uint16_t)(1u << line[i]);
    if (!touch(here, there))
      fault_tiles(r, N_("tiles {a} and {b} do not touch at a corner."), line[i],
                  line[i + 1]);
    else if (i > 0 &&
             (there->row + c->tile[line[i - 1]].row != 2 * here->row ||
              there->column + c->tile[line[i - 1]].column != 2 * here->column))
      fault_tiles(r, N_("the line bends at tile {a}."), line[i], line[i]);
  }
  unsigned all = 0;
  for (unsigned i = 0; i < c->line_length[l]; i++)
    all |= 1u << line[i];
  for (unsigned i = 0; i < c->line_length[l]; i++)
    c->reach[line[i]] |= (uint16_t)(all & ~(1u << line[i]));
}

static unsigned tiles_in(unsigned mask) {
  return (unsigned)__builtin_popcount(mask);
}

/* As louis_legal.c lists them: all on one tile, on two, on three. */
static void count_paths(struct court *c) {
  for (unsigned tile = 0; tile < TILES; tile++) {
    const unsigned near = c->neighbours[tile], reach = c->reach[tile];
    const unsigned not_back = ~(1u << tile);
    unsigned plays = 3 + 3 * tiles_in(near),
             jumps = 3 * tiles_in(reach & ~near);
    c->plays[tile][1] = 1;
    c->plays[tile][2] = (uint8_t)(2 + tiles_in(near));
    c->jumps[tile][2] = (uint8_t)tiles_in(reach & ~near);
    for (unsigned t = 0; t < TILES; t++) {
      const unsigned onward = c->neighbours[t] & not_back;
      const unsigned far = c->reach[t] & not_back;
      if (near >> t & 1) {
        plays += tiles_in(onward);
        jumps += tiles_in(far & ~onward);
      } else if (reach >> t & 1) {
        jumps += tiles_in(far);
      }
    }
    c->plays[tile][3] = (uint8_t)plays;
    c->jumps[tile][3] = (uint8_t)jumps;
  }
  for (unsigned tile = 0; tile < TILES; tile++)
    for (unsigned n = 1; n <= JOKER_MARKERS; n++) {
      c->plays[JOKER][n] = (uint8_t)(c->plays[JOKER][n] + c->plays[tile][n]);
      c->jumps[JOKER][n] = (uint8_t)(c->jumps[JOKER][n] + c->jumps[tile][n]);
    }
}

/* louis.court.adjacent, louis.court.diagonals */
static void check_board(struct reader *r) {
  uint16_t next[TILES] = {0};
  const uint16_t *near = r->c->neighbours;
  size_t here = enter(r, "diagonals");
  for (unsigned l = 0; l < r->c->line_count; l++) {
    const size_t entry = enter_entry(r, l);
    check_line(r, l, next);
    leave(r, entry);
  }
  leave(r, here);
  here = enter(r, "adjacency");
  for (unsigned a = 0; a < TILES; a++)
    for (unsigned b = 0; b < TILES; b++) {
      const bool listed = near[a] >> b & 1;
      if (listed && !(next[a] >> b & 1))
        fault_tiles(r,
                    N_("tile {a} has {b} as a neighbour, which is not next to "
                       "it on a diagonal."),
                    a, b);
      else if (!listed && (next[a] >> b & 1))
        fault_tiles(r,
                    N_("tile {a} does not have {b} as a neighbour, which is "
                       "next to it on a diagonal."),
                    a, b);
      else if (!listed && touch(&r->c->tile[a], &r->c->tile[b]))
        fault_tiles(r,
                    N_("tile {a} does not have {b} as a neighbour, which "
                       "touches it at a corner."),
                    a, b);
    }
  leave(r, here);
  count_paths(r->c);
}

/* ---- Cards --------------------------------------------------------------- */

static void read_money(struct reader *r, const json_t *list) {
  if (!read_list(r, list, 1, MONEY_MAX))
    return;
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *v = json_array_get(list, i);
    struct court_money *m = &r->c->money[r->c->money_count++];
    const size_t here = enter_entry(r, i);
    if (read_object(r, v)) {
      const size_t tile = enter(r, "louis");
      read_tile(r, json_object_get(v, "louis"), &m->tile);
      leave(r, tile);
      const size_t gold = enter(r, "gold");
      read_number(r, json_object_get(v, "gold"), 0, GOLD_MAX, &m->gold);
      leave(r, gold);
    }
    leave(r, here);
  }
}

/* louis.court.opposite; louis.setup.rounds */
static void check_money(struct reader *r) {
  const size_t here = enter(r, "money_cards");
  const struct court *c = r->c;
  if (c->money_count < c->rounds)
    fault_range(r,
                N_("there are fewer money cards ({least}) than rounds "
                   "({most})."),
                c->money_count, c->rounds);
  for (unsigned i = 0; i < c->money_count; i++)
    if (!c->opposite[c->money[i].tile]) {
      const size_t entry = enter_entry(r, i);
      fault_tiles(r, N_("Louis goes to tile {a}, which has no opposite."),
                  c->money[i].tile, 0);
      leave(r, entry);
    }
  leave(r, here);
}

static void read_cost(struct reader *r, const json_t *v, uint8_t *cost) {
  const char *words[CHIP_KINDS + 2] = {NULL};
  memcpy(words, chip_names, CHIP_KINDS * sizeof *words);
  words[ANY_CHIP] = "any";
  if (!read_list(r, v, 2, 2))
    return;
  for (size_t i = 0; i < 2; i++) {
    const size_t entry = enter_entry(r, i);
    read_word(r, json_array_get(v, i), words, &cost[i]);
    leave(r, entry);
  }
}

static void read_foothold(struct reader *r, const json_t *v,
                          struct court_mission *m) {
  if (!read_list(r, v, 2, 2))
    return;
  for (size_t i = 0; i < 2; i++) {
    uint8_t tile;
    const size_t entry = enter_entry(r, i);
    if (read_tile(r, json_array_get(v, i), &tile)) {
      if (m->tiles >> tile & 1)
        fault(r, N_("this appears twice."));
      m->tiles |= (uint16_t)(1u << tile);
    }
    leave(r, entry);
  }
}

static void read_mission(struct reader *r, const json_t *v,
                         struct court_mission *m) {
  if (!read_object(r, v))
    return;
  size_t here = enter(r, "id");
  const json_t *id = json_object_get(v, "id");
  if (json_is_string(id))
    m->code = mission_code(json_string_value(id), json_string_length(id));
  if (!m->code)
    fault_range(r, N_("this is not a text of 1 to {most} letters and digits."),
                1, ID_LENGTH);
  leave(r, here);
  here = enter(r, "tier");
  read_word(r, json_object_get(v, "tier"), tier_names, &m->tier);
  leave(r, here);
  here = enter(r, "cost");
  read_cost(r, json_object_get(v, "cost"), m->cost);
  leave(r, here);
  here = enter(r, "power");
  const bool known =
      read_word(r, json_object_get(v, "power"), power_names, &m->power);
  leave(r, here);
  here = enter(r, "tiles");
  if (known && m->power == FOOTHOLD)
    read_foothold(r, json_object_get(v, "tiles"), m);
  leave(r, here);
  if (known && (m->power == INNER || m->power == ANY2))
    m->tiles = m->power == INNER ? 0x00f : 0xfff;
}

static void sort_missions(struct court *c) {
  for (int i = 1; i < c->mission_count; i++) {
    const struct court_mission m = c->mission[i];
    int k = i;
    for (; k > 0 && c->mission[k - 1].code > m.code; k--)
      c->mission[k] = c->mission[k - 1];
    c->mission[k] = m;
  }
  for (int i = 0; i < c->mission_count; i++)
    c->tier[c->mission[i].tier] |= UINT64_C(1) << i;
}

static void read_missions(struct reader *r, const json_t *list) {
  struct court *c = r->c;
  if (!read_list(r, list, 0, MISSIONS_MAX))
    return;
  for (size_t i = 0; i < json_array_size(list); i++) {
    struct court_mission *m = &c->mission[c->mission_count++];
    const size_t here = enter_entry(r, i);
    read_mission(r, json_array_get(list, i), m);
    for (const struct court_mission *other = c->mission; other < m; other++)
      if (m->code && other->code == m->code)
        fault(r, N_("another mission has the same id."));
    leave(r, here);
  }
  sort_missions(c);
}

/* louis.setup.player: four players get their missions. */
static void check_missions(struct reader *r) {
  int wanted[TIERS] = {0};
  for (int i = 0; i < r->c->dealt_count; i++)
    wanted[r->c->dealt[i]] += SEATS;
  const size_t here = enter(r, "missions");
  for (int t = 0; t < TIERS; t++)
    if (__builtin_popcountll(r->c->tier[t]) < wanted[t])
      fault_with(
          r,
          N_("four players need {most} missions of the tier {tier} to start "
             "with."),
          (struct sal_place[]){{"most", SAL_PLACE_NUMBER, NULL, wanted[t]},
                               {"tier", SAL_PLACE_TEXT, tier_names[t], 0}},
          2);
  leave(r, here);
}

/* A hand that is too large would have too many ways to be exchanged. */
static void check_hand(struct reader *r) {
  const struct court *c = r->c;
  int most = c->hand;
  for (int t = 0; t < TILES; t++)
    if (c->tile[t].reward == INFLUENCE_REWARD)
      most += c->tile[t].amount;
  for (int m = 0; m < c->mission_count; m++)
    most += c->mission[m].power == CARD;
  const size_t here = enter(r, "setup");
  if (most > HAND_MAX)
    fault_range(r,
                N_("hand_size, the missions with the power card and the "
                   "influence cards of the tiles may give a hand of {most}; "
                   "{least} is the limit."),
                HAND_MAX, most);
  leave(r, here);
}

/* ---- All of it ----------------------------------------------------------- */

/* Reads one part of the file; whether it is without fault. */
static bool read_part(struct reader *r, const json_t *court, const char *key,
                      void (*read)(struct reader *, const json_t *)) {
  const size_t before = r->faults;
  const size_t here = enter(r, key);
  const json_t *v = json_object_get(court, key);
  if (!v)
    fault(r, N_("this is missing."));
  else
    read(r, v);
  leave(r, here);
  return r->faults == before;
}

/* The same for a part that is an object. */
static bool read_section(struct reader *r, const json_t *court, const char *key,
                         void (*read)(struct reader *, const json_t *)) {
  const json_t *v = json_object_get(court, key);
  if (json_is_object(v))
    return read_part(r, court, key, read);
  const size_t here = enter(r, key);
  read_object(r, v);
  leave(r, here);
  return false;
}

static void read_court(struct reader *r, const json_t *j) {
  read_section(r, j, "counts", read_counts);
  const bool setup = read_section(r, j, "setup", read_setup);
  const bool tiles = read_part(r, j, "tiles", read_tiles);
  const bool near = read_section(r, j, "adjacency", read_adjacency);
  const bool lines = read_part(r, j, "diagonals", read_lines);
  const bool opposite = read_section(r, j, "opposite", read_opposite);
  const bool money = read_part(r, j, "money_cards", read_money);
  const bool missions = read_part(r, j, "missions", read_missions);
  read_section(r, j, "neutral_2p", read_neutral);
  read_section(r, j, "endgame", read_end);
  if (tiles)
    check_places(r);
  if (tiles && near && lines)
    check_board(r);
  if (setup && opposite && money)
    check_money(r);
  if (setup && missions)
    check_missions(r);
  if (setup && tiles && missions)
    check_hand(r);
}

bool court_read(const char *text, size_t length, struct court *out,
                const struct court_report *report) {
  struct reader r = {.report = report, .c = out};
  json_error_t error;
  memset(out, 0, sizeof *out);
  sal_text_init(&r.where, r.path, sizeof r.path);
  json_t *j = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
  if (!j)
    fault_with(
        &r, N_("this is not JSON: {error}, in line {line}."),
        (struct sal_place[]){{"error", SAL_PLACE_TEXT, error.text, 0},
                             {"line", SAL_PLACE_NUMBER, NULL, error.line}},
        2);
  else if (!json_is_object(j))
    fault(&r, N_("a court is an object."));
  else
    read_court(&r, j);
  json_decref(j);
  return r.faults == 0;
}

bool sal_court_check(const char *text, size_t length, sal_court_problem *tell,
                     void *context) {
  struct court court;
  return court_read(text, length, &court,
                    &(struct court_report){tell, context});
}
