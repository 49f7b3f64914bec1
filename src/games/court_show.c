/* A court in words: as tables, and the parts of sentences about it. */
#include "court.h"

static void say(struct sal_text *out, const struct sal_words *w,
                const char *msgid) {
  sal_say(out, w, false, msgid, NULL, 0);
}

static void say_number(struct sal_text *out, const struct sal_words *w,
                       const char *one, const char *many, unsigned n) {
  sal_say_n(out, w, false, one, many, n,
            &(struct sal_place){"n", SAL_PLACE_NUMBER, NULL, n}, 1);
}

void say_chip(unsigned chip, const struct sal_words *w, struct sal_text *out) {
  static const char *const titles[] = {N_("crown"), N_("sceptre"), N_("helmet"),
                                       N_("ring"),  N_("letter"),  N_("any")};
  say(out, w, titles[chip]);
}

void say_chips(unsigned chip, unsigned n, const struct sal_words *w,
               struct sal_text *out) {
  switch (chip) {
  case CROWN: say_number(out, w, NN_("{n} crown", "{n} crowns"), n); return;
  case SCEPTRE:
    say_number(out, w, NN_("{n} sceptre", "{n} sceptres"), n);
    return;
  case HELMET: say_number(out, w, NN_("{n} helmet", "{n} helmets"), n); return;
  case RING: say_number(out, w, NN_("{n} ring", "{n} rings"), n); return;
  default: say_number(out, w, NN_("{n} letter", "{n} letters"), n); return;
  }
}

void say_whole_reward(const struct court_tile *t, const struct sal_words *w,
                      struct sal_text *out) {
  const unsigned n = t->amount;
  switch (t->reward) {
  case PLACE_REWARD:
    say_number(out, w, NN_("{n} marker to place", "{n} markers to place"), n);
    return;
  case INFLUENCE_REWARD:
    say_number(out, w, NN_("{n} influence card", "{n} influence cards"), n);
    return;
  case INTRIGUE_REWARD:
    say_number(out, w, NN_("{n} intrigue card", "{n} intrigue cards"), n);
    return;
  default: say_reward(t, w, out); return;
  }
}

/* Short enough for the board and the tables. */
void say_reward(const struct court_tile *t, const struct sal_words *w,
                struct sal_text *out) {
  const unsigned n = t->amount;
  switch (t->reward) {
  case CHIP_REWARD: say_chips(t->chip, n, w, out); return;
  case SHIELD_REWARD:
    say_number(out, w, NN_("{n} shield", "{n} shields"), n);
    return;
  case GOLD_REWARD: say_number(out, w, NN_("{n} gold", "{n} gold"), n); return;
  case PLACE_REWARD:
    say_number(out, w, NN_("place {n}", "place {n}"), n);
    return;
  case INFLUENCE_REWARD:
    say_number(out, w, NN_("{n} influence", "{n} influence"), n);
    return;
  default: say_number(out, w, NN_("{n} intrigue", "{n} intrigue"), n); return;
  }
}

void say_side(const struct court_side *s, const struct sal_words *w,
              struct sal_text *out) {
  static const char *const titles[] = {N_("majority"), N_("pay {n}"),
                                       N_("min {n}")};
  sal_say(out, w, false, titles[s->contest],
          &(struct sal_place){"n", SAL_PLACE_NUMBER, NULL, s->n}, 1);
}

void say_power(const struct court_mission *m, const struct sal_words *w,
               struct sal_text *out) {
  static const char *const titles[] = {
      [GOLD2] = N_("2 gold each round"),
      [GOLD3] = N_("3 gold each round"),
      [MARK2] = N_("2 markers ready each round"),
      [MARK3] = N_("3 markers ready each round"),
      [CARD] = N_("one influence card more"),
      [INTR] = N_("an intrigue card each round"),
      [SWAP] = N_("change one card after the deal"),
      [FOOTHOLD] = N_("a free marker on tile {a} or {b}"),
      [INNER] = N_("a free marker on a tile 1 to 4"),
      [ANY2] = N_("up to two free markers on any tiles"),
      [BRIBE1] = N_("paying costs 1 less"),
      [TIE] = N_("wins one tie a round"),
      [RECOUP] = N_("2 winning markers a round stay ready"),
      [WILD] = N_("one chip a round counts as a crown"),
      [SHIELD] = N_("a shield each round")};
  const unsigned tiles = m->tiles ? m->tiles : 1;
  sal_say(out, w, false, titles[m->power],
          (struct sal_place[]){
              {"a", SAL_PLACE_NUMBER, NULL, __builtin_ctz(tiles) + 1},
              {"b", SAL_PLACE_NUMBER, NULL, 32 - __builtin_clz(tiles)}},
          2);
}

/* ---- Tables -------------------------------------------------------------- */

static void numbers(struct sal_text *out, unsigned mask) {
  const char *gap = "";
  for (; mask; mask &= mask - 1, gap = " ") {
    sal_text_add(out, gap);
    sal_text_int(out, __builtin_ctz(mask) + 1);
  }
}

static void number_at(struct sal_text *out, unsigned n) {
  sal_text_add(out, n < 10 ? " " : "");
  sal_text_int(out, n);
  sal_text_add(out, "  ");
}

static void show_tiles(const struct court *c, const struct sal_words *w,
                       struct sal_text *out) {
  size_t line = out->len;
  say(out, w, N_("Tile"));
  pad_to(out, line, 35);
  say(out, w, N_("reward"));
  pad_to(out, line, 48);
  say(out, w, N_("red side"));
  pad_to(out, line, 57);
  say(out, w, N_("black side"));
  pad_to(out, line, 68);
  say(out, w, N_("touches"));
  for (unsigned i = 0; i < TILES; i++) {
    const struct court_tile *t = &c->tile[i];
    sal_text_char(out, '\n');
    line = out->len;
    number_at(out, i + 1);
    add_columns(out, short_name(t->name, 30), 30);
    pad_to(out, line, 35);
    say_reward(t, w, out);
    pad_to(out, line, 48);
    say_side(&t->side[RED], w, out);
    pad_to(out, line, 57);
    say_side(&t->side[BLACK], w, out);
    pad_to(out, line, 68);
    numbers(out, c->neighbours[i]);
  }
  sal_text_add(out, "\n\n");
}

static void show_lines(const struct court *c, const struct sal_words *w,
                       struct sal_text *out) {
  size_t line = out->len;
  say(out, w, N_("Diagonals:"));
  for (int l = 0; l < c->line_count; l++) {
    if (out->len - line > 64) {
      sal_text_add(out, "\n ");
      line = out->len;
    }
    for (int i = 0; i < c->line_length[l]; i++) {
      sal_text_char(out, i ? '-' : ' ');
      sal_text_int(out, c->line[l][i] + 1);
    }
  }
  sal_text_char(out, '\n');
}

static void show_money(const struct court *c, const struct sal_words *w,
                       struct sal_text *out) {
  say(out, w, N_("Money cards, where Louis goes and what everyone takes:"));
  sal_text_char(out, '\n');
  for (unsigned t = 0; t < TILES; t++) {
    int n = 0;
    for (int i = 0; i < c->money_count; i++) {
      if (c->money[i].tile != t)
        continue;
      if (n == 0)
        sal_say(out, w, false, N_("  tile {tile} (opposite {opposite}): gold"),
                (struct sal_place[]){
                    {"tile", SAL_PLACE_NUMBER, NULL, t + 1},
                    {"opposite", SAL_PLACE_NUMBER, NULL, c->opposite[t]}},
                2);
      sal_text_add(out, n == 0 ? " " : n % 10 ? ", " : ",\n    ");
      sal_text_int(out, c->money[i].gold);
      n++;
    }
    if (n)
      sal_text_char(out, '\n');
  }
  sal_text_char(out, '\n');
}

static void show_missions(const struct court *c, const struct sal_words *w,
                          struct sal_text *out) {
  static const char *const titles[] = {N_("light"), N_("medium"), N_("dark")};
  size_t line = out->len;
  say(out, w, N_("Mission"));
  pad_to(out, line, 20);
  say(out, w, N_("costs"));
  pad_to(out, line, 40);
  say(out, w, N_("and gives"));
  for (int tier = 0; tier < TIERS; tier++)
    for (int i = 0; i < c->mission_count; i++) {
      const struct court_mission *m = &c->mission[i];
      if (m->tier != tier)
        continue;
      sal_text_char(out, '\n');
      line = out->len;
      sal_text_add(out, " ");
      mission_id(m->code, out);
      pad_to(out, line, 8);
      say(out, w, titles[tier]);
      pad_to(out, line, 20);
      say_chip(m->cost[0], w, out);
      sal_text_char(out, ' ');
      say_chip(m->cost[1], w, out);
      pad_to(out, line, 40);
      say_power(m, w, out);
    }
  sal_text_add(out, "\n\n");
}

struct line {
  const char *msgid;
  int value;
};

static void show_counts(const struct court *c, const struct sal_words *w,
                        struct sal_text *out) {
  const struct line lines[] = {
      {N_("rounds"), c->rounds},
      {N_("markers of each player"), c->markers},
      {N_("gold at the start"), c->gold},
      {N_("influence cards in a deal"), c->hand},
      {N_("influence cards of each tile"), c->influence_each},
      {N_("influence jokers"), c->jokers},
      {N_("intrigue cards of each tile"), c->intrigue_each},
      {N_("kinds of shields"), c->shield_kinds},
      {N_("shields of each kind"), c->shields_each},
      {N_("cards turned up for two players"), c->neutral_cards},
      {N_("neutral markers for each of them"), c->neutral_markers},
      {N_("points for a mission"), c->mission_points},
      {N_("points for a shield"), c->shield_points},
      {N_("gold for a shield at the end"), c->gold_a_shield},
      {N_("markers on the Favourite board for one"), c->favour_a_shield}};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    const size_t line = out->len;
    sal_text_add(out, "  ");
    say(out, w, lines[i].msgid);
    pad_to(out, line, 44);
    sal_text_int(out, lines[i].value);
    sal_text_char(out, '\n');
  }
  for (int k = 0; k < CHIP_KINDS; k++) {
    const size_t line = out->len;
    sal_text_add(out, "  ");
    say(out, w, N_("chips:"));
    sal_text_char(out, ' ');
    say_chip((unsigned)k, w, out);
    pad_to(out, line, 44);
    sal_text_int(out, c->chips[k]);
    sal_text_char(out, '\n');
  }
  for (int p = 0; p < SEATS - 1; p++) {
    const size_t line = out->len;
    sal_text_add(out, "  ");
    sal_say(out, w, false, N_("markers ready at the start, {n} players"),
            &(struct sal_place){"n", SAL_PLACE_NUMBER, NULL, p + 2}, 1);
    pad_to(out, line, 43);
    for (int i = 0; i < p + 2; i++) {
      sal_text_char(out, ' ');
      sal_text_int(out, c->personal[p][i]);
    }
    sal_text_char(out, '\n');
  }
}

void sal_court_show(int32_t court, const struct sal_words *w,
                    struct sal_text *out) {
  const struct court *c = court_at(court);
  show_tiles(c, w, out);
  show_lines(c, w, out);
  sal_text_char(out, '\n');
  show_money(c, w, out);
  show_missions(c, w, out);
  show_counts(c, w, out);
}
