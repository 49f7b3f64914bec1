/* A former expert, as an opponent: everybody at the table learns to play from
 * here on.
 *
 * One tree of information sets, keyed by what the seat to act would see. In
 * *public* simulations the world is drawn as a stranger at the rail would
 * believe, the searcher's own secrets redrawn too, and every seat learns from
 * what it gets; in *private* ones its secrets are the true ones and only the
 * searcher learns. A seat chooses partly by value and curiosity with the
 * heuristic as prior (PUCT), partly by its average so far (smooth UCT). Beyond
 * the tree, the heuristics play. */
#include "kinds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float CURIOSITY = 0.6f;
/* An action that was chosen so much less often than the favourite is not
 * played. */
static const double ANSWER = 0.7;
enum {
  NODES_LEAST = 1 << 8,
  NODES_MOST = 1 << 17,
  PROBES = 8,
  DEPTH = 64,
  STEPS = 600
};

struct arm {
  sal_action action;
  uint32_t visits;
  float sum, prior; /* prior: by the heuristic */
};

struct node {
  uint64_t key; /* 0: free */
  uint32_t visits, first, count;
  float sum;
};

struct search {
  const struct sal_question *q;
  struct sal_rng *rng;
  struct belief public, private;
  union sal_view_box public_view, public_start;
  heuristic_fn *heuristic;
  bool by_round, by_heuristic;
  int (*round_of)(const sal_view *view);
  int round; /* at the question */
  struct prospect prospect;
  struct node *nodes;
  size_t node_max; /* a power of two */
  struct arm *arms;
  size_t arm_count, arm_max;
  sal_action legal[LEGAL_MAX];
  double weight[LEGAL_MAX];
};

/* ---- The tree ------------------------------------------------------------ */

static uint64_t hash_view(const struct search *s, const void *view) {
  return hash_bytes(view, s->q->game->info.view_size);
}

/* The node of an information set, a new one if there is room; else NULL. */
static struct node *node_of(struct search *s, uint64_t key, bool *fresh) {
  size_t i = key >> 20 & (s->node_max - 1);
  *fresh = false;
  for (int probe = 0; probe < PROBES;
       probe++, i = (i + 1) & (s->node_max - 1)) {
    if (s->nodes[i].key == key)
      return &s->nodes[i];
    if (s->nodes[i].key == 0) {
      if (s->arm_count + BREADTH > s->arm_max)
        return NULL;
      s->nodes[i].key = key;
      *fresh = true;
      return &s->nodes[i];
    }
  }
  return NULL;
}

/* Gives a node its arms: the actions of a seat, the most usual ones if there
 * are many. `weight` holds the heuristic's. */
static void plant(struct search *s, struct node *n, size_t count) {
  n->first = (uint32_t)s->arm_count;
  n->count = 0;
  n->visits = 0;
  n->sum = 0;
  double limit = -1, total = 0;
  if (count > BREADTH) {
    double sorted[BREADTH] = {0};
    for (size_t i = 0; i < count; i++) {
      size_t at = BREADTH;
      while (at > 0 && sorted[at - 1] < s->weight[i])
        at--;
      if (at < BREADTH) {
        memmove(&sorted[at + 1], &sorted[at],
                (BREADTH - 1 - at) * sizeof *sorted);
        sorted[at] = s->weight[i];
      }
    }
    limit = sorted[BREADTH - 1];
  }
  /* Those above the limit, then as many of those at it as there is room for:
   * else a long tail of equals would push out the best that come last. */
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < count && n->count < BREADTH; i++) {
      if (pass == 0 ? s->weight[i] <= limit : s->weight[i] != limit)
        continue;
      total += s->weight[i];
      s->arms[s->arm_count++] =
          (struct arm){s->legal[i], 0, 0, (float)s->weight[i]};
      n->count++;
    }
  for (uint32_t i = 0; i < n->count; i++) {
    float *prior = &s->arms[n->first + i].prior;
    *prior = 0.8f * *prior / (float)total + 0.2f / (float)n->count;
  }
}

static struct arm *choose_arm(struct search *s, const struct node *n) {
  struct arm *arm = &s->arms[n->first];
  uint32_t k = sal_rng_below(s->rng, 8 * (n->visits + n->count));
  if (k < 4 * n->visits) { /* by the average so far */
    k /= 4;
    size_t i = 0;
    while (i + 1 < n->count && k >= arm[i].visits)
      k -= arm[i++].visits;
    return &arm[i];
  }
  const float root = sqrtf((float)n->visits + 1);
  const float mean = n->visits ? n->sum / (float)n->visits : 0.5f;
  float best = -1;
  size_t chosen = 0;
  for (size_t i = 0; i < n->count; i++) {
    const float seen = (float)arm[i].visits;
    const float v = (seen > 0 ? arm[i].sum / seen : mean) +
                    CURIOSITY * arm[i].prior * root / (1 + seen);
    if (v > best) {
      best = v;
      chosen = i;
    }
  }
  return &arm[chosen];
}

/* For a node where nobody has learnt anything yet. */
static struct arm *choose_by_heuristic(struct search *s, const struct node *n) {
  struct arm *arm = &s->arms[n->first];
  float x = (float)(sal_rng_next(s->rng) >> 40) * 0x1p-24f;
  size_t i = 0;
  while (i + 1 < n->count && (x -= arm[i].prior) >= 0)
    i++;
  return &arm[i];
}

/* ---- A simulation -------------------------------------------------------- */

struct path {
  struct node *node[DEPTH];
  struct arm *arm[DEPTH];
  int8_t seat[DEPTH];
  size_t length;
  bool growing; /* at most one node is planted a simulation */
};

static sal_action choose_child(struct search *s, int seat, const void *view,
                               size_t count, struct path *path) {
  bool fresh = false;
  struct node *n = NULL;
  if (count == 1)
    return s->legal[0];
  if (path->growing && path->length < DEPTH)
    n = node_of(s, hash_view(s, view), &fresh);
  if (!n || fresh) {
    const struct sal_question asked = {.game = s->q->game,
                                       .players = s->q->players,
                                       .seat = seat,
                                       .view = view,
                                       .legal = s->legal,
                                       .count = count};
    s->heuristic(&asked, s->weight);
    path->growing = false;
    if (fresh)
      plant(s, n, count);
    return s->legal[draw_weighted(s->weight, count, s->rng)];
  }
  struct arm *arm = n->visits ? choose_arm(s, n) : choose_by_heuristic(s, n);
  path->node[path->length] = n;
  path->seat[path->length] = (int8_t)seat;
  path->arm[path->length++] = arm;
  return arm->action;
}

/* Whether the draw that is due begins another round. */
static bool round_over(const struct search *s, const sal_state *state) {
  return !s->round_of || round_seen(s->round_of, s->q->game, state) != s->round;
}

static void play_out(struct search *s, sal_state *state, struct path *path) {
  const struct sal_game *g = s->q->game;
  const int closed = g->closed(state);
  unsigned asked;
  for (int steps = 0; steps < STEPS && (asked = g->to_act(state)) != 0;
       steps++) {
    if (g->closed(state) != closed)
      return; /* the deal is over */
    if (asked == SAL_CHANCE_BIT) {
      if (s->by_round && round_over(s, state))
        return;
      g->sample(state, s->rng);
      continue;
    }
    union sal_view_box box;
    const int seat = steps == 0 ? s->q->seat : __builtin_ctz(asked);
    memset(box.bytes, 0, g->info.view_size);
    g->view(state, seat, (sal_view *)box.bytes);
    const size_t count = g->legal(state, seat, s->legal);
    g->apply(state, seat, choose_child(s, seat, box.bytes, count, path), NULL);
  }
}

static void simulate(struct search *s, bool private) {
  union sal_state_box box;
  sal_state *state = (sal_state *)box.bytes;
  struct path path = {.length = 0, .growing = true};
  memset(&box, 0, s->q->game->info.state_size);
  belief_draw(private ? &s->private : &s->public, s->rng, state, NULL);
  play_out(s, state, &path);
  float value[SAL_SEATS_MAX];
  prospects(&s->prospect, state, value);
  for (size_t i = 0; i < path.length; i++) {
    if (private && path.seat[i] != s->q->seat)
      continue; /* the others must not learn what they cannot know */
    path.node[i]->visits++;
    path.node[i]->sum += value[path.seat[i]];
    path.arm[i]->visits++;
    path.arm[i]->sum += value[path.seat[i]];
  }
}

/* ---- Thinking ------------------------------------------------------------ */

/* What a stranger at the rail sees: the same for every world that fits. */
static void form_beliefs(struct search *s, const struct timer *timer) {
  const struct sal_question *q = s->q;
  const struct sal_memory *m = q->memory && q->memory->begun ? q->memory : NULL;
  union sal_state_box box;
  sal_state *any = (sal_state *)box.bytes;
  memset(&box, 0, sizeof box);
  memset(&s->public_view, 0, sizeof s->public_view);
  memset(&s->public_start, 0, sizeof s->public_start);
  q->game->resample(q->view, s->rng, any);
  q->game->view(any, SAL_SPECTATOR, (sal_view *)s->public_view.bytes);
  const sal_view *start = NULL, *public_start = NULL;
  if (m) {
    start = (const sal_view *)(s->by_round ? &m->round : &m->start)->bytes;
    q->game->resample(start, s->rng, any);
    q->game->view(any, SAL_SPECTATOR, (sal_view *)s->public_start.bytes);
    public_start = (const sal_view *)s->public_start.bytes;
  }
  const size_t from = m && s->by_round ? m->since : 0;
  struct timer part = *timer;
  part.until -= 0.85 * timer->budget.seconds;
  belief_form(&s->private, q, &trust_little, q->seat, q->view, start, from,
              &part, s->rng);
  if (s->by_heuristic)
    return;
  part.until += 0.15 * timer->budget.seconds;
  belief_form(&s->public, q, &trust_little, SAL_SPECTATOR,
              (const sal_view *)s->public_view.bytes, public_start, from, &part,
              s->rng);
}

/* A tree with room for what the budget can plant: a node a simulation, some
 * hundred thousand of them a second. */
static size_t room_for(const struct timer *t) {
  const double hoped =
      t->budget.simulations ? t->budget.simulations : 4e5 * t->budget.seconds;
  size_t room = NODES_LEAST;
  while (room < NODES_MOST && (double)room < 2 * hoped)
    room *= 2;
  return room;
}

/* The node of the question; NULL if it is not planted yet. */
static const struct node *root_of(const struct search *s) {
  const uint64_t key = hash_view(s, s->q->view);
  size_t i = key >> 20 & (s->node_max - 1);
  for (int probe = 0; probe < PROBES; probe++, i = (i + 1) & (s->node_max - 1))
    if (s->nodes[i].key == key)
      return &s->nodes[i];
  return NULL;
}

/* What is played: what was chosen often, in proportion. */
static void conclude_search(const struct search *s, struct sal_policy *out) {
  const struct sal_question *q = s->q;
  const struct node *root = root_of(s);
  const struct arm *arm = root ? &s->arms[root->first] : NULL;
  uint32_t most = 0;
  double sum = 0;
  for (uint32_t k = 0; root && k < root->count; k++)
    most = arm[k].visits > most ? arm[k].visits : most;
  if (most == 0)
    return;
  for (size_t i = 0; i < q->count; i++) {
    out->value[i] = -1;
    out->chance[i] = 0;
    for (uint32_t k = 0; k < root->count; k++)
      if (q->legal[i] == arm[k].action && arm[k].visits) {
        out->value[i] = arm[k].sum / (double)arm[k].visits;
        if (arm[k].visits >= ANSWER * most)
          sum += out->chance[i] = arm[k].visits;
      }
  }
  for (size_t i = 0; i < q->count; i++)
    out->chance[i] /= sum;
}

void policy_tree(const struct sal_question *q, struct sal_rng *rng,
                 struct sal_policy *out) {
  struct timer timer;
  timer_start(&timer, &q->budget, 400);
  policy_heuristic(heuristics_of(q->game)->regular, q,
                   out); /* if time is short */
  if (q->count == 1 || q->game->info.legal_max > LEGAL_MAX)
    return;
  struct search *s = malloc(sizeof *s);
  const size_t node_max = room_for(&timer), arm_max = 4 * node_max;
  struct node *nodes = calloc(node_max, sizeof *nodes);
  struct arm *arms = malloc(arm_max * sizeof *arms);
  if (s && nodes && arms) {
    s->q = q;
    s->rng = rng;
    s->heuristic = heuristics_of(q->game)->regular;
    s->by_round = heuristics_of(q->game)->by_round;
    s->round_of = heuristics_of(q->game)->round;
    /* too many secrets to learn answers */
    s->by_heuristic = s->round_of != NULL;
    if (s->round_of)
      s->round = s->round_of(q->view);
    s->nodes = nodes;
    s->node_max = node_max;
    s->arms = arms;
    s->arm_max = arm_max;
    s->arm_count = 0;
    prospect_at(&s->prospect, q, rng);
    form_beliefs(s, &timer);
    for (uint64_t i = 0; timer_more(&timer); i++)
      simulate(s, s->by_heuristic || i % 2 == 0);
    conclude_search(s, out);
    out->simulations = timer.done;
  }
  free(s);
  free(nodes);
  free(arms);
}
