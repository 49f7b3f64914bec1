/* Heuristics for Doors.
 *
 * What the Collector takes gives the identity away, and both sides know it:
 * the Guesser weighs the identities by the cards taken, the Collector by how
 * much a card would tell such a Guesser. */
#include "heuristics.h"
#include "salotto/tensor.h"

#include <math.h>
#include <string.h>

enum { RL, BL, RT, BT, BR, LT, KINDS, IDENTITIES = 4, ALIKE = 3 };

/* How much a fitting card says, to the credulous and to the wary. */
static const double STRONG = 1.5683, WEAK = 1.1052;

struct table {
  int me; /* my identity, or -1 */
  int deck[KINDS], offer[KINDS], collection[KINDS];
  int collected, turn;
};

static void read_counts(const float *t, int *n) {
  for (int k = 0; k < KINDS; k++)
    n[k] = (int)lrintf(t[k] * 3);
}

static void read_table(const float *t, struct table *s) {
  s->me = -1;
  for (int i = 0; i < IDENTITIES; i++)
    if (t[SAL_DOORS_ME + i] > 0)
      s->me = i;
  read_counts(t + SAL_DOORS_DECK, s->deck);
  read_counts(t + SAL_DOORS_OFFER, s->offer);
  read_counts(t + SAL_DOORS_COLLECTION, s->collection);
  s->turn = (int)lrintf(t[SAL_DOORS_TURN] * 5);
  s->collected = 0;
  for (int k = 0; k < KINDS; k++)
    s->collected += s->collection[k];
}

static int match(int card, int identity) {
  if (card >= BR)
    return 1; /* counts for one of the two traits */
  return 2 - ((card ^ identity) & 1) - ((card ^ identity) >> 1 & 1);
}

/* The most cards the collection holds for a trait of the identity. */
static int progress(const int *n, int identity) {
  const int colour = identity & 1, role = identity >> 1;
  const int same_colour = n[colour] + n[2 + colour] + n[BR];
  const int same_role = n[2 * role] + n[2 * role + 1] + n[LT];
  return same_colour > same_role ? same_colour : same_role;
}

/* How likely each identity is for somebody who knows that it is not `not_this`
 * and believes that fitting cards are taken more often: a card with both traits
 * so many times as often as one with one, and that as one with none. */
static void suspect(const int *collection, int not_this, double times,
                    double *p) {
  double power[2 * ALIKE + 1] = {[ALIKE] = 1}, sum = 0;
  for (int i = 1; i <= ALIKE; i++) {
    power[ALIKE + i] = power[ALIKE + i - 1] * times;
    power[ALIKE - i] = 1 / power[ALIKE + i];
  }
  for (int id = 0; id < IDENTITIES; id++) {
    /* the card itself speaks for an identity, its opposite against it */
    const int fits = collection[id] - collection[3 - id];
    p[id] = id == not_this ? 0 : power[ALIKE + fits];
    sum += p[id];
  }
  for (int id = 0; id < IDENTITIES; id++)
    p[id] /= sum;
}

/* The chance that the Collector can complete a set with one card of the offer. */
static double danger(const struct table *s, const double *p) {
  double d = 0;
  for (int id = 0; id < IDENTITIES; id++) {
    int best = progress(s->collection, id);
    for (int k = 0; k < KINDS && best < 4; k++)
      if (s->offer[k]) {
        int with[KINDS];
        memcpy(with, s->collection, sizeof with);
        with[k]++;
        const int now = progress(with, id);
        best = now > best ? now : best;
      }
    if (best >= 4)
      d += p[id];
  }
  return d;
}

/* ---- Actions by their text ----------------------------------------------- */

enum verb { TAKE, DISCARD, GUESS, CLAIM, END };

struct deed {
  enum verb verb;
  int card;   /* of a take or discard */
  int colour; /* of a guess: 0, 1, or -1 */
  int role;
};

int doors_card(const char *s) {
  static const char *const names[] = {"RL", "BL", "RT", "BT", "BR", "LT"};
  for (int k = 0; k < KINDS; k++)
    if (strcmp(s, names[k]) == 0)
      return k;
  return -1;
}

static struct deed read_deed(const char *text) {
  struct deed d = {END, -1, -1, -1};
  const char *rest;
  if ((rest = sal_skip(text, "take ")) != NULL) {
    d.verb = TAKE;
    d.card = doors_card(rest);
  } else if ((rest = sal_skip(text, "discard ")) != NULL) {
    d.verb = DISCARD;
    d.card = doors_card(rest);
  } else if ((rest = sal_skip(text, "guess ")) != NULL) {
    d.verb = GUESS;
    d.colour = strstr(rest, "red") ? 0 : strstr(rest, "blue") ? 1 : -1;
    d.role = strstr(rest, "lady") ? 0 : strstr(rest, "tiger") ? 1 : -1;
  } else if (strcmp(text, "claim") == 0) {
    d.verb = CLAIM;
  }
  return d;
}

/* Reading the same few texts over and over is slow, so they are remembered. */
static struct deed deed_of(const struct sal_question *q, size_t i) {
  static _Thread_local struct {
    sal_action action;
    struct deed deed;
  } known[128];
  const sal_action a = q->legal[i];
  if (known[a % 128].action != a) {
    struct phrase p;
    phrase_of(q, i, &p);
    known[a % 128].action = a;
    known[a % 128].deed = read_deed(p.text);
  }
  return known[a % 128].deed;
}

/* ---- Regular ------------------------------------------------------------- */

static double worth_of_take(const struct table *s, int card) {
  struct table after = *s;
  double p[IDENTITIES];
  after.collection[card]++;
  after.offer[card]--;
  const int mine = progress(after.collection, s->me);
  if (mine >= 4)
    return 6;
  suspect(after.collection, -1, STRONG, p);
  /* a set is near: worth more the later; but whoever is seen through pays */
  double worth = mine * (mine >= 3 ? 0.35 : 0.2);
  worth -= 9 * (p[s->me] > 0.30 ? p[s->me] - 0.30 : 0);
  return worth;
}

static double worth_of_discard(const struct table *s, int card) {
  struct table after = *s;
  double p[IDENTITIES];
  after.offer[card]--;
  suspect(s->collection, s->me, WEAK, p);
  double fits = 0;
  for (int id = 0; id < IDENTITIES; id++)
    fits += p[id] * match(card, id);
  return -6 * danger(&after, p) + 0.2 * fits;
}

static double worth_of_guess(const struct deed *d, const double *p) {
  double right = 0;
  for (int id = 0; id < IDENTITIES; id++)
    if ((d->colour < 0 || d->colour == (id & 1)) &&
        (d->role < 0 || d->role == id >> 1))
      right += p[id];
  return right * (d->colour >= 0 && d->role >= 0 ? 5 : 1) - 4 * (1 - right);
}

static double worth_of_end(const struct table *s, const double *p) {
  static const double later[] = {0, 0.6, 0.8, 1.0, 1.8, 3};
  if (s->turn == 5)
    return 3;
  const double d = danger(s, p);
  return -6 * d + (1 - d) * later[s->turn];
}

static double worth(const struct table *s, const struct deed *d,
                    const double *p) {
  switch (d->verb) {
  case TAKE: return worth_of_take(s, d->card);
  case DISCARD: return worth_of_discard(s, d->card);
  case GUESS: return worth_of_guess(d, p);
  case CLAIM: return 2;
  default: return worth_of_end(s, p);
  }
}

static void regular(const struct sal_question *q, const float *tensor,
                    double *weight) {
  struct table s;
  double p[IDENTITIES], best = -100, value[16];
  const bool collecting = tensor[SAL_DOORS_COLLECTING] > 0;
  read_table(tensor, &s);
  suspect(s.collection, s.me, WEAK, p);
  for (size_t i = 0; i < q->count; i++) {
    const struct deed d = deed_of(q, i);
    value[i] = worth(&s, &d, p);
    if (collecting && d.verb == CLAIM)
      value[i] = 6;
    if (collecting && d.verb == END)
      value[i] = -1;
    if (value[i] > best)
      best = value[i];
  }
  for (size_t i = 0; i < q->count; i++) {
    const double behind = (best - value[i]) / 0.12;
    weight[i] = behind < 10 ? exp(-behind) + 1e-4 : 1e-4;
  }
}

/* The same, but does not guess: takes what comes at the end of the deck. */
static void patient(const struct sal_question *q, const float *tensor,
                    double *weight) {
  regular(q, tensor, weight);
  for (size_t i = 0; i < q->count; i++)
    if (deed_of(q, i).verb == GUESS)
      weight[i] = 1e-9;
}

/* ---- Novice -------------------------------------------------------------- */

/* Takes what fits, guesses what lies there most often, forgets the rest. */
static void novice(const struct sal_question *q, const float *tensor,
                   double *weight) {
  struct table s;
  double p[IDENTITIES];
  read_table(tensor, &s);
  suspect(s.collection, s.me, STRONG, p);
  for (size_t i = 0; i < q->count; i++) {
    const struct deed d = deed_of(q, i);
    switch (d.verb) {
    case TAKE:
      weight[i] = match(d.card, s.me) == 2   ? 12
                  : match(d.card, s.me) == 1 ? 4
                                             : 1;
      break;
    case DISCARD: weight[i] = 1; break;
    case GUESS: {
      const double gain = worth_of_guess(&d, p);
      weight[i] = s.turn < 3 ? 0.01 : 0.3 * exp(2 * gain);
      break;
    }
    case CLAIM: weight[i] = 20; break;
    case END: weight[i] = 8; break;
    }
  }
}

/* ---- For the expert ------------------------------------------------------ */

/* The chance of who collects next to win the match, in thousandths, by the
 * tokens of the Collector and the Guesser: docs/doors-solved.md. */
static const int16_t collects_next[10][10] = {
    {503, 461, 409, 363, 316, 269, 218, 155, 133, 57},
    {552, 509, 458, 404, 360, 303, 253, 195, 171, 104},
    {596, 550, 505, 448, 404, 350, 283, 196, 179, 104},
    {658, 608, 565, 503, 452, 397, 340, 276, 245, 159},
    {701, 659, 620, 566, 512, 403, 366, 320, 275, 161},
    {752, 725, 675, 636, 577, 511, 450, 389, 384, 216},
    {798, 778, 730, 690, 624, 587, 546, 440, 433, 312},
    {839, 814, 774, 741, 699, 657, 658, 492, 488, 314},
    {850, 831, 785, 759, 703, 657, 657, 492, 489, 312},
    {909, 892, 872, 840, 820, 669, 668, 492, 489, 313}};

static void chances(const struct sal_game *g, const sal_state *s, int players,
                    double *out) {
  float tensor[SAL_DOORS_TENSOR];
  int32_t tokens[SAL_SEATS_MAX];
  union sal_view_box box;
  (void)players;
  g->scores(s, tokens);
  g->view(s, 0, (sal_view *)box.bytes);
  g->tensor((const sal_view *)box.bytes, tensor);
  const int next = tensor[SAL_DOORS_COLLECTING] > 0 ? 0 : 1;
  out[next] = collects_next[tokens[next]][tokens[!next]] / 1000.0;
  out[!next] = 1 - out[next];
}

const struct heuristics heuristics_doors = {.game = "doors",
                                            .novice = novice,
                                            .regular = regular,
                                            .other = patient,
                                            .chances = chances,
                                            .heat = 0.002};
