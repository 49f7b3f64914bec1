/* Doors beyond the vectors: the tree counted by an independent slow
 * implementation, sets against all collections, all deals of end positions. */
#include "../../src/games/doors.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

/* ---- Counting the tree -------------------------------------------------- */

/* A second Doors, written as a child would deal it: cards in arrays, traits as
 * letters, no packing, no shared code. It counts the histories of one round by
 * the names of the cards that move: offers, takes, refills, discards. */
struct slow {
  const char *deck[14];
  int deck_count;
  const char *offer[4];
};

static bool named_before(const char *const *cards, int i) {
  for (int k = 0; k < i; k++)
    if (cards[k] && strcmp(cards[k], cards[i]) == 0)
      return true;
  return false;
}

/* Plies: odd ones are takes, even ones discards; each ends with the refill. */
static uint64_t slow_count(const struct slow *s, int plies) {
  if (plies == 0)
    return 1;
  uint64_t n = 0;
  for (int slot = 0; slot < 4; slot++) {
    if (named_before(s->offer, slot))
      continue;
    for (int card = 0; card < s->deck_count; card++) {
      if (named_before(s->deck, card))
        continue;
      struct slow next = *s;
      next.offer[slot] = s->deck[card];
      next.deck[card] = s->deck[s->deck_count - 1];
      next.deck_count--;
      n += slow_count(&next, plies - 1);
    }
  }
  return n;
}

/* Sums over the different offers of four cards. */
static uint64_t slow_round(int plies) {
  static const char *const all[14] = {
      "red lady",   "red lady",   "red lady",  "blue lady", "blue lady",
      "blue lady",  "red tiger",  "red tiger", "red tiger", "blue tiger",
      "blue tiger", "blue tiger", "colours",   "roles"};
  const char *seen[200];
  int seen_count = 0;
  uint64_t n = 0;
  for (int a = 0; a < 14; a++)
    for (int b = a + 1; b < 14; b++)
      for (int c = b + 1; c < 14; c++)
        for (int d = c + 1; d < 14; d++) {
          char key[64];
          snprintf(key, sizeof key, "%s,%s,%s,%s", all[a], all[b], all[c],
                   all[d]);
          bool old = false;
          for (int i = 0; i < seen_count; i++)
            old |= strcmp(seen[i], key) == 0;
          if (old)
            continue;
          seen[seen_count++] = strdup(key);
          struct slow s = {.deck_count = 0,
                           .offer = {all[a], all[b], all[c], all[d]}};
          for (int i = 0; i < 14; i++)
            if (i != a && i != b && i != c && i != d)
              s.deck[s.deck_count++] = all[i];
          n += slow_count(&s, plies);
        }
  for (int i = 0; i < seen_count; i++)
    free((void *)seen[i]);
  return n;
}

/* The same through the engine: one identity pair, no guesses, claims declined. */
static uint64_t engine_count(const struct doors *s, int plies) {
  struct doors next;
  if (s->phase < TAKE) {
    struct sal_chance c;
    uint64_t n = 0;
    chance((const sal_state *)s, &c);
    for (size_t i = 0; i < c.count; i++) {
      next = *s;
      apply((sal_state *)&next, SAL_CHANCE, c.outcome[i].action, NULL);
      n += engine_count(&next, plies);
    }
    return n;
  }
  if (s->phase == CLAIM || s->phase == GUESS) {
    if (plies == 0)
      return 1;
    next = *s;
    const int seat = __builtin_ctz(to_act((const sal_state *)s));
    apply((sal_state *)&next, seat, ENDS, NULL);
    return engine_count(&next, plies);
  }
  if (plies == 0)
    return 1;
  sal_action list[GUESS_COUNT + 2];
  const int seat = __builtin_ctz(to_act((const sal_state *)s));
  const size_t n = legal((const sal_state *)s, seat, list);
  uint64_t sum = 0;
  for (size_t i = 0; i < n; i++) {
    next = *s;
    apply((sal_state *)&next, seat, list[i], NULL);
    sum += engine_count(&next, plies - 1);
  }
  return sum;
}

/* Every offer once: the first four draws in sorted order. */
static uint64_t engine_round(int plies) {
  uint64_t sum = 0;
  for (unsigned a = 0; a < KINDS; a++)
    for (unsigned b = a; b < KINDS; b++)
      for (unsigned c = b; c < KINDS; c++)
        for (unsigned d = c; d < KINDS; d++) {
          struct doors s;
          init((sal_state *)&s, &(struct sal_setup){.players = 2});
          s.identity[0] = RL;
          s.identity[1] = BT;
          s.phase = TAKE;
          const hand offer = one(a) + one(b) + one(c) + one(d);
          bool possible = true;
          for (unsigned k = 0; k < KINDS; k++)
            possible &= count(offer, k) <= count(ALL_CLUES, k);
          if (!possible)
            continue;
          s.offer = offer;
          s.deck = ALL_CLUES - offer;
          sum += engine_count(&s, plies);
        }
  return sum;
}

static void test_perft(void **state) {
  (void)state;
  /* published with the study of the game: 81 offers, then by ply */
  static const uint64_t known[] = {81, 1160, 16576, 229184, 2993480};
  for (int plies = 0; plies <= 4; plies++) {
    const uint64_t found = engine_round(plies);
    assert_int_equal(found, known[plies]);
    if (plies <= 3)
      assert_int_equal(found, slow_round(plies));
  }
}

/* ---- Sets --------------------------------------------------------------- */

/* By spelling the traits out. */
static bool slow_set(const unsigned *n, const char *trait) {
  static const char *const words[] = {"red lady",   "blue lady", "red tiger",
                                      "blue tiger", "red blue",  "lady tiger"};
  unsigned sum = 0;
  for (int k = 0; k < KINDS; k++)
    if (strstr(words[k], trait))
      sum += n[k];
  return sum >= 4;
}

static void test_sets(void **state) {
  (void)state;
  static const char *const trait[] = {"red", "blue", "lady", "tiger"};
  unsigned n[KINDS];
  int tried = 0;
  for (n[0] = 0; n[0] <= 3; n[0]++)
    for (n[1] = 0; n[1] <= 3; n[1]++)
      for (n[2] = 0; n[2] <= 3; n[2]++)
        for (n[3] = 0; n[3] <= 3; n[3]++)
          for (n[4] = 0; n[4] <= 1; n[4]++)
            for (n[5] = 0; n[5] <= 1; n[5]++, tried++) {
              hand h = 0;
              for (unsigned k = 0; k < KINDS; k++)
                h += n[k] * one(k);
              for (int i = 0; i < 4; i++)
                assert_int_equal(sets(h) >> i & 1, slow_set(n, trait[i]));
            }
  assert_int_equal(tried, 1024);
}

static void test_identity_traits(void **state) {
  (void)state;
  assert_int_equal(traits(RL), 1 | 4);
  assert_int_equal(traits(BL), 2 | 4);
  assert_int_equal(traits(RT), 1 | 8);
  assert_int_equal(traits(BT), 2 | 8);
}

/* ---- Tools of cards.h --------------------------------------------------- */

static void test_pick(void **state) {
  (void)state;
  struct sal_rng rng;
  sal_rng_seed(&rng, 1);
  for (int round = 0; round < 10000; round++) {
    hand h = 0;
    unsigned row[CLUE_COUNT], n = 0;
    for (unsigned k = 0; k < KINDS; k++)
      for (unsigned i = sal_rng_below(&rng, k < 4 ? 4 : 2); i > 0; i--) {
        h += one(k);
        row[n++] = k;
      }
    assert_int_equal(total(h), n);
    for (unsigned i = 0; i < n; i++)
      assert_int_equal(pick(h, i), row[i]);
  }
}

/* ---- No leak, over all deals -------------------------------------------- */

/* Who is asked reads of a claim and of a guess exactly when they can. */
static void names_what_is_possible(const struct view *v, const sal_action *list,
                                   size_t n) {
  char said[256];
  struct sal_text t;
  bool claim = false, guess = false;
  for (size_t i = 0; i < n; i++) {
    claim |= list[i] == CLAIMS;
    guess |= (list[i] & ~(sal_action)15) == GUESSES;
  }
  sal_text_init(&t, said, sizeof said);
  prompt((const sal_view *)v, &sal_words_plain, &t);
  assert_int_equal(strstr(said, "claim a set") != NULL, claim);
  assert_int_equal(strstr(said, "guess") != NULL, guess);
}

/* In end positions every pair of identities is tried: whatever a seat with
 * the same own identity gets must be the same. */
static void glimpse(const struct doors *s, int viewer, char *out, size_t size) {
  struct view v;
  struct sal_text t;
  struct sal_json j;
  sal_action list[GUESS_COUNT + 2];
  memset(&v, 0, sizeof v);
  view((const sal_state *)s, viewer, (sal_view *)&v);
  sal_text_init(&t, out, size);
  sal_json_init(&j, &t);
  sal_json_object(&j, NULL);
  facts((const sal_view *)&v, &j);
  sal_json_end(&j, '}');
  prompt((const sal_view *)&v, &sal_words_plain, &t);
  position((const sal_view *)&v, &sal_words_plain, &t);
  sal_text_int(&t, to_act((const sal_state *)s));
  if (viewer < 0)
    return;
  const size_t n = legal((const sal_state *)s, viewer, list);
  for (size_t i = 0; i < n; i++) {
    action_text(list[i], &t);
    sal_text_char(&t, ' ');
  }
  if (n == 0)
    return;
  names_what_is_possible(&v, list, n);
  for (sal_action a = TAKES; a < BEGINS; a++) {
    if ((a & 15) >= KINDS)
      continue;
    const char *rule = check((const sal_state *)s, viewer, a);
    sal_text_add(&t, rule ? rule : "-");
  }
}

static void leak_everywhere(struct doors *s, size_t *positions) {
  static char shown[4][4096], now[4096];
  for (int viewer = SAL_SPECTATOR; viewer < 2; viewer++) {
    bool known[4] = {false};
    for (uint8_t a = 0; a < DOORS; a++)
      for (uint8_t b = 0; b < DOORS; b++) {
        if (a == b)
          continue;
        s->identity[0] = a;
        s->identity[1] = b;
        const int own = viewer < 0 ? 0 : viewer == 0 ? a : b;
        glimpse(s, viewer, now, sizeof now);
        if (known[own])
          assert_string_equal(shown[own], now);
        strcpy(shown[own], now);
        known[own] = true;
      }
  }
  ++*positions;
}

static void walk_end(const struct doors *s, int depth, size_t *positions) {
  struct doors next = *s;
  if (s->phase < TAKE) {
    struct sal_chance c;
    chance((const sal_state *)s, &c);
    for (size_t i = 0; i < c.count; i++) {
      next = *s;
      apply((sal_state *)&next, SAL_CHANCE, c.outcome[i].action, NULL);
      walk_end(&next, depth, positions);
    }
    return;
  }
  leak_everywhere(&next, positions);
  if (depth == 0)
    return;
  sal_action list[GUESS_COUNT + 2];
  const int seat = __builtin_ctz(to_act((const sal_state *)s));
  const size_t n = legal((const sal_state *)s, seat, list);
  for (size_t i = 0; i < n; i++) {
    if ((list[i] & ~(sal_action)15) == GUESSES || list[i] == CLAIMS)
      continue; /* these end the round */
    if (s->turn == TURNS && s->phase == GUESS)
      continue;
    next = *s;
    apply((sal_state *)&next, seat, list[i], NULL);
    walk_end(&next, depth - 1, positions);
  }
}

static void test_no_leak_in_endings(void **state) {
  (void)state;
  struct sal_rng rng;
  size_t positions = 0;
  sal_rng_seed(&rng, 4);
  for (int game = 0; game < 12; game++) {
    struct doors s;
    init((sal_state *)&s, &(struct sal_setup){.players = 2});
    /* a random round, without guesses, up to the Collector's fourth take */
    while (!(s.phase == TAKE && s.turn == 4)) {
      if (s.phase < TAKE) {
        sample((sal_state *)&s, &rng);
        continue;
      }
      sal_action list[GUESS_COUNT + 2];
      const int seat = __builtin_ctz(to_act((const sal_state *)&s));
      const size_t n = legal((const sal_state *)&s, seat, list);
      apply((sal_state *)&s, seat,
            s.phase == GUESS ? ENDS : list[sal_rng_below(&rng, (uint32_t)n)],
            NULL);
    }
    walk_end(&s, 8, &positions);
  }
  assert_true(positions > 10000);
}

/* ---- Resampling --------------------------------------------------------- */

static void test_resample_uniform(void **state) {
  (void)state;
  struct sal_rng rng;
  struct doors s, other;
  struct view v;
  sal_rng_seed(&rng, 9);
  init((sal_state *)&s, &(struct sal_setup){.players = 2});
  sample((sal_state *)&s, &rng);
  enum { TRIES = 120000 };
  for (int viewer = SAL_SPECTATOR; viewer < 2; viewer++) {
    unsigned found[16] = {0};
    const unsigned worlds = viewer < 0 ? 12 : 3;
    view((const sal_state *)&s, viewer, (sal_view *)&v);
    for (int i = 0; i < TRIES; i++) {
      resample((const sal_view *)&v, &rng, (sal_state *)&other);
      found[other.identity[0] * 4 + other.identity[1]]++;
    }
    unsigned seen_worlds = 0;
    double chi = 0;
    for (int i = 0; i < 16; i++)
      if (found[i]) {
        const double expected = (double)TRIES / worlds;
        seen_worlds++;
        chi += (found[i] - expected) * (found[i] - expected) / expected;
      }
    assert_int_equal(seen_worlds, worlds);
    assert_true(chi < 40); /* 11 degrees of freedom: one in 30,000 */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      {"perft: the round's tree as counted by a slow Doors", test_perft, NULL,
       NULL, NULL},
      {"doors.set.four, doors.set.blue-red, doors.set.lady-tiger: every "
       "collection",
       test_sets, NULL, NULL, NULL},
      {"doors.set.identity: traits of the four identities",
       test_identity_traits, NULL, NULL, NULL},
      {"cards: pick and total agree with a row of cards", test_pick, NULL, NULL,
       NULL},
      {"view.same: all deals of end positions look the same; a question names "
       "only what is possible",
       test_no_leak_in_endings, NULL, NULL, NULL},
      {"resample is uniform over the identities that fit",
       test_resample_uniform, NULL, NULL, NULL},
  };
  return cmocka_run_group_tests_name("doors", tests, NULL, NULL);
}
