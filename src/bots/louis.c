/* Habits for Louis XIV.
 *
 * The regular puts a value on each tile (a chip that a mission asks for is worth
 * more than one that none does), guesses how likely it is to be first there,
 * and prefers what adds most to the sum of all tiles. Whatever is free it
 * takes. It knows the built-in court by heart; with another court its guesses
 * are worse, not its manners. */
#include "habits.h"
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
  JOKER = 12
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

/* Never quite nothing: a habit's weights must not all be 0. */
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

static void read_table(const struct sal_question *q, const float *t,
                       struct table *s) {
  memset(s, 0, sizeof *s);
  s->players = q->players;
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
  for (int i = 0; i < TILES; i++)
    s->value[i] = worth(s, i);
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

/* What more markers on a tile add. A marker that wins has to be recovered. */
static double gain(const struct table *s, int tile, int more, double open) {
  const int mine = s->markers[0][tile];
  return promise(s, tile, mine + more, open) - promise(s, tile, mine, open) -
         0.16 * more;
}

/* How much may still happen before tiles are counted. */
static double openness(const struct table *s) {
  int most = 0;
  for (int seat = 1; seat < s->players; seat++)
    if (s->cards[seat] > most)
      most = s->cards[seat];
  return most > 4 ? 1 : most * 0.25;
}

/* ---- Phrases ------------------------------------------------------------- */

/* An action's words after its verb. */
struct words {
  struct phrase phrase;
  char *word[12];
  int n;
};

static void words_of(const struct sal_question *q, size_t i, struct words *w) {
  char *rest;
  phrase_of(q, i, &w->phrase);
  w->n = 0;
  for (char *s = strtok_r(w->phrase.text, " ", &rest); s && w->n < 12;
       s = strtok_r(NULL, " ", &rest))
    w->word[w->n++] = s;
}

static bool verb_is(const struct words *w, const char *verb) {
  return strcmp(w->word[0], verb) == 0;
}

static bool ends_with(const struct words *w, const char *word) {
  return strcmp(w->word[w->n - 1], word) == 0;
}

static int card_of(const char *word) {
  return *word == 'J' ? JOKER : atoi(word) - 1;
}

static int chip_of(const char *word) {
  static const char letters[] = "cshrl"; /* crown, sceptre, … */
  const char *at = strchr(letters, *word);
  return at ? (int)(at - letters) : CROWN;
}

/* ---- How good each kind of action is, in points -------------------------- */

static double good_placing(const struct table *s, const struct words *w,
                           int from) {
  double sum = 0, open = openness(s);
  for (int i = from; i < w->n; i++) {
    const char *colon = strchr(w->word[i], ':');
    const int tile = atoi(w->word[i]) - 1;
    /* while tiles are evaluated, those done with are for the next round */
    if (s->tile >= 0 && tile <= s->tile)
      sum += 0.3 * s->value[tile] / 3;
    else
      sum += gain(s, tile, colon ? atoi(colon + 1) : 1, open);
  }
  if (w->n - from == 2 && !strchr(w->word[from], ':') &&
      strcmp(w->word[from], w->word[from + 1]) == 0)
    sum = gain(s, atoi(w->word[from]) - 1, 2, open);
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

static double good_exchange(const struct table *s, const struct words *w) {
  double sum = -0.4; /* for the marker on the board */
  for (int i = 1; i < w->n; i++)
    sum += 1.8 - card_value(s, card_of(w->word[i]));
  return sum;
}

static double good_intrigue(const struct table *s, const struct words *w) {
  const bool general = strcmp(w->word[1], "general") == 0;
  const int n = atoi(w->word[2]);
  return gain(s, s->tile, n, 0.2) + (general ? 0.1 * n : 0) - 0.9 -
         0.3 * ends_with(w, "favour");
}

static double good_fulfilment(const struct words *w) {
  double sum = 8;
  for (int i = 2; i < w->n; i++)
    sum -= chip_of(w->word[i]) == CROWN ? 1 : 0.5;
  return sum + (w->word[1][0] == 'D' ? 0.5 : w->word[1][0] == 'M' ? 0.3 : 0);
}

static double good_keeping(const struct table *s, const struct words *w) {
  double sum = ends_with(w, "favour") ? -0.5 : 0;
  for (int i = 1; i < w->n; i++)
    if (strcmp(w->word[i], "favour") != 0) {
      const int chip = chip_of(w->word[i]);
      sum += chip == CROWN ? 2.2 : 0.8 + s->want[chip];
    }
  return sum;
}

static double good_withdrawal(const struct table *s, const struct words *w) {
  return (w->n - 1) * (s->ready < 4 && s->round < 4 ? 0.1 : -0.5);
}

/* Spaces filled are privileges now and shields at the end. */
static double good_favour(const struct table *s, const struct words *w) {
  const int named = w->n - 1;
  const int borrowed = named > s->general ? named - s->general : 0;
  return 0.5 * named - 0.3 * borrowed;
}

static double good_draw(const struct words *w) {
  return w->word[1][0] == 'l' ? 0.6 : w->word[1][0] == 'm' ? 0.4 : 0;
}

static double good_payment(const struct table *s) {
  return s->value[s->tile] - 0.33 * court[s->tile].side[s->black[s->tile]].n;
}

static double goodness(const struct table *s, const struct words *w) {
  switch (w->word[0][0]) {
  case 'd': return verb_is(w, "draw") ? good_draw(w) : 0;
  case 'e': return good_exchange(s, w);
  case 'f':
    return verb_is(w, "foothold") ? 5 + good_placing(s, w, 1)
           : verb_is(w, "fulfil") ? good_fulfilment(w)
                                  : good_favour(s, w);
  case 'i': return good_intrigue(s, w);
  case 'j': return good_placing(s, w, 2) - 0.4;
  case 'k': return w->n > 1 ? good_keeping(s, w) : 0;
  case 'p':
    return verb_is(w, "play")  ? good_placing(s, w, 2)
           : verb_is(w, "put") ? good_placing(s, w, 1)
           : verb_is(w, "pay") ? good_payment(s)
                               : 0;
  case 'r': return verb_is(w, "recover") ? good_recovery(s) : 5;
  case 's': return 1.6 - card_value(s, card_of(w->word[1]));
  case 't': return verb_is(w, "tie") ? 5 : -0.3; /* or trade */
  default: return good_withdrawal(s, w);
  }
}

/* What is free is never left lying: passing is hardly thought of where a free
 * marker, a tie, a recovery or a mission is to be had. */
static bool free_to_take(const struct words *w) {
  return verb_is(w, "foothold") || verb_is(w, "tie") || verb_is(w, "recoup") ||
         verb_is(w, "fulfil");
}

static void lean(const struct sal_question *q, const float *tensor,
                 double sharpness, double *weight) {
  struct table s;
  double best = -1e9;
  bool free = false;
  read_table(q, tensor, &s);
  for (size_t i = 0; i < q->count; i++) {
    struct words w;
    words_of(q, i, &w);
    weight[i] = goodness(&s, &w);
    if (weight[i] > best)
      best = weight[i];
    free |= free_to_take(&w);
  }
  for (size_t i = 0; i < q->count; i++) {
    struct words w;
    words_of(q, i, &w);
    weight[i] = exp(sharpness * (weight[i] - best)) + hardly;
    if (free && !free_to_take(&w))
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

const struct habits habits_louis = {"louis", novice, regular, 12, true, NULL};
