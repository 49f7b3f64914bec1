/* Heuristics for Louis XIV.
 *
 * The regular puts a value on each tile (a chip that a mission asks for is
 * worth more than one that none does), guesses how likely it is to be first
 * there, and prefers what adds most to the sum of all tiles. Whatever is free it
 * takes. Tiles and missions are those of the court on the table; the weights
 * were found with the built-in one. */
#include "evaluate.h"
#include "louis.h"

#include <math.h>

enum { MORE = 3 };

/* Never quite nothing: a heuristic's weights must not all be 0. */
static const double hardly = 1e-9;

/* ---- Reading the view ---------------------------------------------------- */

struct table {
  const struct louis *v;
  const struct court *court;
  int me, players;
  int tile;                  /* being evaluated; -1: none */
  int markers[SEATS][TILES]; /* me first */
  int cards[SEATS];
  double want[CHIP_KINDS]; /* how much my missions ask for each chip */
  double value[TILES];
  double gain[TILES][MORE + 1]; /* of more markers now; NAN: not known yet */
};

/* A mission asks for two chips, the second may be any. */
static void want_for(const struct court_mission *m, const uint8_t *chips,
                     double *want) {
  const int a = m->cost[0] == ANY_CHIP ? m->cost[1] : m->cost[0];
  const int b = m->cost[0] == ANY_CHIP ? m->cost[0] : m->cost[1];
  if (a == ANY_CHIP)
    return;
  const bool has_a = chips[a] > 0;
  const bool has_b = b != ANY_CHIP && chips[b] > (a == b);
  want[a] += has_a ? 0.2 : has_b || b == ANY_CHIP ? 1.2 : 0.8;
  if (b != ANY_CHIP)
    want[b] += has_b ? 0.2 : has_a ? 1.2 : 0.8;
}

/* What the reward of a tile is worth to me, in points. */
static double worth(const struct table *s, int tile) {
  const struct court_tile *t = &s->court->tile[tile];
  switch (t->reward) {
  case CHIP_REWARD: break;
  case GOLD_REWARD: return 0.425 * t->amount;
  case PLACE_REWARD: return 0.6 * t->amount;
  default: return 1.2 * t->amount;
  }
  const double want = s->want[t->chip] > 1.2 ? 1.2 : s->want[t->chip];
  return t->amount * (t->chip == CROWN ? 3 : 1.4 + 1.7 * want);
}

static void read_table(const sal_view *view, struct table *s) {
  const struct louis *v = &as_view(view)->s;
  *s = (struct table){.v = v,
                      .court = court_of(v),
                      .me = (int)as_view(view)->viewer,
                      .players = v->players,
                      .tile = evaluating(v) ? v->tile : -1};
  for (int i = 0; i < s->players; i++) {
    const int seat = (s->me + i) % s->players;
    s->cards[i] = v->influence_size[seat];
    for (int tile = 0; tile < TILES; tile++)
      s->markers[i][tile] = v->markers[tile][seat];
  }
  for (uint64_t left = v->missions[s->me]; left; left &= left - 1)
    want_for(&s->court->mission[__builtin_ctzll(left)], v->chips[s->me],
             s->want);
  for (int i = 0; i < TILES; i++) {
    s->value[i] = worth(s, i);
    for (int more = 0; more <= MORE; more++)
      s->gain[i][more] = NAN;
  }
}

static int personal_markers(const struct table *s) {
  return s->v->personal[s->me];
}
static int general_markers(const struct table *s) {
  return s->v->general[s->me];
}

/* ---- Tiles --------------------------------------------------------------- */

/* How likely I am to be first in the end with so many markers more than the
 * best of the others; `open` says how much may still happen, 0 to 1. */
static double first_chance(int lead, double open) {
  const double now = lead > 0 ? 1 : 0;
  const double later = 1 / (1 + exp(-1.3 * (lead - 1.2)));
  return now + open * (later - now);
}

/* What a tile promises me with so many markers of mine on it. */
static double promise(const struct table *s, int tile, int mine, double open) {
  const enum contest contest =
      (enum contest)side_up(s->v, (unsigned)tile)->contest;
  const int n = side_up(s->v, (unsigned)tile)->n;
  const double v = s->value[tile];
  int best = s->v->neutral[tile];
  for (int seat = 1; seat < s->players; seat++)
    if (s->markers[seat][tile] > best)
      best = s->markers[seat][tile];
  const double first = mine ? first_chance(mine - best, open) : 0;
  double sum = 0;
  if (contest == MIN)
    sum = mine >= n ? v : open * v * 0.3 * mine / n;
  else
    sum = first * v;
  if (contest == PAY && mine && s->v->gold[s->me] >= n && v > 0.35 * n)
    sum += (1 - first) * (v - 0.35 * n);
  if (tile == s->v->louis)
    sum += 2.8 * first;
  if (tile == s->v->favourite && mine)
    sum += 0.4 + 0.5 * first;
  return sum;
}

/* How much may still happen before tiles are counted. */
static double openness(const struct table *s) {
  int most = 0;
  for (int seat = 1; seat < s->players; seat++)
    if (s->cards[seat] > most)
      most = s->cards[seat];
  return most > 4 ? 1 : most * 0.25;
}

/* What more markers on a tile add. A marker that wins has to be recovered. */
static double gain(const struct table *s, int tile, int more, double open) {
  const int mine = s->markers[0][tile];
  return promise(s, tile, mine + more, open) - promise(s, tile, mine, open) -
         0.16 * more;
}

/* The same as things stand; many actions ask for it. */
static double gain_now(struct table *s, int tile, int more) {
  if (more > MORE)
    return gain(s, tile, more, openness(s));
  if (isnan(s->gain[tile][more]))
    s->gain[tile][more] = gain(s, tile, more, openness(s));
  return s->gain[tile][more];
}

/* ---- How good each kind of action is, in points -------------------------- */

/* Where markers go. */
struct placing {
  int count;
  int tile[PATH_MAX_STEPS], markers[PATH_MAX_STEPS];
};

static struct placing placing_by_path(uint64_t arguments) {
  struct placing p = {0};
  for (unsigned i = 0; i < PATH_MAX_STEPS && step_tile(arguments, i); i++) {
    p.tile[p.count] = (int)step_tile(arguments, i) - 1;
    p.markers[p.count++] = (int)step_markers(arguments, i);
  }
  return p;
}

static struct placing placing_by_pair(uint64_t arguments) {
  const int first = (int)(arguments & 15) - 1,
            second = (int)(arguments >> 4) - 1;
  if (first == second)
    return (struct placing){1, {first}, {2}};
  return (struct placing){second < 0 ? 1 : 2, {first, second}, {1, 1}};
}

static double good_placing(struct table *s, struct placing p) {
  double sum = 0;
  for (int i = 0; i < p.count; i++) {
    /* While tiles are evaluated, those done with are for the next round, and
     * one marker alone is worth little there. */
    if (s->tile >= 0 && p.tile[i] <= s->tile && p.markers[i] == 1)
      sum += 0.1 * s->value[p.tile[i]];
    else
      sum += gain_now(s, p.tile[i], p.markers[i]);
  }
  return sum;
}

static double good_recovery(const struct table *s) {
  const int n = general_markers(s) < 3 ? general_markers(s) : 3;
  const int ready = personal_markers(s);
  return n * (ready < 3 ? 0.6 : ready < 7 ? 0.3 : 0.1) - 0.2;
}

/* A joker can go anywhere; other cards are worth their tile. */
static double card_value(const struct table *s, unsigned card) {
  return card == JOKER ? 3 : s->value[card];
}

static double good_exchange(const struct table *s, bag cards) {
  double sum = -0.4; /* for the marker on the board */
  for (unsigned card = 0; card < CARD_KINDS; card++)
    sum += bag_count(cards, card) * (1.8 - card_value(s, card));
  return sum;
}

static double good_intrigue(const struct table *s, uint64_t arguments) {
  const int n = (int)(arguments & 3);
  return gain(s, s->tile, n, 0.2) + (arguments & FROM_PERSONAL ? 0 : 0.1 * n) -
         0.9 - (arguments & WITH_FAVOUR ? 0.3 : 0);
}

static double good_fulfilment(const struct table *s, uint64_t arguments) {
  static const double by_tier[TIERS] = {[MEDIUM] = 0.3, [DARK] = 0.5};
  const int m = louis_held(s->v, (unsigned)s->me, code_in(arguments));
  double sum = 8 + by_tier[s->court->mission[m].tier];
  for (int i = 0; i < 2; i++)
    sum -= (arguments >> (CODE_BITS + 3 * i) & 7) == CROWN ? 1 : 0.5;
  return sum;
}

static double good_keeping(const struct table *s, uint64_t arguments) {
  double sum = arguments & KEEP_WITH_FAVOUR ? -0.5 : 0;
  for (int i = 0; i < 3; i++) {
    const int chip = (int)(arguments >> (3 * i) & 7) - 1; /* -1: none */
    if (chip >= 0)
      sum += chip == CROWN ? 2.2 : 0.8 + s->want[chip];
  }
  return sum;
}

static double good_withdrawal(const struct table *s, int spaces) {
  const bool short_of = personal_markers(s) < 4 && !last_round(s->v);
  return spaces * (short_of ? 0.1 : -0.5);
}

/* Spaces filled are privileges now and shields at the end. */
static double good_favour(const struct table *s, int spaces) {
  const int borrowed = spaces - general_markers(s);
  return 0.5 * spaces - 0.3 * (borrowed > 0 ? borrowed : 0);
}

static double good_draw(uint64_t stack) {
  static const double by_tier[TIERS] = {[LIGHT] = 0.6, [MEDIUM] = 0.4};
  return by_tier[stack];
}

static double good_payment(const struct table *s) {
  return s->value[s->tile] - 0.33 * side_up(s->v, (unsigned)s->tile)->n;
}

static double goodness(struct table *s, sal_action a) {
  const uint64_t arguments = arguments_of(a);
  switch (verb_of(a)) {
  case DO_DRAW: return good_draw(arguments & 3);
  case DO_EXCHANGE: return good_exchange(s, arguments);
  case DO_FAVOUR: return good_favour(s, __builtin_popcountll(arguments));
  case DO_FOOTHOLD: return 5 + good_placing(s, placing_by_pair(arguments));
  case DO_FULFIL: return good_fulfilment(s, arguments);
  case DO_INTRIGUE: return good_intrigue(s, arguments);
  case DO_JUMP: return good_placing(s, placing_by_path(arguments)) - 0.4;
  case DO_KEEP: return good_keeping(s, arguments);
  case DO_PAY: return good_payment(s);
  case DO_PLAY: return good_placing(s, placing_by_path(arguments));
  case DO_PUT: return good_placing(s, placing_by_pair(arguments));
  case DO_RECOVER: return good_recovery(s);
  case DO_RECOUP:
  case DO_TIE: return 5;
  case DO_SWAP: return 1.6 - card_value(s, arguments & 15);
  case DO_TRADE: return -0.3;
  case DO_WITHDRAW: return good_withdrawal(s, __builtin_popcountll(arguments));
  default: return 0;
  }
}

/* What is free is never left lying: passing is hardly thought of where a free
 * marker, a tie, a recovery or a mission is to be had. */
static bool free_to_take(sal_action a) {
  const unsigned verb = verb_of(a);
  return verb == DO_FOOTHOLD || verb == DO_TIE || verb == DO_RECOUP ||
         verb == DO_FULFIL;
}

static void lean(const struct sal_question *q, double sharpness,
                 double *weight) {
  struct table s;
  double best = -1e9;
  bool free = false;
  read_table(q->view, &s);
  for (size_t i = 0; i < q->count; i++) {
    weight[i] = goodness(&s, q->legal[i]);
    if (weight[i] > best)
      best = weight[i];
    free |= free_to_take(q->legal[i]);
  }
  for (size_t i = 0; i < q->count; i++) {
    const double behind = sharpness * (best - weight[i]);
    weight[i] = behind < 20 ? exp(-behind) + hardly : hardly;
    if (free && !free_to_take(q->legal[i]))
      weight[i] = 0;
  }
}

static void regular(const struct sal_question *q, double *weight) {
  lean(q, 6, weight);
}

static void novice(const struct sal_question *q, double *weight) {
  lean(q, 1, weight);
}

/* ---- Tempers ------------------------------------------------------------- */

static struct traits traits(const struct sal_question *q, sal_action a) {
  (void)q;
  switch (verb_of(a)) {
  case DO_PAY: return (struct traits){.spending = 1};
  case DO_INTRIGUE: return (struct traits){.risk = 0.5, .deceit = 1};
  case DO_DRAW: /* a dark mission is a hard one */
    return (struct traits){.risk = (double)(arguments_of(a) & 3) - 1};
  case DO_JUMP: return (struct traits){.risk = 0.5};
  default: return (struct traits){0};
  }
}

/* ---- For the expert ------------------------------------------------------ */

static int round_of(const sal_view *view) { return as_view(view)->s.round; }

/* What things are worth between two rounds, in points at the end: fitted by
 * least squares to 1,500 games of regulars for two, before rounds 2, 3 and 4. */
enum {
  SCORE,
  GOLDS,
  GENERAL,
  MARKERS,
  CARDS,
  INTRIGUES,
  CROWNS,
  CHIP,
  LAID,
  ALL
};
static const double worth_before[3][ALL] = {
    {1.30, 0.55, -0.57, 0.67, 2.37, 2.65, 3.18, 3.07, 1.32},
    {1.57, 0.46, -0.54, 0.69, 2.41, 2.28, 3.22, 3.04, -0.65},
    {1.48, 0.39, -0.42, 0.58, 2.01, 1.88, 2.43, 2.16, -1.60}};
/* Whoever is ahead by so many points then has e times the chance. */
static const double spread_before[3] = {4.5, 3.25, 2.25};

/* The points that a seat can hope for, as its own view tells. */
static double hopes(const sal_view *view, int32_t score) {
  struct table s;
  read_table(view, &s);
  const struct louis *v = s.v;
  const int me = s.me;
  const double *w = worth_before[v->round <= 2 ? 0 : v->round == 3 ? 1 : 2];
  double sum = w[SCORE] * score + w[GOLDS] * v->gold[me] +
               w[GENERAL] * v->general[me] + w[CARDS] * s.cards[0] +
               w[CROWNS] * v->chips[me][CROWN] +
               w[INTRIGUES] * v->intrigue_size[me];
  for (int i = 0; i < TILES; i++)
    sum += w[MARKERS] * s.markers[0][i];
  /* a chip that no mission asks for is worth less */
  for (int k = CROWN + 1; k < CHIP_KINDS; k++)
    sum += v->chips[me][k] * (w[CHIP] - 0.8 + 0.8 * s.want[k]);
  for (int i = 0; i < v->laid_count; i++)
    sum += w[LAID] * (v->laid[i] / MISSIONS_MAX == me);
  return sum;
}

static void chances(const struct sal_game *g, const sal_state *s, int players,
                    double *out) {
  int32_t score[SAL_SEATS_MAX];
  double sum = 0, most = -1e9;
  int round = 0;
  g->scores(s, score);
  for (int i = 0; i < players; i++) {
    union sal_view_box box;
    g->view(s, i, (sal_view *)box.bytes);
    round = round_of((const sal_view *)box.bytes);
    out[i] = hopes((const sal_view *)box.bytes, score[i]);
    most = out[i] > most ? out[i] : most;
  }
  const double spread = spread_before[round <= 2 ? 0 : round == 3 ? 1 : 2];
  for (int i = 0; i < players; i++)
    sum += out[i] = exp((out[i] - most) / spread);
  for (int i = 0; i < players; i++)
    out[i] /= sum;
}

const struct heuristics heuristics_louis = {.game = "louis",
                                            .novice = novice,
                                            .errs = 0.7,
                                            .regular = regular,
                                            .chances = chances,
                                            .evaluate = evaluate_louis,
                                            .traits = traits,
                                            .by_round = true,
                                            .round = round_of,
                                            .number = round_of};
