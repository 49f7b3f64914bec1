/* Heuristics for Traps.
 *
 * Against a target only three kinds of card matter: traps, ones and twos. The
 * regular reckons with chances to win the game, guessed from the tokens: what a
 * bet brings if all pass (a small table over the points that are missing and
 * the traps met), what it brings if somebody goes higher and digs in the own
 * pile, and how likely that is. Bluffs come by themselves: a low bet on a pile
 * with a trap on top is worth most when it is raised. */
#include "heuristics.h"
#include "traps.h"

#include <math.h>
#include <string.h>

enum { SEATS = SAL_SEATS_MAX };
/* What a card is worth against the target. */
enum { A_TRAP, ONE, TWO, WORTHS };
enum { POINTS_MAX = 13, POT_MAX = 6 };

struct seat {
  int tokens, down, hidden; /* hidden: cards that I do not see */
  bool in;                  /* has not passed */
  double p[WORTHS];         /* of a card of the pile that is face down */
};

/* The own cards that lie face down, as a digger meets them. */
struct own_pile {
  int count;
  int8_t worth[HAND_MAX + 1]; /* the bottom first */
};

struct table {
  int players, pot, bet, points, bettor; /* bettor: 0 is me, -1 nobody */
  enum phase phase;
  int worth[KINDS];
  int hand[WORTHS];
  struct own_pile mine;
  struct seat seat[SEATS]; /* me first */
  int others_down;
  double p[WORTHS]; /* of the others' face-down cards, taken together */
};

/* ---- Reading the view ---------------------------------------------------- */

static void read_worths(unsigned target, int *worth) {
  for (unsigned k = 0; k < BR; k++)
    worth[k] = match(k, target);
  worth[BR] = ONE;
  worth[LT] = A_TRAP;
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
  const double left = pool[A_TRAP] + pool[ONE] + pool[TWO];
  const int owned = sure[A_TRAP] + sure[ONE] + sure[TWO];
  const double from_pool = left > 0 ? (s->hidden - owned) / left : 0;
  for (int w = 0; w < WORTHS; w++)
    sum += s->p[w] = (sure[w] + from_pool * pool[w]) * laid_more[w] *
                     (w == A_TRAP && !s->in ? passed_more : 1);
  for (int w = 0; w < WORTHS; w++)
    s->p[w] = sum > 0 ? s->p[w] / sum : 1.0 / WORTHS;
}

static void read_seat(const struct traps *v, int seat, struct seat *s) {
  s->tokens = v->tokens[seat];
  s->down = (int)down(v->piles[seat]);
  s->hidden = s->down + (int)total(v->hands[seat]);
  s->in = !(v->passed >> seat & 1);
}

/* The cards of a pile that lie face up, by kind. */
static hand face_up(pile p) {
  hand h = 0;
  for (unsigned c = down(p); c < laid(p); c++)
    h += one(card_at(p, c));
  return h;
}

static void read_others(const struct view *v, struct table *s, int *pool) {
  int sure[SEATS][WORTHS] = {0};
  for (int i = 1; i < s->players; i++) {
    const int seat = ((int)v->viewer + i) % s->players;
    const hand shown = face_up(v->s.piles[seat]);
    const hand known = widen(v->s.known[seat]);
    read_seat(&v->s, seat, &s->seat[i]);
    for (unsigned k = 0; k < KINDS; k++) {
      const int now = (int)count(shown, k), before = (int)count(known, k);
      pool[s->worth[k]] -= before > now ? before : now;
      if (before > now)
        sure[i][s->worth[k]] += before - now;
    }
  }
  s->others_down = 0;
  s->p[A_TRAP] = s->p[ONE] = s->p[TWO] = 0;
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

static void read_own(const struct view *v, struct table *s, int *pool) {
  const pile p = v->s.piles[v->viewer];
  s->hand[A_TRAP] = s->hand[ONE] = s->hand[TWO] = 0;
  for (unsigned k = 0; k < KINDS; k++)
    s->hand[s->worth[k]] += (int)count(v->s.hands[v->viewer], k);
  read_seat(&v->s, (int)v->viewer, &s->seat[0]);
  s->mine.count = s->seat[0].down;
  for (int w = 0; w < WORTHS; w++)
    pool[w] -= s->hand[w];
  for (unsigned c = 0; c < laid(p); c++) {
    const int w = s->worth[card_at(p, c)];
    s->mine.worth[c] = (int8_t)w;
    pool[w]--;
  }
}

static void read_table(const sal_view *view, struct table *s) {
  const struct view *v = as_view(view);
  int pool[WORTHS] = {4, 7, 3};
  s->players = v->s.players;
  s->phase = (enum phase)v->s.phase;
  s->pot = v->s.pot;
  s->bet = v->s.high_bet;
  s->points = v->s.points;
  s->bettor =
      v->s.high_bettor == NO_SEAT
          ? -1
          : (v->s.high_bettor - (int)v->viewer + s->players) % s->players;
  read_worths(v->s.target, s->worth);
  read_own(v, s, pool);
  read_others(v, s, pool);
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
      const double v = s->p[A_TRAP] * h->dig[k + 1][n] +
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
    traps += !can_stop && s->mine.worth[c] == A_TRAP;
  for (int k = 0; k <= s->pot; k++)
    for (int n = 1; n < POINTS_MAX; n++)
      h->dig[k][n] = h->lost[k + traps < s->pot ? k + traps : s->pot];
  for (int c = 0; c < cards; c++)
    dig_deeper(s, h, can_stop);
}

/* The best of: my points down to the first trap, then the others' piles; or
 * through my own traps first. */
static double reveal_worth(const struct table *s, const struct hope *h,
                           const struct own_pile *mine, int missing, int met) {
  double best = met < s->pot ? h->dig[met][POINTS_MAX - 1] : h->lost[met];
  for (int c = mine->count - 1, k = met; k < s->pot; k++) {
    for (; c >= 0 && mine->worth[c] != A_TRAP; c--)
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
  const int cards = other->down < HAND_MAX ? other->down : HAND_MAX;
  for (int c = 0; c < cards; c++)
    for (int n = 2 * c; n >= 0; n--) {
      const double a = alive[n];
      r->points[n] += a * other->p[A_TRAP];
      alive[n] = 0;
      alive[n + 1] += a * other->p[ONE];
      alive[n + 2] += a * other->p[TWO];
    }
  for (int n = 0; n < POINTS_MAX; n++)
    r->points[n] += alive[n];
}

/* Two players: they dig in my pile, and I know what they meet. */
static void foresee_dig(const struct table *s, const struct own_pile *mine,
                        struct rival *r) {
  int k = 0, points = 0, n = 1;
  r->mine[0] = chance(s, 0, 1, s->pot, 0);
  for (int c = mine->count - 1; c >= 0 && k < s->pot; c--) {
    if (mine->worth[c] == A_TRAP)
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
static void foresee_table(const struct table *s, const struct own_pile *mine,
                          struct rival *r) {
  const int top = mine->count ? mine->worth[mine->count - 1] : ONE;
  const int elsewhere = s->others_down - s->seat[r->who].down + mine->count;
  const double points = 0.6 * elsewhere;
  const double succeeds = chance(s, 0, r->who, s->pot, 0);
  const double fails = chance(s, top == A_TRAP, r->who, -1, 0);
  r->mine[0] = succeeds;
  for (int n = 1; n < POINTS_MAX; n++) {
    const double x = (points - n + 0.5) / (0.4 + 0.15 * elsewhere);
    const double likely = 0.5 + 0.5 * squash(x);
    r->mine[n] = likely * succeeds + (1 - likely) * fails;
  }
}

static void form_rival(const struct table *s, const struct own_pile *mine,
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
                     const struct own_pile *mine) {
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
                        const struct rival *r, const struct own_pile *mine,
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

/* ---- Regular ------------------------------------------------------------- */

/* The better an action, the more often it is done. Below 0: never. */
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
                       struct rival *r, const struct own_pile *mine) {
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
      struct own_pile with = s->mine;
      with.worth[with.count++] = (int8_t)w;
      build[w] = best_bet(s, &h, &r, &with) +
                 (s->phase == PLACE ? place_bonus : build_bonus)[w];
    }
  form_rival(s, &s->mine, &r);
  for (size_t i = 0; i < q->count; i++) {
    const enum verb verb = verb_of(q->legal[i]);
    const int number = (int)number_of(q->legal[i]);
    if (verb == BETS)
      value[i] = number > most ? -1 : bet_worth(s, &h, &r, &s->mine, number);
    else if (verb == PASSES)
      value[i] = leave_it(&r, s->bet);
    else
      value[i] = build[s->worth[number]];
  }
}

/* Turning up the top card of a pile: what it may be, and the best from there. */
static double turn_up_worth(const struct table *s, int i) {
  struct hope h;
  struct own_pile mine = s->mine;
  const int missing = s->bet - s->points;
  if (i == 0) {
    form_hope(s, &h, s->others_down);
    if (mine.worth[mine.count - 1] !=
        A_TRAP) /* costs nothing: the best start */
      return reveal_worth(s, &h, &mine, missing, 0) + 0.05;
    mine.count--;
    return reveal_worth(s, &h, &mine, missing, 1);
  }
  form_hope(s, &h, s->others_down - 1);
  double worth = 0;
  for (int w = ONE; w <= TWO; w++)
    worth += s->seat[i].p[w] * reveal_worth(s, &h, &mine, missing - w, 0);
  if (s->seat[i].tokens < WIN - 1)
    worth += s->seat[i].p[A_TRAP] * reveal_worth(s, &h, &mine, missing, 1);
  return worth;
}

static void turn_up(const struct sal_question *q, const struct table *s,
                    double *value) {
  for (size_t i = 0; i < q->count; i++) {
    const enum verb verb = verb_of(q->legal[i]);
    const int seat = (int)number_of(q->legal[i]);
    const int who = (seat - q->seat + s->players) % s->players;
    if (verb == STOPS)
      value[i] = chance(s, -1, 0, 0, 0);
    else if (verb == GIVES)
      value[i] = chance(s, 0, who, 1, 0);
    else
      value[i] = turn_up_worth(s, who);
  }
}

static void regular(const struct sal_question *q, double *weight) {
  struct table s;
  double value[KINDS + 99];
  read_table(q->view, &s);
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
static void novice(const struct sal_question *q, double *weight) {
  static const double lays[WORTHS] = {1, 2, 3};
  struct table s;
  read_table(q->view, &s);
  double hopes = 0.5 * s.others_down;
  for (int c = 0; c < s.mine.count; c++)
    hopes += s.mine.worth[c];
  for (size_t i = 0; i < q->count; i++) {
    const int number = (int)number_of(q->legal[i]);
    switch (verb_of(q->legal[i])) {
    case PLACES: weight[i] = lays[s.worth[number]]; break;
    case BUILDS: weight[i] = 0.5 * lays[s.worth[number]]; break;
    case BETS:
      weight[i] = number < hopes ? 1 : exp(1.5 * (hopes - number));
      break;
    case REVEALS: weight[i] = number == q->seat ? 4 : 2; break;
    case STOPS: weight[i] = 0.5; break;
    default: weight[i] = 1;
    }
  }
}

/* ---- Other people -------------------------------------------------------- */

/* Lays traps and goes on betting as if they were points, a little higher each
 * time, but not far. */
static void bluff(const struct sal_question *q, const struct table *s,
                  double *weight) {
  const bool two = s->players == 2;
  const int most = two ? 3 : s->players;
  for (size_t i = 0; i < q->count; i++) {
    const int number = (int)number_of(q->legal[i]);
    switch (verb_of(q->legal[i])) {
    case PLACES: weight[i] = s->worth[number] == A_TRAP ? 8 : 1; break;
    case BUILDS: weight[i] = s->worth[number] == A_TRAP ? 0.3 : 0.1; break;
    case BETS:
      weight[i] =
          exp(-fabs(number - (s->bet ? s->bet + 1 : 2.0))) * (number <= most ? 1
                                                              : two ? 0.1
                                                                    : 0.01);
      break;
    default: weight[i] = 1;
    }
  }
}

/* The points on top of the own pile, above its first trap. */
static int points_on_top(const struct own_pile *mine) {
  int points = 0;
  for (int c = mine->count; c > 0 && mine->worth[c - 1] != A_TRAP; c--)
    points += mine->worth[c - 1];
  return points;
}

/* A trap below, points above it, and no bet beyond these. */
static void be_careful(const struct sal_question *q, const struct table *s,
                       double *weight) {
  const int own = points_on_top(&s->mine);
  for (size_t i = 0; i < q->count; i++) {
    const int number = (int)number_of(q->legal[i]);
    switch (verb_of(q->legal[i])) {
    case PLACES: weight[i] = s->worth[number] == A_TRAP ? 20 : 1; break;
    case BUILDS: weight[i] = own >= 3 ? 0.1 : 1 + s->worth[number]; break;
    case BETS: weight[i] = number <= own ? 2 : 1e-5; break;
    default: weight[i] = 1;
    }
  }
}

/* Goes higher as long as the bet is not far beyond the number of cards on the
 * table, with points on top of the own pile for longer. */
static void dare(const struct sal_question *q, const struct table *s,
                 double *weight) {
  static const double courage[] = {1, 20, 55}; /* by the own points */
  const int own = points_on_top(&s->mine),
            cards = s->others_down + s->mine.count;
  const double higher =
      courage[own < 2 ? own : 2] * exp(1.15 * (cards - s->bet));
  for (size_t i = 0; i < q->count; i++) {
    const int number = (int)number_of(q->legal[i]);
    const int beyond = number - cards - 2;
    switch (verb_of(q->legal[i])) {
    case PLACES: weight[i] = s->worth[number] == A_TRAP ? 3.5 : 1; break;
    case BUILDS: weight[i] = 0.1; break;
    case BETS:
      weight[i] = s->bet       ? higher * pow(0.5, number - s->bet)
                  : beyond > 0 ? pow(0.3, beyond)
                               : 1;
      break;
    default: weight[i] = 1;
    }
  }
}

typedef void manner_fn(const struct sal_question *q, const struct table *s,
                       double *weight);

/* Everybody turns up cards like a regular. */
static void play_like(manner_fn *manner, const struct sal_question *q,
                      double *weight) {
  struct table s;
  read_table(q->view, &s);
  if (s.phase >= REVEAL)
    regular(q, weight);
  else
    manner(q, &s, weight);
}

static void bluffer(const struct sal_question *q, double *weight) {
  play_like(bluff, q, weight);
}

static void careful(const struct sal_question *q, double *weight) {
  play_like(be_careful, q, weight);
}

static void daring(const struct sal_question *q, double *weight) {
  play_like(dare, q, weight);
}

/* As the expert's simulations number them. */
enum { REGULAR, BLUFFER, CAREFUL, DARING };

static bool tells(sal_action a) { return verb_of(a) < REVEALS; }

/* ---- Tempers ------------------------------------------------------------- */

/* A trap in the pile deceives; a high bet, and cards of the others, are for
 * those who dare. */
static struct traits traits(const struct sal_question *q, sal_action a) {
  const unsigned number = number_of(a);
  switch (verb_of(a)) {
  case PLACES:
  case BUILDS: return (struct traits){.deceit = number == LT ? 1 : -0.2};
  case BETS: {
    const double high = fmin(1, number / 6.0);
    return (struct traits){.risk = high, .spending = high};
  }
  case REVEALS:
    return (struct traits){.risk = (int)number == q->seat ? 0 : 0.3};
  case PASSES:
  case STOPS: return (struct traits){.risk = -0.3, .spending = -0.3};
  default: return (struct traits){0};
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
  union sal_view_box box;
  g->view(s, SAL_SPECTATOR, (sal_view *)box.bytes);
  const int first = as_view((const sal_view *)box.bytes)->s.first;
  out[first] = first_of_two[tokens[first]][tokens[!first]] / 1000.0;
  out[!first] = 1 - out[first];
}

/* For more than two: how strong somebody with so many tokens is among people who
 * hardly ever let a bet be met, and how many times as strong who is first, about as
 * `bench/tokens --worth` fits it. Among regulars, where a pot is more often won at
 * once, tokens matter less, as in `force`; in between, in proportion. */
static const double worth[WIN] = {0.55, 1, 2.4, 7.2, 40}, worth_first = 1.25;

static void evaluate(const struct sal_game *g, const sal_state *s, int players,
                     const uint8_t *kind, double *out) {
  int32_t tokens[SAL_SEATS_MAX];
  union sal_view_box box;
  double regulars = -1, all = 0;
  if (players == 2) {
    chances(g, s, players, out);
    return;
  }
  g->scores(s, tokens);
  g->view(s, SAL_SPECTATOR, (sal_view *)box.bytes);
  const int first = as_view((const sal_view *)box.bytes)->s.first;
  for (int i = 0; i < players; i++)
    regulars += kind[i] == REGULAR;
  const double part = regulars > 0 ? regulars / (players - 1) : 0;
  for (int i = 0; i < players; i++)
    all += out[i] = pow(worth[tokens[i]], 1 - part) *
                    pow(force(tokens[i]), part) *
                    (i == first ? worth_first : 1);
  for (int i = 0; i < players; i++)
    out[i] /= all;
}

/* Nobody who bets more than two points beyond the cards on the table meets that:
 * then the lowest of such bets is as good as any. To pass is always worth a
 * look. */
static void consider(const struct sal_question *q, double *weight) {
  const struct traps *s = &as_view(q->view)->s;
  unsigned most = 2;
  for (int seat = 0; seat < s->players; seat++)
    most += down(s->piles[seat]);
  for (size_t i = 0; i < q->count; i++) {
    const unsigned number = number_of(q->legal[i]);
    const enum verb verb = verb_of(q->legal[i]);
    if (verb == BETS && number > most && number > s->high_bet + 1U)
      weight[i] = -1;
    if (verb == PASSES)
      weight[i] = 1;
  }
}

/* Where somebody dares to go higher, it is better to pass and to wait for what
 * the own traps bring, as a bluffer does. */
static uint8_t manner(const uint8_t *kind, int players) {
  for (int seat = 0; seat < players; seat++)
    if (kind[seat] == DARING)
      return BLUFFER;
  return REGULAR;
}

/* All that lies in piles goes back into the hands. Worlds that have a card twice
 * of which one is shown came up twice as often as they should. */
static double rewind_round(const sal_view *start, const sal_state *now,
                           sal_state *out) {
  const struct traps *s = as_const_state(now);
  struct traps *then = as_state(out);
  double likely = 1;
  *then = as_view(start)->s;
  for (int seat = 0; seat < s->players; seat++) {
    const pile p = s->piles[seat];
    hand h = s->hands[seat];
    for (unsigned c = 0; c < laid(p); c++)
      h += one(card_at(p, c));
    then->hands[seat] = h;
    for (unsigned c = down(p); c < laid(p); c++) {
      likely /= count(h, card_at(p, c));
      h -= one(card_at(p, c));
    }
  }
  return likely;
}

/* What others lay is shown when it is turned up, if ever. */
static bool hides(sal_action a) {
  return verb_of(a) == PLACES || verb_of(a) == BUILDS;
}

/* What is laid next on a pile, if it lies face up there now. */
static sal_action shown(const sal_state *then, const sal_view *now, int seat) {
  const struct traps *s = as_const_state(then);
  const pile end = as_view(now)->s.piles[seat];
  const unsigned next = laid(s->piles[seat]);
  return next < down(end)
             ? 0
             : act(s->phase == PLACE ? PLACES : BUILDS, card_at(end, next));
}

static int round_of(const sal_view *view) {
  return (int)as_view(view)->s.round;
}

const struct heuristics heuristics_traps = {.game = "traps",
                                            .novice = novice,
                                            .regular = regular,
                                            .other = {bluffer, careful, daring},
                                            .tells = tells,
                                            .chances = chances,
                                            .evaluate = evaluate,
                                            .traits = traits,
                                            .heat = 0.002,
                                            .breadth = 8,
                                            .consider = consider,
                                            .manner = manner,
                                            .by_round = true,
                                            .rewind = rewind_round,
                                            .hides = hides,
                                            .shown = shown,
                                            .number = round_of};
