/* Louis XIV: what readable vectors cannot show.
 *
 * The engine is compared, step by step, with a slow second one; positions that
 * play reaches too rarely are set up directly. */
#include "louis_set.h"
#include "louis_slow_view.h"

#include <math.h>

/* ---- In step with the slow game ----------------------------------------- */

static sal_action legal[4096];

static int compare_names(const void *a, const void *b) { return strcmp(a, b); }

static void same_actions(const sal_state *s, int seat,
                         const struct slow *slow) {
  static struct texts wanted, found;
  const size_t n = g->legal(s, seat, legal);
  slow_legal(slow, &wanted);
  found.n = (int)n;
  for (size_t i = 0; i < n; i++)
    name_of(legal[i], found.at[i]);
  qsort(wanted.at, (size_t)wanted.n, TEXT_LEN, compare_names);
  qsort(found.at, n, TEXT_LEN, compare_names);
  for (int i = 0; i < wanted.n && i < found.n; i++)
    assert_string_equal(found.at[i], wanted.at[i]);
  assert_int_equal(found.n, wanted.n);
}

static void same_position(const sal_state *s, struct slow *slow) {
  static struct page page;
  static char facts[1 << 15];
  facts_of(s, facts, sizeof facts);
  slow_facts(slow, &page);
  assert_string_equal(facts, page.text);
}

static void same_chance(const struct sal_chance *c, struct slow *slow) {
  int sum = 0;
  for (size_t i = 0; i < c->count; i++) {
    char name[SAL_ACTION_TEXT_MAX];
    name_of(c->outcome[i].action, name);
    assert_int_equal(c->outcome[i].weight, slow_weight(slow, name));
    sum += (int)c->outcome[i].weight;
  }
  assert_int_equal(sum, slow_weight(slow, NULL));
}

/* Random play has few fulfilled missions; who prefers them sees more powers. */
static sal_action eager(size_t n, struct sal_rng *rng) {
  const sal_action any = legal[sal_rng_below(rng, (uint32_t)n)];
  for (size_t i = 0; i < n; i++)
    if (verb_of(legal[i]) == DO_FULFIL || verb_of(legal[i]) == DO_PAY)
      return legal[i];
  if (verb_of(any) == DO_RECOVER)
    return legal[sal_rng_below(rng, (uint32_t)n)];
  return any;
}

static void game_in_step(int players, bool plain, uint64_t seed) {
  static struct slow slow;
  union sal_state_box box;
  sal_state *s = (sal_state *)box.bytes;
  struct sal_rng rng;
  char name[SAL_ACTION_TEXT_MAX];
  const int first = seed % 2 ? -1 : (int)(seed / 2) % players;
  const struct sal_setup setup = setup_of(players, plain, first);
  sal_rng_seed(&rng, seed);
  g->init(s, &setup);
  slow_start(&slow, players, plain, first);
  for (unsigned asked; (asked = g->to_act(s)) != 0;) {
    if (asked == SAL_CHANCE_BIT) {
      struct sal_chance c;
      g->chance(s, &c);
      assert_int_equal(slow_asked(&slow), -1);
      same_chance(&c, &slow);
      const sal_action a = sal_chance_draw(&c, &rng);
      name_of(a, name);
      g->apply(s, SAL_CHANCE, a, NULL);
      slow_draw(&slow, name);
      continue;
    }
    const int seat = __builtin_ctz(asked);
    assert_int_equal(slow_asked(&slow), seat);
    same_position(s, &slow);
    same_actions(s, seat, &slow);
    const sal_action a = eager(g->legal(s, seat, legal), &rng);
    name_of(a, name);
    g->apply(s, seat, a, NULL);
    slow_act(&slow, name);
  }
  assert_int_equal(slow_asked(&slow), -2);
  same_position(s, &slow);
  assert_int_equal(g->winners(s), slow_winners(&slow));
}

static void test_in_step(void **state) {
  (void)state;
  for (int players = 2; players <= 4; players++)
    for (int plain = 0; plain < 2; plain++)
      for (uint64_t seed = 0; seed < 25; seed++)
        game_in_step(players, plain, seed);
}

/* ---- Shortage ----------------------------------------------------------- */

static void test_shortage_chips(void **state) {
  (void)state;
  struct louis s;
  set_table(&s, 3, true);
  /* one letter left; black 2 asks for at least 3: first is served first */
  s.black = 1 << 1;
  take_chip(&s, 0, LETTER, 5);
  put_on(&s, 2, 1, 3);
  put_on(&s, 2, 2, 4);
  evaluate(&s, 2);
  assert_int_equal(s.chips[2][LETTER], 1);
  assert_int_equal(s.chips[1][LETTER], 0);
  assert_int_equal(s.stock[LETTER], 0);
  /* who got nothing has not won: ready again */
  assert_int_equal(s.general[2], 5 + 4);
  assert_int_equal(s.general[1], 5);
  assert_int_equal(s.personal[1], 11);
  assert_int_equal(s.black, 0);
}

static void test_shortage_nobody(void **state) {
  (void)state;
  struct louis s;
  set_table(&s, 3, true);
  /* no letter left: nobody is asked to pay, the first has not won, no flip */
  take_chip(&s, 0, LETTER, 6);
  put_on(&s, 2, 1, 3);
  put_on(&s, 2, 2, 1);
  evaluate(&s, 2);
  assert_int_equal(s.station, AT_MISSION);
  assert_int_equal(s.black, 0);
  assert_int_equal(s.personal[1], 11);
  assert_int_equal(s.general[1], 5);
}

static void test_shortage_pay(void **state) {
  (void)state;
  struct louis s;
  set_table(&s, 4, true);
  /* two left: the first and one payer; the next is not asked any more */
  take_chip(&s, 0, LETTER, 4);
  put_on(&s, 2, 3, 3);
  put_on(&s, 2, 1, 1);
  put_on(&s, 2, 2, 1);
  evaluate(&s, 2);
  assert_int_equal(s.asked, 1);
  do_action(&s, 1, "pay");
  assert_int_equal(s.station, AT_MISSION);
  assert_int_equal(s.chips[2][LETTER], 0);
  assert_int_equal(s.stock[LETTER], 0);
}

static void test_shortage_shields(void **state) {
  (void)state;
  struct louis s;
  set_table(&s, 3, true);
  /* of two shields only one is left: one takes what is left */
  s.shields[0] = s.shield_deck - bag_one(4);
  s.shield_count[0] = 59;
  s.shield_deck = bag_one(4);
  s.shields_left = 1;
  put_on(&s, 10, 1, 1);
  evaluate(&s, 10);
  draw_all(&s, 1);
  assert_int_equal(s.shield_count[1], 1);
  assert_int_equal(s.shields[1], bag_one(4));
  assert_int_equal(s.kindless[1], 0);
  assert_int_equal(s.black, 1 << 9);
}

static void test_shortage_cards(void **state) {
  (void)state;
  struct louis s;
  set_table(&s, 3, true);
  /* all intrigue cards are in hands: none can be won */
  s.intrigue[0] = s.intrigue_deck.cards;
  s.intrigue_size[0] = 12;
  s.intrigue_deck = (struct deck){.drawn = 12};
  put_on(&s, 12, 1, 2);
  evaluate(&s, 12);
  assert_int_equal(s.intrigue_size[1], 0);
  assert_int_equal(s.personal[1], 11);
  /* one lies open: it is shuffled again and won */
  set_table(&s, 3, true);
  s.intrigue[0] = s.intrigue_deck.cards - bag_one(6);
  s.intrigue_size[0] = 11;
  s.intrigue_deck = (struct deck){.open = bag_one(6), .drawn = 12};
  put_on(&s, 12, 1, 2);
  put_on(&s, 12, 2, 2);
  evaluate(&s, 12);
  assert_int_equal(s.intrigue_deck.entry, 1);
  draw_all(&s, 1);
  assert_int_equal(s.intrigue[1], bag_one(6));
  assert_int_equal(s.intrigue_size[2], 0);
  assert_int_equal(s.general[1], 5 + 2);
  assert_int_equal(s.general[2], 5);
}

static void test_shortage_markers(void **state) {
  (void)state;
  struct louis s;
  set_table(&s, 3, true);
  put_on(&s, 8, 0, 2);
  put_on(&s, 8, 1, 1);
  put_on(&s, 8, 2, 1);
  set_supplies(&s, 0, 0, 0);
  set_supplies(&s, 1, 1, 0);
  set_supplies(&s, 2, 0, 0);
  s.markers[TILES - 1][0] = 14;
  evaluate(&s, 8);
  /* A has no marker left, so gets nothing; B has one; C has none to pay for */
  assert_int_equal(s.asked, 1);
  assert_int_equal(s.station, AT_PAY);
  do_action(&s, 1, "pay");
  assert_int_equal(s.station, AT_PUT);
  refused(&s, 1, "put 3 3", "louis.eval.rewards");
  do_action(&s, 1, "put 3");
  assert_int_equal(s.markers[2][1], 1);
  /* 8 did not turn: A was not served; tile 12 followed */
  assert_int_equal(s.black >> 7 & 1, 0);
}

/* ---- Examples of the rules ---------------------------------------------- */

static void test_favour_short(void **state) {
  (void)state;
  struct louis s;
  set_table(&s, 2, false);
  put_on(&s, 1, 0, 2);
  put_on(&s, 1, 1, 1);
  s.gold[1] = 0;
  set_supplies(&s, 0, 4, 1);
  evaluate(&s, 1);
  assert_int_equal(s.station, AT_FAVOURITE);
  struct louis copy = s;
  do_action(&s, 0, "favour 1 3");
  assert_int_equal(s.board[0], 5);
  assert_int_equal(s.general[0], 0);
  assert_int_equal(s.personal[0], 3);
  /* with one space named: it from general, nothing else moves */
  do_action(&copy, 0, "favour 2");
  assert_int_equal(copy.board[0], 2);
  assert_int_equal(copy.general[0], 0);
  assert_int_equal(copy.personal[0], 4);
}

static void test_favour_one_marker(void **state) {
  (void)state;
  struct louis s;
  set_table(&s, 2, false);
  put_on(&s, 1, 0, 2);
  put_on(&s, 1, 1, 1);
  s.gold[1] = 0;
  set_supplies(&s, 0, 1, 0);
  set_supplies(&s, 1, 0, 0);
  evaluate(&s, 1);
  assert_int_equal(s.asked, 0);
  refused(&s, 0, "favour 1 3", "louis.favourite.short");
  do_action(&s, 0, "favour 4");
  assert_int_equal(s.personal[0], 0);
  /* B has no marker at all and is not asked */
  assert_int_not_equal(s.station, AT_FAVOURITE);
}

static void test_favour_full_board(void **state) {
  (void)state;
  struct louis s;
  set_table(&s, 2, false);
  s.board[0] = 15;
  s.general[0] = 1;
  put_on(&s, 1, 0, 2);
  evaluate(&s, 1);
  /* no empty space: the one in general is ready, unasked; tile 1 was won */
  assert_int_equal(s.station, AT_MISSION);
  assert_int_equal(s.personal[0], 9 + 1);
  assert_int_equal(s.general[0], 2);
}

/* louis.privilege.3 with one marker in general: the favour's own is the other. */
static void test_intrigue_own_marker(void **state) {
  (void)state;
  struct louis s;
  set_table(&s, 2, false);
  s.intrigue[0] = bag_one(4);
  s.intrigue_size[0] = 1;
  s.intrigue_deck.cards -= bag_one(4);
  s.intrigue_deck.left--;
  s.board[0] = 4;
  s.general[0]--;
  set_supplies(&s, 0, 2, 1);
  s.tile = 4;
  start_at(&s, AT_INTRIGUE);
  assert_int_equal(s.asked, 0);
  refused(&s, 0, "intrigue personal 3 favour", "louis.intrigue.effect");
  do_action(&s, 0, "intrigue general 2 favour");
  assert_int_equal(s.markers[4][0], 0); /* won tile 5, and gone home */
  assert_int_equal(s.chips[0][CROWN], 1);
  assert_int_equal(s.general[0], 2);
  assert_int_equal(s.personal[0], 2);
}

static void test_wild(void **state) {
  (void)state;
  struct louis s;
  set_table(&s, 2, true);
  lay_open(&s, 0, "D03");
  hold_mission(&s, 0, "D05");
  take_chip(&s, 0, RING, 2);
  take_chip(&s, 0, HELMET, 2);
  start_at(&s, AT_MISSION);
  refused(&s, 0, "fulfil D05 helmet helmet", "louis.mission.cost");
  do_action(&s, 0, "fulfil D05 helmet ring");
  assert_int_equal(s.used[0][USED_WILD], 1);
  assert_int_equal(s.station, AT_DRAW);
  /* used up for this phase */
  do_action(&s, 0, "draw dark");
  draw_all(&s, 3);
  hold_mission(&s, 0, "D06");
  refused(&s, 0, "fulfil D06 helmet ring", "louis.mission.cost");
}

static void test_wild_fewest(void **state) {
  (void)state;
  struct louis s;
  set_table(&s, 2, true);
  lay_open(&s, 0, "D03");
  hold_mission(&s, 0, "L11"); /* ring any */
  hold_mission(&s, 0, "M07"); /* helmet ring */
  take_chip(&s, 0, RING, 1);
  take_chip(&s, 0, HELMET, 1);
  start_at(&s, AT_MISSION);
  do_action(&s, 0, "fulfil M07 helmet ring");
  assert_int_equal(s.used[0][USED_WILD], 0);
  /* two powers stack: two chips count as crowns */
  set_table(&s, 2, true);
  lay_open(&s, 0, "D03");
  lay_open(&s, 0, "D08");
  hold_mission(&s, 0, "D05");
  take_chip(&s, 0, HELMET, 2);
  start_at(&s, AT_MISSION);
  do_action(&s, 0, "fulfil D05 helmet helmet");
  assert_int_equal(s.used[0][USED_WILD], 2);
}

static void test_any2(void **state) {
  (void)state;
  struct louis s;
  set_table(&s, 2, true);
  lay_open(&s, 0, "M03");
  lay_open(&s, 0, "D02");
  set_supplies(&s, 0, 1, 2);
  s.influence[1] = 2 * bag_one(JOKER); /* so that nothing is evaluated yet */
  s.influence_size[1] = 2;
  s.influence_deck.cards -= s.influence[1];
  s.influence_deck.left = 28;
  start_at(&s, AT_FOOTHOLD);
  /* in the order laid open */
  refused(&s, 0, "foothold 5", "louis.mission.powers");
  do_action(&s, 0, "foothold 4");
  assert_int_equal(s.markers[3][0], 1);
  do_action(&s, 0, "foothold 5 5");
  assert_int_equal(s.markers[4][0], 2);
  assert_int_equal(s.personal[0] + s.general[0], 0);
  /* one marker: only one tile; none: not asked */
  set_table(&s, 2, true);
  lay_open(&s, 0, "D02");
  lay_open(&s, 0, "D05");
  set_supplies(&s, 0, 1, 0);
  start_at(&s, AT_FOOTHOLD);
  refused(&s, 0, "foothold 1 2", "louis.influence.foothold");
  do_action(&s, 0, "foothold 1");
  assert_int_not_equal(s.station, AT_FOOTHOLD);
}

/* ---- The end ------------------------------------------------------------ */

/* Ends the game of `s` at once; nothing is laid off. */
static void end_game(struct louis *s) {
  assert_null(g->selfcheck((sal_state *)s));
  s->round = 4;
  start_at(s, AT_END);
  draw_all(s, 11);
  assert_int_equal(s->station, AT_OVER);
  assert_null(g->selfcheck((sal_state *)s));
}

static void test_end_shields(void **state) {
  (void)state;
  struct louis s;
  set_table(&s, 2, true);
  s.influence[0] = bag_one(JOKER);
  s.influence_size[0] = 1;
  s.influence_deck.cards -= bag_one(JOKER);
  s.influence_deck.left--;
  s.intrigue[0] = bag_one(1) + bag_one(2);
  s.intrigue_size[0] = 2;
  s.intrigue_deck.cards -= s.intrigue[0];
  s.intrigue_deck.left = 10;
  take_chip(&s, 0, RING, 1);
  put_on(&s, 7, 0, 1);
  s.gold[0] = 8;
  s.gold[1] = 2;
  end_game(&s);
  assert_int_equal(s.shield_count[0], 7);
  assert_int_equal(s.shield_count[1], 0);
  assert_int_equal(s.influence_size[0], 1);
  assert_int_equal(s.chips[0][RING], 1);
  assert_int_equal(s.gold[0], 8);
}

static void test_end_favourite(void **state) {
  (void)state;
  static const unsigned expected[] = {0, 0, 1, 1, 2};
  for (unsigned n = 0; n <= 4; n++) {
    struct louis s;
    set_table(&s, 2, false);
    s.board[0] = (uint8_t)((1u << n) - 1);
    s.general[0] = (uint8_t)(s.general[0] - n);
    s.gold[0] = s.gold[1] = 0;
    end_game(&s);
    assert_int_equal(s.shield_count[0], expected[n]);
  }
}

static void test_end_kindless(void **state) {
  (void)state;
  struct louis s;
  int32_t scores[SEATS];
  set_table(&s, 2, true);
  /* two are left; B, who comes second, gets points without a kind */
  s.shields[0] = s.shield_deck - 2 * bag_one(6);
  s.shield_count[0] = 58;
  s.shield_deck = 2 * bag_one(6);
  s.shields_left = 2;
  s.gold[0] = 3;
  s.gold[1] = 9;
  end_game(&s);
  assert_int_equal(s.shield_count[0], 59);
  assert_int_equal(s.shield_count[1], 3);
  assert_int_equal(s.kindless[1], 2);
  g->scores((sal_state *)&s, scores);
  assert_int_equal(scores[0], 59 + 6);
  assert_int_equal(scores[1], 3);
  char facts[1 << 14];
  facts_of((sal_state *)&s, facts, sizeof facts);
  assert_non_null(strstr(facts, ",[0,0,6]]"));
}

static void give_shields_of(struct louis *s, unsigned seat, bag kinds) {
  s->shields[seat] = kinds;
  s->shield_count[seat] = (uint16_t)bag_total(kinds);
  s->shield_deck -= kinds;
  s->shields_left = (uint8_t)(s->shields_left - bag_total(kinds));
}

static void test_end_majority(void **state) {
  (void)state;
  struct louis s;
  int32_t scores[SEATS];
  set_table(&s, 3, true);
  memset(s.gold, 0, sizeof s.gold);
  /* kind 1: A alone; 2: B and C tied; 3: C alone; 4 to 6: nobody */
  give_shields_of(&s, 0, 3 * bag_one(1));
  give_shields_of(&s, 1, bag_one(1) + 2 * bag_one(2));
  give_shields_of(&s, 2, 2 * bag_one(2) + bag_one(3));
  end_game(&s);
  g->scores((sal_state *)&s, scores);
  assert_int_equal(scores[0], 3 + 1);
  assert_int_equal(scores[1], 3 + 1);
  assert_int_equal(scores[2], 3 + 2);
  assert_int_equal(g->winners((sal_state *)&s), 4);
}

static void test_end_score(void **state) {
  (void)state;
  struct louis s;
  int32_t scores[SEATS];
  set_table(&s, 3, true);
  memset(s.gold, 0, sizeof s.gold);
  /* A: 5 shields and a majority; B and C: a mission and a majority */
  give_shields_of(&s, 0, 5 * bag_one(1));
  lay_open(&s, 1, "L01");
  lay_open(&s, 2, "L02");
  give_shields_of(&s, 1, 0);
  struct louis tied = s;
  end_game(&s);
  g->scores((sal_state *)&s, scores);
  assert_int_equal(scores[0], 6);
  assert_int_equal(scores[1], 5);
  assert_int_equal(g->winners((sal_state *)&s), 1);
  /* five each: more missions win; of these more gold beyond a full 3 */
  tied.shields[0] = 4 * bag_one(1);
  tied.shield_count[0] = 4;
  tied.shield_deck += bag_one(1);
  tied.shields_left++;
  s = tied;
  end_game(&s);
  assert_int_equal(g->winners((sal_state *)&s), 6);
  s = tied;
  s.gold[2] = 2;
  s.gold[1] = 1;
  end_game(&s);
  assert_int_equal(g->winners((sal_state *)&s), 4);
}

/* ---- Rounds ------------------------------------------------------------- */

/* Everybody recovers, passes and is done. */
static void idle(sal_state *s, struct sal_rng *rng) {
  const unsigned asked = g->to_act(s);
  if (asked == SAL_CHANCE_BIT) {
    g->sample(s, rng);
    return;
  }
  const int seat = __builtin_ctz(asked);
  const size_t n = g->legal(s, seat, legal);
  sal_action a = legal[n - 1];
  for (size_t i = 0; i < n; i++)
    if (verb_of(legal[i]) == DO_PASS || verb_of(legal[i]) == DO_DONE)
      a = legal[i];
  g->apply(s, seat, a, NULL);
}

static void test_rounds(void **state) {
  (void)state;
  for (int players = 2; players <= 4; players++) {
    union sal_state_box box;
    sal_state *s = (sal_state *)box.bytes;
    struct sal_rng rng;
    const struct sal_setup setup = setup_of(players, true, 1);
    int round = 0;
    sal_rng_seed(&rng, 2);
    g->init(s, &setup);
    for (; g->to_act(s); idle(s, &rng)) {
      if (as_const_state(s)->round == round ||
          as_const_state(s)->station != AT_INFLUENCE)
        continue;
      round = as_const_state(s)->round;
      assert_int_equal(as_const_state(s)->start, round % players);
      /* of three players who starts a second time has drawn one */
      for (int seat = 0; seat < players; seat++)
        assert_int_equal(as_const_state(s)->intrigue_size[seat],
                         players == 3 && round == 4 && seat == 1);
    }
    assert_int_equal(round, 4);
    assert_int_equal(as_const_state(s)->round, 4);
    assert_int_equal(__builtin_popcount(as_const_state(s)->money_deck), 4);
  }
}

static void test_last_round(void **state) {
  (void)state;
  struct louis s;
  set_table(&s, 2, true);
  s.round = 4;
  take_chip(&s, 0, RING, 1);
  take_chip(&s, 1, RING, 1);
  take_chip(&s, 1, HELMET, 1);
  start_at(&s, AT_MISSION);
  /* A has one chip and may not trade in the last round: not asked */
  assert_int_equal(s.asked, 1);
  const unsigned held = (unsigned)__builtin_ctzll(s.missions[1]);
  char id[ID_LENGTH + 1], text[40];
  struct sal_text t;
  sal_text_init(&t, id, sizeof id);
  mission_id(court_of(&s)->mission[held].code, &t);
  snprintf(text, sizeof text, "trade %s dark", id);
  refused(&s, 1, text, "louis.mission.exchange");
  do_action(&s, 1, "done");
  draw_all(&s, 4);
  /* nothing was given back: both chips count as shields */
  assert_int_equal(s.station, AT_OVER);
  assert_int_equal(s.chips[1][RING] + s.chips[1][HELMET], 2);
}

static void test_end_powers(void **state) {
  (void)state;
  struct louis s;
  set_table(&s, 2, true);
  lay_open(&s, 0, "D04");
  lay_open(&s, 0, "D07");
  start_at(&s, AT_MISSION);
  do_action(&s, 0, "done");
  assert_int_equal(s.draws, 2);
  assert_int_equal(s.draw_pile, PILE_SHIELDS);
  draw_all(&s, 4);
  assert_int_equal(s.shield_count[0], 2);
  assert_int_equal(s.asked, 1);
}

static void test_intrigue_power(void **state) {
  (void)state;
  struct louis s;
  set_table(&s, 2, true);
  lay_open(&s, 1, "D01");
  lay_open(&s, 1, "M02");
  lay_open(&s, 1, "M04");
  start_at(&s, AT_ROUND);
  const unsigned gold = s.gold[1];
  draw_all(&s, 4);
  assert_int_equal(s.intrigue_size[1], 1);
  assert_int_equal(s.personal[1], 11 + 3);
  assert_true(s.gold[1] >= gold + 3 + 3);
  assert_int_equal(s.gold[1], s.gold[0] + 3);
}

/* From the only stack with cards it is drawn unasked, from none nothing. */
static void test_few_stacks(void **state) {
  (void)state;
  struct louis s;
  set_table(&s, 2, true);
  hold_mission(&s, 0, "D05");
  take_chip(&s, 0, RING, 2);
  start_at(&s, AT_MISSION);
  struct louis none = s;
  const uint64_t rest = court_of(&s)->tier[LIGHT] | court_of(&s)->tier[MEDIUM];
  s.traded[1] = s.mission_deck & rest;
  s.mission_deck &= ~rest;
  for (int t = LIGHT; t <= MEDIUM; t++) {
    s.traded_tiers[1][t] = s.missions_left[t];
    s.missions_left[t] = 0;
  }
  do_action(&s, 0, "fulfil D05 ring ring");
  assert_int_equal(s.draw_pile, PILE_DARK);
  none.traded[1] = none.mission_deck;
  none.mission_deck = 0;
  for (int t = LIGHT; t <= DARK; t++) {
    none.traded_tiers[1][t] = none.missions_left[t];
    none.missions_left[t] = 0;
  }
  refused(&none, 0, "trade D05 dark", "louis.mission.exchange");
  do_action(&none, 0, "fulfil D05 ring ring");
  assert_int_equal(missions_held(&none, 0), 2);
  /* no chips, no trade, nobody else may trade either: the next round */
  assert_int_equal(none.round, 2);
}

/* ---- Conservation and length -------------------------------------------- */

/* The bound that docs/rules/louis.en.md states for the built-in court. */
enum { STATED_LONGEST = 1400 };

static int games_wanted(int usual) {
  const char *s = getenv("SAL_GAMES");
  return s ? atoi(s) : usual;
}

static unsigned sum(const uint8_t *values, int n) {
  unsigned total = 0;
  while (n--)
    total += values[n];
  return total;
}

static void count_everything(const struct louis *s) {
  unsigned chips = sum(s->stock, CHIP_KINDS), cards, shields;
  for (unsigned seat = 0; seat < s->players; seat++) {
    unsigned markers = (unsigned)s->personal[seat] + s->general[seat] +
                       (unsigned)__builtin_popcount(s->board[seat]);
    for (int t = 0; t < TILES; t++)
      markers += s->markers[t][seat];
    assert_int_equal(markers, 16);
    chips += sum(s->chips[seat], CHIP_KINDS);
  }
  assert_int_equal(chips, 34);
  cards = s->influence_deck.left + bag_total(s->influence_deck.open) +
          bag_total(s->turned_up) + s->intrigue_deck.left +
          bag_total(s->intrigue_deck.open) +
          (unsigned)__builtin_popcountll(s->mission_deck) + s->laid_count;
  shields = s->shields_left;
  for (unsigned seat = 0; seat < s->players; seat++) {
    cards += (unsigned)s->influence_size[seat] + s->intrigue_size[seat] +
             missions_held(s, seat) +
             (unsigned)__builtin_popcountll(s->traded[seat]);
    shields += (unsigned)s->shield_count[seat] - s->kindless[seat];
  }
  /* a money card is out of the game once it was turned up */
  assert_int_equal(cards + 8, 90);
  assert_int_equal(shields, 60);
}

static size_t counted_game(const struct sal_setup *setup, struct sal_rng *rng) {
  union sal_state_box box;
  sal_state *s = (sal_state *)box.bytes;
  size_t steps = 0;
  g->init(s, setup);
  for (unsigned asked; (asked = g->to_act(s)) != 0; steps++) {
    if (asked == SAL_CHANCE_BIT) {
      struct sal_chance c;
      g->chance(s, &c);
      g->apply(s, SAL_CHANCE, sal_chance_draw(&c, rng), NULL);
    } else {
      const int seat = __builtin_ctz(asked);
      const size_t n = g->legal(s, seat, legal);
      g->apply(s, seat, legal[sal_rng_below(rng, (uint32_t)n)], NULL);
    }
    if (as_const_state(s)->station != AT_LOT)
      count_everything(as_const_state(s));
    const char *problem = g->selfcheck(s);
    if (problem)
      fail_msg("%s", problem);
  }
  assert_int_equal(as_const_state(s)->round, 4);
  return steps;
}

static void test_conservation(void **state) {
  (void)state;
  size_t longest = 0;
  for (int players = 2; players <= 4; players++)
    for (int plain = 0; plain < 2; plain++) {
      const struct sal_setup setup = setup_of(players, plain, SAL_BY_LOT);
      struct sal_rng rng;
      sal_rng_seed(&rng, (uint64_t)players);
      for (int i = games_wanted(2000); i > 0; i--) {
        const size_t steps = counted_game(&setup, &rng);
        longest = steps > longest ? steps : longest;
      }
    }
  assert_true(longest <= STATED_LONGEST);
  assert_true(STATED_LONGEST <= g->info.longest);
}

/* ---- How many actions there can be -------------------------------------- */

static void test_legal_max(void **state) {
  (void)state;
  struct louis s;
  /* every kind of card, markers, and privilege 2 */
  set_table(&s, 2, false);
  s.board[0] = 15;
  s.general[0] = (uint8_t)(s.general[0] - 4);
  s.influence[0] = UINT64_C(0x1111111111111);
  s.influence_size[0] = 13;
  s.influence_deck.cards -= s.influence[0];
  s.influence_deck.left = 17;
  start_at(&s, AT_INFLUENCE);
  assert_true(g->legal((sal_state *)&s, 0, legal) <= g->info.legal_max);
  /* the largest hand that a court may lead to, all different */
  s.influence[0] = UINT64_C(0x1111111111);
  s.station = AT_EXCHANGE;
  assert_int_equal(g->legal((sal_state *)&s, 0, legal), 1 << HAND_MAX);
  assert_true(1 << HAND_MAX <= g->info.legal_max);
}

/* ---- Worlds ------------------------------------------------------------- */

/* Seat 1 and 2 hold things that seat 0 cannot see; few are left in the decks. */
static void set_small_world(struct louis *s) {
  set_table(s, 3, true);
  /* influence: 3 3 7 J are unseen: B holds two of them, C one */
  const bag unseen = 2 * bag_one(2) + bag_one(6) + bag_one(JOKER);
  s->influence_deck.open = s->influence_deck.cards - unseen;
  s->influence[1] = bag_one(2) + bag_one(6);
  s->influence[2] = bag_one(2);
  s->influence_deck.cards = bag_one(JOKER);
  s->influence_deck.left = 1;
  s->influence_size[1] = 2;
  s->influence_size[2] = 1;
  /* light missions: all but four are laid open by A; B holds one and has put
   * one out of the game, C holds one */
  for (unsigned m = 0; m < court_of(s)->mission_count; m++) {
    char id[ID_LENGTH + 1];
    struct sal_text t;
    sal_text_init(&t, id, sizeof id);
    mission_id(court_of(s)->mission[m].code, &t);
    if (court_of(s)->mission[m].tier == LIGHT && strcmp(id, "L17") < 0)
      lay_open(s, 0, id);
  }
  for (unsigned seat = 0; seat < 3; seat++) {
    s->mission_deck |= s->missions[seat] & court_of(s)->tier[LIGHT];
    s->missions[seat] &= ~court_of(s)->tier[LIGHT];
    s->tiers[seat][LIGHT] = 0;
  }
  s->missions_left[LIGHT] = 4;
  hold_mission(s, 1, "L17");
  s->traded[1] = s->missions[1] & court_of(s)->tier[LIGHT];
  s->missions[1] &= ~s->traded[1];
  hold_mission(s, 1, "L19");
  hold_mission(s, 2, "L18");
  s->tiers[1][LIGHT] = s->traded_tiers[1][LIGHT] = 1;
  assert_null(g->selfcheck((sal_state *)s));
}

struct world {
  uint64_t hash;
  double weight;
  int count;
};

enum { WORLDS_MAX = 4000 };
static struct world worlds[WORLDS_MAX];
static size_t world_count;

static uint64_t world_hash(bag b, bag c, uint64_t light1, uint64_t light2,
                           uint64_t out) {
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  const uint64_t parts[] = {b, c, light1, light2, out};
  for (int i = 0; i < 5; i++)
    h = (h ^ parts[i]) * UINT64_C(0x9e3779b97f4a7c15) ^ h >> 29;
  return h;
}

static struct world *world_of(uint64_t hash) {
  for (size_t i = 0; i < world_count; i++)
    if (worlds[i].hash == hash)
      return &worlds[i];
  return NULL;
}

/* All ways to deal four different cards and four different missions. */
static void list_worlds(const struct louis *s) {
  static const unsigned cards[] = {2, 2, 6, JOKER};
  uint64_t lights[4];
  const uint64_t tier = court_of(s)->tier[LIGHT];
  uint64_t left = tier;
  for (int i = 0; i < s->laid_count; i++)
    left &= ~(UINT64_C(1) << s->laid[i] % MISSIONS_MAX);
  for (int i = 0; i < 4; i++, left &= left - 1)
    lights[i] = left & -left;
  world_count = 0;
  for (int b1 = 0; b1 < 4; b1++)
    for (int b2 = b1 + 1; b2 < 4; b2++)
      for (int c = 0; c < 4; c++)
        for (int m1 = 0; m1 < 4; m1++)
          for (int m2 = 0; m2 < 4; m2++)
            for (int o = 0; o < 4; o++) {
              if (c == b1 || c == b2 || m1 == m2 || m1 == o || m2 == o)
                continue;
              const uint64_t h = world_hash(
                  bag_one(cards[b1]) + bag_one(cards[b2]), bag_one(cards[c]),
                  lights[m1], lights[m2], lights[o]);
              struct world *w = world_of(h);
              if (!w) {
                w = &worlds[world_count++];
                *w = (struct world){h, 0, 0};
              }
              w->weight += 1;
            }
}

static void test_resample(void **state) {
  (void)state;
  enum { SAMPLES = 60000 };
  struct louis s;
  union sal_view_box seen_box;
  struct sal_rng rng;
  set_small_world(&s);
  list_worlds(&s);
  double sum_of_weights = 0, chi = 0;
  for (size_t i = 0; i < world_count; i++)
    sum_of_weights += worlds[i].weight;
  g->view((sal_state *)&s, 0, (sal_view *)seen_box.bytes);
  sal_rng_seed(&rng, 9);
  for (int i = 0; i < SAMPLES; i++) {
    union sal_state_box box;
    g->resample((const sal_view *)seen_box.bytes, &rng, (sal_state *)box.bytes);
    const struct louis *w = (const struct louis *)box.bytes;
    assert_null(g->selfcheck((sal_state *)box.bytes));
    const uint64_t tier = court_of(w)->tier[LIGHT];
    struct world *found = world_of(
        world_hash(w->influence[1], w->influence[2], w->missions[1] & tier,
                   w->missions[2] & tier, w->traded[1]));
    assert_non_null(found);
    found->count++;
  }
  for (size_t i = 0; i < world_count; i++) {
    const double expected = SAMPLES * worlds[i].weight / sum_of_weights;
    chi +=
        (worlds[i].count - expected) * (worlds[i].count - expected) / expected;
  }
  const double freedom = (double)world_count - 1;
  assert_true(world_count > 100);
  assert_true(chi < freedom + 6 * sqrt(2 * freedom));
  assert_true(chi > freedom - 6 * sqrt(2 * freedom));
}

/* ---- Trees -------------------------------------------------------------- */

static uint64_t perft(const sal_state *s, int depth) {
  static sal_action lists[4][2048];
  const unsigned asked = g->to_act(s);
  union sal_state_box box;
  if (depth == 0 || asked == 0)
    return 1;
  uint64_t leaves = 0;
  struct sal_chance c;
  size_t n;
  if (asked == SAL_CHANCE_BIT) {
    g->chance(s, &c);
    n = c.count;
  } else {
    n = g->legal(s, __builtin_ctz(asked), lists[depth]);
  }
  for (size_t i = 0; i < n; i++) {
    memcpy(&box, s, sizeof(struct louis));
    if (asked == SAL_CHANCE_BIT)
      g->apply((sal_state *)box.bytes, SAL_CHANCE, c.outcome[i].action, NULL);
    else
      g->apply((sal_state *)box.bytes, __builtin_ctz(asked), lists[depth][i],
               NULL);
    leaves += perft((sal_state *)box.bytes, depth - 1);
  }
  return leaves;
}

/* The names of the outcomes of chance, each once. */
static void slow_outcomes(struct slow *s, struct texts *x) {
  x->n = 0;
  if (slow_top(s)->kind == T_LOT) {
    for (int i = 0; i < s->players; i++)
      add(x, "%d", i);
    return;
  }
  const int pile = slow_pile(s);
  const struct set *set = pile_set(s, pile);
  for (int i = 0; i < set->n; i++) {
    bool known = false;
    for (int k = 0; k < x->n; k++)
      known |= strcmp(x->at[k], set->thing[i].name) == 0;
    if (!known && set->thing[i].at == THE_DECK &&
        of_pile(pile, set->thing[i].name))
      add(x, "%s", set->thing[i].name);
  }
}

static uint64_t slow_perft(const struct slow *s, int depth) {
  static struct texts lists[4];
  static struct slow next[4];
  if (depth == 0 || s->over)
    return 1;
  uint64_t leaves = 0;
  struct texts *x = &lists[depth];
  const bool chance = slow_asked(s) == -1;
  next[depth] = *s;
  if (chance)
    slow_outcomes(&next[depth], x);
  else
    slow_legal(&next[depth], x);
  for (int i = 0; i < x->n; i++) {
    next[depth] = *s;
    if (chance)
      slow_draw(&next[depth], x->at[i]);
    else
      slow_act(&next[depth], x->at[i]);
    leaves += slow_perft(&next[depth], depth - 1);
  }
  return leaves;
}

/* From the start, and from positions on the way of a game. */
static void test_perft(void **state) {
  (void)state;
  static struct slow slow;
  union sal_state_box box;
  sal_state *s = (sal_state *)box.bytes;
  struct sal_rng rng;
  char name[SAL_ACTION_TEXT_MAX];
  const struct sal_setup setup = setup_of(3, false, 0);
  sal_rng_seed(&rng, 21);
  g->init(s, &setup);
  slow_start(&slow, 3, false, 0);
  /* 20 light, 12 medium and then 19 light missions */
  assert_int_equal(perft(s, 3), 20 * 12 * 19);
  for (int step_count = 0; g->to_act(s); step_count++) {
    if (step_count % 40 == 0 || as_const_state(s)->station == AT_KEEP)
      assert_int_equal(perft(s, 2), slow_perft(&slow, 2));
    if (g->to_act(s) == SAL_CHANCE_BIT) {
      struct sal_chance c;
      g->chance(s, &c);
      const sal_action a = sal_chance_draw(&c, &rng);
      name_of(a, name);
      g->apply(s, SAL_CHANCE, a, NULL);
      slow_draw(&slow, name);
    } else {
      const int seat = __builtin_ctz(g->to_act(s));
      const sal_action a = eager(g->legal(s, seat, legal), &rng);
      name_of(a, name);
      g->apply(s, seat, a, NULL);
      slow_act(&slow, name);
    }
  }
}

/* As many of each as the box has, and of nothing else. */
static void test_stock(void **state) {
  (void)state;
  struct sal_setup setup;
  int cards = 0;
  sal_setup_default(g, 2, &setup);
  for (int tile = 0; tile <= TILES; tile++)
    for (int gold = 0; gold < 10; gold++) {
      char name[16];
      snprintf(name, sizeof name, "%d:%d", tile, gold);
      cards += g->stock(&setup, PILE_MONEY, name);
    }
  assert_int_equal(cards, court_default.money_count);
  assert_int_equal(g->stock(&setup, PILE_MONEY, "1:0"), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      {"what a deal may fix of the Louis cards", test_stock, NULL, NULL, NULL},
      {"whole games in step with a slow Louis XIV", test_in_step, NULL, NULL,
       NULL},
      {"perft: the tree as counted by a slow Louis XIV", test_perft, NULL, NULL,
       NULL},
      {"louis.markers.conserve: 16 markers a player, 34 chips, 60 shields, 90 "
       "cards after every step, four rounds, and a bounded length",
       test_conservation, NULL, NULL, NULL},
      {"louis.eval.shortage: the first is served first, and who got nothing has "
       "not won",
       test_shortage_chips, NULL, NULL, NULL},
      {"louis.eval.shortage, louis.eval.pay: nobody pays for what is out of "
       "stock",
       test_shortage_nobody, NULL, NULL, NULL},
      {"louis.eval.shortage: who comes after the last one is not asked",
       test_shortage_pay, NULL, NULL, NULL},
      {"louis.eval.shortage: one takes what is left", test_shortage_shields,
       NULL, NULL, NULL},
      {"louis.eval.shortage, louis.cards.open: cards from the open pile, or none",
       test_shortage_cards, NULL, NULL, NULL},
      {"louis.eval.shortage: without markers there is nothing to place",
       test_shortage_markers, NULL, NULL, NULL},
      {"louis.favourite.short: general 1, personal 4, favour 1 3",
       test_favour_short, NULL, NULL, NULL},
      {"louis.favourite.short: one marker fills one space, none none",
       test_favour_one_marker, NULL, NULL, NULL},
      {"louis.favourite.award: on a full board all are ready, unasked",
       test_favour_full_board, NULL, NULL, NULL},
      {"louis.privilege.cost, louis.privilege.3: the favour's own marker is one "
       "of the two",
       test_intrigue_own_marker, NULL, NULL, NULL},
      {"louis.mission.powers: wild pays ring ring with ring and helmet, once",
       test_wild, NULL, NULL, NULL},
      {"louis.mission.powers: the fewest wilds are used up, and they stack",
       test_wild_fewest, NULL, NULL, NULL},
      {"louis.influence.foothold: inner and any2, in the order laid open",
       test_any2, NULL, NULL, NULL},
      {"louis.end.shields: 1 influence, 2 intrigue, 1 chip, 1 marker, 8 gold",
       test_end_shields, NULL, NULL, NULL},
      {"louis.end.favourite: every two markers on the board",
       test_end_favourite, NULL, NULL, NULL},
      {"louis.end.shields: once all are out, points without a kind",
       test_end_kindless, NULL, NULL, NULL},
      {"louis.end.majority: one point a kind, all who are tied, none for none",
       test_end_majority, NULL, NULL, NULL},
      {"louis.end.score: points, then missions, then gold", test_end_score,
       NULL, NULL, NULL},
      {"louis.setup.rounds: four, the start passes to the left, and with three "
       "an intrigue card",
       test_rounds, NULL, NULL, NULL},
      {"louis.mission.exchange, louis.mission.keep-one: not in the last round",
       test_last_round, NULL, NULL, NULL},
      {"louis.mission.done: end powers apply", test_end_powers, NULL, NULL,
       NULL},
      {"louis.supply.powers: gold, markers and an intrigue card",
       test_intrigue_power, NULL, NULL, NULL},
      {"louis.mission.fulfil: one stack is no question, none gives nothing",
       test_few_stacks, NULL, NULL, NULL},
      {"legal lists never exceed what the game says", test_legal_max, NULL,
       NULL, NULL},
      {"resample is uniform over the worlds that fit", test_resample, NULL,
       NULL, NULL},
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
