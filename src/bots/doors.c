/* Heuristics for Doors.
 *
 * What the Collector takes gives the identity away, and both sides know it:
 * the Guesser weighs the identities by the cards taken, the Collector by how
 * much a card would tell such a Guesser. */
#include "doors.h"
#include "heuristics.h"

#include <math.h>
#include <string.h>

enum { IDENTITIES = DOORS, ALIKE = 3 };

/* How much a fitting card says, to the credulous and to the wary. */
static const double STRONG = 1.5683, WEAK = 1.1052;

struct table {
  int me; /* my identity, or -1 */
  int deck[KINDS], offer[KINDS], collection[KINDS];
  int turn;
  bool collecting;
};

static void read_counts(hand h, int *n) {
  for (unsigned k = 0; k < KINDS; k++)
    n[k] = (int)count(h, k);
}

static void read_table(const sal_view *view, struct table *s) {
  const struct view *v = as_view(view);
  s->me = v->s.identity[v->viewer];
  read_counts(v->s.deck, s->deck);
  read_counts(v->s.offer, s->offer);
  read_counts(v->s.collection, s->collection);
  s->turn = v->s.turn;
  s->collecting = v->s.collector == v->viewer;
}

/* How many traits of an identity a card may count for; a special has one. */
static int traits_shared(int card, int identity) {
  return card >= BR ? 1 : match((unsigned)card, (unsigned)identity);
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
    for (int k = 0; k < KINDS && best < SET; k++)
      if (s->offer[k]) {
        int with[KINDS];
        memcpy(with, s->collection, sizeof with);
        with[k]++;
        const int now = progress(with, id);
        best = now > best ? now : best;
      }
    if (best >= SET)
      d += p[id];
  }
  return d;
}

/* ---- Actions ------------------------------------------------------------- */

static int card_of(sal_action a) { return (int)number_of(a); }

/* Whether a guess is right about an identity. */
static bool guess_fits(int guess, int id) {
  return guess >= GUESS_IDENTITY ? guess - GUESS_IDENTITY == id
         : guess < 2             ? guess == (id & 1)
                                 : guess - 2 == id >> 1;
}

/* ---- Regular ------------------------------------------------------------- */

static double worth_of_take(const struct table *s, int card) {
  struct table after = *s;
  double p[IDENTITIES];
  after.collection[card]++;
  after.offer[card]--;
  const int mine = progress(after.collection, s->me);
  if (mine >= SET)
    return PAY_SET;
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
    fits += p[id] * traits_shared(card, id);
  return -PAY_SET * danger(&after, p) + 0.2 * fits;
}

static double worth_of_guess(int guess, const double *p) {
  double right = 0;
  for (int id = 0; id < IDENTITIES; id++)
    if (guess_fits(guess, id))
      right += p[id];
  return right * (guess >= GUESS_IDENTITY ? PAY_BOTH : PAY_TRAIT) -
         PAY_WRONG * (1 - right);
}

static double worth_of_end(const struct table *s, const double *p) {
  static const double later[] = {0, 0.6, 0.8, 1.0, 1.8, 3};
  if (s->turn == TURNS)
    return PAY_DECK_OUT;
  const double d = danger(s, p);
  return -PAY_SET * d + (1 - d) * later[s->turn];
}

static double worth(const struct table *s, sal_action a, const double *p) {
  switch (verb_of(a)) {
  case TAKES: return worth_of_take(s, card_of(a));
  case DISCARDS: return worth_of_discard(s, card_of(a));
  case GUESSES: return worth_of_guess(card_of(a), p);
  case CLAIMS: return s->collecting ? PAY_SET : PAY_GUESSER_SET;
  default: return s->collecting ? -1 : worth_of_end(s, p);
  }
}

static void regular(const struct sal_question *q, double *weight) {
  struct table s;
  double p[IDENTITIES], best = -100, value[16];
  read_table(q->view, &s);
  suspect(s.collection, s.me, WEAK, p);
  for (size_t i = 0; i < q->count; i++) {
    value[i] = worth(&s, q->legal[i], p);
    if (value[i] > best)
      best = value[i];
  }
  for (size_t i = 0; i < q->count; i++) {
    const double behind = (best - value[i]) / 0.12;
    weight[i] = behind < 10 ? exp(-behind) + 1e-4 : 1e-4;
  }
}

/* The same, but does not guess: takes what comes at the end of the deck. */
static void patient(const struct sal_question *q, double *weight) {
  regular(q, weight);
  for (size_t i = 0; i < q->count; i++)
    if (verb_of(q->legal[i]) == GUESSES)
      weight[i] = 1e-9;
}

/* ---- Novice -------------------------------------------------------------- */

/* Takes what fits, guesses what lies there most often, forgets the rest. */
static double novice_weight(const struct table *s, sal_action a,
                            const double *p) {
  static const double takes[] = {1, 4, 12};
  switch (verb_of(a)) {
  case TAKES: return takes[traits_shared(card_of(a), s->me)];
  case DISCARDS: return 1;
  case GUESSES:
    return s->turn < 3 ? 0.01 : 0.3 * exp(2 * worth_of_guess(card_of(a), p));
  case CLAIMS: return 20;
  default: return 8;
  }
}

static void novice(const struct sal_question *q, double *weight) {
  struct table s;
  double p[IDENTITIES];
  read_table(q->view, &s);
  suspect(s.collection, s.me, STRONG, p);
  for (size_t i = 0; i < q->count; i++)
    weight[i] = novice_weight(&s, q->legal[i], p);
}

/* ---- Tempers ------------------------------------------------------------- */

static struct traits traits(const struct sal_question *q, sal_action a) {
  const struct doors *v = &as_view(q->view)->s;
  switch (verb_of(a)) {
  case TAKES:
    return (struct traits){
        .deceit = 0.5 - 0.5 * traits_shared(card_of(a), v->identity[q->seat])};
  case GUESSES:
    return (struct traits){.risk = card_of(a) < GUESS_IDENTITY ? 0.5 : 1};
  default: return (struct traits){.risk = v->phase == GUESS ? -0.5 : 0};
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

/* A best of three: somebody wins each round, and then the other collects. Among
 * regulars who collects first wins 45 % of such games, and so 40 % of rounds. */
static double in_three(int collector, int guesser) {
  const double round = 0.4;
  return round * (collector ? 1 : 1 - in_three(guesser, 1)) +
         (1 - round) * (guesser ? 0 : 1 - in_three(1, collector));
}

/* By how many tokens each still needs. The table ends at 10: in a game to 15 larger
 * needs are scaled down to it, both by the same factor. */
static double to_tokens(const struct doors *s, int collector) {
  const int goal = (int)wins_at(s), most = 10;
  int missing[2] = {goal - s->tokens[collector], goal - s->tokens[!collector]};
  const int more = missing[0] > missing[1] ? missing[0] : missing[1];
  for (int i = 0; i < 2 && more > most; i++)
    missing[i] = (missing[i] * most + more / 2) / more;
  return collects_next[most - missing[0]][most - missing[1]] / 1000.0;
}

static void chances(const struct sal_game *g, const sal_state *s, int players,
                    double *out) {
  union sal_view_box box;
  (void)players;
  g->view(s, SAL_SPECTATOR, (sal_view *)box.bytes);
  const struct doors *seen = &as_view((const sal_view *)box.bytes)->s;
  const int next = seen->collector;
  out[next] = seen->goal == BEST_OF_THREE
                  ? in_three(seen->tokens[next], seen->tokens[!next])
                  : to_tokens(seen, next);
  out[!next] = 1 - out[next];
}

const struct heuristics heuristics_doors = {.game = "doors",
                                            .novice = novice,
                                            .regular = regular,
                                            .other = {patient},
                                            .chances = chances,
                                            .traits = traits,
                                            .heat = 0.002};
