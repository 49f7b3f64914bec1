/* Endings of Favor for two: the expert plays the last cards of a day by the
 * solver.
 *
 * Whoever remembers the day knows where the ending began, and from what both
 * did before, how likely each side came there as each identity. All of that is
 * public, so both players solve the same ending, and no secret is in it but the
 * type whose row is read. The tree is kept to the end of the day: solved anew at
 * each turn, the strategies would not fit each other. */
#include "master.h"

#include "favor.h"
#include "salotto/solve_favor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  ITERATIONS = 100,
  FEWEST = 25, /* with fewer the rollouts are the better guess */
  NODES_MAX = 250000,
  TREES = 8,
  STEPS_MAX = 64
};
/* Of the time for an answer, the part that may go into solving. */
static const double SOLVING = 0.6;
/* How far people are trusted to have played by the heuristic. */
static const double FAITH = 0.5;

/* Cards in the deck when the ending begins, by the cards of a new lot. */
static const unsigned BEGINS_AT[] = {0, 3, 4, 5};

/* ---- The day so far ------------------------------------------------------ */

struct story {
  const struct sal_question *q;
  union sal_state_box box; /* as it was then; the identities are anybody's */
  double range[2][DOORS];
  bool begun;  /* the ending has */
  bool astray; /* somebody gave gems away: the next turn is another ending */
  struct sal_favor_ending ending;
  struct sal_favor_step step[STEPS_MAX];
  size_t steps;
};

static const struct favor *story_now(const struct story *t) {
  return (const struct favor *)&t->box;
}

static void read_cards(hand h, uint8_t *out) {
  for (unsigned k = 0; k < KINDS; k++)
    out[k] = (uint8_t)count(h, k);
}

void read_favor(const struct favor *s, struct sal_favor_ending *e) {
  memset(e, 0, sizeof *e);
  read_cards(s->deck, e->deck);
  read_cards(s->lot, e->lot);
  e->turn = s->turn;
  e->first = s->first;
  e->day = s->day;
  e->last = s->day == last_day(s);
  e->english = s->edition == ENGLISH;
  e->lead = (int8_t)(points(s, 0) - points(s, 1));
  for (int i = 0; i < 2; i++) {
    read_cards(s->collection[i], e->collection[i]);
    e->gems[i] = s->gems[i];
  }
}

static void begin_ending(struct story *t) {
  read_favor(story_now(t), &t->ending);
  for (int i = 0; i < 2; i++)
    for (int id = 0; id < DOORS; id++)
      t->ending.range[i][id] = (float)t->range[i][id];
  t->begun = true;
  t->astray = false;
  t->steps = 0;
}

static void look_at_step(struct story *t) {
  const struct favor *s = story_now(t);
  if (t->astray ? s->phase == TURN || s->phase == FINAL
                : !t->begun && s->phase == TURN &&
                      total(s->deck) <= BEGINS_AT[s->day])
    begin_ending(t);
}

/* How likely each identity would have done what the seat did. */
static void weigh_story(struct story *t, int seat, sal_action did) {
  sal_action legal[GEMS_MAX + 2];
  double weight[GEMS_MAX + 2], most = 0;
  struct view v = {*story_now(t), seat};
  const struct sal_question theirs = {
      .game = t->q->game,
      .players = 2,
      .seat = seat,
      .view = (const sal_view *)&v,
      .legal = legal,
      .count = t->q->game->legal((const sal_state *)&t->box, seat, legal)};
  v.s.identity[!seat] = HIDDEN_CARD;
  for (int id = 0; id < DOORS; id++) {
    double sum = 0, own = 0;
    v.s.identity[seat] = (uint8_t)id;
    heuristics_favor.regular(&theirs, weight);
    for (size_t i = 0; i < theirs.count; i++) {
      sum += weight[i];
      own += legal[i] == did ? weight[i] : 0;
    }
    t->range[seat][id] *=
        FAITH * own / sum + (1 - FAITH) / (double)theirs.count;
    most = t->range[seat][id] > most ? t->range[seat][id] : most;
  }
  for (int id = 0; id < DOORS; id++)
    t->range[seat][id] /= most;
}

/* Whether a bid in a called auction costs more than one that does the same. */
static bool overbids(const struct favor *s, int seat, sal_action a) {
  const unsigned theirs = s->gems[!seat];
  const unsigned enough = s->left == 1 ? s->high_bid + 1u
                          : theirs > 1 ? theirs
                                       : 1;
  return s->phase == BID && verb_of(a) == BIDS && number_of(a) > enough;
}

struct sal_favor_step step_favor(const struct sal_seen *seen) {
  static const uint8_t did[] = {[DRAWS] = SAL_FAVOR_DREW,
                                [ADDS] = SAL_FAVOR_ADDED,
                                [CALLS] = SAL_FAVOR_CALLED,
                                [BIDS] = SAL_FAVOR_BIDDED,
                                [PASSES] = SAL_FAVOR_PASSED};
  return (struct sal_favor_step){did[verb_of(seen->action)],
                                 (uint8_t)number_of(seen->action), seen->seat};
}

/* False for what cannot have been. */
static bool follow_favor(struct story *t, const struct sal_seen *seen) {
  const struct sal_game *g = t->q->game;
  sal_state *s = (sal_state *)&t->box;
  if (!seen->action || (t->begun && t->steps == STEPS_MAX))
    return false;
  if (seen->seat == SAL_CHANCE) {
    if (g->to_act(s) != SAL_CHANCE_BIT || verb_of(seen->action) != DRAWS ||
        !count(story_now(t)->deck, number_of(seen->action)))
      return false;
  } else {
    if (!(g->to_act(s) >> seen->seat & 1) ||
        g->check(s, seen->seat, seen->action))
      return false;
    weigh_story(t, seen->seat, seen->action);
    t->astray |= t->begun && overbids(story_now(t), seen->seat, seen->action);
  }
  if (t->begun)
    t->step[t->steps++] = step_favor(seen);
  g->apply(s, seen->seat, seen->action, NULL);
  look_at_step(t);
  return true;
}

/* The day from its first decision on; true if it is in its ending now, and the
 * view is what came of it. */
static bool read_day(struct story *t, const struct sal_question *q) {
  const struct sal_memory *m = q->memory;
  struct sal_rng any;
  union sal_view_box view;
  memset(t, 0, sizeof *t);
  t->q = q;
  sal_rng_seed(&any, 1); /* the identities do not matter */
  q->game->resample((const sal_view *)m->start.bytes, &any,
                    (sal_state *)&t->box);
  for (int seat = 0; seat < 2; seat++)
    for (int id = 0; id < DOORS; id++)
      t->range[seat][id] = 1;
  look_at_step(t);
  for (size_t i = 0; i < m->count; i++)
    if (!follow_favor(t, &m->step[i]))
      return false;
  memset(&view, 0, sizeof view);
  q->game->view((const sal_state *)&t->box, q->seat, (sal_view *)&view);
  return t->begun && !t->astray &&
         memcmp(&view, q->view, q->game->info.view_size) == 0;
}

/* ---- Solved endings ------------------------------------------------------ */

struct solved {
  uint64_t key; /* of the ending, and of what was asked for; 0: none */
  sal_favor_solver *solver;
};

static void *make_solved(const void *unused) {
  (void)unused;
  return calloc(1, sizeof(struct solved));
}

static void release_solved(void *solved) {
  struct solved *s = solved;
  if (s)
    sal_favor_solver_free(s->solver);
  free(s);
}

static struct player_pool pool = {.make = make_solved,
                                  .release = release_solved,
                                  .size = TREES,
                                  .held = ATOMIC_FLAG_INIT};

/* Bots that count get the same answer whatever was solved before: so what they
 * count up to is part of the key. */
static uint64_t story_key(const struct story *t, uint32_t iterations) {
  return hash_bytes(&t->ending, sizeof t->ending) ^ (uint64_t)iterations << 1;
}

/* Of a lead after an earlier day: as the rollouts have it. */
static void ending_worth(const struct sal_favor_ending *e,
                         struct sal_favor_worth *out) {
  sal_favor_worth_last(out);
  for (int edge = 0; edge < 2 && !e->last; edge++)
    for (int lead = -SAL_FAVOR_LEAD; lead <= SAL_FAVOR_LEAD; lead++)
      out->of[edge][lead + SAL_FAVOR_LEAD] =
          (float)(2 * favor_chance(e->day, lead) - 1);
}

static bool improve_ending(struct solved *p, const struct story *t,
                           uint64_t key, uint32_t iterations,
                           struct timer *timer) {
  const bool timed = timer->budget.seconds > 0;
  const struct sal_favor_effort effort = {.nodes = NODES_MAX,
                                          .more = timed ? time_is_left : NULL,
                                          .context = timer};
  if (!p->solver || p->key != key) {
    struct sal_favor_worth worth;
    ending_worth(&t->ending, &worth);
    sal_favor_solver_free(p->solver);
    p->key = key;
    p->solver = sal_favor_solver_new(&t->ending, &worth, &effort);
  }
  while (p->solver && sal_favor_solver_done(p->solver) < iterations &&
         (!timed || time_is_left(timer))) {
    sal_favor_solver_iterate(p->solver);
    timer->done++;
  }
  return p->solver && sal_favor_solver_done(p->solver) >= FEWEST;
}

static bool ask_solver(const struct story *t, struct timer *timer,
                       struct sal_favor_answer *out) {
  const uint32_t most = timer->budget.simulations;
  const uint32_t iterations =
      timer->budget.seconds <= 0 && most < ITERATIONS ? most : ITERATIONS;
  const uint64_t key = story_key(t, iterations);
  struct pool_slot new = {.player = NULL};
  if (iterations < FEWEST)
    return false;
  struct pool_slot *slot = pool_borrow(&pool, key, &new);
  const int seat = t->q->seat;
  const bool ok = slot->player &&
                  improve_ending(slot->player, t, key, iterations, timer) &&
                  sal_favor_solver_ask(((struct solved *)slot->player)->solver,
                                       seat, story_now(t)->identity[seat],
                                       t->step, t->steps, out);
  pool_give_back(&pool, slot, &new);
  return ok;
}

/* ---- Answers ------------------------------------------------------------- */

static int option_of(const struct sal_favor_answer *a, sal_action action) {
  switch (verb_of(action)) {
  case CALLS: return 1;
  case BIDS: return (int)number_of(action) - a->least + 1;
  default: return 0;
  }
}

void conclude_favor(const struct sal_question *q,
                    const struct sal_favor_answer *a, uint64_t iterations,
                    struct sal_policy *out) {
  for (size_t i = 0; i < q->count; i++) {
    const int n = option_of(a, q->legal[i]);
    const bool known = n < a->options;
    out->chance[i] = known ? (double)a->chance[n] : 0;
    /* Rounding must not make a lost one look as if nobody had looked at it. */
    out->value[i] =
        known ? fmin(1, fmax(0, ((double)a->value[n] + 1) / 2)) : -1;
  }
  out->valued = out->mixed = true;
  out->simulations = iterations;
}

bool policy_ending_favor(const struct sal_question *q,
                         const struct timer *timer, struct sal_policy *out) {
  struct sal_favor_answer answer;
  struct timer part = *timer;
  if (q->players != 2 || strcmp(q->game->info.id, "favor") != 0 || !q->memory ||
      !q->memory->begun || q->memory->count == SAL_MEMORY_MAX)
    return false;
  const struct favor *v = &as_view(q->view)->s;
  struct story *t =
      total(v->deck) <= BEGINS_AT[v->day] ? malloc(sizeof *t) : NULL;
  part.until -= (1 - SOLVING) * part.budget.seconds;
  const bool ok = t && read_day(t, q) && ask_solver(t, &part, &answer);
  free(t);
  if (ok)
    conclude_favor(q, &answer, part.done, out);
  return ok;
}
