/* A slow second Louis XIV for the tests, written from the rules with other means
 * than the engine: every marker, chip, card and shield is a thing of its own
 * that lies somewhere; what is to come stands on an agenda of small tasks; the
 * board is geometry; whether an action is allowed is asked of its text. The
 * values of the court are written out once more. */
#ifndef SAL_TESTS_LOUIS_SLOW_H
#define SAL_TESTS_LOUIS_SLOW_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The court ---------------------------------------------------------- */

struct slow_tile {
  int row, column;
  const char *reward;
  int amount;
  const char *red, *black;
};

static const struct slow_tile slow_tiles[13] = {
    {0},
    {1, 2, "sceptre", 1, "pay 3", "most"},
    {2, 3, "letter", 1, "pay 3", "min 3"},
    {3, 2, "ring", 1, "pay 3", "most"},
    {2, 1, "helmet", 1, "pay 3", "min 3"},
    {1, 0, "crown", 1, "pay 4", "most"},
    {0, 1, "shield", 1, "min 2", "pay 2"},
    {0, 3, "gold", 4, "min 3", "most"},
    {1, 4, "place", 2, "pay 2", "most"},
    {3, 4, "crown", 1, "pay 4", "min 3"},
    {4, 3, "shield", 2, "most", "pay 3"},
    {4, 1, "influence", 1, "pay 2", "min 2"},
    {3, 0, "intrigue", 1, "min 2", "most"}};

/* id, cost, power and its tiles */
static const char *const slow_missions[40][4] = {
    {"L01", "sceptre any", "gold2", ""},
    {"L02", "sceptre any", "mark2", ""},
    {"L03", "sceptre any", "foothold", "6 7"},
    {"L04", "sceptre any", "swap", ""},
    {"L05", "sceptre any", "bribe1", ""},
    {"L06", "helmet any", "gold2", ""},
    {"L07", "helmet any", "mark2", ""},
    {"L08", "helmet any", "foothold", "5 12"},
    {"L09", "helmet any", "swap", ""},
    {"L10", "helmet any", "bribe1", ""},
    {"L11", "ring any", "gold2", ""},
    {"L12", "ring any", "mark2", ""},
    {"L13", "ring any", "foothold", "10 11"},
    {"L14", "ring any", "swap", ""},
    {"L15", "ring any", "bribe1", ""},
    {"L16", "letter any", "gold2", ""},
    {"L17", "letter any", "mark2", ""},
    {"L18", "letter any", "foothold", "8 9"},
    {"L19", "letter any", "swap", ""},
    {"L20", "letter any", "bribe1", ""},
    {"M01", "sceptre helmet", "card", ""},
    {"M02", "sceptre helmet", "mark3", ""},
    {"M03", "sceptre ring", "foothold", "1 2 3 4"},
    {"M04", "sceptre ring", "gold3", ""},
    {"M05", "sceptre letter", "tie", ""},
    {"M06", "sceptre letter", "recoup", ""},
    {"M07", "helmet ring", "card", ""},
    {"M08", "helmet ring", "foothold", "1 2 3 4"},
    {"M09", "helmet letter", "mark3", ""},
    {"M10", "helmet letter", "tie", ""},
    {"M11", "ring letter", "gold3", ""},
    {"M12", "ring letter", "recoup", ""},
    {"D01", "sceptre sceptre", "intr", ""},
    {"D02", "sceptre sceptre", "any2", "1 2 3 4 5 6 7 8 9 10 11 12"},
    {"D03", "helmet helmet", "wild", ""},
    {"D04", "helmet helmet", "shield", ""},
    {"D05", "ring ring", "any2", "1 2 3 4 5 6 7 8 9 10 11 12"},
    {"D06", "ring ring", "intr", ""},
    {"D07", "letter letter", "shield", ""},
    {"D08", "letter letter", "wild", ""}};

static const char *const slow_kinds[5] = {"crown", "sceptre", "helmet", "ring",
                                          "letter"};
static const char *const slow_tiers[3] = {"light", "medium", "dark"};

/* ---- Things and places -------------------------------------------------- */

/* Where a thing lies. Tiles are 1 to 12; those of a seat are place + seat. */
enum {
  NOWHERE = 0,
  THE_DECK = 20,
  THE_OPEN,
  THE_STOCK,
  TURNED_UP,
  HELD = 30,
  LAID_OPEN = 40,
  TRADED_AWAY = 50,
  READY = 60,
  GENERAL = 70,
  SPACE = 100 /* + 10 * seat + space */
};

struct thing {
  char name[8];
  int at;
};

struct set {
  struct thing thing[64];
  int n;
};

static void make(struct set *set, int copies, int at, const char *format, ...) {
  char name[8];
  va_list args;
  va_start(args, format);
  vsnprintf(name, sizeof name, format, args);
  va_end(args);
  while (copies--) {
    strcpy(set->thing[set->n].name, name);
    set->thing[set->n++].at = at;
  }
}

/* How many things lie there; `name` NULL: of any name. */
static int lie(const struct set *set, const char *name, int at) {
  int n = 0;
  for (int i = 0; i < set->n; i++)
    n += set->thing[i].at == at &&
         (!name || strcmp(set->thing[i].name, name) == 0);
  return n;
}

/* Moves up to n things of a name (NULL: any); how many there were. */
static int move(struct set *set, const char *name, int from, int to, int n) {
  int moved = 0;
  for (int i = 0; i < set->n && moved < n; i++)
    if (set->thing[i].at == from &&
        (!name || strcmp(set->thing[i].name, name) == 0)) {
      set->thing[i].at = to;
      moved++;
    }
  return moved;
}

/* ---- The table ---------------------------------------------------------- */

enum task_kind {
  T_LOT,
  T_MISSIONS,
  T_FAVOUR,
  T_ROUND,
  T_MONEY,
  T_POWERS,
  T_WITHDRAW,
  T_DRAW, /* a pile, a seat, how many */
  T_SWAP,
  T_EXCHANGE,
  T_UP_DONE,
  T_FOOTHOLD, /* seat, mission */
  T_LAST,
  T_TURN,
  T_TILE,
  T_INTRIGUE, /* seat, tile */
  T_COUNT,
  T_TIE,
  T_REWARD,
  T_PAY,
  T_PUT,
  T_CROWN,
  T_AWARD,
  T_RECOUP,
  T_HOME,
  T_MISSION,
  T_STACK,
  T_END_POWER,
  T_KEEP,
  T_NEXT_ROUND,
  T_END,
  T_OVER
};

enum { P_INFLUENCE, P_INTRIGUE, P_MONEY, P_LIGHT, P_MEDIUM, P_DARK, P_SHIELDS };

struct task {
  enum task_kind kind;
  int seat, what, n;
};

struct slow {
  int players;
  bool plain;
  int first, start, round, louis, favourite;
  bool black[13];
  struct set markers[4]; /* each at a tile, READY, GENERAL or a SPACE */
  struct set neutral;
  struct set influence, intrigue, missions, money, shields, chips;
  int kindless[4], gold[4];
  char laid[4][40][8]; /* in order */
  int laid_n[4];
  int used[4][3];
  bool withdrawn[4][5];

  /* of the tile being evaluated, and of the phase of missions */
  int counted[4], most, leader;
  bool won[4];
  bool tile_open;
  int fulfilled_now;

  struct task agenda[400];
  int tasks;
  bool over;
};

static int place(int base, int seat) { return base + seat; }
static int space_of(int seat, int space) { return SPACE + 10 * seat + space; }

static void plan(struct slow *s, enum task_kind kind, int seat, int what,
                 int n) {
  s->agenda[s->tasks++] = (struct task){kind, seat, what, n};
}

/* Plans the same for everybody so that it happens in turn order. */
static void plan_all(struct slow *s, enum task_kind kind, int what) {
  for (int i = s->players - 1; i >= 0; i--)
    plan(s, kind, (s->start + i) % s->players, what, 0);
}

static int markers_at(const struct slow *s, int seat, int at) {
  return lie(&s->markers[seat], NULL, at);
}

static int at_hand(const struct slow *s, int seat) {
  return markers_at(s, seat, place(READY, seat)) +
         markers_at(s, seat, place(GENERAL, seat));
}

static int on_board(const struct slow *s, int seat) {
  int n = 0;
  for (int i = 1; i <= 4; i++)
    n += markers_at(s, seat, space_of(seat, i));
  return n;
}

static bool may_use(const struct slow *s, int seat, int space) {
  return markers_at(s, seat, space_of(seat, space)) &&
         !s->withdrawn[seat][space];
}

static void use(struct slow *s, int seat, int space) {
  move(&s->markers[seat], NULL, space_of(seat, space), place(GENERAL, seat), 1);
}

static int mission_number(const char *id) {
  for (int i = 0; i < 40; i++)
    if (strcmp(slow_missions[i][0], id) == 0)
      return i;
  return -1;
}

static int tier_of(const char *id) {
  return id[0] == 'L' ? 0 : id[0] == 'M' ? 1 : 2;
}

static int powers(const struct slow *s, int seat, const char *power) {
  int n = 0;
  for (int i = 0; i < s->laid_n[seat]; i++)
    n += strcmp(slow_missions[mission_number(s->laid[seat][i])][2], power) == 0;
  return n;
}

static int chips_of(const struct slow *s, int seat) {
  return lie(&s->chips, NULL, place(HELD, seat));
}

static const char *side(const struct slow *s, int tile) {
  return s->black[tile] ? slow_tiles[tile].black : slow_tiles[tile].red;
}

static int missions_in(const struct slow *s, int tier, int at) {
  int n = 0;
  for (int i = 0; i < s->missions.n; i++)
    n += s->missions.thing[i].at == at &&
         tier_of(s->missions.thing[i].name) == tier;
  return n;
}

static int stacks(const struct slow *s) {
  int n = 0;
  for (int t = 0; t < 3; t++)
    n += missions_in(s, t, THE_DECK) > 0;
  return n;
}

static bool trading(const struct slow *s) {
  return s->fulfilled_now == 0 && s->round < 4 && stacks(s) > 0;
}

static struct set *pile_set(struct slow *s, int pile) {
  return pile == P_INFLUENCE  ? &s->influence
         : pile == P_INTRIGUE ? &s->intrigue
         : pile == P_MONEY    ? &s->money
         : pile == P_SHIELDS  ? &s->shields
                              : &s->missions;
}

static bool of_pile(int pile, const char *name) {
  return pile < P_LIGHT || pile > P_DARK || tier_of(name) == pile - P_LIGHT;
}

static int left_in(struct slow *s, int pile) {
  const struct set *set = pile_set(s, pile);
  int n = 0;
  for (int i = 0; i < set->n; i++)
    n += set->thing[i].at == THE_DECK && of_pile(pile, set->thing[i].name);
  return n;
}

/* A shield without a kind where there are no more, nothing where a deck and its
 * open pile are empty. */
static void plan_draw(struct slow *s, int pile, int seat, int n) {
  while (n-- > 0)
    plan(s, T_DRAW, seat, pile, 1);
}

/* ---- The board as geometry ---------------------------------------------- */

static int tile_on(int row, int column) {
  for (int t = 1; t <= 12; t++)
    if (slow_tiles[t].row == row && slow_tiles[t].column == column)
      return t;
  return 0;
}

static bool corners(int a, int b) {
  return abs(slow_tiles[a].row - slow_tiles[b].row) == 1 &&
         abs(slow_tiles[a].column - slow_tiles[b].column) == 1;
}

/* On one diagonal, with a tile on every place between. */
static bool in_line(int a, int b) {
  int row = slow_tiles[a].row, column = slow_tiles[a].column;
  const int rows = slow_tiles[b].row - row,
            columns = slow_tiles[b].column - column;
  if (rows == 0 || abs(rows) != abs(columns))
    return false;
  for (int i = 1; i < abs(rows); i++)
    if (!tile_on(row + i * rows / abs(rows),
                 column + i * columns / abs(columns)))
      return false;
  return true;
}

/* ---- Setup -------------------------------------------------------------- */

static void slow_setup(struct slow *s, int players, bool plain, int first) {
  static const char *const cards[] = {"1:3", "1:6", "2:4", "2:5",
                                      "3:4", "3:5", "4:3", "4:6"};
  memset(s, 0, sizeof *s);
  s->players = players;
  s->plain = plain;
  s->leader = -1;
  for (int t = 1; t <= 12; t++)
    make(&s->influence, 2, THE_DECK, "%d", t);
  make(&s->influence, 6, THE_DECK, "J");
  for (int t = 1; t <= 12; t++)
    make(&s->intrigue, 1, THE_DECK, "%d", t);
  for (int i = 0; i < 40; i++)
    make(&s->missions, 1, THE_DECK, "%s", slow_missions[i][0]);
  for (int i = 0; i < 8; i++)
    make(&s->money, 1, THE_DECK, "%s", cards[i]);
  for (int k = 1; k <= 6; k++)
    make(&s->shields, 10, THE_DECK, "%d", k);
  for (int k = 0; k < 5; k++)
    make(&s->chips, k ? 6 : 10, THE_STOCK, "%s", slow_kinds[k]);
  plan(s, T_LOT, -1, first, 0);
}

static void slow_seat_everyone(struct slow *s, int first) {
  static const int four[] = {11, 11, 10, 9};
  s->first = s->start = first;
  plan(s, T_ROUND, -1, 0, 0);
  if (!s->plain)
    plan_all(s, T_FAVOUR, 0);
  plan_all(s, T_MISSIONS, 0);
  for (int i = 0; i < s->players; i++) {
    const int seat = (first + i) % s->players;
    const int ready = s->players == 4 ? four[i] : 11;
    s->gold[seat] = 5;
    make(&s->markers[seat], ready, place(READY, seat), "m");
    make(&s->markers[seat], 16 - ready, place(GENERAL, seat), "m");
  }
}

/* ---- What happens unasked ----------------------------------------------- */

static void begin_round(struct slow *s) {
  if (s->round++ > 0)
    s->start = (s->start + 1) % s->players;
  memset(s->used, 0, sizeof s->used);
  memset(s->withdrawn, 0, sizeof s->withdrawn);
  plan(s, T_NEXT_ROUND, -1, 0, 0);
  plan_all(s, T_MISSION, 0);
  plan(s, T_TILE, -1, 1, 0);
  plan(s, T_TURN, s->start, 0, 0);
  plan_all(s, T_LAST, 0);
  for (int i = s->players - 1; i >= 0; i--) {
    const int seat = (s->start + i) % s->players;
    for (int m = s->laid_n[seat] - 1; m >= 0; m--)
      plan(s, T_FOOTHOLD, seat, mission_number(s->laid[seat][m]), 0);
  }
  if (s->players == 2) {
    plan(s, T_UP_DONE, -1, 0, 0);
    plan_draw(s, P_INFLUENCE, -1, 5);
  }
  plan_all(s, T_EXCHANGE, 0);
  for (int i = s->players - 1; i >= 0; i--) {
    const int seat = (s->start + i) % s->players;
    plan(s, T_SWAP, seat, 0, powers(s, seat, "swap"));
  }
  for (int i = s->players - 1; i >= 0; i--) {
    const int seat = (s->start + i) % s->players;
    plan_draw(s, P_INFLUENCE, seat, 5 + powers(s, seat, "card"));
  }
  plan_all(s, T_WITHDRAW, 0);
  plan_all(s, T_POWERS, 0);
  plan(s, T_DRAW, -1, P_MONEY, 1);
  if (s->players == 3 && s->round == 4)
    plan_draw(s, P_INTRIGUE, s->start, 1);
}

static void plan_tile(struct slow *s, int tile) {
  if (tile < 12)
    plan(s, T_TILE, -1, tile + 1, 0);
  plan(s, T_HOME, -1, tile, 0);
  plan_all(s, T_RECOUP, tile);
  plan_all(s, T_AWARD, tile);
  plan(s, T_CROWN, -1, tile, 0);
  plan(s, T_COUNT, -1, tile, 0); /* plans ties and rewards */
  plan_all(s, T_INTRIGUE, tile);
  s->tile_open = true;
}

static void count_tile(struct slow *s, int tile) {
  const int neutral = lie(&s->neutral, NULL, tile);
  s->most = neutral;
  s->leader = -1;
  for (int seat = 0; seat < s->players; seat++) {
    s->won[seat] = false;
    s->counted[seat] = markers_at(s, seat, tile);
    if (s->counted[seat] > s->most)
      s->most = s->counted[seat];
  }
  int with_most = neutral == s->most;
  for (int seat = 0; seat < s->players; seat++)
    with_most += s->counted[seat] == s->most;
  for (int seat = 0; seat < s->players; seat++)
    if (with_most == 1 && s->counted[seat] == s->most)
      s->leader = seat;
  /* the reward of whoever is not known yet to be first is planned as seat -1 */
  for (int i = s->players - 1; i >= 0; i--)
    plan(s, T_REWARD, (s->start + i) % s->players, tile, 0);
  plan(s, T_REWARD, -1, tile, 1);
  plan_all(s, T_TIE, tile);
}

static bool first_matters(const struct slow *s, int tile) {
  return strncmp(side(s, tile), "min", 3) != 0 || s->louis == tile ||
         s->favourite == tile;
}

static bool to_be_had(struct slow *s, int tile, int seat) {
  const char *r = slow_tiles[tile].reward;
  if (strcmp(r, "gold") == 0)
    return true;
  if (strcmp(r, "place") == 0)
    return at_hand(s, seat) > 0;
  if (strcmp(r, "shield") == 0)
    return lie(&s->shields, NULL, THE_DECK) > 0;
  if (strcmp(r, "influence") == 0)
    return lie(&s->influence, NULL, THE_DECK) +
           lie(&s->influence, NULL, THE_OPEN);
  if (strcmp(r, "intrigue") == 0)
    return lie(&s->intrigue, NULL, THE_DECK) +
           lie(&s->intrigue, NULL, THE_OPEN);
  return lie(&s->chips, r, THE_STOCK) > 0;
}

static void hand_out(struct slow *s, int tile, int seat) {
  const char *r = slow_tiles[tile].reward;
  const int n = slow_tiles[tile].amount;
  if (strcmp(r, "gold") == 0)
    s->gold[seat] += n;
  else if (strcmp(r, "place") == 0)
    plan(s, T_PUT, seat, tile, 0);
  else if (strcmp(r, "shield") == 0)
    plan_draw(s, P_SHIELDS, seat,
              n < left_in(s, P_SHIELDS) ? n : left_in(s, P_SHIELDS));
  else if (strcmp(r, "influence") == 0)
    plan_draw(s, P_INFLUENCE, seat, n);
  else if (strcmp(r, "intrigue") == 0)
    plan_draw(s, P_INTRIGUE, seat, n);
  else
    move(&s->chips, r, THE_STOCK, place(HELD, seat), n);
}

static int cost_here(const struct slow *s, int tile, int seat) {
  const int n = atoi(side(s, tile) + 4) - powers(s, seat, "bribe1");
  return n < 1 ? 1 : n;
}

static void reward(struct slow *s, struct task t) {
  const char *how = side(s, t.what);
  const int seat = t.n ? s->leader : t.seat;
  if (seat < 0 || (!t.n && seat == s->leader) || !to_be_had(s, t.what, seat))
    return;
  if (strncmp(how, "min", 3) == 0) {
    if (s->counted[seat] < atoi(how + 4))
      return;
    s->won[seat] = true;
    hand_out(s, t.what, seat);
  } else if (t.n) {
    s->won[seat] = true;
    hand_out(s, t.what, seat);
  } else if (strncmp(how, "pay", 3) == 0 && s->counted[seat] &&
             s->gold[seat] >= cost_here(s, t.what, seat)) {
    plan(s, T_PAY, seat, t.what, 0);
  }
}

/* Markers for the Favourite: the spaces named, the rest to the ready ones. */
static void award(struct slow *s, int seat, const char *text) {
  int due = s->leader == seat ? 2 : 1;
  struct set *m = &s->markers[seat];
  for (const char *p = text; p && (p = strchr(p, ' ')); p++) {
    const int to = space_of(seat, atoi(p + 1));
    if (!move(m, NULL, place(GENERAL, seat), to, 1))
      move(m, NULL, place(READY, seat), to, 1);
    due--;
  }
  move(m, NULL, place(GENERAL, seat), place(READY, seat), due);
}

static void go_home(struct slow *s, int tile) {
  bool anybody = false;
  for (int seat = 0; seat < s->players; seat++) {
    move(&s->markers[seat], NULL, tile,
         place(s->won[seat] ? GENERAL : READY, seat), s->counted[seat]);
    anybody |= s->won[seat];
  }
  move(&s->neutral, NULL, tile, NOWHERE, 64);
  s->black[tile] ^= anybody;
  s->tile_open = false;
}

static void take_powers(struct slow *s, int seat) {
  s->gold[seat] += 2 * powers(s, seat, "gold2") + 3 * powers(s, seat, "gold3");
  move(&s->markers[seat], NULL, place(GENERAL, seat), place(READY, seat),
       2 * powers(s, seat, "mark2") + 3 * powers(s, seat, "mark3"));
  plan_draw(s, P_INTRIGUE, seat, powers(s, seat, "intr"));
}

static void drop_single(struct slow *s, int seat) {
  if (lie(&s->influence, NULL, place(HELD, seat)) == 1)
    move(&s->influence, NULL, place(HELD, seat), THE_OPEN, 1);
}

static void turn_up_done(struct slow *s) {
  for (int i = 0; i < s->influence.n; i++)
    if (s->influence.thing[i].at == TURNED_UP)
      s->influence.thing[i].at = THE_OPEN;
}

static int final_shields(const struct slow *s, int seat) {
  int n = lie(&s->influence, NULL, place(HELD, seat)) +
          lie(&s->intrigue, NULL, place(HELD, seat)) + chips_of(s, seat) +
          s->gold[seat] / 3 + on_board(s, seat) / 2;
  for (int t = 1; t <= 12; t++)
    n += markers_at(s, seat, t);
  return n;
}

/* Who plays next, if anybody holds cards. */
static bool find_turn(struct slow *s, struct task *t) {
  for (int i = 0; i < s->players; i++) {
    const int seat = (t->seat + i) % s->players;
    if (lie(&s->influence, NULL, place(HELD, seat))) {
      t->seat = seat;
      return true;
    }
  }
  return false;
}

static bool kinds_alike(const struct slow *s, int seat) {
  for (int k = 0; k < 5; k++)
    if (lie(&s->chips, slow_kinds[k], place(HELD, seat)) == chips_of(s, seat))
      return true;
  return false;
}

static void keep_one_kind(struct slow *s, int seat) {
  move(&s->chips, NULL, place(HELD, seat), THE_STOCK, chips_of(s, seat) - 1);
}

/* Whether a task at the top has to wait for somebody or for chance. */
static bool waits(struct slow *s, struct task *t) {
  const int seat = t->seat;
  switch (t->kind) {
  case T_LOT: return t->what < 0;
  case T_MISSIONS: return true;
  case T_FAVOUR: return true;
  case T_DRAW:
    if (t->what < P_MONEY && !left_in(s, t->what))
      move(pile_set(s, t->what), NULL, THE_OPEN, THE_DECK, 64);
    return left_in(s, t->what) > 0;
  case T_WITHDRAW: return on_board(s, seat) > 0;
  case T_SWAP: return t->n > 0 && lie(&s->influence, NULL, place(HELD, seat));
  case T_EXCHANGE:
    return may_use(s, seat, 1) && lie(&s->influence, NULL, place(HELD, seat));
  case T_FOOTHOLD: return *slow_missions[t->what][3] && at_hand(s, seat) > 0;
  case T_TURN: return find_turn(s, t);
  case T_INTRIGUE: {
    char card[8];
    snprintf(card, sizeof card, "%d", t->what);
    return lie(&s->intrigue, NULL, place(HELD, seat)) && at_hand(s, seat) &&
           !lie(&s->intrigue, card, THE_OPEN);
  }
  case T_TIE:
    return s->leader < 0 && s->counted[seat] == s->most && s->most > 0 &&
           first_matters(s, t->what) &&
           powers(s, seat, "tie") > s->used[seat][0];
  case T_PAY:
  case T_PUT: return true;
  case T_AWARD:
    return s->favourite == t->what && s->counted[seat] &&
           on_board(s, seat) < 4 && at_hand(s, seat) > 0;
  case T_RECOUP:
    return s->won[seat] && powers(s, seat, "recoup") > s->used[seat][1];
  case T_MISSION:
    if (t->n == 0)
      s->fulfilled_now = 0;
    t->n = 1;
    return lie(&s->missions, NULL, place(HELD, seat)) &&
           (chips_of(s, seat) >= 2 || trading(s));
  case T_STACK: return stacks(s) > 1;
  case T_KEEP:
    return s->round < 4 && chips_of(s, seat) >= 2 &&
           (!kinds_alike(s, seat) || may_use(s, seat, 4));
  default: return false;
  }
}

/* Does a task that waits for nobody. */
static void perform(struct slow *s, struct task t) {
  switch (t.kind) {
  case T_LOT: slow_seat_everyone(s, t.what); break;
  case T_ROUND: begin_round(s); break;
  case T_DRAW:
    if (t.what == P_SHIELDS)
      s->kindless[t.seat]++;
    break;
  case T_POWERS: take_powers(s, t.seat); break;
  case T_UP_DONE: turn_up_done(s); break;
  case T_LAST: drop_single(s, t.seat); break;
  case T_TILE: plan_tile(s, t.what); break;
  case T_COUNT: count_tile(s, t.what); break;
  case T_REWARD: reward(s, t); break;
  case T_CROWN:
    if (s->louis == t.what && s->leader >= 0)
      move(&s->chips, "crown", THE_STOCK, place(HELD, s->leader), 1);
    break;
  case T_AWARD:
    if (s->favourite == t.what && s->counted[t.seat])
      award(s, t.seat, NULL);
    break;
  case T_HOME: go_home(s, t.what); break;
  case T_MISSION: plan(s, T_END_POWER, t.seat, 0, 0); break;
  case T_STACK:
    plan(s, T_MISSION, t.seat, 0, 1);
    for (int i = 0; i < 3; i++)
      if (missions_in(s, i, THE_DECK))
        plan_draw(s, P_LIGHT + i, t.seat, 1);
    break;
  case T_END_POWER:
    plan(s, T_KEEP, t.seat, 0, 0);
    plan_draw(s, P_SHIELDS, t.seat, powers(s, t.seat, "shield"));
    break;
  case T_KEEP:
    if (s->round < 4 && chips_of(s, t.seat) >= 2)
      keep_one_kind(s, t.seat);
    break;
  case T_NEXT_ROUND:
    if (s->round < 4) {
      plan(s, T_ROUND, -1, 0, 0);
    } else {
      plan(s, T_OVER, -1, 0, 0);
      plan_all(s, T_END, 0);
    }
    break;
  case T_END: plan_draw(s, P_SHIELDS, t.seat, final_shields(s, t.seat)); break;
  case T_OVER: s->over = true; break;
  default: break;
  }
}

/* Works the agenda down to what waits. */
static void slow_go_on(struct slow *s) {
  while (!s->over) {
    struct task *t = &s->agenda[s->tasks - 1];
    if (waits(s, t))
      return;
    s->tasks--;
    perform(s, s->agenda[s->tasks]);
  }
}

static const struct task *slow_top(const struct slow *s) {
  static const struct task nothing = {T_OVER, -1, 0, 0};
  return s->tasks ? &s->agenda[s->tasks - 1] : &nothing;
}

/* -1: chance; -2: over. */
static int slow_asked(const struct slow *s) {
  if (s->over)
    return -2;
  const struct task *t = slow_top(s);
  return t->kind == T_LOT || t->kind == T_MISSIONS || t->kind == T_DRAW
             ? -1
             : t->seat;
}

static void slow_start(struct slow *s, int players, bool plain, int first) {
  slow_setup(s, players, plain, first);
  slow_go_on(s);
}

/* ---- Chance ------------------------------------------------------------- */

static int slow_pile(const struct slow *s) {
  const struct task *t = slow_top(s);
  return t->kind == T_MISSIONS ? P_LIGHT + t->what : t->what;
}

/* How many outcomes have that name; NULL: all. */
static int slow_weight(struct slow *s, const char *name) {
  if (slow_top(s)->kind == T_LOT)
    return name ? atoi(name) < s->players : s->players;
  const int pile = slow_pile(s);
  if (!name)
    return left_in(s, pile);
  return of_pile(pile, name) ? lie(pile_set(s, pile), name, THE_DECK) : 0;
}

static void draw_money(struct slow *s, const char *card) {
  static const int opposite[] = {0, 3, 4, 1, 2};
  s->louis = card[0] - '0';
  for (int seat = 0; seat < s->players; seat++)
    s->gold[seat] += atoi(card + 2);
  if (!s->plain)
    s->favourite = opposite[s->louis];
}

static void draw_neutral(struct slow *s, const char *card) {
  make(&s->neutral, 2, *card == 'J' ? s->louis : atoi(card), "n");
}

static void slow_draw(struct slow *s, const char *name) {
  struct task *t = &s->agenda[s->tasks - 1];
  const struct task was = *t;
  if (t->kind == T_LOT) {
    t->what = atoi(name);
    slow_go_on(s);
    return;
  }
  const int pile = slow_pile(s);
  if (t->kind == T_MISSIONS && t->what == 0)
    t->what = 1; /* the medium one comes next */
  else
    s->tasks--;
  const bool up = pile == P_INFLUENCE && was.seat < 0;
  move(pile_set(s, pile), name, THE_DECK,
       up                ? TURNED_UP
       : pile == P_MONEY ? NOWHERE
                         : place(HELD, was.seat),
       1);
  if (pile == P_MONEY)
    draw_money(s, name);
  if (up)
    draw_neutral(s, name);
  slow_go_on(s);
}

/* ---- Actions ------------------------------------------------------------ */

/* The words of an action. */
struct words {
  char word[16][12];
  int n;
};

static void split(const char *text, struct words *w) {
  w->n = 0;
  while (*text && w->n < 16) {
    const size_t n = strcspn(text, " ");
    snprintf(w->word[w->n++], 12, "%.*s", (int)n, text);
    text += n + (text[n] == ' ');
  }
}

static bool says(const struct words *w, int i, const char *word) {
  return i < w->n && strcmp(w->word[i], word) == 0;
}

static int card_rank(const char *name) {
  return *name == 'J' ? 13 : atoi(name);
}

/* Puts so many free markers down. */
static void put_free(struct slow *s, int seat, const struct words *w) {
  for (int i = 1; i < w->n; i++)
    if (!move(&s->markers[seat], NULL, place(GENERAL, seat), atoi(w->word[i]),
              1))
      move(&s->markers[seat], NULL, place(READY, seat), atoi(w->word[i]), 1);
}

static bool chip_fits(const char *chip, const char *cost) {
  return strcmp(chip, "crown") == 0 || strcmp(cost, "any") == 0 ||
         strcmp(chip, cost) == 0;
}

/* How many chips have to count as crowns. */
static int wilds(const char *id, const char *a, const char *b) {
  struct words cost;
  split(slow_missions[mission_number(id)][1], &cost);
  const int one = !chip_fits(a, cost.word[0]) + !chip_fits(b, cost.word[1]);
  const int two = !chip_fits(a, cost.word[1]) + !chip_fits(b, cost.word[0]);
  return one < two ? one : two;
}

static void do_path(struct slow *s, int seat, const struct words *w) {
  for (int i = 2; i < w->n; i++)
    move(&s->markers[seat], NULL, place(READY, seat), atoi(w->word[i]),
         atoi(strchr(w->word[i], ':') + 1));
}

static void do_fulfil(struct slow *s, int seat, const struct words *w) {
  s->used[seat][2] += wilds(w->word[1], w->word[2], w->word[3]);
  move(&s->chips, w->word[2], place(HELD, seat), THE_STOCK, 1);
  move(&s->chips, w->word[3], place(HELD, seat), THE_STOCK, 1);
  move(&s->missions, w->word[1], place(HELD, seat), place(LAID_OPEN, seat), 1);
  snprintf(s->laid[seat][s->laid_n[seat]++], 8, "%.7s", w->word[1]);
  s->fulfilled_now++;
  plan(s, T_STACK, seat, 0, 0);
}

static void do_keep(struct slow *s, int seat, const struct words *w) {
  if (says(w, w->n - 1, "favour"))
    use(s, seat, 4);
  move(&s->chips, NULL, place(HELD, seat), THE_STOCK, 64);
  for (int i = 1; i < w->n; i++)
    move(&s->chips, w->word[i], THE_STOCK, place(HELD, seat), 1);
}

static void do_influence(struct slow *s, int seat, const struct words *w) {
  if (says(w, 0, "jump"))
    use(s, seat, 2);
  move(&s->influence, w->word[1], place(HELD, seat), THE_OPEN, 1);
  if (says(w, 0, "recover"))
    move(&s->markers[seat], NULL, place(GENERAL, seat), place(READY, seat), 3);
  else
    do_path(s, seat, w);
  drop_single(s, seat);
  plan(s, T_TURN, (seat + 1) % s->players, 0, 0);
}

static void do_intrigue(struct slow *s, struct task t, const struct words *w) {
  char card[8];
  snprintf(card, sizeof card, "%d", t.what);
  if (says(w, 3, "favour"))
    use(s, t.seat, 3);
  move(&s->intrigue, card, place(HELD, t.seat), THE_OPEN, 1);
  move(&s->markers[t.seat], NULL,
       place(says(w, 1, "general") ? GENERAL : READY, t.seat), t.what,
       atoi(w->word[2]));
}

static void do_recoup(struct slow *s, struct task t) {
  const int n = s->counted[t.seat] < 2 ? s->counted[t.seat] : 2;
  s->used[t.seat][1]++;
  s->counted[t.seat] -= n;
  move(&s->markers[t.seat], NULL, t.what, place(READY, t.seat), n);
}

static int stack_number(const char *name) {
  return name[0] == 'l' ? 0 : name[0] == 'm' ? 1 : 2;
}

static void slow_act(struct slow *s, const char *text) {
  const struct task t = s->agenda[--s->tasks];
  const int seat = t.seat;
  struct words w;
  split(text, &w);
  const bool passes = says(&w, 0, "pass");
  switch (t.kind) {
  case T_FAVOUR:
    move(&s->markers[seat], NULL, place(GENERAL, seat),
         space_of(seat, atoi(w.word[1])), 1);
    break;
  case T_WITHDRAW:
    for (int i = 1; i < w.n; i++) {
      move(&s->markers[seat], NULL, space_of(seat, atoi(w.word[i])),
           place(READY, seat), 1);
      s->withdrawn[seat][atoi(w.word[i])] = true;
    }
    break;
  case T_SWAP:
    if (passes)
      break;
    plan(s, T_SWAP, seat, 0, t.n - 1);
    plan_draw(s, P_INFLUENCE, seat, 1);
    move(&s->influence, w.word[1], place(HELD, seat), THE_OPEN, 1);
    break;
  case T_EXCHANGE:
    if (passes)
      break;
    use(s, seat, 1);
    for (int i = 1; i < w.n; i++)
      move(&s->influence, w.word[i], place(HELD, seat), THE_OPEN, 1);
    plan_draw(s, P_INFLUENCE, seat, w.n - 1);
    break;
  case T_FOOTHOLD:
  case T_PUT:
    if (!passes)
      put_free(s, seat, &w);
    break;
  case T_TURN: do_influence(s, seat, &w); break;
  case T_INTRIGUE:
    if (!passes)
      do_intrigue(s, t, &w);
    break;
  case T_TIE:
    if (!passes) {
      s->leader = seat;
      s->used[seat][0]++;
    }
    break;
  case T_PAY:
    if (!passes) {
      s->gold[seat] -= cost_here(s, t.what, seat);
      hand_out(s, t.what, seat);
    }
    break;
  case T_AWARD: award(s, seat, says(&w, 0, "keep") ? NULL : text); break;
  case T_RECOUP:
    if (!passes)
      do_recoup(s, t);
    break;
  case T_MISSION:
    if (says(&w, 0, "fulfil")) {
      do_fulfil(s, seat, &w);
    } else {
      plan(s, T_END_POWER, seat, 0, 0);
      if (says(&w, 0, "trade")) {
        move(&s->missions, w.word[1], place(HELD, seat),
             place(TRADED_AWAY, seat), 1);
        plan_draw(s, P_LIGHT + stack_number(w.word[2]), seat, 1);
      }
    }
    break;
  case T_STACK:
    plan(s, T_MISSION, seat, 0, 1);
    plan_draw(s, P_LIGHT + stack_number(w.word[1]), seat, 1);
    break;
  case T_KEEP: do_keep(s, seat, &w); break;
  default: abort();
  }
  slow_go_on(s);
}

#endif
