/* Traps for two: the model against the engine, the solver against an
 * independent walk and against brute force, the file of the policy, playing. */
#include "belief.h"

#include "salotto/salotto.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct sal_rng rng;

static unsigned below(unsigned n) { return sal_rng_below(&rng, n); }

/* ---- The engine ------------------------------------------------------------ */

static const struct sal_game *game;
static union sal_state_box box;
static sal_state *state;

static void play(int seat, const char *text) {
  const sal_action a = game->action_parse(text);
  assert_true(a != 0);
  assert_null(game->check(state, seat, a));
  game->apply(state, seat, a, NULL);
}

static void play_number(int seat, const char *verb, int number) {
  char text[32];
  snprintf(text, sizeof text, "%s %d", verb, number);
  play(seat, text);
}

/* What lies on the table, seen from above. */
struct seen {
  int tokens[2], first, target, laid[2], card[2][6], asked;
  int bet, bettor, phase;
};

enum { PLACE, BUILD, BET, REVEAL, GIVE, NO_PHASE };

static struct seen look(void) {
  union sal_view_box view;
  float t[SAL_TRAPS_TENSOR];
  struct seen s = {.asked = -1, .phase = NO_PHASE};
  game->view(state, SAL_EVERYTHING, (sal_view *)view.bytes);
  game->tensor((const sal_view *)view.bytes, t);
  for (int seat = 0; seat < 2; seat++) {
    const float *b = t + seat * SAL_TRAPS_SEAT;
    s.tokens[seat] = (int)lrintf(b[SAL_TRAPS_TOKENS] * 5);
    s.laid[seat] = (int)lrintf(b[SAL_TRAPS_LAID] * 6);
    if (b[SAL_TRAPS_FIRST] > 0)
      s.first = seat;
    if (b[SAL_TRAPS_BETTOR] > 0)
      s.bettor = seat;
    if (b[SAL_TRAPS_ASKED] > 0)
      s.asked = seat;
    for (int i = 0; i < s.laid[seat]; i++)
      for (int k = 0; k < KINDS; k++)
        if (b[SAL_TRAPS_PILE + KINDS * i + k] > 0)
          s.card[seat][i] = k;
  }
  for (int i = 0; i < 4; i++)
    if (t[SAL_TRAPS_TARGET + i] > 0)
      s.target = i;
  for (int i = 0; i < NO_PHASE; i++)
    if (t[SAL_TRAPS_PHASE + i] > 0)
      s.phase = i;
  s.bet = (int)lrintf(t[SAL_TRAPS_BET] * 99);
  return s;
}

/* Plans are the same for all scores but for two facts. */
static struct plan plans[PILE + 1][PILE + 1][BET_TOP + 1][2][2];

static const struct plan *plan_of(int own, int theirs, int bet,
                                  const struct pay *pay) {
  struct plan *p = &plans[own][theirs][bet][pay->can_stop][pay->last];
  if (!p->own)
    assert_true(plan_make(p, traps_model(), own, theirs, bet, pay));
  return p;
}

static void free_plans(void) {
  struct plan *p = &plans[0][0][0][0][0];
  for (size_t i = 0; i < sizeof plans / sizeof *p; i++)
    plan_free(p + i);
}

/* ---- Random rounds --------------------------------------------------------- */

static void random_card(int seat, const char *verb) {
  sal_action legal[128];
  char text[SAL_ACTION_TEXT_MAX];
  struct sal_text out;
  const size_t n = game->legal(state, seat, legal);
  size_t cards = 0;
  for (size_t i = 0; i < n; i++) {
    sal_text_init(&out, text, sizeof text);
    game->action_text(legal[i], &out);
    cards += strncmp(text, verb, strlen(verb)) == 0;
  }
  assert_true(cards > 0);
  game->apply(state, seat, legal[below((unsigned)cards)], NULL);
}

/* Builds and bets; leaves the digger before the first card. */
static void random_betting(int *position) {
  for (int p = 0;; p++) {
    struct seen s = look();
    assert_int_equal(s.phase, BUILD);
    assert_int_equal(s.asked, s.first ^ position_actor(p));
    assert_int_equal(s.laid[s.first], position_pile(p, 0));
    assert_int_equal(s.laid[!s.first], position_pile(p, 1));
    *position = p;
    if (p + 1 == POSITIONS || below(2) == 0)
      break;
    random_card(s.asked, "build");
  }
  int bet = 0;
  for (;;) {
    const struct seen s = look();
    if (bet && (bet == 99 || below(2) == 0)) {
      play(s.asked, "pass");
      return;
    }
    bet += 1 + (int)below(4);
    if (bet > position_top(*position))
      bet = 99;
    play_number(s.asked, "bet", bet);
  }
}

struct worths {
  int own[PILE], own_n, theirs[PILE], theirs_n; /* from the top */
};

static struct worths worths_of(const struct seen *s) {
  struct worths w = {.own_n = s->laid[s->bettor],
                     .theirs_n = s->laid[!s->bettor]};
  for (int i = 0; i < w.own_n; i++)
    w.own[i] = card_worth(s->card[s->bettor][w.own_n - 1 - i], s->target);
  for (int i = 0; i < w.theirs_n; i++)
    w.theirs[i] =
        card_worth(s->card[!s->bettor][w.theirs_n - 1 - i], s->target);
  return w;
}

static void reveal(int digger, int owner) {
  play_number(digger, "reveal", owner);
  if (game->to_act(state) != SAL_CHANCE_BIT && look().phase == GIVE)
    play_number(digger, "give", !digger);
}

static bool digging(void) {
  return game->to_act(state) != SAL_CHANCE_BIT && game->to_act(state) != 0 &&
         look().phase == REVEAL;
}

/* Turns up own cards that cost nothing. */
static void take_free(int digger, const struct worths *w, int *a) {
  while (digging() && *a < w->own_n && w->own[*a] > 0) {
    reveal(digger, digger);
    ++*a;
  }
}

/* Turns up own cards from `a` on, then the other's from `n` on, to the end. */
static void reveal_rest(int digger, const struct worths *w, int a, int n) {
  for (; digging() && a < w->own_n; a++)
    reveal(digger, digger);
  for (; digging(); n++) {
    assert_true(n < w->theirs_n);
    reveal(digger, !digger);
  }
}

/* Digs at random by the plan, and tells how it says the round ends. */
static enum outcome random_digging(const struct plan *plan, int digger,
                                   const struct worths *w, int class) {
  int at = plan->begin[class], a = 0, n = 0;
  while (at >= 0) {
    const struct point *p = &plan->point[at];
    int options[OPTIONS], count = 0;
    take_free(digger, w, &a);
    if (p->stop != NOWHERE)
      options[count++] = STOPS;
    if (n < w->theirs_n) {
      assert_true(p->turn[w->theirs[n]] != NOWHERE);
      options[count++] = TURNS;
    }
    if (p->dig != NOWHERE)
      options[count++] = DIGS;
    assert_true(count > 0 && digging());
    switch (options[below((unsigned)count)]) {
    case STOPS:
      play(digger, "stop");
      at = p->stop;
      break;
    case TURNS:
      reveal(digger, !digger);
      at = p->turn[w->theirs[n++]];
      break;
    default:
      reveal(digger, digger);
      at = p->dig;
      a++;
    }
  }
  const enum outcome end = (enum outcome)(-1 - at);
  if (end == MET || end == MET_TRAP)
    take_free(digger, w, &a);
  if (digging()) { /* the plan says that nothing is left but this */
    const bool stops = end == STOP || end == STOP_TRAP;
    const struct seen s = look();
    if (stops && s.tokens[digger] > 0)
      play(digger, "stop");
    reveal_rest(digger, w, a, n);
  }
  return end;
}

/* A bet that nobody can meet. */
static enum outcome hopeless_digging(int digger, const struct worths *w,
                                     const struct pay *pay, int theirs) {
  int own_traps = 0, their_traps = 0, n = 0;
  for (int i = 0; i < w->own_n; i++)
    own_traps += w->own[i] == 0;
  for (int i = 0; i < w->theirs_n; i++)
    their_traps += w->theirs[i] == 0;
  if (pay->can_stop)
    play(digger, "stop");
  if (theirs == 3 && own_traps == 1)
    for (bool found = false; digging() && n < w->theirs_n && !found; n++) {
      found = w->theirs[n] == 0;
      reveal(digger, !digger);
    }
  reveal_rest(digger, w, 0, n);
  return pay
      ->over[own_traps < 2 ? own_traps : 2][their_traps < 2 ? their_traps : 2];
}

static int class_by(const struct worths *w) {
  const struct piles *piles = &traps_model()->piles[w->own_n];
  for (int i = 0; i < piles->types; i++) {
    bool same = true;
    for (int k = 0; k < w->own_n; k++)
      same &= piles->type[i].card[w->own_n - 1 - k] == w->own[k];
    if (same)
      return piles->type[i].class;
  }
  fail();
  return -1;
}

/* One round; false when the match is over. */
static bool random_round(void) {
  const struct equity none = {{{0}}};
  int p;
  while (game->to_act(state) == SAL_CHANCE_BIT)
    game->sample(state, &rng);
  for (int seat = 0; seat < 2; seat++)
    random_card(seat, "place");
  random_betting(&p);
  const struct seen s = look();
  const int digger = s.bettor;
  const struct worths w = worths_of(&s);
  const struct pay pay = traps_pay(&none, s.tokens[digger], s.tokens[!digger]);
  enum outcome end;
  assert_int_equal(s.phase, REVEAL);
  if (s.bet > position_top(p))
    end = hopeless_digging(digger, &w, &pay, s.tokens[!digger]);
  else
    end = random_digging(plan_of(w.own_n, w.theirs_n, s.bet, &pay), digger, &w,
                         class_by(&w));
  const struct score to = traps_after(s.tokens[digger], s.tokens[!digger], end);
  const struct seen after = look();
  if (to.digger >= GOAL || to.other >= GOAL) {
    const int winner = to.digger >= GOAL ? digger : !digger;
    assert_int_equal(game->winners(state), 1u << winner);
    return false;
  }
  assert_int_equal(after.tokens[digger], to.digger);
  assert_int_equal(after.tokens[!digger], to.other);
  assert_int_equal(after.first, digger);
  assert_int_equal(game->winners(state), 0);
  return true;
}

static void test_model(void **test) {
  (void)test;
  struct sal_setup setup;
  int rounds = 0, matches = 0;
  sal_rng_seed(&rng, 1);
  sal_setup_default(game, 2, &setup);
  for (; rounds < 100000; matches++) {
    game->init(state, &setup);
    while (rounds++ < 100000 && random_round())
      ;
  }
  assert_true(matches > 1000);
  free_plans();
}

/* ---- Counts ---------------------------------------------------------------- */

static void test_counts(void **test) {
  (void)test;
  static const int types[] = {19, 46, 106, 225, 421};
  static const int classes[] = {0, 3, 8, 19, 36};
  static const int leaves[] = {0, 3, 9, 25, 64};
  const struct model *m = traps_model();
  double all = 0;
  for (int i = 0; i < HANDS * HANDS; i++)
    all += m->deals[i / HANDS][i % HANDS];
  assert_true(fabs(all - 1) < 1e-12);
  for (int n = 1; n <= PILE; n++) {
    int ends = 0;
    for (int v = 0; v < m->piles[n].nodes; v++)
      ends += m->piles[n].node[v].traps == 2 || m->piles[n].node[v].depth == n;
    assert_int_equal(m->piles[n].types, types[n]);
    assert_int_equal(m->piles[n].classes, classes[n]);
    assert_int_equal(ends, leaves[n]);
  }
}

/* By kinds and for each target the chances are those of the worths. */
static void test_fresh_belief(void **test) {
  (void)test;
  static const struct sal_traps_policy none;
  double got[HANDS][HANDS];
  for (int target = 0; target < 4; target++) {
    struct sal_traps_deal d = {.rounds = 1};
    d.round[0].target = (uint8_t)target;
    assert_true(belief_deals(&none, &d, got));
    for (int i = 0; i < HANDS * HANDS; i++)
      assert_true(fabs(got[i / HANDS][i % HANDS] -
                       traps_model()->deals[i / HANDS][i % HANDS]) < 1e-12);
  }
}

/* ---- Solving --------------------------------------------------------------- */

static struct bounds solved(const struct task *t, int iterations) {
  struct round *r = round_new(t);
  assert_non_null(r);
  for (int i = 0; i < iterations; i++)
    round_iterate(r);
  const struct bounds b = round_bounds(r);
  round_free(r);
  return b;
}

static void test_values(void **test) {
  (void)test;
  struct task t = tokens_task(0);
  struct bounds b = solved(&t, 300);
  assert_true(b.low <= 0.3285 && b.high >= 0.3281 && b.high - b.low < 0.01);
  t = tokens_task(1);
  b = solved(&t, 150);
  assert_true(b.low <= 0.3719 && b.high >= 0.3713 && b.high - b.low < 0.03);
}

/* A game that can be looked through by brute force: one card each, no bet above
 * one, and so no answer but to pass or to overbid. Every pure strategy of the
 * digger is tried at a plan of its own. */
static double brute_dig(const struct plan *p, const struct pay *pay,
                        const struct masses *by, int at, int hand, int node) {
  if (at < 0)
    return pay->of[-1 - at] * by->at[node][hand];
  const struct point *point = &p->point[at];
  double best = -1e30, x = 0;
  if (point->stop != NOWHERE)
    best = pay->of[-1 - point->stop] * by->at[point->node][hand];
  for (int w = 0; w < WORTHS; w++)
    if (point->turn[w] != NOWHERE)
      x += brute_dig(p, pay, by, point->turn[w], hand,
                     p->theirs->node[point->node].child[w]);
  best = x > best && p->theirs->node[point->node].child[1] >= 0 ? x : best;
  if (point->dig != NOWHERE) {
    x = brute_dig(p, pay, by, point->dig, hand, point->node);
    best = x > best ? x : best;
  }
  return best;
}

static void test_brute_digging(void **test) {
  (void)test;
  const struct model *m = traps_model();
  const struct equity flat = {{{0.1, 0, -0.1, -0.2, -0.3},
                               {0.2, 0.1, 0, -0.1, -0.2},
                               {0.3, 0.2, 0.1, 0, -0.1},
                               {0.4, 0.3, 0.2, 0.1, 0},
                               {0.5, 0.4, 0.3, 0.2, 0.1}}};
  static lanes to[HANDS], value[4000];
  static float reach[TYPES_MAX];
  struct masses by;
  sal_rng_seed(&rng, 2);
  for (int h = 0; h < HANDS; h++)
    for (int k = 0; k < HANDS; k++)
      to[h][k] = (float)m->deals[h][k];
  for (int round = 0; round < 400; round++) {
    const int own = 1 + (int)below(PILE), theirs = 1 + (int)below(PILE - 1);
    const int bet = 1 + (int)below((unsigned)(own + theirs + 3));
    const struct pay pay = traps_pay(&flat, (int)below(GOAL), (int)below(GOAL));
    struct plan p;
    assert_true(plan_make(&p, m, own, theirs, bet, &pay) && p.count < 4000);
    for (int i = 0; i < m->piles[theirs].types; i++)
      reach[i] = (float)below(100) / 100;
    masses_of(&by, &m->piles[theirs], reach, to);
    dig_best(&p, &pay, &by, value);
    for (int i = 0; i < m->piles[own].types; i++) {
      const struct type *t = &m->piles[own].type[i];
      const double brute =
          brute_dig(&p, &pay, &by, p.begin[t->class], t->hand, 0);
      const double got = (double)dig_worth(&p, &pay, &by, value, t);
      assert_true(fabs(brute - got) < 1e-4 * (1e-3 + fabs(brute)));
    }
    plan_free(&p);
  }
}

/* ---- A small policy -------------------------------------------------------- */

static unsigned char *small_bytes;
static size_t small_size;
static sal_traps_policy *small;
static struct sal_traps_bounds small_bounds[SAL_TRAPS_BLUEPRINTS][2];

static struct sal_traps_equity small_equity(void) {
  struct sal_traps_equity e;
  for (int i = 0; i < GOAL; i++)
    for (int k = 0; k < GOAL; k++)
      e.of[i][k] = 0.02 + 0.09 * (i - k);
  return e;
}

static int make_small(void **test) {
  (void)test;
  static unsigned char blueprint[SAL_TRAPS_BLUEPRINTS][2][1 << 15];
  struct sal_traps_packed packed[SAL_TRAPS_BLUEPRINTS][2];
  const struct sal_traps_equity e = small_equity();
  for (int i = 0; i < SAL_TRAPS_BLUEPRINTS; i++)
    for (int cut = 0; cut < 2; cut++) {
      sal_traps_solver *s = sal_traps_solver_new(i, &e, cut);
      assert_non_null(s);
      for (int n = 0; n < 40; n++)
        sal_traps_solver_iterate(s);
      small_bounds[i][cut] = sal_traps_solver_bounds(s);
      const size_t n =
          sal_traps_solver_pack(s, blueprint[i][cut], sizeof blueprint[i][cut]);
      assert_true(n > 0);
      packed[i][cut] = (struct sal_traps_packed){blueprint[i][cut], n, cut};
      sal_traps_solver_free(s);
    }
  small_bytes = malloc(1 << 20);
  small_size = sal_traps_policy_pack(packed, &e, "small", small_bytes, 1 << 20);
  assert_true(small_size > 0);
  assert_int_equal(
      sal_traps_policy_pack(packed, &e, "small", small_bytes, small_size - 1),
      0);
  small = sal_traps_policy_open(small_bytes, small_size);
  return small ? 0 : -1;
}

static int free_small(void **test) {
  (void)test;
  sal_traps_policy_close(small);
  free(small_bytes);
  return 0;
}

static void test_damaged(void **test) {
  (void)test;
  unsigned char *copy = malloc(small_size);
  sal_rng_seed(&rng, 3);
  for (int i = 0; i < 60; i++) {
    memcpy(copy, small_bytes, small_size);
    copy[i < 30 ? below(600) : below((unsigned)small_size)] ^=
        (unsigned char)(1u << below(8));
    assert_null(sal_traps_policy_open(copy, small_size));
  }
  memcpy(copy, small_bytes, small_size);
  assert_null(sal_traps_policy_open(copy, small_size - 1));
  assert_null(sal_traps_policy_open(copy, 100));
  assert_null(sal_traps_policy_open(copy, 0));
  free(copy);
}

/* What is packed comes back: chances that are whole, and nearly the averages. */
struct heard {
  const struct round *round;
  int side, rows, digs;
};

static void hear_row(void *context, int p, unsigned bets, const quota *chance) {
  struct heard *h = context;
  const int types = traps_model()->piles[position_pile(p, h->side)].types;
  int stride;
  const float *sum = round_sums(h->round, p, bets, &stride);
  assert_int_equal(history_actor(p, bets), h->side);
  for (int i = 0; i < types; i++) {
    unsigned all = 0;
    float total = 0;
    for (int o = 0; o < history_options(p, bets); o++) {
      all += chance[o * types + i];
      total += sum[o * stride + i];
    }
    assert_int_equal(all, WHOLE);
    for (int o = 0; total > 1000 && o < history_options(p, bets); o++)
      assert_true(fabsf(sum[o * stride + i] / total -
                        (float)chance[o * types + i] / WHOLE) < 0.001f);
  }
  h->rows++;
}

static void hear_dug(void *context, int p, unsigned bets,
                     const struct plan *plan, const quotas *chance) {
  struct heard *h = context;
  assert_int_equal(history_actor(p, bets), !h->side);
  for (int e = 0; e < plan->count; e++)
    for (int i = 0; i < HANDS; i++)
      assert_int_equal(chance[e][STOPS][i] + chance[e][TURNS][i] +
                           chance[e][DIGS][i],
                       WHOLE);
  h->digs++;
}

static void test_packing(void **test) {
  (void)test;
  enum { ROOM = 1 << 17 };
  unsigned char *bytes = malloc(ROOM);
  for (int cut = 0; cut < 3; cut++) {
    struct task t = tokens_task(cut);
    const struct blueprint_kind kind = {cut & 1, cut, t.pay[cut & 1]};
    t.keep = 3;
    struct round *r = round_new(&t);
    for (int i = 0; i < 30; i++)
      round_iterate(r);
    struct heard h = {.round = r, .side = cut & 1};
    const struct blueprint_reader to = {&h, NULL, NULL, hear_row, hear_dug};
    const size_t n = blueprint_pack(r, &kind, bytes, ROOM);
    assert_true(n > 0 && blueprint_pack(r, &kind, bytes, n - 1) == 0);
    assert_int_equal(blueprint_pack(r, &kind, bytes, ROOM), n);
    assert_true(blueprint_read(bytes, n, &kind, &to));
    assert_true(h.rows > 5 && h.digs > 3);
    /* What lies is read without harm. */
    static const struct blueprint_reader nobody;
    for (int k = 0; k < 10; k++) {
      for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)below(256);
      assert_true(
          blueprint_read(bytes, n - below((unsigned)n / 2), &kind, &nobody));
    }
    round_free(r);
  }
  free(bytes);
}

static int shares_checked;

/* A line along a solved round: whatever a type has done before, the chances of
 * what it does next add up, and so do those of its first card. */
static void check_line(const struct round *r, const struct course *c, int cut) {
  static struct line l;
  const int side = history_actor(c->p, c->bets);
  const struct piles *piles = &traps_model()->piles[position_pile(c->p, side)];
  line_begin(&l, c, side);
  line_by_round(&l, r, cut);
  assert_true(l.known && l.decides && l.missing == 0);
  for (int i = 0; i < piles->types; i++) {
    float all = 0;
    for (int o = 0; o < history_options(c->p, c->bets); o++)
      all += l.chance[o][i];
    assert_true(fabsf(all - 1) < 1e-5f);
    assert_true(l.reach[i] >= 0 && l.reach[i] <= 1 + 1e-5f);
  }
  float placed = 0;
  for (int i = 0; i < traps_model()->piles[1].types; i++)
    placed += l.placed[i];
  assert_true(fabsf(placed - HANDS) < 1e-3f);
}

/* The shares of a digger's type at a point, looked up by what it has seen and
 * dug, are the averages of that point. */
static void check_share(const struct round *r, const struct course *c,
                        const struct type *t, int at, bool dug) {
  static struct line l;
  const struct plan *plan = round_plan(r, c->p, c->bets);
  const shares *sum = &round_dug(r, c->p, c->bets)[at];
  float all = 0;
  line_begin(&l, c, !history_actor(c->p, c->bets));
  line_digs(&l, t->class, t->hand, plan->point[at].node, dug);
  line_by_round(&l, r, c->p);
  for (int o = 0; o < OPTIONS; o++)
    all += (*sum)[o][t->hand];
  assert_true(l.digs == (all > 0));
  for (int o = 0; l.digs && o < OPTIONS; o++)
    assert_true(fabsf(l.share[o] - (*sum)[o][t->hand] / all) < 1e-6f);
  shares_checked += l.digs;
}

static void check_digging(const struct round *r, const struct course *c,
                          const struct type *t, int at) {
  const struct point *point = &round_plan(r, c->p, c->bets)->point[at];
  check_share(r, c, t, at, false);
  if (point->dig >= 0)
    check_share(r, c, t, point->dig, true);
  for (int w = 0; w < WORTHS; w++)
    if (point->turn[w] >= 0)
      check_digging(r, c, t, point->turn[w]);
}

static void check_diggers(const struct round *r, const struct course *c) {
  const struct plan *plan = round_plan(r, c->p, c->bets);
  for (int i = 0; i < plan->own->types; i++) {
    const int at = plan->begin[plan->own->type[i].class];
    if (at >= 0)
      check_digging(r, c, &plan->own->type[i], at);
  }
}

static void test_lines(void **test) {
  (void)test;
  struct task t = tokens_task(2);
  t.keep = 3;
  struct round *r = round_new(&t);
  assert_non_null(r);
  for (int i = 0; i < 30; i++)
    round_iterate(r);
  for (int p = 0; p <= t.cut; p++)
    for (unsigned bets = 0; bets < 4; bets++)
      check_line(r, &(struct course){.p = p, .bets = bets}, t.cut);
  for (int p = 0; p <= t.cut; p++)
    check_diggers(r, &(struct course){.p = p, .bets = 4, .passed = true});
  assert_true(shares_checked > 200);
  round_free(r);
}

/* The solver's bounds are those of the whole game, by the walk that has none of
 * its reductions: at an even cut for the first player, at an odd one for the
 * second. Scores where somebody has no token or four are played differently. */
static void test_check(void **test) {
  (void)test;
  static const int blueprints[] = {0, 1, 5, 7, 21, 25, 19};
  for (size_t i = 0; i < sizeof blueprints / sizeof *blueprints; i++) {
    const int blueprint = blueprints[i];
    double low, high;
    assert_true(sal_traps_policy_check(small, blueprint, 0, 0, &low));
    assert_true(sal_traps_policy_check(small, blueprint, 1, 0, &high));
    assert_true(fabs(low - small_bounds[blueprint][0].low) < 0.002);
    assert_true(fabs(high - small_bounds[blueprint][1].high) < 0.002);
  }
  for (int target = 1; target < 4; target++) {
    double one, other;
    assert_true(sal_traps_policy_check(small, 7, 1, 0, &one));
    assert_true(sal_traps_policy_check(small, 7, 1, target, &other));
    assert_true(fabs(one - other) < 1e-9);
  }
}

/* ---- A match --------------------------------------------------------------- */

static int scores_told;

static void count_score(int first, int second, double gap) {
  assert_true(first < GOAL && second < GOAL && gap >= -1e-6);
  scores_told++;
}

/* From nothing: every sweep changes less than the one before, a token more is
 * better for who has it, and who is one short of the goal is ahead. */
static void test_sweep(void **test) {
  (void)test;
  struct sal_traps_equity e = {0};
  double before = 2;
  for (int n = 0; n < 3; n++) {
    const double change = sal_traps_sweep(&e, 0, 20, NULL, count_score);
    assert_true(change >= 0 && change < before);
    before = change;
  }
  assert_int_equal(scores_told, 3 * GOAL * GOAL);
  assert_true(before < 0.1);
  for (int i = 0; i < GOAL; i++)
    for (int k = 0; k < GOAL; k++) {
      assert_true(fabs(e.of[i][k]) < 1);
      assert_true(i == 0 || e.of[i][k] > e.of[i - 1][k]);
      assert_true(k == 0 || e.of[i][k] < e.of[i][k - 1]);
    }
  assert_true(e.of[GOAL - 1][0] > 0 && e.of[0][GOAL - 1] < 0);
}

/* ---- Several processes ------------------------------------------------------- */

enum { TEAM = 3 };

/* Threads in the place of processes. */
static pthread_barrier_t together;
static unsigned char *merged[TEAM];
static _Thread_local int own_number;

static void merge(void *bytes, size_t n) {
  unsigned char *all = calloc(1, n);
  merged[own_number] = bytes;
  pthread_barrier_wait(&together);
  for (int t = 0; t < TEAM; t++)
    for (size_t i = 0; i < n; i++)
      all[i] |= merged[t][i];
  pthread_barrier_wait(&together);
  memcpy(bytes, all, n);
  free(all);
}

/* All that a solver says: bounds on the way, how rounds end, worths of a sweep, and the
 * packed strategy. */
struct said {
  struct sal_traps_bounds bounds[3];
  struct sal_traps_ends ends;
  struct sal_traps_equity worth;
  double change;
  size_t size;
  unsigned char packed[1 << 16];
};

static void solve_all(const struct sal_solve_team *team, struct said *out) {
  sal_traps_solver *s = sal_traps_solver_new(0, &out->worth, 1);
  sal_traps_solver_divide(s, team);
  for (int i = 0; i < 9; i++) {
    sal_traps_solver_iterate(s);
    if (i % 3 == 2)
      out->bounds[i / 3] = sal_traps_solver_bounds(s);
  }
  sal_traps_solver_gather(s);
  sal_traps_solver_ends(s, &out->ends);
  out->size = sal_traps_solver_pack(s, out->packed, sizeof out->packed);
  sal_traps_solver_free(s);
  out->change = sal_traps_sweep(&out->worth, 0, 3, team, NULL);
}

static void *solve_part(void *said) {
  static struct said by[TEAM];
  const struct sal_solve_team team = {own_number = *(int *)said, TEAM, merge};
  solve_all(&team, &by[team.number]);
  return &by[team.number];
}

/* Each process of a team gets the very numbers of one alone. */
static void test_team(void **test) {
  (void)test;
  static struct said alone;
  int number[TEAM];
  pthread_t thread[TEAM];
  solve_all(&(struct sal_solve_team){.count = 1}, &alone);
  assert_true(alone.size > 0 && alone.change > 0);
  pthread_barrier_init(&together, NULL, TEAM);
  for (int i = 0; i < TEAM; i++) {
    number[i] = i;
    assert_int_equal(pthread_create(&thread[i], NULL, solve_part, &number[i]),
                     0);
  }
  for (int i = 0; i < TEAM; i++) {
    void *said;
    pthread_join(thread[i], &said);
    assert_memory_equal(said, &alone, sizeof alone);
  }
  pthread_barrier_destroy(&together);
}

/* ---- Playing --------------------------------------------------------------- */

struct table {
  struct sal_memory memory[2];
};

static void step(struct table *t, int seat, sal_action a) {
  const unsigned hidden = sal_memory_apply(game, state, seat, a);
  for (int i = 0; i < 2; i++)
    sal_memory_note(&t->memory[i], game, i, state, seat, a, hidden >> i & 1);
}

static sal_action master(const struct table *t, int seat, uint32_t sims,
                         struct sal_thought *thought) {
  union sal_view_box view;
  sal_action legal[128];
  game->view(state, seat, (sal_view *)view.bytes);
  const struct sal_question q = {.game = game,
                                 .players = 2,
                                 .seat = seat,
                                 .view = (const sal_view *)view.bytes,
                                 .legal = legal,
                                 .count = game->legal(state, seat, legal),
                                 .memory = &t->memory[seat],
                                 .budget = sal_budget_simulations(sims)};
  double chance[128], value[128] = {0}, sum = 0;
  struct sal_policy p = {.chance = chance, .value = value};
  sal_bot_find("master")->think(&q, &rng, thought);
  sal_bot_find("master")->policy(&q, &rng, &p);
  for (size_t i = 0; i < q.count; i++) {
    assert_true(value[i] == chance[i]);
    sum += chance[i];
  }
  assert_true(thought->mixed && p.mixed); /* it is not the expert who answers */
  assert_true(fabs(sum - 1) < 1e-6);
  assert_null(game->check(state, seat, thought->action));
  return thought->action;
}

/* Whole matches of the master against itself and against anybody: it answers
 * everything, always by the policy, and solves later rounds of a deal. */
static void test_playing(void **test) {
  (void)test;
  struct sal_setup setup;
  static struct table t;
  uint64_t solved_rounds = 0;
  sal_rng_seed(&rng, 5);
  sal_setup_default(game, 2, &setup);
  sal_master_teach_traps(small);
  for (int match = 0; match < 6; match++) {
    game->init(state, &setup);
    sal_memory_clear(&t.memory[0]);
    sal_memory_clear(&t.memory[1]);
    const bool solves = match == 0; /* takes longest */
    for (int steps = 0; game->to_act(state) && steps < (solves ? 60 : 600);
         steps++) {
      const unsigned asked = game->to_act(state);
      if (asked == SAL_CHANCE_BIT) {
        struct sal_chance c;
        game->chance(state, &c);
        step(&t, SAL_CHANCE, sal_chance_draw(&c, &rng));
        continue;
      }
      const int seat = __builtin_ctz(asked);
      struct sal_thought thought;
      const sal_action a =
          master(&t, seat, solves ? SAL_TRAPS_FEWEST : 1, &thought);
      solved_rounds += thought.simulations;
      if (seat == 1 && match % 2) {
        sal_action legal[128];
        const size_t n = game->legal(state, seat, legal);
        step(&t, seat, legal[below((unsigned)(n < 12 ? n : 12))]);
      } else {
        step(&t, seat, a);
      }
    }
  }
  assert_true(solved_rounds > 0 && solved_rounds % SAL_TRAPS_FEWEST == 0);
  sal_master_teach_traps(NULL);
}

/* The first card of a match, for any hand: only cards of the hand, all of the
 * chance, and of cards with the same worth each is as likely as any other. */
static void test_first_card(void **test) {
  (void)test;
  static const uint8_t deck[SAL_TRAPS_KINDS] = {3, 3, 3, 3, 1, 1};
  const struct sal_traps_effort least = {.iterations = 1};
  sal_traps_player *player = sal_traps_player_new(small);
  assert_non_null(player);
  sal_rng_seed(&rng, 11);
  for (int n = 0; n < 40; n++) {
    struct sal_traps_deal d = {.rounds = 1,
                               .round[0].target = (uint8_t)(n % 4)};
    struct sal_traps_chances out;
    double sum = 0, each[3] = {-1, -1, -1};
    for (int held = 0; held < HAND;) {
      const unsigned k = below(SAL_TRAPS_KINDS);
      if (d.hand[k] == deck[k])
        continue;
      d.hand[k]++;
      held++;
    }
    assert_true(sal_traps_player_ask(player, &d, &least, &out));
    for (int k = 0; k < SAL_TRAPS_KINDS; k++) {
      double *share = &each[card_worth(k, n % 4)];
      sum += out.card[k];
      if (!d.hand[k]) {
        assert_true(out.card[k] == 0);
        continue;
      }
      if (*share < 0)
        *share = out.card[k] / d.hand[k];
      assert_true(fabs(*share - out.card[k] / d.hand[k]) < 1e-6);
    }
    assert_true(fabs(sum - 1) < 1e-5);
  }
  sal_traps_player_free(player);
}

int main(void) {
  game = sal_game_find("traps");
  state = (sal_state *)box.bytes;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counts),        cmocka_unit_test(test_model),
      cmocka_unit_test(test_fresh_belief),  cmocka_unit_test(test_values),
      cmocka_unit_test(test_brute_digging), cmocka_unit_test(test_damaged),
      cmocka_unit_test(test_packing),       cmocka_unit_test(test_check),
      cmocka_unit_test(test_playing),       cmocka_unit_test(test_first_card),
      cmocka_unit_test(test_sweep),         cmocka_unit_test(test_lines),
      cmocka_unit_test(test_team),
  };
  return cmocka_run_group_tests(tests, make_small, free_small);
}
