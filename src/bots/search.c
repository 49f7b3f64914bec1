/* The expert: a search over the seat's own information sets.
 *
 * Each simulation draws a world by belief (what the others did counts), then
 * plays the deal out. At the seat's own decisions a tree, keyed by what the
 * seat would see there, chooses by upper confidence bounds; the others act by
 * habit on what *they* would see, so a move that gives something away is
 * answered by somebody who noticed. */
#include "search.h"
#include "belief.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 1 << 12, ARMS = 24, DEPTH = 64, STEPS = 600 };

struct arm {
  sal_action action;
  uint32_t visits;
  double sum;
};

struct node {
  uint64_t key; /* 0: free */
  uint32_t visits, count;
  struct arm arm[ARMS];
};

struct search {
  const struct sal_question *q;
  struct sal_rng *rng;
  struct belief belief;
  habit_fn *own, *others; /* habits: beyond the tree, and in this world */
  struct node *nodes;
  size_t node_count;
  struct arm *root;
  uint32_t root_visits;
  sal_action legal[LEGAL_MAX];
  double weight[LEGAL_MAX];
};

/* ---- Pieces shared by the searchers -------------------------------------- */

double outlook(const struct sal_question *q, const sal_state *s) {
  const unsigned winners = q->game->winners(s);
  int32_t score[SAL_SEATS_MAX];
  double best = -1e9;
  q->game->scores(s, score);
  for (int i = 0; i < q->players; i++)
    if (i != q->seat && score[i] > best)
      best = score[i];
  const double range = q->game->info.score_max - q->game->info.score_min;
  const double ahead = tanh(2.5 * (score[q->seat] - best) / range);
  if (winners == 0)
    return 0.5 + 0.45 * ahead;
  if (winners >> q->seat & 1)
    return 0.97 + 0.03 * ahead;
  return 0.03 + 0.03 * ahead;
}

void timer_start(struct timer *t, const struct sal_budget *b,
                 uint32_t otherwise) {
  t->budget = *b;
  t->done = t->checked = 0;
  if (t->budget.simulations == 0 && t->budget.seconds <= 0)
    t->budget.simulations = otherwise;
  if (t->budget.seconds > 0)
    t->until = t->budget.clock() + t->budget.seconds;
}

bool timer_more(struct timer *t) {
  if (t->budget.simulations && t->done >= t->budget.simulations)
    return false;
  if (t->budget.seconds > 0 && t->done >= t->checked) {
    if (t->budget.clock() >= t->until)
      return false;
    t->checked = t->done + 16;
  }
  t->done++;
  return true;
}

void report(const struct sal_question *q, const double *value,
            const double *share, struct sal_thought *out) {
  out->count = 0;
  for (size_t i = 0; i < q->count; i++) {
    const struct sal_candidate c = {q->legal[i], value[i], share[i]};
    size_t at = out->count;
    while (at > 0 && (out->candidate[at - 1].share < c.share ||
                      (out->candidate[at - 1].share == c.share &&
                       out->candidate[at - 1].value < c.value)))
      at--;
    if (at == SAL_CANDIDATES)
      continue;
    if (out->count < SAL_CANDIDATES)
      out->count++;
    memmove(&out->candidate[at + 1], &out->candidate[at],
            (out->count - at - 1) * sizeof c);
    out->candidate[at] = c;
  }
  out->action = out->candidate[0].action;
}

/* ---- The tree ------------------------------------------------------------ */

static uint64_t hash_view(const struct search *s, const void *view) {
  const unsigned char *p = view;
  uint64_t h = UINT64_C(0x9e3779b97f4a7c15);
  size_t n = s->q->game->info.view_size;
  for (; n >= 8; n -= 8, p += 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    h = (h ^ word) * UINT64_C(0xff51afd7ed558ccd);
    h ^= h >> 32;
  }
  for (; n > 0; n--)
    h = (h ^ *p++) * UINT64_C(0x100000001b3);
  return h | 1;
}

/* The node of an information set; NULL when it is not in the tree and there is
 * no room for it. */
static struct node *node_of(struct search *s, uint64_t key, bool *fresh) {
  size_t i = key >> 20 & (NODES - 1);
  *fresh = false;
  for (int probe = 0; probe < 8; probe++, i = (i + 1) & (NODES - 1)) {
    if (s->nodes[i].key == key)
      return &s->nodes[i];
    if (s->nodes[i].key == 0) {
      s->nodes[i].key = key;
      *fresh = true;
      return &s->nodes[i];
    }
  }
  return NULL;
}

static void plant(struct search *s, struct node *n, size_t count) {
  n->count = 0;
  n->visits = 0;
  if (count > ARMS)
    return; /* too broad to learn in; habit decides here */
  for (size_t i = 0; i < count; i++)
    n->arm[n->count++] = (struct arm){s->legal[i], 0, 0};
}

static size_t choose_arm(const struct arm *arm, size_t count, uint32_t visits) {
  const double log_visits = log(visits + 1.0);
  double best = -1;
  size_t chosen = 0;
  for (size_t i = 0; i < count; i++) {
    if (arm[i].visits == 0)
      return i;
    const double v =
        arm[i].sum / arm[i].visits + 0.5 * sqrt(log_visits / arm[i].visits);
    if (v > best) {
      best = v;
      chosen = i;
    }
  }
  return chosen;
}

/* ---- A simulation -------------------------------------------------------- */

struct path {
  struct node *node[DEPTH];
  struct arm *arm[DEPTH];
  size_t length;
  bool growing; /* at most one node is planted a simulation */
};

static sal_action own_action(struct search *s, const sal_state *state,
                             struct path *path, const void *view,
                             size_t count) {
  bool fresh = false;
  struct node *n = NULL;
  (void)state;
  if (path->growing && path->length < DEPTH)
    n = node_of(s, hash_view(s, view), &fresh);
  if (fresh)
    plant(s, n, count);
  if (!n || n->count != count || fresh) {
    path->growing = false;
    const struct sal_question mine = {.game = s->q->game,
                                      .players = s->q->players,
                                      .seat = s->q->seat,
                                      .view = view,
                                      .legal = s->legal,
                                      .count = count};
    ask_habit(s->own, &mine, s->weight);
    return s->legal[draw_weighted(s->weight, count, s->rng)];
  }
  struct arm *arm = &n->arm[choose_arm(n->arm, n->count, n->visits)];
  path->node[path->length] = n;
  path->arm[path->length++] = arm;
  return arm->action;
}

static sal_action other_action(struct search *s, int seat, const void *view,
                               size_t count) {
  const struct sal_question theirs = {.game = s->q->game,
                                      .players = s->q->players,
                                      .seat = seat,
                                      .view = view,
                                      .legal = s->legal,
                                      .count = count};
  ask_habit(s->others, &theirs, s->weight);
  return s->legal[draw_weighted(s->weight, count, s->rng)];
}

static double play_out(struct search *s, sal_state *state, struct path *path) {
  const struct sal_game *g = s->q->game;
  const int closed = g->closed(state);
  unsigned asked;
  for (int steps = 0; steps < STEPS && (asked = g->to_act(state)) != 0;
       steps++) {
    if (g->closed(state) != closed)
      break; /* the deal is over */
    if (asked == SAL_CHANCE_BIT) {
      g->sample(state, s->rng);
      continue;
    }
    union sal_view_box box;
    const int seat = __builtin_ctz(asked);
    memset(box.bytes, 0, g->info.view_size);
    g->view(state, seat, (sal_view *)box.bytes);
    const size_t count = g->legal(state, seat, s->legal);
    const sal_action a = seat == s->q->seat
                             ? own_action(s, state, path, box.bytes, count)
                             : other_action(s, seat, box.bytes, count);
    g->apply(state, seat, a, NULL);
  }
  return outlook(s->q, state);
}

static void simulate(struct search *s) {
  union sal_state_box box;
  sal_state *state = (sal_state *)box.bytes;
  struct path path = {.length = 0, .growing = true};
  memset(&box, 0, s->q->game->info.state_size);
  s->others = belief_draw(&s->belief, s->rng, state);
  struct arm *arm = &s->root[choose_arm(s->root, s->q->count, s->root_visits)];
  s->q->game->apply(state, s->q->seat, arm->action, NULL);
  const double value = play_out(s, state, &path);
  arm->visits++;
  arm->sum += value;
  s->root_visits++;
  for (size_t i = 0; i < path.length; i++) {
    path.node[i]->visits++;
    path.arm[i]->visits++;
    path.arm[i]->sum += value;
  }
}

static void answer(const struct search *s, struct sal_thought *out) {
  const size_t n = s->q->count;
  double *value = calloc(2 * n, sizeof *value);
  if (!value) {
    out->action = s->q->legal[0];
    return;
  }
  for (size_t i = 0; i < n; i++) {
    const struct arm *a = &s->root[i];
    value[i] = a->visits ? a->sum / a->visits : 0;
    value[n + i] = s->root_visits ? (double)a->visits / s->root_visits : 0;
  }
  report(s->q, value, value + n, out);
  free(value);
}

void think_expert(const struct sal_question *q, struct sal_rng *rng,
                  struct sal_thought *out) {
  struct timer timer;
  timer_start(&timer, &q->budget, 4000);
  struct search *s = malloc(sizeof *s);
  memset(out, 0, sizeof *out);
  out->action = q->legal[0];
  if (!s || q->count == 1 || q->game->info.legal_max > LEGAL_MAX) {
    free(s);
    return;
  }
  s->q = q;
  s->rng = rng;
  s->own = habits_of(q->game)->regular;
  s->root_visits = 0;
  s->nodes = calloc(NODES, sizeof *s->nodes);
  s->root = calloc(q->count, sizeof *s->root);
  if (s->nodes && s->root) {
    for (size_t i = 0; i < q->count; i++)
      s->root[i].action = q->legal[i];
    belief_form(&s->belief, q, rng);
    while (timer_more(&timer))
      simulate(s);
    answer(s, out);
    out->simulations = s->root_visits;
  }
  free(s->nodes);
  free(s->root);
  free(s);
}
