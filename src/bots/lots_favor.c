/* Favor with more than two: the expert looks to the end of the lot.
 *
 * Little is hidden: who the others are, which can be in six ways, and the order of
 * the deck. So no way is drawn by lot: all are weighed by how well the regular
 * explains what was done this day, and an auction is played out as a tree in which
 * the others bid as a regular of each identity would, and the seat itself does what
 * is best for it. Only cards that are still to come are drawn. What comes after the
 * lot is fitted (evaluate.h). */
#include "evaluate.h"
#include "favor.h"
#include "master.h"

#include <math.h>
#include <string.h>

enum {
  WAYS = 6,
  OPTIONS = GEMS_MAX + 1,
  DRAW_COSTS = 4, /* playouts take as long as one way to draw what comes */
  DRAWS_MAX = 500 /* more hardly change an answer */
};
/* How far people are trusted to play by the heuristic. */
static const double FAITH = 0.5;
/* What others do so seldom is not looked at: of what leads to an option, and of a
 * turn. */
static const double SELDOM = 0.004, SELDOM_TURN = 0.02;

/* How likely what was done up to here is in each way. */
struct reach {
  double of[WAYS];
};

struct look {
  const struct sal_game *game;
  int players, me;
  uint8_t identity[WAYS][SEATS];
  struct reach now;
  /* The auction that is looked at: the seat's chance if somebody (SEATS: nobody)
   * gets the lot for so much; below 0 if nobody has asked yet. */
  double end[WAYS][SEATS + 1][GEMS_MAX + 1];
};

static double mass(const struct reach *r) {
  double sum = 0;
  for (int w = 0; w < WAYS; w++)
    sum += r->of[w];
  return sum;
}

static void play(const struct look *l, struct favor *s, sal_action a) {
  l->game->apply((sal_state *)s, s->turn, a, NULL);
}

/* ---- Who the others are --------------------------------------------------- */

static void list_ways(struct look *l, const struct favor *s) {
  static const uint8_t order[WAYS][DOORS - 1] = {
      {0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  const uint8_t mine = s->identity[l->me];
  for (int w = 0; w < WAYS; w++) {
    l->now.of[w] = 1.0 / WAYS;
    for (int seat = 0, other = 0; seat < l->players; seat++)
      l->identity[w][seat] =
          (uint8_t)(seat == l->me ? mine
                                  : (mine + 1 + order[w][other++]) % DOORS);
  }
}

/* How likely a regular does each of the things that the seat on turn can do, for
 * each identity that it may have. */
struct habits {
  sal_action legal[OPTIONS];
  size_t count;
  double chance[DOORS][OPTIONS];
};

static void ask_regular(const struct sal_question *q, double *chance) {
  double sum = 0;
  heuristics_favor.regular(q, chance);
  for (size_t i = 0; i < q->count; i++)
    sum += chance[i];
  for (size_t i = 0; i < q->count; i++)
    chance[i] /= sum;
}

static void ask_habits(const struct look *l, const struct favor *s,
                       struct habits *out) {
  struct view v = {*s, s->turn};
  memset(v.s.identity, HIDDEN_CARD, (size_t)l->players);
  const struct sal_question q = {
      .game = l->game,
      .players = l->players,
      .seat = s->turn,
      .view = (const sal_view *)&v,
      .legal = out->legal,
      .count = l->game->legal((const sal_state *)s, s->turn, out->legal)};
  out->count = q.count;
  for (uint8_t id = 0; id < DOORS; id++)
    if (id != l->identity[0][l->me]) {
      v.s.identity[s->turn] = id;
      ask_regular(&q, out->chance[id]);
    }
}

/* The part of `from` in which the seat on turn does this. */
static struct reach part_of(const struct look *l, const struct favor *s,
                            const struct habits *h, size_t option,
                            const struct reach *from) {
  struct reach r;
  for (int w = 0; w < WAYS; w++)
    r.of[w] = from->of[w] * h->chance[l->identity[w][s->turn]][option];
  return r;
}

/* Weighs the ways by what the seat on turn did. */
static void weigh(struct look *l, const struct favor *s, sal_action did) {
  struct habits h;
  size_t i = 0;
  ask_habits(l, s, &h);
  while (h.legal[i] != did)
    i++;
  const struct reach by_habit = part_of(l, s, &h, i, &l->now);
  for (int w = 0; w < WAYS; w++)
    l->now.of[w] =
        FAITH * by_habit.of[w] + (1 - FAITH) * l->now.of[w] / (double)h.count;
  const double all = mass(&l->now);
  for (int w = 0; w < WAYS; w++)
    l->now.of[w] /= all;
}

static bool can_be(const struct look *l, const struct favor *s,
                   const struct sal_seen *seen) {
  const unsigned asked = l->game->to_act((const sal_state *)s);
  if (seen->seat == SAL_CHANCE)
    return asked == SAL_CHANCE_BIT && verb_of(seen->action) == DRAWS &&
           count(s->deck, number_of(seen->action)) > 0;
  return asked >> seen->seat & 1 &&
         !l->game->check((const sal_state *)s, seen->seat, seen->action);
}

/* Goes through the day as the seat remembers it. */
static void remember(struct look *l, const struct sal_memory *m) {
  if (!m || !m->begun || m->count == SAL_MEMORY_MAX)
    return;
  struct favor s = as_view((const sal_view *)m->start.bytes)->s;
  for (size_t i = 0; i < m->count && can_be(l, &s, &m->step[i]); i++) {
    const struct sal_seen *seen = &m->step[i];
    if (seen->seat != SAL_CHANCE && seen->seat != l->me)
      weigh(l, &s, seen->action);
    l->game->apply((sal_state *)&s, seen->seat, seen->action, NULL);
  }
}

/* ---- An auction ----------------------------------------------------------- */

static double chance_after(const struct look *l, const struct favor *s,
                           sal_action a, int way) {
  double chance[SAL_SEATS_MAX];
  struct favor after = *s;
  memcpy(after.identity, l->identity[way], sizeof after.identity);
  play(l, &after, a);
  if (after.phase == OVER)
    return after.winner == l->me;
  evaluate_favor(l->game, (const sal_state *)&after, l->players, chance);
  return chance[l->me];
}

/* The last to speak does this. */
static double end_of(struct look *l, const struct favor *s, sal_action a,
                     const struct reach *r) {
  const bool bids = verb_of(a) == BIDS;
  const unsigned price = bids ? number_of(a) : s->high_bid;
  const unsigned winner = bids ? s->turn : price > 0 ? s->high_bidder : SEATS;
  double sum = 0;
  for (int w = 0; w < WAYS; w++) {
    double *known = &l->end[w][winner][price];
    if (*known < 0)
      *known = chance_after(l, s, a, w);
    sum += r->of[w] * *known;
  }
  return sum;
}

static double bidding(struct look *l, const struct favor *s,
                      const struct reach *r);

static double after_bid(struct look *l, const struct favor *s, sal_action a,
                        const struct reach *r) {
  struct favor next = *s;
  if (s->left == 1)
    return end_of(l, s, a, r);
  play(l, &next, a);
  return bidding(l, &next, r);
}

static double own_bid(struct look *l, const struct favor *s,
                      const struct reach *r) {
  sal_action legal[OPTIONS];
  const size_t count = l->game->legal((const sal_state *)s, s->turn, legal);
  double best = 0;
  for (size_t i = 0; i < count; i++)
    best = fmax(best, after_bid(l, s, legal[i], r));
  return best;
}

/* What the rest of an auction promises the seat, times how likely it came so
 * far. */
static double bidding(struct look *l, const struct favor *s,
                      const struct reach *r) {
  const double all = mass(r);
  double sum = 0, looked_at = 0;
  struct habits h;
  if (s->turn == l->me)
    return own_bid(l, s, r);
  ask_habits(l, s, &h);
  for (size_t i = 0; i < h.count; i++) {
    const struct reach then = part_of(l, s, &h, i, r);
    const double likely = mass(&then);
    if (likely >= SELDOM * all) {
      looked_at += likely;
      sum += after_bid(l, s, h.legal[i], &then);
    }
  }
  return sum * all / looked_at;
}

static void begin_auction(struct look *l) {
  for (int w = 0; w < WAYS; w++)
    for (int winner = 0; winner <= SEATS; winner++)
      for (int price = 0; price <= GEMS_MAX; price++)
        l->end[w][winner][price] = -1;
}

/* The seat on turn calls. */
static double call(struct look *l, const struct favor *s,
                   const struct reach *r) {
  struct favor next = *s;
  play(l, &next, act(CALLS, 0));
  begin_auction(l);
  return bidding(l, &next, r);
}

/* ---- More cards ----------------------------------------------------------- */

/* Adds this card; the others go on as regulars would until somebody calls, and
 * cards come as they come. The seat itself calls as soon as that promises more than
 * `enough`. */
static double add(struct look *l, const struct favor *s, unsigned card,
                  double enough, struct sal_rng *rng) {
  struct favor now = *s;
  struct reach r = l->now;
  double sum = 0, looked_at = 0;
  play(l, &now, act(ADDS, 0));
  l->game->apply((sal_state *)&now, SAL_CHANCE, act(DRAWS, card), NULL);
  while (now.phase == TURN && mass(&r) >= SELDOM_TURN) {
    struct habits h;
    struct reach calls = r;
    if (now.turn != l->me) {
      ask_habits(l, &now, &h);
      calls = part_of(l, &now, &h, h.legal[0] == act(CALLS, 0) ? 0 : 1, &r);
    }
    const double likely = mass(&calls), v = call(l, &now, &calls);
    if (now.turn != l->me || v >= enough * likely) {
      looked_at += likely;
      sum += v;
      for (int w = 0; w < WAYS; w++)
        r.of[w] -= calls.of[w];
    }
    play(l, &now, act(ADDS, 0));
    l->game->sample((sal_state *)&now, rng);
  }
  if (now.phase == FINAL && mass(&r) >= SELDOM_TURN) {
    begin_auction(l);
    looked_at += mass(&r);
    sum += bidding(l, &now, &r);
  }
  return sum / looked_at;
}

/* ---- Answers -------------------------------------------------------------- */

/* False without time. */
static bool look_at_turn(struct look *l, const struct sal_question *q,
                         const struct favor *s, struct timer *timer,
                         struct sal_rng *rng, double *value) {
  const size_t calls = q->legal[0] == act(CALLS, 0) ? 0 : 1;
  const unsigned cards = total(s->deck), first = sal_rng_below(rng, cards);
  unsigned n = 0;
  double sum = 0;
  value[calls] = call(l, s, &l->now);
  for (; n < DRAWS_MAX && timer_more(timer); n++) {
    sum += add(l, s, pick(s->deck, (first + n) % cards), value[calls], rng);
    for (int i = 1; i < DRAW_COSTS && timer_more(timer); i++)
      continue;
  }
  value[!calls] = n > 0 ? sum / n : 0;
  return n > 0;
}

static void look_at_bids(struct look *l, const struct sal_question *q,
                         const struct favor *s, double *value) {
  begin_auction(l);
  for (size_t i = 0; i < q->count; i++)
    value[i] = after_bid(l, s, q->legal[i], &l->now);
}

static void conclude_look(const struct sal_question *q, const double *value,
                          struct sal_policy *out) {
  double best = 0, sum = 0;
  for (size_t i = 0; i < q->count; i++)
    best = fmax(best, value[i]);
  for (size_t i = 0; i < q->count; i++) {
    out->value[i] = value[i];
    sum += out->chance[i] = exp((value[i] - best) / heuristics_favor.heat);
  }
  for (size_t i = 0; i < q->count; i++)
    out->chance[i] /= sum;
  out->valued = true;
}

bool policy_lots_favor(const struct sal_question *q, struct timer *timer,
                       struct sal_rng *rng, struct sal_policy *out) {
  struct look l = {.game = q->game, .players = q->players, .me = q->seat};
  double value[OPTIONS];
  if (q->players < 3 || strcmp(q->game->info.id, "favor") != 0)
    return false;
  const struct favor *s = &as_view(q->view)->s;
  if (s->one_day || timer_over(timer))
    return false;
  list_ways(&l, s);
  remember(&l, q->memory);
  if (s->phase != TURN)
    look_at_bids(&l, q, s, value);
  else if (!look_at_turn(&l, q, s, timer, rng, value))
    return false;
  conclude_look(q, value, out);
  out->simulations = timer->done;
  return true;
}
