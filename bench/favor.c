/* How much can be won from a player in endings of Favor for two; see
 * bench/favor.
 *
 *   favor CARDS ENDINGS PLAYER [SIMULATIONS [FROM]]
 *
 * Games of regulars up to the first turn of the third day with at most CARDS
 * cards in the deck; only endings that are not decided count. The player's
 * policy is asked at every history of the ending, as every identity; then a best
 * response to it is computed, exactly, for each side. Nothing is known of the
 * identities when the ending begins. */
#include "../tests/solve/favor_engine.h"
#include "../tests/teach.h"

#include "favor/tree.h"
#include "search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct measure {
  const char *player;
  policy_fn *policy; /* NULL: the solver's */
  uint32_t simulations;
  struct tree tree;
  struct sal_favor_ending ending;
  struct sal_favor_worth worth;
  vec *chance; /* of each option, by type of who decides */
  sal_favor_solver *solver;
  struct sal_rng rng;
};

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- The policy ------------------------------------------------------------- */

/* One side as one type, at a history. */
struct seat {
  struct measure *m;
  int side, type;
  union sal_state_box state;
  struct sal_memory memory;
};

static sal_state *state_of(struct seat *s) { return (sal_state *)&s->state; }

static void move(struct seat *s, int who, sal_action a) {
  const unsigned hidden = sal_memory_apply(&sal_favor, state_of(s), who, a);
  sal_memory_note(&s->memory, &sal_favor, s->side, state_of(s), who, a,
                  hidden >> s->side & 1);
}

static sal_action action_of(const struct node *n, int option) {
  if (n->kind == TURN_NODE)
    return engine_action(option ? SAL_FAVOR_CALLED : SAL_FAVOR_ADDED, 0);
  return option ? engine_action(SAL_FAVOR_BIDDED, n->high + option)
                : engine_action(SAL_FAVOR_PASSED, 0);
}

/* A bid that is not in the tree counts as the highest that is. */
static int option_of(const struct node *n, sal_action a) {
  const struct sal_favor_step step = engine_step(0, a);
  if (step.did == SAL_FAVOR_BIDDED)
    return step.number - n->high < n->count ? step.number - n->high
                                            : n->count - 1;
  return step.did == SAL_FAVOR_CALLED;
}

static void ask(struct seat *s, const struct node *n) {
  sal_action legal[64];
  double chance[64] = {0}, value[64] = {0};
  union sal_view_box view;
  struct sal_policy out = {.chance = chance, .value = value};
  vec *row = s->m->chance + n->row;
  memset(&view, 0, sizeof view);
  sal_favor.view(state_of(s), s->side, (sal_view *)&view);
  const struct sal_question q = {
      .game = &sal_favor,
      .players = 2,
      .seat = s->side,
      .view = (const sal_view *)&view,
      .legal = legal,
      .count = sal_favor.legal(state_of(s), s->side, legal),
      .memory = &s->memory,
      .budget = sal_budget_simulations(s->m->simulations)};
  s->m->policy(&q, &s->m->rng, &out);
  for (size_t i = 0; i < q.count; i++)
    row[option_of(n, legal[i])][s->type] += (float)chance[i];
}

static void walk(struct seat *s, const struct node *n) {
  const struct node *child = s->m->tree.node + n->child;
  sal_action legal[64];
  unsigned who;
  while ((who = sal_favor.to_act(state_of(s))) != 0 && who != SAL_CHANCE_BIT &&
         sal_favor.legal(state_of(s), __builtin_ctz(who), legal) == 1)
    move(s, __builtin_ctz(who), legal[0]);
  if (n->kind == END_NODE)
    return;
  if (n->kind != DRAW_NODE && n->actor == s->side)
    ask(s, n);
  struct seat *next = malloc(sizeof *next);
  for (int i = 0; next && i < n->count; i++) {
    *next = *s;
    if (n->kind != DRAW_NODE)
      move(next, n->actor, action_of(n, i));
    else
      for (int k = 0; k < KINDS; k++)
        for (int c = child[i].drawn >> 2 * k & 3; c > 0; c--)
          move(next, SAL_CHANCE, engine_action(SAL_FAVOR_DREW, k));
    walk(next, &child[i]);
  }
  free(next);
}

static void write_out(struct measure *m, const sal_state *from) {
  struct seat *s = malloc(sizeof *s);
  for (int side = 0; s && side < 2; side++)
    for (int type = 0; type < TYPES; type++) {
      memset(s, 0, sizeof *s);
      s->m = m;
      s->side = side;
      s->type = type;
      memcpy(&s->state, from, sal_favor.info.state_size);
      engine_set_identities(state_of(s), side ? (type + 1) % TYPES : type,
                            side ? type : (type + 1) % TYPES);
      sal_memory_clear(&s->memory);
      sal_favor.view(state_of(s), side, (sal_view *)&s->memory.start);
      s->memory.round = s->memory.start;
      s->memory.begun = true;
      s->memory.closed = sal_favor.closed(state_of(s));
      walk(s, m->tree.node);
    }
  free(s);
}

/* ---- The best response ------------------------------------------------------- */

static vec respond(const struct measure *m, const struct node *n, int side,
                   vec theirs) {
  const struct node *child = m->tree.node + n->child;
  vec sum = splat(0);
  if (n->kind == END_NODE) {
    for (int j = 0; j < TYPES; j++)
      sum += m->tree.payoff[n->child].of[side][j] * splat(theirs[j]);
    return sum;
  }
  for (int i = 0; i < n->count; i++) {
    if (n->kind == DRAW_NODE)
      sum += splat(child[i].chance) * respond(m, &child[i], side, theirs);
    else if (n->actor != side)
      sum +=
          respond(m, &child[i], side, theirs * m->chance[n->row + (uint32_t)i]);
    else {
      const vec v = respond(m, &child[i], side, theirs);
      sum = i ? larger(sum, v) : v;
    }
  }
  return sum;
}

/* In points of winning chance, of one seat, the mean of both. */
static double exploitability(const struct measure *m) {
  const vec a = respond(m, m->tree.node, 0, splat(1));
  const vec b = respond(m, m->tree.node, 1, splat(1));
  double sum = 0;
  for (int i = 0; i < TYPES; i++)
    sum += (double)(a[i] + b[i]);
  return sum / 12 / 4;
}

/* ---- Endings ------------------------------------------------------------------ */

/* False if the game ended without one. */
static bool to_ending(struct measure *m, int edition, int cards,
                      sal_state *out) {
  const struct sal_bot *regular = sal_bot_find("regular");
  const struct sal_setup setup = {2, {edition, (int)sal_rng_below(&m->rng, 2)}};
  struct sal_favor_ending e;
  memset(out, 0, sal_favor.info.state_size);
  sal_favor.init(out, &setup);
  for (;;) {
    const unsigned who = sal_favor.to_act(out);
    if (who == SAL_CHANCE_BIT) {
      sal_favor.sample(out, &m->rng);
      continue;
    }
    if (who == 0)
      return false;
    sal_action legal[64];
    const int seat = __builtin_ctz(who);
    e = engine_read(out);
    const size_t count = sal_favor.legal(out, seat, legal);
    if (e.day == 3 && model_cards(e.deck) <= cards &&
        legal[0] == engine_action(SAL_FAVOR_ADDED, 0))
      return true;
    union sal_view_box view;
    struct sal_thought t;
    memset(&view, 0, sizeof view);
    sal_favor.view(out, seat, (sal_view *)&view);
    const struct sal_question q = {.game = &sal_favor,
                                   .players = 2,
                                   .seat = seat,
                                   .view = (const sal_view *)&view,
                                   .legal = legal,
                                   .count = count};
    regular->think(&q, &m->rng, &t);
    sal_favor.apply(out, seat, t.action, NULL);
  }
}

/* True if it counts; then the solver holds it. */
static bool contested(struct measure *m, const sal_state *s, int cards) {
  const struct sal_favor_effort all = {.nodes = 4000000};
  m->ending = engine_read(s);
  sal_favor_worth_last(&m->worth);
  if (model_cards(m->ending.deck) != cards)
    return false;
  m->solver = sal_favor_solver_new(&m->ending, &m->worth, &all);
  for (int i = 0; m->solver && i < 20; i++)
    sal_favor_solver_iterate(m->solver);
  if (m->solver) {
    const struct sal_favor_bounds b = sal_favor_solver_bounds(m->solver);
    if (fabs(b.low + b.high) / 2 <= 0.98)
      return true;
  }
  sal_favor_solver_free(m->solver);
  m->solver = NULL;
  return false;
}

static double measure_one(struct measure *m, const sal_state *s) {
  const struct sal_favor_effort all = {.nodes = 4000000};
  double found = -1;
  if (!m->policy) {
    while (sal_favor_solver_done(m->solver) < m->simulations)
      sal_favor_solver_iterate(m->solver);
    const struct sal_favor_bounds b = sal_favor_solver_bounds(m->solver);
    return (b.high - b.low) / 4;
  }
  if (favor_tree_make(&m->tree, &m->ending, &m->worth, &all)) {
    const size_t size = (m->tree.rows + 1) * sizeof *m->chance;
    m->chance = aligned_alloc(16, size);
    if (m->chance) {
      memset(m->chance, 0, size);
      write_out(m, s);
      found = exploitability(m);
    }
    free(m->chance);
    favor_tree_free(&m->tree);
  }
  return found;
}

static policy_fn *policy_named(const char *name) {
  if (strcmp(name, "solver") == 0)
    return NULL;
  return strcmp(name, "rollout") == 0 ? policy_rollout
                                      : sal_bot_find(name)->policy;
}

int main(int argc, char **argv) {
  static struct measure m;
  static union sal_state_box box;
  if (argc < 4 || (strcmp(argv[3], "solver") && strcmp(argv[3], "rollout") &&
                   !sal_bot_find(argv[3]))) {
    fprintf(stderr,
            "favor CARDS ENDINGS solver|rollout|LEVEL [SIMULATIONS [FROM]]\n");
    return 2;
  }
  const int cards = atoi(argv[1]), endings = atoi(argv[2]);
  double sum = 0, squares = 0, most = 0, nodes = 0, largest = 0, spent = 0;
  m.policy = policy_named(argv[3]);
  m.simulations = argc > 4 ? (uint32_t)atoi(argv[4]) : 100;
  sal_master_teach_favor(shipped_favor());
  for (int n = 0, game = argc > 5 ? atoi(argv[5]) : 0; n < endings; game++) {
    sal_rng_seed(&m.rng, (uint64_t)game + 1);
    if (!to_ending(&m, game % 2, cards, (sal_state *)&box) ||
        !contested(&m, (const sal_state *)&box, cards))
      continue;
    const double from = seconds();
    const double e = measure_one(&m, (const sal_state *)&box);
    spent += seconds() - from;
    const double mb = (double)sal_favor_solver_bytes(m.solver) / 1e6;
    sum += e;
    squares += e * e;
    most = fmax(most, e);
    largest = fmax(largest, mb);
    nodes += sal_favor_solver_nodes(m.solver);
    sal_favor_solver_free(m.solver);
    n++;
  }
  const double mean = sum / endings;
  const double error = sqrt(fmax(0, squares / endings - mean * mean) / endings);
  printf(
      "%d cards, %s %u: loses %.3f %% (standard error %.3f, at most %.3f) in "
      "%d endings; %.0f nodes, at most %.1f MB, %.3f s each\n",
      cards, argv[3], m.simulations, 100 * mean, 100 * error, 100 * most,
      endings, nodes / endings, largest, spent / endings);
  return 0;
}
