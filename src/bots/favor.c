/* Heuristics for Favor.
 *
 * A lot is worth something else to everybody, and gems are worth something
 * too: the bonus for the richest, and what they can still buy. The regular
 * guesses from the collections who the others are, from that how far they
 * would go, and chooses the price that promises most; what a rival gets counts
 * against it. */
#include "favor.h"
#include "evaluate.h"

#include <math.h>
#include <string.h>

/* What the regular goes by; found by matches of many settings. */
struct tuning {
  double trust;      /* how much a collection tells about its owner */
  double told;       /* likewise the bid that stands */
  double slack;      /* gems that one can be behind and still become richest: */
  double slack_card; /* with an empty deck, and more for each card in it */
  double purse;      /* points a gem can buy, for each card in the deck */
  double special;    /* hope in a special without its card, likewise */
  double width;      /* how unsure it is at which price somebody stops */
  double nerve; /* the part of their limit that others bid at once, up to 1 */
  double patience;   /* how much of the rival's call counts against adding */
  double reply;      /* how much it minds that the rival may add as well */
  double hurry;      /* calling rather than adding, all else equal */
  double hurry_card; /* likewise for each card in the lot */
  double mixing;     /* differences in points that hardly count */
};
/* With two every gem spent goes to the only rival; with more it matters less. */
static const struct tuning duel = {.trust = 0.45,
                                   .told = 0.1,
                                   .slack = 1.6,
                                   .slack_card = 0.15,
                                   .purse = 0.05,
                                   .special = 0.18,
                                   .width = 2.3,
                                   .nerve = 1,
                                   .patience = 0.75,
                                   .reply = 0.1,
                                   .hurry = 0.1,
                                   .hurry_card = -0.03,
                                   .mixing = 0.25};
static const struct tuning company = {.trust = 0.45,
                                      .told = 0.074,
                                      .slack = 1.6,
                                      .slack_card = 0.26,
                                      .purse = 0.063,
                                      .special = 0.15,
                                      .width = 0.54,
                                      .nerve = 1,
                                      .patience = 0.45,
                                      .reply = 0.42,
                                      .hurry = 0.16,
                                      .hurry_card = -0.012,
                                      .mixing = 0.25};

/* ---- Reading the view ---------------------------------------------------- */

struct seat {
  int cards[KINDS];
  double p[DOORS];     /* who it is, as I believe; of me: as others may */
  double worth[DOORS]; /* the lot for each identity */
};

struct table {
  const struct tuning *k;
  int players, me;                    /* seat 0 is mine, with this identity */
  int deck[KINDS], lot[KINDS], cards; /* cards: in the deck */
  int gems[SEATS];
  int caller, bidder; /* -1: nobody */
  int bid, left;
  bool final, english;
  double share; /* how much a gain of each rival hurts */
  struct seat seat[SEATS];
};

static int read_cards(hand h, int *n) {
  for (unsigned k = 0; k < KINDS; k++)
    n[k] = (int)count(h, k);
  return (int)total(h);
}

static void read_seat(const struct favor *v, int seat, int i, struct table *s) {
  read_cards(v->collection[seat], s->seat[i].cards);
  s->gems[i] = v->gems[seat];
  if (v->caller == seat)
    s->caller = i;
  if (v->high_bidder == seat)
    s->bidder = i;
}

static void read_table(const sal_view *view, struct table *s) {
  const struct favor *v = &as_view(view)->s;
  const int me = (int)as_view(view)->viewer;
  s->caller = s->bidder = -1;
  s->players = v->players;
  s->me = v->identity[me];
  for (int i = 0; i < s->players; i++)
    read_seat(v, (me + i) % s->players, i, s);
  s->cards = read_cards(v->deck, s->deck);
  read_cards(v->lot, s->lot);
  s->final = v->phase == FINAL;
  s->bid = v->high_bid;
  s->left = v->left;
  s->english = v->edition == ENGLISH;
  s->share = 1.0 / (s->players - 1);
  s->k = s->players == 2 ? &duel : &company;
}

/* ---- Worth of cards ------------------------------------------------------ */

static int card_points(int card, int identity) {
  static const int by_kind[] = {PAY_EXACT, PAY_ONE, PAY_ONE, PAY_NONE};
  return card < BR ? by_kind[card ^ identity] : 0;
}

double favor_points(const int *n, int id, bool english, double hope) {
  const int colour = n[id ^ 1], role = n[id ^ 2], none = n[id ^ 3];
  const int sum = 3 * n[id] + colour + role - 2 * none;
  if (english && none)
    return sum + (n[BR] && n[LT] && none == 1 ? 5 : 3 * (n[BR] + n[LT]));
  return sum + n[BR] * (colour ? 2 : hope) + n[LT] * (role ? 2 : hope);
}

static double lot_worth(const struct table *s, const int *cards, int id) {
  const double hope = s->k->special * s->cards;
  int with[KINDS];
  for (int c = 0; c < KINDS; c++)
    with[c] = cards[c] + s->lot[c];
  return favor_points(with, id, s->english, hope) -
         favor_points(cards, id, s->english, hope);
}

/* Whoever bought a card probably likes it. */
static void suspect(const struct table *s, int i, double *p) {
  const struct seat *seat = &s->seat[i];
  double sum = 0;
  for (int id = 0; id < DOORS; id++) {
    p[id] = 0;
    if (i != 0 && id == s->me)
      continue;
    double fits = s->k->trust * favor_points(seat->cards, id, s->english, 0);
    if (s->bidder == i)
      fits += s->k->told * seat->worth[id];
    sum += p[id] = exp(fits);
  }
  for (int id = 0; id < DOORS; id++)
    p[id] /= sum;
}

static void size_up(struct table *s) {
  for (int i = 0; i < s->players; i++) {
    for (int id = 0; id < DOORS; id++)
      s->seat[i].worth[id] = lot_worth(s, s->seat[i].cards, id);
    suspect(s, i, s->seat[i].p);
  }
}

/* The lot for somebody, on average; `keen`: for somebody who wants it. */
static double mean_worth(const struct seat *seat, bool keen) {
  double sum = 0;
  for (int id = 0; id < DOORS; id++)
    if (!keen || seat->worth[id] > 0)
      sum += seat->p[id] * seat->worth[id];
  return sum;
}

/* ---- Worth of gems ------------------------------------------------------- */

static double purse(const struct table *s, int gems, int most_of_others) {
  const int ahead = gems - most_of_others;
  if (s->final)
    return ahead >= 0 ? 3 : 0;
  const double x = (ahead + 0.3) / (s->k->slack + s->k->slack_card * s->cards);
  return 1.5 + 1.5 * x / (1 + fabs(x)) + s->k->purse * s->cards * gems;
}

/* How a seat stands against the others by its gems. */
static double standing(const struct table *s, const int *gems, int seat) {
  if (s->players == 2)
    return purse(s, gems[seat], gems[!seat]) -
           purse(s, gems[!seat], gems[seat]);
  int most = -1, second = -1, richest = 0;
  for (int i = 0; i < s->players; i++)
    if (gems[i] > most) {
      second = most;
      most = gems[i];
      richest = i;
    } else if (gems[i] > second) {
      second = gems[i];
    }
  double sum = 0;
  for (int i = 0; i < s->players; i++)
    sum += purse(s, gems[i], i == richest ? second : most) *
           (i == seat ? 1 : -s->share);
  return sum;
}

/* How a seat stands when `winner` (-1: nobody) has paid. */
static double standing_after(const struct table *s, int winner, int price,
                             int seat) {
  int gems[SEATS];
  memcpy(gems, s->gems, sizeof gems);
  if (winner >= 0) {
    gems[winner] -= price;
    if (!s->final && winner != s->caller) {
      gems[s->caller] += price;
    } else if (!s->final) {
      const int each = s->players == 2 ? price : price / (s->players - 1);
      for (int i = 0; i < s->players; i++)
        gems[i] += i == winner ? 0 : each;
    }
  }
  return standing(s, gems, seat);
}

/* What an outcome means to me. */
static double outcome(const struct table *s, int winner, int price,
                      double worth) {
  return standing_after(s, winner, price, 0) + (winner == 0  ? worth
                                                : winner > 0 ? -s->share * worth
                                                             : 0);
}

/* ---- Bidding ------------------------------------------------------------- */

/* How likely somebody goes on for a gain that looks like this. */
static double goes_on(const struct table *s, double gain) {
  const double p = 0.5 + gain / (2 * s->k->width);
  return p < 0 ? 0 : p > 1 ? 1 : p;
}

/* What I can expect when `high` (-1: nobody) has bid `price` and the seats from
 * `next` up to `last` are still to speak; each may go just above it. */
static double expect(const struct table *s, int high, int price, double worth,
                     int next, int last) {
  double still = 1, sum = 0;
  const double deny =
      high < 0 ? 0
               : s->share * (high == 0 ? mean_worth(&s->seat[0], true) : worth);
  for (int i = next; i <= last; i++) {
    const struct seat *rival = &s->seat[i];
    if (s->gems[i] <= price || i == high)
      continue;
    const double change = standing_after(s, i, price + 1, i) -
                          standing_after(s, high, price, i) + deny;
    double tops = 0, its_worth = 0;
    for (int id = 0; id < DOORS; id++) {
      const double p = rival->p[id] * goes_on(s, change + rival->worth[id]);
      tops += p;
      its_worth += p * rival->worth[id];
    }
    if (tops > 0)
      sum += still * tops * outcome(s, i, price + 1, its_worth / tops);
    still *= 1 - tops;
  }
  return sum + still * outcome(s, high, price, worth);
}

/* Whether a gem less would have done as well: nobody could go above it. */
static bool wasteful(const struct table *s, int bid) {
  bool enough = bid - 1 > s->bid;
  for (int i = 1; i < s->left; i++)
    enough &= s->gems[i] < bid;
  return enough;
}

static double worth_of_bid(const struct table *s, int bid) {
  return (wasteful(s, bid) ? -1 : 0) +
         expect(s, 0, bid, s->seat[0].worth[s->me], 1, s->left - 1);
}

static double worth_of_pass(const struct table *s) {
  const double worth = s->bidder > 0 ? mean_worth(&s->seat[s->bidder], 0) : 0;
  return expect(s, s->bidder, s->bid, worth, 1, s->left - 1);
}

/* ---- Turns --------------------------------------------------------------- */

/* What a seat bids when I have the last word, for each identity. All have the
 * same prices before them, so these are looked at only once. */
static void offers(const struct table *s, int seat, double deny, int *bid) {
  const struct seat *rival = &s->seat[seat];
  const double now = standing_after(s, -1, 0, seat);
  int limit[DOORS] = {0};
  bool anybody = true;
  for (int price = 1; price <= s->gems[seat] && anybody; price++) {
    const double cost = now - standing_after(s, seat, price, seat);
    anybody = false;
    for (int id = 0; id < DOORS; id++)
      if (limit[id] == price - 1 && rival->p[id] > 0 &&
          rival->worth[id] + deny > cost) {
        limit[id] = price;
        anybody = true;
      }
  }
  for (int id = 0; id < DOORS; id++) {
    bid[id] = (int)(s->k->nerve * limit[id] + 0.5);
    bid[id] = bid[id] > 0 || limit[id] == 0 ? bid[id] : 1;
  }
}

/* What I can expect of an auction in which I speak last. */
static double last_word(const struct table *s) {
  const double mine = s->seat[0].worth[s->me];
  const double deny = s->share * mean_worth(&s->seat[0], true);
  int bid[SEATS][DOORS];
  double sum = 0, all = 0;
  for (int i = 1; i < s->players; i++)
    offers(s, i, deny, bid[i]);
  for (int i = 1; i < s->players; i++)
    for (int id = 0; id < DOORS; id++) {
      double p = s->seat[i].p[id];
      const int high = bid[i][id];
      if (p <= 0)
        continue;
      for (int j = 1; j < s->players; j++) /* nobody else bids more */
        if (j != i) {
          double less = 0;
          for (int other = 0; other < DOORS; other++)
            if (bid[j][other] < high || (j > i && bid[j][other] == high))
              less += s->seat[j].p[other];
          p *= less;
        }
      const double worth = s->seat[i].worth[id];
      double best =
          high > 0 ? outcome(s, i, high, worth) : outcome(s, -1, 0, 0);
      if (s->gems[0] > high) {
        const double take = outcome(s, 0, high + 1, mine);
        best = take > best ? take : best;
      }
      sum += p * best;
      all += p;
    }
  return all > 0 ? sum / all : outcome(s, -1, 0, 0);
}

/* What I can expect of an auction that my left neighbour calls. */
static double first_word(const struct table *s) {
  double best = expect(s, -1, 0, 0, 1, 1);
  for (int bid = 1; bid <= s->gems[0]; bid++) {
    const double v = expect(s, 0, bid, s->seat[0].worth[s->me], 1, 1);
    best = v > best ? v : best;
  }
  return best;
}

/* The lot with a card more, on average. */
static void add_card(struct table *s) {
  for (int i = 0; i < s->players; i++)
    for (int id = 0; id < DOORS; id++) {
      double sum = 0;
      for (int c = 0; c < BR; c++)
        sum += s->deck[c] * card_points(c, id);
      s->seat[i].worth[id] += (sum + s->deck[BR] + s->deck[LT]) / s->cards;
    }
  s->cards--;
}

static double worth_of_call(struct table *s) {
  s->caller = 0;
  const double v = last_word(s);
  int lot = 0;
  for (int c = 0; c < KINDS; c++)
    lot += s->lot[c];
  return v + s->k->hurry + s->k->hurry_card * lot;
}

static double worth_of_add(const struct table *s) {
  struct table after = *s;
  const double now = standing_after(s, -1, 0, 0);
  add_card(&after);
  if (after.cards == 0) { /* the final auction, where I am asked last */
    after.final = true;
    after.caller = -1;
    return last_word(&after);
  }
  const double later = standing_after(&after, -1, 0, 0);
  after.caller = 1;
  const double called = first_word(&after);
  double worse = called;
  if (s->k->reply > 0 && after.cards > 1) {
    add_card(&after);
    after.caller = 0;
    const double back = last_word(&after);
    worse = back < called ? back : called;
  }
  return now +
         s->k->patience * (called + s->k->reply * (worse - called) - later);
}

/* ---- Regular ------------------------------------------------------------- */

static double worth(struct table *s, sal_action a) {
  switch (verb_of(a)) {
  case BIDS: return worth_of_bid(s, (int)number_of(a));
  case PASSES: return worth_of_pass(s);
  case ADDS: return worth_of_add(s);
  default: return worth_of_call(s);
  }
}

static void regular(const struct sal_question *q, double *weight) {
  struct table s;
  double best = -1000;
  read_table(q->view, &s);
  size_up(&s);
  for (size_t i = 0; i < q->count; i++) {
    weight[i] = worth(&s, q->legal[i]);
    if (weight[i] > best)
      best = weight[i];
  }
  for (size_t i = 0; i < q->count; i++)
    weight[i] = exp((weight[i] - best) / s.k->mixing) + 1e-3;
}

/* ---- Novice -------------------------------------------------------------- */

/* Counts the points on the table, wants a bargain, forgets the bonus for gems
 * and that the others want something too. */
static void novice(const struct sal_question *q, double *weight) {
  struct table s;
  read_table(q->view, &s);
  const double wanted = lot_worth(&s, s.seat[0].cards, s.me);
  for (size_t i = 0; i < q->count; i++) {
    const sal_action a = q->legal[i];
    switch (verb_of(a)) {
    case CALLS: weight[i] = wanted >= 2 ? 3 : wanted > 0 ? 1 : 0.4; break;
    case BIDS: weight[i] = exp(-fabs(0.6 * wanted - number_of(a))); break;
    case PASSES: weight[i] = wanted > 0 ? 0.5 : 4; break;
    default: weight[i] = 1;
    }
  }
}

/* ---- Tempers ------------------------------------------------------------- */

/* A lot that grows, and a high bid, are for those who dare. */
static struct traits traits(const struct sal_question *q, sal_action a) {
  (void)q;
  switch (verb_of(a)) {
  case ADDS: return (struct traits){.risk = 0.5};
  case CALLS: return (struct traits){.risk = -0.5};
  case BIDS: {
    const double high = fmin(1, number_of(a) / 5.0);
    return (struct traits){.risk = high, .spending = high};
  }
  default: return (struct traits){.risk = -0.3, .spending = -0.3};
  }
}

/* ---- For the expert ------------------------------------------------------ */

/* After a day: whoever is ahead by so many points has e times the chance; from
 * 1,500 games of regulars for two. */
static const double SPREAD[] = {0, 2.75, 2};

double favor_chance(int days, int lead) {
  return 1 / (1 + exp(-lead / SPREAD[days]));
}

static void chances(const struct sal_game *g, const sal_state *s, int players,
                    double *out) {
  int32_t score[SAL_SEATS_MAX];
  double sum = 0;
  const int days = g->closed(s);
  g->scores(s, score);
  for (int i = 0; i < players; i++)
    sum += out[i] = exp((score[i] - score[0]) / SPREAD[days]);
  for (int i = 0; i < players; i++)
    out[i] /= sum;
}

const struct heuristics heuristics_favor = {.game = "favor",
                                            .novice = novice,
                                            .errs = 0.35,
                                            .regular = regular,
                                            .chances = chances,
                                            .traits = traits,
                                            .heat = 0.004};
