/* Beliefs about two hands; see belief.h. */
#include "belief.h"

#include <assert.h>
#include <string.h>

enum { HELD = 155, BR = 4, LT = 5 };

/* How far the other is taken to play by the policy. */
static const double faith = 0.8;

static const uint8_t deck[KINDS] = {3, 3, 3, 3, 1, 1};

/* traps.reveal.points, traps.reveal.blue-red, traps.reveal.lady-tiger */
int card_worth(int kind, int target) {
  if (kind >= BR)
    return kind == BR;
  const int differ = kind ^ target;
  return 2 - (differ & 1) - (differ >> 1 & 1);
}

int hand_class(const uint8_t hand[KINDS], int target) {
  int by[WORTHS] = {0};
  for (int k = 0; k < KINDS; k++)
    by[card_worth(k, target)] += hand[k];
  return traps_hand(traps_model(), by[2], by[1]);
}

/* ---- Hands by kind ------------------------------------------------------------ */

struct hands {
  uint8_t of[HELD][KINDS];
};

static void make_hands(struct hands *h) {
  uint8_t hand[KINDS] = {0};
  int n = 0;
  for (;;) {
    int cards = 0, k = 0;
    for (int i = 0; i < KINDS; i++)
      cards += hand[i];
    if (cards == HAND)
      memcpy(h->of[n++], hand, sizeof hand);
    while (k < KINDS && hand[k] == deck[k])
      hand[k++] = 0;
    if (k == KINDS)
      break;
    hand[k]++;
  }
  assert(n == HELD);
}

/* In how many ways both can be dealt. */
static double ways(const uint8_t *a, const uint8_t *b) {
  double product = 1;
  for (int k = 0; product > 0 && k < KINDS; k++)
    product *= binomial(deck[k], a[k]) * binomial(deck[k] - a[k], b[k]);
  return product;
}

static bool owns(const uint8_t *hand, const uint8_t *shown) {
  for (int k = 0; k < KINDS; k++)
    if (hand[k] < shown[k])
      return false;
  return true;
}

/* ---- What one round tells ------------------------------------------------------ */

struct tale {
  const struct type *type;
  int cards, turned, target;
};

/* How likely the cards turned up, from the top, are all among those shown: of
 * cards of the same worth each is as likely to be laid as any other. */
static double shown_chance(const struct tale *t, int turned, uint8_t *hand,
                           uint8_t *shown) {
  if (turned == t->turned)
    return 1;
  const int worth = t->type->card[t->cards - 1 - turned];
  double sum = 0;
  int all = 0;
  for (int k = 0; k < KINDS; k++)
    if (card_worth(k, t->target) == worth)
      all += hand[k];
  for (int k = 0; k < KINDS; k++) {
    if (card_worth(k, t->target) != worth || !hand[k] || !shown[k])
      continue;
    const double chance = (double)hand[k] / all;
    hand[k]--;
    shown[k]--;
    sum += chance * shown_chance(t, turned + 1, hand, shown);
    hand[k]++;
    shown[k]++;
  }
  return sum;
}

static double likelihood(const struct line *l, const struct sal_traps_round *r,
                         const uint8_t *hand, const uint8_t *shown) {
  const int cards = position_pile(l->course.p, l->side);
  const struct piles *piles = &traps_model()->piles[cards];
  const int class = hand_class(hand, r->target);
  double sum = 0;
  for (int i = 0; i < piles->types; i++) {
    const struct tale t = {&piles->type[i], cards, r->turned[l->side],
                           r->target};
    uint8_t held[KINDS], seen[KINDS];
    if (t.type->hand != class || !(l->reach[i] > 0))
      continue;
    memcpy(held, hand, sizeof held);
    memcpy(seen, shown, sizeof seen);
    sum += (double)l->reach[i] * shown_chance(&t, 0, held, seen);
  }
  return sum;
}

/* Weighs a player's hands by what they did in a round. */
static bool weigh_hands(const sal_traps_policy *p,
                        const struct sal_traps_round *r, int side,
                        const struct hands *h, const uint8_t *shown,
                        double *weight) {
  struct course c;
  struct line l;
  double likely[HELD], sum = 0, all = 0;
  if (!course_of(r, &c) || r->turned[side] > position_pile(c.p, side))
    return true; /* nothing can be told */
  line_begin(&l, &c, side);
  if (!line_by_blueprint(&l, p, sal_traps_score(r->tokens[0], r->tokens[1])))
    return false;
  if (!l.known)
    return true;
  for (int i = 0; i < HELD; i++) {
    likely[i] = weight[i] > 0 ? likelihood(&l, r, h->of[i], shown) : 0;
    double deals = weight[i];
    for (int k = 0; k < KINDS; k++)
      deals *= binomial(deck[k], h->of[i][k]);
    sum += deals * likely[i];
    all += deals;
  }
  for (int i = 0; sum > 0 && i < HELD; i++)
    weight[i] *= faith * likely[i] / (sum / all) + (1 - faith);
  return true;
}

/* ---- Scores in between ------------------------------------------------------------ */

/* Steps do not tell what cards were, so what a round paid is guessed: the first
 * course of payments that leads to the score of the last round. A wrong guess
 * only reads the blueprint of a score nearby. */
static bool guess_scores(struct sal_traps_deal *d, int n) {
  if (n + 1 >= SAL_TRAPS_ROUNDS)
    return false;
  static const enum outcome stops[] = {STOP, STOP_TRAP},
                            digs[] = {MET,        STOP_TRAP, MET_TRAP, STOP,
                                      THEIRS_TWO, OWN_TWO,   OWN_ENDS};
  const struct sal_traps_round *r = &d->round[n];
  const int digger = (position_actor(r->builds) + r->bets + 1) & 1;
  const enum outcome *ends = r->stopped ? stops : digs;
  const int count = r->stopped ? 2 : 7;
  for (int i = 0; i < count; i++) {
    const struct score to =
        traps_after(r->tokens[digger], r->tokens[!digger], ends[i]);
    struct sal_traps_round *next = &d->round[n + 1];
    if (to.digger >= GOAL || to.other >= GOAL)
      continue;
    if (n + 2 == d->rounds) { /* the digger begins the next round */
      if (next->tokens[0] == to.digger && next->tokens[1] == to.other)
        return true;
      continue;
    }
    next->tokens[0] = (uint8_t)to.digger;
    next->tokens[1] = (uint8_t)to.other;
    if (guess_scores(d, n + 1))
      return true;
  }
  return false;
}

/* ---- All that was told ----------------------------------------------------------- */

bool belief_deals(const sal_traps_policy *p, const struct sal_traps_deal *deal,
                  double out[HANDS][HANDS]) {
  struct sal_traps_deal guessed = *deal;
  const struct sal_traps_deal *d = &guessed;
  struct hands h;
  double weight[2][HELD], sum = 0;
  const int last = d->rounds - 1;
  const int target = d->round[last].target, mine = d->me[last];
  if (last > 0 && !guess_scores(&guessed, 0))
    return false;
  make_hands(&h);
  for (int who = 0; who < 2; who++) { /* me, then them */
    for (int i = 0; i < HELD; i++)
      weight[who][i] = owns(h.of[i], d->shown[who]);
    for (int n = 0; n < last; n++)
      if (!weigh_hands(p, &d->round[n], d->me[n] ^ who, &h, d->shown[who],
                       weight[who]))
        return false;
  }
  memset(out, 0, sizeof(double[HANDS][HANDS]));
  const double *first = weight[mine == 0 ? 0 : 1];
  const double *second = weight[mine == 0 ? 1 : 0];
  int class[HELD];
  for (int i = 0; i < HELD; i++)
    class[i] = hand_class(h.of[i], target);
  for (int i = 0; i < HELD; i++)
    for (int k = 0; first[i] > 0 && k < HELD; k++) {
      const double x = first[i] * second[k] * ways(h.of[i], h.of[k]);
      out[class[i]][class[k]] += x;
      sum += x;
    }
  for (int i = 0; sum > 0 && i < HANDS * HANDS; i++)
    out[i / HANDS][i % HANDS] /= sum;
  return sum > 0;
}
