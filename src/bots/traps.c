/* Heuristics for Traps.
 *
 * Against a target only three kinds of card matter: traps, ones and twos. The
 * regular reckons with chances to win the game, guessed from the tokens: what a
 * bet brings if all pass (a small table over the points that are missing and
 * the traps met), what it brings if somebody goes higher and digs in the own
 * pile, and how likely that is. Bluffs come by themselves: a low bet on a pile
 * with a trap on top is worth most when it is raised. */
#include "heuristics.h"
#include "salotto/tensor.h"

#include <math.h>
#include <string.h>

enum { KINDS = 6, BR = 4, LT = 5, SEATS = SAL_SEATS_MAX };
enum { TRAP, ONE, TWO, WORTHS };
enum { PILE_MAX = 6, POINTS_MAX = 13, POT_MAX = 6, WIN = 5 };
enum phase { PLACE, BUILD, BET, REVEAL, GIVE };

struct seat {
  int tokens, down, hidden; /* hidden: cards that I do not see */
  bool in;                  /* has not passed */
  double p[WORTHS];         /* of a card of the pile that is face down */
};

/* The own cards that lie face down, as a digger meets them. */
struct pile {
  int count;
  int8_t worth[PILE_MAX + 1]; /* the bottom first */
};

struct table {
  int players, pot, bet, points, bettor; /* bettor: 0 is me, -1 nobody */
  enum phase phase;
  int worth[KINDS];
  int hand[WORTHS];
  struct pile mine;
  struct seat seat[SEATS]; /* me first */
  int others_down;
  double p[WORTHS]; /* of the others' face-down cards, taken together */
};

/* ---- Reading the view ---------------------------------------------------- */

static inline int whole(float x) { return (int)(x + 0.5f); }

static int one_of(const float *t, int n) {
  int i = 0;
  while (i < n && t[i] <= 0)
    i++;
  return i;
}

static void read_worths(const float *t, int *worth) {
  const int target = one_of(t + SAL_TRAPS_TARGET, 4);
  for (int k = 0; k < BR; k++)
    worth[k] = 2 - ((k ^ target) & 1) - ((k ^ target) >> 1 & 1);
  worth[BR] = ONE;
  worth[LT] = TRAP;
}

/* Traps and twos are laid more often than they are held: whoever lays a card
 * wants to be feared or to bet on it. */
static const double laid_more[WORTHS] = {1.4, 1.0, 1.1};
/* And those who passed may have had a reason to. */
static const double passed_more = 1.4;

/* What a face-down card of a seat may be: of the cards that the seat is known
 * to own, or of the pool. */
static void suspect(struct seat *s, const int *sure, const int *pool) {
  double sum = 0;
  const double left = pool[TRAP] + pool[ONE] + pool[TWO];
  const int owned = sure[TRAP] + sure[ONE] + sure[TWO];
  const double from_pool = left > 0 ? (s->hidden - owned) / left : 0;
  for (int w = 0; w < WORTHS; w++)
    sum += s->p[w] = (sure[w] + from_pool * pool[w]) * laid_more[w] *
                     (w == TRAP && !s->in ? passed_more : 1);
  for (int w = 0; w < WORTHS; w++)
    s->p[w] = sum > 0 ? s->p[w] / sum : 1.0 / WORTHS;
}

static void read_seat(const float *t, struct seat *s) {
  s->tokens = whole(t[SAL_TRAPS_TOKENS] * 5);
  s->down = whole(t[SAL_TRAPS_DOWN] * 6);
  s->hidden = s->down + whole(t[SAL_TRAPS_HELD] * 6);
  s->in = t[SAL_TRAPS_PASSED] <= 0;
}

static void read_others(const float *t, struct table *s, int *pool) {
  int sure[SEATS][WORTHS] = {0};
  for (int i = 1; i < s->players; i++) {
    const float *block = t + i * SAL_TRAPS_SEAT;
    int shown[KINDS] = {0};
    read_seat(block, &s->seat[i]);
    const int laid = whole(block[SAL_TRAPS_LAID] * 6);
    for (int c = s->seat[i].down; c < laid; c++)
      shown[one_of(block + SAL_TRAPS_PILE + KINDS * c, KINDS - 1)]++;
    for (int k = 0; k < KINDS; k++) {
      const int known = whole(block[SAL_TRAPS_KNOWN + k] * 3);
      pool[s->worth[k]] -= known > shown[k] ? known : shown[k];
      if (known > shown[k])
        sure[i][s->worth[k]] += known - shown[k];
    }
  }
  s->others_down = 0;
  s->p[TRAP] = s->p[ONE] = s->p[TWO] = 0;
  for (int i = 1; i < s->players; i++) {
    struct seat *other = &s->seat[i];
    if (s->phase == PLACE)
      other->down = 1; /* soon */
    suspect(other, sure[i], pool);
    s->others_down += other->down;
    for (int w = 0; w < WORTHS; w++)
      s->p[w] += other->p[w] * other->down;
  }
  for (int w = 0; w < WORTHS; w++)
    s->p[w] = s->others_down ? s->p[w] / s->others_down : s->seat[1].p[w];
}

static void read_table(const float *t, struct table *s) {
  int pool[WORTHS] = {4, 7, 3};
  s->players = 1;
  while (s->players < SEATS && t[s->players * SAL_TRAPS_SEAT] > 0)
    s->players++;
  s->phase = (enum phase)one_of(t + SAL_TRAPS_PHASE, GIVE);
  s->pot = whole(t[SAL_TRAPS_POT] * 6);
  s->bet = whole(t[SAL_TRAPS_BET] * 99);
  s->points = whole(t[SAL_TRAPS_POINTS] * 99);
  s->bettor = -1;
  for (int i = 0; i < s->players; i++)
    if (t[i * SAL_TRAPS_SEAT + SAL_TRAPS_BETTOR] > 0)
      s->bettor = i;
  read_worths(t, s->worth);
  s->hand[TRAP] = s->hand[ONE] = s->hand[TWO] = 0;
  for (int k = 0; k < KINDS; k++)
    s->hand[s->worth[k]] += whole(t[SAL_TRAPS_HAND + k] * 3);
  read_seat(t, &s->seat[0]);
  s->mine.count = s->seat[0].down;
  const int laid = whole(t[SAL_TRAPS_LAID] * 6);
  for (int w = 0; w < WORTHS; w++)
    pool[w] -= s->hand[w];
  for (int c = 0; c < laid; c++) {
    const int w = s->worth[one_of(t + SAL_TRAPS_PILE + KINDS * c, KINDS - 1)];
    s->mine.worth[c] = (int8_t)w;
    pool[w]--;
  }
  read_others(t, s, pool);
}

/* ---- Chances to win ------------------------------------------------------ */

/* How strong somebody with so many tokens is, from games of experts: the first
 * tokens matter little, and four of them are nearly the game. */
static double force(int tokens) {
  static const double by_tokens[WIN] = {0.85, 1, 1.3, 1.9, 5.3};
  return by_tokens[tokens < 0 ? 0 : tokens < WIN ? tokens : WIN - 1];
}

static double standing(const int32_t *tokens, int players, int seat) {
  double all = 0;
  for (int i = 0; i < players; i++)
    all += force(tokens[i]);
  return force(tokens[seat]) / all;
}

/* The chance to win if I get `mine` tokens more, seat `who` `theirs`, and
 * `spread` go to the others at large. */
static double chance(const struct table *s, int mine, int who, int theirs,
                     int spread) {
  double others = 0, alive = 1;
  if (s->seat[0].tokens + mine >= WIN)
    return 1;
  for (int i = 1; i < s->players; i++) {
    const int now = s->seat[i].tokens + (i == who ? theirs : 0);
    if (now >= WIN)
      return 0;
    others += force(now);
    if (spread && now == WIN - 1)
      alive -= 1.0 / (s->players - 1);
  }
  for (int k = 0; k < spread; k++)
    others *= 1 + 0.8 / (s->players - 1);
  const double me = force(s->seat[0].tokens + mine);
  return (spread ? alive : 1) * me / (me + others);
}

/* ---- Turning up cards ---------------------------------------------------- */

/* What I can hope for when so many points are missing, so many traps were met
 * and the own pile has nothing more to give. */
struct hope {
  double won[POT_MAX + 1], lost[POT_MAX + 1];
  double dig[POT_MAX + 1][POINTS_MAX]; /* by traps and missing points */
};

static void dig_deeper(const struct table *s, struct hope *h, bool can_stop) {
  for (int k = 0; k < s->pot; k++)
    for (int n = POINTS_MAX - 1; n > 0; n--) {
      const double v = s->p[TRAP] * h->dig[k + 1][n] +
                       s->p[ONE] * h->dig[k][n - 1] +
                       s->p[TWO] * h->dig[k][n > 2 ? n - 2 : 0];
      h->dig[k][n] = !can_stop || v > h->lost[k] ? v : h->lost[k];
    }
}

static void form_hope(const struct table *s, struct hope *h, int cards) {
  for (int k = 0; k <= s->pot; k++) {
    const int other = s->players == 2 ? 1 : 0;
    h->won[k] = chance(s, s->pot - k, other, k, other ? 0 : k);
    h->lost[k] = chance(s, -1, other, k, other ? 0 : k);
    h->dig[k][0] = k < s->pot ? h->won[k] : h->lost[k];
  }
  /* who cannot stop has to turn up the own traps as well */
  const bool can_stop = s->seat[0].tokens > 0;
  int traps = 0;
  for (int c = 0; c < s->mine.count; c++)
    traps += !can_stop && s->mine.worth[c] == TRAP;
  for (int k = 0; k <= s->pot; k++)
    for (int n = 1; n < POINTS_MAX; n++)
      h->dig[k][n] = h->lost[k + traps < s->pot ? k + traps : s->pot];
  for (int c = 0; c < cards; c++)
    dig_deeper(s, h, can_stop);
}

/* The best of: my points down to the first trap, then the others' piles; or
 * through my own traps first. */
static double reveal_worth(const struct table *s, const struct hope *h,
                           const struct pile *mine, int missing, int met) {
  double best = met < s->pot ? h->dig[met][POINTS_MAX - 1] : h->lost[met];
  for (int c = mine->count - 1, k = met; k < s->pot; k++) {
    for (; c >= 0 && mine->worth[c] != TRAP; c--)
      missing -= mine->worth[c];
    const int n = missing < 0 ? 0 : missing;
    const double v = h->dig[k][n < POINTS_MAX ? n : POINTS_MAX - 1];
    best = v > best ? v : best;
    if (c-- < 0 || n == 0)
      break;
  }
  return best;
}

/* ---- Betting ------------------------------------------------------------- */

/* What the others may have: how likely a seat has so many points on top of its
 * pile, and what it brings me when so many must come out of other piles. */
struct rival {
  int who;
  double points[POINTS_MAX];
  double mine[POINTS_MAX]; /* my chance, by the points that are missing there */
};

static void guess_points(const struct seat *other, struct rival *r) {
  double alive[POINTS_MAX] = {1};
  memset(r->points, 0, sizeof r->points);
  const int cards = other->down < PILE_MAX ? other->down : PILE_MAX;
  for (int c = 0; c < cards; c++)
    for (int n = 2 * c; n >= 0; n--) {
      const double a = alive[n];
      r->points[n] += a * other->p[TRAP];
      alive[n] = 0;
      alive[n + 1] += a * other->p[ONE];
      alive[n + 2] += a * other->p[TWO];
    }
  for (int n = 0; n < POINTS_MAX; n++)
    r->points[n] += alive[n];
}

/* Two players: they dig in my pile, and I know what they meet. */
static void foresee_dig(const struct table *s, const struct pile *mine,
                        struct rival *r) {
  int k = 0, points = 0, n = 1;
  r->mine[0] = chance(s, 0, 1, s->pot, 0);
  for (int c = mine->count - 1; c >= 0 && k < s->pot; c--) {
    if (mine->worth[c] == TRAP)
      k++;
    else
      for (points += mine->worth[c]; n <= points && n < POINTS_MAX; n++)
        r->mine[n] = chance(s, k, 1, s->pot - k, 0);
  }
  for (const double fails = chance(s, k, 1, -1, 0); n < POINTS_MAX; n++)
    r->mine[n] = fails;
}

/* From -1 to 1; far off there is hardly any doubt. */
static double squash(double x) { return x / sqrt(1 + x * x); }

/* More players: what lies elsewhere is anybody's guess. */
static void foresee_table(const struct table *s, const struct pile *mine,
                          struct rival *r) {
  const int top = mine->count ? mine->worth[mine->count - 1] : ONE;
  const int elsewhere = s->others_down - s->seat[r->who].down + mine->count;
  const double points = 0.6 * elsewhere;
  const double succeeds = chance(s, 0, r->who, s->pot, 0);
  const double fails = chance(s, top == TRAP, r->who, -1, 0);
  r->mine[0] = succeeds;
  for (int n = 1; n < POINTS_MAX; n++) {
    const double x = (points - n + 0.5) / (0.4 + 0.15 * elsewhere);
    const double likely = 0.5 + 0.5 * squash(x);
    r->mine[n] = likely * succeeds + (1 - likely) * fails;
  }
}

static void form_rival(const struct table *s, const struct pile *mine,
                       struct rival *r) {
  if (s->players == 2)
    foresee_dig(s, mine, r);
  else
    foresee_table(s, mine, r);
}

/* What it brings me if the rival has bet so much and reveals. Nobody bets much
 * more than what lies in the own pile. */
static double leave_it(const struct rival *r, int bet) {
  static const double daring[POINTS_MAX] = {1,    0.7,  0.34, 0.17,
                                            0.08, 0.04, 0.02, 0.01};
  double sum = 0, worth = 0;
  for (int n = 0; n < POINTS_MAX; n++) {
    const int beyond = bet > n ? bet - n : 0;
    if (beyond >= POINTS_MAX || r->points[n] <= 0)
      continue;
    const double p = r->points[n] * (daring[beyond] + 0.01);
    sum += p;
    worth += p * r->mine[beyond];
  }
  return sum > 0 ? worth / sum : r->mine[POINTS_MAX - 1];
}

/* How likely one of those still in goes higher. */
static double raised(const struct table *s, const struct rival *r, int bet,
                     const struct pile *mine) {
  const int elsewhere = s->others_down - s->seat[r->who].down + mine->count;
  const double offered = 0.9 * elsewhere - bet - 0.5;
  double none = 0;
  for (int n = 0; n < POINTS_MAX; n++) {
    const double x = n + offered;
    none += r->points[n] * (0.5 - 0.5 * x / (1 + fabs(x)));
  }
  double all = none;
  for (int i = 1; i < s->players; i++)
    if (i != r->who && s->seat[i].in)
      all *= none;
  return 1 - all;
}

static double bet_worth(const struct table *s, const struct hope *h,
                        const struct rival *r, const struct pile *mine,
                        int bet) {
  const double risk = raised(s, r, bet, mine);
  return (1 - risk) * reveal_worth(s, h, mine, bet, 0) +
         risk * leave_it(r, bet + 1);
}

/* The rival is the next one still in. */
static int next_in(const struct table *s) {
  for (int i = 1; i < s->players; i++)
    if (s->seat[i].in)
      return i;
  return 1;
}

/* ---- Actions by their text ----------------------------------------------- */

enum verb { PLACES, BUILDS, BETS, PASSES, REVEALS, STOPS, GIVES };

struct deed {
  enum verb verb;
  int number; /* a card, a bet or a seat */
};

static int card_named(const char *s) {
  static const char *const names[] = {"RL", "BL", "RT", "BT", "BR", "LT"};
  int k = 0;
  while (k < LT && strcmp(s, names[k]) != 0)
    k++;
  return k;
}

static struct deed read_deed(const char *text) {
  static const char *const verbs[] = {"place ",  "build ", "bet ", "pass",
                                      "reveal ", "stop",   "give "};
  struct deed d = {PASSES, 0};
  for (int v = PLACES; v <= GIVES; v++) {
    const char *rest = sal_skip(text, verbs[v]);
    if (!rest)
      continue;
    d.verb = (enum verb)v;
    if (v <= BUILDS)
      d.number = card_named(rest);
    else
      for (; *rest; rest++)
        d.number = 10 * d.number + *rest - '0';
  }
  return d;
}

/* Reading the same few texts over and over is slow, so they are remembered. */
static struct deed deed_of(const struct sal_question *q, size_t i) {
  static _Thread_local struct {
    sal_action action;
    struct deed deed;
  } known[512];
  const sal_action a = q->legal[i];
  const size_t at = (a ^ a >> 25) % 512;
  if (known[at].action != a) {
    struct phrase p;
    phrase_of(q, i, &p);
    known[at].action = a;
    known[at].deed = read_deed(p.text);
  }
  return known[at].deed;
}

/* ---- Regular ------------------------------------------------------------- */

/* The better a deed, the more often it is done. Below 0: never. */
static void softly(const double *value, size_t count, double heat,
                   double *weight) {
  double best = -1;
  for (size_t i = 0; i < count; i++)
    best = value[i] > best ? value[i] : best;
  for (size_t i = 0; i < count; i++) {
    const double x = (value[i] - best) / heat;
    weight[i] = value[i] < 0 ? 0 : (x > -9 ? exp(x) : 0) + 1e-4;
  }
}

/* The best bet on a pile, as if it were my turn. */
static double best_bet(const struct table *s, const struct hope *h,
                       struct rival *r, const struct pile *mine) {
  double best = 0;
  int sum = 0;
  for (int c = 0; c < mine->count; c++)
    sum += mine->worth[c];
  form_rival(s, mine, r);
  for (int bet = 1; bet <= sum + s->others_down && bet < POINTS_MAX; bet++) {
    const double v = bet_worth(s, h, r, mine, bet);
    best = v > best ? v : best;
  }
  return best;
}

/* Points that could lie on the table at all. */
static int most_points(const struct table *s) {
  int most = 2 * s->others_down;
  for (int c = 0; c < s->mine.count; c++)
    most += s->mine.worth[c];
  return most;
}

/* Beyond the pile as it would be: what lies at the bottom is not met at once,
 * and whoever builds lets the others bet first. */
static const double place_bonus[WORTHS] = {0.05, 0, 0};
static const double build_bonus[WORTHS] = {-0.03, -0.06, -0.06};

static void lay_or_bet(const struct sal_question *q, const struct table *s,
                       double *value) {
  struct hope h;
  struct rival r;
  double build[WORTHS];
  const int most = most_points(s);
  form_hope(s, &h, s->others_down);
  r.who = s->bettor > 0 ? s->bettor : next_in(s);
  guess_points(&s->seat[r.who], &r);
  for (int w = 0; w < WORTHS && s->phase != BET; w++)
    if (s->hand[w]) {
      struct pile with = s->mine;
      with.worth[with.count++] = (int8_t)w;
      build[w] = best_bet(s, &h, &r, &with) +
                 (s->phase == PLACE ? place_bonus : build_bonus)[w];
    }
  form_rival(s, &s->mine, &r);
  for (size_t i = 0; i < q->count; i++) {
    const struct deed d = deed_of(q, i);
    if (d.verb == BETS)
      value[i] =
          d.number > most ? -1 : bet_worth(s, &h, &r, &s->mine, d.number);
    else if (d.verb == PASSES)
      value[i] = leave_it(&r, s->bet);
    else
      value[i] = build[s->worth[d.number]];
  }
}

/* Turning up the top card of a pile: what it may be, and the best from there. */
static double turn_up_worth(const struct table *s, int i) {
  struct hope h;
  struct pile mine = s->mine;
  const int missing = s->bet - s->points;
  if (i == 0) {
    form_hope(s, &h, s->others_down);
    if (mine.worth[mine.count - 1] != TRAP) /* costs nothing: the best start */
      return reveal_worth(s, &h, &mine, missing, 0) + 0.05;
    mine.count--;
    return reveal_worth(s, &h, &mine, missing, 1);
  }
  form_hope(s, &h, s->others_down - 1);
  double worth = 0;
  for (int w = ONE; w <= TWO; w++)
    worth += s->seat[i].p[w] * reveal_worth(s, &h, &mine, missing - w, 0);
  if (s->seat[i].tokens < WIN - 1)
    worth += s->seat[i].p[TRAP] * reveal_worth(s, &h, &mine, missing, 1);
  return worth;
}

static void turn_up(const struct sal_question *q, const struct table *s,
                    double *value) {
  for (size_t i = 0; i < q->count; i++) {
    const struct deed d = deed_of(q, i);
    const int who = (d.number - q->seat + s->players) % s->players;
    if (d.verb == STOPS)
      value[i] = chance(s, -1, 0, 0, 0);
    else if (d.verb == GIVES)
      value[i] = chance(s, 0, who, 1, 0);
    else
      value[i] = turn_up_worth(s, who);
  }
}

static void regular(const struct sal_question *q, const float *tensor,
                    double *weight) {
  struct table s;
  double value[KINDS + 99];
  read_table(tensor, &s);
  if (s.phase >= REVEAL)
    turn_up(q, &s, value);
  else
    lay_or_bet(q, &s, value);
  /* Turning up cards needs no bluff. With more players chances are smaller,
   * and so are their differences. */
  const double heat =
      s.phase >= REVEAL ? 0.004 : 0.12 / (s.players * s.players);
  softly(value, q->count, heat, weight);
}

/* ---- Novice -------------------------------------------------------------- */

/* Lays what fits, hopes for a point in every other card of the others, rather
 * turns up the own pile and does not like to stop. */
static void novice(const struct sal_question *q, const float *tensor,
                   double *weight) {
  static const double lays[WORTHS] = {1, 2, 3};
  struct table s;
  read_table(tensor, &s);
  double hopes = 0.5 * s.others_down;
  for (int c = 0; c < s.mine.count; c++)
    hopes += s.mine.worth[c];
  for (size_t i = 0; i < q->count; i++) {
    const struct deed d = deed_of(q, i);
    switch (d.verb) {
    case PLACES: weight[i] = lays[s.worth[d.number]]; break;
    case BUILDS: weight[i] = 0.5 * lays[s.worth[d.number]]; break;
    case BETS:
      weight[i] = d.number < hopes ? 1 : exp(1.5 * (hopes - d.number));
      break;
    case PASSES: weight[i] = 1; break;
    case REVEALS: weight[i] = d.number == q->seat ? 4 : 2; break;
    case STOPS: weight[i] = 0.5; break;
    case GIVES: weight[i] = 1; break;
    }
  }
}

/* ---- For the expert ------------------------------------------------------ */

/* For two: the chance of who is first in the next round to win, in thousandths,
 * by the own tokens and the other's. */
static const int16_t first_of_two[WIN][WIN] = {{510, 470, 426, 381, 334},
                                               {555, 517, 472, 422, 372},
                                               {598, 563, 518, 466, 414},
                                               {658, 614, 572, 525, 467},
                                               {682, 661, 623, 580, 525}};

static void chances(const struct sal_game *g, const sal_state *s, int players,
                    double *out) {
  int32_t tokens[SAL_SEATS_MAX];
  g->scores(s, tokens);
  if (players > 2) {
    for (int i = 0; i < players; i++)
      out[i] = standing(tokens, players, i);
    return;
  }
  float tensor[SAL_TRAPS_TENSOR];
  union sal_view_box box;
  g->view(s, 0, (sal_view *)box.bytes);
  g->tensor((const sal_view *)box.bytes, tensor);
  const int first = tensor[SAL_TRAPS_FIRST] > 0 ? 0 : 1;
  out[first] = first_of_two[tokens[first]][tokens[!first]] / 1000.0;
  out[!first] = 1 - out[first];
}

const struct heuristics heuristics_traps = {.game = "traps",
                                            .novice = novice,
                                            .regular = regular,
                                            .chances = chances,
                                            .heat = 0.002,
                                            .by_round = true};
