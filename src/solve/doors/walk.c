/* Walks over the histories of a round of Doors; see walk.h. */
#include "walk.h"
#include "guess.h"

#include <math.h>

/* ---- Shared ------------------------------------------------------------- */

/* The memory of a node: a row for each action in each part. */
struct node {
  vec *regret, *sum, *value;
};

static inline struct node next_node(struct walk *w, unsigned actions,
                                    unsigned rows) {
  const struct node n = {w->at, w->at + actions, w->at + 2 * actions};
  w->at += rows;
  return n;
}

static inline const struct public_state *target(const struct walk *w,
                                                const struct branch *b) {
  return &w->board->states[b->to];
}

/* A task in the top of the tree: notes the reaches, or brings the result. */
static vec border(struct walk *w, vec collector, vec guesser) {
  struct task *t = &w->tasks[w->next++];
  t->collector = collector;
  t->guesser = guesser;
  vec out;
  for (int i = 0; i < IDENTITIES; i++)
    out[i] = w->tasks[t->source].result[t->renamed[i]];
  return out;
}

float softness_at(const struct worth *w, uint32_t iteration) {
  const float scale = (w->set - w->both) / 11;
  return 3 * scale * powf((float)iteration, -0.6f);
}

/* ---- CFR+ --------------------------------------------------------------- */

/* Regret matching: in proportion to the regrets, evenly where there are none. */
static inline void match_regrets(const vec *regret, unsigned n, vec *out) {
  vec total = regret[0];
  for (unsigned i = 1; i < n; i++)
    total += regret[i];
  const lanes some = some_of(total);
  const vec scale = splat(1) / chosen(some, total, splat(1));
  const vec even = splat(1 / (float)n);
  for (unsigned i = 0; i < n; i++)
    out[i] = chosen(some, regret[i] * scale, even);
}

/* Updates the regrets and the average of the side that the walk is for;
 * returns the value of the node. The Guesser is glad of small values. */
static inline vec learn_node(const struct walk *w, const struct node *n,
                             unsigned actions, const vec *strategy,
                             const vec *value, vec reach) {
  vec mean = {0};
  for (unsigned i = 0; i < actions; i++)
    mean += strategy[i] * value[i];
  if (w->stage == SPREAD)
    return mean;
  const vec sign = splat(w->side == COLLECTOR ? 1 : -1);
  const vec share = reach * w->weight;
  for (unsigned i = 0; i < actions; i++) {
    const vec gain = (value[i] - mean) * sign;
    n->regret[i] = larger(n->regret[i] + gain, splat(0));
    n->sum[i] += share * strategy[i];
  }
  return mean;
}

static inline vec added(const vec *value, unsigned n) {
  vec sum = {0};
  for (unsigned i = 0; i < n; i++)
    sum += value[i];
  return sum;
}

/* What the Guesser does in the endings of a last take, for who asks. */
static void note_answers(const struct walk *w, const struct public_state *s,
                         const struct node *n, uint32_t number,
                         const vec *strategy, vec collector, vec guesser) {
  for (unsigned i = 0; i < s->choices; i++)
    ending_note(&w->board->endings[s->choice[i].first], w->worth,
                n->sum[i] + collector * strategy[i] * w->present, w->softness,
                guesser * w->weight, &w->notes[number * OFFER + i]);
}

/* The Guesser of an ending answers the Collector's average, which is there
 * already: no memory of its own. The present strategy has to be in it; an
 * answer that lags behind by one iteration costs many more of them. */
static vec learn_last_take(struct walk *w, const struct public_state *s,
                           vec collector, vec guesser) {
  const struct node n = next_node(w, s->choices, state_rows(s));
  const uint32_t number = w->last++;
  vec strategy[OFFER], value[OFFER];
  match_regrets(n.regret, s->choices, strategy);
  if (number >= w->from && number < w->to && w->side == COLLECTOR)
    note_answers(w, s, &n, number - w->from, strategy, collector, guesser);
  for (unsigned i = 0; i < s->choices; i++) {
    const struct ending *e = &w->board->endings[s->choice[i].first];
    const vec reach = collector * strategy[i];
    const struct others pays =
        ending_play(e, w->worth, n.sum[i] + reach * w->present, w->softness);
    value[i] = w->side == COLLECTOR ? from_guessers(guesser, &pays)
                                    : to_collectors(reach, &pays);
  }
  if (w->side == GUESSER)
    return added(value, s->choices);
  for (unsigned i = 0; w->stage != SPREAD && i < s->choices; i++)
    n.value[i] += value[i] * w->weight;
  return learn_node(w, &n, s->choices, strategy, value, collector);
}

vec learn_discard(struct walk *w, const struct public_state *s, vec collector,
                  vec guesser) {
  const struct node n = next_node(w, s->choices, state_rows(s));
  vec strategy[OFFER], value[OFFER];
  match_regrets(n.regret, s->choices, strategy);
  for (unsigned i = 0; i < s->choices; i++) {
    const struct branch *b = &w->board->branches[s->choice[i].first];
    const vec reach = guesser * strategy[i];
    value[i] = splat(0);
    for (unsigned r = 0; r < s->choice[i].refills; r++)
      value[i] +=
          learn_guess(w, target(w, &b[r]), collector, reach) * b[r].chance;
  }
  if (w->side == GUESSER)
    return learn_node(w, &n, s->choices, strategy, value, guesser);
  return added(value, s->choices);
}

vec learn_take(struct walk *w, const struct public_state *s, vec collector,
               vec guesser) {
  if (s->position.turn == LAST_TAKE)
    return learn_last_take(w, s, collector, guesser);
  const struct node n = next_node(w, s->choices, state_rows(s));
  vec strategy[OFFER], value[OFFER];
  match_regrets(n.regret, s->choices, strategy);
  for (unsigned i = 0; i < s->choices; i++) {
    const struct branch *b = &w->board->branches[s->choice[i].first];
    const vec reach = collector * strategy[i];
    value[i] = splat(0);
    for (unsigned r = 0; r < s->choice[i].refills; r++)
      value[i] +=
          learn_discard(w, target(w, &b[r]), reach, guesser) * b[r].chance;
  }
  if (w->side == COLLECTOR)
    return learn_node(w, &n, s->choices, strategy, value, collector);
  return added(value, s->choices);
}

enum { GO_ON = GUESS_WAYS }; /* the last action of a guess: end the turn */

vec learn_guess(struct walk *w, const struct public_state *next, vec collector,
                vec guesser) {
  if (w->stage != SUBTREE)
    return border(w, collector, guesser);
  const struct node n = next_node(w, GUESS_ACTIONS, GUESS_ROWS);
  vec strategy[GUESS_ACTIONS], value[GUESS_ACTIONS];
  match_regrets(n.regret, GUESS_ACTIONS, strategy);
  const vec on = learn_take(w, next, collector, guesser * strategy[GO_ON]);
  if (w->side == COLLECTOR) {
    const struct others pays = guess_pays(w->worth, strategy);
    return on + from_guessers(guesser, &pays);
  }
  const struct others p = others_of(collector);
  guess_values(w->worth, &p, others_sum(&p), value);
  value[GO_ON] = on;
  return learn_node(w, &n, GUESS_ACTIONS, strategy, value, guesser);
}

/* ---- Best responses ----------------------------------------------------- */

/* The value of a pick, from those of its actions: the side that the walk is
 * for chooses, the other's sums already hold how it chose. */
struct verdict {
  vec most, least, sum;
};

static inline void begin_verdict(struct verdict *v) {
  *v = (struct verdict){splat(-1e30f), splat(1e30f), splat(0)};
}

static inline void consider(struct verdict *v, vec value) {
  v->most = larger(v->most, value);
  v->least = smaller(v->least, value);
  v->sum += value;
}

static inline vec decided(const struct walk *w, const struct verdict *v,
                          enum side picks) {
  return w->side != picks ? v->sum : picks == COLLECTOR ? v->most : v->least;
}

static vec best_last_take(struct walk *w, const struct public_state *s) {
  const struct node n = next_node(w, s->choices, state_rows(s));
  struct verdict v;
  begin_verdict(&v);
  for (unsigned i = 0; i < s->choices; i++)
    if (w->side == COLLECTOR)
      consider(&v, n.value[i]);
    else
      consider(&v, ending_best(&w->board->endings[s->choice[i].first], w->worth,
                               n.sum[i]));
  return decided(w, &v, COLLECTOR);
}

vec best_discard(struct walk *w, const struct public_state *s, vec reach) {
  struct verdict v;
  next_node(w, s->choices, state_rows(s));
  begin_verdict(&v);
  for (unsigned i = 0; i < s->choices; i++) {
    const struct branch *b = &w->board->branches[s->choice[i].first];
    vec value = {0};
    for (unsigned r = 0; r < s->choice[i].refills; r++)
      value += best_guess(w, target(w, &b[r]), reach) * b[r].chance;
    consider(&v, value);
  }
  return decided(w, &v, GUESSER);
}

vec best_take(struct walk *w, const struct public_state *s) {
  if (s->position.turn == LAST_TAKE)
    return best_last_take(w, s);
  const struct node n = next_node(w, s->choices, state_rows(s));
  struct verdict v;
  begin_verdict(&v);
  for (unsigned i = 0; i < s->choices; i++) {
    const struct branch *b = &w->board->branches[s->choice[i].first];
    vec value = {0};
    for (unsigned r = 0; r < s->choice[i].refills; r++)
      value += best_discard(w, target(w, &b[r]), n.sum[i]) * b[r].chance;
    consider(&v, value);
  }
  return decided(w, &v, COLLECTOR);
}

/* The sums already hold the Guesser's reach, so what a guess pays only has to
 * be added to what goes on. */
vec best_guess(struct walk *w, const struct public_state *next, vec reach) {
  if (w->stage != SUBTREE)
    return border(w, reach, reach);
  const struct node n = next_node(w, GUESS_ACTIONS, GUESS_ROWS);
  const vec on = best_take(w, next);
  if (w->side == COLLECTOR) {
    const struct others pays = guess_pays(w->worth, n.sum);
    return on + from_guessers(splat(1), &pays);
  }
  const struct others p = others_of(reach);
  vec value[GUESS_WAYS], best = on;
  guess_values(w->worth, &p, others_sum(&p), value);
  for (int i = 0; i < GUESS_WAYS; i++)
    best = smaller(best, value[i]);
  return best;
}
