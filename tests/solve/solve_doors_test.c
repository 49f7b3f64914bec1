/* The solver of Doors against the game without its reductions: the rules of
 * its model against the engine, each reduction and the closed form on random
 * late positions, symmetries, threads, going on later. */
#include "salotto/game.h"
#include "solver.h"
#include "tokens.h"
#include "unreduced.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* ---- The model and the engine ------------------------------------------- */

static const struct worth worth_tokens = TOKENS_WORTH;

static const char *const kind_names[KINDS] = {"RL", "BL", "RT",
                                              "BT", "BR", "LT"};
static const char *const guess_names[GUESSES] = {
    "red",      "blue",      "lady",      "tiger",
    "red lady", "blue lady", "red tiger", "blue tiger"};

/* A round as the model plays it, with the identities that it leaves open. */
struct round {
  struct position p;
  unsigned collector, guesser;
  bool over;
  float result;
};

static void list_picks(const struct round *r, const char *verb,
                       char out[][SAL_ACTION_TEXT_MAX], size_t *n) {
  for (unsigned k = 0; k < KINDS; k++)
    if (count(r->p.offer, k))
      snprintf(out[(*n)++], SAL_ACTION_TEXT_MAX, "%s %s", verb, kind_names[k]);
}

/* The actions of a step, in the words and the order of the engine. */
static size_t list_actions(const struct round *r,
                           char out[][SAL_ACTION_TEXT_MAX]) {
  size_t n = 0;
  if (r->p.step == TAKE || r->p.step == DISCARD) {
    list_picks(r, r->p.step == TAKE ? "take" : "discard", out, &n);
    return n;
  }
  for (unsigned i = 0; r->p.step == GUESS && i < GUESSES; i++)
    snprintf(out[n++], SAL_ACTION_TEXT_MAX, "guess %s", guess_names[i]);
  if (set_owners(r->p.collection) >>
          (r->p.step == GUESS ? r->guesser : r->collector) &
      1)
    snprintf(out[n++], SAL_ACTION_TEXT_MAX, "claim");
  snprintf(out[n++], SAL_ACTION_TEXT_MAX, "end");
  return n;
}

static unsigned index_of(const char *const *names, unsigned n,
                         const char *name) {
  unsigned i = 0;
  while (i < n && strcmp(names[i], name) != 0)
    i++;
  assert_true(i < n);
  return i;
}

static void finish(struct round *r, float result) {
  r->over = true;
  r->result = result;
}

static void play_action(struct round *r, const char *text) {
  const struct worth *w = &worth_tokens;
  if (strncmp(text, "guess ", 6) == 0) {
    const unsigned i = index_of(guess_names, GUESSES, text + 6);
    finish(r, !(guess_right[i] >> r->collector & 1) ? w->wrong
              : i < TRAIT_GUESSES                   ? w->trait
                                                    : w->both);
  } else if (strcmp(text, "claim") == 0) {
    finish(r, r->p.step == CLAIM ? w->set : w->guesser_set);
  } else if (strcmp(text, "end") != 0) {
    r->p =
        position_pick(r->p, index_of(kind_names, KINDS, strchr(text, ' ') + 1));
  } else if (r->p.step == GUESS && r->p.turn == TURNS) {
    finish(r, w->deck_out);
  } else {
    r->p = position_end(r->p);
  }
}

static void words(const struct sal_game *g, sal_action a, char *out) {
  struct sal_text t;
  sal_text_init(&t, out, SAL_ACTION_TEXT_MAX);
  g->action_text(a, &t);
}

/* The deal: identities of seats 0 and 1, then the offer. */
static void deal(const struct sal_game *g, sal_state *s, struct sal_rng *rng,
                 struct round *r) {
  unsigned kind[2 + OFFER];
  for (int i = 0; i < 2 + OFFER; i++) {
    struct sal_chance c;
    char text[SAL_ACTION_TEXT_MAX];
    g->chance(s, &c);
    const sal_action a = sal_chance_draw(&c, rng);
    words(g, a, text);
    kind[i] = index_of(kind_names, KINDS, text);
    g->apply(s, SAL_CHANCE, a, NULL);
  }
  bag offer = 0;
  for (int i = 2; i < 2 + OFFER; i++)
    offer += one(kind[i]);
  *r = (struct round){position_first(offer), kind[0], kind[1], false, 0};
}

/* The outcomes of a refill, with their weights. */
static void refill_both(const struct sal_game *g, sal_state *s,
                        struct sal_rng *rng, struct round *r) {
  struct sal_chance c;
  char text[SAL_ACTION_TEXT_MAX];
  size_t n = 0;
  g->chance(s, &c);
  for (unsigned k = 0; k < KINDS; k++)
    if (count(r->p.deck, k)) {
      words(g, c.outcome[n].action, text);
      assert_string_equal(text, kind_names[k]);
      assert_int_equal(c.outcome[n++].weight, count(r->p.deck, k));
    }
  assert_int_equal(c.count, n);
  const sal_action a = sal_chance_draw(&c, rng);
  words(g, a, text);
  r->p = position_refill(r->p, index_of(kind_names, KINDS, text));
  g->apply(s, SAL_CHANCE, a, NULL);
}

/* Guesses would end most rounds early, so few are made before the end. */
static size_t choose(const struct round *r, size_t n, struct sal_rng *rng) {
  if (r->p.step == GUESS && r->p.turn < TURNS && sal_rng_below(rng, 8))
    return n - 1;
  return sal_rng_below(rng, (uint32_t)n);
}

static void act_both(const struct sal_game *g, sal_state *s,
                     struct sal_rng *rng, struct round *r) {
  const int seat = r->p.step == TAKE || r->p.step == CLAIM ? 0 : 1;
  char mine[GUESSES + 2][SAL_ACTION_TEXT_MAX];
  char theirs[SAL_ACTION_TEXT_MAX];
  sal_action legal[GUESSES + 2];
  assert_int_equal(g->to_act(s), 1u << seat);
  const size_t n = list_actions(r, mine);
  assert_int_equal(n, g->legal(s, seat, legal));
  for (size_t i = 0; i < n; i++) {
    words(g, legal[i], theirs);
    assert_string_equal(mine[i], theirs);
  }
  const size_t i = choose(r, n, rng);
  play_action(r, mine[i]);
  g->apply(s, seat, legal[i], NULL);
}

static void test_model(void **state) {
  (void)state;
  const struct sal_game *g = sal_game_find("doors");
  struct sal_rng rng;
  int ends[12] = {0};
  sal_rng_seed(&rng, 1);
  for (int game = 0; game < 2000; game++) {
    union sal_state_box box;
    sal_state *s = (sal_state *)box.bytes;
    struct sal_setup setup = {.players = 2, .option = {0}};
    struct round r;
    int32_t score[2];
    g->init(s, &setup);
    deal(g, s, &rng, &r);
    while (!r.over)
      if (r.p.step == REFILL_TAKE || r.p.step == REFILL_DISCARD)
        refill_both(g, s, &rng, &r);
      else
        act_both(g, s, &rng, &r);
    g->scores(s, score);
    assert_int_equal(score[0] - score[1], (int)r.result);
    ends[5 + (int)r.result]++;
  }
  for (int i = 0; i < 12; i++) /* every way to end came up */
    assert_int_equal(ends[i] > 0,
                     i == 0 || i == 2 || i == 3 || i == 4 || i == 9 || i == 11);
}

/* ---- Random positions --------------------------------------------------- */

/* A start at the Collector's take of that turn, all cards by lot. */
static struct sal_doors_start random_start(struct sal_rng *rng, int turn) {
  struct sal_doors_start s = {{0}, {0}, {0}};
  bag left = ALL_CLUES;
  const int cards = OFFER + 2 * (turn - 1);
  for (int i = 0; i < cards; i++) {
    unsigned n = sal_rng_below(rng, total(left)), k = 0;
    while (n >= count(left, k))
      n -= count(left, k++);
    left -= one(k);
    (i < OFFER ? s.offer : i & 1 ? s.collection : s.discards)[k]++;
  }
  return s;
}

static struct tree_bounds tree_solved(const struct position *p,
                                      const double *reach, unsigned reductions,
                                      int iterations) {
  struct tree *t = unreduced_tree(p, &worth_tokens, reach, reductions);
  assert_non_null(t);
  for (int i = 0; i < iterations; i++)
    tree_iterate(t);
  const struct tree_bounds b = tree_bounds(t);
  tree_free(t);
  return b;
}

/* Both intervals hold the value of the same game. */
static void assert_same_value(struct tree_bounds a, struct tree_bounds b,
                              double width) {
  if (a.high - a.low >= width || b.high - b.low >= width)
    print_message("# intervals %g and %g\n", a.high - a.low, b.high - b.low);
  assert_true(a.high - a.low < width && b.high - b.low < width);
  assert_true(a.low < b.high + 1e-5 && b.low < a.high + 1e-5);
}

/* ---- Reductions --------------------------------------------------------- */

/* On the Guesser's side of the fourth turn, where the claim, the guesses, the
 * discards and the fifth turn are all still to come. */
static void check_reduction(unsigned reductions) {
  struct sal_rng rng;
  sal_rng_seed(&rng, 5);
  for (int i = 0; i < 4; i++) {
    const struct sal_doors_start s = random_start(&rng, LAST_TAKE);
    double reach[IDENTITIES];
    for (int c = 0; c < IDENTITIES; c++)
      reach[c] = (double)sal_rng_below(&rng, 5) / 2;
    struct position p = start_position(&s);
    unsigned k = 0;
    while (!count(p.offer, k))
      k++;
    p = position_pick(p, k);
    assert_same_value(tree_solved(&p, reach, 0, 60),
                      tree_solved(&p, reach, reductions, 60), 0.06);
  }
}

static void test_claim(void **state) {
  (void)state;
  check_reduction(REDUCE_CLAIM);
}
static void test_guess(void **state) {
  (void)state;
  check_reduction(REDUCE_GUESS);
}
static void test_fifth_take(void **state) {
  (void)state;
  check_reduction(REDUCE_CLAIM | REDUCE_FIFTH_TAKE);
}
static void test_fifth_turn(void **state) {
  (void)state;
  check_reduction(REDUCE_FIFTH_TURN);
}
static void test_discard(void **state) {
  (void)state;
  check_reduction(REDUCE_DISCARD);
}
static void test_all_reductions(void **state) {
  (void)state;
  check_reduction(REDUCE_ALL);
}

/* ---- Endings ------------------------------------------------------------ */

static double row_sum(vec v) {
  return (double)v[0] + (double)v[1] + (double)v[2] + (double)v[3];
}

/* The closed form gives the value of the game with every action of the rules,
 * for any belief about the Collector. */
static void test_ending_value(void **state) {
  (void)state;
  struct sal_rng rng;
  sal_rng_seed(&rng, 6);
  for (int i = 0; i < 12; i++) {
    const struct sal_doors_start s = random_start(&rng, LAST_TAKE);
    const struct position p = start_position(&s);
    struct ending e;
    vec reach;
    double prior[IDENTITIES];
    for (int c = 0; c < IDENTITIES; c++) {
      prior[c] = (double)sal_rng_below(&rng, 9) / 4;
      reach[c] = (float)prior[c];
    }
    unsigned k = 5;
    while (!count(p.offer, k))
      k--;
    ending_make(&e, &p, k);
    const struct position taken = position_pick(p, k);
    const struct tree_bounds b = tree_solved(&taken, prior, 0, 60);
    const double value = row_sum(ending_best(&e, &worth_tokens, reach)) / 12;
    assert_true(b.high - b.low < 0.06);
    assert_true(value > b.low - 1e-5 && value < b.high + 1e-5);
  }
}

/* With no softness the soft answer is a best one; with some, not far off. */
static void test_ending_play(void **state) {
  (void)state;
  struct sal_rng rng;
  sal_rng_seed(&rng, 7);
  for (int i = 0; i < 2000; i++) {
    const struct sal_doors_start s = random_start(&rng, LAST_TAKE);
    const struct position p = start_position(&s);
    struct ending e;
    vec reach;
    for (int c = 0; c < IDENTITIES; c++)
      reach[c] = (float)sal_rng_below(&rng, 9);
    unsigned k = 0;
    while (!count(p.offer, k))
      k++;
    ending_make(&e, &p, k);
    const vec best = ending_best(&e, &worth_tokens, reach);
    for (int soft = 0; soft < 2; soft++) {
      const struct others pays =
          ending_play(&e, &worth_tokens, reach, 0.1f * (float)soft);
      const struct others from = others_of(reach);
      vec got = {0};
      for (int o = 0; o < 3; o++)
        got += from.of[o] * pays.of[o];
      for (int g = 0; g < IDENTITIES; g++) {
        const float all = row_sum(reach) > 0 ? (float)row_sum(reach) : 1;
        assert_true(got[g] >= best[g] - 1e-4f * all);
        assert_true(got[g] <= best[g] + (0.4f * (float)soft + 1e-4f) * all);
      }
    }
  }
}

/* ---- The solver --------------------------------------------------------- */

static sal_doors_solver *solver(const struct sal_doors_start *s, int threads,
                                bool mirrors, int iterations) {
  assert_null(sal_doors_start_problem(s));
  sal_doors_solver *q = solver_new(s, &sal_doors_tokens, threads, mirrors);
  assert_non_null(q);
  for (int i = 0; i < iterations; i++)
    sal_doors_solver_iterate(q);
  return q;
}

static struct tree_bounds solved(const struct sal_doors_start *s, bool mirrors,
                                 int iterations) {
  sal_doors_solver *q = solver(s, 1, mirrors, iterations);
  const struct sal_doors_bounds b = sal_doors_solver_bounds(q);
  sal_doors_solver_free(q);
  return (struct tree_bounds){b.low, b.high};
}

static void test_fourth_card(void **state) {
  (void)state;
  struct sal_rng rng;
  sal_rng_seed(&rng, 8);
  for (int i = 0; i < 4; i++) {
    const struct sal_doors_start s = random_start(&rng, LAST_TAKE);
    const struct position p = start_position(&s);
    assert_same_value(tree_solved(&p, NULL, 0, 150), solved(&s, true, 500),
                      0.06);
  }
}

/* After one iteration the Collector's average is to take anything, so both
 * must find the same best response of the Guesser. */
static void test_third_card(void **state) {
  (void)state;
  struct sal_rng rng;
  sal_rng_seed(&rng, 9);
  const struct sal_doors_start s = random_start(&rng, 3);
  const struct position p = start_position(&s);
  const struct tree_bounds tree = tree_solved(&p, NULL, REDUCE_ALL, 1);
  assert_true(fabs(tree.low - solved(&s, true, 1).low) < 1e-5);
  const struct tree_bounds value = solved(&s, true, 400);
  assert_true(value.low > tree.low && value.high < tree.high);
}

static void test_converges(void **state) {
  (void)state;
  struct sal_rng rng;
  sal_rng_seed(&rng, 10);
  double worst = 0;
  for (int i = 0; i < 8; i++) {
    const struct sal_doors_start s = random_start(&rng, 3);
    const struct tree_bounds b = solved(&s, true, 256);
    assert_true(b.low < b.high + 1e-6);
    worst = fmax(worst, b.high - b.low);
  }
  printf("# from the third card: exploitability at most %.2g after 256\n",
         worst);
  assert_true(worst < 0.02);
}

/* The same position with colours, roles or both exchanged. Rounding makes the
 * numbers drift apart, so they are compared early; the values, later. */
static void test_orientations(void **state) {
  (void)state;
  struct sal_rng rng;
  sal_rng_seed(&rng, 11);
  const struct sal_doors_start s = random_start(&rng, 3);
  const struct tree_bounds early = solved(&s, true, 3);
  const struct tree_bounds late = solved(&s, true, 200);
  for (unsigned turn = 1; turn < SYMMETRIES; turn++) {
    struct sal_doors_start t;
    for (unsigned k = 0; k < KINDS; k++) {
      const unsigned to = symmetry_kind(turn, k);
      t.offer[to] = s.offer[k];
      t.collection[to] = s.collection[k];
      t.discards[to] = s.discards[k];
    }
    const struct tree_bounds c = solved(&t, true, 3);
    assert_true(fabs(c.low - early.low) < 1e-3);
    assert_true(fabs(c.high - early.high) < 1e-3);
    assert_same_value(late, solved(&t, true, 200), 0.02);
  }
}

/* A start that looks the same with colours or roles exchanged. */
static const struct sal_doors_start symmetric = {
    {1, 1, 1, 1, 0, 0}, {0, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, 1}};

static void test_mirrors(void **state) {
  (void)state;
  sal_doors_solver *one_by_one = solver(&symmetric, 1, false, 4);
  sal_doors_solver *mirrored = solver(&symmetric, 1, true, 4);
  const uint64_t all = sal_doors_solver_size(one_by_one).histories;
  const uint64_t some = sal_doors_solver_size(mirrored).histories;
  assert_true(some * 4 >= all && some * 4 < all + all / 10);
  const struct sal_doors_bounds a = sal_doors_solver_bounds(one_by_one);
  const struct sal_doors_bounds b = sal_doors_solver_bounds(mirrored);
  assert_true(fabs(a.low - b.low) < 1e-4 && fabs(a.high - b.high) < 1e-4);
  sal_doors_solver_free(one_by_one);
  sal_doors_solver_free(mirrored);
}

static void assert_same_memory(sal_doors_solver *a, sal_doors_solver *b) {
  uint64_t n, m;
  const void *x = sal_doors_solver_memory(a, &n);
  const void *y = sal_doors_solver_memory(b, &m);
  assert_int_equal(n, m);
  assert_int_equal(sal_doors_solver_done(a), sal_doors_solver_done(b));
  assert_memory_equal(x, y, n);
}

static void test_threads(void **state) {
  (void)state;
  sal_doors_solver *alone = solver(&symmetric, 1, true, 3);
  for (int threads = 2; threads <= 5; threads += 3) {
    sal_doors_solver *many = solver(&symmetric, threads, true, 3);
    assert_same_memory(alone, many);
    const struct sal_doors_bounds a = sal_doors_solver_bounds(alone);
    const struct sal_doors_bounds b = sal_doors_solver_bounds(many);
    assert_memory_equal(&a, &b, sizeof a);
    sal_doors_solver_free(many);
  }
  sal_doors_solver_free(alone);
}

static void test_resume(void **state) {
  (void)state;
  sal_doors_solver *whole = solver(&symmetric, 1, true, 4);
  sal_doors_solver *first = solver(&symmetric, 1, true, 2);
  sal_doors_solver *rest = solver(&symmetric, 1, true, 0);
  uint64_t bytes;
  const void *from = sal_doors_solver_memory(first, &bytes);
  memcpy(sal_doors_solver_memory(rest, &bytes), from, bytes);
  sal_doors_solver_resume(rest, sal_doors_solver_done(first));
  for (int i = 0; i < 2; i++)
    sal_doors_solver_iterate(rest);
  assert_same_memory(whole, rest);
  sal_doors_solver_free(whole);
  sal_doors_solver_free(first);
  sal_doors_solver_free(rest);
}

/* ---- The book ----------------------------------------------------------- */

static sal_doors_book *packed_and_unpacked(const sal_doors_book *b) {
  unsigned char *bytes = malloc(SAL_DOORS_BOOK_MAX);
  const size_t n = sal_doors_book_pack(b, bytes, SAL_DOORS_BOOK_MAX);
  sal_doors_book *copy = sal_doors_book_unpack(bytes, n);
  assert_non_null(copy);
  assert_null(sal_doors_book_unpack(bytes, n - 1));
  for (size_t i = 0; i < n; i += 1 + n / 97) {
    bytes[i] ^= 1;
    assert_null(sal_doors_book_unpack(bytes, n));
    bytes[i] ^= 1;
  }
  assert_int_equal(sal_doors_book_pack(b, bytes, n - 1), 0);
  free(bytes);
  return copy;
}

/* The check walks every history with every action of the rules; the quick
 * walk uses all reductions. They agree, and forgetting history costs little. */
static void check_book(const struct sal_doors_start *s, int iterations,
                       double loss) {
  sal_doors_solver *q = solver(s, 1, true, iterations);
  const struct sal_doors_bounds b = sal_doors_solver_bounds(q);
  sal_doors_book *full = sal_doors_book_new();
  double checked = 0, quick = 0;
  assert_true(sal_doors_book_add(full, q, 1));
  sal_doors_book *book = packed_and_unpacked(full);
  assert_int_equal(sal_doors_book_positions(book),
                   sal_doors_book_positions(full));
  assert_true(sal_doors_book_check(book, s, &sal_doors_tokens, 2, &checked));
  assert_true(sal_doors_book_wins(book, s, &sal_doors_tokens, &quick));
  assert_true(fabs(checked - quick) < 1e-5);
  assert_true(quick < b.high + 1e-5 && quick > b.low - loss);
  sal_doors_book_free(full);
  sal_doors_book_free(book);
  sal_doors_solver_free(q);
}

static void test_book_fourth(void **state) {
  (void)state;
  struct sal_rng rng;
  sal_rng_seed(&rng, 12);
  for (int i = 0; i < 20; i++) {
    const struct sal_doors_start s = random_start(&rng, LAST_TAKE);
    check_book(&s, 300, 0.02);
  }
}

static void test_book_third(void **state) {
  (void)state;
  struct sal_rng rng;
  sal_rng_seed(&rng, 13);
  const struct sal_doors_start s = random_start(&rng, 3);
  check_book(&s, 200, 0.3);
}

static void test_book_missing(void **state) {
  (void)state;
  sal_doors_book *empty = sal_doors_book_new();
  struct sal_rng rng;
  double wins;
  sal_rng_seed(&rng, 14);
  const struct sal_doors_start s = random_start(&rng, LAST_TAKE);
  assert_false(sal_doors_book_check(empty, &s, &sal_doors_tokens, 1, &wins));
  assert_false(sal_doors_book_wins(empty, &s, &sal_doors_tokens, &wins));
  sal_doors_book_free(empty);
}

/* ---- Offers ------------------------------------------------------------- */

/* The histories of three turns from all 81 offers, counted another way by the
 * test of the engine; and with them every ending is made once. */
static void test_offers(void **state) {
  (void)state;
  struct sal_doors_offer all[SAL_DOORS_OFFERS];
  double chance = 0;
  uint64_t histories = 0, offers = 0;
  sal_doors_offers(all);
  for (int i = 0; i < SAL_DOORS_OFFERS; i++) {
    const struct position p = start_position(&all[i].start);
    uint64_t fixed = 0;
    struct board b;
    for (unsigned s = 0; s < SYMMETRIES; s++)
      fixed += symmetry_bag(s, p.offer) == p.offer;
    assert_true(board_make(&b, &p));
    histories += b.states[0].histories * SYMMETRIES / fixed;
    offers += SYMMETRIES / fixed;
    chance += all[i].chance;
    assert_int_equal(sal_doors_offer_number(all[i].start.offer), i);
    board_free(&b);
  }
  assert_int_equal(offers, 81);
  assert_int_equal(histories, 390691632);
  assert_true(fabs(chance - 1) < 1e-12);
}

static void test_problems(void **state) {
  (void)state;
  struct sal_doors_start s = symmetric;
  assert_null(sal_doors_start_problem(&s));
  s.discards[LT] = 2;
  assert_non_null(sal_doors_start_problem(&s));
  s.discards[LT] = 0;
  assert_non_null(sal_doors_start_problem(&s));
  s = symmetric;
  s.offer[RL] = 0;
  assert_non_null(sal_doors_start_problem(&s));
  s = (struct sal_doors_start){
      {2, 2, 0, 0, 0, 0}, {1, 1, 2, 0, 0, 0}, {0, 0, 1, 3, 0, 0}};
  assert_non_null(sal_doors_start_problem(&s));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      {"the model of a round plays as the engine does", test_model, NULL, NULL,
       NULL},
      {"reduction: who holds a set claims it", test_claim, NULL, NULL, NULL},
      {"reduction: five guesses of eight", test_guess, NULL, NULL, NULL},
      {"reduction: the fifth take completes or tells nothing", test_fifth_take,
       NULL, NULL, NULL},
      {"reduction: the fifth turn is a name or the end", test_fifth_turn, NULL,
       NULL, NULL},
      {"reduction: discards that leave a set to the fewest", test_discard, NULL,
       NULL, NULL},
      {"reductions: all together", test_all_reductions, NULL, NULL, NULL},
      {"endings: the closed form is the value of all the rules",
       test_ending_value, NULL, NULL, NULL},
      {"endings: soft answers are nearly best", test_ending_play, NULL, NULL,
       NULL},
      {"from the fourth card: the value without any reduction",
       test_fourth_card, NULL, NULL, NULL},
      {"from the third card: the best response of the tree", test_third_card,
       NULL, NULL, NULL},
      {"from the third card: exploitability falls", test_converges, NULL, NULL,
       NULL},
      {"the same position in all 8 orientations", test_orientations, NULL, NULL,
       NULL},
      {"a symmetric start: mirrored histories count once", test_mirrors, NULL,
       NULL, NULL},
      {"any number of threads, the same numbers", test_threads, NULL, NULL,
       NULL},
      {"going on later is going on", test_resume, NULL, NULL, NULL},
      {"book: from the fourth card, checked without reductions",
       test_book_fourth, NULL, NULL, NULL},
      {"book: from the third card, checked without reductions", test_book_third,
       NULL, NULL, NULL},
      {"book: what is not in it is missed", test_book_missing, NULL, NULL,
       NULL},
      {"15 offers stand for 81, with the histories of all", test_offers, NULL,
       NULL, NULL},
      {"starts that cannot be", test_problems, NULL, NULL, NULL},
  };
  return cmocka_run_group_tests_name("solve_doors", tests, NULL, NULL);
}
