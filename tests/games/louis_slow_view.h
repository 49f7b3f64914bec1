/* What the slow Louis XIV (louis_slow.h) allows and shows: every legal action as
 * text, in any order, and the whole position as the JSON of the protocol. */
#ifndef SAL_TESTS_LOUIS_SLOW_VIEW_H
#define SAL_TESTS_LOUIS_SLOW_VIEW_H

#include "louis_slow.h"

/* ---- What is allowed ---------------------------------------------------- */

enum { TEXTS_MAX = 4000, TEXT_LEN = 64 };

struct texts {
  char at[TEXTS_MAX][TEXT_LEN];
  int n;
};

__attribute__((format(printf, 2, 3))) static void add(struct texts *x,
                                                      const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(x->at[x->n++], TEXT_LEN, format, args);
  va_end(args);
}

/* One name of each kind of card held. */
static int cards_held(const struct slow *s, int seat, char names[13][8]) {
  int n = 0;
  for (int i = 0; i < s->influence.n; i++)
    if (s->influence.thing[i].at == place(HELD, seat) &&
        (n == 0 || strcmp(names[n - 1], s->influence.thing[i].name) != 0))
      strcpy(names[n++], s->influence.thing[i].name);
  return n;
}

static bool steps_allowed(const char *verb, const int *tile, int n) {
  bool longer = false;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < i; k++)
      if (tile[i] == tile[k])
        return false;
  for (int i = 1; i < n; i++) {
    if (*verb == 'p' && !corners(tile[i - 1], tile[i]))
      return false;
    if (!in_line(tile[i - 1], tile[i]))
      return false;
    longer |= !corners(tile[i - 1], tile[i]);
  }
  return *verb == 'p' || longer;
}

static void add_paths(struct texts *x, const struct slow *s, int seat,
                      const char *verb, const char *card) {
  int most = *card == 'J' ? 2 : 3;
  if (markers_at(s, seat, place(READY, seat)) < most)
    most = markers_at(s, seat, place(READY, seat));
  for (int a = 1; a <= 12; a++) {
    if (*card != 'J' && atoi(card) != a)
      continue;
    for (int m = 1; m <= most && *verb == 'p'; m++)
      add(x, "%s %s %d:%d", verb, card, a, m);
    for (int b = 1; b <= 12; b++) {
      if (!in_line(a, b))
        continue;
      for (int m = 1; m < most; m++)
        for (int n = 1; m + n <= most; n++)
          if (steps_allowed(verb, (const int[]){a, b}, 2))
            add(x, "%s %s %d:%d %d:%d", verb, card, a, m, b, n);
      for (int c = 1; c <= 12 && most >= 3; c++)
        if (steps_allowed(verb, (const int[]){a, b, c}, 3))
          add(x, "%s %s %d:1 %d:1 %d:1", verb, card, a, b, c);
    }
  }
}

static void add_influence(struct texts *x, const struct slow *s, int seat) {
  char names[13][8];
  const int n = cards_held(s, seat, names);
  for (int i = 0; i < n; i++) {
    add_paths(x, s, seat, "play", names[i]);
    if (may_use(s, seat, 2))
      add_paths(x, s, seat, "jump", names[i]);
    add(x, "recover %s", names[i]);
  }
}

/* Every way to take some of the cards from the i-th kind on. */
static void add_exchanges(struct texts *x, const struct slow *s, int seat,
                          char names[13][8], int n, int i, const char *so_far) {
  if (i == n) {
    if (strchr(so_far, ' '))
      add(x, "%s", so_far);
    return;
  }
  char text[TEXT_LEN];
  snprintf(text, sizeof text, "%s", so_far);
  add_exchanges(x, s, seat, names, n, i + 1, text);
  for (int k = lie(&s->influence, names[i], place(HELD, seat)); k > 0; k--) {
    const size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, " %.7s", names[i]);
    add_exchanges(x, s, seat, names, n, i + 1, text);
  }
}

static void add_intrigues(struct texts *x, const struct slow *s, int seat,
                          int tile) {
  char card[8];
  snprintf(card, sizeof card, "%d", tile);
  const int ready = markers_at(s, seat, place(READY, seat));
  const int general = markers_at(s, seat, place(GENERAL, seat));
  add(x, "pass");
  if (!lie(&s->intrigue, card, place(HELD, seat)))
    return;
  if (general >= 1)
    add(x, "intrigue general 1");
  if (ready >= 1)
    add(x, "intrigue personal 1");
  if (ready >= 2)
    add(x, "intrigue personal 2");
  if (may_use(s, seat, 3) && general + 1 >= 2)
    add(x, "intrigue general 2 favour");
  if (may_use(s, seat, 3) && ready >= 3)
    add(x, "intrigue personal 3 favour");
}

static void add_pairs(struct texts *x, const char *verb) {
  for (int a = 1; a <= 12; a++)
    for (int b = a; b <= 12; b++)
      add(x, "%s %d %d", verb, a, b);
}

static void add_footholds(struct texts *x, const struct slow *s, int seat,
                          int mission) {
  struct words tiles;
  split(slow_missions[mission][3], &tiles);
  for (int i = 0; i < tiles.n; i++)
    add(x, "foothold %s", tiles.word[i]);
  if (strcmp(slow_missions[mission][2], "any2") == 0 && at_hand(s, seat) >= 2)
    add_pairs(x, "foothold");
  add(x, "pass");
}

static void add_favours(struct texts *x, const struct slow *s, int seat) {
  const int due = s->leader == seat ? 2 : 1;
  add(x, "keep");
  for (int a = 1; a <= 4; a++) {
    if (markers_at(s, seat, space_of(seat, a)))
      continue;
    add(x, "favour %d", a);
    for (int b = a + 1; b <= 4 && due == 2 && at_hand(s, seat) >= 2; b++)
      if (!markers_at(s, seat, space_of(seat, b)))
        add(x, "favour %d %d", a, b);
  }
}

static bool holds_chips(const struct slow *s, int seat, const int *kind,
                        int n) {
  for (int k = 0; k < 5; k++) {
    int wanted = 0;
    for (int i = 0; i < n; i++)
      wanted += kind[i] == k;
    if (lie(&s->chips, slow_kinds[k], place(HELD, seat)) < wanted)
      return false;
  }
  return true;
}

static void add_missions(struct texts *x, const struct slow *s, int seat) {
  add(x, "done");
  for (int i = 0; i < s->missions.n; i++) {
    const char *id = s->missions.thing[i].name;
    if (s->missions.thing[i].at != place(HELD, seat))
      continue;
    for (int a = 0; a < 5; a++)
      for (int b = a; b < 5; b++)
        if (holds_chips(s, seat, (const int[]){a, b}, 2) &&
            wilds(id, slow_kinds[a], slow_kinds[b]) + s->used[seat][2] <=
                powers(s, seat, "wild"))
          add(x, "fulfil %s %s %s", id, slow_kinds[a], slow_kinds[b]);
    for (int t = 0; t < 3 && trading(s); t++)
      if (missions_in(s, t, THE_DECK))
        add(x, "trade %s %s", id, slow_tiers[t]);
  }
}

static void add_keeps(struct texts *x, const struct slow *s, int seat) {
  for (int a = 0; a < 5; a++) {
    if (holds_chips(s, seat, (const int[]){a}, 1))
      add(x, "keep %s", slow_kinds[a]);
    for (int b = a; b < 5 && may_use(s, seat, 4); b++) {
      if (holds_chips(s, seat, (const int[]){a, b}, 2))
        add(x, "keep %s %s favour", slow_kinds[a], slow_kinds[b]);
      for (int c = b; c < 5; c++)
        if (holds_chips(s, seat, (const int[]){a, b, c}, 3))
          add(x, "keep %s %s %s favour", slow_kinds[a], slow_kinds[b],
              slow_kinds[c]);
    }
  }
}

static void add_withdrawals(struct texts *x, const struct slow *s, int seat) {
  add(x, "pass");
  for (int mask = 1; mask < 16; mask++) {
    char text[TEXT_LEN] = "withdraw";
    bool all = true;
    for (int i = 1; i <= 4; i++)
      if (mask >> (i - 1) & 1) {
        const size_t n = strlen(text);
        snprintf(text + n, sizeof text - n, " %d", i);
        all &= markers_at(s, seat, space_of(seat, i)) > 0;
      }
    if (all)
      add(x, "%s", text);
  }
}

static void slow_legal(const struct slow *s, struct texts *x) {
  const struct task *t = slow_top(s);
  const int seat = t->seat;
  char names[13][8];
  x->n = 0;
  switch (t->kind) {
  case T_FAVOUR:
    for (int i = 1; i <= 4; i++)
      add(x, "favour %d", i);
    break;
  case T_WITHDRAW: add_withdrawals(x, s, seat); break;
  case T_SWAP:
    add(x, "pass");
    for (int i = cards_held(s, seat, names); i > 0; i--)
      add(x, "swap %s", names[i - 1]);
    break;
  case T_EXCHANGE:
    add(x, "pass");
    add_exchanges(x, s, seat, names, cards_held(s, seat, names), 0, "exchange");
    break;
  case T_FOOTHOLD: add_footholds(x, s, seat, t->what); break;
  case T_TURN: add_influence(x, s, seat); break;
  case T_INTRIGUE: add_intrigues(x, s, seat, t->what); break;
  case T_TIE:
    add(x, "pass");
    add(x, "tie");
    break;
  case T_PAY:
    add(x, "pass");
    add(x, "pay");
    break;
  case T_PUT:
    if (at_hand(s, seat) >= 2)
      add_pairs(x, "put");
    for (int a = 1; a <= 12 && at_hand(s, seat) < 2; a++)
      add(x, "put %d", a);
    break;
  case T_AWARD: add_favours(x, s, seat); break;
  case T_RECOUP:
    add(x, "pass");
    add(x, "recoup");
    break;
  case T_MISSION: add_missions(x, s, seat); break;
  case T_STACK:
    for (int i = 0; i < 3; i++)
      if (missions_in(s, i, THE_DECK))
        add(x, "draw %s", slow_tiers[i]);
    break;
  case T_KEEP: add_keeps(x, s, seat); break;
  default: abort();
  }
}

/* ---- The position as JSON ----------------------------------------------- */

struct page {
  char text[1 << 15];
  size_t n;
};

__attribute__((format(printf, 2, 3))) static void
write_in(struct page *p, const char *format, ...) {
  va_list args;
  va_start(args, format);
  p->n +=
      (size_t)vsnprintf(p->text + p->n, sizeof p->text - p->n, format, args);
  va_end(args);
}

static const char *comma(int i) { return i ? "," : ""; }

/* Names of what lies somewhere, sorted by rank. */
static void names_at(struct page *p, const struct set *set, int at) {
  int n = 0;
  write_in(p, "[");
  for (int rank = 0; rank <= 13; rank++)
    for (int i = 0; i < set->n; i++)
      if (set->thing[i].at == at && card_rank(set->thing[i].name) == rank) {
        write_in(p, *set->thing[i].name == 'J' ? "%s\"%s\"" : "%s%s",
                 comma(n++), set->thing[i].name);
      }
  write_in(p, "]");
}

static int by_text(const void *a, const void *b) { return strcmp(a, b); }

static void mission_names(struct page *p, const struct slow *s, int seat) {
  char ids[40][8];
  int n = 0;
  for (int i = 0; i < s->missions.n; i++)
    if (s->missions.thing[i].at == place(HELD, seat))
      strcpy(ids[n++], s->missions.thing[i].name);
  qsort(ids, (size_t)n, sizeof *ids, by_text);
  write_in(p, "[");
  for (int i = 0; i < n; i++)
    write_in(p, "%s\"%s\"", comma(i), ids[i]);
  write_in(p, "]");
}

static void chip_counts(struct page *p, const struct slow *s, int at) {
  write_in(p, "{");
  for (int k = 0; k < 5; k++)
    write_in(p, "%s\"%s\":%d", comma(k), slow_kinds[k],
             lie(&s->chips, slow_kinds[k], at));
  write_in(p, "}");
}

static const char *slow_phase(const struct slow *s) {
  static const char *const names[] = {
      [T_FAVOUR] = "setup",      [T_WITHDRAW] = "withdraw",
      [T_SWAP] = "swap",         [T_EXCHANGE] = "exchange",
      [T_FOOTHOLD] = "foothold", [T_TURN] = "influence",
      [T_INTRIGUE] = "intrigue", [T_TIE] = "tie",
      [T_PAY] = "pay",           [T_PUT] = "put",
      [T_AWARD] = "favourite",   [T_RECOUP] = "recoup",
      [T_MISSION] = "mission",   [T_STACK] = "draw",
      [T_KEEP] = "keep",         [T_OVER] = "over"};
  return s->over ? "over" : names[slow_top(s)->kind];
}

static void slow_points(const struct slow *s, int *out) {
  for (int seat = 0; seat < s->players; seat++)
    out[seat] = 5 * s->laid_n[seat] + s->kindless[seat] +
                lie(&s->shields, NULL, place(HELD, seat));
  for (int k = 1; k <= 6 && s->over; k++) {
    const char kind[] = {(char)('0' + k), '\0'};
    int most = 0;
    for (int seat = 0; seat < s->players; seat++)
      if (lie(&s->shields, kind, place(HELD, seat)) > most)
        most = lie(&s->shields, kind, place(HELD, seat));
    for (int seat = 0; seat < s->players; seat++)
      out[seat] += most && lie(&s->shields, kind, place(HELD, seat)) == most;
  }
}

static unsigned slow_winners(const struct slow *s) {
  int points[4];
  unsigned winners = 0;
  slow_points(s, points);
  for (int a = 0; a < s->players; a++) {
    bool beaten = false;
    for (int b = 0; b < s->players; b++) {
      if (points[b] != points[a])
        beaten |= points[b] > points[a];
      else if (s->laid_n[b] != s->laid_n[a])
        beaten |= s->laid_n[b] > s->laid_n[a];
      else
        beaten |= s->gold[b] % 3 > s->gold[a] % 3;
    }
    if (!beaten)
      winners |= 1u << a;
  }
  return winners;
}

#define EACH(format, value)                                                    \
  for (int seat = 0; seat < s->players; seat++)                                \
  write_in(p, "%s" format, comma(seat), value)

static void tile_or_null(struct page *p, const char *key, int tile) {
  if (tile)
    write_in(p, ",\"%s\":%d", key, tile);
  else
    write_in(p, ",\"%s\":null", key);
}

static void show_tiles(struct page *p, const struct slow *s) {
  write_in(p, ",\"tiles\":[");
  for (int t = 1; t <= 12; t++) {
    write_in(p, "%s{\"side\":\"%s\",\"markers\":[", comma(t - 1),
             s->black[t] ? "black" : "red");
    EACH("%d", markers_at(s, seat, t));
    write_in(p, "],\"neutral\":%d}", lie(&s->neutral, NULL, t));
  }
  write_in(p, "]");
}

static void show_seats(struct page *p, const struct slow *s) {
  write_in(p, ",\"gold\":[");
  EACH("%d", s->gold[seat]);
  write_in(p, "],\"personal\":[");
  EACH("%d", markers_at(s, seat, place(READY, seat)));
  write_in(p, "],\"general\":[");
  EACH("%d", markers_at(s, seat, place(GENERAL, seat)));
  write_in(p, "],\"boards\":[");
  for (int seat = 0; seat < s->players; seat++) {
    write_in(p, "%s[", comma(seat));
    for (int i = 1; i <= 4; i++)
      write_in(p, "%s%s", comma(i - 1),
               markers_at(s, seat, space_of(seat, i)) ? "true" : "false");
    write_in(p, "]");
  }
  write_in(p, "],\"chips\":[");
  for (int seat = 0; seat < s->players; seat++) {
    write_in(p, "%s", comma(seat));
    chip_counts(p, s, place(HELD, seat));
  }
  write_in(p, "],\"stock\":");
  chip_counts(p, s, THE_STOCK);
}

static void show_hands(struct page *p, const struct slow *s) {
  write_in(p, ",\"influence\":[");
  for (int seat = 0; seat < s->players; seat++) {
    write_in(p, "%s", comma(seat));
    names_at(p, &s->influence, place(HELD, seat));
  }
  write_in(p, "],\"intrigue\":[");
  for (int seat = 0; seat < s->players; seat++) {
    write_in(p, "%s", comma(seat));
    names_at(p, &s->intrigue, place(HELD, seat));
  }
  write_in(p, "],\"missions\":[");
  for (int seat = 0; seat < s->players; seat++) {
    write_in(p, "%s", comma(seat));
    mission_names(p, s, seat);
  }
  write_in(p, "],\"shields\":[");
  for (int seat = 0; seat < s->players; seat++) {
    struct set all = s->shields;
    make(&all, s->kindless[seat] < 4 ? s->kindless[seat] : 4, place(HELD, seat),
         "0");
    write_in(p, "%s", comma(seat));
    names_at(p, &all, place(HELD, seat));
  }
  write_in(p, "]");
}

static void show_missions(struct page *p, const struct slow *s) {
  write_in(p, ",\"fulfilled\":[");
  for (int seat = 0; seat < s->players; seat++) {
    write_in(p, "%s[", comma(seat));
    for (int i = 0; i < s->laid_n[seat]; i++)
      write_in(p, "%s\"%s\"", comma(i), s->laid[seat][i]);
    write_in(p, "]");
  }
  write_in(p, "],\"tiers\":[");
  for (int seat = 0; seat < s->players; seat++) {
    int n = 0;
    write_in(p, "%s[", comma(seat));
    for (int t = 0; t < 3; t++)
      for (int i = missions_in(s, t, place(HELD, seat)); i > 0; i--)
        write_in(p, "%s\"%s\"", comma(n++), slow_tiers[t]);
    write_in(p, "]");
  }
  write_in(p, "],\"used\":[");
  for (int seat = 0; seat < s->players; seat++)
    write_in(p, "%s{\"tie\":%d,\"recoup\":%d,\"wild\":%d}", comma(seat),
             s->used[seat][0], s->used[seat][1], s->used[seat][2]);
  write_in(p, "]");
}

static void show_decks(struct page *p, struct slow *s) {
  write_in(
      p,
      ",\"decks\":{\"money\":%d,\"influence\":%d,\"intrigue\":%d,\"light\":%d,"
      "\"medium\":%d,\"dark\":%d,\"shields\":%d},\"discards\":{\"influence\":",
      left_in(s, P_MONEY), left_in(s, P_INFLUENCE), left_in(s, P_INTRIGUE),
      left_in(s, P_LIGHT), left_in(s, P_MEDIUM), left_in(s, P_DARK),
      left_in(s, P_SHIELDS));
  names_at(p, &s->influence, THE_OPEN);
  write_in(p, ",\"intrigue\":");
  names_at(p, &s->intrigue, THE_OPEN);
  write_in(p, "},\"withdrawn\":[");
  for (int seat = 0; seat < s->players; seat++) {
    int n = 0;
    write_in(p, "%s[", comma(seat));
    for (int i = 1; i <= 4; i++)
      if (s->withdrawn[seat][i])
        write_in(p, "%s%d", comma(n++), i);
    write_in(p, "]");
  }
  write_in(p, "]");
}

/* As seat-less as the engine's facts for SAL_EVERYTHING. */
static void slow_facts(struct slow *s, struct page *p) {
  const struct task *t = slow_top(s);
  int points[4];
  p->n = 0;
  write_in(p, "{\"phase\":\"%s\",\"round\":%d,\"rounds\":4,\"start\":%d",
           slow_phase(s), s->round ? s->round : 1, s->start);
  tile_or_null(p, "louis", s->louis);
  tile_or_null(p, "favourite", s->favourite);
  show_tiles(p, s);
  show_seats(p, s);
  show_hands(p, s);
  show_missions(p, s);
  tile_or_null(p, "evaluating", !s->over && s->tile_open ? t->what : 0);
  slow_points(s, points);
  write_in(p, ",\"points\":[");
  EACH("%d", points[seat]);
  write_in(p, "]");
  show_decks(p, s);
  if (!s->over && t->kind == T_FOOTHOLD)
    write_in(p, ",\"asked\":\"%s\"}", slow_missions[t->what][0]);
  else
    write_in(p, ",\"asked\":null}");
}

#endif
