/* Heuristics for Louis XIV.
 *
 * The regular puts a value on each tile (a chip that a mission asks for is worth
 * more than one that none does), guesses how likely it is to be first there,
 * and prefers what adds most to the sum of all tiles. Whatever is free it
 * takes. It knows the built-in court by heart; with another court its guesses
 * are worse, not its manners. */
#include "heuristics.h"
#include "salotto/tensor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  TILES = 12,
  SEATS = 4,
  CHIPS = 5,
  MISSIONS = 64,
  CARDS = 13,
  JOKER = 12,
  MORE = 3
};
enum {
  CROWN,
  SCEPTRE,
  HELMET,
  RING,
  LETTER,
  SHIELD,
  GOLD,
  PLACE,
  INFLUENCE,
  PLOT
};
enum contest { MOST, PAY, MIN };

/* Never quite nothing: a heuristic's weights must not all be 0. */
static const double hardly = 1e-9;

static const struct {
  int reward, amount;
  struct {
    enum contest contest;
    int n;
  } side[2]; /* red, black */
} court[TILES] = {
    {SCEPTRE, 1, {{PAY, 3}, {MOST, 0}}},  {LETTER, 1, {{PAY, 3}, {MIN, 3}}},
    {RING, 1, {{PAY, 3}, {MOST, 0}}},     {HELMET, 1, {{PAY, 3}, {MIN, 3}}},
    {CROWN, 1, {{PAY, 4}, {MOST, 0}}},    {SHIELD, 1, {{MIN, 2}, {PAY, 2}}},
    {GOLD, 4, {{MIN, 3}, {MOST, 0}}},     {PLACE, 2, {{PAY, 2}, {MOST, 0}}},
    {CROWN, 1, {{PAY, 4}, {MIN, 3}}},     {SHIELD, 2, {{MOST, 0}, {PAY, 3}}},
    {INFLUENCE, 1, {{PAY, 2}, {MIN, 2}}}, {PLOT, 1, {{MIN, 2}, {MOST, 0}}}};

/* ---- Reading the view ---------------------------------------------------- */

struct table {
  int players;
  int louis, favourite, tile; /* -1: none */
  int black[TILES], neutral[TILES];
  int markers[SEATS][TILES]; /* me first */
  int cards[SEATS];
  int chips[CHIPS];
  int gold, ready, general, spaces, round;
  double want[CHIPS]; /* how much my missions ask for each chip */
  double value[TILES];
  double gain[TILES][MORE + 1]; /* of more markers now; NAN: not known yet */
};

static inline int whole(float x) { return (int)(x + 0.5f); }

static int one_of(const float *t, int n) {
  for (int i = 0; i < n; i++)
    if (t[i] > 0)
      return i;
  return -1;
}

/* The two chips that a mission of the built-in court asks for; missions are
 * sorted by id: 8 dark, 20 light, 12 medium. -1: any. */
static void cost_of(int mission, int *a, int *b) {
  static const int pairs[6][2] = {{SCEPTRE, HELMET}, {SCEPTRE, RING},
                                  {SCEPTRE, LETTER}, {HELMET, RING},
                                  {HELMET, LETTER},  {RING, LETTER}};
  if (mission < 8) {
    *a = *b = SCEPTRE + mission / 2;
  } else if (mission < 28) {
    *a = SCEPTRE + (mission - 8) / 5;
    *b = -1;
  } else {
    *a = pairs[(mission - 28) / 2 % 6][0];
    *b = pairs[(mission - 28) / 2 % 6][1];
  }
}

static void read_wants(const float *t, struct table *s) {
  for (int m = 0; m < 40; m++) {
    int a, b;
    if (t[SAL_LOUIS_MISSIONS + m] <= 0)
      continue;
    cost_of(m, &a, &b);
    const bool has_a = s->chips[a] > 0;
    const bool has_b = b >= 0 && s->chips[b] > (a == b);
    s->want[a] += has_a ? 0.2 : has_b || b < 0 ? 1.2 : 0.8;
    if (b >= 0)
      s->want[b] += has_b ? 0.2 : has_a ? 1.2 : 0.8;
  }
}

/* What the reward of a tile is worth to me, in points. */
static double worth(const struct table *s, int tile) {
  const int reward = court[tile].reward;
  switch (reward) {
  case CROWN: return 3;
  case SHIELD: return 1.2 * court[tile].amount;
  case GOLD: return 1.7;
  case PLACE:
  case INFLUENCE:
  case PLOT: return 1.2;
  default: return 1.4 + 1.7 * (s->want[reward] > 1.2 ? 1.2 : s->want[reward]);
  }
}

static void read_table(int players, const float *t, struct table *s) {
  memset(s, 0, sizeof *s);
  s->players = players;
  s->louis = one_of(t + SAL_LOUIS_LOUIS, TILES);
  s->favourite = one_of(t + SAL_LOUIS_FAVOURITE, TILES);
  s->tile = one_of(t + SAL_LOUIS_TILE, TILES);
  s->round = whole(t[SAL_LOUIS_ROUND] * 4);
  for (int i = 0; i < TILES; i++) {
    s->black[i] = t[SAL_LOUIS_BLACK + i] > 0;
    s->neutral[i] = whole(t[SAL_LOUIS_NEUTRAL + i] * 4);
  }
  for (int seat = 0; seat < SEATS; seat++) {
    const float *b = t + SAL_LOUIS_SEATS + seat * SAL_LOUIS_SEAT;
    s->cards[seat] = whole(b[SAL_LOUIS_SIZES] * 5);
    for (int i = 0; i < TILES; i++)
      s->markers[seat][i] = whole(b[SAL_LOUIS_MARKERS + i] * 3);
  }
  const float *me = t + SAL_LOUIS_SEATS;
  s->gold = whole(me[SAL_LOUIS_GOLD] * 10);
  s->ready = whole(me[SAL_LOUIS_READY] * 10);
  s->general = whole(me[SAL_LOUIS_GENERAL] * 10);
  for (int i = 0; i < 4; i++)
    s->spaces += me[SAL_LOUIS_BOARD + i] > 0;
  for (int k = 0; k < CHIPS; k++)
    s->chips[k] = whole(me[SAL_LOUIS_CHIPS + k]);
  read_wants(t, s);
  for (int i = 0; i < TILES; i++) {
    s->value[i] = worth(s, i);
    for (int more = 0; more <= MORE; more++)
      s->gain[i][more] = NAN;
  }
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
  const enum contest contest = court[tile].side[s->black[tile]].contest;
  const int n = court[tile].side[s->black[tile]].n;
  const double v = s->value[tile];
  int best = s->neutral[tile];
  for (int seat = 1; seat < s->players; seat++)
    if (s->markers[seat][tile] > best)
      best = s->markers[seat][tile];
  const double first = mine ? first_chance(mine - best, open) : 0;
  double sum = 0;
  if (contest == MIN)
    sum = mine >= n ? v : open * v * 0.3 * mine / n;
  else
    sum = first * v;
  if (contest == PAY && mine && s->gold >= n && v > 0.35 * n)
    sum += (1 - first) * (v - 0.35 * n);
  if (tile == s->louis)
    sum += 2.8 * first;
  if (tile == s->favourite && mine)
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

/* ---- Deeds --------------------------------------------------------------- */

enum verb {
  DONE,
  DRAW,
  EXCHANGE,
  FAVOUR,
  FOOTHOLD,
  FULFIL,
  INTRIGUE,
  JUMP,
  KEEP,
  PASS,
  BUY,
  PLAY,
  PUT,
  RECOUP,
  RECOVER,
  SWAP,
  TIE,
  TRADE,
  WITHDRAW,
  VERBS
};

static const char *const verbs[VERBS] = {
    "done",    "draw", "exchange", "favour", "foothold", "fulfil", "intrigue",
    "jump",    "keep", "pass",     "pay",    "play",     "put",    "recoup",
    "recover", "swap", "tie",      "trade",  "withdraw"};

enum { WORDS_MAX = 12, KNOWN = 1 << 13 };

/* An action, read: its verb and what each word after it may mean. */
struct deed {
  sal_action action; /* 0: none yet */
  enum verb verb;
  int n;                /* words after the verb */
  bool general, favour; /* is the first such word, the last */
  char tier;            /* the first letter of the first */
  int8_t number[WORDS_MAX], many[WORDS_MAX], chip[WORDS_MAX];
};

static enum verb verb_named(const char *word) {
  for (int v = 0; v < VERBS; v++)
    if (strcmp(word, verbs[v]) == 0)
      return (enum verb)v;
  return PASS;
}

static int8_t chip_named(const char *word) {
  static const char letters[] = "cshrl"; /* crown, sceptre, … */
  const char *at = strchr(letters, *word);
  return (int8_t)(at ? at - letters : CROWN);
}

static void read_word(const char *word, struct deed *d) {
  const char *colon = strchr(word, ':');
  d->number[d->n] = (int8_t)(*word == 'J' ? JOKER + 1 : atoi(word));
  d->many[d->n] = (int8_t)(colon ? atoi(colon + 1) : 0);
  d->chip[d->n] = chip_named(word);
  d->favour = strcmp(word, "favour") == 0;
  if (d->n++ == 0) {
    d->general = strcmp(word, "general") == 0;
    d->tier = *word;
  }
}

/* Reading the same texts over and over is slow, so they are remembered. */
static const struct deed *deed_of(const struct sal_question *q, size_t i) {
  static _Thread_local struct deed known[KNOWN];
  const sal_action a = q->legal[i];
  struct deed *d = &known[(a * UINT64_C(0x9e3779b97f4a7c15)) >> 51];
  if (d->action == a)
    return d;
  struct phrase p;
  char *rest;
  phrase_of(q, i, &p);
  *d = (struct deed){.action = a};
  const char *word = strtok_r(p.text, " ", &rest);
  d->verb = verb_named(word);
  while ((word = strtok_r(NULL, " ", &rest)) && d->n < WORDS_MAX)
    read_word(word, d);
  return d;
}

/* ---- How good each kind of action is, in points -------------------------- */

static double good_placing(struct table *s, const struct deed *d, int from) {
  double sum = 0;
  for (int i = from; i < d->n; i++) {
    const int tile = d->number[i] - 1;
    /* while tiles are evaluated, those done with are for the next round */
    if (s->tile >= 0 && tile <= s->tile)
      sum += 0.3 * s->value[tile] / 3;
    else
      sum += gain_now(s, tile, d->many[i] ? d->many[i] : 1);
  }
  if (d->n - from == 2 && !d->many[from] &&
      d->number[from] == d->number[from + 1])
    sum = gain_now(s, d->number[from] - 1, 2);
  return sum;
}

static double good_recovery(const struct table *s) {
  const int n = s->general < 3 ? s->general : 3;
  return n * (s->ready < 3 ? 0.6 : s->ready < 7 ? 0.3 : 0.1) - 0.2;
}

/* A joker can go anywhere; other cards are worth their tile. */
static double card_value(const struct table *s, int card) {
  return card == JOKER ? 3 : s->value[card];
}

static double good_exchange(const struct table *s, const struct deed *d) {
  double sum = -0.4; /* for the marker on the board */
  for (int i = 0; i < d->n; i++)
    sum += 1.8 - card_value(s, d->number[i] - 1);
  return sum;
}

static double good_intrigue(const struct table *s, const struct deed *d) {
  const int n = d->number[1];
  return gain(s, s->tile, n, 0.2) + (d->general ? 0.1 * n : 0) - 0.9 -
         0.3 * d->favour;
}

static double good_fulfilment(const struct deed *d) {
  double sum = 8;
  for (int i = 1; i < d->n; i++)
    sum -= d->chip[i] == CROWN ? 1 : 0.5;
  return sum + (d->tier == 'D' ? 0.5 : d->tier == 'M' ? 0.3 : 0);
}

static double good_keeping(const struct table *s, const struct deed *d) {
  double sum = d->favour ? -0.5 : 0;
  for (int i = 0; i < d->n - d->favour; i++)
    sum += d->chip[i] == CROWN ? 2.2 : 0.8 + s->want[d->chip[i]];
  return sum;
}

static double good_withdrawal(const struct table *s, const struct deed *d) {
  return d->n * (s->ready < 4 && s->round < 4 ? 0.1 : -0.5);
}

/* Spaces filled are privileges now and shields at the end. */
static double good_favour(const struct table *s, const struct deed *d) {
  const int borrowed = d->n > s->general ? d->n - s->general : 0;
  return 0.5 * d->n - 0.3 * borrowed;
}

static double good_draw(const struct deed *d) {
  return d->tier == 'l' ? 0.6 : d->tier == 'm' ? 0.4 : 0;
}

static double good_payment(const struct table *s) {
  return s->value[s->tile] - 0.33 * court[s->tile].side[s->black[s->tile]].n;
}

static double goodness(struct table *s, const struct deed *d) {
  switch (d->verb) {
  case DRAW: return good_draw(d);
  case EXCHANGE: return good_exchange(s, d);
  case FAVOUR: return good_favour(s, d);
  case FOOTHOLD: return 5 + good_placing(s, d, 0);
  case FULFIL: return good_fulfilment(d);
  case INTRIGUE: return good_intrigue(s, d);
  case JUMP: return good_placing(s, d, 1) - 0.4;
  case KEEP: return good_keeping(s, d);
  case BUY: return good_payment(s);
  case PLAY: return good_placing(s, d, 1);
  case PUT: return good_placing(s, d, 0);
  case RECOVER: return good_recovery(s);
  case RECOUP:
  case TIE: return 5;
  case SWAP: return 1.6 - card_value(s, d->number[0] - 1);
  case TRADE: return -0.3;
  case WITHDRAW: return good_withdrawal(s, d);
  default: return 0;
  }
}

/* What is free is never left lying: passing is hardly thought of where a free
 * marker, a tie, a recovery or a mission is to be had. */
static bool free_to_take(enum verb v) {
  return v == FOOTHOLD || v == TIE || v == RECOUP || v == FULFIL;
}

static void lean(const struct sal_question *q, const float *tensor,
                 double sharpness, double *weight) {
  struct table s;
  double best = -1e9;
  bool free = false;
  read_table(q->players, tensor, &s);
  for (size_t i = 0; i < q->count; i++) {
    const struct deed *d = deed_of(q, i);
    weight[i] = goodness(&s, d);
    if (weight[i] > best)
      best = weight[i];
    free |= free_to_take(d->verb);
  }
  for (size_t i = 0; i < q->count; i++) {
    const double behind = sharpness * (best - weight[i]);
    weight[i] = behind < 20 ? exp(-behind) + hardly : hardly;
    if (free && !free_to_take(deed_of(q, i)->verb))
      weight[i] = 0;
  }
}

static void regular(const struct sal_question *q, const float *tensor,
                    double *weight) {
  lean(q, tensor, 6, weight);
}

static void novice(const struct sal_question *q, const float *tensor,
                   double *weight) {
  lean(q, tensor, 1, weight);
}

/* ---- For the expert ------------------------------------------------------ */

static int round_of(const float *tensor) {
  return whole(tensor[SAL_LOUIS_ROUND] * 4);
}

/* What things are worth between two rounds, in points at the end: fitted by
 * least squares to 1,500 games of regulars for two, before rounds 2, 3 and 4. */
enum {
  SCORE,
  GOLDS,
  GENERAL,
  MARKERS,
  CARD,
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
static double hopes(const float *tensor, int players, int32_t score) {
  struct table s;
  read_table(players, tensor, &s);
  const float *me = tensor + SAL_LOUIS_SEATS;
  const double *w = worth_before[s.round <= 2 ? 0 : s.round == 3 ? 1 : 2];
  double sum = w[SCORE] * score + w[GOLDS] * s.gold + w[GENERAL] * s.general +
               w[CARD] * s.cards[0] + w[CROWNS] * s.chips[CROWN];
  for (int i = 0; i < TILES; i++)
    sum += w[INTRIGUES] * (double)tensor[SAL_LOUIS_INTRIGUE + i] +
           w[MARKERS] * s.markers[0][i];
  /* a chip that no mission asks for is worth less */
  for (int k = CROWN + 1; k < CHIPS; k++)
    sum += s.chips[k] * (w[CHIP] - 0.8 + 0.8 * s.want[k]);
  for (int m = 0; m < MISSIONS; m++)
    sum += w[LAID] * (me[SAL_LOUIS_LAID + m] > 0);
  return sum;
}

static void chances(const struct sal_game *g, const sal_state *s, int players,
                    double *out) {
  int32_t score[SAL_SEATS_MAX];
  float tensor[TENSOR_MAX];
  double sum = 0, most = -1e9;
  int round = 0;
  g->scores(s, score);
  for (int i = 0; i < players; i++) {
    union sal_view_box box;
    g->view(s, i, (sal_view *)box.bytes);
    g->tensor((const sal_view *)box.bytes, tensor);
    round = round_of(tensor);
    out[i] = hopes(tensor, players, score[i]);
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
                                            .regular = regular,
                                            .chances = chances,
                                            .by_round = true,
                                            .round = round_of};
