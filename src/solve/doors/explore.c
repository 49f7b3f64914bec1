/* Exploring a round of Doors by a policy; see salotto/solve.h.
 *
 * Main invariant: all chances are the policy's answers at the places of the line,
 * and beliefs are their products; nothing else is known of anybody. */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sal_doors_explorer {
  const sal_doors_policy *policy;
  sal_doors_player *side[2]; /* the Guesser, the Collector */
};

void sal_doors_explorer_free(sal_doors_explorer *e) {
  if (!e)
    return;
  sal_doors_player_free(e->side[0]);
  sal_doors_player_free(e->side[1]);
  free(e);
}

sal_doors_explorer *sal_doors_explorer_new(const sal_doors_policy *p) {
  sal_doors_explorer *e = calloc(1, sizeof *e);
  if (!e)
    return NULL;
  e->policy = p;
  e->side[0] = sal_doors_player_new(p);
  e->side[1] = sal_doors_player_new(p);
  if (e->side[0] && e->side[1]) {
    player_note_all(e->side[0]);
    return e;
  }
  sal_doors_explorer_free(e);
  return NULL;
}

/* ---- Where a line has come to ---------------------------------------------- */

struct exploring {
  sal_doors_explorer *e;
  int blueprint;
  struct sal_doors_effort effort;
  struct sal_doors_explored *out;
  struct table table;
};

static bool ask(const struct exploring *x, const struct sal_doors_history *h,
                bool collector, struct sal_doors_chances *out) {
  return sal_doors_player_ask(x->e->side[collector], x->blueprint, h, collector,
                              &x->effort, out);
}

static void weigh_reach(double *reach, const float *chance) {
  for (int i = 0; i < PEOPLE; i++)
    reach[i] *= (double)chance[i];
}

/* Collectors with a set have claimed it, and are not here any more. */
static void pass_claim(const struct table *t, double *reach) {
  for (int i = 0; i < PEOPLE; i++)
    if (table_has_set(t, i))
      reach[i] = 0;
}

/* What the mover of a pick did, and what the Guesser said before a take. */
static bool follow_pick(struct exploring *x, const struct sal_doors_history *h,
                        unsigned pick, unsigned kind) {
  struct sal_doors_explored *out = x->out;
  const bool collector = pick % 2 == 0;
  struct sal_doors_history before = *h;
  struct sal_doors_chances c;
  before.picks = (uint8_t)pick;
  if (collector && pick > 0) {
    if (!ask(x, &before, false, &c))
      return false;
    weigh_reach(out->reach_guesser, c.say[SAL_DOORS_END]);
  }
  if (!collector) {
    struct table t;
    table_at(&t, &before);
    pass_claim(&t, out->reach_collector);
  }
  if (!ask(x, &before, collector, &c))
    return false;
  weigh_reach(collector ? out->reach_collector : out->reach_guesser,
              c.pick[kind]);
  return true;
}

static bool can_pick(const struct table *t, unsigned kind) {
  return kind < CARD_KINDS && t->offer[kind] > 0;
}

/* Whether the cards of a line can be as it says. */
static bool sound(const struct sal_doors_line *line) {
  const struct sal_doors_history *h = &line->history;
  static const uint8_t most[CARD_KINDS] = {3, 3, 3, 3, 1, 1};
  struct table t = {.turn = 1};
  unsigned offer = 0;
  for (int k = 0; k < CARD_KINDS; k++) {
    if (h->offer[k] > most[k])
      return false;
    offer += h->offer[k];
  }
  if (offer != OFFER || h->picks > SAL_DOORS_PICKS)
    return false;
  table_deal(&t, h->offer);
  for (int i = 0; i < h->picks; i++) {
    if (!can_pick(&t, h->pick[i]) || h->refill[i] >= CARD_KINDS ||
        !t.deck[h->refill[i]])
      return false;
    t.offer[h->pick[i]]--;
    t.offer[h->refill[i]]++;
    t.deck[h->refill[i]]--;
  }
  if (line->said != SAL_DOORS_SILENT &&
      (line->said > SAL_DOORS_END || h->picks == 0 || h->picks % 2))
    return false;
  if (!line->due)
    return true;
  return h->picks < SAL_DOORS_PICKS && can_pick(&t, line->picked) &&
         (h->picks % 2 || h->picks == 0 || line->said == SAL_DOORS_END);
}

/* ---- What can be done ---------------------------------------------------------- */

static struct sal_doors_option *add_option(struct sal_doors_explored *out,
                                           int what) {
  struct sal_doors_option *o = &out->option[out->count++];
  *o = (struct sal_doors_option){.what = (uint8_t)what};
  for (int i = 0; i < PEOPLE; i++)
    o->worth[i] = NAN;
  return o;
}

static void list_draws(struct exploring *x) {
  for (int k = 0; k < CARD_KINDS; k++)
    if (x->table.deck[k])
      add_option(x->out, k)->chance[0] =
          (float)x->table.deck[k] / (float)x->table.cards;
}

static bool list_picks(struct exploring *x, bool collector) {
  struct sal_doors_chances c;
  if (!ask(x, &x->table.history, collector, &c))
    return false;
  for (int k = 0; k < CARD_KINDS; k++)
    if (x->table.offer[k])
      memcpy(add_option(x->out, k)->chance, c.pick[k], sizeof c.pick[k]);
  return true;
}

static bool list_sayings(struct exploring *x) {
  struct sal_doors_chances c;
  if (!ask(x, &x->table.history, false, &c))
    return false;
  bool set = false;
  for (int i = 0; i < PEOPLE; i++)
    set |= table_has_set(&x->table, i);
  for (int k = 0; k <= SAL_DOORS_END; k++)
    if (k != SAL_DOORS_CLAIM || set)
      memcpy(add_option(x->out, k)->chance, c.say[k], sizeof c.say[k]);
  return true;
}

/* What the mover of each identity gets by each option from the policy of the
 * other side. */
static bool value_options(struct exploring *x, bool collector) {
  struct sal_doors_explored *out = x->out;
  struct check c = {.policy = x->e->policy,
                    .player = x->e->side[!collector],
                    .worth = sal_doors_policy_worth(x->e->policy, x->blueprint),
                    .effort = x->effort,
                    .blueprint = x->blueprint,
                    .collector = !collector,
                    .promised = x->table.history.picks < 3};
  struct four reach;
  memcpy(reach.of, collector ? out->reach_guesser : out->reach_collector,
         sizeof reach.of);
  for (size_t i = 0; i < out->count; i++) {
    struct sal_doors_option *o = &out->option[i];
    const struct four v = out->place == SAL_DOORS_AT_SAY
                              ? check_say(&c, &x->table, o->what, &reach)
                              : check_pick(&c, &x->table, o->what, &reach);
    for (int k = 0; k < PEOPLE; k++) {
      const double met = check_met(&reach, k), wins = v.of[k] / met;
      const bool may = o->what != SAL_DOORS_CLAIM ||
                       out->place != SAL_DOORS_AT_SAY ||
                       table_has_set(&x->table, k);
      if (met > 0 && may)
        o->worth[k] = (float)(collector ? wins : (x->blueprint > 0) - wins);
    }
  }
  return !c.broken;
}

/* ---- Beliefs ------------------------------------------------------------------- */

void sal_doors_explored_beliefs(const struct sal_doors_explored *x,
                                bool of_collector, double out[4][4]) {
  const double *reach = of_collector ? x->reach_collector : x->reach_guesser;
  for (int own = 0; own < PEOPLE; own++) {
    double sum = 0;
    for (int i = 0; i < PEOPLE; i++)
      sum += i == own ? 0 : reach[i];
    for (int i = 0; i < PEOPLE; i++)
      out[own][i] = i == own || sum <= 0 ? 0 : reach[i] / sum;
  }
}

bool sal_doors_explored_rare(const struct sal_doors_explored *x) {
  const double rare = 0.01;
  double collector = 0, guesser = 0;
  for (int i = 0; i < PEOPLE; i++) {
    collector = fmax(collector, x->reach_collector[i]);
    guesser = fmax(guesser, x->reach_guesser[i]);
  }
  return collector < rare || guesser < rare;
}

/* What the table alone says of both. */
static void believe(struct sal_doors_explored *out) {
  double sum = 0;
  memset(out->collector_is, 0, sizeof out->collector_is);
  memset(out->guesser_is, 0, sizeof out->guesser_is);
  for (int c = 0; c < PEOPLE; c++)
    for (int g = 0; g < PEOPLE; g++) {
      const double p =
          c == g ? 0 : out->reach_collector[c] * out->reach_guesser[g];
      out->collector_is[c] += p;
      out->guesser_is[g] += p;
      sum += p;
    }
  for (int i = 0; i < PEOPLE && sum > 0; i++) {
    out->collector_is[i] /= sum;
    out->guesser_is[i] /= sum;
  }
}

/* ---- Places -------------------------------------------------------------------- */

/* The end of a line: what was said, or an empty deck. */
static bool end_line(struct exploring *x, const struct sal_doors_line *line) {
  const struct sal_doors_worth w =
      sal_doors_policy_worth(x->e->policy, x->blueprint);
  struct sal_doors_chances c;
  struct sal_doors_explored *out = x->out;
  if (!ask(x, &line->history, false, &c))
    return false;
  weigh_reach(out->reach_guesser, c.say[line->said]);
  out->place = SAL_DOORS_AT_END;
  for (int i = 0; i < PEOPLE; i++) {
    const bool trait = line->said < 2   ? line->said == (i & 1)
                       : line->said < 4 ? line->said - 2 == i >> 1
                                        : line->said - 4 == i;
    out->wins[i] = line->said == SAL_DOORS_END     ? w.deck_out
                   : line->said == SAL_DOORS_CLAIM ? w.guesser_set
                   : !trait                        ? w.wrong
                   : line->said < 4                ? w.trait
                                                   : w.both;
  }
  return true;
}

static bool at_draw(struct exploring *x, const struct sal_doors_line *line) {
  struct sal_doors_explored *out = x->out;
  const unsigned picks = line->history.picks;
  out->place = SAL_DOORS_AT_DRAW;
  out->collector = picks % 2 == 0;
  out->offer[line->picked]--;
  (out->collector ? out->collection : out->discards)[line->picked]++;
  if (!follow_pick(x, &line->history, picks, line->picked))
    return false;
  list_draws(x);
  return true;
}

static bool at_choice(struct exploring *x, const struct sal_doors_line *line,
                      bool worth) {
  struct sal_doors_explored *out = x->out;
  const unsigned picks = line->history.picks;
  const bool spoken = line->said == SAL_DOORS_END;
  bool ok = true;
  if (spoken || picks == 0) {
    struct sal_doors_chances c;
    out->place = SAL_DOORS_AT_TAKE;
    out->collector = true;
    x->table.turn = 1 + (int)picks / 2;
    ok = picks == 0 || ask(x, &line->history, false, &c);
    if (ok && picks)
      weigh_reach(out->reach_guesser, c.say[SAL_DOORS_END]);
    ok = ok && list_picks(x, true);
  } else if (picks % 2) {
    out->place = SAL_DOORS_AT_DISCARD;
    pass_claim(&x->table, out->reach_collector);
    ok = list_picks(x, false);
  } else {
    out->place = SAL_DOORS_AT_SAY;
    ok = list_sayings(x);
  }
  return ok && (!worth || value_options(x, out->collector));
}

static void lay_out(const struct exploring *x) {
  const struct table *t = &x->table;
  struct sal_doors_explored *out = x->out;
  memcpy(out->offer, t->offer, sizeof out->offer);
  memcpy(out->collection, t->taken, sizeof out->collection);
  memcpy(out->deck, t->deck, sizeof out->deck);
  for (int i = 1; i < t->history.picks; i += 2)
    out->discards[t->history.pick[i]]++;
  for (int i = 0; i < PEOPLE; i++) {
    out->sets |= (uint8_t)(table_has_set(t, i) << i);
    out->reach_collector[i] = out->reach_guesser[i] = 1;
  }
}

bool sal_doors_explore(sal_doors_explorer *e, int blueprint,
                       const struct sal_doors_line *line, uint32_t iterations,
                       bool worth, struct sal_doors_explored *out) {
  struct exploring x = {
      e, blueprint, {.iterations = iterations}, out, {.turn = 1}};
  const unsigned picks = line->history.picks;
  memset(out, 0, sizeof *out);
  if (!sound(line) || blueprint < 0 || blueprint >= SAL_DOORS_BLUEPRINTS)
    return false;
  table_at(&x.table, &line->history);
  lay_out(&x);
  for (unsigned i = 0; i < picks; i++)
    if (!follow_pick(&x, &line->history, i, line->history.pick[i]))
      return false;
  bool ok;
  if (line->due)
    ok = at_draw(&x, line);
  else if (line->said < SAL_DOORS_END ||
           (line->said == SAL_DOORS_END && picks == SAL_DOORS_PICKS))
    ok = end_line(&x, line);
  else
    ok = at_choice(&x, line, worth);
  out->turn =
      (uint8_t)(out->place == SAL_DOORS_AT_TAKE || (line->due && out->collector)
                    ? 1 + picks / 2
                    : (picks + 1) / 2);
  believe(out);
  return ok;
}
