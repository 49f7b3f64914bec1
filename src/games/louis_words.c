/* Louis XIV in sentences, and the court as a board of 80 columns. */
#include "louis.h"

static void say(struct sal_text *out, const struct sal_words *w,
                const char *msgid) {
  sal_say(out, w, false, msgid, NULL, 0);
}

static struct sal_place number(const char *key, int64_t n) {
  return (struct sal_place){key, SAL_PLACE_NUMBER, NULL, n};
}

static struct sal_place text(const char *key, const char *s) {
  return (struct sal_place){key, SAL_PLACE_TEXT, s, 0};
}

static struct sal_place seat_place(int seat) {
  return (struct sal_place){"seat", SAL_PLACE_SEAT, NULL, seat};
}

/* A list that is written into a buffer of its own, to fill a place. */
struct list {
  char buffer[240];
  struct sal_text text;
};

static struct sal_text *list(struct list *l) {
  sal_text_init(&l->text, l->buffer, sizeof l->buffer);
  return &l->text;
}

/* The gap before the next entry of a list. */
static void gap(struct sal_text *out, const char *between) {
  if (out->len)
    sal_text_add(out, between);
}

static void card(struct sal_text *out, unsigned kind) {
  if (kind == JOKER)
    sal_text_char(out, 'J');
  else
    sal_text_int(out, kind + 1);
}

static const char *person(const struct court *c, unsigned tile) {
  return person_name(&c->tile[tile]);
}

/* An influence card in a sentence: its person, or a joker. */
static void say_card(const struct court *c, unsigned kind,
                     const struct sal_words *w, struct sal_text *out) {
  if (kind == JOKER)
    say(out, w, N_("a joker"));
  else
    sal_text_add(out, person(c, kind));
}

static void list_cards(const struct court *c, bag b, const struct sal_words *w,
                       struct sal_text *out) {
  for (unsigned k = 0; k < CARD_KINDS; k++)
    for (unsigned i = 0; i < bag_count(b, k); i++) {
      gap(out, ", ");
      say_card(c, k, w, out);
    }
}

/* So many markers on a tile, as the next entry of a list. */
static void list_markers(const struct court *c, unsigned tile, unsigned n,
                         const struct sal_words *w, struct sal_text *out) {
  gap(out, ", ");
  sal_say_n(
      out, w, false, NN_("{n} marker on {tile}", "{n} markers on {tile}"), n,
      (struct sal_place[]){number("n", n), text("tile", person(c, tile))}, 2);
}

/* One or two free markers; the tiles are counted from 1, 0 is none. */
static void list_pair(const struct court *c, unsigned a, unsigned b,
                      const struct sal_words *w, struct sal_text *out) {
  list_markers(c, a - 1, a == b ? 2 : 1, w, out);
  if (b && b != a)
    list_markers(c, b - 1, 1, w, out);
}

/* Cards in a row that is broken before it gets too long. */
static void cards(struct sal_text *out, bag b) {
  size_t line = 0;
  for (unsigned k = 0; k < CARD_KINDS; k++)
    for (unsigned i = 0; i < bag_count(b, k); i++, line += 3) {
      sal_text_add(out, line && line % 45 == 0 ? "\n    " : " ");
      card(out, k);
    }
  if (!b)
    sal_text_add(out, " -");
}

static void spaces(struct sal_text *out, unsigned mask) {
  for (unsigned i = 0; i < SPACES; i++)
    if (mask >> i & 1) {
      gap(out, ", ");
      sal_text_int(out, i + 1);
    }
}

static void mission(struct sal_text *out, const struct court_mission *m,
                    const struct sal_words *w) {
  mission_id(m->code, out);
  sal_text_add(out, " (");
  say_chip(m->cost[0], w, out);
  sal_text_add(out, ", ");
  say_chip(m->cost[1], w, out);
  sal_text_add(out, "): ");
  say_power(m, w, out);
}

/* ---- Prompt -------------------------------------------------------------- */

static const char *const asks[STATIONS] = {
    [AT_SETUP] = N_("[You put|{seat} puts] a marker on the Favourite board."),
    [AT_WITHDRAW] =
        N_("[You may|{seat} may] recover markers from the Favourite board."),
    [AT_SWAP] = N_("[You may|{seat} may] change one influence card."),
    [AT_EXCHANGE] =
        N_("[You may|{seat} may] exchange influence cards by privilege 1."),
    [AT_FOOTHOLD] =
        N_("[You may|{seat} may] place free markers for mission {mission}."),
    [AT_INFLUENCE] = N_(
        "[Your turn: play an influence card or recover|{seat} must play an influence card or recover] markers."),
    [AT_INTRIGUE] =
        N_("{tile}: [you may|{seat} may] play this tile's intrigue card."),
    [AT_TIE] = N_("{tile}: [you may|{seat} may] win the tie."),
    [AT_PAY] = N_("{tile}: [you may|{seat} may] pay for {reward}."),
    [AT_PUT] = N_("{tile}: [you place|{seat} places] free markers."),
    [AT_FAVOURITE] =
        N_("{tile}: the Favourite's markers for [you|{seat}]: where to?"),
    [AT_RECOUP] = N_("{tile}: [you may|{seat} may] keep two markers ready."),
    [AT_MISSION] = N_("[You may|{seat} may] complete a mission."),
    [AT_DRAW] = N_("[You draw|{seat} draws] a mission: from which stack?"),
    [AT_KEEP] = N_("[You choose|{seat} chooses] which chips to keep.")};

/* What only the seat itself knows to be possible. */
static const char *own_question(const struct louis *s, unsigned seat) {
  const bool trade = may_trade(s) && s->missions[seat];
  if (s->station == AT_INTRIGUE && !bag_count(s->intrigue[seat], s->tile))
    return N_("{tile}: you hold no intrigue card for this tile.");
  if (s->station != AT_MISSION)
    return asks[s->station];
  if (louis_can_fulfil(s, seat))
    return trade ? N_("You may complete or trade a mission.")
                 : asks[AT_MISSION];
  return trade ? N_("You cannot complete a mission, but you may trade one.")
               : N_("You cannot complete a mission now.");
}

/* Names only what is possible. */
static const char *question(const struct louis *s, bool own) {
  if (s->station == AT_INFLUENCE && !s->personal[s->asked])
    return N_(
        "[Your turn: discard an influence card to recover|{seat} must discard an influence card to recover] markers.");
  return own ? own_question(s, s->asked) : asks[s->station];
}

static void say_result(const struct view *v, const struct sal_words *w,
                       struct sal_text *out) {
  const unsigned winners = louis_winners((const sal_state *)&v->s);
  for (int seat = 0; seat < v->s.players; seat++)
    if (winners >> seat & 1) {
      const struct sal_place p = seat_place(seat);
      gap(out, " ");
      sal_say(out, w, seat == v->viewer, N_("[You have|{seat} has] won."), &p,
              1);
    }
}

void louis_prompt(const sal_view *view, const struct sal_words *w,
                  struct sal_text *t) {
  const struct view *v = as_view(view);
  const struct louis *s = &v->s;
  struct list id, reward;
  list(&id);
  list(&reward);
  if (s->station == AT_OVER) {
    say_result(v, w, t);
    return;
  }
  if (s->asked == NOBODY) {
    say(t, w, N_("Cards are being drawn."));
    return;
  }
  if (s->station == AT_FOOTHOLD)
    mission_id(foothold_mission(s)->code, &id.text);
  say_whole_reward(&court_of(s)->tile[s->tile], w, &reward.text);
  const struct sal_place p[] = {
      seat_place(s->asked), text("tile", person(court_of(s), s->tile)),
      text("mission", id.buffer), text("reward", reward.buffer)};
  const bool own = s->asked == v->viewer;
  sal_say(t, w, own, question(s, own), p, 4);
}

/* ---- The board ----------------------------------------------------------- */

/* Cells are 26 columns wide and stand where the tiles of the court do; tiles
 * that are neighbours only touch at corners, so every second place of a row is
 * free and the cells of two columns overlap. */
enum { CELL = 26, CELL_LINES = 3, CELL_STEP = 27, WIDTH = 80 };

/* Seats have letters on the board; the list of players below says whose. */
static char letter(unsigned seat) { return (char)('A' + seat); }

static void cell_markers(const struct louis *s, unsigned tile,
                         const struct sal_words *w, struct sal_text *out) {
  if (s->louis == tile)
    say(out, w, N_("Louis"));
  if (s->favourite == tile) {
    gap(out, " ");
    say(out, w, N_("Favourite"));
  }
  for (unsigned seat = 0; seat < s->players; seat++)
    if (s->markers[tile][seat]) {
      gap(out, " ");
      sal_text_char(out, letter(seat));
      sal_text_int(out, s->markers[tile][seat]);
    }
  if (s->neutral[tile]) {
    gap(out, " ");
    sal_text_char(out, '*');
    sal_text_int(out, s->neutral[tile]);
  }
}

static void cell_line(const struct louis *s, unsigned tile, int line,
                      const struct sal_words *w, struct sal_text *out) {
  const struct court_tile *t = &court_of(s)->tile[tile];
  const bool now = evaluating(s) && s->tile == tile;
  struct list side, reward;
  switch (line) {
  case 0:
    sal_text_add(out, now ? ">" : "");
    sal_text_int(out, tile + 1);
    sal_text_char(out, ' ');
    sal_text_add(out, person(court_of(s), tile));
    return;
  case 1:
    say_side(side_up(s, tile), w, list(&side));
    say_reward(t, w, list(&reward));
    if (side_up(s, tile)->contest == MOST) { /* a long word for a cell */
      sal_say(out, w, false,
              s->black >> tile & 1 ? N_("black maj.: {reward}")
                                   : N_("red maj.: {reward}"),
              (struct sal_place[]){text("reward", reward.buffer)}, 1);
      return;
    }
    sal_say(out, w, false,
            s->black >> tile & 1 ? N_("black {side}: {reward}")
                                 : N_("red {side}: {reward}"),
            (struct sal_place[]){text("side", side.buffer),
                                 text("reward", reward.buffer)},
            2);
    return;
  default: cell_markers(s, tile, w, out); return;
  }
}

static int tile_at(const struct court *c, int row, int column) {
  for (int t = 0; t < TILES; t++)
    if (c->tile[t].row == row && c->tile[t].column == column)
      return t;
  return -1;
}

static void show_board(const struct louis *s, const struct sal_words *w,
                       struct sal_text *out) {
  for (int row = 0; row < ROWS; row++)
    for (int line = 0; line < CELL_LINES; line++) {
      const size_t from = out->len;
      for (int column = 0; column < COLUMNS; column++) {
        const int tile = tile_at(court_of(s), row, column);
        if (tile < 0)
          continue;
        struct list cell;
        cell_line(s, (unsigned)tile, line, w, list(&cell));
        if (!*cell.buffer)
          continue;
        pad_to(out, from, (size_t)column * CELL_STEP / 2);
        add_columns(out, cell.buffer, CELL);
      }
      sal_text_char(out, '\n');
    }
}

/* ---- The players --------------------------------------------------------- */

static void add_chips(struct sal_text *out, const struct sal_words *w,
                      const uint8_t *chips) {
  const size_t from = out->len;
  for (unsigned k = 0; k < CHIP_KINDS; k++)
    if (chips[k]) {
      sal_text_add(out, out->len > from ? ", " : " ");
      say_chip(k, w, out);
      sal_text_char(out, ' ');
      sal_text_int(out, chips[k]);
    }
  if (out->len == from)
    sal_text_add(out, " -");
}

static void column(struct sal_text *out, size_t from, size_t at, int64_t n) {
  struct list l;
  sal_text_int(list(&l), n);
  pad_to(out, from, at - l.text.len);
  sal_text_add(out, l.buffer);
}

static void show_heading(const struct sal_words *w, struct sal_text *out) {
  static const struct {
    const char *title;
    size_t end; /* of the numbers below it */
  } columns[] = {{N_("gold"), 19},    {N_("ready"), 26}, {N_("general"), 35},
                 {N_("board"), 42},   {N_("hand"), 49},  {N_("intrigue"), 59},
                 {N_("shields"), 69}, {N_("points"), 76}};
  const size_t from = out->len;
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
    struct list title;
    say(list(&title), w, columns[i].title);
    const size_t end = columns[i].end, n = title.text.len;
    pad_to(out, from, n < end ? end - n : 0);
    sal_text_add(out, title.buffer);
  }
  sal_text_char(out, '\n');
}

static void show_laid(const struct louis *s, unsigned seat,
                      const struct sal_words *w, struct sal_text *out) {
  for (int i = 0; i < s->laid_count; i++) {
    if (s->laid[i] / MISSIONS_MAX != seat)
      continue;
    sal_text_add(out, "     ");
    mission(out, &court_of(s)->mission[s->laid[i] % MISSIONS_MAX], w);
    sal_text_char(out, '\n');
  }
}

static void show_player(const struct louis *s, unsigned seat, int32_t points,
                        const struct sal_words *w, struct sal_text *out) {
  static const char *const titles[] = {N_("light"), N_("medium"), N_("dark")};
  const size_t from = out->len;
  struct list name;
  w->seat(w, (int)seat, list(&name));
  sal_text_char(out, letter(seat));
  sal_text_char(out, ' ');
  add_columns(out, name.buffer, 12);
  column(out, from, 19, s->gold[seat]);
  column(out, from, 26, s->personal[seat]);
  column(out, from, 35, s->general[seat]);
  pad_to(out, from, 37);
  for (unsigned i = 0; i < SPACES; i++)
    sal_text_char(out, s->board[seat] >> i & 1 ? (char)('1' + i) : '.');
  column(out, from, 49, s->influence_size[seat]);
  column(out, from, 59, s->intrigue_size[seat]);
  column(out, from, 69, s->shield_count[seat]);
  column(out, from, 76, points);
  sal_text_add(out, "\n  ");
  say(out, w, N_("chips:"));
  add_chips(out, w, s->chips[seat]);
  sal_text_add(out, "\n  ");
  say(out, w, N_("missions:"));
  for (int t = 0; t < TIERS; t++)
    for (int i = 0; i < s->tiers[seat][t]; i++) {
      sal_text_char(out, ' ');
      say(out, w, titles[t]);
    }
  sal_text_char(out, '\n');
  show_laid(s, seat, w, out);
}

static void show_hand(const struct louis *s, unsigned seat, bool you,
                      const struct sal_words *w, struct sal_text *out) {
  const struct sal_place p = seat_place((int)seat);
  sal_say(out, w, you, N_("[Your|{seat}'s] influence cards:"), &p, 1);
  cards(out, s->influence[seat]);
  sal_text_char(out, '\n');
  sal_say(out, w, you, N_("[Your|{seat}'s] intrigue cards:"), &p, 1);
  cards(out, s->intrigue[seat]);
  sal_text_char(out, '\n');
  sal_say(out, w, you, N_("[Your|{seat}'s] shields by kind:"), &p, 1);
  for (unsigned k = 1; k <= court_of(s)->shield_kinds; k++) {
    sal_text_char(out, ' ');
    sal_text_int(out, bag_count(s->shields[seat], k));
  }
  sal_text_char(out, '\n');
  sal_say(out, w, you, N_("[Your|{seat}'s] missions:\n"), &p, 1);
  for (uint64_t left = s->missions[seat]; left; left &= left - 1) {
    sal_text_add(out, "     ");
    mission(out, &court_of(s)->mission[__builtin_ctzll(left)], w);
    sal_text_char(out, '\n');
  }
}

static void show_piles(const struct louis *s, const struct sal_words *w,
                       struct sal_text *out) {
  say(out, w, N_("Stock:"));
  add_chips(out, w, s->stock);
  sal_text_char(out, '\n');
  const struct sal_place p[] = {number("influence", s->influence_deck.left),
                                number("intrigue", s->intrigue_deck.left),
                                number("light", s->missions_left[LIGHT]),
                                number("medium", s->missions_left[MEDIUM]),
                                number("dark", s->missions_left[DARK]),
                                number("shields", s->shields_left)};
  sal_say(
      out, w, false,
      N_("Decks: influence {influence}, intrigue {intrigue}, light {light}, "
         "medium {medium}, dark {dark},\n  shields {shields}.\n"),
      p, 6);
  if (s->memory)
    return;
  say(out, w, N_("Open influence cards:"));
  cards(out, s->influence_deck.open);
  sal_text_char(out, '\n');
  say(out, w, N_("Open intrigue cards:"));
  cards(out, s->intrigue_deck.open);
  sal_text_char(out, '\n');
}

void louis_position(const sal_view *view, const struct sal_words *w,
                    struct sal_text *t) {
  const struct view *v = as_view(view);
  const struct louis *s = &v->s;
  int32_t points[SEATS], majorities[SEATS];
  const struct sal_place p[] = {seat_place(s->start),
                                number("round", s->round ? s->round : 1),
                                number("rounds", rounds_of(s))};
  sal_say(t, w, s->start == v->viewer,
          N_("Round {round} of {rounds}; [you start|{seat} starts].\n"), p, 3);
  show_board(s, w, t);
  sal_text_char(t, '\n');
  show_heading(w, t);
  louis_points(s, points, majorities);
  for (unsigned seat = 0; seat < s->players; seat++)
    show_player(s, seat, points[seat], w, t);
  show_piles(s, w, t);
  for (unsigned seat = 0; seat < s->players; seat++)
    if (v->viewer == (int)seat || v->viewer == SAL_EVERYTHING ||
        s->station == AT_OVER)
      show_hand(s, seat, v->viewer == (int)seat, w, t);
}

/* ---- Events -------------------------------------------------------------- */

static const struct court *court_in(const struct sal_event *e) {
  return court_at((uint8_t)e->value[EVENT_COURT]);
}

static struct sal_place tile_place(const struct sal_event *e, int tile) {
  return text("tile", person(court_in(e), (unsigned)tile));
}

/* Drawn cards: as their owner sees them, and as others do. */
static void say_dealt(const struct sal_event *e, bool you,
                      const struct sal_words *w, struct sal_text *out) {
  static const char *const hidden[] = {
      [PILE_INFLUENCE] = N_("[You draw|{seat} draws] an influence card."),
      [PILE_INTRIGUE] = N_("[You draw|{seat} draws] an intrigue card."),
      [PILE_MONEY] = "",
      [PILE_LIGHT] = N_("[You draw|{seat} draws] a light mission."),
      [PILE_MEDIUM] = N_("[You draw|{seat} draws] a medium mission."),
      [PILE_DARK] = N_("[You draw|{seat} draws] a dark mission."),
      [PILE_SHIELDS] = N_("[You draw|{seat} draws] a shield.")};
  static const char *const shown[] = {
      [PILE_INFLUENCE] =
          N_("[You draw|{seat} draws] an influence card: {card}."),
      [PILE_INTRIGUE] = N_("[You draw|{seat} draws] an intrigue card: {card}."),
      [PILE_MONEY] = "",
      [PILE_LIGHT] = N_("[You draw|{seat} draws] the light mission {card}."),
      [PILE_MEDIUM] = N_("[You draw|{seat} draws] the medium mission {card}."),
      [PILE_DARK] = N_("[You draw|{seat} draws] the dark mission {card}."),
      [PILE_SHIELDS] = N_("[You draw|{seat} draws] a shield of kind {card}.")};
  const int pile = e->value[0];
  struct list l;
  list(&l);
  struct sal_place p[] = {seat_place(e->seat), text("card", l.buffer)};
  if (e->value[1] == SAL_HIDDEN) {
    sal_say(out, w, you, hidden[pile], p, 1);
    return;
  }
  if (pile == PILE_SHIELDS)
    sal_text_int(&l.text, e->value[2]);
  else if (pile >= PILE_LIGHT)
    mission_id(event_code(&e->value[1]), &l.text);
  else
    say_card(court_in(e), (unsigned)e->value[2], w, &l.text);
  sal_say(out, w, you, shown[pile], p, 2);
}

static void say_played(const struct sal_event *e, bool you,
                       const struct sal_words *w, struct sal_text *out) {
  struct list path, name;
  list(&path);
  say_card(court_in(e), (unsigned)e->value[0], w, list(&name));
  for (int i = 2; i < 8 && e->value[i]; i += 2)
    list_markers(court_in(e), (unsigned)e->value[i] - 1,
                 (unsigned)e->value[i + 1], w, &path.text);
  sal_say(out, w, you,
          e->value[1]
              ? N_("[You play|{seat} plays] {card} with privilege 2: {path}.")
              : N_("[You play|{seat} plays] {card}: {path}."),
          (struct sal_place[]){seat_place(e->seat), text("card", name.buffer),
                               text("path", path.buffer)},
          3);
}

static void say_counted(const struct sal_event *e, bool you,
                        const struct sal_words *w, struct sal_text *out) {
  const struct sal_place p[] = {seat_place(e->seat),
                                tile_place(e, e->value[0])};
  sal_say(out, w, you,
          e->seat < 0 ? N_("{tile}: nobody has the majority.")
                      : N_("{tile}: [you have|{seat} has] the majority."),
          p, 2);
}

static void say_rewarded(const struct sal_event *e, bool you,
                         const struct sal_words *w, struct sal_text *out) {
  struct list reward;
  const struct court_tile t = {.reward = (uint8_t)e->value[1],
                               .chip = (uint8_t)e->value[2],
                               .amount = (uint8_t)e->value[3]};
  say_whole_reward(&t, w, list(&reward));
  const struct sal_place p[] = {seat_place(e->seat), tile_place(e, e->value[0]),
                                text("reward", reward.buffer)};
  sal_say(out, w, you, N_("{tile}: [you get|{seat} gets] {reward}."), p, 3);
}

static void list_home(const int16_t *v, int players, const struct sal_words *w,
                      struct sal_text *out) {
  for (int seat = 0; seat < players; seat++)
    if (v[seat]) {
      gap(out, ", ");
      w->seat(w, seat, out);
      sal_text_char(out, ' ');
      sal_text_int(out, v[seat]);
    }
}

static void say_home(const struct sal_event *e, const struct sal_words *w,
                     struct sal_text *out) {
  static const char *const says[] = {
      N_("{tile}: to the general supply: {markers}."),
      N_("{tile}: ready again: {markers}.")};
  for (int i = 0; i < 2; i++) {
    struct list markers;
    list_home(e->value + 2 + i * SEATS, e->value[1], w, list(&markers));
    if (!markers.text.len)
      continue;
    gap(out, " ");
    sal_say(out, w, false, says[i],
            (struct sal_place[]){tile_place(e, e->value[0]),
                                 text("markers", markers.buffer)},
            2);
  }
}

/* The chips of an event or action, which name a kind counted from `from`. */
static void list_chips(const int16_t *v, int n, int from,
                       const struct sal_words *w, struct sal_text *out) {
  for (int kind = 0; kind < CHIP_KINDS; kind++) {
    unsigned held = 0;
    for (int i = 0; i < n; i++)
      held += v[i] == kind + from;
    if (!held)
      continue;
    gap(out, ", ");
    say_chips((unsigned)kind, held, w, out);
  }
}

static void say_over(const struct sal_event *e, int viewer,
                     const struct sal_words *w, struct sal_text *out) {
  for (int seat = 0; seat < e->value[1]; seat++) {
    const struct sal_place p[] = {seat_place(seat),
                                  number("points", e->value[2 + seat]),
                                  number("majorities", e->value[6 + seat])};
    gap(out, "\n  ");
    sal_say_n(out, w, seat == viewer,
              NN_("[You have|{seat} has] {points} point, {majorities} of them "
                  "for majorities.",
                  "[You have|{seat} has] {points} points, {majorities} of them "
                  "for majorities."),
              (unsigned long)e->value[2 + seat], p, 3);
  }
  for (int seat = 0; seat < e->value[1]; seat++)
    if (e->value[0] >> seat & 1) {
      const struct sal_place p = seat_place(seat);
      sal_text_add(out, "\n  ");
      sal_say(out, w, seat == viewer, N_("[You have|{seat} has] won."), &p, 1);
    }
}

/* Sentences with the seat and at most two numbers, by event: their names, and
 * which of the event's values they are. The number `tile` is told by name. */
struct phrase {
  const char *msgid;
  struct {
    const char *key;
    int from;
  } number[2];
};

static const struct phrase phrases[EVENTS] = {
    [E_ROUND] = {N_("Round {round} begins; [you start|{seat} starts]."),
                 {{"round", 0}}},
    [E_TIE] = {N_("{tile}: [you win|{seat} wins] the tie by a mission."),
               {{"tile", 0}}},
    [E_PAID] = {N_("{tile}: [you pay|{seat} pays] {gold} gold."),
                {{"tile", 0}, {"gold", 1}}},
    [E_CROWN] = {N_("{tile}: Louis gives [you|{seat}] a crown."),
                 {{"tile", 0}}},
    [E_PASSED] = {N_("[You pass|{seat} passes]."), {{NULL, 0}}},
    [E_DONE] = {N_("[You are|{seat} is] done with missions."), {{NULL, 0}}},
    [E_ROUND_OVER] = {N_("Round {round} is over."), {{"round", 0}}},
    [E_POWER] = {N_("[Your|{seat}'s] missions: {gold} gold, and markers made "
                    "ready: {markers}."),
                 {{"gold", 0}, {"markers", 1}}},
    [E_RECOUPED] = {N_("[You keep|{seat} keeps] {n} of these markers ready."),
                    {{"n", 0}}}};

static void say_phrase(const struct sal_event *e, bool you,
                       const struct sal_words *w, struct sal_text *out) {
  const struct phrase *f = &phrases[e->kind];
  struct sal_place p[3] = {seat_place(e->seat)};
  size_t n = 1;
  for (; n < 3 && f->number[n - 1].key; n++) {
    const int value = e->value[f->number[n - 1].from];
    const bool tile = strcmp(f->number[n - 1].key, "tile") == 0;
    p[n] = tile ? tile_place(e, value) : number(f->number[n - 1].key, value);
  }
  sal_say(out, w, you, f->msgid, p, n);
}

static void say_card_event(const struct sal_event *e, bool you,
                           const struct sal_words *w, struct sal_text *out) {
  struct list l;
  say_card(court_in(e), (unsigned)e->value[0], w, list(&l));
  const struct sal_place p[] = {
      seat_place(e->seat), text("card", l.buffer), number("n", e->value[1]),
      tile_place(e, e->kind == E_TURNED_UP ? e->value[1] : 0),
      number("markers", e->value[2])};
  switch (e->kind) {
  case E_SWAPPED:
    sal_say(out, w, you,
            N_("[You change|{seat} changes] an influence card: {card}."), p, 5);
    return;
  case E_DISCARDED:
    sal_say(out, w, you,
            N_("[You discard|{seat} discards] the last card, {card}."), p, 5);
    return;
  case E_RECOVERED:
    sal_say_n(out, w, you,
              NN_("[You discard|{seat} discards] {card} and [make|makes] {n} "
                  "marker ready.",
                  "[You discard|{seat} discards] {card} and [make|makes] {n} "
                  "markers ready."),
              (unsigned long)e->value[1], p, 5);
    return;
  default: /* E_TURNED_UP */
    sal_say(out, w, you,
            N_("Turned up: {card}. {markers} neutral markers go to {tile}."), p,
            5);
    return;
  }
}

static void say_intrigue(const struct sal_event *e, bool you,
                         const struct sal_words *w, struct sal_text *out) {
  const int16_t *v = e->value;
  const struct sal_place p[] = {seat_place(e->seat), tile_place(e, v[0]),
                                number("n", v[1])};
  static const char *const says[2][2] = {
      {N_("{tile}: [you play|{seat} plays] this tile's intrigue card: {n} from the "
          "general supply."),
       N_("{tile}: [you play|{seat} plays] this tile's intrigue card with privilege "
          "3: {n} from the general supply.")},
      {N_("{tile}: [you play|{seat} plays] this tile's intrigue card: {n} of the "
          "ready markers."),
       N_("{tile}: [you play|{seat} plays] this tile's intrigue card with privilege "
          "3: {n} of the ready markers.")}};
  sal_say(out, w, you, says[v[2] != 0][v[3] != 0], p, 3);
}

static void say_favourite(const struct sal_event *e, bool you,
                          const struct sal_words *w, struct sal_text *out) {
  struct list l;
  const int16_t *v = e->value;
  spaces(list(&l), (unsigned)v[0]);
  const struct sal_place p[] = {seat_place(e->seat), text("spaces", l.buffer),
                                number("ready", v[3])};
  if (v[0] == 0)
    sal_say_n(
        out, w, you,
        NN_("The Favourite makes {ready} of [your|{seat}'s] markers ready.",
            "The Favourite makes {ready} of [your|{seat}'s] markers "
            "ready."),
        (unsigned long)v[3], p, 3);
  else if (v[3] == 0)
    sal_say_n(out, w, you,
              NN_("[You fill|{seat} fills] Favourite space {spaces}.",
                  "[You fill|{seat} fills] Favourite spaces {spaces}."),
              (unsigned long)__builtin_popcount((unsigned)v[0]), p, 3);
  else
    sal_say_n(out, w, you,
              NN_("[You fill|{seat} fills] Favourite space {spaces}; {ready} "
                  "more marker is ready.",
                  "[You fill|{seat} fills] Favourite space {spaces}; {ready} "
                  "more markers are ready."),
              (unsigned long)v[3], p, 3);
}

static void say_traded(const struct sal_event *e, bool you,
                       const struct sal_words *w, struct sal_text *out) {
  static const char *const titles[] = {N_("light"), N_("medium"), N_("dark")};
  struct list l;
  list(&l);
  const struct sal_place p[] = {
      seat_place(e->seat),
      {"tier", SAL_PLACE_WORD, titles[e->value[1]], 0},
      text("mission", l.buffer)};
  if (e->value[2] == SAL_HIDDEN) {
    sal_say(out, w, you,
            N_("[You put|{seat} puts] a {tier} mission out of the game."), p,
            2);
    return;
  }
  mission_id(event_code(e->value + 2), &l.text);
  sal_say(out, w, you,
          N_("[You put|{seat} puts] a {tier} mission out of the game: "
             "{mission}."),
          p, 3);
}

/* Lists of spaces, tiles, chips or cards with the seat. */
static void say_listed(const struct sal_event *e, bool you,
                       const struct sal_words *w, struct sal_text *out) {
  const int16_t *v = e->value;
  struct list l, id;
  const char *msgid = "";
  list(&l);
  list(&id);
  switch (e->kind) {
  case E_FAVOURED:
    spaces(&l.text, (unsigned)v[0]);
    msgid = N_("[You put|{seat} puts] a marker on Favourite space {list}.");
    break;
  case E_WITHDRAWN:
    spaces(&l.text, (unsigned)v[0]);
    msgid = N_(
        "[You recover|{seat} recovers] the marker on Favourite space {list}.");
    break;
  case E_EXCHANGED:
    list_cards(court_in(e), event_bag(v), w, &l.text);
    msgid = N_("[You exchange|{seat} exchanges] with privilege 1: {list}.");
    break;
  case E_FOOTHOLD:
    mission_id(event_code(v), &id.text);
    list_pair(court_in(e), (unsigned)v[2], (unsigned)v[3], w, &l.text);
    msgid = N_("{mission}: [you place|{seat} places] {list}, free of charge.");
    break;
  case E_PUT:
    list_pair(court_in(e), (unsigned)v[0], (unsigned)v[1], w, &l.text);
    msgid = N_("[You place|{seat} places] {list}, free of charge.");
    break;
  case E_FULFILLED:
    mission_id(event_code(v), &id.text);
    list_chips(v + 2, 2, 0, w, &l.text);
    msgid =
        N_("[You complete|{seat} completes] mission {mission} with {list}.");
    break;
  default: /* E_KEPT */
    list_chips(v, 3, 1, w, &l.text);
    msgid = v[3] ? N_("[You keep|{seat} keeps] with privilege 4: {list}.")
                 : N_("[You keep|{seat} keeps] {list}.");
  }
  sal_say(out, w, you, msgid,
          (struct sal_place[]){seat_place(e->seat), text("list", l.buffer),
                               text("mission", id.buffer)},
          3);
}

const char *louis_event_rule(const struct sal_event *e) {
  static const char *const ids[] = {[E_ROUND] = "louis.setup.rounds",
                                    [E_DEALT] = "louis.supply.deal",
                                    [E_FAVOURED] = "louis.setup.favourite",
                                    [E_MONEY] = "louis.supply.money",
                                    [E_POWER] = "louis.supply.powers",
                                    [E_WITHDRAWN] = "louis.supply.withdraw",
                                    [E_RESHUFFLED] = "louis.cards.open",
                                    [E_SWAPPED] = "louis.supply.swap",
                                    [E_EXCHANGED] = "louis.privilege.1",
                                    [E_TURNED_UP] = "louis.supply.neutral",
                                    [E_FOOTHOLD] = "louis.influence.foothold",
                                    [E_PLAYED] = "louis.influence.place",
                                    [E_RECOVERED] = "louis.influence.recover",
                                    [E_DISCARDED] = "louis.influence.last-card",
                                    [E_INTRIGUE] = "louis.intrigue.effect",
                                    [E_PASSED] = "louis.turn.phase",
                                    [E_COUNTED] = "louis.eval.first",
                                    [E_TIE] = "louis.eval.tie-power",
                                    [E_PAID] = "louis.eval.pay",
                                    [E_REWARDED] = "louis.eval.rewards",
                                    [E_PUT] = "louis.eval.rewards",
                                    [E_CROWN] = "louis.eval.louis",
                                    [E_FAVOURITE] = "louis.favourite.award",
                                    [E_RECOUPED] = "louis.eval.recoup",
                                    [E_HOME] = "louis.eval.home",
                                    [E_FLIPPED] = "louis.eval.flip",
                                    [E_FULFILLED] = "louis.mission.fulfil",
                                    [E_TRADED] = "louis.mission.exchange",
                                    [E_DONE] = "louis.mission.done",
                                    [E_KEPT] = "louis.mission.keep-one",
                                    [E_ROUND_OVER] = "louis.setup.rounds",
                                    [E_GAME_OVER] = "louis.end.score"};
  return ids[e->kind];
}

void louis_event_say(const struct sal_event *e, int viewer,
                     const struct sal_words *w, struct sal_text *out) {
  const bool you = e->seat == viewer && viewer >= 0;
  const int16_t *v = e->value;
  switch (e->kind) {
  case E_DEALT: say_dealt(e, you, w, out); return;
  case E_MONEY:
    sal_say(
        out, w, false,
        v[2] == NOBODY
            ? N_("Louis goes to {tile}; everyone takes {gold} gold.")
            : N_("Louis goes to {tile}, the Favourite to {favourite}; "
                 "everyone takes {gold} gold."),
        (struct sal_place[]){
            tile_place(e, v[0]), number("gold", v[1]),
            text("favourite",
                 v[2] == NOBODY ? "" : person(court_in(e), (unsigned)v[2]))},
        3);
    return;
  case E_RESHUFFLED:
    say(out, w,
        v[0] == PILE_INFLUENCE ? N_("The influence cards are shuffled again.")
                               : N_("The intrigue cards are shuffled again."));
    return;
  case E_SWAPPED:
  case E_DISCARDED:
  case E_RECOVERED:
  case E_TURNED_UP: say_card_event(e, you, w, out); return;
  case E_PLAYED: say_played(e, you, w, out); return;
  case E_INTRIGUE: say_intrigue(e, you, w, out); return;
  case E_COUNTED: say_counted(e, you, w, out); return;
  case E_REWARDED: say_rewarded(e, you, w, out); return;
  case E_FAVOURITE: say_favourite(e, you, w, out); return;
  case E_HOME: say_home(e, w, out); return;
  case E_FLIPPED: {
    const struct sal_place p = tile_place(e, v[0]);
    sal_say(out, w, false,
            v[1] ? N_("{tile}: the tile turns to its black side.")
                 : N_("{tile}: the tile turns to its red side."),
            &p, 1);
    return;
  }
  case E_TRADED: say_traded(e, you, w, out); return;
  case E_GAME_OVER: say_over(e, viewer, w, out); return;
  default:
    if (phrases[e->kind].msgid)
      say_phrase(e, you, w, out);
    else
      say_listed(e, you, w, out);
  }
}

/* ---- Actions ------------------------------------------------------------- */

/* A label has 80 columns at most, so the card's own tile is just "there". */
static void list_path(const struct court *c, uint64_t arguments,
                      const struct sal_words *w, struct sal_text *out) {
  for (unsigned i = 0; i < PATH_MAX_STEPS && step_tile(arguments, i); i++) {
    const unsigned tile = step_tile(arguments, i) - 1;
    gap(out, ", ");
    sal_say(out, w, false,
            tile == (arguments & 15) ? N_("{n} there") : N_("{n} on {tile}"),
            (struct sal_place[]){number("n", step_markers(arguments, i)),
                                 text("tile", person(c, tile))},
            2);
  }
}

/* What an action names, as texts: what it is about, and a list. */
struct said {
  struct list what, list;
};

/* The message for an action, with {what} and {list} for its arguments. */
static const char *action_message(const struct louis *s, sal_action a,
                                  const struct sal_words *w, struct said *l) {
  const struct court *c = court_of(s);
  const uint64_t arguments = arguments_of(a);
  struct sal_text *const what = list(&l->what), *const several = list(&l->list);
  switch (verb_of(a)) {
  case DO_FAVOUR:
    spaces(several, (unsigned)arguments);
    return __builtin_popcountll(arguments) > 1
               ? N_("Put a marker on each of the spaces {list}")
               : N_("Put a marker on space {list}");
  case DO_WITHDRAW:
    spaces(several, (unsigned)arguments);
    return __builtin_popcountll(arguments) > 1
               ? N_("Recover the markers on the spaces {list}")
               : N_("Recover the marker on space {list}");
  case DO_SWAP:
    say_card(c, arguments & 15, w, what);
    return N_("Change a card: {what}");
  case DO_EXCHANGE: {
    enum { BY_NAME = 3 }; /* more names would not fit in 80 columns */
    if (bag_total(arguments) <= BY_NAME) {
      list_cards(c, arguments, w, several);
      return N_("Exchange {list}");
    }
    cards(several, arguments);
    return N_("Exchange the cards{list}");
  }
  case DO_FOOTHOLD:
  case DO_PUT:
    list_pair(c, arguments & 15, (unsigned)(arguments >> 4), w, several);
    return N_("Place {list}");
  case DO_PLAY:
  case DO_JUMP:
    say_card(c, arguments & 15, w, what);
    list_path(c, arguments, w, several);
    return verb_of(a) == DO_PLAY ? N_("Play {what}: {list}")
                                 : N_("Jump {what}: {list}");
  case DO_RECOVER:
    say_card(c, arguments & 15, w, what);
    return N_("Discard {what}, make 3 markers ready");
  case DO_INTRIGUE:
    sal_text_int(several, (int64_t)(arguments & 3));
    return arguments & FROM_PERSONAL
               ? N_("Play the intrigue card: {list} of the ready markers")
               : N_("Play the intrigue card: {list} from the general supply");
  case DO_FULFIL: {
    const int16_t paid[] = {(int16_t)(arguments >> CODE_BITS & 7),
                            (int16_t)(arguments >> (CODE_BITS + 3) & 7)};
    mission_id(code_in(arguments), what);
    list_chips(paid, 2, 0, w, several);
    return N_("Complete mission {what} with {list}");
  }
  case DO_TRADE:
    mission_id(code_in(arguments), what);
    return arguments >> CODE_BITS == LIGHT
               ? N_("Trade mission {what} for a light one")
           : arguments >> CODE_BITS == MEDIUM
               ? N_("Trade mission {what} for a medium one")
               : N_("Trade mission {what} for a dark one");
  case DO_KEEP: {
    const int16_t kept[] = {(int16_t)(arguments & 7),
                            (int16_t)(arguments >> 3 & 7),
                            (int16_t)(arguments >> 6 & 7)};
    list_chips(kept, 3, 1, w, several);
    return N_("Keep {list}");
  }
  case DO_DRAW:
    return arguments == LIGHT    ? N_("Draw a light mission")
           : arguments == MEDIUM ? N_("Draw a medium mission")
                                 : N_("Draw a dark mission");
  case DO_TAKE: return N_("Make all of them ready");
  case DO_TIE: return N_("Win the tie");
  case DO_PAY:
    say_whole_reward(&c->tile[s->tile], w, what);
    return N_("Pay for {what}");
  case DO_RECOUP: return N_("Keep two of them ready");
  case DO_DONE: return N_("Done");
  default: return N_("Pass");
  }
}

void louis_action_say(const sal_view *v, sal_action a,
                      const struct sal_words *w, struct sal_text *out) {
  struct said l;
  const char *msgid = action_message(&as_view(v)->s, a, w, &l);
  sal_say(out, w, false, msgid,
          (struct sal_place[]){text("what", l.what.buffer),
                               text("list", l.list.buffer)},
          2);
  if ((verb_of(a) == DO_INTRIGUE && (arguments_of(a) & WITH_FAVOUR)) ||
      (verb_of(a) == DO_KEEP && (arguments_of(a) & KEEP_WITH_FAVOUR)))
    say(out, w, N_(" (by privilege)"));
}
