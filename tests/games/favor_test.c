/* Favor beyond the vectors: a second, slow Favor played in step with the
 * engine, every collection scored by trying every use of the specials, every
 * price paid, every world of a view. */
#include "../../src/games/favor.c"
#include "../../src/games/favor_words.c"

#include "salotto/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "favor_slow.h"

static inline sal_state *opaque(struct favor *s) { return (sal_state *)s; }

static struct sal_setup setup_of(int players, int edition, int first) {
  return (struct sal_setup){players, {edition, first}};
}

static void name_of(sal_action a, char *out) {
  struct sal_text t;
  sal_text_init(&t, out, SAL_ACTION_TEXT_MAX);
  action_text(a, &t);
}

static int seat_asked(const struct favor *s) {
  return __builtin_ctz(to_act((const sal_state *)s));
}

/* ---- Both in step ------------------------------------------------------- */

static void show_heap(const struct heap *h, char *out) {
  strcat(out, " (");
  for (int k = 0; k < 6; k++)
    for (int i = in_heap(h, every_card[k]); i > 0; i--)
      strcat(out, every_card[k]);
  strcat(out, ")");
}

static void show_slow(const struct slow *s, char *out) {
  sprintf(out, "%s day %d first %d asked %d box %d caller %d high %d won %d:",
          s->step, s->day, s->opener, slow_asked(s), s->box, s->caller,
          slow_high(s), s->champion);
  show_heap(&s->deck, out);
  show_heap(&s->lot, out);
  show_heap(&s->waste, out);
  for (int i = 0; i < s->players; i++) {
    sprintf(out + strlen(out), " %d %d %s", s->purse[i], slow_total(s, i),
            i < s->doors ? s->door[i] : "-");
    show_heap(&s->won[i], out);
  }
}

static void show_hand(hand h, char *out) {
  strcat(out, " (");
  for (unsigned k = 0; k < KINDS; k++)
    for (unsigned i = 0; i < count(h, k); i++)
      strcat(out, card_names[k]);
  strcat(out, ")");
}

static int or_none(unsigned seat) { return seat == NO_SEAT ? -1 : (int)seat; }

static void show_engine(const struct favor *s, char *out) {
  static const char *const steps[] = {"lot?", "door", "lot",   "card",
                                      "turn", "bid",  "final", "over"};
  sprintf(out, "%s day %d first %d asked %d box %d caller %d high %d won %d:",
          steps[s->phase], s->day, s->first, s->turn, s->out_of_play,
          or_none(s->caller), s->high_bid, or_none(s->winner));
  show_hand(s->deck, out);
  show_hand(s->lot, out);
  show_hand(s->discards, out);
  for (int i = 0; i < s->players; i++) {
    sprintf(out + strlen(out), " %d %d %s", s->gems[i], points(s, i),
            s->identity[i] == NO_CARD ? "-" : card_names[s->identity[i]]);
    show_hand(s->collection[i], out);
  }
}

static size_t engine_choices(struct favor *s, sal_action *list) {
  if (to_act(opaque(s)) != SAL_CHANCE_BIT)
    return s->phase == OVER ? 0 : legal(opaque(s), seat_asked(s), list);
  struct sal_chance c;
  chance(opaque(s), &c);
  for (size_t i = 0; i < c.count; i++)
    list[i] = c.outcome[i].action;
  return c.count;
}

static void engine_do(struct favor *s, sal_action a) {
  const bool drawn = to_act(opaque(s)) == SAL_CHANCE_BIT;
  apply(opaque(s), drawn ? SAL_CHANCE : seat_asked(s), a, NULL);
}

static void play_in_step(int players, int edition, uint64_t seed) {
  struct slow slow;
  struct favor s;
  struct sal_rng rng;
  const int first = (int)(seed % (unsigned)players);
  const struct sal_setup setup = setup_of(players, edition, first);
  sal_rng_seed(&rng, seed);
  init(opaque(&s), &setup);
  slow_begin(&slow, players, edition == ENGLISH, first);
  for (;;) {
    char ours[2048], theirs[2048], words[32][16];
    sal_action list[GEMS_MAX + 1];
    show_engine(&s, ours);
    show_slow(&slow, theirs);
    assert_string_equal(ours, theirs);
    const size_t n = engine_choices(&s, list);
    assert_int_equal(n, slow_choices(&slow, words));
    if (n == 0)
      return;
    for (size_t i = 0; i < n; i++) {
      char name[SAL_ACTION_TEXT_MAX];
      name_of(list[i], name);
      assert_string_equal(name, words[i]);
    }
    const size_t choice = sal_rng_below(&rng, (uint32_t)n);
    engine_do(&s, list[choice]);
    slow_do(&slow, words[choice]);
  }
}

static void test_in_step(void **state) {
  (void)state;
  for (int players = 2; players <= 4; players++)
    for (int edition = ITALIAN; edition <= ENGLISH; edition++)
      for (uint64_t seed = 0; seed < 300; seed++)
        play_in_step(players, edition, seed);
}

static uint64_t slow_count(const struct slow *s, int depth) {
  char list[32][16];
  const int n = slow_choices(s, list);
  if (depth == 0 || n == 0)
    return 1;
  uint64_t sum = 0;
  for (int i = 0; i < n; i++) {
    struct slow next = *s;
    slow_do(&next, list[i]);
    sum += slow_count(&next, depth - 1);
  }
  return sum;
}

static uint64_t engine_count(struct favor *s, int depth) {
  sal_action list[GEMS_MAX + 1];
  const size_t n = engine_choices(s, list);
  if (depth == 0 || n == 0)
    return 1;
  uint64_t sum = 0;
  for (size_t i = 0; i < n; i++) {
    struct favor next = *s;
    engine_do(&next, list[i]);
    sum += engine_count(&next, depth - 1);
  }
  return sum;
}

/* Takes the first choice (a card, add) or the last (pass) for so many steps. */
static void play_on(struct favor *s, struct slow *slow, int steps) {
  for (int i = 0; i < steps; i++) {
    char list[32][16], name[SAL_ACTION_TEXT_MAX];
    sal_action ours[GEMS_MAX + 1] = {0};
    const size_t n = engine_choices(s, ours);
    assert_int_equal(n, slow_choices(slow, list));
    const size_t choice = s->phase == BID || s->phase == FINAL ? n - 1 : 0;
    name_of(ours[choice], name);
    engine_do(s, ours[choice]);
    slow_do(slow, name);
  }
}

static void test_perft(void **state) {
  (void)state;
  /* Steps from the first lot on, chance included; then the count. */
  static const struct {
    int players, skip, depth;
    uint64_t nodes;
  } known[] = {
      /* from the first lot of day 1 */
      {2, 3, 1, 2},
      {2, 3, 2, 12},
      {2, 3, 5, 446},
      {2, 3, 10, 403070},
      {3, 4, 10, 222336},
      {4, 5, 9, 42087},
      /* from the last turns of day 1 over the final auction into day 2 */
      {2, 3 + 24, 11, 522360},
      {3, 4 + 24, 11, 152664},
      /* the last turns of day 3, to the end of the game */
      {2, 3 + 26 + 2 + 4 + 24 + 2 + 5 + 18, 14, 1266},
      {3, 4 + 26 + 3 + 5 + 24 + 3 + 6 + 18, 12, 10324},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    struct favor s;
    struct slow slow;
    const struct sal_setup setup = setup_of(known[i].players, ENGLISH, 0);
    init(opaque(&s), &setup);
    slow_begin(&slow, known[i].players, true, 0);
    play_on(&s, &slow, known[i].skip);
    assert_int_equal(s.phase, TURN);
    const uint64_t found = engine_count(&s, known[i].depth);
    assert_int_equal(found, known[i].nodes);
    assert_int_equal(found, slow_count(&slow, known[i].depth));
  }
}

/* ---- Scoring ------------------------------------------------------------ */

static struct heap heap_of(hand h) {
  struct heap heap = {.n = 0};
  for (unsigned k = 0; k < KINDS; k++)
    for (unsigned i = 0; i < count(h, k); i++)
      drop(&heap, card_names[k]);
  return heap;
}

/* The next collection that 14 Clues allow; 0 after the last. */
static hand next_collection(hand h) {
  for (unsigned k = 0; k < KINDS; k++) {
    if (count(h, k) < count(ALL_CLUES, k))
      return h + one(k);
    h -= one(k) * count(h, k);
  }
  return 0;
}

typedef void with_collection(enum edition edition, hand h, unsigned identity);

static void each_collection(with_collection *with) {
  int tried = 0;
  for (int edition = ITALIAN; edition <= ENGLISH; edition++)
    for (unsigned identity = 0; identity < DOORS; identity++) {
      hand h = 0;
      do {
        with((enum edition)edition, h, identity);
        tried++;
        h = next_collection(h);
      } while (h);
    }
  assert_int_equal(tried, 2 * 4 * 1024);
}

static void compare_points(enum edition edition, hand h, unsigned identity) {
  const struct heap heap = heap_of(h);
  assert_int_equal(card_points(edition, h, identity),
                   slow_cards(&heap, card_names[identity], edition == ENGLISH));
}

static void test_points(void **state) {
  (void)state;
  each_collection(compare_points);
}

/* With the uses that are shown: the worths add up, the rules allow them, and
 * without one of them there would be less. */
static void compare_uses(enum edition edition, hand h, unsigned identity) {
  const struct heap heap = heap_of(h);
  const char *door = card_names[identity];
  struct result r = {.cards = h,
                     .identity = identity,
                     .uses = best_uses(edition, h, identity)};
  const int best = card_points(edition, h, identity);
  int sum = 0, place[2] = {-1, -1}, found;
  int at = 0;
  for (unsigned k = 0; k < KINDS; k++)
    for (unsigned n = 0; n < count(h, k); n++, at++) {
      const unsigned as = counts_as(&r, k, n);
      sum += worth(as, identity);
      if ((as ^ k) & OTHER_COLOUR)
        place[0] = at;
      if ((as ^ k) & OTHER_ROLE)
        place[1] = at;
    }
  assert_int_equal(sum, best);
  assert_int_equal(place[0] >= 0, r.uses.colour != NO_CARD);
  assert_int_equal(place[1] >= 0, r.uses.role != NO_CARD);
  assert_true(
      slow_use(&heap, door, edition == ENGLISH, place[0], place[1], &found));
  assert_int_equal(found, best);
  if (place[0] >= 0 &&
      slow_use(&heap, door, edition == ENGLISH, -1, place[1], &found))
    assert_true(found < best);
  if (place[1] >= 0 &&
      slow_use(&heap, door, edition == ENGLISH, place[0], -1, &found))
    assert_true(found < best);
}

static void test_uses(void **state) {
  (void)state;
  each_collection(compare_uses);
}

/* The table of the rules, row by row: base, then what the specials add. */
static void compare_closed_form(enum edition edition, hand h,
                                unsigned identity) {
  const int exact = (int)count(h, identity), none = (int)count(h, identity ^ 3);
  const int role = (int)count(h, identity ^ 1);
  const int colour = (int)count(h, identity ^ 2);
  const bool br = count(h, BR), lt = count(h, LT);
  int add = 0;
  if (edition == ITALIAN)
    add = (br && role ? 2 : 0) + (lt && colour ? 2 : 0);
  else if (br && lt)
    add = none >= 2 ? 6 : none ? 5 : (role ? 2 : 0) + (colour ? 2 : 0);
  else if (br)
    add = none ? 3 : role ? 2 : 0;
  else if (lt)
    add = none ? 3 : colour ? 2 : 0;
  assert_int_equal(card_points(edition, h, identity),
                   3 * exact + role + colour - 2 * none + add);
}

static void test_closed_form(void **state) {
  (void)state;
  each_collection(compare_closed_form);
}

static int least_points, most_points;

static void widen(enum edition edition, hand h, unsigned identity) {
  const int points = card_points(edition, h, identity);
  least_points = points < least_points ? points : least_points;
  most_points = points > most_points ? points : most_points;
}

static void test_score_range(void **state) {
  (void)state;
  least_points = most_points = 0;
  each_collection(widen);
  assert_int_equal(sal_favor.info.score_min, 3 * least_points);
  assert_int_equal(sal_favor.info.score_max, 3 * (most_points + 3));
}

static void test_gem_bonus(void **state) {
  (void)state;
  for (uint8_t players = 2; players <= 4; players++)
    for (unsigned code = 0; code < 21 * 21 * 21 * 21; code++) {
      struct favor s = {.players = players};
      unsigned rest = code, most = 0, expected = 0;
      for (int i = 0; i < players; i++, rest /= 21) {
        s.gems[i] = (uint8_t)(rest % 21);
        most = s.gems[i] > most ? s.gems[i] : most;
      }
      if (rest)
        break;
      for (int i = 0; i < players; i++)
        expected |= s.gems[i] < most ? 0 : 1u << i;
      assert_int_equal(richest(&s), expected);
    }
}

/* ---- Winning ------------------------------------------------------------ */

/* A day 3 whose final auction has one chance left; identities and collections
 * do not matter when nobody holds a card. */
static struct favor last_chance(int players, int first) {
  struct favor s;
  const struct sal_setup setup = setup_of(players, ITALIAN, first);
  init(opaque(&s), &setup);
  s.day = DAYS;
  s.deck = 0;
  s.lot = 0;
  s.discards = ALL_CLUES - one(RT);
  s.lot = one(RT);
  for (int i = 0; i < players; i++)
    s.identity[i] = (uint8_t)i;
  s.phase = FINAL;
  s.left = 1;
  return s;
}

static void test_winner(void **state) {
  (void)state;
  struct sal_rng rng;
  int by_points = 0, by_gems = 0, by_order = 0;
  sal_rng_seed(&rng, 3);
  for (int game = 0; game < 20000; game++) {
    const int players = 2 + (int)sal_rng_below(&rng, 3);
    struct favor s =
        last_chance(players, (int)sal_rng_below(&rng, (uint32_t)players));
    for (int i = 0; i < players; i++) {
      s.day_points[0][i] = (int8_t)((int)sal_rng_below(&rng, 7) - 3);
      s.day_points[1][i] = (int8_t)((int)sal_rng_below(&rng, 3) - 1);
      s.gems[i] = (uint8_t)(3 + sal_rng_below(&rng, 3));
    }
    apply(opaque(&s), s.turn, act(PASSES, 0), NULL);
    assert_int_equal(s.phase, OVER);
    /* sort the seats, best first */
    int order[SEATS], points_of[SEATS];
    scores(opaque(&s), points_of);
    for (int i = 0; i < players; i++)
      order[i] = (s.first + i) % players;
    for (int a = 0; a < players; a++)
      for (int b = a; b > 0; b--) {
        const int x = order[b - 1], y = order[b];
        if (points_of[y] > points_of[x] ||
            (points_of[y] == points_of[x] && s.gems[y] > s.gems[x])) {
          order[b - 1] = y;
          order[b] = x;
        }
      }
    assert_int_equal(winners(opaque(&s)), 1u << order[0]);
    const int x = order[0], y = order[1];
    if (points_of[x] > points_of[y])
      by_points++;
    else if (s.gems[x] > s.gems[y])
      by_gems++;
    else
      by_order++;
  }
  assert_true(by_points > 1000 && by_gems > 1000 && by_order > 500);
}

/* Three players, the first one of the day behind: the next in order wins. */
static void test_earliest_of_the_others(void **state) {
  (void)state;
  struct favor s = last_chance(3, 1);
  s.day_points[0][1] = -9;
  apply(opaque(&s), s.turn, act(PASSES, 0), NULL);
  assert_int_equal(winners(opaque(&s)), 1u << 2);
}

/* ---- Auctions ----------------------------------------------------------- */

/* The caller holds `held`, everybody else nothing; the caller wins for `bid`.
 */
static struct favor caller_buys(int players, int caller, unsigned held,
                                unsigned bid) {
  struct favor s;
  struct sal_rng rng;
  const struct sal_setup setup = setup_of(players, ITALIAN, caller);
  sal_rng_seed(&rng, held * 100 + bid);
  init(opaque(&s), &setup);
  sample(opaque(&s), &rng);
  memset(s.gems, 0, sizeof s.gems);
  s.gems[caller] = (uint8_t)held;
  apply(opaque(&s), caller, act(CALLS, 0), NULL);
  for (int i = 1; i < players; i++)
    apply(opaque(&s), (caller + i) % players, act(PASSES, 0), NULL);
  assert_null(check(opaque(&s), caller, act(BIDS, bid)));
  apply(opaque(&s), caller, act(BIDS, bid), NULL);
  return s;
}

static void test_caller_pays(void **state) {
  (void)state;
  for (int players = 2; players <= 4; players++)
    for (int caller = 0; caller < players; caller++)
      for (unsigned bid = 1; bid <= 5u * (unsigned)players; bid++) {
        const unsigned held = 5u * (unsigned)players;
        const struct favor s = caller_buys(players, caller, held, bid);
        unsigned shares = 0, rest = bid;
        for (; rest >= (unsigned)players - 1; rest -= (unsigned)players - 1)
          shares++;
        for (int i = 0; i < players; i++)
          assert_int_equal(s.gems[i], i == caller ? held - bid : shares);
        assert_int_equal(s.out_of_play, rest);
        assert_int_equal(total(s.collection[caller]), 1);
        assert_int_equal(s.turn, (caller + 1) % players);
      }
}

static void test_caller_small(void **state) {
  (void)state;
  for (int players = 3; players <= 4; players++)
    for (unsigned bid = 1; bid + 1 < (unsigned)players; bid++) {
      const struct favor s = caller_buys(players, 0, 5, bid);
      assert_int_equal(s.out_of_play, bid);
      for (int i = 1; i < players; i++)
        assert_int_equal(s.gems[i], 0);
    }
}

static void test_all_bidders_pay_caller(void **state) {
  (void)state;
  for (int players = 2; players <= 4; players++)
    for (int winner = 1; winner < players; winner++)
      for (unsigned bid = 1; bid <= 5; bid++) {
        struct favor s;
        struct sal_rng rng;
        const struct sal_setup setup = setup_of(players, ITALIAN, 0);
        sal_rng_seed(&rng, bid);
        init(opaque(&s), &setup);
        sample(opaque(&s), &rng);
        const hand lot = s.lot;
        apply(opaque(&s), 0, act(CALLS, 0), NULL);
        for (int i = 1; i <= players; i++)
          apply(opaque(&s), i % players,
                i == winner ? act(BIDS, bid) : act(PASSES, 0), NULL);
        for (int i = 0; i < players; i++)
          assert_int_equal(s.gems[i], i == 0        ? 5 + bid
                                      : i == winner ? 5 - bid
                                                    : 5);
        assert_int_equal(s.out_of_play, 0);
        assert_int_equal(s.collection[winner], lot);
      }
}

/* ---- Random games ------------------------------------------------------- */

/* What holds after every step, chance steps too. */
static void check_conservation(const struct favor *s) {
  int cards = 0, gems = s->out_of_play;
  for (unsigned k = 0; k < KINDS; k++) {
    unsigned n = count(s->deck, k) + count(s->lot, k) + count(s->discards, k);
    for (int i = 0; i < s->players; i++)
      n += count(s->collection[i], k);
    assert_int_equal(n, k < 4 ? 3 : 1);
    cards += (int)n;
  }
  for (int i = 0; i < s->players; i++)
    gems += s->gems[i];
  assert_int_equal(cards, 14);
  assert_int_equal(gems, 5 * s->players);
  assert_null(selfcheck((const sal_state *)s));
}

static void test_conservation(void **state) {
  (void)state;
  for (int players = 2; players <= 4; players++)
    for (uint64_t game = 0; game < 500; game++) {
      struct favor s;
      struct sal_rng rng;
      const struct sal_setup setup =
          setup_of(players, (int)(game & 1), SAL_BY_LOT);
      sal_rng_seed(&rng, game);
      init(opaque(&s), &setup);
      for (sal_action list[GEMS_MAX + 1]; s.phase != OVER;) {
        check_conservation(&s);
        const size_t n = engine_choices(&s, list);
        engine_do(&s, list[sal_rng_below(&rng, (uint32_t)n)]);
      }
      check_conservation(&s);
    }
}

/* Adds and calls of each day. */
static void count_turns(int players, uint64_t seed, int turns[DAYS]) {
  struct favor s;
  struct sal_rng rng;
  const struct sal_setup setup = setup_of(players, ITALIAN, SAL_BY_LOT);
  sal_rng_seed(&rng, seed);
  init(opaque(&s), &setup);
  memset(turns, 0, DAYS * sizeof *turns);
  for (sal_action list[GEMS_MAX + 1]; s.phase != OVER;) {
    turns[s.day - 1] += s.phase == TURN;
    const size_t n = engine_choices(&s, list);
    engine_do(&s, list[sal_rng_below(&rng, (uint32_t)n)]);
  }
}

static void test_day_one_has_13_turns(void **state) {
  (void)state;
  for (int players = 2; players <= 4; players++)
    for (uint64_t game = 0; game < 1000; game++) {
      int turns[DAYS];
      count_turns(players, game, turns);
      assert_int_equal(turns[0], 13);
      assert_in_range(turns[1], 6, 12);
      assert_in_range(turns[2], 4, 11);
    }
}

/* The longest a day can be from `deck` cards on, by the rules: an add is two
 * steps for a card; an auction is the call, four chances and the new lot. */
static int longest_rest(int day, int deck, bool *auction) {
  if (deck == 0)
    return SEATS;
  const int lot = deck < day ? deck : day;
  const int add = 2 + longest_rest(day, deck - 1, &(bool){false});
  const int call =
      1 + SEATS + lot + longest_rest(day, deck - lot, &(bool){false});
  *auction = call > add;
  return call > add ? call : add;
}

static void test_longest(void **state) {
  (void)state;
  struct favor s;
  struct sal_rng rng;
  const struct sal_setup setup = setup_of(SEATS, ITALIAN, SAL_BY_LOT);
  size_t bound = 1, steps = 0;
  for (int day = 1; day <= DAYS; day++)
    bound += (size_t)(SEATS + day + longest_rest(day, 14 - day, &(bool){0}));
  assert_int_equal(sal_favor.info.longest, bound);
  sal_rng_seed(&rng, 8);
  init(opaque(&s), &setup);
  for (sal_action list[GEMS_MAX + 1]; s.phase != OVER; steps++) {
    bool auction = false;
    size_t n = engine_choices(&s, list);
    if (s.phase == TURN)
      longest_rest(s.day, (int)total(s.deck), &auction);
    engine_do(&s, s.phase == TURN ? list[auction] : list[n - 1]);
  }
  assert_int_equal(steps, bound);
}

/* ---- Setup -------------------------------------------------------------- */

static void test_first_by_lot(void **state) {
  (void)state;
  for (int players = 2; players <= 4; players++) {
    struct favor s;
    struct sal_chance c;
    struct sal_rng rng;
    const struct sal_setup setup = setup_of(players, ITALIAN, SAL_BY_LOT);
    unsigned found[SEATS] = {0};
    init(opaque(&s), &setup);
    chance(opaque(&s), &c);
    assert_int_equal(c.count, players);
    assert_int_equal(c.pile, -1);
    for (size_t i = 0; i < c.count; i++)
      assert_int_equal(c.outcome[i].weight, 1);
    sal_rng_seed(&rng, 1);
    for (int i = 0; i < 1000 * players; i++) {
      init(opaque(&s), &setup);
      sample(opaque(&s), &rng);
      int32_t told[SAL_OPTIONS_MAX];
      options(opaque(&s), told);
      assert_int_equal(told[1], s.first);
      assert_int_equal(s.turn, s.first);
      found[s.first]++;
    }
    for (int i = 0; i < players; i++)
      assert_in_range(found[i], 850, 1150);
  }
}

static int try_deal(int players, const char *pile, const char *cards) {
  const struct sal_setup setup = setup_of(players, ITALIAN, 0);
  struct sal_deals *d = sal_deals_new(&sal_favor, &setup);
  int error = sal_deals_open(d, 0, pile, 0, NULL);
  char card[3] = "";
  for (const char *s = cards; *s && !error; s += 2 + (s[2] == ' ')) {
    memcpy(card, s, 2);
    error = sal_deals_card(d, card, NULL);
  }
  if (!error)
    error = sal_deals_check(d, NULL);
  sal_deals_free(d);
  return error;
}

static void test_deals(void **state) {
  (void)state;
  assert_int_equal(try_deal(3, "identities", "RT BL BT"), 0);
  assert_int_equal(try_deal(3, "identities", "RT BL"), SAL_BAD_DEAL);
  assert_int_equal(try_deal(2, "identities", "RT BL BT"), SAL_BAD_DEAL);
  assert_int_equal(try_deal(3, "identities", "RT BL RT"), SAL_BAD_DEAL);
  assert_int_equal(try_deal(2, "identities", "RT BR"), SAL_BAD_DEAL);
  assert_int_equal(try_deal(2, "deck", ""), 0);
  assert_int_equal(try_deal(2, "deck", "LT BR RL RL RL"), 0);
  assert_int_equal(try_deal(2, "deck", "RL RL RL RL"), SAL_BAD_DEAL);
  assert_int_equal(try_deal(2, "deck", "BR BR"), SAL_BAD_DEAL);
  assert_int_equal(try_deal(2, "offer", "RL"), SAL_BAD_DEAL);
}

/* ---- Views -------------------------------------------------------------- */

static struct favor some_position(int players, uint64_t seed) {
  struct favor s;
  struct sal_rng rng;
  const struct sal_setup setup = setup_of(players, ITALIAN, 0);
  sal_rng_seed(&rng, seed);
  init(opaque(&s), &setup);
  const unsigned steps = 10 + sal_rng_below(&rng, 60);
  sal_action list[GEMS_MAX + 1];
  for (unsigned i = 0; i < steps || s.phase < TURN; i++) {
    const size_t n = engine_choices(&s, list);
    engine_do(&s, list[sal_rng_below(&rng, (uint32_t)n)]);
  }
  return s;
}

static unsigned world_of(const struct favor *s) {
  unsigned code = 0;
  for (int i = 0; i < s->players; i++)
    code = code * DOORS + s->identity[i];
  return code;
}

/* All worlds that look like `s` to the viewer, by trying every deal. */
static unsigned mark_worlds(const struct favor *s, int viewer, bool *fits) {
  unsigned worlds = 0;
  struct view seen_now, seen_then;
  memset(&seen_now, 0, sizeof seen_now);
  memset(&seen_then, 0, sizeof seen_then);
  view((const sal_state *)s, viewer, (sal_view *)&seen_now);
  for (unsigned code = 0; code < 256; code++) {
    struct favor other = *s;
    unsigned rest = code, dealt = 0;
    bool possible = true;
    for (int i = s->players - 1; i >= 0; i--, rest /= DOORS) {
      possible &= !(dealt >> rest % DOORS & 1);
      dealt |= 1u << rest % DOORS;
      other.identity[i] = (uint8_t)(rest % DOORS);
    }
    fits[code] = false;
    if (!possible || rest)
      continue;
    view((const sal_state *)&other, viewer, (sal_view *)&seen_then);
    fits[code] = memcmp(&seen_now, &seen_then, sizeof seen_now) == 0;
    worlds += fits[code];
  }
  return worlds;
}

static void test_resample(void **state) {
  (void)state;
  static const unsigned expected_worlds[5][2] = {
      {0, 0}, {0, 0}, {12, 3}, {24, 6}, {24, 6}};
  struct sal_rng rng;
  sal_rng_seed(&rng, 17);
  for (int players = 2; players <= 4; players++)
    for (int viewer = SAL_SPECTATOR; viewer < players; viewer++) {
      const struct favor s = some_position(players, (uint64_t)(viewer + 1));
      bool fits[256];
      unsigned found[256] = {0};
      const unsigned worlds = mark_worlds(&s, viewer, fits);
      assert_int_equal(worlds, expected_worlds[players][viewer >= 0]);
      const unsigned tries = worlds * 2000;
      struct view v;
      view((const sal_state *)&s, viewer, (sal_view *)&v);
      for (unsigned i = 0; i < tries; i++) {
        struct favor other;
        resample((const sal_view *)&v, &rng, opaque(&other));
        assert_null(selfcheck(opaque(&other)));
        found[world_of(&other)]++;
      }
      double chi = 0;
      for (int code = 0; code < 256; code++) {
        assert_true(fits[code] || found[code] == 0);
        if (fits[code])
          chi += (found[code] - 2000.0) * (found[code] - 2000.0) / 2000.0;
      }
      assert_true(chi < 60); /* at most 23 degrees of freedom */
    }
}

static void glimpse(struct favor *s, int viewer, char *out, size_t size) {
  struct view v;
  struct sal_text t;
  struct sal_json j;
  float numbers[SAL_FAVOR_TENSOR];
  memset(&v, 0, sizeof v);
  view(opaque(s), viewer, (sal_view *)&v);
  sal_text_init(&t, out, size);
  sal_json_init(&j, &t);
  sal_json_object(&j, NULL);
  favor_facts((const sal_view *)&v, &j);
  sal_json_end(&j, '}');
  favor_prompt((const sal_view *)&v, &sal_words_plain, &t);
  favor_position((const sal_view *)&v, &sal_words_plain, &t);
  tensor((const sal_view *)&v, numbers);
  sal_text_hex(&t, (const uint8_t *)numbers, sizeof numbers);
  sal_text_hex(&t, (const uint8_t *)&v, sizeof v);
  if (viewer < 0)
    return;
  sal_action list[GEMS_MAX + 1];
  const size_t n = legal(opaque(s), viewer, list);
  sal_text_hex(&t, (const uint8_t *)list, n * sizeof *list);
  static const char *const tries[] = {"add",   "auction", "bid 0",
                                      "bid 3", "bid 9",   "pass"};
  for (size_t i = 0; n && i < sizeof tries / sizeof *tries; i++) {
    const char *rule = check(opaque(s), viewer, action_parse(tries[i]));
    sal_text_add(&t, rule ? rule : "-");
  }
  assert_int_equal(t.lost, 0);
}

static void test_no_leak(void **state) {
  (void)state;
  for (int players = 2; players <= 4; players++)
    for (uint64_t seed = 0; seed < 30; seed++)
      for (int viewer = SAL_SPECTATOR; viewer < players; viewer++) {
        static char ours[8192], theirs[8192];
        struct favor s = some_position(players, seed), other;
        struct sal_rng rng;
        struct view v;
        sal_rng_seed(&rng, seed);
        glimpse(&s, viewer, ours, sizeof ours);
        view(opaque(&s), viewer, (sal_view *)&v);
        for (int i = 0; i < 20; i++) {
          resample((const sal_view *)&v, &rng, opaque(&other));
          glimpse(&other, viewer, theirs, sizeof theirs);
          assert_string_equal(ours, theirs);
        }
      }
}

/* ---- Words -------------------------------------------------------------- */

struct heard {
  struct sal_log log;
  int viewer;
  struct sal_text text;
  char buffer[4096];
};

static void hear(struct sal_log *log, const struct sal_event *e) {
  struct heard *h = (struct heard *)log;
  struct sal_event cut;
  sal_event_cut(e, h->viewer, &cut);
  favor_event_say(&cut, h->viewer, &sal_words_plain, &h->text);
  sal_text_char(&h->text, '\n');
}

static void expect_said(struct favor s, int viewer, sal_action a,
                        const char *expected) {
  struct heard h = {.log = {hear}, .viewer = viewer};
  sal_text_init(&h.text, h.buffer, sizeof h.buffer);
  apply(opaque(&s), s.turn, a, &h.log);
  if (!strstr(h.buffer, expected))
    fail_msg("'%s' is not in '%s'", expected, h.buffer);
}

static struct favor auction_of(int players, unsigned bid, bool final) {
  struct favor s = last_chance(players, 0);
  s.turn = 0;
  s.high_bid = (uint8_t)bid;
  s.high_bidder = bid ? 1 : NO_SEAT;
  if (final)
    return s;
  s.deck = one(LT);
  s.discards -= one(LT);
  s.phase = BID;
  s.caller = 0;
  return s;
}

static void test_price_in_words(void **state) {
  (void)state;
  const sal_action pass = act(PASSES, 0), five = act(BIDS, 5);
  expect_said(auction_of(3, 4, false), SAL_SPECTATOR, pass,
              "Seat 1 takes the lot for 4 gems. Seat 0 gets 4 gems.\n");
  expect_said(auction_of(3, 1, false), 0, pass,
              "Seat 1 takes the lot for 1 gem. You get 1 gem.\n");
  expect_said(auction_of(3, 4, false), 0, five,
              "You take the lot for 5 gems. Each opponent gets 2 gems. 1 gem "
              "goes out of play.\n");
  expect_said(auction_of(2, 4, false), 1, five,
              "Seat 0 takes the lot for 5 gems. Each opponent gets 5 gems.\n");
  expect_said(auction_of(4, 0, false), 1, act(BIDS, 2),
              "Seat 0 takes the lot for 2 gems. 2 gems go out of play.\n");
  expect_said(auction_of(2, 3, true), 1, pass,
              "You take the lot for 3 gems. 3 gems go out of play.\n");
  expect_said(auction_of(2, 0, false), 1, pass,
              "Nobody has bid: the lot goes to the discards.\n");
}

static void test_day_in_words(void **state) {
  (void)state;
  struct favor s = auction_of(2, 0, true);
  s.edition = ENGLISH;
  s.identity[0] = RT;
  s.identity[1] = BL;
  s.collection[0] = one(BL) + one(BT) + one(BR) + one(LT);
  s.discards -= s.collection[0];
  s.gems[1] = 6;
  expect_said(
      s, 1, act(PASSES, 0),
      "Day 3 is over. Seat 0 scores 4 points as the Red Tiger: cards "
      "4, gem bonus 0, total so far 4. Cards: Blue Lady as Red Tiger "
      "3, Blue Tiger 1, Blue/Red 0, Lady/Tiger 0. The Blue/Red changes "
      "the Blue Lady. The Lady/Tiger changes the Blue Lady. You score 3 "
      "points as the Blue Lady: cards 0, gem bonus 3, total so far 3.\nSeat "
      "0 wins the game.\n");
  s.edition = ITALIAN;
  expect_said(s, 0, act(PASSES, 0),
              "You score 1 point as the Red Tiger: cards 1, gem bonus 0, total "
              "so far 1. Cards: Blue Lady -2, Blue Tiger as Red Tiger 3, "
              "Blue/Red 0, Lady/Tiger 0. The Blue/Red changes the Blue Tiger. "
              "The Lady/Tiger stays unused.");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      {"perft: the tree as counted by a slow Favor", test_perft, NULL, NULL,
       NULL},
      {"whole games in step with a slow Favor", test_in_step, NULL, NULL, NULL},
      {"favor.score.exact, favor.score.one, favor.score.none, "
       "favor.score.special, favor.score.special.it, favor.score.special.en, "
       "favor.score.best: every collection, by trying every use",
       test_points, NULL, NULL, NULL},
      {"favor.score.best: the uses shown are allowed, best, and none is idle",
       test_uses, NULL, NULL, NULL},
      {"favor.score.special.it, favor.score.special.en: the closed form of the "
       "rules",
       test_closed_form, NULL, NULL, NULL},
      {"favor.score.negative: the range of scores", test_score_range, NULL,
       NULL, NULL},
      {"favor.score.gems: every division of gems", test_gem_bonus, NULL, NULL,
       NULL},
      {"favor.win.points, favor.win.gems, favor.win.earliest: against sorting "
       "the seats",
       test_winner, NULL, NULL, NULL},
      {"favor.win.earliest: counted on from the first player when that one is "
       "behind",
       test_earliest_of_the_others, NULL, NULL, NULL},
      {"favor.auction.caller-wins: every bid, players and caller",
       test_caller_pays, NULL, NULL, NULL},
      {"favor.auction.caller-small: every such bid", test_caller_small, NULL,
       NULL, NULL},
      {"favor.auction.pay-caller: every bid and bidder",
       test_all_bidders_pay_caller, NULL, NULL, NULL},
      {"14 cards and five gems a player after every step", test_conservation,
       NULL, NULL, NULL},
      {"favor.final.trigger, favor.add.one: day 1 always has exactly 13 turns",
       test_day_one_has_13_turns, NULL, NULL, NULL},
      {"the longest game is as long as it says", test_longest, NULL, NULL,
       NULL},
      {"favor.setup.first: by lot every seat is as likely", test_first_by_lot,
       NULL, NULL, NULL},
      {"favor.setup.identity, favor.setup.lot: possible and impossible deals",
       test_deals, NULL, NULL, NULL},
      {"resample is uniform over the identities that fit", test_resample, NULL,
       NULL, NULL},
      {"view.same: all worlds that fit look the same", test_no_leak, NULL, NULL,
       NULL},
      {"favor.auction.pay-caller, favor.auction.caller-wins, favor.final.pay: "
       "the price in words",
       test_price_in_words, NULL, NULL, NULL},
      {"favor.score.best: the day in words", test_day_in_words, NULL, NULL,
       NULL},
  };
  return cmocka_run_group_tests_name("favor", tests, NULL, NULL);
}
