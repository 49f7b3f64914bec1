/* The independent check of a policy of Traps for two: what the best opponent
 * wins in a first round against one side of it.
 *
 * It has the rules once more and none of the solver's reductions: the opponent
 * holds cards by kind (155 hands), sees the kinds that are turned up, bets any
 * number, builds as long as the policy's player lets the betting wait, and digs
 * in any order. Of the policy it knows only the answers. Main invariant: every
 * number is weighed by the chance of the deal and of the policy's choices, so
 * the opponent's best choice is a maximum of sums.
 *
 * Only this is taken as said: among bets that get the same answer from all hands
 * the lowest is best, and the policy passes on every bet that cannot be met. */
#include "belief.h"

#include <stdlib.h>
#include <string.h>

enum { HELD = 155 };

/* ---- What the policy answers ------------------------------------------------------ */

struct answers {
  quota placed[LANES * WORTHS];
  quota *row[POSITIONS][1 << BET_TOP]; /* NULL: nobody comes there */
  struct {
    int count;
    struct point *point;
    int16_t begin[CLASSES_MAX];
    quotas *share;
  } dug[POSITIONS][1 << BET_TOP];
  bool failed;
};

static void hear_placed(void *context, const quota *chance) {
  struct answers *a = context;
  memcpy(a->placed, chance,
         (size_t)traps_model()->piles[1].types * sizeof *chance);
}

static void *copied(struct answers *a, const void *bytes, size_t n) {
  void *copy = malloc(n ? n : 1);
  if (copy)
    memcpy(copy, bytes, n);
  else
    a->failed = true;
  return copy;
}

static int side_of(int p, unsigned bets, bool digs) {
  return history_actor(p, bets) ^ digs;
}

static void hear_row(void *context, int p, unsigned bets, const quota *chance) {
  struct answers *a = context;
  const int side = side_of(p, bets, false);
  const int types = traps_model()->piles[position_pile(p, side)].types;
  a->row[p][bets] = copied(
      a, chance, (size_t)(history_options(p, bets) * types) * sizeof *chance);
}

static void hear_dug(void *context, int p, unsigned bets,
                     const struct plan *plan, const quotas *chance) {
  struct answers *a = context;
  const size_t n = (size_t)plan->count;
  a->dug[p][bets].count = plan->count;
  a->dug[p][bets].point = copied(a, plan->point, n * sizeof *plan->point);
  a->dug[p][bets].share = copied(a, chance, n * sizeof *chance);
  memcpy(a->dug[p][bets].begin, plan->begin, sizeof plan->begin);
}

static void answers_free(struct answers *a) {
  for (int p = 0; a && p < POSITIONS; p++)
    for (int s = 0; s < 1 << BET_TOP; s++) {
      free(a->row[p][s]);
      free(a->dug[p][s].point);
      free(a->dug[p][s].share);
    }
  free(a);
}

/* ---- The rules ---------------------------------------------------------------------- */

struct check {
  const struct model *model; /* names the policy's own hands and piles */
  struct answers *answers;
  int side; /* of the policy's player */
  int cut;
  const struct equity *equity; /* NULL: for tokens */
  int tokens[2];
  int target;
  uint8_t hand[HELD][KINDS];
  int class[HELD];
  double deal[HELD][HELD]; /* the opponent's hand, the policy's */
  double by_class[HELD][HANDS];
  bool unsound;
};

/* A digger's round: tokens of digger and other, pot, points so far. */
struct digging {
  int mine, theirs, pot, points, bet;
  bool over;
};

static int pays(int tokens, int n) { return tokens < n ? 0 : tokens - n; }

static void fails(struct digging *g) {
  g->mine = pays(g->mine, 1);
  g->over = true;
}

/* Turns up a card worth so much; `own`: of the digger's pile. */
static void turn(struct digging *g, int worth, bool own) {
  g->points += worth;
  if (worth > 0) {
    if (g->points >= g->bet) {
      g->mine += g->pot;
      g->over = true;
    }
    return;
  }
  g->pot--;
  if (own && g->theirs >= 4) {
    g->mine = pays(g->mine, 2);
    g->over = true;
    return;
  }
  g->theirs++;
  if (g->theirs >= 5)
    g->over = true;
  else if (g->pot == 0)
    fails(g);
}

/* What a round that is over is worth to its digger. */
static double worth_to(const struct check *k, int digger,
                       const struct digging *g) {
  if (!k->equity)
    return (g->mine - k->tokens[digger]) - (g->theirs - k->tokens[!digger]);
  if (g->mine >= 5)
    return 1;
  return g->theirs >= 5 ? -1 : k->equity->of[g->mine][g->theirs];
}

static struct digging begin_digging(const struct check *k, int digger,
                                    int bet) {
  return (struct digging){
      k->tokens[digger], k->tokens[!digger], 2, 0, bet, false};
}

/* ---- The opponent digs ---------------------------------------------------------------- */

static int power(int base, int n) { return n ? base * power(base, n - 1) : 1; }

/* Kinds seen from the top, as numbers: the root is 0, then its children. */
static int seen_child(int v, int kind) { return 6 * v + 1 + kind; }
static int seen_count(int cards) {
  return cards ? 1 + 6 * seen_count(cards - 1) : 1;
}

/* Lays the policy's piles out by kind: `by`[what is seen][hand]. */
static void spread(const struct check *k, const struct type *t, int cards,
                   int depth, int v, uint8_t *held, int hand, double chance,
                   double (*by)[HELD]) {
  if (depth == cards) {
    by[v][hand] += chance;
    return;
  }
  const int worth = t->card[cards - 1 - depth];
  int all = 0;
  for (int i = 0; i < KINDS; i++)
    all += card_worth(i, k->target) == worth ? held[i] : 0;
  for (int i = 0; i < KINDS; i++) {
    if (!held[i] || card_worth(i, k->target) != worth)
      continue;
    const double part = chance * held[i] / all;
    held[i]--;
    spread(k, t, cards, depth + 1, seen_child(v, i), held, hand, part, by);
    held[i]++;
  }
}

/* What was computed once for own cards turned up and what is seen. */
struct known {
  double value;
  uint32_t hole;
};

struct hole {
  const struct check *k;
  int own[PILE], cards, theirs; /* the own pile from its top; their cards */
  const double *mass;           /* of what is seen */
  struct known *known;
  uint32_t number; /* from 1 */
};

/* The best from here on: `a` own cards are turned up and `v` was seen. */
static double best_dig(const struct hole *h, const struct digging *g, int a,
                       int v, int depth) {
  const int me = !h->k->side;
  double best = -1e30;
  if (!(h->mass[v] > 0))
    return 0;
  if (g->over)
    return h->mass[v] * worth_to(h->k, me, g);
  struct known *known = &h->known[v * (PILE + 1) + a];
  if (known->hole == h->number)
    return known->value;
  if (g->mine > 0) { /* stop */
    struct digging next = *g;
    next.mine--;
    best = h->mass[v] * worth_to(h->k, me, &next);
  }
  if (a < h->cards) {
    struct digging next = *g;
    turn(&next, h->own[a], true);
    const double x = best_dig(h, &next, a + 1, v, depth);
    best = x > best ? x : best;
  }
  if (depth < h->theirs) {
    double x = 0;
    for (int i = 0; i < KINDS; i++) {
      struct digging next = *g;
      turn(&next, card_worth(i, h->k->target), false);
      x += best_dig(h, &next, a, seen_child(v, i), depth + 1);
    }
    best = x > best ? x : best;
  }
  if (a == h->cards && depth == h->theirs) {
    struct digging next = *g;
    fails(&next);
    best = h->mass[v] * worth_to(h->k, me, &next);
  }
  *known = (struct known){best, h->number};
  return best;
}

/* The opponent's types are hands and worths of piles: number hand * 3^cards +
 * the worths as digits, the bottom highest. */
static bool holds(const struct check *k, int hand, int code, int cards) {
  int by[WORTHS] = {0};
  for (int i = 0; i < KINDS; i++)
    by[card_worth(i, k->target)] += k->hand[hand][i];
  for (int i = 0; i < cards; i++, code /= WORTHS)
    if (by[code % WORTHS]-- == 0)
      return false;
  return true;
}

static bool they_dig(struct check *k, int p, int bet, const double *reach,
                     double *out) {
  const int theirs = position_pile(p, k->side);
  const int cards = position_pile(p, !k->side), codes = power(WORTHS, cards);
  const struct piles *piles = &k->model->piles[theirs];
  const int nodes = seen_count(theirs);
  double(*by)[HELD] = calloc((size_t)nodes, sizeof *by);
  double *mass = malloc((size_t)nodes * sizeof *mass);
  struct known *known = calloc((size_t)(nodes * (PILE + 1)), sizeof *known);
  uint32_t number = 0;
  for (int i = 0; by && i < piles->types; i++)
    for (int g = 0; reach[i] > 0 && g < HELD; g++)
      if (k->class[g] == piles->type[i].hand)
        spread(k, &piles->type[i], theirs, 0, 0, k->hand[g], g, reach[i], by);
  for (int h = 0; by && mass && known && h < HELD; h++) {
    const int inner = nodes - power(KINDS, theirs);
    memset(mass, 0, (size_t)nodes * sizeof *mass);
    for (int v = inner; v < nodes; v++)
      for (int g = 0; g < HELD; g++)
        mass[v] += k->deal[h][g] * by[v][g];
    for (int v = inner - 1; v >= 0; v--)
      for (int i = 0; i < KINDS; i++)
        mass[v] += mass[seen_child(v, i)];
    for (int code = 0; code < codes; code++) {
      struct hole hole = {.k = k,
                          .cards = cards,
                          .theirs = theirs,
                          .mass = mass,
                          .known = known,
                          .number = ++number};
      for (int i = 0, c = code; i < cards; i++, c /= WORTHS)
        hole.own[i] = c % WORTHS;
      const struct digging start = begin_digging(k, !k->side, bet);
      out[h * codes + code] =
          holds(k, h, code, cards) ? best_dig(&hole, &start, 0, 0, 0) : 0;
    }
  }
  const bool ok = by && mass && known;
  free(by);
  free(mass);
  free(known);
  return ok;
}

/* ---- The policy digs -------------------------------------------------------------------- */

struct follow {
  struct check *k;
  const struct point *point;
  const quotas *share;
  int own[PILE], cards; /* from the top */
  int their[PILE], theirs;
  int lane;
};

/* Turns up own cards until the next own trap would come. */
static void take_free(const struct follow *f, struct digging *g, int *a) {
  while (!g->over && *a < f->cards && f->own[*a] > 0)
    turn(g, f->own[(*a)++], true);
}

static double follow_ref(const struct follow *f, int ref, struct digging g,
                         int a, int n);

static double follow_point(const struct follow *f, int e, struct digging g,
                           int a, int n) {
  const double all = WHOLE;
  const quota stop = f->share[e][STOPS][f->lane];
  const quota turns = f->share[e][TURNS][f->lane];
  const quota digs = f->share[e][DIGS][f->lane];
  double sum = 0;
  if (stop + turns + digs != WHOLE || (stop && g.mine == 0) ||
      (turns && n == f->theirs) || (digs && a == f->cards)) {
    f->k->unsound = true;
    return 0;
  }
  if (stop) {
    struct digging next = g;
    next.mine--;
    sum += stop / all * worth_to(f->k, f->k->side, &next);
  }
  if (turns) {
    struct digging next = g;
    turn(&next, f->their[n], false);
    sum += turns / all *
           follow_ref(f, f->point[e].turn[f->their[n]], next, a, n + 1);
  }
  if (digs) {
    struct digging next = g;
    turn(&next, f->own[a], true);
    sum += digs / all * follow_ref(f, f->point[e].dig, next, a + 1, n);
  }
  return sum;
}

/* Turns up what is left, from card a of its own and n of the other's. */
static void turn_rest(const struct follow *f, struct digging *g, int a, int n) {
  while (!g->over && a < f->cards)
    turn(g, f->own[a++], true);
  while (!g->over && n < f->theirs)
    turn(g, f->their[n++], false);
  if (!g->over)
    fails(g);
}

/* The policy's plan says how it goes on; the rules say how it ends. */
static double follow_ref(const struct follow *f, int ref, struct digging g,
                         int a, int n) {
  if (!g.over)
    take_free(f, &g, &a);
  if (g.over)
    return worth_to(f->k, f->k->side, &g);
  if (ref >= 0)
    return follow_point(f, ref, g, a, n);
  if (g.mine > 0)
    g.mine--; /* stops */
  else
    turn_rest(f, &g, a, n);
  return worth_to(f->k, f->k->side, &g);
}

/* A bet that nobody can meet, without a token: see player.c. */
static double forced(const struct follow *f, struct digging g) {
  int traps = 0, a = 0, n = 0;
  for (int i = 0; i < f->cards; i++)
    traps += f->own[i] == 0;
  const bool theirs_first = g.theirs == 3 && traps == 1;
  bool found = false;
  while (theirs_first && !g.over && n < f->theirs && !found) {
    found = f->their[n] == 0;
    turn(&g, f->their[n++], false);
  }
  turn_rest(f, &g, a, n);
  return worth_to(f->k, f->k->side, &g);
}

static double one_dig(struct follow *f, const int16_t *begins,
                      const struct type *t, int bet) {
  struct digging g = begin_digging(f->k, f->k->side, bet);
  int points = 0;
  for (int i = 0; i < f->cards && f->own[i] > 0; i++)
    points += f->own[i];
  if (points >= bet) {
    int a = 0;
    take_free(f, &g, &a);
    return worth_to(f->k, f->k->side, &g);
  }
  if (begins && begins[t->class] >= 0)
    return follow_ref(f, begins[t->class], g, 0, 0);
  if (g.mine == 0)
    return forced(f, g);
  g.mine--;
  return worth_to(f->k, f->k->side, &g);
}

static void we_dig(struct check *k, int p, unsigned s, int bet,
                   const double *reach, double *out) {
  const int cards = position_pile(p, k->side);
  const int theirs = position_pile(p, !k->side), codes = power(WORTHS, theirs);
  const struct piles *piles = &k->model->piles[cards];
  const bool plan = bet <= position_top(p) && k->answers->dug[p][s].share;
  double got[HANDS];
  struct follow f = {.k = k, .cards = cards, .theirs = theirs};
  if (plan) {
    f.point = k->answers->dug[p][s].point;
    f.share = k->answers->dug[p][s].share;
  }
  for (int code = 0; code < codes; code++) {
    memset(got, 0, sizeof got);
    for (int i = 0, c = code; i < theirs; i++, c /= WORTHS)
      f.their[i] = c % WORTHS;
    for (int i = 0; i < piles->types; i++) {
      const struct type *t = &piles->type[i];
      if (!(reach[i] > 0))
        continue;
      for (int n = 0; n < cards; n++)
        f.own[n] = t->card[cards - 1 - n];
      f.lane = t->hand;
      got[t->hand] +=
          reach[i] *
          one_dig(&f, plan ? k->answers->dug[p][s].begin : NULL, t, bet);
    }
    for (int h = 0; h < HELD; h++) {
      double sum = 0;
      for (int c = 0; c < HANDS; c++)
        sum += k->by_class[h][c] * got[c];
      out[h * codes + code] = -sum;
    }
  }
}

/* ---- The tree ----------------------------------------------------------------------------- */

static bool check_visit(struct check *k, int p, unsigned s, const double *reach,
                        double *out);

static size_t codes_at(const struct check *k, int p) {
  return (size_t)(HELD * power(WORTHS, position_pile(p, !k->side)));
}

static void larger(double *best, const double *x, size_t n) {
  for (size_t i = 0; i < n; i++)
    best[i] = x[i] > best[i] ? x[i] : best[i];
}

static void add_values(double *sum, const double *x, size_t n) {
  for (size_t i = 0; i < n; i++)
    sum[i] += x[i];
}

/* A card laid on top: the types of the position before. */
static void best_build(const struct check *k, int p, const double *after,
                       double *best) {
  const int cards = position_pile(p, !k->side), codes = power(WORTHS, cards);
  for (int h = 0; h < HELD; h++)
    for (int code = 0; code < codes; code++)
      for (int w = 0; w < WORTHS; w++) {
        const int next = code * WORTHS + w;
        const double x = after[h * codes * WORTHS + next];
        if (holds(k, h, next, cards + 1) && x > best[h * codes + code])
          best[h * codes + code] = x;
      }
}

static bool they_act(struct check *k, int p, unsigned s, const double *reach,
                     double *out) {
  const size_t n = codes_at(k, p);
  const int top = position_top(p);
  double *got = malloc(WORTHS * n * sizeof *got);
  bool ok = got && they_dig(k, p, top + 1, reach, out);
  for (int b = bet_high(s) + 1; ok && b <= top; b++) {
    ok = check_visit(k, p, s | 1u << (b - 1), reach, got);
    larger(out, got, n);
  }
  if (ok && s) {
    we_dig(k, p, s, bet_high(s), reach, got);
    larger(out, got, n);
  }
  if (ok && s == 0 && position_pile(p, !k->side) < HAND) {
    ok = check_visit(k, p + 1, 0, reach, got);
    best_build(k, p, got, out);
  }
  free(got);
  return ok;
}

static bool we_act(struct check *k, int p, unsigned s, const double *reach,
                   double *out) {
  const size_t n = codes_at(k, p);
  const int cards = position_pile(p, k->side), high = bet_high(s);
  const struct piles *piles = &k->model->piles[cards];
  const int types = piles->types, lead = history_lead(s);
  const int top = position_top(p), options = history_options(p, s);
  const quota *row = k->answers->row[p][s];
  double *got = malloc(n * sizeof *got), next[OPTIONS_MAX][TYPES_MAX];
  bool ok = got != NULL;
  memset(out, 0, n * sizeof *out);
  for (int i = 0; i < types; i++) {
    int all = 0;
    for (int o = 0; o < options; o++) {
      const int share = row                     ? row[o * types + i]
                        : o == (s ? 0 : BUILDS) ? WHOLE
                                                : 0;
      next[o][i] = reach[i] * share / WHOLE;
      all += share;
    }
    if (all != WHOLE)
      k->unsound = true;
  }
  if (ok && s) {
    ok = they_dig(k, p, high, next[0], got);
    add_values(out, got, n);
  }
  for (int b = high + 1; ok && b <= top; b++) {
    ok = check_visit(k, p, s | 1u << (b - 1), next[lead + b - high - 1], got);
    add_values(out, got, n);
  }
  if (ok) {
    we_dig(k, p, s, SAL_TRAPS_BETS, next[lead + top - high], got);
    add_values(out, got, n);
  }
  if (ok && s == 0 && p < k->cut) {
    const struct piles *to = &k->model->piles[cards + 1];
    double laid[TYPES_MAX];
    for (int i = 0; i < to->types; i++)
      laid[i] = next[to->type[i].card[cards]][to->type[i].parent];
    ok = check_visit(k, p + 1, 0, laid, got);
    add_values(out, got, n);
  }
  free(got);
  return ok;
}

static bool check_visit(struct check *k, int p, unsigned s, const double *reach,
                        double *out) {
  const int types = k->model->piles[position_pile(p, k->side)].types;
  double all = 0;
  for (int i = 0; i < types; i++)
    all += reach[i];
  if (all > 0)
    return history_actor(p, s) == k->side ? we_act(k, p, s, reach, out)
                                          : they_act(k, p, s, reach, out);
  memset(out, 0, codes_at(k, p) * sizeof *out);
  return true;
}

/* ---- All of it ------------------------------------------------------------------------------ */

static double choose(int n, int c) {
  double x = c > n ? 0 : 1;
  for (int i = 0; x > 0 && i < c; i++)
    x = x * (n - i) / (i + 1);
  return x;
}

static void deal_hands(struct check *k) {
  static const uint8_t deck[KINDS] = {3, 3, 3, 3, 1, 1};
  int n = 0;
  double all = 0;
  for (int code = 0; code < 4 * 4 * 4 * 4 * 2 * 2; code++) {
    uint8_t hand[KINDS];
    int cards = 0;
    for (int i = 0, c = code; i < KINDS; c /= deck[i++] + 1)
      cards += hand[i] = (uint8_t)(c % (deck[i] + 1));
    if (cards == HAND)
      memcpy(k->hand[n++], hand, sizeof hand);
  }
  for (int h = 0; h < HELD; h++) {
    k->class[h] = hand_class(k->hand[h], k->target);
    for (int g = 0; g < HELD; g++) {
      double ways = 1;
      for (int i = 0; i < KINDS; i++)
        ways *= choose(deck[i], k->hand[h][i]) *
                choose(deck[i] - k->hand[h][i], k->hand[g][i]);
      all += k->deal[h][g] = ways;
    }
  }
  for (int h = 0; h < HELD; h++)
    for (int g = 0; g < HELD; g++) {
      k->deal[h][g] /= all;
      k->by_class[h][k->class[g]] += k->deal[h][g];
    }
}

static bool best_answer(struct check *k, double *wins) {
  const struct piles *one = &k->model->piles[1];
  double reach[LANES * WORTHS], *out = malloc(codes_at(k, 0) * sizeof *out);
  for (int i = 0; i < one->types; i++)
    reach[i] = (double)k->answers->placed[i] / WHOLE;
  const bool ok = out && check_visit(k, 0, 0, reach, out) && !k->unsound;
  *wins = 0;
  for (int h = 0; ok && h < HELD; h++) {
    double best = -1e30;
    for (int w = 0; w < WORTHS; w++)
      if (holds(k, h, w, 1) && out[h * WORTHS + w] > best)
        best = out[h * WORTHS + w];
    *wins += best;
  }
  free(out);
  return ok;
}

bool sal_traps_policy_check(const sal_traps_policy *p, int blueprint, int side,
                            int target, double *wins) {
  struct check *k = calloc(1, sizeof *k);
  struct answers *a = calloc(1, sizeof *a);
  const struct blueprint_reader to = {a, NULL, hear_placed, hear_row, hear_dug};
  bool ok = k && a && policy_read(p, blueprint, side, &to) && !a->failed;
  if (ok) {
    k->model = traps_model();
    k->answers = a;
    k->side = side;
    k->cut = p->blueprint[blueprint][side].cut;
    k->target = target;
    k->equity = blueprint ? &p->equity : NULL;
    k->tokens[0] = blueprint ? (blueprint - 1) / GOAL : 1;
    k->tokens[1] = blueprint ? (blueprint - 1) % GOAL : 1;
    deal_hands(k);
    ok = best_answer(k, wins);
    if (side == 0)
      *wins = -*wins; /* to the first player, who is the policy's */
  }
  answers_free(a);
  free(k);
  return ok;
}
