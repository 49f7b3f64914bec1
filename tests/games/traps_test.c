/* Traps beyond the vectors: a second implementation that plays along and counts
 * the same tree, positions that no short game reaches, and the law of
 * resampling against all worlds that fit. */
#include "../../src/games/traps.c"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { TEXT = 8192 };

/* ---- A second Traps ----------------------------------------------------- */

/* Written from the rules alone: rows of card names, flags and plain numbers,
 * no packing and no code in common. Chance is told to it draw by draw. */
struct row {
  int n;
  char card[14][3];
};

struct slow {
  int players, first, round, winner;
  int tokens[6], pot, supply;
  struct row hand[6], down[6], up[6];
  struct row earlier[4][6]; /* what each round of this deal has shown */
  int done;                 /* rounds of this deal */
  struct row doors;
  char target[3];
  const char *phase;
  bool placed[6], passed[6];
  int dealing, turn, bet, bettor, points;
};

static void row_add(struct row *r, const char *card) {
  strcpy(r->card[r->n++], card);
}

static int row_count(const struct row *r, const char *card) {
  int n = 0;
  for (int i = 0; i < r->n; i++)
    n += strcmp(r->card[i], card) == 0;
  return n;
}

static void row_remove(struct row *r, const char *card) {
  int i = 0;
  while (strcmp(r->card[i], card) != 0)
    i++;
  for (r->n--; i < r->n; i++)
    strcpy(r->card[i], r->card[i + 1]);
}

static const char *const order[] = {"RL", "BL", "RT", "BT", "BR", "LT"};

static void slow_new_deal(struct slow *s) {
  for (int i = 0; i < 6; i++)
    s->hand[i].n = 0;
  s->done = s->dealing = 0;
  for (int k = 0; k < 4; k++)
    row_add(&s->doors, order[k]);
  s->phase = "dealing";
}

static void slow_new_round(struct slow *s) {
  s->supply += s->pot;
  s->pot = s->bet = s->points = 0;
  s->bettor = -1;
  s->round++;
  for (int i = 0; i < 6; i++) {
    s->placed[i] = s->passed[i] = false;
    s->down[i].n = s->up[i].n = 0;
  }
  s->phase = "turning up";
  if (s->doors.n == 0)
    slow_new_deal(s);
}

static void slow_start(struct slow *s, int players, int first) {
  memset(s, 0, sizeof *s);
  s->players = players;
  s->first = first;
  s->winner = -1;
  s->supply = 25;
  for (int i = 0; i < players; i++) {
    s->tokens[i]++;
    s->supply--;
  }
  slow_new_round(s);
}

static void slow_draw(struct slow *s, const char *card) {
  if (strcmp(s->phase, "dealing") == 0) {
    const int put_away = s->players == 5 ? 4 : 2;
    row_add(&s->hand[s->dealing], card);
    if (s->hand[s->dealing].n == (14 - put_away) / s->players)
      s->dealing++;
    if (s->dealing == s->players)
      s->phase = "turning up";
    return;
  }
  row_remove(&s->doors, card);
  strcpy(s->target, card);
  for (int i = 0; i < s->players && s->supply > 0; i++) {
    s->supply--;
    s->pot++;
  }
  s->phase = "place";
}

static bool slow_asked(const struct slow *s, int seat) {
  if (strcmp(s->phase, "place") == 0)
    return !s->placed[seat];
  return s->winner < 0 && s->turn == seat;
}

static int slow_worth(const char *card, const char *target) {
  if (strcmp(card, "BR") == 0)
    return 1;
  if (strcmp(card, "LT") == 0)
    return 0;
  return (card[0] == target[0]) + (card[1] == target[1]);
}

static void slow_end_round(struct slow *s) {
  for (int i = 0; i < s->players; i++) {
    s->earlier[s->done][i] = s->up[i];
    for (int k = 0; k < s->down[i].n; k++)
      row_add(&s->hand[i], s->down[i].card[k]);
    for (int k = 0; k < s->up[i].n; k++)
      row_add(&s->hand[i], s->up[i].card[k]);
  }
  s->done++;
  s->first = s->bettor;
  slow_new_round(s);
}

static void slow_gain(struct slow *s, int seat, int tokens) {
  s->tokens[seat] += tokens;
  s->pot -= tokens;
  if (s->tokens[seat] >= 5) {
    s->winner = seat;
    s->phase = "over";
  }
}

static void slow_after_card(struct slow *s) {
  int left = 0;
  if (s->winner >= 0)
    return;
  for (int i = 0; i < s->players; i++)
    left += s->down[i].n;
  if (s->pot > 0 && left > 0) {
    s->phase = "reveal";
    return;
  }
  if (s->tokens[s->turn] > 0) {
    s->tokens[s->turn]--;
    s->supply++;
  }
  slow_end_round(s);
}

static bool slow_can_give(const struct slow *s, int seat) {
  return seat != s->turn && s->tokens[seat] <= 3;
}

static void slow_reveal(struct slow *s, int pile_of) {
  char card[3];
  struct row *down_row = &s->down[pile_of];
  strcpy(card, down_row->card[--down_row->n]);
  row_add(&s->up[pile_of], card);
  const int worth_it = slow_worth(card, s->target);
  s->points += worth_it;
  if (worth_it > 0) {
    if (s->points < s->bet) {
      slow_after_card(s);
      return;
    }
    slow_gain(s, s->turn, s->pot);
    if (s->winner < 0)
      slow_end_round(s);
    return;
  }
  if (pile_of != s->turn) {
    slow_gain(s, pile_of, 1);
    slow_after_card(s);
    return;
  }
  for (int i = 0; i < s->players; i++)
    if (slow_can_give(s, i)) {
      s->phase = "give";
      return;
    }
  s->pot--;
  s->supply++;
  for (int i = 0; i < 2 && s->tokens[s->turn] > 0; i++) {
    s->tokens[s->turn]--;
    s->pot++;
  }
  slow_end_round(s);
}

static void slow_next(struct slow *s) {
  do
    s->turn = (s->turn + 1) % s->players;
  while (s->passed[s->turn]);
}

static void slow_lay(struct slow *s, int seat, const char *card) {
  row_remove(&s->hand[seat], card);
  row_add(&s->down[seat], card);
}

static void slow_act(struct slow *s, int seat, const char *text) {
  const char *rest = strchr(text, ' ') ? strchr(text, ' ') + 1 : "";
  if (strncmp(text, "place", 5) == 0) {
    slow_lay(s, seat, rest);
    s->placed[seat] = true;
    int waiting = 0;
    for (int i = 0; i < s->players; i++)
      waiting += !s->placed[i];
    if (waiting == 0) {
      s->phase = "build";
      s->turn = s->first;
    }
  } else if (strncmp(text, "build", 5) == 0) {
    slow_lay(s, seat, rest);
    slow_next(s);
  } else if (strncmp(text, "bet", 3) == 0) {
    s->bet = atoi(rest);
    s->bettor = seat;
    s->phase = "bet";
    slow_next(s);
  } else if (strcmp(text, "pass") == 0) {
    s->passed[seat] = true;
    slow_next(s);
    if (s->turn == s->bettor)
      s->phase = "reveal";
  } else if (strncmp(text, "reveal", 6) == 0) {
    slow_reveal(s, atoi(rest));
  } else if (strcmp(text, "stop") == 0) {
    s->tokens[seat]--;
    s->pot++;
    slow_end_round(s);
  } else {
    slow_gain(s, atoi(rest), 1);
    slow_after_card(s);
  }
}

/* All legal actions of a seat, each followed by '|'. */
static void slow_legal(const struct slow *s, int seat, char *out) {
  char *at = out;
  *at = '\0';
  if (!slow_asked(s, seat))
    return;
  const bool placing = strcmp(s->phase, "place") == 0;
  const bool building = strcmp(s->phase, "build") == 0;
  for (int k = 0; k < 6 && (placing || building); k++)
    if (row_count(&s->hand[seat], order[k]))
      at += sprintf(at, "%s %s|", s->phase, order[k]);
  if (building || strcmp(s->phase, "bet") == 0)
    for (int n = s->bet + 1; n <= 99; n++)
      at += sprintf(at, "bet %d|", n);
  if (strcmp(s->phase, "bet") == 0)
    at += sprintf(at, "pass|");
  for (int i = 0; i < s->players; i++) {
    if (strcmp(s->phase, "reveal") == 0 && s->down[i].n > 0)
      at += sprintf(at, "reveal %d|", i);
    if (strcmp(s->phase, "give") == 0 && slow_can_give(s, i))
      at += sprintf(at, "give %d|", i);
  }
  if (strcmp(s->phase, "reveal") == 0 && s->tokens[seat] > 0)
    sprintf(at, "stop|");
}

/* ---- The second Traps as JSON ------------------------------------------- */

static char *json_row(char *at, const struct row *r, bool hidden) {
  at += sprintf(at, "[");
  for (int i = 0; i < r->n; i++)
    at += sprintf(at, "%s\"%s\"", i ? "," : "", hidden ? "??" : r->card[i]);
  return at + sprintf(at, "]");
}

static struct row sorted(const struct row *r) {
  struct row out = {0};
  for (int k = 0; k < 6; k++)
    for (int i = row_count(r, order[k]); i > 0; i--)
      row_add(&out, order[k]);
  return out;
}

/* Of each kind the most that any one earlier round has shown. */
static struct row slow_known(const struct slow *s, int seat) {
  struct row out = {0};
  for (int k = 0; k < 6; k++) {
    int best_of = 0;
    for (int i = 0; i < s->done; i++) {
      const int n = row_count(&s->earlier[i][seat], order[k]);
      best_of = n > best_of ? n : best_of;
    }
    while (best_of-- > 0)
      row_add(&out, order[k]);
  }
  return out;
}

enum which { HANDS, PILES, SHOWN, KNOWN };

static char *json_rows(char *at, const char *key, const struct slow *s,
                       int viewer, enum which which) {
  at += sprintf(at, ",\"%s\":[", key);
  for (int i = 0; i < s->players; i++) {
    const bool hidden = which <= PILES && viewer != SAL_EVERYTHING &&
                        viewer != i && s->winner < 0;
    const struct row r = which == HANDS   ? sorted(&s->hand[i])
                         : which == PILES ? s->down[i]
                         : which == SHOWN ? s->up[i]
                                          : slow_known(s, i);
    at += sprintf(at, "%s", i ? "," : "");
    at = json_row(at, &r, hidden);
  }
  return at + sprintf(at, "]");
}

static void slow_facts(const struct slow *s, int viewer, char *out) {
  char *at = out;
  at += sprintf(at, "{\"phase\":\"%s\",\"round\":%d,\"first\":%d", s->phase,
                s->round, s->first);
  at += sprintf(at, ",\"target\":\"%s\",\"doors_left\":", s->target);
  at = json_row(at, &s->doors, false);
  at +=
      sprintf(at, ",\"pot\":%d,\"supply\":%d,\"tokens\":[", s->pot, s->supply);
  for (int i = 0; i < s->players; i++)
    at += sprintf(at, "%s%d", i ? "," : "", s->tokens[i]);
  at += sprintf(at, "]");
  at = json_rows(at, "hands", s, viewer, HANDS);
  at = json_rows(at, "piles", s, viewer, PILES);
  at = json_rows(at, "revealed", s, viewer, SHOWN);
  at = json_rows(at, "known", s, viewer, KNOWN);
  at += sprintf(at, ",\"passed\":[");
  for (int i = 0, n = 0; i < s->players; i++)
    if (s->passed[i])
      at += sprintf(at, "%s%d", n++ ? "," : "", i);
  at += sprintf(at, "],\"high_bet\":%d,\"high_bettor\":", s->bet);
  at += s->bettor < 0 ? sprintf(at, "null") : sprintf(at, "%d", s->bettor);
  sprintf(at, ",\"points\":%d}", s->points);
}

/* ---- The engine as text ------------------------------------------------- */

static void facts_text(const struct traps *s, int viewer, char *out) {
  struct view v;
  struct sal_text t;
  struct sal_json j;
  view((const sal_state *)s, viewer, (sal_view *)&v);
  sal_text_init(&t, out, TEXT);
  sal_json_init(&j, &t);
  sal_json_object(&j, NULL);
  traps_facts((const sal_view *)&v, &j);
  sal_json_end(&j, '}');
}

static size_t legal_text(const struct traps *s, int seat, sal_action *list,
                         char *out) {
  struct sal_text t;
  const size_t n = legal((const sal_state *)s, seat, list);
  sal_text_init(&t, out, TEXT);
  for (size_t i = 0; i < n; i++) {
    action_text(list[i], &t);
    sal_text_char(&t, '|');
  }
  return n;
}

static const char *name_of(sal_action a) {
  static char name[SAL_ACTION_TEXT_MAX];
  struct sal_text t;
  sal_text_init(&t, name, sizeof name);
  action_text(a, &t);
  return name;
}

static void start(struct traps *s, int players, int first) {
  const struct sal_setup setup = {.players = players, .option = {first}};
  init((sal_state *)s, &setup);
}

/* Plays one outcome or action in both. */
static void play(struct traps *s, struct slow *other, int seat, sal_action a) {
  apply((sal_state *)s, seat, a, NULL);
  if (seat == SAL_CHANCE)
    slow_draw(other, name_of(a));
  else
    slow_act(other, seat, name_of(a));
}

static void play_chance(struct traps *s, struct slow *other,
                        struct sal_rng *rng) {
  while (s->asked == SAL_CHANCE_BIT) {
    struct sal_chance c;
    chance((const sal_state *)s, &c);
    play(s, other, SAL_CHANCE, sal_chance_draw(&c, rng));
  }
}

static void compare(const struct traps *s, const struct slow *other) {
  static char here[TEXT], there[TEXT];
  sal_action list[KINDS + BET_MAX];
  for (int viewer = SAL_EVERYTHING; viewer < s->players; viewer++) {
    facts_text(s, viewer, here);
    slow_facts(other, viewer, there);
    assert_string_equal(here, there);
    if (viewer < 0)
      continue;
    legal_text(s, viewer, list, here);
    slow_legal(other, viewer, there);
    assert_string_equal(here, there);
  }
}

/* A random action; bets are mostly small, so that some are met. */
static sal_action any_action(const struct traps *s, int seat,
                             struct sal_rng *rng) {
  sal_action list[KINDS + BET_MAX];
  size_t n = legal((const sal_state *)s, seat, list);
  if ((s->phase == BUILD || s->phase == BET) && sal_rng_below(rng, 20)) {
    const size_t few = s->phase == BUILD ? n - 96 : n < 3 ? n : 3;
    const uint32_t i = sal_rng_below(rng, (uint32_t)few + 2);
    return list[i < few ? i : n - 1 - (s->phase == BUILD ? 96 : 0)];
  }
  return list[sal_rng_below(rng, (uint32_t)n)];
}

static int any_seat(unsigned asked, struct sal_rng *rng) {
  int skip = (int)sal_rng_below(rng, (uint32_t)__builtin_popcount(asked));
  while (skip-- > 0)
    asked &= asked - 1;
  return __builtin_ctz(asked);
}

static void test_second_implementation(void **state) {
  (void)state;
  struct sal_rng rng;
  int won = 0, deals = 0, given = 0;
  sal_rng_seed(&rng, 2);
  for (int game = 0; game < 100; game++) {
    const int players = 2 + game % 5, first = game % players;
    struct traps s;
    struct slow other;
    start(&s, players, first);
    slow_start(&other, players, first);
    for (int steps = 0; s.phase != OVER && steps < 2000; steps++) {
      play_chance(&s, &other, &rng);
      compare(&s, &other);
      assert_null(selfcheck((const sal_state *)&s));
      const int seat = any_seat(s.asked, &rng);
      given += s.phase == GIVE;
      play(&s, &other, seat, any_action(&s, seat, &rng));
    }
    if (s.phase == OVER)
      compare(&s, &other);
    won += s.phase == OVER;
    deals += deal_number(&s);
  }
  assert_true(won > 50 && deals > 100 && given > 100);
}

/* ---- Counting the tree -------------------------------------------------- */

/* Bets go up one by one here: else they would be all there is to count. */
static bool counted(const struct traps *s, sal_action a) {
  return verb_of(a) != BETS || number_of(a) == s->high_bet + 1u;
}

static uint64_t engine_count(const struct traps *s, int depth) {
  sal_action list[KINDS + BET_MAX];
  struct sal_chance c;
  uint64_t sum = 0;
  if (s->asked == SAL_CHANCE_BIT) {
    chance((const sal_state *)s, &c);
    for (size_t i = 0; i < c.count; i++) {
      struct traps next = *s;
      apply((sal_state *)&next, SAL_CHANCE, c.outcome[i].action, NULL);
      sum += engine_count(&next, depth);
    }
    return sum;
  }
  if (depth == 0)
    return 1;
  for (unsigned rest = s->asked; rest; rest &= rest - 1) {
    const int seat = __builtin_ctz(rest);
    const size_t n = legal((const sal_state *)s, seat, list);
    for (size_t i = 0; i < n; i++) {
      if (!counted(s, list[i]))
        continue;
      struct traps next = *s;
      apply((sal_state *)&next, seat, list[i], NULL);
      sum += engine_count(&next, depth - 1);
    }
  }
  return sum;
}

static uint64_t slow_count(const struct slow *s, int depth) {
  uint64_t sum = 0;
  if (strcmp(s->phase, "turning up") == 0) {
    for (int i = 0; i < s->doors.n; i++) {
      struct slow next = *s;
      slow_draw(&next, s->doors.card[i]);
      sum += slow_count(&next, depth);
    }
    return sum;
  }
  if (depth == 0)
    return 1;
  for (int seat = 0; seat < s->players; seat++) {
    char list[TEXT], *save, lowest[16];
    slow_legal(s, seat, list);
    sprintf(lowest, "bet %d", s->bet + 1);
    for (char *a = strtok_r(list, "|", &save); a;
         a = strtok_r(NULL, "|", &save)) {
      if (strncmp(a, "bet", 3) == 0 && strcmp(a, lowest) != 0)
        continue;
      struct slow next = *s;
      slow_act(&next, seat, a);
      sum += slow_count(&next, depth - 1);
    }
  }
  return sum;
}

/* The tree below a deal that gives everyone some traps, all targets open. */
static void count_deal(int players, const char *cards, const uint64_t *known,
                       int depth) {
  struct traps s;
  struct slow other;
  start(&s, players, 0);
  slow_start(&other, players, 0);
  for (; *cards; cards += 2) {
    const char name[3] = {cards[0], cards[1], '\0'};
    play(&s, &other, SAL_CHANCE, act(DRAWS, card_parse(name)));
  }
  assert_int_equal(s.phase, TURN_UP);
  for (int d = 0; d <= depth; d++) {
    const uint64_t found = engine_count(&s, d);
    assert_int_equal(found, known[d]);
    assert_int_equal(found, slow_count(&other, d));
  }
}

static void test_perft(void **state) {
  (void)state;
  static const uint64_t two[] = {4,    28,    96,    408,   1440,
                                 4944, 19592, 75212, 305652};
  static const uint64_t three[] = {4,    32,    168,   432,   1440,
                                   4224, 10800, 28488, 100512};
  static const uint64_t six[] = {4, 48, 480, 3840, 23040, 92160, 184320};
  count_deal(2, "RLRLRLBLBRLTBLBLRTRTBTBT", two, 8);
  count_deal(3, "RLRLBLLTRTRTBTBRBLBLBTBT", three, 8);
  count_deal(6, "RLBLRTBTRLBLRTBTBRLTRTBT", six, 6);
}

/* ---- Positions set directly --------------------------------------------- */

/* Three players or as many as are given, target RT, the first one reveals with
 * a bet of 9; every pile holds just what `lay_down` puts there. */
static struct traps position_of(int players, const char *tokens, int pot) {
  struct traps s;
  start(&s, players, 0);
  s.phase = REVEAL;
  s.asked = 1;
  s.target = RT;
  s.doors_left = (uint32_t)(ALL_DOORS - one(RT));
  s.high_bet = 9;
  s.high_bettor = 0;
  s.passed = (uint8_t)(everyone(&s) - 1);
  s.pot = (uint8_t)pot;
  s.supply = (uint8_t)(TOKENS - pot);
  for (int seat = 0; seat < players; seat++) {
    s.tokens[seat] = (uint8_t)(tokens[seat] - '0');
    s.supply = (uint8_t)(s.supply - s.tokens[seat]);
  }
  return s;
}

static void lay_down(struct traps *s, int seat, unsigned card) {
  s->piles[seat] = lay(s->piles[seat], card);
}

static void do_it(struct traps *s, const char *text) {
  const sal_action a = action_parse(text);
  const int seat = __builtin_ctz(s->asked);
  assert_null(check((const sal_state *)s, seat, a));
  apply((sal_state *)s, seat, a, NULL);
}

static const char *refusal(const struct traps *s, const char *text) {
  return check((const sal_state *)s, __builtin_ctz(s->asked),
               action_parse(text));
}

static void assert_tokens(const struct traps *s, const char *tokens) {
  int sum = s->pot + s->supply;
  for (int seat = 0; seat < s->players; seat++) {
    assert_int_equal(s->tokens[seat], tokens[seat] - '0');
    sum += s->tokens[seat];
  }
  assert_int_equal(sum, TOKENS);
}

/* Turns up a Door, so that the next round has begun. */
static void next_round(struct traps *s) {
  assert_int_equal(s->phase, TURN_UP);
  apply((sal_state *)s, SAL_CHANCE, act(DRAWS, pick(s->doors_left, 0)), NULL);
}

static void test_example_success(void **state) {
  (void)state;
  struct traps s = position_of(3, "111", 3);
  s.high_bet = 4;
  lay_down(&s, 0, RT);
  lay_down(&s, 1, RT);
  lay_down(&s, 2, RT);
  do_it(&s, "reveal 0");
  do_it(&s, "reveal 1");
  assert_tokens(&s, "411");
  assert_int_equal(s.round, 2);
}

static void test_example_own_trap(void **state) {
  (void)state;
  struct traps s = position_of(3, "142", 3);
  sal_action list[KINDS + BET_MAX];
  lay_down(&s, 0, LT);
  lay_down(&s, 1, RT);
  do_it(&s, "reveal 0");
  assert_int_equal(s.phase, GIVE);
  assert_int_equal(s.pot, 3);
  assert_int_equal(legal((const sal_state *)&s, 0, list), 1);
  assert_string_equal(name_of(list[0]), "give 2");
  assert_string_equal(refusal(&s, "give 0"), "traps.trap.own");
  assert_string_equal(refusal(&s, "give 1"), "traps.trap.own");
  assert_string_equal(refusal(&s, "give 3"), "traps.trap.own");
  assert_string_equal(refusal(&s, "stop"), "traps.stop");
  do_it(&s, "give 2");
  assert_tokens(&s, "143");
  assert_int_equal(s.pot, 2);
  assert_int_equal(s.phase, REVEAL);
}

static void test_example_all_four(void **state) {
  (void)state;
  static const struct {
    const char *before, *after;
    int pot_left;
  } cases[] = {{"344", "144", 4},
               {"244", "044", 4},
               {"144", "044", 3},
               {"044", "044", 2},
               {"444", "244", 4}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct traps s = position_of(3, cases[i].before, 3);
    const int supply = s.supply;
    lay_down(&s, 0, BL);
    lay_down(&s, 1, RT);
    do_it(&s, "reveal 0");
    assert_tokens(&s, cases[i].after);
    assert_int_equal(s.round, 2);
    assert_int_equal(s.first, 0);
    /* one to the supply, then the pot follows at the next start */
    assert_int_equal(s.supply, supply + 1 + cases[i].pot_left);
    next_round(&s);
    assert_int_equal(s.pot, 3);
  }
  /* the first of them as in the table: supply 11 */
  assert_int_equal(position_of(3, "344", 3).supply, 11);
}

static void test_all_four_needs_all(void **state) {
  (void)state;
  struct traps s = position_of(3, "143", 3);
  lay_down(&s, 0, BL);
  lay_down(&s, 1, RT);
  do_it(&s, "reveal 0");
  assert_int_equal(s.phase, GIVE);
}

static void test_all_four_is_no_failure(void **state) {
  (void)state;
  /* The last token of the pot and the last card: 2 are paid, not 3. */
  struct traps s = position_of(3, "444", 1);
  lay_down(&s, 0, LT);
  do_it(&s, "reveal 0");
  assert_tokens(&s, "244");
}

static void test_example_fail(void **state) {
  (void)state;
  struct traps s = position_of(2, "11", 2);
  s.high_bet = 5;
  lay_down(&s, 0, RT);
  lay_down(&s, 0, BL);
  lay_down(&s, 1, RT);
  lay_down(&s, 1, BL);
  do_it(&s, "reveal 1");
  assert_tokens(&s, "12");
  do_it(&s, "reveal 0");
  assert_tokens(&s, "12");
  do_it(&s, "give 1");
  assert_tokens(&s, "03");
  assert_int_equal(s.round, 2);
}

static void test_example_win(void **state) {
  (void)state;
  struct traps s = position_of(3, "441", 3);
  lay_down(&s, 0, RT);
  lay_down(&s, 1, LT);
  do_it(&s, "reveal 1");
  assert_tokens(&s, "451");
  assert_int_equal(s.phase, OVER);
  assert_int_equal(winners((const sal_state *)&s), 2);
  assert_int_equal(to_act((const sal_state *)&s), 0);
  assert_int_equal(s.pot, 2);
  assert_int_equal(closed((const sal_state *)&s), 1);
}

static void test_win_before_failure(void **state) {
  (void)state;
  /* The trap empties the pot, but its owner has won: nobody pays. */
  struct traps s = position_of(3, "441", 1);
  lay_down(&s, 1, LT);
  do_it(&s, "reveal 1");
  assert_tokens(&s, "451");
  assert_int_equal(s.phase, OVER);
}

static void test_example_stop(void **state) {
  (void)state;
  struct traps s = position_of(3, "211", 3);
  const int supply = s.supply;
  lay_down(&s, 0, RT);
  do_it(&s, "stop");
  assert_tokens(&s, "111");
  assert_int_equal(s.supply, supply + 4);
  next_round(&s);
  assert_int_equal(s.pot, 3);
  assert_int_equal(s.supply, supply + 1);
}

static void test_example_short_supply(void **state) {
  (void)state;
  struct traps s = position_of(6, "444443", 0);
  assert_int_equal(s.supply, 2);
  await_chance(&s, TURN_UP);
  next_round(&s);
  assert_int_equal(s.pot, 2);
  assert_int_equal(s.supply, 0);
  assert_tokens(&s, "444443");
}

static void test_example_new_deal(void **state) {
  (void)state;
  struct traps s = position_of(3, "213", 3);
  s.round = 4;
  s.doors_left = 0;
  s.high_bettor = 1;
  s.asked = 2;
  s.passed = 5;
  s.known[0] = 0x100;
  lay_down(&s, 1, RT);
  do_it(&s, "stop");
  assert_int_equal(s.phase, DEAL);
  assert_int_equal(s.round, 5);
  assert_int_equal(s.first, 1);
  assert_int_equal(deck(&s), ALL_CLUES);
  assert_int_equal(s.doors_left, ALL_DOORS);
  assert_int_equal(s.known[0], 0);
  assert_int_equal(closed((const sal_state *)&s), 1);
  struct sal_rng rng;
  sal_rng_seed(&rng, 1);
  sample((sal_state *)&s, &rng);
  assert_tokens(&s, "203");
  assert_int_equal(s.pot, 3);
  assert_int_equal(s.phase, PLACE);
  assert_null(selfcheck((const sal_state *)&s));
}

static void test_fail_pays_once(void **state) {
  (void)state;
  /* The last token and the last card at once. */
  struct traps s = position_of(3, "311", 1);
  lay_down(&s, 1, BL);
  do_it(&s, "reveal 1");
  assert_tokens(&s, "221");
}

static void test_worth(void **state) {
  (void)state;
  for (unsigned target = 0; target < DOORS; target++)
    for (unsigned card = 0; card < KINDS; card++)
      assert_int_equal(worth(card, target),
                       slow_worth(card_names[card], card_names[target]));
}

/* ---- Small tools -------------------------------------------------------- */

/* Every tally with up to three of a kind against some others. */
static void test_most(void **state) {
  (void)state;
  struct sal_rng rng;
  sal_rng_seed(&rng, 1);
  for (unsigned i = 0; i < 4096 * 64; i++) {
    const unsigned digits[2] = {i % 4096, sal_rng_below(&rng, 4096)};
    tally t[2] = {0, 0}, larger = 0;
    for (unsigned k = 0; k < KINDS; k++) {
      const unsigned a = digits[0] >> 2 * k & 3, b = digits[1] >> 2 * k & 3;
      t[0] |= a << 4 * k;
      t[1] |= b << 4 * k;
      larger |= (a > b ? a : b) << 4 * k;
    }
    assert_int_equal(most(t[0], t[1]), larger);
  }
}

struct last {
  struct sal_log log;
  struct sal_event event;
};

static void keep_last(struct sal_log *log, const struct sal_event *e) {
  ((struct last *)log)->event = *e;
}

static void test_long_game(void **state) {
  (void)state;
  struct last last = {{keep_last}, {0}};
  struct traps s = position_of(3, "111", 3);
  char text[TEXT];
  struct sal_text t;
  struct sal_json j;
  s.round = 100000;
  await_chance(&s, TURN_UP);
  apply((sal_state *)&s, SAL_CHANCE, act(DRAWS, BL), &last.log);
  sal_text_init(&t, text, sizeof text);
  sal_json_init(&j, &t);
  sal_json_object(&j, NULL);
  traps_event_facts(&last.event, &j);
  assert_non_null(strstr(text, "\"round\":100000,"));
}

static void test_selfcheck(void **state) {
  (void)state;
  struct sal_rng rng;
  struct traps good, s;
  start(&good, 3, 0);
  sal_rng_seed(&rng, 1);
  sample((sal_state *)&good, &rng);
  assert_null(selfcheck((const sal_state *)&good));
  s = good;
  s.pot++;
  assert_non_null(selfcheck((const sal_state *)&s));
  s = good;
  s.supply--;
  assert_non_null(selfcheck((const sal_state *)&s));
  s = good;
  s.tokens[1] = 5;
  s.supply = (uint8_t)(s.supply - 4);
  assert_non_null(selfcheck((const sal_state *)&s));
  s = good;
  s.hands[0] += one(RL);
  assert_non_null(selfcheck((const sal_state *)&s));
  s = good;
  s.hands[0] = s.hands[1] = s.hands[2] = one(RL) * 4;
  assert_non_null(selfcheck((const sal_state *)&s));
  s = good;
  s.known[2] = 0x444444;
  assert_non_null(selfcheck((const sal_state *)&s));
}

/* ---- Resampling --------------------------------------------------------- */

/* All worlds that fit a view, by trying every kind at every place that the
 * viewer does not see. The weight of a world is the number of ways to put
 * distinct cards there; the order inside a hand does not matter. */
enum { WORLDS = 1 << 18 };

struct world {
  uint64_t key;
  double weight;
  unsigned found;
};

struct worlds {
  struct world *at; /* a hash table by key */
  size_t count;
  double sum;
  const struct traps *seen;
  unsigned stock[KINDS];
};

static uint64_t world_key(const struct traps *s) {
  uint64_t h = 1469598103934665603u;
  for (int seat = 0; seat < s->players; seat++) {
    h = (h ^ s->piles[seat]) * 1099511628211u;
    h = (h ^ s->hands[seat]) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  }
  return h;
}

static struct world *find_world(struct worlds *w, uint64_t key) {
  size_t i = key % WORLDS;
  while (w->at[i].key && w->at[i].key != key)
    i = (i + 1) % WORLDS;
  return &w->at[i];
}

/* Whether every seat owns what earlier rounds have shown. */
static bool fits(const struct traps *s) {
  for (int seat = 0; seat < s->players; seat++)
    for (unsigned k = 0; k < KINDS; k++) {
      unsigned owns = count(s->hands[seat], k);
      for (unsigned i = 0; i < laid(s->piles[seat]); i++)
        owns += card_at(s->piles[seat], i) == k;
      if (owns < (s->known[seat] >> 4 * k & 15))
        return false;
    }
  return true;
}

static void add_world(struct worlds *w, const struct traps *s, double weight) {
  if (!fits(s))
    return;
  struct world *found = find_world(w, world_key(s));
  w->count += found->key == 0;
  found->key = world_key(s);
  found->weight += weight;
  w->sum += weight;
}

static void each_world(struct worlds *w, const struct traps *s, double weight) {
  int seat = 0;
  unsigned place = 0;
  for (; seat < s->players; seat++) {
    for (place = 0; place < down(s->piles[seat]); place++)
      if (card_at(s->piles[seat], place) == NO_CARD)
        break;
    if (place < down(s->piles[seat]) || count(s->hands[seat], KINDS))
      break;
  }
  if (seat == s->players) {
    add_world(w, s, weight);
    return;
  }
  for (unsigned k = 0; k < KINDS; k++) {
    if (w->stock[k] == 0)
      continue;
    struct traps next = *s;
    if (place < down(s->piles[seat])) {
      next.piles[seat] &= ~(7u << 3 * place);
      next.piles[seat] |= k << 3 * place;
    } else {
      next.hands[seat] = next.hands[seat] - one(KINDS) + one(k);
    }
    const double ways_here = weight * w->stock[k];
    w->stock[k]--;
    each_world(w, &next, ways_here);
    w->stock[k]++;
  }
}

static void list_worlds(struct worlds *w, const struct traps *seen_state) {
  w->at = calloc(WORLDS, sizeof *w->at);
  assert_non_null(w->at);
  w->count = 0;
  w->sum = 0;
  for (unsigned k = 0; k < KINDS; k++) {
    w->stock[k] = count(ALL_CLUES, k);
    for (int seat = 0; seat < seen_state->players; seat++) {
      w->stock[k] -= count(seen_state->hands[seat], k);
      for (unsigned i = 0; i < laid(seen_state->piles[seat]); i++)
        w->stock[k] -= card_at(seen_state->piles[seat], i) == k;
    }
  }
  each_world(w, seen_state, 1);
}

/* Chi-square against the enumeration. */
static void check_law(const struct traps *s, int viewer) {
  struct view v;
  struct worlds w;
  struct traps other;
  struct sal_rng rng;
  view((const sal_state *)s, viewer, (sal_view *)&v);
  list_worlds(&w, &v.s);
  assert_true(w.count >= 5);
  const size_t tries = 40 * w.count + 20000;
  sal_rng_seed(&rng, 7);
  for (size_t i = 0; i < tries; i++) {
    resample((const sal_view *)&v, &rng, (sal_state *)&other);
    struct world *found = find_world(&w, world_key(&other));
    assert_true(found->key != 0); /* else it is none of the worlds */
    found->found++;
  }
  double chi = 0, rare = 0, rare_found = 0;
  size_t cells = 0;
  for (size_t i = 0; i < WORLDS; i++) {
    if (w.at[i].key == 0)
      continue;
    const double expected = w.at[i].weight / w.sum * (double)tries;
    if (expected < 5) { /* too rare for a cell of its own */
      rare += expected;
      rare_found += w.at[i].found;
      continue;
    }
    chi += (w.at[i].found - expected) * (w.at[i].found - expected) / expected;
    cells++;
  }
  if (rare >= 5) {
    chi += (rare_found - rare) * (rare_found - rare) / rare;
    cells++;
  }
  free(w.at);
  const double freedom = (double)cells - 1;
  assert_true(fabs(chi - freedom) < 5 * sqrt(2 * freedom) + 5);
}

/* A position of a first round, cards named in a row for each seat: those laid
 * face down, a bar, those turned up (bottom first), a bar, those in hand. */
static struct traps cards_of(int players, const char *const *rows) {
  struct traps s = position_of(players, "111111", players);
  for (int seat = 0; seat < players; seat++) {
    int part = 0;
    unsigned up = 0;
    for (const char *c = rows[seat]; *c; c += *c == '|' ? 1 : 2) {
      if (*c == '|') {
        part++;
        continue;
      }
      const char name[3] = {c[0], c[1], '\0'};
      if (part == 2)
        s.hands[seat] += one(card_parse(name));
      else
        lay_down(&s, seat, card_parse(name));
      up += part == 1;
    }
    s.piles[seat] -= up * DOWN;
  }
  assert_null(selfcheck((const sal_state *)&s));
  return s;
}

static tally tally_of(const char *cards) {
  tally t = 0;
  for (; *cards; cards += 2) {
    const char name[3] = {cards[0], cards[1], '\0'};
    t += 1u << 4 * card_parse(name);
  }
  return t;
}

static void test_law_two(void **state) {
  (void)state;
  struct traps s =
      cards_of(2, (const char *const[]){"RTLT||RLRLBLBR", "BLRT|BT|RLRTBT"});
  check_law(&s, 0);
  s.known[1] = tally_of("RTBT");
  check_law(&s, 0);
  s.known[1] = tally_of("RTRTBTBT");
  s.known[0] = tally_of("LTBR");
  check_law(&s, 0);
  check_law(&s, 1);
}

static void test_law_three(void **state) {
  (void)state;
  struct traps s = cards_of(
      3, (const char *const[]){"RT||RLRLBL", "BL||BLBTRT", "BT|BT|RTLT"});
  s.known[1] = tally_of("BLBT");
  s.known[2] = tally_of("RTLT");
  check_law(&s, 0);
  s.known[1] = tally_of("BL");
  s.known[2] = tally_of("BTRT");
  check_law(&s, 1);
}

static void test_law_six(void **state) {
  (void)state;
  struct traps s =
      cards_of(6, (const char *const[]){"RT||RL", "BL||BL", "BT|RT|", "LT||BT",
                                        "BR||RL", "RL||RT"});
  s.known[1] = tally_of("BL");
  s.known[2] = tally_of("BT");
  s.known[3] = tally_of("LTBT");
  s.known[4] = tally_of("BRRL");
  s.known[5] = tally_of("RL");
  check_law(&s, 0);
  s.known[1] = tally_of("BLBL");
  check_law(&s, SAL_SPECTATOR);
}

/* Where many proposals are turned down: much is known, little is seen. */
static void test_law_worst(void **state) {
  (void)state;
  struct traps s =
      cards_of(2, (const char *const[]){"||RLBLRTBTBRLT", "||RLRLBLBLRTBT"});
  s.known[1] = tally_of("RLBLRTBT");
  check_law(&s, SAL_SPECTATOR);
  s.known[0] = tally_of("RLBLRTBT");
  check_law(&s, SAL_SPECTATOR);
}

/* Two hands are dealt, one of them not yet whole. */
static void test_law_dealing(void **state) {
  (void)state;
  struct traps s;
  start(&s, 5, 0);
  apply((sal_state *)&s, SAL_CHANCE, act(DRAWS, RL), NULL);
  apply((sal_state *)&s, SAL_CHANCE, act(DRAWS, LT), NULL);
  apply((sal_state *)&s, SAL_CHANCE, act(DRAWS, RT), NULL);
  check_law(&s, 0);
  check_law(&s, 1);
  check_law(&s, SAL_SPECTATOR);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      {"traps.conserve, traps.setup.deal, view.redacted: a second "
       "implementation sees the same in every view",
       test_second_implementation, NULL, NULL, NULL},
      {"perft: the tree as counted by the second implementation", test_perft,
       NULL, NULL, NULL},
      {"traps.success: 1/1/1, pot 3, bet 4, two exact matches",
       test_example_success, NULL, NULL, NULL},
      {"traps.trap.own: 1/4/2, only the one with two can be given the token",
       test_example_own_trap, NULL, NULL, NULL},
      {"traps.trap.own-all-four: 3/4/4 and with fewer tokens",
       test_example_all_four, NULL, NULL, NULL},
      {"traps.trap.own-all-four: not while one opponent has three",
       test_all_four_needs_all, NULL, NULL, NULL},
      {"traps.trap.own-all-four: no other penalty", test_all_four_is_no_failure,
       NULL, NULL, NULL},
      {"traps.fail.pot: 1/1, pot 2, two traps", test_example_fail, NULL, NULL,
       NULL},
      {"traps.win, traps.trap.theirs: 4/4/1, a trap of one with four",
       test_example_win, NULL, NULL, NULL},
      {"traps.win: nothing further is paid", test_win_before_failure, NULL,
       NULL, NULL},
      {"traps.stop, traps.round.start: 2/1/1, pot 3", test_example_stop, NULL,
       NULL, NULL},
      {"traps.round.start: six players, supply 2", test_example_short_supply,
       NULL, NULL, NULL},
      {"traps.round.start, traps.setup.doors: after the fourth round",
       test_example_new_deal, NULL, NULL, NULL},
      {"traps.fail.pay: once, though pot and cards end together",
       test_fail_pays_once, NULL, NULL, NULL},
      {"traps.reveal.points, traps.reveal.blue-red, traps.reveal.lady-tiger: "
       "every card against every target",
       test_worth, NULL, NULL, NULL},
      {"the larger tally, kind by kind", test_most, NULL, NULL, NULL},
      {"the number of a round is told whole", test_long_game, NULL, NULL, NULL},
      {"traps.conserve: selfcheck sees what is wrong", test_selfcheck, NULL,
       NULL, NULL},
      {"resample: two players", test_law_two, NULL, NULL, NULL},
      {"resample: three players", test_law_three, NULL, NULL, NULL},
      {"resample: six players and a spectator", test_law_six, NULL, NULL, NULL},
      {"resample: much is known", test_law_worst, NULL, NULL, NULL},
      {"resample: in the middle of a deal", test_law_dealing, NULL, NULL, NULL},
  };
  return cmocka_run_group_tests_name("traps", tests, NULL, NULL);
}
